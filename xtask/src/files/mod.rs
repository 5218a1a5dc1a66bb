//! Where the files of a workspace are read from: its folder, or a commit that holds it. Whoever judges reads through this,
//! so that what is committed can be judged again without being checked out.

mod seen;
mod snapshot;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::sync::Arc;

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};

use crate::digests::Over;
use crate::failure::Result;
use crate::store::{self, Fingerprint, Kind};

pub use seen::Seen;
pub use snapshot::Snapshot;

/// As much of a file as is read at a time.
const PIECE: usize = 256 * 1024;

/// What is at most held in memory of one file; a larger one is read whenever it is asked for.
const HELD: u64 = 1 << 20;

/// The files of a workspace, by paths relative to its root with forward slashes.
pub enum Files {
    /// Those in a folder, absolute.
    Folder(Utf8PathBuf),
    /// Those in a folder, each as it was when it was first read.
    Seen(Seen),
    /// Those of a commit.
    Commit(Arc<Snapshot>),
}

impl Files {
    /// The bytes of a file, or `None` if there is none.
    pub fn read(&self, path: &Utf8Path) -> Result<Option<Vec<u8>>> {
        match self {
            Files::Folder(folder) => store::read_optional(&folder.join(path)),
            Files::Seen(seen) => seen.read(path),
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
            Files::Seen(seen) => seen.open(path),
            Files::Commit(snapshot) => snapshot.open(path.as_str()),
        }
    }

    /// What stands at a path; links are not followed.
    pub fn kind(&self, path: &Utf8Path) -> Result<Kind> {
        match self {
            Files::Folder(folder) => store::kind(&folder.join(path)),
            Files::Seen(seen) => store::kind(&seen.at(path)),
            Files::Commit(snapshot) => Ok(snapshot.kind(path.as_str())),
        }
    }

    /// The names of the entries of a folder, sorted; none if there is no such folder.
    pub fn list(&self, path: &Utf8Path) -> Result<Vec<String>> {
        match self {
            Files::Folder(folder) => store::list(&folder.join(path)),
            Files::Seen(seen) => store::list(&seen.at(path)),
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
            Files::Seen(seen) => store::files_below(&seen.at(path)),
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
            Files::Seen(seen) => seen.fingerprint(path),
            Files::Commit(snapshot) => {
                let Some(body) = snapshot.open(path.as_str())? else { return Ok(None) };
                Ok(Some(store::fingerprint_of(body).with_context(|| format!("failed to read {path}"))?))
            }
        }
    }

    /// The digest of a file, or `None` if there is none: no earlier run's is asked.
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
