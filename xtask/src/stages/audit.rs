//! Audit: every value is read out of recorded evidence again, and the gate rules.

use camino::Utf8PathBuf;
use gate::check::{Settlement, Waiver};
use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use super::{Inputs, Stage, checks, dispatch, evidence, freeze, measure, sanity, title};
use crate::clock;
use crate::context::Context;
use crate::document;
use crate::documents::{self, AuditFile, Collected, FORMAT, Lock};
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::reports;
use crate::rounds;
use crate::store;

/// See the module.
pub struct Audit;

impl Stage for Audit {
    fn prepare(&self, context: &Context<'_>, round: u32) -> Result<()> {
        checks::fetch(context, round)?;
        instant(context, round).map(drop)
    }

    fn inputs(&self, context: &Context<'_>, round: u32) -> Result<Inputs> {
        let mut inputs = Inputs::default();
        inputs.file(context, &context.paths.lock())?;
        for name in ["dispatch.json", "evidence.json", "instant.json"] {
            inputs.file(context, &context.paths.in_round(round, name))?;
        }
        let folder = context.paths.in_round(round, "evidence");
        for file in store::files_below(&context.at(&folder))? {
            inputs.file(context, &folder.join(file))?;
        }
        for (_, file) in checks::files(context, round)? {
            inputs.authored(context, &file)?;
        }
        for recording in checks::recordings(context, round) {
            inputs.authored(context, &recording)?;
        }
        if let Some(earlier) = rounds::delivered_before(context, round)? {
            inputs.file(context, &context.paths.in_round(earlier.round, "evidence.json"))?;
        }
        inputs.authored(context, &context.paths.waivers())?;
        inputs.file(context, &context.paths.settlements(round))?;
        inputs.template(context, reports::AUDIT)?;
        inputs.template(context, reports::CRITERION)?;
        inputs.value("pipeline:sources", &context.pipeline.sources)?;
        inputs.value("pipeline:scale", &context.pipeline.scale)?;
        inputs.value("pipeline:lang", &context.lang())?;
        Ok(inputs)
    }

    fn run(&self, context: &Context<'_>, round: u32) -> Result<Vec<Utf8PathBuf>> {
        let lock = context.lock()?;
        freeze::require_undrifted(context, &lock)?;
        let dispatch = dispatch::recorded(context, round)?;
        let evidence = evidence::recorded(context, round)?;
        let auditors = checks::read(context, round)?;
        let waivers = waivers(context)?;
        let scale = measure::scale(context, round, &evidence.collected)?;
        let observations = measure::observations(context, round, &lock.pack, &evidence.collected)?;
        require_available(context, round, &evidence)?;
        let facts = sanity::facts(context, &dispatch, &evidence)?;
        let settlements = settlements(context, round, &lock.pack_sha256)?;
        let protected: Vec<String> =
            dispatch.protected_changed.iter().map(|change| change.path.clone()).collect();
        let instant = instant(context, round)?;
        let audit = gate::audit::audit(&gate::audit::Inputs {
            lang: context.lang(),
            pack: &lock.pack,
            declared: lock.criteria_count,
            locations: &lock.locations,
            auditors: &auditors,
            observations: &observations,
            evidence: &facts,
            scale: &scale,
            sources: &context.pipeline.sources,
            settlements: &settlements,
            protected: &protected,
            waivers: &waivers,
            waivers_file: context.paths.waivers().as_str(),
            instant: &instant,
        });
        let file = audit_file(context, lock, &dispatch, evidence.collected, scale, instant, audit);
        let (json, markdown) = (context.paths.audit(round, "json"), context.paths.audit(round, "md"));
        let text = reports::audit(context.renderer()?, &file)?;
        store::write_json(&context.at(&json), &file)?;
        store::write(&context.at(&markdown), &text)?;
        Ok(vec![json, markdown])
    }
}

fn audit_file(
    context: &Context<'_>,
    lock: Lock,
    dispatch: &documents::Dispatch,
    evidence: Vec<Collected>,
    scale: gate::audit::Scale,
    instant: String,
    audit: gate::audit::Audit,
) -> AuditFile {
    AuditFile {
        format: FORMAT,
        feature: context.feature.clone(),
        title: title(&lock.pack),
        lang: context.lang(),
        round: dispatch.round,
        pack_sha256: lock.pack_sha256,
        commit: dispatch.head.clone(),
        replayed: dispatch.replayed || evidence.iter().any(|entry| entry.recorded),
        instant,
        scale,
        verdict: audit.verdict,
        counts: audit.counts,
        checks: audit.checks,
        criteria: audit.criteria,
        problems: audit.problems,
        evidence,
    }
}

/// What people settled in a round under the frozen pack.
fn settlements(context: &Context<'_>, round: u32, pack_sha256: &str) -> Result<Vec<Settlement>> {
    let path = context.paths.settlements(round);
    let recorded: Option<documents::Settlements> = context.artifact_if_any(&path, "settle")?;
    let of_pack = recorded.filter(|recorded| recorded.pack_sha256 == pack_sha256);
    Ok(of_pack.map(|recorded| recorded.settlements).unwrap_or_default())
}

/// Refuses to judge without a file of the external store: what is elsewhere is neither missing nor changed.
fn require_available(context: &Context<'_>, round: u32, evidence: &documents::Evidence) -> Result<()> {
    let lang = context.lang();
    let mut problems = Vec::new();
    for file in evidence.collected.iter().filter_map(|entry| entry.file.as_ref()).filter(|file| file.external)
    {
        if store::kind(&evidence::path_of(context, round, file))? == store::Kind::Absent {
            let (path, store) = (&file.path, &context.pipeline.store.external);
            let message = say!(
                lang,
                "{path} is kept in {store}, and is not there",
                "{path} 保存在 {store}，但那里没有"
            );
            problems.push(Problem::new(
                Code::EvidenceUnavailable,
                message,
                Code::EvidenceUnavailable.help(lang),
            ));
        }
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Failure::Problems { ending: Ending::Unavailable, problems })
    }
}

/// The waivers that people granted; none if there is no such file.
fn waivers(context: &Context<'_>) -> Result<Vec<Waiver>> {
    let file: Utf8PathBuf = context.paths.waivers();
    let Some(bytes) = store::read_optional(&context.at(&file))? else { return Ok(Vec::new()) };
    let lang = context.lang();
    document::parse(file.as_str(), &bytes, lang)
        .and_then(|node| gate::decode::waivers(&node, file.as_str(), lang).into_result())
        .map_err(|problems| Failure::Problems { ending: Ending::InvalidInput, problems })
}

/// The instant of the round's audit: recorded at the first, and reused ever after.
fn instant(context: &Context<'_>, round: u32) -> Result<String> {
    let path = context.paths.in_round(round, "instant.json");
    if context.at(&path).exists() {
        let recorded: documents::Instant = context.artifact(&path, "audit", Some(round))?;
        return Ok(recorded.instant);
    }
    let instant = documents::Instant { format: FORMAT, instant: clock::now()? };
    store::write_json(&context.at(&path), &instant)?;
    Ok(instant.instant)
}

/// The audit of a round as it was recorded.
pub fn recorded(context: &Context<'_>, round: u32) -> Result<AuditFile> {
    context.artifact(&context.paths.audit(round, "json"), "audit", Some(round))
}
