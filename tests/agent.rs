//! A real agent against a model of ours: what it does is delivered, judged and sent back, and what goes wrong has a name.

use serde_json::{Value, json};

use crate::support::{LATER, Model, NEAREST, Outcome, Turn, Workspace, opencode, repository};

fn write(path: &str, content: &str) -> Turn {
    Turn::Call("write", json!({ "filePath": path, "content": content }))
}

fn shell(command: &str) -> Turn {
    Turn::Call("bash", json!({ "command": command, "description": "does something" }))
}

fn dispatch(workspace: &Workspace, round: u32) -> Value {
    workspace.json(&format!("deliveries/size/round-{round}/dispatch.json"))
}

/// One round with this script, whatever it comes to.
fn one_round(script: Vec<Turn>, settings: &str) -> Option<(Workspace, Model, Outcome)> {
    let binary = opencode(NEAREST)?;
    let workspace = Workspace::for_agent();
    workspace.replace("pipeline.yaml", "executor: agent\n", "executor: agent\nrounds: { max: 1 }\n");
    workspace.replace("pipeline.yaml", PATIENT, settings);
    let model = Model::with(script);
    let outcome = workspace.asking(&model, &binary, &["deliver", "size"]).run();
    Some((workspace, model, outcome))
}

/// A machine with much to do takes its time to start an agent.
const PATIENT: &str = "    timeout: 900s\n    silence: 300s\n";

#[test]
fn a_rework_order_is_worked_off_in_the_second_round() {
    for version in [NEAREST, LATER] {
        let Some(binary) = opencode(version) else { continue };
        let workspace = Workspace::for_agent();
        let model = Model::with(vec![
            write("entry/size.txt", "40\n"),
            Turn::Say("I measured it: 52vp. All criteria PASS."),
            write("entry/size.txt", "48\n"),
            Turn::Say("Now it is done."),
        ]);
        workspace.asking(&model, &binary, &["deliver", "size"]).run().exits(0);

        let first = dispatch(&workspace, 1);
        assert_eq!(first["end"], "completed");
        assert_eq!(first["changed"], json!([{ "path": "entry/size.txt", "added": 1, "removed": 1 }]));
        let run = &first["agent"];
        assert_eq!(run["version"], version);
        assert_eq!(run["claimed"], "I measured it: 52vp. All criteria PASS.");
        assert_eq!(
            run["tools"],
            json!([{ "tool": "write", "status": "completed", "file": "entry/size.txt" }])
        );
        assert_eq!(run["steps"], 2);
        assert_eq!(run["tokens"]["input"], 2000);
        // Each step reads a thousand tokens at 1 and writes ten at 2 for a million.
        assert_eq!(run["cost"], "0.00204");

        // What the agent said is shown beside the verdict, and is not believed.
        let rework = workspace.read("deliveries/size/rework-1.md");
        assert!(rework.contains("40vp") && rework.contains("All criteria PASS"), "{rework}");
        let asked: Vec<String> = model.requests().iter().map(Value::to_string).collect();
        assert!(asked[0].contains("Goal brief") && !asked[0].contains("40vp"), "{}", asked[0]);
        assert!(asked[2].contains("40vp"), "the rework order does not reach the model");

        let second = dispatch(&workspace, 2);
        assert_eq!(second["agent"]["resumed"], true);
        assert_eq!(second["agent"]["session"], run["session"]);
        assert!(asked[2].contains("I measured it"), "the session did not go on");
        assert_eq!(second["base"], first["head"]);
        let app = ".xtask/apps/app";
        let head = second["head"].as_str().unwrap();
        let files = workspace.git(app, &["ls-tree", "-r", "--name-only", head]);
        assert_eq!(files, "entry/size.txt\nentry/test/Size.test.ets");
        let author = workspace.git(app, &["log", "-1", "--format=%an %(trailers:key=Delivery-Round)", head]);
        assert_eq!(author, "Delivery Pipeline Delivery-Round: 2");
        no_path_of_this_machine(&workspace);
        recomputed_by_the_second_verifier(&workspace);
        assert!(!workspace.has("home/.local"), "the agent was in the user's home");
    }
}

