//! Attackers: what can be said against a pack before any work begins.
//!
//! Deterministic findings over a frozen pack and what the pipeline declares; one file an attacker. Each asks how a
//! bad delivery could pass, or why a good one never could. A finding of severity error blocks: no agent is paid to
//! work towards a definition of done that cannot tell done from not done.

mod accepted;
mod contradiction;
mod coverage;
mod dimension;
mod loosened;
mod no_assertion;
mod rule;
mod samples;
mod source;
mod statement;
mod vacuous;

use std::collections::BTreeMap;

use crate::audit::SourceKind;
use crate::decode::Locations;
use crate::lang::Lang;
use crate::pack::{Criterion, Pack};
use crate::problem::Problem;

pub use loosened::{Loosening, loosened};
pub use no_assertion::without_assertion;

/// What the pipeline declares, and where the pack stands.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The sources by name.
    pub sources: &'a BTreeMap<String, SourceKind>,
    /// The collectors by name, each with the source that its file has.
    pub collectors: &'a BTreeMap<String, String>,
    /// Where each criterion stands in the authored pack.
    pub locations: &'a Locations,
}

/// All findings: in the pack's order, then by code; those tied to no criterion last.
pub fn review(pack: &Pack, context: &Context<'_>, lang: Lang) -> Vec<Problem> {
    let mut problems = Vec::new();
    let contradictions = contradiction::contradictions(pack, lang);
    let repetitions = statement::repetitions(pack, lang);
    for criterion in &pack.criteria {
        let mut found = attack(criterion, context, lang);
        found.extend(
            contradictions
                .iter()
                .chain(&repetitions)
                .filter(|(id, _)| *id == criterion.id)
                .map(|(_, p)| p.clone()),
        );
        found.sort_by_key(|problem| problem.code.name());
        problems.extend(found.into_iter().map(|problem| place(problem, criterion, context)));
    }
    let mut untied = dimension::empty_dimensions(pack, lang);
    untied.extend(coverage::uncovered(pack, lang));
    untied.sort_by_key(|problem| problem.code.name());
    problems.extend(untied);
    problems
}

/// What can be said against one criterion on its own.
fn attack(criterion: &Criterion, context: &Context<'_>, lang: Lang) -> Vec<Problem> {
    let mut found: Vec<Problem> = no_assertion::without_assertion(criterion, lang).into_iter().collect();
    let Some(assertion) = &criterion.assertion else { return found };
    found.extend(vacuous::vacuous(assertion, lang));
    found.extend(source::weak_source(criterion, assertion, context, lang));
    found.extend(
        criterion.probe.iter().flat_map(|probe| source::weak_collector(probe, assertion, context, lang)),
    );
    found.extend(samples::few_samples(assertion, lang));
    found.extend(rule::weaker(criterion, assertion, lang));
    found.extend(statement::disagreement(&criterion.statement, assertion, lang));
    found
}

fn place(problem: Problem, criterion: &Criterion, context: &Context<'_>) -> Problem {
    let problem = problem.about(&criterion.id);
    match context.locations.get(&criterion.id) {
        Some(location) => problem.in_file(&location.file).at(location.span),
        None => problem,
    }
}

#[cfg(test)]
mod tests;
