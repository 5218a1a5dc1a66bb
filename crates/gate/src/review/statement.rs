//! Statements that say something else than their assertion: whoever reads the one is told the verdict of the other.

use super::accepted::{Accepted, exact};
use crate::audit::Scale;
use crate::code::Code;
use crate::lang::Lang;
use crate::measure::{Bound, Claim, Declared, Exact, Quantity, Says, Set, Unit, claims, holds_unread};
use crate::pack::{Assertion, Criterion, Expected, Scalar, Weight};
use crate::problem::Problem;
use crate::say;

/// E_STATEMENT_CONTRADICTS, E_UNIT_DISAGREES or W_STATEMENT_DISAGREES, if one applies.
///
/// An assertion that accepts what the statement rules out blocks: a pass would say what is not so. One that asks for
/// more than the statement does is shown, and so is all that cannot be told for certain. A should never blocks.
pub(super) fn disagreement(criterion: &Criterion, assertion: &Assertion, lang: Lang) -> Option<Problem> {
    let promised = certain(&criterion.statement);
    let asserted = Asserted::of(assertion)?;
    let worst = asserted.against(&promised)?;
    let code = match worst {
        Finding::Weaker if criterion.weight == Weight::Must => Code::StatementContradicts,
        Finding::OtherUnit if criterion.weight == Weight::Must => Code::UnitDisagrees,
        _ => Code::StatementDisagrees,
    };
    let mut stated: Vec<&str> = Vec::new();
    for claim in &promised {
        // A statement in two languages says its number twice.
        if !stated.contains(&claim.text.as_str()) {
            stated.push(&claim.text);
        }
    }
    let (stated, shown) = (stated.join(", "), crate::assertion::shown(assertion, lang));
    let message = match worst {
        Finding::Weaker => say!(
            lang,
            "the statement says {stated}, and the assertion `{shown}` accepts what that rules out",
            "陈述写的是 {stated}，而断言 `{shown}` 会接受陈述所排除的值"
        ),
        Finding::OtherUnit => say!(
            lang,
            "the statement says {stated}, and the assertion `{shown}` has the number without that unit",
            "陈述写的是 {stated}，而断言 `{shown}` 数字相同、单位不同"
        ),
        Finding::Differs => say!(
            lang,
            "the statement says {stated}, and the assertion is `{shown}`",
            "陈述写的是 {stated}，而断言是 `{shown}`"
        ),
    };
    Some(Problem::new(code, message, code.help(lang)))
}

/// The claims of a statement, or none of them where one more number stands beside them that could not be read.
fn certain(statement: &str) -> Vec<Claim> {
    if holds_unread(statement) { Vec::new() } else { claims(statement) }
}

/// The one threshold that a statement states in a unit that converts to the assertion's, in that unit; nothing where any
/// other number stands beside it.
pub(super) fn threshold_told(criterion: &Criterion, assertion: &Assertion) -> Option<Exact> {
    let asserted = Asserted::of(assertion)?;
    let claims = certain(&criterion.statement);
    let told: Vec<Says> = claims
        .iter()
        .filter_map(|claim| match asserted.beside(claim) {
            Beside::Comparable(says) => Some(says),
            Beside::Unitless | Beside::Other => None,
        })
        .collect();
    let threshold = told.iter().find_map(|says| match says {
        Says::Side(_, at) => Some(at.clone()),
        _ => None,
    })?;
    let is_alone = told.iter().all(|says| values(says) == [threshold.clone()]);
    is_alone.then_some(threshold)
}

/// The one unit in which a statement states the assertion's own number.
pub(super) fn unit_told(criterion: &Criterion, assertion: &Assertion) -> Option<String> {
    let asserted = Asserted::of(assertion)?;
    let claims = certain(&criterion.statement);
    let states = |claim: &&Claim| values(&claim.says).iter().any(|value| asserted.numbers.contains(value));
    let mut told = claims.iter().filter(states).filter_map(|claim| claim.unit.as_ref());
    let first = told.next()?;
    told.all(|other| other == first).then(|| first.name().to_owned())
}

/// How an assertion and a claim disagree, from what matters least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Finding {
    Differs,
    OtherUnit,
    Weaker,
}

/// What an assertion asks for, as claims are held against it.
struct Asserted {
    /// Its numbers, in its unit: expected, bounds, choices.
    numbers: Vec<Exact>,
    /// What `approx` allows on either side, where it is no percentage.
    margin: Option<Exact>,
    unit: Option<Unit>,
    accepted: Option<Set>,
}

