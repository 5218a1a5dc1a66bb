//! Conformance: cases by which this gate, or another, can be tested. `docs/conformance.md` describes the form.
//!
//! A file of vectors is a mapping with `about` and `cases`. A case with an `assertion` judges one value; a case with
//! `criteria` audits checks.

mod assertion_case;

use serde::Serialize;

use crate::audit::case as gate_case;
use crate::decode::{Fields, Findings};
use crate::lang::Lang;
use crate::node::{Node, Value};
use crate::problem::Problem;

/// What a file of vectors came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// How many cases were run.
    pub cases: usize,
    /// The cases in which this gate answers otherwise than the vectors say.
    pub mismatches: Vec<Mismatch>,
}

/// One case that disagrees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Mismatch {
    /// The case's name.
    pub case: String,
    /// What was found and what was expected, a sentence each.
    pub differences: Vec<String>,
}

/// Runs every case. A document that is no file of vectors is refused with its problems.
pub fn run(node: &Node, file: &str, lang: Lang) -> Result<Report, Vec<Problem>> {
    let mut findings = Findings::new(file, lang);
    let fields = Fields::open(node, ("a file of vectors", "用例文件"), &["about", "cases"], &mut findings);
    let cases = fields.and_then(|fields| {
        fields.required("cases", &mut findings)?;
        fields.list("cases", &mut findings)
    });
    let cases = findings.finish(cases).into_result()?;
    let mismatches = cases.iter().filter_map(|case| mismatch(case, lang)).collect();
    Ok(Report { cases: cases.len(), mismatches })
}

fn mismatch(case: &Node, lang: Lang) -> Option<Mismatch> {
    let is_assertion =
        matches!(&case.value, Value::Map(entries) if entries.iter().any(|(key, _)| key.name == "assertion"));
    let (case, differences) = if is_assertion {
        assertion_case::run(case, lang)
    } else {
        let report = gate_case::run(case, lang);
        (report.name, report.disagreements)
    };
    (!differences.is_empty()).then_some(Mismatch { case, differences })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::Key;
    use crate::problem::Span;

    fn node(value: Value) -> Node {
        Node { at: Span { line: 1, column: 1 }, value }
    }

    fn map(entries: Vec<(&str, Value)>) -> Value {
        let at = Span { line: 1, column: 1 };
        Value::Map(
            entries
                .into_iter()
                .map(|(name, value)| (Key { at, name: name.to_owned() }, node(value)))
                .collect(),
        )
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    fn file(verdict: &str) -> Node {
        let assertion = map(vec![
            ("matcher", text("lte")),
            ("expected", Value::Number("800".to_owned())),
            ("unit", text("ms")),
        ]);
        let case = map(vec![
            ("name", text("one")),
            ("assertion", assertion),
            ("actual", text("1.2s")),
            ("assertionVerdict", text(verdict)),
        ]);
        node(map(vec![("about", text("x")), ("cases", Value::List(vec![node(case)]))]))
    }

    #[test]
    fn a_case_that_agrees_is_silent_and_one_that_does_not_is_told() {
        let agrees = run(&file("fail"), "x.json", Lang::En).unwrap();
        assert_eq!((agrees.cases, agrees.mismatches), (1, vec![]));
        let differs = run(&file("pass"), "x.json", Lang::En).unwrap();
        assert_eq!(differs.mismatches[0].case, "one");
        assert!(differs.mismatches[0].differences[0].starts_with("expected pass, found fail"));
    }

    #[test]
    fn what_is_no_file_of_vectors_is_refused() {
        assert!(run(&node(Value::Null), "x.json", Lang::En).is_err());
        assert!(run(&node(map(vec![("cases", text("none"))])), "x.json", Lang::Zh).is_err());
    }
}
