//! The review over a corpus of its own: packs with one planted flaw each, which has to be found, and sound ones, which
//! have to be left alone. `tests/fixtures/review/README.md` says how they are written.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::support::{Workspace, repository};

/// What the packs of the corpus measure beyond what the sample's pipeline declares.
const SOURCES: &str = "sources:
  screenshot: independent
  memory service: independent
  test runner: independent
  power meter: independent
  system log: independent
  build: independent
";
const COLLECTORS: &str = "collectors:
  screen: { copy: recorded/screen.png, output: screen.png, source: screenshot }
  scroll: { copy: recorded/scroll.ftrace, output: scroll.ftrace, source: hitrace }
  memory: { copy: recorded/memory.txt, output: memory.txt, source: memory service }
  tests: { copy: recorded/tests.xml, output: tests.xml, source: test runner }
  package: { copy: recorded/app.hap, output: app.hap, source: build }
  syslog: { copy: recorded/hilog.txt, output: hilog.txt, source: system log }
  log: { copy: recorded/log.json, output: log.json, source: in-app timer }
";

/// The packs of a folder of the corpus by name.
fn packs(folder: &str) -> BTreeMap<String, String> {
    let files = fs::read_dir(repository().join("tests/fixtures/review").join(folder)).unwrap();
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap().replace("\r\n", "\n"))
    };
    files.map(|entry| read(entry.unwrap().path())).collect()
}

fn workspace() -> Workspace {
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", "sources:\n", SOURCES);
    workspace.replace("pipeline.yaml", "collectors:\n", COLLECTORS);
    workspace
}

/// One finding: its code, and the criterion that it is about.
type Finding = (String, String);

/// What the review says of a pack. Its parameters are those of another matter: readers refuse them, not the review.
fn findings(workspace: &Workspace, name: &str, pack: &str) -> Vec<Finding> {
    workspace.write(&format!("features/{name}/pack.yaml"), pack);
    let output = workspace.xtask(&["check", name, "--json", "--quiet"]).command().output().unwrap();
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let finding = |problem: &Value| (text(&problem["code"]), text(&problem["criterion"]));
    let problems = printed["problems"].as_array().unwrap_or_else(|| panic!("{name}: {printed}"));
    problems.iter().map(finding).collect()
}

#[test]
fn every_planted_flaw_is_found_and_what_is_sound_is_left_alone() {
    let workspace = workspace();
    let (flawed, sound) = (packs("flawed"), packs("sound"));
    assert!(flawed.len() >= 60 && sound.len() >= 30, "{} and {}", flawed.len(), sound.len());

    let mut table: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let (mut missed, mut beside) = (Vec::new(), Vec::new());
    for (name, pack) in &flawed {
        let planted = planted(name, pack);
        let found = findings(&workspace, name, pack);
        let kind = name.split('-').next().unwrap_or(name);
        let line = table.entry(kind).or_default();
        line.0 += 1;
        match found.contains(&planted) {
            true => line.1 += 1,
            false => missed.push(format!("{name}: no {planted:?} in {found:?}")),
        }
        let others = found.iter().filter(|other| **other != planted && other.0.starts_with("E_"));
        beside.extend(others.map(|other| format!("{name}: {other:?}")));
    }
    let mut blocked = Vec::new();
    let mut warned = 0;
    for (name, pack) in &sound {
        let found = findings(&workspace, name, pack);
        blocked.extend(
            found.iter().filter(|(code, _)| code.starts_with("E_")).map(|f| format!("{name}: {f:?}")),
        );
        let warnings: Vec<&Finding> = found.iter().filter(|(code, _)| code.starts_with("W_")).collect();
        warned += warnings.len();
        for warning in warnings {
            println!("sound {name}: {warning:?}");
        }
    }

    println!("{:<16} {:>7} {:>6}", "flaw", "planted", "found");
    for (kind, (planted, found)) in &table {
        println!("{kind:<16} {planted:>7} {found:>6}");
    }
    println!("{:<16} {:>7} {:>6} blocking, {warned} warnings", "sound packs", sound.len(), blocked.len());
    assert!(missed.is_empty(), "not found:\n{}", missed.join("\n"));
    assert!(blocked.len() <= 3, "blocked without a reason:\n{}", blocked.join("\n"));
    assert!(beside.is_empty(), "blocked for more than what was planted:\n{}", beside.join("\n"));
}

