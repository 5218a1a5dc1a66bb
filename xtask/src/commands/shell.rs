//! `completions` and `man`: what a shell and a manual know of the installed program. Only built with the feature `shell`: who
//! calls the program through cargo gets nothing of it, and builds nothing for it.

use clap::CommandFactory;
use serde_json::json;

use super::answer::Answer;
use crate::cli::{Cli, Completions};
use crate::failure::Result;

/// The name by which it is installed.
const NAME: &str = "xtask";

fn command() -> clap::Command {
    Cli::command().name(NAME).bin_name(NAME)
}

/// The script that a shell reads.
pub fn completions(args: &Completions) -> Answer {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), NAME, &mut script);
    printed(&script)
}

/// The manual page.
pub fn man() -> Result<Answer> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command()).render(&mut page).map_err(anyhow::Error::from)?;
    Ok(printed(&page))
}

fn printed(bytes: &[u8]) -> Answer {
    let text = String::from_utf8_lossy(bytes).replace("cargo xtask", NAME);
    Answer::yes(text.clone(), json!({ "text": text }))
}
