//! A screen as its layout or its picture shows it, with what was measured drawn upon it and named beside it.

use std::collections::BTreeMap;

use base64::Engine as _;
use gate::audit::Outcome;
use gate::lang::Lang;
use gate::say;
use probe::{Frame, Mark, Outline, Outlined, Picture};

use super::finding::{Finding, rank};
use super::signs::{sign, word};
use super::svg::{Anchor, Svg, number};
use crate::render::label;
use crate::render::{clipped, columns_of};

/// How wide a screen is drawn that stands or lies, and how high at most.
const STANDING: f64 = 272.0;
const LYING: f64 = 520.0;
const HIGHEST: f64 = 620.0;

/// The column of names beside it.
const BESIDE: f64 = 176.0;
const GAP: f64 = 22.0;
const ROW: f64 = 34.0;

/// So many names stand beside the lowest screen.
const NAMES: f64 = 12.0;

/// So many readings of one criterion are named before any other criterion's are left out.
const READINGS: usize = 2;

/// A box that is no larger has a thin edge, and its length has no strokes across its ends.
const SMALL: f64 = 12.0;

/// More nodes than this are no drawing.
const NODES: usize = 1500;

/// What lies beneath the marks.
pub struct Ground<'a> {
    pub outline: Option<&'a Outline>,
    /// A picture that is written out in the page.
    pub picture: Option<(&'a Picture, &'a [u8])>,
}

/// A drawing, and what it leaves to the list of criteria.
pub struct Drawing {
    pub svg: String,
    /// As the page writes it.
    pub size: (String, String),
    /// How many readings are drawn without their name.
    pub unnamed: usize,
}

/// Draws a screen of a round.
pub fn screen(round: u32, ground: &Ground<'_>, findings: &[Finding<'_>], lang: Lang) -> Option<Drawing> {
    let page = Placed::of(ground)?;
    let drawn: Vec<&Finding<'_>> = findings.iter().filter(|finding| !finding.marks.is_empty()).collect();
    let named = named(&drawn, whole((page.height / ROW).max(NAMES)));
    let height = page.height.max(ROW * named.len() as f64);
    let mut svg = Svg::new(page.width + GAP + BESIDE, height);
    svg.rect("screen", (0.0, 0.0), (page.width, page.height));
    let nodes = ground.outline.map(|outline| &outline.nodes[..]).unwrap_or_default();
    if let Some((picture, bytes)) = ground.picture {
        svg.picture((page.width, page.height), &address(picture, bytes));
    }
    outlines(&mut svg, &page, nodes);
    if ground.picture.is_none() {
        texts(&mut svg, &page, nodes);
    }
    boxes(&mut svg, &page, &drawn, ground.picture.is_some());
    for finding in drawn.iter().rev() {
        lengths(&mut svg, &page, finding);
    }
    let names = placed(&page, named, height);
    for name in &names {
        leader(&mut svg, &page, name);
    }
    for name in &names {
        beside(&mut svg, &page, name, lang);
    }
    let class = if ground.picture.is_some() { "device pictured" } else { "device" };
    let label = say!(
        lang,
        "The screen in round {round} with {} measured places",
        "第 {round} 轮的屏幕，标出 {} 处测量",
        drawn.len()
    );
    Some(Drawing {
        size: svg.size(),
        svg: svg.finish(class, "group", &label),
        unnamed: drawn.len() - names.len(),
    })
}

/// Those that are named, as many as there is room for. Of a long series the first ones, so that others have a name too.
fn named<'a>(drawn: &[&'a Finding<'a>], room: usize) -> Vec<&'a Finding<'a>> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let (first, rest): (Vec<_>, Vec<_>) = drawn.iter().partition(|finding| {
        let count = seen.entry(finding.id).or_default();
        *count += 1;
        *count <= READINGS
    });
    first.into_iter().chain(rest).take(room).collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a small whole number above zero"
)]
fn whole(number: f64) -> usize {
    number as usize
}

fn address(picture: &Picture, bytes: &[u8]) -> String {
    let encoded = base64::engine::general_purpose::STANDARD.encode(bytes);
    format!("data:{};base64,{encoded}", picture.media_type)
}

/// A screen on the page.
struct Placed {
    left: f64,
    top: f64,
    scale: f64,
    width: f64,
    height: f64,
}

