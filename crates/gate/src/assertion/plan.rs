//! What an assertion compares with, read once: numbers in one unit, texts, booleans, or mere existence.

use regex::Regex;
use unicode_normalization::UnicodeNormalization;

use super::fault::{Fault, Field};
use super::pattern;
use crate::audit::Scale;
use crate::measure::{self, Declared, End, Exact, Measure, Refusal, Set, Target, Unit};
use crate::pack::{Aggregate, Assertion, Expected, Matcher, Scalar};

/// What is asked of a value.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// That there is one.
    Exists,
    /// That it is one of these booleans.
    Boolean(Vec<bool>),
    /// Something of its text.
    Text(TextTest),
    /// Something of its number.
    Number(NumberTest),
}

/// What is asked of a text, which is in NFC and trimmed.
#[derive(Clone, Debug)]
pub(super) enum TextTest {
    /// One of these.
    OneOf(Vec<String>),
    /// Contains it.
    Contains(String),
    /// Matches it.
    Matches(Regex),
}

/// What is asked of a number in the target's unit.
#[derive(Clone, Debug)]
pub(super) struct NumberTest {
    /// What it is read against.
    pub target: Target,
    /// Where it must lie: in one of these.
    pub accepted: Vec<Set>,
}

/// A text as text matchers compare it.
pub(super) fn plain_text(text: &str) -> String {
    match text.is_ascii() {
        true => text.trim().to_owned(),
        false => text.nfc().collect::<String>().trim().to_owned(),
    }
}

/// The text of any scalar.
pub(super) fn scalar_text(scalar: &Scalar) -> &str {
    match scalar {
        Scalar::Bool(true) => "true",
        Scalar::Bool(false) => "false",
        Scalar::Number(text) | Scalar::Text(text) => text,
    }
}

impl Test {
    /// Reads the assertion. A scale is needed only where `expected` and `unit` are different units of length.
    pub fn new(assertion: &Assertion, scale: &Scale) -> Result<Test, Fault> {
        if assertion.matcher == Matcher::Exists {
            return Ok(Test::Exists);
        }
        let scalars = scalars(assertion)?;
        match assertion.matcher {
            Matcher::Contains | Matcher::Matches => text(assertion, scalars).map(Test::Text),
            Matcher::Eq | Matcher::Ne | Matcher::OneOf => equality(assertion, scalars, scale),
            _ => number(assertion, scalars, scale).map(Test::Number),
        }
    }

    /// Whether a member has to do the opposite of what the test says. With `all` and `any`, `not` turns their answer
    /// round, and no member's.
    pub fn negated(assertion: &Assertion) -> bool {
        (assertion.matcher == Matcher::Ne) != (assertion.not && !Self::turns_aggregate(assertion))
    }

    /// Whether `not` turns the answer of `all` or `any` round.
    pub fn turns_aggregate(assertion: &Assertion) -> bool {
        assertion.not && matches!(assertion.aggregate, Some(Aggregate::All | Aggregate::Any))
    }
}

/// The scalars of `expected`, as many as the matcher takes.
fn scalars(assertion: &Assertion) -> Result<&[Scalar], Fault> {
    let word = assertion.matcher.word();
    let fault = |en: String, zh: String| Err(Fault::new(Field::Expected, en, zh));
    match (assertion.matcher, &assertion.expected) {
        (_, None) => fault(
            format!("`{word}` compares with something, and there is no `expected`"),
            format!("`{word}` 需要比较对象，但缺少 `expected`"),
        ),
        (Matcher::Between, Some(Expected::Many(bounds))) if bounds.len() == 2 => Ok(bounds),
        (Matcher::Between, _) => fault(
            "`between` takes two bounds: `[12, 16]`".into(),
            "`between` 需要两个边界：`[12, 16]`".into(),
        ),
        (Matcher::OneOf, Some(Expected::Many(choices))) if !choices.is_empty() => Ok(choices),
        (Matcher::OneOf, _) => fault(
            "`oneOf` takes a list of choices: `[60, 90, 120]`".into(),
            "`oneOf` 需要候选列表：`[60, 90, 120]`".into(),
        ),
        (_, Some(Expected::One(one))) => Ok(std::slice::from_ref(one)),
        (_, Some(Expected::Many(_))) => fault(
            format!("`{word}` takes one value, not a list; use `oneOf` or `between`"),
            format!("`{word}` 只接受一个值而不是列表；请用 `oneOf` 或 `between`"),
        ),
    }
}

