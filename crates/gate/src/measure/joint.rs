//! Numbers of a statement that are a part of another, or that another sign changes: `1 min 30 s`, 千分之一, `-5 dB`.
//!
//! What they come to is not computed: such a number claims nothing.

use super::bound::word_before;
use super::clause::{back_over_space, text};
use super::find::{skip_space, word_end};
use super::fold::is_han_numeral;
use super::term::{Term, is_number_word, term};
use super::unit::Unit;

/// Words and characters that multiply the number before them, where it has no unit.
const MULTIPLIERS: [&str; 16] = [
    "hundred", "thousand", "million", "billion", "dozen", "lakh", "crore", "k", "bn", "mn", "third",
    "thirds", "quarters", "fifths", "tenths", "halves",
];
const MULTIPLIERS_HAN: &str = "十百千万萬亿億兆";

/// Signs that join a number with the one that is glued to them.
const JOINTS: &str = "/×*^·'_、";

/// Signs that stand behind a number and change it.
const ALTERING: &str = "½⅓⅔¼¾⅕⅛²³";

/// Words before a number that make it less than nothing.
const NEGATIVES: [&str; 4] = ["minus", "negative", "负", "零下"];

/// Where all of it ends, if the number at a place is not the whole of what is said.
pub(super) fn end_of_whole(chars: &[char], at: usize, first: &Term) -> Option<usize> {
    match next_part(chars, first) {
        Some(next) => Some(end_of_parts(chars, next)),
        None => is_part_of_one_before(chars, at).then_some(first.end),
    }
}

fn end_of_parts(chars: &[char], from: usize) -> usize {
    // What goes on beyond that is seen from its own place as a part of what stands before it.
    const MOST: usize = 16;
    let mut place = from;
    for _ in 0..MOST {
        let Some(part) = numeral(chars, place) else { break };
        match next_part(chars, &part) {
            Some(next) if next > place => place = next,
            _ => return part.end.max(place),
        }
    }
    place
}

fn numeral(chars: &[char], at: usize) -> Option<Term> {
    let begins = chars.get(at).is_some_and(|c| c.is_ascii_digit() || is_han_numeral(*c));
    begins.then(|| term(chars, at)).flatten()
}

/// Where what belongs to a number goes on behind it.
fn next_part(chars: &[char], first: &Term) -> Option<usize> {
    within(chars, first).or_else(|| beyond(chars, first))
}

/// What is glued to the number itself: 2.5万, 三分之一, `1/3`, `1 000`.
fn within(chars: &[char], first: &Term) -> Option<usize> {
    let end = first.number_end;
    let begins_numeral =
        |place: usize| chars.get(place).is_some_and(|c| c.is_ascii_digit() || is_han_numeral(*c));
    let next = *chars.get(end)?;
    if text(chars, end, end + 2) == "分之" {
        return Some(end + 2);
    }
    if matches!(next, '来' | '几' | '余' | '多')
        || ALTERING.contains(next)
        || (next == '下' && chars.get(end.wrapping_sub(1)) == Some(&'零'))
    {
        return Some(end + 1);
    }
    if matches!(next, '又' | '点') && begins_numeral(end + 1) {
        return Some(end + 1);
    }
    if first.end > end {
        return None;
    }
    if begins_numeral(end) {
        return Some(end);
    }
    let place = skip_space(chars, end);
    let word = text(chars, place, word_end(chars, place)).to_lowercase();
    if chars.get(place).is_some_and(|c| MULTIPLIERS_HAN.contains(*c)) {
        return Some(place + 1);
    }
    if MULTIPLIERS.contains(&word.as_str()) {
        return Some(word_end(chars, place));
    }
    let group = chars.get(place..)?.iter().take_while(|c| c.is_ascii_digit()).count();
    (place == end + 1 && group == 3).then_some(place)
}

/// What stands behind the number and its unit: `1 min 30 s`, 一秒半, `2 or 3 s`, `500 ms–1 s`.
fn beyond(chars: &[char], first: &Term) -> Option<usize> {
    let place = skip_space(chars, first.end);
    let next = *chars.get(place)?;
    let goes_on = |from: usize| {
        let from = skip_space(chars, from);
        (numeral(chars, from).is_some() || is_number_word(chars, from)).then_some(from)
    };
    match next {
        '半' | '多' => return Some(place + 1),
        '-' | '–' | '~' | '至' | '到' | '或' => return goes_on(place + 1),
        c if place == first.end && (c == '—' || JOINTS.contains(c)) => {
            return numeral(chars, place + 1).map(|_| place + 1);
        }
        '×' | '*' => return goes_on(place + 1),
        c if c.is_ascii_alphabetic() => return behind_word(chars, first, place, goes_on),
        _ => {}
    }
    let second = numeral(chars, place)?;
    (first.unit.is_some() && is_continued(first, &second)).then_some(place)
}

fn behind_word(
    chars: &[char],
    first: &Term,
    place: usize,
    goes_on: impl Fn(usize) -> Option<usize>,
) -> Option<usize> {
    let end = word_end(chars, place);
    let rest = text(chars, place, place + "and a half".len()).to_lowercase();
    if rest == "and a half" || rest == "below zero" {
        return Some(place + "and a half".len());
    }
    match text(chars, place, end).to_lowercase().as_str() {
        "or" | "to" => goes_on(end),
        "and" => {
            let from = skip_space(chars, end);
            let second = numeral(chars, from)?;
            (second.unit.is_some() && second.unit != first.unit && is_continued(first, &second))
                .then_some(from)
        }
        _ => None,
    }
}

/// Whether two numbers in a row are one measure: 1分30秒, 2小时30.
fn is_continued(first: &Term, second: &Term) -> bool {
    let quantity = |term: &Term| term.unit.as_ref().map(Unit::quantity);
    second.unit.is_none() || quantity(first) == quantity(second)
}

/// Whether what stands before a number belongs to it: a sign, or digits that could not be read with it.
fn is_part_of_one_before(chars: &[char], at: usize) -> bool {
    let back = |steps: usize| at.checked_sub(steps).and_then(|place| chars.get(place)).copied();
    let is_numeral = |c: char| c.is_ascii_digit() || is_han_numeral(c);
    let is_glued = match (back(2), back(1)) {
        (_, Some('-' | '–' | '±' | '点' | '又')) => true,
        // 数十毫秒; 次数3 is no numeral.
        (_, Some('数' | '几')) => chars.get(at).copied().is_some_and(is_han_numeral),
        (_, Some(c)) if is_han_numeral(c) => true,
        (Some(before), Some('.' | ',' | ':' | '—' | '~' | '至' | '到')) => is_numeral(before),
        (Some(before), Some(c)) => JOINTS.contains(c) && is_numeral(before),
        _ => false,
    };
    let place = back_over_space(chars, at, 0);
    is_glued
        || chars.get(place.wrapping_sub(1)) == Some(&'±')
        || NEGATIVES.iter().any(|word| word_before(chars, place, 0, word).is_some())
}
