//! What `SECURITY.md` says: each test that it names is there, and what it says of holes is so.

use std::fs;
use std::path::PathBuf;

use crate::support::{Workspace, copy_folder, repository};

/// The names of tests in a document, in its order: `file::name`, or `file::inner::name`.
fn named(document: &str) -> Vec<String> {
    let text = fs::read_to_string(repository().join(document)).unwrap();
    let quoted = text.split('`').skip(1).step_by(2);
    let is_test = |word: &&str| word.contains("::") && !word.contains(' ');
    quoted.filter(is_test).map(str::to_owned).collect()
}

/// The source files in which a module may be.
fn files_of(module: &str) -> Vec<PathBuf> {
    let path = module.replace("::", "/");
    let own = path.strip_suffix("/tests").unwrap_or(&path).to_owned();
    let folders = ["tests", "xtask/src", "crates/gate/src", "crates/probe/src"];
    let names =
        [format!("{own}.rs"), format!("{own}/mod.rs"), format!("{path}.rs"), format!("{path}/mod.rs")];
    let all = folders.iter().flat_map(|folder| names.iter().map(move |name| format!("{folder}/{name}")));
    all.map(|path| repository().join(path)).filter(|path| path.is_file()).collect()
}

fn is_there(test: &str) -> bool {
    let (module, name) = test.rsplit_once("::").unwrap();
    let holds = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        text.split("#[test]").skip(1).any(|rest| {
            let declared = rest.split_once("fn ").map(|(_, rest)| rest).unwrap_or_default();
            declared.starts_with(&format!("{name}("))
        })
    };
    files_of(module).iter().any(holds)
}

#[test]
fn every_test_that_the_threat_model_names_is_there() {
    let tests = named("SECURITY.md");
    assert!(tests.len() > 30, "{tests:?}");
    assert_eq!(tests, named("SECURITY.zh.md"), "both documents name the same tests");
    let missing: Vec<&String> = tests.iter().filter(|test| !is_there(test)).collect();
    assert!(missing.is_empty(), "SECURITY.md names tests that are not there: {missing:?}");
    assert!(!is_there("security::no_such_test") && !is_there("security::is_there"));
}

/// A delivery in which one limit is easier and everything else follows from that.
fn rewritten() -> Workspace {
    let workspace = Workspace::sample();
    workspace.replace("features/login-page/pack.yaml", "800", "1300");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    workspace
}

#[test]
fn a_consistent_rewrite_shows_by_what_is_outside_it_alone() {
    let key = tempfile::tempdir().unwrap();
    let key = key.path().join("lead.pem");
    let (key, workspace) = (key.to_str().unwrap(), Workspace::sample());
    let made = workspace.xtask(&["keygen", key, "--json"]).run().exits(0).json();
    let public = made["publicKey"].as_str().unwrap();
    let trusted = format!(
        "attestation: {{ required: true, keys: [{{ id: lead, publicKey: {public}, mayAccept: [\"*\"] }}] }}\n"
    );
    workspace.write("pipeline.yaml", &(workspace.read("pipeline.yaml") + &trusted));
    workspace.xtask(&["deliver", "login-page", "--key", key]).run().exits(0);
    workspace.xtask(&["verify", "login-page"]).run().exits(0);
    let pack = workspace.json("deliveries/login-page/pack.lock.json")["packSha256"].clone();

    let forged = rewritten();
    // The rewrite as such is as sound as what it replaces.
    forged.xtask(&["verify", "login-page"]).run().exits(0);
    let expected = ["verify", "login-page", "--expect-pack", pack.as_str().unwrap()];
    forged.xtask(&expected).run().exits(6).prints("E_PACK_UNEXPECTED");

    let sound = workspace.root().join("deliveries/login-page");
    let (first, second) = ("audit-1.intoto.json", "audit-2.intoto.json");
    let signed = [first, second].map(|name| (name, fs::read(sound.join(name)).ok()));
    fs::remove_dir_all(&sound).unwrap();
    copy_folder(&forged.root().join("deliveries/login-page"), &sound);
    copy_folder(&forged.root().join("features/login-page"), &workspace.root().join("features/login-page"));
    workspace.xtask(&["verify", "login-page"]).run().exits(6).prints("E_ATTESTATION_MISSING");
    for (name, bytes) in signed {
        if sound.join(name.replace("intoto.json", "json")).is_file() {
            fs::write(sound.join(name), bytes.unwrap()).unwrap();
        }
    }
    workspace.xtask(&["verify", "login-page"]).run().exits(6).prints("E_ATTESTATION_DIFFERS");
}

