//! Whether a statement in prose holds a measure: a number that two auditors could judge differently.

use std::ops::Range;

use super::find::{Scan, longest_han, name_end, scan as scan_unit, skip_space, word_end};
use super::fold::{fold_char, is_cjk, is_han_numeral, is_word_letter};
use super::unit::by_spelling;

/// A measure in a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// The number with its unit, as written.
    pub text: String,
}

/// The first number of a statement, with its unit: in ASCII, full-width or Chinese numerals.
///
/// Numbers inside names are none: glued or hyphenated to letters before (`HTTP2`, `P-01`, `DW-PERF-01`, `v2.1`) or
/// to letters after that are no unit (`3D`, `5G`, `1st`), and versions and dates of three parts. Chinese
/// numerals count with a unit of the table (`八百毫秒`, `三秒`); ordinals (`第一次`), the article (`一个`) and the
/// adverb `十分` do not, nor does `一帧`.
pub fn contains_measure(statement: &str) -> Option<Found> {
    let chars: Vec<char> = statement.chars().map(fold_char).collect();
    let mut at = 0;
    while at < chars.len() {
        match span_at(&chars, at) {
            Some(Span::Measure(end)) => return found(statement, at, end),
            Some(Span::Skip(end)) => at = end.max(at + 1),
            None => at += 1,
        }
    }
    None
}

/// What begins at a place that holds a numeral.
pub(super) enum Span {
    /// A measure that ends before the place.
    Measure(usize),
    /// A numeral that measures nothing, and ends before the place.
    Skip(usize),
}

/// Reads the numeral that begins at a place, if one does. The text is folded.
pub(super) fn span_at(chars: &[char], at: usize) -> Option<Span> {
    match chars.get(at) {
        Some(c) if c.is_ascii_digit() => Some(digits(chars, at)),
        Some(c) if is_han_numeral(*c) || *c == '〇' => Some(han(chars, at)),
        _ => None,
    }
}

fn digits(chars: &[char], at: usize) -> Span {
    let end = number_end(chars, at);
    if is_named(chars, at) || has_three_parts(chars, at, end) {
        return Span::Skip(name_end(chars, end));
    }
    let touching = chars.get(end).is_some_and(|c| is_word_letter(*c));
    if touching {
        let word: String = chars.get(end..word_end(chars, end)).unwrap_or_default().iter().collect();
        let counts = by_spelling(&word).is_some() || ["x", "k", "w", "KB"].contains(&word.as_str());
        return match counts {
            true => Span::Measure(unit_end(chars, end)),
            false => Span::Skip(name_end(chars, end)),
        };
    }
    Span::Measure(unit_end(chars, end))
}

fn number_end(chars: &[char], at: usize) -> usize {
    let mut end = at;
    while let Some(c) = chars.get(end) {
        let inside = matches!(c, '.' | ',' | ':') && chars.get(end + 1).is_some_and(char::is_ascii_digit);
        if c.is_ascii_digit() || inside {
            end += 1;
        } else {
            break;
        }
    }
    end
}

/// Whether letters stand before the digits, glued or with a hyphen, underscore or point between; or a `#`.
fn is_named(chars: &[char], at: usize) -> bool {
    let back = |steps: usize| at.checked_sub(steps).and_then(|place| chars.get(place)).copied();
    match (back(2), back(1)) {
        (_, Some('#')) => true,
        (_, Some(c)) if is_word_letter(c) => true,
        (Some(c), Some('-' | '.' | '/')) => is_word_letter(c) || c.is_ascii_digit(),
        _ => false,
    }
}

/// `2.1.0`, `2026-11-30`.
fn has_three_parts(chars: &[char], at: usize, end: usize) -> bool {
    let points = chars.get(at..end).unwrap_or_default().iter().filter(|c| **c == '.').count();
    let rest = chars.get(end..).unwrap_or_default();
    let parts = rest.split(|c| !c.is_ascii_digit() && *c != '-').next().unwrap_or_default();
    let dashes = parts.windows(2).filter(|pair| matches!(pair, ['-', d] if d.is_ascii_digit())).count();
    points > 1 || dashes > 1
}

