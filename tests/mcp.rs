//! The MCP server over its own wire: what it offers and refuses, how large an answer is, and what a client that goes away
//! leaves behind.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Client, Workspace, gate_mcp};

const TOOLS: [&str; 10] = [
    "gate_status",
    "gate_check",
    "gate_review",
    "gate_brief",
    "gate_deliver_start",
    "gate_deliver_poll",
    "gate_audit",
    "gate_explain",
    "gate_judge",
    "gate_person",
];

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

fn login() -> Value {
    json!({ "feature": "login-page" })
}

/// Polls a run to its end.
fn ended(client: &mut Client, run: &str) -> Value {
    loop {
        let polled = client.call("gate_deliver_poll", json!({ "run": run, "wait": 30 }));
        if polled["structuredContent"]["result"]["state"] != "running" {
            return polled;
        }
    }
}

fn started(client: &mut Client) -> String {
    let result = client.call("gate_deliver_start", login());
    result["structuredContent"]["result"]["run"].as_str().unwrap_or_else(|| panic!("{result}")).to_owned()
}

#[test]
fn every_tool_is_listed_and_answers_as_its_schema_says() {
    let workspace = Workspace::sample();
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    let mut client = Client::of(&workspace);
    let listed = client.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, TOOLS);
    let run = started(&mut client);
    ended(&mut client, &run);
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        assert!(!tool.to_string().contains("$ref"), "{tool}");
        let arguments = match name {
            "gate_status" => json!({}),
            "gate_deliver_poll" => json!({ "run": run }),
            "gate_judge" => json!({ "matcher": "lte", "expected": 800, "unit": "ms", "actual": ["720ms"] }),
            "gate_person" => json!({ "deed": "freeze", "feature": "login-page" }),
            "gate_audit" => json!({ "feature": "login-page", "round": 1 }),
            _ => login(),
        };
        jsonschema::validate(&tool["inputSchema"], &arguments).unwrap();
        let schema = jsonschema::validator_for(&tool["outputSchema"]).unwrap();
        for arguments in [arguments, json!({ "feature": "nobody" }), json!({ "other": 1 })] {
            let result = client.call(name, arguments);
            let content = &result["structuredContent"];
            assert!(schema.is_valid(content), "{name}: {content}");
            // Who reads only one of the two misses nothing that counts.
            let is_done = content["result"].is_object();
            assert_eq!(result["isError"], !is_done, "{name}: {result}");
            for problem in content["problems"].as_array().unwrap() {
                assert!(text(&result).contains(problem["code"].as_str().unwrap()), "{name}: {result}");
            }
            assert!(!result.to_string().contains(workspace.root().to_str().unwrap()), "{name}: {result}");
        }
    }
}

#[test]
fn a_pack_is_checked_frozen_by_a_person_delivered_and_sent_back() {
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", "  max: 3", "  max: 1");
    let sound = workspace.read("features/login-page/pack.yaml");
    workspace.replace("features/login-page/pack.yaml", "weight: must", "weigth: must");
    let mut client = Client::of(&workspace);

    let found = client.call("gate_check", login());
    assert_eq!(found["isError"], false);
    let problems = found["structuredContent"]["problems"].as_array().unwrap();
    assert!(problems.iter().any(|problem| problem["code"] == "E_FIELD_UNKNOWN"), "{found}");
    assert!(problems[0]["at"]["line"].is_u64() && problems[0]["file"] == "features/login-page/pack.yaml");

    workspace.write("features/login-page/pack.yaml", &sound);
    let clean = client.call("gate_check", login());
    assert_eq!(clean["structuredContent"]["problems"], json!([]));
    assert_eq!(clean["structuredContent"]["person"], "cargo xtask freeze login-page");

    let refused = client.call("gate_deliver_start", login());
    assert_eq!(refused["structuredContent"]["problems"][0]["code"], "E_NOT_FROZEN", "{refused}");
    assert!(!workspace.has("deliveries"), "something was delivered that nobody froze");

    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    let run = started(&mut client);
    let end = ended(&mut client, &run);
    let content = &end["structuredContent"];
    assert_eq!((&content["ending"], &content["exitCode"]), (&json!("no"), &json!(1)), "{end}");
    assert_eq!(content["result"]["outcome"], "exhausted");
    let open: Vec<&str> = content["result"]["audit"]["open"]
        .as_array()
        .unwrap()
        .iter()
        .map(|open| open["criterion"].as_str().unwrap())
        .collect();
    assert_eq!(open, ["U-04", "P-01", "A-01", "A-02"]);
    let order = content["files"][0].as_str().unwrap();
    assert!(workspace.read(order).contains("REWORK"), "{order}");
    assert!(text(&end).contains(order) && text(&end).contains("E_VERDICT_CONTRADICTS"), "{end}");
}

