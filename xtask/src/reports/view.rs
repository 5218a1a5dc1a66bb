//! The pieces that several templates lay out: every value already a text.

use gate::audit::{AssertionVerdict, CriterionResult, Outcome, Ruling};
use gate::check::CheckResult;
use gate::code::Code;
use gate::lang::Lang;
use gate::pack::{Criterion, Dimension, Weight};
use gate::problem::{Problem, Severity};
use serde::Serialize;

use super::words;
use crate::documents::{AuditFile, Collected, Refreeze};

/// A criterion as it was frozen.
#[derive(Serialize)]
pub struct CriterionView<'a> {
    pub id: &'a str,
    pub dimension: Dimension,
    pub weight: Weight,
    pub statement: &'a str,
    pub verify: Option<&'a str>,
    pub rule: Option<&'a str>,
    pub covers: String,
    pub assertion: Option<String>,
    pub source: Option<&'a str>,
    pub probe: Option<String>,
    pub held_out: bool,
    /// Whether a machine measures it, whether or not its assertion may be shown.
    pub measured: bool,
}

impl<'a> CriterionView<'a> {
    pub fn of(criterion: &'a Criterion, lang: Lang) -> Self {
        let hidden = criterion.held_out;
        let assertion = criterion.assertion.as_ref().filter(|_| !hidden);
        CriterionView {
            id: &criterion.id,
            dimension: criterion.dimension,
            weight: criterion.weight,
            statement: &criterion.statement,
            verify: criterion.verify.as_deref(),
            rule: criterion.rule_id.as_deref(),
            covers: criterion.covers.join(", "),
            assertion: assertion.map(|assertion| words::assertion(assertion, lang)),
            source: assertion.and_then(|assertion| assertion.source.as_deref()),
            probe: criterion.probe.as_ref().filter(|_| !hidden).map(words::probe),
            held_out: hidden,
            measured: hidden || criterion.assertion.is_some(),
        }
    }
}

/// A finding.
#[derive(Serialize)]
pub struct ProblemView<'a> {
    pub code: &'static str,
    pub severity: Severity,
    pub criterion: Option<&'a str>,
    pub message: &'a str,
    pub help: &'a str,
    pub location: Option<String>,
}

impl<'a> ProblemView<'a> {
    pub fn of(problem: &'a Problem) -> Self {
        ProblemView {
            code: problem.code.name(),
            severity: problem.severity,
            criterion: problem.criterion.as_deref(),
            message: &problem.message,
            help: &problem.help,
            location: words::location(problem),
        }
    }

    pub fn all(problems: &'a [Problem]) -> Vec<Self> {
        problems.iter().map(Self::of).collect()
    }
}

/// What one auditor said.
#[derive(Serialize)]
pub struct RulingView<'a> {
    pub auditor: Option<&'a str>,
    pub result: Option<CheckResult>,
    pub evidence: Option<&'a str>,
    pub claimed: Option<String>,
    pub refs: String,
    pub verdict: AssertionVerdict,
    pub outcome: Outcome,
    pub steps: &'a [String],
}

/// What became of a criterion.
#[derive(Serialize)]
pub struct ResultView<'a> {
    pub id: &'a str,
    pub dimension: Dimension,
    pub weight: Weight,
    pub statement: &'a str,
    pub verify: Option<&'a str>,
    pub rule: Option<&'a str>,
    pub assertion: Option<String>,
    pub source: Option<&'a str>,
    /// The value that decided, where there is an assertion.
    pub actual: Option<String>,
    /// Where a probe found it.
    pub found: Option<String>,
    /// The places in the file alone.
    pub places: String,
    /// The evidence file, and the digest of what was read.
    pub file: Option<&'a str>,
    pub file_link: Option<String>,
    pub sha256: Option<&'a str>,
    pub sha256_short: Option<&'a str>,
    pub measured: bool,
    pub verdict: AssertionVerdict,
    pub outcome: Outcome,
    pub waiver: Option<&'a gate::check::Waiver>,
    pub settlement: Option<&'a gate::check::Settlement>,
    /// Whether auditors wrote different results, so that their words are shown side by side.
    pub is_disputed: bool,
    pub rulings: Vec<RulingView<'a>>,
    pub problems: Vec<ProblemView<'a>>,
}

