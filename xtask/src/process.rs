//! Running other programs: in a process group of their own, with a deadline, output to files, and an end for all of it.

use std::io;
use std::time::{Duration, Instant};

use anyhow::Context;
use camino::{Utf8Path, Utf8PathBuf};
use gate::lang::Lang;
use gate::say;

use crate::failure::Result;
use crate::interrupt;
use crate::process_group;
use crate::secrets::Secrets;
use crate::store;

/// Variables that programs need to run at all. Everything else is named in `pipeline.yaml` or does not get through.
const BASE_ENVIRONMENT: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "TEMP",
    "TMP",
    "SystemRoot",
    "SystemDrive",
    "windir",
    "ComSpec",
    "PATHEXT",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "ProgramData",
    "ProgramFiles",
];

/// How often a running program is looked after: the delay of a Ctrl-C, not of a normal end.
const TICK: Duration = Duration::from_millis(100);

/// What to run, and how.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program and its arguments. Never a shell line.
    pub argv: Vec<String>,
    /// The folder it runs in.
    pub folder: Utf8PathBuf,
    /// Names of further variables that it may see. Their values never reach a log or an artifact.
    pub env_names: Vec<String>,
    /// The file that it reads on standard input; none is an empty input.
    pub stdin: Option<Utf8PathBuf>,
    /// The file that takes standard output; none joins the log.
    pub stdout: Option<Utf8PathBuf>,
    /// The file that takes what it says.
    pub log: Utf8PathBuf,
    /// Where its raw output lies until secrets are taken out of it: outside everything that is committed.
    pub scratch: Utf8PathBuf,
    /// How long it may take.
    pub timeout: Duration,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this code; a signal counts as 128 and its number.
    Exited(i32),
    /// Its time was over, and it was ended with all that it had started.
    TimedOut,
}

/// Runs a program to its end, and ends all that it started. `Ok(None)` says that there is no such program.
pub fn run(program: &Program) -> Result<Option<Ended>> {
    interrupt::check()?;
    let raw = Raw::of(program)?;
    let Some(handle) = start(program, &raw)? else { return Ok(None) };
    let ended = wait(program, &handle);
    // A child that outlives its parent would go on changing what is judged.
    process_group::end(&handle);
    raw.settle(program)?;
    ended.map(Some)
}

fn wait(program: &Program, handle: &duct::Handle) -> Result<Ended> {
    let deadline = Instant::now() + program.timeout;
    loop {
        let name = program.argv.first().map_or("", String::as_str);
        let waited = handle.wait_timeout(TICK).with_context(|| format!("failed to wait for {name}"))?;
        if let Some(output) = waited {
            return Ok(Ended::Exited(exit_code(output.status)));
        }
        interrupt::check()?;
        if Instant::now() >= deadline {
            return Ok(Ended::TimedOut);
        }
    }
}

/// Where raw output lies while a program runs.
struct Raw {
    log: Utf8PathBuf,
    stdout: Option<Utf8PathBuf>,
}

impl Raw {
    fn of(program: &Program) -> Result<Self> {
        store::create_folder(&program.scratch)?;
        let stdout = program.stdout.as_ref().map(|_| program.scratch.join("stdout"));
        Ok(Raw { log: program.scratch.join("log"), stdout })
    }

    /// Moves the output to where it belongs, without the values of the variables that were named.
    fn settle(&self, program: &Program) -> Result<()> {
        let values = program.env_names.iter().filter_map(|name| std::env::var(name).ok());
        let secrets = Secrets::new(values);
        secrets.copy(&self.log, &program.log)?;
        if let (Some(raw), Some(target)) = (&self.stdout, &program.stdout) {
            secrets.copy(raw, target)?;
        }
        store::remove_folder(&program.scratch)
    }
}

/// Starts the program with everything in place, or says that there is none.
fn start(program: &Program, raw: &Raw) -> Result<Option<duct::Handle>> {
    let Some((name, arguments)) = program.argv.split_first() else { return Ok(None) };
    let log = std::fs::File::create(&raw.log).with_context(|| format!("failed to write {}", raw.log))?;
    let mut expression = duct::cmd(name, arguments)
        .dir(&program.folder)
        .full_env(environment(program))
        .unchecked()
        .stderr_file(log.try_clone().with_context(|| format!("failed to write {}", raw.log))?);
    expression = match &program.stdin {
        Some(path) => expression.stdin_path(path),
        None => expression.stdin_null(),
    };
    expression = match &raw.stdout {
        Some(path) => expression.stdout_path(path),
        None => expression.stdout_file(log),
    };
    match process_group::own(expression).start() {
        Ok(handle) => Ok(Some(handle)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(anyhow::Error::new(error).context(format!("failed to start {name}")).into()),
    }
}

/// The variables that the program sees: the base, and the allowed names that are set.
fn environment(program: &Program) -> Vec<(String, String)> {
    let allowed = BASE_ENVIRONMENT.iter().copied().chain(program.env_names.iter().map(String::as_str));
    allowed.filter_map(|name| std::env::var(name).ok().map(|value| (name.to_owned(), value))).collect()
}

/// How a program ended when it did not end well, as a fragment in the delivery's language.
pub fn complaint(ended: Ended, program: &Program, lang: Lang) -> Option<String> {
    match ended {
        Ended::Exited(0) => None,
        Ended::Exited(code) => Some(say!(lang, "it exited with {code}", "退出码为 {code}")),
        Ended::TimedOut => {
            let seconds = program.timeout.as_secs();
            Some(say!(lang, "it was ended after {seconds} s", "超过 {seconds} 秒后被终止"))
        }
    }
}

#[cfg(unix)]
fn exit_code(status: std::process::ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

#[cfg(not(unix))]
fn exit_code(status: std::process::ExitStatus) -> i32 {
    status.code().unwrap_or(-1)
}

/// The last lines of a log, for a message: at most a few, and never a whole flood.
pub fn tail(log: &Utf8Path) -> String {
    const BYTES: u64 = 4096;
    const LINES: usize = 12;
    let Ok(bytes) = read_end(log, BYTES) else { return String::new() };
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    lines.get(lines.len().saturating_sub(LINES)..).unwrap_or_default().join("\n")
}

fn read_end(path: &Utf8Path, bytes: u64) -> io::Result<Vec<u8>> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = std::fs::File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(bytes)))?;
    let mut end = Vec::new();
    file.take(bytes).read_to_end(&mut end)?;
    Ok(end)
}
