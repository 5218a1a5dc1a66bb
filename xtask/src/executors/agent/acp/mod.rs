//! Runs any agent that speaks the Agent Client Protocol: over its standard input and output, without a person, in a home
//! of its own.
//!
//! Nothing that it says decides anything. [`wire`] reads its messages, [`conversation`] answers them, [`policy`] says what
//! it is permitted when it asks, and [`calls`] keeps its tool calls together.

mod calls;
mod conversation;
mod policy;
mod wire;

use gate::code::Code;
use gate::say;

use super::account::Folders;
use super::goal;
use super::home::Home;
use crate::documents::{AgentRun, RunEnd};
use crate::ending::Ending;
use crate::executors::{Delivered, Job};
use crate::failure::{Failure, Result};
use crate::git::Git;
use crate::pipeline::model::Acp;
use crate::placeholders::expand;
use crate::process::{self, Ended, Program};
use crate::secrets::Secrets;
use crate::store;
use conversation::{Conversation, Opening};
use policy::Policy;

/// Lets it work.
pub fn work(job: &Job<'_>, acp: &Acp) -> Result<Delivered> {
    let worktree = job.app.fresh_worktree(job.base)?;
    let home = Home::prepare(job, &acp.seed, acp.session)?;
    goal::place(job, &worktree)?;
    let over = run(job, acp, &worktree, &home)?;
    super::delivered(job, worktree, &home, over)
}

fn run(job: &Job<'_>, acp: &Acp, worktree: &Git, home: &Home) -> Result<(RunEnd, Ended, AgentRun)> {
    let context = job.context;
    let program = program(job, acp, worktree, home);
    let brief = store::read(job.brief)?;
    let opening = Opening {
        worktree: worktree.folder().to_string(),
        session: home.session.clone(),
        brief: String::from_utf8_lossy(&brief).into_owned(),
        policy: Policy::new(worktree.folder(), home.folder(), protected(job)),
        cost: acp.cost,
    };
    let outlet = context.progress.output(&context.feature, "dispatch");
    let mut conversation = Conversation::new(opening, outlet);
    let Some(ended) = process::converse(&program, &mut conversation)? else {
        return Err(not_installed(job, &program));
    };
    let end = conversation.end(ended);
    let secrets = Secrets::of_variables(acp.env.iter().chain(&context.pipeline.secrets));
    let folders = Folders {
        worktree: worktree.folder(),
        home: home.folder(),
        root: context.root.folder(),
        secrets: &secrets,
    };
    let own = acp.run.first().map(String::as_str).unwrap_or_default();
    let own = own.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let (name, version) = conversation.agent.take().map(|info| (info.name, info.version)).unwrap_or_default();
    let run = AgentRun {
        version: Some(version).filter(|version| !version.is_empty()).map(|version| secrets.mask(&version)),
        agent: if name.is_empty() { own } else { secrets.mask(&name) },
        resumed: conversation.resumed,
        ..conversation.account.record(&folders)
    };
    Ok((end, ended, run))
}

fn program(job: &Job<'_>, acp: &Acp, worktree: &Git, home: &Home) -> Program {
    let context = job.context;
    let round = job.round.to_string();
    let values = [
        ("feature", context.feature.as_str()),
        ("round", round.as_str()),
        ("root", context.root.folder().as_str()),
        ("worktree", worktree.folder().as_str()),
        ("brief", job.brief.as_str()),
    ];
    Program {
        argv: acp.run.iter().map(|argument| expand(argument, &values)).collect(),
        folder: worktree.folder().to_owned(),
        env_names: acp.env.clone(),
        env: home.variables(),
        secret_names: context.pipeline.secrets.clone(),
        stdin: None,
        stdout: Some(context.at(context.paths.in_round(job.round, "logs/dispatch.events.jsonl"))),
        log: job.log.to_owned(),
        scratch: context.root.scratch().join("dispatch").join(&context.feature),
        running: process::running(context.root, &context.feature),
        timeout: acp.limits.timeout,
        silence: acp.limits.silence,
    }
}

/// What its tools may not change, relative to the worktree.
fn protected(job: &Job<'_>) -> Vec<String> {
    goal::placed(&job.context.feature)
        .into_iter()
        .chain(job.context.pipeline.protect.iter().cloned())
        .collect()
}

fn not_installed(job: &Job<'_>, program: &Program) -> Failure {
    let lang = job.context.lang();
    let name = program.argv.first().cloned().unwrap_or_default();
    let message = say!(lang, "the agent's program {name} is not installed", "智能体的程序 {name} 未安装");
    let help = say!(
        lang,
        "install it, put it on PATH, or correct the executor's run: in pipeline.yaml",
        "请安装它、将其加入 PATH，或更正 pipeline.yaml 中该执行者的 run:"
    );
    Failure::coded(Ending::CannotRun, Code::ExecutorFailed, message, help)
}
