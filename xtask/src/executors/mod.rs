//! Who works: each executor changes the files of a worktree, and says how its run ended. None decides anything.

mod command;
mod handoff;
mod replay;

use camino::Utf8PathBuf;

use crate::context::Context;
use crate::documents::RunEnd;
use crate::failure::Result;
use crate::git::Git;
use crate::pipeline::model::Executor;

/// One round's work.
pub struct Job<'a> {
    /// The feature.
    pub context: &'a Context<'a>,
    /// The round.
    pub round: u32,
    /// Where the work is done.
    pub worktree: &'a Git,
    /// The commit that the worktree began from.
    pub base: &'a str,
    /// The brief, absolute.
    pub brief: Utf8PathBuf,
    /// Where output goes, absolute.
    pub log: Utf8PathBuf,
}

/// What came of it.
pub enum Delivered {
    /// The run is over; the files are as it left them.
    Work {
        /// How it ended.
        end: RunEnd,
        /// The exit code of its process, where there was one.
        exit_code: Option<i32>,
        /// The date of the commit; none is now.
        date: Option<String>,
    },
    /// A person already committed the work.
    Committed {
        /// The delivered commit.
        head: String,
    },
    /// A person has to work first.
    Waiting,
}

/// Whether the executor has anything to offer for a round. A replay ends with its recordings.
pub fn can_start(context: &Context<'_>, executor: &Executor, round: u32) -> bool {
    match executor {
        Executor::Replay { patch } => replay::patch_path(context, patch, round).is_file(),
        Executor::Command { .. } | Executor::Handoff => true,
    }
}

/// Whether the worktree of an earlier call is the place to go on.
pub fn keeps_worktree(executor: &Executor) -> bool {
    match executor {
        Executor::Handoff => true,
        Executor::Replay { .. } | Executor::Command { .. } => false,
    }
}

/// Lets the executor work.
pub fn work(executor: &Executor, job: &Job<'_>) -> Result<Delivered> {
    match executor {
        Executor::Replay { patch } => replay::work(job, patch),
        Executor::Command { run, env, timeout } => command::work(job, run, env, *timeout),
        Executor::Handoff => handoff::work(job),
    }
}
