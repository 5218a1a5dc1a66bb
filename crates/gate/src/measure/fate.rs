//! What a clause says becomes of the values that its bound names: `anything above 800ms fails`.

use super::clause::{clause, clause_end, ends_with_word, text};
use super::find::skip_space;
use super::term::Term;
use super::unit::{Quantity, Unit};
use super::words::Bound;

/// What a clause says becomes of the values that its bound names.
pub(super) enum Fate {
    Untold,
    /// `Anything above 800ms fails`, 低于 40vp 视为不合格.
    Refused,
    /// A refusal with more behind it, which may be what the feature does: `uploads over 10 MB fail with a message`.
    Doubtful,
}

/// What follows a bound that is not to be met.
const REFUSALS: [&str; 24] = [
    "fail",
    "fails",
    "failed",
    "failing",
    "failure",
    "rejected",
    "defect",
    "defects",
    "bug",
    "unacceptable",
    "forbidden",
    "prohibited",
    "not allowed",
    "not acceptable",
    "not permitted",
    "not accepted",
    "not tolerated",
    "not ok",
    "too slow",
    "too small",
    "too large",
    "too long",
    "too big",
    "wrong",
];

/// Words that begin another clause, which speaks of something else than the number.
const CONJUNCTIONS: [&str; 14] = [
    "when", "whenever", "if", "once", "while", "unless", "until", "where", "because", "although", "that",
    "which", "who", "whose",
];

/// Words behind which it is not clear whether the clause still speaks of the number: `after the tap fails`.
const PREPOSITIONS: [&str; 7] = ["after", "before", "since", "of", "for", "with", "despite"];

/// The same in Chinese.
const REFUSALS_HAN: [&str; 11] = [
    "不可接受",
    "不能接受",
    "无法接受",
    "不接受",
    "不合格",
    "不通过",
    "不达标",
    "不允许",
    "不被允许",
    "失败",
    "缺陷",
];

pub(super) fn fate(chars: &[char], end: usize, term: &Term) -> Fate {
    let rest = said_of_it(&text(chars, end, clause_end(chars, end)).trim().to_lowercase());
    // 提示加载失败 tells what is shown, 视为失败 what the value is.
    let is_told = rest.ends_with("失败")
        && !["视为失败", "算失败", "即失败", "判为失败"].iter().any(|w| rest.ends_with(w));
    let ends = REFUSALS.iter().any(|word| ends_with_word(&rest, word))
        || REFUSALS_HAN.iter().any(|word| rest.ends_with(word)) && !is_told;
    let denies = ["not a ", "never ", "no ", "isn't ", "并非", "不算", "不视为", "不是"];
    let is_turned_again = denies.iter().any(|word| rest.contains(word));
    let holds = |word: &&str| rest.split_whitespace().any(|part| part == *word);
    let is_unclear = PREPOSITIONS.iter().any(holds);
    match ends {
        true if is_turned_again || is_unclear || counts(term) => Fate::Doubtful,
        true => Fate::Refused,
        false if REFUSALS.iter().any(holds) => Fate::Doubtful,
        false if REFUSALS_HAN.iter().any(|word| rest.contains(word)) => Fate::Doubtful,
        false => Fate::Untold,
    }
}

/// What a clause says of its number: in `within 2 s when the password is wrong` nothing, for what follows tells when.
fn said_of_it(rest: &str) -> String {
    let words = rest.split_inclusive(char::is_whitespace);
    words.take_while(|word| !CONJUNCTIONS.contains(&word.trim())).collect::<String>().trim().to_owned()
}

/// `At most 1% of requests fail`: the number counts what fails, and does not itself fail.
pub(super) fn is_share_of_failures(term: &Term, bound: Bound, chars: &[char], end: usize) -> bool {
    let is_of = text(chars, end, clause_end(chars, end)).trim().starts_with("of ");
    counts(term) && (is_of || matches!(bound, Bound::Below | Bound::AtMost))
}

fn counts(term: &Term) -> bool {
    let quantity = term.unit.as_ref().map(Unit::quantity);
    quantity.is_none_or(|quantity| matches!(quantity, Quantity::Count | Quantity::Ratio))
}

/// `when loading takes over 1 s`, 超过 3 秒未响应时: when something happens, and not what is asked for.
pub(super) fn is_condition(chars: &[char], at: usize, floor: usize, end: usize) -> bool {
    const CONDITIONS: [&str; 9] =
        ["if", "when", "whenever", "after", "once", "while", "unless", "until", "where"];
    let clause = clause(chars, at, floor);
    let first = clause.split_whitespace().next().unwrap_or_default();
    let follows = chars.get(skip_space(chars, end)).is_some_and(|c| "时则后未仍就才".contains(*c));
    CONDITIONS.contains(&first)
        || ["如果", "当", "若", "一旦"].iter().any(|word| clause.starts_with(word))
        || follows
        || is_time_after(chars, end)
}

/// 不足 8 位时, 超过 200 字符时: a word for what is counted, and then the 时 of a condition.
fn is_time_after(chars: &[char], end: usize) -> bool {
    let place = skip_space(chars, end);
    let near = chars.get(place..(place + 5).min(clause_end(chars, end))).unwrap_or_default();
    let at = |index: usize| near.get(index).copied().unwrap_or(' ');
    let is_when = |index: usize| {
        at(index) == '时' && !"间长刻延".contains(at(index + 1)) && !"小及按同实临准".contains(at(index - 1))
    };
    (1..4).any(is_when)
}
