//! The gate against its vectors.

use super::case;
use crate::lang::Lang;
use crate::node::Node;

fn vectors(path: &str) -> Option<Vec<Node>> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    #[expect(clippy::disallowed_methods, reason = "a test reads its vectors")]
    let text = std::fs::read_to_string(&path).ok()?;
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    Some(document["cases"].as_array().unwrap().iter().map(Node::from_json).collect())
}

fn run_all(cases: &[Node]) {
    for lang in [Lang::En, Lang::Zh] {
        let reports: Vec<_> = cases.iter().map(|node| case::run(node, lang)).collect();
        let failed: Vec<String> = reports
            .iter()
            .filter(|report| !report.disagreements.is_empty())
            .map(|report| format!("{}: {}", report.name, report.disagreements.join("; ")))
            .collect();
        assert!(failed.is_empty(), "{} of {} disagree:\n{}", failed.len(), cases.len(), failed.join("\n"));
    }
}

#[test]
fn shared_vectors() {
    match vectors("../../../shared/vectors/gate.json") {
        Some(cases) => run_all(&cases),
        None => eprintln!("shared/vectors/gate.json is absent: its cases were NOT run"),
    }
}

#[test]
fn own_vectors() {
    run_all(&vectors("../../tests/vectors/gate.json").unwrap());
}