fn recomputed_by_the_second_verifier(workspace: &Workspace) {
    let output = std::process::Command::new("python3")
        .arg(repository().join("tools/verify.py"))
        .args(["delivery", "deliveries/size"])
        .current_dir(workspace.root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

fn no_path_of_this_machine(workspace: &Workspace) {
    let root = workspace.root().to_str().unwrap();
    for (path, bytes) in workspace.tree("deliveries") {
        let is_log = path.contains("/logs/");
        assert!(is_log || !String::from_utf8_lossy(&bytes).contains(root), "{path} names {root}");
    }
}

#[test]
fn each_way_in_which_a_model_fails_has_its_name() {
    for (script, end, status) in [
        (vec![Turn::CutOff("I beg")], "cutOff", None),
        (vec![Turn::Status(400)], "providerError", Some(400)),
        (vec![Turn::Status(401)], "providerError", Some(401)),
        (vec![Turn::Broken], "streamCut", None),
    ] {
        let Some((workspace, _model, outcome)) = one_round(script, PATIENT) else { return };
        outcome.exits(1);
        let dispatch = dispatch(&workspace, 1);
        assert_eq!(dispatch["end"], end, "{dispatch}");
        assert_eq!(dispatch["agent"]["errors"][0]["statusCode"].as_u64(), status, "{dispatch}");
        // However the run ended, what was delivered is judged.
        assert!(workspace.has("deliveries/size/audit-1.json"));
    }
}

/// A provider that is overloaded is asked again without end and without a word, and one that hangs says nothing either.
#[cfg(target_os = "linux")]
#[test]
fn a_model_that_does_not_answer_is_not_waited_for() {
    let cases = [
        (Turn::Status(429), "    timeout: 900s\n    silence: 100s\n", "silent"),
        (Turn::Hang, "    timeout: 100s\n    silence: 900s\n", "timedOut"),
    ];
    let tries = cases.map(|(turn, settings, end)| {
        std::thread::spawn(move || {
            let Some((workspace, model, outcome)) = one_round(vec![turn], settings) else { return };
            outcome.exits(1);
            assert!(!model.requests().is_empty(), "the model was never asked");
            assert_eq!(dispatch(&workspace, 1)["end"], end);
            assert_eq!(workspace.agents_running(), [""; 0]);
        })
    });
    for attempt in tries {
        attempt.join().unwrap();
    }
}

#[test]
fn a_tool_that_fails_does_not_end_the_work() {
    let edit = json!({ "filePath": "entry/size.txt", "oldString": "no such text", "newString": "48" });
    let script = vec![Turn::Call("edit", edit), write("entry/size.txt", "48\n"), Turn::Say("done")];
    let Some((workspace, _model, outcome)) = one_round(script, PATIENT) else { return };
    outcome.exits(0);
    let dispatch = dispatch(&workspace, 1);
    assert_eq!(dispatch["end"], "completed");
    let statuses: Vec<_> =
        dispatch["agent"]["tools"].as_array().unwrap().iter().map(|tool| tool["status"].clone()).collect();
    assert_eq!(statuses, ["error", "completed"]);
}

/// Permissions keep its tools away; what its shell changes is put back, and named.
#[test]
fn an_agent_that_reaches_for_the_pack_gains_nothing() {
    let Some(binary) = opencode(NEAREST) else { return };
    let workspace = Workspace::for_agent();
    let pack = workspace.root().join("features/size/pack.yaml");
    let (pack, before) = (pack.to_str().unwrap(), workspace.read("features/size/pack.yaml"));
    let forged = "deliveries/size/round-1/checks.yaml";
    let checks = workspace.root().join(forged);
    let python = format!(
        "python3 -c \"p='{pack}'; t=open(p).read().replace('expected: 48','expected: 4'); open(p,'w').write(t); \
         open('{}','w').write('checks: []'); open('spec/size/spec.md','a').write('easier'); \
         open('entry/test/Size.test.ets','w').write('')\"",
        checks.to_str().unwrap()
    );
    let model = Model::with(vec![
        write(pack, "criteria: []\n"),
        write("spec/size/spec.md", "all is well\n"),
        write("entry/test/Size.test.ets", "\n"),
        shell(&python),
        write("entry/size.txt", "48\n"),
        Turn::Say("done"),
        write("entry/size.txt", "50\n"),
        Turn::Say("done, and nothing else touched"),
    ]);
    workspace.asking(&model, &binary, &["deliver", "size"]).run().exits(0);
    let first = dispatch(&workspace, 1);
    let statuses: Vec<_> =
        first["agent"]["tools"].as_array().unwrap().iter().map(|tool| tool["status"].clone()).collect();
    assert_eq!(statuses, ["error", "error", "error", "completed", "completed"], "{first}");
    assert_eq!(
        first["protectedChanged"],
        json!([
            { "path": "spec/size/spec.md", "place": "app", "change": "changed" },
            { "path": "entry/test/Size.test.ets", "place": "app", "change": "changed" },
            { "path": forged, "place": "root", "change": "added" },
            { "path": "features/size/pack.yaml", "place": "root", "change": "changed" },
        ])
    );
    assert_eq!(workspace.read("features/size/pack.yaml"), before);
    assert!(!workspace.has(forged));
    // The criterion holds, and the delivery is not accepted all the same.
    let rework = workspace.read("deliveries/size/rework-1.md");
    for named in ["E_PROTECTED_CHANGED", "features/size/pack.yaml", "entry/test/Size.test.ets", forged] {
        assert!(rework.contains(named), "{named} is not in {rework}");
    }
    let brief = workspace.read("deliveries/size/round-2/brief.md");
    assert!(brief.contains("E_PROTECTED_CHANGED"), "{brief}");
    recomputed_by_the_second_verifier(&workspace);
    let test = workspace.git(
        ".xtask/apps/app",
        &["show", &format!("{}:entry/test/Size.test.ets", first["head"].as_str().unwrap())],
    );
    assert_eq!(test, "it('is large', 0, () => {})");
}

/// An app may bring settings of its own. They leave nothing to ask either.
#[test]
fn nothing_is_left_to_ask() {
    let Some(binary) = opencode(NEAREST) else { return };
    let workspace = Workspace::for_agent();
    workspace.write("app/opencode.json", "{ \"permission\": { \"edit\": \"ask\", \"bash\": \"ask\" } }\n");
    let model = Model::with(vec![shell("echo hello"), write("entry/size.txt", "48\n"), Turn::Say("done")]);
    workspace.asking(&model, &binary, &["deliver", "size"]).run().exits(0);
    assert_eq!(dispatch(&workspace, 1)["end"], "completed");
}

#[test]
fn an_agent_that_the_program_does_not_know_is_named() {
    let settings = format!("{PATIENT}    agent: nobody\n");
    let Some((workspace, _model, outcome)) = one_round(vec![Turn::Say("done")], &settings) else { return };
    outcome.exits(1);
    assert_eq!(dispatch(&workspace, 1)["end"], "wrongAgent");
}

#[test]
fn a_budget_ends_the_work() {
    for (budget, end) in
        [("steps: 2", "overSteps"), ("tokens: 2500", "overTokens"), ("cost: 0.0015", "overCost")]
    {
        let settings = format!("{PATIENT}    budget: {{ {budget} }}\n");
        // The last turn is repeated for ever.
        let Some((workspace, _model, outcome)) = one_round(vec![shell("echo again")], &settings) else {
            return;
        };
        outcome.exits(1);
        assert_eq!(dispatch(&workspace, 1)["end"], end);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipeline_that_is_killed_loses_nothing_and_leaves_nothing() {
    let Some(binary) = opencode(NEAREST) else { return };
    let workspace = Workspace::for_agent();
    let model = Model::with(vec![write("entry/size.txt", "40\n"), Turn::Say("done"), Turn::Hang]);
    let mut child = workspace
        .asking(&model, &binary, &["deliver", "size"])
        .command()
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while model.requests().len() < 3 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before the second round hung");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let first = dispatch(&workspace, 1);
    assert!(!workspace.agents_running().is_empty(), "nothing was left running, so nothing is shown here");
    model.now(vec![write("entry/size.txt", "48\n"), Turn::Say("done")]);
    workspace.asking(&model, &binary, &["deliver", "size"]).run().exits(0);
    assert_eq!(workspace.agents_running(), [""; 0]);
    assert_eq!(dispatch(&workspace, 1), first);
    let second = dispatch(&workspace, 2);
    assert_eq!(second["base"], first["head"]);
    assert_eq!(second["agent"]["resumed"], Value::Null, "half a session was gone on with");
    assert_eq!(workspace.git(".xtask/apps/app", &["worktree", "list"]).lines().count(), 2);
}
