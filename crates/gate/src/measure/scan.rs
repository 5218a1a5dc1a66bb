//! From folded characters to terms: each number with its unit, its bound, and how it is linked to the one before.

use super::bound::{self, Head, Tail};
use super::find::{Declared, Scan, scan as scan_unit, skip_space};
use super::fold::{is_cjk, is_han_numeral, is_word_letter};
use super::link::{Gap, Link, closes_a_range, joins_a_range, link, opens_a_range};
use super::number::{Number, excerpt, parse};
use super::refusal::Refusal;
use super::start::{Start, around, start};
use super::unit::{Unit, by_spelling};
use super::words::Bound;

/// A number and all that belongs to it.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    /// How it follows the one before.
    pub link: Link,
    /// The number; the first of a ratio.
    pub number: Number,
    /// What follows the colon of a ratio.
    pub divisor: Option<Box<Number>>,
    /// The unit beside it.
    pub unit: Option<Unit>,
    /// What a multiplier counts: errors in `5k errors`.
    pub counted: Option<Unit>,
    /// The bound that it is.
    pub bound: Option<Bound>,
    /// `per x` or `每x` stands before it in its clause.
    pub per_before: bool,
    /// Where it begins, with the words that make it a bound.
    pub head: usize,
    /// One past the end of its number, unit and words after.
    pub end: usize,
}

/// Reads all terms of a text, in order.
pub(crate) fn terms(chars: &[char], declared: Option<&Declared>) -> Result<Vec<Term>, Refusal> {
    // Nearly every value is one number.
    let mut terms: Vec<Term> = Vec::with_capacity(1);
    let mut at = 0;
    while let Some(digit) = next_digit(chars, at) {
        match start(chars, digit, &terms)? {
            Start::Name { end } => at = end,
            Start::Number { at: start, hyphenated } => {
                let term = term(chars, start, terms.last(), declared)?;
                let is_name = hyphenated && !matches!(term.unit, Some(Unit::Known(_)));
                if hyphenated && !is_name {
                    return Err(Refusal::Sign { text: around(chars, start) });
                }
                at = if is_name { term.number.end } else { term.end };
                if !is_name {
                    terms.push(term);
                }
            }
        }
    }
    Ok(terms)
}

fn next_digit(chars: &[char], at: usize) -> Option<usize> {
    (at..chars.len()).find(|place| chars.get(*place).is_some_and(char::is_ascii_digit))
}

/// Reads the term whose number begins at `start`.
fn term(
    chars: &[char],
    start: usize,
    last: Option<&Term>,
    declared: Option<&Declared>,
) -> Result<Term, Refusal> {
    let floor = last.map_or(0, |term| term.end);
    let number = parse(chars, start)?;
    let divisor = divisor(chars, &number)?;
    let end = divisor.as_ref().map_or(number.end, |b| b.end);
    ends_cleanly(chars, start, end)?;

    let Body { unit, bound: after, end } = match divisor {
        None => body(chars, &number, end, declared)?,
        Some(_) => ratio_body(chars, &number, end)?,
    };
    let link = match last {
        None => Link::Apart,
        Some(last) => {
            let between = chars.get(floor..start).unwrap_or_default();
            let framed = opens_a_range(chars, last.head) || closes_a_range(chars, end);
            link(&Gap { between, last, unit: unit.as_ref(), framed }, declared)?
        }
    };
    let (head, head_start) = match link {
        Link::Apart => bound::before(chars, start, floor),
        _ => (Head::Plain, start),
    };
    let before = match head {
        Head::Plain => None,
        Head::Bound(bound) => Some(bound),
        Head::Unclear => return Err(Refusal::UnclearBound),
        // Only the first number is the value; a later one may well be a change.
        Head::Altered if last.is_some() => None,
        Head::Altered => return Err(Refusal::Difference),
    };
    if last.is_none()
        && let Some(text) = bound::limit_before(chars, head_start)
    {
        return Err(Refusal::Limit { text });
    }
    let counted =
        unit.as_ref().filter(|unit| unit.only_multiplies()).and_then(|_| counted(chars, end, declared));
    trailing_comparison(chars, end)?;
    let bound = match (before, after) {
        (Some(a), Some(b)) if a != b => return Err(Refusal::MixedBounds),
        (a, b) => a.or(b),
    };
    let per_before = link == Link::Apart && per_before(chars, head_start, floor);
    Ok(Term { link, number, divisor, unit, counted, bound, per_before, head: head_start, end })
}

