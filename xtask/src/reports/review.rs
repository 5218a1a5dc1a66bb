//! `review.md`: the findings against a pack.

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
        },
    )
}
