//! `testreport`: what a test run says of itself: text of `aa test`, XML of xdevice, JUnit XML.
//!
//! The code of `aa test` ignores errors and a build tool can exit with 0 over failing tests. So `ok` is worked out from the counts:
//! something ran and passed, nothing failed, nothing broke.

mod aa;
mod junit;

use gate::lang::Lang;
use gate::observation::Place;
use gate::say;

use crate::answer::{Outcome, at_line, missing, one, reading_at, truth, unreadable};
use crate::input::text_of;
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "testreport",
    purpose: words(
        "report of `aa test`, xdevice XML or JUnit XML: counts, whether all is well, the result of one case",
        "`aa test`、xdevice XML 或 JUnit XML 的测试报告：各项计数、整体是否通过、单个用例的结果",
    ),
    params: &[
        ParamInfo {
            name: "measure",
            kind: ParamKind::Choice(&["ok", "run", "passed", "failures", "errors", "ignored", "case"]),
            required: true,
            meaning: words(
                "ok: something passed, nothing failed or broke; the counts; or case: passed, failed, error or ignored for one case",
                "ok：有用例通过，且没有失败与错误；各项计数；或 case：单个用例为 passed、failed、error 或 ignored",
            ),
            example: "ok",
        },
        ParamInfo {
            name: "suite",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "with measure: case, the suite (class) when several have such a case",
                "measure: case 时的套件（class），多个套件有同名用例时必填",
            ),
            example: "LoginTest",
        },
        ParamInfo {
            name: "case",
            kind: ParamKind::Text,
            required: false,
            meaning: words("with measure: case, the name of the case", "measure: case 时的用例名"),
            example: "rejects_a_wrong_password",
        },
    ],
    example: "{measure: ok}",
};

/// What became of one case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Passed,
    Failed,
    Error,
    Ignored,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::Failed => "failed",
            Verdict::Error => "error",
            Verdict::Ignored => "ignored",
        }
    }
}

/// One case of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Case {
    suite: String,
    name: String,
    verdict: Verdict,
    line: u64,
}

/// Counts of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    run: u64,
    passed: u64,
    failures: u64,
    errors: u64,
    ignored: u64,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.run = self.run.saturating_add(other.run);
        self.passed = self.passed.saturating_add(other.passed);
        self.failures = self.failures.saturating_add(other.failures);
        self.errors = self.errors.saturating_add(other.errors);
        self.ignored = self.ignored.saturating_add(other.ignored);
    }

    fn add_up(&self) -> bool {
        let parts = [self.passed, self.failures, self.errors, self.ignored];
        parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(*part)) == Some(self.run)
    }
}

/// A whole report.
#[derive(Debug, Default)]
struct Report {
    counts: Counts,
    /// A sign of trouble besides the counts, such as a code other than 0.
    trouble: Option<String>,
    cases: Vec<Case>,
    lines: Vec<u64>,
}

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let measure = params.text("measure")?.to_owned();
    let mut wanted = None;
    if measure == "case" {
        let suite = params.text("suite").map(str::to_owned);
        wanted = Some((suite, params.needed_text("case", "measure: case")?.to_owned()));
    }
    Some(Box::new(move |input, lang| {
        let text = text_of(input.whole(lang)?, lang)?;
        let report = if text.trim_start().starts_with('<') {
            junit::read(&text, lang)
        } else {
            aa::read(&text, lang)
        }?;
        match &wanted {
            Some((suite, case)) => report.case(suite.as_deref(), case, lang),
            None => report.answer(&measure, lang),
        }
    }))
}

impl Report {
    fn answer(&self, measure: &str, lang: Lang) -> Outcome {
        let counts = self.counts;
        if !counts.add_up() {
            let Counts { run, passed, failures, errors, ignored } = counts;
            return unreadable(say!(
                lang,
                "the counts do not add up: {run} run, but {passed} passed, {failures} failed, {errors} errors, {ignored} ignored",
                "计数不自洽：共 {run} 个，而通过 {passed}、失败 {failures}、错误 {errors}、忽略 {ignored}"
            ));
        }
        let places: Vec<Place> = self.lines.iter().map(|line| at_line(*line)).collect();
        let count = match measure {
            "run" => counts.run,
            "passed" => counts.passed,
            "failures" => counts.failures,
            "errors" => counts.errors,
            "ignored" => counts.ignored,
            _ => return self.ok(places, lang),
        };
        one(reading_at(count.to_string(), places))
    }

    fn ok(&self, places: Vec<Place>, lang: Lang) -> Outcome {
        let Counts { run, passed, failures, errors, .. } = self.counts;
        let ok = passed > 0 && failures == 0 && errors == 0 && self.trouble.is_none();
        let mut found = truth(ok, Place::File);
        found.places = places;
        let counts = say!(
            lang,
            "{run} run, {passed} passed, {failures} failed, {errors} errors",
            "共 {run} 个，通过 {passed}、失败 {failures}、错误 {errors}"
        );
        found.note = Some(self.trouble.iter().fold(counts, |note, trouble| format!("{note}; {trouble}")));
        one(found)
    }

    fn case(&self, suite: Option<&str>, name: &str, lang: Lang) -> Outcome {
        let is_wanted = |case: &&Case| case.name == name && suite.is_none_or(|suite| case.suite == suite);
        let mut found = self.cases.iter().filter(is_wanted);
        match (found.next(), found.next()) {
            (Some(case), None) => one(reading_at(case.verdict.word(), vec![at_line(case.line)])),
            (Some(first), Some(second)) => {
                let (one, two) = (&first.suite, &second.suite);
                unreadable(say!(
                    lang,
                    "several cases are named {name} (in {one} and {two}): say which with suite",
                    "有多个名为 {name} 的用例（{one} 与 {two}）：请用 suite 指明"
                ))
            }
            (None, _) => {
                missing(say!(lang, "no case named {name} in the report", "报告中没有名为 {name} 的用例"))
            }
        }
    }
}
