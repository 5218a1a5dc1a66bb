//! `spec.md`: the frozen pack as a person and the agent read it.

use serde::Serialize;

use super::view::{CriterionView, RefreezeView};
use crate::documents::Lock;
use crate::failure::Result;
use crate::render::Renderer;

/// The template's name.
pub const TEMPLATE: &str = "spec.md.tera";

#[derive(Serialize)]
struct View<'a> {
    feature: &'a str,
    title: &'a str,
    pack_sha256: &'a str,
    authored: &'a str,
    goal: Option<&'a str>,
    requirements: &'a [gate::pack::Requirement],
    out_of_scope: Vec<(gate::pack::Aspect, &'a str)>,
    criteria: Vec<CriterionView<'a>>,
    held_out: usize,
    history: Vec<RefreezeView<'a>>,
}

/// Renders `spec.md` from the lock.
pub fn markdown(renderer: &Renderer, lock: &Lock) -> Result<Vec<u8>> {
    let pack = &lock.pack;
    let criteria: Vec<_> =
        pack.criteria.iter().map(|criterion| CriterionView::of(criterion, lock.lang)).collect();
    renderer.render(
        TEMPLATE,
        &View {
            feature: &lock.feature,
            title: pack.title.as_deref().unwrap_or(&pack.feature),
            pack_sha256: &lock.pack_sha256,
            authored: &lock.authored,
            goal: pack.goal.as_deref(),
            requirements: &pack.requirements,
            out_of_scope: pack
                .out_of_scope
                .iter()
                .map(|(aspect, reason)| (*aspect, reason.as_str()))
                .collect(),
            held_out: criteria.iter().filter(|criterion| criterion.held_out).count(),
            criteria,
            history: RefreezeView::without_held_out(&lock.history, &pack.criteria, lock.lang),
        },
    )
}
