//! V5–V9: from terms to every reading that a text allows.

use super::exact::{End, Exact, Set};
use super::fold::{fold, is_cjk, is_han_numeral, is_word_letter};
use super::refusal::Refusal;
use super::scan::{Link, Term, is_ratio, terms};
use super::sentinel::denies_value;
use super::unit::{Declared, Quantity, Unit, by_spelling, longest_han, skip_space, word_end};
use super::words::Bound;
use crate::audit::Scale;

/// What a value is read against: the unit that the assertion declares, if any.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// The declared unit. A number without a unit has it.
    pub declared: Option<Declared>,
}

impl Target {
    /// The unit, if one is declared.
    pub fn unit(&self) -> Option<&Unit> {
        self.declared.as_ref().map(|declared| &declared.unit)
    }
}

/// One value that a text can mean, in the target's unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The part of the text that it was read from.
    pub text: String,
    /// The unit as written, or that of the target.
    pub unit: Option<Unit>,
    /// The value, or the values within its bound; none where −1 says that nothing was measured.
    pub value: Option<Set>,
    /// The value if its comma were a decimal comma.
    pub decimal_comma: Option<Set>,
}

/// All readings of one text. They count only if they are judged alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The first number, as the law takes it.
    pub first: Sample,
    /// The series or range that the first number begins; empty where it stands alone.
    pub series: Vec<Sample>,
    /// Later numbers that could be the value.
    pub later: Vec<Sample>,
}

/// Reads a text that is visible and no sentinel.
pub fn read(text: &str, target: &Target, scale: &Scale) -> Result<Reading, Refusal> {
    let chars = fold(text)?;
    let terms = terms(&chars, target.declared.as_ref())?;
    denials(&chars)?;
    let clusters = clusters(&terms);
    let Some((first, rest)) = clusters.split_first() else { return Err(Refusal::NoNumber) };
    let reader = Reader { chars: &chars, target, scale, first_unit: first.unit().cloned() };
    for cluster in &clusters {
        cluster.is_sound(target)?;
    }
    reader.first_carries(first, rest)?;
    reader.number_words(first)?;
    let series = reader.series(first)?;
    let head = reader.sample(first.head, first.unit(), true)?;
    let mut later = Vec::new();
    for cluster in rest {
        later.extend(reader.later(cluster)?);
    }
    Ok(Reading { first: head, series, later })
}

/// Words that say that there is no value, beside others: `N/A (limit 800ms)`.
fn denials(chars: &[char]) -> Result<(), Refusal> {
    let refused = |text: &str| Err(Refusal::NotANumber { text: text.to_owned() });
    let begin = skip_space(chars, 0);
    if chars.get(begin) == Some(&'-') && chars.get(begin + 1).is_some_and(|c| *c == '-' || c.is_whitespace()) {
        return refused("-");
    }
    if chars.contains(&'∞') {
        return refused("∞");
    }
    let holds = |word: &[char]| chars.windows(word.len()).any(|window| window == word);
    if holds(&['无', '穷']) {
        return refused("无穷");
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
            let begin = (at..chars.len()).find(|place| chars.get(*place).is_some_and(|c| is_word_letter(*c)))?;
            at = word_end(chars, begin).max(begin + 1);
            let glued = |place: Option<usize>| place.and_then(|p| chars.get(p)).is_some_and(char::is_ascii_digit);
            if !glued(begin.checked_sub(1)) && !glued(Some(at)) {
                return Some((begin, at, chars.get(begin..at).unwrap_or_default().iter().collect()));
            }
        }
    })
}

/// Terms that are joined into one series or range, or one that stands alone.
struct Cluster<'a> {
    head: &'a Term,
    /// All of them, the head included.
    terms: Vec<&'a Term>,
}

fn clusters(terms: &[Term]) -> Vec<Cluster<'_>> {
    let mut clusters: Vec<Cluster<'_>> = Vec::new();
    for term in terms {
        match (term.link, clusters.last_mut()) {
            (Link::Apart, _) | (_, None) => clusters.push(Cluster { head: term, terms: vec![term] }),
            (_, Some(cluster)) => cluster.terms.push(term),
        }
    }
    clusters
}

