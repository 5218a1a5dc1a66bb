//! Review: the frozen pack is attacked before anyone is paid to satisfy its letter.

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::Utf8PathBuf;
use gate::audit::Location;
use gate::code::Code;
use gate::decode::Places;
use gate::pack::{Criterion, Pack};
use gate::problem::Problem;
use gate::review::{Collector, Edit, Finding, Loophole, Response, Voice};
use gate::say;

use super::reviewer::{self, Heard};
use super::{Inputs, Stage, title};
use crate::authored::{self, Authored};
use crate::context::Context;
use crate::document;
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
        // The lock says where criteria stand, and the pack itself where their fields do.
        if let Ok(authored) = authored::file(context) {
            inputs.authored(context, &authored)?;
        }
        inputs.authored(context, &context.paths.responses())?;
        inputs.template(context, reports::REVIEW)?;
        inputs.value(context, "pipeline:sources", &context.pipeline.sources)?;
        inputs.value(context, "pipeline:collectors", &context.pipeline.collectors)?;
        inputs.value(context, "pipeline:lang", &context.lang())?;
        let review = &context.pipeline.review;
        if !review.reviewers.is_empty() {
            inputs.value(context, "pipeline:review", &(&review.reviewers, review.quorum))?;
            inputs.template(context, reports::REVIEWER)?;
        }
        for reviewer in review.reviewers.values() {
            inputs.template(context, &reports::reviewer_template(reviewer.angle))?;
        }
        Ok(inputs)
    }

    fn run(&self, context: &Context<'_>, _round: u32) -> Result<Vec<Utf8PathBuf>> {
        let lock = context.lock()?;
        let loopholes = loopholes(context, &lock);
        // Nobody is paid to look at a pack that has to change anyway.
        let own = own(context, &lock)?;
        let heard = match has_to_change(context, &lock, &own)? {
            true => {
                reviewer::forget_earlier(context, &lock)?;
                Vec::new()
            }
            false => reviewer::hear_all(context, &lock, &loopholes)?,
        };
        let review = make(context, &lock, own, loopholes, &heard)?;
        let (json, markdown) = (context.paths.review("json"), context.paths.review("md"));
        let text = reports::review(context.renderer()?, &review)?;
        store::write_json(&context.at(&json), &review)?;
        store::write(&context.at(&markdown), &text)?;
        Ok([json, markdown].into_iter().chain(reviewer::outputs(context, &heard)).collect())
    }

    /// A reviewer that failed is asked again, and one that was not asked is asked once nothing blocks.
    fn is_settled(&self, context: &Context<'_>, _round: u32) -> Result<bool> {
        let is_open = |review: &documents::Review| {
            let is_asked = |line: &documents::ReviewerLine| review.blocked || line.answer.is_some();
            review.reviewers.iter().any(|line| line.failure.is_some() || !is_asked(line))
        };
        Ok(!context.review_if_any()?.as_deref().is_some_and(is_open))
    }
}

/// A finding, and the reviewers who raised it: none of the gate's own.
type Raised = (Problem, Vec<Voice>);

/// What the gate itself says against a frozen pack.
fn own(context: &Context<'_>, lock: &Lock) -> Result<Vec<Raised>> {
    let places = places(context)?;
    let found = problems(context, &lock.pack, &lock.locations, &places, &lock.authored);
    Ok(found.into_iter().map(|one| (one, Vec::new())).collect())
}

fn has_to_change(context: &Context<'_>, lock: &Lock, own: &[Raised]) -> Result<bool> {
    let findings = gate::review::rule(&lock.pack, own.to_vec(), &responses(context)?);
    Ok(findings.iter().any(|finding| finding.blocks))
}

/// The review of a frozen pack, from what the gate itself found and what its reviewers said.
fn make(
    context: &Context<'_>,
    lock: &Lock,
    own: Vec<Raised>,
    loopholes: Vec<Loophole>,
    heard: &[Heard],
) -> Result<documents::Review> {
    let mut found = own;
    found.extend(heard.iter().filter_map(|heard| heard.failure(context)).map(|one| (one, Vec::new())));
    found.extend(objections(context, lock, heard));
    let findings = gate::review::rule(&lock.pack, found, &responses(context)?);
    Ok(documents::Review {
        format: FORMAT,
        feature: context.feature.clone(),
        title: title(&lock.pack),
        lang: context.lang(),
        pack_sha256: lock.pack_sha256.clone(),
        blocked: findings.iter().any(|finding| finding.blocks),
        findings,
        reviewers: reviewer::lines(context, heard),
        quorum: context.pipeline.review.quorum,
        refrozen: lock.history.last().cloned(),
        loopholes,
    })
}

