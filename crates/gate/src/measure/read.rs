//! V5–V9: from terms to every reading that a text allows.

use super::cluster::{Cluster, clusters};
use super::direct;
use super::doubt;
use super::exact::{End, Exact, Set};
use super::find::Declared;
use super::fold::fold;
use super::link::Link;
use super::refusal::Refusal;
use super::scan::{Term, is_ratio, terms};
use super::unit::{Unit, by_spelling};
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
    /// The value if its comma were a decimal comma; rare.
    pub decimal_comma: Option<Box<Set>>,
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
    match direct::sample(text, target, scale) {
        Some(first) => Ok(Reading { first, series: Vec::new(), later: Vec::new() }),
        None => in_full(text, target, scale),
    }
}

/// The reading of any text, plain ones included.
pub(super) fn in_full(text: &str, target: &Target, scale: &Scale) -> Result<Reading, Refusal> {
    let chars = fold(text)?;
    let terms = terms(&chars, target.declared.as_ref())?;
    let clusters = clusters(&terms);
    let Some((first, rest)) = clusters.split_first() else {
        doubt::denials(&chars)?;
        return Err(Refusal::NoNumber);
    };
    // The colon of a ratio is its unit.
    let to_one = first.head.divisor.as_ref().and_then(|_| by_spelling(":1")).map(Unit::Known);
    let first_unit = first.unit().cloned().or(to_one);
    let reader = Reader { chars: &chars, target, scale, first_unit };
    for cluster in &clusters {
        cluster.is_sound(target)?;
    }
    // Where nothing stands beside the number, nothing there can make it doubtful.
    if !first.is_all_of(&chars) {
        reader.surroundings(&clusters)?;
    }
    reader.first_carries(first, rest)?;
    let series = reader.series(first)?;
    let head = reader.sample(first.head, first.unit(), true)?;
    let mut later = Vec::new();
    for cluster in rest {
        later.extend(reader.later(cluster)?);
    }
    Ok(Reading { first: head, series, later })
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
        let unit = match unit {
            // `5k errors` are errors, and `5k` alone may be anything.
            Some(unit) if unit.only_multiplies() => term.counted.as_ref(),
            unit => unit,
        };
        match (unit, self.target.unit()) {
            (_, Some(_)) if term.per_before => Kin::Other,
            // Only a ratio unit can make one number of the two.
            _ if term.divisor.is_some() => Kin::Expected,
            (None, _) => Kin::Bare,
            (Some(unit), Some(expected)) if unit.comparable(expected) => Kin::Expected,
            (Some(_), Some(_)) => Kin::Other,
            // Nothing is declared: what the first number counts is what is expected; a bare one may count anything.
            (Some(unit), None) => match &self.first_unit {
                Some(first) if first == unit => Kin::Expected,
                None => Kin::Expected,
                Some(_) => Kin::Other,
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
                cluster
                    .terms
                    .get(place)
                    .is_some_and(|term| self.kin(term, cluster.unit_of(place)) == Kin::Expected)
            })
        };
        if kin != Kin::Expected
            && let Some(later) = rest.iter().find(carries)
        {
            return Err(Refusal::LaterCarriesUnit {
                first: self.text(first.head),
                later: self.text(later.head),
            });
        }
        match (kin, unit) {
            (Kin::Other, _) if first.head.per_before => Err(Refusal::PerBefore),
            (Kin::Other, Some(unit)) if unit.is_ambiguous() => {
                Err(Refusal::AmbiguousUnit { unit: unit.name().to_owned() })
            }
            (Kin::Other, Some(unit)) => Err(Refusal::OtherQuantity {
                found: unit.name().to_owned(),
                expected: expected.name().to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// Refuses words that deny the value, or that could be it.
    fn surroundings(&self, clusters: &[Cluster<'_>]) -> Result<(), Refusal> {
        doubt::denials(self.chars)?;
        let Some(first) = clusters.first() else { return Ok(()) };
        match self.target.unit() {
            Some(unit) => {
                doubt::number_words(self.chars, first, &|found| found.comparable(unit))?;
                match first.unit() {
                    // The colon of a ratio is its unit.
                    None if first.head.divisor.is_none() => doubt::unit_elsewhere(self.chars, clusters, unit),
                    _ => Ok(()),
                }
            }
            // Nothing is declared: a number in words may count anything.
            None => doubt::number_words(self.chars, first, &|_| true),
        }
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
        cluster
            .terms
            .iter()
            .enumerate()
            .map(|(place, term)| self.sample(term, cluster.unit_of(place), true))
            .collect()
    }

    /// Refuses a joined series of different quantities, and of differing units where none is declared.
    fn one_quantity(&self, cluster: &Cluster<'_>) -> Result<(), Refusal> {
        let units = || (0..cluster.terms.len()).filter_map(|place| cluster.unit_of(place));
        let Some(first) = units().next() else { return Ok(()) };
        for unit in units() {
            match self.target.unit() {
                None if unit != first => {
                    return Err(Refusal::MixedUnits {
                        first: first.name().to_owned(),
                        second: unit.name().to_owned(),
                    });
                }
                Some(expected) if !unit.comparable(expected) => {
                    return Err(Refusal::OtherQuantity {
                        found: unit.name().to_owned(),
                        expected: expected.name().to_owned(),
                    });
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
        let (low, high) =
            if link == Link::PlusMinus { (a.minus(b), a.plus(b)) } else { (a.clone(), b.clone()) };
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
        let members =
            || cluster.terms.iter().enumerate().map(|(place, term)| (*term, cluster.unit_of(place)));
        if members().all(|(term, unit)| self.kin(term, unit) == Kin::Other) {
            return Ok(Vec::new());
        }
        // What multiplies a number that could be the value, or makes a share of it, leaves no value as it stands.
        let multiplies = |unit: &Unit| match self.target.unit() {
            None => unit.is_multiplier(),
            Some(_) => unit.only_multiplies(),
        };
        if let Some((term, _)) = members().find(|(_, unit)| unit.is_some_and(multiplies)) {
            return Err(Refusal::LaterMultiplied { later: self.text(term) });
        }
        self.one_quantity(cluster)?;
        let alone: Result<Vec<Sample>, Refusal> =
            members().map(|(term, unit)| self.sample(term, unit, false)).collect();
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
        let comma = term.number.decimal_comma.clone();
        // Of a ratio the comma stands in its first number.
        let comma = comma.and_then(|value| match &term.divisor {
            Some(divisor) => value.over(&divisor.value),
            None => Some(value),
        });
        let decimal_comma = comma.map(|value| Box::new(convert(bounded(value, term.bound, never_negative))));
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