#[test]
fn a_pack_that_changed_since_it_was_frozen_is_not_delivered() {
    let workspace = Workspace::sample();
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    workspace.replace("features/login-page/pack.yaml", "expected: 800", "expected: 8000");
    let mut client = Client::of(&workspace);
    let refused = client.call("gate_deliver_start", login());
    let content = &refused["structuredContent"];
    assert_eq!(content["problems"][0]["code"], "E_PACK_DRIFT", "{refused}");
    assert_eq!(content["exitCode"], 6);
    assert!(content["person"].as_str().unwrap().contains("--reason"), "{refused}");
    assert!(!workspace.has(".xtask/runs"));
}

#[test]
fn a_review_that_blocks_names_the_findings_that_a_person_answers() {
    let workspace = Workspace::sample();
    workspace.replace("features/login-page/pack.yaml", "≤ 800ms", "≤ 700ms");
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    let mut client = Client::of(&workspace);
    let reviewed = client.call("gate_review", login());
    let content = &reviewed["structuredContent"];
    assert_eq!(
        (&content["ending"], &content["result"]["blocked"]),
        (&json!("blocked"), &json!(true)),
        "{reviewed}"
    );
    let found = content["result"]["findings"].as_array().unwrap();
    assert_eq!(found.len(), content["problems"].as_array().unwrap().len());
    assert!(content["person"].as_str().unwrap().starts_with("cargo xtask respond login-page"), "{reviewed}");
    let blocking = found.iter().find(|found| found["blocks"] == true).unwrap()["id"].as_str().unwrap();
    assert!(text(&reviewed).contains(blocking), "{reviewed}");
    let asked = json!({ "deed": "answer", "feature": "login-page", "about": blocking });
    let answer = client.call("gate_person", asked);
    let command = answer["structuredContent"]["person"].as_str().unwrap();
    assert!(command.starts_with(&format!("cargo xtask respond login-page {blocking} ")), "{command}");
}

#[test]
fn where_auditors_differ_a_person_is_told_to_settle() {
    let workspace = Workspace::sample();
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    workspace.write(
        "features/login-page/other.yaml",
        "checks:\n  - { criterionId: U-04, result: fail, evidence: it looks wrong }\n",
    );
    workspace.replace(
        "pipeline.yaml",
        "auditors:\n",
        "auditors:\n  other:\n    copy: features/{feature}/other.yaml\n",
    );
    let mut client = Client::of(&workspace);
    let run = started(&mut client);
    let end = ended(&mut client, &run);
    assert!(text(&end).contains("E_AUDITORS_DISAGREE"), "{end}");
    let command = end["structuredContent"]["person"].as_str().unwrap_or_else(|| panic!("{end}"));
    assert!(command.starts_with("cargo xtask settle login-page U-04 "), "{command}");
}

#[test]
fn what_a_person_does_is_answered_with_the_command_and_not_done() {
    let workspace = Workspace::sample();
    let before = workspace.tree("");
    let mut client = Client::of(&workspace);
    for (tool, command) in [
        ("gate_freeze", "cargo xtask freeze login-page"),
        ("gate_waive", "cargo xtask deliver login-page"),
        ("gate_answer", "cargo xtask respond login-page <finding>"),
        ("gate_threshold", "cargo xtask freeze login-page --reason \"…\""),
        ("gate_settle", "cargo xtask settle login-page <criterion>"),
        ("gate_sign", "cargo xtask attest login-page"),
        ("freeze", "cargo xtask freeze login-page"),
    ] {
        let result = client.call(tool, login());
        assert_eq!(result["isError"], true, "{tool}");
        assert!(text(&result).contains(command), "{tool}: {result}");
    }
    for deed in ["freeze", "waive", "answer", "threshold", "settle", "sign"] {
        let result = client.call("gate_person", json!({ "deed": deed, "feature": "login-page" }));
        assert_eq!(result["isError"], false, "{result}");
        assert!(
            result["structuredContent"]["person"].as_str().unwrap().starts_with("cargo xtask "),
            "{result}"
        );
    }
    // A person pastes the command: nothing gets into it that a shell would read.
    for about in ["A-01; rm -rf /", "$(x)", "--help", "A\nB"] {
        let asked = json!({ "deed": "settle", "feature": "login-page", "about": about });
        let result = client.call("gate_person", asked);
        assert!(text(&result).contains("settle login-page <criterion> "), "{result}");
    }
    assert_eq!(workspace.tree(""), before);
}

