//! The values that an assertion accepts, where they are one interval: what attackers compare.

use crate::audit::Scale;
use crate::measure::{Declared, End, Exact, Set, Unit, plain_measure, plain_number};
use crate::pack::{Assertion, Expected, Matcher, Scalar};

/// An interval in a unit.
#[derive(Clone, Debug)]
pub(super) struct Accepted {
    pub set: Set,
    /// As declared; none where the assertion declares none.
    pub unit: Option<Unit>,
}

impl Accepted {
    /// The values that one member, or the aggregate, must have; nothing if they are not one interval of numbers.
    pub fn of(assertion: &Assertion) -> Option<Accepted> {
        let declared = match &assertion.unit {
            Some(unit) => Some(Declared::new(unit).ok()?),
            None => None,
        };
        let set = set_of(assertion, declared.as_ref())?;
        Some(Accepted { set, unit: declared.map(|declared| declared.unit) })
    }

    /// The same interval in another's unit, if it converts without a density.
    pub fn in_unit_of(&self, other: &Accepted) -> Option<Set> {
        match (&self.unit, &other.unit) {
            (None, None) => Some(self.set.clone()),
            (Some(from), Some(to)) => {
                Some(self.set.clone().scaled(&from.factor_to(to, &Scale::default()).ok()?))
            }
            _ => None,
        }
    }
}

/// What `ne`, `not eq`, `not between` or `not approx` rules out, in the assertion's unit.
pub(super) fn excluded(assertion: &Assertion) -> Option<Accepted> {
    let positive = match (assertion.matcher, assertion.not) {
        (Matcher::Ne, false) => Matcher::Eq,
        (Matcher::Eq | Matcher::Between | Matcher::Approx, true) => assertion.matcher,
        _ => return None,
    };
    Accepted::of(&Assertion { matcher: positive, not: false, ..assertion.clone() })
}

fn set_of(assertion: &Assertion, declared: Option<&Declared>) -> Option<Set> {
    let value = |scalar: &Scalar| exact(scalar, declared);
    let one = || match assertion.expected.as_ref()? {
        Expected::One(scalar) => value(scalar),
        Expected::Many(_) => None,
    };
    let below = |at, closed| Set::Interval { low: None, high: Some(End { at, closed }) };
    let above = |at, closed| Set::Interval { low: Some(End { at, closed }), high: None };
    Some(match (assertion.matcher, assertion.not) {
        (Matcher::Eq, false) | (Matcher::Ne, true) => Set::Point(one()?),
        (Matcher::Lt, false) | (Matcher::Gte, true) => below(one()?, false),
        (Matcher::Lte, false) | (Matcher::Gt, true) => below(one()?, true),
        (Matcher::Gt, false) | (Matcher::Lte, true) => above(one()?, false),
        (Matcher::Gte, false) | (Matcher::Lt, true) => above(one()?, true),
        (Matcher::Between, false) => match assertion.expected.as_ref()? {
            Expected::Many(ends) => match ends.as_slice() {
                [low, high] => Set::between(value(low)?, value(high)?),
                _ => return None,
            },
            Expected::One(_) => return None,
        },
        (Matcher::Approx, false) => {
            let middle = one()?;
            let tolerance = tolerance(assertion.tolerance.as_ref()?, &middle, declared)?;
            Set::between(middle.minus(&tolerance), middle.plus(&tolerance))
        }
        _ => return None,
    })
}

pub(super) fn tolerance(tolerance: &Scalar, middle: &Exact, declared: Option<&Declared>) -> Option<Exact> {
    match tolerance {
        Scalar::Text(text) if text.trim().ends_with('%') => {
            let share = plain_number(text.trim().trim_end_matches('%'))?;
            Some(middle.abs().times(&share.over(&Exact::from_int(100))?))
        }
        _ => exact(tolerance, declared),
    }
}

/// A value in the declared unit.
pub(super) fn exact(scalar: &Scalar, declared: Option<&Declared>) -> Option<Exact> {
    match scalar {
        Scalar::Bool(_) => None,
        Scalar::Number(digits) => plain_number(digits),
        Scalar::Text(text) => {
            let measure = plain_measure(text, declared).ok()?;
            match (measure.unit, declared) {
                (None, _) => Some(measure.value),
                (Some(unit), Some(declared)) => {
                    Some(measure.value.times(&unit.factor_to(&declared.unit, &Scale::default()).ok()?))
                }
                (Some(_), None) => None,
            }
        }
    }
}
