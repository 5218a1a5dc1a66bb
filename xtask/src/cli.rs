//! The command line.

use camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand};
use gate::pack::Matcher;

use crate::reports::machine::Format;

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

const JUDGE_EXAMPLES: &str = "\
Examples:
  cargo xtask judge --matcher lte --expected 800 --unit ms --actual 1.2s
  cargo xtask judge --matcher eq --expected 12 --unit vp --actual 42px --density 3.5
  cargo xtask judge --matcher lte --expected 800 --unit ms --aggregate p95 --actual 700ms --actual 720ms";

const PROBE_EXAMPLES: &str = "\
Examples:
  cargo xtask probe --list
  cargo xtask probe density features/login-page/recorded/round-1/display.txt
  cargo xtask probe layout features/login-page/recorded/round-1/layout.json \\
    --with measure=touchTarget --with node=id=forgot_password --with bundle=com.example.login";

/// The examples, and every matcher with its aliases: the closed table.
fn judge_help() -> String {
    let aliases = Matcher::ALIASES
        .iter()
        .map(|(matcher, words)| format!("  {:<9} {}", matcher.word(), words.join("  ")));
    format!("{JUDGE_EXAMPLES}\n\nMatchers, and their aliases:\n{}", aliases.collect::<Vec<_>>().join("\n"))
}

/// The words of the formats, and the one that looks into the file.
fn import_formats() -> Vec<&'static str> {
    std::iter::once("auto").chain(import::Format::ALL.map(import::Format::word)).collect()
}

/// The examples, and what each format's reader looks for.
fn import_help() -> String {
    let formats = import::Format::ALL
        .iter()
        .map(|format| format!("  {:<10} {}", format.word(), format.looks_for(gate::lang::Lang::En)));
    let formats = formats.collect::<Vec<_>>().join("\n");
    format!("{IMPORT_EXAMPLES}\n\nFormats, and what is looked for:\n{formats}")
}

const IMPORT_EXAMPLES: &str = "\
Examples:
  cargo xtask import spec-kit specs/001-login/spec.md --feature login
  cargo xtask import table criteria.csv --feature login --lang zh
  cargo xtask import auto login.feature --stdout";

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

const REPORT_EXAMPLES: &str = "\
Examples:
  cargo xtask report login-page
  cargo xtask report login-page --format junit --output junit.xml
  cargo xtask report login-page --format github       annotations, in a GitHub job

With --format nothing is written but the file that --output names. The exit code is the verdict's.";

const DELIVER_EXAMPLES: &str = "\
Examples:
  cargo xtask deliver login-page
  cargo xtask deliver login-page --dry-run        what would run, and why
  cargo xtask deliver login-page --from audit     take what comes before as it is
  cargo xtask deliver --all --jobs 2 --keep-going";

const ATTEST_EXAMPLES: &str = "\
Examples:
  cargo xtask attest login-page --key ~/.keys/delivery.pem
  cargo xtask attest login-page --round 2        what would be signed, for a signer of your own";

const VERIFY_HELP: &str = "\
Examples:
  cargo xtask verify login-page
  cargo xtask verify --all --json
  cargo xtask verify login-page --commit v1.4
  cargo xtask verify login-page --expect-pack 54afb795…

Every probe is run again on the recorded evidence, every outcome and verdict is recomputed, every report rendered again and
compared byte for byte. Exit codes: 0 verified; 6 tampered; 8 something is unavailable, or of another format.

What this alone cannot see: a consistent rewrite of everything, and rounds dropped at the end. What does: a commit that you
trust (--commit), the pack's digest from elsewhere (--expect-pack), or a signature.";

#[derive(Debug, Args)]
pub struct Verify {
    /// The feature: the name of its folder under deliveries/
    #[arg(required_unless_present = "all")]
    pub feature: Option<String>,

    /// Every delivery that there is
    #[arg(long, conflicts_with = "feature")]
    pub all: bool,

    /// The digest that the frozen pack has to have, from whoever knows what was agreed
    #[arg(long, value_name = "SHA256", conflicts_with = "all", value_parser = sha256)]
    pub expect_pack: Option<String>,

