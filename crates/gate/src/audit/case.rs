//! One case of the gate's vectors: criteria, checks and what else the gate looks at, with what it must answer.
//!
//! The form is that of `tests/vectors/gate.json`. Beside the fields that every case has (`name`, `criteria`, `checks`,
//! `sources`, `now`, `expect`) a case may carry `waivers`, `declared` (how many criteria the lock declares), `scale`,
//! `evidence` (`{path: {state, source}}`), `observations` (`{criterion: {file, source, values | nothing | missing |
//! unreadable}}`) `protected` (the files that the executor changed although it may not) and `settlements`; a check may name its `auditor`.

use std::collections::BTreeMap;

use super::{
    AssertionVerdict, Audit, EvidenceFact, EvidenceState, Inputs, Outcome, Scale, SourceKind, Verdict, audit,
};
use crate::check::{Auditor, CheckResult, Settlement, Waiver};
use crate::code::Code;
use crate::decode::{self, Decoded, Fields, Findings, entries};
use crate::lang::Lang;
use crate::node::{Node, Value};
use crate::observation::{Answer, Observation, Place, Reading};
use crate::pack::{Criterion, Pack};
use crate::problem::Problem;

const FIELDS: [&str; 14] = [
    "name",
    "why",
    "criteria",
    "checks",
    "sources",
    "now",
    "waivers",
    "declared",
    "scale",
    "evidence",
    "observations",
    "protected",
    "settlements",
    "expect",
];
const SOURCES: [(&str, SourceKind); 2] =
    [("independent", SourceKind::Independent), ("auxiliary", SourceKind::Auxiliary)];
const STATES: [(&str, EvidenceState); 10] = [
    ("sound", EvidenceState::Sound),
    ("missing", EvidenceState::Missing),
    ("changed", EvidenceState::Changed),
    ("stale", EvidenceState::Stale),
    ("blank", EvidenceState::Blank),
    ("undecodable", EvidenceState::Undecodable),
    ("flat", EvidenceState::Flat),
    ("wrongSize", EvidenceState::WrongSize),
    ("twin", EvidenceState::Twin),
    ("repeated", EvidenceState::Repeated),
];

/// What a case came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseReport {
    /// The case's name.
    pub name: String,
    /// What was expected and was not so, one sentence each in English; empty if all agrees.
    pub disagreements: Vec<String>,
    /// Every code that was reported, as often as it was.
    pub reported: Vec<Code>,
    /// The audit, where the case can be read.
    pub audit: Option<Audit>,
}

/// Runs one case.
pub fn run(node: &Node, lang: Lang) -> CaseReport {
    let mut findings = Findings::new("case", lang);
    let fields = Fields::open(node, ("a case", "用例"), &FIELDS, &mut findings);
    let name = fields.and_then(|fields| fields.text("name", &mut findings)).unwrap_or_default();
    let answer = fields.and_then(|fields| Case::read(&fields, &mut findings)).map(|case| case.audit(lang));
    let answer = findings.finish(answer);
    let problems = answer.value.as_ref().map_or(&answer.problems, |audit| &audit.problems);
    let reported = problems.iter().map(|problem| problem.code).collect();
    let disagreements = match fields.and_then(|fields| fields.get("expect")) {
        Some(expect) => compare(expect, &answer),
        None => vec!["the case expects nothing".to_owned()],
    };
    CaseReport { name, disagreements, reported, audit: answer.value }
}

/// The decoded inputs of a case.
struct Case {
    pack: Pack,
    locations: decode::Locations,
    declared: usize,
    auditors: Vec<Auditor>,
    observations: BTreeMap<String, Observation>,
    evidence: BTreeMap<String, EvidenceFact>,
    scale: Scale,
    sources: BTreeMap<String, SourceKind>,
    protected: Vec<String>,
    settlements: Vec<Settlement>,
    waivers: Vec<Waiver>,
    instant: String,
}

