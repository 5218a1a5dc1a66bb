//! Repositories of our own beside the app's: they read its objects and nothing else, so that what somebody left there, or
//! what a machine sets, decides nothing of what is compared or checked out.

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};

use super::{Git, changed_file};
use crate::documents::ChangedFile;
use crate::failure::Result;

/// Every file as it was committed: these take precedence over all that a commit itself says of its files.
const AS_COMMITTED: &str = "* -text -eol -crlf -ident -filter -working-tree-encoding\n";

/// How many paths are given to one git: a command line is limited.
const PATHS: usize = 200;

/// A comparison, whatever is set: without renames, and with nested repositories.
const DIFF: &[&str] = &[
    "diff",
    "--diff-algorithm=myers",
    "--ignore-submodules=none",
    "--no-ext-diff",
    "--no-relative",
    "--no-renames",
    "--no-textconv",
];

/// The same for many commits, each with the one that it is compared with.
const DIFF_EACH: &[&str] = &[
    "diff-tree",
    "--always",
    "--stdin",
    "-r",
    "--numstat",
    "-z",
    "--diff-algorithm=myers",
    "--ignore-submodules=none",
    "--no-ext-diff",
    "--no-renames",
    "--no-textconv",
];

/// A repository without a working tree, gone when it is dropped.
struct Apart {
    git: Git,
    _folder: Option<tempfile::TempDir>,
}

impl Git {
    /// A repository of its own at `folder`, with a commit checked out, byte by byte. It reads the objects of this one and
    /// nothing else: no settings, filters, hooks or replacements that somebody left here.
    pub fn checkout_apart(&self, folder: &Utf8Path, commit: &str) -> Result<()> {
        let Some(home) = self.repository_folder()? else { return Ok(()) };
        let apart = Git { folder: folder.to_owned(), ..self.clone() };
        crate::store::create_folder(folder)?;
        apart.run(&["init", "--quiet", "--template=", "."])?;
        borrow(&home, &folder.join(".git"))?;
        crate::store::write(&folder.join(".git/info/attributes"), AS_COMMITTED.as_bytes())?;
        apart.run(&["checkout", "--quiet", "--detach", commit]).map(drop)
    }

    /// How files at or below some paths differ between two commits; all of them where no path is given.
    pub fn differences(&self, from: &str, to: &str, paths: &[&str]) -> Result<Vec<(char, String)>> {
        Ok(statuses(&self.apart()?.git.diff(&["--name-status", "-z", from, to], paths)?))
    }

    /// How files at or below some paths differ between a commit and the index.
    pub fn staged(&self, from: &str, paths: &[&str]) -> Result<Vec<(char, String)>> {
        Ok(statuses(&self.diff(&["--name-status", "-z", "--cached", from], paths)?))
    }

    /// The lines that two commits have differently in some files, without those around. Every file is text.
    pub fn changed_lines(&self, from: &str, to: &str, paths: &[&str]) -> Result<String> {
        if paths.is_empty() {
            return Ok(String::new());
        }
        let apart = self.apart()?;
        let how = ["--no-color", "--text", "--unified=0", from, to];
        paths.chunks(PATHS).map(|paths| apart.git.diff(&how, paths)).collect()
    }

    /// What a commit changes against another: files with their lines, in git's order.
    pub fn changes(&self, from: &str, to: &str) -> Result<Vec<ChangedFile>> {
        let text = self.apart()?.git.diff(&["--numstat", "-z", from, to], &[])?;
        Ok(text.split('\0').filter_map(changed_file).collect())
    }

    /// What commits change, one line asked for each: the commit, and the one that it is compared with. Answers the fields
    /// that git prints, each ended by a NUL: a commit, and what [`changed_file`] reads of it.
    pub(super) fn compared(&self, lines: String) -> Result<String> {
        let said = self.apart()?.git.answer(DIFF_EACH, lines)?;
        Ok(String::from_utf8_lossy(&said).into_owned())
    }

    fn diff(&self, how: &[&str], paths: &[&str]) -> Result<String> {
        self.run(&[DIFF, how, &["--"], paths].concat())
    }

    /// A repository to compare commits in, where a temporary folder can be made. No attribute reaches it, and no setting but our own.
    fn apart(&self) -> Result<Apart> {
        // Verifying asks for no place to write. Where there is none, the app's own repository answers.
        let Ok(folder) = tempfile::tempdir() else { return Ok(Apart { git: self.clone(), _folder: None }) };
        let path = Utf8PathBuf::try_from(folder.path().to_owned()).context("failed to name a folder")?;
        let git = Git { folder: path, is_apart: true, ..self.clone() };
        git.run(&["init", "--quiet", "--bare", "--template=", "."])?;
        if let Some(home) = self.repository_folder()? {
            borrow(&home, &git.folder)?;
        }
        Ok(Apart { git, _folder: Some(folder) })
    }
}

/// Lets a repository read the objects of another.
fn borrow(home: &str, repository: &Utf8Path) -> Result<()> {
    let objects = format!("{}/objects\n", home.replace('\\', "/"));
    crate::store::write(&repository.join("objects/info/alternates"), objects.as_bytes())
}

fn statuses(text: &str) -> Vec<(char, String)> {
    let fields: Vec<&str> = text.split('\0').filter(|field| !field.is_empty()).collect();
    let pairs = fields.chunks_exact(2).filter_map(|pair| match pair {
        [status, path] => Some((status.chars().next()?, (*path).to_owned())),
        _ => None,
    });
    pairs.collect()
}
