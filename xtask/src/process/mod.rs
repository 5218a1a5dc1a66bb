//! Running other programs: in a process group of their own, within limits, their output followed while they run, and an
//! end for all that they started.

mod group;
mod output;
mod record;
mod table;
mod talk;

use std::io::{self, PipeReader};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::Context;
use camino::Utf8PathBuf;
use gate::lang::Lang;
use gate::say;

use crate::failure::Result;
use crate::interrupt;
use crate::secrets::Secrets;
use group::Group;
use output::Output;
use record::Record;
use talk::{FAREWELL, Listener};

pub use group::output;
pub use output::{Line, Stream, tail};
pub use record::{end_leftovers, folder as running};
pub use talk::{Partner, Talk};

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

/// How often a running program is looked after: the delay of a Ctrl-C and of its output, not of a normal end.
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
    /// Variables that are set for it, whatever they are outside. They are no secrets.
    pub env: Vec<(String, String)>,
    /// Names of variables that it may not see, and whose values reach no log either, from wherever it has them.
    pub secret_names: Vec<String>,
    /// The file that it reads on standard input; none is an empty input.
    pub stdin: Option<Utf8PathBuf>,
    /// The file that takes standard output; none joins the log.
    pub stdout: Option<Utf8PathBuf>,
    /// The file that takes what it says, while it says it.
    pub log: Utf8PathBuf,
    /// Where its raw output lies until secrets are taken out of it: outside everything that is committed.
    pub scratch: Utf8PathBuf,
    /// Where a record of it lies while it runs: [`running`] of the feature.
    pub running: Utf8PathBuf,
    /// How long it may take.
    pub timeout: Duration,
    /// How long it may say nothing; none is as long as it likes.
    pub silence: Option<Duration>,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this code.
    Exited(i32),
    /// By a signal that was not ours, with this number.
    #[cfg_attr(not(unix), expect(dead_code, reason = "there are no signals here"))]
    Signaled(i32),
    /// Its time was over, and it was ended with all that it had started.
    TimedOut,
    /// It said nothing for as long as it may, and was ended.
    Silent,
    /// Whoever read its lines asked for its end.
    Stopped,
}

impl Ended {
    /// The exit code, where it ended by itself.
    pub fn exit_code(self) -> Option<i32> {
        if let Ended::Exited(code) = self { Some(code) } else { None }
    }

    /// The signal, where one from elsewhere ended it.
    pub fn signal(self) -> Option<i32> {
        if let Ended::Signaled(number) = self { Some(number) } else { None }
    }
}

/// Who reads the lines of a running program. A break asks for its end; what it said until then is still read out.
pub type Sink<'a> = dyn FnMut(&Line<'_>) -> ControlFlow<()> + 'a;

/// Runs a program to its end, and ends all that it started. `Ok(None)` says that there is no such program.
pub fn run(program: &Program, sink: &mut Sink<'_>) -> Result<Option<Ended>> {
    attend(program, None, &mut Talk::silent(), &mut Listener(sink))
}

/// As [`run`], with a program that is talked with: `stdin` of it is not read.
pub fn converse(program: &Program, partner: &mut dyn Partner) -> Result<Option<Ended>> {
    let (input, mut talk) = Talk::open().context("failed to open a pipe")?;
    attend(program, Some(input), &mut talk, partner)
}

fn attend(
    program: &Program,
    input: Option<PipeReader>,
    talk: &mut Talk,
    partner: &mut dyn Partner,
) -> Result<Option<Ended>> {
    interrupt::check()?;
    let secrets = Secrets::of_variables(program.env_names.iter().chain(&program.secret_names));
    let mut output = Output::create(program, &secrets)?;
    let record = Record::begin(program)?;
    let Some((handle, mut group)) = start(program, input, &output, &record)? else {
        record.remove()?;
        output.discard()?;
        return Ok(None);
    };
    let ended = record.name(group.leader()).and_then(|()| {
        partner.begin(talk);
        wait(program, &handle, &mut group, &mut output, talk, partner)
    });
    talk.close();
    // A child that outlives its parent would go on changing what is judged.
    group.end(&handle);
    record.remove()?;
    output.settle(&mut |line| partner.hear(line, talk))?;
    ended.map(Some)
}

