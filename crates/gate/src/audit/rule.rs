//! Rules on one check, or on an observation that no auditor checked.

use super::basis::{file_problem, source_problem};
use super::index::Reported;
use super::judging::{ask, differs};
use super::value::{Deciding, Judged};
use super::words::{actual, clip};
use super::{AssertionVerdict, Inputs, Outcome};
use crate::assertion::shown;
use crate::assertion::{Judge, restates};
use crate::check::{Actual, CheckResult};
use crate::code::Code;
use crate::decode::has_visible;
use crate::observation::Observation;
use crate::pack::{Assertion, Criterion, Scalar, Weight};
use crate::problem::Problem;
use crate::say;

/// A ruling, without a copy of anything it refers to.
#[derive(Debug)]
pub(super) struct Ruled<'a> {
    /// Absent where nobody checked the criterion.
    pub reported: Option<Reported<'a>>,
    pub verdict: AssertionVerdict,
    pub outcome: Outcome,
    /// Empty unless the gate was asked to tell how it ruled.
    pub steps: Vec<String>,
}

/// One criterion before the gate, with the problems that it gives rise to.
pub(super) struct Docket<'i, 'a> {
    pub criterion: &'a Criterion,
    /// The criterion's assertion, read once for all who checked it.
    pub judge: Option<Judge<'a>>,
    /// Only where the criterion has a probe.
    pub observation: Option<&'a Observation>,
    pub inputs: &'i Inputs<'a>,
    /// Whether to tell how values were read and compared.
    pub tell: bool,
    pub problems: Vec<Problem>,
}

