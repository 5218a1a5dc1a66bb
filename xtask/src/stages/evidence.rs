//! Evidence: collectors run in a clean checkout of the delivered commit; their files are copied, hashed and recorded.

use camino::{Utf8Path, Utf8PathBuf};
use gate::audit::SourceKind;
use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use super::{Inputs, Stage, dispatch};
use crate::app::Checkout;
use crate::context::Context;
use crate::documents::{self, Collected, FORMAT, FileRecord};
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::paths::stays_inside;
use crate::pipeline::model::{Collector, Gather};
use crate::placeholders::expand;
use crate::process::{self, Ended, Program};
use crate::store;

/// See the module.
pub struct Evidence;

impl Stage for Evidence {
    fn inputs(&self, context: &Context<'_>, round: u32) -> Result<Inputs> {
        let mut inputs = Inputs::default();
        let path = context.paths.in_round(round, "dispatch.json");
        let dispatch: Option<documents::Dispatch> = store::read_json(&context.at(path))?;
        inputs.value("commit", &dispatch.map(|dispatch| dispatch.head))?;
        for (name, collector) in &context.pipeline.collectors {
            inputs.value(&format!("collector:{name}"), collector)?;
            if let Gather::Copy(from) = &collector.how {
                inputs.file(context, Utf8Path::new(&filled(context, round, from)))?;
            }
        }
        inputs.value("pipeline:sources", &context.pipeline.sources)?;
        Ok(inputs)
    }

    fn records_facts(&self) -> bool {
        true
    }

    fn run(&self, context: &Context<'_>, round: u32) -> Result<Vec<Utf8PathBuf>> {
        let dispatch = dispatch::recorded(context, round)?;
        let record = context.paths.in_round(round, "evidence.json");
        // Without its record the folder is nothing: whatever stops us from here on, this stage runs again.
        store::remove_file(&context.at(&record))?;
        store::remove_folder(&context.at(context.paths.in_round(round, "evidence")))?;
        let gathering =
            Gathering { context, round, commit: &dispatch.head, checkout: checkout(context, &dispatch)? };
        let mut collected = Vec::new();
        for (name, collector) in &context.pipeline.collectors {
            context.progress.begins(&context.feature, "evidence", name);
            collected.push(gathering.gather(name, collector)?);
        }
        let mut outputs: Vec<Utf8PathBuf> = collected
            .iter()
            .filter_map(|entry| entry.file.as_ref())
            .map(|file| context.paths.in_round(round, &file.path))
            .collect();
        let evidence = documents::Evidence {
            format: FORMAT,
            feature: context.feature.clone(),
            round,
            pack_sha256: dispatch.pack_sha256,
            commit: dispatch.head,
            collected,
        };
        store::write_json(&context.at(&record), &evidence)?;
        outputs.push(record);
        Ok(outputs)
    }
}

/// A clean checkout of the delivered commit, made only when a collector runs there.
fn checkout(context: &Context<'_>, dispatch: &documents::Dispatch) -> Result<Option<Checkout>> {
    let runs =
        context.pipeline.collectors.values().any(|collector| matches!(collector.how, Gather::Run { .. }));
    if !runs {
        return Ok(None);
    }
    let app = context.app()?;
    app.require_commit(&dispatch.head)?;
    Ok(Some(app.checkout(&dispatch.head)?))
}

/// One round's gathering.
struct Gathering<'a> {
    context: &'a Context<'a>,
    round: u32,
    commit: &'a str,
    checkout: Option<Checkout>,
}

/// What a collector's process came to.
struct Run {
    exit_code: Option<i32>,
    failure: Option<String>,
}

