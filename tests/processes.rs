//! Programs that run: followed, within limits, and ended with all that they started. And what is told of them.

#![cfg(unix)]

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Workspace, is_running, repository};

const DISPATCH: &str = "deliveries/login-page/round-1/dispatch.json";
const LOG: &str = "deliveries/login-page/round-1/logs/dispatch.log";

/// Looks again and again until it is so. A test that waits in vain is ended by whoever runs it.
fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
    loop {
        if let Some(found) = look() {
            return found;
        }
        std::thread::yield_now();
    }
}

fn fifo(workspace: &Workspace, name: &str) {
    let made = Command::new("mkfifo").arg(workspace.root().join(name)).status().unwrap();
    assert!(made.success());
}

fn deliver(workspace: &Workspace) -> Child {
    let mut command = workspace.xtask(&["deliver", "login-page", "--quiet"]).command();
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The processes that a script wrote down, once all of them are.
fn pids(workspace: &Workspace, name: &str) -> Vec<i32> {
    let text =
        until(|| workspace.has(name).then(|| workspace.read(name)).filter(|text| text.ends_with('\n')));
    text.split_whitespace().map(|pid| pid.parse().unwrap()).collect()
}

#[test]
fn silence_and_time_end_a_program_and_a_signal_is_told_from_an_exit() {
    let busy = "import time\nwhile True: print('busy', flush=True); time.sleep(0.05)\n";
    let mute = "import time\nprint('begun', flush=True)\ntime.sleep(600)\n";
    let killed = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n";
    for (script, limits, end, exit_code, signal) in [
        (mute, "    silence: 1s\n", "silent", Value::Null, Value::Null),
        (busy, "    silence: 1s\n    timeout: 2s\n", "timedOut", Value::Null, Value::Null),
        (killed, "", "failed", Value::Null, json!(9)),
        ("raise SystemExit(137)", "", "failed", json!(137), Value::Null),
    ] {
        let workspace = Workspace::with_script(script, limits);
        workspace.xtask(&["deliver", "login-page"]).run().exits(1);
        let dispatch = workspace.json(DISPATCH);
        let told = (&dispatch["end"], &dispatch["exitCode"], &dispatch["signal"]);
        assert_eq!(told, (&json!(end), &exit_code, &signal), "{script}");
    }
}

#[test]
fn a_collector_that_is_killed_or_silent_says_so() {
    for (line, more, said) in [
        ("import os; os.kill(os.getpid(), 9)", "", "signal 9"),
        ("import time; time.sleep(600)", "    silence: 1s\n", "said nothing for 1 s"),
    ] {
        let workspace = Workspace::sample();
        let copy = "    copy: features/{feature}/recorded/round-{round}/display.txt\n";
        let run = format!("    run: [python3, -c, \"{line}\"]\n{more}");
        workspace.replace("pipeline.yaml", copy, &run);
        workspace.xtask(&["deliver", "login-page"]).run().exits(7).says("E_COLLECTOR_FAILED").says(said);
    }
}

/// Whoever calls setsid and is orphaned has left group and parent behind, and is found all the same.
#[test]
fn a_daemon_does_not_outlive_its_agent() {
    let daemon = |cleared: &str| {
        format!(
            "import os, sys, time
here = os.path.dirname(os.path.abspath(__file__))
ready, tell = os.pipe()
os.set_inheritable(tell, True)
if os.fork() == 0:
    os.setsid()
    if os.fork() != 0:
        os._exit(0)
    for stream in (0, 1, 2):
        os.close(stream)
    line = 'import os, sys, time, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); ' \\
        'open(sys.argv[1], \"w\").write(str(os.getpid()) + chr(10)); ' \\
        'os.write(int(sys.argv[2]), b\"x\"); time.sleep(600)'
    {cleared}
    os.execv(sys.executable, [sys.executable, '-c', line, here + '/daemon', str(tell)])
os.read(ready, 1)
"
        )
    };
    for cleared in ["pass", "os.environ.clear()"] {
        let workspace = Workspace::with_script(&daemon(cleared), "");
        workspace.xtask(&["deliver", "login-page"]).run().exits(1);
        assert!(!is_running(pids(&workspace, "daemon")[0]), "the daemon goes on: {cleared}");
        assert!(!workspace.has(".xtask/running/login-page") || workspace.tree(".xtask/running").is_empty());
    }
}

/// A run that is killed cannot end its agent. The next one does, before it does anything else.
#[test]
fn what_a_killed_run_left_is_ended_by_the_next() {
    let script = "\
import os, subprocess, sys, time
here = os.path.dirname(os.path.abspath(__file__))
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], start_new_session=True)
open(here + '/agents', 'w').write(f'{os.getpid()} {child.pid}\\n')
time.sleep(600)
";
    let workspace = Workspace::with_script(script, "");
    let mut run = deliver(&workspace);
    let agents = pids(&workspace, "agents");
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(agents.iter().all(|pid| is_running(*pid)), "they were to be left");
    assert_eq!(workspace.tree(".xtask/running/login-page").len(), 1);
    workspace.write("agent.py", "print('done')\n");
    workspace
        .xtask(&["deliver", "login-page"])
        .run()
        .exits(1)
        .says("python3, which an earlier run left running");
    for pid in agents {
        assert!(!is_running(pid), "{pid} goes on");
    }
    assert!(workspace.tree(".xtask/running/login-page").is_empty());
}

