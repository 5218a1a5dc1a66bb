//! What was measured in one evidence file, ready to be drawn upon it: whose it is, what it came to, and where it lies.

use std::collections::BTreeMap;

use gate::assertion::{Extent, Judge, Plot};
use gate::audit::{CriterionResult, Outcome, actual_of};
use gate::check::Actual;
use gate::lang::Lang;
use gate::observation::{Answer, Place, Reading};
use gate::pack::Scalar;
use probe::{Frame, Mark, Outlined};

use super::chart::{value, with_unit};
use crate::documents::AuditFile;
use crate::render::clipped;
use crate::reports::words;

/// The widest value that stands beside a drawing.
const VALUE: usize = 24;

/// One reading of one criterion.
pub struct Finding<'a> {
    pub id: &'a str,
    pub outcome: Outcome,
    /// The value by itself, in the assertion's unit.
    pub value: String,
    /// What is asked of it.
    pub expected: String,
    /// The only stretch of values that is accepted, where there is one.
    pub accepted: Option<Extent>,
    /// The value as a number.
    at: Option<f64>,
    /// Whether both sides of a box are asked for: its touch target, or its shorter side.
    both_sides: bool,
    pub unit: Option<String>,
    pub reading: &'a Reading,
    pub marks: Vec<Mark>,
}

/// The numbers that a criterion was judged by, if it was judged by numbers.
pub fn plot(criterion: &CriterionResult, audit: &AuditFile) -> Option<Plot> {
    let assertion = criterion.assertion.as_ref()?;
    let actual = match criterion.observation.as_deref().map(|seen| &seen.answer) {
        Some(Answer::Values { values }) => actual_of(values),
        Some(_) => return None,
        None => reported(criterion, audit)?.clone(),
    };
    Judge::new(assertion, &audit.scale).judge(Some(&actual)).plot()
}

fn reported<'a>(criterion: &CriterionResult, audit: &'a AuditFile) -> Option<&'a Actual> {
    let rulings = audit.checks.iter().filter(|ruling| ruling.criterion_id == criterion.id);
    rulings.filter_map(|ruling| ruling.actual.as_ref()).next()
}

/// What was read out of this file in a round, what fails before what holds.
pub fn findings<'a>(audit: &'a AuditFile, file: &str, nodes: &[Outlined]) -> Vec<Finding<'a>> {
    let frames: BTreeMap<&str, Frame> =
        nodes.iter().map(|node| (node.pointer.as_str(), node.frame)).collect();
    let mut found: Vec<Finding<'a>> =
        audit.criteria.iter().flat_map(|criterion| of(criterion, audit, file, &frames)).collect();
    found.sort_by_key(|finding| rank(finding.outcome));
    found
}

/// What needs work comes first.
pub fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Fail => 0,
        Outcome::Invalid => 1,
        Outcome::Unverified => 2,
        Outcome::Waived => 3,
        Outcome::Pass => 4,
    }
}

fn of<'a>(
    criterion: &'a CriterionResult,
    audit: &AuditFile,
    file: &str,
    frames: &BTreeMap<&str, Frame>,
) -> Vec<Finding<'a>> {
    let Some(seen) = criterion.observation.as_deref().filter(|seen| seen.file == file) else {
        return Vec::new();
    };
    let Answer::Values { values } = &seen.answer else { return Vec::new() };
    let plot = plot(criterion, audit);
    let expected = expected(criterion, audit.lang);
    let both_sides = matches!(seen.with.get("measure"), Some(Scalar::Text(word)) if word == "touchTarget" || word == "minSide");
    let finding = |(index, reading): (usize, &'a Reading)| {
        let sample = plot.as_ref().filter(|plot| plot.samples.len() == values.len());
        let number = sample.and_then(|plot| Some((plot, plot.samples.get(index)?)));
        Finding {
            id: &criterion.id,
            outcome: number
                .and_then(|(_, sample)| sample.holds)
                .filter(|holds| *holds && criterion.outcome == Outcome::Fail)
                .map_or(criterion.outcome, |_| Outcome::Pass),
            value: match number {
                Some((plot, sample)) => with_unit(&value(sample), plot.unit.as_deref()),
                None => clipped(&words::scalar(&reading.actual), VALUE),
            },
            expected: expected.clone(),
            accepted: plot.as_ref().and_then(accepted),
            at: number.and_then(|(_, sample)| sample.at.low.filter(|low| sample.at.high == Some(*low))),
            both_sides,
            unit: plot.as_ref().and_then(|plot| plot.unit.clone()),
            reading,
            marks: marks(&seen.reader, &seen.with, reading, frames),
        }
    };
    values.iter().enumerate().map(finding).collect()
}

