//! A protected file as it was, and what makes it that again.

use camino::{Utf8Path, Utf8PathBuf};

use crate::failure::Result;
use crate::store;

/// Larger files are known by their digest only, and cannot be put back.
const LARGEST: u64 = 8 << 20;

/// A file as it was.
pub enum Kept {
    /// Its digest, and its bytes if it is not too large.
    File { sha256: String, bytes: Option<Vec<u8>> },
    /// Where it leads to.
    Link(Utf8PathBuf),
    /// A pipe, a socket, a device: nothing that is read.
    Special,
}

impl Kept {
    /// What stands at a path, with at most so many bytes.
    pub fn of(at: &Utf8Path, most: u64) -> Result<Option<Kept>> {
        match store::kind(at)? {
            store::Kind::Link => Ok(Some(Kept::Link(store::link_target(at)?))),
            store::Kind::File => {
                let Some(print) = store::fingerprint(at)? else { return Ok(None) };
                let is_kept = print.bytes <= LARGEST.min(most);
                let bytes = if is_kept { store::read_optional(at)? } else { None };
                Ok(Some(Kept::File { sha256: print.sha256, bytes }))
            }
            store::Kind::Special => Ok(Some(Kept::Special)),
            store::Kind::Absent | store::Kind::Folder => Ok(None),
        }
    }

    /// What tells it from anything else.
    pub fn print(&self) -> String {
        match self {
            Kept::File { sha256, .. } => format!("sha256:{sha256}"),
            Kept::Link(target) => format!("link:{target}"),
            Kept::Special => "special".to_owned(),
        }
    }

    /// How many of its bytes are kept.
    pub fn size(&self) -> u64 {
        match self {
            Kept::File { bytes: Some(bytes), .. } => bytes.len() as u64,
            Kept::File { bytes: None, .. } | Kept::Link(_) | Kept::Special => 0,
        }
    }

    /// Whether it is still there as it was.
    pub fn is_at(&self, at: &Utf8Path) -> Result<bool> {
        let kind = store::kind(at)?;
        Ok(match self {
            Kept::File { sha256, .. } => {
                kind == store::Kind::File
                    && store::fingerprint(at)?.is_some_and(|print| print.sha256 == *sha256)
            }
            Kept::Link(target) => kind == store::Kind::Link && store::link_target(at)? == *target,
            Kept::Special => kind == store::Kind::Special,
        })
    }

    /// Makes it what it was; whether that could be done.
    pub fn put_back(&self, at: &Utf8Path) -> Result<bool> {
        match self {
            Kept::File { bytes: Some(bytes), .. } => {
                store::write(at, bytes)?;
                Ok(true)
            }
            Kept::File { bytes: None, .. } | Kept::Link(_) | Kept::Special => Ok(false),
        }
    }
}
