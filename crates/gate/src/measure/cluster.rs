//! V7: terms that are joined into one series or range.

use super::exact::Exact;
use super::find::skip_space;
use super::link::Link;
use super::read::Target;
use super::refusal::Refusal;
use super::scan::Term;
use super::unit::{Quantity, Unit};

/// Terms that are joined into one series or range, or one that stands alone.
pub(super) struct Cluster<'a> {
    /// The first.
    pub head: &'a Term,
    /// All of them, the head included.
    pub terms: Vec<&'a Term>,
}

pub(super) fn clusters(terms: &[Term]) -> Vec<Cluster<'_>> {
    let mut clusters: Vec<Cluster<'_>> = Vec::with_capacity(1);
    for term in terms {
        match (term.link, clusters.last_mut()) {
            (Link::Apart, _) | (_, None) => clusters.push(Cluster { head: term, terms: vec![term] }),
            (_, Some(cluster)) => cluster.terms.push(term),
        }
    }
    clusters
}

impl Cluster<'_> {
    pub fn unit(&self) -> Option<&Unit> {
        self.unit_of(0)
    }

    /// The unit of a member: its own, else that of the next member that has one (the trailing unit is shared).
    pub fn unit_of(&self, place: usize) -> Option<&Unit> {
        self.terms.iter().skip(place).find_map(|term| term.unit.as_ref())
    }

    /// Whether a place lies in one of the terms.
    pub fn holds(&self, place: usize) -> bool {
        self.terms.iter().any(|term| (term.head..term.end).contains(&place))
    }

    /// Whether the text is nothing but this cluster.
    pub fn is_all_of(&self, chars: &[char]) -> bool {
        let end = self.terms.last().map_or(0, |term| term.end);
        skip_space(chars, 0) == self.head.head && skip_space(chars, end) == chars.len()
    }

    pub fn links(&self) -> impl Iterator<Item = Link> + '_ {
        self.terms.iter().skip(1).map(|term| term.link)
    }

    /// Refuses mixed separators, three-part ranges, dates, fractions of a ratio, and bounds within.
    pub fn is_sound(&self, target: &Target) -> Result<(), Refusal> {
        let Some(link) = self.links().next() else { return Ok(()) };
        let same = |a: Link, b: Link| matches!((a, b), (Link::List(_), Link::List(_))) || a == b;
        let ranges = !matches!(link, Link::List(_));
        if self.links().any(|other| !same(link, other)) || (ranges && self.terms.len() > 2) || self.is_date()
        {
            return Err(Refusal::ThreeParts);
        }
        if self.terms.iter().any(|term| term.bound.is_some()) {
            return Err(Refusal::MixedBounds);
        }
        let ratio = |unit: &Unit| unit.quantity() == Quantity::Ratio;
        let against_ratio =
            target.unit().is_some_and(ratio) || self.terms.iter().any(|t| t.unit.as_ref().is_some_and(ratio));
        match against_ratio && self.links().any(|link| link == Link::List('/')) {
            true => Err(Refusal::Fraction),
            false => self.trailing_unit_is_clear(target),
        }
    }

    /// `2026/11/30`.
    fn is_date(&self) -> bool {
        let small = |term: &Term, most| {
            term.number.value >= Exact::ONE
                && term.number.value <= Exact::from_int(most)
                && term.unit.is_none()
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
