//! Assertions that no plausible value fails, or that none can satisfy.

use regex::Regex;

use super::accepted::{Accepted, excluded};
use super::wording::Words;
use crate::audit::Scale;
use crate::code::Code;
use crate::lang::Lang;
use crate::measure::{End, Exact, Quantity, Set, Unit};
use crate::pack::{Aggregate, Assertion, Criterion, Expected, Matcher, Scalar};
use crate::problem::Problem;
use crate::say;

/// E_ASSERTION_VACUOUS or E_ASSERTION_IMPOSSIBLE, if either applies.
pub(super) fn vacuous(criterion: &Criterion, assertion: &Assertion, lang: Lang) -> Option<Problem> {
    if let Some(text) = any_text_satisfies(assertion) {
        return Some(if assertion.not { impossible(&text, lang) } else { satisfied_by_all(&text, lang) });
    }
    let words = crate::assertion::shown(assertion, lang);
    if let Some(excluded) = excluded(assertion) {
        let domain = Domain::of(criterion, assertion, excluded.unit.as_ref())?;
        return excluded.set.apart(&domain.plausible).then(|| satisfied_by_all(&words, lang));
    }
    let accepted = Accepted::of(assertion)?;
    let domain = Domain::of(criterion, assertion, accepted.unit.as_ref())?;
    if domain.plausible.within(&accepted.set) {
        return Some(satisfied_by_all(&words, lang));
    }
    let is_impossible = domain.possible.is_some_and(|possible| accepted.set.apart(&possible));
    is_impossible.then(|| impossible(&words, lang))
}

fn satisfied_by_all(words: &str, lang: Lang) -> Problem {
    let message = say!(lang, "no plausible value fails `{words}`", "没有合理的值会不满足 `{words}`");
    Problem::new(Code::AssertionVacuous, message, Code::AssertionVacuous.help(lang))
}

fn impossible(words: &str, lang: Lang) -> Problem {
    let message = say!(lang, "no value can satisfy `{words}`", "没有任何值能满足 `{words}`");
    Problem::new(Code::AssertionImpossible, message, Code::AssertionImpossible.help(lang))
}

/// The pattern or part that every text which is not blank satisfies.
fn any_text_satisfies(assertion: &Assertion) -> Option<String> {
    let Some(Expected::One(Scalar::Text(expected))) = &assertion.expected else { return None };
    let is_vacuous = match assertion.matcher {
        Matcher::Contains => expected.trim().is_empty(),
        Matcher::Matches => matches_anything(expected),
        _ => false,
    };
    is_vacuous.then(|| format!("{} {expected}", assertion.matcher.word()).trim_end().to_owned())
}

/// Texts so unlike each other that what matches all of them matches anything.
const UNLIKE: [&str; 6] = ["a", "Z", "0", "错误", "-", "~ \u{1f600}"];

fn matches_anything(pattern: &str) -> bool {
    // The law bounds patterns when they are decoded; this one is only asked of six short texts.
    Regex::new(pattern).is_ok_and(|regex| UNLIKE.iter().all(|text| regex.is_match(text)))
}

/// Which values of a quantity occur.
struct Domain {
    /// What a bad delivery could measure, generously: an assertion that accepts all of it tells nothing.
    plausible: Set,
    /// What can occur at all, where the law bounds it.
    possible: Option<Set>,
}

impl Domain {
    fn of(criterion: &Criterion, assertion: &Assertion, unit: Option<&Unit>) -> Option<Domain> {
        if assertion.aggregate == Some(Aggregate::Count) {
            // Without a sample there is no value, so that a count begins at one.
            return Some(Domain { plausible: between(1, 1_000_000_000), possible: Some(from(1)) });
        }
        let plausible = match unit {
            None => between(0, 1_000_000_000),
            Some(unit) => plausible(unit, criterion)?,
        };
        let possible = unit.is_some_and(Unit::never_negative).then(|| from(0));
        Some(Domain { plausible, possible })
    }
}

/// Whether somebody waits for what is measured: a start, an answer to a touch, a page.
fn is_waited_for(criterion: &Criterion) -> bool {
    const WAITS: Words = Words(&[
        "cold start",
        "warm start",
        "launch",
        "first frame",
        "starts",
        "opens",
        "responds",
        "response",
        "tap",
        "click",
        "启动",
        "首帧",
        "响应",
        "点击",
        "打开",
        "跳转",
        "返回",
    ]);
    WAITS.first_in(&criterion.statement.to_lowercase()).is_some()
}

/// Whether a size is that of memory, and not of what is stored.
fn is_memory(criterion: &Criterion) -> bool {
    const MEMORY: Words = Words(&["memory", "pss", "heap", "内存"]);
    MEMORY.first_in(&criterion.statement.to_lowercase()).is_some()
}

/// Whether the value can be a share of more than one core.
fn speaks_of_cores(criterion: &Criterion) -> bool {
    let text = criterion.statement.to_lowercase();
    let is_read = criterion.probe.as_ref().is_some_and(|probe| probe.reader == "cpu");
    is_read || ["cpu", "core", "处理器", "核"].iter().any(|word| text.contains(word))
}

fn between(low: i64, high: i64) -> Set {
    Set::between(Exact::from_int(low), Exact::from_int(high))
}

fn from(low: i64) -> Set {
    Set::Interval { low: Some(End::closed(Exact::from_int(low))), high: None }
}

/// The plausible values of a quantity on a phone, in the unit: an hour, 64 GiB, a screen of ten thousand vp. What somebody
/// waits for is given up after a minute, and no phone gives an app 16 GiB of memory.
fn plausible(unit: &Unit, criterion: &Criterion) -> Option<Set> {
    let in_unit = |base: &str, high: i64| {
        let factor = Unit::declared(base).ok()?.factor_to(unit, &Scale::default()).ok()?;
        Some(between(0, high).scaled(&factor))
    };
    match unit.quantity() {
        Quantity::Time if is_waited_for(criterion) => in_unit("min", 1),
        Quantity::Time => in_unit("h", 1),
        Quantity::Bytes if is_memory(criterion) => in_unit("GiB", 16),
        Quantity::Bytes => in_unit("GiB", 64),
        Quantity::Length => Some(between(0, 10_000)),
        Quantity::FrameRate | Quantity::Frequency | Quantity::JankRate => Some(between(0, 1_000)),
        Quantity::Ratio => Some(match unit.name() {
            // Contrast ends at 21:1.
            ":1" => between(1, 21),
            name => {
                let whole = match name {
                    "%" => 100,
                    "‰" => 1_000,
                    _ => 1,
                };
                between(0, if speaks_of_cores(criterion) { whole * 16 } else { whole })
            }
        }),
        Quantity::Level => Some(between(-120, 140)),
        Quantity::Current | Quantity::Power | Quantity::Charge => Some(between(0, 100_000)),
        Quantity::Temperature => Some(between(-40, 120)),
        Quantity::Count => Some(between(0, 1_000_000_000)),
    }
}
