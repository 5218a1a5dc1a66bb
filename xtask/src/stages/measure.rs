//! Measuring: a probe's question is put to the recorded bytes of an evidence file, and to no others.

use std::collections::BTreeMap;
use std::io::Read as _;

use anyhow::Context as _;
use gate::audit::SourceKind;
use gate::code::Code;
use gate::lang::Lang;
use gate::observation::{Answer, Observation};
use gate::pack::{Pack, Scalar};
use gate::problem::Problem;
use gate::say;

use super::evidence;
use crate::context::Context;
use crate::documents::{Collected, ScaleFrom};
use crate::failure::Result;
use crate::pipeline::model::{ScaleProbe, ScaleProbes};

/// What every probe of the pack answers, by criterion.
pub fn observations(
    context: &Context<'_>,
    round: u32,
    pack: &Pack,
    evidence: &[Collected],
) -> Result<BTreeMap<String, Observation>> {
    let bytes = shared(context, round, pack, evidence)?;
    let documents: Documents<'_> =
        bytes.iter().map(|(collector, bytes)| (*collector, probe::Document::new(bytes))).collect();
    let mut observations = BTreeMap::new();
    for criterion in &pack.criteria {
        let Some(probe) = &criterion.probe else { continue };
        let question = Question { evidence: &probe.evidence, reader: &probe.reader, with: &probe.with };
        let observation = ask(context, round, evidence, &documents, &question)?;
        observations.insert(criterion.id.clone(), observation);
    }
    Ok(observations)
}

/// Documents to which several probes put questions, by collector.
type Documents<'a> = BTreeMap<&'a str, probe::Document<'a>>;

/// The bytes of evidence about which several probes ask, where the answer to one serves the next. What is too large to be
/// a document is left to each of them to refuse.
fn shared<'p>(
    context: &Context<'_>,
    round: u32,
    pack: &'p Pack,
    evidence: &[Collected],
) -> Result<BTreeMap<&'p str, Vec<u8>>> {
    let probes = pack.criteria.iter().filter_map(|criterion| criterion.probe.as_ref());
    let mut asked: BTreeMap<&str, usize> = BTreeMap::new();
    for probe in probes.filter(|probe| probe::Document::serves(&probe.reader)) {
        *asked.entry(probe.evidence.as_str()).or_default() += 1;
    }
    let mut found = BTreeMap::new();
    for (collector, _) in asked.into_iter().filter(|(_, questions)| *questions > 1) {
        let file =
            evidence.iter().find(|entry| entry.collector == collector).and_then(|entry| entry.file.as_ref());
        let Some(file) = file.filter(|file| file.bytes <= probe::DOCUMENT_CAP) else { continue };
        if let Some(body) = evidence::open(context, round, file)? {
            let mut bytes = Vec::new();
            let read = body.take(probe::DOCUMENT_CAP + 1).read_to_end(&mut bytes);
            // One that cannot be read, or is another by now, is for each question to tell.
            if read.is_ok() && bytes.len() as u64 <= probe::DOCUMENT_CAP {
                found.insert(collector, bytes);
            }
        }
    }
    Ok(found)
}

/// What some probes answer when they are asked for density and font scale.
pub fn scale(
    context: &Context<'_>,
    round: u32,
    evidence: &[Collected],
    probes: &ScaleProbes,
) -> Result<ScaleFrom> {
    let asked = |probe: &Option<ScaleProbe>| -> Result<Option<Observation>> {
        let Some(probe) = probe.as_ref().filter(|probe| is_independent(evidence, &probe.evidence)) else {
            return Ok(None);
        };
        let question = Question { evidence: &probe.evidence, reader: &probe.reader, with: &probe.with };
        ask(context, round, evidence, &Documents::new(), &question).map(Some)
    };
    Ok(ScaleFrom { density: asked(&probes.density)?, font_scale: asked(&probes.font_scale)? })
}

/// Density and font scale, as they were answered; what cannot be read stays unknown.
pub fn scale_of(from: &ScaleFrom) -> gate::audit::Scale {
    let number = |seen: &Option<Observation>| single_number(&seen.as_ref()?.answer);
    gate::audit::Scale { density: number(&from.density), font_scale: number(&from.font_scale) }
}

/// Whoever could write the density could make any size pass.
fn is_independent(evidence: &[Collected], collector: &str) -> bool {
    let found = evidence.iter().find(|entry| entry.collector == collector);
    found.is_some_and(|entry| entry.source_kind == SourceKind::Independent)
}

