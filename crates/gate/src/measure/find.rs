//! V4: how a unit is found after a number.

use unicode_normalization::UnicodeNormalization;

use super::fold::{fold_char, is_cjk, is_word_letter};
use super::refusal::Refusal;
use super::unit::{Quantity, Row, UNITS, Unit, by_spelling};

/// The unit that an assertion declares, as read and as written.
#[derive(Clone, Debug)]
pub struct Declared {
    /// As read.
    pub unit: Unit,
    /// As written and folded, where it is a word that the table lacks: it is looked for to the letter.
    spelling: Vec<char>,
}

impl Declared {
    /// Reads the `unit` of an assertion.
    pub fn new(text: &str) -> Result<Self, Refusal> {
        let unit = Unit::declared(text)?;
        let spelling = match &unit {
            Unit::Known(_) => Vec::new(),
            Unit::Opaque(_) => text.trim().chars().map(fold_char).collect(),
        };
        Ok(Declared { unit, spelling })
    }
}

impl From<Unit> for Declared {
    fn from(unit: Unit) -> Self {
        Declared { unit, spelling: Vec::new() }
    }
}

/// What stands at a place where a unit may stand.
#[derive(Debug)]
pub(crate) enum Scan {
    /// No unit.
    Nothing,
    /// A unit that ends before `end`.
    Unit {
        /// The unit.
        unit: Unit,
        /// One past its last character.
        end: usize,
    },
    /// A word with digits in it, such as `P95`: a name, and no unit of the table.
    Identifier {
        /// Its letters up to the first digit.
        letters: String,
        /// The whole of it, equal only to itself.
        unit: Unit,
        /// One past its last character.
        end: usize,
    },
}

/// Reads the unit at `at`: the longest of the table (or the declared one), else any word; then `/x`, `per x`, `每x`.
pub(crate) fn scan(chars: &[char], at: usize, declared: Option<&Declared>) -> Scan {
    if let Some((unit, end)) = declared.and_then(|d| Some((d.unit.clone(), literal(chars, at, &d.spelling)?)))
    {
        return per(chars, unit, end);
    }
    // `720/s` and `720 per s`: a unit of its own, without a numerator.
    if let Some((divisor, end)) = divisor(chars, at) {
        return Scan::Unit { unit: Unit::Opaque(format!("/{divisor}")), end };
    }
    match simple(chars, at) {
        Scan::Unit { unit, end } => per(chars, unit, end),
        other => other,
    }
}

/// An opaque unit that the assertion declares, to the letter, with nothing that continues it.
fn literal(chars: &[char], at: usize, unit: &[char]) -> Option<usize> {
    let end = at.checked_add(unit.len())?;
    let same = !unit.is_empty() && chars.get(at..end)? == unit;
    let continues = chars.get(end).is_some_and(|c| is_word_letter(*c) || c.is_ascii_digit() || is_cjk(*c));
    (same && !continues).then_some(end)
}

/// A unit without a divisor.
fn simple(chars: &[char], at: usize) -> Scan {
    let Some(&head) = chars.get(at) else { return Scan::Nothing };
    if matches!(head, '%' | '‰' | '℃') {
        return unit_between(chars, at, at + 1);
    }
    if head == '°' {
        let end = if matches!(chars.get(at + 1), Some('C')) { at + 2 } else { at + 1 };
        return unit_between(chars, at, end);
    }
    if is_word_letter(head) {
        let end = word_end(chars, at);
        return match chars.get(end) {
            Some(c) if c.is_ascii_digit() => identifier(chars, at, end),
            _ => unit_between(chars, at, end),
        };
    }
    if is_cjk(head) {
        return han_unit(chars, at);
    }
    match head {
        '$' | '€' | '£' | '¥' | '￥' | '₩' | '₹' | '‱' | '℉' | '¢' => {
            unit_between(chars, at, at + 1)
        }
        _ => Scan::Nothing,
    }
}

fn identifier(chars: &[char], at: usize, digits: usize) -> Scan {
    let end = name_end(chars, digits);
    let text = |end: usize| chars.get(at..end).unwrap_or_default().iter().collect::<String>();
    Scan::Identifier { letters: text(digits), unit: Unit::Opaque(text(end).nfc().collect()), end }
}

/// The end of a name: letters, digits, and points or hyphens between them.
pub(crate) fn name_end(chars: &[char], at: usize) -> usize {
    let part = |c: &char| is_word_letter(*c) || c.is_ascii_digit();
    let mut end = at;
    while let Some(c) = chars.get(end) {
        if part(c) || (matches!(c, '.' | '-') && chars.get(end + 1).is_some_and(part)) {
            end += 1;
        } else {
            break;
        }
    }
    end
}

fn unit_between(chars: &[char], from: usize, end: usize) -> Scan {
    let word: String = chars.get(from..end).unwrap_or_default().iter().collect();
    let unit = match by_spelling(&word) {
        Some(row) => Unit::Known(row),
        None => Unit::Opaque(word.nfc().collect()),
    };
    Scan::Unit { unit, end }
}

