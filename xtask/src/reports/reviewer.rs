//! The prompt of a reviewer: what it is asked, and the pack and the loophole table as data.

use gate::lang::Lang;
use gate::review::{Angle, Loophole};
use gate::say;
use serde::Serialize;

use crate::documents::Lock;
use crate::failure::Result;
use crate::pipeline::model::Reviewer;
use crate::render::Renderer;

/// What the templates of all angles share.
pub const BASE: &str = "reviewer.md.tera";

/// The template of an angle.
pub fn template(angle: Angle) -> String {
    format!("reviewer-{}.md.tera", angle.word())
}

#[derive(Serialize)]
struct View<'a> {
    feature: &'a str,
    angle: &'a str,
    kinds: Vec<&'static str>,
    /// The file that the answer is written to; none is standard output.
    answer: Option<&'a str>,
    pack: String,
    loopholes: String,
}

/// Renders the prompt of a reviewer. Nothing in it differs from machine to machine: it is told from others by its digest.
pub fn prompt(
    renderer: &Renderer,
    lock: &Lock,
    loopholes: &[Loophole],
    reviewer: &Reviewer,
) -> Result<Vec<u8>> {
    let pack = serde_json::to_string_pretty(&lock.pack).map_err(anyhow::Error::from)?;
    renderer.render(
        &template(reviewer.angle),
        &View {
            feature: &lock.feature,
            angle: reviewer.angle.word(),
            kinds: Angle::ALL.iter().map(|angle| angle.word()).collect(),
            answer: reviewer.answer.as_deref(),
            pack,
            loopholes: loopholes.iter().map(|loophole| table(loophole, lock.lang)).collect(),
        },
    )
}

/// One assertion, its edge, and the ways around it, as lines.
fn table(loophole: &Loophole, lang: Lang) -> String {
    let (id, assertion) = (&loophole.criterion, &loophole.assertion);
    let mut text = format!("{id}: {assertion}\n");
    if !loophole.accepted.is_empty() || !loophole.refused.is_empty() {
        let (accepted, refused) = (loophole.accepted.join(", "), loophole.refused.join(", "));
        text.push_str(&say!(
            lang,
            "  passes at {accepted}; fails at {refused}\n",
            "  {accepted} 通过；{refused} 不通过\n"
        ));
    }
    for way in &loophole.ways {
        text.push_str(&format!("  - {} → {}\n", way.how, way.cure));
    }
    text
}