/// Looks after a running program until it ends, or has to.
fn wait(
    program: &Program,
    handle: &duct::Handle,
    group: &mut Group,
    output: &mut Output<'_>,
    talk: &mut Talk,
    partner: &mut dyn Partner,
) -> Result<Ended> {
    let deadline = Instant::now() + program.timeout;
    let mut heard = Instant::now();
    let mut limit = None;
    loop {
        let name = program.argv.first().map_or("", String::as_str);
        let waited = handle.wait_timeout(TICK).with_context(|| format!("failed to wait for {name}"))?;
        if let Some(output) = waited {
            return Ok(limit.unwrap_or_else(|| how(output.status)));
        }
        interrupt::check()?;
        group.watch();
        let (said, wish) = output.follow(&mut |line| partner.hear(line, talk))?;
        let now = Instant::now();
        heard = if said { now } else { heard };
        if let Some(closed) = talk.closed() {
            if now.duration_since(closed) >= FAREWELL {
                return Ok(limit.unwrap_or(Ended::Stopped));
            }
            continue;
        }
        let is_silent = program.silence.is_some_and(|silence| now.duration_since(heard) >= silence);
        limit = if wish.is_break() {
            Some(Ended::Stopped)
        } else if now >= deadline {
            Some(Ended::TimedOut)
        } else {
            is_silent.then_some(Ended::Silent)
        };
        if let Some(limit) = limit {
            partner.part(talk);
            talk.close();
            // Who was talked with may still take leave.
            if talk.closed().is_none() {
                return Ok(limit);
            }
        }
    }
}

/// Starts the program with everything in place, or says that there is none.
fn start(
    program: &Program,
    input: Option<PipeReader>,
    output: &Output<'_>,
    record: &Record,
) -> Result<Option<(duct::Handle, Group)>> {
    let Some((name, arguments)) = program.argv.split_first() else { return Ok(None) };
    let mut environment = environment(program);
    environment.push((record::MARK.to_owned(), record.mark().to_owned()));
    let expression = duct::cmd(name, arguments).dir(&program.folder).full_env(environment).unchecked();
    let expression = match (input, &program.stdin) {
        (Some(input), _) => expression.stdin_file(input),
        (None, Some(path)) => expression.stdin_path(path),
        (None, None) => expression.stdin_null(),
    };
    match group::start(output.connect(expression)?, record.mark()) {
        Ok(started) => Ok(Some(started)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(anyhow::Error::new(error).context(format!("failed to start {name}")).into()),
    }
}

/// The variables that the program sees: the base and the allowed names that are set, and what is set for it.
fn environment(program: &Program) -> Vec<(String, String)> {
    let allowed = BASE_ENVIRONMENT.iter().copied().chain(program.env_names.iter().map(String::as_str));
    let outside = allowed.filter_map(|name| std::env::var(name).ok().map(|value| (name.to_owned(), value)));
    outside.chain(program.env.iter().cloned()).collect()
}

/// How a program ended when it did not end well, as a fragment in the delivery's language.
pub fn complaint(ended: Ended, program: &Program, lang: Lang) -> Option<String> {
    match ended {
        Ended::Exited(0) => None,
        Ended::Exited(code) => Some(say!(lang, "it exited with {code}", "退出码为 {code}")),
        Ended::Signaled(number) => Some(say!(lang, "signal {number} ended it", "被信号 {number} 终止")),
        Ended::TimedOut => {
            let seconds = program.timeout.as_secs();
            Some(say!(lang, "it was ended after {seconds} s", "超过 {seconds} 秒后被终止"))
        }
        Ended::Silent => {
            let seconds = program.silence.unwrap_or_default().as_secs();
            Some(say!(
                lang,
                "it was ended because it said nothing for {seconds} s",
                "连续 {seconds} 秒没有输出，已被终止"
            ))
        }
        Ended::Stopped => Some(say!(lang, "it was ended before it was done", "在完成之前被终止")),
    }
}

#[cfg(unix)]
fn how(status: std::process::ExitStatus) -> Ended {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Exited(code),
        (None, Some(number)) => Ended::Signaled(number),
        (None, None) => Ended::Exited(-1),
    }
}

#[cfg(not(unix))]
fn how(status: std::process::ExitStatus) -> Ended {
    Ended::Exited(status.code().unwrap_or(-1))
}
