//! Which field of a criterion a finding is about, so that it can point there.

use std::collections::BTreeMap;

use crate::code::Code;
use crate::decode::Places;
use crate::problem::Span;

/// The fields that a finding of a code is about, the nearest first: of those that are not written the next one counts.
fn fields(code: Code) -> &'static [&'static str] {
    const EXPECTED: &[&str] = &["assertion.expected", "assertion.matcher", "assertion", "ruleId"];
    match code {
        Code::StatementContradicts
        | Code::StatementDisagrees
        | Code::AssertionVacuous
        | Code::AssertionImpossible
        | Code::AssertionsContradict
        | Code::AssertionRepeated
        | Code::RuleWeaker => EXPECTED,
        Code::UnitDisagrees => &["assertion.unit", "assertion.expected", "assertion"],
        Code::SourceAuxiliary | Code::SourceDiffers => &["assertion.source", "probe.evidence", "assertion"],
        Code::CollectorUnknown => &["probe.evidence"],
        Code::NodeHidden | Code::NodeUnseen => &["probe.with.node", "probe.with", "probe"],
        Code::ProbeInvalid => &["probe.with", "probe.reader", "probe"],
        Code::SamplesFew => &["assertion.minSamples", "assertion.aggregate", "assertion"],
        Code::ToleranceLoose | Code::ToleranceWide => &["assertion.tolerance", "assertion"],
        Code::JudgeUnnamed => &["verify", "statement"],
        Code::WordVague | Code::ObjectivityClaimed | Code::StatementRepeated | Code::CriterionNoAssertion => {
            &["statement"]
        }
        Code::CriterionUntied => &["covers"],
        _ => &[],
    }
}

/// Where a finding of a code stands in a criterion, if it is about one field.
pub fn place(code: Code, criterion: &str, places: &Places) -> Option<Span> {
    let written: &BTreeMap<String, Span> = places.get(criterion)?;
    fields(code).iter().find_map(|field| written.get(*field).copied())
}
