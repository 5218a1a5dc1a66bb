//! The ledger of a delivery: what happened, and that nobody wrote it but the pipeline.

use serde_json::Value;

use crate::support::Workspace;

const LEDGER: &str = "deliveries/login-page/ledger.jsonl";

fn delivered() -> Workspace {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    workspace
}

fn lines(workspace: &Workspace) -> Vec<Value> {
    workspace.read(LEDGER).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// `event`, or `event@round`.
fn events(workspace: &Workspace) -> Vec<String> {
    let name = |line: &Value| match line["round"].as_u64() {
        Some(round) => format!("{}@{round}", line["event"].as_str().unwrap()),
        None => line["event"].as_str().unwrap().to_owned(),
    };
    lines(workspace).iter().map(name).collect()
}

#[test]
fn every_step_has_a_line_and_a_repeated_one_no_second() {
    let workspace = delivered();
    let round =
        |number: u32| ["brief", "dispatch", "evidence", "audit", "report"].map(|e| format!("{e}@{number}"));
    let once: Vec<String> = ["begin", "freeze", "review"].map(str::to_owned).to_vec();
    assert_eq!(events(&workspace), [once, round(1).to_vec(), round(2).to_vec()].concat());
    let before = workspace.read(LEDGER);
    for arguments in [
        &["deliver", "login-page"][..],
        &["deliver", "login-page", "--force"],
        &["audit", "login-page"],
        &["report", "login-page"],
    ] {
        workspace.xtask(arguments).run().exits(0);
        assert!(before == workspace.read(LEDGER), "{arguments:?}");
    }
    // Nor has one whose record is lost.
    workspace.remove("deliveries/login-page/state.json");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    assert!(before == workspace.read(LEDGER));
}

#[test]
fn what_people_grant_has_a_line_when_it_comes_and_when_it_goes() {
    let workspace = delivered();
    let waivers = "features/login-page/waivers.yaml";
    workspace.write(
        waivers,
        "waivers:\n  - { criterionId: P-01, owner: Lin, reason: old device, expires: 2030-01-01T00:00:00Z }\n",
    );
    workspace.xtask(&["audit", "login-page", "--round", "1"]).run().exits(1);
    workspace.remove(waivers);
    workspace.xtask(&["audit", "login-page", "--round", "1"]).run().exits(1);
    let tail = &events(&workspace)[13..];
    assert_eq!(tail, ["waive", "audit@1", "waive", "audit@1"]);
    let waived: Vec<Value> = lines(&workspace).into_iter().filter(|line| line["event"] == "waive").collect();
    assert!(waived[0]["reads"][waivers].is_string() && waived[1]["reads"][waivers].is_null(), "{waived:?}");
}

#[test]
fn nothing_goes_on_from_a_ledger_that_was_edited() {
    let workspace = delivered();
    let sound = workspace.read(LEDGER);
    let all: Vec<&str> = sound.split_inclusive('\n').collect();
    let mut forged: Vec<(String, String)> = Vec::new();
    for at in 0..all.len() - 1 {
        let mut without = all.clone();
        without.remove(at);
        forged.push((format!("line {at} removed"), without.concat()));
        let mut swapped = all.clone();
        swapped.swap(at, at + 1);
        forged.push((format!("line {at} swapped"), swapped.concat()));
    }
    forged.push(("edited".to_owned(), sound.replacen("\"round\":1", "\"round\":2", 1)));
    forged.push(("cut".to_owned(), sound[..sound.len() - 9].to_owned()));
    forged.push(("empty".to_owned(), String::new()));
    for (what, ledger) in forged {
        workspace.write(LEDGER, &ledger);
        let outcome = workspace.xtask(&["deliver", "login-page"]).run();
        assert_eq!(outcome.code(), Some(6), "{what}");
        outcome.says("E_LEDGER_BROKEN");
        assert_eq!(workspace.read(LEDGER), ledger, "{what}");
    }
}

#[test]
fn what_an_agent_writes_into_it_is_put_back() {
    let script = "\
import pathlib
ledger = pathlib.Path(__file__).with_name('deliveries') / 'login-page' / 'ledger.jsonl'
ledger.write_bytes(ledger.read_bytes()[:-200])
";
    let workspace = Workspace::with_script(script, "    timeout: 60s\n");
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    let dispatch = workspace.json("deliveries/login-page/round-1/dispatch.json");
    assert_eq!(dispatch["protectedChanged"][0]["path"], LEDGER);
    assert_eq!(events(&workspace)[..5], ["begin", "freeze", "review", "brief@1", "dispatch@1"]);
    workspace.xtask(&["audit", "login-page"]).run().exits(1);
}

/// A delivery from before there were ledgers.
#[test]
fn an_older_delivery_begins_with_what_is_there() {
    let workspace = delivered();
    workspace.remove(LEDGER);
    workspace.xtask(&["status", "--check"]).run().exits(0);
    assert!(!workspace.has(LEDGER));
    let again = workspace.xtask(&["deliver", "login-page", "--json"]).run().exits(0).json();
    assert_eq!(again["stagesRun"], 0);
    assert_eq!(events(&workspace), ["begin"]);
    let written = &lines(&workspace)[0]["writes"];
    for file in ["pack.lock.json", "audit-2.json", "round-1/dispatch.json", "acceptance.md"] {
        assert!(written[format!("deliveries/login-page/{file}")].is_string(), "{file} in {written}");
    }
    workspace.xtask(&["audit", "login-page", "--round", "2"]).run().exits(0);
    assert_eq!(events(&workspace), ["begin", "audit@2"]);
}
