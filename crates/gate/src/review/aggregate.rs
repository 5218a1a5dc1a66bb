//! Statements of every sample, the worst, a percentile or the mean, whose assertion asks for a luckier one.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

use super::accepted::Accepted;
use super::wording::{Words, unquoted};
use crate::code::Code;
use crate::lang::Lang;
use crate::measure::Set;
use crate::pack::{Aggregate, Assertion, Criterion, Weight};
use crate::problem::Problem;
use crate::say;

/// E_STATEMENT_CONTRADICTS or W_STATEMENT_DISAGREES, if either applies.
pub(super) fn luckier(criterion: &Criterion, assertion: &Assertion, lang: Lang) -> Option<Problem> {
    let aggregate = assertion.aggregate.unwrap_or(Aggregate::All);
    let (told, words) = told(&unquoted(&criterion.statement))?;
    let is_certain = weaker(told, aggregate, assertion)?;
    let blocks = is_certain && criterion.weight == Weight::Must;
    let code = if blocks { Code::StatementContradicts } else { Code::StatementDisagrees };
    let asked = aggregate.word();
    let message = say!(
        lang,
        "the statement says `{words}`, and the assertion asks it of `{asked}` of the samples only",
        "陈述写的是“{words}”，而断言只对样本的 `{asked}` 提出要求"
    );
    let help = lang.pick(
        "Write the statement's statistic as `aggregate` of the assertion, or change the statement too.",
        "在断言的 `aggregate` 中写上陈述的统计方式，或同时修改陈述。",
    );
    Some(Problem::new(code, message, help))
}

/// Which samples a statement speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Every,
    Largest,
    Smallest,
    Percentile(u8),
    Mean,
}

const EVERY: Words = Words(&[
    "each",
    "every",
    "all",
    "每次",
    "每一次",
    "每个",
    "每一",
    "每帧",
    "所有",
    "全部",
    "均",
    "任何一次",
]);
/// Words that leave open how many samples are meant.
const SOME: Words = Words(&[
    "any",
    "at all",
    "not all",
    "not every",
    "one of",
    "at least one",
    "at least once",
    "fastest",
    "slowest",
    "best",
    "任一",
    "任意",
    "至少一",
    "其中",
    "不是每",
    "并非",
    "之一",
    "最快",
    "最慢",
    "最好",
    "平均",
    "均值",
]);
const LARGEST: Words =
    Words(&["maximum value", "largest value", "maximum of", "peak", "最大值", "峰值", "最慢一次"]);
const SMALLEST: Words = Words(&["minimum value", "smallest value", "minimum of", "最小值", "最低值"]);
const MEAN: Words = Words(&["mean", "average", "on average", "平均", "均值"]);

static PERCENTILE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    RegexBuilder::new(r"\bp(\d\d)\b|\b(\d\d)th\s+percentile|(\d\d)\s*(?:分位|百分位)")
        .case_insensitive(true)
        .build()
        .ok()
});

/// What a statement speaks of, with its words; nothing where it names two.
fn told(statement: &str) -> Option<(Told, String)> {
    let percentile = PERCENTILE.as_ref().and_then(|regex| regex.captures(statement)).and_then(|found| {
        let rank = found.iter().skip(1).flatten().next()?.as_str().parse().ok()?;
        Some((Told::Percentile(rank), found.get(0)?.as_str().to_owned()))
    });
    let named = [(Told::Largest, LARGEST), (Told::Smallest, SMALLEST), (Told::Mean, MEAN)];
    let named = named.iter().filter_map(|(told, words)| Some((*told, words.first_in(statement)?.to_owned())));
    let mut statistics = percentile.into_iter().chain(named);
    match (statistics.next(), statistics.next()) {
        (Some(statistic), None) => Some(statistic),
        (Some(_), Some(_)) => None,
        (None, _) if SOME.first_in(statement).is_some() => None,
        (None, _) => EVERY.first_in(statement).map(|word| (Told::Every, word.to_owned())),
    }
}

/// Whether the aggregate asks for less than was told, for certain or not; nothing if it asks for as much.
fn weaker(told: Told, aggregate: Aggregate, assertion: &Assertion) -> Option<bool> {
    if told == Told::Every && aggregate == Aggregate::Any {
        return Some(true);
    }
    let is_upper = match Accepted::of(assertion)?.set {
        Set::Interval { low: None, .. } => true,
        Set::Interval { high: None, .. } => false,
        _ => return None,
    };
    // How far up the samples in their order the value stands that is held to the bound.
    let (least, most) = if is_upper { (0, 100) } else { (100, 0) };
    let asked = match aggregate {
        Aggregate::All => most,
        Aggregate::Any => least,
        Aggregate::Min => 0,
        Aggregate::Max => 100,
        Aggregate::Mean | Aggregate::Median => 50,
        Aggregate::Percentile(rank) => rank,
        Aggregate::Sum | Aggregate::Count => return None,
    };
    let promised = match told {
        Told::Every => most,
        Told::Largest => 100,
        Told::Smallest => 0,
        Told::Percentile(rank) => rank,
        Told::Mean => 50,
    };
    let is_weaker = if is_upper { asked < promised } else { asked > promised };
    // A mean of each of several is said as well, and a mean stands nowhere in the order for certain.
    let is_extreme = asked == least;
    let is_ranked = matches!(told, Told::Percentile(_) | Told::Largest | Told::Smallest);
    is_weaker.then_some(is_extreme || is_ranked && is_upper)
}
