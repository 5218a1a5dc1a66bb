//! Words that turn a bound round: `must not exceed`, 不得超过.

use super::bound::word_before;
use super::clause::{back_over_space, clause};
use super::words::Bound;

/// Words that turn a bound round: `must not exceed`, 不得超过.
const DENIALS: &[&str] = &[
    "not",
    "never",
    "no",
    "cannot",
    "can't",
    "don't",
    "doesn't",
    "mustn't",
    "shouldn't",
    "won't",
    "nor",
    "不",
    "不得",
    "不应",
    "不能",
    "不可",
    "不会",
    "不要",
    "不许",
    "不该",
    "不再",
    "不允许",
    "不应当",
    "勿",
    "切勿",
    "不存在",
    "不出现",
    "不得有",
    "不能有",
    "不应有",
    "不得出现",
    "不应出现",
    "不能出现",
    "不会出现",
    "不得存在",
    "没有",
    "未出现",
    "未",
    "并非",
    "不是",
    "不为",
    "不等于",
    "绝不",
    "禁止",
    "严禁",
    "避免",
    "杜绝",
    "拒绝",
];

/// Whether a denial stands before a bound, with a verb between at most: `never falls below`, 不得超过.
pub(super) fn denied(chars: &[char], at: usize, floor: usize) -> bool {
    let verb = back_over_space(chars, at, floor);
    let is_letter = |place: usize| chars.get(place).is_some_and(char::is_ascii_alphabetic);
    let mut before_verb = verb;
    while before_verb > floor && is_letter(before_verb - 1) {
        before_verb -= 1;
    }
    [verb, back_over_space(chars, before_verb, floor)]
        .iter()
        .any(|place| DENIALS.iter().any(|word| word_before(chars, *place, floor, word).is_some()))
}

/// `No frame takes longer than 33 ms`, 没有一帧超过 33ms: what denies the bound is what the clause begins with.
pub(super) fn begins_with_none(chars: &[char], start: usize, floor: usize) -> bool {
    let clause = clause(chars, start, floor);
    let first = clause.split_whitespace().next().unwrap_or_default();
    matches!(first, "no" | "none" | "nothing" | "nobody" | "neither")
        || clause.starts_with("没有")
        || clause.starts_with("不存在")
        || clause.starts_with("无一")
}

/// Whether anything in the clause before a number may have turned its bound already.
pub(super) fn is_denied(chars: &[char], at: usize, floor: usize) -> bool {
    let clause = clause(chars, at, floor);
    let is_word =
        |word: &&str| DENIALS.contains(word) || matches!(*word, "none" | "nothing" | "nobody" | "neither");
    let turns_han = |word: &&&str| {
        // 不足 and 不到 are bounds themselves.
        !word.is_ascii() && word.chars().count() > 1 && clause.contains(**word)
    };
    clause.split_whitespace().any(|word| is_word(&word)) || DENIALS.iter().any(|word| turns_han(&word))
}

/// How many denials a clause holds. A single character counts only at its end: 不同 and 未来 deny nothing.
pub(super) fn count_denials(clause: &str) -> usize {
    const NOBODY: [&str; 5] = ["none", "nothing", "nobody", "neither", "无一"];
    let denials = || DENIALS.iter().chain(&NOBODY).filter(|word| !word.is_ascii());
    let mut rest = clause;
    let mut count = 0;
    while let Some(first) = rest.chars().next() {
        let counts = |word: &&&str| rest.starts_with(**word) && (word.chars().count() > 1 || rest == **word);
        let length = denials().filter(counts).map(|word| word.len()).max();
        count += usize::from(length.is_some());
        rest = rest.get(length.unwrap_or(first.len_utf8())..).unwrap_or_default();
    }
    let words = clause.split(|c: char| !c.is_ascii_alphabetic() && c != '\'');
    count + words.filter(|word| DENIALS.contains(word) || NOBODY.contains(word)).count()
}

pub(super) fn opposite(bound: Bound) -> Bound {
    match bound {
        Bound::Below => Bound::AtLeast,
        Bound::AtMost => Bound::Above,
        Bound::Above => Bound::AtMost,
        Bound::AtLeast => Bound::Below,
    }
}
