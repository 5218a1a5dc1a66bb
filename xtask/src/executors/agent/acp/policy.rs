//! What an agent is permitted when it asks. Nobody is there to ask: the answer follows from what the request names.

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use serde_json::Value;

use super::wire::{Call, Choice};

/// Names of fields that hold a path in the inputs of tools, without capitals and underscores.
const PATH_FIELDS: &[&str] = &[
    "absolutepath",
    "cwd",
    "destination",
    "dir",
    "directory",
    "file",
    "filepath",
    "folder",
    "notebookpath",
    "parentdir",
    "path",
    "source",
    "workdir",
];

/// Kinds of tool calls that cannot be permitted without a word of the file that they are about.
const OF_FILES: &[&str] = &["edit", "delete", "move"];

/// What may be touched.
pub struct Policy {
    /// Where the agent works.
    worktree: Utf8PathBuf,
    /// Its home.
    home: Utf8PathBuf,
    /// Files and folders that it may only read, relative to the worktree.
    protected: Vec<String>,
}

impl Policy {
    /// Of these folders.
    pub fn new(worktree: &Utf8Path, home: &Utf8Path, protected: Vec<String>) -> Self {
        Policy { worktree: worktree.to_owned(), home: home.to_owned(), protected }
    }

    /// Whether a tool call is permitted: every path that it names lies where the agent works or lives, and none is
    /// protected. A shell names none, and is permitted: what it does is looked at afterwards.
    pub fn permits(&self, call: &Call) -> bool {
        let paths = paths(call);
        let kind = call.kind.as_deref().unwrap_or_default();
        if paths.is_empty() {
            return !OF_FILES.contains(&kind);
        }
        paths.iter().all(|path| self.permits_path(path, kind == "read"))
    }

    fn permits_path(&self, path: &str, is_read: bool) -> bool {
        let path = self.worktree.join(path);
        if path.components().any(|component| component == Utf8Component::ParentDir) {
            return false;
        }
        let (Some(path), Some(worktree)) = (real(&path), real(&self.worktree)) else { return false };
        if let Ok(inside) = path.strip_prefix(&worktree) {
            return !is_secret(inside) && (is_read || !self.is_protected(inside));
        }
        real(&self.home).is_some_and(|home| path.starts_with(home))
    }

    fn is_protected(&self, inside: &Utf8Path) -> bool {
        // What git keeps of its own is no part of the work.
        inside.starts_with(".git") || self.protected.iter().any(|path| inside.starts_with(path))
    }
}

/// The option that says so: for this once, and where that is not offered, no for ever, but never yes for ever.
pub fn choose(options: &[Choice], permitted: bool) -> Option<&str> {
    let kinds: &[&str] = if permitted { &["allow_once"] } else { &["reject_once", "reject_always"] };
    let of = |kind: &&str| options.iter().find(|option| option.kind == *kind);
    kinds.iter().find_map(of).map(|option| option.option_id.as_str())
}

/// Every path that a tool call names.
pub fn paths(call: &Call) -> Vec<String> {
    let locations = call.locations.iter().flatten().map(|location| location.path.clone());
    let changes = call.content.iter().flatten().filter_map(|item| item.path.clone());
    let mut paths: Vec<String> = locations.chain(changes).collect();
    for (name, value) in call.raw_input.as_object().into_iter().flatten() {
        let name = name.to_ascii_lowercase().replace('_', "");
        if let (true, Value::String(path)) = (PATH_FIELDS.contains(&name.as_str()), value) {
            paths.push(path.clone());
        }
    }
    paths.retain(|path| !path.is_empty());
    paths
}

/// Whether a file holds what nobody wants read, by its name.
fn is_secret(path: &Utf8Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    (name.ends_with(".env") || name.contains(".env.")) && !name.ends_with(".env.example")
}

/// A path without links, as far as it is there.
fn real(path: &Utf8Path) -> Option<Utf8PathBuf> {
    path.ancestors().find_map(|ancestor| {
        let there = ancestor.canonicalize_utf8().ok()?;
        path.strip_prefix(ancestor).ok().map(|rest| there.join(rest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(value: Value) -> Call {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn what_a_request_names_decides() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        let (worktree, home) = (folder.join("w"), folder.join("h"));
        for made in [&worktree.join("entry"), &home] {
            std::fs::create_dir_all(made).unwrap();
        }
        let policy = Policy::new(&worktree, &home, vec!["entry/test".to_owned()]);
        let at = |path: &str, kind: &str| json!({ "kind": kind, "locations": [{ "path": path }] });
        let inside = worktree.join("entry/new/size.txt").into_string();
        let test = worktree.join("entry/test/a.ets").into_string();
        let outside = folder.join("pack.yaml").into_string();
        let table = [
            (at(&inside, "edit"), true),
            (at("entry/size.txt", "edit"), true),
            (at(home.join("plan.md").as_str(), "edit"), true),
            (at(&test, "edit"), false),
            (at(&test, "read"), true),
            (at(worktree.join("entry/testing.ets").as_str(), "edit"), true),
            (at(worktree.join(".git/hooks/x").as_str(), "edit"), false),
            (at(worktree.join("a/.env").as_str(), "read"), false),
            (at(worktree.join(".env.example").as_str(), "read"), true),
            (at(&outside, "edit"), false),
            (at(&outside, "read"), false),
            (at(worktree.join("../pack.yaml").as_str(), "edit"), false),
            (at(&format!("{worktree}-other/a"), "edit"), false),
            (json!({ "kind": "edit" }), false),
            (json!({ "kind": "execute", "rawInput": { "command": "cat /etc/hosts" } }), true),
            (json!({ "kind": "execute", "rawInput": { "command": "ls", "cwd": "/" } }), false),
            (json!({ "kind": "edit", "locations": [], "rawInput": { "file_path": inside } }), true),
            (json!({ "kind": "edit", "locations": [], "rawInput": { "filePath": outside } }), false),
            (
                json!({ "kind": "edit", "locations": [{ "path": inside }], "content": [{ "path": outside }] }),
                false,
            ),
            (json!({}), true),
        ];
        for (request, expected) in table {
            assert_eq!(policy.permits(&call(request.clone())), expected, "{request}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        let worktree = folder.join("w");
        std::fs::create_dir_all(&worktree).unwrap();
        std::os::unix::fs::symlink(folder, worktree.join("out")).unwrap();
        let policy = Policy::new(&worktree, &folder.join("h"), Vec::new());
        let path = worktree.join("out/pack.yaml");
        assert!(!policy.permits(&call(json!({ "locations": [{ "path": path }] }))));
    }

    #[test]
    fn yes_is_never_for_ever() {
        let of = |kinds: &[&str]| -> Vec<Choice> {
            let option = |kind: &&str| Choice { option_id: format!("o-{kind}"), kind: (*kind).to_owned() };
            kinds.iter().map(option).collect()
        };
        let all = of(&["allow_always", "allow_once", "reject_always", "reject_once"]);
        assert_eq!(choose(&all, true), Some("o-allow_once"));
        assert_eq!(choose(&all, false), Some("o-reject_once"));
        assert_eq!(choose(&of(&["allow_always", "reject_always"]), true), None);
        assert_eq!(choose(&of(&["allow_always", "reject_always"]), false), Some("o-reject_always"));
        assert_eq!(choose(&[], false), None);
    }
}
