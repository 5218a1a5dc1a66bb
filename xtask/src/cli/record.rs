//! The arguments of what keeps, proves and sums up the record of deliveries.

use camino::Utf8PathBuf;
use clap::Args;

use super::common::{Feature, Lang, Signing};

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
pub struct Summary {
    /// Write summary.md and summary.html to this folder, and not the first to standard output
    #[arg(long, short, value_name = "FOLDER")]
    pub output: Option<Utf8PathBuf>,
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
