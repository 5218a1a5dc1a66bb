//! Numeric matchers: every reading of a value is judged, and they count only if they agree.

use super::aggregate::aggregate;
use super::plan::{NumberTest, Test};
use crate::audit::Scale;
use crate::check::Actual;
use crate::measure::{self, Exact, Presence, Reading, Refusal, Sample, Set};
use crate::pack::{Aggregate, Assertion, Matcher, Scalar};

/// What became of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Pass,
    Fail,
    Missing,
    Invalid(Refusal),
}

impl Outcome {
    pub fn of(passes: bool) -> Self {
        if passes { Outcome::Pass } else { Outcome::Fail }
    }
}

/// An outcome with the samples and the aggregate that it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Judged {
    pub outcome: Outcome,
    pub samples: Vec<Sample>,
    pub aggregated: Option<Exact>,
}

impl Judged {
    pub fn bare(outcome: Outcome) -> Self {
        Judged { outcome, samples: Vec::new(), aggregated: None }
    }
}

impl From<Refusal> for Judged {
    fn from(refusal: Refusal) -> Self {
        Judged::bare(Outcome::Invalid(refusal))
    }
}

/// A numeric test together with how its answer is used.
pub(super) struct NumberJudge<'a> {
    pub assertion: &'a Assertion,
    pub test: &'a NumberTest,
    pub scale: &'a Scale,
    /// Whether the answer is turned round, by `ne` or `not`.
    pub negated: bool,
}