/// The review of a frozen pack, made again: what reviewers answered is read where it is kept, and how one failed is taken
/// from what is on record.
pub fn on_record(
    context: &Context<'_>,
    lock: &Lock,
    recorded: &documents::Review,
) -> Result<documents::Review> {
    let own = own(context, lock)?;
    let heard = match has_to_change(context, lock, &own)? {
        true => Vec::new(),
        false => reviewer::on_record(context, &lock.pack, &recorded.reviewers)?,
    };
    make(context, lock, own, loopholes(context, lock), &heard)
}

/// What the gate itself says against a pack that is not frozen yet, with what people answered to it.
pub fn findings(context: &Context<'_>, authored: &Authored) -> Result<Vec<Finding>> {
    let decoded = &authored.decoded;
    let found = problems(context, &decoded.pack, &decoded.locations, &decoded.places, authored.file.as_str());
    let found = found.into_iter().map(|problem| (problem, Vec::new())).collect();
    Ok(gate::review::rule(&decoded.pack, found, &responses(context)?))
}

/// The changes that answer findings of an authored pack for certain, in the order of the findings. Each builds on those
/// before it in the same criterion.
pub fn fixes(context: &Context<'_>, authored: &Authored, findings: Vec<Finding>) -> Vec<(Finding, Edit)> {
    let collectors = collectors(context);
    let (sources, decoded) = (&context.pipeline.sources, &authored.decoded);
    let (locations, places) = (&decoded.locations, &decoded.places);
    let surroundings = gate::review::Context { sources, collectors: &collectors, locations, places };
    let mut criteria: BTreeMap<&str, Criterion> =
        decoded.pack.criteria.iter().map(|criterion| (criterion.id.as_str(), criterion.clone())).collect();
    let mut fixes = Vec::new();
    for finding in findings {
        let criterion = finding.criterion.as_deref().and_then(|id| criteria.get_mut(id));
        let fixed = criterion.and_then(|criterion| {
            let (edit, fixed) = gate::review::fix(finding.code, criterion, &surroundings)?;
            *criterion = fixed;
            Some(edit)
        });
        fixes.extend(fixed.map(|edit| (finding, edit)));
    }
    fixes
}

/// What can be said against a pack, with the place of each finding.
fn problems(
    context: &Context<'_>,
    pack: &Pack,
    locations: &BTreeMap<String, Location>,
    places: &Places,
    authored: &str,
) -> Vec<Problem> {
    let collectors = collectors(context);
    let sources = &context.pipeline.sources;
    let surroundings = gate::review::Context { sources, collectors: &collectors, locations, places };
    let mut found = gate::review::review(pack, &surroundings, context.lang());
    found.extend(super::measure::parameter_problems(context, pack));
    for problem in &mut found {
        locate(problem, locations, places, authored);
    }
    found
}

/// Says where a finding stands: at its field, else at its criterion, else in the pack.
fn locate(problem: &mut Problem, locations: &BTreeMap<String, Location>, places: &Places, authored: &str) {
    let location = problem.criterion.as_ref().and_then(|id| locations.get(id));
    let id = problem.criterion.as_deref();
    let field = id.and_then(|id| gate::review::field_place(problem.code, id, places));
    problem.file.get_or_insert_with(|| location.map_or(authored, |at| at.file.as_str()).to_owned());
    problem.at = problem.at.or(field).or(location.map(|at| at.span));
}

/// What reviewers found, each at its criterion.
fn objections(context: &Context<'_>, lock: &Lock, heard: &[Heard]) -> Vec<Raised> {
    let answers: Vec<_> = heard
        .iter()
        .filter_map(|heard| {
            let (_, answer) = heard.answer.as_ref().ok()?;
            Some((heard.name.clone(), heard.angle, answer.findings.clone()))
        })
        .collect();
    let order: Vec<&str> = lock.pack.criteria.iter().map(|criterion| criterion.id.as_str()).collect();
    let mut found =
        gate::review::objections(&answers, context.pipeline.review.quorum, &order, context.lang());
    for (problem, _) in &mut found {
        locate(problem, &lock.locations, &Places::new(), &lock.authored);
    }
    found
}

