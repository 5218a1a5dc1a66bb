//! Evidence: collectors run in a clean checkout of the delivered commit; their files are copied, hashed and recorded.

mod gather;
mod place;

use camino::{Utf8Path, Utf8PathBuf};
use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use super::{Inputs, Stage, dispatch};
use crate::app::Checkout;
use crate::context::Context;
use crate::documents::{self, FORMAT};
use crate::failure::Result;
use crate::git::Contents;
use crate::pipeline::model::Gather;
use crate::store;

pub use place::path_of;

/// See the module.
pub struct Evidence;

impl Stage for Evidence {
    fn inputs(&self, context: &Context<'_>, round: u32) -> Result<Inputs> {
        let mut inputs = Inputs::default();
        inputs.value("commit", &dispatch::head(context, round)?)?;
        for (name, collector) in &context.pipeline.collectors {
            inputs.value(&format!("collector:{name}"), collector)?;
            if let Gather::Copy(from) = &collector.how {
                inputs.file(context, Utf8Path::new(&context.fill(from, round)))?;
            }
        }
        inputs.value("pipeline:sources", &context.pipeline.sources)?;
        Ok(inputs)
    }

    fn reads_inputs_itself(&self) -> bool {
        true
    }

    fn records_facts(&self) -> bool {
        true
    }

    /// A collector that failed may not fail again.
    fn is_settled(&self, context: &Context<'_>, round: u32) -> Result<bool> {
        Ok(failures(context, round)?.is_empty())
    }

    fn run(&self, context: &Context<'_>, round: u32) -> Result<Vec<Utf8PathBuf>> {
        let dispatch = dispatch::recorded(context, round)?;
        let record = record(context, round);
        // Without its record the folder is nothing: whatever stops us from here on, this stage runs again.
        store::remove_file(&context.at(&record))?;
        store::remove_folder(&context.at(context.paths.in_round(round, "evidence")))?;
        let checkout = checkout(context, &dispatch)?;
        let delivered = tracked(context, &dispatch)?;
        let commit = &dispatch.head;
        let gathering =
            gather::Round { context, round, commit, checkout: checkout.as_ref(), delivered: &delivered };
        let mut collected = Vec::new();
        for (name, collector) in &context.pipeline.collectors {
            context.progress.begins(&context.feature, "evidence", name);
            collected.push(gather::gather(&gathering, name, collector)?);
        }
        let evidence = documents::Evidence {
            format: FORMAT,
            feature: context.feature.clone(),
            round,
            pack_sha256: dispatch.pack_sha256,
            commit: dispatch.head,
            collected,
        };
        store::write_json(&context.at(&record), &evidence)?;
        // The record holds the digests of the files: they are facts for the audit, not outputs to be kept as they are.
        Ok(vec![record])
    }
}

fn record(context: &Context<'_>, round: u32) -> Utf8PathBuf {
    context.paths.in_round(round, "evidence.json")
}

/// A clean checkout of the delivered commit, made only when a collector runs there.
fn checkout(context: &Context<'_>, dispatch: &documents::Dispatch) -> Result<Option<Checkout>> {
    let runs =
        context.pipeline.collectors.iter().any(|(_, collector)| matches!(collector.how, Gather::Run(_)));
    if !runs {
        return Ok(None);
    }
    let app = context.app()?;
    app.require_commit(&dispatch.head)?;
    Ok(Some(app.checkout(&dispatch.head)?))
}

/// The contents that are tracked in the delivered commit: whatever equals one of them, the agent could have written.
fn tracked(context: &Context<'_>, dispatch: &documents::Dispatch) -> Result<Contents> {
    let app = context.app()?;
    match app.has_commit(&dispatch.head)? {
        true => app.tracked(&dispatch.head),
        // Recorded evidence of a delivery that was made elsewhere.
        false => Ok(Contents::default()),
    }
}

/// What was gathered in a round.
pub fn recorded(context: &Context<'_>, round: u32) -> Result<documents::Evidence> {
    context.artifact(&record(context, round), "evidence", Some(round))
}

/// What collectors could not bring in a round: with this a delivery cannot be judged, only gathered again.
pub fn failures(context: &Context<'_>, round: u32) -> Result<Vec<Problem>> {
    let lang = context.lang();
    let evidence: Option<documents::Evidence> =
        context.artifact_if_any(&record(context, round), "evidence")?;
    let failed = evidence.iter().flat_map(|evidence| &evidence.collected);
    let problems = failed.filter_map(|entry| {
        let failure = entry.failure.as_ref()?;
        let name = &entry.collector;
        let message = say!(
            lang,
            "collector {name} brought no file: {failure}",
            "采集器 {name} 没有产出文件：{failure}"
        );
        Some(Problem::new(Code::CollectorFailed, message, Code::CollectorFailed.help(lang)))
    });
    Ok(problems.collect())
}
