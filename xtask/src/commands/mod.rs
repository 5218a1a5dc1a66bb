//! The commands: each sets up what it works with, does its work, and says how it ended.

mod answer;
mod attest;
mod check;
mod ci;
mod clean;
mod conformance;
mod context;
mod deliver;
mod doctor;
mod explain;
mod graph;
mod import;
mod init;
mod judge;
mod keygen;
mod list;
mod log;
mod new;
mod plan;
mod probe;
mod proposal;
#[cfg(test)]
mod reference;
mod report;
mod respond;
mod review;
mod settle;
#[cfg(feature = "shell")]
mod shell;
mod stage;
mod status;
mod summary;
mod templates;
mod tighten;
mod verify;

use std::cell::{OnceCell, RefCell};
use std::io::Write as _;
use std::sync::Arc;

use camino::Utf8PathBuf;
use gate::code::Code;
use gate::lang::Lang;
use gate::say;

use crate::cli::{Cli, Command, PromptCommand, WorkspaceCommand};
use crate::context::Context;
use crate::digests::{Answers, Digests};
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::files::Files;
use crate::interrupt;
use crate::keys;
use crate::paths::{FeaturePaths, Root};
use crate::pipeline;
use crate::pipeline::model::{BuiltIn, Pipeline};
use crate::progress::Progress;
use crate::secrets::Secrets;
use crate::store;

use answer::Answer;

/// Runs a command and prints what it came to.
pub fn run(cli: &Cli) -> Ending {
    match &cli.command {
        Command::Prompt(command) => at_prompt(cli, command),
        Command::Workspace(command) => in_workspace(cli, command),
    }
}

/// A command line that is not one, or that asks for help. Machines that asked for JSON get JSON.
pub fn not_understood(error: &clap::Error) -> Ending {
    // Help and version are answers, and go to standard output.
    let ending = if error.use_stderr() { Ending::Usage } else { Ending::Yes };
    if ending == Ending::Usage && std::env::args().any(|argument| argument == "--json") {
        answer::print_json(ending, serde_json::json!({ "problems": [], "error": error.to_string() }));
    }
    let text = answer::as_called(&error.render().to_string());
    // Nobody is left to tell if the stream is closed.
    let _ = match error.use_stderr() {
        true => write!(std::io::stderr().lock(), "{text}"),
        false => write!(std::io::stdout().lock(), "{text}"),
    };
    ending
}

/// Answers in any folder, in the language that was asked for, or that of the pipeline around, if there is one.
fn at_prompt(cli: &Cli, command: &PromptCommand) -> Ending {
    let of_pipeline = || pipeline::load(&find_root(cli).ok()?).ok().map(|pipeline| pipeline.lang);
    let lang = command.lang().or_else(of_pipeline).unwrap_or_default();
    let answer = match command {
        PromptCommand::Judge(args) => judge::run(args, lang),
        PromptCommand::Probe(args) => probe::run(args, lang),
        PromptCommand::Init(args) => init::run(args, cli.root.as_deref(), lang),
        #[cfg(feature = "shell")]
        PromptCommand::Completions(args) => Ok(shell::completions(args)),
        #[cfg(feature = "shell")]
        PromptCommand::Man => shell::man(),
        PromptCommand::Keygen(args) => keygen::run(args, lang),
        PromptCommand::Conformance(args) => conformance::run(&args.files, lang),
    };
    answer.map_or_else(|failure| answer::failed(cli, None, lang, &failure), |answer| answer.print(cli))
}

fn in_workspace(cli: &Cli, command: &WorkspaceCommand) -> Ending {
    let root = match find_root(cli) {
        Ok(root) => root,
        Err(failure) => return answer::failed(cli, None, Lang::En, &failure),
    };
    let session = match Session::open(cli, root.clone()) {
        Ok(session) => session,
        Err(failure) => return answer::failed(cli, Some(&root), Lang::En, &failure),
    };
    let answer = session.dispatch(command);
    session.progress.close();
    match answer {
        Ok(answer) => answer.print(cli),
        Err(failure) => {
            let failure = session.masked(failure);
            answer::failed(cli, Some(&root), session.lang_of(command.feature()), &failure)
        }
    }
}

