//! Rounds converge, or the run says that they do not.

use crate::support::{Workspace, copy_folder};

#[test]
fn no_round_is_begun_beyond_the_last() {
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", "  max: 3", "  max: 1");
    workspace.xtask(&["deliver", "login-page"]).run().exits(1).prints("no round is left");
    assert!(!workspace.has("deliveries/login-page/round-2"));
    // One more is allowed, and is begun where the last one ended.
    workspace.replace("pipeline.yaml", "  max: 1", "  max: 2");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0).prints("accepted in round 2");
}

/// An agent that changes nothing fails alike: a third round would be paid for nothing.
#[test]
fn the_same_failures_twice_end_the_delivery() {
    let workspace = Workspace::with_script("print('done')\n", "");
    workspace.replace("pipeline.yaml", "  max: 1", "  max: 5");
    let recorded = workspace.root().join("features/login-page/recorded");
    workspace.remove("features/login-page/recorded/round-2");
    copy_folder(&recorded.join("round-1"), &recorded.join("round-2"));
    let json = workspace.xtask(&["deliver", "login-page", "--json"]).run().exits(1).json();
    assert_eq!((json["outcome"].as_str(), json["round"].as_u64()), (Some("stagnated"), Some(2)));
    assert!(
        workspace.has("deliveries/login-page/rework-2.md") && !workspace.has("deliveries/login-page/round-3")
    );
    workspace
        .xtask(&["deliver", "login-page"])
        .run()
        .exits(1)
        .prints("round 2 failed like the one before (nothing to do)");
}

#[test]
fn a_pass_that_became_a_fail_is_named() {
    let workspace = Workspace::sample();
    let checks = "features/login-page/recorded/round-2/checks.lin.yaml";
    workspace.replace(checks, "criterionId: F-02\n    result: pass", "criterionId: F-02\n    result: fail");
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    let order = workspace.read("deliveries/login-page/rework-2.md");
    assert!(order.contains("[F-02](audit-2.md#criterion-F-02): pass → fail (**regressed**)"), "{order}");
    assert_eq!(order.matches("regressed").count(), 1, "{order}");
    // What failed before and passes now is on the same page.
    assert!(order.contains("[P-01](audit-2.md#criterion-P-01): fail → pass"), "{order}");
}

/// What was accepted stays so: whoever tries another round by name has it audited, and nothing else.
#[test]
fn a_round_after_the_accepted_one_takes_nothing_back() {
    let workspace = Workspace::with_script("print('done')\n", "");
    let recorded = workspace.root().join("features/login-page/recorded");
    copy_folder(&recorded.join("round-1"), &recorded.join("failed"));
    workspace.remove("features/login-page/recorded/round-1");
    copy_folder(&recorded.join("round-2"), &recorded.join("round-1"));
    workspace.remove("features/login-page/recorded/round-2");
    copy_folder(&recorded.join("failed"), &recorded.join("round-2"));
    workspace.xtask(&["deliver", "login-page"]).run().exits(0).prints("accepted in round 1");
    workspace.replace("pipeline.yaml", "  max: 1", "  max: 2");
    for (stage, exit) in [("brief", 0), ("dispatch", 0), ("evidence", 0), ("audit", 1), ("report", 1)] {
        workspace.xtask(&[stage, "login-page", "--round", "2"]).run().exits(exit);
    }
    workspace.xtask(&["deliver", "login-page"]).run().exits(0).prints("accepted in round 1");
    workspace.xtask(&["verify", "login-page"]).run().exits(0).prints("verdict pass");
}
