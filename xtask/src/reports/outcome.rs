//! What the acceptance report and the rework order both tell: the rounds, the path of every criterion, the last audit.

use gate::audit::{Counts, Outcome, Verdict};
use serde::Serialize;

use super::review::FindingView;
use super::run::RunView;
use super::view::{
    DimensionView, EvidenceView, ProblemView, RefreezeView, ResultView, general_problems, short,
};
use crate::documents::{Report, RunEnd};

/// The view of both templates.
#[derive(Serialize)]
pub struct View<'a> {
    feature: &'a str,
    title: &'a str,
    round: u32,
    pack_sha256: &'a str,
    commit: &'a str,
    instant: &'a str,
    replayed: bool,
    verdict: Verdict,
    counts: Counts,
    density: Option<&'a str>,
    font_scale: Option<&'a str>,
    rounds: Vec<RoundView<'a>>,
    runs: Vec<RunView<'a>>,
    path: Vec<PathView<'a>>,
    dimensions: Vec<DimensionView>,
    results: Vec<ResultView<'a>>,
    /// What does not hold, must before should.
    failures: Vec<ResultView<'a>>,
    /// What people judged.
    judged: Vec<ResultView<'a>>,
    problems: Vec<ProblemView<'a>>,
    general_problems: Vec<ProblemView<'a>>,
    evidence: Vec<EvidenceView<'a>>,
    history: Vec<RefreezeView<'a>>,
    disputed: Vec<FindingView<'a>>,
}

#[derive(Serialize)]
struct RoundView<'a> {
    round: u32,
    executor: &'a str,
    kind: &'a str,
    replayed: bool,
    end: RunEnd,
    base: &'a str,
    head: &'a str,
    verdict: Verdict,
    counts: Counts,
}

#[derive(Serialize)]
struct PathView<'a> {
    id: &'a str,
    outcomes: &'a [Outcome],
    regressed: bool,
}

impl<'a> View<'a> {
    /// Everything as text, from the report alone.
    pub fn of(report: &'a Report) -> Self {
        let audit = &report.audit;
        View {
            feature: &audit.feature,
            title: &audit.title,
            round: audit.round,
            pack_sha256: &audit.pack_sha256,
            commit: &audit.commit,
            instant: &audit.instant,
            replayed: audit.replayed,
            verdict: audit.verdict,
            counts: audit.counts,
            density: audit.scale.density.as_deref(),
            font_scale: audit.scale.font_scale.as_deref(),
            rounds: report.rounds.iter().map(round).collect(),
            runs: RunView::all(&report.rounds),
            path: report.path.iter().map(path).collect(),
            dimensions: DimensionView::all(audit),
            results: ResultView::all(audit),
            failures: ResultView::failures(audit),
            judged: ResultView::all(audit).into_iter().filter(|result| result.assertion.is_none()).collect(),
            problems: ProblemView::all(&audit.problems),
            general_problems: general_problems(audit),
            evidence: EvidenceView::all(audit),
            history: RefreezeView::all(&report.history, audit.lang),
            disputed: FindingView::all(&report.disputed, &[]),
        }
    }
}

fn round(line: &crate::documents::RoundLine) -> RoundView<'_> {
    RoundView {
        round: line.round,
        executor: &line.executor,
        kind: &line.kind,
        replayed: line.replayed,
        end: line.end,
        base: short(&line.base),
        head: short(&line.head),
        verdict: line.verdict,
        counts: line.counts,
    }
}

fn path(line: &crate::documents::PathLine) -> PathView<'_> {
    PathView { id: &line.id, outcomes: &line.outcomes, regressed: line.regressed }
}
