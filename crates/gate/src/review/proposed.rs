//! Assertions that a program read out of a sentence: what is measured is a decision, and a person makes it.

use crate::code::Code;
use crate::lang::Lang;
use crate::pack::Assertion;
use crate::problem::Problem;
use crate::say;

/// E_ASSERTION_PROPOSED, if nobody has confirmed the assertion yet.
pub(super) fn unconfirmed(assertion: &Assertion, lang: Lang) -> Option<Problem> {
    assertion.proposed.then(|| {
        let shown = crate::assertion::shown(&Assertion { proposed: false, ..assertion.clone() }, lang);
        let message = say!(
            lang,
            "the assertion `{shown}` is a proposal that was read out of the statement, and nobody has confirmed it",
            "断言 `{shown}` 是从陈述中读出的建议，尚无人确认"
        );
        Problem::new(Code::AssertionProposed, message, Code::AssertionProposed.help(lang))
    })
}
