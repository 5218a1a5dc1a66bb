//! `brief.md`: the Goal brief for the agent.

use gate::audit::{AssertionVerdict, Outcome};
use serde::Serialize;

use super::view::{CriterionView, ProblemView};
use crate::documents::{Brief, Remark};
use crate::failure::Result;
use crate::render::Renderer;

/// The template's name.
pub const TEMPLATE: &str = "brief.md.tera";

#[derive(Serialize)]
struct View<'a> {
    feature: &'a str,
    title: &'a str,
    round: u32,
    pack_sha256: &'a str,
    goal: Option<&'a str>,
    requirements: &'a [gate::pack::Requirement],
    criteria: Vec<CriterionView<'a>>,
    held_out: usize,
    failures: Vec<FailureView<'a>>,
    problems: Vec<ProblemView<'a>>,
}

#[derive(Serialize)]
struct FailureView<'a> {
    criterion: CriterionView<'a>,
    outcome: Outcome,
    verdict: AssertionVerdict,
    actual: Option<&'a str>,
    found: Option<&'a str>,
    remarks: &'a [Remark],
}

/// Renders `brief.md` from the brief.
pub fn markdown(renderer: &Renderer, brief: &Brief) -> Result<Vec<u8>> {
    let lang = brief.lang;
    let failures = brief.failures.iter().map(|failure| FailureView {
        criterion: CriterionView::of(&failure.criterion, lang),
        outcome: failure.outcome,
        verdict: failure.assertion_verdict,
        actual: failure.actual.as_deref(),
        found: failure.found.as_deref(),
        remarks: &failure.remarks,
    });
    renderer.render(
        TEMPLATE,
        &View {
            feature: &brief.feature,
            title: &brief.title,
            round: brief.round,
            pack_sha256: &brief.pack_sha256,
            goal: brief.goal.as_deref(),
            requirements: &brief.requirements,
            criteria: brief.criteria.iter().map(|criterion| CriterionView::of(criterion, lang)).collect(),
            held_out: brief.held_out,
            failures: failures.collect(),
            problems: ProblemView::all(&brief.problems),
        },
    )
}