impl Placed {
    fn of(ground: &Ground<'_>) -> Option<Self> {
        let screen = ground.outline.map(|outline| outline.screen).or_else(|| {
            let (picture, _) = ground.picture?;
            let (right, bottom) = (i64::from(picture.width), i64::from(picture.height));
            Some(Frame { left: 0, top: 0, right, bottom })
        })?;
        let (across, down) = (screen.width() as f64, screen.height() as f64);
        let widest = if across > down { LYING } else { STANDING };
        let scale = (widest / across).min(HIGHEST / down);
        // A strip is still to be seen.
        let (width, height) = ((across * scale).max(24.0), (down * scale).max(24.0));
        Some(Placed { left: screen.left as f64, top: screen.top as f64, scale, width, height })
    }

    fn x(&self, x: i64) -> f64 {
        ((x as f64 - self.left) * self.scale).clamp(0.0, self.width)
    }

    fn y(&self, y: i64) -> f64 {
        ((y as f64 - self.top) * self.scale).clamp(0.0, self.height)
    }

    fn rect(&self, frame: Frame) -> ((f64, f64), (f64, f64)) {
        let (left, top) = (self.x(frame.left), self.y(frame.top));
        ((left, top), (self.x(frame.right) - left, self.y(frame.bottom) - top))
    }
}

fn outlines(svg: &mut Svg, page: &Placed, nodes: &[Outlined]) {
    let mut before = None;
    for node in nodes.iter().take(NODES) {
        let (at, size) = page.rect(node.frame);
        // A wrapper of the same size says nothing more; what is too small is dust.
        if before != Some(node.frame) && size.0 >= 1.0 && size.1 >= 1.0 {
            svg.rect(if node.clickable { "node clickable" } else { "node" }, at, size);
        }
        before = Some(node.frame);
    }
}

/// What the screen reads, as large as it fits.
fn texts(svg: &mut Svg, page: &Placed, nodes: &[Outlined]) {
    for node in nodes.iter().take(NODES) {
        let Some(text) = &node.text else { continue };
        let ((left, top), (width, height)) = page.rect(node.frame);
        let columns = columns_of(text).max(1) as f64;
        let size = (height * 0.74).min(width / (columns * 0.52)).min(22.0);
        if size >= 3.0 {
            let at = (left + width / 2.0, top + height / 2.0 + size * 0.36);
            svg.text("text", at, Anchor::Middle, Some(size), text);
        }
    }
}

/// What fails is drawn last, above the rest; a box that several criteria measured is drawn once.
/// On a picture each has a light edge, since what lies beneath may be of its own colour.
fn boxes(svg: &mut Svg, page: &Placed, drawn: &[&Finding<'_>], pictured: bool) {
    let mut worst: BTreeMap<Frame, Outcome> = BTreeMap::new();
    for finding in drawn.iter().rev() {
        worst.extend(finding.frames().map(|frame| (frame, finding.outcome)));
    }
    let mut boxes: Vec<(Frame, Outcome)> = worst.into_iter().collect();
    boxes.sort_by_key(|(_, outcome)| std::cmp::Reverse(rank(*outcome)));
    for (frame, outcome) in boxes {
        let (at, size) = page.rect(frame);
        if pictured {
            svg.rect("halo", at, size);
        }
        let small = if size.0.min(size.1) <= SMALL { " tiny" } else { "" };
        svg.rect(&format!("mark {}{small}", word(outcome)), at, size);
    }
    for finding in drawn {
        if let Some(frame) = finding.wanted_frame() {
            let (at, size) = page.rect(frame);
            svg.rect(&format!("wanted {}", word(finding.outcome)), at, size);
        }
    }
}

fn lengths(svg: &mut Svg, page: &Placed, finding: &Finding<'_>) {
    let class = word(finding.outcome);
    for mark in &finding.marks {
        let Mark::Length { from, to } = mark else { continue };
        let (from, to) = ((page.x(from.0), page.y(from.1)), (page.x(to.0), page.y(to.1)));
        svg.line(&format!("length {class}"), from, to);
        let is_long = (to.0 - from.0).abs().max((to.1 - from.1).abs()) > SMALL;
        for end in [from, to].into_iter().filter(|_| is_long) {
            stop(svg, class, end, from.1 == to.1);
        }
    }
}

/// The stroke across the end of a length.
fn stop(svg: &mut Svg, class: &str, (x, y): (f64, f64), lies: bool) {
    let (across, down) = if lies { (0.0, 4.0) } else { (4.0, 0.0) };
    svg.line(&format!("length {class}"), (x - across, y - down), (x + across, y + down));
}

/// A finding with the place where its name stands.
struct Name<'a> {
    finding: &'a Finding<'a>,
    /// Where its mark is, on the right.
    at: (f64, f64),
    y: f64,
}

