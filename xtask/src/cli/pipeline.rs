//! The arguments of what runs the pipeline, or looks at it.

use camino::Utf8PathBuf;
use clap::Args;

use super::common::{Feature, Round, Signing};
use super::help::report_formats;

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
pub struct Freeze {
    #[command(flatten)]
    pub feature: Feature,

    /// Why a pack that was frozen before is replaced; stays on record
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
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
pub struct Status {
    /// The feature; otherwise all
    pub feature: Option<String>,

    /// Exit with 1 if anything is out of date
    #[arg(long)]
    pub check: bool,
}

#[derive(Debug, Args)]
pub struct ContextArgs {
    /// The template
    #[arg(value_parser = ["spec", "review", "brief", "audit", "acceptance", "rework"])]
    pub template: String,

    #[command(flatten)]
    pub round: Round,
}
