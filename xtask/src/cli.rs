//! The command line.

use camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand};

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
    /// Take a feature from its pack to its acceptance report, or to a rework order
    #[command(after_help = "Example:\n  cargo xtask deliver login-page")]
    Deliver(Feature),

    /// Freeze the pack: pack.lock.json and spec.md
    #[command(after_help = "Examples:\n  cargo xtask freeze login-page\n  \
        cargo xtask freeze login-page --reason \"the limit is 700 ms since the March review\"")]
    Freeze(Freeze),

    /// Attack the frozen pack before anyone is dispatched: review.json and review.md
    Review(Feature),

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

    /// Write the acceptance report, or the rework order, of a round
    Report(Round),

    /// Make a commented starter pack for a new feature
    #[command(after_help = "Example:\n  cargo xtask new login-page --lang zh")]
    New(New),

    /// Say what is wrong with a pack, with file, line and column, and change nothing
    Check(Feature),

    /// Show where features stand, and change nothing
    Status(Status),
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
pub struct Audit {
    #[command(flatten)]
    pub round: Round,

    /// Print an empty checks file for what only people can judge, and audit nothing
    #[arg(long)]
    pub form: bool,
}

#[derive(Debug, Args)]
pub struct New {
    #[command(flatten)]
    pub feature: Feature,

    /// The language of the comments; otherwise the pipeline's
    #[arg(long, value_name = "en|zh", value_parser = ["en", "zh"])]
    pub lang: Option<String>,
}

#[derive(Debug, Args)]
pub struct Status {
    /// The feature; otherwise all
    pub feature: Option<String>,
}
