//! Whether a clause promises the comparison that its words make, or only speaks of it: `if it exceeds 2 s`, 允许超过2秒.

use super::denial::count_denials;
use super::words::Bound;

/// Words that make of what follows them a case, wherever in a clause they stand.
const CASES: [&str; 8] = ["if", "when", "whenever", "unless", "until", "once", "rarely", "seldom"];
const CASES_HAN: [&str; 9] = ["如果", "一旦", "假如", "倘若", "要是", "除非", "很少", "极少", "偶尔"];

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
