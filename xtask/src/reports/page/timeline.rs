//! The spans of a trace where they lie in time, each beside the longest that is accepted.

use std::collections::BTreeMap;

use gate::lang::Lang;
use gate::observation::{Place, Reading};
use gate::say;

use super::finding::Finding;
use super::signs::{cross, word};
use super::svg::{Anchor, Svg, decimals, round_step};
use crate::render::clipped;
use crate::render::label;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 70.0;
const LANE: f64 = 46.0;
const BOTTOM: f64 = 30.0;

/// More readings than this are no drawing.
const DRAWN: usize = 400;

/// What is drawn of one reading.
enum Piece {
    Span(i64, i64),
    Instants(Vec<i64>),
}

/// One lane a criterion; none where no line of the trace has its time.
pub fn timeline(
    round: u32,
    instants: &BTreeMap<u64, i64>,
    findings: &[Finding<'_>],
    lang: Lang,
) -> Option<String> {
    let (begin, end) = (*instants.values().min()?, *instants.values().max()?);
    let mut lanes: Vec<(&str, Vec<(&Finding<'_>, Piece)>)> = Vec::new();
    for finding in findings.iter().take(DRAWN) {
        let Some(piece) = piece(finding.reading, instants) else { continue };
        match lanes.iter_mut().find(|(id, _)| *id == finding.id) {
            Some((_, pieces)) => pieces.push((finding, piece)),
            None => lanes.push((finding.id, vec![(finding, piece)])),
        }
    }
    let axis = Axis { begin, span: (end - begin).max(1) as f64 };
    let floor = LANE * lanes.len() as f64;
    let mut svg = Svg::new(WIDTH, floor + BOTTOM);
    for (index, (id, pieces)) in lanes.iter().enumerate() {
        let y = LANE * (index as f64 + 0.5) + 6.0;
        svg.text("axis", (LEFT - 12.0, y + 4.0), Anchor::End, None, &clipped(id, 10));
        svg.line("lane", (LEFT, y), (WIDTH - RIGHT, y));
        for (finding, piece) in pieces {
            draw(&mut svg, &axis, finding, piece, y);
        }
    }
    axis.ticks(&mut svg, floor);
    let told: Vec<String> = findings
        .iter()
        .take(12)
        .map(|finding| format!("{} {} ({})", finding.id, finding.value, label(word(finding.outcome), lang)))
        .collect();
    let label =
        say!(lang, "The time line of round {round}. {}", "第 {round} 轮的时间线。{}", told.join("; "));
    (!lanes.is_empty()).then(|| svg.finish("timeline", "img", &label))
}

fn piece(reading: &Reading, instants: &BTreeMap<u64, i64>) -> Option<Piece> {
    let lines: Vec<u64> = reading.places.iter().flat_map(lines).collect();
    let times: Vec<i64> = lines.iter().filter_map(|line| instants.get(line).copied()).collect();
    let is_duration = matches!(&reading.actual, gate::pack::Scalar::Text(text) if text.ends_with("ms") || text.ends_with("ms/s"));
    match times.as_slice() {
        [] => None,
        [from, to] if is_duration => Some(Piece::Span(*from, *to)),
        _ => Some(Piece::Instants(times)),
    }
}

fn lines(place: &Place) -> Vec<u64> {
    match place {
        Place::Line { line } => vec![*line],
        Place::Lines { from, to } => vec![*from, *to],
        Place::File | Place::Pointer { .. } | Place::Box { .. } => Vec::new(),
    }
}

struct Axis {
    begin: i64,
    span: f64,
}

impl Axis {
    fn x(&self, ns: f64) -> f64 {
        let share = (ns - self.begin as f64) / self.span;
        LEFT + share.clamp(0.0, 1.1) * (WIDTH - LEFT - RIGHT)
    }

    /// Seconds from the first event that is drawn, or milliseconds where all is over within one.
    fn ticks(&self, svg: &mut Svg, floor: f64) {
        let (per_unit, unit) = if self.span >= 2e9 { (1e9, "s") } else { (1e6, "ms") };
        svg.line("base", (LEFT, floor), (WIDTH - RIGHT, floor));
        let step = round_step(self.span);
        for ns in (0..8).map(|part| f64::from(part) * step).filter(|ns| *ns <= self.span) {
            let x = self.x(self.begin as f64 + ns);
            svg.line("base", (x, floor), (x, floor + 4.0));
            let text = format!("{} {unit}", decimals(ns / per_unit, 3));
            svg.text("axis", (x, floor + 17.0), Anchor::Middle, None, &text);
        }
    }
}

fn draw(svg: &mut Svg, axis: &Axis, finding: &Finding<'_>, piece: &Piece, y: f64) {
    let class = word(finding.outcome);
    match piece {
        Piece::Span(from, to) => {
            let (start, end) = (axis.x(*from as f64), axis.x(*to as f64));
            svg.rect(&format!("span {class}"), (start, y - 6.0), ((end - start).max(2.0), 12.0));
            if let Some(limit) = limit(finding) {
                let x = axis.x(*from as f64 + limit);
                svg.line("limit", (x, y - 8.0), (x, y + 11.0));
            }
            svg.text("value", (start, y - 11.0), Anchor::Start, None, &finding.value);
            if finding.outcome == gate::audit::Outcome::Fail {
                svg.path(&format!("cross {class}"), &cross((end + 9.0, y), 4.0));
            }
        }
        Piece::Instants(times) => {
            for time in times {
                let x = axis.x(*time as f64);
                svg.line(&format!("instant {class}"), (x, y - 6.0), (x, y + 6.0));
            }
        }
    }
}

/// The longest that is accepted, in nanoseconds.
fn limit(finding: &Finding<'_>) -> Option<f64> {
    let per_unit = match finding.unit.as_deref()? {
        "ns" => 1.0,
        "us" | "µs" => 1e3,
        "ms" | "毫秒" => 1e6,
        "s" | "秒" => 1e9,
        _ => return None,
    };
    finding.accepted?.high.map(|most| most * per_unit)
}