/// The end of a word: letters, with hyphens, apostrophes and middle dots between letters (`mA·h`, `drop-outs`).
pub(crate) fn word_end(chars: &[char], at: usize) -> usize {
    let mut end = at;
    while let Some(&c) = chars.get(end) {
        let joins = matches!(c, '-' | '\'' | '’' | '·' | '⋅' | '•' | '‐' | '‑') && end > at;
        let goes_on = chars.get(end + 1).is_some_and(|next| is_word_letter(*next));
        if is_word_letter(c) || (joins && goes_on) {
            end += 1;
        } else {
            break;
        }
    }
    end
}

/// Chinese has no spaces: the longest unit of the table, unless what follows makes it another word
/// (`分贝` is no minute, `2个小时` counts no things), then the whole run.
fn han_unit(chars: &[char], at: usize) -> Scan {
    let run = at + chars.get(at..).unwrap_or_default().iter().take_while(|c| is_cjk(**c)).count();
    match longest_han(chars, at) {
        Some((row, end)) if !becomes_another(chars, row, end) => Scan::Unit { unit: Unit::Known(row), end },
        _ => unit_between(chars, at, run),
    }
}

/// The longest Han spelling of the table at a place.
pub(crate) fn longest_han(chars: &[char], at: usize) -> Option<(&'static Row, usize)> {
    let spelled = |spelling: &str| {
        let mut end = at;
        for c in spelling.chars() {
            if chars.get(end) != Some(&c) {
                return None;
            }
            end += 1;
        }
        Some(end)
    };
    UNITS
        .iter()
        .flat_map(|row| row.spellings.iter().map(move |spelling| (row, *spelling)))
        .filter(|(_, spelling)| spelling.starts_with(is_cjk))
        .filter_map(|(row, spelling)| spelled(spelling).map(|end| (row, end)))
        .max_by_key(|(_, end)| *end)
}

fn becomes_another(chars: &[char], row: &Row, end: usize) -> bool {
    let Some(&next) = chars.get(end) else { return false };
    let follows_unit = row.quantity == Quantity::Count && longest_han(chars, end).is_some();
    let another = match row.name {
        "min" if chars.get(end.wrapping_sub(1)) == Some(&'分') => {
            is_cjk(next) && !"以之内左右上下多半的和，即时间用完或每后".contains(next)
        }
        "个" => next == '月',
        "条" => matches!(next, '件' | '款'),
        "fps" => matches!(next, '率' | '数'),
        _ => false,
    };
    follows_unit || another
}

/// Adds every divisor that follows: `ms` then `/s` is `ms/s`.
fn per(chars: &[char], unit: Unit, end: usize) -> Scan {
    let (mut unit, mut end) = (unit, end);
    while let Some((divisor, after)) = divisor(chars, end) {
        let name = format!("{}/{divisor}", unit.name());
        unit = match by_spelling(&name) {
            Some(row) => Unit::Known(row),
            None => Unit::Opaque(name),
        };
        end = after;
    }
    Scan::Unit { unit, end }
}

/// `/x`, `per x`, `每x`, with white space or an opening bracket before: the canonical name of x.
fn divisor(chars: &[char], at: usize) -> Option<(String, usize)> {
    let mut place = skip_space(chars, at);
    if chars.get(place) == Some(&'(') {
        place = skip_space(chars, place + 1);
    }
    let after = match chars.get(place)? {
        '/' | '每' => place + 1,
        c if is_word_letter(*c) => {
            let end = word_end(chars, place);
            let word: String = chars.get(place..end)?.iter().collect();
            if !word.eq_ignore_ascii_case("per") {
                return None;
            }
            end
        }
        _ => return None,
    };
    match simple(chars, skip_space(chars, after)) {
        Scan::Unit { unit, end } | Scan::Identifier { unit, end, .. } => Some((unit.name().to_owned(), end)),
        Scan::Nothing => None,
    }
}

pub(crate) fn skip_space(chars: &[char], at: usize) -> usize {
    at + chars.get(at..).unwrap_or_default().iter().take_while(|c| c.is_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(String, usize)> {
        let chars: Vec<char> = text.chars().collect();
        match scan(&chars, 0, None) {
            Scan::Unit { unit, end } => Some((unit.name().to_owned(), end)),
            _ => None,
        }
    }

    #[test]
    fn the_longest_unit_wins() {
        let table = [
            ("ms", "ms", 2),
            ("MS later", "ms", 2),
            ("ms/s", "ms/s", 4),
            ("毫秒/秒", "ms/s", 4),
            ("ms per frame", "ms/frame", 12),
            ("帧每秒", "fps/s", 3),
            ("min", "min", 3),
            ("minutes", "minutes", 7),
            ("m", "m", 1),
            ("分钟左右", "min", 2),
            ("分以内", "min", 1),
            ("分贝", "分贝", 2),
            ("个小时", "个小时", 3),
            ("个文件", "个", 1),
            ("lpx", "lpx", 3),
            ("vp间距", "vp", 2),
            ("mb", "mb", 2),
            ("KB", "KB", 2),
            ("mA·h", "mA·h", 4),
            ("B-frames", "B-frames", 8),
            ("°C", "°C", 2),
            ("/s", "/s", 2),
        ];
        for (text, name, end) in table {
            assert_eq!(found(text), Some((name.to_owned(), end)), "{text}");
        }
        assert_eq!(found("P95"), None);
        assert_eq!(found(") ms"), None);
    }
}
