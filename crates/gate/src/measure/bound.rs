//! V8: what stands before and after a number, read with the tables of [`super::words`].

use super::find::skip_space;
use super::fold::{is_cjk, is_word_letter};
use super::words::Bound::{self, Above, AtLeast, AtMost, Below};
use super::words::{
    ABOUT_AFTER, ABOUT_BEFORE, AFTER, ALTERED_BEFORE, BEFORE, DENIALS, DIFFERENCE_AFTER, DIFFERENCE_TO,
    LIMITS, REFERENCES, VAGUE_AFTER,
};

/// What the text before a number says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    /// Nothing.
    Plain,
    /// A bound.
    Bound(Bound),
    /// A sign or word that cannot be read one way: `!=`, `->`, `not`, 百分之.
    Unclear,
    /// A change, a part or a multiple: `↓`, `increased by`, 快了, `half`.
    Altered,
}

/// Reads backwards from a number, no further than `floor`. Returns what was found and where it begins.
pub(crate) fn before(chars: &[char], number: usize, floor: usize) -> (Head, usize) {
    if number <= floor {
        return (Head::Plain, number);
    }
    let mut at = number;
    loop {
        at = back_over_filler(chars, at, floor);
        match sign_before(chars, at, floor) {
            (Head::Plain, _) => {}
            found => return found,
        }
        if let Some((bound, start)) = longest_before(chars, at, floor) {
            let head = if denied(chars, start, floor) { Head::Unclear } else { Head::Bound(bound) };
            return (head, start);
        }
        if denied(chars, at, floor) || ends_with(chars, at, floor, "分之") {
            return (Head::Unclear, at);
        }
        if alters(chars, at, floor) {
            return (Head::Altered, at);
        }
        match ABOUT_BEFORE.iter().filter_map(|word| word_before(chars, at, floor, word)).min() {
            Some(start) if start < at => at = start,
            _ => return (Head::Plain, number),
        }
    }
}

/// White space and the punctuation that may stand between a word and its number.
fn back_over_filler(chars: &[char], at: usize, floor: usize) -> usize {
    let mut at = at;
    while at > floor {
        match chars.get(at - 1) {
            Some(c) if c.is_whitespace() || matches!(c, ':' | '(' | '"' | '“' | '`' | '*' | '~' | '≈') => {
                at -= 1
            }
            // A lone equals sign; `<=` and its kin are read as one.
            Some('=') if !matches!(previous(chars, at - 1, floor), Some('<' | '>' | '!' | '=' | '≠')) => {
                at -= 1
            }
            _ => break,
        }
    }
    at
}

fn previous(chars: &[char], at: usize, floor: usize) -> Option<char> {
    (at > floor).then(|| chars.get(at - 1).copied()).flatten()
}

/// A comparison sign that ends at `at`.
fn sign_before(chars: &[char], at: usize, floor: usize) -> (Head, usize) {
    let Some(last) = previous(chars, at, floor) else { return (Head::Plain, at) };
    let second = previous(chars, at - 1, floor);
    let (head, length) = match (second, last) {
        (Some('<'), '=') => (Head::Bound(AtMost), 2),
        (Some('>'), '=') => (Head::Bound(AtLeast), 2),
        // A doubled or reversed sign, or an arrow, is no comparison that all would read alike.
        (Some('-' | '=' | '<' | '>' | '≤' | '≥' | '!' | '–' | '—'), '<' | '>' | '≤' | '≥') => {
            (Head::Unclear, 2)
        }
        (_, '↑' | '↓' | '⇑' | '⇓' | '⇧' | '⇩' | '⬆' | '⬇' | '↗' | '↘' | '▲' | '▼' | '△' | '▽' | '∆') => {
            (Head::Altered, 1)
        }
        (_, '<') => (Head::Bound(Below), 1),
        (_, '≤') => (Head::Bound(AtMost), 1),
        (_, '>') => (Head::Bound(Above), 1),
        (_, '≥') => (Head::Bound(AtLeast), 1),
        (Some('='), '=') => return (Head::Plain, at),
        (_, '=') => (Head::Unclear, 2),
        (
            _,
            '≠' | '≮' | '≯' | '≰' | '≱' | '≪' | '≫' | '≲' | '≳' | '≦' | '≧' | '⩽' | '⩾' | '!' | '#' | '^'
            | '×' | '÷' | '√' | '∓' | '$' | '€' | '£' | '¥' | '￥' | '₩' | '₹' | '¢' | '±' | '−',
        ) => (Head::Unclear, 1),
        _ => return (Head::Plain, at),
    };
    let start = at.saturating_sub(length).max(floor);
    if length == 2 && matches!(previous(chars, start, floor), Some('<' | '>' | '=' | '!')) {
        return (Head::Unclear, start);
    }
    (head, start)
}

