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

/// Neither what makes git take a file for binary, nor many other files, hide what became of a test.
#[test]
fn tests_that_are_gone_or_skipped_cannot_be_hidden() {
    let binary = "open('entry/test/Size.test.ets', 'a').write(chr(0) + chr(10))\n";
    let attributes = "open('.gitattributes', 'w').write('* -diff\\n')\n";
    let info = "git = subprocess.run(['git', 'rev-parse', '--git-common-dir'], capture_output=True, text=True).stdout.strip()\n\
                os.makedirs(git + '/info', exist_ok=True)\nopen(git + '/info/attributes', 'w').write('* -diff\\n')\n";
    let many = "os.makedirs('a/test')\nfor i in range(250):\n    open(f'a/test/{i}', 'w').write(\"xit('is new')\\n\")\n";
    for hidden in ["", binary, attributes, info, many] {
        let workspace = fake(&format!(
            "open('entry/test/Size.test.ets', 'w').write(\"xit('is large', 0, () => {{}})\\n\")\nos.remove('entry/test/Gone.test.ets')\n{hidden}{STOP}"
        ));
        workspace.replace("pipeline.yaml", "protect: [entry/test]\n", "");
        let test = "it('is large', 0, () => {})\n";
        for name in ["Gone", "Size"] {
            workspace.write(&format!("app/entry/test/{name}.test.ets"), test);
        }
        let tests = delivered(&workspace, 1)["tests"].clone();
        let size = "entry/test/Size.test.ets";
        assert_eq!(tests["deleted"], json!(["entry/test/Gone.test.ets"]), "{hidden}");
        assert_eq!(
            (&tests["removed"][0]["path"], &tests["skipped"][0]["path"]),
            (&json!(size), &json!(size))
        );
    }
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

/// An agent that kills its pipeline keeps the guard from putting anything back, and gains nothing by it.
#[test]
fn what_was_planted_while_the_pipeline_was_killed_is_found_by_the_next_run() {
    let workspace = fake(&format!(
        "open('entry/size.txt', 'w').write('48')\nroot = os.environ['PLANT']\nmark = root + '/.xtask/killed'\n\
         if not os.path.exists(mark):\n    open(mark, 'w').write('')\n\
         \x20   open(root + '/features/size/waivers.yaml', 'w').write('[]')\n\
         \x20   open(root + '/pipeline.yaml', 'a').write('# easier\\n')\n    os.kill(int(os.environ['PIPELINE']), 9)\n    time.sleep(600)\n{STOP}"
    ));
    let script = workspace.read("bin/opencode");
    let root = workspace.root().to_str().unwrap().to_owned();
    // The pipeline is the only one of its name that holds the feature.
    let script = script.replace("os.environ['PLANT']", &format!("{root:?}")).replace(
        "os.environ['PIPELINE']",
        "__import__('json').load(open(root + '/.xtask/locks/size.holder.json'))['process']",
    );
    workspace.write("bin/opencode", &script);
    assert_eq!(workspace.xtask(&["deliver", "size"]).run().code(), None);
    assert!(workspace.has(".xtask/guard/size.json"));
    for command in [&["deliver", "size"][..], &["evidence", "size", "--round", "1"]] {
        let outcome = workspace.xtask(command).run().exits(6).says("E_PROTECTED_CHANGED");
        outcome.says("features/size/waivers.yaml").says("pipeline.yaml").says("git restore");
    }
    workspace.remove("features/size/waivers.yaml");
    workspace.replace("pipeline.yaml", "# easier\n", "");
    assert_eq!(delivered(&workspace, 0)["end"], "completed");
    assert!(!workspace.has(".xtask/guard/size.json"));
}

/// What belongs to another feature is no agent's, either; only a run of that feature writes there.
#[test]
fn what_belongs_to_another_feature_is_put_back() {
    let workspace = fake("");
    let root = workspace.root().to_str().unwrap().to_owned();
    workspace.write("features/other/pack.yaml", "feature: other\n");
    workspace.write("deliveries/other/pack.lock.json", "{}\n");
    let planted = [
        "features/other/waivers.yaml",
        "deliveries/other/pack.lock.json",
        "deliveries/other/round-1/checks.yaml",
    ];
    workspace.write(
        "bin/opencode",
        &format!(
            "#!/usr/bin/env python3\nimport os, sys\nif '--version' in sys.argv:\n    print('0.0.0-fake')\n    sys.exit(0)\n\
             open('entry/size.txt', 'w').write('48')\nos.makedirs({root:?} + '/deliveries/other/round-1')\n\
             for path in {planted:?}:\n    open({root:?} + '/' + path, 'w').write('[]')\n{STOP}"
        ),
    );
    let dispatch = delivered(&workspace, 1);
    let changed: Vec<&str> = dispatch["protectedChanged"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["path"].as_str().unwrap())
        .collect();
    for path in planted {
        assert!(changed.contains(&path), "{path}: {changed:?}");
        assert_eq!(workspace.read(&format!(".xtask/put-back/size/{path}")), "[]");
    }
    assert_eq!(changed.len(), planted.len());
    assert_eq!(workspace.read("deliveries/other/pack.lock.json"), "{}\n");
    assert!(workspace.read("deliveries/size/audit-1.md").contains("E_PROTECTED_CHANGED"));
}

/// The programs that measure decide as much as the pipeline's file does.
#[test]
fn what_measures_is_put_back() {
    let workspace = fake("");
    let root = workspace.root().to_str().unwrap().to_owned();
    workspace.write("tools/lib/scale.py", "SCALE = 1\n");
    workspace.write("entry/test/Kept.test.ets", "it('is kept', 0, () => {})\n");
    let measure = workspace.read("measure.py");
    let planted = ["entry/test/Kept.test.ets", "measure.py", "tools/lib/more.py", "tools/lib/scale.py"];
    workspace.write(
        "bin/opencode",
        &format!(
            "#!/usr/bin/env python3\nimport os, sys\nif '--version' in sys.argv:\n    print('0.0.0-fake')\n    sys.exit(0)\n\
             for path in {planted:?}:\n    open({root:?} + '/' + path, 'w').write('48')\n{STOP}"
        ),
    );
    let dispatch = delivered(&workspace, 1);
    let changes = dispatch["protectedChanged"].as_array().unwrap();
    let changed: Vec<&str> = changes.iter().map(|change| change["path"].as_str().unwrap()).collect();
    assert_eq!(changed, planted);
    assert_eq!(workspace.read("measure.py"), measure);
    assert!(!workspace.has("tools/lib/more.py"));
}

/// Where two agents work at a time, what either changes is named of both, and put back to what it was before both.
#[test]
fn what_one_of_two_agents_changed_is_named_of_both() {
    let workspace = fake("");
    let root = workspace.root().to_str().unwrap().to_owned();
    workspace.write(
        "features/other/pack.yaml",
        &workspace.read("features/size/pack.yaml").replace("feature: size", "feature: other"),
    );
    let template = workspace.read("templates/en/brief.md.tera");
    // Each waits for the other; the guilty one changes the template, and stays until the other is gone.
    workspace.write(
        "bin/opencode",
        &format!(
            "#!/usr/bin/env python3\nimport os, sys, time\nif '--version' in sys.argv:\n    print('0.0.0-fake')\n    sys.exit(0)\n\
             def wait(path):\n    while not os.path.exists(path): time.sleep(0.02)\n\
             root = {root:?}; mine = 'other' if '/other' in os.getcwd() else 'size'\n\
             open('entry/size.txt', 'w').write('48'); open(root + '/at-work-' + mine, 'w').write('')\n\
             wait(root + '/at-work-' + ('size' if mine == 'other' else 'other'))\n\
             if mine == 'other':\n    open(root + '/templates/en/brief.md.tera', 'w').write('easier'); open(root + '/changed', 'w').write('')\n    wait(root + '/deliveries/size/round-1/dispatch.json')\n\
             wait(root + '/changed')\n{STOP}"
        ),
    );
    workspace
        .xtask(&["deliver", "--all", "--jobs", "2", "--keep-going"])
        .run()
        .exits(1)
        .says("one of other, size");
    for feature in ["size", "other"] {
        let dispatch = workspace.json(&format!("deliveries/{feature}/round-1/dispatch.json"));
        assert_eq!(dispatch["protectedChanged"][0]["path"], "templates/en/brief.md.tera", "{feature}");
    }
    assert_eq!(workspace.read("templates/en/brief.md.tera"), template);
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
