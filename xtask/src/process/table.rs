//! The processes of this machine: who started whom, and which one a number stands for.

/// One process, as it was a moment ago.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its number, which another process may have after it.
    pub pid: u32,
    /// Who started it, or who took it over.
    pub parent: u32,
    /// Its group.
    pub group: u32,
    /// When it began. Number and beginning together stand for one process alone.
    pub start: String,
    /// Whether it is over, and only waits to be asked how it ended.
    pub is_zombie: bool,
}

/// Every process that can be seen. Where none can, nobody is found.
#[cfg(target_os = "linux")]
pub fn processes() -> Vec<Process> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter_map(process).collect()
}

/// One process.
#[cfg(target_os = "linux")]
pub fn process(pid: u32) -> Option<Process> {
    parse(pid, &std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Whether a process was started with this variable. Of a process that is over, or another's, nothing is known.
#[cfg(target_os = "linux")]
pub fn has_variable(pid: u32, name: &str, value: &str) -> bool {
    let wanted = format!("{name}={value}");
    let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes())
}

/// A line of `/proc/<pid>/stat`. The program's name is in parentheses, and may hold any.
#[cfg(target_os = "linux")]
fn parse(pid: u32, line: &str) -> Option<Process> {
    let (_, rest) = line.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse().ok();
    Some(Process {
        pid,
        parent: number(1)?,
        group: number(2)?,
        start: (*fields.get(19)?).to_owned(),
        is_zombie: matches!(*fields.first()?, "Z" | "X"),
    })
}

/// Every process that can be seen. Where none can, nobody is found.
#[cfg(all(unix, not(target_os = "linux")))]
pub fn processes() -> Vec<Process> {
    listed(&["-A"])
}

/// One process.
#[cfg(all(unix, not(target_os = "linux")))]
pub fn process(pid: u32) -> Option<Process> {
    listed(&["-p", &pid.to_string()]).into_iter().next()
}

/// Nobody tells of the variables of others here.
#[cfg(all(unix, not(target_os = "linux")))]
pub fn has_variable(_: u32, _: &str, _: &str) -> bool {
    false
}

#[cfg(all(unix, not(target_os = "linux")))]
fn listed(which: &[&str]) -> Vec<Process> {
    let columns = ["-o", "pid=,ppid=,pgid=,stat=,lstart="];
    let output = std::process::Command::new("ps").args(which).args(columns).env("LC_ALL", "C").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().filter_map(parse_listed).collect()
}

/// A line of `ps`.
#[cfg(any(test, all(unix, not(target_os = "linux"))))]
fn parse_listed(line: &str) -> Option<Process> {
    let mut fields = line.split_ascii_whitespace();
    Some(Process {
        pid: fields.next()?.parse().ok()?,
        parent: fields.next()?.parse().ok()?,
        group: fields.next()?.parse().ok()?,
        is_zombie: fields.next()?.starts_with('Z'),
        start: fields.collect::<Vec<_>>().join(" "),
    })
}

/// One process: none here.
#[cfg(not(unix))]
pub fn process(_: u32) -> Option<Process> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_with_parentheses_hides_nothing() {
        let line = "7 (a) Z (b) S 1 5 5 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4242 0 0";
        let expected = Process { pid: 7, parent: 1, group: 5, start: "4242".to_owned(), is_zombie: false };
        assert_eq!(parse(7, line), Some(expected));
        assert_eq!(parse(7, "7 (a"), None);
        assert_eq!(parse(7, "7 (a) S 1"), None);
    }

    #[test]
    fn a_line_of_ps_has_the_beginning_last() {
        let expected = Process {
            pid: 812,
            parent: 1,
            group: 800,
            start: "Tue Dec 1 01:06:07 2026".to_owned(),
            is_zombie: true,
        };
        assert_eq!(parse_listed("  812     1   800 Z+   Tue Dec  1 01:06:07 2026    "), Some(expected));
        assert_eq!(parse_listed("PID PPID"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_is_found() {
        let us = process(std::process::id()).unwrap();
        assert!(processes().contains(&us));
        assert!(!has_variable(us.pid, "NO_SUCH_VARIABLE", "1"));
    }
}
