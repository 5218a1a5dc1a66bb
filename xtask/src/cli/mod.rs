//! The command line: the commands, with the arguments of each in the file of its kind.

mod authoring;
mod common;
mod help;
mod pipeline;
mod prompt;
mod record;

use camino::Utf8PathBuf;
use clap::{Parser, Subcommand};

pub use authoring::{Import, Init, New, Respond, Templates, Tighten};
pub use common::{Feature, Round, Signing};
pub use pipeline::{
    Audit, Clean, ContextArgs, Deliver, Explain, Freeze, Graph, Log, Report, Run, Settle, Status,
};
#[cfg(feature = "shell")]
pub use prompt::Completions;
pub use prompt::{Conformance, Judge, Probe};
pub use record::{Attest, Ci, Keygen, List, Summary, Verify};

use help::{
    ATTEST_EXAMPLES, DELIVER_EXAMPLES, PROBE_EXAMPLES, REPORT_EXAMPLES, VERIFY_HELP, import_help, judge_help,
};

/// Makes a coding agent's word "done" checkable: freezes what done means for a feature, dispatches the work, gathers
/// evidence that the agent did not write, and recomputes every verdict from it.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, max_term_width = 100, after_help = AFTER)]
pub struct Cli {
    /// Print the result as JSON on standard output
    #[arg(long, global = true)]
    pub json: bool,

    /// Say nothing about progress
    #[arg(long, short, global = true)]
    pub quiet: bool,

    /// Add what happens to this file, one JSON object a line
    #[arg(long, global = true, value_name = "FILE")]
    pub events: Option<Utf8PathBuf>,

    /// The folder of pipeline.yaml; otherwise the nearest one at or above the current folder
    #[arg(long, global = true, value_name = "FOLDER")]
    pub root: Option<Utf8PathBuf>,

    #[command(subcommand)]
    pub command: Command,
}

const AFTER: &str = "\
Begin with:
  cargo xtask new my-feature       a commented starter pack
  cargo xtask check my-feature     what is wrong with it, line by line
  cargo xtask deliver my-feature   from the pack to the report

Exit codes:
  0 yes            4 blocked by review      8 cannot be verified
  1 no             5 waiting for a person   130 interrupted
  2 usage          6 tampered
  3 invalid input  7 something could not run";

#[derive(Debug, Subcommand)]
pub enum Command {
    #[command(flatten)]
    Workspace(WorkspaceCommand),

    #[command(flatten)]
    Prompt(PromptCommand),
}

/// What is done in a workspace: a folder with a pipeline.
#[derive(Debug, Subcommand)]
pub enum WorkspaceCommand {
    /// Take a feature from its pack to its acceptance report, or to a rework order
    #[command(after_help = DELIVER_EXAMPLES)]
    Deliver(Deliver),

    /// Run one stage, a built-in or one of the team's own, whether or not it has to
    #[command(after_help = "Examples:\n  cargo xtask run evidence login-page\n  \
        cargo xtask run notify login-page --round 2")]
    Run(Run),

