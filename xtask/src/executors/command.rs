//! Runs a program in the worktree, with the Goal brief on its standard input.

use gate::code::Code;
use gate::say;

use super::{Delivered, Job};
use crate::documents::RunEnd;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::pipeline::model::Limits;
use crate::placeholders::expand;
use crate::process::{self, Ended, Program};

pub(super) fn work(job: &Job<'_>, run: &[String], env: &[String], limits: Limits) -> Result<Delivered> {
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
        env: Vec::new(),
        secret_names: job.context.pipeline.secrets.clone(),
        stdin: Some(job.brief.to_owned()),
        stdout: None,
        log: job.log.to_owned(),
        scratch: job.context.root.scratch().join("dispatch").join(&job.context.feature),
        running: process::running(job.context.root, &job.context.feature),
        timeout: limits.timeout,
        silence: limits.silence,
    };
    let Some(ended) = job.context.run("dispatch", &program)? else {
        return Err(not_installed(job, &program));
    };
    let end = match ended {
        Ended::Exited(0) => RunEnd::Completed,
        Ended::Exited(_) | Ended::Signaled(_) => RunEnd::Failed,
        Ended::TimedOut => RunEnd::TimedOut,
        Ended::Silent => RunEnd::Silent,
        Ended::Stopped => RunEnd::Stopped,
    };
    Ok(Delivered::Work {
        worktree,
        end,
        exit_code: ended.exit_code(),
        signal: ended.signal(),
        date: None,
        agent: None,
        changes: Vec::new(),
    })
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
