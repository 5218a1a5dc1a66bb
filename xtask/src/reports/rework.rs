//! `rework-<n>.md`: what has to be done before the delivery can be accepted.

use crate::documents::Report;
use crate::failure::Result;
use crate::render::Renderer;

/// The template's name.
pub const TEMPLATE: &str = "rework.md.tera";

/// Renders `rework-<n>.md` from the report.
pub fn markdown(renderer: &Renderer, report: &Report) -> Result<Vec<u8>> {
    renderer.render(TEMPLATE, &super::outcome::View::of(report))
}
