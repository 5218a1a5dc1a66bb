//! Exact values: rationals, never binary floats.

use std::cmp::Ordering;
use std::fmt;

use dashu_int::{IBig, Sign, UBig};
use dashu_ratio::RBig;

/// More significant digits than this are refused: no instrument prints them, and nothing is ever rounded.
pub const MAX_DIGITS: usize = 28;
/// Exponents beyond this, either way, are refused before any arithmetic.
pub const MAX_EXPONENT: i32 = 28;

/// An exact rational number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Exact(RBig);

impl Exact {
    /// Zero.
    pub const ZERO: Exact = Exact(RBig::ZERO);
    /// One.
    pub const ONE: Exact = Exact(RBig::ONE);

    /// A small integer.
    pub fn from_int(value: i64) -> Self {
        Exact(RBig::from(IBig::from(value)))
    }

    /// `numerator / denominator`; none if the denominator is zero.
    pub fn fraction(numerator: u64, denominator: u64) -> Option<Self> {
        (denominator != 0).then(|| Exact(RBig::from_parts(IBig::from(numerator), UBig::from(denominator))))
    }

    /// `digits` with its last `places` digits after the point: `(125, 1)` is 12.5.
    pub(crate) fn decimal(digits: u64, places: u32) -> Self {
        let value = IBig::from(digits);
        Exact(if places == 0 { RBig::from(value) } else { RBig::from_parts(value, power_of_ten(places)) })
    }

    /// Digits without a sign or point, scaled by a power of ten: `("125", -1)` is 12.5. The caller has checked
    /// that `digits` are ASCII digits and that both lengths are bounded.
    pub(crate) fn from_digits(negative: bool, digits: &str, exponent: i32) -> Option<Self> {
        let magnitude = match digits.parse::<u128>() {
            Ok(small) => UBig::from(small),
            Err(_) => UBig::from_str_radix(digits, 10).ok()?,
        };
        let sign = if negative { Sign::Negative } else { Sign::Positive };
        let value = IBig::from_parts(sign, magnitude);
        let power = || power_of_ten(exponent.unsigned_abs());
        Some(Exact(match exponent {
            0 => RBig::from(value),
            1.. => RBig::from(value * IBig::from(power())),
            _ => RBig::from_parts(value, power()),
        }))
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.0 < RBig::ZERO
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// The distance from zero.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_negative() { Exact(-self.0.clone()) } else { self.clone() }
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Exact) -> Self {
        Exact(&self.0 + &other.0)
    }

    /// The difference.
    #[must_use]
    pub fn minus(&self, other: &Exact) -> Self {
        Exact(&self.0 - &other.0)
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Exact) -> Self {
        Exact(&self.0 * &other.0)
    }

    /// The quotient; none by zero.
    #[must_use]
    pub fn over(&self, other: &Exact) -> Option<Self> {
        (!other.is_zero()).then(|| Exact(&self.0 / &other.0))
    }

    /// Its decimal text, as [`fmt::Display`] writes it.
    pub fn to_decimal(&self) -> String {
        self.to_string()
    }

    /// The nearest binary number, for drawing alone: nothing is judged by it.
    pub fn approximate(&self) -> f64 {
        self.0.to_f64().value()
    }

    fn terminating(&self) -> Option<String> {
        let places = self.places()?;
        let scaled =
            self.0.numerator() * IBig::from(power_of_ten(places)) / IBig::from(self.0.denominator().clone());
        Some(point(&scaled, places))
    }

    /// How many decimal places the value needs; none if it does not end within 30.
    fn places(&self) -> Option<u32> {
        if self.0.is_int() {
            return Some(0);
        }
        (1..=30).find(|places| {
            let rest = power_of_ten(*places) % self.0.denominator();
            rest.is_zero()
        })
    }

    /// Four places, or as many as show three significant digits of a smaller value.
    fn shown_places(&self) -> u32 {
        let hundred = Exact::from_int(100);
        let shows = |places: &u32| {
            self.abs().times(&Exact(RBig::from_parts(IBig::from(power_of_ten(*places)), UBig::ONE)))
                >= hundred
        };
        (4..=60).find(shows).unwrap_or(4)
    }

    fn rounded(&self, places: u32) -> String {
        let scaled = Exact(&self.0 * RBig::from_parts(IBig::from(power_of_ten(places)), UBig::ONE));
        let text = point(&scaled.0.round(), places);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

/// Decimal text: exact where the decimal ends within 30 places, else rounded (four places, more for a small value)
/// and marked `≈`.
impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nearly every value is a small whole number.
        if self.0.is_int()
            && let Ok(small) = i64::try_from(self.0.numerator())
        {
            return write!(f, "{small}");
        }
        match self.terminating() {
            Some(text) => f.write_str(&text),
            None => write!(f, "≈{}", self.rounded(self.shown_places())),
        }
    }
}

fn power_of_ten(exponent: u32) -> UBig {
    match 10u128.checked_pow(exponent) {
        Some(small) => UBig::from(small),
        None => UBig::from(10u8).pow(exponent as usize),
    }
}

