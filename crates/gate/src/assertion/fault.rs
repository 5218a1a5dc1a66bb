//! What is wrong with an assertion as it is written, and in which of its fields.

use crate::lang::Lang;
use crate::measure::Refusal;

/// A field of an assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// `expected`.
    Expected,
    /// `unit`.
    Unit,
    /// `aggregate`.
    Aggregate,
    /// `minSamples`.
    MinSamples,
    /// `tolerance`.
    Tolerance,
}

impl Field {
    /// Its name in a pack.
    pub fn name(self) -> &'static str {
        match self {
            Field::Expected => "expected",
            Field::Unit => "unit",
            Field::Aggregate => "aggregate",
            Field::MinSamples => "minSamples",
            Field::Tolerance => "tolerance",
        }
    }
}

/// Why nothing can be judged by an assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The field that it is about; it may be absent from the pack.
    pub field: Field,
    en: String,
    zh: String,
}

impl Fault {
    pub(super) fn new(field: Field, en: impl Into<String>, zh: impl Into<String>) -> Self {
        Fault { field, en: en.into(), zh: zh.into() }
    }

    pub(super) fn because(field: Field, why: &Refusal) -> Self {
        Fault::new(field, why.explain(Lang::En), why.explain(Lang::Zh))
    }

    /// A fragment in lower case: what is wrong, and what to write instead.
    pub fn explain(&self, lang: Lang) -> String {
        lang.pick(&self.en, &self.zh).clone()
    }

    /// The refusal of every value that is judged by such an assertion.
    pub(super) fn refusal(&self) -> Refusal {
        let field = self.field.name();
        Refusal::Assertion {
            en: format!("the assertion's `{field}`: {}", self.en),
            zh: format!("断言的 `{field}`：{}", self.zh),
        }
    }
}
