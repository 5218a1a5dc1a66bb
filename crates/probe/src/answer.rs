//! Building answers: every way in which a reader ends without a value, and the usual shapes of a value.

use gate::observation::{Answer, Place, Reading};
use gate::pack::Scalar;

/// Why a reader stops without a value. Reasons are in the language that was asked for.
#[derive(Debug)]
pub(crate) enum Stop {
    /// There certainly is no such thing.
    Nothing(String),
    /// There is no value.
    Missing(String),
    /// The file cannot be read so.
    Unreadable(String),
}

impl Stop {
    pub(crate) fn into_answer(self) -> Answer {
        match self {
            Stop::Nothing(reason) => Answer::Nothing { reason },
            Stop::Missing(reason) => Answer::Missing { reason },
            Stop::Unreadable(reason) => Answer::Unreadable { reason },
        }
    }
}

/// An answer, or why there is none.
pub(crate) type Outcome<T = Answer> = Result<T, Stop>;

pub(crate) fn missing<T>(reason: String) -> Outcome<T> {
    Err(Stop::Missing(reason))
}

pub(crate) fn unreadable<T>(reason: String) -> Outcome<T> {
    Err(Stop::Unreadable(reason))
}

pub(crate) fn nothing<T>(reason: String) -> Outcome<T> {
    Err(Stop::Nothing(reason))
}

pub(crate) fn values(values: Vec<Reading>) -> Answer {
    Answer::Values { values }
}

pub(crate) fn one(reading: Reading) -> Outcome {
    Ok(values(vec![reading]))
}

/// A value as text (`197px`), found at one place.
pub(crate) fn reading(actual: impl Into<String>, place: Place) -> Reading {
    reading_at(actual, vec![place])
}

/// A value as text, found at several places.
pub(crate) fn reading_at(actual: impl Into<String>, places: Vec<Place>) -> Reading {
    Reading { actual: Scalar::Text(actual.into()), places, note: None }
}

/// A boolean.
pub(crate) fn truth(actual: bool, place: Place) -> Reading {
    Reading { actual: Scalar::Bool(actual), places: vec![place], note: None }
}

/// The same reading with a note for people.
pub(crate) fn noted(mut reading: Reading, note: String) -> Reading {
    reading.note = Some(note);
    reading
}

pub(crate) fn at_line(line: u64) -> Place {
    Place::Line { line }
}
