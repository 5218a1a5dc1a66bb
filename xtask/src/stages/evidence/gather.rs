//! One collector: a recorded file is copied, or programs run and their file is taken. A collector that fails leaves a
//! record; only one that cannot run at all stops the stage.

use camino::{Utf8Path, Utf8PathBuf};
use gate::audit::SourceKind;
use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use super::place;
use crate::app::Checkout;
use crate::context::Context;
use crate::documents::{Collected, FileRecord};
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::git::Contents;
use crate::paths::Root;
use crate::pipeline::model::{Collector, Gather, Programs};
use crate::placeholders::expand;
use crate::process::{self, Ended, Program};
use crate::secrets::Secrets;
use crate::store::{self, Kind};

/// What came of a collector: a file at a path, or why there is none.
struct Brought {
    /// How its last program ended.
    ended: Option<Ended>,
    result: std::result::Result<Utf8PathBuf, String>,
}

impl Brought {
    fn failed(failure: String) -> Self {
        Brought { ended: None, result: Err(failure) }
    }
}

/// The round that is gathered for.
pub struct Round<'a> {
    pub context: &'a Context<'a>,
    pub round: u32,
    /// The delivered commit.
    pub commit: &'a str,
    /// Its clean checkout, where one is needed.
    pub checkout: Option<&'a Checkout>,
    /// The contents that are tracked in it.
    pub delivered: &'a Contents,
}

/// Gathers one file into the round.
pub fn gather(of: &Round<'_>, name: &str, collector: &Collector) -> Result<Collected> {
    let (context, round) = (of.context, of.round);
    let job = Job { context, round, commit: of.commit, checkout: of.checkout, name, collector };
    let (brought, recorded) = match &collector.how {
        Gather::Copy(from) => (job.recorded(&context.fill(from, round))?, true),
        Gather::Run(programs) => (job.retried(programs)?, false),
    };
    let source_kind = job.source_kind(&brought, of.delivered)?;
    let (file, failure) = match brought.result {
        Ok(path) => (Some(job.keep(&path)?), None),
        Err(failure) => (None, Some(failure)),
    };
    job.clear()?;
    Ok(Collected {
        collector: name.to_owned(),
        source: collector.source.clone(),
        source_kind,
        recorded,
        round,
        commit: of.commit.to_owned(),
        screen: collector.screen.clone(),
        constant: collector.constant,
        exit_code: brought.ended.and_then(Ended::exit_code),
        signal: brought.ended.and_then(Ended::signal),
        failure,
        file,
    })
}

struct Job<'a> {
    context: &'a Context<'a>,
    round: u32,
    commit: &'a str,
    checkout: Option<&'a Checkout>,
    name: &'a str,
    collector: &'a Collector,
}

