//! V8: the closed tables of words and signs that make a value a bound, or leave it as it is.

use super::fold::{is_cjk, is_word_letter};
use super::unit::skip_space;

/// On which side of the number the value may lie, and whether the number itself is among the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Below: `<`, under, 不到.
    Below,
    /// At most: `≤`, at most, 不超过.
    AtMost,
    /// Above: `>`, over, 超过.
    Above,
    /// At least: `≥`, at least, 至少.
    AtLeast,
}

use Bound::{Above, AtLeast, AtMost, Below};

/// Words before a number.
pub const BEFORE: &[(&str, Bound)] = &[
    ("under", Below),
    ("below", Below),
    ("beneath", Below),
    ("less than", Below),
    ("fewer than", Below),
    ("lower than", Below),
    ("smaller than", Below),
    ("shorter than", Below),
    ("faster than", Below),
    ("at most", AtMost),
    ("at the most", AtMost),
    ("at max", AtMost),
    ("up to", AtMost),
    ("no more than", AtMost),
    ("not more than", AtMost),
    ("no greater than", AtMost),
    ("not greater than", AtMost),
    ("no higher than", AtMost),
    ("no longer than", AtMost),
    ("not over", AtMost),
    ("not above", AtMost),
    ("not exceeding", AtMost),
    ("not to exceed", AtMost),
    ("less than or equal to", AtMost),
    ("maximum", AtMost),
    ("max", AtMost),
    ("within", AtMost),
    ("over", Above),
    ("above", Above),
    ("beyond", Above),
    ("more than", Above),
    ("greater than", Above),
    ("higher than", Above),
    ("larger than", Above),
    ("longer than", Above),
    ("slower than", Above),
    ("exceeds", Above),
    ("exceeded", Above),
    ("exceeding", Above),
    ("exceed", Above),
    ("at least", AtLeast),
    ("at the least", AtLeast),
    ("no less than", AtLeast),
    ("not less than", AtLeast),
    ("no fewer than", AtLeast),
    ("not fewer than", AtLeast),
    ("no lower than", AtLeast),
    ("not under", AtLeast),
    ("not below", AtLeast),
    ("greater than or equal to", AtLeast),
    ("minimum", AtLeast),
    ("min", AtLeast),
    ("不到", Below),
    ("未到", Below),
    ("不足", Below),
    ("不满", Below),
    ("低于", Below),
    ("小于", Below),
    ("少于", Below),
    ("短于", Below),
    ("不超过", AtMost),
    ("不会超过", AtMost),
    ("未超过", AtMost),
    ("没超过", AtMost),
    ("没有超过", AtMost),
    ("不超出", AtMost),
    ("不大于", AtMost),
    ("不高于", AtMost),
    ("不多于", AtMost),
    ("不长于", AtMost),
    ("小于等于", AtMost),
    ("小于或等于", AtMost),
    ("至多", AtMost),
    ("最多", AtMost),
    ("最大", AtMost),
    ("最高", AtMost),
    ("最长", AtMost),
    ("超过", Above),
    ("超出", Above),
    ("高于", Above),
    ("大于", Above),
    ("多于", Above),
    ("长于", Above),
    ("逾", Above),
    ("至少", AtLeast),
    ("最少", AtLeast),
    ("最小", AtLeast),
    ("最低", AtLeast),
    ("最短", AtLeast),
    ("起码", AtLeast),
    ("不少于", AtLeast),
    ("不低于", AtLeast),
    ("不小于", AtLeast),
    ("不短于", AtLeast),
    ("大于等于", AtLeast),
    ("大于或等于", AtLeast),
];

/// Words after a number or its unit.
pub const AFTER: &[(&str, Bound)] = &[
    ("or less", AtMost),
    ("or fewer", AtMost),
    ("or lower", AtMost),
    ("or under", AtMost),
    ("or below", AtMost),
    ("or faster", AtMost),
    ("or shorter", AtMost),
    ("and below", AtMost),
    ("and under", AtMost),
    ("at most", AtMost),
    ("maximum", AtMost),
    ("max", AtMost),
    ("tops", AtMost),
    ("or more", AtLeast),
    ("or greater", AtLeast),
    ("or higher", AtLeast),
    ("or over", AtLeast),
    ("or above", AtLeast),
    ("or longer", AtLeast),
    ("or slower", AtLeast),
    ("and above", AtLeast),
    ("and over", AtLeast),
    ("and up", AtLeast),
    ("and more", AtLeast),
    ("upwards", AtLeast),
    ("at least", AtLeast),
    ("minimum", AtLeast),
    ("plus", AtLeast),
    ("以内", AtMost),
    ("之内", AtMost),
    ("以下", AtMost),
    ("之下", AtMost),
    ("及以下", AtMost),
    ("或以下", AtMost),
    ("或更少", AtMost),
    ("内", AtMost),
    ("封顶", AtMost),
    ("以上", AtLeast),
    ("之上", AtLeast),
    ("及以上", AtLeast),
    ("或以上", AtLeast),
    ("或更多", AtLeast),
    ("起", AtLeast),
];

/// Words and signs before a number that are no bound.
const ABOUT_BEFORE: &[&str] = &[
    "about", "approximately", "approx", "approx.", "around", "roughly", "circa", "ca.", "the", "a", "an", "of", "是", "为", "约",
    "大约", "约为", "大概", "在", "仅", "只有",
];