/// A number in a record that by now stands for somebody else ends nobody.
#[test]
fn a_process_that_only_has_the_number_is_let_be() {
    let workspace = Workspace::sample();
    let mut bystander = Command::new("sleep").arg("600").spawn().unwrap();
    let pid = bystander.id();
    let record = json!({ "pid": pid, "start": "1", "program": "agent" }).to_string();
    workspace.write(".xtask/running/login-page/0123456789abcdef", &record);
    workspace.write(".xtask/running/login-page/half", "{\"pid\": 1");
    let outcome = workspace.xtask(&["freeze", "login-page"]).run().exits(0);
    assert!(!outcome.stderr.contains("left running"), "{}", outcome.stderr);
    assert!(is_running(pid.try_into().unwrap()));
    assert!(workspace.tree(".xtask/running/login-page").is_empty());
    bystander.kill().unwrap();
    bystander.wait().unwrap();
}

/// The log grows while the program works, and holds no secret even between two writes.
#[test]
fn a_log_grows_while_its_program_works() {
    let script = "\
import os, sys
here = os.path.dirname(os.path.abspath(__file__))
token = os.environ['MY_TOKEN']
print('first line', flush=True)
os.write(1, b'token: ' + token[:5].encode())
open(here + '/gate').read()
os.write(1, token[5:].encode() + b' end')
open(here + '/gate').read()
";
    let workspace = Workspace::with_script(script, "    env: [MY_TOKEN]\n");
    fifo(&workspace, "gate");
    let mut command =
        workspace.xtask(&["deliver", "login-page", "--quiet"]).env("MY_TOKEN", "s3cr3t-value").command();
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let read = || workspace.has(LOG).then(|| workspace.read(LOG));
    // What may begin the secret is held back; the program waits in the middle of it.
    assert_eq!(until(|| read().filter(|log| log.ends_with("token: "))), "first line\ntoken: ");
    let open = || drop(File::options().write(true).open(workspace.root().join("gate")).unwrap());
    open();
    assert_eq!(until(|| read().filter(|log| log.ends_with("end"))), "first line\ntoken: [secret] end");
    open();
    assert_eq!(run.wait().unwrap().code(), Some(1));
    assert_eq!(workspace.read(LOG), "first line\ntoken: [secret] end");
}