impl Cluster<'_> {
    fn unit(&self) -> Option<&Unit> {
        self.unit_of(0)
    }

    /// The unit of a member: its own, else that of the next member that has one (the trailing unit is shared).
    fn unit_of(&self, place: usize) -> Option<&Unit> {
        self.terms.iter().skip(place).find_map(|term| term.unit.as_ref())
    }

    fn links(&self) -> impl Iterator<Item = Link> + '_ {
        self.terms.iter().skip(1).map(|term| term.link)
    }

    /// Refuses mixed separators, three-part ranges, dates, fractions of a ratio, and bounds within.
    fn is_sound(&self, target: &Target) -> Result<(), Refusal> {
        let Some(link) = self.links().next() else { return Ok(()) };
        let same = |a: Link, b: Link| matches!((a, b), (Link::List(_), Link::List(_))) || a == b;
        let ranges = !matches!(link, Link::List(_));
        if self.links().any(|other| !same(link, other)) || (ranges && self.terms.len() > 2) || self.is_date() {
            return Err(Refusal::ThreeParts);
        }
        if self.terms.iter().any(|term| term.bound.is_some()) {
            return Err(Refusal::MixedBounds);
        }
        let ratio = |unit: &Unit| unit.quantity() == Quantity::Ratio;
        let against_ratio = target.unit().is_some_and(ratio) || self.terms.iter().any(|t| t.unit.as_ref().is_some_and(ratio));
        match against_ratio && self.links().any(|link| link == Link::List('/')) {
            true => Err(Refusal::Fraction),
            false => self.trailing_unit_is_clear(target),
        }
    }

    /// `2026/11/30`.
    fn is_date(&self) -> bool {
        let small = |term: &Term, most| {
            term.number.value >= Exact::ONE && term.number.value <= Exact::from_int(most) && term.unit.is_none()
        };
        match self.terms.as_slice() {
            [year, month, day] => {
                let is_year = year.number.end - year.number.start == 4 && year.unit.is_none();
                is_year && small(month, 12) && small(day, 31)
            }
            _ => false,
        }
    }

    /// `0.7s/740/760`: the later numbers have the assertion's unit, or that of the first; both must be one.
    fn trailing_unit_is_clear(&self, target: &Target) -> Result<(), Refusal> {
        let Some(last) = self.terms.iter().rposition(|term| term.unit.is_some()) else { return Ok(()) };
        let unit = self.terms.get(last).and_then(|term| term.unit.as_ref());
        match last + 1 < self.terms.len() && unit != target.unit() {
            true => Err(Refusal::MixedUnits {
                first: unit.map(|u| u.name().to_owned()).unwrap_or_default(),
                second: target.unit().map(|u| u.name().to_owned()).unwrap_or_default(),
            }),
            false => Ok(()),
        }
    }
}

/// How a number stands to what is expected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kin {
    Bare,
    Expected,
    Other,
}

struct Reader<'a> {
    chars: &'a [char],
    target: &'a Target,
    scale: &'a Scale,
    first_unit: Option<Unit>,
}