fn text(assertion: &Assertion, scalars: &[Scalar]) -> Result<TextTest, Fault> {
    no_value_aggregate(assertion)?;
    let word = assertion.matcher.word();
    let expected = match scalars {
        [Scalar::Text(text)] => text.as_str(),
        // Its frozen form is what is shown, so it is what is looked for.
        [Scalar::Number(text)] if assertion.matcher == Matcher::Contains => text.as_str(),
        _ => {
            return Err(Fault::new(
                Field::Expected,
                format!("`{word}` looks for text; put `expected` in quotes"),
                format!("`{word}` 查找文本；请给 `expected` 加引号"),
            ));
        }
    };
    visible(expected)?;
    if assertion.matcher == Matcher::Matches {
        let compiled =
            pattern::compile(expected).map_err(|why| Fault::new(Field::Expected, why.en, why.zh))?;
        return Ok(TextTest::Matches(compiled));
    }
    match plain_text(expected) {
        empty if empty.is_empty() => Err(Fault::new(
            Field::Expected,
            "`expected` is blank, and every text contains nothing".to_owned(),
            "`expected` 为空，而任何文本都包含空文本".to_owned(),
        )),
        text => Ok(TextTest::Contains(text)),
    }
}

fn visible(expected: &str) -> Result<(), Fault> {
    measure::visible(expected).map_err(|why| Fault::because(Field::Expected, &why))
}

/// `eq`, `ne` and `oneOf`: numeric where `expected` is a number, or text with a number and a unit; else textual.
fn equality(assertion: &Assertion, scalars: &[Scalar], scale: &Scale) -> Result<Test, Fault> {
    let booleans: Vec<bool> =
        scalars.iter().filter_map(|s| if let Scalar::Bool(b) = s { Some(*b) } else { None }).collect();
    let numbers = scalars.iter().filter(|scalar| is_numeric(assertion, scalar)).count();
    if numbers == scalars.len() {
        return number(assertion, scalars, scale).map(Test::Number);
    }
    if numbers == 0 && booleans.len() == scalars.len() {
        no_value_aggregate(assertion)?;
        no_unit(assertion)?;
        return Ok(Test::Boolean(booleans));
    }
    if numbers > 0 || !booleans.is_empty() {
        return Err(Fault::new(
            Field::Expected,
            "the choices mix numbers, text and booleans; make them one kind",
            "候选值混用了数字、文本和布尔值；请统一为一种",
        ));
    }
    no_value_aggregate(assertion)?;
    no_unit(assertion)?;
    for scalar in scalars {
        visible(scalar_text(scalar))?;
    }
    Ok(Test::Text(TextTest::OneOf(scalars.iter().map(|scalar| plain_text(scalar_text(scalar))).collect())))
}

fn is_numeric(assertion: &Assertion, scalar: &Scalar) -> bool {
    match scalar {
        Scalar::Number(_) => true,
        Scalar::Bool(_) => false,
        Scalar::Text(text) => match declared(assertion) {
            // A text with a unit beside it is a number in quotes.
            Ok(Some(unit)) => measure::plain_measure(text, Some(&unit)).is_ok(),
            // An ambiguous unit is still a unit: it must be refused, not compared as text.
            Ok(None) => measure::plain_measure(text, None).is_ok_and(|m| {
                m.unit.is_some_and(|unit| matches!(unit, Unit::Known(_)) || unit.is_ambiguous())
            }),
            Err(_) => true,
        },
    }
}

