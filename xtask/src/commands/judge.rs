//! `judge`: one assertion at the prompt, explained step by step.

use gate::audit::{AssertionVerdict, Scale};
use gate::check::Actual;
use gate::decode::Rules;
use gate::lang::Lang;
use gate::node::{Key, Node, Value};
use gate::pack::{Assertion, Scalar};
use gate::problem::Span;
use serde_json::json;

use super::answer::Answer;
use crate::cli;
use crate::document;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::render::label;
use crate::reports::words;

/// Judges the value, and tells how.
pub fn run(args: &cli::Judge, lang: Lang) -> Result<Answer> {
    let assertion = assertion(args, lang)?;
    let actual = actual(&args.actual);
    let scale = Scale { density: args.density.clone(), font_scale: args.font_scale.clone() };
    let judgement = gate::assertion::judge(&assertion, actual.as_ref(), &scale);
    let steps = judgement.steps(lang);
    let verdict = judgement.verdict;
    let ending = if verdict == AssertionVerdict::Pass { Ending::Yes } else { Ending::No };
    let data =
        json!({ "assertion": assertion, "actual": actual, "assertionVerdict": verdict, "steps": steps });
    Ok(Answer { ending, text: text(&assertion, actual.as_ref(), verdict, &steps, lang), data })
}

fn text(
    assertion: &Assertion,
    actual: Option<&Actual>,
    verdict: AssertionVerdict,
    steps: &[String],
    lang: Lang,
) -> String {
    let shown = actual.map_or_else(|| lang.pick("absent", "缺失").to_owned(), words::actual);
    let (asserted, given, judged) =
        (lang.pick("assertion", "断言"), lang.pick("actual", "实测"), lang.pick("verdict", "判定"));
    let told: String = steps.iter().map(|step| format!("  {step}\n")).collect();
    let said = label(verdict_word(verdict), lang);
    format!("{asserted}: {}\n{given}: {shown}\n{told}{judged}: {said}", words::assertion(assertion, lang))
}

fn verdict_word(verdict: AssertionVerdict) -> &'static str {
    match verdict {
        AssertionVerdict::Pass => "pass",
        AssertionVerdict::Fail => "fail",
        AssertionVerdict::Invalid => "invalid",
        AssertionVerdict::Missing => "missing",
        AssertionVerdict::None => "none",
    }
}

/// The assertion of the arguments, decoded as a pack's: the same words, the same refusals.
fn assertion(args: &cli::Judge, lang: Lang) -> Result<Assertion> {
    let mut fields = vec![field("matcher", Value::Text(args.matcher.clone()))];
    if let Some(expected) = &args.expected {
        let node = document::parse("--expected", expected.as_bytes(), lang).map_err(invalid)?;
        fields.push((key("expected"), node));
    }
    let texts = [("unit", &args.unit), ("aggregate", &args.aggregate)];
    fields.extend(texts.into_iter().filter_map(|(name, text)| Some(field(name, Value::Text(text.clone()?)))));
    if let Some(tolerance) = &args.tolerance {
        let node = document::parse("--tolerance", tolerance.as_bytes(), lang).map_err(invalid)?;
        fields.push((key("tolerance"), node));
    }
    if let Some(samples) = args.min_samples {
        fields.push(field("minSamples", Value::Number(samples.to_string())));
    }
    if args.not {
        fields.push(field("not", Value::Bool(true)));
    }
    let node = Node { at: Span::default(), value: Value::Map(fields) };
    let decoded = gate::decode::assertion(&node, Rules::Authoring, "command line", lang).into_result();
    // The arguments have no file to show; what is wrong with them is said in full by the message.
    decoded.map_err(|problems| {
        invalid(
            problems
                .into_iter()
                .map(|problem| gate::problem::Problem { file: None, at: None, ..problem })
                .collect(),
        )
    })
}

fn key(name: &str) -> Key {
    Key { at: Span::default(), name: name.to_owned() }
}

fn field(name: &str, value: Value) -> (Key, Node) {
    (key(name), Node { at: Span::default(), value })
}

fn invalid(problems: Vec<gate::problem::Problem>) -> Failure {
    Failure::Problems { ending: Ending::InvalidInput, problems }
}

/// None given is an absent value, several are samples.
fn actual(given: &[String]) -> Option<Actual> {
    let text = |text: &String| Scalar::Text(text.clone());
    match given {
        [] => None,
        [one] => Some(Actual::One(text(one))),
        many => Some(Actual::Many(many.iter().map(text).map(Some).collect())),
    }
}
