//! Runs a program in the worktree, with the Goal brief on its standard input.

use std::time::Duration;

use gate::code::Code;
use gate::say;

use super::{Delivered, Job};
use crate::documents::RunEnd;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::placeholders::expand;
use crate::process::{self, Ended, Program};

pub(super) fn work(job: &Job<'_>, run: &[String], env: &[String], timeout: Duration) -> Result<Delivered> {
    let worktree = job.app.fresh_worktree(job.base)?;
    let round = job.round.to_string();
    let values = [
        ("feature", job.context.feature.as_str()),
        ("round", round.as_str()),
        ("root", job.context.root.folder().as_str()),
        ("worktree", worktree.folder().as_str()),
        ("brief", job.brief.as_str()),
    ];
    let program = Program {
        argv: run.iter().map(|argument| expand(argument, &values)).collect(),
        folder: worktree.folder().to_owned(),
        env_names: env.to_vec(),
        stdin: Some(job.brief.to_owned()),
        stdout: None,
        log: job.log.to_owned(),
        scratch: job.context.root.scratch().join("dispatch").join(&job.context.feature),
        timeout,
    };
    let (end, exit_code) = match process::run(&program)? {
        None => return Err(not_installed(job, &program)),
        Some(Ended::TimedOut) => (RunEnd::TimedOut, None),
        Some(Ended::Exited(0)) => (RunEnd::Completed, Some(0)),
        Some(Ended::Exited(code)) => (RunEnd::Failed, Some(code)),
    };
    Ok(Delivered::Work { worktree, end, exit_code, date: None })
}

fn not_installed(job: &Job<'_>, program: &Program) -> Failure {
    let lang = job.context.lang();
    let name = program.argv.first().cloned().unwrap_or_default();
    let message = say!(lang, "the executor's program {name} is not installed", "执行者的程序 {name} 未安装");
    let help = say!(
        lang,
        "install it, put it on PATH, or correct the executor's run: in pipeline.yaml",
        "请安装它、将其加入 PATH，或更正 pipeline.yaml 中该执行者的 run:"
    );
    Failure::coded(Ending::CannotRun, Code::ExecutorFailed, message, help)
}