impl Case {
    fn read(fields: &Fields<'_>, findings: &mut Findings<'_>) -> Option<Case> {
        let lang = findings.lang;
        let criteria =
            keep(decode::criteria(fields.required("criteria", findings)?, "criteria", lang), findings);
        let auditors = auditors(fields.required("checks", findings)?, findings);
        let waivers = fields.get("waivers").map(|node| decode::waivers(node, "waivers", lang));
        let waivers = waivers.map_or(Some(Vec::new()), |waivers| keep(waivers, findings));
        let sources = sources(fields, findings);
        let evidence = evidence(fields, findings);
        let scale = scale(fields, findings);
        let protected = fields.texts("protected", findings).into_iter().map(|(_, path)| path).collect();
        let settlements = settlements(fields, findings);
        let instant = fields.required_text("now", findings);
        let declared = fields.count("declared", findings);
        let (criteria, locations) = criteria?;
        let observations = observations(fields, &criteria, findings);
        Some(Case {
            declared: declared.map_or(criteria.len(), |count| count as usize),
            pack: Pack {
                feature: "case".to_owned(),
                title: None,
                goal: None,
                requirements: Vec::new(),
                out_of_scope: BTreeMap::new(),
                criteria,
            },
            locations,
            auditors,
            observations,
            evidence,
            scale,
            sources,
            protected,
            settlements,
            waivers: waivers?,
            instant: instant?,
        })
    }

    fn audit(&self, lang: Lang) -> Audit {
        audit(&Inputs {
            lang,
            pack: &self.pack,
            declared: self.declared,
            locations: &self.locations,
            auditors: &self.auditors,
            observations: &self.observations,
            evidence: &self.evidence,
            scale: &self.scale,
            sources: &self.sources,
            protected: &self.protected,
            settlements: &self.settlements,
            waivers: &self.waivers,
            waivers_file: "waivers",
            instant: &self.instant,
        })
    }
}

/// The value, and its problems among the others.
fn keep<T>(decoded: Decoded<T>, findings: &mut Findings<'_>) -> Option<T> {
    decoded.problems.into_iter().for_each(|problem| findings.push(problem));
    decoded.value
}

/// Checks by their `auditor`, in the order of names as the pipeline has them.
fn auditors(node: &Node, findings: &mut Findings<'_>) -> Vec<Auditor> {
    let Value::List(items) = &node.value else { return Vec::new() };
    let mut by_name: BTreeMap<String, Vec<Node>> = BTreeMap::new();
    for item in items {
        let mut item = item.clone();
        let mut name = String::new();
        if let Value::Map(entries) = &mut item.value
            && let Some(place) = entries.iter().position(|(key, _)| key.name == "auditor")
            && let Value::Text(auditor) = entries.remove(place).1.value
        {
            name = auditor;
        }
        by_name.entry(name).or_default().push(item);
    }
    let read = |(name, items): (String, Vec<Node>)| {
        let file = if name.is_empty() { "checks".to_owned() } else { format!("checks.{name}") };
        let node = Node { at: node.at, value: Value::List(items) };
        let checks = keep(decode::checks(&node, &file, findings.lang), findings)?;
        Some(Auditor { name, file, checks })
    };
    by_name.into_iter().filter_map(read).collect()
}

fn sources(fields: &Fields<'_>, findings: &mut Findings<'_>) -> BTreeMap<String, SourceKind> {
    let node = fields.get("sources");
    let names = node.and_then(|node| entries(node, ("sources", "来源"), findings)).unwrap_or_default();
    let known: Vec<&str> = names.iter().map(|(key, _)| key.name.as_str()).collect();
    let Some(fields) = node.and_then(|node| Fields::open(node, ("sources", "来源"), &known, findings))
    else {
        return BTreeMap::new();
    };
    known
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), fields.word(name, &SOURCES, findings)?)))
        .collect()
}

