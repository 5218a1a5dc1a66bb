//! Runs DevEco Code, or opencode, from which it descends: without a person, in a home of its own, towards the Goal brief.
//!
//! Nothing that it says decides anything. What it says is kept: [`events`] reads its lines, [`account`] sums them up, and
//! [`outcome`] names the end of the run.

mod account;
pub mod acp;
pub mod binary;
mod events;
mod goal;
pub mod home;
mod outcome;
mod settings;

use std::ops::ControlFlow;
use std::time::Duration;

use camino::Utf8Path;
use gate::code::Code;
use gate::say;

use super::{Delivered, Job};
use crate::documents::{AgentRun, RunEnd};
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::git::Git;
use crate::pipeline::model::{Agent, Budget};
use crate::process::{self, Ended, Line, Program, Stream};
use crate::progress::Outlet;
use crate::secrets::Secrets;
use account::{Account, Folders};
use home::Home;
use outcome::{Over, Stop};

pub use settings::TOOLS;

/// The most bytes of events that are kept. A round of long work has a few megabytes.
const MOST_OUTPUT: usize = 256 << 20;

pub(super) fn work(job: &Job<'_>, agent: &Agent) -> Result<Delivered> {
    let Some(binary) = binary::find(job.context.root, agent) else { return Err(not_installed(job, agent)) };
    let worktree = job.app.fresh_worktree(job.base)?;
    let home = Home::prepare(job, &agent.seed, agent.session)?;
    goal::place(job, &worktree)?;
    let version = version(job, &binary, &home)?;
    let (end, ended, run) = run(job, agent, &binary, &worktree, &home)?;
    delivered(job, worktree, &home, (end, ended, AgentRun { version, ..run }))
}

/// What an agent leaves once it is over, whichever way it was talked to.
fn delivered(
    job: &Job<'_>,
    worktree: Git,
    home: &Home,
    (end, ended, run): (RunEnd, Ended, AgentRun),
) -> Result<Delivered> {
    home.ended()?;
    // Before anything is written there: an agent may have turned the folder into another repository.
    job.app.require_worktree(&worktree, job.base)?;
    let changes = goal::withdraw(job, &worktree)?;
    Ok(Delivered::Work {
        worktree,
        end,
        exit_code: ended.exit_code(),
        signal: ended.signal(),
        date: None,
        agent: Some(Box::new(run)),
        changes,
    })
}

/// Runs the program to its end, or until a limit is met.
fn run(
    job: &Job<'_>,
    agent: &Agent,
    binary: &Utf8Path,
    worktree: &Git,
    home: &Home,
) -> Result<(RunEnd, Ended, AgentRun)> {
    let context = job.context;
    let program = Program {
        argv: settings::arguments(binary.as_str(), agent, job, worktree, home),
        folder: worktree.folder().to_owned(),
        env_names: agent.env.clone(),
        env: settings::variables(agent, job, home),
        secret_names: context.pipeline.secrets.clone(),
        stdin: Some(job.brief.to_owned()),
        stdout: Some(context.at(context.paths.in_round(job.round, "logs/dispatch.events.jsonl"))),
        log: job.log.to_owned(),
        scratch: context.root.scratch().join("dispatch").join(&context.feature),
        running: process::running(context.root, &context.feature),
        timeout: agent.limits.timeout,
        silence: agent.limits.silence,
    };
    let outlet = context.progress.output(&context.feature, "dispatch");
    let mut watch = Watch::new(agent.budget, outlet);
    let Some(ended) = process::run(&program, &mut |line| watch.hear(line))? else {
        return Err(not_installed(job, agent));
    };
    let stopped = match ended {
        Ended::TimedOut => Some(Stop::Deadline),
        Ended::Silent => Some(Stop::Silence),
        // What it used up in its last step counts, too, though it ended by itself.
        Ended::Stopped | Ended::Exited(_) => watch.stop,
        Ended::Signaled(_) => None,
    };
    let over =
        Over { stopped, exit_code: ended.exit_code(), fell_back: watch.fell_back, account: &watch.account };
    let secrets = Secrets::of_variables(agent.env.iter().chain(&context.pipeline.secrets));
    let folders = Folders {
        worktree: worktree.folder(),
        home: home.folder(),
        root: context.root.folder(),
        secrets: &secrets,
    };
    let record = AgentRun {
        agent: settings::name(agent).to_owned(),
        model: agent.model.clone(),
        resumed: home.session.is_some(),
        ..watch.account.record(&folders)
    };
    Ok((outcome::end(&over), ended, record))
}