/// What every command has: the root and the pipeline.
struct Session {
    root: Root,
    pipeline: Pipeline,
    progress: Progress,
    secrets: Secrets,
    /// Whether the answer is for a machine.
    json: bool,
}

impl Session {
    fn open(cli: &Cli, root: Root) -> Result<Self> {
        interrupt::listen()?;
        let pipeline = pipeline::load(&root)?;
        let key = keys::VARIABLE.to_owned();
        let secrets = Secrets::of_variables(pipeline.secrets.iter().chain([&key]));
        let progress = Progress::new(cli.quiet, cli.events.as_deref(), secrets.clone(), pipeline.lang)?;
        Ok(Session { root, pipeline, progress, secrets, json: cli.json })
    }

    fn dispatch(&self, command: &WorkspaceCommand) -> Result<Answer> {
        match command {
            WorkspaceCommand::Deliver(args) => deliver::run(self, args),
            WorkspaceCommand::Run(args) => stage::named(self, args),
            WorkspaceCommand::Freeze(args) => {
                let mut context = self.context(&args.feature.feature)?;
                context.reason.clone_from(&args.reason);
                stage::run(&context, BuiltIn::Freeze, None, None)
            }
            WorkspaceCommand::Review(args) => review::run(&self.context(&args.feature)?),
            WorkspaceCommand::Respond(args) => respond::run(&self.context(&args.feature.feature)?, args),
            WorkspaceCommand::Tighten(args) => tighten::run(&self.context(&args.feature.feature)?, args),
            WorkspaceCommand::Brief(args) => self.round(args, BuiltIn::Brief, None),
            WorkspaceCommand::Dispatch(args) => self.round(args, BuiltIn::Dispatch, None),
            WorkspaceCommand::Evidence(args) => self.round(args, BuiltIn::Evidence, None),
            WorkspaceCommand::Audit(args) if args.form => {
                stage::form(&self.context(&args.round.feature.feature)?)
            }
            WorkspaceCommand::Audit(args) => self.round(&args.round, BuiltIn::Audit, Some(&args.signing)),
            WorkspaceCommand::Report(args) => report::run(self, args),
            WorkspaceCommand::Attest(args) => attest::run(&self.context(&args.feature.feature)?, args),
            WorkspaceCommand::Settle(args) => settle::run(&self.context(&args.round.feature.feature)?, args),
            WorkspaceCommand::New(args) => new::run(self, args),
            WorkspaceCommand::Import(args) => import::run(self, args),
            WorkspaceCommand::Check(args) => check::run(&self.context(&args.feature)?),
            WorkspaceCommand::Status(args) => status::run(self, args),
            WorkspaceCommand::Context(args) => context::run(self, args),
            WorkspaceCommand::Templates(args) => templates::run(self, args),
            WorkspaceCommand::Summary(args) => summary::run(self, args),
            WorkspaceCommand::List(args) => list::run(self, args),
            WorkspaceCommand::Ci(args) => ci::run(self, args),
            WorkspaceCommand::Verify(args) => verify::run(self, args),
            WorkspaceCommand::Explain(args) => explain::run(self, args),
            WorkspaceCommand::Graph(args) => graph::run(self, args),
            WorkspaceCommand::Log(args) => log::run(self, args),
            WorkspaceCommand::Clean(args) => clean::run(self, args),
            WorkspaceCommand::Doctor => doctor::run(self),
        }
    }

    fn round(
        &self,
        args: &crate::cli::Round,
        built_in: BuiltIn,
        signing: Option<&crate::cli::Signing>,
    ) -> Result<Answer> {
        stage::run(&self.context(&args.feature.feature)?, built_in, args.round, signing)
    }

