//! What an agent, an author in a hurry, or a broken tool could do to get a pass that is none.

use crate::support::Workspace;

const DISPLAY: &str = "deliveries/login-page/round-1/evidence/display.txt";

/// The sample after its first round.
fn after_one_round() -> Workspace {
    let workspace = Workspace::sample();
    workspace.remove("features/login-page/recorded/round-2.patch");
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    workspace
}

fn delivered() -> Workspace {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    workspace
}

#[test]
fn a_density_that_was_changed_is_found_even_if_nobody_names_it() {
    let workspace = Workspace::sample();
    workspace.remove("features/login-page/recorded/round-2.patch");
    let checks = "features/login-page/recorded/round-1/checks.lin.yaml";
    let unnamed: Vec<String> = workspace
        .read(checks)
        .lines()
        .filter(|line| !line.contains("evidenceRefs"))
        .map(str::to_owned)
        .collect();
    workspace.write(checks, &(unnamed.join("\n") + "\n"));
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    workspace.replace(DISPLAY, "3.5", "1.4");
    workspace.xtask(&["audit", "login-page", "--round", "1"]).run().exits(1);
    assert!(workspace.read("deliveries/login-page/audit-1.md").contains("E_EVIDENCE_CHANGED"));
}

#[test]
fn a_density_that_the_agent_could_write_is_none() {
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", "display service: independent", "display service: auxiliary");
    workspace.xtask(&["deliver", "login-page", "--quiet"]).run().exits(1);
    let audit = workspace.json("deliveries/login-page/audit-1.json");
    assert_eq!(audit["scale"], serde_json::json!({}));
}

#[test]
fn evidence_that_changed_pays_no_agent_again() {
    let workspace = after_one_round();
    workspace.replace(DISPLAY, "3.5", "1.4");
    workspace.xtask(&["deliver", "login-page"]).run().exits(6).says("E_EVIDENCE_CHANGED");
    assert!(!workspace.has("deliveries/login-page/round-2"));
}

#[test]
fn a_record_that_was_edited_is_found() {
    for (record, from, to) in [
        ("dispatch.json", "\"replayed\": true", "\"replayed\": false"),
        ("evidence.json", "\"recorded\": true", "\"recorded\": false"),
    ] {
        let workspace = delivered();
        let path = format!("deliveries/login-page/round-1/{record}");
        workspace.replace(&path, from, to);
        for command in [
            &["deliver", "login-page"][..],
            &["audit", "login-page", "--round", "1"],
            &["report", "login-page"],
        ] {
            workspace.xtask(command).run().exits(6).says("E_RECORD_CHANGED").says(&path);
        }
    }
}

#[test]
fn a_record_that_cannot_be_read_is_a_finding() {
    let workspace = delivered();
    workspace.remove("deliveries/login-page/state.json");
    workspace.write("deliveries/login-page/round-1/dispatch.json", "{");
    let outcome = workspace.xtask(&["deliver", "login-page"]).run().exits(6).says("E_ARTIFACT_BROKEN");
    assert!(!outcome.stderr.contains(workspace.root().to_str().unwrap()), "{}", outcome.stderr);
}

#[test]
fn a_lock_that_was_removed_is_no_way_around_a_reason() {
    let workspace = delivered();
    workspace.replace("features/login-page/pack.yaml", "expected: 800", "expected: 9000");
    workspace.remove("deliveries/login-page/pack.lock.json");
    workspace.xtask(&["deliver", "login-page"]).run().exits(6).says("E_PACK_DRIFT");
    workspace.xtask(&["freeze", "login-page", "--reason", "slower devices"]).run().exits(0);
    let lock = workspace.json("deliveries/login-page/pack.lock.json");
    assert_eq!(lock["history"][0]["reason"], "slower devices");
}

