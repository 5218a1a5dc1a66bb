//! How outcomes are drawn: never by their colour alone.

use gate::audit::Outcome;

use super::svg::number;

/// The word of an outcome, as artifacts write it; also the class of what is drawn in its colour.
pub fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "pass",
        Outcome::Fail => "fail",
        Outcome::Unverified => "unverified",
        Outcome::Invalid => "invalid",
        Outcome::Waived => "waived",
    }
}

/// The path of an outcome's sign around a point.
pub fn sign(outcome: Outcome, (x, y): (f64, f64), size: f64) -> String {
    match outcome {
        Outcome::Pass => tick((x, y), size),
        Outcome::Fail => cross((x, y), size),
        Outcome::Invalid => {
            let (top, middle, bottom) = (number(y - size), number(y + size * 0.2), number(y + size));
            let (x, dot) = (number(x), number(y + size * 0.8));
            format!("M{x} {top}L{x} {middle}M{x} {dot}L{x} {bottom}")
        }
        Outcome::Unverified | Outcome::Waived => {
            let (left, right, y) = (number(x - size), number(x + size), number(y));
            format!("M{left} {y}L{right} {y}")
        }
    }
}

/// A cross around a point.
pub fn cross((x, y): (f64, f64), size: f64) -> String {
    let (left, right) = (number(x - size), number(x + size));
    let (top, bottom) = (number(y - size), number(y + size));
    format!("M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}")
}

fn tick((x, y): (f64, f64), size: f64) -> String {
    let (left, right, middle) = (number(x - size), number(x + size), number(x - size * 0.25));
    let (top, bottom, y) = (number(y - size * 0.8), number(y + size * 0.75), number(y));
    format!("M{left} {y}L{middle} {bottom}L{right} {top}")
}
