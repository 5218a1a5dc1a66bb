//! What the page's template lays out: every value already a text or a drawing.

use gate::audit::{Counts, CriterionResult, Outcome, Verdict};
use serde::Serialize;

use super::chart::{self, Row};
use super::figures::{self, Figures};
use super::finding::{plot, rank};
use super::svg::Svg;
use super::{Material, signs};
use crate::documents::{AuditFile, RoundLine, RunEnd};
use crate::reports::review::FindingView;
use crate::reports::run::RunView;
use crate::reports::view::{
    DimensionView, EvidenceView, ProblemView, RefreezeView, ResultView, general_problems, short,
};

/// The view of `report.html.tera`.
#[derive(Serialize)]
pub struct View<'a> {
    feature: &'a str,
    title: &'a str,
    round: u32,
    verdict: Verdict,
    counts: Counts,
    total: usize,
    replayed: bool,
    pack_sha256: &'a str,
    commit: &'a str,
    instant: &'a str,
    density: Option<&'a str>,
    font_scale: Option<&'a str>,
    rounds: Vec<RoundView<'a>>,
    /// What does not hold, must before should.
    open: Vec<Line<'a>>,
    /// What did not hold in some round and is settled now.
    mended: Vec<Line<'a>>,
    criteria: Vec<CriterionView<'a>>,
    dimensions: Vec<DimensionView>,
    outcomes: Vec<OutcomeView>,
    problems: Vec<ProblemView<'a>>,
    general_problems: Vec<ProblemView<'a>>,
    screens: Vec<Figures>,
    /// Of the last round, the drawing and the size of a screen on which something fails.
    failing: Option<Failing>,
    timelines: Vec<Figures>,
    runs: Vec<RunView<'a>>,
    evidence: Vec<RoundEvidence<'a>>,
    history: Vec<RefreezeView<'a>>,
    disputed: Vec<FindingView<'a>>,
}

#[derive(Serialize)]
struct Failing {
    id: String,
    width: String,
    height: String,
}

impl Failing {
    fn of(screens: &[Figures], round: u32) -> Option<Self> {
        let figures = screens.iter().flat_map(|figures| &figures.rounds);
        let (width, height, id) = figures
            .filter(|figure| figure.round == round && figure.fails)
            .map(|figure| (figure.width.clone(), figure.height.clone(), figure.id.clone()))
            .next()?;
        Some(Failing { id, width, height })
    }
}

#[derive(Serialize)]
struct RoundView<'a> {
    round: u32,
    verdict: Verdict,
    outcomes: Vec<OutcomeView>,
    bar: String,
    executor: &'a str,
    kind: &'a str,
    end: RunEnd,
    base: &'a str,
    head: &'a str,
    replayed: bool,
}

/// A criterion, and what became of it in each round.
#[derive(Serialize)]
struct CriterionView<'a> {
    result: ResultView<'a>,
    path: Vec<Step>,
    regressed: bool,
    chart: Option<String>,
    by_person: bool,
}

/// A criterion in a line, for the first screen.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    statement: &'a str,
    weight: gate::pack::Weight,
    outcome: Outcome,
    assertion: Option<String>,
    path: Vec<Step>,
    regressed: bool,
}

impl<'a> Line<'a> {
    fn of(view: &CriterionView<'a>) -> Self {
        Line {
            id: view.result.id,
            statement: view.result.statement,
            weight: view.result.weight,
            outcome: view.result.outcome,
            assertion: view.result.assertion.clone(),
            path: view.path.clone(),
            regressed: view.regressed,
        }
    }
}

#[derive(Clone, Serialize)]
struct Step {
    round: u32,
    outcome: Outcome,
    values: String,
}

#[derive(Serialize)]
struct OutcomeView {
    outcome: Outcome,
    count: usize,
}

#[derive(Serialize)]
struct RoundEvidence<'a> {
    round: u32,
    files: Vec<EvidenceView<'a>>,
}