impl NumberJudge<'_> {
    pub fn judge(&self, actual: &Actual) -> Judged {
        match actual {
            Actual::Null => Judged::bare(Outcome::Missing),
            Actual::One(scalar) => match self.member(scalar) {
                Err(refusal) => refusal.into(),
                Ok(None) => Judged::bare(Outcome::Missing),
                Ok(Some(reading)) => self.single(reading),
            },
            Actual::Many(members) => self.list(members),
        }
    }

    /// The readings of a member of a list, or of a single value; none if it is missing.
    fn member(&self, scalar: &Scalar) -> Result<Option<Reading>, Refusal> {
        let text = match scalar {
            Scalar::Bool(_) => return Err(Refusal::BooleanForNumber),
            Scalar::Number(text) | Scalar::Text(text) => text,
        };
        measure::visible(text)?;
        match measure::presence(text) {
            Presence::Missing => Ok(None),
            Presence::Unclear => Err(Refusal::NearSentinel { text: text.clone() }),
            Presence::Present => measure::read(text, &self.test.target, self.scale).map(Some),
        }
    }

    /// One text: the first number, the series that it begins, and every later number must be judged alike.
    fn single(&self, reading: Reading) -> Judged {
        let Reading { first, series, later } = reading;
        let (outcome, aggregated) = self.samples(&[&first]);
        if let Outcome::Invalid(refusal) = outcome {
            return refusal.into();
        }
        for other in &later {
            if let Err(refusal) = self.agrees(&outcome, &first, std::slice::from_ref(other)) {
                return refusal.into();
            }
        }
        if series.is_empty() {
            return Judged { outcome, samples: vec![first], aggregated };
        }
        match self.agrees(&outcome, &first, &series) {
            Err(refusal) => refusal.into(),
            Ok(aggregated) => Judged { outcome, samples: series, aggregated },
        }
    }

    /// Refuses another reading that is judged differently from the first; else its aggregate.
    fn agrees(&self, outcome: &Outcome, first: &Sample, other: &[Sample]) -> Result<Option<Exact>, Refusal> {
        let members: Vec<&Sample> = other.iter().collect();
        match self.samples(&members) {
            (Outcome::Invalid(refusal), _) => Err(refusal),
            (found, aggregated) if found == *outcome => Ok(aggregated),
            _ => Err(differently(first, other)),
        }
    }

    /// A list: each member has one reading of its own.
    fn list(&self, members: &[Option<Scalar>]) -> Judged {
        let mut samples: Vec<Sample> = Vec::with_capacity(members.len());
        let mut missing = None;
        for (index, member) in members.iter().enumerate() {
            let place = index + 1;
            let read = match member {
                None => Ok(None),
                Some(scalar) => self.member(scalar),
            };
            match read.and_then(|member| self.alone(member)) {
                Err(reason) => return Refusal::Member { place, reason: Box::new(reason) }.into(),
                Ok(Some(sample)) => samples.push(sample),
                Ok(None) => missing = missing.or(Some(place)),
            }
        }
        match missing {
            _ if samples.is_empty() => return Judged::bare(Outcome::Missing),
            Some(place) => return Refusal::MissingMember { place }.into(),
            None => {}
        }
        if let Some(refusal) = self.mixed_units(&samples) {
            return refusal.into();
        }
        let (outcome, aggregated) = self.samples(&samples.iter().collect::<Vec<_>>());
        Judged { outcome, samples, aggregated }
    }

    /// The one sample of a member; none if nothing was measured.
    fn alone(&self, member: Option<Reading>) -> Result<Option<Sample>, Refusal> {
        let Some(Reading { first, series, later }) = member else { return Ok(None) };
        if !series.is_empty() {
            return Err(Refusal::SeriesInList);
        }
        for other in &later {
            let alike = match self.aggregates_values() {
                true => other.value == first.value,
                false => self.passes(&first)? == self.passes(other)?,
            };
            if !alike {
                return Err(differently(&first, std::slice::from_ref(other)));
            }
        }
        Ok(first.value.is_some().then_some(first))
    }

    fn aggregates_values(&self) -> bool {
        !matches!(self.assertion.aggregate, None | Some(Aggregate::All | Aggregate::Any))
    }

    /// V5: without a declared unit the members of a series must share one.
    fn mixed_units(&self, samples: &[Sample]) -> Option<Refusal> {
        let first = samples.first()?;
        let other = samples.iter().find(|sample| sample.unit != first.unit)?;
        let name =
            |sample: &Sample| sample.unit.as_ref().map_or_else(String::new, |unit| unit.name().to_owned());
        self.test
            .target
            .unit()
            .is_none()
            .then(|| Refusal::MixedUnits { first: name(first), second: name(other) })
    }

    /// What samples are judged as, and their aggregate if they have one.
    fn samples(&self, samples: &[&Sample]) -> (Outcome, Option<Exact>) {
        match self.answer(samples) {
            Err(refusal) => (Outcome::Invalid(refusal), None),
            Ok(answer) => answer,
        }
    }

    fn answer(&self, samples: &[&Sample]) -> Result<(Outcome, Option<Exact>), Refusal> {
        if samples.iter().all(|sample| sample.value.is_none()) {
            return Ok((Outcome::Missing, None));
        }
        if let Some(index) = samples.iter().position(|sample| sample.value.is_none()) {
            return Err(Refusal::MissingMember { place: index + 1 });
        }
        let answer = match self.assertion.aggregate {
            None | Some(Aggregate::All) => (self.turned(self.passing(samples)? == samples.len()), None),
            Some(Aggregate::Any) => (self.turned(self.passing(samples)? > 0), None),
            Some(how) => self.aggregated(how, samples)?,
        };
        let too_few = self.assertion.min_samples.is_some_and(|least| samples.len() < least as usize);
        Ok(if too_few { (Outcome::Missing, None) } else { answer })
    }

    /// The answer of all members together.
    fn turned(&self, answer: bool) -> Outcome {
        Outcome::of(answer != Test::turns_aggregate(self.assertion))
    }

    /// How many samples satisfy the matcher. All are asked, since one that cannot be judged spoils the whole.
    fn passing(&self, samples: &[&Sample]) -> Result<usize, Refusal> {
        samples.iter().try_fold(0, |count, sample| Ok(count + usize::from(self.passes(sample)?)))
    }

    fn aggregated(&self, how: Aggregate, samples: &[&Sample]) -> Result<(Outcome, Option<Exact>), Refusal> {
        let points = |pick: fn(&Sample) -> Option<&Set>| -> Option<Vec<&Exact>> {
            samples.iter().map(|sample| pick(sample).and_then(Set::point)).collect()
        };
        let plain = points(|sample| sample.value.as_ref()).ok_or(Refusal::BoundInAggregate)?;
        let value = aggregate(how, &plain).ok_or(Refusal::BoundInAggregate)?;
        let passes = self.holds(&Set::Point(value.clone()))?;
        let grouped = samples.iter().find(|sample| sample.decimal_comma.is_some());
        if let Some(grouped) = grouped.filter(|_| passes && self.doubts_commas()) {
            let other = points(|sample| sample.decimal_comma.as_deref().or(sample.value.as_ref()))
                .unwrap_or_default();
            let other = aggregate(how, &other).ok_or(Refusal::BoundInAggregate)?;
            if !self.holds(&Set::Point(other))? {
                return Err(Refusal::DecimalComma { text: grouped.text.clone() });
            }
        }
        Ok((Outcome::of(passes), Some(value)))
    }

    /// Whether a sample that is there satisfies the matcher.
    fn passes(&self, sample: &Sample) -> Result<bool, Refusal> {
        let Some(value) = &sample.value else { return Err(Refusal::MissingMember { place: 1 }) };
        let passes = self.holds(value)?;
        // What helps the assertion to hold: that a member passes, or that it does not.
        let helps = passes != Test::turns_aggregate(self.assertion);
        match &sample.decimal_comma {
            Some(other) if helps && self.doubts_commas() && self.holds(other)? != passes => {
                Err(Refusal::DecimalComma { text: sample.text.clone() })
            }
            _ => Ok(passes),
        }
    }

    /// Where a grouped number is easier to pass with than one with a decimal comma (V3); `lt` and `lte` are so
    /// for negative numbers.
    fn doubts_commas(&self) -> bool {
        self.assertion.not
            || matches!(
                self.assertion.matcher,
                Matcher::Gt | Matcher::Gte | Matcher::Ne | Matcher::Lt | Matcher::Lte
            )
    }

    /// Whether all values of a set satisfy the matcher; refused where some do and others do not.
    fn holds(&self, value: &Set) -> Result<bool, Refusal> {
        let accepted = &self.test.accepted;
        if accepted.iter().any(|accepted| value.within(accepted)) {
            return Ok(!self.negated);
        }
        match accepted.iter().all(|accepted| value.apart(accepted)) {
            true => Ok(self.negated),
            false => Err(Refusal::BoundUndecided),
        }
    }
}

fn differently(first: &Sample, other: &[Sample]) -> Refusal {
    let texts: Vec<&str> = other.iter().map(|sample| sample.text.as_str()).collect();
    Refusal::JudgedDifferently { first: first.text.clone(), other: texts.join(", ") }
}
