//! A process group of its own for each program, so that all it starts can be ended together, and no Ctrl-C of a terminal
//! reaches it by itself. What calls `setsid` leaves its group and escapes this.

use std::time::{Duration, Instant};

use crate::interrupt;

/// How long a group has to end after TERM before it is killed.
const GRACE: Duration = Duration::from_secs(5);

/// How often a group that was asked to end is looked at.
const TICK: Duration = Duration::from_millis(20);

/// Starts in a group of its own.
#[cfg(unix)]
pub fn own(expression: duct::Expression) -> duct::Expression {
    use std::os::unix::process::CommandExt;
    expression.before_spawn(|command| {
        command.process_group(0);
        Ok(())
    })
}

/// Starts as it is: there are no groups here.
#[cfg(not(unix))]
pub fn own(expression: duct::Expression) -> duct::Expression {
    expression
}

/// Asks everything in the group to end, waits a little, and kills what is left. A group that is gone is what is wanted.
#[cfg(unix)]
pub fn end(handle: &duct::Handle) {
    use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

    let leaders = handle.pids().into_iter().filter_map(|pid| Pid::from_raw(pid.try_into().ok()?));
    for leader in leaders {
        let _ = kill_process_group(leader, Signal::TERM);
        let deadline = Instant::now() + GRACE;
        // The leader is ours to reap; until then it counts as a member of its group.
        while handle.try_wait().is_ok_and(|ended| ended.is_none()) || test_kill_process_group(leader).is_ok()
        {
            if Instant::now() >= deadline || interrupt::insisted() {
                let _ = kill_process_group(leader, Signal::KILL);
                break;
            }
            std::thread::sleep(TICK);
        }
    }
    let _ = handle.wait_timeout(GRACE);
}

/// Kills the program: there are no groups here.
#[cfg(not(unix))]
pub fn end(handle: &duct::Handle) {
    let _ = handle.kill();
    let _ = handle.wait_timeout(GRACE);
}
