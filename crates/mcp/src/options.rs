//! The command line of the server, and what it stands on: the pipeline's program and a root.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use clap::Parser;
use gate::lang::Lang;

/// The delivery gate as an MCP server over standard input and output. It decides nothing itself: it runs xtask.
#[derive(Debug, Parser)]
#[command(name = "gate-mcp", version, max_term_width = 100)]
pub struct Options {
    /// The folder of pipeline.yaml, or one below it; otherwise the current folder
    #[arg(long, value_name = "FOLDER")]
    root: Option<Utf8PathBuf>,

    /// The xtask program; otherwise the one beside this program, or the first on PATH
    #[arg(long, value_name = "FILE")]
    xtask: Option<Utf8PathBuf>,

    /// The language of the tools' descriptions and of what the server itself says
    #[arg(long, value_name = "en|zh", value_parser = ["en", "zh"], default_value = "en")]
    lang: String,
}

impl Options {
    /// The language that was asked for.
    pub fn lang(&self) -> Lang {
        if self.lang == "zh" { Lang::Zh } else { Lang::En }
    }

    /// Where the pipeline is: the nearest folder at or above that holds one. Where there is none, the folder itself, and
    /// every call is answered by what xtask says to that.
    pub fn root(&self) -> Result<Utf8PathBuf> {
        let here = std::env::current_dir().context("the current folder cannot be told")?;
        let here = Utf8PathBuf::from_path_buf(here)
            .map_err(|path| anyhow::anyhow!("the current folder is no UTF-8: {}", path.display()))?;
        let start = match &self.root {
            Some(folder) => here.join(folder),
            None => here,
        };
        if !start.is_dir() {
            bail!("there is no folder {start}");
        }
        let found = start.ancestors().find(|folder| folder.join("pipeline.yaml").is_file());
        Ok(found.unwrap_or(&start).to_owned())
    }

    /// The pipeline's program, which has to be there and of this version.
    pub fn xtask(&self) -> Result<Utf8PathBuf> {
        let found = match &self.xtask {
            Some(named) => existing(named).with_context(|| format!("there is no program {named}"))?,
            None => beside().or_else(on_path).context(
                "xtask is neither beside this program nor on PATH: build it with `cargo build --package xtask`, \
                 or name it with --xtask",
            )?,
        };
        require_ours(&found)?;
        Ok(found)
    }
}

fn name() -> String {
    format!("xtask{}", std::env::consts::EXE_SUFFIX)
}

fn beside() -> Option<Utf8PathBuf> {
    let here = std::env::current_exe().ok()?;
    existing(Utf8Path::from_path(here.parent()?)?.join(name()).as_path())
}

fn on_path() -> Option<Utf8PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).find_map(|folder| existing(Utf8Path::from_path(&folder.join(name()))?))
}

/// A relative name would be looked for elsewhere once the folder is another one.
fn existing(file: &Utf8Path) -> Option<Utf8PathBuf> {
    let found = file.is_file().then(|| std::path::absolute(Path::new(file)).ok()).flatten()?;
    Utf8PathBuf::from_path_buf(found).ok()
}

/// Many projects have an `xtask`. One of another kind, or of another version, would be asked in words that it does not
/// know.
fn require_ours(program: &Utf8Path) -> Result<()> {
    let output = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{program} cannot be run"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let said = said.trim();
    // Started by cargo it names itself as it is typed then.
    let ours = format!("xtask {}", env!("CARGO_PKG_VERSION"));
    if said.strip_prefix("cargo ").unwrap_or(said) != ours {
        bail!("{program} is another program: it says `{said}` where `{ours}` is expected");
    }
    Ok(())
}
