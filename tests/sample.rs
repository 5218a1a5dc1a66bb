//! The sample, from its pack to its acceptance report, against the golden tree that the README links.

use std::fs;

use crate::support::{Workspace, copy_folder, repository, tree};

/// The round before has to fail for the reasons that the sample tells of, the round after has to pass.
#[test]
fn the_sample_is_accepted_through_one_rework() {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0).prints("accepted in round 2");

    let first = workspace.json("deliveries/login-page/audit-1.json");
    assert_eq!(first["verdict"], "fail");
    assert_eq!(outcome(&first, "P-01"), "fail");
    assert_eq!(outcome(&first, "A-01"), "fail");
    let rework = workspace.read("deliveries/login-page/rework-1.md");
    for named in ["P-01", "E_VERDICT_CONTRADICTS", "1.2s", "A-01", "16.29vp"] {
        assert!(rework.contains(named), "no {named} in:\n{rework}");
    }
    assert_eq!(workspace.json("deliveries/login-page/audit-2.json")["verdict"], "pass");
    assert!(workspace.read("deliveries/login-page/acceptance.md").contains("This delivery was replayed."));
    golden(&workspace, "login-page");
}

fn outcome(audit: &serde_json::Value, id: &str) -> String {
    let criteria = audit["criteria"].as_array().unwrap();
    let found = criteria.iter().find(|criterion| criterion["id"] == id).unwrap();
    found["outcome"].as_str().unwrap().to_owned()
}

/// Compares a delivery with its golden tree, or writes the tree where `UPDATE_GOLDEN` is set.
fn golden(workspace: &Workspace, name: &str) {
    let golden = repository().join("tests/snapshots").join(name);
    let actual = workspace.tree("deliveries/login-page");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let _ = fs::remove_dir_all(&golden);
        for (path, bytes) in &actual {
            let target = golden.join(path);
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::write(target, bytes).unwrap();
        }
        return;
    }
    let expected = tree(&golden);
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(
        names(&actual),
        names(&expected),
        "UPDATE_GOLDEN=1 cargo test --workspace writes the tree anew"
    );
    for ((path, actual), (_, expected)) in actual.iter().zip(&expected) {
        let (actual, expected) = (String::from_utf8_lossy(actual), String::from_utf8_lossy(expected));
        assert_eq!(actual, expected, "{path}; UPDATE_GOLDEN=1 cargo test --workspace writes the tree anew");
    }
}

#[test]
fn the_sample_in_chinese() {
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", "lang: en", "lang: zh");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0).prints("第 2 轮已验收");
    golden(&workspace, "login-page-zh");
}

/// A repository that has no templates uses those that the program carries; a copy of them changes nothing.
#[test]
fn templates_are_carried_by_the_program() {
    let workspace = Workspace::sample();
    workspace.remove("templates");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    golden(&workspace, "login-page");
    copy_folder(&repository().join("templates"), &workspace.root().join("templates"));
    let again = workspace.xtask(&["deliver", "login-page", "--json"]).run().exits(0).json();
    assert_eq!(again["stagesRun"], 0);
}

#[test]
fn delivering_again_does_nothing() {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let before = workspace.tree("deliveries");
    let again = workspace.xtask(&["deliver", "login-page", "--json"]).run().exits(0).json();
    assert_eq!(again["stagesRun"], 0);
    assert_eq!(again["outcome"], "accepted");
    assert!(before == workspace.tree("deliveries"));
}

#[test]
fn a_removed_audit_comes_back_with_the_same_bytes() {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let before = workspace.tree("deliveries");
    for removed in [&["audit-1.md"][..], &["audit-1.md", "audit-1.json"], &["audit-2.json", "acceptance.md"]]
    {
        for name in removed {
            workspace.remove(&format!("deliveries/login-page/{name}"));
        }
        // The clock has moved on; the instant of the audit has not.
        let later = "1790000000";
        for round in ["1", "2"] {
            let ending = if round == "1" { 1 } else { 0 };
            let call = workspace.xtask(&["audit", "login-page", "--round", round]);
            call.env("SOURCE_DATE_EPOCH", later).run().exits(ending);
        }
        workspace.xtask(&["deliver", "login-page"]).env("SOURCE_DATE_EPOCH", later).run().exits(0);
        assert!(before == workspace.tree("deliveries"), "after removing {removed:?}");
    }
}

#[test]
fn without_the_recorded_second_round_a_rework_order_is_the_answer() {
    let workspace = Workspace::sample();
    workspace.remove("features/login-page/recorded/round-2.patch");
    workspace.xtask(&["deliver", "login-page"]).run().exits(1).prints("rework-1.md");
    assert!(!workspace.has("deliveries/login-page/acceptance.md"));
    assert!(!workspace.has("deliveries/login-page/round-2"));
}

#[test]
fn every_criterion_can_be_found_in_the_audit() {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let markdown = workspace.read("deliveries/login-page/audit-1.md");
    let audit = workspace.json("deliveries/login-page/audit-1.json");
    for criterion in audit["criteria"].as_array().unwrap() {
        let id = criterion["id"].as_str().unwrap();
        let row =
            markdown.lines().find(|line| line.starts_with(&format!("| [{id}](#criterion-{id}) |"))).unwrap();
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        assert_eq!(cells.len(), 6, "{row}");
        let asserted = criterion.get("assertion").is_some();
        assert_eq!(cells[2] != "–", asserted, "{row}");
        assert_eq!(cells[3] != "–", asserted, "{row}");
        assert_eq!(cells[4], criterion["assertionVerdict"], "{row}");
        assert_eq!(cells[5].trim_matches('*'), criterion["outcome"].as_str().unwrap(), "{row}");
    }
    for check in audit["checks"].as_array().unwrap() {
        assert!(check["assertionVerdict"].is_string(), "{check}");
    }
}

/// The delivered commits are the same on every machine, and the user's own checkout is left alone.
#[test]
fn the_app_is_worked_on_in_a_branch_of_its_own() {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let app = ".xtask/apps/examples-login-app";
    let head = workspace.git(app, &["rev-parse", "delivery/login-page"]);
    assert_eq!(workspace.json("deliveries/login-page/round-2/dispatch.json")["head"], head.as_str());
    assert_eq!(workspace.git(app, &["rev-parse", "--abbrev-ref", "HEAD"]), "main");
    assert_eq!(workspace.git(app, &["status", "--porcelain"]), "");
    assert_eq!(workspace.git(app, &["rev-list", "--count", "main..delivery/login-page"]), "2");
    let message =
        workspace.git(app, &["log", "-1", "--format=%an|%(trailers:key=Delivery-Round,valueonly)", &head]);
    assert_eq!(message.trim(), "Delivery Pipeline|2");
}
