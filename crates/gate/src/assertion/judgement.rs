//! A judgement, and how it is told: step by step, in either language, and only when someone asks.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::fault::Fault;
use super::number::{Judged, Outcome};
use super::plan::{NumberTest, Test, scalar_text};
use crate::audit::AssertionVerdict;
use crate::check::Actual;
use crate::lang::Lang;
use crate::measure::{Exact, Refusal, Sample, Set, Target};
use crate::pack::{Aggregate, Assertion, Expected, Matcher};
use crate::say;

/// How many samples are told one by one.
const TOLD: usize = 8;

/// What an assertion says of a value, and what that rests on.
#[derive(Clone, Debug)]
pub struct Judgement<'a> {
    /// The verdict.
    pub verdict: AssertionVerdict,
    assertion: &'a Assertion,
    actual: Option<&'a Actual>,
    test: Arc<Result<Test, Fault>>,
    judged: Judged,
}

impl<'a> Judgement<'a> {
    pub(super) fn new(
        assertion: &'a Assertion,
        actual: Option<&'a Actual>,
        test: Arc<Result<Test, Fault>>,
        judged: Judged,
    ) -> Self {
        let verdict = match judged.outcome {
            Outcome::Pass => AssertionVerdict::Pass,
            Outcome::Fail => AssertionVerdict::Fail,
            Outcome::Missing => AssertionVerdict::Missing,
            Outcome::Invalid(_) => AssertionVerdict::Invalid,
        };
        Judgement { verdict, assertion, actual, test, judged }
    }

    pub(super) fn assertion(&self) -> &'a Assertion {
        self.assertion
    }

    pub(super) fn test(&self) -> &Result<Test, Fault> {
        &self.test
    }

    pub(super) fn samples(&self) -> &[Sample] {
        &self.judged.samples
    }

    pub(super) fn aggregated(&self) -> Option<&Exact> {
        self.judged.aggregated.as_ref()
    }

    /// Why there is no judgement; none where there is one.
    pub fn refused(&self) -> Option<&Refusal> {
        if let Outcome::Invalid(refusal) = &self.judged.outcome { Some(refusal) } else { None }
    }

    /// Why the value cannot be judged, or that there is none: a fragment; none for pass and fail.
    pub fn refusal(&self, lang: Lang) -> Option<String> {
        match &self.judged.outcome {
            Outcome::Pass | Outcome::Fail => None,
            Outcome::Invalid(refusal) => Some(refusal.explain(lang)),
            Outcome::Missing => Some(self.missing(lang)),
        }
    }

    fn missing(&self, lang: Lang) -> String {
        let samples = if let Some(Actual::Many(list)) = self.actual { list.len() } else { 1 };
        match self.assertion.min_samples {
            Some(least) if self.actual.is_some() && (samples as u64) < u64::from(least) => say!(
                lang,
                "{} of the {} samples that the assertion asks for; take more",
                "断言要求 {1} 个样本，只有 {0} 个；请补充测量",
                samples,
                least
            ),
            _ => say!(
                lang,
                "there is no value: it is absent, blank, or says that nothing was measured",
                "没有实测值：字段缺失、为空，或表示未测得"
            ),
        }
    }

    /// How the value was read and compared, step by step.
    pub fn steps(&self, lang: Lang) -> Vec<String> {
        // Most are one number: what was read, what it is compared with, whether that holds.
        let mut steps = Vec::with_capacity(3);
        if let Some(why) = self.refusal(lang) {
            steps.push(why);
            return steps;
        }
        match &*self.test {
            Ok(Test::Number(test)) => self.number_steps(test, lang, &mut steps),
            _ => steps.push(self.text_step(lang)),
        }
        if self.assertion.not {
            steps.push(say!(lang, "`not`: the matcher must not hold", "`not`：要求匹配器不成立"));
        }
        let holds = self.verdict == AssertionVerdict::Pass;
        steps.push(match holds {
            true => say!(lang, "the assertion holds", "断言成立"),
            false => say!(lang, "the assertion does not hold", "断言不成立"),
        });
        steps
    }

    fn number_steps(&self, test: &NumberTest, lang: Lang, steps: &mut Vec<String>) {
        let samples = &self.judged.samples;
        for sample in samples.iter().take(TOLD) {
            steps.push(read_step(sample, &test.target, lang));
        }
        if samples.len() > TOLD {
            let more = samples.len() - TOLD;
            steps.push(say!(lang, "and {} more samples", "另有 {} 个样本", more));
        }
        let unit = match self.assertion.aggregate {
            Some(Aggregate::Count) => None,
            _ => test.target.unit().map(|unit| unit.name()),
        };
        let expected = Bounds { accepted: &test.accepted, matcher: self.assertion.matcher, unit };
        match (&self.judged.aggregated, self.assertion.aggregate) {
            (Some(value), Some(how)) => {
                let value = WithUnit(value, unit);
                let (word, count) = (how.word(), samples.len());
                steps.push(say!(
                    lang,
                    "{} of {} samples is {}; compared with {}",
                    "{1} 个样本的 {0} 为 {2}；与 {3} 比较",
                    word,
                    count,
                    value,
                    expected
                ));
            }
            (_, Some(Aggregate::Any)) => {
                steps.push(say!(lang, "at least one must be {}", "至少一个须为 {}", expected));
            }
            _ if samples.len() > 1 => steps.push(say!(lang, "each must be {}", "每个须为 {}", expected)),
            _ => steps.push(say!(lang, "compared with {}", "与 {} 比较", expected)),
        }
    }

    fn text_step(&self, lang: Lang) -> String {
        let found = match self.actual {
            None | Some(Actual::Null) => say!(lang, "nothing", "无"),
            Some(Actual::One(scalar)) => format!("`{}`", clipped(scalar_text(scalar))),
            Some(Actual::Many(list)) => say!(lang, "{} values", "{} 个值", list.len()),
        };
        if self.assertion.matcher == Matcher::Exists {
            return say!(lang, "found {}", "找到：{}", found);
        }
        let expected = match &self.assertion.expected {
            None => String::new(),
            Some(Expected::One(one)) => format!("`{}`", clipped(scalar_text(one))),
            Some(Expected::Many(many)) => {
                let all: Vec<String> =
                    many.iter().map(|s| format!("`{}`", clipped(scalar_text(s)))).collect();
                all.join(", ")
            }
        };
        let sign = self.assertion.matcher.sign();
        say!(lang, "compared as text: {} {} {}", "按文本比较：{} {} {}", found, sign, expected)
    }
}