impl<'a> View<'a> {
    /// Everything as text, from the material alone.
    pub fn of(material: &'a Material) -> Self {
        let audit = &material.report.audit;
        let lang = audit.lang;
        let audits = material.audits();
        let criteria: Vec<CriterionView<'a>> =
            audit.criteria.iter().map(|criterion| criterion_view(criterion, audit, &audits)).collect();
        let mut open: Vec<&CriterionView<'a>> =
            criteria.iter().filter(|view| !view.result.is_settled()).collect();
        open.sort_by_key(|view| (view.result.weight, rank(view.result.outcome)));
        let is_mended = |view: &&CriterionView<'a>| {
            view.result.is_settled() && view.path.iter().any(|step| step.outcome != Outcome::Pass)
        };
        let screens = figures::screens(material, lang);
        View {
            feature: &audit.feature,
            title: &audit.title,
            round: audit.round,
            verdict: audit.verdict,
            counts: audit.counts,
            total: audit.criteria.len(),
            replayed: audit.replayed,
            pack_sha256: &audit.pack_sha256,
            commit: &audit.commit,
            instant: &audit.instant,
            density: audit.scale.density.as_deref(),
            font_scale: audit.scale.font_scale.as_deref(),
            rounds: material.report.rounds.iter().map(round).collect(),
            open: open.into_iter().map(Line::of).collect(),
            mended: criteria.iter().filter(is_mended).map(Line::of).collect(),
            criteria,
            dimensions: DimensionView::all(audit),
            outcomes: outcomes(audit.counts),
            problems: ProblemView::all(&audit.problems),
            general_problems: general_problems(audit),
            failing: Failing::of(&screens, audit.round),
            screens,
            timelines: figures::timelines(material, lang),
            runs: RunView::all(&material.report.rounds),
            evidence: audits.iter().map(|audit| evidence(audit)).collect(),
            history: RefreezeView::all(&material.report.history, lang),
            disputed: FindingView::all(&material.report.disputed, &[]),
        }
    }
}

/// The outcomes of a round as one bar, what needs work first.
fn bar(counts: Counts) -> String {
    const WIDTH: f64 = 240.0;
    let parts = outcomes(counts);
    let total: usize = parts.iter().map(|part| part.count).sum();
    let mut svg = Svg::new(WIDTH, 8.0);
    let mut left = 0.0;
    for part in &parts {
        let width = WIDTH * part.count as f64 / total.max(1) as f64;
        svg.rect(signs::word(part.outcome), (left, 0.0), (width - 1.5, 8.0));
        left += width;
    }
    svg.stretched("parts")
}

fn round(line: &RoundLine) -> RoundView<'_> {
    RoundView {
        round: line.round,
        verdict: line.verdict,
        outcomes: outcomes(line.counts),
        bar: bar(line.counts),
        executor: &line.executor,
        kind: &line.kind,
        end: line.end,
        base: short(&line.base),
        head: short(&line.head),
        replayed: line.replayed,
    }
}

fn criterion_view<'a>(
    criterion: &'a CriterionResult,
    last: &'a AuditFile,
    audits: &[&'a AuditFile],
) -> CriterionView<'a> {
    let mut rows = Vec::new();
    for audit in audits {
        let Some(found) = audit.criteria.iter().find(|other| other.id == criterion.id) else { continue };
        rows.push(Row { round: audit.round, outcome: found.outcome, plot: plot(found, audit) });
    }
    let result = ResultView::of(criterion, last);
    let path: Vec<Step> = rows
        .iter()
        .map(|row| Step {
            round: row.round,
            outcome: row.outcome,
            values: row.plot.as_ref().map(chart::values).unwrap_or_default(),
        })
        .collect();
    let regressed = matches!(path.as_slice(), [.., before, last]
        if before.outcome == Outcome::Pass && last.outcome != Outcome::Pass);
    let expected = result.assertion.clone().unwrap_or_default();
    CriterionView {
        chart: chart::chart(&criterion.id, &expected, &rows, last.lang),
        by_person: result.assertion.is_none(),
        regressed,
        path,
        result,
    }
}

fn outcomes(counts: Counts) -> Vec<OutcomeView> {
    let all = [
        (Outcome::Fail, counts.fail),
        (Outcome::Invalid, counts.invalid),
        (Outcome::Unverified, counts.unverified),
        (Outcome::Waived, counts.waived),
        (Outcome::Pass, counts.pass),
    ];
    all.into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(outcome, count)| OutcomeView { outcome, count })
        .collect()
}

fn evidence(audit: &AuditFile) -> RoundEvidence<'_> {
    RoundEvidence { round: audit.round, files: EvidenceView::all(audit) }
}
