//! What a judgement compared, as numbers on one scale: for whoever draws it. Nothing is judged by these numbers, they
//! are what is left of the exact ones once the verdict is there.

use super::judgement::Judgement;
use super::plan::{NumberTest, Test};
use crate::measure::{Exact, Sample, Set};
use crate::pack::Aggregate;

/// Samples against what is accepted, in one unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// The unit of every number here, where there is one.
    pub unit: Option<String>,
    /// The samples, in their order.
    pub samples: Vec<Plotted>,
    /// What was made of them, where a mean, a percentile or the like is judged and not each sample.
    pub aggregated: Option<Plotted>,
    /// Where a value must lie: in one of these, or in none of them where `outside` says so.
    pub accepted: Vec<Extent>,
    /// Whether a value must lie in none of what is accepted: `ne`, and `not`.
    pub outside: bool,
}

/// A value, or the values within a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plotted {
    /// Where it lies.
    pub at: Extent,
    /// Whether it satisfies the matcher by itself. None where it is not judged by itself, or not decided.
    pub holds: Option<bool>,
}

/// From one number to another; an end that is absent is unbounded. Of a point both are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The lower end.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

impl Extent {
    fn of(set: &Set) -> Self {
        let end = |end: Option<(&Exact, bool)>| end.map(|(at, _)| at.approximate());
        Extent { low: end(set.low()), high: end(set.high()) }
    }
}

impl Judgement<'_> {
    /// Its numbers, where numbers were judged.
    pub fn plot(&self) -> Option<Plot> {
        let Ok(Test::Number(test)) = self.test() else { return None };
        let assertion = self.assertion();
        let outside = Test::negated(assertion);
        let judged_alone = matches!(assertion.aggregate, None | Some(Aggregate::All | Aggregate::Any));
        let counts = assertion.aggregate == Some(Aggregate::Count);
        // A count is on another scale than what is counted.
        let samples = if counts { &[][..] } else { self.samples() };
        let plotted = |sample: &Sample| {
            let set = sample.value.as_ref()?;
            let holds = if judged_alone { holds(set, test, outside) } else { None };
            Some(Plotted { at: Extent::of(set), holds })
        };
        let aggregated = self.aggregated().map(|value| {
            let set = Set::Point(value.clone());
            Plotted { at: Extent::of(&set), holds: holds(&set, test, outside) }
        });
        Some(Plot {
            unit: if counts { None } else { test.target.unit().map(|unit| unit.name().to_owned()) },
            samples: samples.iter().filter_map(plotted).collect(),
            aggregated,
            accepted: test.accepted.iter().map(Extent::of).collect(),
            outside,
        })
    }
}

fn holds(value: &Set, test: &NumberTest, outside: bool) -> Option<bool> {
    if test.accepted.iter().any(|accepted| value.within(accepted)) {
        return Some(!outside);
    }
    test.accepted.iter().all(|accepted| value.apart(accepted)).then_some(outside)
}

#[cfg(test)]
mod tests {
    use super::super::judge;
    use super::*;
    use crate::audit::Scale;
    use crate::check::Actual;
    use crate::pack::Assertion;

    fn plot(assertion: serde_json::Value, actual: serde_json::Value) -> Option<Plot> {
        let assertion: Assertion = serde_json::from_value(assertion).unwrap();
        let actual: Option<Actual> = serde_json::from_value(actual).unwrap();
        judge(&assertion, actual.as_ref(), &Scale { density: Some("3.5".into()), font_scale: None }).plot()
    }

    fn point(at: f64, holds: Option<bool>) -> Plotted {
        Plotted { at: Extent { low: Some(at), high: Some(at) }, holds }
    }

    #[test]
    fn samples_and_bounds_are_in_the_units_of_the_assertion() {
        let most = serde_json::json!({"matcher": "lte", "expected": 800, "unit": "ms"});
        let plotted = plot(most, serde_json::json!(["1.2s", "700ms"])).unwrap();
        assert_eq!(plotted.unit.as_deref(), Some("ms"));
        assert_eq!(plotted.samples, [point(1200.0, Some(false)), point(700.0, Some(true))]);
        assert_eq!(plotted.accepted, [Extent { low: None, high: Some(800.0) }]);

        let least = serde_json::json!({"matcher": "gte", "expected": 40, "unit": "vp"});
        let plotted = plot(least, serde_json::json!("140px")).unwrap();
        assert_eq!(plotted.samples, [point(40.0, Some(true))]);
    }

    #[test]
    fn what_is_negated_lies_outside() {
        let other = serde_json::json!({"matcher": "ne", "expected": 3});
        let plotted = plot(other, serde_json::json!(3)).unwrap();
        assert!(plotted.outside);
        assert_eq!(plotted.samples, [point(3.0, Some(false))]);
    }

    #[test]
    fn an_aggregate_is_judged_in_the_place_of_its_samples() {
        let p95 = serde_json::json!({"matcher": "lt", "expected": 20, "unit": "ms", "aggregate": "p95"});
        let plotted = plot(p95, serde_json::json!([16, 27])).unwrap();
        assert_eq!(plotted.samples, [point(16.0, None), point(27.0, None)]);
        assert_eq!(plotted.aggregated, Some(point(27.0, Some(false))));

        let count = serde_json::json!({"matcher": "gte", "expected": 3, "unit": "ms", "aggregate": "count"});
        let plotted = plot(count, serde_json::json!([16, 27])).unwrap();
        assert_eq!((plotted.unit, plotted.samples.len()), (None, 0));
        assert_eq!(plotted.aggregated, Some(point(2.0, Some(false))));
    }

    #[test]
    fn text_has_no_plot() {
        let text = serde_json::json!({"matcher": "eq", "expected": "登录"});
        assert_eq!(plot(text, serde_json::json!("登录")), None);
    }
}
