//! V3: where a number begins, and whether its digits are a number at all.

use super::find::{name_end, skip_space};
use super::fold::{is_han_numeral, is_word_letter};
use super::number::excerpt;
use super::refusal::Refusal;
use super::scan::Term;

pub(super) enum Start {
    /// The digits belong to a name such as `P95`, which ends before `end`.
    Name { end: usize },
    /// A number begins at `at`; `hyphenated` to a word before it.
    Number { at: usize, hyphenated: bool },
}

/// Finds where the number of a digit begins, and whether it is one.
pub(super) fn start(chars: &[char], digit: usize, terms: &[Term]) -> Result<Start, Refusal> {
    let floor = terms.last().map_or(0, |term| term.end);
    let back = |at: usize| (at > floor).then(|| chars.get(at - 1).copied()).flatten();
    let mut at = digit;
    if back(at) == Some('.') && back(at - 1) != Some('.') {
        at -= 1;
    }
    let Some(before) = back(at) else { return Ok(Start::Number { at, hyphenated: false }) };
    if is_word_letter(before) {
        let begin = name_start(chars, at, floor);
        let name = excerpt(chars, begin);
        let only_x = matches!(chars.get(begin..at), Some(['x' | 'X']));
        // `720ms x3`: three runs of it to some, a product to others.
        if only_x && !terms.is_empty() && skip_space(chars, floor) == begin {
            return Err(Refusal::Joined { text: name });
        }
        return match terms.is_empty() {
            true => Err(Refusal::Glued { text: name }),
            false => Ok(Start::Name { end: name_end(chars, digit) }),
        };
    }
    if is_han_numeral(before) {
        return Err(Refusal::HanNumeral { found: before });
    }
    match before {
        '+' | '-' => signed(chars, at, floor, terms),
        '–' | '—' | '―' | '‐' | '‑' | '‒' | '﹣' | '⁻' => {
            let touches_term = at - 1 == floor && !terms.is_empty();
            let spoken = matches!(before, '—' | '―')
                && back(at - 1).is_some_and(|c| c.is_alphabetic() || matches!(c, '—' | ')'));
            match touches_term || spoken {
                true => Ok(Start::Number { at, hyphenated: false }),
                false => Err(Refusal::Sign { text: around(chars, at) }),
            }
        }
        _ => match terms.is_empty() && detached_dash(chars, at) {
            true => Err(Refusal::Sign { text: around(chars, at) }),
            false => Ok(Start::Number { at, hyphenated: false }),
        },
    }
}

/// A sign touches its digit and follows the start, a space or one of a few signs. A hyphen that touches the term
/// before it joins the two; any other place has two readings, unless it belongs to a name.
fn signed(chars: &[char], at: usize, floor: usize, terms: &[Term]) -> Result<Start, Refusal> {
    let sign = at - 1;
    let before = (sign > 0).then(|| chars.get(sign - 1).copied()).flatten();
    let follows = before.is_none_or(|c| c.is_whitespace() || "([=:,/~<>≤≥".contains(c));
    if follows {
        return Ok(Start::Number { at: sign, hyphenated: false });
    }
    if sign == floor && !terms.is_empty() {
        return Ok(Start::Number { at, hyphenated: false });
    }
    let is_name = !terms.is_empty()
        && chars.get(sign) == Some(&'-')
        && before.is_some_and(|c| is_word_letter(c) || c.is_ascii_digit());
    match is_name {
        true => Ok(Start::Number { at, hyphenated: true }),
        false => Err(Refusal::Sign { text: around(chars, at) }),
    }
}

/// `- 5ms`: a bullet to some, a minus to others.
fn detached_dash(chars: &[char], at: usize) -> bool {
    let before: Vec<char> =
        chars.get(..at).unwrap_or_default().iter().copied().filter(|c| !c.is_whitespace()).collect();
    match before.as_slice() {
        [.., prior, dash] => is_dash(*dash) && "([=:,/~<>≤≥".contains(*prior),
        [dash] => is_dash(*dash),
        [] => false,
    }
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '–' | '‐' | '‑' | '‒' | '—' | '―' | '+')
}

fn name_start(chars: &[char], at: usize, floor: usize) -> usize {
    let letters =
        chars.get(floor..at).unwrap_or_default().iter().rev().take_while(|c| is_word_letter(**c)).count();
    at - letters
}

pub(super) fn around(chars: &[char], at: usize) -> String {
    let from = at.saturating_sub(4);
    chars.get(from..).unwrap_or_default().iter().take(16).collect::<String>().trim().to_owned()
}
