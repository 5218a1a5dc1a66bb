//! Audit: every value is read out of recorded evidence again, and the gate rules.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8PathBuf;
use gate::audit::{EvidenceState, SourceKind};
use gate::check::{Settlement, Waiver};
use gate::code::Code;
use gate::observation::Observation;
use gate::pack::Pack;
use gate::problem::Problem;
use gate::say;

use super::{Inputs, Stage, checks, dispatch, evidence, freeze, measure, sanity, title};
use crate::attestation;
use crate::clock;
use crate::context::Context;
use crate::digests::Over;
use crate::document;
use crate::documents::{self, AUDIT_FORMAT, AuditFile, Collected, FORMAT, Lock, ScaleFrom, UnknownCheck};
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::paths;
use crate::pipeline::model::{ScaleProbe, ScaleProbes};
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
        for file in context.files.below(&folder)? {
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
        inputs.value(context, "pipeline:sources", &context.pipeline.sources)?;
        inputs.value(context, "pipeline:scale", &context.pipeline.scale)?;
        inputs.value(context, "pipeline:lang", &context.lang())?;
        inputs.value(context, "format", &AUDIT_FORMAT)?;
        Ok(inputs)
    }

    fn run(&self, context: &Context<'_>, round: u32) -> Result<Vec<Utf8PathBuf>> {
        let lock = context.lock()?;
        freeze::require_undrifted(context, &lock)?;
        dispatch::recorded(context, round)?;
        let evidence = evidence::recorded(context, round)?;
        require_available(context, round, &evidence)?;
        let file = make(context, round, lock, Basis::current(context)?)?;
        let (json, markdown) = (context.paths.audit(round, "json"), context.paths.audit(round, "md"));
        let text = reports::audit(context.renderer()?, &file)?;
        let bytes = store::json_bytes(&file)?;
        if store::read_optional(&context.at(&json))?.is_some_and(|before| before != bytes) {
            attestation::withdraw(context, round)?;
        }
        store::write(&context.at(&json), &bytes)?;
        store::write(&context.at(&markdown), &text)?;
        Ok(vec![json, markdown])
    }
}

/// What an audit rests on beside the frozen pack and the records of its round.
pub struct Basis {
    /// Every source of values.
    pub sources: BTreeMap<String, SourceKind>,
    /// Where density and font scale are read.
    pub scale: ScaleProbes,
    /// The waivers that people granted.
    pub waivers: Vec<Waiver>,
    /// What is taken as it is on record.
    pub answers: Answers,
}

/// What an audit once found out, for evidence that is not at hand. Where all of it is, there is nothing here.
#[derive(Default)]
pub struct Answers {
    observations: BTreeMap<String, Observation>,
    scale_from: ScaleFrom,
    states: BTreeMap<String, EvidenceState>,
}

impl Answers {
    /// Of an audit that is made again, that which rests on files of the external store that are not there.
    pub fn where_unavailable(context: &Context<'_>, round: u32, audit: &AuditFile) -> Result<Self> {
        let mut absent = Vec::new();
        for entry in &audit.evidence {
            if let Some(file) = entry.file.as_ref().filter(|file| file.external)
                && evidence::kind(context, round, file)? == store::Kind::Absent
            {
                absent.push(entry);
            }
        }
        if absent.is_empty() {
            return Ok(Answers::default());
        }
        let needs = |seen: &Observation| {
            let read = probe::companions(&seen.reader, &seen.with);
            absent.iter().any(|entry| {
                entry.file.as_ref().is_some_and(|file| file.path == seen.file)
                    || read.iter().any(|(_, name)| *name == entry.collector)
            })
        };
        let observed = audit.criteria.iter().filter_map(|result| {
            let seen = result.observation.as_deref().filter(|seen| needs(seen))?;
            Some((result.id.clone(), seen.clone()))
        });
        // A picture is held against the layout of its screen.
        let is_beside = |entry: &Collected| {
            absent.iter().any(|other| {
                other.collector == entry.collector || (other.screen.is_some() && other.screen == entry.screen)
            })
        };
        let beside = audit.evidence.iter().filter(|entry| is_beside(entry));
        let states = beside.filter_map(|entry| {
            let path = &entry.file.as_ref()?.path;
            Some((path.clone(), *audit.states.get(path)?))
        });
        let scale = |seen: &Option<Observation>| seen.clone().filter(|seen| needs(seen));
        Ok(Answers {
            observations: observed.collect(),
            scale_from: ScaleFrom {
                density: scale(&audit.scale_from.density),
                font_scale: scale(&audit.scale_from.font_scale),
            },
            states: states.collect(),
        })
    }
}

impl Basis {
    /// As the pipeline and the author have it now.
    pub fn current(context: &Context<'_>) -> Result<Self> {
        let pipeline = &context.pipeline;
        Ok(Basis {
            sources: pipeline.sources.clone(),
            scale: pipeline.scale.clone(),
            waivers: waivers(context)?,
            answers: Answers::default(),
        })
    }

    /// As an audit has it on record.
    pub fn recorded(audit: &AuditFile) -> Self {
        let probe = |seen: &Option<Observation>| {
            let seen = seen.as_ref()?;
            let of_file = |entry: &&Collected| entry.file.as_ref().is_some_and(|file| file.path == seen.file);
            let evidence = audit.evidence.iter().find(of_file)?.collector.clone();
            Some(ScaleProbe { evidence, reader: seen.reader.clone(), with: seen.with.clone() })
        };
        let from = &audit.scale_from;
        Basis {
            sources: audit.sources.clone(),
            scale: ScaleProbes { density: probe(&from.density), font_scale: probe(&from.font_scale) },
            waivers: audit.waivers.clone(),
            answers: Answers::default(),
        }
    }
}

