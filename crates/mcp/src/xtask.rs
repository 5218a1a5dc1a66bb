//! The pipeline's program, run for one answer.

use std::process::Stdio;

use anyhow::{Context, Result};
use camino::Utf8PathBuf;
use serde_json::Value;
use tokio::process::Command;

use crate::detached;

/// With it the pipeline would sign what a model asked for. Signing is a person's.
const SIGNING_KEY: &str = "XTASK_SIGNING_KEY";

/// The program, and the folder in which it runs.
#[derive(Clone, Debug)]
pub struct Xtask {
    /// The program.
    pub program: Utf8PathBuf,
    /// The folder of `pipeline.yaml`.
    pub root: Utf8PathBuf,
}

impl Xtask {
    /// A call, to be started. Whatever comes after `--` is no option, whoever wrote it.
    fn command(&self, arguments: &[String]) -> Command {
        let mut command = Command::new(&self.program);
        self.prepare(&mut command, arguments);
        command.stdin(Stdio::null());
        command
    }

    /// A call that nobody waits for, to be started. It goes through a program that ends at once: hosts end what stands
    /// below their servers, and it stands below none.
    pub fn detached(&self, arguments: &[String]) -> Result<Command> {
        let ours = std::env::current_exe().context("this program cannot be told")?;
        let mut command = Command::new(ours);
        command.arg(detached::WORD).arg(&self.program);
        self.prepare(&mut command, arguments);
        Ok(command)
    }

    fn prepare(&self, command: &mut Command, arguments: &[String]) {
        command.args(["--quiet", "--json"]).args(arguments);
        command.current_dir(&self.root).env_remove(SIGNING_KEY).env("NO_COLOR", "1");
    }

    /// Runs it to its end and answers what it printed. Where nobody waits for the answer any more it is asked to stop,
    /// which it does without leaving anything half-written.
    pub async fn call(&self, arguments: &[String], given_up: impl Future<Output = ()>) -> Result<Value> {
        let mut command = self.command(arguments);
        // What it says beside its answer belongs to our log.
        command.stdout(Stdio::piped()).stderr(Stdio::inherit());
        let child = command.spawn().context("xtask cannot be run")?;
        let leash = Leash::on(child.id());
        let ended = child.wait_with_output();
        tokio::pin!(ended);
        let output = tokio::select! {
            output = &mut ended => output,
            () = given_up => {
                leash.pull();
                ended.await
            }
        };
        leash.slip();
        let output = output.context("xtask cannot be waited for")?;
        serde_json::from_slice(&output.stdout)
            .with_context(|| format!("xtask ended with {} and gave no answer", output.status))
    }
}

/// Asks a program to stop when it is dropped: so does a server that ends while a call is on.
struct Leash {
    process: Option<u32>,
}

impl Leash {
    fn on(process: Option<u32>) -> Self {
        Leash { process }
    }

    fn pull(&self) {
        if let Some(process) = self.process {
            ask_to_stop(process);
        }
    }

    /// It is over; its number may soon be another's.
    fn slip(mut self) {
        self.process = None;
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        self.pull();
    }
}

#[cfg(unix)]
fn ask_to_stop(process: u32) {
    use rustix::process::{Pid, Signal, kill_process};
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    // It may have ended by itself.
    process.map(|process| kill_process(process, Signal::TERM));
}

/// Nobody can be asked here; it goes on to its end.
#[cfg(not(unix))]
fn ask_to_stop(_process: u32) {}