fn longest_before(chars: &[char], at: usize, floor: usize) -> Option<(Bound, usize)> {
    let last = previous(chars, at, floor)?;
    if !last.is_alphabetic() {
        return None;
    }
    BEFORE
        .iter()
        .filter_map(|(phrase, bound)| word_before(chars, at, floor, phrase).map(|start| (*bound, start)))
        .min_by_key(|(_, start)| *start)
}

/// The last characters of the words of [`ALTERED_BEFORE`]: most numbers follow none, and the table is long.
const ALTERED_ENDS: &str = "yfe了加长少低降升高短省快慢多几";

/// Whether a word that makes the number a change, a part or a multiple ends at `at`.
fn alters(chars: &[char], at: usize, floor: usize) -> bool {
    // `最快`, `很快`, `差不多` say how good or how near it is.
    let says_how = |start: usize| {
        at - start == 1 && previous(chars, start, floor).is_some_and(|c| "最很较偏稍不大许第".contains(c))
    };
    if !previous(chars, at, floor).is_some_and(|c| ALTERED_ENDS.contains(c.to_ascii_lowercase())) {
        return false;
    }
    ALTERED_BEFORE
        .iter()
        .filter_map(|word| word_before(chars, at, floor, word))
        .min()
        .is_some_and(|start| !says_how(start))
}

/// The word that calls the first number a limit, if nothing else stands before it.
pub(crate) fn limit_before(chars: &[char], head: usize) -> Option<String> {
    // The longest is `the upper threshold is`, with some punctuation.
    let before = chars.get(..head).filter(|before| (2..=32).contains(&before.len()))?;
    let before: String = before.iter().collect();
    let before = before.trim_matches(|c: char| c.is_whitespace() || ":=(\"“`*~≈".contains(c)).to_lowercase();
    let name = before.strip_prefix("the ").unwrap_or(&before);
    let name = [" is", "为", "是"].iter().find_map(|verb| name.strip_suffix(verb)).unwrap_or(name);
    LIMITS.contains(&name.trim()).then(|| name.trim().to_owned())
}

fn denied(chars: &[char], at: usize, floor: usize) -> bool {
    let mut place = at;
    while place > floor && chars.get(place - 1).is_some_and(|c| c.is_whitespace()) {
        place -= 1;
    }
    DENIALS.iter().any(|word| word_before(chars, place, floor, word).is_some())
}

fn ends_with(chars: &[char], at: usize, floor: usize, word: &str) -> bool {
    word_before(chars, at, floor, word).is_some()
}

/// Where `phrase` begins if it ends at `at`: without case, with any white space for a space, as whole words.
pub(super) fn word_before(chars: &[char], at: usize, floor: usize, phrase: &str) -> Option<usize> {
    let mut place = at;
    for expected in phrase.chars().rev() {
        if expected == ' ' {
            let gap = chars.get(floor..place)?.iter().rev().take_while(|c| c.is_whitespace()).count();
            if gap == 0 {
                return None;
            }
            place -= gap;
            continue;
        }
        let found = previous(chars, place, floor)?;
        if !same_letter(found, expected) {
            return None;
        }
        place -= 1;
    }
    let head = phrase.chars().next()?;
    let bounded = is_cjk(head)
        || !previous(chars, place, floor)
            .is_some_and(|c| is_word_letter(c) || c.is_ascii_digit() || c == '-');
    bounded.then_some(place)
}

