//! `report.html`: one page for all rounds that were judged.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::{make, review};
use crate::context::Context;
use crate::documents::{AuditFile, FileRecord};
use crate::failure::Result;
use crate::render::page::{FILES, FOLDER};
use crate::reports::{self, Material};
use crate::rounds;
use crate::stages::Inputs;
use crate::store;

/// What the page depends on beside the artifacts: its template. The evidence that it draws is that of the audits, which
/// say where a file is no longer what was recorded.
pub fn inputs(context: &Context<'_>, inputs: &mut Inputs) -> Result<()> {
    for (name, built_in) in FILES {
        inputs.carried(context, &Utf8Path::new(FOLDER).join(name), Some(built_in))?;
    }
    Ok(())
}

/// Writes the page with the report of the last round that was judged; that of an earlier one leaves it alone.
pub fn write(context: &Context<'_>, round: u32) -> Result<Option<Utf8PathBuf>> {
    if judged(context)?.last() != Some(&round) {
        return Ok(None);
    }
    let path = context.paths.page();
    let Some(page) = page(context)? else { return Ok(None) };
    store::write(&context.at(&path), &page)?;
    Ok(Some(path))
}

/// The page, from what is recorded and from nothing else; none where no round of the frozen pack was judged.
pub fn page(context: &Context<'_>) -> Result<Option<Vec<u8>>> {
    let renderer = context.renderer()?;
    material(context)?.map(|material| reports::html(renderer, &material)).transpose()
}

/// The rounds of the frozen pack that were judged, in order.
fn judged(context: &Context<'_>) -> Result<Vec<u32>> {
    let mut judged = Vec::new();
    for round in rounds::of_pack(context)? {
        if context.verdict(round)?.is_some() {
            judged.push(round);
        }
    }
    Ok(judged)
}

fn material(context: &Context<'_>) -> Result<Option<Material>> {
    let mut audits: Vec<Arc<AuditFile>> =
        judged(context)?.into_iter().map(|round| context.audit(round)).collect::<Result<_>>()?;
    let read = |round: u32, file: &FileRecord| context.files.read(&context.paths.in_round(round, &file.path));
    let scenes = audits.iter().map(|audit| reports::scenes(audit, &read)).collect::<Result<_>>()?;
    let Some(last) = audits.pop() else { return Ok(None) };
    let report = make(context, last.round, context.lock()?.history, review::disputed(context)?)?;
    Ok(Some(Material { report, earlier: audits, scenes }))
}