/// A mean of texts means nothing.
fn no_value_aggregate(assertion: &Assertion) -> Result<(), Fault> {
    match assertion.aggregate {
        None | Some(Aggregate::All | Aggregate::Any) => Ok(()),
        Some(other) => Err(Fault::new(
            Field::Aggregate,
            format!(
                "`{}` needs numbers, and text or booleans are compared here; use `all` or `any`",
                other.word()
            ),
            format!("`{}` 需要数值，而此处比较的是文本或布尔值；请用 `all` 或 `any`", other.word()),
        )),
    }
}

fn no_unit(assertion: &Assertion) -> Result<(), Fault> {
    match &assertion.unit {
        None => Ok(()),
        Some(unit) => Err(Fault::new(
            Field::Unit,
            format!(
                "`expected` is no number, so the unit `{unit}` means nothing; write a number, or leave the unit out"
            ),
            format!("`expected` 不是数值，单位 `{unit}` 没有意义；请写数值，或去掉单位"),
        )),
    }
}

pub(super) fn declared(assertion: &Assertion) -> Result<Option<Declared>, Fault> {
    let read = |text: &String| Declared::new(text).map_err(|why| Fault::because(Field::Unit, &why));
    assertion.unit.as_ref().map(read).transpose()
}

/// A number of `expected`.
fn expected_measure(scalar: &Scalar, declared: Option<&Declared>) -> Result<Measure, Fault> {
    let read = match scalar {
        Scalar::Bool(_) => Err(Refusal::BooleanForNumber),
        Scalar::Number(text) => measure::plain_number(text)
            .map(|value| Measure { value, unit: None })
            .map_or_else(|| measure::plain_measure(text, declared), Ok),
        Scalar::Text(text) => measure::plain_measure(text, declared),
    };
    let measure = read.map_err(|why| Fault::because(Field::Expected, &why))?;
    match &measure.unit {
        Some(unit) if unit.is_ambiguous() => {
            Err(Fault::because(Field::Expected, &Refusal::AmbiguousUnit { unit: unit.name().to_owned() }))
        }
        _ => Ok(measure),
    }
}

fn number(assertion: &Assertion, scalars: &[Scalar], scale: &Scale) -> Result<NumberTest, Fault> {
    let declared = declared(assertion)?;
    let measures = scalars
        .iter()
        .map(|s| expected_measure(s, declared.as_ref()))
        .collect::<Result<Vec<Measure>, Fault>>()?;
    if assertion.aggregate == Some(Aggregate::Count) {
        return count(assertion, declared, measures);
    }
    let declared = match declared {
        Some(declared) => Some(declared),
        None => unit_of_all(&measures)?,
    };
    let target = Target { declared };
    let values = measures
        .into_iter()
        .map(|m| in_unit(m, &target, scale, Field::Expected))
        .collect::<Result<Vec<_>, _>>()?;
    let accepted = accepted(assertion, values, &target, scale)?;
    Ok(NumberTest { target, accepted })
}

/// A count has no unit; the unit of the assertion is that of the members.
fn count(
    assertion: &Assertion,
    declared: Option<Declared>,
    measures: Vec<Measure>,
) -> Result<NumberTest, Fault> {
    if let Some(unit) = measures.iter().find_map(|measure| measure.unit.as_ref()) {
        let unit = unit.name();
        return Err(Fault::new(
            Field::Expected,
            format!(
                "`count` counts samples and has no unit, and `expected` is in `{unit}`; write a plain number"
            ),
            format!("`count` 计算样本个数，没有单位，而 `expected` 带有 `{unit}`；请写不带单位的数"),
        ));
    }
    let values = measures.into_iter().map(|measure| measure.value).collect();
    let accepted = accepted(assertion, values, &Target::default(), &Scale::default())?;
    Ok(NumberTest { target: Target { declared }, accepted })
}

/// The one unit in which all of `expected` is written, if any.
fn unit_of_all(measures: &[Measure]) -> Result<Option<Declared>, Fault> {
    let Some(first) = measures.first() else { return Ok(None) };
    if measures.iter().any(|measure| measure.unit != first.unit) {
        return Err(Fault::new(
            Field::Unit,
            "the values of `expected` have differing units; declare `unit`",
            "`expected` 中各值的单位不同；请声明 `unit`",
        ));
    }
    let declare = |unit: &Unit| match unit {
        Unit::Known(_) => Ok(Declared::from(unit.clone())),
        Unit::Opaque(word) => Declared::new(word).map_err(|why| Fault::because(Field::Expected, &why)),
    };
    first.unit.as_ref().map(declare).transpose()
}

