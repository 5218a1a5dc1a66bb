//! A stage of the team's own: a program with declared inputs and outputs.

mod outputs;

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gate::audit::Verdict;
use gate::code::Code;
use gate::say;

use crate::context::Context;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::pipeline::model::{Run, Stage as Planned, When};
use crate::placeholders::{Values, expand};
use crate::process::{self, Program};
use crate::stages::{Inputs, Stage};
use crate::{interrupt, paths, rounds, store};

use outputs::Snapshot;

/// One stage, and what the stages before it left.
pub struct Custom<'a> {
    /// As planned.
    pub planned: &'a Planned,
    /// What it runs.
    pub run: &'a Run,
    /// Whether it comes after the pack was frozen.
    pub is_frozen: bool,
    /// Whether it comes after the work of a round was delivered.
    pub is_delivered: bool,
}

impl Stage for Custom<'_> {
    /// Its definition, the frozen pack, the delivered commit of a round, what it declares, and the variables that it may
    /// see.
    fn inputs(&self, context: &Context<'_>, round: u32) -> Result<Inputs> {
        let mut inputs = Inputs::default();
        inputs.value(context, "definition", self.run)?;
        if self.is_frozen {
            inputs.file(context, &context.paths.lock())?;
        }
        if self.planned.each_round && self.is_delivered {
            inputs.value(context, "commit", &delivered(context, round)?)?;
        }
        for declared in &self.run.inputs {
            let path = Utf8PathBuf::from(context.fill(declared, round));
            for file in files(context, &path)? {
                inputs.file(context, &file)?;
            }
        }
        for name in &self.run.env {
            inputs.variable(context, name)?;
        }
        Ok(inputs)
    }

    fn run(&self, context: &Context<'_>, round: u32) -> Result<Vec<Utf8PathBuf>> {
        let before = Snapshot::of(context)?;
        let outputs = self.outputs(context, round);
        let program = self.program(context, round)?;
        let tried = self.tried(context, &program);
        // Whatever came of it, what it left where nobody expects it would be taken for somebody else's the next time.
        let id = &self.planned.id;
        before.require_declared(context, id, &self.log(context, round), &outputs)?;
        tried?;
        outputs::require_written(context, id, &outputs)?;
        Ok(outputs)
    }
}

impl Custom<'_> {
    /// Whether it is about this round: some are only for what was accepted, or for what was not.
    pub fn applies(&self, context: &Context<'_>, round: u32) -> Result<bool> {
        let wanted = match self.run.when {
            When::Always => return Ok(true),
            When::Accepted => Verdict::Pass,
            When::Failed => Verdict::Fail,
        };
        let is_audited = context.at(context.paths.audit(round, "json")).is_file();
        Ok(is_audited && context.audit(round)?.verdict == wanted)
    }

    fn outputs(&self, context: &Context<'_>, round: u32) -> Vec<Utf8PathBuf> {
        self.run.outputs.iter().map(|path| Utf8PathBuf::from(context.fill(path, round))).collect()
    }

    fn log(&self, context: &Context<'_>, round: u32) -> Utf8PathBuf {
        let folder = if round == 0 { context.paths.delivery() } else { context.paths.round(round) };
        folder.join("logs").join(format!("{}.log", self.planned.id))
    }

    fn program(&self, context: &Context<'_>, round: u32) -> Result<Program> {
        let (number, commit) = (round.to_string(), delivered(context, round)?.unwrap_or_default());
        let values = [
            ("feature", context.feature.as_str()),
            ("round", number.as_str()),
            ("root", context.root.folder().as_str()),
            ("commit", commit.as_str()),
        ];
        Ok(Program {
            argv: self.argv(&values),
            folder: context.root.folder().to_owned(),
            env_names: self.run.env.clone(),
            env: Vec::new(),
            secret_names: context.pipeline.secrets.clone(),
            stdin: None,
            stdout: None,
            log: context.at(self.log(context, round)),
            scratch: context.root.scratch().join("stage").join(&context.feature).join(&self.planned.id),
            running: process::running(context.root, &context.feature),
            timeout: self.run.limits.timeout,
            silence: self.run.limits.silence,
        })
    }

    fn argv(&self, values: &Values<'_>) -> Vec<String> {
        let filled = self.run.argv.iter().map(|argument| expand(argument, values));
        match (self.run.shell, cfg!(windows)) {
            (false, _) => filled.collect(),
            (true, false) => ["sh", "-c"].map(str::to_owned).into_iter().chain(filled).collect(),
            (true, true) => ["cmd", "/C"].map(str::to_owned).into_iter().chain(filled).collect(),
        }
    }

    /// Tries, and after a pause tries again as often as the stage allows; each pause is twice as long as the one before.
    fn tried(&self, context: &Context<'_>, program: &Program) -> Result<()> {
        let mut pause = self.run.backoff;
        for _ in 0..self.run.retries {
            match self.complaint(context, program)? {
                None => return Ok(()),
                Some(how) => self.tell_retry(context, &how, pause),
            }
            interrupt::pause(pause)?;
            pause = pause.saturating_mul(2);
        }
        match self.complaint(context, program)? {
            None => Ok(()),
            Some(how) => Err(self.failed(context, program, &how)),
        }
    }

    /// Runs the program, and says what was wrong with how it ended.
    fn complaint(&self, context: &Context<'_>, program: &Program) -> Result<Option<String>> {
        let lang = context.lang();
        let name = program.argv.first().map_or("", String::as_str);
        Ok(match context.run(&self.planned.id, program)? {
            Some(ended) => process::complaint(ended, program, lang),
            None => Some(say!(lang, "{name} is not installed", "{name} 未安装")),
        })
    }

    fn tell_retry(&self, context: &Context<'_>, how: &str, pause: Duration) {
        let (id, seconds) = (&self.planned.id, pause.as_secs());
        let said =
            say!(context.lang(), "{id}: {how}; again in {seconds} s", "{id}：{how}；{seconds} 秒后重试");
        context.progress.note(&context.feature, &said);
    }

    fn failed(&self, context: &Context<'_>, program: &Program, how: &str) -> Failure {
        let (lang, id) = (context.lang(), &self.planned.id);
        let tail = process::tail(&program.log);
        let said = if tail.is_empty() { String::new() } else { format!("\n{tail}") };
        let message = say!(lang, "stage {id} failed: {how}{said}", "阶段 {id} 失败：{how}{said}");
        Failure::coded(Ending::CannotRun, Code::StageFailed, message, Code::StageFailed.help(lang))
    }
}

fn delivered(context: &Context<'_>, round: u32) -> Result<Option<String>> {
    Ok(rounds::dispatched(context, round)?.map(|dispatch| dispatch.head))
}

/// A declared path, or every file below it. One that is not there stands for itself.
fn files(context: &Context<'_>, path: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    let absolute = context.at(path);
    if store::kind(&absolute)? != store::Kind::Folder {
        return Ok(vec![path.to_owned()]);
    }
    let below = store::files_below(&absolute)?;
    Ok(below.iter().map(|file| paths::with_slashes(&path.join(file))).collect())
}