fn unit_end(chars: &[char], at: usize) -> usize {
    match scan_unit(chars, skip_space(chars, at), None) {
        Scan::Unit { unit: super::Unit::Known(_), end } => end,
        _ => at,
    }
}

fn han(chars: &[char], at: usize) -> Span {
    let run =
        chars.get(at..).unwrap_or_default().iter().take_while(|c| is_han_numeral(**c) || **c == '〇').count();
    let end = at + run;
    let numeral = chars.get(at..end).unwrap_or_default();
    let next = chars.get(end).copied();
    if at > 0 && chars.get(at - 1) == Some(&'第') {
        return Span::Skip(end);
    }
    let very = matches!(numeral, ['十' | '万']) && next == Some('分') && chars.get(end + 1) != Some(&'钟');
    let percent = numeral.ends_with(&['百']) && next == Some('分') && chars.get(end + 1) == Some(&'之');
    if percent && chars.get(end + 2).is_some_and(|c| is_han_numeral(*c) || c.is_ascii_digit()) {
        let rest = chars
            .get(end + 2..)
            .unwrap_or_default()
            .iter()
            .take_while(|c| is_han_numeral(**c) || c.is_ascii_digit());
        return Span::Measure(end + 2 + rest.count());
    }
    let place = skip_space(chars, end);
    let unit = match chars.get(place) {
        Some(c) if is_cjk(*c) => longest_han(chars, place),
        Some(c) if is_word_letter(*c) => {
            let stop = word_end(chars, place);
            let word: String = chars.get(place..stop).unwrap_or_default().iter().collect();
            by_spelling(&word).map(|row| (row, stop))
        }
        _ => None,
    };
    match unit {
        Some((row, _)) if numeral == ['一'] && matches!(row.name, "个" | "次" | "条" | "fps") => {
            Span::Skip(end)
        }
        Some((_, stop)) if !very => Span::Measure(stop),
        _ => Span::Skip(end),
    }
}

fn found(statement: &str, from: usize, to: usize) -> Option<Found> {
    let byte = |place: usize| statement.char_indices().nth(place).map_or(statement.len(), |(at, _)| at);
    let range = byte(from)..byte(to);
    let text = statement.get(range.clone())?.to_owned();
    Some(Found { range, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements() {
        let table = [
            ("Cold start to first frame ≤ 800ms", Some("800ms")),
            ("Cold start ≤ 800 ms", Some("800 ms")),
            ("间距为１２vp", Some("１２vp")),
            ("冷启动不超过八百毫秒", Some("八百毫秒")),
            ("三秒内完成", Some("三秒")),
            ("成功率不低于百分之九十五", Some("百分之九十五")),
            ("半秒内响应", Some("半秒")),
            ("十秒内完成", Some("十秒")),
            ("三分内完成", Some("三分")),
            ("十分钟内完成", Some("十分钟")),
            ("at least 3 items", Some("3")),
            ("contrast 4.5:1", Some("4.5:1")),
            ("no more than 1,000 nodes", Some("1,000")),
            ("两个按钮", Some("两个")),
            ("10 分钟", Some("10 分钟")),
            ("see P-01 and DW-PERF-01", None),
            ("uses HTTP2 and UTF-8", None),
            ("release v2.1 or 2.1.0", None),
            ("issue #12", None),
            ("3D touch on 5G", None),
            ("第一次打开时显示一个提示，没有一帧丢失", None),
            ("动画十分流畅", None),
            ("统一的风格", None),
            ("dated 2026-11-30", None),
            ("The empty state feels calm", None),
            ("", None),
        ];
        for (statement, text) in table {
            let found = contains_measure(statement);
            assert_eq!(found.as_ref().map(|f| f.text.as_str()), text, "{statement}");
            if let Some(found) = found {
                assert_eq!(&statement[found.range], found.text);
            }
        }
    }
}
