//! One criterion through the rounds: every sample on one axis, against what is accepted.

use gate::assertion::{Extent, Plot, Plotted};
use gate::audit::Outcome;
use gate::lang::Lang;
use gate::say;

use super::signs::{cross, word};
use super::svg::{Anchor, Svg, decimals, round_step};
use crate::render::clipped;
use crate::render::label;

/// What a criterion came to in one round.
pub struct Row {
    pub round: u32,
    pub outcome: Outcome,
    pub plot: Option<Plot>,
}

const WIDTH: f64 = 420.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = 18.0;
const TOP: f64 = 24.0;
const ROW: f64 = 30.0;
const BOTTOM: f64 = 24.0;

/// Of more samples than this only the stretch that they lie in and those that fail are drawn.
const DRAWN: usize = 400;

/// So many samples are drawn small.
const MANY: usize = 40;

/// The chart, where there is a number to draw.
pub fn chart(id: &str, expected: &str, rows: &[Row], lang: Lang) -> Option<String> {
    let first = rows.iter().find_map(|row| row.plot.as_ref())?;
    let axis = Axis::of(rows)?;
    let height = TOP + ROW * rows.len() as f64 + BOTTOM;
    let mut svg = Svg::new(WIDTH, height);
    let floor = height - BOTTOM;
    accepted(&mut svg, first, &axis, floor);
    ticks(&mut svg, &axis, floor, first.unit.as_deref());
    for (index, row) in rows.iter().enumerate() {
        let y = TOP + ROW * (index as f64 + 0.5);
        let name = say!(lang, "round {}", "第 {} 轮", row.round);
        svg.text("axis", (LEFT - 12.0, y + 4.0), Anchor::End, None, &name);
        svg.line("lane", (LEFT, y), (WIDTH - RIGHT, y));
        if let Some(plot) = &row.plot {
            samples(&mut svg, plot, &axis, y);
        }
    }
    let told: Vec<String> = rows.iter().map(|row| told(row, lang)).collect();
    let label = say!(lang, "{id}, {expected}. {}", "{id}，{expected}。{}", told.join("; "));
    Some(svg.finish("chart", "img", &label))
}

/// `round 1: 1200, 1207.41 ms, fail`.
fn told(row: &Row, lang: Lang) -> String {
    let round = say!(lang, "round {}", "第 {} 轮", row.round);
    let outcome = label(word(row.outcome), lang);
    match row.plot.as_ref().map(values).filter(|text| !text.is_empty()) {
        Some(values) => say!(lang, "{round}: {values}, {outcome}", "{round}：{values}，{outcome}"),
        None => say!(lang, "{round}: {outcome}", "{round}：{outcome}"),
    }
}

/// How many samples are written out.
const WRITTEN: usize = 6;

/// `1200, 1207.41 ms`: the numbers that were judged, in the assertion's unit.
pub fn values(plot: &Plot) -> String {
    let judged = plot.aggregated.as_ref().map(std::slice::from_ref).unwrap_or(&plot.samples);
    let mut shown: Vec<String> = judged.iter().take(WRITTEN).map(value).collect();
    if judged.len() > WRITTEN {
        shown.push(format!("… ({})", judged.len()));
    }
    if shown.is_empty() {
        return String::new();
    }
    with_unit(&shown.join(", "), plot.unit.as_deref())
}

/// One value without its unit.
pub fn value(plotted: &Plotted) -> String {
    match (plotted.at.low, plotted.at.high) {
        (Some(low), Some(high)) if low == high => decimals(low, 2),
        (Some(low), Some(high)) => format!("{}–{}", decimals(low, 2), decimals(high, 2)),
        (None, Some(high)) => format!("≤ {}", decimals(high, 2)),
        (Some(low), None) => format!("≥ {}", decimals(low, 2)),
        (None, None) => "–".to_owned(),
    }
}

/// A number and its unit as they are written together.
pub fn with_unit(number: &str, unit: Option<&str>) -> String {
    match unit {
        None => number.to_owned(),
        Some(unit) if matches!(unit, "%" | "‰") || unit.starts_with(':') => format!("{number}{unit}"),
        Some(unit) => format!("{number} {unit}"),
    }
}

