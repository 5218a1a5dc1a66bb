//! Packs: everything that decoding and review say of the corpus, whole, in both languages.

use std::collections::BTreeMap;

use gate::audit::SourceKind;
use gate::lang::Lang;
use gate::node::Node;
use gate::problem::Problem;
use gate::review::{Collector, Context, loopholes, review};

use super::{golden, read, repository};

/// What the packs of the corpus measure with, as tests/review.rs has it.
const COLLECTORS: [(&str, &str); 10] = [
    ("startup", "hitrace"),
    ("layout", "layout tree"),
    ("screen", "screenshot"),
    ("scroll", "hitrace"),
    ("memory", "memory service"),
    ("tests", "test runner"),
    ("package", "build"),
    ("syslog", "system log"),
    ("power", "power meter"),
    ("log", "in-app timer"),
];

fn corpus() -> BTreeMap<String, String> {
    let mut packs = BTreeMap::new();
    for folder in ["flawed", "sound"] {
        for entry in std::fs::read_dir(repository().join("tests/fixtures/review").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            packs.insert(name, read(path));
        }
    }
    packs
}

fn told(problems: &[Problem]) -> Vec<String> {
    let line = |problem: &Problem| {
        let criterion = problem.criterion.as_deref().unwrap_or("-");
        format!("  {} {criterion}: {} => {}", problem.code.name(), problem.message, problem.help)
    };
    problems.iter().map(line).collect()
}

fn of_pack(name: &str, text: &str, lang: Lang) -> Vec<String> {
    let json: serde_json::Value =
        serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let decoded = gate::decode::pack(&Node::from_json(&json), "pack.yaml", name, lang);
    let mut lines = vec![format!("{name} {lang:?}")];
    lines.extend(told(&decoded.problems));
    let Some(authored) = decoded.value else { return lines };
    let mut sources: BTreeMap<String, SourceKind> =
        COLLECTORS.iter().map(|(_, source)| ((*source).to_owned(), SourceKind::Independent)).collect();
    sources.insert("in-app timer".to_owned(), SourceKind::Auxiliary);
    let collector = |(name, source): &(&str, &str)| {
        let collector = Collector { source: (*source).to_owned(), is_copied: true, is_constant: false };
        ((*name).to_owned(), collector)
    };
    let collectors = COLLECTORS.iter().map(collector).collect();
    let context = Context { sources: &sources, collectors: &collectors, locations: &BTreeMap::new() };
    lines.extend(told(&review(&authored.pack, &context, lang)));
    // Both languages are made of the same parts, and the table is long.
    if lang == Lang::Zh {
        return lines;
    }
    for hole in loopholes(&authored.pack, &context, lang) {
        lines.push(format!("  {}", serde_json::to_string(&hole).unwrap()));
    }
    lines
}

#[test]
fn the_corpus_reviewed() {
    let corpus = corpus();
    let lines = corpus.iter().flat_map(|(name, text)| {
        [Lang::En, Lang::Zh].into_iter().flat_map(move |lang| of_pack(name, text, lang))
    });
    golden("review.txt", &lines.collect::<Vec<_>>());
}
