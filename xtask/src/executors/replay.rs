//! Applies the recorded patch of a round. Nobody works, and every report says so.

use camino::Utf8PathBuf;
use gate::code::Code;
use gate::say;

use super::{Delivered, Job};
use crate::context::Context;
use crate::documents::RunEnd;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::store;

/// The recorded patch of a round, absolute.
pub fn patch_path(context: &Context<'_>, patch: &str, round: u32) -> Utf8PathBuf {
    context.at(context.fill(patch, round))
}

pub(super) fn work(job: &Job<'_>, patch: &str) -> Result<Delivered> {
    let path = patch_path(job.context, patch, job.round);
    let Some(bytes) = store::read_optional(&path)? else { return Err(no_recording(job, patch)) };
    let worktree = job.app.fresh_worktree(job.base)?;
    worktree.apply(&path)?;
    // The date of the recording, so that the delivered commit is the same wherever it is replayed.
    let date = recorded_date(&String::from_utf8_lossy(&bytes));
    Ok(Delivered::Work {
        worktree,
        end: RunEnd::Completed,
        exit_code: None,
        signal: None,
        date,
        agent: None,
        changes: Vec::new(),
    })
}

/// The `Date:` header of a patch in mail form.
fn recorded_date(patch: &str) -> Option<String> {
    let headers = patch.lines().take_while(|line| !line.is_empty());
    headers.filter_map(|line| line.strip_prefix("Date:")).map(|date| date.trim().to_owned()).next()
}

fn no_recording(job: &Job<'_>, patch: &str) -> Failure {
    let lang = job.context.lang();
    let path = job.context.fill(patch, job.round);
    let message = say!(
        lang,
        "no work is recorded for this round: there is no {path}",
        "本轮没有录制的工作：找不到 {path}"
    );
    let help = say!(
        lang,
        "in pipeline.yaml, give this feature an executor that works: a command, or a hand-off to a person",
        "请在 pipeline.yaml 中为该功能指定能工作的执行者：命令，或交接给人"
    );
    Failure::coded(Ending::CannotRun, Code::ExecutorFailed, message, help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_comes_from_the_headers_only() {
        let patch =
            "From 0\nFrom: A <a@x>\nDate: Mon, 5 Jan 2026 10:00:00 +0800\nSubject: x\n\nDate: later\n";
        assert_eq!(recorded_date(patch).as_deref(), Some("Mon, 5 Jan 2026 10:00:00 +0800"));
        assert_eq!(recorded_date("diff --git a/x b/x\n\nDate: no\n"), None);
    }
}
