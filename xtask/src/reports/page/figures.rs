//! The drawings of a delivery: screens and time lines, each with itself in the other rounds beside it.

use gate::audit::Outcome;
use gate::lang::Lang;
use probe::Outline;
use serde::Serialize;

use super::Material;
use super::finding::{Finding, findings};
use super::scene::{Scene, Shown};
use super::screen::{Ground, screen};
use super::timeline::timeline;
use crate::documents::AuditFile;

/// The most bytes of one picture that is written out in the page, and of all together. Others are linked.
const EACH: usize = 512 * 1024;
const ALL: usize = 4 * 1024 * 1024;

/// One thing that was recorded, through the rounds.
#[derive(Serialize)]
pub struct Figures {
    /// The collector, or the screen that it names.
    pub name: String,
    pub rounds: Vec<Figure>,
}

/// It in one round.
#[derive(Serialize)]
pub struct Figure {
    pub round: u32,
    pub svg: String,
    /// Readings that are drawn without their name.
    pub unnamed: usize,
    pub fails: bool,
    /// The recorded files, from the delivery's folder.
    pub files: Vec<String>,
    /// A picture that is too large to be written out.
    pub linked: Option<String>,
    /// The name and the size of the drawing, so that it can be shown in another place as well.
    pub id: String,
    pub width: String,
    pub height: String,
}

/// Every screen.
pub fn screens(material: &Material, lang: Lang) -> Vec<Figures> {
    let mut all: Vec<Figures> = Vec::new();
    let mut left = ALL;
    for (audit, scenes) in material.audits().into_iter().zip(&material.scenes) {
        for scene in scenes {
            if let Some((name, figure)) = of_screen(audit, scene, scenes, &mut left, lang) {
                put(&mut all, name, figure);
            }
        }
    }
    let figures = all.iter_mut().flat_map(|figures| &mut figures.rounds);
    for (index, figure) in figures.enumerate() {
        figure.id = format!("screen-{}", index + 1);
    }
    all
}

/// Every time line.
pub fn timelines(material: &Material, lang: Lang) -> Vec<Figures> {
    let mut all: Vec<Figures> = Vec::new();
    for (audit, scenes) in material.audits().into_iter().zip(&material.scenes) {
        for scene in scenes {
            let Shown::Trace(instants) = &scene.shown else { continue };
            let found = findings(audit, &scene.file, &[]);
            let Some(svg) = timeline(audit.round, instants, &found, lang) else { continue };
            let figure = figure(audit, svg, &found, &[scene]);
            put(&mut all, &scene.collector, figure);
        }
    }
    all
}

fn put(all: &mut Vec<Figures>, name: &str, figure: Figure) {
    match all.iter_mut().find(|figures| figures.name == name) {
        Some(figures) => figures.rounds.push(figure),
        None => all.push(Figures { name: name.to_owned(), rounds: vec![figure] }),
    }
}

fn figure(audit: &AuditFile, svg: String, found: &[Finding<'_>], scenes: &[&Scene]) -> Figure {
    Figure {
        round: audit.round,
        svg,
        unnamed: 0,
        fails: found.iter().any(|finding| finding.outcome == Outcome::Fail),
        files: scenes.iter().map(|scene| path(audit, scene)).collect(),
        linked: None,
        id: String::new(),
        width: String::new(),
        height: String::new(),
    }
}

fn path(audit: &AuditFile, scene: &Scene) -> String {
    format!("round-{}/{}", audit.round, scene.file)
}

/// A layout, on the picture of its screen where there is one; or a picture that has no layout.
fn of_screen<'a>(
    audit: &AuditFile,
    scene: &'a Scene,
    scenes: &[Scene],
    left: &mut usize,
    lang: Lang,
) -> Option<(&'a str, Figure)> {
    let partner = |wanted: fn(&Shown) -> bool| {
        let named = |other: &&Scene| scene.screen.is_some() && other.screen == scene.screen;
        scenes.iter().filter(named).find(|other| wanted(&other.shown))
    };
    let (outline, picture): (Option<&Outline>, Option<&Scene>) = match &scene.shown {
        Shown::Trace(_) => return None,
        Shown::Screen(outline) => (Some(outline), partner(|shown| matches!(shown, Shown::Picture(..)))),
        Shown::Picture(..) if partner(|shown| matches!(shown, Shown::Screen(_))).is_some() => return None,
        Shown::Picture(..) => (None, Some(scene)),
    };
    let mut ground = Ground { outline, picture: None };
    let mut linked = None;
    if let Some(Scene { shown: Shown::Picture(header, bytes), .. }) = picture {
        if bytes.len() <= EACH.min(*left) {
            *left -= bytes.len();
            ground.picture = Some((header, bytes));
        } else {
            linked = picture.map(|picture| path(audit, picture));
        }
        if ground.picture.is_none() && outline.is_none() {
            return Some((name(scene), Figure { linked, ..figure(audit, String::new(), &[], &[]) }));
        }
    }
    let nodes = outline.map(|outline| &outline.nodes[..]).unwrap_or_default();
    let mut found = findings(audit, &scene.file, nodes);
    let beside = picture.filter(|picture| picture.file != scene.file);
    if let Some(picture) = beside {
        found.extend(findings(audit, &picture.file, nodes));
        found.sort_by_key(|finding| super::finding::rank(finding.outcome));
    }
    let drawing = screen(audit.round, &ground, &found, lang)?;
    let shown: Vec<&Scene> = [scene].into_iter().chain(beside).collect();
    let figure = Figure {
        unnamed: drawing.unnamed,
        width: drawing.size.0,
        height: drawing.size.1,
        linked,
        ..figure(audit, drawing.svg, &found, &shown)
    };
    Some((name(scene), figure))
}

fn name(scene: &Scene) -> &str {
    scene.screen.as_deref().unwrap_or(&scene.collector)
}