fn evidence(fields: &Fields<'_>, findings: &mut Findings<'_>) -> BTreeMap<String, EvidenceFact> {
    let mut facts = BTreeMap::new();
    let Some(node) = fields.get("evidence") else { return facts };
    for (key, node) in entries(node, ("evidence", "证据"), findings).unwrap_or_default() {
        let Some(fields) = Fields::open(node, ("a file", "文件"), &["state", "source"], findings) else {
            continue;
        };
        let state = fields.word("state", &STATES, findings).unwrap_or(EvidenceState::Sound);
        let source = fields.word("source", &SOURCES, findings).unwrap_or(SourceKind::Independent);
        facts.insert(key.name.clone(), EvidenceFact { state, source });
    }
    facts
}

fn settlements(fields: &Fields<'_>, findings: &mut Findings<'_>) -> Vec<Settlement> {
    const RESULTS: [(&str, CheckResult); 2] = [("pass", CheckResult::Pass), ("fail", CheckResult::Fail)];
    let known = ["criterionId", "result", "by", "reason"];
    let nodes = fields.list("settlements", findings).unwrap_or_default();
    let one = |node: &Node, findings: &mut Findings<'_>| {
        let fields = Fields::open(node, ("a settlement", "裁定"), &known, findings)?;
        Some(Settlement {
            criterion_id: fields.required_text("criterionId", findings)?,
            result: fields.required_word("result", &RESULTS, findings)?,
            by: fields.required_text("by", findings)?,
            reason: fields.required_text("reason", findings)?,
        })
    };
    nodes.iter().filter_map(|node| one(node, findings)).collect()
}

fn scale(fields: &Fields<'_>, findings: &mut Findings<'_>) -> Scale {
    let node = fields.get("scale");
    let known = ["density", "fontScale"];
    let Some(fields) = node.and_then(|node| Fields::open(node, ("the scale", "比例"), &known, findings))
    else {
        return Scale::default();
    };
    let number = |name| match fields.get(name).map(|node| &node.value) {
        Some(Value::Number(text) | Value::Text(text)) => Some(text.clone()),
        _ => None,
    };
    Scale { density: number("density"), font_scale: number("fontScale") }
}

/// What probes answered. Reader and parameters are taken from the criterion unless the case says otherwise.
fn observations(
    fields: &Fields<'_>,
    criteria: &[Criterion],
    findings: &mut Findings<'_>,
) -> BTreeMap<String, Observation> {
    const KNOWN: [&str; 7] = ["file", "source", "reader", "values", "nothing", "missing", "unreadable"];
    let mut observations = BTreeMap::new();
    let Some(node) = fields.get("observations") else { return observations };
    for (key, node) in entries(node, ("observations", "观测"), findings).unwrap_or_default() {
        let Some(fields) = Fields::open(node, ("an observation", "观测"), &KNOWN, findings) else {
            continue;
        };
        let probe = criteria.iter().find(|criterion| criterion.id == key.name).and_then(|c| c.probe.as_ref());
        let asked = probe.map(|probe| probe.reader.clone()).unwrap_or_default();
        let observation = Observation {
            file: fields.required_text("file", findings).unwrap_or_default(),
            sha256: String::new(),
            source: fields.text("source", findings).unwrap_or_default(),
            reader: fields.text("reader", findings).unwrap_or(asked),
            with: probe.map(|probe| probe.with.clone()).unwrap_or_default(),
            answer: answer(&fields, findings),
        };
        observations.insert(key.name.clone(), observation);
    }
    observations
}

fn answer(fields: &Fields<'_>, findings: &mut Findings<'_>) -> Answer {
    if let Some(items) = fields.list("values", findings) {
        let read = |item| {
            Some(Reading {
                actual: decode::scalar(item, "values", findings)?,
                places: vec![Place::File],
                note: None,
            })
        };
        return Answer::Values { values: items.iter().filter_map(read).collect() };
    }
    if let Some(reason) = fields.text("nothing", findings) {
        return Answer::Nothing { reason };
    }
    if let Some(reason) = fields.text("unreadable", findings) {
        return Answer::Unreadable { reason };
    }
    Answer::Missing { reason: fields.text("missing", findings).unwrap_or_default() }
}