impl<'a> ResultView<'a> {
    pub fn of(result: &'a CriterionResult, audit: &'a AuditFile) -> Self {
        let lang = audit.lang;
        let rulings = audit.checks.iter().filter(|ruling| ruling.criterion_id == result.id);
        let observation = result.observation.as_deref();
        let reported = rulings.clone().find_map(|ruling| ruling.actual.as_ref()).map(words::actual);
        let problems = audit.problems.iter().filter(|problem| problem.criterion.as_ref() == Some(&result.id));
        let sha256 = observation.map(|seen| seen.sha256.as_str()).filter(|digest| !digest.is_empty());
        ResultView {
            id: &result.id,
            dimension: result.dimension,
            weight: result.weight,
            statement: &result.statement,
            verify: result.verify.as_deref(),
            rule: result.rule_id.as_deref(),
            assertion: result.assertion.as_ref().map(|assertion| words::assertion(assertion, lang)),
            source: result.assertion.as_ref().and_then(|assertion| assertion.source.as_deref()),
            actual: observation.map(|seen| words::answer(&seen.answer, lang)).or(reported),
            found: observation.map(|seen| words::found(seen, lang)),
            places: observation.map(|seen| words::places(seen, lang)).unwrap_or_default(),
            file: observation.map(|seen| seen.file.as_str()),
            file_link: observation.map(|seen| format!("round-{}/{}", audit.round, seen.file)),
            sha256,
            sha256_short: sha256.map(short),
            measured: observation.is_some(),
            verdict: result.assertion_verdict,
            outcome: result.outcome,
            waiver: result.waiver.as_deref(),
            settlement: result.settlement.as_deref(),
            is_disputed: result.settlement.is_some() || is_disputed(result, audit),
            rulings: rulings.map(ruling).collect(),
            problems: problems.map(ProblemView::of).collect(),
        }
    }

    pub fn all(audit: &'a AuditFile) -> Vec<Self> {
        audit.criteria.iter().map(|result| Self::of(result, audit)).collect()
    }

    /// What does not hold, must before should.
    pub fn failures(audit: &'a AuditFile) -> Vec<Self> {
        let mut failures = Self::all(audit);
        failures.retain(|result| !result.is_settled());
        failures.sort_by_key(|result| result.weight);
        failures
    }

    /// Whether it stands in the way of nothing.
    pub fn is_settled(&self) -> bool {
        matches!(self.outcome, Outcome::Pass | Outcome::Waived)
    }
}

fn is_disputed(result: &CriterionResult, audit: &AuditFile) -> bool {
    audit.problems.iter().any(|problem| {
        problem.code == Code::AuditorsDisagree && problem.criterion.as_ref() == Some(&result.id)
    })
}

fn ruling(ruling: &Ruling) -> RulingView<'_> {
    RulingView {
        auditor: ruling.auditor.as_deref(),
        result: ruling.result,
        evidence: ruling.evidence.as_deref().filter(|text| !text.trim().is_empty()),
        claimed: ruling.actual.as_ref().map(words::actual),
        refs: ruling.evidence_refs.join(", "),
        verdict: ruling.assertion_verdict,
        outcome: ruling.outcome,
        steps: &ruling.steps,
    }
}

/// Problems that belong to no criterion.
pub fn general_problems(audit: &AuditFile) -> Vec<ProblemView<'_>> {
    let known = |problem: &Problem| {
        problem
            .criterion
            .as_ref()
            .is_some_and(|id| audit.criteria.iter().any(|criterion| &criterion.id == id))
    };
    audit.problems.iter().filter(|problem| !known(problem)).map(ProblemView::of).collect()
}

/// One dimension of the summary.
#[derive(Serialize)]
pub struct DimensionView {
    pub dimension: Dimension,
    pub pass: usize,
    pub fail: usize,
    pub invalid: usize,
    pub unverified: usize,
    pub waived: usize,
    pub total: usize,
}