/// `read 1.2s as 1200 ms`.
fn read_step(sample: &Sample, target: &Target, lang: Lang) -> String {
    let unit = target.unit().or(sample.unit.as_ref()).map(|unit| unit.name());
    let (text, set) = (clipped(&sample.text), sample.value.as_ref());
    match set {
        Some(set) => say!(lang, "read `{}` as {}", "将 `{}` 读作 {}", text, WithUnit(Span(set), unit)),
        None => say!(lang, "read `{}` as ", "将 `{}` 读作 ", text),
    }
}

/// A number, or several, and their unit.
struct WithUnit<'u, N>(N, Option<&'u str>);

impl<N: fmt::Display> fmt::Display for WithUnit<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)?;
        match self.1 {
            None => Ok(()),
            Some(unit @ ("%" | "‰" | ":1")) => f.write_str(unit),
            Some(unit) => write!(f, " {unit}"),
        }
    }
}

/// `≤ 800 ms`, `12–16 fp`, `60, 90 fps`.
struct Bounds<'b> {
    accepted: &'b [Set],
    matcher: Matcher,
    unit: Option<&'b str>,
}

impl fmt::Display for Bounds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, unit) = (self.matcher.sign(), self.unit);
        match self.accepted {
            [Set::Point(value)] => write!(f, "{sign} {}", WithUnit(value, unit)),
            [one] => WithUnit(Span(one), unit).fmt(f),
            many => {
                let all: Vec<String> = many.iter().filter_map(Set::point).map(Exact::to_decimal).collect();
                write!(f, "{sign} {}", WithUnit(all.join(", "), unit))
            }
        }
    }
}

/// `720`, `12–16`, `≤ 800`.
struct Span<'s>(&'s Set);

impl fmt::Display for Span<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Set::Point(value) => value.fmt(f),
            Set::Interval { low: Some(low), high: Some(high) } if low.closed && high.closed => {
                write!(f, "{}–{}", low.at, high.at)
            }
            Set::Interval { high: Some(high), .. } => {
                write!(f, "{} {}", if high.closed { "≤" } else { "<" }, high.at)
            }
            Set::Interval { low: Some(low), .. } => {
                write!(f, "{} {}", if low.closed { "≥" } else { ">" }, low.at)
            }
            Set::Interval { low: None, high: None } => Ok(()),
        }
    }
}

