//! A signal at any time: nothing is left running, nothing is lost, and the next run goes on.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use crate::support::{Workspace, is_running};

/// An agent that says that it works, starts a child, and does not end by itself.
const BUSY: &str = "\
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])
open(os.path.join(os.path.dirname(__file__), 'running'), 'w').write(f'{os.getpid()} {child.pid}')
os.rename(os.path.join(os.path.dirname(__file__), 'running'), os.path.join(os.path.dirname(__file__), 'pids'))
time.sleep(600)
";

/// As the one above, and deaf to SIGTERM.
fn deaf() -> String {
    format!("import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n{BUSY}")
}

/// Starts a delivery, waits until its agent works, sends the signals, and answers the exit code and the agent's processes.
fn interrupted(workspace: &Workspace, signals: &[rustix::process::Signal]) -> (Option<i32>, Vec<i32>) {
    let mut child =
        workspace.xtask(&["deliver", "login-page"]).command().stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("dispatch") {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0, "it ended before it dispatched");
    }
    let pids = loop {
        if workspace.has("pids") {
            break workspace.read("pids");
        }
        std::thread::yield_now();
    };
    let us = rustix::process::Pid::from_raw(child.id().try_into().unwrap()).unwrap();
    for signal in signals {
        rustix::process::kill_process(us, *signal).unwrap();
    }
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    let code = child.wait().unwrap().code();
    (code, pids.split_whitespace().map(|pid| pid.parse().unwrap()).collect())
}

#[test]
fn an_interrupted_dispatch_leaves_nothing_running_and_is_taken_up_again() {
    use rustix::process::Signal;
    for (script, signals) in [
        (BUSY.to_owned(), &[Signal::INT][..]),
        (BUSY.to_owned(), &[Signal::TERM]),
        (deaf(), &[Signal::INT, Signal::INT]),
    ] {
        let workspace = Workspace::with_script(&script, "");
        let (code, pids) = interrupted(&workspace, signals);
        assert_eq!(code, Some(130));
        assert_eq!(pids.len(), 2);
        for pid in pids {
            assert!(!is_running(pid), "{pid} goes on");
        }
        assert!(!workspace.has("deliveries/login-page/round-1/dispatch.json"));
        workspace.write("agent.py", "print('done')\n");
        workspace.xtask(&["deliver", "login-page"]).run().exits(1);
        assert!(workspace.has("deliveries/login-page/rework-1.md"));
    }
}

/// What an agent leaves behind would go on changing what is judged.
#[test]
fn a_child_does_not_outlive_its_agent() {
    let script =
        BUSY.replace("time.sleep(600)\n", "").replace("import time; ", "import time; time.sleep(600)");
    let workspace = Workspace::with_script(&script, "");
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    for pid in workspace.read("pids").split_whitespace() {
        assert!(!is_running(pid.parse().unwrap()), "{pid} goes on");
    }
}

#[test]
fn what_a_kill_left_half_written_is_swept_away() {
    let workspace = Workspace::sample();
    workspace.write("deliveries/login-page/round-1/.tmp-abc", "half");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    assert!(!workspace.tree("deliveries").iter().any(|(path, _)| path.contains(".tmp-")));
}