/// Words after a number that are no bound, and no unit.
const ABOUT_AFTER: &[&str] = &["or so", "左右", "上下"];

/// Words after a number or unit that say that it is another number, and not which: 700 多 ms, 720 ms 级.
const VAGUE_AFTER: &[&str] = &["多", "余", "来", "几", "级", "好几"];

/// Words after a unit that make the value a difference to something else.
const DIFFERENCE_AFTER: &[&str] = &[
    "more", "less", "fewer", "faster", "slower", "higher", "lower", "longer", "shorter", "larger", "smaller", "better", "worse",
];

/// The same, where one of [`REFERENCES`] or nothing follows: `over budget`, but not `under load`.
const DIFFERENCE_TO: &[&str] = &["over", "under", "above", "below", "past", "beyond"];

/// What a value can lie over or under.
const REFERENCES: &[&str] = &[
    "limit", "budget", "threshold", "target", "baseline", "spec", "average", "mean", "median", "norm", "expected", "allowed",
    "maximum", "minimum", "last", "previous", "before",
];

/// Words before a number or a bound that deny it.
const DENIALS: &[&str] =
    &["not", "no", "never", "isn't", "wasn't", "hardly", "barely", "neither", "nor", "不是", "不", "没", "没有", "未", "非", "并非", "而非"];

/// What the text before a number says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    /// Nothing.
    Plain,
    /// A bound.
    Bound(Bound),
    /// A sign or word that cannot be read one way: `!=`, `->`, `not`, 百分之.
    Unclear,
}

/// Reads backwards from a number, no further than `floor`. Returns what was found and where it begins.
pub(crate) fn before(chars: &[char], number: usize, floor: usize) -> (Head, usize) {
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
        match ABOUT_BEFORE.iter().filter_map(|word| word_before(chars, at, floor, word)).min() {
            Some(start) if start < at => at = start,
            _ => return (Head::Plain, at),
        }
    }
}

/// White space and the punctuation that may stand between a word and its number.
fn back_over_filler(chars: &[char], at: usize, floor: usize) -> usize {
    let mut at = at;
    while at > floor {
        match chars.get(at - 1) {
            Some(c) if c.is_whitespace() || matches!(c, ':' | '(' | '"' | '“' | '`' | '*' | '~' | '≈') => at -= 1,
            // A lone equals sign; `<=` and its kin are read as one.
            Some('=') if !matches!(previous(chars, at - 1, floor), Some('<' | '>' | '!' | '=' | '≠')) => at -= 1,
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
        (Some('-' | '=' | '<' | '>' | '≤' | '≥' | '!' | '–' | '—'), '<' | '>' | '≤' | '≥') => (Head::Unclear, 2),
        (_, '<') => (Head::Bound(Below), 1),
        (_, '≤') => (Head::Bound(AtMost), 1),
        (_, '>') => (Head::Bound(Above), 1),
        (_, '≥') => (Head::Bound(AtLeast), 1),
        (Some('='), '=') => return (Head::Plain, at),
        (_, '=') => (Head::Unclear, 2),
        (
            _,
            '≠' | '≮' | '≯' | '≰' | '≱' | '≪' | '≫' | '≲' | '≳' | '≦' | '≧' | '⩽' | '⩾' | '!' | '^' | '×' | '÷' | '√' | '∓' | '$'
            | '€' | '£' | '¥' | '￥' | '₩' | '₹' | '¢' | '±' | '−',
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
fn word_before(chars: &[char], at: usize, floor: usize, phrase: &str) -> Option<usize> {
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
    let bounded = is_cjk(head) || !previous(chars, place, floor).is_some_and(|c| is_word_letter(c) || c.is_ascii_digit() || c == '-');
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
    /// `faster`, `over budget`: a difference.
    Difference,
}

/// Reads forwards from the end of a number (`after_unit` false) or of its unit.
pub(crate) fn after(chars: &[char], end: usize, after_unit: bool) -> Tail {
    let mut at = skip_space(chars, end);
    if chars.get(at) == Some(&'+') && !digit_follows(chars, at + 1) {
        return Tail::Bound(AtLeast, at + 1);
    }
    if chars.get(at) == Some(&'(') {
        at = skip_space(chars, at + 1);
    }
    if !chars.get(at).is_some_and(|c| c.is_alphabetic()) {
        return Tail::Plain;
    }
    let longest = AFTER.iter().filter_map(|(phrase, bound)| word_after(chars, at, phrase).map(|place| (*bound, place)));
    // After a number alone `min` is the unit; after a unit it is the least.
    let least = after_unit.then(|| word_after(chars, at, "min")).flatten().map(|place| (AtLeast, place));
    match longest.max_by_key(|(_, place)| *place).or(least) {
        // `720ms (max 800ms)`: the word belongs to the later number.
        Some((_, place)) if number_soon(chars, place) => return Tail::Plain,
        Some((bound, place)) => return Tail::Bound(bound, place),
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
    clause.trim().is_empty() || words.by_ref().take(3).any(|word| REFERENCES.iter().any(|r| r.eq_ignore_ascii_case(word)))
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
    }
}