    /// Read from this commit of the workspace's repository instead of the folder
    #[arg(long, value_name = "REVISION")]
    pub commit: Option<String>,
}

/// Sixty-four hexadecimal digits.
fn sha256(text: &str) -> Result<String, String> {
    let is_digest = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_digest {
        Ok(text.to_ascii_lowercase())
    } else {
        Err("64 hexadecimal digits are expected".to_owned())
    }
}

#[derive(Debug, Args)]
pub struct Deliver {
    /// The features: the names of their folders under features/
    #[arg(required_unless_present = "all")]
    pub features: Vec<String>,

    /// Every feature that there is
    #[arg(long, conflicts_with = "features")]
    pub all: bool,

    /// How many features are worked on at the same time
    #[arg(long, short, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub jobs: u32,

    /// Begin at this stage; those before it are taken as they are
    #[arg(long, value_name = "STAGE")]
    pub from: Option<String>,

    /// Stop after this stage
    #[arg(long, value_name = "STAGE")]
    pub until: Option<String>,

    /// This stage alone
    #[arg(long, value_name = "STAGE", conflicts_with_all = ["from", "until"])]
    pub only: Option<String>,

    /// Run stages that have nothing to do: all that do not record facts, or the one that is named
    #[arg(long, value_name = "STAGE", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub force: Option<String>,

    /// Say what would run and why, and run nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Go on with other features when one does not end well
    #[arg(long, short)]
    pub keep_going: bool,

    /// Wait where another run holds a feature, instead of failing
    #[arg(long)]
    pub wait: bool,

    /// Freeze nothing: go on only with a pack that was frozen before and is still the same
    #[arg(long)]
    pub frozen: bool,

    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Debug, Args)]
pub struct Run {
    /// The stage, by its id in pipeline.yaml
    pub stage: String,

    #[command(flatten)]
    pub round: Round,

    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Debug, Args)]
pub struct Explain {
    #[command(flatten)]
    pub feature: Feature,

    /// The stage; otherwise all
    pub stage: Option<String>,

    /// The round; otherwise all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub round: Option<u32>,
}

#[derive(Debug, Args)]
pub struct Graph {
    /// The feature whose state is shown
    pub feature: Option<String>,

    /// The notation
    #[arg(long, value_name = "mermaid|dot", value_parser = ["mermaid", "dot"], default_value = "mermaid")]
    pub format: String,
}

#[derive(Debug, Args)]
pub struct Log {
    #[command(flatten)]
    pub feature: Feature,

    /// The stage, by its id in pipeline.yaml
    pub stage: String,

    /// The round; otherwise the latest that has a log
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub round: Option<u32>,
}

#[derive(Debug, Args)]
pub struct Clean {
    /// The feature; otherwise all
    pub feature: Option<String>,

    /// Say what would be removed, and remove nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Debug, Args)]
pub struct Feature {
    /// The feature: the name of its folder under features/
    pub feature: String,
}

#[derive(Debug, Args)]
pub struct Freeze {
    #[command(flatten)]
    pub feature: Feature,

    /// Why a pack that was frozen before is replaced; stays on record
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
}

#[derive(Debug, Args)]
pub struct Round {
    #[command(flatten)]
    pub feature: Feature,

    /// The round; otherwise the latest
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub round: Option<u32>,
}

#[derive(Debug, Args)]
pub struct Signing {
    /// Sign what is audited with the Ed25519 key in this file; otherwise with XTASK_SIGNING_KEY, if that is set
    #[arg(long, value_name = "FILE")]
    pub key: Option<Utf8PathBuf>,
}

#[derive(Debug, Args)]
pub struct Report {
    #[command(flatten)]
    pub round: Round,

    /// The notation: junit, sarif, ctrf, github, github-summary, gitlab or tap
    #[arg(long, value_name = "FORMAT", value_parser = report_formats())]
    pub format: Option<String>,

    /// Write it to this file, and not to standard output
    #[arg(long, short, value_name = "FILE", requires = "format")]
    pub output: Option<Utf8PathBuf>,

    #[command(flatten)]
    pub signing: Signing,
}

fn report_formats() -> Vec<&'static str> {
    Format::ALL.map(Format::word).to_vec()
}

