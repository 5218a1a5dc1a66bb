//! A must that states a number without an assertion: two auditors will read it differently.

use crate::code::Code;
use crate::lang::Lang;
use crate::measure::contains_measure;
use crate::pack::{Criterion, Weight};
use crate::problem::Problem;
use crate::say;

/// W_CRITERION_NO_ASSERTION, if it applies to the criterion.
pub fn without_assertion(criterion: &Criterion, lang: Lang) -> Option<Problem> {
    if criterion.weight != Weight::Must || criterion.assertion.is_some() {
        return None;
    }
    let measure = contains_measure(&criterion.statement)?.text;
    let message = say!(
        lang,
        "a must states `{measure}` and has no assertion to hold it to",
        "must 标准写了 `{measure}`，却没有断言来约束"
    );
    Some(
        Problem::new(Code::CriterionNoAssertion, message, Code::CriterionNoAssertion.help(lang))
            .about(&criterion.id),
    )
}
