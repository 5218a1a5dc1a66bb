//! What a real agent cannot be made to do on demand: a fake program in its place does it.

#![cfg(target_os = "linux")]

use serde_json::{Value, json};

use crate::support::Workspace;

const STOP: &str = r#"print('{"type":"step_finish","part":{"reason":"stop"}}', flush=True)
"#;

/// Says its version when asked, and then does something.
fn fake(script: &str) -> Workspace {
    Workspace::for_fake_agent(&format!(
        "import os, sys, time, subprocess, signal\nif '--version' in sys.argv:\n    print('0.0.0-fake')\n    sys.exit(0)\n\
         brief = sys.stdin.read()\n{script}"
    ))
}

fn delivered(workspace: &Workspace, exit: i32) -> Value {
    workspace.xtask(&["deliver", "size"]).run().exits(exit);
    workspace.json("deliveries/size/round-1/dispatch.json")
}

#[test]
fn a_refusal_ends_the_work() {
    let workspace = fake(
        r#"
print('{"type":"step_finish","part":{"reason":"tool-calls"}}')
print('{"type":"tool_use","part":{"tool":"bash","state":{"status":"error","error":"The user rejected permission to use this specific tool call."}}}')
"#,
    );
    assert_eq!(delivered(&workspace, 1)["end"], "refused");
}

#[test]
fn noise_is_counted_and_passed_over() {
    let noise = r#"
sys.stdout.buffer.write(b'\xff\xfe not text\n{"type":"text"\n[1, 2]\n\x1b[31mred\n')
sys.stdout.buffer.write(b'{"type":"text","part":{"text":"done \xff"}}\n')
sys.stdout.flush()
"#;
    let workspace = fake(&format!("{noise}{STOP}"));
    let dispatch = delivered(&workspace, 1);
    assert_eq!(dispatch["end"], "completed");
    assert_eq!(dispatch["agent"]["noise"], 4);
    assert_eq!(dispatch["agent"]["version"], "0.0.0-fake");
}

