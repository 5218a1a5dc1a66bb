//! Tolerances so wide that the expected value is no longer what is asked for.

use super::accepted::{exact, tolerance};
use crate::code::Code;
use crate::lang::Lang;
use crate::measure::{Declared, Exact, Quantity};
use crate::pack::{Assertion, Expected, Matcher};
use crate::problem::Problem;
use crate::say;

/// From which share of the expected value on, in hundredths.
const WIDE: i64 = 20;
const MEANINGLESS: i64 = 50;

/// E_TOLERANCE_WIDE or W_TOLERANCE_WIDE, if either applies.
pub(super) fn wide(assertion: &Assertion, lang: Lang) -> Option<Problem> {
    let Some(Expected::One(expected)) = &assertion.expected else { return None };
    if assertion.matcher != Matcher::Approx {
        return None;
    }
    let declared = assertion.unit.as_deref().and_then(|unit| Declared::new(unit).ok());
    let middle = exact(expected, declared.as_ref())?;
    let allowed = tolerance(assertion.tolerance.as_ref()?, &middle, declared.as_ref())?;
    if is_of_a_pixel(&allowed, declared.as_ref()) {
        return None;
    }
    // Of zero there is no share.
    let share = allowed.times(&Exact::from_int(100)).over(&middle.abs())?;
    let code = if share >= Exact::from_int(MEANINGLESS) {
        Code::ToleranceWide
    } else if share >= Exact::from_int(WIDE) {
        Code::ToleranceLoose
    } else {
        return None;
    };
    let (low, high) = (middle.minus(&allowed), middle.plus(&allowed));
    let unit = assertion.unit.as_deref().unwrap_or_default();
    let shown = crate::assertion::shown(assertion, lang);
    let message = say!(
        lang,
        "`{shown}` accepts everything from {low}{unit} to {high}{unit}",
        "`{shown}` 接受从 {low}{unit} 到 {high}{unit} 的一切"
    );
    Some(Problem::new(code, message, code.help(lang)))
}

/// What any screen needs to round a length to its pixels.
fn is_of_a_pixel(allowed: &Exact, declared: Option<&Declared>) -> bool {
    let is_length = declared.is_some_and(|declared| declared.unit.quantity() == Quantity::Length);
    is_length && Exact::fraction(1, 2).is_some_and(|half| *allowed <= half)
}