/// `a:b` with the colon touching both.
fn divisor(chars: &[char], number: &Number) -> Result<Option<Box<Number>>, Refusal> {
    let colon = number.end;
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    if number.trailing_point || chars.get(colon) != Some(&':') {
        return Ok(None);
    }
    if matches!(chars.get(colon + 1), Some('-' | '+' | '.')) && digit(colon + 2) {
        return Err(Refusal::Colon { text: excerpt(chars, number.start) });
    }
    if !digit(colon + 1) {
        return Ok(None);
    }
    let second = parse(chars, colon + 1)?;
    match chars.get(second.end) == Some(&':') && digit(second.end + 1) {
        true => Err(Refusal::Colon { text: excerpt(chars, number.start) }),
        false => Ok(Some(Box::new(second))),
    }
}

/// Refuses what touches the end of a number and would change it: `_`, `'`, `^`, a Chinese numeral, `-ms`.
fn ends_cleanly(chars: &[char], start: usize, end: usize) -> Result<(), Refusal> {
    let Some(&next) = chars.get(end) else { return Ok(()) };
    let trailing = || Err(Refusal::Trailing { text: excerpt(chars, end) });
    if is_han_numeral(next) {
        return Err(Refusal::HanNumeral { found: next });
    }
    let quoted = |open: &[char]| start > 0 && chars.get(start - 1).is_some_and(|c| open.contains(c));
    match next {
        // A foot or a minute to some, the end of a quotation to others.
        '_' | '^' | '\'' | '’' | '′' | '″' | '\\' | '#' => trailing(),
        '"' | '”' if !quoted(&['"', '“']) => trailing(),
        '-' if chars.get(end + 1).is_some_and(|c| is_word_letter(*c) || is_cjk(*c)) => trailing(),
        '分' if chars.get(end + 1) == Some(&'之')
            && chars.get(end + 2).is_some_and(|c| c.is_ascii_digit() || is_han_numeral(*c)) =>
        {
            trailing()
        }
        _ => Ok(()),
    }
}

struct Body {
    unit: Option<Unit>,
    bound: Option<Bound>,
    end: usize,
}

/// What follows a number: words that make it a bound, its unit, and such words again.
fn body(chars: &[char], number: &Number, end: usize, declared: Option<&Declared>) -> Result<Body, Refusal> {
    let mut bound = None;
    let mut at = end;
    match bound::after(chars, end, false) {
        Tail::Vague => return Err(Refusal::VagueNumber),
        Tail::Unclear => return Err(Refusal::UnclearBound),
        Tail::About(end) => return Ok(Body { unit: None, bound, end }),
        Tail::Bound(found, end) => (bound, at) = (Some(found), end),
        Tail::Plain | Tail::Difference => {}
    }
    let Some((unit, end)) = unit_at(chars, number, at, declared)? else {
        return Ok(Body { unit: None, bound, end: at });
    };
    if let Some(&found) = chars.get(end).filter(|c| is_han_numeral(**c)) {
        return Err(Refusal::HanNumeral { found });
    }
    if matches!(chars.get(end), Some('^' | '\'' | '’' | '′' | '″')) {
        return Err(Refusal::Trailing { text: excerpt(chars, end) });
    }
    after_unit(chars, Some(unit), bound, end)
}

/// What follows a ratio, whose unit is its colon: a unit of the table or a divisor, which make it no ratio, and any
/// other word as prose.
fn ratio_body(chars: &[char], number: &Number, end: usize) -> Result<Body, Refusal> {
    match unit_at(chars, number, end, None)? {
        Some((unit, end)) if matches!(unit, Unit::Known(_)) || unit.is_rate() => {
            Ok(Body { unit: Some(unit), bound: None, end })
        }
        _ => after_unit(chars, None, None, end),
    }
}

