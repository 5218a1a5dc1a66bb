//! `verify`: a delivery is verified wherever it is, whatever the machine is like, and nothing is written.

use crate::support::{Workspace, copy_folder, repository, tree};

/// The sample, delivered and committed.
fn delivered() -> Workspace {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    workspace.write(".gitignore", "/.xtask\n");
    let attributes = std::fs::read_to_string(repository().join(".gitattributes")).unwrap();
    workspace.write(".gitattributes", &attributes);
    workspace.git(".", &["init", "--quiet", "--initial-branch=main", "."]);
    workspace.git(".", &["add", "--all"]);
    workspace.git(".", &["commit", "--quiet", "-m", "delivered"]);
    workspace
}

/// The workspace, cloned beside itself with git settings.
fn cloned(workspace: &Workspace, settings: &[&str]) -> Workspace {
    let other = Workspace::empty();
    other.remove("templates");
    let from = workspace.root().to_str().unwrap();
    let arguments = [settings, &["clone", "--quiet", from, "."][..]].concat();
    other.git(".", &arguments);
    other
}

#[test]
fn a_delivery_is_verified_and_the_answer_says_what_that_is_worth() {
    let workspace = delivered();
    let outcome = workspace.xtask(&["verify", "login-page"]).run().exits(0);
    outcome.prints("login-page: verified").prints("--expect-pack").prints("dropped at the end");
    let json = workspace.xtask(&["verify", "--all", "--json"]).run().exits(0).json();
    assert_eq!(json["features"][0]["status"], "verified");
    assert_eq!(json["features"][0]["verdict"], "pass");
    assert_eq!(
        (json["features"][0]["rounds"].as_u64(), json["problems"].as_array().unwrap().len()),
        (Some(2), 0)
    );
    workspace
        .xtask(&["verify", "--help"])
        .run()
        .exits(0)
        .prints("cannot see: a consistent rewrite of everything");
}

#[test]
fn a_clone_is_verified_on_another_path_and_in_another_place_of_the_world() {
    let workspace = delivered();
    for settings in [&[][..], &["-c", "core.autocrlf=true", "-c", "core.eol=crlf"]] {
        let clone = cloned(&workspace, settings);
        let call = clone.xtask(&["verify", "login-page"]);
        let call = call.env("LANG", "tr_TR.UTF-8").env("LC_ALL", "tr_TR.UTF-8").env("TZ", "Asia/Shanghai");
        call.run().exits(0).prints("the sample's repository is not here");
    }
}

/// Attributes of somebody's own come before those of the delivery; what they do is told as what it is.
#[test]
fn turned_line_endings_are_told_from_a_forgery() {
    let workspace = delivered();
    let clone = cloned(&workspace, &["-c", "core.autocrlf=true"]);
    clone.write(".git/info/attributes", "* text=auto eol=crlf\n");
    clone.remove("deliveries");
    clone.git(".", &["checkout", "--quiet", "--", "deliveries"]);
    let lock = clone.read("deliveries/login-page/pack.lock.json");
    assert!(lock.contains("\r\n"), "git did not turn the line endings");
    clone.xtask(&["verify", "login-page"]).run().exits(8).prints("E_LINE_ENDINGS");
    // What the commit holds is as it was.
    clone.xtask(&["verify", "login-page", "--commit", "HEAD"]).run().exits(0);
}

#[test]
fn a_commit_is_verified_whatever_is_in_the_folder() {
    let workspace = delivered();
    workspace.replace("deliveries/login-page/audit-2.json", "\"verdict\": \"pass\"", "\"verdict\": \"fail\"");
    workspace.write("templates/en/audit.md.tera", "{{ broken");
    workspace.xtask(&["verify", "login-page"]).run().exits(6).prints("E_RECOMPUTED_DIFFERS");
    let outcome = workspace.xtask(&["verify", "login-page", "--commit", "main"]).run().exits(0);
    outcome.prints("this is as good as that commit is");
    workspace.git(".", &["commit", "--quiet", "--all", "-m", "forged"]);
    workspace.xtask(&["verify", "login-page", "--commit", "main"]).run().exits(6);
    workspace.xtask(&["verify", "login-page", "--commit", "main~1"]).run().exits(0);
    for unknown in ["no-such", "--version", "main:pipeline.yaml"] {
        let commit = format!("--commit={unknown}");
        workspace.xtask(&["verify", "login-page", &commit]).run().exits(8).says("E_COMMIT_UNAVAILABLE");
    }
}

/// A workspace need not be the top of its repository.
#[test]
fn a_workspace_within_a_repository_is_verified_by_its_commits() {
    let outer = Workspace::empty();
    copy_folder(delivered().root(), &outer.root().join("inner"));
    outer.remove("inner/.git");
    outer.git(".", &["init", "--quiet", "--initial-branch=main", "."]);
    outer.git(".", &["add", "--all"]);
    outer.git(".", &["commit", "--quiet", "-m", "all"]);
    outer.xtask(&["verify", "--all", "--commit", "main"]).folder("inner").run().exits(0);
}