/// A secret that the program has from elsewhere is masked in everything that tells what it said.
#[test]
fn a_listed_secret_is_nowhere() {
    let line = "import sys; print('key=' + sys.argv[1][:6], end='', flush=True); print(sys.argv[1][6:]); sys.exit(3)";
    let workspace = Workspace::sample();
    let copy = "    copy: features/{feature}/recorded/round-{round}/display.txt\n";
    // The value stands in the pipeline's file here only because a test has no better place that a program can know it from.
    let run = format!("    run: [python3, -c, \"{line}\", \"s3cr3t-value\"]\n");
    workspace.replace("pipeline.yaml", copy, &run);
    workspace.replace("pipeline.yaml", "\nstages:\n", "\nsecrets: [SIGNING_KEY]\nstages:\n");
    let outcome = workspace
        .xtask(&["deliver", "login-page", "--events", "events.jsonl"])
        .env("SIGNING_KEY", "s3cr3t-value")
        .run()
        .exits(7)
        .says("key=[secret]");
    assert!(!outcome.stderr.contains("s3cr3t"), "{}", outcome.stderr);
    assert!(workspace.read("events.jsonl").contains("key=[secret]"));
    for (path, bytes) in [workspace.tree("deliveries"), workspace.tree(".xtask")].concat() {
        assert!(!String::from_utf8_lossy(&bytes).contains("s3cr3t-value"), "{path}");
    }
    assert!(!workspace.read("events.jsonl").contains("s3cr3t"));
}

/// Evidence is never changed: a file with a secret in it is not taken.
#[test]
fn evidence_with_a_secret_in_it_is_not_kept() {
    let line = "import sys; open(sys.argv[1], 'w').write('bufferAvailable: s3cr3t-value')";
    let workspace = Workspace::sample();
    let copy = "    copy: features/{feature}/recorded/round-{round}/display.txt\n";
    workspace.replace(
        "pipeline.yaml",
        copy,
        &format!("    run: [python3, -c, \"{line}\", \"{{output}}\"]\n"),
    );
    workspace.replace("pipeline.yaml", "\nstages:\n", "\nsecrets: [SIGNING_KEY]\nstages:\n");
    let call = workspace.xtask(&["deliver", "login-page"]).env("SIGNING_KEY", "s3cr3t-value");
    call.run().exits(7).says("holds the value of a secret");
    for (path, bytes) in workspace.tree("deliveries") {
        assert!(!String::from_utf8_lossy(&bytes).contains("s3cr3t-value"), "{path}");
    }
}

#[test]
fn a_value_in_the_place_of_a_name_is_refused() {
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", "\nstages:\n", "\nsecrets: [\"hunter-2\"]\nstages:\n");
    let outcome =
        workspace.xtask(&["status"]).run().exits(3).says("E_VALUE_UNKNOWN").says("names, never values");
    assert!(outcome.stderr.contains("pipeline.yaml"), "{}", outcome.stderr);
}

fn events(workspace: &Workspace) -> Vec<Value> {
    workspace.read("events.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_events_of_a_delivery_are_those_of_their_schema() {
    let workspace = Workspace::sample();
    for _ in 0..2 {
        workspace.xtask(&["deliver", "login-page", "--quiet", "--events", "events.jsonl"]).run().exits(0);
    }
    let events = events(&workspace);
    let schema = std::fs::read_to_string(repository().join("docs/schemas/event.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    for event in &events {
        assert!(schema.is_valid(event), "{event}");
        for name in ["format", "sequence", "at", "type", "feature"] {
            let mut without = event.clone();
            without.as_object_mut().unwrap().remove(name);
            assert!(!schema.is_valid(&without), "{without}");
        }
    }
    let text = |event: &Value| {
        let word = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        let round = event["round"].as_u64().map(|round| format!("@{round}")).unwrap_or_default();
        format!("{} {}{round} {}{}", word("type"), word("stage"), word("step"), word("outcome"))
    };
    let second = events.iter().skip(1).position(|event| event["sequence"] == 1).unwrap() + 1;
    let told = |events: &[Value]| events.iter().map(text).collect::<Vec<_>>();
    insta::assert_snapshot!("the events of a delivery", told(&events[..second]).join("\n"));
    let again = told(&events[second..]);
    assert!(again.iter().any(|line| line == "stageFinished dispatch@2 upToDate"), "{again:#?}");
    assert!(!again.iter().any(|line| line.starts_with("stageStarted")), "{again:#?}");
    let numbers: Vec<_> = events[..second].iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=u64::try_from(second).unwrap()).collect::<Vec<_>>());
    assert_eq!(events[second - 1]["exitCode"], 0);
}

