//! What was measured in one evidence file, ready to be drawn upon it: whose it is, what it came to, and where it lies.

use std::collections::BTreeMap;

use gate::assertion::{Judge, Plot};
use gate::audit::{CriterionResult, Outcome, actual_of};
use gate::check::Actual;
use gate::lang::Lang;
use gate::observation::{Answer, Reading};
use probe::{Frame, Mark, Outlined};

use super::chart::{value, with_unit};
use super::svg::clipped;
use crate::documents::AuditFile;
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
    /// The greatest value that is accepted, where there is one.
    pub most: Option<f64>,
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
            most: plot.as_ref().and_then(most),
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

fn most(plot: &Plot) -> Option<f64> {
    match plot.accepted.as_slice() {
        [one] if !plot.outside => one.high,
        _ => None,
    }
}

/// The boxes that a probe measured; of what has none, such as a text, the boxes of its nodes.
fn marks(
    reader: &str,
    with: &BTreeMap<String, gate::pack::Scalar>,
    reading: &Reading,
    frames: &BTreeMap<&str, Frame>,
) -> Vec<Mark> {
    let marks = probe::marks(reader, with, reading);
    if !marks.is_empty() {
        return marks;
    }
    let pointers = reading.places.iter().filter_map(|place| match place {
        gate::observation::Place::Pointer { pointer } => frames.get(pointer.as_str()),
        _ => None,
    });
    pointers.map(|frame| Mark::Frame(*frame)).collect()
}