#[test]
fn nothing_is_written() {
    let workspace = delivered();
    workspace.remove(".xtask");
    let before = tree(workspace.root());
    workspace.xtask(&["verify", "--all"]).run().exits(0);
    workspace.xtask(&["verify", "login-page", "--commit", "HEAD"]).run().exits(0);
    assert!(before == tree(workspace.root()));
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_verified() {
    let workspace = delivered();
    let locked = Locked::take(workspace.root());
    let call = workspace.xtask(&["verify", "--all"]).env("TMPDIR", "/nonexistent");
    call.run().exits(0);
    drop(locked);
}

/// A tree without permission to write, until it is dropped.
#[cfg(unix)]
struct Locked<'a>(&'a std::path::Path);

#[cfg(unix)]
impl<'a> Locked<'a> {
    fn take(folder: &'a std::path::Path) -> Self {
        Self::chmod(folder, "a-w");
        Locked(folder)
    }

    fn chmod(folder: &std::path::Path, mode: &str) {
        let done = std::process::Command::new("chmod").args(["-R", mode]).arg(folder).status();
        assert!(done.unwrap().success());
    }
}

#[cfg(unix)]
impl Drop for Locked<'_> {
    fn drop(&mut self) {
        Self::chmod(self.0, "u+w");
    }
}

#[test]
fn all_differences_are_told_not_only_the_first() {
    let workspace = delivered();
    let delivery = "deliveries/login-page";
    workspace.replace(&format!("{delivery}/spec.md"), "800", "900");
    workspace.replace(&format!("{delivery}/round-1/evidence/display.txt"), "Density", "density");
    workspace.write(&format!("{delivery}/notes.txt"), "x");
    workspace.remove(&format!("{delivery}/review.md"));
    let json = workspace.xtask(&["verify", "login-page", "--json"]).run().exits(6).json();
    let problems = json["problems"].as_array().unwrap();
    let has = |code: &str, file: &str| {
        problems
            .iter()
            .any(|problem| problem["code"] == code && problem["file"] == format!("{delivery}/{file}"))
    };
    assert!(has("E_RENDERED_DIFFERS", "spec.md"));
    assert!(has("E_EVIDENCE_CHANGED", "round-1/evidence/display.txt"));
    assert!(has("E_FILE_EXTRA", "notes.txt"));
    assert!(has("E_FILE_MISSING", "review.md"));
    assert!(has("E_RECOMPUTED_DIFFERS", "audit-1.json"), "the changed evidence was not read again");
}

/// A pack that was frozen again leaves its rounds behind, to be judged by what was frozen then.
#[test]
fn rounds_under_an_earlier_pack_are_verified_by_it() {
    let workspace = delivered();
    workspace.replace("features/login-page/pack.yaml", "expected: 800", "expected: 790");
    workspace.xtask(&["freeze", "login-page", "--reason", "the March review"]).run().exits(0);
    workspace.xtask(&["verify", "login-page"]).run();
    workspace.xtask(&["deliver", "login-page"]).run();
    workspace.xtask(&["verify", "login-page"]).run().exits(0);
    let audit = "deliveries/login-page/audit-1.json";
    workspace.replace(audit, "\"outcome\": \"unverified\"", "\"outcome\": \"pass\"");
    workspace
        .xtask(&["verify", "login-page"])
        .run()
        .exits(6)
        .prints("audit-1.json is not what recomputing gives");
}

#[test]
fn what_was_never_delivered_is_told() {
    let workspace = Workspace::sample();
    workspace.xtask(&["verify", "login-page"]).run().exits(8).prints("E_NOT_FROZEN");
    workspace.xtask(&["verify", "no-such"]).run().exits(3).says("E_FEATURE_MISSING");
    workspace.xtask(&["verify", "--all"]).run().exits(0);
    workspace.xtask(&["verify"]).run().exits(2);
    workspace.xtask(&["verify", "login-page", "--expect-pack", "54afb795"]).run().exits(2);
}

/// Evidence that is kept outside git is verified where it is at hand, and missed where it is not; what was tampered with
/// comes before what is not at hand.
#[test]
fn evidence_outside_git_is_verified_or_missed() {
    let workspace = Workspace::sample();
    let keep = "    output: display.txt\n";
    workspace.replace("pipeline.yaml", keep, &format!("{keep}    keep: external\n"));
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    workspace.xtask(&["verify", "login-page"]).run().exits(0);
    copy_folder(&workspace.root().join(".evidence"), &workspace.root().join("elsewhere"));
    workspace.remove(".evidence");
    workspace.xtask(&["verify", "login-page"]).run().exits(8).prints("E_EVIDENCE_UNAVAILABLE");
    workspace.replace("deliveries/login-page/spec.md", "800", "900");
    workspace.xtask(&["verify", "login-page"]).run().exits(6).prints("E_EVIDENCE_UNAVAILABLE");
}

