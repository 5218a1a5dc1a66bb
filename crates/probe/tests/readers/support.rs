//! A case is a line: a reader, a file, parameters as JSON, and what the answer should look like.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gate::lang::Lang;
use gate::observation::{Answer, Reading};
use gate::pack::Scalar;
use probe::Input;

/// One expectation.
pub struct Case {
    pub reader: &'static str,
    pub file: &'static str,
    pub with: &'static str,
    /// See [`show`]; a trailing `…` compares the beginning only.
    pub expected: &'static str,
}

pub fn params(with: &str) -> BTreeMap<String, Scalar> {
    serde_json::from_str(with).unwrap_or_else(|error| panic!("{with}: {error}"))
}

/// The values joined by commas, or the kind of answer with its reason.
pub fn show(answer: &Answer) -> String {
    let value = |reading: &Reading| match &reading.actual {
        Scalar::Text(text) if text.is_empty() => "(empty)".to_owned(),
        Scalar::Text(text) => text.clone(),
        Scalar::Bool(value) => value.to_string(),
        Scalar::Number(text) => format!("number {text}"),
    };
    match answer {
        Answer::Values { values } => values.iter().map(value).collect::<Vec<_>>().join(", "),
        Answer::Nothing { reason } => format!("nothing: {reason}"),
        Answer::Missing { reason } => format!("missing: {reason}"),
        Answer::Unreadable { reason } => format!("unreadable: {reason}"),
    }
}

/// Asks the question; the companions are files beside the fixture, named by the parameters themselves.
pub fn ask(root: &Path, case: &Case, lang: Lang) -> String {
    let with = params(case.with);
    let bytes = read(&root.join(case.file));
    let companions: Vec<(&str, Vec<u8>)> = probe::companions(case.reader, &with)
        .into_iter()
        .map(|(param, name)| (param, read(&root.join(name))))
        .collect();
    let mut body = &bytes[..];
    let mut input = Input::new(&mut body);
    for (param, bytes) in &companions {
        input = input.with_companion(param, bytes);
    }
    match probe::read(case.reader, input, &with, lang) {
        Ok(answer) => show(&answer),
        Err(errors) => errors.iter().map(|error| error.explain(lang)).collect::<Vec<_>>().join("; "),
    }
}

pub fn check(root: &Path, cases: &[Case]) {
    let mut wrong = Vec::new();
    for case in cases {
        let actual = ask(root, case, Lang::En);
        let holds = match case.expected.strip_suffix('…') {
            Some(beginning) => actual.starts_with(beginning),
            None => actual == case.expected,
        };
        if !holds {
            let Case { reader, file, with, expected } = case;
            wrong.push(format!("{reader} {file} {with}\n  expected {expected}\n  actual   {actual}"));
        }
        assert!(!ask(root, case, Lang::Zh).is_empty());
    }
    assert!(wrong.is_empty(), "{} of {} cases differ\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

pub fn read(path: &Path) -> Vec<u8> {
    #[expect(clippy::disallowed_methods, reason = "a test reads its fixtures")]
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Our own files.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/probe")
}