fn in_unit(measure: Measure, target: &Target, scale: &Scale, field: Field) -> Result<Exact, Fault> {
    match (&measure.unit, target.unit()) {
        (Some(from), Some(to)) if from != to => {
            let factor = from.factor_to(to, scale).map_err(|why| Fault::because(field, &why))?;
            Ok(measure.value.times(&factor))
        }
        _ => Ok(measure.value),
    }
}

/// Where a value must lie to satisfy the matcher (`ne` is the opposite of `eq`).
fn accepted(
    assertion: &Assertion,
    values: Vec<Exact>,
    target: &Target,
    scale: &Scale,
) -> Result<Vec<Set>, Fault> {
    let below = |end: End| vec![Set::Interval { low: None, high: Some(end) }];
    let above = |end: End| vec![Set::Interval { low: Some(end), high: None }];
    let mut values = values.into_iter();
    let (first, second) = (values.next(), values.next());
    Ok(match (assertion.matcher, first, second) {
        (Matcher::Lt, Some(at), _) => below(End::open(at)),
        (Matcher::Lte, Some(at), _) => below(End::closed(at)),
        (Matcher::Gt, Some(at), _) => above(End::open(at)),
        (Matcher::Gte, Some(at), _) => above(End::closed(at)),
        (Matcher::Between, Some(low), Some(high)) if low > high => {
            return Err(Fault::new(
                Field::Expected,
                format!(
                    "the range runs from {} down to {}; write the lower bound first",
                    low.to_decimal(),
                    high.to_decimal()
                ),
                format!("区间由 {} 到 {} 递减；请先写下界", low.to_decimal(), high.to_decimal()),
            ));
        }
        (Matcher::Between, Some(low), Some(high)) => vec![Set::between(low, high)],
        (Matcher::Approx, Some(middle), _) => {
            let tolerance = tolerance(assertion, &middle, target, scale)?;
            vec![Set::between(middle.minus(&tolerance), middle.plus(&tolerance))]
        }
        (_, first, second) => first.into_iter().chain(second).chain(values).map(Set::Point).collect(),
    })
}

/// The tolerance of `approx`: absolute in the assertion's unit, or per cent of `expected`.
fn tolerance(
    assertion: &Assertion,
    expected: &Exact,
    target: &Target,
    scale: &Scale,
) -> Result<Exact, Fault> {
    let fault = |en: &str, zh: &str| Err(Fault::new(Field::Tolerance, en, zh));
    let text = match &assertion.tolerance {
        None => {
            return fault(
                "`approx` needs a `tolerance`, such as 0.5 or \"5%\"",
                "`approx` 需要 `tolerance`，例如 0.5 或 \"5%\"",
            );
        }
        Some(Scalar::Bool(_)) => return fault("the tolerance is no number", "容差不是数值"),
        Some(Scalar::Number(text) | Scalar::Text(text)) => text.trim().replace('％', "%"),
    };
    let value = match text.strip_suffix('%') {
        Some(percent) => {
            let Some(percent) = measure::plain_number(percent) else {
                return fault("write a percentage as \"5%\"", "百分比请写成 \"5%\"");
            };
            percent.times(&expected.abs()).over(&Exact::from_int(100)).unwrap_or(Exact::ZERO)
        }
        None => {
            let read = measure::plain_measure(&text, target.declared.as_ref());
            let measure = read.map_err(|why| Fault::because(Field::Tolerance, &why))?;
            if measure.unit.is_some() && target.unit().is_none() {
                return fault(
                    "the tolerance has a unit and `expected` has none",
                    "容差带有单位，而 `expected` 没有单位",
                );
            }
            in_unit(measure, target, scale, Field::Tolerance)?
        }
    };
    match value.is_negative() {
        true => fault("the tolerance is negative", "容差为负值"),
        false => Ok(value),
    }
}
