//! Audits: everything that the gate says in the cases of its vectors.

use gate::audit::case;
use gate::lang::Lang;
use gate::node::Node;
use serde_json::Value;

use super::{golden, read, repository, told};

#[test]
fn the_cases_audited() {
    let vectors: Value = serde_json::from_str(&read(repository().join("tests/vectors/gate.json"))).unwrap();
    let mut lines = Vec::new();
    for case in vectors["cases"].as_array().unwrap() {
        for lang in [Lang::En, Lang::Zh] {
            let report = case::run(&Node::from_json(case), lang);
            lines.push(format!("{} {lang:?}", report.name));
            let Some(audit) = report.audit else {
                lines.push(format!("  not read: {:?}", report.reported));
                continue;
            };
            lines.extend(told(&audit.problems));
            if lang == Lang::En {
                lines.push(format!("  {}", serde_json::to_string(&audit).unwrap()));
            }
        }
    }
    golden("audits.txt", &lines);
}
