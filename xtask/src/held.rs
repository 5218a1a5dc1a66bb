//! The locks of features: where they are, and whether a run holds one. They are taken in the pipeline.

use std::fs::{File, TryLockError};

use camino::Utf8PathBuf;

use crate::paths::Root;

/// A file beside the others of a feature's lock.
pub fn path(root: &Root, feature: &str, extension: &str) -> Utf8PathBuf {
    root.scratch().join("locks").join(format!("{feature}.{extension}"))
}

/// Whether a run holds a feature now, this one or another. Whoever takes a lock bears that it is looked at.
pub fn is_held(root: &Root, feature: &str) -> bool {
    let Ok(file) = File::open(path(root, feature, "lock")) else { return false };
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}