/// The words after a unit that make the value a bound, or a difference.
fn after_unit(chars: &[char], unit: Option<Unit>, bound: Option<Bound>, end: usize) -> Result<Body, Refusal> {
    match bound::after(chars, end, true) {
        Tail::Vague => Err(Refusal::VagueNumber),
        Tail::Unclear => Err(Refusal::UnclearBound),
        Tail::Difference => Err(Refusal::Difference),
        Tail::Plain => Ok(Body { unit, bound, end }),
        Tail::About(end) => Ok(Body { unit, bound, end }),
        Tail::Bound(found, _) if bound.is_some_and(|b| b != found) => Err(Refusal::MixedBounds),
        Tail::Bound(found, end) => Ok(Body { unit, bound: Some(found), end }),
    }
}

/// The unit or word after a multiplier.
fn counted(chars: &[char], end: usize, declared: Option<&Declared>) -> Option<Unit> {
    match scan_unit(chars, skip_space(chars, end), declared) {
        Scan::Unit { unit, .. } | Scan::Identifier { unit, .. } => Some(unit),
        Scan::Nothing => None,
    }
}

fn unit_at(
    chars: &[char],
    number: &Number,
    at: usize,
    declared: Option<&Declared>,
) -> Result<Option<(Unit, usize)>, Refusal> {
    if joins_a_range(chars, number.start, at) {
        return Ok(None);
    }
    let place = skip_space(chars, at);
    match scan_unit(chars, place, declared) {
        Scan::Nothing => Ok(None),
        Scan::Identifier { letters, unit, end } => {
            identifier(&letters, place == at).map(|()| Some((unit, end)))
        }
        // A point and a space end a sentence; what follows is a unit only if it is one of the table.
        Scan::Unit { unit: Unit::Opaque(_), .. } if number.trailing_point && place > at => Ok(None),
        Scan::Unit { unit, end } => Ok(Some((unit, end))),
    }
}

/// Refuses a word with digits that joins two numbers into neither: one that touches the number, or that would be a
/// unit but for its digits (`5 min2`). Any other is a name, equal only to itself.
fn identifier(letters: &str, touches: bool) -> Result<(), Refusal> {
    let is_unit = by_spelling(letters);
    match is_unit.is_some_and(|row| touches || row.spellings.contains(&letters)) {
        true => Err(Refusal::Compound),
        false if touches || matches!(letters, "e" | "E" | "x" | "X") => {
            Err(Refusal::Joined { text: letters.to_owned() })
        }
        false => Ok(()),
    }
}

/// `720ms >` with no number after it compares with nothing.
fn trailing_comparison(chars: &[char], end: usize) -> Result<(), Refusal> {
    let place = skip_space(chars, end);
    if !matches!(chars.get(place), Some('<' | '>' | '≤' | '≥')) {
        return Ok(());
    }
    let signs = chars.get(place..).unwrap_or_default();
    let rest = signs
        .iter()
        .find(|c| !c.is_whitespace() && !matches!(c, '<' | '>' | '≤' | '≥' | '=' | '+' | '-' | '.'));
    match rest {
        Some(c) if c.is_ascii_digit() => Ok(()),
        _ => Err(Refusal::Trailing { text: excerpt(chars, place) }),
    }
}

/// Whether `a:b` is read against the unit.
pub(crate) fn is_ratio(unit: &Unit) -> bool {
    matches!(unit, Unit::Known(row) if matches!(row.name, "ratio" | ":1"))
}