/// A scale is one number; several, or none, are no scale.
fn single_number(answer: &Answer) -> Option<String> {
    match answer {
        Answer::Values { values } => match values.as_slice() {
            [only] => match &only.actual {
                Scalar::Number(text) | Scalar::Text(text) => Some(text.clone()),
                Scalar::Bool(_) => None,
            },
            _ => None,
        },
        Answer::Nothing { .. } | Answer::Missing { .. } | Answer::Unreadable { .. } => None,
    }
}

/// Wrong parameters in a pack's probes: found before anyone is dispatched.
pub fn parameter_problems(context: &Context<'_>, pack: &Pack) -> Vec<Problem> {
    let lang = context.lang();
    let probed = pack.criteria.iter().filter_map(|criterion| Some((criterion, criterion.probe.as_ref()?)));
    probed
        .flat_map(|(criterion, probe)| {
            let errors = probe::check_params(&probe.reader, &probe.with);
            errors.into_iter().map(|error| {
                Problem::new(Code::ProbeInvalid, error.explain(lang), Code::ProbeInvalid.help(lang))
                    .about(&criterion.id)
            })
        })
        .collect()
}

/// The readers that look at what became of a collector, and not into its file.
fn asks_of_failure(reader: &str) -> bool {
    matches!(reader, "file" | "exit")
}

struct Question<'a> {
    evidence: &'a str,
    reader: &'a str,
    with: &'a BTreeMap<String, Scalar>,
}

fn ask(
    context: &Context<'_>,
    round: u32,
    evidence: &[Collected],
    documents: &Documents<'_>,
    question: &Question<'_>,
) -> Result<Observation> {
    let lang = context.lang();
    let found = evidence.iter().find(|entry| entry.collector == question.evidence);
    let file = found.and_then(|entry| entry.file.as_ref());
    let answer = match found {
        None => Answer::Missing {
            reason: say!(lang, "nothing was collected as {}", "没有名为 {} 的采集结果", question.evidence),
        },
        Some(Collected { failure: Some(failure), .. }) if !asks_of_failure(question.reader) => {
            Answer::Missing {
                reason: say!(
                    lang,
                    "collector {} brought no file: {failure}",
                    "采集器 {} 没有产出文件：{failure}",
                    question.evidence
                ),
            }
        }
        Some(entry) => answer(context, round, evidence, entry, documents, question)?,
    };
    let declared = context.pipeline.collectors.iter().find(|(name, _)| name == question.evidence);
    let wanted = declared.map_or(question.evidence, |(_, collector)| collector.output.as_str());
    Ok(Observation {
        file: file.map_or_else(|| format!("evidence/{wanted}"), |file| file.path.clone()),
        sha256: file.map(|file| file.sha256.clone()).unwrap_or_default(),
        source: found.map(|entry| entry.source.clone()).unwrap_or_default(),
        reader: question.reader.to_owned(),
        with: question.with.clone(),
        answer,
    })
}

fn answer(
    context: &Context<'_>,
    round: u32,
    evidence: &[Collected],
    entry: &Collected,
    documents: &Documents<'_>,
    question: &Question<'_>,
) -> Result<Answer> {
    let lang = context.lang();
    let mut companions = Vec::new();
    for (parameter, name) in probe::companions(question.reader, question.with) {
        if let Some(file) =
            evidence.iter().find(|other| other.collector == name).and_then(|other| other.file.as_ref())
        {
            let mut bytes = Vec::new();
            if let Some(mut body) = evidence::open(context, round, file)? {
                body.read_to_end(&mut bytes).with_context(|| format!("failed to read {}", file.path))?;
            }
            companions.push((parameter, bytes));
        }
    }
    let mut body = match &entry.file {
        Some(file) => evidence::open(context, round, file)?,
        None => None,
    };
    let mut input = match &mut body {
        Some(body) => probe::Input::new(body),
        None => probe::Input::absent(),
    };
    input.size = entry.file.as_ref().map(|file| file.bytes);
    input.sha256 = entry.file.as_ref().map(|file| file.sha256.clone());
    input.exit = entry.exit_code;
    input.document = documents.get(question.evidence);
    for (parameter, bytes) in &companions {
        input = input.with_companion(parameter, bytes);
    }
    let read = probe::read(question.reader, input, question.with, lang);
    Ok(read.unwrap_or_else(|errors| Answer::Unreadable { reason: join(&errors, lang) }))
}

fn join(errors: &[probe::ParamError], lang: Lang) -> String {
    errors.iter().map(|error| error.explain(lang)).collect::<Vec<_>>().join("; ")
}
