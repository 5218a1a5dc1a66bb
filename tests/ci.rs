//! The workflows of servers: valid by the servers' own schemas, and their steps do what they say.

use std::process::Command;

use serde_json::Value;

use crate::support::{Formats, Workspace};

const GITHUB: &str = ".github/workflows/delivery.yml";

fn yaml(text: &str) -> Value {
    serde_yaml::from_str(text).unwrap()
}

/// The sample, with a pipeline whose app is the repository itself and that names a secret.
fn own_app() -> Workspace {
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", "  seed: examples/login-app", "  repository: .");
    workspace.replace("pipeline.yaml", "stages:\n", "secrets: [SIGNING_PASSWORD]\n\nstages:\n");
    workspace
}

#[test]
fn what_servers_are_told_is_valid() {
    let Some(formats) = Formats::installed() else { return };
    for workspace in [Workspace::sample(), own_app()] {
        for (server, schema, path) in
            [("github", "vendor.github-workflows", GITHUB), ("gitlab", "vendor.gitlab-ci", ".gitlab-ci.yml")]
        {
            workspace.xtask(&["ci", server, "--write"]).run().exits(0).prints(path);
            formats.accepts_vendor(schema, &workspace.root().join(path));
        }
        for copies in 0..2 {
            let child = workspace.xtask(&["list", "--format", "gitlab-pipeline"]).run().exits(0).stdout;
            workspace.write("child.yml", &child);
            formats.accepts_vendor("vendor.gitlab-ci", &workspace.root().join("child.yml"));
            if copies == 0 {
                workspace.remove("features/login-page");
            }
        }
    }
}

#[test]
fn a_workflow_is_shown_before_it_is_written_and_never_overwritten() {
    let workspace = own_app();
    workspace.xtask(&["ci", "github"]).run().exits(0).prints("+++ b/.github/workflows/delivery.yml");
    assert!(!workspace.has(GITHUB));
    workspace.xtask(&["ci", "github", "--write"]).run().exits(0);
    let text = workspace.read(GITHUB);
    for part in [
        "SIGNING_PASSWORD: ${{ secrets.SIGNING_PASSWORD }}",
        "git branch \"$BASE\" \"origin/$BASE\"",
        "BASE: \"main\"",
        "branches: [\"main\"]",
    ] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    workspace.xtask(&["ci", "github", "--write"]).run().exits(0).prints("is there");
    workspace.write(GITHUB, "name: mine\n");
    workspace.xtask(&["ci", "github", "--write"]).run().exits(1).prints("holds something else");
    assert_eq!(workspace.read(GITHUB), "name: mine\n");
    assert!(!workspace.has(".gitlab-ci.yml"));
}

/// A branch may be named so that a shell would run it.
#[test]
fn a_name_that_a_shell_would_read_is_refused() {
    for base in ["$(touch${IFS}pwned)", "a;b", "a b", "-x", "a\\\"b"] {
        let workspace = own_app();
        workspace.replace("pipeline.yaml", "  base: main", &format!("  base: \"{base}\""));
        for command in
            [&["ci", "github"][..], &["ci", "gitlab"][..], &["list", "--format", "gitlab-pipeline"][..]]
        {
            workspace.xtask(command).run().exits(3).says("cannot stand in a workflow");
        }
    }
    let workspace = Workspace::sample();
    workspace
        .xtask(&["ci", "github", "--source", "x $(id)"])
        .run()
        .exits(3)
        .says("cannot stand in a workflow");
}

#[test]
fn the_last_step_of_every_delivery_verifies_it() {
    let workspace = Workspace::sample();
    workspace.xtask(&["ci", "github", "--write"]).run().exits(0);
    let steps = yaml(&workspace.read(GITHUB))["jobs"]["deliver"]["steps"].clone();
    let last = steps.as_array().unwrap().last().unwrap();
    assert_eq!(last["run"], ".xtask/tools/bin/xtask verify \"$FEATURE\"");
    assert!(last["if"].is_null(), "{last}");
    let child = workspace.xtask(&["list", "--format", "gitlab-pipeline"]).run().exits(0).stdout;
    let script = yaml(&child)[".deliver"]["script"].clone();
    assert_eq!(script.as_array().unwrap().last().unwrap(), ".xtask/tools/bin/xtask verify \"$FEATURE\"");
}