/// The stretch of numbers that a chart shows.
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    fn of(rows: &[Row]) -> Option<Self> {
        let plots = rows.iter().filter_map(|row| row.plot.as_ref());
        let extents = plots.flat_map(|plot| {
            let judged = plot.samples.iter().chain(&plot.aggregated).map(|plotted| plotted.at);
            judged.chain(plot.accepted.iter().copied()).collect::<Vec<Extent>>()
        });
        let ends: Vec<f64> = extents.flat_map(|extent| [extent.low, extent.high]).flatten().collect();
        if ends.is_empty() || !ends.iter().all(|end| end.is_finite()) {
            return None;
        }
        let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if low == high {
            let aside = (high.abs() * 0.1).max(1.0);
            return Some(Axis { low: low - aside, high: high + aside });
        }
        // From zero where that shows how much; close up where all that is told is a small difference.
        let low = if low > 0.0 && high - low > 0.25 * high { 0.0 } else { low };
        let aside = 0.12 * (high - low);
        Some(Axis { low: if low == 0.0 { 0.0 } else { low - aside }, high: high + aside })
    }

    fn x(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        LEFT + share.clamp(0.0, 1.0) * (WIDTH - LEFT - RIGHT)
    }

    fn start(&self, extent: Extent) -> f64 {
        extent.low.map_or(LEFT, |low| self.x(low))
    }

    fn end(&self, extent: Extent) -> f64 {
        extent.high.map_or(WIDTH - RIGHT, |high| self.x(high))
    }
}

fn accepted(svg: &mut Svg, plot: &Plot, axis: &Axis, floor: f64) {
    let class = if plot.outside { "refused" } else { "accepted" };
    for extent in &plot.accepted {
        let (start, end) = (axis.start(*extent), axis.end(*extent));
        svg.rect(class, (start, TOP), ((end - start).max(2.0), floor - TOP));
        let is_point = extent.low == extent.high;
        let ends = [(extent.low, Anchor::End, -3.0), (extent.high, Anchor::Start, 3.0)];
        for (bound, anchor, aside) in ends.into_iter().skip(usize::from(is_point)) {
            let Some(bound) = bound else { continue };
            let x = axis.x(bound);
            svg.line("limit", (x, TOP - 4.0), (x, floor));
            // Where one bound stands alone its number stands above it; of two each stands on its own side.
            let (anchor, aside) = match (is_point, extent.low, extent.high) {
                (false, Some(_), Some(_)) => (anchor, aside),
                _ => (Anchor::Middle, 0.0),
            };
            svg.text("bound", (x + aside, TOP - 9.0), anchor, None, &decimals(bound, 4));
        }
    }
}

fn ticks(svg: &mut Svg, axis: &Axis, floor: f64, unit: Option<&str>) {
    svg.line("base", (LEFT, floor), (WIDTH - RIGHT, floor));
    let step = round_step(axis.high - axis.low);
    let first = (axis.low / step).ceil();
    let marks = (0..8).map(|index| (first + f64::from(index)) * step).filter(|mark| *mark <= axis.high);
    for mark in marks {
        let x = axis.x(mark);
        svg.line("base", (x, floor), (x, floor + 4.0));
        svg.text("axis", (x, floor + 17.0), Anchor::Middle, None, &decimals(mark, 4));
    }
    if let Some(unit) = unit {
        let unit = clipped(unit, 8);
        svg.text("axis", (LEFT - 12.0, floor + 17.0), Anchor::End, None, &unit);
    }
}

