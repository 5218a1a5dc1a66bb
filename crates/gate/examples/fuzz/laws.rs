//! What must hold of every value and every assertion.

use gate::assertion::{Agreement, agreement, check, contains_measure, judge, restates};
use gate::audit::{AssertionVerdict as Verdict, Scale};
use gate::check::Actual;
use gate::lang::Lang;
use gate::measure::Refusal;
use gate::pack::{Assertion, Matcher, Scalar};

/// The first law that this judgement breaks.
pub fn broken(assertion: &Assertion, actual: Option<&Actual>, scale: &Scale) -> Option<String> {
    let verdict = judge(assertion, actual, scale).verdict;
    let laws = [
        told(assertion, actual, scale),
        sound(assertion, actual),
        negated(assertion, actual, verdict, scale),
        complements(assertion, actual, scale),
        spelled_otherwise(assertion, actual, verdict, scale),
        listed(assertion, actual, verdict, scale),
        agrees_with_itself(assertion, actual, verdict, scale),
    ];
    laws.into_iter().flatten().next()
}

/// A judgement tells how it came about, in both languages, and refuses where it judges nothing.
fn told(assertion: &Assertion, actual: Option<&Actual>, scale: &Scale) -> Option<String> {
    let judgement = judge(assertion, actual, scale);
    let judged = matches!(judgement.verdict, Verdict::Pass | Verdict::Fail);
    for lang in [Lang::En, Lang::Zh] {
        let (steps, refusal) = (judgement.steps(lang), judgement.refusal(lang));
        if steps.is_empty() || steps.iter().any(|step| step.trim().is_empty()) {
            return Some(format!("a step says nothing: {steps:?}"));
        }
        if refusal.is_some() == judged || refusal.is_some_and(|why| why.trim().is_empty()) {
            return Some("a refusal without a reason, or a reason without a refusal".to_owned());
        }
    }
    None
}

/// An assertion in which authoring finds no fault is never refused as one, once density and font scale are known;
/// save for two bounds in differing units, whose order the density decides.
fn sound(assertion: &Assertion, actual: Option<&Actual>) -> Option<String> {
    let faults = check(assertion);
    if faults.iter().any(|fault| fault.explain(Lang::En).is_empty() || fault.explain(Lang::Zh).is_empty()) {
        return Some("a fault says nothing".to_owned());
    }
    let scale = Scale { density: Some("3.25".into()), font_scale: Some("1.15".into()) };
    let judgement = judge(assertion, actual, &scale);
    let refused = matches!(judgement.refused(), Some(Refusal::Assertion { .. }));
    (faults.is_empty() && refused && assertion.matcher != Matcher::Between)
        .then(|| "an assertion without a fault is refused".to_owned())
}

/// `not` turns pass and fail round, or refuses; it never makes either of what was refused or missing.
fn negated(
    assertion: &Assertion,
    actual: Option<&Actual>,
    verdict: Verdict,
    scale: &Scale,
) -> Option<String> {
    let turned = judge(&Assertion { not: !assertion.not, ..assertion.clone() }, actual, scale).verdict;
    let single = !matches!(actual, Some(Actual::Many(_)));
    let holds = match (verdict, turned) {
        (Verdict::Pass, Verdict::Pass) => !single,
        (Verdict::Fail, Verdict::Fail) => !single,
        (Verdict::Missing, other) | (other, Verdict::Missing) => {
            other == Verdict::Missing || other == Verdict::Invalid
        }
        // Under `not` a comma is doubted that is not doubted otherwise; a series may be refused only one way round.
        _ => true,
    };
    (!holds).then(|| format!("{verdict:?}, and with `not` turned round {turned:?}"))
}

/// What is at most the threshold is not above it; what is below it is not at least it.
fn complements(assertion: &Assertion, actual: Option<&Actual>, scale: &Scale) -> Option<String> {
    let other = match assertion.matcher {
        Matcher::Lte => Matcher::Gt,
        Matcher::Lt => Matcher::Gte,
        _ => return None,
    };
    if matches!(actual, Some(Actual::Many(_))) && assertion.aggregate.is_none() || assertion.not {
        return None;
    }
    let any = assertion.aggregate == Some(gate::pack::Aggregate::Any);
    let verdict = judge(assertion, actual, scale).verdict;
    let opposite = judge(&Assertion { matcher: other, ..assertion.clone() }, actual, scale).verdict;
    (verdict == Verdict::Pass && opposite == Verdict::Pass && !any)
        .then(|| "both sides of a threshold pass".to_owned())
}

/// Full-width forms and white space around a value change nothing where numbers are compared.
fn spelled_otherwise(
    assertion: &Assertion,
    actual: Option<&Actual>,
    verdict: Verdict,
    scale: &Scale,
) -> Option<String> {
    let Some(Actual::One(Scalar::Text(text))) = actual else { return None };
    let numeric = matches!(
        assertion.matcher,
        Matcher::Lt | Matcher::Lte | Matcher::Gt | Matcher::Gte | Matcher::Between | Matcher::Approx
    );
    let wide: String = text
        .chars()
        .map(|c| match c {
            '!'..='~' => char::from_u32(u32::from(c) + 0xFEE0).unwrap_or(c),
            ' ' => '\u{3000}',
            other => other,
        })
        .collect();
    let mut others = vec![format!("{text}\n"), format!("\t{text} ")];
    if numeric {
        others.push(wide);
    }
    let judged = |text: &String| {
        let actual = Actual::One(Scalar::Text(text.clone()));
        judge(assertion, Some(&actual), scale).verdict
    };
    let other = others.iter().find(|text| judged(text) != verdict)?;
    Some(format!("{verdict:?}, and {:?} as {other:?}", judged(other)))
}

/// A list of one that passes is a value that passes.
fn listed(assertion: &Assertion, actual: Option<&Actual>, verdict: Verdict, scale: &Scale) -> Option<String> {
    let Some(Actual::One(scalar)) = actual else { return None };
    let list = Actual::Many(vec![Some(scalar.clone())]);
    let listed = judge(assertion, Some(&list), scale).verdict;
    let judged = |verdict| matches!(verdict, Verdict::Pass | Verdict::Fail);
    (judged(listed) && judged(verdict) && listed != verdict)
        .then(|| format!("{verdict:?}, and {listed:?} in a list"))
}

/// A value that was judged is the same as itself.
fn agrees_with_itself(
    assertion: &Assertion,
    actual: Option<&Actual>,
    verdict: Verdict,
    scale: &Scale,
) -> Option<String> {
    let actual = actual?;
    restates(assertion, actual);
    if let Actual::One(Scalar::Text(text)) = actual
        && let Some(found) = contains_measure(text)
        && text.get(found.range.clone()).is_none()
    {
        return Some(format!("a measure at {:?}, which is no part of the text", found.range));
    }
    let same = agreement(assertion, actual, actual, scale);
    let differs = same == Agreement::Different || (verdict == Verdict::Pass && same == Agreement::Unreadable);
    differs.then(|| format!("{same:?} as itself, and judged {verdict:?}"))
}
