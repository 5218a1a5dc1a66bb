//! `brief.md`: the Goal brief for the agent.

use gate::audit::{AssertionVerdict, Outcome};
use gate::lang::Lang;
use gate::pack::Criterion;
use gate::problem::Problem;
use gate::say;
use serde::Serialize;

use super::view::CriterionView;
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
    /// What authors, auditors and devices wrote stands in fences: each of these is one block of data.
    requirements: Option<String>,
    problems: Option<String>,
    criteria: Vec<BriefCriterion<'a>>,
    held_out: usize,
    failures: Vec<FailureView<'a>>,
}

#[derive(Serialize)]
struct BriefCriterion<'a> {
    criterion: CriterionView<'a>,
    /// Its statement, and how it is checked.
    text: String,
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
            requirements: lines(
                brief.requirements.iter().map(|asked| format!("{}: {}", asked.id, asked.text)),
            ),
            problems: lines(brief.problems.iter().map(problem)),
            criteria: brief.criteria.iter().map(|criterion| told(criterion, lang)).collect(),
            held_out: brief.held_out,
            failures: failures.collect(),
        },
    )
}

/// One block of lines, if there is a line.
fn lines(lines: impl Iterator<Item = String>) -> Option<String> {
    let text = lines.collect::<Vec<_>>().join("\n");
    (!text.is_empty()).then_some(text)
}

fn problem(problem: &Problem) -> String {
    let about = problem.criterion.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
    format!("{}{about}: {}", problem.code.name(), problem.message)
}

fn told(criterion: &Criterion, lang: Lang) -> BriefCriterion<'_> {
    let verify =
        criterion.verify.as_ref().map(|verify| say!(lang, "\nChecked by: {verify}", "\n检查方法：{verify}"));
    let text = format!("{}{}", criterion.statement, verify.unwrap_or_default());
    BriefCriterion { criterion: CriterionView::of(criterion, lang), text }
}