impl<'a> Docket<'_, 'a> {
    /// What one check, or the observation alone, makes of the criterion.
    pub fn rule(&mut self, reported: Option<Reported<'a>>) -> Ruled<'a> {
        let mut steps = Vec::new();
        let (verdict, outcome) = match (self.judge.clone(), reported) {
            (Some(_), None) if self.criterion.probe.is_none() => {
                (AssertionVerdict::Missing, self.unchecked())
            }
            (Some(judge), _) => self.asserted(&judge, reported, &mut steps),
            (None, Some(reported)) => (AssertionVerdict::None, self.told(reported)),
            (None, None) => (AssertionVerdict::None, self.unchecked()),
        };
        let outcome = if self.rests_on_broken_files(reported) { Outcome::Invalid } else { outcome };
        Ruled { reported, verdict, outcome, steps }
    }

    fn unchecked(&mut self) -> Outcome {
        let (lang, id) = (self.inputs.lang, &self.criterion.id);
        let code = match self.criterion.weight {
            Weight::Must => Code::CheckMissing,
            Weight::Should => Code::ShouldUnchecked,
        };
        let message = say!(
            lang,
            "no auditor checked `{id}`, and no probe measures it",
            "没有审计者检查 `{id}`，也没有 probe 测量它"
        );
        self.at_criterion(Problem::new(code, message, code.help(lang)));
        Outcome::Unverified
    }

    /// Without an assertion the auditor's word decides, if it rests on anything.
    fn told(&mut self, reported: Reported<'a>) -> Outcome {
        match reported.check.result {
            CheckResult::Fail => Outcome::Fail,
            CheckResult::Pass if has_visible(&reported.check.evidence) => Outcome::Pass,
            CheckResult::Pass => {
                let message = say!(
                    self.inputs.lang,
                    "`result: pass` on the auditor's word alone, and `evidence` says nothing",
                    "`result: pass` 仅凭审计者的判断，而 `evidence` 什么也没写"
                );
                self.at_check(reported, Code::EvidenceEmpty, message);
                Outcome::Invalid
            }
        }
    }

    /// With an assertion the value decides.
    fn asserted(
        &mut self,
        judge: &Judge<'a>,
        reported: Option<Reported<'a>>,
        steps: &mut Vec<String>,
    ) -> (AssertionVerdict, Outcome) {
        let assertion = judge.assertion();
        let check = reported.map(|reported| reported.check);
        let deciding = Deciding::new(self.criterion, check, self.observation, self.inputs);
        self.compare_with_probe(judge, &deciding, reported);
        self.notice_restated(assertion, reported);
        let Judged { verdict, reason, steps: told } = ask(judge, &deciding, self.tell, self.inputs);
        *steps = told;
        let reason = reason.unwrap_or_default();
        let result = check.map(|check| check.result);
        let outcome = match (result, verdict) {
            (_, AssertionVerdict::Invalid | AssertionVerdict::None) => {
                self.invalid(&deciding, &reason, reported)
            }
            (Some(CheckResult::Fail), AssertionVerdict::Missing) => Outcome::Fail,
            (_, AssertionVerdict::Missing) => self.missing(assertion, &reason, reported),
            (Some(CheckResult::Pass), AssertionVerdict::Fail) => {
                self.contradicted(assertion, &deciding, reported)
            }
            (_, AssertionVerdict::Fail) => Outcome::Fail,
            (Some(CheckResult::Fail), AssertionVerdict::Pass) => {
                self.despite_pass(assertion, &deciding, reported)
            }
            (_, AssertionVerdict::Pass) => self.passed(assertion, reported),
        };
        (verdict, outcome)
    }

    fn invalid(&mut self, deciding: &Deciding<'_>, reason: &str, reported: Option<Reported<'a>>) -> Outcome {
        let lang = self.inputs.lang;
        let message = match deciding {
            Deciding::Value(value) => {
                let read = actual(value, lang);
                say!(lang, "`{read}` cannot be judged: {reason}", "`{read}` 无法判定：{reason}")
            }
            _ => say!(lang, "the evidence cannot be read: {reason}", "证据无法读取：{reason}"),
        };
        self.at_value(reported, Code::ActualInvalid, message);
        Outcome::Invalid
    }

    fn missing(&mut self, assertion: &Assertion, reason: &str, reported: Option<Reported<'a>>) -> Outcome {
        let (lang, expected) = (self.inputs.lang, shown(assertion, self.inputs.lang));
        let message = say!(
            lang,
            "there is no value to hold against `{expected}`: {reason}",
            "没有可与 `{expected}` 比较的实测值：{reason}"
        );
        self.at_value(reported, Code::ActualMissing, message);
        Outcome::Invalid
    }

    fn contradicted(
        &mut self,
        assertion: &Assertion,
        deciding: &Deciding<'_>,
        reported: Option<Reported<'a>>,
    ) -> Outcome {
        let lang = self.inputs.lang;
        let (read, expected) = (self.read(deciding), shown(assertion, lang));
        let message = say!(
            lang,
            "the auditor wrote pass, and `{read}` fails `{expected}`",
            "审计者写的是通过，但 `{read}` 不满足 `{expected}`"
        );
        self.at_check_if(reported, Code::VerdictContradicts, message);
        Outcome::Fail
    }

    fn despite_pass(
        &mut self,
        assertion: &Assertion,
        deciding: &Deciding<'_>,
        reported: Option<Reported<'a>>,
    ) -> Outcome {
        let lang = self.inputs.lang;
        let (read, expected) = (self.read(deciding), shown(assertion, lang));
        let message = say!(
            lang,
            "the auditor wrote fail although `{read}` satisfies `{expected}`; the fail stands",
            "`{read}` 满足 `{expected}`，但审计者写的是不通过；以不通过为准"
        );
        self.at_check_if(reported, Code::FailDespitePass, message);
        if !reported.is_some_and(|reported| has_visible(&reported.check.evidence)) {
            let message = say!(
                lang,
                "a fail against the value needs a reason, and `evidence` says nothing",
                "与实测值相反的不通过需要理由，而 `evidence` 什么也没写"
            );
            self.at_check_if(reported, Code::EvidenceEmpty, message);
        }
        Outcome::Fail
    }

    fn passed(&mut self, assertion: &Assertion, reported: Option<Reported<'a>>) -> Outcome {
        let check = reported.map(|reported| reported.check);
        let Some(problem) = source_problem(self.criterion, assertion, check, self.observation, self.inputs)
        else {
            return Outcome::Pass;
        };
        self.at_criterion(problem);
        Outcome::Invalid
    }

    /// An auditor's value beside a probe's must be the same value; where the probe has none, there is nothing to
    /// compare.
    fn compare_with_probe(
        &mut self,
        judge: &Judge<'a>,
        deciding: &Deciding<'_>,
        reported: Option<Reported<'a>>,
    ) {
        let (Some(_), Deciding::Value(measured), Some(reported)) =
            (&self.criterion.probe, deciding, reported)
        else {
            return;
        };
        let Some(claimed @ (Actual::One(_) | Actual::Many(_))) = &reported.check.actual else { return };
        if !differs(judge, claimed, measured) {
            return;
        }
        let lang = self.inputs.lang;
        let (claimed, measured) = (actual(claimed, lang), actual(measured, lang));
        let message = say!(
            lang,
            "the auditor's `{claimed}` is not the `{measured}` that the probe read; the probe's is judged",
            "审计者的 `{claimed}` 与 probe 读出的 `{measured}` 不同；以 probe 的值判定"
        );
        self.at_check(reported, Code::ActualDisagrees, message);
    }

    fn notice_restated(&mut self, assertion: &Assertion, reported: Option<Reported<'a>>) {
        let Some(reported) = reported else { return };
        let Some(claimed) = &reported.check.actual else { return };
        if !is_plain(claimed) && restates(assertion, claimed) {
            let lang = self.inputs.lang;
            let (claimed, expected) = (actual(claimed, lang), shown(assertion, lang));
            let message = say!(
                lang,
                "`{claimed}` repeats the threshold `{expected}` instead of a measurement",
                "`{claimed}` 只是重复了阈值 `{expected}`，而不是测量结果"
            );
            self.at_check(reported, Code::ActualRestates, message);
        }
    }

    /// Reports every named file that is not sound: the auditor's references, and the file that the probe read.
    fn rests_on_broken_files(&mut self, reported: Option<Reported<'a>>) -> bool {
        let mut broken = false;
        if let Some(reported) = reported {
            let named = &reported.check.evidence_refs;
            for (place, path) in named.iter().enumerate() {
                let named_before = named.get(..place).is_some_and(|before| before.contains(path));
                if named_before {
                    continue;
                }
                if let Some(problem) = file_problem(path, self.inputs) {
                    self.place_at_check(reported, problem);
                    broken = true;
                }
            }
        }
        let is_judged = self.criterion.assertion.is_some() && self.criterion.probe.is_some();
        if let (true, Some(observation)) = (is_judged, self.observation)
            && let Some(problem) = file_problem(&observation.file, self.inputs)
        {
            self.at_criterion(problem);
            broken = true;
        }
        broken
    }

    fn read(&self, deciding: &Deciding<'_>) -> String {
        match deciding {
            Deciding::Value(value) => actual(value, self.inputs.lang),
            Deciding::Absent(reason) | Deciding::Unreadable(reason) => clip(reason),
        }
    }

    /// A problem of the value: the auditor's stands in the check, the probe's with the criterion that asks for it.
    fn at_value(&mut self, reported: Option<Reported<'a>>, code: Code, message: String) {
        match reported {
            Some(reported) if self.criterion.probe.is_none() => self.at_check(reported, code, message),
            _ => self.at_criterion(Problem::new(code, message, code.help(self.inputs.lang))),
        }
    }

    fn at_check_if(&mut self, reported: Option<Reported<'a>>, code: Code, message: String) {
        if let Some(reported) = reported {
            self.at_check(reported, code, message);
        }
    }

    pub fn at_check(&mut self, reported: Reported<'a>, code: Code, message: String) {
        self.place_at_check(reported, Problem::new(code, message, code.help(self.inputs.lang)));
    }

    fn place_at_check(&mut self, reported: Reported<'a>, problem: Problem) {
        let mut problem = problem.about(&self.criterion.id).in_file(&reported.auditor.file);
        problem.at = reported.check.at;
        self.problems.push(problem);
    }

    /// Several rulings of one criterion may meet the same problem of its probe; it is told once.
    pub fn at_criterion(&mut self, problem: Problem) {
        let mut problem = problem.about(&self.criterion.id);
        if let Some(location) = self.inputs.locations.get(&self.criterion.id) {
            problem = problem.in_file(&location.file).at(location.span);
        }
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}

/// Whether a value is a number and perhaps letters, such as `720ms`: it has no word or sign in which it could repeat
/// a threshold. Most values are, and need not be read a second time.
fn is_plain(value: &Actual) -> bool {
    match value {
        Actual::One(Scalar::Number(_) | Scalar::Bool(_)) => true,
        Actual::One(Scalar::Text(text)) => {
            text.starts_with(|c: char| c.is_ascii_digit())
                && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.' || b == b'%')
        }
        Actual::Null | Actual::Many(_) => false,
    }
}
