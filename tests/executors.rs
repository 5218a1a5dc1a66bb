//! Who works: a command, a person, a recording.

use crate::support::Workspace;

#[test]
fn a_command_reads_the_brief_and_its_files_are_committed() {
    // The recorded evidence of round 1 fails whatever the script does.
    let script = "import sys, pathlib\npathlib.Path('BRIEF.txt').write_bytes(sys.stdin.buffer.read())\nprint('done, trust me')\n";
    let workspace = Workspace::with_script(script, "    timeout: 60s\n");
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    let dispatch = workspace.json("deliveries/login-page/round-1/dispatch.json");
    assert_eq!(dispatch["end"], "completed");
    assert_eq!(dispatch["replayed"], false);
    assert_eq!(dispatch["changed"][0]["path"], "BRIEF.txt");
    let head = dispatch["head"].as_str().unwrap();
    let committed = workspace.git(".xtask/apps/examples-login-app", &["show", &format!("{head}:BRIEF.txt")]);
    assert_eq!(committed, workspace.read("deliveries/login-page/round-1/brief.md").trim());
    assert!(workspace.read("deliveries/login-page/round-1/logs/dispatch.log").contains("trust me"));
}

#[test]
fn how_a_run_ends_is_recorded_and_decides_nothing() {
    for (script, end, exit_code) in [
        ("raise SystemExit(9)", "failed", serde_json::json!(9)),
        ("import time; time.sleep(600)", "timedOut", serde_json::Value::Null),
    ] {
        let workspace = Workspace::with_script(script, "    timeout: 2s\n");
        workspace.xtask(&["deliver", "login-page"]).run().exits(1);
        let dispatch = workspace.json("deliveries/login-page/round-1/dispatch.json");
        assert_eq!(dispatch["end"], end);
        assert_eq!(dispatch["exitCode"], exit_code);
        assert!(workspace.has("deliveries/login-page/audit-1.json"));
    }
}

#[test]
fn a_command_that_is_not_installed() {
    let workspace =
        Workspace::with_executor("agent", "  agent:\n    uses: command\n    run: [no-such-agent]\n");
    workspace
        .xtask(&["deliver", "login-page"])
        .run()
        .exits(7)
        .says("E_EXECUTOR_FAILED")
        .says("no-such-agent");
    assert!(!workspace.has("deliveries/login-page/round-1/dispatch.json"));
}

#[test]
fn a_person_is_waited_for_and_their_commit_is_taken_up() {
    let workspace = Workspace::with_executor("person", "");
    workspace.replace("pipeline.yaml", "  max: 3", "  max: 1");
    workspace.xtask(&["deliver", "login-page"]).run().exits(5).says("round-1/brief.md");
    let worktree = ".xtask/worktrees/login-page";
    workspace.write(&format!("{worktree}/WORK.txt"), "half done\n");
    workspace.xtask(&["deliver", "login-page"]).run().exits(5).says("E_APP_DIRTY");
    assert_eq!(workspace.read(&format!("{worktree}/WORK.txt")), "half done\n");
    workspace.git(worktree, &["add", "--all"]);
    workspace.git(worktree, &["commit", "-qm", "work"]);
    let head = workspace.git(worktree, &["rev-parse", "HEAD"]);
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    let dispatch = workspace.json("deliveries/login-page/round-1/dispatch.json");
    assert_eq!(dispatch["head"], head.as_str());
    assert_eq!(dispatch["kind"], "handoff");
}

/// A hand-off that begins anew, because the base moved, takes nothing away that is not committed.
#[test]
fn a_new_hand_off_does_not_lose_what_is_not_committed() {
    let workspace = Workspace::with_executor("person", "");
    workspace.xtask(&["deliver", "login-page"]).run().exits(5);
    let file = ".xtask/worktrees/login-page/WORK.txt";
    workspace.write(file, "half done\n");
    let app = ".xtask/apps/examples-login-app";
    workspace.write(&format!("{app}/MOVED"), "");
    workspace.git(app, &["add", "--all"]);
    workspace.git(app, &["commit", "-qm", "moved"]);
    workspace.xtask(&["deliver", "login-page"]).run().exits(5).says("E_APP_DIRTY");
    assert_eq!(workspace.read(file), "half done\n");
}

/// A person's work is not lost because the lab's machine cleaned the scratch folder.
#[test]
fn a_branch_without_its_worktree_is_work_too() {
    let workspace = Workspace::with_executor("person", "");
    workspace.replace("pipeline.yaml", "  max: 3", "  max: 1");
    workspace.xtask(&["deliver", "login-page"]).run().exits(5);
    let worktree = ".xtask/worktrees/login-page";
    workspace.write(&format!("{worktree}/WORK.txt"), "done\n");
    workspace.git(worktree, &["add", "--all"]);
    workspace.git(worktree, &["commit", "-qm", "work"]);
    let head = workspace.git(worktree, &["rev-parse", "HEAD"]);
    workspace.remove(worktree);
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    assert_eq!(workspace.json("deliveries/login-page/round-1/dispatch.json")["head"], head.as_str());
}

#[test]
fn an_app_that_is_a_repository_of_its_own() {
    let workspace = Workspace::sample();
    workspace.write("app/README", "an app\n");
    workspace.git("app", &["init", "-q", "-b", "trunk"]);
    workspace.git("app", &["add", "--all"]);
    workspace.git("app", &["commit", "-qm", "begin"]);
    workspace.write("app/README", "an app that its owner is working on\n");
    workspace.replace(
        "pipeline.yaml",
        "  seed: examples/login-app\n  base: main",
        "  repository: app\n  base: trunk",
    );
    workspace.replace("pipeline.yaml", "executor: recorded\n", "executor: person\n");
    workspace.xtask(&["deliver", "login-page"]).run().exits(5);
    assert_eq!(workspace.git("app", &["status", "--porcelain"]), "M README");
    assert_eq!(workspace.git("app", &["rev-parse", "--abbrev-ref", "HEAD"]), "trunk");
    // A program would begin without what its owner sees, and wonder.
    workspace.replace("pipeline.yaml", "executor: person\n", "executor: tool\n");
    let tool = "  tool:\n    uses: command\n    run: [git, status]\n  person:\n";
    workspace.replace("pipeline.yaml", "  person:\n", tool);
    workspace.xtask(&["dispatch", "login-page"]).run().exits(5).says("E_APP_DIRTY");
    workspace.git("app", &["stash", "-q"]);
    workspace.xtask(&["dispatch", "login-page"]).run().exits(0);
    workspace.replace("pipeline.yaml", "executor: tool\n", "executor: person\n");
    workspace.remove("deliveries/login-page/round-1/dispatch.json");
    workspace.replace("pipeline.yaml", "  base: trunk", "  base: no-such-branch");
    workspace.xtask(&["dispatch", "login-page"]).run().exits(7).says("E_APP_MISSING").says("no-such-branch");
}
