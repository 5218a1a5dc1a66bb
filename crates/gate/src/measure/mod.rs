//! How a value is read: from text to exact numbers with units, or to the reason why not (V1–V9, V11).
//!
//! One reading or none. [`read()`] gives *all* readings that the law allows a text; whoever judges asks each of
//! them and refuses unless they agree. Nothing here compares, and nothing here guesses.

mod exact;
mod fold;
mod number;
mod read;
mod refusal;
mod scan;
mod sentinel;
mod statement;
mod unit;
mod words;

pub use exact::{End, Exact, MAX_DIGITS, MAX_EXPONENT, Set};
pub use fold::{MAX_CHARS, is_blank, visible};
pub use read::{Measure, Reading, Sample, Target, plain_measure, read};
pub use refusal::Refusal;
pub use sentinel::{Presence, presence};
pub use statement::{Found, contains_measure};
pub use unit::{Declared, Quantity, Row, UNITS, Unit};
pub use words::{AFTER, BEFORE, Bound};

/// A text that is one number and nothing else (V3), such as a decoder's number or a density.
pub fn plain_number(text: &str) -> Option<Exact> {
    let chars: Vec<char> = text.trim().chars().map(fold::fold_char).collect();
    let first = usize::from(matches!(chars.first(), Some('-' | '+')));
    let begins = match chars.get(first) {
        Some('.') => chars.get(first + 1).is_some_and(char::is_ascii_digit),
        Some(c) => c.is_ascii_digit(),
        None => false,
    };
    let number = begins.then(|| number::parse(&chars, 0).ok()).flatten()?;
    (number.end == chars.len()).then_some(number.value)
}