/// A claim beside an assertion.
enum Beside {
    /// In the assertion's unit.
    Comparable(Says),
    /// A number without a unit, where the assertion has one.
    Unitless,
    /// Of another quantity, or of a length that only a density converts.
    Other,
}

impl Asserted {
    /// None if it asks for no number.
    fn of(assertion: &Assertion) -> Option<Asserted> {
        let declared = assertion.unit.as_deref().and_then(|unit| Declared::new(unit).ok());
        let read = |scalar: &Scalar| exact(scalar, declared.as_ref());
        let numbers: Vec<Exact> = match &assertion.expected {
            Some(Expected::One(scalar)) => read(scalar).into_iter().collect(),
            Some(Expected::Many(scalars)) => scalars.iter().filter_map(read).collect(),
            None => Vec::new(),
        };
        let margin = assertion.tolerance.as_ref().and_then(read);
        let accepted = Accepted::of(assertion).map(|accepted| accepted.set);
        let unit = declared.map(|declared| declared.unit);
        (!numbers.is_empty()).then_some(Asserted { numbers, margin, unit, accepted })
    }

    /// The worst that its claims say against it. One claim that agrees is enough: the others speak of other things.
    fn against(&self, claims: &[Claim]) -> Option<Finding> {
        let beside: Vec<(&Claim, Beside)> = claims.iter().map(|claim| (claim, self.beside(claim))).collect();
        let says = beside.iter().filter_map(|(_, beside)| match beside {
            Beside::Comparable(says) if !self.is_margin(says) => Some(says.clone()),
            _ => None,
        });
        let is_binary = claims.iter().any(|claim| self.is_same_size(claim));
        let comparable: Vec<Option<Finding>> =
            self.joined(says.collect()).iter().map(|says| self.compare(says)).collect();
        if !comparable.is_empty() {
            // All must disagree; what weighs least of them is certain.
            let worst = comparable.into_iter().min().flatten();
            return worst.map(|worst| if is_binary { Finding::Differs } else { worst });
        }
        beside.iter().filter_map(|(claim, beside)| self.elsewhere(claim, beside)).max()
    }

    /// 150MB beside 150 MiB: one size to most who write it.
    fn is_same_size(&self, claim: &Claim) -> bool {
        let (Some(told), Some(own)) = (&claim.unit, &self.unit) else { return false };
        let letter = |unit: &Unit| unit.name().to_lowercase().chars().next();
        told.quantity() == Quantity::Bytes
            && own.quantity() == Quantity::Bytes
            && told != own
            && letter(told) == letter(own)
            && values(&claim.says).iter().all(|value| self.numbers.contains(value))
    }

    fn beside(&self, claim: &Claim) -> Beside {
        let counts = |unit: &Unit| unit.quantity() == Quantity::Count;
        match (&claim.unit, &self.unit) {
            (Some(from), Some(to)) => match from.factor_to(to, &Scale::default()) {
                Ok(factor) => Beside::Comparable(scaled(&claim.says, &factor)),
                Err(_) => Beside::Other,
            },
            (None, None) => Beside::Comparable(claim.says.clone()),
            (Some(unit), None) | (None, Some(unit)) if counts(unit) => Beside::Comparable(claim.says.clone()),
            (None, Some(_)) => Beside::Unitless,
            (Some(_), None) => Beside::Other,
        }
    }

    /// What a claim says that is in no unit of the assertion's.
    fn elsewhere(&self, claim: &Claim, beside: &Beside) -> Option<Finding> {
        let values = values(&claim.says);
        let is_same_number = values.iter().any(|value| self.numbers.contains(value));
        let is_bound = !matches!(claim.says, Says::Bare(_));
        match beside {
            // `2 s after launch both are shown` says nothing of how many.
            Beside::Other if is_same_number && self.unit.is_none() && !is_bound => None,
            Beside::Other if is_same_number && !self.is_font_size(claim) => Some(Finding::OtherUnit),
            Beside::Other if is_same_number || is_bound => Some(Finding::Differs),
            Beside::Unitless if !is_same_number && is_bound => Some(Finding::Differs),
            _ => None,
        }
    }

    fn is_margin(&self, says: &Says) -> bool {
        self.margin.as_ref().is_some_and(|margin| values(says) == [margin.clone()])
    }

