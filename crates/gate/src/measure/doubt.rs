//! What stands beside the number and makes it doubtful: a word for nothing, a unit elsewhere, a number in words.

use super::cluster::Cluster;
use super::find::{longest_han, skip_space, word_end};
use super::fold::{is_cjk, is_han_numeral, is_word_letter};
use super::refusal::Refusal;
use super::sentinel::denies_value;
use super::unit::{Quantity, Row, Unit, by_spelling, spelled_out};

/// Words that say that there is no value, beside others: `N/A (limit 800ms)`.
pub(super) fn denials(chars: &[char]) -> Result<(), Refusal> {
    let refused = |text: &str| Err(Refusal::NotANumber { text: text.to_owned() });
    let begin = skip_space(chars, 0);
    if chars.get(begin) == Some(&'-') && chars.get(begin + 1).is_some_and(|c| *c == '-' || c.is_whitespace())
    {
        return refused("-");
    }
    if chars.contains(&'∞') {
        return refused("∞");
    }
    let holds = |word: &[char]| chars.windows(word.len()).any(|window| window == word);
    if holds(&['无', '穷']) {
        return refused("无穷");
    }
    // A sign in words is a sign, and would be overlooked.
    for word in [&['负'][..], &['零', '下']] {
        if holds(word) {
            return refused(&word.iter().collect::<String>());
        }
    }
    if holds(&['N', '/', 'A']) {
        return refused("N/A");
    }
    match words(chars).find(|(_, _, word)| denies_value(word)) {
        Some((_, _, word)) => refused(&word),
        None => Ok(()),
    }
}

/// Every word of letters, with where it begins and ends; names with digits in them are none.
fn words(chars: &[char]) -> impl Iterator<Item = (usize, usize, String)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let begin =
                (at..chars.len()).find(|place| chars.get(*place).is_some_and(|c| is_word_letter(*c)))?;
            at = word_end(chars, begin).max(begin + 1);
            let glued =
                |place: Option<usize>| place.and_then(|p| chars.get(p)).is_some_and(char::is_ascii_digit);
            if !glued(begin.checked_sub(1)) && !glued(Some(at)) {
                return Some((begin, at, chars.get(begin..at).unwrap_or_default().iter().collect()));
            }
        }
    })
}

/// English numbers in words that can stand before a unit.
const NUMBER_WORDS: &[&str] = &[
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "fifteen", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    "hundred", "thousand", "million", "half", "dozen",
];

/// A unit of the table at a place, after optional white space.
fn unit_after(chars: &[char], at: usize) -> Option<(Unit, usize)> {
    let place = skip_space(chars, at);
    if chars.get(place).is_some_and(|c| is_cjk(*c)) {
        return longest_han(chars, place).map(|(row, end)| (Unit::Known(row), end));
    }
    let end = word_end(chars, place);
    let word: String = chars.get(place..end)?.iter().collect();
    by_spelling(&word).map(|row| (Unit::Known(row), end))
}

/// `Time (s): 1.2` or `秒：20` against ms: the unit is there, and not beside the number. A unit that belongs to
/// another number of the text is none of this one's.
pub(super) fn unit_elsewhere(
    chars: &[char],
    clusters: &[Cluster<'_>],
    expected: &Unit,
) -> Result<(), Refusal> {
    let refused = |unit: &str| Err(Refusal::UnitElsewhere { unit: unit.to_owned() });
    let attached = |begin: usize| {
        let before = chars.get(..begin).unwrap_or_default().iter().rev().find(|c| !c.is_whitespace());
        clusters.iter().any(|cluster| cluster.holds(begin)) || before.is_some_and(char::is_ascii_digit)
    };
    for (begin, _, word) in words(chars) {
        match named(&word) {
            Some(unit) if !attached(begin) && unit != expected.name() => return refused(unit),
            _ => {}
        }
    }
    // Chinese has no words to look for: only a unit that stands alone, ends a run before the number, is in brackets,
    // or is called a unit.
    for (begin, end) in han_runs(chars) {
        let whole = chars.get(begin..end).filter(|run| run.len() <= LONGEST_HAN).unwrap_or_default();
        let before = || clusters.first().and_then(|first| time_before(chars, begin, end, first));
        match named(&whole.iter().collect::<String>()).or_else(|| before().map(|row| row.name)) {
            Some(unit) if !attached(begin) && unit != expected.name() => return refused(unit),
            _ => {}
        }
    }
    for (at, c) in chars.iter().enumerate() {
        let says_unit = at > 0 && chars.get(at - 1..=at) == Some(&['单', '位']);
        if !says_unit && !matches!(c, '(' | '[') {
            continue;
        }
        let rest = chars.get(at + 1..).unwrap_or_default();
        let place = at + 1 + rest.iter().take_while(|c| " :为是".contains(**c)).count();
        if let Some((row, end)) = longest_han(chars, place)
            && row.name != expected.name()
            && (says_unit || matches!(chars.get(end), Some(')' | ']')))
        {
            return refused(row.name);
        }
    }
    Ok(())
}

/// The unit that a word names, by its sign or written out. Some of these words are prose in the singular: `the second run`.
fn named(word: &str) -> Option<&'static str> {
    const PROSE: [&str; 7] = ["second", "minute", "hour", "pixel", "byte", "frame", "frames"];
    // It names neither of the two that it may mean.
    if word == "KB" {
        return Some("KB");
    }
    let is_prose = PROSE.iter().any(|known| known.eq_ignore_ascii_case(word));
    by_spelling(word).map(|row| row.name).or_else(|| spelled_out(word).filter(|_| !is_prose))
}

