//! Who works: each executor changes the files of a worktree, and says how its run ended. None decides anything.

pub mod agent;
mod command;
mod handoff;
mod replay;

use camino::Utf8Path;

use crate::app::AppRepository;
use crate::context::Context;
use crate::documents::{AgentRun, ProtectedChange, RunEnd};
use crate::failure::Result;
use crate::git::Git;
use crate::pipeline::model::Executor;

/// One round's work.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The feature.
    pub context: &'a Context<'a>,
    /// The round.
    pub round: u32,
    /// The frozen pack's digest.
    pub pack_sha256: &'a str,
    /// The app's repository.
    pub app: &'a AppRepository,
    /// The commit that the work begins from.
    pub base: &'a str,
    /// The brief, absolute.
    pub brief: &'a Utf8Path,
    /// Where output goes, absolute.
    pub log: &'a Utf8Path,
}

/// What came of it.
pub enum Delivered {
    /// The run is over; the files of the worktree are as it left them.
    Work {
        /// Where it worked.
        worktree: Git,
        /// How it ended.
        end: RunEnd,
        /// The exit code of its process, where there was one.
        exit_code: Option<i32>,
        /// The signal that ended it, where one did that was not the pipeline's.
        signal: Option<i32>,
        /// The date of the commit; none is now.
        date: Option<String>,
        /// What an agent did, by its own account.
        agent: Option<Box<AgentRun>>,
        /// What was done to files that the executor was given to read, and that were put back.
        changes: Vec<ProtectedChange>,
    },
    /// A person already committed the work.
    Committed {
        /// Where they worked.
        worktree: Git,
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
        Executor::Command { .. } | Executor::Agent(_) | Executor::Acp(_) | Executor::Handoff => true,
    }
}

/// Lets the executor work.
pub fn work(executor: &Executor, job: &Job<'_>) -> Result<Delivered> {
    match executor {
        Executor::Replay { patch } => replay::work(job, patch),
        Executor::Command { run, env, limits } => command::work(job, run, env, *limits),
        Executor::Agent(agent) => agent::work(job, agent),
        Executor::Acp(acp) => agent::acp::work(job, acp),
        Executor::Handoff => handoff::work(job),
    }
}