    /// fp and vp are one where nobody has enlarged the fonts.
    fn is_font_size(&self, claim: &Claim) -> bool {
        let name = |unit: &Option<Unit>| unit.as_ref().map(|unit| unit.name().to_owned()).unwrap_or_default();
        matches!((name(&claim.unit).as_str(), name(&self.unit).as_str()), ("fp", "vp") | ("vp", "fp"))
    }

    /// `no smaller than 20vp and no larger than 28vp` is one range, where nothing else is said.
    fn joined(&self, says: Vec<Says>) -> Vec<Says> {
        let [Says::Side(first, a), Says::Side(second, b)] = says.as_slice() else { return says };
        let (low_bound, low, high_bound, high) = match a < b {
            true => (first, a, second, b),
            false => (second, b, first, a),
        };
        match (low_bound, high_bound) {
            (Bound::AtLeast, Bound::AtMost) if low < high => vec![Says::Between(low.clone(), high.clone())],
            (Bound::Above, Bound::Below) if low < high => vec![self.closed(low, high)],
            _ => says,
        }
    }

    /// A range whose ends are both left out, as the closed one that it is of whole numbers.
    fn closed(&self, low: &Exact, high: &Exact) -> Says {
        match self.is_count() {
            true => Says::Between(low.plus(&Exact::ONE), high.minus(&Exact::ONE)),
            false => Says::Between(low.clone(), high.clone()),
        }
    }

    fn is_count(&self) -> bool {
        self.unit.as_ref().is_none_or(|unit| unit.quantity() == Quantity::Count)
    }

    /// How a claim in the assertion's unit disagrees; none if it does not.
    fn compare(&self, says: &Says) -> Option<Finding> {
        let (low, high) = match says {
            Says::Side(Bound::Below, at) => (None, Some((at, false))),
            Says::Side(Bound::AtMost, at) => (None, Some((at, true))),
            Says::Side(Bound::Above, at) => (Some((at, false)), None),
            Says::Side(Bound::AtLeast, at) => (Some((at, true)), None),
            Says::Between(low, high) => (Some((low, true)), Some((high, true))),
            Says::Exactly(at) | Says::Bare(at) => return self.compare_point(at, says),
        };
        let values = values(says);
        let Some(accepted) = &self.accepted else {
            let is_said = values.iter().any(|value| self.numbers.contains(value));
            return (!is_said).then_some(Finding::Differs);
        };
        let ends = [self.end(accepted.high(), high, true), self.end(accepted.low(), low, false)];
        ends.into_iter().flatten().max()
    }

    /// One end of what is accepted, beside the end that is claimed.
    fn end(
        &self,
        own: Option<(&Exact, bool)>,
        claimed: Option<(&Exact, bool)>,
        is_high: bool,
    ) -> Option<Finding> {
        let is_count = self.is_count();
        match (own, claimed) {
            (None, None) => None,
            (None, Some(_)) => Some(Finding::Weaker),
            // Nothing lies below zero, so that an end there asks for nothing.
            (Some((at, _)), None) => {
                let asks = is_high || !(at.is_zero() || at.is_negative());
                asks.then_some(Finding::Differs)
            }
            (Some((own, own_closed)), Some((claimed, closed))) => {
                if own == claimed {
                    return (is_count && own_closed != closed).then_some(Finding::Differs);
                }
                Some(if (own > claimed) == is_high { Finding::Weaker } else { Finding::Differs })
            }
        }
    }

    fn compare_point(&self, at: &Exact, says: &Says) -> Option<Finding> {
        if self.numbers.contains(at) {
            return None;
        }
        let accepted = self.accepted.as_ref().filter(|accepted| accepted.is_bounded());
        let is_elsewhere = accepted.is_some_and(|accepted| accepted.apart(&Set::Point(at.clone())));
        let is_certain = matches!(says, Says::Exactly(_)) && is_elsewhere;
        Some(if is_certain { Finding::Weaker } else { Finding::Differs })
    }
}

fn scaled(says: &Says, factor: &Exact) -> Says {
    match says {
        Says::Side(bound, at) => Says::Side(*bound, at.times(factor)),
        Says::Between(low, high) => Says::Between(low.times(factor), high.times(factor)),
        Says::Exactly(at) => Says::Exactly(at.times(factor)),
        Says::Bare(at) => Says::Bare(at.times(factor)),
    }
}

fn values(says: &Says) -> Vec<Exact> {
    match says {
        Says::Side(_, at) | Says::Exactly(at) | Says::Bare(at) => vec![at.clone()],
        Says::Between(low, high) => vec![low.clone(), high.clone()],
    }
}
