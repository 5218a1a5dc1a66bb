//! What is looked for in a trace, what looks for it, and what is found.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem::Finder;
use regex::bytes::Regex;

/// The letters that the kernel keeps of a thread's name: OpenHarmony keeps the last ones.
const COMM_LENGTH: usize = 15;

/// How a name is compared.
#[derive(Clone, Debug)]
pub(crate) enum Name {
    Exact(Vec<u8>),
    Prefix(Vec<u8>),
    Pattern(Regex),
}

impl Name {
    pub(super) fn matches(&self, name: &[u8]) -> bool {
        match self {
            Name::Exact(wanted) => name == wanted,
            Name::Prefix(wanted) => name.starts_with(wanted),
            Name::Pattern(pattern) => pattern.is_match(name),
        }
    }

    pub(super) fn literal(&self) -> Option<&[u8]> {
        match self {
            Name::Exact(literal) | Name::Prefix(literal) => Some(literal),
            Name::Pattern(_) => None,
        }
    }
}

/// What is looked for in a trace.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) name: Name,
    /// Whether ends matter: finding them costs more.
    pub(crate) ends: bool,
    /// The thread by name.
    pub(crate) thread: Option<String>,
}

/// An instant in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point {
    pub(crate) ns: i64,
    pub(crate) line: u64,
}

/// A marker that was found, with its end if that was wanted and came.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// Index of what was wanted.
    pub(crate) wanted: usize,
    pub(crate) pid: u64,
    pub(crate) begin: Point,
    pub(crate) end: Option<Point>,
}

/// A value of a counter.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) pid: u64,
    pub(crate) name: Vec<u8>,
    pub(crate) value: String,
    pub(crate) line: u64,
}

/// What one pass found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) spans: Vec<Span>,
    pub(crate) samples: Vec<Sample>,
    /// Process ids of each process that was asked for, by the name that was asked.
    pub(crate) processes: BTreeMap<String, BTreeSet<u64>>,
    /// Where the trace says that it lost events.
    pub(crate) lost: Option<u64>,
    pub(crate) lines: u64,
}

/// The name as the kernel keeps it.
pub(super) fn kept(name: &str) -> &[u8] {
    let bytes = name.as_bytes();
    bytes.get(bytes.len().saturating_sub(COMM_LENGTH)..).unwrap_or(bytes)
}

/// A text that marks lines worth parsing, and where it comes next in the current piece.
pub(super) struct Needle {
    finder: Finder<'static>,
    next: Option<usize>,
    /// Whether `next` is known for the current piece.
    pub(super) known: bool,
}

impl Needle {
    pub(super) fn new(text: &[u8]) -> Self {
        Needle { finder: Finder::new(text).into_owned(), next: None, known: false }
    }

    pub(super) fn next_from(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        let stale = !self.known || self.next.is_some_and(|next| next < at);
        if stale {
            self.next = bytes.get(at..).and_then(|rest| self.finder.find(rest)).map(|found| at + found);
            self.known = true;
        }
        self.next
    }
}
