//! A process group of its own for each program, so that all it starts can be ended together, and no Ctrl-C of a terminal
//! reaches it by itself. What leaves the group is found as well, as far as the system tells: by who started whom, and, on
//! Linux, because whatever is orphaned below us comes to us.

use std::io;
use std::time::{Duration, Instant};

#[cfg(unix)]
pub use unix::end_marked;

/// How long a group has to end after TERM before it is killed.
const GRACE: Duration = Duration::from_secs(5);

/// How long what was killed may take to go.
const LAST: Duration = Duration::from_secs(2);

/// How often descendants of a running program are looked for: who is known before its parent ends is found after it.
const WATCH: Duration = Duration::from_secs(1);

/// A program that was started, and what belongs to it.
pub struct Group {
    leader: u32,
    watched: Instant,
    #[cfg(unix)]
    family: unix::Family,
}

/// Starts in a group of its own. `mark` stands in its environment, and in that of everything it starts.
pub fn start(expression: duct::Expression, mark: &str) -> io::Result<(duct::Handle, Group)> {
    #[cfg(unix)]
    let (handle, leader, family) = unix::start(expression, mark)?;
    #[cfg(not(unix))]
    let (handle, leader) = {
        let _ = mark;
        let handle = expression.start()?;
        let leader = handle.pids().first().copied().unwrap_or_default();
        (handle, leader)
    };
    let group = Group {
        leader,
        watched: Instant::now(),
        #[cfg(unix)]
        family,
    };
    Ok((handle, group))
}

/// Runs a tool of ours to its end, in a group of its own so that no Ctrl-C of a terminal breaks its work off.
pub fn output(expression: duct::Expression) -> io::Result<std::process::Output> {
    #[cfg(unix)]
    let (handle, leader) = unix::begin(expression, unix::Kind::Tool)?;
    #[cfg(not(unix))]
    let handle = expression.start()?;
    let output = handle.into_output();
    #[cfg(unix)]
    unix::forget(leader);
    output
}

impl Group {
    /// The program itself.
    pub fn leader(&self) -> u32 {
        self.leader
    }

    /// Looks, now and then, who belongs to it.
    pub fn watch(&mut self) {
        if self.watched.elapsed() >= WATCH {
            self.watched = Instant::now();
            #[cfg(unix)]
            self.family.members();
        }
    }

    /// Asks all of it to end, waits a little, and kills what is left. A group that is gone is what is wanted.
    #[cfg(unix)]
    pub fn end(&mut self, handle: &duct::Handle) {
        // The leader is ours to reap; until then its number stands for nobody else.
        let is_over = || handle.try_wait().is_ok_and(|ended| ended.is_some());
        self.family.end(&is_over);
        if is_over() {
            unix::forget(self.leader);
        }
    }

    /// Ends the program and all below it that still has a living parent.
    #[cfg(not(unix))]
    pub fn end(&mut self, handle: &duct::Handle) {
        let pid = self.leader.to_string();
        let _ = duct::cmd("taskkill", ["/T", "/F", "/PID", &pid])
            .stdin_null()
            .stdout_null()
            .stderr_null()
            .unchecked()
            .run();
        let _ = handle.kill();
        let _ = handle.wait_timeout(GRACE + LAST);
    }
}

#[cfg(unix)]
mod unix {
    use std::collections::{BTreeMap, BTreeSet};
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::sync::{Mutex, MutexGuard, PoisonError};
    use std::time::{Duration, Instant};

    use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

    use super::super::record::MARK;
    use super::super::table::{self, Process};
    use super::{GRACE, LAST};
    use crate::interrupt;

    /// How often a group that was asked to end is looked at.
    const TICK: Duration = Duration::from_millis(20);

