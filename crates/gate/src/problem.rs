//! A problem: one coded finding, with where it is and what to do about it.

use serde::{Deserialize, Serialize};

use crate::code::Code;

/// How much a problem weighs. An error refuses; a warning shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The audit, the pack or the input is refused.
    Error,
    /// Shown, and refuses nothing.
    Warning,
}

/// A place in an authored text: lines and columns count from 1, columns in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Span {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// One finding. `message` says what is wrong, `help` what to do; both are in the delivery's language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// The stable code, as documented in `docs/codes.md`.
    pub code: Code,
    /// Derived from the code.
    pub severity: Severity,
    /// What is wrong: a fragment that begins in lower case.
    pub message: String,
    /// What to do next.
    pub help: String,
    /// The criterion it is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub criterion: Option<String>,
    /// The file it is in: relative to the root, with forward slashes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file: Option<String>,
    /// Where in that file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at: Option<Span>,
}

impl Problem {
    /// A problem that knows neither criterion nor place yet.
    pub fn new(code: Code, message: impl Into<String>, help: impl Into<String>) -> Self {
        Problem {
            code,
            severity: code.severity(),
            message: message.into(),
            help: help.into(),
            criterion: None,
            file: None,
            at: None,
        }
    }

    /// The same problem, about a criterion.
    #[must_use]
    pub fn about(mut self, criterion: &str) -> Self {
        self.criterion = Some(criterion.to_owned());
        self
    }

    /// The same problem, in a file.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        self.file = Some(file.to_owned());
        self
    }

    /// The same problem, at a place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.at = Some(span);
        self
    }
}

/// Whether any of these refuses.
pub fn any_error(problems: &[Problem]) -> bool {
    problems.iter().any(|p| p.severity == Severity::Error)
}
