//! Stages alone, in the order in which they need each other, and what deliver runs again.

use crate::support::Workspace;

#[test]
fn every_stage_runs_alone() {
    let workspace = Workspace::sample();
    for (stage, written) in [
        ("freeze", "pack.lock.json"),
        ("review", "review.md"),
        ("brief", "round-1/brief.md"),
        ("dispatch", "round-1/dispatch.json"),
        ("evidence", "round-1/evidence.json"),
    ] {
        let path = format!("deliveries/login-page/{written}");
        assert!(!workspace.has(&path), "{stage}");
        workspace.xtask(&[stage, "login-page"]).run().exits(0).prints(&path);
        assert!(workspace.has(&path), "{stage}");
    }
    workspace.xtask(&["audit", "login-page"]).run().exits(1).prints("audit-1.json");
    workspace.xtask(&["report", "login-page"]).run().exits(1).prints("rework-1.md");
    workspace.xtask(&["brief", "login-page"]).run().exits(0).prints("round-2/brief.md");

    let by_hand = workspace.tree("deliveries/login-page/round-1");
    let delivered = Workspace::sample();
    delivered.xtask(&["deliver", "login-page"]).run().exits(0);
    assert!(by_hand == delivered.tree("deliveries/login-page/round-1"));
}

#[test]
fn a_stage_names_the_one_that_has_to_come_first() {
    let workspace = Workspace::sample();
    for (stage, code, first) in [
        ("review", "E_NOT_FROZEN", "cargo xtask freeze login-page"),
        ("dispatch", "E_NOT_FROZEN", "cargo xtask freeze login-page"),
    ] {
        workspace.xtask(&[stage, "login-page"]).run().exits(3).says(code).says(first);
    }
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    workspace
        .xtask(&["audit", "login-page"])
        .run()
        .exits(3)
        .says("E_ARTIFACT_MISSING")
        .says("cargo xtask dispatch");
}

/// Runs deliver again after a change, and answers which stages it ran.
fn ran(workspace: &Workspace) -> Vec<String> {
    let outcome = workspace.xtask(&["deliver", "login-page"]).run();
    let lines = outcome.stderr.lines().filter_map(|line| line.strip_prefix("login-page  "));
    lines.map(|line| line.split_whitespace().next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn only_what_depends_on_a_change_runs_again() {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    assert_eq!(ran(&workspace), [""; 0]);

    workspace.replace("templates/en/audit.md.tera", "## Evidence", "## All evidence");
    assert_eq!(ran(&workspace), ["audit", "audit"]);

    workspace.replace(
        "features/login-page/pack.yaml",
        "# The acceptance pack",
        "# This is the acceptance pack",
    );
    // The review tells where in the pack's text a finding is.
    assert_eq!(ran(&workspace), ["freeze", "review"]);
}

#[test]
fn evidence_that_changed_is_found_and_never_gathered_again() {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    workspace.replace("deliveries/login-page/round-2/evidence/display.txt", "3.5", "3.6");
    let stages = ran(&workspace);
    assert!(!stages.iter().any(|stage| stage == "evidence"), "{stages:?}");
    let audit = workspace.json("deliveries/login-page/audit-2.json");
    assert_eq!(audit["verdict"], "fail");
    assert!(!workspace.has("deliveries/login-page/acceptance.md"));
    assert!(workspace.read("deliveries/login-page/rework-2.md").contains("E_EVIDENCE_CHANGED"));
}

#[test]
fn a_review_that_blocks_stops_before_anyone_works() {
    let workspace = Workspace::sample();
    workspace.replace(
        "features/login-page/pack.yaml",
        "expected: 800, unit: ms, source: hitrace",
        "expected: 800, unit: ms, source: in-app timer",
    );
    workspace.xtask(&["deliver", "login-page"]).run().exits(4).says("E_SOURCE_AUXILIARY").says("P-01");
    assert!(workspace.has("deliveries/login-page/review.md"));
    assert!(!workspace.has("deliveries/login-page/round-1"));
    workspace.xtask(&["deliver", "login-page"]).run().exits(4);
}

#[test]
fn a_round_that_only_people_can_judge_waits_for_them() {
    let workspace = Workspace::sample();
    workspace.remove("features/login-page/recorded/round-1/checks.lin.yaml");
    workspace.xtask(&["deliver", "login-page"]).run().exits(5).says("E_CHECKS_WAITING").says("--form");
    assert!(!workspace.has("deliveries/login-page/round-1/instant.json"));
    let form = workspace.xtask(&["audit", "login-page", "--form"]).run().exits(0).stdout;
    let filled = form.replace("result:", "result: pass").replace("evidence:", "evidence: seen on a device");
    workspace.write("deliveries/login-page/round-1/checks.yaml", &filled);
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
}

#[test]
fn two_runs_of_one_feature_do_not_meet() {
    let workspace = Workspace::sample();
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    let lock = std::fs::File::open(workspace.root().join(".xtask/locks/login-page.lock")).unwrap();
    lock.lock().unwrap();
    workspace.xtask(&["deliver", "login-page"]).run().exits(7).says("E_BUSY").says("freeze login-page");
    drop(lock);
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
}

#[test]
fn status_tells_and_changes_nothing() {
    let workspace = Workspace::sample();
    let standing = |state: &str| {
        let before = workspace.tree(".");
        workspace.xtask(&["status"]).run().exits(0).prints(state);
        assert!(before == workspace.tree("."), "status wrote something");
    };
    standing("authored");
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    standing("frozen");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    standing("accepted, round 2");
}

#[test]
fn a_starter_pack_has_no_errors_in_either_language() {
    let workspace = Workspace::sample();
    for lang in ["en", "zh"] {
        let feature = format!("my-feature-{lang}");
        workspace.xtask(&["new", &feature, "--lang", lang]).run().exits(0);
        workspace.xtask(&["check", &feature]).run().exits(0);
        workspace.xtask(&["new", &feature]).run().exits(3).says("E_FEATURE_EXISTS");
    }
}

#[test]
fn a_command_works_from_any_folder_below_the_root() {
    let workspace = Workspace::sample();
    workspace.xtask(&["status"]).folder("features/login-page/recorded").run().exits(0).prints("login-page");
}