    /// What is started.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub(super) enum Kind {
        /// A program that starts others as it likes.
        Program,
        /// A tool of ours, which leaves nothing behind.
        Tool,
    }

    type Leaders = BTreeMap<u32, Kind>;

    /// What we started that runs now. Only who started it may reap it.
    static LEADERS: Mutex<Leaders> = Mutex::new(Leaders::new());

    fn leaders() -> MutexGuard<'static, Leaders> {
        LEADERS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn forget(leader: u32) {
        leaders().remove(&leader);
    }

    /// Starts it in a group of its own, and knows it before anyone can take it for an orphan.
    pub(super) fn begin(expression: duct::Expression, kind: Kind) -> io::Result<(duct::Handle, u32)> {
        let mut leaders = leaders();
        let handle = expression
            .before_spawn(|command| {
                command.process_group(0);
                Ok(())
            })
            .start()?;
        let leader = handle.pids().first().copied().unwrap_or_default();
        leaders.insert(leader, kind);
        Ok((handle, leader))
    }

    pub(super) fn start(expression: duct::Expression, mark: &str) -> io::Result<(duct::Handle, u32, Family)> {
        // Without this, orphans go to the first process of the system, and are found by their mark alone, or not at all.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        let (handle, leader) = begin(expression, Kind::Program)?;
        let start = table::process(leader).map(|process| process.start);
        Ok((handle, leader, Family::new(leader, start, mark, true)))
    }

    /// Ends what a run that was killed left: a leader that began then, or whoever bears the mark. Answers whether anyone
    /// was there.
    pub fn end_marked(leader: u32, start: Option<String>, mark: &str) -> bool {
        let mut family = Family::new(leader, start, mark, false);
        let found = !family.members().is_empty();
        if found {
            family.end(&|| true);
        }
        found
    }

    /// A leader, and all that it started.
    pub(super) struct Family {
        leader: u32,
        start: Option<String>,
        mark: String,
        /// Whether the leader was started by this process.
        is_ours: bool,
        /// When each member began that was ever seen.
        seen: BTreeMap<u32, String>,
    }

    impl Family {
        fn new(leader: u32, start: Option<String>, mark: &str, is_ours: bool) -> Self {
            Family { leader, start, mark: mark.to_owned(), is_ours, seen: BTreeMap::new() }
        }

        /// Who belongs to it and is not over yet.
        pub(super) fn members(&mut self) -> Vec<Process> {
            let leaders = leaders();
            let table = table::processes();
            let is_reused = self.is_reused(&table);
            let mut members: BTreeSet<u32> = table
                .iter()
                .filter(|process| self.begins(process, is_reused, &leaders))
                .map(|process| process.pid)
                .collect();
            grow(&mut members, &table);
            remove_ourselves(&mut members, &table);
            let found: Vec<Process> =
                table.into_iter().filter(|process| members.contains(&process.pid)).collect();
            for process in &found {
                self.seen.insert(process.pid, process.start.clone());
            }
            reap(&found, &leaders);
            found.into_iter().filter(|process| !process.is_zombie).collect()
        }

        /// Whether the leader's number stands for another process by now, and says nothing.
        fn is_reused(&self, table: &[Process]) -> bool {
            table
                .iter()
                .any(|process| process.pid == self.leader && self.start.as_ref() != Some(&process.start))
        }

        /// Whether a process belongs to it by itself, and not by its parent.
        fn begins(&self, process: &Process, is_reused: bool, leaders: &Leaders) -> bool {
            let is_of_group = !is_reused
                && self.start.is_some()
                && (process.pid == self.leader || process.group == self.leader);
            is_of_group
                || self.seen.get(&process.pid) == Some(&process.start)
                || (self.is_ours && self.is_orphan(process, leaders))
                || (!self.is_ours && table::has_variable(process.pid, MARK, &self.mark))
        }

        /// Whether it came to us because the one who started it, somewhere below the leader, is gone.
        fn is_orphan(&self, process: &Process, leaders: &Leaders) -> bool {
            if !is_adopted(process, leaders) {
                return false;
            }
            // The first process of a system gets everybody's orphans. Otherwise an orphan that cleared its variables can
            // only be of the one program that runs.
            let programs = leaders.values().filter(|kind| **kind == Kind::Program).count();
            let is_of_the_only_one = programs == 1
                && leaders.contains_key(&self.leader)
                && std::process::id() != 1
                && self.is_younger(process);
            is_of_the_only_one || table::has_variable(process.pid, MARK, &self.mark)
        }

        fn is_younger(&self, process: &Process) -> bool {
            let ticks = |start: &str| start.parse::<u64>().ok();
            let leader = self.start.as_deref().and_then(ticks);
            leader.zip(ticks(&process.start)).is_some_and(|(leader, began)| began >= leader)
        }

        /// Asks everyone to end, waits, and kills. Whoever is new meanwhile is asked, or killed, as well.
        pub(super) fn end(&mut self, is_over: &dyn Fn() -> bool) {
            let deadline = Instant::now() + GRACE;
            let mut asked = BTreeSet::new();
            let mut was_empty = false;
            loop {
                let members = self.members();
                // Whoever's parent ended while the table was read was in neither family: only a second look is sure.
                if members.is_empty() && is_over() {
                    if was_empty {
                        return;
                    }
                    was_empty = true;
                    continue;
                }
                was_empty = false;
                let now = Instant::now();
                let is_late = now >= deadline || interrupt::insisted();
                for process in members {
                    if is_late {
                        send(&process, Signal::KILL);
                    } else if asked.insert((process.pid, process.start.clone())) {
                        send(&process, Signal::TERM);
                    }
                }
                if now >= deadline + LAST {
                    return;
                }
                std::thread::sleep(TICK);
            }
        }
    }

    /// Adds whoever was started by a member.
    fn grow(members: &mut BTreeSet<u32>, table: &[Process]) {
        loop {
            let before = members.len();
            members.extend(
                table
                    .iter()
                    .filter(|process| members.contains(&process.parent))
                    .map(|process| process.pid)
                    .collect::<Vec<_>>(),
            );
            if members.len() == before {
                return;
            }
        }
    }

    /// Neither we nor who started us are ever a part of what we end.
    fn remove_ourselves(members: &mut BTreeSet<u32>, table: &[Process]) {
        let mut pid = std::process::id();
        loop {
            members.remove(&pid);
            match table.iter().find(|process| process.pid == pid) {
                Some(process) if process.parent != 0 && process.parent != pid => pid = process.parent,
                _ => return,
            }
        }
    }

    /// Whether a child of ours was started by somebody else: those that we start are known while they run.
    fn is_adopted(process: &Process, leaders: &Leaders) -> bool {
        process.parent == std::process::id() && !leaders.contains_key(&process.pid)
    }

    /// Takes leave of orphans that are over. The leader is left to its handle.
    fn reap(found: &[Process], leaders: &Leaders) {
        for process in found.iter().filter(|process| process.is_zombie && is_adopted(process, leaders)) {
            if let Some(pid) = pid(process) {
                let _ = waitpid(Some(pid), WaitOptions::NOHANG);
            }
        }
    }

    /// A process that is gone by now is what is wanted.
    fn send(process: &Process, signal: Signal) {
        if let Some(pid) = pid(process) {
            let _ = kill_process(pid, signal);
        }
    }

    fn pid(process: &Process) -> Option<Pid> {
        Pid::from_raw(process.pid.try_into().ok()?)
    }
}
