//! Git, through its own command: everything that is asked of a repository.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::process::Output;
use std::sync::Arc;

use anyhow::Context;
use camino::{Utf8Path, Utf8PathBuf};
use gate::code::Code;
use gate::lang::Lang;
use gate::say;

use crate::clock;
use crate::documents::ChangedFile;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::fault;
use crate::keys;
use crate::process;

mod apart;
mod delivered;

pub use delivered::{Delivered, Pair};

/// Settings that keep a machine's own configuration out of what is recorded, and an agent's programs out of our
/// process: neither a hook nor a file monitor runs on our account. Filters are kept out where a call could run one.
const SETTINGS: &[&str] = &[
    "core.autocrlf=false",
    "core.quotePath=false",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "advice.graftFileDeprecated=false",
    "diff.orderFile=/dev/null",
    "commit.gpgSign=false",
    "gc.auto=0",
];

/// What reads a repository, and no file of its working tree: no filter runs there.
const READS: &[&str] = &[
    "cat-file",
    "config",
    "diff-tree",
    "for-each-ref",
    "ls-tree",
    "merge-base",
    "rev-list",
    "rev-parse",
    "symbolic-ref",
];

/// A variable without a value. Settings are taken from it whose names hold `=`, as an agent may choose them.
const EMPTY: &str = "XTASK_NO_FILTER";

/// Variables through which something that runs us sets how git compares.
const SET_OUTSIDE: &[&str] =
    &["GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_DIFF_OPTS", "GIT_EXTERNAL_DIFF", "GIT_ATTR_SOURCE"];

/// Who makes the pipeline's commits, and when.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Anything that git reads as a date; none is now, as the clock has it.
    pub date: Option<String>,
}

impl Signature {
    const NAME: &'static str = "Delivery Pipeline";
    const EMAIL: &'static str = "delivery@example.invalid";

    fn variables(&self, lang: Lang) -> Result<Vec<(&'static str, String)>> {
        let mut variables = vec![
            ("GIT_AUTHOR_NAME", Self::NAME.to_owned()),
            ("GIT_AUTHOR_EMAIL", Self::EMAIL.to_owned()),
            ("GIT_COMMITTER_NAME", Self::NAME.to_owned()),
            ("GIT_COMMITTER_EMAIL", Self::EMAIL.to_owned()),
        ];
        let date = match &self.date {
            Some(date) => Some(date.clone()),
            None => clock::fixed_for_git(lang)?,
        };
        if let Some(date) = date {
            variables.extend([("GIT_AUTHOR_DATE", date.clone()), ("GIT_COMMITTER_DATE", date)]);
        }
        Ok(variables)
    }
}

/// A working tree of a repository.
#[derive(Clone, Debug)]
pub struct Git {
    folder: Utf8PathBuf,
    lang: Lang,
    held: Option<Arc<File>>,
    /// A repository that is our own: nothing that is set outside it holds there.
    is_apart: bool,
}

impl Git {
    /// Whatever repository this folder belongs to.
    pub fn at(folder: impl Into<Utf8PathBuf>, lang: Lang) -> Self {
        Git { folder: folder.into(), lang, held: None, is_apart: false }
    }

    /// Lends a locked file to every git that is started from here. One that outlives us keeps it locked to its end, so
    /// that whoever takes the lock next finds nobody at work in the repository.
    pub fn holding(self, lock: Option<Arc<File>>) -> Self {
        Git { held: lock, ..self }
    }

    /// The folder.
    pub fn folder(&self) -> &Utf8Path {
        &self.folder
    }

    /// Who commits here, by git's own settings.
    pub fn user(&self) -> Result<Option<String>> {
        let output = self.output(&["config", "user.name"], &[])?;
        let name = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Ok(Some(name).filter(|name| output.status.success() && !name.is_empty()))
    }

    /// Whether the folder is the top of a working tree.
    pub fn is_repository(&self) -> Result<bool> {
        let output = self.output(&["rev-parse", "--show-prefix"], &[])?;
        Ok(output.status.success() && String::from_utf8_lossy(&output.stdout).trim().is_empty())
    }