fn samples(svg: &mut Svg, plot: &Plot, axis: &Axis, y: f64) {
    let size = match (plot.aggregated.is_some(), plot.samples.len()) {
        (true, _) | (_, MANY..) => 2.5,
        _ => 4.5,
    };
    let is_drawn: fn(&Plotted) -> bool = if plot.samples.len() > DRAWN {
        let ends = plot.samples.iter().map(|sample| (axis.start(sample.at), axis.end(sample.at)));
        let (start, end) =
            ends.fold((WIDTH, LEFT), |(start, end), (low, high)| (start.min(low), end.max(high)));
        svg.line("stretch unjudged", (start, y), (end, y));
        |sample| sample.holds == Some(false)
    } else {
        |_| true
    };
    for (index, plotted) in plot.samples.iter().filter(|sample| is_drawn(sample)).take(DRAWN).enumerate() {
        // Samples that lie together are drawn beside each other.
        let aside = if plot.samples.len() > 1 { [0.0, -5.0, 5.0][index % 3] } else { 0.0 };
        sample(svg, plotted, axis, y + aside, size);
    }
    if let Some(aggregated) = &plot.aggregated {
        sample(svg, aggregated, axis, y, 6.0);
    }
}

fn sample(svg: &mut Svg, plotted: &Plotted, axis: &Axis, y: f64, size: f64) {
    let class = match plotted.holds {
        Some(true) => word(Outcome::Pass),
        Some(false) => word(Outcome::Fail),
        None => "unjudged",
    };
    let (start, end) = (axis.start(plotted.at), axis.end(plotted.at));
    if end > start {
        svg.line(&format!("stretch {class}"), (start, y), (end, y));
    }
    let x = if plotted.at.high.is_some() { end } else { start };
    match plotted.holds {
        Some(false) => svg.path(&format!("cross {class}"), &cross((x, y), size)),
        _ => svg.disc(&format!("dot {class}"), (x, y), size),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(round: u32, values: &[f64], most: f64) -> Row {
        let extent = |low, high| Extent { low, high };
        let samples = values
            .iter()
            .map(|value| Plotted { at: extent(Some(*value), Some(*value)), holds: Some(*value <= most) })
            .collect();
        let plot = Plot {
            unit: Some("ms".into()),
            samples,
            aggregated: None,
            accepted: vec![extent(None, Some(most))],
            outside: false,
        };
        let fails = values.iter().any(|value| *value > most);
        Row { round, outcome: if fails { Outcome::Fail } else { Outcome::Pass }, plot: Some(plot) }
    }

    #[test]
    fn what_holds_and_what_does_not_differ_in_shape() {
        let rows = [row(1, &[1200.0, 700.0], 800.0), row(2, &[718.0], 800.0)];
        let drawn = chart("P-01", "≤ 800 ms", &rows, Lang::En).unwrap();
        assert_eq!(drawn.matches("class=\"cross fail\"").count(), 1);
        assert_eq!(drawn.matches("class=\"dot pass\"").count(), 2);
        assert!(drawn.contains(">800</text>"), "{drawn}");
        let told = "P-01, ≤ 800 ms. round 1: 1200, 700 ms, fail; round 2: 718 ms, pass";
        assert!(drawn.contains(told), "{drawn}");
    }

    #[test]
    fn of_a_long_series_what_fails_is_drawn() {
        let mut values = vec![10.0; 5000];
        values[4999] = 900.0;
        let drawn = chart("P-01", "≤ 800 ms", &[row(1, &values, 800.0)], Lang::Zh).unwrap();
        assert_eq!(drawn.matches("<circle").count(), 0);
        assert_eq!(drawn.matches("class=\"cross fail\"").count(), 1);
        assert!(drawn.contains("第 1 轮"));
    }

    #[test]
    fn numbers_that_are_no_numbers_have_no_chart() {
        assert!(chart("X", "", &[], Lang::En).is_none());
        assert!(chart("X", "", &[Row { round: 1, outcome: Outcome::Pass, plot: None }], Lang::En).is_none());
        for value in [f64::NAN, f64::INFINITY] {
            assert!(chart("X", "", &[row(1, &[value], 1.0)], Lang::En).is_none(), "{value}");
        }
        for value in [0.0, -1e28, 1e28, 1e-28] {
            let drawn = chart("X", "", &[row(1, &[value], value)], Lang::En).unwrap();
            assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{value}: {drawn}");
        }
    }
}
