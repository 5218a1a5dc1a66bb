//! What says, after a run was killed, which programs it left: a small file for each program that runs.

use std::fs;

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use super::{Program, table};
use crate::failure::Result;
use crate::paths::Root;
use crate::store;

/// The variable by which everything that a program starts is known to belong to it.
pub const MARK: &str = "XTASK_RUN";

/// Where the records of a feature's programs are.
pub fn folder(root: &Root, feature: &str) -> Utf8PathBuf {
    root.scratch().join("running").join(feature)
}

/// The record of a program that is about to run. The name of the file is its mark, so that it says enough even where
/// whoever wrote it was killed over it.
pub struct Record {
    path: Utf8PathBuf,
    program: String,
}

/// What stands in it.
#[derive(Debug, Serialize, Deserialize)]
struct Content {
    /// The process, once there is one.
    pid: Option<u32>,
    /// When it began.
    start: Option<String>,
    /// Its program.
    program: String,
}

impl Record {
    /// Leaves word before anything is started.
    pub fn begin(program: &Program) -> Result<Self> {
        let folder = &program.running;
        store::create_folder(folder)?;
        let (_, path) = tempfile::Builder::new()
            .prefix("")
            .rand_bytes(16)
            .tempfile_in(folder)
            .with_context(|| format!("failed to write in {folder}"))?
            .keep()
            .with_context(|| format!("failed to write in {folder}"))?;
        let path = Utf8PathBuf::from_path_buf(path)
            .map_err(|path| anyhow::anyhow!("{} is no UTF-8", path.display()))?;
        let record = Record { path, program: program.argv.first().cloned().unwrap_or_default() };
        record.write(None)?;
        Ok(record)
    }

    /// The mark of the program: unlike that of any other.
    pub fn mark(&self) -> &str {
        self.path.file_name().unwrap_or_default()
    }

    /// Adds the process.
    pub fn name(&self, pid: u32) -> Result<()> {
        self.write(Some(pid))
    }

    fn write(&self, pid: Option<u32>) -> Result<()> {
        let start = pid.and_then(table::process).map(|process| process.start);
        let content = Content { pid, start, program: self.program.clone() };
        let bytes = store::json_bytes(&content)?;
        Ok(fs::write(&self.path, bytes).with_context(|| format!("failed to write {}", self.path))?)
    }

    /// The program is over, and all that it started.
    pub fn remove(self) -> Result<()> {
        store::remove_file(&self.path)
    }
}

/// Ends what runs of this feature left that were killed themselves, and answers the names of those programs. To be
/// called by whoever holds the feature's lock.
pub fn end_leftovers(root: &Root, feature: &str) -> Result<Vec<String>> {
    let folder = folder(root, feature);
    let mut ended = Vec::new();
    for mark in store::list(&folder)? {
        let path = folder.join(&mark);
        let content = read(&path)?;
        let program = content.as_ref().map(|content| content.program.clone()).unwrap_or_default();
        let (pid, start) = content.map(|content| (content.pid, content.start)).unwrap_or_default();
        if end(pid.unwrap_or_default(), start, &mark) {
            ended.push(program);
        }
        store::remove_file(&path)?;
    }
    Ok(ended)
}

fn read(path: &Utf8Path) -> Result<Option<Content>> {
    let bytes = store::read_optional(path)?.unwrap_or_default();
    Ok(serde_json::from_slice(&bytes).ok())
}

#[cfg(unix)]
fn end(pid: u32, start: Option<String>, mark: &str) -> bool {
    super::group::end_marked(pid, start, mark)
}

/// Nobody tells here when a process began, and its number alone may by now be another's.
#[cfg(not(unix))]
fn end(_: u32, _: Option<String>, _: &str) -> bool {
    false
}
