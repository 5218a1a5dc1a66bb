//! Bad input ends in a coded message with its place and its cure, with the exit code of its kind, and leaves nothing
//! half-written.

use crate::support::{Outcome, Workspace};

/// Runs `deliver` on a workspace that somebody broke: nothing may have been written.
fn refused(workspace: &Workspace, code: i32) -> Outcome {
    let outcome = workspace.xtask(&["deliver", "login-page", "--quiet"]).run().exits(code);
    assert!(!workspace.has("deliveries"), "something was written");
    outcome
}

/// A sample whose pack is this text.
fn with_pack(text: &str) -> Workspace {
    let workspace = Workspace::sample();
    workspace.write("features/login-page/pack.yaml", text);
    workspace
}

#[test]
fn a_feature_that_is_not_there() {
    let workspace = Workspace::sample();
    let outcome = workspace.xtask(&["deliver", "login-pag"]).run().exits(3);
    insta::assert_snapshot!(outcome.message());
    workspace.xtask(&["deliver", "../login-page"]).run().exits(3).says("E_FEATURE_NAME");
}

#[test]
fn a_folder_without_a_pack() {
    let workspace = Workspace::sample();
    workspace.remove("features/login-page/pack.yaml");
    insta::assert_snapshot!(refused(&workspace, 3).message());
}

#[test]
fn two_packs() {
    let workspace = Workspace::sample();
    workspace.write("features/login-page/pack.json", "{}");
    refused(&workspace, 3).says("E_PACK_AMBIGUOUS");
}

#[test]
fn an_empty_pack() {
    for text in ["", "# nothing\n", "feature: login-page\ncriteria: []\n"] {
        let outcome = refused(&with_pack(text), 3);
        assert!(outcome.stderr.contains("error[E_"), "{text:?}: {}", outcome.stderr);
    }
}

#[test]
fn a_pack_that_is_no_yaml() {
    insta::assert_snapshot!(refused(&with_pack("feature: login-page\ncriteria: [\n"), 3).message());
}

/// Nine faults, nine findings, each at its place.
const NINE_FAULTS: &str = "\
feature: login-page
criteria:
  - id: F-01
    dimension: functional
    statement: The page opens
    verify: open it
    weight: must
  - id: F-02
    dimension: function
    statement: The page closes
    weight: must
  - id: F-02
    dimension: function
    statement: A second one
    verify: look
    weight: should
    wieght: must
  - id: P-01
    dimension: performance
    statement: Fast enough
    verify: look
    weight: must
    assertion: { matcher: lessish, expected: 800, unit: ms, source: hitrace }
  - id: P-02
    dimension: performance
    statement: Cold start takes at most 800ms
    verify: look
    weight: must
  - id: P-03
    dimension: performance
    statement: Within a range
    verify: look
    weight: must
    assertion: { matcher: between, expected: [16, 12], unit: fp, source: layout bounds }
  - id: P-04
    dimension: performance
    statement: Exact
    verify: look
    weight: must
    assertion: { matcher: lte, expected: 0.3000000000000000001, unit: ms, source: hitrace }
  - dimension: function
    statement: Without an id
    verify: 12
    weight: must
";

#[test]
fn nine_faults_give_nine_findings() {
    let outcome = with_pack(NINE_FAULTS);
    let outcome = outcome.xtask(&["check", "login-page"]).run().exits(3);
    insta::assert_snapshot!(outcome.message());
}

#[test]
fn the_same_faults_in_json_and_in_chinese() {
    let workspace = Workspace::sample();
    workspace.remove("features/login-page/pack.yaml");
    workspace.replace("pipeline.yaml", "lang: en", "lang: zh");
    let pack = r#"{
  "feature": "login-page",
  "criteria": [
    { "id": "P-01", "dimension": "performance", "statement": "冷启动 ≤ 800ms", "verify": "看", "weight": "must",
      "assertion": { "matcher": "lte", "expected": 800, "unit": "ms", "sorce": "hitrace" } },
    { "id": "P-01", "dimension": "speed", "statement": "快", "verify": "看", "weight": "must" }
  ]
}
"#;
    workspace.write("features/login-page/pack.json", pack);
    insta::assert_snapshot!(workspace.xtask(&["check", "login-page"]).run().exits(3).message());
}

