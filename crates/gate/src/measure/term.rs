//! A number of a statement with its unit, a range of two, or a number and its margin.

use super::clause::text;
use super::exact::Exact;
use super::find::{Scan, longest_han, scan, skip_space, word_end};
use super::fold::{is_cjk, is_word_letter};
use super::han;
use super::number;
use super::unit::{Unit, by_spelling};

/// Words of English prose for units of the table.
const UNIT_WORDS: &[(&str, &str)] = &[
    ("millisecond", "ms"),
    ("msec", "ms"),
    ("second", "s"),
    ("sec", "s"),
    ("minute", "min"),
    ("hour", "h"),
    ("percent", "%"),
    ("pixel", "px"),
    ("megabyte", "MB"),
    ("gigabyte", "GB"),
    ("kilobyte", "kB"),
    ("byte", "B"),
];

/// One number with its unit; where they begin and end.
pub(super) struct Term {
    pub(super) value: Exact,
    pub(super) unit: Option<Unit>,
    /// One past the number, before its unit.
    pub(super) number_end: usize,
    pub(super) end: usize,
}

/// Numbers in English prose, which count where a bound stands before them: `at least two`.
const NUMBER_WORDS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

/// The number that the word at a place spells, with its unit.
pub(super) fn spelled(chars: &[char], at: usize) -> Option<Term> {
    let number_end = word_end(chars, at);
    let word = text(chars, at, number_end).to_lowercase();
    let value = NUMBER_WORDS.iter().position(|known| *known == word)?;
    let value = Exact::from_int(i64::try_from(value).ok()?);
    let (unit, end) = unit(chars, number_end);
    Some(Term { value, unit, number_end, end })
}

pub(super) fn is_number_word(chars: &[char], at: usize) -> bool {
    spelled(chars, at).is_some()
}

pub(super) fn term(chars: &[char], at: usize) -> Option<Term> {
    if !chars.get(at)?.is_ascii_digit() {
        let numeral = han::parse(chars, at)?;
        if numeral.is_percentage {
            let unit = by_spelling("%").map(Unit::Known);
            return Some(Term { value: numeral.value, unit, number_end: numeral.end, end: numeral.end });
        }
        let (unit, end) = unit(chars, numeral.end);
        return Some(Term { value: numeral.value, unit, number_end: numeral.end, end });
    }
    let number = number::parse(chars, at).ok()?;
    // `4.5:1` is a ratio; `3:00` is none of this file's.
    if chars.get(number.end) == Some(&':') && chars.get(number.end + 1).is_some_and(char::is_ascii_digit) {
        let divisor = number::parse(chars, number.end + 1).ok()?;
        let unit = (divisor.value == Exact::ONE).then(|| by_spelling(":1").map(Unit::Known)).flatten();
        return unit.map(|unit| Term {
            value: number.value,
            unit: Some(unit),
            number_end: divisor.end,
            end: divisor.end,
        });
    }
    let (unit, end) = unit(chars, number.end);
    let is_glued_to_a_word = unit.is_none() && chars.get(number.end).is_some_and(|c| is_word_letter(*c));
    (!is_glued_to_a_word).then_some(Term { value: number.value, unit, number_end: number.end, end })
}

/// The unit that follows a number, and where it ends; without one the end of the number.
pub(super) fn unit(chars: &[char], end: usize) -> (Option<Unit>, usize) {
    let place = skip_space(chars, end);
    if let Scan::Unit { unit: unit @ Unit::Known(_), end } = scan(chars, place, None) {
        return (Some(unit), end);
    }
    if chars.get(place).is_some_and(|c| is_cjk(*c)) {
        return match longest_han(chars, place) {
            Some((row, stop)) => (Some(Unit::Known(row)), stop),
            None => (None, end),
        };
    }
    let stop = word_end(chars, place);
    let word = text(chars, place, stop).to_lowercase();
    let word = word.strip_suffix('s').unwrap_or(&word);
    let known = UNIT_WORDS.iter().find(|(spelled, _)| *spelled == word);
    match known.and_then(|(_, name)| by_spelling(name)) {
        Some(row) => (Some(Unit::Known(row)), stop),
        None => (None, end),
    }
}

/// `8 to 12vp`, `between 8 and 12vp`, `8–12vp`, 8 到 12vp, 介于 8 与 12vp 之间: the second end, and where all of it ends.
pub(super) fn range(chars: &[char], at: usize, floor: usize, first: &Term) -> Option<(Term, usize)> {
    let place = skip_space(chars, first.end);
    let word: String = match chars.get(place)? {
        c if matches!(c, '-' | '–' | '—' | '~' | '至' | '到' | '和' | '与') => c.to_string(),
        c if c.is_ascii_alphabetic() => text(chars, place, word_end(chars, place)),
        _ => return None,
    };
    let next = skip_space(chars, place + word.chars().count());
    if !chars.get(next)?.is_ascii_digit() {
        return None;
    }
    let last = term(chars, next)?;
    let lead = text(chars, floor, at).to_lowercase();
    let tail = text(chars, last.end, last.end + 3);
    let is_said = match word.to_lowercase().as_str() {
        "and" | "和" | "与" => {
            lead.ends_with("between") || lead.ends_with("介于") || tail.starts_with("之间")
        }
        "to" => !lead.ends_with("up"),
        "-" | "–" | "—" | "~" | "至" | "到" => true,
        _ => false,
    };
    let same_unit = first.unit.is_none() || last.unit.is_none() || first.unit == last.unit;
    let end = last.end;
    (is_said && same_unit && first.value < last.value).then_some((last, end))
}

/// `12vp ± 1vp`, `12vp ± 5%`: what is allowed on either side, in the unit of the number.
pub(super) fn margin(chars: &[char], first: &Term) -> Option<Term> {
    let place = skip_space(chars, first.end);
    let next = skip_space(chars, place + 1);
    let is_margin = chars.get(place) == Some(&'±') && chars.get(next)?.is_ascii_digit();
    let margin = is_margin.then(|| term(chars, next)).flatten()?;
    let percent = by_spelling("%").map(Unit::Known);
    if margin.unit == percent && first.unit != percent {
        let value = first.value.times(&margin.value).over(&Exact::from_int(100))?;
        return Some(Term { value, unit: None, number_end: margin.number_end, end: margin.end });
    }
    Some(margin)
}