/// Whether `per` or `每` stands before a number in its clause.
fn per_before(chars: &[char], head: usize, floor: usize) -> bool {
    let before = chars.get(floor..head).unwrap_or_default();
    let clause = before.rsplit(|c| ",;。\n".contains(*c)).next().unwrap_or_default();
    let per = |word: &[char]| matches!(word, ['p' | 'P', 'e' | 'E', 'r' | 'R']);
    clause.contains(&'每') || clause.split(|c| !is_word_letter(*c)).any(per)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Told = (Link, String, Option<String>, Option<Bound>);

    fn read(text: &str) -> Result<Vec<Told>, Refusal> {
        let chars: Vec<char> = text.chars().collect();
        Ok(terms(&chars, None)?
            .into_iter()
            .map(|t| (t.link, t.number.value.to_decimal(), t.unit.map(|u| u.name().to_owned()), t.bound))
            .collect())
    }

    #[test]
    fn terms_and_links() {
        let ms = || Some("ms".to_owned());
        assert_eq!(
            read("700/720/760ms").unwrap(),
            [
                (Link::Apart, "700".into(), None, None),
                (Link::List('/'), "720".into(), None, None),
                (Link::List('/'), "760".into(), ms(), None)
            ]
        );
        assert_eq!(read("700 to 760 ms").unwrap()[1].0, Link::Range);
        assert_eq!(
            read("720ms (limit ≤ 800ms)").unwrap()[1],
            (Link::Apart, "800".into(), ms(), Some(Bound::AtMost))
        );
        assert_eq!(read("720ms at P95 of DW-PERF-01").unwrap().len(), 1);
        assert_eq!(read("-5 ~ -3").unwrap().len(), 2);
        for framed in ["between 5dB and 8dB", "介于5dB和8dB之间", "5dB和8dB之间", "5dB至约8dB"] {
            assert_eq!(read(framed).unwrap()[1].0, Link::Range, "{framed}");
        }
        for apart in ["5dB and 8dB", "5ms until 8 runs", "5ms (8 runs)", "5ms... then 8ms", "5ms (max 8ms)"] {
            assert_eq!(read(apart).unwrap()[1].0, Link::Apart, "{apart}");
        }
        assert_eq!(read("720 total9").unwrap()[0].2, Some("total9".into()));
        let ratio = |unit: Option<&str>| (Link::Apart, "4.9".to_owned(), unit.map(str::to_owned), None);
        assert_eq!(read("4.9:1 contrast").unwrap(), [ratio(None)]);
        assert_eq!(read("4.9:1 per frame").unwrap(), [ratio(Some("/frame"))]);
        assert_eq!(read("4.9:1 over 3 runs").unwrap()[1].2, Some("runs".into()));
        for range in [
            "-5 to -3 dB",
            "5 to +8 dB",
            "0.5 to .8 dB",
            "5到8 dB",
            "5 TO 8 dB",
            "5 through 8 dB",
            "5 to about 8 dB",
            "between 5 and 8 dB",
            "介于5和8 dB",
        ] {
            let terms = read(range).unwrap();
            assert_eq!(terms.len(), 2, "{range}");
            assert_eq!((&terms[0].2, terms[1].0), (&None, Link::Range), "{range}");
        }
    }

    #[test]
    fn texts_that_are_refused() {
        for text in [
            "48x40",
            "0x4B0",
            "1_200",
            "1'200",
            "1 200",
            "48×40",
            "48 * 40",
            "10^5",
            "5+3",
            "700→720ms",
            "12:30:45",
            "1s 200ms",
            "1分25秒",
            "P95: 3",
            "HTTP2",
            "–5ms",
            "- 5ms",
            "耗时-5ms",
            "1·200",
            "700-ms",
            "720 >",
            "5'",
            "$5",
            "3分之1",
            "百分之95",
            "1.2万",
            "一百2毫秒",
            "1分半",
            "700多毫秒",
            "21 : 5",
            "5 min2",
            "0.72 s2",
            "4.9:1 faster",
            "12 ,800",
            "700ms,720",
            "2ms...9ms",
            "2ms..9ms",
            "2ms至(9ms)",
            "720ms x 3",
            "720ms x3",
            "48vp by 48vp",
            "720ms plus 50ms",
            "60fps max 900ms",
            "1/(20",
            "(19)/20",
            "half 720ms",
            "limit 800ms",
        ] {
            assert!(read(text).is_err(), "{text}: {:?}", read(text));
        }
    }
}
