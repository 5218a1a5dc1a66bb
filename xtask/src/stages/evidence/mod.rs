//! Evidence: collectors run in a clean checkout of the delivered commit; their files are copied, hashed and recorded.

mod gather;
mod place;

use camino::{Utf8Path, Utf8PathBuf};
use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use super::guard::{self, Guard, Places};
use super::{Inputs, Stage, dispatch};
use crate::app::Checkout;
use crate::context::Context;
use crate::documents::{self, Collected, FORMAT};
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::git::Contents;
use crate::pipeline::model::Gather;
use crate::store;

pub use place::{fingerprint, kind, open, path_of};

/// See the module.
pub struct Evidence;

impl Stage for Evidence {
    fn inputs(&self, context: &Context<'_>, round: u32) -> Result<Inputs> {
        let mut inputs = Inputs::default();
        inputs.value(context, "commit", &dispatch::head(context, round)?)?;
        for (name, collector) in &context.pipeline.collectors {
            inputs.value(context, &format!("collector:{name}"), collector)?;
            if let Gather::Copy(from) = &collector.how {
                inputs.file(context, Utf8Path::new(&context.fill(from, round)))?;
            }
        }
        inputs.value(context, "pipeline:sources", &context.pipeline.sources)?;
        if let Some(device) = &context.pipeline.device {
            inputs.value(context, "pipeline:device", &device.target)?;
        }
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
        store::remove_folder(&place::gathering(context))?;
        let checkout = checkout(context, &dispatch)?;
        let delivered = tracked(context, &dispatch)?;
        let commit = &dispatch.head;
        let gathering =
            gather::Round { context, round, commit, checkout: checkout.as_ref(), delivered: &delivered };
        let collected = gathered(&gathering)?;
        let evidence = documents::Evidence {
            format: FORMAT,
            feature: context.feature.clone(),
            round,
            pack_sha256: dispatch.pack_sha256,
            commit: dispatch.head,
            collected,
        };
        require_better(context, round, &evidence)?;
        // Without its record the folder is nothing: whatever stops us from here on, this stage runs again.
        store::remove_file(&context.at(&record))?;
        place::replace(context, round)?;
        store::write_json(&context.at(&record), &evidence)?;
        // The record holds the digests of the files: they are facts for the audit, not outputs to be kept as they are.
        Ok(vec![record])
    }
}

/// What every collector brought. Collectors run what was delivered, which may not decide how it is judged: where any of
/// them changed what is protected, nothing is gathered.
fn gathered(of: &gather::Round<'_>) -> Result<Vec<Collected>> {
    let context = of.context;
    if !runs_programs(context) {
        return gather_all(of, None);
    }
    let guard = Guard::take(context, Places::for_program(context, of.round))?;
    let collected = gather_all(of, Some(&guard));
    let changes = guard.end(context)?;
    let collected = collected?;
    // Something that a collector left running, which is not known any more.
    let who = say!(context.lang(), "a collector", "某个采集器");
    guard::untouched(context, &who, changes)?;
    Ok(collected)
}

fn gather_all(of: &gather::Round<'_>, guard: Option<&Guard>) -> Result<Vec<Collected>> {
    let context = of.context;
    let mut collected = Vec::new();
    for (name, collector) in &context.pipeline.collectors {
        context.progress.begins(&context.feature, "evidence", name);
        let entry = gather::gather(of, name, collector);
        if let (Some(guard), Gather::Run(_)) = (guard, &collector.how) {
            let who = say!(context.lang(), "collector {name}", "采集器 {name} ");
            guard.require_untouched(context, &who)?;
        }
        collected.push(entry?);
    }
    Ok(collected)
}

fn runs_programs(context: &Context<'_>) -> bool {
    context.pipeline.collectors.iter().any(|(_, collector)| matches!(collector.how, Gather::Run(_)))
}

fn record(context: &Context<'_>, round: u32) -> Utf8PathBuf {
    context.paths.in_round(round, "evidence.json")
}

/// Evidence that is whole is not given up for some that is not: a collector that worked before may work again.
fn require_better(context: &Context<'_>, round: u32, gathered: &documents::Evidence) -> Result<()> {
    let before: Option<documents::Evidence> = context.artifact_if_any(&record(context, round), "evidence")?;
    let is_whole = |evidence: &documents::Evidence| {
        evidence.commit == gathered.commit && failed(context, evidence).is_empty()
    };
    let problems = failed(context, gathered);
    if problems.is_empty() || !before.is_some_and(|before| is_whole(&before)) {
        return Ok(());
    }
    Err(Failure::Problems { ending: Ending::CannotRun, problems })
}

/// A clean checkout of the delivered commit, made only when a collector runs there.
fn checkout(context: &Context<'_>, dispatch: &documents::Dispatch) -> Result<Option<Checkout>> {
    if !runs_programs(context) {
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
    let evidence: Option<documents::Evidence> =
        context.artifact_if_any(&record(context, round), "evidence")?;
    Ok(evidence.map(|evidence| failed(context, &evidence)).unwrap_or_default())
}

fn failed(context: &Context<'_>, evidence: &documents::Evidence) -> Vec<Problem> {
    let lang = context.lang();
    let problems = evidence.collected.iter().filter_map(|entry| {
        let failure = entry.failure.as_ref()?;
        let name = &entry.collector;
        let message = say!(
            lang,
            "collector {name} brought no file: {failure}",
            "采集器 {name} 没有产出文件：{failure}"
        );
        Some(Problem::new(Code::CollectorFailed, message, Code::CollectorFailed.help(lang)))
    });
    problems.collect()
}
