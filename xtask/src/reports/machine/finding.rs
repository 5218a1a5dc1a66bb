//! What does not hold, at its place: what the notations of linters tell.

use gate::code::Code;
use gate::lang::Lang;
use gate::problem::{Problem, Severity, Span};
use gate::say;

use super::case::{BEGINNING, Case, Standing};
use super::text;
use crate::documents::{AuditFile, Lock};

/// The rule of a criterion that does not hold. Every other rule is a code.
pub const CRITERION: &str = "CRITERION";

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The delivery is not accepted because of it.
    Error,
    /// Shown, and in nobody's way.
    Warning,
    /// A person answers for it.
    Note,
}

/// One finding.
pub struct Finding<'a> {
    /// [`CRITERION`], or a code.
    pub rule: &'static str,
    /// See [`Weight`].
    pub weight: Weight,
    /// The criterion, if it is about one.
    pub criterion: Option<&'a str>,
    /// What is wrong, in one line.
    pub message: String,
    /// More of it, a line each.
    pub details: String,
    /// The file, relative to the root.
    pub file: &'a str,
    /// Where in it.
    pub at: Span,
    /// Who answers for it and why.
    pub waiver: Option<&'a gate::check::Waiver>,
}

impl<'a> Finding<'a> {
    /// All: criterion by criterion what became of it, then the gate's problems; last those that are no criterion's.
    pub fn all(audit: &'a AuditFile, cases: &[Case<'a>], lock: &'a Lock) -> Vec<Self> {
        let mut findings = Vec::new();
        for case in cases {
            findings.extend(Self::of_case(case, audit.lang, lock));
            let about = |problem: &&Problem| problem.criterion.as_deref() == Some(case.result.id);
            let problems = audit.problems.iter().filter(about);
            findings.extend(problems.map(|problem| Self::of_problem(problem, Some(case), audit.lang, lock)));
        }
        let is_known = |id: &str| cases.iter().any(|case| case.result.id == id);
        let general =
            audit.problems.iter().filter(|problem| !problem.criterion.as_deref().is_some_and(is_known));
        findings.extend(general.map(|problem| Self::of_problem(problem, None, audit.lang, lock)));
        findings
    }

    /// One that does not hold. What could not be judged has a problem that says so.
    fn of_case(case: &Case<'a>, lang: Lang, lock: &'a Lock) -> Option<Self> {
        let weight = match case.standing {
            Standing::Fails => Weight::Error,
            Standing::Spared => Weight::Warning,
            Standing::Waived => Weight::Note,
            Standing::Holds | Standing::Unverified | Standing::Refused => return None,
        };
        let id = case.result.id;
        Some(Finding {
            rule: CRITERION,
            weight,
            criterion: Some(id),
            message: text::line(&say!(lang, "{id}: {}", "{id}：{}", case.summary())),
            details: case.details(),
            file: &lock.authored,
            at: case.at,
            waiver: case.result.waiver,
        })
    }

    fn of_problem(problem: &'a Problem, case: Option<&Case<'a>>, lang: Lang, lock: &'a Lock) -> Self {
        let about = problem.criterion.as_ref().map(|id| say!(lang, "{id}: ", "{id}：")).unwrap_or_default();
        Finding {
            rule: problem.code.name(),
            weight: match problem.severity {
                Severity::Error => Weight::Error,
                Severity::Warning => Weight::Warning,
            },
            criterion: problem.criterion.as_deref(),
            message: text::line(&format!("{about}{}", problem.message)),
            details: text::line(&problem.help),
            file: problem.file.as_deref().unwrap_or(&lock.authored),
            at: problem.at.or(case.map(|case| case.at)).unwrap_or(BEGINNING),
            waiver: None,
        }
    }
}

/// What a rule is about.
pub fn meaning(rule: &str, lang: Lang) -> String {
    match Code::ALL.iter().find(|code| code.name() == rule) {
        Some(code) => code.meaning(lang).to_owned(),
        None => say!(lang, "An acceptance criterion does not hold.", "有验收标准未达到。"),
    }
}

/// What to do about it.
pub fn cure(rule: &str, lang: Lang) -> String {
    match Code::ALL.iter().find(|code| code.name() == rule) {
        Some(code) => code.cure(lang).to_owned(),
        None => say!(
            lang,
            "Change the delivery until what is measured satisfies the criterion.",
            "修改交付物，直到实测值满足该标准。"
        ),
    }
}