#[test]
fn a_review_cannot_be_walked_around() {
    let workspace = Workspace::sample();
    let pack = "features/login-page/pack.yaml";
    workspace.replace(
        pack,
        "expected: 800, unit: ms, source: hitrace",
        "expected: 800, unit: ms, source: in-app timer",
    );
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    workspace.xtask(&["brief", "login-page"]).run().exits(3).says("cargo xtask review login-page");
    workspace.xtask(&["review", "login-page"]).run().exits(4);
    workspace.xtask(&["brief", "login-page"]).run().exits(4);
    workspace.xtask(&["dispatch", "login-page"]).run().exits(4);
    assert!(!workspace.has("deliveries/login-page/round-1"));
}

#[test]
fn a_round_is_dispatched_once() {
    let workspace = delivered();
    let app = ".xtask/apps/examples-login-app";
    let head = workspace.git(app, &["rev-parse", "delivery/login-page"]);
    for round in ["1", "2"] {
        workspace.xtask(&["dispatch", "login-page", "--round", round]).run().exits(3).says("E_ROUND_OVER");
    }
    assert_eq!(workspace.git(app, &["rev-parse", "delivery/login-page"]), head);
}

#[test]
fn the_report_of_one_round_is_not_that_of_another() {
    let workspace = delivered();
    let before = workspace.tree("deliveries");
    workspace.xtask(&["report", "login-page", "--round", "1"]).run().exits(1);
    assert!(before == workspace.tree("deliveries"));
}

#[test]
fn what_was_accepted_under_another_pack_is_not_shown_as_accepted() {
    let workspace = delivered();
    workspace.replace("features/login-page/pack.yaml", "expected: 800", "expected: 700");
    workspace.xtask(&["freeze", "login-page", "--reason", "tighter"]).run().exits(0);
    assert!(!workspace.has("deliveries/login-page/acceptance.md"));
    assert!(!workspace.has("deliveries/login-page/acceptance.json"));
}

#[test]
fn what_is_held_out_stays_out_of_the_brief() {
    let workspace = Workspace::sample();
    let pack = "features/login-page/pack.yaml";
    workspace.replace(pack, "    ruleId: DW-PERF-01\n", "    ruleId: DW-PERF-01\n    heldOut: true\n");
    workspace.replace(pack, "冷启动到首帧 ≤ 800ms (cold start to first frame ≤ 800ms)", "冷启动要快");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    for name in
        ["spec.md", "round-1/brief.md", "round-1/brief.json", "round-2/brief.md", "round-2/brief.json"]
    {
        let text = workspace.read(&format!("deliveries/login-page/{name}"));
        for secret in ["800", "1200ms", "1.2s", "bufferAvailable:0"] {
            assert!(!text.contains(secret), "{name} tells {secret}");
        }
    }
    assert!(workspace.read("deliveries/login-page/audit-1.md").contains("1200ms"));
}

/// The specification is the agent's to read, and says what was loosened.
#[test]
fn what_is_held_out_stays_out_of_the_history_of_the_specification() {
    let workspace = Workspace::sample();
    let pack = "features/login-page/pack.yaml";
    workspace.replace(pack, "    ruleId: DW-PERF-01\n", "    ruleId: DW-PERF-01\n    heldOut: true\n");
    workspace.replace(pack, "冷启动到首帧 ≤ 800ms (cold start to first frame ≤ 800ms)", "冷启动要快");
    workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    workspace.replace(pack, "expected: 800", "expected: 900");
    workspace.xtask(&["freeze", "login-page", "--reason", "the old device is slower"]).run().exits(0);
    let spec = workspace.read("deliveries/login-page/spec.md");
    assert!(spec.contains("loosened: P-01"), "{spec}");
    assert!(!spec.contains("800") && !spec.contains("900"), "{spec}");
}

