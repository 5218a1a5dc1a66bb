//! `review.md`: the findings against a pack, and its loophole table.

use gate::problem::Severity;
use gate::review::{Angle, Finding, Loophole, Response, Stance, Voice, Way};
use serde::Serialize;

use super::view::RefreezeView;
use super::words;
use crate::documents::{Review, ReviewerLine};
use crate::failure::Result;
use crate::render::Renderer;

/// The template's name.
pub const TEMPLATE: &str = "review.md.tera";

#[derive(Serialize)]
struct View<'a> {
    feature: &'a str,
    title: &'a str,
    pack_sha256: &'a str,
    blocked: bool,
    findings: Vec<FindingView<'a>>,
    reviewers: Vec<ReviewerView<'a>>,
    quorum: Option<u32>,
    refrozen: Vec<RefreezeView<'a>>,
    edges: Vec<EdgeView<'a>>,
    ways: Vec<WayView<'a>>,
}

/// A finding, with whoever raised it and what a person answered.
#[derive(Serialize)]
pub struct FindingView<'a> {
    id: &'a str,
    code: &'static str,
    severity: Severity,
    blocks: bool,
    criterion: Option<&'a str>,
    /// What reviewers say of a criterion whose assertion is held out may tell it: it is not shown.
    is_hidden: bool,
    message: &'a str,
    help: &'a str,
    location: Option<String>,
    voices: Vec<VoiceView<'a>>,
    response: Option<ResponseView<'a>>,
}

#[derive(Serialize)]
struct VoiceView<'a> {
    reviewer: &'a str,
    kind: Angle,
    severity: Severity,
    delivery: &'a str,
    fix: Option<&'a str>,
}

#[derive(Serialize)]
struct ResponseView<'a> {
    answer: Stance,
    by: &'a str,
    reason: &'a str,
}

impl<'a> FindingView<'a> {
    /// All of them; `held_out` is the criteria whose assertions are not shown.
    pub fn all(findings: &'a [Finding], held_out: &[&str]) -> Vec<Self> {
        findings.iter().map(|finding| Self::of(finding, held_out)).collect()
    }

    fn of(finding: &'a Finding, held_out: &[&str]) -> Self {
        let criterion = finding.criterion.as_deref();
        let voice = |voice: &'a Voice| VoiceView {
            reviewer: &voice.reviewer,
            kind: voice.kind,
            severity: voice.severity,
            delivery: &voice.delivery,
            fix: voice.fix.as_deref(),
        };
        let response = |response: &'a Response| ResponseView {
            answer: response.answer,
            by: &response.by,
            reason: &response.reason,
        };
        FindingView {
            id: &finding.id,
            code: finding.code.name(),
            severity: finding.severity,
            blocks: finding.blocks,
            criterion,
            is_hidden: !finding.raised.is_empty() && criterion.is_some_and(|id| held_out.contains(&id)),
            message: &finding.message,
            help: &finding.help,
            location: words::location(&finding.problem()),
            voices: finding.raised.iter().map(voice).collect(),
            response: finding.response.as_ref().map(response),
        }
    }
}

/// A reviewer, and what came of asking it.
#[derive(Serialize)]
struct ReviewerView<'a> {
    reviewer: &'a str,
    angle: Angle,
    findings: usize,
    answer: Option<&'a str>,
    sha256: Option<&'a str>,
    failure: Option<&'a str>,
}

impl<'a> ReviewerView<'a> {
    fn of(line: &'a ReviewerLine) -> Self {
        ReviewerView {
            reviewer: &line.reviewer,
            angle: line.angle,
            findings: line.findings,
            answer: line.answer.as_deref(),
            sha256: line.answer_sha256.as_deref(),
            failure: line.failure.as_deref(),
        }
    }
}

/// The edge of one assertion. What is held out stays so: neither it nor its edge is shown.
#[derive(Serialize)]
struct EdgeView<'a> {
    criterion: &'a str,
    held_out: bool,
    assertion: &'a str,
    accepted: String,
    refused: String,
}

impl<'a> EdgeView<'a> {
    fn of(loophole: &'a Loophole) -> Self {
        EdgeView {
            criterion: &loophole.criterion,
            held_out: loophole.held_out,
            assertion: &loophole.assertion,
            accepted: loophole.accepted.join(", "),
            refused: loophole.refused.join(", "),
        }
    }
}

/// One way around assertions, with those that it is open for.
#[derive(Serialize)]
struct WayView<'a> {
    how: &'a str,
    cure: &'a str,
    criteria: Vec<&'a str>,
}

/// Each way once, in the order in which they first appear.
fn ways(loopholes: &[Loophole]) -> Vec<WayView<'_>> {
    let mut views: Vec<WayView<'_>> = Vec::new();
    for loophole in loopholes {
        for Way { how, cure } in &loophole.ways {
            match views.iter_mut().find(|view| view.how == how && view.cure == cure) {
                Some(view) => view.criteria.push(&loophole.criterion),
                None => views.push(WayView { how, cure, criteria: vec![&loophole.criterion] }),
            }
        }
    }
    views
}

/// Renders `review.md` from the review.
pub fn markdown(renderer: &Renderer, review: &Review) -> Result<Vec<u8>> {
    let hidden = review.loopholes.iter().filter(|loophole| loophole.held_out);
    let held_out: Vec<&str> = hidden.map(|loophole| loophole.criterion.as_str()).collect();
    renderer.render(
        TEMPLATE,
        &View {
            feature: &review.feature,
            title: &review.title,
            pack_sha256: &review.pack_sha256,
            blocked: review.blocked,
            findings: FindingView::all(&review.findings, &held_out),
            reviewers: review.reviewers.iter().map(ReviewerView::of).collect(),
            quorum: review.quorum,
            refrozen: RefreezeView::all(review.refrozen.as_slice(), review.lang),
            edges: review.loopholes.iter().map(EdgeView::of).collect(),
            ways: ways(&review.loopholes),
        },
    )
}
