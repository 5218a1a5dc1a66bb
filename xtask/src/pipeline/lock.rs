//! One run of a feature at a time. The lock is the operating system's, so that of a dead run none is left.

use std::fs::{File, TryLockError};
use std::sync::Arc;

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};
use gate::code::Code;
use gate::say;
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::{clock, held, interrupt, store};

/// How often a lock that another run holds is tried again.
const TICK: std::time::Duration = std::time::Duration::from_millis(200);

/// How often a lock is tried whose holder is no more.
const PATIENCE: u32 = 50;

/// Held as long as it lives.
#[derive(Debug)]
pub struct FeatureLock {
    _file: File,
}

/// What to do where another run holds the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfHeld {
    /// Fail, and say who holds it.
    Refuse,
    /// Wait until it is free, and say meanwhile who holds it.
    Wait,
}

/// Who holds a lock. It is of use only while the lock is held, and lies beside it: some systems let nobody read a file
/// that is locked.
#[derive(Debug, Serialize, Deserialize)]
struct Holder {
    process: u32,
    user: String,
    since: String,
    command: String,
}

impl FeatureLock {
    /// Takes the lock of a feature.
    pub fn take(context: &Context<'_>, if_held: IfHeld) -> Result<Self> {
        store::create_folder(&context.root.scratch().join("locks"))?;
        let path = path(context, "lock");
        let file = open(&path)?;
        let (mut is_told, mut patience, mut is_tried) = (false, PATIENCE, false);
        loop {
            match file.try_lock() {
                Ok(()) => {
                    sign(context)?;
                    await_orphans(context)?;
                    return Ok(FeatureLock { _file: file });
                }
                // Of a run that was killed just now, a child that is being started may hold it a moment longer.
                Err(TryLockError::WouldBlock) if is_dead(context) && patience > 0 => {
                    patience -= 1;
                    interrupt::pause(TICK)?;
                }
                // A guard looks at locks, and holds each for that moment.
                Err(TryLockError::WouldBlock) if !is_tried => {
                    is_tried = true;
                    interrupt::pause(TICK)?;
                }
                Err(TryLockError::WouldBlock) if if_held == IfHeld::Refuse => return Err(busy(context)),
                Err(TryLockError::WouldBlock) => {
                    if !is_told {
                        context.progress.note(&context.feature, &waiting(context));
                        is_told = true;
                    }
                    interrupt::pause(TICK)?;
                }
                Err(TryLockError::Error(error)) => {
                    return Err(anyhow::Error::new(error).context(format!("failed to lock {path}")).into());
                }
            }
        }
    }
}

fn path(context: &Context<'_>, extension: &str) -> Utf8PathBuf {
    held::path(context.root, &context.feature, extension)
}

fn open(path: &Utf8Path) -> Result<File> {
    let file = File::options().read(true).write(true).create(true).truncate(false).open(path);
    Ok(file.with_context(|| format!("failed to open {path}"))?)
}

/// Takes the file that is lent to git. A run that was killed may have left a git at work, which holds it to its end.
fn await_orphans(context: &Context<'_>) -> Result<()> {
    let path = path(context, "git");
    let file = open(&path)?;
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) => interrupt::pause(TICK)?,
            Err(TryLockError::Error(error)) => {
                return Err(anyhow::Error::new(error).context(format!("failed to lock {path}")).into());
            }
        }
    }
    // A context takes its lock once.
    let _ = context.held.set(Arc::new(file));
    Ok(())
}

/// Leaves word of who holds the lock, for whoever comes second.
fn sign(context: &Context<'_>) -> Result<()> {
    let user = ["USER", "USERNAME"].iter().find_map(|name| std::env::var(name).ok());
    let holder = Holder {
        process: std::process::id(),
        user: user.unwrap_or_default(),
        since: clock::now(context.lang())?,
        command: std::env::args().skip(1).collect::<Vec<_>>().join(" "),
    };
    store::write_unsynced(&path(context, "holder.json"), &store::json_bytes(&holder)?)
}

fn holder(context: &Context<'_>) -> Option<Holder> {
    let bytes = store::read_optional(&path(context, "holder.json")).ok().flatten()?;
    serde_json::from_slice(&bytes).ok()
}

fn waiting(context: &Context<'_>) -> String {
    say!(context.lang(), "waits: {}", "等待：{}", who(context))
}

fn busy(context: &Context<'_>) -> Failure {
    Failure::coded(Ending::CannotRun, Code::Busy, who(context), Code::Busy.help(context.lang()))
}

fn who(context: &Context<'_>) -> String {
    let (lang, feature) = (context.lang(), &context.feature);
    match holder(context) {
        Some(Holder { process, user, since, command }) => {
            let user = if user.is_empty() { "-".to_owned() } else { user };
            say!(
                lang,
                "another run holds {feature}: process {process} of {user} since {since}, {command}",
                "功能 {feature} 正被另一个运行占用：{user} 的进程 {process}，始于 {since}，{command}"
            )
        }
        // It began this very moment, and has not signed yet.
        None => say!(lang, "another run holds {feature}", "功能 {feature} 正被另一个运行占用"),
    }
}

/// Whether the run that holds a lock is no more.
#[cfg(unix)]
fn is_dead(context: &Context<'_>) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let process = holder(context).and_then(|holder| Pid::from_raw(holder.process.try_into().ok()?));
    process.is_some_and(|process| test_kill_process(process) == Err(rustix::io::Errno::SRCH))
}

/// Nobody can be asked here.
#[cfg(not(unix))]
fn is_dead(_context: &Context<'_>) -> bool {
    false
}
