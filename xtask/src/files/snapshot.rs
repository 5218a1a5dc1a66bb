//! The files of a commit.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Cursor};
use std::sync::Arc;

use super::{HELD, PIECE};
use crate::failure::Result;
use crate::git::{Git, TreeEntry};
use crate::store::Kind;

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

    pub(super) fn open(&self, path: &str) -> Result<Option<Box<dyn BufRead>>> {
        Ok(match (self.entries.get(path), &self.git) {
            (Some(Entry::Held(bytes)), _) => Some(Box::new(Cursor::new(Arc::clone(bytes)))),
            (Some(Entry::Large { id }), Some(git)) => {
                Some(Box::new(BufReader::with_capacity(PIECE, git.blob(id)?)))
            }
            _ => None,
        })
    }

    /// The entries below a folder: what follows it in their paths.
    pub(super) fn below<'a>(&'a self, folder: &str) -> impl Iterator<Item = &'a str> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let from = self.entries.range(prefix.clone()..);
        from.map_while(move |(path, _)| path.strip_prefix(prefix.as_str()))
    }

    pub(super) fn kind(&self, path: &str) -> Kind {
        match self.entries.get(path) {
            Some(Entry::Held(_) | Entry::Large { .. }) => Kind::File,
            Some(Entry::Other) => Kind::Link,
            None if self.below(path).next().is_some() => Kind::Folder,
            None => Kind::Absent,
        }
    }
}