/// What only looks like a delivery, or was one, is named; what was never delivered is no fault.
#[test]
fn everything_in_the_folder_of_deliveries_is_accounted_for() {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let all = |code: i32| workspace.xtask(&["verify", "--all"]).run().exits(code);
    workspace.write("features/pay/pack.yaml", "feature: pay\n");
    all(0).prints("pay: nothing was delivered");
    workspace.write("deliveries/Checkout/acceptance.md", "# accepted\n");
    all(6).prints("E_FILE_EXTRA").prints("deliveries/Checkout");
    workspace.remove("deliveries/Checkout");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("login-page", workspace.root().join("deliveries/pay")).unwrap();
        all(6).prints("deliveries/pay is a link");
        std::fs::remove_file(workspace.root().join("deliveries/pay")).unwrap();
        // One whose folder is a link is in no commit either, nor are all of them.
        for (folder, elsewhere) in [("deliveries/login-page", "kept"), ("deliveries", "all-of-them")] {
            let at = |path: &str| workspace.root().join(path);
            std::fs::rename(at(folder), at(elsewhere)).unwrap();
            std::os::unix::fs::symlink(at(elsewhere), at(folder)).unwrap();
            let verify = workspace.xtask(&["verify", "login-page"]).run().exits(6);
            verify.prints("E_FILE_EXTRA").prints(&format!("{folder} is a link"));
            std::fs::remove_file(at(folder)).unwrap();
            std::fs::rename(at(elsewhere), at(folder)).unwrap();
        }
    }
    workspace.git(".", &["init", "--quiet"]);
    workspace.git(".", &["add", "deliveries"]);
    workspace.git(".", &["commit", "--quiet", "-m", "delivered"]);
    all(0);
    workspace.remove("deliveries/login-page");
    all(6).prints("E_FILE_MISSING").prints("deliveries/login-page");
}

/// Git is asked about all deliveries of a repository at once; what it cannot read is told of the delivery that has it.
#[test]
fn an_object_that_is_gone_hides_no_other_delivery() {
    let workspace = Workspace::sample();
    copy_folder(&workspace.root().join("features/login-page"), &workspace.root().join("features/login-two"));
    workspace.replace("features/login-two/pack.yaml", "feature: login-page", "feature: login-two");
    workspace.replace("features/login-two/recorded/round-2.patch", "Off the main thread", "Off any thread");
    workspace.xtask(&["--quiet", "deliver", "--all"]).run().exits(0);
    let head =
        workspace.json("deliveries/login-two/round-2/dispatch.json")["head"].as_str().unwrap().to_owned();
    let app = ".xtask/apps/examples-login-app";
    let path = format!("{head}:entry/src/main/ets/entryability/EntryAbility.ets");
    let blob = workspace.git(app, &["rev-parse", &path]);
    let (folder, file) = blob.trim().split_at(2);
    workspace.remove(&format!("{app}/.git/objects/{folder}/{file}"));
    let verify = workspace.xtask(&["verify", "--all"]).run().exits(8);
    verify.prints("login-page: verified").prints("login-two: cannot be verified").prints("E_GIT");
}

/// A record that was cut off behind its verdict, or that tells two, is broken and no verdict.
#[test]
fn a_verdict_is_that_of_a_whole_record() {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let audit = "deliveries/login-page/audit-2.json";
    let sound = workspace.read(audit);
    let at = sound.find("\"verdict\": \"pass\",").unwrap();
    let cut = &sound[..at + 40];
    let twice = sound.replacen('{', "{\n  \"verdict\": \"pass\",", 1);
    for broken in [cut, &twice] {
        workspace.write(audit, broken);
        workspace.xtask(&["status"]).run().exits(6).prints("E_ARTIFACT_BROKEN");
        workspace.xtask(&["verify", "login-page"]).run().exits(6);
    }
}

/// A number that says "another version" in one artifact hides no change, neither of that one nor of another.
#[test]
fn another_format_hides_nothing() {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let audit = "deliveries/login-page/audit-2.json";
    let sound = workspace.read(audit);
    let number = sound.find("\"format\": ").unwrap();
    let line = sound[number..].lines().next().unwrap().to_owned();
    workspace.write(audit, &sound.replacen(&line, "\"format\": 99,", 1));
    workspace
        .xtask(&["verify", "login-page"])
        .run()
        .exits(6)
        .prints("E_FORMAT_OTHER")
        .prints("E_LEDGER_DIFFERS");
}

/// What a machine or a clone sets for its own comparisons is no tampering.
#[test]
fn settings_of_the_machine_change_no_answer() {
    let script = "\
for name in ['a.txt', 'b.txt']:
    open(name, 'w').write('one\\ntwo\\n')
";
    let workspace = Workspace::with_script(script, "");
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    workspace.xtask(&["verify", "login-page"]).run().exits(0);
    let at = |name: &str| workspace.root().join(name).to_str().unwrap().to_owned();
    workspace.write(".xtask/order", "b.txt\n");
    let settings = format!(
        "[diff]\n\torderFile = {}\n\talgorithm = histogram\n\trelative = true\n[core]\n\tbigFileThreshold = 1\n",
        at(".xtask/order")
    );
    workspace.write(".xtask/machine", &settings);
    workspace.write(".xtask/apps/examples-login-app/.git/info/attributes", "* -diff\n");
    workspace.xtask(&["verify", "login-page"]).env("GIT_CONFIG_GLOBAL", &at(".xtask/machine")).run().exits(0);
}