    /// Freeze the pack: pack.lock.json and spec.md
    #[command(after_help = "Examples:\n  cargo xtask freeze login-page\n  \
        cargo xtask freeze login-page --reason \"the limit is 700 ms since the March review\"")]
    Freeze(Freeze),

    /// Attack the frozen pack before anyone is dispatched, and show the findings by their weight
    #[command(after_help = "Reviewers that are programs are asked once for a pack; \
        `cargo xtask deliver <feature> --force=review` asks them again.")]
    Review(Feature),

    /// Answer a finding of the review, by name and with a reason
    #[command(after_help = "Examples:\n  cargo xtask respond login-page 3fa9c2d1 --dispute --by \"Chen\" \
        --reason \"the badge is drawn by the system\"\n  \
        cargo xtask respond login-page 3fa9c2d1 --accept --reason \"the limit has to be 800 ms\"")]
    Respond(Respond),

    /// Show what would answer findings for certain as a diff of the pack, and apply what is chosen
    #[command(after_help = "Examples:\n  cargo xtask tighten login-page\n  \
        cargo xtask tighten login-page --apply all\n  cargo xtask tighten login-page --apply 3fa9c2d1,77ab01e4")]
    Tighten(Tighten),

    /// Write the Goal brief of a round
    Brief(Round),

    /// Let the executor work on a round, and commit what it leaves
    Dispatch(Round),

    /// Gather the evidence of a round
    Evidence(Round),

    /// Recompute every verdict of a round: audit-<n>.json and audit-<n>.md
    #[command(after_help = "Examples:\n  cargo xtask audit login-page --round 1\n  \
        cargo xtask audit login-page --form > deliveries/login-page/round-1/checks.yaml")]
    Audit(Audit),

    /// Write the acceptance report, or the rework order, of a round; or print the audit in another notation
    #[command(after_help = REPORT_EXAMPLES)]
    Report(Report),

    /// Settle, by name and with a reason, a criterion on which auditors differ
    #[command(after_help = "Example:\n  cargo xtask settle login-page A-01 --result pass --by \"Chen\" \
        --reason \"the badge is the brand's own red\"")]
    Settle(Settle),

    /// Sign audits: audit-<n>.intoto.json. Without a key, print what would be signed, and write nothing
    #[command(after_help = ATTEST_EXAMPLES)]
    Attest(Attest),

    /// Make a commented starter pack for a new feature
    #[command(after_help = "Example:\n  cargo xtask new login-page --lang zh")]
    New(New),

    /// Make a draft of a pack from requirements that are written down already; nothing is invented
    #[command(after_help = import_help())]
    Import(Import),

    /// Say what is wrong with a pack, with file, line and column, and change nothing
    Check(Feature),

    /// Show where features stand, stage by stage, and change nothing
    #[command(
        after_help = "Examples:\n  cargo xtask status\n  cargo xtask status --check   exit 1 if anything is out of date"
    )]
    Status(Status),

    /// Tell of all features together: how many are accepted, in how many rounds, how often "done" was wrong, at what cost
    #[command(after_help = "Examples:\n  cargo xtask summary\n  \
        cargo xtask summary --output out     out/summary.md and out/summary.html")]
    Summary(Summary),

    /// Print what a template sees, as JSON
    #[command(after_help = "Examples:\n  cargo xtask context audit login-page --round 1\n  \
        cargo xtask context rework login-page --round 1")]
    Context(ContextArgs),

    /// Write the built-in templates where the pipeline looks for them, to be changed
    #[command(after_help = "Example:\n  cargo xtask templates eject --lang zh")]
    Templates(Templates),

    /// Name the features, for scripts and for the jobs of servers
    #[command(after_help = "Examples:\n  cargo xtask list\n  cargo xtask list --format github-matrix")]
    List(List),

    /// Write the workflow of a server: it checks packs, delivers each feature in a job of its own, and fails on the verdict
    #[command(after_help = "Examples:\n  cargo xtask ci github           what would be written\n  \
        cargo xtask ci gitlab --write")]
    Ci(Ci),
    /// Make everything again that is on record of a delivery, compare it, and change nothing
    #[command(after_help = VERIFY_HELP)]
    Verify(Verify),

    /// Say why a stage is out of date: which input changed, from what to what
    #[command(
        after_help = "Examples:\n  cargo xtask explain login-page\n  cargo xtask explain login-page audit --round 1"
    )]
    Explain(Explain),

    /// Draw the stages, with their state where a feature is named
    #[command(
        after_help = "Examples:\n  cargo xtask graph login-page\n  cargo xtask graph --format dot | dot -Tsvg > stages.svg"
    )]
    Graph(Graph),

    /// Print what a stage's program said
    #[command(after_help = "Example:\n  cargo xtask log login-page dispatch --round 1")]
    Log(Log),

    /// Remove what can be made again: checkouts, caches, leftovers of runs. Deliveries stay
    #[command(after_help = "Examples:\n  cargo xtask clean login-page\n  cargo xtask clean --dry-run")]
    Clean(Clean),

    /// Say which programs and settings the pipeline needs, which of them are missing, and how to get them
    Doctor,
}

