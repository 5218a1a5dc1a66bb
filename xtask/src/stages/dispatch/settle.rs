//! What an executor left becomes the delivered commit: one, by the pipeline's own name, without what is protected.

use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use crate::context::Context;
use crate::documents::{AgentRun, Change, Place, ProtectedChange, RunEnd};
use crate::ending::Ending;
use crate::executors::{Delivered, Job};
use crate::failure::{Failure, Result};
use crate::git::{Git, Signature};

/// How many file names of a kind are recorded.
const NAMES: usize = 500;

/// A round's work as a commit, and how its run ended.
pub struct Settled {
    pub worktree: Git,
    pub head: String,
    pub end: RunEnd,
    pub exit_code: Option<i32>,
    pub signal: Option<i32>,
    pub untracked: Vec<String>,
    pub ignored: Vec<String>,
    pub changes: Vec<ProtectedChange>,
    pub agent: Option<AgentRun>,
}

/// Commits what the executor left, or takes up what a person committed.
pub fn settle(job: &Job<'_>, delivered: Delivered) -> Result<Settled> {
    match delivered {
        Delivered::Waiting => Err(waiting(job.context, job.round)),
        Delivered::Committed { worktree, head } => Ok(Settled {
            changes: differences(job, &worktree, Some(&head))?,
            worktree,
            head,
            end: RunEnd::Completed,
            exit_code: None,
            signal: None,
            untracked: Vec::new(),
            ignored: Vec::new(),
            agent: None,
        }),
        Delivered::Work { worktree, end, exit_code, signal, date, agent, mut changes } => {
            // Before anything is written there: an agent may have turned the folder into another repository.
            job.app.require_worktree(&worktree, job.base)?;
            let (untracked, ignored) = (named(worktree.untracked()?), named(worktree.ignored()?));
            // Whoever committed meanwhile, and however often: the delivery is one commit by one name.
            worktree.uncommit(job.base)?;
            changes.extend(put_back(job, &worktree)?);
            let head = worktree.commit_all(&message(job), &Signature { date })?;
            require_protected(job, &worktree, &head)?;
            let agent = agent.map(|run| *run);
            Ok(Settled { worktree, head, end, exit_code, signal, untracked, ignored, changes, agent })
        }
    }
}

fn named(mut names: Vec<String>) -> Vec<String> {
    names.truncate(NAMES);
    names
}

/// Makes protected files of the app what they were, and answers which were not.
fn put_back(job: &Job<'_>, worktree: &Git) -> Result<Vec<ProtectedChange>> {
    worktree.stage_all()?;
    let changes = differences(job, worktree, None)?;
    for change in &changes {
        worktree.put_back(&change.path, job.base)?;
    }
    Ok(changes)
}

/// The protected files of the app that differ from those of the base.
fn differences(job: &Job<'_>, worktree: &Git, head: Option<&str>) -> Result<Vec<ProtectedChange>> {
    let protected: Vec<&str> = job.context.pipeline.protect.iter().map(String::as_str).collect();
    if protected.is_empty() {
        return Ok(Vec::new());
    }
    let differences = match head {
        Some(head) => worktree.differences(job.base, head, &protected)?,
        None => worktree.staged(job.base, &protected)?,
    };
    let change = |(status, path)| ProtectedChange {
        path,
        place: Place::App,
        change: match status {
            'A' => Change::Added,
            'D' => Change::Removed,
            _ => Change::Changed,
        },
    };
    Ok(differences.into_iter().map(change).collect())
}

/// Refuses a commit that holds other protected files after all: something wrote there while it was made.
fn require_protected(job: &Job<'_>, worktree: &Git, head: &str) -> Result<()> {
    let lang = job.context.lang();
    let problem = |change: ProtectedChange| {
        let path = change.path;
        let message = say!(
            lang,
            "{path} is protected, and was changed while the delivered commit was made",
            "{path} 受保护，但在生成交付提交期间被改动"
        );
        Problem::new(Code::ProtectedChanged, message, Code::ProtectedChanged.help(lang))
    };
    let problems: Vec<Problem> = differences(job, worktree, Some(head))?.into_iter().map(problem).collect();
    match problems.is_empty() {
        true => Ok(()),
        false => Err(Failure::Problems { ending: Ending::Tampered, problems }),
    }
}

fn message(job: &Job<'_>) -> String {
    let (feature, round, pack) = (&job.context.feature, job.round, job.pack_sha256);
    format!(
        "Deliver {feature}, round {round}\n\nDelivery-Feature: {feature}\nDelivery-Round: {round}\nDelivery-Pack: {pack}\n"
    )
}

fn waiting(context: &Context<'_>, round: u32) -> Failure {
    let lang = context.lang();
    let feature = &context.feature;
    let brief = context.paths.in_round(round, "brief.md");
    let message = say!(
        lang,
        "round {round} waits for a person: {brief} says what to do",
        "第 {round} 轮等待人工：见 {brief}"
    );
    let help = say!(
        lang,
        "work in .xtask/worktrees/{feature}, commit there, and run cargo xtask deliver {feature} again",
        "请在 .xtask/worktrees/{feature} 中工作并提交，然后重新运行 cargo xtask deliver {feature}"
    );
    Failure::one(Ending::Waiting, Problem::new(Code::HandoffWaiting, message, help))
}
