//! The comparison that the words around a number make.

use super::bound::{Head, Tail, after, before, word_before};
use super::clause::back_over_space;
use super::denial::{begins_with_none, denied, opposite};
use super::term::Term;
use super::words::Bound;

/// Words that say something of a number in a statement, and nothing in a value.
const BEFORE: &[(&str, Bound)] = &[
    ("no later than", Bound::AtMost),
    ("a maximum of", Bound::AtMost),
    ("a minimum of", Bound::AtLeast),
    ("达到", Bound::AtLeast),
    ("达", Bound::AtLeast),
    ("上限", Bound::AtMost),
    ("上限为", Bound::AtMost),
    ("下限", Bound::AtLeast),
    ("下限为", Bound::AtLeast),
];

/// Words that say that something is the number.
const EQUALS: &[&str] = &[
    "is", "are", "be", "equals", "equal to", "exactly", "=", "为", "是", "等于", "正好", "恰好", "恰为",
    "均为",
];

/// A comparison of a number.
pub(super) struct Comparison {
    /// None where no word makes one.
    pub(super) bound: Option<Bound>,
    /// Whether a denial turned it.
    pub(super) is_turned: bool,
    /// Where its words begin, or the number if they stand behind it; and where all of it ends.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// What stands before the number, or after it and its unit.
pub(super) fn bound(chars: &[char], at: usize, floor: usize, term: &Term) -> Comparison {
    let (head, begins) = before(chars, at, floor);
    let word = longest(chars, at, floor, super::words::BEFORE);
    let is_denied = |start: usize| denied(chars, start, floor) || begins_with_none(chars, start, floor);
    let read = |bound: Option<Bound>, is_turned: bool, start: usize, end: usize| {
        let bound = if is_turned { bound.map(opposite) } else { bound };
        Comparison { bound, is_turned, start, end }
    };
    match (head, word) {
        (Head::Bound(bound), Some((_, start))) => read(Some(bound), is_denied(start), start, term.end),
        (Head::Bound(bound), None) => read(Some(bound), false, begins, term.end),
        // A bound that is denied: the law reads nothing in it, a person reads the opposite.
        (Head::Unclear, Some((bound, start))) if denied(chars, start, floor) => {
            read(Some(bound), true, start, term.end)
        }
        (Head::Unclear, _) => read(None, false, at, term.end),
        (Head::Plain | Head::Altered, _) => {
            if let Tail::Bound(bound, end) = after(chars, term.end, term.unit.is_some()) {
                return read(Some(bound), is_denied(at), at, end);
            }
            match longest(chars, at, floor, BEFORE) {
                Some((bound, start)) => read(Some(bound), false, start, term.end),
                None => read(None, false, at, term.end),
            }
        }
    }
}

pub(super) fn is_equated(chars: &[char], at: usize, floor: usize) -> bool {
    let place = back_over_space(chars, at, floor);
    EQUALS.iter().any(|word| word_before(chars, place, floor, word).is_some())
}

/// The longest of the words that ends before the number, with where it begins.
fn longest(chars: &[char], at: usize, floor: usize, words: &[(&str, Bound)]) -> Option<(Bound, usize)> {
    let mut place = at;
    while place > floor && chars.get(place - 1).is_some_and(|c| c.is_whitespace() || matches!(c, ':' | '约'))
    {
        place -= 1;
    }
    let found =
        words.iter().filter_map(|(word, bound)| Some((*bound, word_before(chars, place, floor, word)?)));
    found.min_by_key(|(_, start)| *start)
}
