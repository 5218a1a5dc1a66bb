//! `audit-<n>.md`: every criterion with its assertion, its actual and its verdict.

use gate::audit::{Counts, Verdict};
use serde::Serialize;

use super::view::{DimensionView, EvidenceView, ProblemView, ResultView, general_problems, short};
use crate::documents::AuditFile;
use crate::failure::Result;
use crate::render::Renderer;

/// The template's name.
pub const TEMPLATE: &str = "audit.md.tera";

/// What is said of one criterion, which other reports say as well.
pub const CRITERION: &str = "criterion.md.tera";

#[derive(Serialize)]
struct View<'a> {
    feature: &'a str,
    title: &'a str,
    round: u32,
    pack_sha256: &'a str,
    commit: &'a str,
    commit_short: &'a str,
    instant: &'a str,
    replayed: bool,
    verdict: Verdict,
    counts: Counts,
    density: Option<&'a str>,
    font_scale: Option<&'a str>,
    dimensions: Vec<DimensionView>,
    results: Vec<ResultView<'a>>,
    /// What does not hold, must before should.
    failures: Vec<ResultView<'a>>,
    problems: Vec<ProblemView<'a>>,
    general_problems: Vec<ProblemView<'a>>,
    evidence: Vec<EvidenceView<'a>>,
}

/// Renders `audit-<n>.md` from the audit.
pub fn markdown(renderer: &Renderer, audit: &AuditFile) -> Result<Vec<u8>> {
    renderer.render(
        TEMPLATE,
        &View {
            feature: &audit.feature,
            title: &audit.title,
            round: audit.round,
            pack_sha256: &audit.pack_sha256,
            commit: &audit.commit,
            commit_short: short(&audit.commit),
            instant: &audit.instant,
            replayed: audit.replayed,
            verdict: audit.verdict,
            counts: audit.counts,
            density: audit.scale.density.as_deref(),
            font_scale: audit.scale.font_scale.as_deref(),
            dimensions: DimensionView::all(audit),
            results: ResultView::all(audit),
            failures: ResultView::failures(audit),
            problems: ProblemView::all(&audit.problems),
            general_problems: general_problems(audit),
            evidence: EvidenceView::all(audit),
        },
    )
}