impl DimensionView {
    /// The dimensions that have a criterion, in the order of reports.
    pub fn all(audit: &AuditFile) -> Vec<Self> {
        Dimension::ALL
            .into_iter()
            .map(|dimension| Self::of(audit, dimension))
            .filter(|view| view.total > 0)
            .collect()
    }

    fn of(audit: &AuditFile, dimension: Dimension) -> Self {
        let outcomes: Vec<Outcome> = audit
            .criteria
            .iter()
            .filter(|criterion| criterion.dimension == dimension)
            .map(|criterion| criterion.outcome)
            .collect();
        let count = |wanted| outcomes.iter().filter(|outcome| **outcome == wanted).count();
        DimensionView {
            dimension,
            pass: count(Outcome::Pass),
            fail: count(Outcome::Fail),
            invalid: count(Outcome::Invalid),
            unverified: count(Outcome::Unverified),
            waived: count(Outcome::Waived),
            total: outcomes.len(),
        }
    }
}

/// One gathered file, or why there is none.
#[derive(Serialize)]
pub struct EvidenceView<'a> {
    pub collector: &'a str,
    pub source: &'a str,
    pub kind: gate::audit::SourceKind,
    pub recorded: bool,
    pub path: Option<&'a str>,
    /// From the delivery's folder, for links.
    pub link: Option<String>,
    pub bytes: Option<u64>,
    pub sha256: Option<&'a str>,
    pub failure: Option<&'a str>,
}

impl<'a> EvidenceView<'a> {
    pub fn all(audit: &'a AuditFile) -> Vec<Self> {
        audit.evidence.iter().map(Self::of).collect()
    }

    fn of(entry: &'a Collected) -> Self {
        let file = entry.file.as_ref();
        EvidenceView {
            collector: &entry.collector,
            source: &entry.source,
            kind: entry.source_kind,
            recorded: entry.recorded,
            path: file.map(|file| file.path.as_str()),
            link: file.map(|file| format!("round-{}/{}", entry.round, file.path)),
            bytes: file.map(|file| file.bytes),
            sha256: file.map(|file| file.sha256.as_str()),
            failure: entry.failure.as_deref(),
        }
    }
}

/// One time that the frozen pack was replaced.
#[derive(Serialize)]
pub struct RefreezeView<'a> {
    pub from: &'a str,
    pub to: &'a str,
    pub reason: &'a str,
    pub loosened: Vec<String>,
}

impl<'a> RefreezeView<'a> {
    pub fn all(history: &'a [Refreeze], lang: Lang) -> Vec<Self> {
        history.iter().map(|entry| Self::of(entry, lang)).collect()
    }

    /// As the agent may read it: of a criterion that is held out, what became easier, and not from what to what.
    pub fn without_held_out(history: &'a [Refreeze], criteria: &[Criterion], lang: Lang) -> Vec<Self> {
        let is_held_out =
            |id: &str| criteria.iter().any(|criterion| criterion.held_out && criterion.id == id);
        let told = |loosening: &gate::review::Loosening| match &loosening.criterion {
            Some(id) if is_held_out(id) => format!("{id}: {}", loosening.what),
            _ => words::loosening(loosening, lang),
        };
        history.iter().map(|entry| Self::told(entry, told)).collect()
    }

    fn of(entry: &'a Refreeze, lang: Lang) -> Self {
        Self::told(entry, |loosening| words::loosening(loosening, lang))
    }

    fn told(entry: &'a Refreeze, told: impl Fn(&gate::review::Loosening) -> String) -> Self {
        RefreezeView {
            from: short(&entry.from),
            to: short(&entry.to),
            reason: &entry.reason,
            loosened: entry.loosened.iter().map(told).collect(),
        }
    }
}

/// The first characters of a commit or digest, enough to tell it by.
pub fn short(digest: &str) -> &str {
    digest.get(..12).unwrap_or(digest)
}
