//! `acceptance.md`: the report of a delivery that was accepted, with the index of what it rests on.

use crate::documents::Report;
use crate::failure::Result;
use crate::render::Renderer;

/// The template's name.
pub const TEMPLATE: &str = "acceptance.md.tera";

/// Renders `acceptance.md` from the report.
pub fn markdown(renderer: &Renderer, report: &Report) -> Result<Vec<u8>> {
    renderer.render(TEMPLATE, &super::outcome::View::of(report))
}
