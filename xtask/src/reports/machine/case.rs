//! A criterion as a case of a test report.

use gate::audit::Outcome;
use gate::lang::Lang;
use gate::pack::Weight;
use gate::problem::{Severity, Span};
use gate::say;

use super::text;
use crate::documents::{AuditFile, Lock};
use crate::render::label;
use crate::reports::view::ResultView;

/// Where a file begins.
pub const BEGINNING: Span = Span { line: 1, column: 1 };

/// How a criterion stands, in the few words that test reports have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It holds.
    Holds,
    /// A person answers for its failing.
    Waived,
    /// It does not hold, and does not have to.
    Spared,
    /// Nobody looked.
    Unverified,
    /// It does not hold.
    Fails,
    /// It could not be judged, or the gate refuses what was said of it.
    Refused,
}

/// A criterion.
pub struct Case<'a> {
    /// Everything that is known of it, as text.
    pub result: ResultView<'a>,
    /// See [`Standing`].
    pub standing: Standing,
    /// Where it stands in the authored pack.
    pub at: Span,
    lang: Lang,
}

impl<'a> Case<'a> {
    /// All, in the pack's order.
    pub fn all(audit: &'a AuditFile, lock: &Lock) -> Vec<Self> {
        let has_must = audit.criteria.iter().any(|criterion| criterion.weight == Weight::Must);
        // Where the criteria of another pack stood is not known.
        let is_of_pack = lock.pack_sha256 == audit.pack_sha256;
        let case = |result: ResultView<'a>| Case {
            standing: standing(&result, has_must),
            at: if is_of_pack { place(lock, result.id) } else { BEGINNING },
            lang: audit.lang,
            result,
        };
        ResultView::all(audit).into_iter().map(case).collect()
    }

    /// `P-01 Cold start to first frame ≤ 800 ms`.
    pub fn name(&self) -> String {
        text::line(&format!("{} {}", self.result.id, self.result.statement))
    }

    /// The outcome as an artifact names it.
    pub fn outcome(&self) -> &'static str {
        match self.result.outcome {
            Outcome::Pass => "pass",
            Outcome::Fail => "fail",
            Outcome::Unverified => "unverified",
            Outcome::Invalid => "invalid",
            Outcome::Waived => "waived",
        }
    }

    /// What was asked for and what was found, in one line.
    pub fn summary(&self) -> String {
        let lang = self.lang;
        let mut said = label(self.outcome(), lang);
        if self.result.weight == Weight::Should {
            said = say!(lang, "should, {said}", "应当，{said}");
        }
        if let (Some(assertion), Some(actual)) = (&self.result.assertion, &self.result.actual) {
            said = say!(
                lang,
                "{said}: asked for {assertion}, measured {actual}",
                "{said}：要求 {assertion}，实测 {actual}"
            );
        }
        let first = self.result.problems.iter().find(|problem| problem.severity == Severity::Error);
        match first.or(self.result.problems.first()) {
            Some(problem) => {
                let (code, message) = (problem.code, problem.message);
                text::line(&say!(lang, "{said}; {code}: {message}", "{said}；{code}：{message}"))
            }
            None => text::line(&said),
        }
    }

    /// Everything that a person wants to know of one that does not hold, a line each.
    pub fn details(&self) -> String {
        let (lang, result) = (self.lang, &self.result);
        let mut lines = vec![result.statement.to_owned()];
        let mut tell = |en: &str, zh: &str, text: Option<&str>| {
            if let Some(text) = text {
                lines.push(say!(lang, "{en}: {text}", "{zh}：{text}"));
            }
        };
        tell("asked for", "要求", result.assertion.as_deref());
        tell("measured", "实测", result.actual.as_deref());
        tell("found in", "出处", result.found.as_deref());
        tell("how to check", "检查方法", result.verify);
        let waiver = result.waiver.map(|waiver| {
            let (owner, reason, expires) = (&waiver.owner, &waiver.reason, &waiver.expires);
            say!(lang, "{owner}, until {expires}: {reason}", "{owner}，至 {expires}：{reason}")
        });
        tell("waived by", "豁免人", waiver.as_deref());
        for ruling in &result.rulings {
            // What a probe measures alone has no auditor's word.
            let Some(said) = ruling.result.map(|result| result_word(result, lang)) else { continue };
            let auditor = ruling.auditor.unwrap_or("–");
            let evidence = ruling.evidence.unwrap_or("–");
            let words = say!(lang, "{auditor}, {said}: {evidence}", "{auditor}，{said}：{evidence}");
            tell("auditor", "审计者", Some(&words));
        }
        lines.extend(result.problems.iter().map(|problem| text::problem(problem, lang)));
        text::block(&lines.iter().map(|line| text::line(line)).collect::<Vec<_>>().join("\n"))
    }
}

fn result_word(result: gate::check::CheckResult, lang: Lang) -> String {
    label(if result == gate::check::CheckResult::Pass { "pass" } else { "fail" }, lang)
}

fn standing(result: &ResultView<'_>, has_must: bool) -> Standing {
    let is_refused = result.problems.iter().any(|problem| problem.severity == Severity::Error);
    let is_required = result.weight == Weight::Must || !has_must;
    match result.outcome {
        Outcome::Invalid => Standing::Refused,
        Outcome::Unverified => Standing::Unverified,
        Outcome::Fail if is_required || is_refused => Standing::Fails,
        Outcome::Fail => Standing::Spared,
        // What the gate refuses is no pass, whatever became of the criterion.
        Outcome::Pass | Outcome::Waived if is_refused => Standing::Refused,
        Outcome::Waived => Standing::Waived,
        Outcome::Pass => Standing::Holds,
    }
}

/// Where a criterion stands; the file's beginning where the lock does not say.
fn place(lock: &Lock, id: &str) -> Span {
    lock.locations.get(id).map_or(BEGINNING, |location| location.span)
}