/// Writes an integer with its last `places` digits after the point.
fn point(scaled: &IBig, places: u32) -> String {
    let text = scaled.to_string();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.as_str()),
    };
    let places = places as usize;
    if places == 0 {
        return text;
    }
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - places);
    format!("{sign}{whole}.{fraction}")
}

/// A set of values that a text can mean: one, or all between two ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Set {
    /// Exactly one value.
    Point(Exact),
    /// All values between two ends.
    Interval {
        /// The lower end; none is unbounded.
        low: Option<End>,
        /// The upper end; none is unbounded.
        high: Option<End>,
    },
}

/// An end of an interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Where it lies.
    pub at: Exact,
    /// Whether the value itself belongs to the interval.
    pub closed: bool,
}

impl End {
    /// An end that belongs to its interval.
    pub fn closed(at: Exact) -> Self {
        End { at, closed: true }
    }

    /// An end that does not.
    pub fn open(at: Exact) -> Self {
        End { at, closed: false }
    }
}

impl Set {
    /// All values from `low` to `high`, both included.
    pub fn between(low: Exact, high: Exact) -> Self {
        Set::Interval { low: Some(End::closed(low)), high: Some(End::closed(high)) }
    }

    /// The one value, if it is one.
    pub fn point(&self) -> Option<&Exact> {
        match self {
            Set::Point(value) => Some(value),
            Set::Interval { .. } => None,
        }
    }

    /// The same set in another unit. `factor` is above zero.
    #[must_use]
    pub fn scaled(self, factor: &Exact) -> Self {
        let scale = |end: Option<End>| end.map(|e| End { at: e.at.times(factor), closed: e.closed });
        match self {
            Set::Point(value) => Set::Point(value.times(factor)),
            Set::Interval { low, high } => Set::Interval { low: scale(low), high: scale(high) },
        }
    }

    /// The lower end, if any: where it lies, and whether it belongs to the set.
    pub fn low(&self) -> Option<(&Exact, bool)> {
        match self {
            Set::Point(value) => Some((value, true)),
            Set::Interval { low, .. } => low.as_ref().map(|end| (&end.at, end.closed)),
        }
    }

    /// The upper end, likewise.
    pub fn high(&self) -> Option<(&Exact, bool)> {
        match self {
            Set::Point(value) => Some((value, true)),
            Set::Interval { high, .. } => high.as_ref().map(|end| (&end.at, end.closed)),
        }
    }

    /// Whether it ends on both sides.
    pub fn is_bounded(&self) -> bool {
        self.low().is_some() && self.high().is_some()
    }

    /// Whether nothing lies in it.
    pub fn is_empty(&self) -> bool {
        ends_before(self.high(), self.low())
    }

    /// Whether every value of `self` lies in `other`.
    pub fn within(&self, other: &Set) -> bool {
        let inside =
            |own: Option<(&Exact, bool)>, bound: Option<(&Exact, bool)>, beyond: Ordering| match (own, bound)
            {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some((own, own_closed)), Some((bound, closed))) => match own.cmp(bound) {
                    Ordering::Equal => closed || !own_closed,
                    order => order != beyond,
                },
            };
        inside(self.low(), other.low(), Ordering::Less)
            && inside(self.high(), other.high(), Ordering::Greater)
    }

    /// Whether no value of `self` lies in `other`.
    pub fn apart(&self, other: &Set) -> bool {
        ends_before(self.high(), other.low()) || ends_before(other.high(), self.low())
    }
}

/// Whether what ends at `high` leaves nothing from `low` on.
fn ends_before(high: Option<(&Exact, bool)>, low: Option<(&Exact, bool)>) -> bool {
    match (high, low) {
        (Some((high, high_closed)), Some((low, low_closed))) => match high.cmp(low) {
            Ordering::Less => true,
            Ordering::Equal => !(high_closed && low_closed),
            Ordering::Greater => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(digits: &str, exponent: i32) -> Exact {
        Exact::from_digits(false, digits, exponent).unwrap()
    }

    #[test]
    fn decimal_text_is_exact_or_marked() {
        let table = [
            (exact("720", 0), "720"),
            (exact("100663296", -6), "100.663296"),
            (exact("5", -1), "0.5"),
            (exact("1", 3), "1000"),
            (Exact::from_digits(true, "5", -3).unwrap(), "-0.005"),
            (Exact::fraction(2180, 3).unwrap(), "≈726.6667"),
            (Exact::fraction(197, 4).unwrap(), "49.25"),
            (Exact::ZERO, "0"),
        ];
        for (value, text) in table {
            assert_eq!(value.to_decimal(), text);
        }
    }

    #[test]
    fn sets_know_their_ends() {
        let to = |at: i64, closed| Set::Interval {
            low: None,
            high: Some(End { at: Exact::from_int(at), closed }),
        };
        assert!(to(500, false).within(&to(500, true)));
        assert!(!to(500, true).within(&to(500, false)));
        assert!(to(500, false).apart(&Set::Point(Exact::from_int(500))));
        assert!(!to(500, true).apart(&Set::Point(Exact::from_int(500))));
        assert!(Set::between(Exact::from_int(2), Exact::from_int(1)).is_empty());
    }
}
