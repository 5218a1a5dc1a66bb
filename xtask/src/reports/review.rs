//! `review.md`: the findings against a pack, and its loophole table.

use gate::review::{Loophole, Way};
use serde::Serialize;

use super::view::{ProblemView, RefreezeView};
use crate::documents::Review;
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
    findings: Vec<ProblemView<'a>>,
    refrozen: Vec<RefreezeView<'a>>,
    edges: Vec<EdgeView<'a>>,
    ways: Vec<WayView<'a>>,
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
    renderer.render(
        TEMPLATE,
        &View {
            feature: &review.feature,
            title: &review.title,
            pack_sha256: &review.pack_sha256,
            blocked: review.blocked,
            findings: ProblemView::all(&review.findings),
            refrozen: RefreezeView::all(review.refrozen.as_slice(), review.lang),
            edges: review.loopholes.iter().map(EdgeView::of).collect(),
            ways: ways(&review.loopholes),
        },
    )
}