#[derive(Debug, Args)]
pub struct Attest {
    #[command(flatten)]
    pub feature: Feature,

    /// The round; otherwise all that were audited
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub round: Option<u32>,

    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Debug, Args)]
pub struct Keygen {
    /// The file, which must not be there yet
    pub file: Utf8PathBuf,

    #[command(flatten)]
    pub lang: Lang,
}

#[derive(Debug, Args)]
pub struct Audit {
    #[command(flatten)]
    pub round: Round,

    #[command(flatten)]
    pub signing: Signing,

    /// Print an empty checks file for what only people can judge, and audit nothing
    #[arg(long)]
    pub form: bool,
}

#[derive(Debug, Args)]
pub struct Settle {
    #[command(flatten)]
    pub round: Round,

    /// The criterion
    pub criterion: String,

    /// What holds
    #[arg(long, value_name = "pass|fail", value_parser = ["pass", "fail"])]
    pub result: String,

    /// Who settles it
    #[arg(long, value_name = "NAME")]
    pub by: String,

    /// Why
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("answer").required(true))]
pub struct Respond {
    #[command(flatten)]
    pub feature: Feature,

    /// The finding, by the id that the review gives it
    pub finding: String,

    /// The finding is right: it blocks until the pack is changed
    #[arg(long, group = "answer")]
    pub accept: bool,

    /// The finding is wrong, or matters not here: it blocks no more, and is shown in every report
    #[arg(long, group = "answer")]
    pub dispute: bool,

    /// Why
    #[arg(long, value_name = "TEXT")]
    pub reason: String,

    /// Who answers; otherwise git's user.name
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
}

#[derive(Debug, Args)]
pub struct Tighten {
    #[command(flatten)]
    pub feature: Feature,

    /// Apply the changes that answer these findings, or all
    #[arg(long, value_name = "all|ID,…", value_delimiter = ',')]
    pub apply: Vec<String>,
}

#[derive(Debug, Args)]
pub struct New {
    #[command(flatten)]
    pub feature: Feature,

    #[command(flatten)]
    pub lang: Lang,
}

#[derive(Debug, Args)]
pub struct Import {
    /// The format of the file; auto looks into it
    #[arg(value_parser = import_formats())]
    pub format: String,

    /// The file
    pub file: Utf8PathBuf,

    /// The id of the new feature; otherwise from the file's name or folder
    #[arg(long, value_name = "ID")]
    pub feature: Option<String>,

    /// Write the pack to this file, and not to features/<id>/pack.yaml
    #[arg(long, value_name = "FILE", conflicts_with = "stdout")]
    pub out: Option<Utf8PathBuf>,

    /// Print the pack, and write nothing
    #[arg(long)]
    pub stdout: bool,

    /// The dimension of criteria whose text names none; otherwise the pack leaves the choice open
    #[arg(long, value_name = "WORD", value_parser = ["function", "aesthetic", "performance", "accessibility"])]
    pub dimension: Option<String>,

    #[command(flatten)]
    pub lang: Lang,
}

#[derive(Debug, Args)]
pub struct Status {
    /// The feature; otherwise all
    pub feature: Option<String>,

    /// Exit with 1 if anything is out of date
    #[arg(long)]
    pub check: bool,
}

#[derive(Debug, Args)]
pub struct Summary {
    /// Write summary.md and summary.html to this folder, and not the first to standard output
    #[arg(long, short, value_name = "FOLDER")]
    pub output: Option<Utf8PathBuf>,
}

#[derive(Debug, Args)]
pub struct ContextArgs {
    /// The template
    #[arg(value_parser = ["spec", "review", "brief", "audit", "acceptance", "rework"])]
    pub template: String,

    #[command(flatten)]
    pub round: Round,
}

#[derive(Debug, Args)]
pub struct Templates {
    /// What to do: write those that are not there yet
    #[arg(value_parser = ["eject"])]
    pub action: String,

    #[command(flatten)]
    pub lang: Lang,
}

#[derive(Debug, Args)]
pub struct List {
    /// How: text, json, github-matrix, or gitlab-pipeline
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = ["text", "json", "github-matrix", "gitlab-pipeline"],
        default_value = "text"
    )]
    pub format: String,
}