/// The same, forwards: one past the end of `phrase` if it begins at `at`.
fn word_after(chars: &[char], at: usize, phrase: &str) -> Option<usize> {
    let mut place = at;
    for expected in phrase.chars() {
        if expected == ' ' {
            let after = skip_space(chars, place);
            if after == place {
                return None;
            }
            place = after;
            continue;
        }
        if !same_letter(*chars.get(place)?, expected) {
            return None;
        }
        place += 1;
    }
    let tail = phrase.chars().next_back()?;
    let bounded = is_cjk(tail) || !chars.get(place).is_some_and(|c| is_word_letter(*c) || c.is_ascii_digit());
    bounded.then_some(place)
}

fn same_letter(found: char, expected: char) -> bool {
    found == expected || found.eq_ignore_ascii_case(&expected)
}

/// What the text after a number, or after its unit, says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tail {
    /// Nothing.
    Plain,
    /// A bound that ends before the place.
    Bound(Bound, usize),
    /// About: no bound and no unit; ends before the place.
    About(usize),
    /// 多, 级: some other number.
    Vague,
    /// `60fps max 900ms`: a word that may belong to the number before it or to the one after.
    Unclear,
    /// `faster`, `over budget`: a difference.
    Difference,
}

/// Reads forwards from the end of a number (`after_unit` false) or of its unit.
pub(crate) fn after(chars: &[char], end: usize, after_unit: bool) -> Tail {
    let mut at = skip_space(chars, end);
    if chars.get(at) == Some(&'+') && !digit_follows(chars, at + 1) {
        return Tail::Bound(AtLeast, at + 1);
    }
    let bracketed = chars.get(at) == Some(&'(');
    if bracketed {
        at = skip_space(chars, at + 1);
    }
    // A word needs a space before it, save in Chinese; what touches the number is its unit.
    if !chars.get(at).is_some_and(|c| is_cjk(*c) || (at > end && c.is_alphabetic())) {
        return Tail::Plain;
    }
    // After a number alone `min` is the unit; after a unit it is the least.
    let words = AFTER.iter().chain(after_unit.then_some(&("min", AtLeast)));
    let found = words.filter_map(|(phrase, bound)| Some((*phrase, *bound, word_after(chars, at, phrase)?)));
    match found.max_by_key(|(.., place)| *place) {
        // `720ms (max 800ms)`: the word belongs to the later number.
        Some((.., place)) if bracketed && number_soon(chars, place) => return Tail::Plain,
        Some((phrase, _, place)) if stands_before_too(phrase) && number_soon(chars, place) => {
            return Tail::Unclear;
        }
        Some((_, bound, place)) => return Tail::Bound(bound, place),
        None => {}
    }
    if let Some(place) = ABOUT_AFTER.iter().find_map(|word| word_after(chars, at, word)) {
        return Tail::About(place);
    }
    if at == end && VAGUE_AFTER.iter().any(|word| word_after(chars, at, word).is_some()) {
        return Tail::Vague;
    }
    if after_unit && is_difference(chars, at) { Tail::Difference } else { Tail::Plain }
}

/// Whether a word after a number is also one before a number.
fn stands_before_too(phrase: &str) -> bool {
    phrase == "plus" || BEFORE.iter().any(|(before, _)| *before == phrase)
}

fn is_difference(chars: &[char], at: usize) -> bool {
    if DIFFERENCE_AFTER.iter().any(|word| word_after(chars, at, word).is_some()) {
        return true;
    }
    let Some(end) = DIFFERENCE_TO.iter().find_map(|word| word_after(chars, at, word)) else { return false };
    let clause: String = chars
        .get(end..)
        .unwrap_or_default()
        .iter()
        .take_while(|c| is_word_letter(**c) || c.is_whitespace() || c.is_ascii_digit())
        .collect();
    let mut words = clause.split_whitespace();
    clause.trim().is_empty()
        || words.by_ref().take(3).any(|word| REFERENCES.iter().any(|r| r.eq_ignore_ascii_case(word)))
}

fn digit_follows(chars: &[char], at: usize) -> bool {
    chars.get(skip_space(chars, at)).is_some_and(char::is_ascii_digit)
}