/// What is asked at a prompt, in any folder.
#[derive(Debug, Subcommand)]
pub enum PromptCommand {
    /// Judge one value by one assertion, and explain every step
    #[command(after_help = judge_help())]
    Judge(Judge),

    /// Try a reader on an evidence file: what it finds, and where
    #[command(after_help = PROBE_EXAMPLES)]
    Probe(Probe),

    /// Set a repository up for the pipeline: pipeline.yaml, a first feature, what git ignores, the workflow of its server
    #[command(after_help = "Examples:\n  cargo xtask init                  what would be written\n  \
        cargo xtask init ../my-app --write --lang zh --ci github")]
    Init(Init),

    /// Print what a shell needs to complete commands of the installed program
    #[cfg(feature = "shell")]
    #[command(
        after_help = "Example:\n  cargo xtask completions bash > ~/.local/share/bash-completion/completions/xtask"
    )]
    Completions(Completions),

    /// Print the manual page of the installed program
    #[cfg(feature = "shell")]
    Man,
    /// Make a signing key, and print the line of its public half for pipeline.yaml
    #[command(after_help = "Example:\n  cargo xtask keygen ~/.keys/delivery.pem")]
    Keygen(Keygen),

    /// Run vectors against this gate
    #[command(
        after_help = "Example:\n  cargo xtask conformance tests/vectors/assertions.json tests/vectors/gate.json"
    )]
    Conformance(Conformance),
}

impl PromptCommand {
    /// The language that was asked for.
    pub fn lang(&self) -> Option<gate::lang::Lang> {
        match self {
            PromptCommand::Judge(args) => args.lang.asked(),
            PromptCommand::Probe(args) => args.lang.asked(),
            PromptCommand::Init(args) => args.lang.asked(),
            #[cfg(feature = "shell")]
            PromptCommand::Completions(_) | PromptCommand::Man => None,
            PromptCommand::Keygen(args) => args.lang.asked(),
            PromptCommand::Conformance(args) => args.lang.asked(),
        }
    }
}

impl WorkspaceCommand {
    /// The feature that a command is about; none where it is about several.
    pub fn feature(&self) -> Option<&str> {
        let feature = match self {
            WorkspaceCommand::Deliver(args) => return args.features.first().map(String::as_str),
            WorkspaceCommand::Status(args) => return args.feature.as_deref(),
            WorkspaceCommand::Graph(args) => return args.feature.as_deref(),
            WorkspaceCommand::Clean(args) => return args.feature.as_deref(),
            WorkspaceCommand::Verify(args) => return args.feature.as_deref(),
            WorkspaceCommand::Import(args) => return args.feature.as_deref(),
            WorkspaceCommand::Doctor
            | WorkspaceCommand::Templates(_)
            | WorkspaceCommand::List(_)
            | WorkspaceCommand::Summary(_)
            | WorkspaceCommand::Ci(_) => return None,
            WorkspaceCommand::Review(args) | WorkspaceCommand::Check(args) => args,
            WorkspaceCommand::Freeze(args) => &args.feature,
            WorkspaceCommand::Run(args) => &args.round.feature,
            WorkspaceCommand::Brief(args)
            | WorkspaceCommand::Dispatch(args)
            | WorkspaceCommand::Evidence(args) => &args.feature,
            WorkspaceCommand::Report(args) => &args.round.feature,
            WorkspaceCommand::Context(args) => &args.round.feature,
            WorkspaceCommand::Attest(args) => &args.feature,
            WorkspaceCommand::Audit(args) => &args.round.feature,
            WorkspaceCommand::Settle(args) => &args.round.feature,
            WorkspaceCommand::Respond(args) => &args.feature,
            WorkspaceCommand::Tighten(args) => &args.feature,
            WorkspaceCommand::New(args) => &args.feature,
            WorkspaceCommand::Explain(args) => &args.feature,
            WorkspaceCommand::Log(args) => &args.feature,
        };
        Some(&feature.feature)
    }
}