/// The beginning of a long text; a report is no place for a log.
fn clipped(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim();
    match trimmed.char_indices().nth(120) {
        None => Cow::Borrowed(trimmed),
        Some((end, _)) => Cow::Owned(format!("{}…", trimmed.get(..end).unwrap_or_default())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::judge;
    use super::*;

    fn story(assertion: serde_json::Value, actual: serde_json::Value) -> Vec<String> {
        let assertion: Assertion = serde_json::from_value(assertion).unwrap();
        let actual: Option<Actual> = serde_json::from_value(actual).unwrap();
        let scale = crate::audit::Scale { density: Some("3.5".into()), font_scale: None };
        let judgement = judge(&assertion, actual.as_ref(), &scale);
        assert_eq!(judgement.steps(Lang::En).len(), judgement.steps(Lang::Zh).len());
        judgement.steps(Lang::En)
    }

    #[test]
    fn a_judgement_is_told_step_by_step() {
        let lte = serde_json::json!({"matcher": "lte", "expected": 800, "unit": "ms"});
        let p95 = serde_json::json!({"matcher": "lt", "expected": 20, "unit": "ms", "aggregate": "p95"});
        let count = serde_json::json!({"matcher": "gte", "expected": 3, "unit": "ms", "aggregate": "count"});
        let any = serde_json::json!({"matcher": "gt", "expected": 95, "unit": "%", "aggregate": "any"});
        let samples = serde_json::json!({"matcher": "lte", "expected": 800, "unit": "ms", "minSamples": 3});
        let table = [
            (
                &lte,
                serde_json::json!("1.2s"),
                "read `1.2s` as 1200 ms; compared with ≤ 800 ms; the assertion does not hold",
            ),
            (
                &lte,
                serde_json::json!("≤0.7s"),
                "read `≤0.7s` as 0–700 ms; compared with ≤ 800 ms; the assertion holds",
            ),
            (
                &lte,
                serde_json::json!([700, 720]),
                "read `700` as 700 ms; read `720` as 720 ms; each must be ≤ 800 ms; the assertion holds",
            ),
            (
                &p95,
                serde_json::json!([16, 17]),
                "read `16` as 16 ms; read `17` as 17 ms; p95 of 2 samples is 17 ms; compared with < 20 ms; the assertion holds",
            ),
            (
                &count,
                serde_json::json!([16, 17]),
                "read `16` as 16 ms; read `17` as 17 ms; count of 2 samples is 2; compared with ≥ 3; the assertion does not hold",
            ),
            (
                &any,
                serde_json::json!(["94%", "96%"]),
                "read `94%` as 94%; read `96%` as 96%; at least one must be > 95%; the assertion holds",
            ),
            (
                &serde_json::json!({"matcher": "between", "expected": [12, 16], "unit": "vp"}),
                serde_json::json!("42px"),
                "read `42px` as 12 vp; compared with 12–16 vp; the assertion holds",
            ),
            (
                &serde_json::json!({"matcher": "oneOf", "expected": [60, 90], "unit": "Hz", "not": true}),
                serde_json::json!("120Hz"),
                "read `120Hz` as 120 Hz; compared with ∈ 60, 90 Hz; `not`: the matcher must not hold; the assertion holds",
            ),
            (
                &serde_json::json!({"matcher": "eq", "expected": "登录"}),
                serde_json::json!("登陆"),
                "compared as text: `登陆` = `登录`; the assertion does not hold",
            ),
            (
                &serde_json::json!({"matcher": "exists"}),
                serde_json::json!(["a", "b"]),
                "found 2 values; the assertion holds",
            ),
            (
                &samples,
                serde_json::json!([700, 720]),
                "2 of the 3 samples that the assertion asks for; take more",
            ),
            (
                &samples,
                serde_json::json!("720ms"),
                "1 of the 3 samples that the assertion asks for; take more",
            ),
            (
                &samples,
                serde_json::json!(null),
                "there is no value: it is absent, blank, or says that nothing was measured",
            ),
            (
                &samples,
                serde_json::json!(["NA", "NA", "NA"]),
                "there is no value: it is absent, blank, or says that nothing was measured",
            ),
        ];
        for (assertion, actual, told) in table {
            assert_eq!(story(assertion.clone(), actual.clone()).join("; "), told, "{assertion} {actual}");
        }
    }

    #[test]
    fn long_lists_and_texts_are_cut() {
        let lte = serde_json::json!({"matcher": "lte", "expected": 800, "unit": "ms"});
        let steps = |count: usize| story(lte.clone(), serde_json::json!(vec![700; count]));
        assert!(!steps(TOLD).iter().any(|step| step.contains("more samples")));
        assert_eq!(steps(TOLD + 2).get(TOLD).unwrap(), "and 2 more samples");
        assert_eq!(clipped(&format!(" {} ", "登".repeat(120))), "登".repeat(120));
        assert_eq!(clipped(&"登".repeat(121)), format!("{}…", "登".repeat(120)));
    }
}
