//! The arguments of what answers in any folder.

use camino::Utf8PathBuf;
use clap::Args;

use super::common::Lang;

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
