//! The engine: stages that run when they have to and only then, say why, and several features at a time.

use std::collections::BTreeSet;
use std::process::Stdio;

use crate::support::Workspace;

fn delivered() -> Workspace {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    workspace
}

/// The stages that a call ran, each with its round.
fn ran(workspace: &Workspace, arguments: &[&str]) -> Vec<String> {
    let outcome = workspace.xtask(arguments).run();
    let lines = outcome.stderr.lines().filter_map(|line| line.strip_prefix("login-page  "));
    let steps = lines.filter(|line| line.contains("round") || !line.starts_with("evidence"));
    steps.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn a_changed_file_of_evidence_is_audited_and_reported_again_and_named() {
    let workspace = delivered();
    let file = "deliveries/login-page/round-1/evidence/layout.json";
    let text = workspace.read(file);
    workspace.write(file, &format!("{text} "));
    let explained = workspace.xtask(&["explain", "login-page"]).run().exits(0);
    let named = format!("audit, round 1: out of date\n    input  {file}  ");
    assert!(explained.stdout.contains(&named), "{}", explained.stdout);
    assert_eq!(explained.stdout.matches("out of date").count(), 1, "{}", explained.stdout);
    assert_eq!(ran(&workspace, &["deliver", "login-page", "--json"]), ["audit round 1", "report round 1"]);
}

#[test]
fn a_file_that_is_only_touched_runs_nothing() {
    let workspace = delivered();
    for file in ["deliveries/login-page/round-1/evidence/layout.json", "features/login-page/pack.yaml"] {
        workspace.write(file, &workspace.read(file));
    }
    assert_eq!(ran(&workspace, &["deliver", "login-page"]), [""; 0]);
}

#[test]
fn line_endings_of_what_people_write_are_no_change() {
    let workspace = delivered();
    for (path, bytes) in workspace.tree("templates") {
        let text = String::from_utf8(bytes).unwrap();
        workspace.write(&format!("templates/{path}"), &text.replace('\n', "\r\n"));
    }
    for file in ["features/login-page/pack.yaml", "pipeline.yaml"] {
        workspace.write(file, &workspace.read(file).replace('\n', "\r\n"));
    }
    assert_eq!(ran(&workspace, &["deliver", "login-page"]), [""; 0]);
    workspace.xtask(&["status", "--check"]).run().exits(0);
}

/// A fresh clone knows what is done: everything that is needed to know it is committed.
#[test]
fn a_clone_has_nothing_to_do() {
    let workspace = delivered();
    workspace.remove(".xtask");
    workspace.xtask(&["status", "--check"]).run().exits(0).prints("accepted, round 2");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0).prints("(nothing to do)");
}

#[test]
fn looking_changes_nothing_on_disk() {
    let workspace = delivered();
    workspace.replace("templates/en/audit.md.tera", "#", "# ");
    workspace.write("deliveries/login-page/round-1/.tmp-abc", "half");
    let before = workspace.tree(".");
    for look in [
        &["status"][..],
        &["status", "--check", "--json"],
        &["explain", "login-page"],
        &["explain", "login-page", "audit", "--round", "1", "--json"],
        &["graph", "login-page"],
        &["graph", "--format", "dot"],
        &["deliver", "login-page", "--dry-run"],
        &["check", "login-page"],
        &["clean", "--dry-run"],
    ] {
        workspace.xtask(look).run();
        let after = workspace.tree(".");
        let changed: Vec<&String> = after
            .iter()
            .filter(|file| !before.contains(file) && !file.0.starts_with(".xtask/locks/"))
            .map(|(path, _)| path)
            .collect();
        assert!(changed.is_empty(), "{look:?} wrote {changed:?}");
    }
}

#[test]
fn status_is_a_table_of_features_by_stages() {
    let workspace = delivered();
    workspace.copy_feature("other");
    workspace.replace("templates/en/acceptance.md.tera", "#", "# ");
    insta::assert_snapshot!(workspace.xtask(&["status"]).run().exits(0).stdout);
    let json = workspace.xtask(&["status", "--check", "--json"]).run().exits(1).json();
    assert_eq!(json["stale"], true);
    assert_eq!(json["features"][0]["stages"][6]["standing"], "stale");
    assert_eq!(json["features"][1]["stages"][0]["standing"], "absent");
}

