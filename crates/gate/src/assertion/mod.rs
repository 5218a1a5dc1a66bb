//! Assertions: what an author declares, and what a value makes of it (V8, V10, V12, V14 and the matchers).
//!
//! "It fails" and "it cannot be judged" never share a value: a verdict is pass, fail, invalid or missing, and an
//! invalid one says why. [`judge`] builds no text; [`Judgement::steps`] tells the story when it is asked for.

mod aggregate;
mod author;
mod compare;
mod fault;
mod judgement;
mod matcher;
mod number;
mod pattern;
mod plan;
mod plot;
#[cfg(test)]
mod properties;
mod shown;
mod text;
#[cfg(test)]
mod vectors;

pub use author::check;
pub use compare::{Agreement, agreement, restates, same_value};
pub use fault::{Fault, Field};
pub use judgement::Judgement;
pub use pattern::{MAX_PATTERN, MAX_REPEAT};
pub use plot::{Extent, Plot, Plotted};
pub use shown::shown;

pub use crate::measure::{Found, contains_measure};

use std::sync::Arc;

use crate::audit::Scale;
use crate::check::Actual;
use crate::pack::Assertion;
use number::{Judged, NumberJudge, Outcome};
use plan::Test;

/// Judges a value. `None` is an absent value; `Some(Actual::Null)` is an explicit nothing, which answers `exists`
/// and is missing otherwise. An assertion that cannot be read, which [`check`] refuses, makes every value invalid.
pub fn judge<'a>(assertion: &'a Assertion, actual: Option<&'a Actual>, scale: &'a Scale) -> Judgement<'a> {
    Judge::new(assertion, scale).judge(actual)
}

/// An assertion that is read once and judges many values.
#[derive(Clone, Debug)]
pub struct Judge<'a> {
    assertion: &'a Assertion,
    scale: &'a Scale,
    /// Shared with the judgements, which tell what was compared with.
    test: Arc<Result<Test, Fault>>,
}

impl<'a> Judge<'a> {
    /// Reads the assertion; density and font scale come from evidence.
    pub fn new(assertion: &'a Assertion, scale: &'a Scale) -> Self {
        Judge { assertion, scale, test: Arc::new(Test::new(assertion, scale)) }
    }

    /// The assertion.
    pub fn assertion(&self) -> &'a Assertion {
        self.assertion
    }

    /// Judges one value.
    pub fn judge(&self, actual: Option<&'a Actual>) -> Judgement<'a> {
        let judged = match (&*self.test, actual) {
            (Err(fault), _) => fault.refusal().into(),
            (Ok(_), None) => Judged::bare(Outcome::Missing),
            (Ok(test), Some(actual)) => self.ask(test, actual),
        };
        Judgement::new(self.assertion, actual, Arc::clone(&self.test), judged)
    }

    /// Compares two values as the assertion reads them: see [`agreement`].
    pub fn agreement(&self, a: &Actual, b: &Actual) -> Agreement {
        compare::agree(self.assertion, &self.test, a, b, self.scale)
    }

    fn ask(&self, test: &Test, actual: &Actual) -> Judged {
        let assertion = self.assertion;
        let negated = Test::negated(assertion);
        match test {
            Test::Exists => {
                text::exists(assertion, plan::declared(assertion).ok().flatten().as_ref(), actual)
            }
            Test::Boolean(expected) => text::boolean(assertion, expected, negated, actual),
            Test::Text(test) => text::text(assertion, test, negated, actual),
            Test::Number(test) => NumberJudge { assertion, test, scale: self.scale, negated }.judge(actual),
        }
    }
}