impl Gathering<'_> {
    /// Gathers one file. A collector that fails leaves a record; only one that cannot run stops the stage.
    fn gather(&self, name: &str, collector: &Collector) -> Result<Collected> {
        let path = format!("evidence/{}", collector.output);
        let target = self.context.at(self.context.paths.in_round(self.round, &path));
        let (run, recorded) = match &collector.how {
            Gather::Copy(from) => (self.copy(name, &filled(self.context, self.round, from), &target)?, true),
            Gather::Run { argv, stdout, env, timeout } => {
                let program = self.program(name, argv, env, *timeout, *stdout, &target)?;
                (self.execute(name, &program, collector)?, false)
            }
        };
        let print = match run.failure {
            None => store::fingerprint(&target)?,
            Some(_) => None,
        };
        let missing = || self.no_file(&path);
        Ok(Collected {
            collector: name.to_owned(),
            source: collector.source.clone(),
            source_kind: self.source_kind(collector),
            recorded,
            round: self.round,
            commit: self.commit.to_owned(),
            exit_code: run.exit_code,
            failure: run.failure.or_else(|| print.is_none().then(missing)),
            file: print.map(|print| FileRecord { path, bytes: print.bytes, sha256: print.sha256 }),
        })
    }

    fn copy(&self, name: &str, from: &str, target: &Utf8Path) -> Result<Run> {
        let lang = self.context.lang();
        if !stays_inside(from) {
            let message = say!(
                lang,
                "collector {name} copies {from}, which leaves the root",
                "采集器 {name} 的路径 {from} 超出了根目录"
            );
            return Err(Failure::coded(
                Ending::InvalidInput,
                Code::PathUnsafe,
                message,
                Code::PathUnsafe.cure(lang),
            ));
        }
        let source = self.context.at(from);
        if !source.is_file() {
            let failure = say!(lang, "there is no file {from}", "找不到文件 {from}");
            return Ok(Run { exit_code: None, failure: Some(failure) });
        }
        store::copy_hashed(&source, target)?;
        Ok(Run { exit_code: None, failure: None })
    }

    fn program(
        &self,
        name: &str,
        argv: &[String],
        env: &[String],
        timeout: std::time::Duration,
        stdout: bool,
        target: &Utf8Path,
    ) -> Result<Program> {
        if let Some(folder) = target.parent() {
            store::create_folder(folder)?;
        }
        let folder =
            self.checkout.as_ref().map_or_else(|| self.context.root.folder(), |checkout| &checkout.folder);
        let round = self.round.to_string();
        let values = [
            ("feature", self.context.feature.as_str()),
            ("round", round.as_str()),
            ("root", self.context.root.folder().as_str()),
            ("output", target.as_str()),
            ("checkout", folder.as_str()),
            ("commit", self.commit),
        ];
        Ok(Program {
            argv: argv.iter().map(|argument| expand(argument, &values)).collect(),
            folder: folder.to_owned(),
            env_names: env.to_vec(),
            env: Vec::new(),
            stdin: None,
            stdout: stdout.then(|| target.to_owned()),
            log: self
                .context
                .at(self.context.paths.in_round(self.round, &format!("logs/evidence-{name}.log"))),
            timeout,
        })
    }

    fn execute(&self, name: &str, program: &Program, collector: &Collector) -> Result<Run> {
        let lang = self.context.lang();
        match process::run(program)? {
            None => Err(self.not_installed(name, program, collector)),
            Some(Ended::Exited(0)) => Ok(Run { exit_code: Some(0), failure: None }),
            Some(Ended::Exited(code)) => {
                let failure = say!(lang, "it exited with {code}", "退出码为 {code}");
                Ok(Run { exit_code: Some(code), failure: Some(failure) })
            }
            Some(Ended::TimedOut) => {
                let seconds = program.timeout.as_secs();
                let failure = say!(lang, "it was ended after {seconds} s", "超过 {seconds} 秒后被终止");
                Ok(Run { exit_code: None, failure: Some(failure) })
            }
        }
    }

    fn not_installed(&self, name: &str, program: &Program, collector: &Collector) -> Failure {
        let lang = self.context.lang();
        let wanted = program.argv.first().cloned().unwrap_or_default();
        let message = say!(
            lang,
            "collector {name} runs {wanted}, which is not installed",
            "采集器 {name} 要运行的 {wanted} 未安装"
        );
        let problem = Problem::new(Code::CollectorMissing, message, Code::CollectorMissing.cure(lang));
        Failure::one(Ending::CannotRun, problem.in_file(crate::paths::Root::PIPELINE).at(collector.at))
    }

    fn no_file(&self, path: &str) -> String {
        say!(self.context.lang(), "it wrote no {path}", "没有写出 {path}")
    }

    /// What the agent could have written is auxiliary, whatever it is called.
    fn source_kind(&self, collector: &Collector) -> SourceKind {
        let from_worktree = match &collector.how {
            Gather::Copy(from) => filled(self.context, self.round, from).starts_with(".xtask/worktrees/"),
            Gather::Run { .. } => false,
        };
        let declared = self.context.pipeline.sources.get(&collector.source).copied();
        match declared {
            Some(kind) if !from_worktree => kind,
            _ => SourceKind::Auxiliary,
        }
    }
}

/// A path of the pipeline for a feature and round.
fn filled(context: &Context<'_>, round: u32, path: &str) -> String {
    expand(path, &[("feature", &context.feature), ("round", &round.to_string())])
}

/// What was gathered in a round.
pub fn recorded(context: &Context<'_>, round: u32) -> Result<documents::Evidence> {
    context.artifact(&context.paths.in_round(round, "evidence.json"), "evidence")
}