#[test]
fn the_source_of_the_pipeline_is_the_one_that_is_there() {
    let workspace = Workspace::sample();
    let missing = workspace.xtask(&["ci", "github"]).run().exits(0).prints("which is not here").stdout;
    assert!(missing.contains("SOURCE: \"tools/delivery-gate/xtask\""), "{missing}");
    workspace.write("xtask/Cargo.toml", "");
    let here = workspace.xtask(&["ci", "github"]).run().exits(0).stdout;
    assert!(here.contains("SOURCE: \"xtask\"") && !here.contains("which is not here"), "{here}");
    let named = workspace.xtask(&["ci", "gitlab", "--source", "vendor/gate"]).run().exits(0).stdout;
    assert!(named.contains("SOURCE: \"vendor/gate\""), "{named}");
}

#[test]
fn features_are_listed_for_those_who_ask() {
    let workspace = Workspace::sample();
    workspace.copy_feature("second-page");
    let list = |format: &str| workspace.xtask(&["list", "--format", format]).run().exits(0).stdout;
    assert_eq!(list("text"), "login-page\nsecond-page\n");
    assert_eq!(yaml(&list("json"))["features"][1], "second-page");
    assert_eq!(list("github-matrix"), "{\"feature\":[\"login-page\",\"second-page\"]}\n");
    assert_eq!(yaml(&list("gitlab-pipeline"))["deliver second-page"]["variables"]["FEATURE"], "second-page");
    for name in ["login-page", "second-page"] {
        workspace.remove(&format!("features/{name}"));
    }
    assert_eq!(list("text"), "");
    assert_eq!(list("github-matrix"), "{\"feature\":[]}\n");
    for number in 0..257 {
        workspace.write(&format!("features/f-{number}/pack.yaml"), "");
    }
    workspace.xtask(&["list", "--format", "github-matrix"]).run().exits(3).says("E_LIMIT_COUNT");
}

/// The steps of the workflow, run as a server runs them, with the built program where they look for it.
#[cfg(unix)]
#[test]
fn the_steps_of_the_workflow_deliver_and_show_the_report() {
    let workspace = Workspace::sample();
    workspace.xtask(&["ci", "github", "--write"]).run().exits(0);
    workspace.write(".xtask/tools/bin/none", "");
    let program = workspace.root().join(".xtask/tools/bin/xtask");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_xtask"), program).unwrap();
    let workflow = yaml(&workspace.read(GITHUB));
    let step = |job: &str, name: &str| -> (Option<i32>, String) {
        let steps = workflow["jobs"][job]["steps"].as_array().unwrap();
        let script = steps.iter().find(|step| step["name"] == name).unwrap()["run"].as_str().unwrap();
        let output = Command::new("bash")
            .args(["-e", "-o", "pipefail", "-c", script])
            .current_dir(workspace.root())
            .env("FEATURE", "login-page")
            .env("GITHUB_OUTPUT", workspace.root().join("output"))
            .env("GITHUB_STEP_SUMMARY", workspace.root().join("summary.md"))
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(step("packs", "Check the packs").0, Some(0));
    assert_eq!(step("packs", "List the features").0, Some(0));
    assert_eq!(workspace.read("output"), "matrix={\"feature\":[\"login-page\"]}\n");
    assert_eq!(step("deliver", "Deliver").0, Some(0));
    let (_, shown) = step("deliver", "Show the report");
    assert!(shown.contains("::notice ") && workspace.read("summary.md").contains("✅"), "{shown}");

    assert_eq!(step("deliver", "Verify").0, Some(0));
    // A record that does not follow from its evidence is taken up by a delivery, and found by the last step.
    let audit = workspace.read("deliveries/login-page/audit-1.json");
    workspace.write("deliveries/login-page/audit-1.json", &format!("{audit} "));
    assert_ne!(step("deliver", "Verify").0, Some(0));

    workspace.remove("deliveries");
    workspace.replace("features/login-page/pack.yaml", "    weight: must\n", "    weight: mist\n");
    assert_eq!(step("packs", "Check the packs").0, Some(3));
    workspace.replace("features/login-page/pack.yaml", "    weight: mist\n", "    weight: must\n");
    workspace.remove("features/login-page/recorded/round-2.patch");
    assert_eq!(step("deliver", "Deliver").0, Some(1));
    let (_, shown) = step("deliver", "Show the report");
    assert!(shown.starts_with("::error "), "{shown}");
}