/// Where the fields of the frozen criteria stand in the authored pack, while that is still the frozen one.
fn places(context: &Context<'_>) -> Result<Places> {
    let Ok(authored) = authored::pack(context) else { return Ok(Places::new()) };
    let is_frozen = authored.pack_sha256 == context.pack_sha256()?;
    Ok(if is_frozen { authored.decoded.places.clone() } else { Places::new() })
}

/// What people answered to reviews of this feature's pack; nothing if there is no such file.
pub fn responses(context: &Context<'_>) -> Result<Vec<Response>> {
    let file = context.paths.responses();
    let Some(bytes) = context.files.read(&file)? else { return Ok(Vec::new()) };
    let lang = context.lang();
    document::parse(file.as_str(), &bytes, lang)
        .and_then(|node| gate::decode::responses(&node, file.as_str(), lang).into_result())
        .map_err(|problems| Failure::Problems { ending: Ending::InvalidInput, problems })
}

/// What blocks, as problems that say how each is answered.
pub fn blocking(context: &Context<'_>, review: &documents::Review) -> Failure {
    let blocking = review.findings.iter().filter(|finding| finding.blocks);
    let problems = blocking.map(|finding| answerable(context, finding)).collect();
    Failure::Problems { ending: Ending::Blocked, problems }
}

/// A finding as a problem that names its id, where a person can answer it.
pub fn answerable(context: &Context<'_>, finding: &Finding) -> Problem {
    let (lang, feature, id) = (context.lang(), &context.feature, &finding.id);
    let mut problem = finding.problem();
    if let Some(response) = &finding.response {
        let (by, reason) = (&response.by, &response.reason);
        let said = match finding.is_disputed() {
            true => say!(lang, "disputed by {by}: {reason}", "{by} 有异议：{reason}"),
            false => say!(lang, "accepted by {by}: {reason}", "{by} 已认可：{reason}"),
        };
        problem.help = format!("{} ({id}; {said})", problem.help);
    } else if finding.is_answerable() {
        let how = say!(
            lang,
            "or answer it: cargo xtask respond {feature} {id} --accept|--dispute --reason …",
            "或答复：cargo xtask respond {feature} {id} --accept|--dispute --reason …"
        );
        problem.help = format!("{} ({how})", problem.help);
    }
    problem
}

/// How each assertion of a frozen pack could be satisfied to the letter only.
pub fn loopholes(context: &Context<'_>, lock: &Lock) -> Vec<Loophole> {
    let collectors = collectors(context);
    let sources = &context.pipeline.sources;
    let places = Places::new();
    let surroundings = gate::review::Context {
        sources,
        collectors: &collectors,
        locations: &lock.locations,
        places: &places,
    };
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

/// Findings of the frozen pack's review that a person disputed: reports tell that the work went on without them.
pub fn disputed(context: &Context<'_>) -> Result<Vec<Finding>> {
    let Some(review) = context.review_if_any()? else { return Ok(Vec::new()) };
    if review.pack_sha256 != context.pack_sha256()? {
        return Ok(Vec::new());
    }
    Ok(review.findings.iter().filter(|finding| finding.is_disputed()).cloned().collect())
}

/// The review of a frozen pack; refuses that of another.
pub fn of_lock(context: &Context<'_>, lock: &Lock) -> Result<Arc<documents::Review>> {
    let review = context.review()?;
    if review.pack_sha256 != lock.pack_sha256 {
        let (lang, feature) = (context.lang(), &context.feature);
        let message = say!(lang, "the review is of another pack", "预审针对的是另一个验收包");
        let help = say!(lang, "run cargo xtask review {feature}", "请运行 cargo xtask review {feature}");
        return Err(Failure::coded(Ending::Blocked, Code::ArtifactMissing, message, help));
    }
    Ok(review)
}

/// Refuses to tell of an acceptance while the review of the frozen pack blocks.
pub fn require_unblocked(context: &Context<'_>) -> Result<()> {
    let pack_sha256 = context.pack_sha256()?;
    match context.review_if_any()?.filter(|review| review.blocked && review.pack_sha256 == pack_sha256) {
        Some(review) => Err(blocking(context, &review)),
        None => Ok(()),
    }
}

/// Refuses to go on with a pack that was not reviewed, or whose review blocks.
pub fn require_passed(context: &Context<'_>, lock: &Lock) -> Result<()> {
    let review = of_lock(context, lock)?;
    if review.blocked {
        return Err(blocking(context, &review));
    }
    Ok(())
}