#[test]
fn what_stops_a_delivery_is_told_as_an_event() {
    let workspace = Workspace::with_executor("person", "");
    workspace.xtask(&["deliver", "login-page", "--events", "events.jsonl"]).run().exits(5);
    let events = events(&workspace);
    let [stage, delivery] = &events[events.len() - 2..] else { panic!("{events:#?}") };
    assert_eq!((&stage["stage"], &stage["outcome"]), (&json!("dispatch"), &json!("waiting")));
    assert_eq!((&delivery["type"], &delivery["exitCode"]), (&json!("deliveryFinished"), &json!(5)));
    workspace.xtask(&["status", "--events", "no/such/folder"]).run().exits(7).says("no/such/folder");
}

#[test]
fn what_goes_to_a_file_or_a_pipe_has_no_escape_sequences() {
    let script = "print('\\x1b[31mred\\x1b[0m', flush=True)\nraise SystemExit(3)";
    let workspace = Workspace::with_script(script, "");
    let outcome = workspace.xtask(&["deliver", "login-page", "--events", "events.jsonl"]).run().exits(1);
    assert!(!outcome.stderr.contains('\u{1b}') && !outcome.stdout.contains('\u{1b}'));
    assert!(events(&workspace).iter().any(|event| event["type"] == "output" && event["line"] == "red"));
    // The log is what was said.
    assert!(workspace.read(LOG).contains('\u{1b}'));
}

/// 200 MB of lines, and a line of 20 MB: the log has all, messages and events a little, memory next to nothing.
#[cfg(target_os = "linux")]
#[test]
fn a_flood_is_carried_and_not_held() {
    let script = "\
import os
block = b''.join(b'line %07d of a flood that nobody can read as fast as it comes\\n' % n for n in range(16384))
for _ in range(200):
    os.write(1, block)
os.write(1, b'x' * 20_000_000 + b'\\nlast line\\n')
peak = [line.split()[1] for line in open(f'/proc/{os.getppid()}/status') if line.startswith('VmHWM')][0]
open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'peak'), 'w').write(peak)
";
    let workspace = Workspace::with_script(script, "");
    workspace.xtask(&["deliver", "login-page", "--quiet", "--events", "events.jsonl"]).run().exits(1);
    let mut log = BufReader::new(File::open(workspace.root().join(LOG)).unwrap());
    let (mut bytes, mut last) = (0, Vec::new());
    loop {
        let mut line = Vec::new();
        match log.read_until(b'\n', &mut line).unwrap() {
            0 => break,
            read => bytes += read,
        }
        last = line;
    }
    assert!(bytes > 200_000_000, "{bytes}");
    assert_eq!(last, b"last line\n");
    let peak: u64 = workspace.read("peak").parse().unwrap();
    assert!(peak < 100_000, "it held {peak} KiB");
    let events = events(&workspace);
    let output: Vec<_> = events.iter().filter(|event| event["type"] == "output").collect();
    assert_eq!(output.last().unwrap()["line"], "last line");
    assert!(output.iter().any(|event| event["skipped"].as_u64() > Some(0)));
    // Of three million lines.
    assert!(output.len() < 30_000, "{} events", output.len());
    let longest = output.iter().filter_map(|event| event["line"].as_str()).map(str::len).max();
    assert!(longest < Some(2000), "{longest:?}");
}

