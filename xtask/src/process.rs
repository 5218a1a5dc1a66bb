//! Running other programs: in a process group of their own, with a deadline, output to files, and an end for all of it.

use std::io;
use std::time::{Duration, Instant};

use anyhow::Context;
use camino::{Utf8Path, Utf8PathBuf};

use crate::failure::{Failure, Result};
use crate::interrupt;
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

/// How long a group has to end after TERM before it is killed.
const GRACE: Duration = Duration::from_secs(5);

/// What to run, and how.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program and its arguments. Never a shell line.
    pub argv: Vec<String>,
    /// The folder it runs in.
    pub folder: Utf8PathBuf,
    /// Names of further variables that it may see.
    pub env_names: Vec<String>,
    /// Variables that the pipeline sets.
    pub env: Vec<(String, String)>,
    /// The file that it reads on standard input; none is an empty input.
    pub stdin: Option<Utf8PathBuf>,
    /// The file that takes standard output; none joins the log.
    pub stdout: Option<Utf8PathBuf>,
    /// The file that takes what it says.
    pub log: Utf8PathBuf,
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

/// Runs a program to its end. `Ok(None)` says that there is no such program.
pub fn run(program: &Program) -> Result<Option<Ended>> {
    interrupt::check()?;
    let Some(handle) = start(program)? else { return Ok(None) };
    let deadline = Instant::now() + program.timeout;
    loop {
        let name = program.argv.first().map_or("", String::as_str);
        let waited = handle.wait_timeout(TICK).with_context(|| format!("failed to wait for {name}"))?;
        if let Some(output) = waited {
            return Ok(Some(Ended::Exited(exit_code(output.status))));
        }
        if interrupt::requested() {
            end_group(&handle);
            return Err(Failure::Interrupted);
        }
        if Instant::now() >= deadline {
            end_group(&handle);
            return Ok(Some(Ended::TimedOut));
        }
    }
}

/// Starts the program with everything in place, or says that there is none.
fn start(program: &Program) -> Result<Option<duct::Handle>> {
    let Some((name, arguments)) = program.argv.split_first() else { return Ok(None) };
    if let Some(folder) = program.log.parent() {
        store::create_folder(folder)?;
    }
    let log =
        std::fs::File::create(&program.log).with_context(|| format!("failed to write {}", program.log))?;
    let mut expression = duct::cmd(name, arguments)
        .dir(&program.folder)
        .full_env(environment(program))
        .unchecked()
        .stderr_file(log.try_clone().with_context(|| format!("failed to write {}", program.log))?);
    expression = match &program.stdin {
        Some(path) => expression.stdin_path(path),
        None => expression.stdin_null(),
    };
    expression = match &program.stdout {
        Some(path) => expression.stdout_path(path),
        None => expression.stdout_file(log),
    };
    match own_group(expression).start() {
        Ok(handle) => Ok(Some(handle)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(anyhow::Error::new(error).context(format!("failed to start {name}")).into()),
    }
}

/// The variables that the program sees: the base, the allowed names that are set, and what the pipeline sets.
fn environment(program: &Program) -> Vec<(String, String)> {
    let allowed = BASE_ENVIRONMENT.iter().copied().chain(program.env_names.iter().map(String::as_str));
    allowed
        .filter_map(|name| std::env::var(name).ok().map(|value| (name.to_owned(), value)))
        .chain(program.env.iter().cloned())
        .collect()
}

/// A group of its own, so that all that it starts can be ended together and no Ctrl-C reaches it by itself.
#[cfg(unix)]
fn own_group(expression: duct::Expression) -> duct::Expression {
    use std::os::unix::process::CommandExt;
    expression.before_spawn(|command| {
        command.process_group(0);
        Ok(())
    })
}

#[cfg(not(unix))]
fn own_group(expression: duct::Expression) -> duct::Expression {
    expression
}

/// Asks the whole group to end, waits a little, and kills what is left.
#[cfg(unix)]
fn end_group(handle: &duct::Handle) {
    let groups: Vec<rustix::process::Pid> = handle
        .pids()
        .into_iter()
        .filter_map(|pid| rustix::process::Pid::from_raw(pid.try_into().ok()?))
        .collect();
    for group in &groups {
        // A group that is gone already is what is wanted.
        let _ = rustix::process::kill_process_group(*group, rustix::process::Signal::TERM);
    }
    let _ = handle.wait_timeout(GRACE);
    for group in &groups {
        let _ = rustix::process::kill_process_group(*group, rustix::process::Signal::KILL);
    }
    let _ = handle.wait_timeout(GRACE);
}

#[cfg(not(unix))]
fn end_group(handle: &duct::Handle) {
    let _ = handle.kill();
    let _ = handle.wait_timeout(GRACE);
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