/// The code and the criterion that the first line of a flawed pack names.
fn planted(name: &str, pack: &str) -> Finding {
    let line = pack.lines().next().and_then(|line| line.strip_prefix("# flaw: "));
    let (code, criterion) = line.and_then(|line| line.split_once(' ')).unwrap_or_else(|| panic!("{name}"));
    (code.to_owned(), criterion.to_owned())
}

/// A third of the flaws is planted in Chinese, and every kind of finding of the review is among them.
#[test]
fn the_corpus_is_in_both_languages() {
    let flawed = packs("flawed");
    let is_chinese = |pack: &&String| {
        let statements: String = pack.lines().filter(|line| line.contains("statement:")).collect();
        statements.chars().filter(|c| ('\u{4e00}'..='\u{9fff}').contains(c)).count() > 30
    };
    let chinese = flawed.values().filter(is_chinese).count();
    assert!(chinese * 3 >= flawed.len(), "{chinese} of {}", flawed.len());
    let codes: BTreeSet<String> = flawed.iter().map(|(name, pack)| planted(name, pack).0).collect();
    assert!(codes.len() >= 25, "{codes:?}");
}

/// A threshold ten times as high, a timer inside the app, and a part of a text that may be hidden.
#[test]
fn three_ways_to_weaken_the_sample_block_it_with_their_cures() {
    let workspace = Workspace::sample();
    let pack = "features/login-page/pack.yaml";
    workspace.replace(pack, "expected: 800, unit: ms", "expected: 8000, unit: ms");
    workspace.replace(
        pack,
        "{ matcher: gte, expected: 40, unit: vp, source: layout bounds }",
        "{ matcher: gte, expected: 40, unit: vp, source: in-app timer }",
    );
    workspace.replace(
        pack,
        "matcher: eq, expected: 请输入账号和密码",
        "matcher: contains, expected: 请输入账号和密码",
    );
    workspace.replace(pack, "id=login_error,visible=true", "id=login_error");
    workspace.xtask(&["deliver", "login-page"]).run().exits(4);
    let review = workspace.json("deliveries/login-page/review.json");
    let blocking: Vec<(&str, &str)> = review["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["severity"] == "error")
        .map(|finding| (finding["criterion"].as_str().unwrap(), finding["code"].as_str().unwrap()))
        .collect();
    let expected =
        [("F-02", "E_NODE_HIDDEN"), ("P-01", "E_STATEMENT_CONTRADICTS"), ("A-01", "E_SOURCE_AUXILIARY")];
    assert_eq!(blocking, expected);
    let text = workspace.read("deliveries/login-page/review.md");
    assert_eq!(review["findings"].as_array().unwrap().len(), 3, "{text}");
    assert_eq!(text.matches("- What to do: ").count(), 3, "{text}");
    assert!(text.contains("visible=true"), "{text}");
    assert!(!workspace.has("deliveries/login-page/round-1"), "somebody was dispatched");
}

/// What is held out is in neither column of the table that reviewers hand on.
#[test]
fn the_loophole_table_keeps_what_is_held_out() {
    let workspace = Workspace::sample();
    let pack = "features/login-page/pack.yaml";
    workspace.replace(pack, "    ruleId: DW-PERF-01\n", "    ruleId: DW-PERF-01\n    heldOut: true\n");
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    workspace.xtask(&["review", "login-page"]).run().exits(0);
    let text = workspace.read("deliveries/login-page/review.md");
    assert!(text.contains("| P-01 | held out | – | – |"), "{text}");
    assert!(!text.contains("800"), "{text}");
}

/// What asks for less than the pack frozen before is told where reviewers look, with the reason that was given.
#[test]
fn a_pack_that_asks_for_less_says_so() {
    let workspace = Workspace::sample();
    let pack = "features/login-page/pack.yaml";
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    workspace.replace(pack, "expected: 800", "expected: 900");
    workspace.replace(pack, "≤ 800ms", "≤ 900ms");
    workspace.xtask(&["freeze", "login-page", "--reason", "older devices"]).run().exits(0);
    workspace.xtask(&["review", "login-page"]).run().exits(0);
    let text = workspace.read("deliveries/login-page/review.md");
    assert!(text.contains("older devices") && text.contains("P-01: threshold weaker"), "{text}");
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
}
