//! Nodes to types: what an author wrote becomes what is frozen, judged and shown.
//!
//! Every finding is reported at its place, never only the first; a value is returned only if nothing refuses it.
//! [`Fields`] reads a mapping and is what any other file of this project is decoded with too.

mod answer;
mod assertion;
mod check;
mod fields;
mod name;
mod number;
mod pack;
mod places;
mod waiver;

use crate::check::Actual;
use crate::code::Code;
use crate::lang::Lang;
use crate::node::Node;
use crate::pack::Assertion;
use crate::problem::{Problem, Span, any_error};

pub use answer::{responses, reviewer_answer};
pub use check::checks;
pub use fields::{Fields, did_you_mean, entries, kind, scalar};
pub use name::{check_feature, check_id, check_relative_path, has_visible};
pub use number::frozen_number;
pub use pack::{Authored, Locations, criteria, pack};
pub use places::{Places, criterion_node};
pub use waiver::{instant, waivers};

/// Whether the rules of authoring bind, beyond what is needed in order to judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// As an author writes it.
    Authoring,
    /// As a vector holds it: one that nothing can be judged by is judged, and answers invalid.
    Judging,
}

/// An assertion by itself, as at a prompt or in a vector.
pub fn assertion(node: &Node, rules: Rules, file: &str, lang: Lang) -> Decoded<Assertion> {
    let mut findings = Findings::new(file, lang);
    let value = assertion::assertion(node, None, rules, &mut findings);
    findings.finish(value)
}

/// A reported value by itself: one value, a list of samples, or explicit nothing.
pub fn actual(node: &Node, file: &str, lang: Lang) -> Decoded<Actual> {
    let mut findings = Findings::new(file, lang);
    let value = check::actual(node, &mut findings);
    findings.finish(value)
}

/// The most criteria in a pack.
pub const MAX_CRITERIA: usize = 10_000;
/// The longest text of one field, in characters.
pub const MAX_TEXT: usize = 20_000;
/// The longest id, in characters.
pub const MAX_ID: usize = 100;

/// What decoding gives: the value if nothing refuses it, and all findings in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded<T> {
    /// Absent exactly if a problem of severity error was found.
    pub value: Option<T>,
    /// Errors and warnings, by place and then by code.
    pub problems: Vec<Problem>,
}

impl<T> Decoded<T> {
    /// The value, or what refuses it. Warnings are dropped with the value's success.
    pub fn into_result(self) -> Result<T, Vec<Problem>> {
        self.value.ok_or(self.problems)
    }
}

/// Collects findings in one file.
#[derive(Clone, Debug)]
pub struct Findings<'a> {
    /// The language of messages.
    pub lang: Lang,
    file: &'a str,
    problems: Vec<Problem>,
}

impl<'a> Findings<'a> {
    /// Nothing found yet in `file`, a path relative to the root.
    pub fn new(file: &'a str, lang: Lang) -> Self {
        Findings { lang, file, problems: Vec::new() }
    }

    /// Reports a finding at a place, with the code's own cure as its help.
    pub fn report(&mut self, code: Code, at: Span, message: impl Into<String>) {
        self.report_with(code, at, message, code.help(self.lang));
    }

    /// Reports a finding at a place, with help of its own.
    pub fn report_with(&mut self, code: Code, at: Span, message: impl Into<String>, help: impl Into<String>) {
        self.push(Problem::new(code, message, help).at(at));
    }

    /// Reports a finding that is already put into words; the file is added.
    pub fn push(&mut self, problem: Problem) {
        self.problems.push(problem.in_file(self.file));
    }

    /// Names the criterion in everything reported since `mark`, as [`Findings::mark`] gave it.
    pub fn tie(&mut self, mark: usize, criterion: &str) {
        for problem in self.problems.iter_mut().skip(mark) {
            problem.criterion.get_or_insert_with(|| criterion.to_owned());
        }
    }

    /// How many findings there are so far.
    pub fn mark(&self) -> usize {
        self.problems.len()
    }

    /// The value, unless something refuses it, with all findings in the order of the text.
    pub fn finish<T>(self, value: Option<T>) -> Decoded<T> {
        let mut problems = self.problems;
        problems.sort_by_key(|problem| (problem.at, problem.code.name()));
        let refused = any_error(&problems);
        Decoded { value: value.filter(|_| !refused), problems }
    }
}

#[cfg(test)]
mod tests;