    /// What the stages of a feature work with. The feature has to be there.
    fn context(&self, feature: &str) -> Result<Context<'_>> {
        let lang = self.pipeline.lang;
        require_name(feature, lang)?;
        let paths = FeaturePaths::new(feature);
        if !self.root.join(paths.authored()).is_dir() {
            return Err(self.no_feature(feature)?);
        }
        if store::kind(&self.root.join(paths.delivery()))? == store::Kind::Link {
            let path = paths.delivery();
            let message =
                say!(lang, "{path} is a link, and may lead anywhere", "{path} 是链接，可能指向任何地方");
            return Err(Failure::coded(
                Ending::InvalidInput,
                Code::PathUnsafe,
                message,
                Code::PathUnsafe.help(lang),
            ));
        }
        Ok(self.context_with(feature, Digests::kept_in(self.digests_of(feature))))
    }

    /// As [`Session::context`], for a command that only looks, at a feature that is known to be there.
    fn looking_at(&self, feature: &str, common: &Arc<Answers>) -> Context<'_> {
        self.context_with(feature, Digests::looked_up_in(self.digests_of(feature), Arc::clone(common)))
    }

    fn digests_of(&self, feature: &str) -> Utf8PathBuf {
        self.root.scratch().join("digests").join(format!("{feature}.json"))
    }

    fn context_with(&self, feature: &str, digests: Digests) -> Context<'_> {
        let pipeline = pipeline::for_feature(self.pipeline.clone(), feature);
        Context {
            root: &self.root,
            pipeline,
            feature: feature.to_owned(),
            paths: FeaturePaths::new(feature),
            files: Files::Folder(self.root.folder().to_owned()),
            digests,
            memory: RefCell::default(),
            held: OnceCell::new(),
            templates: OnceCell::new(),
            progress: &self.progress,
            reason: None,
            asks_again: false,
        }
    }

    fn no_feature(&self, feature: &str) -> Result<Failure> {
        let lang = self.pipeline.lang;
        let known = self.features()?;
        let message = say!(lang, "there is no feature {feature}", "没有功能 {feature}");
        let near = gate::decode::did_you_mean(feature, known.iter().map(String::as_str));
        let help = match near {
            Some(near) => say!(lang, "did you mean {near}?", "是否想写 {near}？"),
            None => say!(
                lang,
                "make it with cargo xtask new {feature}; there are: {}",
                "用 cargo xtask new {feature} 创建；已有：{}",
                if known.is_empty() { "–".to_owned() } else { known.join(", ") }
            ),
        };
        Ok(Failure::coded(Ending::InvalidInput, Code::FeatureMissing, message, help))
    }

    /// What is said where there is no feature yet.
    fn no_features(&self) -> String {
        let lang = self.pipeline.lang;
        say!(lang, "no features yet: cargo xtask new <feature>", "还没有功能：cargo xtask new <功能>")
    }

    /// Every feature that has a folder.
    fn features(&self) -> Result<Vec<String>> {
        let names = store::list(&self.root.join("features"))?;
        let is_feature = |name: &String| {
            gate::decode::check_feature(name, Lang::En).is_none()
                && self.root.join("features").join(name).is_dir()
        };
        Ok(names.into_iter().filter(is_feature).collect())
    }

    /// A failure without the values of secrets.
    fn masked(&self, failure: Failure) -> Failure {
        failure.map_text(|text| self.secrets.mask(text))
    }

    /// The language in which a command's failure is told.
    fn lang_of(&self, feature: Option<&str>) -> Lang {
        let own = feature
            .and_then(|feature| self.pipeline.features.get(feature))
            .and_then(|settings| settings.lang);
        own.unwrap_or(self.pipeline.lang)
    }
}

fn require_name(feature: &str, lang: Lang) -> Result<()> {
    match gate::decode::check_feature(feature, lang) {
        None => Ok(()),
        Some(reason) => {
            Err(Failure::coded(Ending::InvalidInput, Code::FeatureName, reason, Code::FeatureName.help(lang)))
        }
    }
}

/// The folder that one is in, which what is named at a prompt is relative to.
fn here() -> Result<Utf8PathBuf> {
    let here = std::env::current_dir().map_err(anyhow::Error::from)?;
    Utf8PathBuf::from_path_buf(here)
        .map_err(|path| anyhow::anyhow!("the current folder is no UTF-8: {}", path.display()).into())
}

fn find_root(cli: &Cli) -> Result<Root> {
    let here = here()?;
    match &cli.root {
        Some(folder) => Ok(Root::at(here.join(folder))),
        None => Root::find(&here).ok_or_else(pipeline::not_found),
    }
}

/// The width of the widest of some words.
fn width<'a>(words: impl Iterator<Item = &'a str>) -> usize {
    words.map(str::len).max().unwrap_or(0)
}