impl Job<'_> {
    /// Where programs write: outside the checkout, and outside everything that is committed, until it is judged to be
    /// a plain file.
    fn desk(&self) -> Utf8PathBuf {
        self.context.root.scratch().join("gather").join(&self.context.feature).join(self.name)
    }

    fn clear(&self) -> Result<()> {
        store::remove_folder(&self.desk())
    }

    fn recorded(&self, from: &str) -> Result<Brought> {
        let lang = self.context.lang();
        let source = self.context.at(from);
        Ok(match store::kind(&source)? {
            Kind::File => Brought { ended: None, result: Ok(source) },
            Kind::Absent => Brought::failed(say!(lang, "there is no file {from}", "找不到文件 {from}")),
            _ => Brought::failed(self.not_plain(from)),
        })
    }

    fn not_plain(&self, path: &str) -> String {
        say!(
            self.context.lang(),
            "{path} is no plain file, and links are not followed",
            "{path} 不是普通文件，且不跟随链接"
        )
    }

    /// Tries, and tries again as often as the collector allows.
    fn retried(&self, programs: &Programs) -> Result<Brought> {
        let mut brought = self.run(programs)?;
        for _ in 0..programs.retries {
            if brought.result.is_ok() {
                break;
            }
            brought = self.run(programs)?;
        }
        Ok(brought)
    }

    /// Runs the programs one after the other; the first that does not end well is the failure.
    fn run(&self, programs: &Programs) -> Result<Brought> {
        self.clear()?;
        let output = self.desk().join("out").join(&self.collector.output);
        if let Some(folder) = output.parent() {
            store::create_folder(folder)?;
        }
        let mut last = None;
        for (index, argv) in programs.steps.iter().enumerate() {
            let is_last = index + 1 == programs.steps.len();
            let program = self.program(argv, programs, index, &output, is_last && programs.stdout)?;
            let ended = self.context.run("evidence", &program)?;
            let ended = ended.ok_or_else(|| self.not_installed(&program))?;
            last = Some(ended);
            if let Some(complaint) = process::complaint(ended, &program, self.context.lang()) {
                return Ok(Brought { ended: last, result: Err(with_tail(complaint, &program)) });
            }
        }
        Ok(Brought { ended: last, result: self.written(output)? })
    }

    /// The file that the programs had to write.
    fn written(&self, output: Utf8PathBuf) -> Result<std::result::Result<Utf8PathBuf, String>> {
        let lang = self.context.lang();
        let name = &self.collector.output;
        Ok(match store::kind(&output)? {
            // Evidence is never changed, so what would have to be taken out of it keeps it out.
            Kind::File if Secrets::of_variables(&self.context.pipeline.secrets).are_in(&output)? => {
                Err(say!(lang, "{name} holds the value of a secret", "{name} 含有机密变量的值"))
            }
            Kind::File => Ok(output),
            Kind::Absent => Err(say!(lang, "it wrote no {name}", "没有写出 {name}")),
            _ => Err(self.not_plain(name)),
        })
    }

    fn program(
        &self,
        argv: &[String],
        programs: &Programs,
        index: usize,
        output: &Utf8Path,
        stdout: bool,
    ) -> Result<Program> {
        let folder = self.checkout.map_or_else(|| self.context.root.folder(), |checkout| &checkout.folder);
        let round = self.round.to_string();
        let device = self.device(argv)?;
        let values = [
            ("feature", self.context.feature.as_str()),
            ("round", round.as_str()),
            ("root", self.context.root.folder().as_str()),
            ("output", output.as_str()),
            ("checkout", folder.as_str()),
            ("commit", self.commit),
            ("device", device.as_str()),
        ];
        let log = if index == 0 {
            format!("logs/evidence-{}.log", self.name)
        } else {
            format!("logs/evidence-{}-{}.log", self.name, index + 1)
        };
        Ok(Program {
            argv: argv.iter().map(|argument| expand(argument, &values)).collect(),
            folder: folder.to_owned(),
            env_names: programs.env.clone(),
            env: Vec::new(),
            secret_names: self.context.pipeline.secrets.clone(),
            stdin: None,
            stdout: stdout.then(|| output.to_owned()),
            log: self.context.at(self.context.paths.in_round(self.round, &log)),
            scratch: self.desk().join("raw"),
            running: process::running(self.context.root, &self.context.feature),
            timeout: programs.limits.timeout,
            silence: programs.limits.silence,
        })
    }

    /// The target of the device, where an argument asks for it.
    fn device(&self, argv: &[String]) -> Result<String> {
        let device = self.context.pipeline.device.as_ref();
        let target = device.and_then(|device| {
            let from_machine = device.env.as_ref().and_then(|name| std::env::var(name).ok());
            from_machine.filter(|target| !target.is_empty()).or_else(|| device.target.clone())
        });
        if target.is_none() && argv.iter().any(|argument| argument.contains("{device}")) {
            return Err(self.no_device());
        }
        Ok(target.unwrap_or_default())
    }

    fn no_device(&self) -> Failure {
        let lang = self.context.lang();
        let name = self.name;
        let message = say!(
            lang,
            "collector {name} needs a device, and none is named",
            "采集器 {name} 需要设备，但没有指定"
        );
        let help = say!(
            lang,
            "set device.target in pipeline.yaml, or the variable that device.env names",
            "请在 pipeline.yaml 中设置 device.target，或设置 device.env 指定的环境变量"
        );
        self.at_collector(Problem::new(Code::CollectorMissing, message, help))
    }

    fn not_installed(&self, program: &Program) -> Failure {
        let lang = self.context.lang();
        let name = self.name;
        let wanted = program.argv.first().cloned().unwrap_or_default();
        let message = say!(
            lang,
            "collector {name} runs {wanted}, which is not installed",
            "采集器 {name} 要运行的 {wanted} 未安装"
        );
        self.at_collector(Problem::new(Code::CollectorMissing, message, Code::CollectorMissing.help(lang)))
    }

    fn at_collector(&self, problem: Problem) -> Failure {
        Failure::one(Ending::CannotRun, problem.in_file(Root::PIPELINE).at(self.collector.at))
    }

    /// Copies the file to where it is kept, hashing it on the way.
    fn keep(&self, from: &Utf8Path) -> Result<FileRecord> {
        let path = format!("evidence/{}", self.collector.output);
        let beside = place::gathering(self.context).join(&self.collector.output);
        let digests = &self.context.digests;
        let before = digests.before(from);
        let print = store::copy_hashed(from, &beside)?;
        digests.learn(from, before, &print);
        let external = place::is_external(self.context, self.collector, print.bytes);
        if external {
            store::move_file(&beside, &place::external(self.context, &print.sha256))?;
        }
        Ok(FileRecord { path, bytes: print.bytes, sha256: print.sha256, external })
    }

    /// What the agent could have written is auxiliary, whatever it is called: a file out of its worktree, and one that
    /// equals what is tracked in the delivered commit.
    fn source_kind(&self, brought: &Brought, delivered: &Contents) -> Result<SourceKind> {
        let declared = self.context.pipeline.sources.get(&self.collector.source).copied();
        let could_write = match (&brought.result, &self.collector.how) {
            (_, Gather::Copy(from)) if self.context.fill(from, self.round).starts_with(".xtask/") => true,
            (Ok(path), _) => delivered.hold(path, store::size(path)?, self.context.lang())?,
            (Err(_), _) => false,
        };
        Ok(match declared {
            Some(kind) if !could_write => kind,
            _ => SourceKind::Auxiliary,
        })
    }
}

/// The failure with the last words of the program.
fn with_tail(complaint: String, program: &Program) -> String {
    let tail = process::tail(&program.log);
    if tail.is_empty() { complaint } else { format!("{complaint}\n{tail}") }
}
