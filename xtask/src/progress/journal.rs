//! The event stream: one JSON object a line, in a file that others may read while it grows.

use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use camino::{Utf8Path, Utf8PathBuf};
use gate::lang::Lang;

use super::event::{Event, Record};
use crate::clock;
use crate::documents::FORMAT;
use crate::failure::Result;

/// A file of events.
pub struct Journal {
    path: Utf8PathBuf,
    state: Mutex<State>,
}

struct State {
    /// None once it could not be written.
    file: Option<File>,
    sequence: u64,
}

impl Journal {
    /// Opens a file, and goes on behind what is in it.
    pub fn open(path: &Utf8Path, lang: Lang) -> Result<Self> {
        clock::now(lang)?;
        let file = File::options().create(true).append(true).open(path);
        let file = file.with_context(|| format!("failed to write {path}"))?;
        Ok(Journal { path: path.to_owned(), state: Mutex::new(State { file: Some(file), sequence: 0 }) })
    }

    /// Adds an event. A stream that breaks off stops no delivery: the first failure is answered, and it ends there.
    pub fn write(&self, event: Event) -> std::result::Result<(), String> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let sequence = state.sequence + 1;
        let Some(file) = &mut state.file else { return Ok(()) };
        match write(file, sequence, event) {
            Ok(()) => {
                state.sequence = sequence;
                Ok(())
            }
            Err(error) => {
                state.file = None;
                Err(format!("failed to write {}: {error:#}", self.path))
            }
        }
    }
}

/// In one piece, so that no reader sees half a line.
fn write(file: &mut File, sequence: u64, event: Event) -> anyhow::Result<()> {
    // It was there when the file was opened.
    let at = clock::now(Lang::En).map_err(|failure| anyhow::anyhow!("{failure}"))?;
    let mut line = serde_json::to_vec(&Record { format: FORMAT, sequence, at, event })?;
    line.push(b'\n');
    file.write_all(&line)?;
    Ok(file.flush()?)
}
