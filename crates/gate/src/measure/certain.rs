//! Whether a clause promises the comparison that its words make, or only speaks of it: `if it exceeds 2 s`, 允许超过2秒.

use super::denial::count_denials;
use super::words::Bound;

/// Words that make of what follows them a case, wherever in a clause they stand.
const CASES: [&str; 12] = [
    "if", "when", "whenever", "unless", "until", "once", "rarely", "seldom", "few", "provided", "assuming",
    "whether",
];
const CASES_HAN: [&str; 13] =
    ["如果", "一旦", "假如", "倘若", "要是", "除非", "很少", "极少", "偶尔", "只要", "即使", "即便", "哪怕"];

/// What is said of what is not to be.
const FAULTS: [&str; 18] = [
    "fail",
    "fails",
    "failing",
    "bug",
    "unacceptable",
    "forbidden",
    "prohibited",
    "reject",
    "rejects",
    "refuse",
    "refuses",
    "prevent",
    "prevents",
    "avoid",
    "avoids",
    "without",
    "hardly",
    "unlikely",
];
const FAULTS_HAN: [&str; 5] = ["防止", "以免", "而非", "而不是", "未必"];

/// What need not be.
const EXEMPTIONS: [&str; 17] = [
    "need not",
    "needn't",
    "not need",
    "n't need",
    "no need",
    "not required",
    "n't required",
    "not have to",
    "n't have to",
    "not necessar",
    "无需",
    "无须",
    "不必",
    "不用",
    "不需",
    "不要求",
    "不强制",
];

/// What may be: it bounds nothing, but for an upper end.
const PERMISSIONS: [&str; 12] = [
    "may",
    "might",
    "allowed to",
    "permitted to",
    "acceptable to",
    "acceptable for",
    "fine to",
    "fine for",
    "ok to",
    "ok for",
    "free to",
    "could",
];
const PERMISSIONS_HAN: [&str; 4] = ["允许", "准许", "可能", "或许"];

/// Whether the words of a clause before a bound leave it a promise. `turned` tells that one denial of them is read already.
pub(super) fn is_promised(clause: &str, bound: Option<Bound>, turned: bool) -> bool {
    let has_word = |known: &[&str]| words(clause).any(|word| known.contains(&word));
    let has = |known: &[&str]| known.iter().any(|part| clause.contains(part));
    let is_spoken_of = has_word(&CASES) || has(&CASES_HAN) || has_word(&FAULTS) || has(&FAULTS_HAN);
    let denials = count_denials(clause);
    !is_spoken_of
        && !has(&EXEMPTIONS)
        && denials == usize::from(turned)
        && (turned || bound == Some(Bound::AtMost) || !is_permitted(clause))
}

/// What becomes of what lies beyond a limit: then the number says when, and not how much.
const TREATMENTS: [&str; 8] = ["not", "cannot", "can't", "never", "won't", "error", "warning", "ignored"];
const TREATMENTS_HAN: [&str; 12] =
    ["无法", "不能", "不可", "不得", "不予", "拒绝", "截断", "报错", "提示", "警告", "丢弃", "忽略"];

/// `Files over 10 MB cannot be uploaded`, or `never, under any load, exceed 2 s`: an open side is read only where nothing
/// around its clause says more of it.
pub(super) fn is_open_side(bound: Option<Bound>, turned: bool, sentence: (&str, &str), clause: &str) -> bool {
    let is_beyond = matches!(bound, Some(Bound::Above | Bound::Below)) && !turned;
    let (before, after) = sentence;
    let is_treated = words(after).any(|word| TREATMENTS.contains(&word))
        || TREATMENTS_HAN.iter().any(|word| after.contains(word));
    is_beyond && (is_treated || clause.is_empty() && count_denials(before) > 0)
}

fn is_permitted(clause: &str) -> bool {
    let spaced = format!(" {} ", words(clause).collect::<Vec<_>>().join(" "));
    let directly = ["can", "可以", "可"].iter().any(|word| clause.ends_with(word));
    directly
        || PERMISSIONS.iter().any(|word| spaced.contains(&format!(" {word} ")))
        || PERMISSIONS_HAN.iter().any(|word| clause.contains(word))
}

fn words(clause: &str) -> impl Iterator<Item = &str> {
    clause.split(|c: char| !c.is_ascii_alphabetic() && c != '\'').filter(|word| !word.is_empty())
}