    /// Makes a repository whose first branch is `branch`.
    pub fn init(&self, branch: &str) -> Result<()> {
        self.run(&["init", "--quiet", &format!("--initial-branch={branch}"), "."]).map(drop)
    }

    /// The commit that a name means, or `None`.
    pub fn commit_of(&self, name: &str) -> Result<Option<String>> {
        let output =
            self.output(&["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")], &[])?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Ok((output.status.success() && !text.is_empty()).then_some(text))
    }

    /// The folder of the repository that this working tree belongs to, absolute; none if it belongs to none.
    pub fn repository_folder(&self) -> Result<Option<String>> {
        let output = self.output(&["rev-parse", "--path-format=absolute", "--git-common-dir"], &[])?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Ok((output.status.success() && !text.is_empty()).then_some(text))
    }

    /// The branch that is checked out; none where a commit is.
    pub fn branch(&self) -> Result<Option<String>> {
        // Not the short name: a tag of the same name would change it.
        let output = self.output(&["symbolic-ref", "--quiet", "HEAD"], &[])?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let branch = text.strip_prefix("refs/heads/").filter(|_| output.status.success());
        Ok(branch.map(str::to_owned))
    }

    /// Gives a commit a branch, so that it is not lost when another is moved.
    pub fn keep(&self, branch: &str, commit: &str) -> Result<()> {
        self.run(&["branch", "--force", branch, commit]).map(drop)
    }

    /// Gives what is not committed in the tree a branch. A lock that a killed git left is taken away first: nobody else
    /// works here.
    pub fn keep_uncommitted(&self, branch: &str) -> Result<()> {
        let lock = self.run(&["rev-parse", "--path-format=absolute", "--git-path", "index.lock"])?;
        crate::store::remove_file(Utf8Path::new(lock.trim()))?;
        if self.status()?.is_empty() {
            return Ok(());
        }
        self.stage_all()?;
        let signature = Signature { date: None };
        let kept = self.run_with(&["stash", "create"], &signature.variables(self.lang)?)?;
        match kept.trim() {
            "" => Ok(()),
            commit => self.keep(branch, commit),
        }
    }

    /// What is not committed, one line a file; empty in a clean tree.
    pub fn status(&self) -> Result<String> {
        self.run(&["status", "--porcelain", "--untracked-files=all"])
    }

    /// Whether a file that git knows has changes that are not committed.
    pub fn is_modified(&self) -> Result<bool> {
        Ok(!self.run(&["status", "--porcelain", "--untracked-files=no"])?.is_empty())
    }

    /// Whether `ancestor` is `commit` or one of those before it.
    pub fn is_ancestor(&self, ancestor: &str, commit: &str) -> Result<bool> {
        Ok(self.output(&["merge-base", "--is-ancestor", ancestor, commit], &[])?.status.success())
    }

    /// Files that git does not know and does not ignore.
    pub fn untracked(&self) -> Result<Vec<String>> {
        self.paths(&["ls-files", "--others", "--exclude-standard", "-z"])
    }

    /// Files and whole folders that git ignores.
    pub fn ignored(&self) -> Result<Vec<String>> {
        self.paths(&["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"])
    }

    /// Whether git ignores a file that is there, and will not take it with everything else.
    pub fn is_ignored(&self, path: &str) -> Result<bool> {
        let found =
            self.paths(&["ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--", path])?;
        Ok(found.iter().any(|found| found == path))
    }

    /// Goes back to a commit and leaves the tree as it is: what was committed since is as good as uncommitted.
    pub fn uncommit(&self, commit: &str) -> Result<()> {
        self.run(&["reset", "--quiet", "--soft", commit]).map(drop)
    }

    /// Takes everything in the tree into the index.
    pub fn stage_all(&self) -> Result<()> {
        self.run(&["add", "--all", "."]).map(drop)
    }

    /// Makes a path in the tree and the index what it is in a commit: there, or not there.
    pub fn put_back(&self, path: &str, commit: &str) -> Result<()> {
        // Whatever stands there now, a link or a folder among them, goes first.
        self.run(&["rm", "--quiet", "-r", "--cached", "--ignore-unmatch", "--", path])?;
        self.clear_way(path)?;
        crate::store::remove_any(&self.folder.join(path))?;
        let is_there = self.output(&["cat-file", "-e", &format!("{commit}:{path}")], &[])?.status.success();
        if is_there { self.run(&["checkout", "--quiet", commit, "--", path]).map(drop) } else { Ok(()) }
    }

    /// Takes away what stands where folders above a path belong: through a link there, another folder would be changed.
    fn clear_way(&self, path: &str) -> Result<()> {
        let above: Vec<&Utf8Path> = Utf8Path::new(path).ancestors().skip(1).collect();
        for folder in above.into_iter().rev().filter(|folder| !folder.as_str().is_empty()) {
            let at = self.folder.join(folder);
            if !matches!(crate::store::kind(&at)?, crate::store::Kind::Folder | crate::store::Kind::Absent) {
                crate::store::remove_any(&at)?;
            }
        }
        Ok(())
    }

    fn paths(&self, arguments: &[&str]) -> Result<Vec<String>> {
        let text = self.run(arguments)?;
        Ok(text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect())
    }

    /// Commits everything in the tree, and answers the commit. A tree without changes gives an empty commit.
    pub fn commit_all(&self, message: &str, signature: &Signature) -> Result<String> {
        self.stage_all()?;
        let arguments =
            ["commit", "--quiet", "--allow-empty", "--no-verify", "--cleanup=verbatim", "-m", message];
        self.run_with(&arguments, &signature.variables(self.lang)?)?;
        Ok(self.run(&["rev-parse", "HEAD"])?.trim().to_owned())
    }

    /// Applies a patch file to the tree and the index.
    pub fn apply(&self, patch: &Utf8Path) -> Result<()> {
        self.run(&["apply", "--index", "--whitespace=nowarn", patch.as_str()]).map(drop)
    }

    /// A working tree of `branch` at `folder`; the branch is made at `commit`, or moved there.
    pub fn add_worktree(&self, folder: &Utf8Path, branch: &str, commit: &str) -> Result<()> {
        self.run(&["worktree", "prune"])?;
        let add = ["worktree", "add", "--quiet", "--force", "--no-checkout", "-B", branch];
        self.run(&[add.as_slice(), &[folder.as_str(), commit]].concat())?;
        // From there, where other settings may hold than here.
        let worktree = Git { folder: folder.to_owned(), ..self.clone() };
        worktree.run(&["reset", "--quiet", "--hard"]).map(drop)
    }

    /// Takes a working tree away, with all that is in it.
    pub fn remove_worktree(&self, folder: &Utf8Path) -> Result<()> {
        if folder.exists() {
            self.output(&["worktree", "remove", "--force", folder.as_str()], &[])?;
            crate::store::remove_folder(folder)?;
        }
        self.run(&["worktree", "prune"]).map(drop)
    }

    /// The contents that a commit tracks: the ids of the files of each size.
    pub fn contents(&self, commit: &str) -> Result<Contents> {
        let text = self.run(&["ls-tree", "-r", "-l", "-z", commit])?;
        let mut contents = Contents::default();
        // `mode blob id size<TAB>path`
        for (about, _) in text.split('\0').filter_map(|entry| entry.split_once('\t')) {
            let mut words = about.split_ascii_whitespace().skip(2);
            if let (Some(id), Some(Ok(size))) = (words.next(), words.next().map(str::parse)) {
                contents.0.entry(size).or_default().insert(id.to_owned());
            }
        }
        Ok(contents)
    }

    /// The id that the content of a file would have, whatever repository it were in.
    fn content_id(file: &Utf8Path, lang: Lang) -> Result<String> {
        let folder = file.parent().unwrap_or(Utf8Path::new("."));
        Ok(Git::at(folder, lang).run(&["hash-object", "--no-filters", file.as_str()])?.trim().to_owned())
    }

    /// Everything that a commit holds in a folder of it; the root where `folder` is empty.
    pub fn tree(&self, commit: &str, folder: &str) -> Result<Vec<TreeEntry>> {
        let text = self.run(&["ls-tree", "-r", "-l", "-z", &format!("{commit}:{folder}")])?;
        Ok(text.split('\0').filter_map(tree_entry).collect())
    }

    /// The names of the folders in a folder of a commit; none where the commit has no such folder.
    pub fn folders(&self, commit: &str, folder: &str) -> Result<Vec<String>> {
        let output =
            self.output(&["ls-tree", "-d", "--name-only", "-z", &format!("{commit}:{folder}")], &[])?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let names = text.split('\0').filter(|name| output.status.success() && !name.is_empty());
        Ok(names.map(str::to_owned).collect())
    }

    /// The contents of these ids, in their order.
    pub fn blobs(&self, ids: &[&str]) -> Result<Vec<Vec<u8>>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let asked = ids.iter().flat_map(|id| [id, "\n"]).collect::<String>();
        let said = self.answer(&["cat-file", "--batch"], asked)?;
        let mut rest = said.as_slice();
        let contents: Option<Vec<Vec<u8>>> = ids.iter().map(|_| next_blob(&mut rest)).collect();
        contents.ok_or_else(|| self.unreadable())
    }

    fn unreadable(&self) -> Failure {
        let message = say!(self.lang, "git cannot read what it holds", "git 无法读取其所存内容");
        Failure::coded(Ending::CannotRun, Code::Git, message, Code::Git.help(self.lang))
    }

    /// A content to be read from its start.
    pub fn blob(&self, id: &str) -> Result<impl std::io::Read + use<>> {
        let expression = self.expression(&["cat-file", "blob", id]).stdin_null();
        Ok(expression.reader().with_context(|| format!("failed to run git in {}", self.folder))?)
    }

    /// What git answers to what it is asked through its standard input.
    fn answer(&self, arguments: &[&str], asked: String) -> Result<Vec<u8>> {
        let output = process::output(self.expression(arguments).stdin_bytes(asked))
            .with_context(|| format!("failed to run git in {}", self.folder))?;
        if output.status.success() { Ok(output.stdout) } else { Err(self.failed(arguments, &output)) }
    }

    /// Runs git and answers what it prints.
    fn run(&self, arguments: &[&str]) -> Result<String> {
        self.run_with(arguments, &[])
    }

    fn run_with(&self, arguments: &[&str], variables: &[(&str, String)]) -> Result<String> {
        fault::point();
        let output = self.output(arguments, variables)?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(self.failed(arguments, &output))
    }

    fn failed(&self, arguments: &[&str], output: &Output) -> Failure {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let verb = arguments.first().copied().unwrap_or_default();
        let message = say!(self.lang, "git {verb} failed: {said}", "git {verb} 失败：{said}");
        Failure::coded(Ending::CannotRun, Code::Git, message, Code::Git.help(self.lang))
    }

    /// Takes the program from every filter that some settings name. An agent may write those of its repository, and what
    /// it names there would run in our process, when nobody looks any more.
    fn no_filters(&self) -> Result<Vec<String>> {
        let listed = self.bare_output(&["config", "--name-only", "-z", "--get-regexp", "^filter\\."], &[])?;
        let text = String::from_utf8(listed.stdout).map_err(|_| {
            let message = say!(
                self.lang,
                "the name of a filter in git's settings is not text",
                "git 设置中某个过滤器的名称不是文本"
            );
            Failure::coded(Ending::CannotRun, Code::Git, message, Code::Git.help(self.lang))
        })?;
        let filters: BTreeSet<&str> =
            text.split('\0').filter_map(|name| Some(name.rsplit_once('.')?.0)).collect();
        let each = |filter: &&str| {
            ["clean", "smudge", "process", "required"]
                .map(|key| format!("--config-env={filter}.{key}={EMPTY}"))
        };
        Ok(filters.iter().flat_map(each).collect())
    }

    fn output(&self, arguments: &[&str], variables: &[(&str, String)]) -> Result<Output> {
        if self.is_apart || arguments.first().is_some_and(|verb| READS.contains(verb)) {
            return self.bare_output(arguments, variables);
        }
        let none = self.no_filters()?;
        let all: Vec<&str> = none.iter().map(String::as_str).chain(arguments.iter().copied()).collect();
        self.bare_output(&all, variables)
    }

    fn bare_output(&self, arguments: &[&str], variables: &[(&str, String)]) -> Result<Output> {
        let mut expression = self.expression(arguments);
        for (name, value) in variables {
            expression = expression.env(name, value);
        }
        expression = match &self.held {
            // Nothing that is run here reads it.
            Some(lock) => expression.stdin_file(lock.try_clone().context("failed to lend a lock")?),
            None => expression.stdin_null(),
        };
        // A missing folder and a missing program look alike to the system; here only the program can be missing.
        Ok(process::output(expression)
            .with_context(|| format!("failed to run git in {}; is git installed?", self.folder))?)
    }

    /// Git with some arguments, its standard input still open.
    fn expression(&self, arguments: &[&str]) -> duct::Expression {
        let settings = SETTINGS.iter().flat_map(|setting| ["-c", *setting]);
        let all: Vec<&str> = settings.chain(arguments.iter().copied()).collect();
        let expression = duct::cmd("git", all)
            .dir(&self.folder)
            .stdout_capture()
            .stderr_capture()
            .unchecked()
            .env("LC_ALL", "C")
            // A replaced object would be another content under the name of the delivered one.
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            // Nor are a commit's parents others than it names.
            .env("GIT_GRAFT_FILE", "/dev/null")
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env(EMPTY, "")
            // A path is a path, whatever signs are in it.
            .env("GIT_LITERAL_PATHSPECS", "1")
            // A hook or an alias that runs us must not lend us its repository, nor a folder above this one.
            .env("GIT_CEILING_DIRECTORIES", self.folder.parent().unwrap_or(&self.folder).as_str())
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .env_remove("GIT_INDEX_FILE")
            // Nothing that git may start is to see it.
            .env_remove(keys::VARIABLE);
        if !self.is_apart {
            return expression;
        }
        let unset = |expression: duct::Expression, name: &&str| expression.env_remove(name);
        SET_OUTSIDE
            .iter()
            .fold(expression, unset)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
    }
}

