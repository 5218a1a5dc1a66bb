//! A frozen pack does not change silently.

use crate::support::Workspace;

fn frozen() -> Workspace {
    let workspace = Workspace::sample();
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    workspace
}

/// The sample's limit on the cold start, loosened.
fn loosen(workspace: &Workspace) {
    workspace.replace("features/login-page/pack.yaml", "expected: 800", "expected: 900");
    workspace.replace("features/login-page/pack.yaml", "≤ 800ms", "≤ 900ms");
}

#[test]
fn the_digest_is_that_of_the_canonical_json() {
    let workspace = frozen();
    let lock = workspace.json("deliveries/login-page/pack.lock.json");
    let canonical = serde_json_canonicalizer::to_vec(&lock["pack"]).unwrap();
    assert_eq!(lock["packSha256"], gate::canonical::sha256_hex(&canonical).as_str());
}

#[test]
fn layout_and_comments_do_not_change_what_is_frozen() {
    let workspace = frozen();
    let before = workspace.json("deliveries/login-page/pack.lock.json");
    let pack = workspace.read("features/login-page/pack.yaml");
    workspace.write("features/login-page/pack.yaml", &format!("# one more comment\n{pack}"));
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    let after = workspace.json("deliveries/login-page/pack.lock.json");
    assert_eq!(before["packSha256"], after["packSha256"]);
    assert_eq!(after["history"], serde_json::json!([]));
}

#[test]
fn a_changed_pack_is_drift_everywhere() {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    loosen(&workspace);
    let before = workspace.tree("deliveries");
    for command in
        [&["freeze", "login-page"][..], &["deliver", "login-page"], &["audit", "login-page", "--round", "1"]]
    {
        let outcome = workspace.xtask(command).run().exits(6).says("E_PACK_DRIFT").says("P-01");
        assert!(outcome.stderr.contains("900"), "{}", outcome.stderr);
    }
    assert!(before == workspace.tree("deliveries"), "drift wrote something");
}

#[test]
fn freezing_again_takes_a_reason_that_stays_on_record() {
    let workspace = frozen();
    loosen(&workspace);
    workspace.xtask(&["freeze", "login-page", "--reason", "  "]).run().exits(6);
    workspace.xtask(&["freeze", "login-page", "--reason", "the old device | is slower"]).run().exits(0);
    let lock = workspace.json("deliveries/login-page/pack.lock.json");
    assert_eq!(lock["history"][0]["reason"], "the old device | is slower");
    assert_eq!(lock["history"][0]["loosened"][0]["criterion"], "P-01");
    assert_eq!(lock["history"][0]["to"], lock["packSha256"]);
    assert!(workspace.read("deliveries/login-page/spec.md").contains("the old device \\| is slower"));
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    assert_eq!(lock, workspace.json("deliveries/login-page/pack.lock.json"));
}

#[test]
fn a_lock_that_was_edited_is_refused() {
    let workspace = frozen();
    workspace.replace("deliveries/login-page/pack.lock.json", "\"expected\": 800", "\"expected\": 8000");
    workspace.xtask(&["review", "login-page"]).run().exits(6).says("E_ARTIFACT_BROKEN");
}

/// A new pack begins new rounds after the old ones, on top of what they delivered.
#[test]
fn a_new_pack_begins_new_rounds() {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let delivered = workspace.json("deliveries/login-page/round-2/dispatch.json")["head"].clone();
    loosen(&workspace);
    workspace.xtask(&["freeze", "login-page", "--reason", "reviewed"]).run().exits(0);
    for kind in ["layout.json", "display.txt", "startup.ftrace", "checks.lin.yaml"] {
        let from = format!("features/login-page/recorded/round-2/{kind}");
        workspace.write(&format!("features/login-page/recorded/round-3/{kind}"), &workspace.read(&from));
    }
    workspace.write(
        "features/login-page/recorded/round-3.patch",
        "Date: Fri, 9 Jan 2026 10:00:00 +0800\n\ndiff --git a/NOTES b/NOTES\nnew file mode 100644\n--- /dev/null\n+++ b/NOTES\n@@ -0,0 +1 @@\n+one more\n",
    );
    // The same files as in round 2 are no evidence of round 3, until somebody says that they do not change.
    workspace
        .xtask(&["deliver", "login-page"])
        .run()
        .exits(7)
        .says("E_EVIDENCE_REPEATED")
        .says("layout.json");
    for (output, source) in [("layout.json", "layout bounds"), ("startup.ftrace", "hitrace")] {
        let lines = format!("    output: {output}\n    source: {source}\n");
        workspace.replace("pipeline.yaml", &lines, &format!("{lines}    constant: true\n"));
    }
    workspace.xtask(&["deliver", "login-page"]).run().exits(0).prints("accepted in round 3");
    workspace.xtask(&["verify", "login-page"]).run().exits(0);
    assert_eq!(workspace.json("deliveries/login-page/round-3/dispatch.json")["base"], delivered);
    assert!(workspace.has("deliveries/login-page/audit-2.json"));
    let report = workspace.json("deliveries/login-page/acceptance.json");
    assert_eq!(report["rounds"].as_array().unwrap().len(), 1);
    assert_eq!(report["history"][0]["reason"], "reviewed");
}

#[test]
fn a_delivery_that_may_freeze_nothing_takes_only_what_a_person_froze() {
    let workspace = Workspace::sample();
    let frozen = |more: &[&'static str]| {
        let arguments: Vec<&str> =
            ["deliver", "login-page", "--frozen"].iter().chain(more).copied().collect();
        workspace.xtask(&arguments).run()
    };
    for more in [&[][..], &["--dry-run"]] {
        let refused = frozen(more).exits(3);
        assert!(format!("{}{}", refused.stdout, refused.stderr).contains("E_NOT_FROZEN"));
    }
    assert!(!workspace.has("deliveries/login-page/pack.lock.json"));
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    let pack = workspace.read("features/login-page/pack.yaml");
    workspace.replace("features/login-page/pack.yaml", "expected: 800", "expected: 8000");
    for more in [&[][..], &["--dry-run"]] {
        let refused = frozen(more).exits(6);
        assert!(format!("{}{}", refused.stdout, refused.stderr).contains("E_PACK_DRIFT"));
    }
    workspace.write("features/login-page/pack.yaml", &pack);
    frozen(&[]).exits(0);
}

/// Whoever removes the lock before the first round freezes another pack no more quietly than with it.
#[test]
fn a_lock_that_is_gone_is_remembered_by_the_ledger() {
    let lock = "deliveries/login-page/pack.lock.json";
    for is_reviewed in [false, true] {
        let workspace = frozen();
        if is_reviewed {
            workspace.xtask(&["review", "login-page"]).run().exits(0);
        }
        let sound = workspace.read(lock);
        workspace.remove(lock);
        workspace.xtask(&["freeze", "login-page"]).run().exits(0);
        assert_eq!(workspace.read(lock), sound);
        workspace.remove(lock);
        loosen(&workspace);
        workspace.xtask(&["freeze", "login-page"]).run().exits(6).says("E_PACK_DRIFT");
        let reasoned = workspace.xtask(&["freeze", "login-page", "--reason", "older devices"]).run();
        if is_reviewed {
            reasoned.exits(0);
            assert_eq!(workspace.json(lock)["history"][0]["reason"], "older devices");
        } else {
            reasoned.exits(6).says("restore");
        }
    }
}