#[test]
fn a_plan_is_shown_before_anything_runs() {
    let workspace = Workspace::sample();
    let before = workspace.tree(".");
    let first = workspace.xtask(&["deliver", "login-page", "--dry-run"]).run().exits(0);
    assert_eq!(first.stdout.matches("runs: it has not run").count(), 7, "{}", first.stdout);
    assert!(before == workspace.tree("."));
    let workspace = delivered();
    workspace.replace("templates/en/audit.md.tera", "#", "# ");
    insta::assert_snapshot!(redacted(
        &workspace.xtask(&["deliver", "login-page", "--dry-run"]).run().exits(0).stdout
    ));
    let json = workspace.xtask(&["deliver", "--all", "--dry-run", "--json"]).run().exits(0).json();
    let actions: Vec<&str> = json["features"][0]["plan"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["action"].as_str().unwrap())
        .collect();
    assert_eq!(
        actions,
        ["skip", "skip", "skip", "skip", "skip", "run", "mayRun", "mayRun", "skip", "skip", "run", "mayRun"]
    );
}

/// Digests of templates change with every edit of them.
fn redacted(text: &str) -> String {
    let is_digest = |word: &str| word.len() == 12 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let line = |line: &str| {
        line.split(' ').map(|word| if is_digest(word) { "…" } else { word }).collect::<Vec<_>>().join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_part_of_the_plan_runs_alone() {
    let workspace = Workspace::sample();
    let until = ran(&workspace, &["deliver", "login-page", "--until", "brief"]);
    assert_eq!(until, ["freeze", "review", "brief round 1"]);
    workspace
        .xtask(&["deliver", "login-page", "--until", "evidence"])
        .run()
        .exits(0)
        .prints("stopped in round 1");
    let from = ran(&workspace, &["deliver", "login-page", "--from", "audit"]);
    assert_eq!(from, ["audit round 1", "report round 1"]);
    // The first round failed, and nothing was dispatched since.
    workspace.xtask(&["deliver", "login-page", "--until", "brief"]).run().exits(1);
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    for (arguments, stages) in [
        (&["--only", "report", "--force"][..], &["report round 1", "report round 2"][..]),
        (&["--force=review"], &["review"]),
        (
            &["--force"],
            &[
                "freeze",
                "review",
                "brief round 1",
                "audit round 1",
                "report round 1",
                "brief round 2",
                "audit round 2",
                "report round 2",
            ],
        ),
    ] {
        let all = [&["deliver", "login-page"], arguments].concat();
        assert_eq!(ran(&workspace, &all), stages, "{arguments:?}");
    }
    for (arguments, said) in [
        (&["--from", "audti"][..], "did you mean audit?"),
        (&["--from", "audit", "--until", "brief"], "brief comes before audit"),
        (&["--only", "a", "--from", "b"], "cannot be used with"),
        (&["--force=dispatch"], "E_ROUND_OVER"),
        (&["--force=evidence", "--until", "review"], "not among the stages to run"),
    ] {
        let all = [&["deliver", "login-page"], arguments].concat();
        workspace.xtask(&all).run().exits(2).says(said);
    }
}

/// The stages of a flow that somebody draws.
#[test]
fn the_graph_is_drawn_in_two_notations() {
    let workspace = delivered();
    workspace.write("deliveries/login-page/review.md", "changed");
    insta::assert_snapshot!(workspace.xtask(&["graph", "login-page"]).run().exits(0).stdout);
    insta::assert_snapshot!(workspace.xtask(&["graph", "--format", "dot"]).run().exits(0).stdout);
}

const STAGES: &str = "stages:\n";

fn with_stage(stage: &str) -> Workspace {
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", STAGES, &format!("{STAGES}{stage}"));
    workspace
}

#[test]
fn a_stage_of_the_teams_own_runs_again_when_what_it_declares_changes() {
    let workspace = with_stage(
        "  - id: count\n    run: [python3, '{root}/count.py', '{feature}']\n    needs: [freeze]\n    \
         inputs: [notes, one.txt]\n    outputs: ['deliveries/{feature}/count.txt']\n    env: [COUNT_FROM]\n",
    );
    workspace.write("notes/a.txt", "a");
    workspace.write("one.txt", "one");
    let script = "import os, sys\nprint('counted', flush=True)\n\
                  open(f'deliveries/{sys.argv[1]}/count.txt', 'w').write(os.environ.get('COUNT_FROM', '0'))\n";
    workspace.write("count.py", script);
    let counted = |from: &str| {
        let outcome = workspace.xtask(&["deliver", "login-page"]).env("COUNT_FROM", from).run().exits(0);
        outcome.stderr.matches("login-page  count").count()
    };
    assert_eq!([counted("1"), counted("1")], [1, 0]);
    assert_eq!([counted("2"), counted("2")], [1, 0]);
    assert_eq!(workspace.read("deliveries/login-page/count.txt"), "2");
    workspace.write("notes/b.txt", "b");
    assert_eq!([counted("2"), counted("2")], [1, 0]);
    workspace.write("one.txt", "two");
    let explained =
        workspace.xtask(&["explain", "login-page", "count"]).env("COUNT_FROM", "2").run().exits(0);
    assert!(explained.stdout.contains("input  one.txt  "), "{}", explained.stdout);
    assert_eq!([counted("2"), counted("2")], [1, 0]);
    workspace.remove("deliveries/login-page/count.txt");
    assert_eq!([counted("2"), counted("2")], [1, 0]);
    workspace.xtask(&["run", "count", "login-page"]).run().exits(0).prints("count.txt");
    workspace.xtask(&["log", "login-page", "count"]).run().exits(0).prints("counted");
    workspace.xtask(&["log", "login-page", "freeze"]).run().exits(3).says("no log of freeze");
}

#[test]
fn a_stage_is_tried_again_as_often_as_it_says() {
    let stage = "  - id: flaky\n    run: [python3, '{root}/flaky.py']\n    needs: [freeze]\n    retries: 2\n    backoff: 1s\n";
    let workspace = with_stage(stage);
    // Counts its own runs outside the delivery.
    let script =
        "import os\nruns = len(os.listdir('runs'))\nopen(f'runs/{runs}', 'w')\nraise SystemExit(runs < 2)\n";
    workspace.write("flaky.py", script);
    std::fs::create_dir_all(workspace.root().join("runs")).unwrap();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0).says("again in 1 s").says("again in 2 s");
    assert_eq!(workspace.tree("runs").len(), 3);
}

#[test]
fn a_stage_may_be_for_one_verdict() {
    let when = |when: &str| {
        format!(
            "  - id: tell-{when}\n    run: [python3, '{{root}}/tell.py', '{when} {{round}}']\n    each: round\n    \
             needs: [report]\n    when: {when}\n"
        )
    };
    let workspace = with_stage(&[when("accepted"), when("failed"), when("always")].concat());
    workspace.write("tell.py", "import sys\nopen('told.txt', 'a').write(sys.argv[1] + '\\n')\n");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let told = workspace.read("told.txt");
    let told: BTreeSet<&str> = told.lines().collect();
    assert_eq!(told, BTreeSet::from(["accepted 2", "always 1", "always 2", "failed 1"]));
    workspace.xtask(&["deliver", "login-page"]).run().exits(0).prints("nothing to do");
    let early = with_stage("  - id: early\n    run: [git]\n    each: round\n    when: failed\n");
    early.xtask(&["status"]).run().exits(3).says("E_STAGE_NEEDS").says("comes before the audit");
}

#[cfg(unix)]
#[test]
fn a_shell_line_is_written_out() {
    let workspace = with_stage(
        "  - id: line\n    run: 'echo {feature} | tr a-z A-Z > \"line of {feature}.txt\"'\n    shell: true\n    \
         needs: [freeze]\n    outputs: ['line of {feature}.txt']\n",
    );
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    assert_eq!(workspace.read("line of login-page.txt"), "LOGIN-PAGE\n");
    let without = with_stage("  - id: line\n    run: 'echo {feature}'\n");
    without.xtask(&["status"]).run().exits(3).says("E_FIELD_TYPE");
    let root = with_stage("  - id: line\n    run: 'ls {root}'\n    shell: true\n");
    root.xtask(&["status"]).run().exits(3).says("E_PLACEHOLDER_UNKNOWN");
}

#[test]
fn an_output_is_never_the_pipelines_own_file() {
    for output in ["audit-{round}.json", "pack.lock.json", "round-{round}/evidence/a.png"] {
        let stage = format!(
            "  - id: own\n    run: [git]\n    outputs: ['deliveries/{{feature}}/{output}']\n    each: round\n"
        );
        with_stage(&stage)
            .xtask(&["status"])
            .run()
            .exits(3)
            .says("E_PATH_UNSAFE")
            .says("holds what the pipeline");
    }
}

/// A build before the evidence: what it makes is what the evidence rests on.
#[test]
fn a_built_in_stage_depends_on_the_outputs_of_the_stages_that_it_needs() {
    let workspace = Workspace::sample();
    let build = "  - id: build\n    run: [python3, '{root}/build.py', 'features/{feature}/source.txt', \
                 'built/{feature}-{round}.txt']\n    inputs: ['features/{feature}/source.txt']\n    \
                 outputs: ['built/{feature}-{round}.txt']\n    needs: [dispatch]\n    each: round\n";
    let needs = "  - id: evidence\n    uses: evidence\n    needs: [dispatch]\n";
    workspace.replace("pipeline.yaml", needs, &format!("{build}{}", needs.replace("[dispatch]", "[build]")));
    workspace.write("build.py", "import os, shutil, sys\nos.makedirs('built', exist_ok=True)\nshutil.copy(sys.argv[1], sys.argv[2])\n");
    workspace.write("features/login-page/source.txt", "one");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    assert_eq!(ran(&workspace, &["deliver", "login-page"]), [""; 0]);
    workspace.write("features/login-page/source.txt", "two");
    let again = ran(&workspace, &["deliver", "login-page"]);
    assert_eq!(again, ["build round 1", "evidence round 1", "build round 2", "evidence round 2"]);
}

/// Whatever part of a plan is run, nothing is accepted that a whole run would not accept.
#[test]
fn a_part_of_the_plan_accepts_nothing_that_is_out_of_date() {
    let parts =
        [&["--from", "audit"][..], &["--only", "report"], &["--from", "evidence", "--until", "evidence"]];
    for part in parts {
        let workspace = delivered();
        workspace.replace("features/login-page/pack.yaml", "800", "900");
        let arguments = [&["deliver", "login-page"], part].concat();
        let code = workspace.xtask(&arguments).run().code();
        assert!(matches!(code, Some(1 | 6)), "{part:?} {code:?}");
        workspace.xtask(&["deliver", "login-page", "--dry-run"]).run().exits(6).prints("would be refused");
    }
    let workspace = delivered();
    workspace.write("features/login-page/recorded/round-2/layout.json", "{}");
    workspace.xtask(&["deliver", "login-page", "--from", "audit"]).run().exits(1).prints("out of date");
    // After a round that failed, no part of the plan is a yes.
    let failed = Workspace::sample();
    failed.remove("features/login-page/recorded/round-2.patch");
    failed.xtask(&["deliver", "login-page"]).run().exits(1);
    failed.write("features/login-page/waivers.yaml", "waivers: []\n");
    for part in [&["--only", "report"][..], &["--until", "evidence"], &["--until", "review"]] {
        failed.xtask(&[&["deliver", "login-page"], part].concat()).run().exits(1);
    }
}

/// An audit that somebody edited is built on by nothing: no report, no stage that is for the accepted.
#[test]
fn a_forged_verdict_is_not_reported() {
    let workspace = with_stage(
        "  - id: publish\n    run: [git, version]\n    each: round\n    needs: [report]\n    when: accepted\n",
    );
    workspace.remove("features/login-page/recorded/round-2.patch");
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    let audit = "deliveries/login-page/audit-1.json";
    workspace.replace(audit, "\"verdict\": \"fail\"", "\"verdict\": \"pass\"");
    for command in [
        &["deliver", "login-page", "--from", "report"][..],
        &["deliver", "login-page", "--only", "publish"],
        &["run", "report", "login-page"],
        &["run", "publish", "login-page"],
        &["report", "login-page"],
    ] {
        let code = workspace.xtask(command).run().code();
        assert!(matches!(code, Some(1 | 6)), "{command:?} {code:?}");
        assert!(!workspace.has("deliveries/login-page/acceptance.md"), "{command:?}");
    }
    // A whole delivery audits again.
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    workspace.xtask(&["run", "publish", "login-page"]).run().exits(3).says("for another verdict");
    workspace.xtask(&["run", "publish", "login-page", "--round", "9"]).run().exits(3).says("not begun");
}

#[test]
fn a_delivery_without_a_record_is_not_known_to_be_up_to_date() {
    let workspace = delivered();
    for broken in [None, Some("garbage"), Some("{}"), Some("{\"format\": 999, \"stages\": {}}")] {
        match broken {
            None => workspace.remove("deliveries/login-page/state.json"),
            Some(text) => workspace.write("deliveries/login-page/state.json", text),
        }
        workspace.xtask(&["status", "--check"]).run().exits(1).prints("out of date");
    }
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    workspace.xtask(&["status", "--check"]).run().exits(0);
}

#[test]
fn a_feature_that_cannot_be_read_hides_no_other() {
    let workspace = delivered();
    workspace.copy_feature("broken");
    workspace.write("deliveries/broken/pack.lock.json", "{");
    let status = workspace.xtask(&["status"]).run().exits(6);
    assert!(
        status.stdout.contains("accepted, round 2") && status.stdout.contains("E_ARTIFACT_BROKEN"),
        "{}",
        status.stdout
    );
}

/// Evidence that is whole is not given up because a collector no longer works.
#[test]
fn evidence_that_is_whole_is_kept_until_there_is_better() {
    let workspace = delivered();
    let before = workspace.tree("deliveries/login-page/round-1/evidence");
    let copy = "copy: features/{feature}/recorded/round-{round}/startup.ftrace";
    workspace.replace("pipeline.yaml", copy, "run: [git, no-such-verb]");
    workspace.xtask(&["deliver", "login-page"]).run().exits(7).says("E_COLLECTOR_FAILED");
    assert!(before == workspace.tree("deliveries/login-page/round-1/evidence"));
    workspace.replace("pipeline.yaml", "run: [git, no-such-verb]", copy);
    // The review looks at collectors, and runs again; what was gathered stands.
    assert_eq!(ran(&workspace, &["deliver", "login-page"]), ["review"]);
}

/// What cannot be read to its end is not read, and what leads elsewhere is no output.
#[cfg(unix)]
#[test]
fn pipes_and_links_are_no_files() {
    let workspace = with_stage(
        "  - id: own\n    run: [python3, '{root}/own.py']\n    needs: [freeze]\n    inputs: [in]\n    \
         outputs: ['deliveries/{feature}/own.txt']\n",
    );
    let file = "open('deliveries/login-page/own.txt', 'w').write('x')\n";
    workspace.write("own.py", file);
    std::fs::create_dir_all(workspace.root().join("in/folder")).unwrap();
    std::os::unix::fs::symlink("folder", workspace.root().join("in/link")).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(workspace.root().join("in/pipe")).status().unwrap();
    assert!(pipe.success());
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    workspace.xtask(&["status", "--check"]).run().exits(0);
    let link = "import os\nos.remove('deliveries/login-page/own.txt')\nos.symlink('/etc', 'deliveries/login-page/own.txt')\n";
    workspace.write("own.py", link);
    workspace.write("in/new", "");
    workspace.xtask(&["deliver", "login-page"]).run().exits(7).says("neither a file nor a folder");
    workspace.write("own.py", &format!("import os\nos.remove('deliveries/login-page/own.txt')\n{file}"));
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
}

/// What a stage leaves where nobody expects it is not there the next time, whatever came of the stage.
#[test]
fn what_is_not_declared_is_moved_out_of_the_delivery() {
    for end in ["", "raise SystemExit(1)\n"] {
        let workspace = with_stage(
            "  - id: sneaky\n    run: [python3, '{root}/sneaky.py']\n    needs: [dispatch]\n    each: round\n",
        );
        let script = "open('deliveries/login-page/round-1/checks.me.yaml', 'w').write('checks: []')\n";
        workspace.write("sneaky.py", &format!("{script}{end}"));
        for _ in 0..2 {
            workspace.xtask(&["deliver", "login-page"]).run().exits(7).says("E_OUTPUT_UNDECLARED");
            assert!(!workspace.has("deliveries/login-page/round-1/checks.me.yaml"));
        }
        assert!(workspace.has(".xtask/strays/login-page/round-1/checks.me.yaml"));
    }
}

/// Twenty features, two at a time: one fails, one waits for a person, one has a broken pack; the others are delivered,
/// and each stays in its own folder.
#[test]
fn many_features_are_delivered_at_a_time() {
    let workspace = Workspace::sample();
    for number in 2..=20 {
        workspace.copy_feature(&format!("login-{number}"));
    }
    workspace.remove("features/login-3/recorded/round-2.patch");
    workspace.write(
        "pipeline.yaml",
        &format!("{}\nfeatures:\n  login-5:\n    executor: person\n", workspace.read("pipeline.yaml")),
    );
    let arguments = ["deliver", "--all", "--jobs", "2", "--keep-going"];
    let outcome = workspace.xtask(&arguments).run().exits(1);
    assert!(outcome.stdout.ends_with("18 of 20 features ended well\n"), "{}", outcome.stdout);
    for (feature, said) in [
        ("login-3", "not accepted after round 1; no work is recorded for round 2"),
        ("login-5", "E_HANDOFF_WAITING"),
        ("login-20", "accepted in round 2"),
    ] {
        let line = outcome.stdout.lines().find(|line| line.starts_with(&format!("{feature}: "))).unwrap();
        assert!(line.contains(said), "{line}");
    }
    assert!(workspace.tree("deliveries/login-2") == renamed(&workspace, "login-20", "login-2"));
    let json = workspace.xtask(&[&arguments[..], &["--json"]].concat()).run().exits(1).json();
    let codes: Vec<i64> =
        json["features"].as_array().unwrap().iter().map(|line| line["exitCode"].as_i64().unwrap()).collect();
    assert_eq!((codes.len(), codes.iter().sum::<i64>()), (20, 1 + 5));

    workspace.write("features/login-4/pack.yaml", "feature: login-4\n");
    workspace.xtask(&arguments).run().exits(3);
    // Without --keep-going nothing is begun after the first that does not end well.
    let stopped = workspace.xtask(&["deliver", "login-3", "login-6", "login-7"]).run().exits(1);
    assert_eq!(stopped.stdout.matches("not begun").count(), 2, "{}", stopped.stdout);
}

/// The delivery of a feature as if it had another name.
fn renamed(workspace: &Workspace, from: &str, to: &str) -> Vec<(String, Vec<u8>)> {
    // Digests are over the name, too: only files that hold neither can be compared.
    let files = workspace.tree(&format!("deliveries/{from}"));
    let of_to = workspace.tree(&format!("deliveries/{to}"));
    files
        .into_iter()
        .map(|(path, bytes)| match of_to.iter().find(|(other, _)| *other == path) {
            Some((_, other)) if String::from_utf8_lossy(&bytes).contains(from) => (path, other.clone()),
            _ => (path, bytes),
        })
        .collect()
}

/// An agent that says that it works, and goes on when it is let.
#[cfg(unix)]
const HELD: &str = "\
import os
here = os.path.dirname(__file__)
open(os.path.join(here, 'working'), 'w').close()
open(os.path.join(here, 'go')).read()
";

#[cfg(unix)]
#[test]
fn a_second_run_says_who_holds_the_feature_or_waits() {
    let workspace = Workspace::with_script(HELD, "");
    let go = workspace.root().join("go");
    assert!(std::process::Command::new("mkfifo").arg(&go).status().unwrap().success());
    let first = workspace.xtask(&["deliver", "login-page"]).command().spawn().unwrap();
    while !workspace.has("working") {
        std::thread::yield_now();
    }
    let process = format!("process {}", first.id());
    let second = workspace.xtask(&["deliver", "login-page"]).run().exits(7);
    second.says("E_BUSY").says(&process).says("since 2026-").says("deliver login-page");
    let mut waits = workspace.xtask(&["deliver", "login-page", "--wait"]);
    waits = waits.env("LC_ALL", "C");
    let mut waiting = waits.command().stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = std::io::BufReader::new(waiting.stderr.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut lines, &mut line).unwrap();
    assert!(line.contains("login-page  waits") && line.contains(&process), "{line}");
    std::fs::write(&go, "").unwrap();
    let first = first.wait_with_output().unwrap();
    assert_eq!(first.status.code(), Some(1));
    // It finds that the other did everything.
    let output = waiting.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("(nothing to do)"), "{said}");
}

#[test]
fn cleaning_keeps_deliveries_and_work_that_is_not_committed() {
    let workspace = delivered();
    let before = workspace.tree("deliveries");
    workspace.xtask(&["clean", "login-page"]).run().exits(0).prints("removed .xtask/worktrees/login-page");
    assert!(before == workspace.tree("deliveries") && !workspace.has(".xtask/worktrees/login-page"));
    workspace.xtask(&["deliver", "login-page"]).run().exits(0).prints("(nothing to do)");

    let handed = Workspace::sample();
    handed.replace("pipeline.yaml", "executor: recorded", "executor: person");
    handed.xtask(&["deliver", "login-page"]).run().exits(5);
    handed.write(".xtask/worktrees/login-page/new.txt", "work");
    handed.xtask(&["clean"]).run().exits(0).prints("kept .xtask/worktrees/login-page");
    assert!(handed.has(".xtask/worktrees/login-page/new.txt"));
}