/// The audit of a round, from what is recorded of it.
pub fn make(context: &Context<'_>, round: u32, lock: Lock, basis: Basis) -> Result<AuditFile> {
    let dispatch = dispatch::recorded(context, round)?;
    let evidence = evidence::recorded(context, round)?;
    let recorded: documents::Instant =
        context.artifact(&context.paths.in_round(round, "instant.json"), "audit", Some(round))?;
    let auditors = checks::read(context, round)?;
    let Basis { sources, scale: probes, waivers, answers } = basis;
    let measured = measure::scale(context, round, &evidence.collected, &probes)?;
    let scale_from = ScaleFrom {
        density: answers.scale_from.density.or(measured.density),
        font_scale: answers.scale_from.font_scale.or(measured.font_scale),
    };
    let scale = measure::scale_of(&scale_from);
    let mut observations = measure::observations(context, round, &lock.pack, &evidence.collected)?;
    observations.extend(answers.observations);
    let mut facts = sanity::facts(context, &dispatch, &evidence)?;
    for (path, state) in answers.states {
        facts.entry(path).and_modify(|fact| fact.state = state);
    }
    let settlements = settlements(context, round, &lock.pack_sha256, &evidence.sha256()?)?;
    let protected: Vec<String> =
        dispatch.protected_changed.iter().map(|change| change.path.clone()).collect();
    let audit = gate::audit::audit(&gate::audit::Inputs {
        lang: context.lang(),
        pack: &lock.pack,
        declared: lock.criteria_count,
        locations: &lock.locations,
        auditors: &auditors,
        observations: &observations,
        evidence: &facts,
        scale: &scale,
        sources: &sources,
        settlements: &settlements,
        protected: &protected,
        waivers: &waivers,
        waivers_file: context.paths.waivers().as_str(),
        instant: &recorded.instant,
    });
    Ok(AuditFile {
        format: AUDIT_FORMAT,
        feature: context.feature.clone(),
        title: title(&lock.pack),
        lang: context.lang(),
        round,
        pack_sha256: lock.pack_sha256,
        commit: dispatch.head,
        replayed: dispatch.replayed || evidence.collected.iter().any(|entry| entry.recorded),
        instant: recorded.instant,
        inputs: read_for(context, round)?,
        sources,
        scale,
        scale_from,
        waivers,
        unknown_checks: unknown_checks(&lock.pack, auditors),
        states: facts.into_iter().map(|(path, fact)| (path, fact.state)).collect(),
        verdict: audit.verdict,
        counts: audit.counts,
        checks: audit.checks,
        criteria: audit.criteria,
        problems: audit.problems,
        evidence: evidence.collected,
    })
}

/// The digests of what is read for the audit of a round and stands nowhere else: records, and what people wrote.
pub fn read_for(context: &Context<'_>, round: u32) -> Result<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    for name in context.files.list(&context.paths.round(round))? {
        let over = match paths::of_round(&name) {
            Some(paths::OfRound::Record) => Over::Bytes,
            Some(paths::OfRound::Checks) => Over::Text,
            _ => continue,
        };
        if let Some(digest) = context.files.digest(&context.paths.in_round(round, &name), over)? {
            found.insert(format!("round-{round}/{name}"), digest);
        }
    }
    let waivers = context.paths.waivers();
    if let Some(digest) = context.files.digest(&waivers, Over::Text)? {
        found.insert(waivers.into_string(), digest);
    }
    Ok(found)
}

/// The checks of all auditors for criteria that the pack does not have.
fn unknown_checks(pack: &Pack, auditors: Vec<gate::check::Auditor>) -> Vec<UnknownCheck> {
    let known: BTreeSet<&str> = pack.criteria.iter().map(|criterion| criterion.id.as_str()).collect();
    let of = |auditor: gate::check::Auditor| {
        let unknown = auditor.checks.into_iter().filter(|check| !known.contains(check.criterion_id.as_str()));
        let name = auditor.name;
        unknown.map(|check| UnknownCheck { auditor: name.clone(), check }).collect::<Vec<_>>()
    };
    auditors.into_iter().flat_map(of).collect()
}

/// What people settled in a round under the frozen pack, about the evidence that is there.
fn settlements(
    context: &Context<'_>,
    round: u32,
    pack_sha256: &str,
    evidence_sha256: &str,
) -> Result<Vec<Settlement>> {
    let path = context.paths.settlements(round);
    let recorded: Option<documents::Settlements> = context.artifact_if_any(&path, "settle")?;
    let that_hold = recorded.filter(|recorded| recorded.are_of(pack_sha256, evidence_sha256));
    Ok(that_hold.map(|recorded| recorded.settlements).unwrap_or_default())
}

/// Refuses to judge without a file of the external store: what is elsewhere is neither missing nor changed.
fn require_available(context: &Context<'_>, round: u32, evidence: &documents::Evidence) -> Result<()> {
    let lang = context.lang();
    let mut problems = Vec::new();
    for file in evidence.collected.iter().filter_map(|entry| entry.file.as_ref()).filter(|file| file.external)
    {
        if evidence::kind(context, round, file)? == store::Kind::Absent {
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
    let Some(bytes) = context.files.read(&file)? else { return Ok(Vec::new()) };
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
    let instant = documents::Instant { format: FORMAT, instant: clock::now(context.lang())? };
    store::write_json(&context.at(&path), &instant)?;
    Ok(instant.instant)
}