#[derive(Debug, Args)]
pub struct Ci {
    /// The server
    #[arg(value_name = "github|gitlab", value_parser = ["github", "gitlab"])]
    pub server: String,

    /// Write the file; one that is there is never overwritten
    #[arg(long)]
    pub write: bool,

    /// The folder of the pipeline's source in the repository, from which jobs install it
    #[arg(long, value_name = "FOLDER")]
    pub source: Option<String>,
}

#[derive(Debug, Args)]
pub struct Judge {
    /// The comparison, by its word or an alias
    #[arg(long, value_name = "WORD")]
    pub matcher: String,

    /// What is compared with, as in a pack: 800, 800ms, [12, 16], \"text\"
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub expected: Option<String>,

    /// The unit of what is expected
    #[arg(long, value_name = "UNIT")]
    pub unit: Option<String>,

    /// The value; several are the samples of a series, none is an absent value
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub actual: Vec<String>,

    /// Negate the matcher
    #[arg(long)]
    pub not: bool,

    /// How samples become one answer: all any min max mean median sum count p1…p99
    #[arg(long, value_name = "WORD")]
    pub aggregate: Option<String>,

    /// Fewer samples than this are no value
    #[arg(long, value_name = "N")]
    pub min_samples: Option<u32>,

    /// For approx: absolute, or a percentage such as 5%
    #[arg(long, value_name = "VALUE")]
    pub tolerance: Option<String>,

    /// Pixels per vp
    #[arg(long, value_name = "NUMBER")]
    pub density: Option<String>,

    /// fp per vp
    #[arg(long, value_name = "NUMBER")]
    pub font_scale: Option<String>,

    #[command(flatten)]
    pub lang: Lang,
}

#[derive(Debug, Args)]
pub struct Probe {
    /// The reader, such as layout or trace
    pub reader: Option<String>,

    /// The evidence file
    pub file: Option<Utf8PathBuf>,

    /// A parameter of the reader
    #[arg(long, value_name = "KEY=VALUE")]
    pub with: Vec<String>,

    /// The exit status of the collector, for the reader exit
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub exit_code: Option<i32>,

    /// Show the readers and their parameters
    #[arg(long)]
    pub list: bool,

    #[command(flatten)]
    pub lang: Lang,
}

#[derive(Debug, Args)]
pub struct Init {
    /// The folder; otherwise the current one
    pub folder: Option<Utf8PathBuf>,

    /// Write the files; those that are there are never overwritten
    #[arg(long)]
    pub write: bool,

    /// The id of the first feature
    #[arg(long, value_name = "ID", default_value = "first-feature")]
    pub feature: String,

    /// The server whose workflow is written; otherwise the one that the repository shows signs of
    #[arg(long, value_name = "github|gitlab|none", value_parser = ["github", "gitlab", "none"])]
    pub ci: Option<String>,

    /// Set this agent up instead: the skill, and the MCP server in its settings
    #[arg(long, value_name = "HOST", value_parser = ["deveco", "opencode", "dsh", "claude"],
        conflicts_with_all = ["ci", "feature"])]
    pub agent: Option<String>,

    /// Take back what was written for the agent
    #[arg(long, requires = "agent")]
    pub undo: bool,

    #[command(flatten)]
    pub lang: Lang,
}

#[cfg(feature = "shell")]
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub struct Conformance {
    /// Files of vectors
    #[arg(required = true)]
    pub files: Vec<Utf8PathBuf>,

    #[command(flatten)]
    pub lang: Lang,
}

#[derive(Debug, Args)]
pub struct Lang {
    /// The language of the answer; otherwise the pipeline's
    #[arg(long, value_name = "en|zh", value_parser = ["en", "zh"])]
    pub lang: Option<String>,
}

impl Lang {
    /// The language that was asked for.
    pub fn asked(&self) -> Option<gate::lang::Lang> {
        match self.lang.as_deref() {
            Some("zh") => Some(gate::lang::Lang::Zh),
            Some(_) => Some(gate::lang::Lang::En),
            None => None,
        }
    }
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