/// Says how an answer differs from what is expected of it.
fn compare(expect: &Node, answer: &Decoded<Audit>) -> Vec<String> {
    let wanted = Expectation::read(expect);
    let mut differences = Vec::new();
    let verdict = answer.value.as_ref().map_or("error", |audit| match audit.verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
    });
    if wanted.verdict != verdict {
        let why = list(&answer.problems);
        differences.push(format!("the verdict is {verdict}, not {} {why}", wanted.verdict));
    }
    let audit = answer.value.as_ref();
    let problems = audit.map_or(answer.problems.as_slice(), |audit| audit.problems.as_slice());
    for code in &wanted.codes {
        if !problems.iter().any(|problem| problem.code.name() == code) {
            differences.push(format!("{code} is not reported, only {}", list(problems)));
        }
    }
    for code in &wanted.codes_absent {
        differences.extend(
            problems
                .iter()
                .find(|p| p.code.name() == code)
                .map(|p| format!("{code} is reported: {}", p.message)),
        );
    }
    for (id, outcome) in &wanted.outcomes {
        let found = audit
            .and_then(|audit| audit.criteria.iter().find(|row| row.id == *id))
            .map(|row| outcome_word(row.outcome));
        if found != Some(outcome) {
            differences.push(format!("{id} is {}, not {outcome}", found.unwrap_or("absent")));
        }
    }
    for (id, verdict) in &wanted.assertion_verdicts {
        let found = audit
            .and_then(|audit| audit.criteria.iter().find(|row| row.id == *id))
            .map(|row| verdict_word(row.assertion_verdict));
        if found != Some(verdict) {
            differences
                .push(format!("the assertion of {id} is {}, not {verdict}", found.unwrap_or("absent")));
        }
    }
    differences
}

fn list(problems: &[Problem]) -> String {
    let codes: Vec<String> = problems.iter().map(|p| format!("{}: {}", p.code.name(), p.message)).collect();
    format!("[{}]", codes.join("; "))
}

#[derive(Default)]
struct Expectation {
    verdict: String,
    codes: Vec<String>,
    codes_absent: Vec<String>,
    outcomes: Vec<(String, String)>,
    assertion_verdicts: Vec<(String, String)>,
}

impl Expectation {
    fn read(node: &Node) -> Self {
        let mut expectation = Expectation::default();
        let Value::Map(entries) = &node.value else { return expectation };
        for (key, node) in entries {
            match key.name.as_str() {
                "verdict" => expectation.verdict = text(node),
                "codes" => expectation.codes = texts(node),
                "codesAbsent" => expectation.codes_absent = texts(node),
                "outcomes" => expectation.outcomes = pairs(node),
                "assertionVerdicts" => expectation.assertion_verdicts = pairs(node),
                other => expectation.codes.push(format!("(unknown expectation {other})")),
            }
        }
        expectation
    }
}

fn text(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => text.clone(),
        _ => String::new(),
    }
}

fn texts(node: &Node) -> Vec<String> {
    match &node.value {
        Value::List(items) => items.iter().map(text).collect(),
        _ => Vec::new(),
    }
}

fn pairs(node: &Node) -> Vec<(String, String)> {
    match &node.value {
        Value::Map(entries) => entries.iter().map(|(key, node)| (key.name.clone(), text(node))).collect(),
        _ => Vec::new(),
    }
}

fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "pass",
        Outcome::Fail => "fail",
        Outcome::Unverified => "unverified",
        Outcome::Invalid => "invalid",
        Outcome::Waived => "waived",
    }
}

fn verdict_word(verdict: AssertionVerdict) -> &'static str {
    match verdict {
        AssertionVerdict::Pass => "pass",
        AssertionVerdict::Fail => "fail",
        AssertionVerdict::Invalid => "invalid",
        AssertionVerdict::Missing => "missing",
        AssertionVerdict::None => "none",
    }
}
