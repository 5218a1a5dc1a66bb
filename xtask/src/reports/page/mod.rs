//! `report.html`: the whole delivery on one page, rendered from its artifacts and from what the recorded evidence shows.

mod chart;
mod figures;
mod finding;
mod scene;
mod screen;
mod signs;
mod svg;
mod timeline;
mod view;

use std::sync::Arc;

use crate::documents::{AuditFile, Report};
use crate::failure::Result;
use crate::render::Renderer;

use scene::Scene;
pub use scene::scenes;
#[cfg(test)]
pub use signs::word;

/// Everything that the page tells of. The same material gives the same bytes.
pub struct Material {
    /// The delivery as its last round tells it: `acceptance.json` or `rework-<n>.json`.
    pub report: Report,
    /// The audits of the rounds before, in order.
    pub earlier: Vec<Arc<AuditFile>>,
    /// What the evidence of each of these rounds shows, the last one included.
    pub scenes: Vec<Vec<Scene>>,
}

impl Material {
    /// Every audit, in the order of rounds.
    fn audits(&self) -> Vec<&AuditFile> {
        self.earlier.iter().map(Arc::as_ref).chain([&self.report.audit]).collect()
    }
}

/// Renders `report.html`.
pub fn html(renderer: &Renderer, material: &Material) -> Result<Vec<u8>> {
    renderer.render_page(&view::View::of(material))
}
