//! One run of a feature at a time. The lock is the operating system's, so that of a dead run none is left.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};

use anyhow::Context as _;
use camino::Utf8PathBuf;
use gate::code::Code;
use gate::lang::Lang;
use gate::say;

use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::paths::Root;
use crate::store;

/// Held as long as it lives.
#[derive(Debug)]
pub struct FeatureLock {
    _file: File,
}

impl FeatureLock {
    /// Takes the lock of a feature, or says who holds it.
    pub fn take(root: &Root, feature: &str, lang: Lang) -> Result<Self> {
        let path = path(root, feature);
        store::create_folder(&root.scratch().join("locks"))?;
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .with_context(|| format!("failed to open {path}"))?;
        match file.try_lock() {
            Ok(()) => {
                sign(&mut file).with_context(|| format!("failed to write {path}"))?;
                Ok(FeatureLock { _file: file })
            }
            Err(TryLockError::WouldBlock) => Err(held(&mut file, feature, lang)),
            Err(TryLockError::Error(error)) => {
                Err(anyhow::Error::new(error).context(format!("failed to lock {path}")).into())
            }
        }
    }
}

fn path(root: &Root, feature: &str) -> Utf8PathBuf {
    root.scratch().join("locks").join(format!("{feature}.lock"))
}

/// Leaves word of who holds the lock, for whoever comes second.
fn sign(file: &mut File) -> std::io::Result<()> {
    let command: Vec<String> = std::env::args().skip(1).collect();
    file.set_len(0)?;
    file.rewind()?;
    write!(file, "{} {}", std::process::id(), command.join(" "))
}

fn held(file: &mut File, feature: &str, lang: Lang) -> Failure {
    let mut said = String::new();
    // Where the holder's word cannot be read, the lock still says enough.
    let _ = file.take(4096).read_to_string(&mut said);
    let message = match said.split_once(' ') {
        Some((process, command)) => say!(
            lang,
            "another run holds {feature}: process {process}, {command}",
            "功能 {feature} 正被另一个运行占用：进程 {process}，{command}"
        ),
        // It began this very moment, and has not signed yet.
        None => say!(lang, "another run holds {feature}", "功能 {feature} 正被另一个运行占用"),
    };
    Failure::coded(Ending::CannotRun, Code::Busy, message, Code::Busy.help(lang))
}
