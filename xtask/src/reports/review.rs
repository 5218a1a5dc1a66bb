//! `review.md`: the findings against a pack, and its loophole table.

use gate::review::{Loophole, Way};
use serde::Serialize;

use super::view::ProblemView;
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
    loopholes: Vec<LoopholeView<'a>>,
}

/// One assertion with the ways around it. What is held out stays so: its assertion and its edge are not shown.
#[derive(Serialize)]
struct LoopholeView<'a> {
    criterion: &'a str,
    held_out: bool,
    assertion: &'a str,
    accepted: String,
    refused: String,
    ways: &'a [Way],
}

impl<'a> LoopholeView<'a> {
    fn of(loophole: &'a Loophole) -> Self {
        LoopholeView {
            criterion: &loophole.criterion,
            held_out: loophole.held_out,
            assertion: &loophole.assertion,
            accepted: loophole.accepted.join(", "),
            refused: loophole.refused.join(", "),
            ways: &loophole.ways,
        }
    }
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
            loopholes: review.loopholes.iter().map(LoopholeView::of).collect(),
        },
    )
}