/// `720ms over 3 runs`: what `over` belongs to is the later number.
fn number_soon(chars: &[char], at: usize) -> bool {
    let place = skip_space(chars, at);
    let place = word_after(chars, place, "the").map_or(place, |p| skip_space(chars, p));
    chars.get(place).is_some_and(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> Head {
        let chars: Vec<char> = text.chars().collect();
        before(&chars, chars.len(), 0).0
    }

    #[test]
    fn heads() {
        let table = [
            ("", Head::Plain),
            ("约", Head::Plain),
            ("took ", Head::Plain),
            ("<", Head::Bound(Below)),
            ("<= ", Head::Bound(AtMost)),
            (">=", Head::Bound(AtLeast)),
            ("not over ", Head::Bound(AtMost)),
            ("不超过", Head::Bound(AtMost)),
            ("超过", Head::Bound(Above)),
            ("under about ", Head::Bound(Below)),
            ("At Most: ", Head::Bound(AtMost)),
            ("Thunder", Head::Plain),
            ("->", Head::Unclear),
            ("!=", Head::Unclear),
            ("=<", Head::Unclear),
            ("<<", Head::Unclear),
            ("不是", Head::Unclear),
            ("never over ", Head::Unclear),
            ("百分之", Head::Unclear),
            ("=", Head::Plain),
            ("==", Head::Plain),
            ("~", Head::Plain),
            ("↓", Head::Altered),
            ("increased by ", Head::Altered),
            ("increase of about ", Head::Altered),
            ("increased to ", Head::Plain),
            ("快了", Head::Altered),
            ("比上次快", Head::Altered),
            ("最快 ", Head::Plain),
            ("差不多", Head::Plain),
            ("提升了约", Head::Altered),
            ("提升到", Head::Plain),
            ("double ", Head::Altered),
            ("几", Head::Altered),
        ];
        for (text, expected) in table {
            assert_eq!(head(text), expected, "{text}");
        }
    }

    #[test]
    fn tails() {
        let tail = |text: &str, unit| after(&text.chars().collect::<Vec<_>>(), 0, unit);
        assert_eq!(tail("+ms", false), Tail::Bound(AtLeast, 1));
        assert_eq!(tail("以内", true), Tail::Bound(AtMost, 2));
        assert_eq!(tail(" or less", true), Tail::Bound(AtMost, 8));
        assert_eq!(tail(" max", true), Tail::Bound(AtMost, 4));
        assert_eq!(tail(" min", false), Tail::Plain);
        assert_eq!(tail("左右", true), Tail::About(2));
        assert_eq!(tail("多", false), Tail::Vague);
        assert_eq!(tail(" over 3 runs", true), Tail::Plain);
        assert_eq!(tail(" over budget", true), Tail::Difference);
        assert_eq!(tail(" under load", true), Tail::Plain);
        assert_eq!(tail(" (max 800ms)", true), Tail::Plain);
        assert_eq!(tail(" max 900ms", true), Tail::Unclear);
        assert_eq!(tail(" min 900ms", true), Tail::Unclear);
        assert_eq!(tail(" plus 50ms", true), Tail::Unclear);
        assert_eq!(tail("以内 3 次", true), Tail::Bound(AtMost, 2));
        assert_eq!(tail("不到", true), Tail::Bound(Below, 2));
        assert_eq!(tail(", max 900ms", true), Tail::Plain);
    }

    #[test]
    fn every_altering_word_ends_as_is_looked_for() {
        for word in ALTERED_BEFORE {
            assert!(word.ends_with(|c| ALTERED_ENDS.contains(c)), "{word}");
        }
    }

    #[test]
    fn limits() {
        let limit = |text: &str| limit_before(&text.chars().collect::<Vec<_>>(), text.chars().count());
        for text in ["limit ", "The limit is ", "上限", "上限为:", "Threshold: "] {
            assert!(limit(text).is_some(), "{text}");
        }
        for text in ["", "under the limit: ", "低于阈值:", "touch target "] {
            assert_eq!(limit(text), None, "{text}");
        }
    }
}