/// The assertion without what is said of samples.
fn expected(criterion: &CriterionResult, lang: Lang) -> String {
    let Some(assertion) = &criterion.assertion else { return String::new() };
    let alone = gate::pack::Assertion { min_samples: None, ..assertion.clone() };
    clipped(&words::assertion(&alone, lang), VALUE)
}

fn accepted(plot: &Plot) -> Option<Extent> {
    match plot.accepted.as_slice() {
        [one] if !plot.outside => Some(*one),
        _ => None,
    }
}

impl Finding<'_> {
    /// The boxes that it rests on.
    pub fn frames(&self) -> impl Iterator<Item = Frame> {
        self.marks.iter().filter_map(|mark| match mark {
            Mark::Frame(frame) => Some(*frame),
            Mark::Length { .. } => None,
        })
    }

    /// Of a box that is too small, the box that would be large enough, around the same middle.
    pub fn wanted_frame(&self) -> Option<Frame> {
        let [Mark::Frame(frame), Mark::Length { from, to }] = self.marks.as_slice() else { return None };
        let lies_along = |(x, y): &(i64, i64)| {
            (frame.left..=frame.right).contains(x) && (frame.top..=frame.bottom).contains(y)
        };
        if self.outcome == Outcome::Pass || !lies_along(from) || !lies_along(to) {
            return None;
        }
        let (least, at) = (self.accepted?.low?, self.at.filter(|at| *at > 0.0)?);
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        let wanted = pixels((across + down) as f64 * least / at)?;
        let is_across = across > 0;
        let width = if is_across || self.both_sides { wanted.max(frame.width()) } else { frame.width() };
        let height = if !is_across || self.both_sides { wanted.max(frame.height()) } else { frame.height() };
        let (x, y) = frame.middle();
        let (left, top) = (x - width / 2, y - height / 2);
        let grown = Frame { left, top, right: left + width, bottom: top + height };
        (grown.width() > frame.width() || grown.height() > frame.height()).then_some(grown)
    }
}

/// A length on a screen, to the pixel.
#[expect(clippy::cast_possible_truncation, reason = "far within what it can hold")]
fn pixels(length: f64) -> Option<i64> {
    (length.is_finite() && length.abs() < 1e6).then(|| length.round() as i64)
}

/// The boxes that a probe measured; of what has none, such as a text, the boxes of its nodes.
fn marks(
    reader: &str,
    with: &BTreeMap<String, Scalar>,
    reading: &Reading,
    frames: &BTreeMap<&str, Frame>,
) -> Vec<Mark> {
    let marks = probe::marks(reader, with, reading);
    if !marks.is_empty() {
        return marks;
    }
    let pointers = reading.places.iter().filter_map(|place| match place {
        Place::Pointer { pointer } => frames.get(pointer.as_str()),
        _ => None,
    });
    pointers.map(|frame| Mark::Frame(*frame)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TARGET: Frame = Frame { left: 1000, top: 1400, right: 1200, bottom: 1457 };

    fn finding<'a>(
        reading: &'a Reading,
        outcome: Outcome,
        both_sides: bool,
        marks: Vec<Mark>,
    ) -> Finding<'a> {
        Finding {
            id: "A-01",
            outcome,
            value: String::new(),
            expected: String::new(),
            // 57 pixels are 16.2857 vp; 40 are asked for, which is 140 pixels.
            accepted: Some(Extent { low: Some(40.0), high: None }),
            at: Some(57.0 / 3.5),
            both_sides,
            unit: Some("vp".into()),
            reading,
            marks,
        }
    }

    #[test]
    fn a_box_that_is_too_small_shows_how_large_it_should_be() {
        let reading = Reading { actual: Scalar::Text("57px".into()), places: Vec::new(), note: None };
        let height = Mark::Length { from: (1167, 1400), to: (1167, 1457) };
        let marks = || vec![Mark::Frame(TARGET), height];
        let wanted = finding(&reading, Outcome::Fail, true, marks()).wanted_frame().unwrap();
        assert_eq!((wanted.width(), wanted.height()), (200, 140));
        assert_eq!(wanted.middle(), TARGET.middle());

        assert_eq!(finding(&reading, Outcome::Pass, true, marks()).wanted_frame(), None);
        let beside = Mark::Length { from: (0, 1420), to: (1000, 1420) };
        let position = vec![Mark::Frame(TARGET), beside];
        assert_eq!(finding(&reading, Outcome::Fail, false, position).wanted_frame(), None, "no size");
        assert_eq!(finding(&reading, Outcome::Fail, true, vec![Mark::Frame(TARGET)]).wanted_frame(), None);
    }
}
