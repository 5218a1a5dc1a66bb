//! Forgeries of the golden delivery: `tests/forgeries/<name>/forgery.yaml` says what is changed and why it must not pass. Each is
//! made in a workspace of its own, and refused by `verify`, by the second verifier where that looks, or, where everything
//! was made again consistently, by what lies outside the delivery.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use serde::Deserialize;
use serde_json::Value;

use crate::codes::case::apply;
use crate::codes::fixture::Edit;
use crate::support::{Workspace, copy_folder, repository};

/// Where the forgeries are.
const FOLDER: &str = "tests/forgeries";

/// Fewer would not be what is promised.
const LEAST: usize = 40;

/// One forgery.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Forgery {
    /// What is claimed, and why it is not so.
    why: String,
    /// What gives it away.
    seen_by: Witness,
    /// What `verify` reports, among other things.
    #[serde(default)]
    codes: Vec<String>,
    /// How `verify` ends.
    #[serde(default)]
    exit: Option<i32>,
    /// `seen`, or why the second verifier does not look there.
    #[serde(default)]
    python: Option<String>,
    edits: Vec<Edit>,
}

/// What gives a forgery away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Witness {
    /// The delivery, which no longer fits itself.
    Itself,
    /// The digest of the pack, known from elsewhere.
    Pack,
    /// A commit of the workspace from before.
    Commit,
}

fn all() -> BTreeMap<String, Forgery> {
    let folders = fs::read_dir(repository().join(FOLDER)).unwrap().map(|entry| entry.unwrap().path());
    let read = |folder: std::path::PathBuf| {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(folder.join("forgery.yaml")).unwrap().replace("\r\n", "\n");
        let value: Value = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name.clone(), serde_json::from_value(value).unwrap_or_else(|error| panic!("{name}: {error}")))
    };
    folders.filter(|folder| folder.is_dir()).map(read).collect()
}

/// The golden delivery where it belongs, committed.
fn delivered() -> Workspace {
    let workspace = Workspace::sample();
    let golden = repository().join("tests/snapshots/login-page");
    copy_folder(&golden, &workspace.root().join("deliveries/login-page"));
    workspace.write(".gitignore", "/.xtask\n");
    workspace.git(".", &["init", "--quiet", "--initial-branch=main", "."]);
    workspace.git(".", &["add", "--all"]);
    workspace.git(".", &["commit", "--quiet", "-m", "delivered"]);
    workspace
}

/// How a call of `verify` ended, and which codes it reported.
fn verify(workspace: &Workspace, more: &[&str]) -> (Option<i32>, Vec<String>) {
    let arguments: Vec<&str> =
        ["verify", "login-page", "--json"].into_iter().chain(more.iter().copied()).collect();
    let outcome = workspace.xtask(&arguments).run();
    let problems = outcome.json()["problems"].as_array().cloned().unwrap_or_default();
    let mut codes: Vec<String> =
        problems.iter().filter_map(|problem| Some(problem["code"].as_str()?.to_owned())).collect();
    codes.dedup();
    (outcome.code(), codes)
}

/// The exit code of the second verifier, and what it said.
fn second(folder: &Path) -> (Option<i32>, String) {
    let script = repository().join("tools/verify.py");
    let output = Command::new("python3").arg(script).arg("delivery").arg(folder).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn there_are_as_many_as_were_promised() {
    let forgeries = all();
    let by_itself = forgeries.values().filter(|forgery| forgery.seen_by == Witness::Itself);
    assert!(by_itself.count() >= LEAST);
    for (name, forgery) in &forgeries {
        assert!(forgery.why.trim().len() > 40, "{name} does not say why it must fail");
        let has_expectations =
            forgery.exit.is_some() && !forgery.codes.is_empty() && forgery.python.is_some();
        assert_eq!(forgery.seen_by == Witness::Itself, has_expectations, "{name}");
    }
}

#[test]
fn every_forgery_is_refused() {
    let forgeries: Vec<(String, Forgery)> = all().into_iter().collect();
    let queue = Mutex::new(forgeries.iter());
    let failures = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let Some((name, forgery)) = queue.lock().unwrap().next() else { return };
                    let found = std::panic::catch_unwind(|| refused(forgery));
                    let wrong = found.unwrap_or_else(|_| Some("its edits cannot be made".to_owned()));
                    failures.lock().unwrap().extend(wrong.map(|wrong| format!("{name}: {wrong}")));
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), forgeries.len(), failures.join("\n"));
}

/// What is wrong with how a forgery is taken.
fn refused(forgery: &Forgery) -> Option<String> {
    let workspace = delivered();
    let pack =
        workspace.json("deliveries/login-page/pack.lock.json")["packSha256"].as_str().unwrap().to_owned();
    for edit in &forgery.edits {
        apply(edit, &workspace);
    }
    let (exit, codes) = verify(&workspace, &[]);
    match forgery.seen_by {
        Witness::Itself => {
            let missing = forgery.codes.iter().any(|code| !codes.contains(code));
            if missing || exit != forgery.exit {
                return Some(format!("exit {exit:?} with {codes:?}"));
            }
            let (exit, said) = second(&workspace.root().join("deliveries/login-page"));
            let is_seen = forgery.python.as_deref() == Some("seen");
            (is_seen == (exit == Some(0))).then(|| format!("verify.py: exit {exit:?}: {said}"))
        }
        // To itself it is whole: that is what makes it one of these.
        _ if exit != Some(0) => Some(format!("not consistent: exit {exit:?} with {codes:?}")),
        Witness::Pack => {
            let (exit, codes) = verify(&workspace, &["--expect-pack", &pack]);
            let is_seen = exit == Some(6) && codes == ["E_PACK_UNEXPECTED"];
            (!is_seen).then(|| format!("--expect-pack: exit {exit:?} with {codes:?}"))
        }
        Witness::Commit => {
            let is_other = !workspace.git(".", &["status", "--porcelain", "deliveries"]).is_empty();
            let (exit, codes) = verify(&workspace, &["--commit", "HEAD"]);
            (!is_other || exit != Some(0)).then(|| format!("--commit: exit {exit:?} with {codes:?}"))
        }
    }
}
