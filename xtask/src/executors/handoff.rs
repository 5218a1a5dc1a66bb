//! A person works: the first call leaves the brief and a worktree, a later one takes up what was committed there since.

use gate::code::Code;
use gate::say;

use super::{Delivered, Job};
use crate::documents::{FORMAT, Handoff};
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::git::Git;
use crate::store;

pub(super) fn work(job: &Job<'_>) -> Result<Delivered> {
    let path = job.context.paths.in_round(job.round, "handoff.json");
    let handed =
        Handoff { format: FORMAT, pack_sha256: job.pack_sha256.to_owned(), base: job.base.to_owned() };
    if job.context.artifact_if_any(&path, "dispatch")?.as_ref() != Some(&handed) {
        // What stands on the branch was made for something else, and what is not committed there would be lost.
        let left = job.app.worktree_folder();
        if left.join(".git").exists() {
            let uncommitted = Git::at(left, job.context.lang()).status()?;
            if !uncommitted.is_empty() {
                return Err(dirty(job, &uncommitted));
            }
        }
        job.app.fresh_worktree(job.base)?;
        store::write_json(&job.context.at(&path), &handed)?;
        return Ok(Delivered::Waiting);
    }
    take_up(job, job.app.kept_worktree(job.base)?)
}

fn take_up(job: &Job<'_>, worktree: Git) -> Result<Delivered> {
    job.app.require_worktree(&worktree, job.base)?;
    let uncommitted = worktree.status()?;
    if !uncommitted.is_empty() {
        return Err(dirty(job, &uncommitted));
    }
    match worktree.commit_of("HEAD")? {
        Some(head) if head != job.base => Ok(Delivered::Committed { worktree, head }),
        _ => Ok(Delivered::Waiting),
    }
}

fn dirty(job: &Job<'_>, uncommitted: &str) -> Failure {
    let lang = job.context.lang();
    let files = uncommitted.lines().count();
    let message = say!(
        lang,
        "the worktree holds what is not committed (files: {files}), so it is not clear what is delivered",
        "工作目录中有未提交的内容（文件数：{files}），无法确定交付内容"
    );
    let help = say!(
        lang,
        "commit it on the delivery's branch, or remove it, and run this again",
        "请在交付分支上提交或删除这些内容，然后重新运行"
    );
    Failure::coded(Ending::Waiting, Code::AppDirty, message, help)
}