#[test]
fn a_collector_that_fails_costs_no_round() {
    for (run, word) in [
        ("import sys; print('device offline', file=sys.stderr); sys.exit(3)", "device offline"),
        ("pass", "display.txt"),
        ("import time; time.sleep(600)", "2 s"),
        ("import os, sys; os.symlink('/etc/hosts', sys.argv[1])", "display.txt"),
        ("import os, sys; os.mkdir(sys.argv[1])", "display.txt"),
    ] {
        let workspace = with_display_collector(run);
        let outcome =
            workspace.xtask(&["deliver", "login-page", "--quiet"]).run().exits(7).says("E_COLLECTOR_FAILED");
        assert!(outcome.stderr.contains(word), "{run}: {}", outcome.stderr);
        let evidence = workspace.json("deliveries/login-page/round-1/evidence.json");
        let entry = &evidence["collected"][1];
        assert_eq!(entry["collector"], "display");
        assert!(entry["failure"].is_string(), "{entry}");
        assert!(!workspace.has("deliveries/login-page/round-2"));
    }
}

/// The sample whose display is dumped by a Python line that gets the output's path.
fn with_display_collector(line: &str) -> Workspace {
    let workspace = Workspace::sample();
    let copy = "copy: features/{feature}/recorded/round-{round}/display.txt";
    let run = format!("run: [python3, -c, \"{line}\", \"{{output}}\"]\n    timeout: 2s");
    workspace.replace("pipeline.yaml", copy, &run);
    workspace
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_file_is_not_read() {
    let workspace = with_display_collector("import os, sys; os.mkfifo(sys.argv[1])");
    workspace.xtask(&["deliver", "login-page", "--quiet"]).run().exits(7).says("E_COLLECTOR_FAILED");
}

#[test]
fn a_collector_that_recovers_is_asked_again() {
    let line = "import shutil, sys; shutil.copy('{root}/features/login-page/recorded/round-1/display.txt', sys.argv[1])";
    let workspace = with_display_collector(line);
    workspace.replace("pipeline.yaml", "recorded/round-1/display.txt", "recorded/not-yet.txt");
    workspace.remove("features/login-page/recorded/round-2.patch");
    workspace.xtask(&["deliver", "login-page"]).run().exits(7);
    workspace.write(
        "features/login-page/recorded/not-yet.txt",
        &workspace.read("features/login-page/recorded/round-1/display.txt"),
    );
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    assert_eq!(workspace.json("deliveries/login-page/audit-1.json")["scale"]["density"], "3.5");
}

#[cfg(unix)]
#[test]
fn a_recorded_file_that_is_a_link_is_not_followed() {
    let workspace = Workspace::sample();
    let path = "features/login-page/recorded/round-1/display.txt";
    workspace.remove(path);
    std::os::unix::fs::symlink("/etc/hosts", workspace.root().join(path)).unwrap();
    workspace.xtask(&["deliver", "login-page"]).run().exits(7).says("E_COLLECTOR_FAILED");
}

#[cfg(unix)]
#[test]
fn a_delivery_that_is_a_link_is_refused() {
    let workspace = Workspace::sample();
    workspace.write("elsewhere/keep", "");
    workspace.write("deliveries/keep", "");
    std::os::unix::fs::symlink(
        workspace.root().join("elsewhere"),
        workspace.root().join("deliveries/login-page"),
    )
    .unwrap();
    workspace.xtask(&["deliver", "login-page"]).run().exits(3).says("E_PATH_UNSAFE");
    assert_eq!(workspace.tree("elsewhere").len(), 1);
}

/// The worktree is the agent's; what stands above it and the repository behind it are not.
#[test]
fn an_agent_that_leaves_its_branch_delivers_nothing() {
    for script in [
        "import os\nos.remove('.git')\nopen('x.txt', 'w').write('x')\n",
        "import os, subprocess\nos.remove('.git')\nsubprocess.run(['git', 'init', '-q'], check=True)\n",
        "import subprocess\nsubprocess.run(['git', 'checkout', '-q', '--orphan', 'other'], check=True)\n",
        "import subprocess\nsubprocess.run(['git', 'checkout', '-q', '--detach'], check=True)\n",
    ] {
        let workspace = Workspace::with_script(script, "");
        workspace.git(".", &["init", "-q", "-b", "main"]);
        workspace.git(".", &["add", "--all"]);
        workspace.git(".", &["commit", "-qm", "the team's own"]);
        let before = workspace.git(".", &["rev-parse", "HEAD"]);
        workspace.xtask(&["deliver", "login-page"]).run().exits(6).says("E_WORKTREE_LEFT");
        assert_eq!(workspace.git(".", &["rev-parse", "HEAD"]), before, "{script}");
        assert!(!workspace.has("deliveries/login-page/round-1/dispatch.json"));
    }
}

#[test]
fn a_hook_that_the_agent_brings_does_not_run() {
    let script = "import os\nfor name in ['post-commit', 'pre-commit', 'post-checkout']:\n    for folder in ['.no-hooks', '.hooks', 'hooks']:\n        os.makedirs(folder, exist_ok=True)\n        path = f'{folder}/{name}'\n        open(path, 'w').write('#!/bin/sh\\ntouch \"$(git rev-parse --show-toplevel)/../HOOKED\"\\n')\n        os.chmod(path, 0o755)\n";
    let workspace = Workspace::with_script(script, "");
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    assert!(!workspace.has(".xtask/worktrees/HOOKED"));
}

/// A filter is a program, and git would start it when the work is over: it runs neither then nor in a later round.
#[test]
fn a_filter_that_the_agent_brings_does_not_run() {
    let script = "\
import pathlib, subprocess
root = pathlib.Path(__file__).parent
plant = root / '.xtask/plant.py'
plant.write_text('import pathlib, sys\\n(pathlib.Path(__file__).parent / \"FILTERED\").touch()\\nsys.stdout.write(\"planted\")\\n')
for name in ['x', 'a=b']:
    for key in ['clean', 'smudge', 'process']:
        subprocess.run(['git', 'config', f'filter.{name}.{key}', f'python3 {plant}'], check=True)
    subprocess.run(['git', 'config', f'filter.{name}.required', 'true'], check=True)
pathlib.Path('.gitattributes').write_text('*.txt filter=x\\n*.md filter=a=b\\n')
for name in ['work.txt', 'work.md']:
    pathlib.Path(name).write_text('done\\n')
";
    let workspace = Workspace::with_script(script, "");
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    assert!(!workspace.has(".xtask/FILTERED"));
    let head = workspace.json("deliveries/login-page/round-1/dispatch.json")["head"].clone();
    for name in ["work.txt", "work.md"] {
        let name = format!("{}:{name}", head.as_str().unwrap());
        assert_eq!(workspace.git(".xtask/apps/examples-login-app", &["show", &name]).trim(), "done");
    }
}

#[test]
fn a_secret_reaches_no_log() {
    let workspace = Workspace::with_script(
        "import os\nprint('token=' + os.environ['MY_TOKEN'] * 2)\n",
        "    env: [MY_TOKEN]\n",
    );
    workspace.xtask(&["deliver", "login-page"]).env("MY_TOKEN", "s3cr3t-value").run().exits(1);
    for (path, bytes) in workspace.tree("deliveries") {
        assert!(!String::from_utf8_lossy(&bytes).contains("s3cr3t-value"), "{path}");
    }
    assert!(
        workspace.read("deliveries/login-page/round-1/logs/dispatch.log").contains("token=[secret][secret]")
    );
}

#[test]
fn a_secret_in_what_is_delivered_reaches_no_record() {
    let script = "\
import os, pathlib
token = os.environ['MY_TOKEN']
for name in [f'{token}.txt', f'tests/{token}.ets']:
    path = pathlib.Path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(f\"xit('{'x' * 185}{token}')\\n\")
";
    let workspace = Workspace::with_script(script, "    env: [MY_TOKEN]\n");
    workspace.xtask(&["deliver", "login-page"]).env("MY_TOKEN", "s3cr3t-value").run().exits(1);
    for (path, bytes) in workspace.tree("deliveries") {
        assert!(!String::from_utf8_lossy(&bytes).contains("s3cr3t"), "{path}");
    }
    let dispatch = workspace.json("deliveries/login-page/round-1/dispatch.json");
    assert_eq!(dispatch["changed"][0]["path"], "[secret].txt");
    assert_eq!(dispatch["tests"]["skipped"][0]["path"], "tests/[secret].ets");
    workspace.xtask(&["verify", "login-page"]).run().exits(0);
}

#[test]
fn a_variable_that_nobody_named_is_not_seen() {
    let workspace =
        Workspace::with_script("import os\nprint('seen' if 'MY_TOKEN' in os.environ else 'unseen')\n", "");
    workspace.xtask(&["deliver", "login-page"]).env("MY_TOKEN", "s3cr3t-value").run().exits(1);
    assert!(workspace.read("deliveries/login-page/round-1/logs/dispatch.log").contains("unseen"));
}

/// Work on a branch that was made for something else is kept, and is not taken for this round's.
#[test]
fn an_old_branch_is_not_new_work() {
    let workspace = delivered();
    let app = ".xtask/apps/examples-login-app";
    let old = workspace.git(app, &["rev-parse", "delivery/login-page"]);
    workspace.remove("deliveries");
    workspace.replace("pipeline.yaml", "executor: recorded\n", "executor: person\n");
    workspace.xtask(&["deliver", "login-page"]).run().exits(5);
    workspace.xtask(&["deliver", "login-page"]).run().exits(5);
    let kept = workspace.git(app, &["for-each-ref", "--format=%(objectname)", "refs/heads/kept/"]);
    assert_eq!(kept, old);
}

#[test]
fn two_collectors_do_not_share_a_file() {
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", "output: display.txt", "output: Layout.json");
    workspace.xtask(&["deliver", "login-page"]).run().exits(3).says("E_ID_DUPLICATE").says("pipeline.yaml:");
}

#[test]
fn text_from_outside_is_no_markup() {
    let workspace = Workspace::sample();
    let hostile = r##"" # <script>alert(1)</script> | `x` {{ 7 * 7 }} [a](javascript:b) \u200Devil\n## heading\n- item""##;
    let pack = "features/login-page/pack.yaml";
    workspace.replace(pack, "Both input fields are 48vp high.", "PLACE");
    workspace.replace(pack, "statement: PLACE", &format!("statement: {hostile}"));
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    for name in ["spec.md", "audit-1.md", "acceptance.md", "round-1/brief.md"] {
        let text = workspace.read(&format!("deliveries/login-page/{name}"));
        let unfenced = crate::support::unfenced(&text);
        for markup in ["<script", "\n## heading", "\n- item", "[a](javascript"] {
            assert!(!unfenced.contains(markup), "{name} holds {markup:?}:\n{unfenced}");
        }
        assert!(!text.contains('\u{200d}'), "{name}");
        // The acceptance report tells only the statements that people judged.
        assert!(name == "acceptance.md" || text.contains("{{ 7 "), "{name} took the text for a template");
    }
}

#[test]
fn text_that_is_turned_around_is_refused_and_named() {
    let workspace = Workspace::sample();
    let pack = "features/login-page/pack.yaml";
    workspace.replace(
        pack,
        "Both input fields are 48vp high.",
        "\"Both input fields are \\u202Epv84 high.\"",
    );
    workspace.xtask(&["deliver", "login-page"]).run().exits(4).says("E_TEXT_INVISIBLE");
    for name in ["spec.md", "review.md"] {
        let text = workspace.read(&format!("deliveries/login-page/{name}"));
        assert!(!text.contains('\u{202e}') && text.contains("U+202E"), "{name}:\n{text}");
    }
}

#[test]
fn a_usage_error_is_json_where_json_was_asked_for() {
    let workspace = Workspace::sample();
    for arguments in [&["--json", "bogus"][..], &["deliver", "--json"]] {
        let json = workspace.xtask(arguments).run().exits(2).json();
        assert_eq!(json["ending"], "usage");
    }
}
