//! The arguments that several commands have.

use camino::Utf8PathBuf;
use clap::Args;

#[derive(Debug, Args)]
pub struct Feature {
    /// The feature: the name of its folder under features/
    pub feature: String,
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
