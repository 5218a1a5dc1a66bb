//! Where the files of a workspace are read from: its folder, or a commit that holds it. Whoever judges reads through this,
//! so that what is committed can be judged again without being checked out.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor};
use std::sync::Arc;

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};

use crate::digests::Over;
use crate::failure::Result;
use crate::git::{Git, TreeEntry};
use crate::store::{self, Fingerprint, Kind};

/// As much of a file as is read at a time.
const PIECE: usize = 256 * 1024;

/// What is at most held in memory of a commit's file; a larger one is read when it is asked for.
const HELD: u64 = 1 << 20;

/// The files of a workspace, by paths relative to its root with forward slashes.
pub enum Files {
    /// Those in a folder, absolute.
    Folder(Utf8PathBuf),
    /// Those of a commit.
    Commit(Arc<Snapshot>),
}

/// The files that a commit holds.
#[derive(Clone, Default)]
pub struct Snapshot {
    git: Option<Git>,
    entries: BTreeMap<String, Entry>,
}

/// One of them.
#[derive(Clone)]
enum Entry {
    Held(Arc<[u8]>),
    Large {
        id: String,
    },
    /// A link, or another repository.
    Other,
}

impl Snapshot {
    /// The files of a commit for which `wanted` says so.
    pub fn of(git: &Git, tree: Vec<TreeEntry>, wanted: impl Fn(&str) -> bool) -> Result<Self> {
        let mut snapshot = Snapshot { git: Some(git.clone()), entries: BTreeMap::new() };
        let mut small = Vec::new();
        for entry in tree.into_iter().filter(|entry| wanted(&entry.path)) {
            match entry.bytes {
                Some(bytes) if bytes <= HELD => small.push(entry),
                Some(_) => drop(snapshot.entries.insert(entry.path, Entry::Large { id: entry.id })),
                None => drop(snapshot.entries.insert(entry.path, Entry::Other)),
            }
        }
        let ids: Vec<&str> = small.iter().map(|entry| entry.id.as_str()).collect();
        let contents = git.blobs(&ids)?;
        for (entry, bytes) in small.into_iter().zip(contents) {
            snapshot.entries.insert(entry.path, Entry::Held(bytes.into()));
        }
        Ok(snapshot)
    }

    /// These files alone.
    #[cfg(test)]
    pub fn held(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let entries = files.into_iter().map(|(path, bytes)| (path, Entry::Held(bytes.into()))).collect();
        Snapshot { git: None, entries }
    }

    /// With one file as it is given, or without it.
    #[cfg(test)]
    pub fn with(&self, path: &str, bytes: Option<Vec<u8>>) -> Self {
        let mut other = self.clone();
        match bytes {
            Some(bytes) => drop(other.entries.insert(path.to_owned(), Entry::Held(bytes.into()))),
            None => drop(other.entries.remove(path)),
        }
        other
    }

    fn open(&self, path: &str) -> Result<Option<Box<dyn BufRead>>> {
        Ok(match (self.entries.get(path), &self.git) {
            (Some(Entry::Held(bytes)), _) => Some(Box::new(Cursor::new(Arc::clone(bytes)))),
            (Some(Entry::Large { id }), Some(git)) => {
                Some(Box::new(BufReader::with_capacity(PIECE, git.blob(id)?)))
            }
            _ => None,
        })
    }

    /// The entries below a folder: what follows it in their paths.
    fn below<'a>(&'a self, folder: &str) -> impl Iterator<Item = &'a str> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let from = self.entries.range(prefix.clone()..);
        from.map_while(move |(path, _)| path.strip_prefix(prefix.as_str()))
    }

    fn kind(&self, path: &str) -> Kind {
        match self.entries.get(path) {
            Some(Entry::Held(_) | Entry::Large { .. }) => Kind::File,
            Some(Entry::Other) => Kind::Link,
            None if self.below(path).next().is_some() => Kind::Folder,
            None => Kind::Absent,
        }
    }
}

impl Files {
    /// The bytes of a file, or `None` if there is none.
    pub fn read(&self, path: &Utf8Path) -> Result<Option<Vec<u8>>> {
        match self {
            Files::Folder(folder) => store::read_optional(&folder.join(path)),
            Files::Commit(snapshot) => {
                let Some(mut body) = snapshot.open(path.as_str())? else { return Ok(None) };
                let mut bytes = Vec::new();
                body.read_to_end(&mut bytes).with_context(|| format!("failed to read {path}"))?;
                Ok(Some(bytes))
            }
        }
    }

    /// A file to be read from its start, or `None` if there is none.
    pub fn open(&self, path: &Utf8Path) -> Result<Option<Box<dyn BufRead>>> {
        match self {
            Files::Folder(folder) => open(&folder.join(path)),
            Files::Commit(snapshot) => snapshot.open(path.as_str()),
        }
    }

    /// What stands at a path; links are not followed.
    pub fn kind(&self, path: &Utf8Path) -> Result<Kind> {
        match self {
            Files::Folder(folder) => store::kind(&folder.join(path)),
            Files::Commit(snapshot) => Ok(snapshot.kind(path.as_str())),
        }
    }

    /// The names of the entries of a folder, sorted; none if there is no such folder.
    pub fn list(&self, path: &Utf8Path) -> Result<Vec<String>> {
        match self {
            Files::Folder(folder) => store::list(&folder.join(path)),
            Files::Commit(snapshot) => {
                let below = snapshot.below(path.as_str());
                let first = |inner: &str| inner.split('/').next().unwrap_or(inner).to_owned();
                let mut names: Vec<String> = below.map(first).collect();
                names.sort();
                names.dedup();
                Ok(names)
            }
        }
    }

    /// Every file below a folder, as paths relative to it, sorted. Links are named, not followed.
    pub fn below(&self, path: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
        match self {
            Files::Folder(folder) => store::files_below(&folder.join(path)),
            Files::Commit(snapshot) => {
                let mut found: Vec<Utf8PathBuf> =
                    snapshot.below(path.as_str()).map(Utf8PathBuf::from).collect();
                found.sort();
                Ok(found)
            }
        }
    }

    /// Size and digest of a file, or `None` if there is none. Read once, in pieces.
    pub fn fingerprint(&self, path: &Utf8Path) -> Result<Option<Fingerprint>> {
        match self {
            Files::Folder(folder) => store::fingerprint(&folder.join(path)),
            Files::Commit(snapshot) => {
                let Some(body) = snapshot.open(path.as_str())? else { return Ok(None) };
                Ok(Some(store::fingerprint_of(body).with_context(|| format!("failed to read {path}"))?))
            }
        }
    }

    /// The digest of a file as it is now, or `None` if there is none: nothing that was remembered is asked.
    pub fn digest(&self, path: &Utf8Path, over: Over) -> Result<Option<String>> {
        match over {
            Over::Bytes => Ok(self.fingerprint(path)?.map(|print| print.sha256)),
            Over::Text => Ok(self.read(path)?.map(|bytes| store::text_digest_of(&bytes))),
        }
    }
}

/// A file on disk to be read from its start, or `None` if there is none.
pub fn open(path: &Utf8Path) -> Result<Option<Box<dyn BufRead>>> {
    match File::open(path) {
        Ok(file) => Ok(Some(Box::new(BufReader::with_capacity(PIECE, file)))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(anyhow::Error::new(error).context(format!("failed to read {path}")).into()),
    }
}