/// One file that a commit holds.
pub struct TreeEntry {
    /// Relative to the folder that was asked about.
    pub path: String,
    /// Of its content.
    pub id: String,
    /// Its size; none of what is no plain file.
    pub bytes: Option<u64>,
}

/// `mode type id size<TAB>path`
fn tree_entry(line: &str) -> Option<TreeEntry> {
    let (about, path) = line.split_once('\t')?;
    let mut words = about.split_ascii_whitespace();
    let (mode, _, id, size) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let bytes = if mode.starts_with("100") { size.parse().ok() } else { None };
    Some(TreeEntry { path: path.to_owned(), id: id.to_owned(), bytes })
}

/// `id blob size`, a line feed, as many bytes, and a line feed.
fn next_blob(rest: &mut &[u8]) -> Option<Vec<u8>> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let (head, after) = rest.split_at_checked(end)?;
    let size: usize = std::str::from_utf8(head).ok()?.rsplit(' ').next()?.parse().ok()?;
    let (bytes, after) = after.get(1..)?.split_at_checked(size)?;
    *rest = after.get(1..)?;
    Some(bytes.to_vec())
}

/// The contents that a commit tracks, by size.
#[derive(Clone, Debug, Default)]
pub struct Contents(BTreeMap<u64, BTreeSet<String>>);

impl Contents {
    /// Whether a file is one of them. Only a file whose size fits is hashed: git's digest is slow on large ones.
    pub fn hold(&self, file: &Utf8Path, bytes: u64, lang: Lang) -> Result<bool> {
        match self.0.get(&bytes) {
            Some(ids) => Ok(ids.contains(&Git::content_id(file, lang)?)),
            None => Ok(false),
        }
    }
}

fn changed_file(line: &str) -> Option<ChangedFile> {
    let mut parts = line.splitn(3, '\t');
    let (added, removed, path) = (parts.next()?, parts.next()?, parts.next()?);
    // Git writes `-` for both counts of a binary file.
    Some(ChangedFile { path: path.to_owned(), added: added.parse().ok(), removed: removed.parse().ok() })
}