/// Listens while an agent works, and says when it has had enough.
struct Watch<'a> {
    account: Account,
    stop: Option<Stop>,
    fell_back: bool,
    heard: usize,
    budget: Budget,
    outlet: Outlet<'a>,
}

impl<'a> Watch<'a> {
    fn new(budget: Budget, outlet: Outlet<'a>) -> Self {
        Watch { account: Account::default(), stop: None, fell_back: false, heard: 0, budget, outlet }
    }

    fn hear(&mut self, line: &Line<'_>) -> ControlFlow<()> {
        self.heard = self.heard.saturating_add(line.text.len());
        match line.stream {
            Stream::Stdout => {
                if let Some(said) = self.account.take(line.text.as_bytes()) {
                    self.outlet.line(&said);
                }
            }
            // Of an agent that it does not know the program says so, and runs another, which nobody asked for.
            Stream::Log => self.fell_back |= line.text.contains("Falling back to default agent"),
        }
        self.stop = self.stop.or_else(|| self.limit());
        if self.fell_back || self.stop.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The limit that was met.
    fn limit(&self) -> Option<Stop> {
        let (account, budget) = (&self.account, self.budget);
        let over = |limit: Option<u64>, count| limit.is_some_and(|limit| count > limit);
        if budget.cost.is_some_and(|limit| account.cost > limit) {
            Some(Stop::Cost)
        } else if over(budget.tokens, account.tokens.total()) {
            Some(Stop::Tokens)
        } else if over(budget.steps, account.steps) {
            Some(Stop::Steps)
        } else if self.heard > MOST_OUTPUT {
            Some(Stop::Flood)
        } else {
            None
        }
    }
}

/// What the program says of its version.
fn version(job: &Job<'_>, binary: &Utf8Path, home: &Home) -> Result<Option<String>> {
    let context = job.context;
    let scratch = context.root.scratch().join("version").join(&context.feature);
    let program = Program {
        argv: vec![binary.to_string(), "--version".to_owned()],
        folder: home.folder().to_owned(),
        env_names: Vec::new(),
        env: home.variables(),
        secret_names: Vec::new(),
        stdin: None,
        stdout: Some(scratch.with_extension("stdout")),
        log: scratch.with_extension("log"),
        running: process::running(context.root, &context.feature),
        scratch,
        timeout: Duration::from_secs(60),
        silence: None,
    };
    let mut first = None;
    process::run(&program, &mut |line| {
        let text = line.text.trim();
        if line.stream == Stream::Stdout && !text.is_empty() && text.len() <= 100 && first.is_none() {
            first = Some(text.to_owned());
        }
        ControlFlow::Continue(())
    })?;
    Ok(first)
}

fn not_installed(job: &Job<'_>, agent: &Agent) -> Failure {
    let lang = job.context.lang();
    let name = agent.binary.as_deref().unwrap_or_else(|| agent.flavour.word());
    let message = say!(lang, "the agent's program {name} is not installed", "智能体的程序 {name} 未安装");
    let help = say!(
        lang,
        "cargo xtask doctor says what is missing, and how to get it",
        "cargo xtask doctor 会说明缺少什么以及如何获取"
    );
    Failure::coded(Ending::CannotRun, Code::ExecutorFailed, message, help)
}