#[test]
fn the_brief_comes_in_and_the_home_is_its_own() {
    let workspace = fake(&format!(
        "open('entry/BRIEF', 'w').write(brief)\nopen('entry/SPEC', 'w').write(open('spec/size/spec.md').read())\n\
         open('entry/HOME', 'w').write(os.listdir(os.environ['HOME'])[0] + os.environ['OPENCODE_PERMISSION'])\n{STOP}"
    ));
    workspace.write("home/.local/share/opencode/auth.json", "{}");
    let home = workspace.root().join("home");
    workspace.xtask(&["deliver", "size"]).env("HOME", home.to_str().unwrap()).run().exits(1);
    let dispatch = workspace.json("deliveries/size/round-1/dispatch.json");
    let show = |file: &str| {
        let head = dispatch["head"].as_str().unwrap();
        workspace.git(".xtask/apps/app", &["show", &format!("{head}:entry/{file}")])
    };
    assert_eq!(show("BRIEF"), workspace.read("deliveries/size/round-1/brief.md").trim());
    assert_eq!(show("SPEC"), workspace.read("deliveries/size/spec.md").trim());
    let seen = show("HOME");
    assert!(seen.starts_with(".local{") && !seen.contains(r#":"ask""#), "{seen}");
    assert!(seen.contains(r#""spec/size/spec.md":"deny""#), "{seen}");
}

#[test]
fn what_swallows_sigterm_and_what_leaves_its_group_is_ended() {
    let workspace = fake(
        r#"
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], start_new_session=True)
time.sleep(600)
"#,
    );
    workspace.replace("pipeline.yaml", "    silence: 300s\n", "    silence: 2s\n");
    assert_eq!(delivered(&workspace, 1)["end"], "silent");
    assert_eq!(workspace.agents_running(), [""; 0]);
}

#[test]
fn a_commit_of_the_agent_is_taken_into_the_pipelines_own() {
    let workspace = fake(&format!(
        "open('entry/size.txt', 'w').write('48')\nopen('.gitignore', 'w').write('out\\n')\n\
         os.makedirs('out/deep'); open('out/deep/a', 'w').write('a')\n\
         subprocess.run('git add -A && git -c user.name=Me -c user.email=me@x commit -qm mine', shell=True, check=True)\n\
         open('entry/more.txt', 'w').write('more')\n{STOP}"
    ));
    let dispatch = delivered(&workspace, 0);
    let (base, head) = (dispatch["base"].as_str().unwrap(), dispatch["head"].as_str().unwrap());
    let log = workspace.git(".xtask/apps/app", &["log", "--format=%an", &format!("{base}..{head}")]);
    assert_eq!(log, "Delivery Pipeline");
    assert_eq!(dispatch["untracked"], json!(["entry/more.txt"]));
    assert_eq!(dispatch["ignored"], json!(["out/"]));
}

/// What an agent leaves in the repository's own settings reaches no collector: what is measured is the delivered commit.
#[test]
fn the_clean_checkout_holds_the_delivered_commit_and_nothing_else() {
    let workspace = fake(&format!(
        "def git(*words, **more):\n    return subprocess.run(['git', *words], check=True, text=True, capture_output=True, **more).stdout.strip()\n\
         open('entry/size.txt', 'w').write('10\\n')\n\
         git('config', 'filter.x.smudge', 'sed s/10/48/')\n\
         info = os.path.join(git('rev-parse', '--path-format=absolute', '--git-common-dir'), 'info')\n\
         os.makedirs(info, exist_ok=True)\n\
         open(os.path.join(info, 'attributes'), 'w').write('entry/size.txt filter=x\\n')\n\
         better = git('hash-object', '-w', '--stdin', input='48\\n')\n\
         worse = git('hash-object', '-w', '--no-filters', 'entry/size.txt')\n\
         git('replace', worse, better)\ngit('tag', 'delivery/size')\n{STOP}"
    ));
    let dispatch = delivered(&workspace, 1);
    assert_eq!(dispatch["end"], "completed");
    let audit = workspace.read("deliveries/size/audit-1.json");
    assert!(audit.contains("10vp") && !audit.contains("48vp\""), "{audit}");
}

/// A folder above a protected file that became a link leads nowhere: nothing outside the worktree is touched.
#[test]
fn putting_back_follows_no_link() {
    let workspace = fake(&format!(
        "import shutil\nshutil.rmtree('entry')\nos.symlink('../../../outside', 'entry')\n{STOP}"
    ));
    workspace.write("outside/test/Size.test.ets", "precious");
    // What is measured is gone as well, so nothing can be judged.
    workspace.xtask(&["deliver", "size"]).run().exits(7);
    assert_eq!(workspace.read("outside/test/Size.test.ets"), "precious");
}

/// Work that could not be committed is on a branch before the next run begins.
#[test]
fn work_that_was_not_committed_is_kept() {
    let workspace = fake(&format!(
        "first = not os.path.exists('../../../once')\nopen('../../../once', 'w').close()\n\
         open('entry/precious.ets', 'w').write('precious')\n\
         if first:\n    subprocess.run(['git', 'checkout', '-q', '-b', 'feature/size'], check=True)\n{STOP}"
    ));
    workspace.xtask(&["deliver", "size"]).run().exits(6).says("E_WORKTREE_LEFT");
    workspace.xtask(&["deliver", "size"]).run().exits(1);
    let kept =
        workspace.git(".xtask/apps/app", &["show", "kept/delivery/size/uncommitted:entry/precious.ets"]);
    assert_eq!(kept, "precious");
}

#[test]
fn tests_that_are_gone_or_skipped_are_listed() {
    let workspace = fake(&format!(
        "os.remove('entry/test/Size.test.ets')\nopen('entry/ohosTest.test.ets', 'w').write(\"xit('later', 0, () => {{}})\\n\")\n{STOP}"
    ));
    workspace.replace("pipeline.yaml", "protect: [entry/test]\n", "");
    let dispatch = delivered(&workspace, 1);
    assert_eq!(dispatch["tests"]["deleted"], json!(["entry/test/Size.test.ets"]));
    assert_eq!(dispatch["tests"]["skipped"][0]["path"], "entry/ohosTest.test.ets");
    let rework = workspace.read("deliveries/size/rework-1.md");
    assert!(rework.contains("Size.test.ets") && rework.contains("ohosTest.test.ets"), "{rework}");
}

#[test]
fn a_secret_that_the_agent_prints_reaches_no_file() {
    let workspace = fake(&format!(
        "print('{{\"type\":\"text\",\"part\":{{\"text\":\"my key is ' + os.environ['AGENT_KEY'] + '\"}}}}')\n\
         print(os.environ['AGENT_KEY'], file=sys.stderr)\n{STOP}"
    ));
    workspace.replace("pipeline.yaml", "    uses: opencode\n", "    uses: opencode\n    env: [AGENT_KEY]\n");
    workspace.xtask(&["deliver", "size"]).env("AGENT_KEY", "k-s3cr3t-9").run().exits(1);
    for (path, bytes) in workspace.tree("deliveries") {
        assert!(!String::from_utf8_lossy(&bytes).contains("k-s3cr3t-9"), "{path}");
    }
    let dispatch = workspace.json("deliveries/size/round-1/dispatch.json");
    assert_eq!(dispatch["agent"]["claimed"], "my key is [secret]");
}

/// Twenty runs, each with another fault: no process and no worktree is left over, and the workspace goes on working.
#[test]
fn twenty_faults_leave_nothing_behind() {
    const FAULTS: &[&str] = &[
        "sys.exit(3)",
        "os.kill(os.getpid(), 9)",
        "os.abort()",
        "print('x' * 3_000_000)",
        "sys.stdout.buffer.write(os.urandom(100_000))",
        "subprocess.Popen(['sleep', '600'])",
        "subprocess.Popen(['sleep', '600'], start_new_session=True)",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)",
        "os.close(1); os.close(2); time.sleep(600)",
        "open('entry/size.txt', 'w').write('47')",
    ];
    let mut state: u64 = 1;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    };
    let workspace = fake("exec(open(os.path.join(os.path.dirname(sys.argv[0]), 'fault')).read())\n");
    workspace.replace("pipeline.yaml", "    silence: 300s\n", "    silence: 1s\n");
    for run in 0..20 {
        let faults: Vec<&str> = (0..1 + next(3)).map(|_| FAULTS[next(FAULTS.len())]).collect();
        workspace.write("bin/fault", &faults.join("\n"));
        if workspace.has("deliveries") {
            workspace.remove("deliveries");
        }
        workspace.xtask(&["deliver", "size", "--quiet"]).run().exits(1);
        assert_eq!(workspace.agents_running(), [""; 0], "run {run}: {faults:?}");
        let worktrees = workspace.git(".xtask/apps/app", &["worktree", "list"]);
        assert_eq!(worktrees.lines().count(), 2, "run {run}: {faults:?}: {worktrees}");
    }
}