#[test]
fn what_is_not_understood_ends_no_session() {
    let workspace = Workspace::sample();
    let mut client = Client::of(&workspace);
    assert_eq!(client.request("no/such/method", json!({}))["error"]["code"], -32601);
    let unknown = client.request("tools/call", json!({ "name": "gate_nothing", "arguments": {} }));
    assert_eq!(unknown["error"]["code"], -32602);
    // No JSON is dropped, JSON that is no message is answered without an id.
    client.write("{ \"jsonrpc\": \"2.0\", \"id\": 7, ");
    client.write("");
    client.write("{ \"jsonrpc\": \"2.0\", \"id\": [], \"method\": 3 }");
    let invalid = client.receive();
    assert_eq!((&invalid["error"]["code"], &invalid["id"]), (&json!(-32600), &Value::Null), "{invalid}");
    // A line that is too long is dropped whole.
    let endless = "x".repeat(2 * 1024 * 1024);
    client.write(
        &json!({ "jsonrpc": "2.0", "id": 8, "method": "ping", "params": { "x": endless } }).to_string(),
    );
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
    for feature in ["--all", "../login-page", "a/b", "", "Login"] {
        let refused = client.call("gate_check", json!({ "feature": feature }));
        assert_eq!(refused["structuredContent"]["problems"][0]["code"], "E_FEATURE_NAME", "{feature}");
    }
    for run in ["login-page-1", "../../x-1", "login-page", "login-page-01"] {
        let refused = client.call("gate_deliver_poll", json!({ "run": run }));
        assert_eq!(refused["structuredContent"]["problems"][0]["code"], "E_ARTIFACT_MISSING", "{run}");
    }
    for (arguments, code) in [
        (json!({}), "E_FIELD_MISSING"),
        (json!({ "feature": 3 }), "E_FIELD_TYPE"),
        (json!({ "feature": "login-page", "force": true }), "E_FIELD_UNKNOWN"),
    ] {
        let refused = client.call("gate_check", arguments);
        assert_eq!(refused["structuredContent"]["problems"][0]["code"], code);
    }
    for arguments in [json!({ "feature": "login-page", "round": 0 }), json!({ "feature": "login\u{0}page" })]
    {
        let refused = client.call("gate_brief", arguments);
        assert_eq!(refused["structuredContent"]["problems"][0]["code"], "E_FIELD_TYPE", "{refused}");
    }
    let option = client.call("gate_explain", json!({ "feature": "login-page", "stage": "--round=1" }));
    assert_eq!(option["structuredContent"]["problems"][0]["code"], "E_STAGE_UNKNOWN", "{option}");
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn an_answer_that_is_too_large_is_cut_and_kept_whole_in_a_file() {
    let workspace = Workspace::sample();
    let criteria: String = (1..=200)
        .map(|n| format!("  - {{ id: X-{n}, dimension: function, statement: 界面第 {n} 项 good and fast, weight: should }}\n"))
        .collect();
    workspace.write(
        "features/many/pack.yaml",
        &format!("feature: many\ntitle: Many\ngoal: Many.\ncriteria:\n{criteria}"),
    );
    let mut client = Client::of(&workspace);
    let result = client.call("gate_check", json!({ "feature": "many" }));
    let content = &result["structuredContent"];
    let shown = content["problems"].as_array().unwrap().len();
    let rest = content["rest"].as_str().unwrap();
    assert!(text(&result).contains(rest), "{result}");
    let all = workspace.json(rest)["problems"].as_array().unwrap().len();
    assert!(shown >= 5 && all > 200, "{shown} of {all}");
    assert_eq!(
        content["result"]["errors"].as_u64().unwrap() + content["result"]["warnings"].as_u64().unwrap(),
        all as u64
    );
    workspace.xtask(&["clean", "many"]).run().exits(0);
    assert!(!workspace.has(rest));
}

#[test]
fn calls_that_are_made_at_once_are_all_answered() {
    let workspace = Workspace::sample();
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    let mut client = Client::of(&workspace);
    let mut open: BTreeSet<u64> = (0..6).map(|_| client.send_call("gate_check", login())).collect();
    open.extend((0..3).map(|_| client.send_call("gate_deliver_start", login())));
    let mut runs = BTreeSet::new();
    while !open.is_empty() {
        let answer = client.receive();
        assert!(open.remove(&answer["id"].as_u64().unwrap()), "{answer}");
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        runs.extend(answer["result"]["structuredContent"]["result"]["run"].as_str().map(str::to_owned));
    }
    // Whoever starts what runs already is told of that run.
    assert_eq!(runs, BTreeSet::from(["login-page-1".to_owned()]));
    assert_eq!(ended(&mut client, "login-page-1")["structuredContent"]["ending"], "yes");
}

#[test]
fn it_does_not_begin_without_the_program_that_it_drives() {
    let workspace = Workspace::sample();
    workspace.write("other/xtask", "#!/bin/sh\necho another xtask\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let file = workspace.root().join("other/xtask");
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    for (program, said) in [("nowhere/xtask", "there is no program"), ("other/xtask", "")] {
        let output = Command::new(gate_mcp())
            .args(["--xtask", program])
            .current_dir(workspace.root())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(7), "{stderr}");
        assert!(stderr.contains(said), "{stderr}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn it_speaks_chinese_where_it_is_asked_to() {
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", "lang: en", "lang: zh");
    let mut client = Client::with(&workspace, &["--lang", "zh"], &[]);
    let listed = client.request("tools/list", json!({}));
    for tool in listed["result"]["tools"].as_array().unwrap() {
        let described = tool["description"].as_str().unwrap();
        assert!(
            described.chars().any(|character| ('\u{4e00}'..'\u{9fff}').contains(&character)),
            "{described}"
        );
    }
    let refused = client.call("gate_deliver_start", login());
    assert!(text(&refused).contains("须由人执行：cargo xtask freeze login-page"), "{refused}");
}

#[cfg(unix)]
mod gone {
    use super::*;
    use crate::support::is_running;
    use rustix::process::{Pid, Signal, kill_process};

    /// Works until there is a file `go` beside it, and leaves its process's number.
    const PATIENT: &str = "\
import os, time
here = os.path.dirname(os.path.abspath(__file__))
open(os.path.join(here, 'pid.tmp'), 'w').write(str(os.getppid()))
os.rename(os.path.join(here, 'pid.tmp'), os.path.join(here, 'pid'))
while not os.path.exists(os.path.join(here, 'go')):
    time.sleep(0.05)
";

    /// The sample, with an executor that works until it is told to go on, and a delivery of it that has come there.
    fn at_work() -> (Workspace, Client, String, i32) {
        let workspace = Workspace::with_script(PATIENT, "");
        workspace.xtask(&["freeze", "login-page"]).run().exits(0);
        let mut client = Client::of(&workspace);
        let run = started(&mut client);
        let xtask = await_file(&workspace, "pid").parse().unwrap();
        (workspace, client, run, xtask)
    }

    fn await_file(workspace: &Workspace, name: &str) -> String {
        while !workspace.has(name) {
            std::thread::yield_now();
        }
        workspace.read(name)
    }

    fn goes_on(workspace: &Workspace, run: &str) {
        let mut later = Client::of(workspace);
        let polled = later.call("gate_deliver_poll", json!({ "run": run, "wait": 0 }));
        let content = &polled["structuredContent"]["result"];
        assert_eq!(
            (&content["state"], &content["stage"]),
            (&json!("running"), &json!("dispatch")),
            "{polled}"
        );
        workspace.write("go", "");
        let end = ended(&mut later, run);
        assert_eq!(end["structuredContent"]["result"]["outcome"], "exhausted", "{end}");
        assert!(workspace.has("deliveries/login-page/rework-1.md"));
    }

    /// So fares an agent that finds the server while it is itself at work.
    #[test]
    fn what_runs_already_is_busy_for_whatever_writes() {
        let (workspace, mut client, run, _) = at_work();
        for tool in ["gate_review", "gate_brief", "gate_audit"] {
            let refused = client.call(tool, login());
            assert_eq!(refused["structuredContent"]["problems"][0]["code"], "E_BUSY", "{refused}");
        }
        workspace.write("go", "");
        assert_eq!(ended(&mut client, &run)["structuredContent"]["result"]["state"], "ended");
    }

    #[test]
    fn a_delivery_goes_on_when_the_client_leaves() {
        let (workspace, client, run, _) = at_work();
        assert_eq!(client.leave(), Some(0));
        goes_on(&workspace, &run);
    }

    #[test]
    fn a_delivery_goes_on_when_the_server_is_killed() {
        let (workspace, client, run, _) = at_work();
        client.kill();
        goes_on(&workspace, &run);
    }

    #[test]
    fn a_delivery_that_is_ended_with_its_client_is_taken_up_again() {
        for signal in [Signal::TERM, Signal::KILL] {
            let (workspace, mut client, run, xtask) = at_work();
            kill_process(Pid::from_raw(xtask).unwrap(), signal).unwrap();
            let end = ended(&mut client, &run);
            let content = &end["structuredContent"];
            if signal == Signal::TERM {
                assert_eq!(content["ending"], "interrupted", "{end}");
            } else {
                assert_eq!(content["result"]["state"], "lost", "{end}");
            }
            workspace.write("go", "");
            let again = started(&mut client);
            assert_ne!(again, run);
            assert_eq!(ended(&mut client, &again)["structuredContent"]["result"]["outcome"], "exhausted");
        }
    }

    /// The sample at its first audit, with an auditor that works until it is told to go on.
    fn at_audit() -> (Workspace, Client, u64, i32) {
        let workspace = Workspace::sample();
        workspace.xtask(&["deliver", "login-page", "--until", "evidence"]).run();
        workspace.write("slow.py", PATIENT);
        workspace.replace(
            "pipeline.yaml",
            "auditors:\n",
            "auditors:\n  slow:\n    run: [python3, \"{root}/slow.py\"]\n",
        );
        let mut client = Client::of(&workspace);
        let id = client.send_call("gate_audit", json!({ "feature": "login-page", "round": 1 }));
        let xtask = await_file(&workspace, "pid").parse().unwrap();
        (workspace, client, id, xtask)
    }

    fn is_over(process: i32) {
        while is_running(process) {
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_call_that_is_cancelled_is_not_answered_and_stops_cleanly() {
        let (workspace, mut client, id, xtask) = at_audit();
        let cancel =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
        client.write(&cancel.to_string());
        is_over(xtask);
        // The next answer is that of the next call.
        assert_eq!(client.request("ping", json!({}))["result"], json!({}));
        assert!(!workspace.has("deliveries/login-page/audit-1.json"));
        workspace.write("go", "");
        let audited = client.call("gate_audit", json!({ "feature": "login-page", "round": 1 }));
        assert!(!text(&audited).contains("E_BUSY"), "{audited}");
    }

    #[test]
    fn a_call_of_a_client_that_leaves_stops_cleanly() {
        let (workspace, client, _, xtask) = at_audit();
        assert_eq!(client.leave(), Some(0));
        is_over(xtask);
        assert!(!workspace.has("deliveries/login-page/audit-1.json"));
    }

    #[test]
    fn the_signing_key_is_not_passed_on() {
        use std::os::unix::fs::PermissionsExt;
        let workspace = Workspace::sample();
        workspace.write(
            "spy/xtask",
            "#!/bin/sh\n[ \"$1\" = --version ] && { echo cargo xtask 0.1.0; exit; }\n\
             echo \"{ \\\"ending\\\": \\\"no\\\", \\\"exitCode\\\": 1, \\\"error\\\": \\\"key=$XTASK_SIGNING_KEY.\\\" }\"\n",
        );
        let spy = workspace.root().join("spy/xtask");
        std::fs::set_permissions(spy, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut client =
            Client::with(&workspace, &["--xtask", "spy/xtask"], &[("XTASK_SIGNING_KEY", "secret.pem")]);
        let result = client.call("gate_status", json!({}));
        assert_eq!(result["structuredContent"]["error"], "key=.", "{result}");
    }
}
