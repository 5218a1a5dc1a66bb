//! The command line as a builder, and what came of it.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;

use super::{Workspace, repository};

/// The instant at which every test happens.
pub const INSTANT: &str = "1780000000";

/// A call that is being built.
pub struct Xtask<'a> {
    workspace: &'a Workspace,
    command: Command,
}

impl<'a> Xtask<'a> {
    pub fn new(workspace: &'a Workspace, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(arguments).current_dir(workspace.root());
        command.env("SOURCE_DATE_EPOCH", INSTANT).env("NO_COLOR", "1");
        Xtask { workspace, command }
    }

    /// Another folder to be in.
    pub fn folder(mut self, folder: &str) -> Self {
        self.command.current_dir(self.workspace.root().join(folder));
        self
    }

    /// A variable of the environment.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// The command itself, for tests that start it and do something meanwhile.
    pub fn command(self) -> Command {
        self.command
    }

    /// Runs it to its end. What the gate verifies, the second verifier may not contradict.
    pub fn run(mut self) -> Outcome {
        let output = self.command.output().unwrap();
        if output.status.success() {
            self.is_verified_twice();
        }
        Outcome {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            root: self.workspace.root().to_owned(),
        }
    }

    fn is_verified_twice(&self) {
        let arguments: Vec<&OsStr> = self.command.get_args().collect();
        let root = self.workspace.root();
        let folder = match arguments.as_slice() {
            [command, feature] if *command == "verify" => root.join("deliveries").join(feature),
            _ => return,
        };
        if folder.is_dir() {
            let mut second = Command::new("python3");
            second.arg(repository().join("tools/verify.py")).arg("delivery").arg(folder);
            let output = second.arg("--external").arg(root.join(".evidence")).output().unwrap();
            // A round that is not finished is not all there.
            let is_fine = matches!(output.status.code(), Some(0 | 8));
            assert!(is_fine, "verify.py: {}", String::from_utf8_lossy(&output.stdout));
        }
    }
}

/// What a call came to.
pub struct Outcome {
    code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    root: PathBuf,
}

impl Outcome {
    /// The exit code.
    pub fn code(&self) -> Option<i32> {
        self.code
    }

    /// The exit code, with everything that was said if it is another.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Standard error holds this.
    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "no {text:?} in stderr:\n{}", self.stderr);
        self
    }

    /// Standard output holds this.
    #[track_caller]
    pub fn prints(self, text: &str) -> Self {
        assert!(self.stdout.contains(text), "no {text:?} in stdout:\n{}", self.stdout);
        self
    }

    /// Standard error without what differs from machine to machine.
    pub fn message(&self) -> String {
        self.stderr.replace(self.root.to_str().unwrap(), "ROOT")
    }

    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}:\n{}", self.stdout))
    }
}
