//! A stage of the team's own: a program with declared outputs.

use camino::Utf8PathBuf;
use gate::code::Code;
use gate::say;

use crate::context::Context;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::pipeline::model::{Action, Stage};
use crate::placeholders::expand;
use crate::process::{self, Program};
use crate::rounds;
use crate::stages::Inputs;

/// What it depends on: its definition, the frozen pack, and, in a round, the delivered commit.
pub fn inputs(context: &Context<'_>, stage: &Stage, round: u32) -> Result<Inputs> {
    let mut inputs = Inputs::default();
    inputs.value("definition", &stage.action)?;
    inputs.file(context, &context.paths.lock())?;
    if stage.each_round {
        inputs.value("commit", &delivered(context, round)?)?;
    }
    Ok(inputs)
}

/// Runs it, and answers its outputs.
pub fn run(context: &Context<'_>, stage: &Stage, round: u32) -> Result<Vec<Utf8PathBuf>> {
    let Action::Run { argv, env, timeout, outputs } = &stage.action else { return Ok(Vec::new()) };
    let (number, commit) = (round.to_string(), delivered(context, round)?.unwrap_or_default());
    let values = [
        ("feature", context.feature.as_str()),
        ("round", number.as_str()),
        ("root", context.root.folder().as_str()),
        ("commit", commit.as_str()),
    ];
    let folder = if round == 0 { context.paths.delivery() } else { context.paths.round(round) };
    let program = Program {
        argv: argv.iter().map(|argument| expand(argument, &values)).collect(),
        folder: context.root.folder().to_owned(),
        env_names: env.clone(),
        env: Vec::new(),
        secret_names: context.pipeline.secrets.clone(),
        stdin: None,
        stdout: None,
        log: context.at(folder.join("logs").join(format!("{}.log", stage.id))),
        scratch: context.root.scratch().join("stage").join(&context.feature).join(&stage.id),
        running: process::running(context.root, &context.feature),
        timeout: *timeout,
        silence: None,
    };
    let outputs: Vec<Utf8PathBuf> =
        outputs.iter().map(|path| Utf8PathBuf::from(expand(path, &values))).collect();
    let lang = context.lang();
    let name = argv.first().cloned().unwrap_or_default();
    let complaint = match context.run(&stage.id, &program)? {
        Some(ended) => process::complaint(ended, &program, lang),
        None => Some(say!(lang, "{name} is not installed", "{name} 未安装")),
    };
    match complaint {
        None => require_outputs(context, stage, outputs),
        Some(how) => Err(failed(context, stage, &program, &how)),
    }
}

fn delivered(context: &Context<'_>, round: u32) -> Result<Option<String>> {
    Ok(rounds::dispatched(context, round)?.map(|dispatch| dispatch.head))
}

fn require_outputs(
    context: &Context<'_>,
    stage: &Stage,
    outputs: Vec<Utf8PathBuf>,
) -> Result<Vec<Utf8PathBuf>> {
    match outputs.iter().find(|path| !context.at(path).exists()) {
        None => Ok(outputs),
        Some(absent) => {
            let (lang, id) = (context.lang(), &stage.id);
            let message = say!(lang, "stage {id} wrote no {absent}", "阶段 {id} 没有写出 {absent}");
            Err(Failure::coded(Ending::CannotRun, Code::StageFailed, message, Code::StageFailed.help(lang)))
        }
    }
}

fn failed(context: &Context<'_>, stage: &Stage, program: &Program, how: &str) -> Failure {
    let (lang, id) = (context.lang(), &stage.id);
    let tail = process::tail(&program.log);
    let said = if tail.is_empty() { String::new() } else { format!("\n{tail}") };
    let message = say!(lang, "stage {id} failed: {how}{said}", "阶段 {id} 失败：{how}{said}");
    Failure::coded(Ending::CannotRun, Code::StageFailed, message, Code::StageFailed.help(lang))
}