/// A call on a pseudo-terminal.
struct Screen {
    child: Child,
    screen: ChildStdout,
    said: Vec<u8>,
}

impl Screen {
    fn open(workspace: &Workspace, variable: (&str, &str)) -> Self {
        let pty = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
        let mut command = Command::new("python3");
        command.args(["-c", pty, env!("CARGO_BIN_EXE_xtask"), "deliver", "login-page"]);
        command
            .current_dir(workspace.root())
            .env_remove("CI")
            .env("TERM", "xterm")
            .env(variable.0, variable.1);
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let screen = child.stdout.take().unwrap();
        Screen { child, screen, said: Vec::new() }
    }

    fn read(&mut self) -> bool {
        let mut piece = [0; 4096];
        let count = self.screen.read(&mut piece).unwrap();
        self.said.extend_from_slice(&piece[..count]);
        count > 0
    }

    fn await_text(&mut self, text: &str) {
        while !String::from_utf8_lossy(&self.said).contains(text) {
            assert!(self.read(), "{:?}", self.said);
        }
    }

    /// The exit code, and everything that was shown.
    fn close(mut self) -> (Option<i32>, String) {
        while self.read() {}
        (self.child.wait().unwrap().code(), String::from_utf8(self.said).unwrap())
    }
}

/// An agent that speaks, and works until its gate is opened.
const GATED: &str = "\
import os
here = os.path.dirname(os.path.abspath(__file__))
open(here + '/pipeline', 'w').write(f'{os.getppid()}\\n')
print('hello from the agent', flush=True)
open(here + '/gate').read()
";

/// What is on the screen once the bars are gone.
fn answer(said: &str) -> &str {
    said.rsplit_once("\u{1b}[2K").map_or(said, |(_, answer)| answer)
}

#[test]
fn a_terminal_shows_bars_unless_it_was_asked_not_to() {
    for (variable, value, has_bars) in
        [("TERM", "xterm", true), ("CI", "true", false), ("TERM", "dumb", false), ("NO_COLOR", "1", true)]
    {
        let workspace = Workspace::with_script(GATED, "");
        fifo(&workspace, "gate");
        let mut screen = Screen::open(&workspace, (variable, value));
        screen.await_text(if has_bars { "hello from the agent" } else { "dispatch" });
        drop(File::options().write(true).open(workspace.root().join("gate")).unwrap());
        let (code, said) = screen.close();
        assert_eq!(code, Some(1), "{said}");
        assert_eq!(said.contains("hello from the agent"), has_bars, "{variable}={value}: {said:?}");
        assert_eq!(said.contains('\u{1b}'), has_bars, "{variable}={value}: {said:?}");
        assert_eq!(said.contains("login-page  freeze\r\n"), !has_bars, "{variable}={value}: {said:?}");
        // Neither bars nor colour are left.
        assert!(!said.contains("\u{1b}[3"), "{said:?}");
        assert!(answer(&said).contains("rework-1.md") && !answer(&said).contains("hello"), "{said:?}");
    }
}

#[test]
fn an_interruption_takes_its_bars_along() {
    let workspace = Workspace::with_script(GATED, "");
    fifo(&workspace, "gate");
    let mut screen = Screen::open(&workspace, ("TERM", "xterm"));
    screen.await_text("hello from the agent");
    let pipeline = rustix::process::Pid::from_raw(pids(&workspace, "pipeline")[0]).unwrap();
    rustix::process::kill_process(pipeline, rustix::process::Signal::INT).unwrap();
    let (code, said) = screen.close();
    assert_eq!(code, Some(130), "{said}");
    assert!(answer(&said).contains("interrupted") && !answer(&said).contains("hello"), "{said:?}");
}
