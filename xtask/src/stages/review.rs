//! Review: the frozen pack is attacked before anyone is paid to satisfy its letter.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use gate::audit::Location;
use gate::code::Code;
use gate::pack::Pack;
use gate::problem::{Problem, any_error};
use gate::review::{Collector, Loophole};
use gate::say;

use super::{Inputs, Stage, title};
use crate::context::Context;
use crate::documents::{self, FORMAT, Lock};
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::pipeline::model;
use crate::reports;
use crate::store;

/// See the module.
pub struct Review;

impl Stage for Review {
    fn inputs(&self, context: &Context<'_>, _round: u32) -> Result<Inputs> {
        let mut inputs = Inputs::default();
        inputs.file(context, &context.paths.lock())?;
        inputs.template(context, reports::REVIEW)?;
        inputs.value("pipeline:sources", &context.pipeline.sources)?;
        inputs.value("pipeline:collectors", &context.pipeline.collectors)?;
        inputs.value("pipeline:lang", &context.lang())?;
        Ok(inputs)
    }

    fn run(&self, context: &Context<'_>, _round: u32) -> Result<Vec<Utf8PathBuf>> {
        let review = make(context, &context.lock()?);
        let (json, markdown) = paths(context);
        let text = reports::review(context.renderer()?, &review)?;
        store::write_json(&context.at(&json), &review)?;
        store::write(&context.at(&markdown), &text)?;
        Ok(vec![json, markdown])
    }
}

/// The review of a frozen pack.
pub fn make(context: &Context<'_>, lock: &Lock) -> documents::Review {
    let findings = findings(context, &lock.pack, &lock.locations, &lock.authored);
    documents::Review {
        format: FORMAT,
        feature: context.feature.clone(),
        title: title(&lock.pack),
        lang: context.lang(),
        pack_sha256: lock.pack_sha256.clone(),
        blocked: any_error(&findings),
        findings,
        refrozen: lock.history.last().cloned(),
        loopholes: loopholes(context, lock),
    }
}

/// What can be said against a pack, with the place of each finding.
pub fn findings(
    context: &Context<'_>,
    pack: &Pack,
    locations: &BTreeMap<String, Location>,
    authored: &str,
) -> Vec<Problem> {
    let collectors = collectors(context);
    let sources = &context.pipeline.sources;
    let surroundings = gate::review::Context { sources, collectors: &collectors, locations };
    let mut findings = gate::review::review(pack, &surroundings, context.lang());
    findings.extend(super::measure::parameter_problems(context, pack));
    for finding in &mut findings {
        let location = finding.criterion.as_ref().and_then(|id| locations.get(id));
        finding.file.get_or_insert_with(|| location.map_or(authored, |at| at.file.as_str()).to_owned());
        finding.at = finding.at.or(location.map(|at| at.span));
    }
    findings
}

/// How each assertion of a frozen pack could be satisfied to the letter only.
fn loopholes(context: &Context<'_>, lock: &Lock) -> Vec<Loophole> {
    let collectors = collectors(context);
    let sources = &context.pipeline.sources;
    let surroundings = gate::review::Context { sources, collectors: &collectors, locations: &lock.locations };
    gate::review::loopholes(&lock.pack, &surroundings, context.lang())
}

/// The collectors as a review sees them.
fn collectors(context: &Context<'_>) -> BTreeMap<String, Collector> {
    let seen = |collector: &model::Collector| Collector {
        source: collector.source.clone(),
        is_copied: matches!(collector.how, model::Gather::Copy(_)),
        is_constant: collector.constant,
    };
    context.pipeline.collectors.iter().map(|(name, collector)| (name.clone(), seen(collector))).collect()
}

fn paths(context: &Context<'_>) -> (Utf8PathBuf, Utf8PathBuf) {
    let delivery = context.paths.delivery();
    (delivery.join("review.json"), delivery.join("review.md"))
}

/// The review of the frozen pack as it was recorded.
pub fn recorded(context: &Context<'_>) -> Result<documents::Review> {
    context.artifact(&paths(context).0, "review", None)
}

/// Refuses to go on with a pack that was not reviewed, or whose review blocks.
pub fn require_passed(context: &Context<'_>, lock: &Lock) -> Result<()> {
    let review = recorded(context)?;
    if review.pack_sha256 != lock.pack_sha256 {
        let (lang, feature) = (context.lang(), &context.feature);
        let message = say!(lang, "the review is of another pack", "预审针对的是另一个验收包");
        let help = say!(lang, "run cargo xtask review {feature}", "请运行 cargo xtask review {feature}");
        return Err(Failure::coded(Ending::Blocked, Code::ArtifactMissing, message, help));
    }
    if review.blocked {
        return Err(Failure::Problems { ending: Ending::Blocked, problems: review.findings });
    }
    Ok(())
}
