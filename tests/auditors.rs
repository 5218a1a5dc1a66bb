//! Auditors that are programs, and what a person settles where auditors differ.

use crate::support::Workspace;

/// The sample's second recording in its only round, with a program that audits as well.
fn with_auditor(script: &str) -> Workspace {
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", "/round-{round}/", "/round-2/");
    workspace.replace("pipeline.yaml", "  max: 3", "  max: 1");
    workspace.replace(
        "pipeline.yaml",
        "auditors:\n",
        "auditors:\n  eye:\n    run: [python3, \"{root}/eye.py\", \"{pack}\", \"{evidence}\"]\n    timeout: 20s\n",
    );
    workspace.write("eye.py", script);
    workspace
}

const AGREES: &str = "\
import json, os, sys
pack = json.load(open(sys.argv[1]))
index = json.load(open(os.path.join(sys.argv[2], 'evidence.json')))
for entry in index['collected']:
    assert os.path.isfile(os.path.join(sys.argv[2], entry['file']['path'])), entry
seen = sorted(os.path.join(folder, name) for folder, _, names in os.walk('..') for name in names)
print(seen, file=sys.stderr)
judged = [c['id'] for c in pack['criteria'] if 'probe' not in c]
print(json.dumps([{'criterionId': i, 'result': 'RESULT', 'evidence': 'seen by the program'} for i in judged]))
";

fn eye(result: &str) -> String {
    AGREES.replace("RESULT", result)
}

#[test]
fn a_program_sees_the_pack_and_the_evidence_and_nothing_else() {
    let workspace = with_auditor(&eye("pass"));
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let audit = workspace.json("deliveries/login-page/audit-1.json");
    let by_eye = audit["checks"].as_array().unwrap().iter().filter(|check| check["auditor"] == "eye").count();
    assert!(by_eye > 0, "{audit}");
    let seen = workspace.read("deliveries/login-page/round-1/logs/auditor.eye.log");
    for hidden in ["checks", "dispatch", "brief", "lin"] {
        assert!(!seen.contains(hidden), "{hidden} in {seen}");
    }
    // It is asked once: what it said of these files does not change.
    workspace.write("eye.py", "raise SystemExit(9)\n");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    // Other evidence is another question.
    workspace.replace("pipeline.yaml", "output: layout.json", "output: tree.json");
    workspace.remove("deliveries/login-page/round-1/evidence.json");
    workspace.xtask(&["deliver", "login-page"]).run().exits(7).says("E_AUDITOR_FAILED");
}

#[test]
fn a_failed_auditor_is_never_an_absence_of_findings() {
    for (script, word) in [
        ("print('I looked, and all is well')", "cannot be read"),
        ("print('checks: [{criterionId: A-04, result: maybe}]')", "cannot be read"),
        ("", "cannot be read"),
        ("import sys; print('no model', file=sys.stderr); sys.exit(2)", "no model"),
        ("import time; time.sleep(600)", "20 s"),
    ] {
        let workspace = with_auditor(script);
        workspace.xtask(&["deliver", "login-page"]).run().exits(7).says("E_AUDITOR_FAILED").says(word);
        assert!(!workspace.has("deliveries/login-page/audit-1.json"), "{script}");
        assert!(!workspace.has("deliveries/login-page/round-1/checks.eye.yaml"), "{script}");
    }
}

#[test]
fn what_auditors_differ_on_waits_for_a_person() {
    let workspace = with_auditor(&eye("fail"));
    workspace.xtask(&["deliver", "login-page"]).run().exits(5).says("E_AUDITORS_DISAGREE");
    let audit = workspace.read("deliveries/login-page/audit-1.md");
    assert!(audit.contains("| eye | fail | seen by the program |"), "{audit}");
    assert!(audit.contains("Nobody has settled this yet."), "{audit}");
    let json = workspace.json("deliveries/login-page/audit-1.json");
    let disputed: Vec<String> = json["problems"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|problem| problem["code"] == "E_AUDITORS_DISAGREE")
        .map(|problem| problem["criterion"].as_str().unwrap().to_owned())
        .collect();
    let is_must = |id: &&String| {
        let criteria = json["criteria"].as_array().unwrap();
        criteria.iter().any(|result| result["id"] == id.as_str() && result["weight"] == "must")
    };
    let must = disputed.iter().find(is_must).unwrap();
    workspace
        .xtask(&["settle", "login-page", &disputed[0], "--result", "pass", "--by", " ", "--reason", "fine"])
        .run()
        .exits(3)
        .says("E_NOTHING_TO_SETTLE");
    for id in &disputed {
        workspace
            .xtask(&[
                "settle",
                "login-page",
                id,
                "--result",
                "pass",
                "--by",
                "Chen",
                "--reason",
                "looked at two devices",
            ])
            .run()
            .exits(0);
    }
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let audit = workspace.read("deliveries/login-page/audit-1.md");
    assert!(audit.contains("Settled as **pass** by Chen: looked at two devices"), "{audit}");
    // A person may change their mind, on record.
    workspace
        .xtask(&[
            "settle",
            "login-page",
            must,
            "--result",
            "fail",
            "--by",
            "Chen",
            "--reason",
            "a third device",
        ])
        .run()
        .exits(0);
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    workspace.xtask(&["verify", "login-page"]).run().exits(0);
    let recorded = workspace.json("deliveries/login-page/round-1/settlements.json");
    assert_eq!(recorded["settlements"].as_array().unwrap().len(), disputed.len() + 1);
    let ledger = workspace.read("deliveries/login-page/ledger.jsonl");
    assert_eq!(ledger.matches("\"event\":\"settle\"").count(), disputed.len() + 1, "{ledger}");
}

/// What a person settled by looking at some evidence says nothing of other evidence.
#[test]
fn what_was_settled_does_not_survive_other_evidence() {
    let workspace = with_auditor(&eye("fail"));
    workspace.xtask(&["deliver", "login-page"]).run().exits(5);
    let audit = workspace.json("deliveries/login-page/audit-1.json");
    for problem in audit["problems"].as_array().unwrap() {
        let id = problem["criterion"].as_str().unwrap();
        let settle = ["settle", "login-page", id, "--result", "pass", "--by", "Chen", "--reason", "looked"];
        workspace.xtask(&settle).run().exits(0);
    }
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let display = "features/login-page/recorded/round-2/display.txt";
    workspace.write(display, &(workspace.read(display) + "\n"));
    workspace.xtask(&["deliver", "login-page"]).run().exits(5).says("E_AUDITORS_DISAGREE");
}

/// An auditor speaks for itself, and for nobody else.
#[test]
fn what_an_auditor_program_writes_for_others_is_put_back() {
    for name in ["round-1/settlements.json", "round-1/checks.yaml", "audit-1.json"] {
        let planted = format!("deliveries/login-page/{name}");
        let script = format!(
            "{}import pathlib\npathlib.Path(__file__).with_name('{planted}'.split('/')[0]).joinpath(*'{planted}'.split('/')[1:]).write_text('checks: []')\n",
            eye("pass")
        );
        let workspace = with_auditor(&script);
        let outcome = workspace.xtask(&["deliver", "login-page"]).run().exits(6);
        outcome.says("E_PROTECTED_CHANGED").says(&planted).says("auditor eye");
        assert!(!workspace.has(&planted), "{planted}");
        assert!(!workspace.has("deliveries/login-page/round-1/checks.eye.yaml"));
        assert_eq!(workspace.read(&format!(".xtask/put-back/login-page/{planted}")), "checks: []");
    }
}