/// The longest Chinese unit of the table has so many characters: 毫秒, 分钟, 小时.
const LONGEST_HAN: usize = 2;

/// Every run of Han characters, as where it begins and ends.
fn han_runs(chars: &[char]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let begin = (at..chars.len()).find(|place| chars.get(*place).is_some_and(|c| is_cjk(*c)))?;
        at = begin + chars.get(begin..).unwrap_or_default().iter().take_while(|c| is_cjk(**c)).count();
        Some((begin, at))
    })
}

/// `耗时秒：20`: a unit of time that ends the run before the first number. 分 ends other words as well (`得分`).
fn time_before(chars: &[char], begin: usize, end: usize, first: &Cluster<'_>) -> Option<&'static Row> {
    let leads = chars.get(end..first.head.head)?.iter().all(|c| " \t:(=".contains(*c));
    let ends = matches!(chars.get(end.checked_sub(1)?), Some('秒' | '钟' | '时'));
    if !leads || !ends {
        return None;
    }
    let unit = (begin..end).find_map(|at| longest_han(chars, at).filter(|(_, after)| *after == end));
    unit.map(|(row, _)| row).filter(|row| row.quantity == Quantity::Time)
}

/// A number in words with a unit that is expected could be the value, and is not read.
pub(super) fn number_words(
    chars: &[char],
    first: &Cluster<'_>,
    expected: &dyn Fn(&Unit) -> bool,
) -> Result<(), Refusal> {
    let refused = |from: usize, end: usize| {
        Err(Refusal::NumberWord { text: chars.get(from..end).unwrap_or_default().iter().collect() })
    };
    for (at, c) in chars.iter().enumerate() {
        if matches!(chars.get(at..at + 3), Some(['分', '之', numeral]) if is_han_numeral(*numeral)) {
            return refused(at, at + 3);
        }
        let ordinal = at > 0 && chars.get(at - 1) == Some(&'第');
        if ordinal || !is_han_numeral(*c) {
            continue;
        }
        if let Some((unit, end)) = unit_after(chars, at + 1)
            && expected(&unit)
        {
            return refused(at, end);
        }
    }
    for (begin, end, word) in words(chars) {
        if first.holds(begin) || !NUMBER_WORDS.iter().any(|known| known.eq_ignore_ascii_case(&word)) {
            continue;
        }
        if let Some((unit, end)) = unit_after(chars, end)
            && expected(&unit)
        {
            return refused(begin, end);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::find::Declared;
    use super::super::read::{Target, read};
    use super::*;
    use crate::audit::Scale;

    fn refusal(text: &str) -> Option<Refusal> {
        let target = Target { declared: Some(Declared::new("ms").unwrap()) };
        read(text, &target, &Scale::default()).err()
    }

    #[test]
    fn doubts_name_what_they_rest_on() {
        let word = |text: &str| Some(Refusal::NumberWord { text: text.to_owned() });
        let nothing = |text: &str| Some(Refusal::NotANumber { text: text.to_owned() });
        let elsewhere = |unit: &str| Some(Refusal::UnitElsewhere { unit: unit.to_owned() });
        let table = [
            ("720ms, 其中成分之三", word("分之三")),
            ("720ms, 之前是八百毫秒", word("百毫秒")),
            ("720ms, once two seconds", None),
            ("720ms, once two s", word("two s")),
            ("720ms, 第三秒", None),
            ("720ms on the first run", None),
            ("720ms, then NaN", nothing("NaN")),
            ("720ms (N/A before)", nothing("N/A")),
            ("720ms, 趋于无穷", nothing("无穷")),
            ("720ms, was ∞", nothing("∞")),
            ("- 720ms", Some(Refusal::Sign { text: "- 720ms".to_owned() })),
            ("Time (s): 1.2", elsewhere("s")),
            ("耗时(秒): 1.2", elsewhere("s")),
            ("耗时 单位为秒 1.2", elsewhere("s")),
            ("Time (ms): 720", None),
            ("Time in seconds: 1.2", elsewhere("s")),
            ("1.2 (sec)", elsewhere("s")),
            ("1.2（秒钟）", elsewhere("s")),
            ("Time in milliseconds: 720", None),
            ("second run: 720", None),
            ("720 (5 seconds later)", None),
            ("秒20", elsewhere("s")),
            ("秒：20", elsewhere("s")),
            ("2：分", elsewhere("min")),
            ("耗时秒 20", elsewhere("s")),
            ("毫秒：20", None),
            ("得分 20", None),
            ("本次：720", None),
            ("首帧 720", None),
            ("720 (60fps)", None),
            ("720 (5ms/s)", None),
        ];
        for (text, expected) in table {
            assert_eq!(refusal(text), expected, "{text}");
        }
    }
}