/// A repository within the worktree is committed by its name alone: what is in it is neither delivered nor judged.
#[test]
fn a_nested_repository_is_not_delivered() {
    let script = "\
import subprocess
def git(*arguments):
    subprocess.run(['git', '-C', 'nested', '-c', 'user.name=a', '-c', 'user.email=a@example.invalid', *arguments], check=True)
subprocess.run(['git', 'init', '-q', 'nested'], check=True)
open('nested/WORK.txt', 'w').write('done')
git('add', '.')
git('commit', '-qm', 'x')
";
    let workspace = Workspace::with_script(script, "    timeout: 60s\n");
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    let dispatch = workspace.json("deliveries/login-page/round-1/dispatch.json");
    assert_eq!(dispatch["changed"][0]["path"], "nested");
    let head = dispatch["head"].as_str().unwrap();
    let app = ".xtask/apps/examples-login-app";
    let tree = workspace.git(app, &["ls-tree", "-r", head, "nested"]);
    assert!(tree.starts_with("160000 commit") && tree.lines().count() == 1, "{tree}");
}

/// Whoever forges the sign of another feature's lock passes for a run of that feature. What was changed there shows by its
/// ledger.
#[test]
fn what_a_forged_lock_lets_through_is_found_by_verifying() {
    let script = "\
import pathlib
root = pathlib.Path(__file__).parent
(root / '.xtask/locks/other-page.holder.json').write_text('{}')
audit = root / 'deliveries/other-page/audit-2.md'
audit.write_text(audit.read_text() + 'accepted\\n')
";
    let workspace = Workspace::sample();
    workspace.copy_feature("other-page");
    workspace.xtask(&["deliver", "other-page"]).run().exits(0);
    workspace.xtask(&["verify", "other-page"]).run().exits(0);
    let person = "  person:\n    uses: handoff\n";
    let agent = "  agent:\n    uses: command\n    run: [python3, \"{root}/agent.py\"]\n    timeout: 60s\n";
    workspace.replace("pipeline.yaml", person, &format!("{person}{agent}"));
    let own = "features:\n  login-page: { executor: agent, rounds: { max: 1 } }\n";
    workspace.write("pipeline.yaml", &(workspace.read("pipeline.yaml") + own));
    workspace.write("agent.py", script);
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    let dispatch = workspace.json("deliveries/login-page/round-1/dispatch.json");
    assert!(dispatch.get("protectedChanged").is_none(), "the hole is closed: say so in SECURITY.md");
    workspace.xtask(&["verify", "other-page"]).run().exits(6).prints("E_LEDGER_DIFFERS");
}

/// An agent that kills its pipeline and takes away what the guard left of it is not found by the next run. What it changed
/// shows by the ledger.
#[cfg(unix)]
#[test]
fn what_is_changed_behind_a_killed_pipeline_is_found_by_verifying() {
    let script = "\
import json, os, pathlib, signal
root = pathlib.Path(__file__).parent
spec = root / 'deliveries/login-page/spec.md'
spec.write_text(spec.read_text() + 'easier\\n')
(root / '.xtask/guard/login-page.json').unlink()
os.kill(json.loads((root / '.xtask/locks/login-page.holder.json').read_text())['process'], signal.SIGKILL)
";
    let workspace = Workspace::with_script(script, "    timeout: 60s\n");
    assert_eq!(workspace.xtask(&["deliver", "login-page"]).run().code(), None);
    assert!(!workspace.has(".xtask/guard/login-page.json"), "the hole is closed: say so in SECURITY.md");
    workspace.xtask(&["verify", "login-page"]).run().exits(6).prints("spec.md");
}
