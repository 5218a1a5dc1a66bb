//! The arguments of what helps to write a pack, to answer its review, and to set a repository up.

use camino::Utf8PathBuf;
use clap::Args;

use super::common::{Feature, Lang};
use super::help::import_formats;

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
pub struct Templates {
    /// What to do: write those that are not there yet
    #[arg(value_parser = ["eject"])]
    pub action: String,

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
