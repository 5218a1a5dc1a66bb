//! What a stage of the team's own wrote: all that it declares, and nothing else in the delivery.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use crate::context::Context;
use crate::digests::Over;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::paths;
use crate::secrets::Secrets;
use crate::store::{self, Kind};

/// Every file of a delivery with its digest, before a stage runs.
pub struct Snapshot(BTreeMap<Utf8PathBuf, String>);

impl Snapshot {
    /// The delivery as it is now.
    pub fn of(context: &Context<'_>) -> Result<Self> {
        let folder = context.paths.delivery();
        let mut found = BTreeMap::new();
        for file in store::files_below(&context.at(&folder))? {
            let path = paths::with_slashes(&folder.join(file));
            if let Some(digest) = context.digests.of(&context.at(&path), Over::Bytes)? {
                found.insert(path, digest);
            }
        }
        Ok(Snapshot(found))
    }

    /// Refuses what a stage changed in the delivery without having said so: nobody could tell later whose work that is.
    /// What it added is moved out of the delivery, so that the next run does not take it for somebody else's.
    pub fn require_declared(
        &self,
        context: &Context<'_>,
        stage: &str,
        log: &Utf8Path,
        outputs: &[Utf8PathBuf],
    ) -> Result<()> {
        let before = &self.0;
        let Snapshot(after) = Snapshot::of(context)?;
        let is_declared =
            |path: &Utf8Path| path == log || outputs.iter().any(|output| path.starts_with(output));
        let touched: BTreeSet<&Utf8PathBuf> = before
            .keys()
            .chain(after.keys())
            .filter(|path| before.get(*path) != after.get(*path) && !is_declared(path))
            .collect();
        let mut problems = Vec::new();
        for path in touched {
            let moved = if before.contains_key(path) { None } else { Some(move_out(context, path)?) };
            problems.push(undeclared(context, stage, path, moved));
        }
        none_of(problems)
    }
}

/// Moves a file that does not belong to the delivery to where it can be looked at.
fn move_out(context: &Context<'_>, path: &Utf8Path) -> Result<Utf8PathBuf> {
    let to = Utf8PathBuf::from(".xtask/strays").join(path.strip_prefix("deliveries").unwrap_or(path));
    store::create_folder(context.at(&to).parent().unwrap_or(&context.root.scratch()))?;
    store::rename(&context.at(path), &context.at(&to))?;
    Ok(to)
}

fn undeclared(context: &Context<'_>, stage: &str, path: &Utf8Path, moved: Option<Utf8PathBuf>) -> Problem {
    let lang = context.lang();
    let message = match moved {
        Some(to) => say!(
            lang,
            "stage {stage} wrote {path}, which is not among its outputs; it was moved to {to}",
            "阶段 {stage} 写出了 {path}，但它不在该阶段的 outputs 中；已移到 {to}"
        ),
        None => say!(
            lang,
            "stage {stage} changed {path}, which is not among its outputs",
            "阶段 {stage} 改动了 {path}，但它不在该阶段的 outputs 中"
        ),
    };
    Problem::new(Code::OutputUndeclared, message, Code::OutputUndeclared.help(lang))
}

/// Refuses outputs that are not there, that lead elsewhere, or that hold a secret.
pub fn require_written(context: &Context<'_>, stage: &str, outputs: &[Utf8PathBuf]) -> Result<()> {
    let secrets = Secrets::of_variables(&context.pipeline.secrets);
    let lang = context.lang();
    let mut problems = Vec::new();
    for path in outputs {
        let message = match store::kind(&context.at(path))? {
            Kind::Absent => Some(say!(lang, "stage {stage} wrote no {path}", "阶段 {stage} 没有写出 {path}")),
            Kind::Link | Kind::Special => Some(say!(
                lang,
                "stage {stage} wrote {path}, which is neither a file nor a folder",
                "阶段 {stage} 写出的 {path} 既不是文件也不是目录"
            )),
            Kind::File if secrets.are_in(&context.at(path))? => Some(say!(
                lang,
                "stage {stage} wrote {path}, which holds the value of a secret",
                "阶段 {stage} 写出的 {path} 含有机密变量的值"
            )),
            Kind::File | Kind::Folder => None,
        };
        let problem = |message| Problem::new(Code::StageFailed, message, Code::StageFailed.help(lang));
        problems.extend(message.map(problem));
    }
    none_of(problems)
}

fn none_of(problems: Vec<Problem>) -> Result<()> {
    if problems.is_empty() { Ok(()) } else { Err(Failure::Problems { ending: Ending::CannotRun, problems }) }
}
