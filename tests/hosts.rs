//! The MCP server under real clients: the official Inspector, opencode and DSH. A model of ours says what to do, and what
//! reaches it is looked at.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::support::{Client, Dsh, Inspector, LATER, Model, NEAREST, Turn, Workspace, gate_mcp, opencode};

/// The small feature, whose agent leaves its button too small: a pack with two faults in it, and one round.
fn app() -> Workspace {
    let workspace = Workspace::for_agent();
    workspace.write("agent.py", "open('entry/size.txt', 'w').write('40\\n')\n");
    workspace.replace("pipeline.yaml", "executor: agent\n", "executor: agent\nrounds: { max: 1 }\n");
    let settings = workspace.read("pipeline.yaml");
    let (before, after) = settings.split_once("    uses: opencode\n").unwrap();
    let (_, after) = after.split_once("protect:").unwrap();
    let command = "    uses: command\n    run: [python3, \"{root}/agent.py\"]\nprotect:";
    workspace.write("pipeline.yaml", &format!("{before}{command}{after}"));
    workspace.replace("features/size/pack.yaml", "matcher: gte", "matcher: atleast");
    workspace.replace("features/size/pack.yaml", "covers: [R-1]", "covers: [R-2]");
    workspace
}

/// The pack as it should be.
fn mended(workspace: &Workspace) -> String {
    let pack = workspace.read("features/size/pack.yaml");
    pack.replace("matcher: atleast", "matcher: gte").replace("covers: [R-2]", "covers: [R-1]")
}

/// What the tools answered, as it reached the model, in order.
fn answers(model: &Model) -> Vec<String> {
    let requests = model.requests();
    let last = requests.last().unwrap_or_else(|| panic!("the model was never asked"));
    let messages = last["messages"].as_array().unwrap();
    let told = messages.iter().filter(|message| message["role"] == "tool");
    told.map(|message| match &message["content"] {
        Value::String(text) => text.clone(),
        parts => parts.to_string(),
    })
    .collect()
}

/// The session that a host is to have, whatever it calls its tools.
struct Names {
    gate: fn(&str) -> String,
    write: fn(&Path, &str) -> Turn,
    read: fn(&Path) -> Turn,
}

/// In the first half a pack is checked, mended and checked again. Then a person freezes it.
fn first_half(workspace: &Workspace, names: &Names) -> Vec<Turn> {
    let gate = |tool: &str| leak((names.gate)(tool));
    let pack = workspace.root().join("features/size/pack.yaml");
    vec![
        Turn::Call(gate("gate_check"), json!({ "feature": "size" })),
        (names.read)(&pack),
        (names.write)(&pack, &mended(workspace)),
        Turn::Call(gate("gate_check"), json!({ "feature": "size" })),
        Turn::Call(gate("gate_deliver_start"), json!({ "feature": "size" })),
        Turn::Say("It has to be frozen by a person: cargo xtask freeze size"),
    ]
}

/// In the second it is delivered, and the rework order is read.
fn second_half(workspace: &Workspace, names: &Names) -> Vec<Turn> {
    let gate = |tool: &str| leak((names.gate)(tool));
    vec![
        Turn::Call(gate("gate_deliver_start"), json!({ "feature": "size" })),
        Turn::Call(gate("gate_deliver_poll"), json!({ "run": "size-1", "wait": 50 })),
        Turn::Call(gate("gate_deliver_poll"), json!({ "run": "size-1", "wait": 50 })),
        (names.read)(&workspace.root().join("deliveries/size/rework-1.md")),
        Turn::Say("It is not accepted: the button is 40vp high."),
    ]
}

