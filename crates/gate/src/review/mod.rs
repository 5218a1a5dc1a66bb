//! Attackers: what can be said against a pack before any work begins.
//!
//! Deterministic findings over a frozen pack and what the pipeline declares; one file an attacker. Each asks how a
//! bad delivery could pass, or why a good one never could. A finding of severity error blocks: no agent is paid to
//! work towards a definition of done that cannot tell done from not done. What is only doubtful warns.

mod accepted;
mod aggregate;
mod contradiction;
mod coverage;
mod dimension;
mod field;
mod finding;
mod fix;
mod hygiene;
mod instructs;
mod judgement;
mod loophole;
mod loosened;
mod nearest;
mod no_assertion;
mod node;
mod proposed;
mod repeated;
mod response;
mod reviewer;
mod rule;
mod samples;
mod secret;
mod shown;
mod side;
mod source;
mod state;
mod statement;
mod tolerance;
mod vacuous;
mod way;
mod wording;

use std::collections::BTreeMap;

use crate::audit::SourceKind;
use crate::decode::{Locations, Places};
use crate::lang::Lang;
use crate::pack::{Criterion, Pack};
use crate::problem::Problem;

pub use field::place as field_place;
pub use finding::{Finding, rule};
pub use fix::{Edit, edited, fix};
pub use loophole::{Loophole, Way, loopholes};
pub use loosened::{Loosening, loosened};
pub use no_assertion::without_assertion;
pub use response::{Response, Stance};
pub use reviewer::{
    Angle, Cluster, MAX_OBJECTIONS, MAX_WORDS, Objection, ReviewerAnswer, Voice, clusters, objections,
};

/// What the pipeline declares, and where the pack stands.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The sources by name.
    pub sources: &'a BTreeMap<String, SourceKind>,
    /// The collectors by name.
    pub collectors: &'a BTreeMap<String, Collector>,
    /// Where each criterion stands in the authored pack.
    pub locations: &'a Locations,
    /// Where the fields of each criterion stand.
    pub places: &'a Places,
}

/// What a review knows of a collector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collector {
    /// The source that its file has.
    pub source: String,
    /// Whether its file was made earlier, and is copied.
    pub is_copied: bool,
    /// Whether its file does not depend on the delivery.
    pub is_constant: bool,
}

/// All findings: in the pack's order, then by code; those tied to no criterion last.
pub fn review(pack: &Pack, context: &Context<'_>, lang: Lang) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut compared = among_criteria(pack, lang);
    for criterion in &pack.criteria {
        let mut found = attack(criterion, context, lang);
        found.extend(coverage::untied(criterion, pack, lang));
        found.extend(compared.remove(&criterion.id).unwrap_or_default());
        found.sort_by_key(|problem| problem.code.name());
        problems.extend(found.into_iter().map(|problem| place(problem, criterion, context)));
    }
    let mut untied = dimension::empty_dimensions(pack, lang);
    untied.extend(coverage::uncovered(pack, lang));
    untied.extend(state::unasked(pack, lang));
    untied.extend(hygiene::of_pack(pack, lang));
    untied.sort_by_key(|problem| problem.code.name());
    problems.extend(untied);
    problems
}

/// What can be said against criteria because of others, by the id of the later one.
fn among_criteria(pack: &Pack, lang: Lang) -> BTreeMap<String, Vec<Problem>> {
    let subjects = wording::Subject::all(pack.criteria.iter().map(|criterion| criterion.statement.as_str()));
    let contradictions = contradiction::contradictions(pack, &subjects, lang);
    let statements = repeated::statements(pack, &subjects, lang);
    let assertions = repeated::assertions(pack, lang);
    let mut found: BTreeMap<String, Vec<Problem>> = BTreeMap::new();
    for (id, problem) in contradictions.into_iter().chain(statements).chain(assertions) {
        found.entry(id).or_default().push(problem);
    }
    found
}

/// What can be said against one criterion on its own.
fn attack(criterion: &Criterion, context: &Context<'_>, lang: Lang) -> Vec<Problem> {
    let mut found: Vec<Problem> = no_assertion::without_assertion(criterion, lang).into_iter().collect();
    found.extend(judgement::unnamed(criterion, lang));
    found.extend(judgement::vague(criterion, lang));
    found.extend(judgement::claimed_objectivity(criterion, lang));
    found.extend(hygiene::of_criterion(criterion, context, lang));
    let Some(assertion) = &criterion.assertion else { return found };
    found.extend(proposed::unconfirmed(assertion, lang));
    found.extend(vacuous::vacuous(criterion, assertion, lang));
    found.extend(tolerance::wide(assertion, lang));
    found.extend(source::weak_source(criterion, assertion, context, lang));
    found.extend(
        criterion.probe.iter().flat_map(|probe| source::weak_collector(probe, assertion, context, lang)),
    );
    found.extend(samples::few_samples(criterion, assertion, lang));
    found.extend(rule::weaker(criterion, assertion, lang));
    let disagreement = statement::disagreement(criterion, assertion, lang)
        .or_else(|| aggregate::luckier(criterion, assertion, lang))
        .or_else(|| shown::otherwise(criterion, assertion, lang));
    found.extend(disagreement);
    found.extend(
        side::another(criterion, lang)
            .map(|problem| at_field(problem, criterion, context, "probe.with.measure")),
    );
    found.extend(node::hidden(criterion, assertion, lang));
    found
}

/// Points a finding at a field that its code does not say.
fn at_field(problem: Problem, criterion: &Criterion, context: &Context<'_>, field: &str) -> Problem {
    let written = context.places.get(&criterion.id);
    match written.and_then(|written| written.get(field)) {
        Some(at) => problem.at(*at),
        None => problem,
    }
}

/// Ties a finding to its criterion, and to the field that it is about where that is known.
fn place(problem: Problem, criterion: &Criterion, context: &Context<'_>) -> Problem {
    let problem = problem.about(&criterion.id);
    let field = problem.at.or_else(|| field_place(problem.code, &criterion.id, context.places));
    match context.locations.get(&criterion.id) {
        Some(location) => problem.in_file(&location.file).at(field.unwrap_or(location.span)),
        None => problem,
    }
}

#[cfg(test)]
mod tests;