/// Each way in which the pipeline itself can be broken: what is replaced, with what, and the code.
#[test]
fn a_broken_pipeline() {
    for (from, to, code) in [
        ("    needs: [freeze]", "    needs: [report]", "E_STAGE_CYCLE"),
        ("    needs: [freeze]", "    needs: [frieze]", "E_STAGE_UNKNOWN"),
        ("    uses: review", "    uses: reviews", "E_STAGE_UNKNOWN"),
        ("  - id: review\n    uses: review\n    needs: [freeze]\n", "", "E_STAGE_UNKNOWN"),
        ("executor: recorded", "executor: record", "E_EXECUTOR_UNKNOWN"),
        ("round-{round}/layout.json", "round-{rund}/layout.json", "E_PLACEHOLDER_UNKNOWN"),
        (
            "copy: features/{feature}/recorded/round-{round}/layout.json",
            "copy: ../layout.json",
            "E_PATH_UNSAFE",
        ),
        ("output: layout.json", "output: ../../layout.json", "E_PATH_UNSAFE"),
        ("rounds:", "runds:", "E_FIELD_UNKNOWN"),
        ("  max: 3", "  max: three", "E_FIELD_TYPE"),
        ("source: hitrace", "source: hi-trace", "E_VALUE_UNKNOWN"),
        ("version: 1", "version: 2", "E_VALUE_UNKNOWN"),
        ("lang: en", "lang: fr", "E_VALUE_UNKNOWN"),
    ] {
        let workspace = Workspace::sample();
        workspace.replace("pipeline.yaml", from, to);
        let outcome = refused(&workspace, 3);
        assert!(outcome.stderr.contains(code), "{from} → {to}: no {code} in\n{}", outcome.stderr);
        assert!(outcome.stderr.contains("pipeline.yaml:"), "{from} → {to}: no place in\n{}", outcome.stderr);
    }
}

#[test]
fn a_cycle_names_its_stages() {
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", "    needs: [freeze]", "    needs: [report]");
    insta::assert_snapshot!(refused(&workspace, 3).message());
}

#[test]
fn no_pipeline_at_all() {
    let workspace = Workspace::sample();
    workspace.remove("pipeline.yaml");
    workspace.xtask(&["deliver", "login-page"]).run().exits(3).says("E_PIPELINE_MISSING");
}

#[test]
fn a_collector_that_is_not_installed() {
    let workspace = Workspace::sample();
    let copy = "copy: features/{feature}/recorded/round-{round}/display.txt";
    workspace.replace("pipeline.yaml", copy, "run: [no-such-hdc, shell, hidumper]\n    stdout: true");
    let outcome = workspace.xtask(&["deliver", "login-page", "--quiet"]).run().exits(7);
    insta::assert_snapshot!(outcome.message());
    assert!(!workspace.has("deliveries/login-page/round-1/evidence.json"));
    assert!(!workspace.has("deliveries/login-page/audit-1.json"));
}

#[test]
fn a_template_with_a_fault() {
    // One that does not parse is found before anything is written.
    let workspace = Workspace::sample();
    workspace.replace("templates/en/audit.md.tera", "{{ feature }}", "{% broken %}");
    insta::assert_snapshot!(refused(&workspace, 3).message());

    // One that asks for what is not there is found when it is rendered, and its artifact is not written.
    let workspace = Workspace::sample();
    workspace.replace("templates/en/brief.md.tera", "{{ round }}", "{{ no_such_thing }}");
    let outcome = workspace.xtask(&["deliver", "login-page", "--quiet"]).run().exits(3);
    insta::assert_snapshot!("an undefined variable", outcome.message());
    assert!(!workspace.has("deliveries/login-page/round-1/brief.json"));
}

#[test]
fn checks_with_faults() {
    let workspace = Workspace::sample();
    let path = "features/login-page/recorded/round-1/checks.lin.yaml";
    workspace.write(path, "checks:\n  - criterionId: P-01\n    result: passed\n  - result: pass\n");
    let outcome = workspace.xtask(&["deliver", "login-page", "--quiet"]).run().exits(3);
    insta::assert_snapshot!(outcome.message());
    assert!(!workspace.has("deliveries/login-page/audit-1.json"));
}

#[test]
fn a_usage_error_is_one() {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver"]).run().exits(2);
    workspace.xtask(&["audit", "login-page", "--round", "0"]).run().exits(2);
    workspace.xtask(&["deliverr", "login-page"]).run().exits(2).says("deliver");
}

#[test]
fn findings_as_json_carry_the_exit_code() {
    let workspace = with_pack(NINE_FAULTS);
    let json = workspace.xtask(&["check", "login-page", "--json"]).run().exits(3).json();
    assert_eq!(json["exitCode"], 3);
    assert_eq!(json["ending"], "invalidInput");
    let problems = json["problems"].as_array().unwrap();
    assert!(problems.iter().all(|problem| problem["at"]["line"].is_u64()), "{json:#}");
    assert!(problems.len() >= 9, "{json:#}");
}