impl Reader<'_> {
    fn kin(&self, term: &Term, unit: Option<&Unit>) -> Kin {
        match (unit, self.target.unit()) {
            // Only a ratio unit can make one number of the two.
            _ if term.divisor.is_some() => Kin::Expected,
            (_, Some(_)) if term.per_before => Kin::Other,
            (None, _) => Kin::Bare,
            (Some(unit), Some(expected)) if unit.comparable(expected) => Kin::Expected,
            (Some(_), Some(_)) => Kin::Other,
            // Nothing is declared: what the first number counts is what is expected; a bare one may count anything.
            (Some(unit), None) => match &self.first_unit {
                Some(first) if first == unit => Kin::Expected,
                None if !unit.is_multiplier() => Kin::Expected,
                _ => Kin::Other,
            },
        }
    }

    /// V6: refuses a first number that is bare or of another quantity while a later one carries the unit.
    fn first_carries(&self, first: &Cluster<'_>, rest: &[Cluster<'_>]) -> Result<(), Refusal> {
        let Some(expected) = self.target.unit() else { return Ok(()) };
        let unit = first.unit();
        let kin = self.kin(first.head, unit);
        let carries = |cluster: &&Cluster<'_>| {
            (0..cluster.terms.len()).any(|place| {
                cluster.terms.get(place).is_some_and(|term| self.kin(term, cluster.unit_of(place)) == Kin::Expected)
            })
        };
        if kin != Kin::Expected
            && let Some(later) = rest.iter().find(carries)
        {
            return Err(Refusal::LaterCarriesUnit { first: self.text(first.head), later: self.text(later.head) });
        }
        match (kin, unit) {
            (Kin::Other, _) if first.head.per_before => Err(Refusal::PerBefore),
            (Kin::Other, Some(unit)) if unit.is_ambiguous() => {
                Err(Refusal::AmbiguousUnit { unit: unit.name().to_owned() })
            }
            (Kin::Other, Some(unit)) => {
                Err(Refusal::OtherQuantity { found: unit.name().to_owned(), expected: expected.name().to_owned() })
            }
            (Kin::Bare, _) => self.unit_elsewhere(first, expected),
            _ => Ok(()),
        }
    }

    /// `Time (s): 1.2` against ms: the unit is there, and not beside the number.
    fn unit_elsewhere(&self, first: &Cluster<'_>, expected: &Unit) -> Result<(), Refusal> {
        let refused = |unit: &str| Err(Refusal::UnitElsewhere { unit: unit.to_owned() });
        let inside = |at: usize| first.terms.iter().any(|term| (term.head..term.end).contains(&at));
        for (begin, _, word) in words(self.chars) {
            let before = self.chars.get(..begin).unwrap_or_default().iter().rev().find(|c| !c.is_whitespace());
            let attached = inside(begin) || before.is_some_and(char::is_ascii_digit);
            match by_spelling(&word) {
                Some(row) if !attached && row.name != expected.name() => return refused(row.name),
                _ => {}
            }
        }
        for (at, c) in self.chars.iter().enumerate() {
            let says_unit = at > 0 && self.chars.get(at - 1..=at) == Some(&['单', '位']);
            if !says_unit && !matches!(c, '(' | '[') {
                continue;
            }
            let rest = self.chars.get(at + 1..).unwrap_or_default();
            let place = at + 1 + rest.iter().take_while(|c| " :为是".contains(**c)).count();
            if let Some((row, end)) = longest_han(self.chars, place)
                && row.name != expected.name()
                && (says_unit || matches!(self.chars.get(end), Some(')' | ']')))
            {
                return refused(row.name);
            }
        }
        Ok(())
    }

    /// A number in words with the expected unit could be the value, and is not read.
    fn number_words(&self, first: &Cluster<'_>) -> Result<(), Refusal> {
        let expected = |unit: &Unit| match self.target.unit() {
            Some(target) => unit.comparable(target),
            None => self.first_unit.as_ref().is_none_or(|own| own == unit),
        };
        let refused = |from: usize, end: usize| {
            Err(Refusal::NumberWord { text: self.chars.get(from..end).unwrap_or_default().iter().collect() })
        };
        for (at, c) in self.chars.iter().enumerate() {
            let next = self.chars.get(at + 2).copied();
            if *c == '分' && self.chars.get(at + 1) == Some(&'之') && next.is_some_and(is_han_numeral) {
                return refused(at, at + 3);
            }
            let ordinal = at > 0 && self.chars.get(at - 1) == Some(&'第');
            if ordinal || !is_han_numeral(*c) {
                continue;
            }
            if let Some((unit, end)) = unit_after(self.chars, at + 1)
                && expected(&unit)
            {
                return refused(at, end);
            }
        }
        for (begin, end, word) in words(self.chars) {
            let inside = first.terms.iter().any(|term| (term.head..term.end).contains(&begin));
            if inside || !NUMBER_WORDS.iter().any(|known| known.eq_ignore_ascii_case(&word)) {
                continue;
            }
            if let Some((unit, end)) = unit_after(self.chars, end)
                && expected(&unit)
            {
                return refused(begin, end);
            }
        }
        Ok(())
    }

    /// The series that the first number begins, as the whole text means it; empty where it stands alone.
    fn series(&self, cluster: &Cluster<'_>) -> Result<Vec<Sample>, Refusal> {
        match cluster.links().next() {
            None | Some(Link::Apart) => Ok(Vec::new()),
            Some(Link::List(_)) => self.list(cluster),
            Some(link) => Ok(vec![self.interval(cluster, link)?]),
        }
    }

    fn list(&self, cluster: &Cluster<'_>) -> Result<Vec<Sample>, Refusal> {
        self.one_quantity(cluster)?;
        cluster.terms.iter().enumerate().map(|(place, term)| self.sample(term, cluster.unit_of(place), true)).collect()
    }

    /// Refuses a joined series of different quantities, and of differing units where none is declared.
    fn one_quantity(&self, cluster: &Cluster<'_>) -> Result<(), Refusal> {
        let units = || (0..cluster.terms.len()).filter_map(|place| cluster.unit_of(place));
        let Some(first) = units().next() else { return Ok(()) };
        for unit in units() {
            match self.target.unit() {
                None if unit != first => {
                    return Err(Refusal::MixedUnits { first: first.name().to_owned(), second: unit.name().to_owned() });
                }
                Some(expected) if !unit.comparable(expected) => {
                    return Err(Refusal::OtherQuantity { found: unit.name().to_owned(), expected: expected.name().to_owned() });
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn interval(&self, cluster: &Cluster<'_>, link: Link) -> Result<Sample, Refusal> {
        let ends = self.list(cluster)?;
        let text = ends.iter().map(|end| end.text.as_str()).collect::<Vec<_>>();
        let (Some(a), Some(b)) = (ends.first().and_then(exact), ends.get(1).and_then(exact)) else {
            return Err(Refusal::Negative { text: text.join(" ") });
        };
        let (low, high) = if link == Link::PlusMinus { (a.minus(b), a.plus(b)) } else { (a.clone(), b.clone()) };
        if low > high {
            return Err(Refusal::ReversedRange);
        }
        let unit = ends.first().and_then(|end| end.unit.clone());
        if low.is_negative() && unit.as_ref().or(self.target.unit()).is_some_and(Unit::never_negative) {
            return Err(Refusal::Negative { text: low.to_decimal() });
        }
        let joined = text.join(if link == Link::PlusMinus { "±" } else { "–" });
        Ok(Sample { text: joined, unit, value: Some(Set::between(low, high)), decimal_comma: None })
    }

    /// Later numbers that could be the value: of the expected quantity, or bare.
    fn later(&self, cluster: &Cluster<'_>) -> Result<Vec<Sample>, Refusal> {
        let members = || cluster.terms.iter().enumerate().map(|(place, term)| (*term, cluster.unit_of(place)));
        if members().all(|(term, unit)| self.kin(term, unit) == Kin::Other) {
            return Ok(Vec::new());
        }
        self.one_quantity(cluster)?;
        let alone: Result<Vec<Sample>, Refusal> = members().map(|(term, unit)| self.sample(term, unit, false)).collect();
        let mut samples = alone?;
        if let Some(link @ (Link::Range | Link::PlusMinus)) = cluster.links().next() {
            samples.push(self.interval(cluster, link)?);
        }
        Ok(samples)
    }

    /// One term in the target's unit.
    fn sample(&self, term: &Term, unit: Option<&Unit>, deciding: bool) -> Result<Sample, Refusal> {
        let raw = self.ratio(term)?;
        let unit = unit.or(self.target.unit());
        if let (Some(unit), None, true) = (unit, self.target.unit(), deciding)
            && unit.is_multiplier()
        {
            return Err(Refusal::Multiplier { unit: unit.name().to_owned() });
        }
        let never_negative = unit.is_some_and(Unit::never_negative);
        let text = self.text(term);
        let value = match never_negative && raw.is_negative() {
            true if raw == Exact::from_int(-1) && term.bound.is_none() => None,
            true => return Err(Refusal::Negative { text }),
            false => Some(bounded(raw, term.bound, never_negative)),
        };
        let factor = match (unit, self.target.unit()) {
            (Some(unit), Some(target)) if unit != target => Some(unit.factor_to(target, self.scale)?),
            _ => None,
        };
        let convert = |set: Set| factor.as_ref().map_or(set.clone(), |factor| set.scaled(factor));
        let comma = term.number.decimal_comma.clone().filter(|_| term.divisor.is_none());
        let decimal_comma =
            comma.map(|value| convert(bounded(value, term.bound, never_negative)));
        if value.as_ref().is_some_and(Set::is_empty) {
            return Err(Refusal::MixedBounds);
        }
        Ok(Sample { text, unit: unit.cloned(), value: value.map(convert), decimal_comma })
    }

    /// V9: `a:b` against a ratio unit, or with b = 1 where none is declared.
    fn ratio(&self, term: &Term) -> Result<Exact, Refusal> {
        let Some(divisor) = &term.divisor else { return Ok(term.number.value.clone()) };
        let refused = || Refusal::Colon { text: self.text(term) };
        let reads = match self.target.unit() {
            Some(unit) => is_ratio(unit),
            None => divisor.value == Exact::ONE,
        };
        let plain_unit = term.unit.as_ref().is_none_or(is_ratio);
        match reads && plain_unit {
            true => term.number.value.over(&divisor.value).ok_or_else(refused),
            false => Err(refused()),
        }
    }

    fn text(&self, term: &Term) -> String {
        let written: String = self.chars.get(term.head..term.end).unwrap_or_default().iter().collect();
        written.trim().to_owned()
    }
}

fn exact(sample: &Sample) -> Option<&Exact> {
    sample.value.as_ref().and_then(Set::point)
}

/// What is never negative is not below zero within a bound either.
fn bounded(value: Exact, bound: Option<Bound>, never_negative: bool) -> Set {
    let floor = never_negative.then(|| End::closed(Exact::ZERO));
    match bound {
        None => Set::Point(value),
        Some(Bound::Below) => Set::Interval { low: floor, high: Some(End::open(value)) },
        Some(Bound::AtMost) => Set::Interval { low: floor, high: Some(End::closed(value)) },
        Some(Bound::Above) => Set::Interval { low: Some(End::open(value)), high: None },
        Some(Bound::AtLeast) => Set::Interval { low: Some(End::closed(value)), high: None },
    }
}

/// English numbers in words that can stand before a unit.
const NUMBER_WORDS: &[&str] = &[
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "fifteen", "twenty",
    "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "million", "half", "dozen",
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

/// A text that is one number with one unit and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// The number as it stands, or the quotient of a ratio.
    pub value: Exact,
    /// Its unit; `:1` for a ratio whose second number is 1.
    pub unit: Option<Unit>,
}

/// Reads a text that is one number, with at most a unit, and nothing else: how an author writes `expected`.
pub fn plain_measure(text: &str, declared: Option<&Declared>) -> Result<Measure, Refusal> {
    super::fold::visible(text)?;
    let chars: Vec<char> = fold(text.trim())?;
    let terms = terms(&chars, declared)?;
    let [term] = terms.as_slice() else { return Err(terms.first().map_or(Refusal::NoNumber, |_| Refusal::Adjacent)) };
    if term.bound.is_some() || term.head != 0 || term.number.start != 0 || term.end != chars.len() || term.per_before {
        return Err(Refusal::Trailing { text: text.to_owned() });
    }
    match &term.divisor {
        None => Ok(Measure { value: term.number.value.clone(), unit: term.unit.clone() }),
        Some(divisor) if divisor.value == Exact::ONE && term.unit.is_none() => {
            Ok(Measure { value: term.number.value.clone(), unit: by_spelling(":1").map(Unit::Known) })
        }
        Some(divisor) if declared.is_some_and(|d| is_ratio(&d.unit)) && term.unit.is_none() => {
            let value = term.number.value.over(&divisor.value).ok_or_else(|| Refusal::Colon { text: text.to_owned() })?;
            Ok(Measure { value, unit: None })
        }
        Some(_) => Err(Refusal::Colon { text: text.to_owned() }),
    }
}
