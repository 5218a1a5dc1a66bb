//! How a value is read: from text to exact numbers with units, or to the reason why not (V1–V9, V11).
//!
//! One reading or none. [`read()`] gives *all* readings that the law allows a text; whoever judges asks each of
//! them and refuses unless they agree. Nothing here compares, and nothing here guesses.

mod bound;
mod certain;
mod claim;
mod clause;
mod cluster;
mod denial;
mod direct;
mod doubt;
mod exact;
mod explain;
mod fate;
mod find;
mod fold;
mod han;
mod joint;
mod link;
mod number;
mod plain;
mod promise;
mod read;
mod refusal;
mod scan;
mod sentinel;
mod start;
mod statement;
mod term;
mod unit;
mod words;

pub use claim::{Claim, Says, claims, holds_unread};
pub use exact::{End, Exact, MAX_DIGITS, MAX_EXPONENT, Set};
pub use find::Declared;
pub use fold::{MAX_CHARS, is_blank, visible};
pub use plain::{Measure, plain_measure, plain_number};
pub use read::{Reading, Sample, Target, read};
pub use refusal::Refusal;
pub use sentinel::{Presence, presence};
pub use statement::{Found, contains_measure};
pub use unit::{Quantity, Row, UNITS, Unit};
pub use words::{AFTER, BEFORE, Bound};