/// Names stand as high as what they name, and none on another.
fn placed<'a>(page: &Placed, findings: Vec<&'a Finding<'a>>, height: f64) -> Vec<Name<'a>> {
    let mut names: Vec<Name<'a>> = findings
        .into_iter()
        .map(|finding| {
            let at = hold(page, finding);
            Name { finding, at, y: at.1 }
        })
        .collect();
    names.sort_by(|one, other| one.at.1.total_cmp(&other.at.1));
    let wanted: Vec<f64> = names.iter().map(|name| name.at.1).collect();
    for (name, y) in names.iter_mut().zip(spread(&wanted, ROW, height)) {
        name.y = y;
    }
    names
}

/// Places a row apart, as near as can be to where they are wanted, and all of them within the height. What is wanted
/// comes in order: neighbours that are too close form a block, whose middle stays where its members' was.
fn spread(wanted: &[f64], row: f64, height: f64) -> Vec<f64> {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (index, wanted) in wanted.iter().enumerate() {
        blocks.push((wanted - row * index as f64, 1));
        while let [.., (above, many), (below, more)] = blocks.as_slice()
            && above > below
        {
            let all = many + more;
            let middle = (above * *many as f64 + below * *more as f64) / all as f64;
            blocks.truncate(blocks.len() - 2);
            blocks.push((middle, all));
        }
    }
    let least = row / 2.0;
    let most = height - row / 2.0 - row * wanted.len().saturating_sub(1) as f64;
    let starts = blocks.into_iter().flat_map(|(start, count)| std::iter::repeat_n(start, count));
    starts.enumerate().map(|(index, start)| start.min(most).max(least) + row * index as f64).collect()
}

/// Where the line to its name begins: as high as the length is, at the right edge of what was measured.
fn hold(page: &Placed, finding: &Finding<'_>) -> (f64, f64) {
    let length = finding.marks.iter().find_map(|mark| match mark {
        Mark::Length { from, to } => Some((from.1 + to.1) / 2),
        Mark::Frame(_) => None,
    });
    let x = finding.frames().map(|frame| frame.right).max().unwrap_or_default();
    let y = length.or_else(|| finding.frames().map(|frame| frame.middle().1).next()).unwrap_or_default();
    (page.x(x), page.y(y))
}

fn leader(svg: &mut Svg, page: &Placed, name: &Name<'_>) {
    let class = word(name.finding.outcome);
    let (x, y) = name.at;
    let (edge, end) = (page.width + 6.0, page.width + GAP);
    let points = [(x, y), (edge.max(x), y), (end - 4.0, name.y), (end, name.y)];
    let path: Vec<String> = points.iter().map(|(x, y)| format!("{} {}", number(*x), number(*y))).collect();
    svg.path(&format!("leader {class}"), &format!("M{}", path.join("L")));
}

fn beside(svg: &mut Svg, page: &Placed, name: &Name<'_>, lang: Lang) {
    let finding = name.finding;
    let class = word(finding.outcome);
    let (left, y) = (page.width + GAP, name.y);
    svg.link(&format!("#c-{}", crate::render::anchor(finding.id)), |svg| {
        svg.rect(&format!("name {class}"), (left, y - ROW / 2.0 + 1.5), (BESIDE - 1.5, ROW - 3.0));
        let path = sign(finding.outcome, (left + 13.0, y), 4.5);
        svg.sign(&format!("sign {class}"), &path, &label(class, lang));
        svg.text("value", (left + 26.0, y - 2.5), Anchor::Start, None, &finding.value);
        let below = format!("{}  {}", clipped(finding.id, 12), finding.expected);
        svg.text("small", (left + 26.0, y + 10.0), Anchor::Start, None, &below);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_near_what_they_name_and_none_on_another() {
        assert_eq!(spread(&[100.0], 30.0, 600.0), [100.0]);
        assert_eq!(spread(&[100.0, 200.0], 30.0, 600.0), [100.0, 200.0]);
        assert_eq!(spread(&[100.0, 100.0, 100.0], 30.0, 600.0), [70.0, 100.0, 130.0]);
        assert_eq!(spread(&[0.0, 0.0], 30.0, 600.0), [15.0, 45.0]);
        assert_eq!(spread(&[600.0, 600.0], 30.0, 600.0), [555.0, 585.0]);
        assert_eq!(spread(&[], 30.0, 600.0), [0.0; 0]);
    }
}
