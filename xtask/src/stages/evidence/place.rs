//! Where an evidence file is: beside the round, or in the external store under its digest.

use std::io::BufRead;

use camino::Utf8PathBuf;

use crate::context::Context;
use crate::documents::FileRecord;
use crate::failure::Result;
use crate::files;
use crate::pipeline::model::{Collector, Keep};
use crate::store::{self, Fingerprint, Kind};

/// Where the bytes of a recorded file are, absolute, in a workspace that is a folder.
pub fn path_of(context: &Context<'_>, round: u32, file: &FileRecord) -> Utf8PathBuf {
    if file.external { external(context, &file.sha256) } else { context.at(inside(context, round, file)) }
}

/// Where a file that is committed is, relative to the root.
fn inside(context: &Context<'_>, round: u32, file: &FileRecord) -> Utf8PathBuf {
    context.paths.in_round(round, &file.path)
}

/// What stands where a recorded file has to be.
pub fn kind(context: &Context<'_>, round: u32, file: &FileRecord) -> Result<Kind> {
    match file.external {
        true => store::kind(&external(context, &file.sha256)),
        false => context.files.kind(&inside(context, round, file)),
    }
}

/// The bytes of a recorded file, to be read from their start, or `None` if there are none.
pub fn open(context: &Context<'_>, round: u32, file: &FileRecord) -> Result<Option<Box<dyn BufRead>>> {
    match file.external {
        true => files::open(&external(context, &file.sha256)),
        false => context.files.open(&inside(context, round, file)),
    }
}

/// Size and digest of what stands where a recorded file has to be.
pub fn fingerprint(context: &Context<'_>, round: u32, file: &FileRecord) -> Result<Option<Fingerprint>> {
    match file.external {
        true => store::fingerprint(&external(context, &file.sha256)),
        false => context.files.fingerprint(&inside(context, round, file)),
    }
}

/// The place of a digest in the external store: the same bytes are kept once.
pub fn external(context: &Context<'_>, sha256: &str) -> Utf8PathBuf {
    let (first, rest) = sha256.split_at_checked(2).unwrap_or((sha256, ""));
    context.at(&context.pipeline.store.external).join("sha256").join(first).join(rest)
}

/// Whether a file of this size goes to the external store.
pub fn is_external(context: &Context<'_>, collector: &Collector, bytes: u64) -> bool {
    match collector.keep {
        Keep::Commit => false,
        Keep::External => true,
        Keep::BySize => bytes > context.pipeline.store.above,
    }
}

/// Where files are gathered until all of them are there, absolute.
pub fn gathering(context: &Context<'_>) -> Utf8PathBuf {
    context.root.scratch().join("gathered").join(&context.feature)
}

/// Puts what was gathered in the place of what a round had.
pub fn replace(context: &Context<'_>, round: u32) -> Result<()> {
    let (from, to) = (gathering(context), context.at(context.paths.in_round(round, "evidence")));
    store::remove_folder(&to)?;
    if store::kind(&from)? == Kind::Absent {
        return Ok(());
    }
    store::create_folder(to.parent().unwrap_or(&to))?;
    store::rename(&from, &to)
}
