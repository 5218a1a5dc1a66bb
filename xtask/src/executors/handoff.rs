//! A person works: the first call leaves the brief and a worktree, a later one takes up what was committed there.

use gate::code::Code;
use gate::say;

use super::{Delivered, Job};
use crate::ending::Ending;
use crate::failure::{Failure, Result};

pub(super) fn work(job: &Job<'_>) -> Result<Delivered> {
    let uncommitted = job.worktree.status()?;
    if !uncommitted.is_empty() {
        return Err(dirty(job, &uncommitted));
    }
    match job.worktree.commit_of("HEAD")? {
        Some(head) if head != job.base => Ok(Delivered::Committed { head }),
        _ => Ok(Delivered::Waiting),
    }
}

fn dirty(job: &Job<'_>, uncommitted: &str) -> Failure {
    let lang = job.context.lang();
    let files = uncommitted.lines().count();
    let message = say!(
        lang,
        "{files} files in the worktree are not committed, so it is not clear what is delivered",
        "工作目录中有 {files} 个文件尚未提交，无法确定交付内容"
    );
    let help = say!(
        lang,
        "commit them on the delivery's branch, or remove them, and run this again",
        "请在交付分支上提交或删除这些文件，然后重新运行"
    );
    Failure::coded(Ending::Waiting, Code::AppDirty, message, help)
}