/// A script holds names for as long as a test runs.
fn leak(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

fn first_half_happened(workspace: &Workspace, model: &Model) {
    let told = answers(model);
    assert_eq!(told.len(), 5, "{told:#?}");
    assert!(
        told[0].contains("E_MATCHER_UNKNOWN") && told[0].contains("E_REQUIREMENT_UNKNOWN"),
        "{}",
        told[0]
    );
    // Some hosts hand the text to the model, and some the structured part.
    assert!(told[3].contains("cargo xtask freeze size") && !told[3].contains("_UNKNOWN"), "{}", told[3]);
    assert!(told[4].contains("E_NOT_FROZEN") && told[4].contains("cargo xtask freeze size"), "{}", told[4]);
    assert!(!workspace.has("deliveries/size"), "it was delivered though nobody froze it");
    workspace.xtask(&["freeze", "size"]).run().exits(0);
}

fn second_half_happened(workspace: &Workspace, model: &Model) {
    let told = answers(model);
    assert_eq!(told.len(), 4, "{told:#?}");
    assert!(told[0].contains("size-1"), "{}", told[0]);
    assert!(told[2].contains("exhausted") && told[2].contains("deliveries/size/rework-1.md"), "{}", told[2]);
    assert!(told[3].contains("REWORK") && told[3].contains("40vp"), "{}", told[3]);
    assert_eq!(workspace.json("deliveries/size/audit-1.json")["verdict"], "fail");
}

#[test]
fn the_official_inspector_lists_and_calls_every_tool() {
    let Some(inspector) = Inspector::installed() else { return };
    let workspace = Workspace::sample();
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    let ask = |arguments: &[&str]| {
        let output = inspector.ask(&workspace, arguments);
        let (stdout, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {stdout}{stderr}");
        serde_json::from_str::<Value>(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"))
    };
    let listed = ask(&["--method", "tools/list"]);
    let feature: &[&str] = &["feature=login-page"];
    let calls: [(&str, &[&str]); 10] = [
        ("gate_status", &[]),
        ("gate_check", feature),
        ("gate_review", feature),
        ("gate_brief", feature),
        ("gate_deliver_start", feature),
        ("gate_deliver_poll", &["run=login-page-1", "wait=50"]),
        ("gate_audit", &["feature=login-page", "round=2"]),
        ("gate_explain", feature),
        ("gate_judge", &["matcher=lte", "expected=800", "unit=ms", "actual=[\"720ms\"]"]),
        ("gate_person", &["deed=freeze", "feature=login-page"]),
    ];
    let names: Vec<&str> =
        listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, calls.map(|(name, _)| name));
    for (name, pairs) in calls {
        let mut arguments = vec!["--method", "tools/call", "--tool-name", name];
        if !pairs.is_empty() {
            arguments.push("--tool-arg");
            arguments.extend(pairs);
        }
        let result = ask(&arguments);
        assert!(result["structuredContent"]["result"].is_object(), "{name}: {result}");
    }
    assert!(workspace.has("deliveries/login-page/acceptance.md"));
}

fn opencode_runs(workspace: &Workspace, binary: &Path, model: &Model) -> Output {
    workspace.write("home/.config/opencode/opencode.json", &model.settings().to_string());
    let mut command = Command::new(binary);
    command.args(["run", "go on"]).current_dir(workspace.root());
    // It takes its folder from here.
    command.env("PWD", workspace.root());
    command.env("HOME", workspace.root().join("home")).env("SOURCE_DATE_EPOCH", "1780000000");
    command.env("OPENCODE_DISABLE_AUTOUPDATE", "1").env("OPENCODE_DISABLE_MODELS_FETCH", "1");
    command.output().unwrap()
}

#[test]
fn opencode_has_a_pack_mended_delivers_it_and_reads_the_rework_order() {
    for version in [NEAREST, LATER] {
        let Some(binary) = opencode(version) else { continue };
        let workspace = app();
        // It stands beside xtask, where `init` looks for it.
        gate_mcp();
        workspace.write("opencode.jsonc", "{\n  // theirs\n  \"snapshot\": false\n}\n");
        workspace.xtask(&["init", "--agent", "opencode", "--write"]).run().exits(0);
        let names = Names {
            gate: |tool| format!("gate_{tool}"),
            write: |path, text| Turn::Call("write", json!({ "filePath": path, "content": text })),
            read: |path| Turn::Call("read", json!({ "filePath": path })),
        };
        let model = Model::with(first_half(&workspace, &names));
        let output = opencode_runs(&workspace, &binary, &model);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(
            model.requests()[0].to_string().contains("delivery-gate"),
            "the skill does not reach the model"
        );
        first_half_happened(&workspace, &model);
        let model = Model::with(second_half(&workspace, &names));
        opencode_runs(&workspace, &binary, &model);
        second_half_happened(&workspace, &model);
    }
}

#[test]
fn dsh_with_the_bundle_has_a_pack_mended_delivers_it_and_reads_the_rework_order() {
    let workspace = app();
    let Some(dsh) = Dsh::with_bundle(&workspace) else { return };
    let names = Names {
        gate: |tool| format!("mcp__gate__{tool}"),
        write: |path, text| Turn::Call("write", json!({ "file_path": path, "content": text })),
        read: |path| Turn::Call("read", json!({ "file_path": path })),
    };
    let model = Model::with(first_half(&workspace, &names));
    let output = dsh.task(&workspace, &model, gate_mcp(), "Deliver the feature size.");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    first_half_happened(&workspace, &model);
    assert!(model.requests()[0].to_string().contains("delivery-gate"), "the skill does not reach the model");
    let model = Model::with(second_half(&workspace, &names));
    dsh.task(&workspace, &model, gate_mcp(), "Go on.");
    second_half_happened(&workspace, &model);
}

/// The small feature, frozen, with an agent that works until there is a file `go`.
fn patient_app() -> Workspace {
    let workspace = app();
    workspace.write("features/size/pack.yaml", &mended(&workspace));
    workspace.write(
        "agent.py",
        "import os, time\nhere = os.path.dirname(os.path.abspath(__file__))\n\
         open(os.path.join(here, 'works'), 'w').close()\n\
         while not os.path.exists(os.path.join(here, 'go')): time.sleep(0.05)\n",
    );
    workspace.xtask(&["freeze", "size"]).run().exits(0);
    workspace
}

/// The host is gone; what it started goes on.
fn goes_on(workspace: &Workspace) {
    let mut client = Client::of(workspace);
    let poll = |client: &mut Client, wait: u32| {
        let polled = client.call("gate_deliver_poll", json!({ "run": "size-1", "wait": wait }));
        polled["structuredContent"].clone()
    };
    let meanwhile = poll(&mut client, 0);
    assert_eq!(meanwhile["result"]["state"], "running", "{meanwhile}");
    while !workspace.has("works") {
        std::thread::yield_now();
    }
    workspace.write("go", "");
    let end = poll(&mut client, 50);
    assert_eq!(end["result"]["outcome"], "exhausted", "{end}");
}

#[test]
fn a_delivery_that_opencode_started_goes_on_without_it() {
    let Some(binary) = opencode(LATER) else { return };
    let workspace = patient_app();
    gate_mcp();
    workspace.xtask(&["init", "--agent", "opencode", "--write"]).run().exits(0);
    let start = Turn::Call("gate_gate_deliver_start", json!({ "feature": "size" }));
    let model = Model::with(vec![start, Turn::Say("it runs")]);
    let output = opencode_runs(&workspace, &binary, &model);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    goes_on(&workspace);
}

#[test]
fn a_delivery_that_dsh_started_goes_on_without_it() {
    let workspace = patient_app();
    let Some(dsh) = Dsh::with_bundle(&workspace) else { return };
    let start = Turn::Call("mcp__gate__gate_deliver_start", json!({ "feature": "size" }));
    let model = Model::with(vec![start, Turn::Say("it runs")]);
    let output = dsh.task(&workspace, &model, gate_mcp(), "Deliver the feature size.");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    goes_on(&workspace);
}

#[test]
fn dsh_that_was_set_up_in_a_folder_calls_the_server_as_well() {
    let workspace = app();
    let Some(dsh) = Dsh::installed(&workspace) else { return };
    gate_mcp();
    workspace.xtask(&["init", "--agent", "dsh", "--write"]).run().exits(0);
    let call = Turn::Call("mcp__gate__gate_check", json!({ "feature": "size" }));
    let model = Model::with(vec![call, Turn::Say("two findings")]);
    let task = ["--profile", "headless", "--patch", ".dsh/delivery-gate.patch.yml", "Check the pack."];
    let output = dsh.command(&workspace, &task).env("DEEPSEEK_BASE_URL", model.address()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(answers(&model)[0].contains("E_MATCHER_UNKNOWN"), "{:#?}", answers(&model));
    assert!(model.requests()[0].to_string().contains("delivery-gate"), "the skill does not reach the model");
}

#[test]
fn dsh_does_not_boot_where_the_server_is_missing() {
    let workspace = app();
    let Some(dsh) = Dsh::with_bundle(&workspace) else { return };
    let model = Model::with(vec![Turn::Say("done")]);
    let output =
        dsh.task(&workspace, &model, Path::new("gate-mcp-that-is-not-there"), "Deliver the feature size.");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && stderr.contains("gate-mcp-that-is-not-there"), "{stderr}");
    assert!(model.requests().is_empty(), "the model was asked all the same");
}
