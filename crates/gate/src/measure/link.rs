//! V7: how the characters between two numbers link them.

use super::find::{Declared, skip_space};
use super::refusal::Refusal;
use super::scan::{Term, is_ratio};
use super::unit::Unit;

/// How a term follows the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// It begins a clause of its own.
    Apart,
    /// `/ 、 ; |`, or a comma.
    List(char),
    /// `-`, `–`, `~`, `至`, `到`, `to`.
    Range,
    /// `±`.
    PlusMinus,
}

/// Words that join two numbers into a range.
const RANGES: &[&str] = &["to", "through", "thru", "until", "till", "至", "到", "直到", "直至"];

/// Those of them that also say when or where: `720ms until 3 images are shown`.
const PREPOSITIONS: &[&str] = &["through", "thru", "until", "till"];

/// Words that do so between 介于 or `between` and the second number, or before 之间.
const FRAMED: &[&str] = &["and", "和", "与", "跟", "及"];

/// Words and letters that calculate with two numbers.
const CALCULATIONS: &[&str] = &[
    "x",
    "by",
    "times",
    "plus",
    "minus",
    "multiplied by",
    "divided by",
    "加",
    "加上",
    "减",
    "减去",
    "乘",
    "乘以",
    "除以",
];

/// Words and signs before a number that are no bound; a range may end in about so much.
const ABOUT: &[&str] =
    &["about", "approximately", "around", "roughly", "约为", "大约", "约", "大概", "≈", "~"];

/// Two terms and what stands between them and about them.
pub(super) struct Gap<'a> {
    /// The characters between the two.
    pub between: &'a [char],
    /// The first.
    pub last: &'a Term,
    /// The unit of the second.
    pub unit: Option<&'a Unit>,
    /// Whether 介于 or `between` stands before the first, or 之间 after the second.
    pub framed: bool,
}

impl Gap<'_> {
    fn is_of_one_quantity(&self) -> bool {
        match (&self.last.unit, self.unit) {
            (Some(first), Some(second)) => first.comparable(second),
            _ => true,
        }
    }
}

/// How the characters between two terms link them.
pub(super) fn link(gap: &Gap<'_>, declared: Option<&Declared>) -> Result<Link, Refusal> {
    let Gap { between, last, .. } = gap;
    let text: String = between.iter().collect();
    let trimmed = text.trim();
    let joined = || Refusal::Joined { text: trimmed.to_owned() };
    let spaced_after = between.last().is_some_and(|c| c.is_whitespace());
    match trimmed {
        "" if matches!(last.unit, Some(Unit::Known(_))) && last.bound.is_none() => Err(Refusal::Compound),
        "" => Err(Refusal::Adjacent),
        _ if is_one_of(PREPOSITIONS, trimmed) && !gap.is_of_one_quantity() => Ok(Link::Apart),
        _ if is_range(trimmed) || (gap.framed && is_one_of(FRAMED, trimmed)) => Ok(Link::Range),
        "±" => Ok(Link::PlusMinus),
        "/" | "、" | ";" | "|" => Ok(Link::List(trimmed.chars().next().unwrap_or('/'))),
        "," if spaced_after || (last.unit.is_some() && gap.unit.is_some()) => Ok(Link::List(',')),
        "," => Err(joined()),
        ":" => match between.first() == Some(&':') && !declared.is_some_and(|d| is_ratio(&d.unit)) {
            true => Ok(Link::Apart),
            false => Err(Refusal::Colon { text: trimmed.to_owned() }),
        },
        _ if is_one_of(CALCULATIONS, trimmed)
            || is_range(trimmed.trim_end_matches(|c| " ([{\"'“‘*`".contains(c))) =>
        {
            Err(joined())
        }
        _ if between.iter().any(|c| c.is_alphanumeric()) => Ok(Link::Apart),
        _ if trimmed.chars().all(|c| c == '*') => Err(joined()),
        _ if trimmed == "'" || trimmed == "\"" || trimmed == "`" => Err(joined()),
        // `1/(20)`, `2ms...9ms`, `2~(9)`: a fraction or a range that brackets or dots do not undo.
        _ if trimmed.contains('/') || trimmed.contains("..") || trimmed.starts_with('~') => Err(joined()),
        _ if between.iter().all(|c| c.is_whitespace() || separates(*c)) => Ok(Link::Apart),
        _ => Err(joined()),
    }
}

/// A sign or word that makes a range, and about after it.
fn is_range(text: &str) -> bool {
    let mut rest = text;
    while !matches!(rest, "-" | "–" | "~") && !is_one_of(RANGES, rest) {
        match ABOUT.iter().find_map(|about| strip_end(rest, about)) {
            Some(before) if !before.is_empty() => rest = before,
            _ => return false,
        }
    }
    true
}

fn strip_end<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (before, end) = text.split_at_checked(text.len().checked_sub(word.len())?)?;
    end.eq_ignore_ascii_case(word).then(|| before.trim_end())
}

fn is_one_of(words: &[&str], text: &str) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Punctuation that ends a clause or opens another. Signs that could calculate are not here.
fn separates(c: char) -> bool {
    ",.;:()[]{}<>=|/!?*`\"'。“”‘’【】「」《》、≤≥≈~".contains(c)
}

/// How far a number may stand from the word that joins it to a range.
const REACH: usize = 32;

/// Whether `至`, `到`, `to` or their like and a number follow: then they are no unit.
pub(super) fn joins_a_range(chars: &[char], start: usize, at: usize) -> bool {
    let rest = chars.get(skip_space(chars, at)..).unwrap_or_default();
    if !rest.first().is_some_and(|c| "tuaTUA至到直和与跟及".contains(*c)) {
        return false;
    }
    let Some(digit) = rest.iter().take(REACH).position(char::is_ascii_digit) else { return false };
    let signed = |place: usize| place > 0 && matches!(rest.get(place - 1), Some('+' | '-' | '.'));
    let end = if signed(digit) { digit - 1 } else { digit };
    let word: String = rest.get(..end).unwrap_or_default().iter().collect();
    // What touches the digit is a name, such as `to8`.
    if word.ends_with(|c: char| c.is_ascii_alphabetic()) {
        return false;
    }
    let word = word.trim();
    is_range(word) || (is_one_of(FRAMED, word) && opens_a_range(chars, start))
}

/// Whether 介于 or `between` stands before a number.
pub(super) fn opens_a_range(chars: &[char], at: usize) -> bool {
    let before = chars.get(..at).unwrap_or_default().iter().rev().skip_while(|c| c.is_whitespace());
    let before: String = before.take("between".len()).collect();
    before.starts_with("于介") || before.eq_ignore_ascii_case("neewteb")
}

/// Whether 之间 follows a number and its unit.
pub(super) fn closes_a_range(chars: &[char], at: usize) -> bool {
    matches!(chars.get(skip_space(chars, at)..), Some(['之', '间', ..]))
}
