//! One line of a text trace: `comm-tid ( tgid ) [cpu] flags seconds.micros: tracing_mark_write: B|pid|H:name`.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;

/// Who wrote an event, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head<'a> {
    /// The thread's name, perhaps cut, perhaps `<...>`.
    pub(crate) comm: &'a [u8],
    pub(crate) tid: u64,
    /// The process, where the trace knows it.
    pub(crate) tgid: Option<u64>,
    /// Since boot, in nanoseconds.
    pub(crate) ns: i64,
}

/// What a marker says. Names are without `H:`, chain ids, output level and trailing space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mark<'a> {
    Begin {
        pid: u64,
        name: &'a [u8],
    },
    /// Closes the newest open `Begin` of the thread.
    End,
    AsyncBegin {
        pid: u64,
        name: &'a [u8],
        cookie: i64,
    },
    AsyncEnd {
        pid: u64,
        name: &'a [u8],
        cookie: i64,
    },
    Counter {
        pid: u64,
        name: &'a [u8],
        value: &'a str,
    },
    Instant {
        pid: u64,
        name: &'a [u8],
    },
}

/// Both spellings of the function that writes markers. They are sought in every line.
static WRITERS: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| [": tracing_mark_write: ", ": print: "].map(Finder::new));

/// Parses the marker in a line, if it holds one.
pub(crate) fn marker(line: &[u8]) -> Option<(Head<'_>, Mark<'_>)> {
    let (at, writer) = WRITERS
        .iter()
        .filter_map(|writer| Some((writer.find(line)?, writer.needle())))
        .min_by_key(|(at, _)| *at)?;
    let head = head(line.get(..at)?)?;
    Some((head, mark(line.get(at + writer.len()..)?)?))
}

/// Whether a line is an event of any kind.
pub(crate) fn is_event(line: &[u8]) -> bool {
    line.split(|byte| *byte == b':')
        .scan(0, |end, part| {
            *end += part.len() + 1;
            Some(*end - 1)
        })
        .take(8)
        .any(|end| line.get(..end).and_then(head).is_some())
}

/// Parses what stands before the first `: ` that follows a timestamp.
fn head(text: &[u8]) -> Option<Head<'_>> {
    let text = text.trim_ascii();
    let stamp_at = memchr::memrchr(b' ', text)? + 1;
    let ns = nanoseconds(text.get(stamp_at..)?)?;
    let cpu = memchr::memrchr(b'[', text)?;
    let task = text.get(..cpu)?.trim_ascii_end();
    let (task, tgid) = match task.strip_suffix(b")") {
        Some(inner) => {
            let open = memchr::memrchr(b'(', inner)?;
            (inner.get(..open)?.trim_ascii_end(), number(inner.get(open + 1..)?.trim_ascii()))
        }
        None => (task, None),
    };
    let dash = memchr::memrchr(b'-', task)?;
    Some(Head { comm: task.get(..dash)?, tid: number(task.get(dash + 1..)?)?, tgid, ns })
}

fn number<T: std::str::FromStr>(digits: &[u8]) -> Option<T> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// `seconds.fraction` as nanoseconds.
fn nanoseconds(stamp: &[u8]) -> Option<i64> {
    crate::decimal::parse_scaled(std::str::from_utf8(stamp).ok()?, 9).filter(|ns| *ns >= 0)
}

fn mark(payload: &[u8]) -> Option<Mark<'_>> {
    let payload = payload.trim_ascii_end();
    if matches!(payload, [b'E'] | [b'E', b'|', ..]) {
        return Some(Mark::End);
    }
    let [kind, b'|', rest @ ..] = payload else { return None };
    let bar = memchr::memchr(b'|', rest)?;
    let pid = number(rest.get(..bar)?)?;
    let body = without_level(rest.get(bar + 1..)?);
    let body = body.strip_prefix(b"H:").unwrap_or(body);
    let body = without_chain(body);
    match kind {
        b'B' => Some(Mark::Begin { pid, name: body.trim_ascii_end() }),
        b'I' => Some(Mark::Instant { pid, name: body.trim_ascii_end() }),
        b'S' | b'F' => {
            let (name, cookie) = split_value(body)?;
            let cookie = cookie.parse().ok()?;
            Some(if *kind == b'S' {
                Mark::AsyncBegin { pid, name, cookie }
            } else {
                Mark::AsyncEnd { pid, name, cookie }
            })
        }
        b'C' => split_value(body).map(|(name, value)| Mark::Counter { pid, name, value }),
        _ => None,
    }
}

/// Cuts the output level and what follows it: `name|M62`, `name|3|I30|category|args`. Older systems write none.
fn without_level(body: &[u8]) -> &[u8] {
    let mut bars: Vec<usize> = memchr::memchr_iter(b'|', body).collect();
    while let Some(bar) = bars.pop() {
        let part = body.get(bar + 1..).unwrap_or_default();
        let part = part.split(|byte| *byte == b'|').next().unwrap_or_default();
        if is_level(part) {
            return body.get(..bar).unwrap_or(body);
        }
    }
    body
}

/// `M62`: a letter for debug, info, critical or commercial, and the bits of the tag.
fn is_level(part: &[u8]) -> bool {
    matches!(part, [b'D' | b'I' | b'C' | b'M', bits @ ..]
        if !bits.is_empty() && bits.iter().all(|byte| byte.is_ascii_digit() || *byte == b','))
}

/// Cuts `[chain,span,parent]#`, which differs from run to run.
fn without_chain(body: &[u8]) -> &[u8] {
    let Some(rest) = body.strip_prefix(b"[") else { return body };
    let Some(end) = memchr::memchr(b']', rest) else { return body };
    let ids = rest.get(..end).unwrap_or_default();
    let is_chain = ids.split(|byte| *byte == b',').count() == 3
        && ids.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b',');
    match rest.get(end + 1..).and_then(|after| after.strip_prefix(b"#")) {
        Some(name) if is_chain => name,
        _ => body,
    }
}

/// `name|value`, or in older systems `name value`.
fn split_value(body: &[u8]) -> Option<(&[u8], &str)> {
    let cut = |at: usize| {
        let value = std::str::from_utf8(body.get(at + 1..)?).ok()?.trim();
        let digits = value.strip_prefix('-').unwrap_or(value);
        let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        whole.then_some((body.get(..at)?.trim_ascii_end(), value))
    };
    memchr::memrchr(b'|', body).and_then(cut).or_else(|| memchr::memrchr(b' ', body).and_then(cut))
}

/// A name for messages.
pub(crate) fn shown(name: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(payload: &str) -> Option<(Head<'static>, Mark<'static>)> {
        let line =
            format!("  <...>-57910   (-------) [008] .... 510488.157428: tracing_mark_write: {payload}");
        marker(line.leak().as_bytes())
    }

    #[test]
    fn heads_of_all_shapes() {
        for (line, comm, tid, tgid, ns) in [
            (
                "  <...>-57783 (-------) [010] .... 510487.404088: tracing_mark_write: E|1",
                "<...>",
                57783,
                None,
                510_487_404_088_000,
            ),
            (
                "ffrtwk/CPU-2-17-4540  ( 1093) [006] .... 233.279339: print: E|1",
                "ffrtwk/CPU-2-17",
                4540,
                Some(1093),
                233_279_339_000,
            ),
            ("a b (c)-7 [000] d..2 1.5: print: E", "a b (c)", 7, None, 1_500_000_000),
            (" x-y-12 ( 3) [1] .... 0.000001: tracing_mark_write: E|", "x-y", 12, Some(3), 1000),
        ] {
            let (head, mark) = marker(line.as_bytes()).unwrap();
            assert_eq!((head.comm, head.tid, head.tgid, head.ns), (comm.as_bytes(), tid, tgid, ns), "{line}");
            assert_eq!(mark, Mark::End);
            assert!(is_event(line.as_bytes()));
        }
        for line in ["", "# tracer: nop", "TRACE:", "a-1 [0] x: y: z", "x-1 ( 1) [000] .... 1.2"] {
            assert_eq!(marker(line.as_bytes()), None, "{line}");
        }
        assert!(is_event(b" a-1 (1) [000] d..3 1.000000: sched_switch: prev_comm=x ==> y"));
        assert!(!is_event(b"    at main.ets:12:3"));
    }

    #[test]
    fn payloads_of_old_and_new_systems() {
        let name = |text: &'static str| text.as_bytes();
        for (payload, mark) in [
            ("B|5|H:load status changed|M62", Mark::Begin { pid: 5, name: name("load status changed") }),
            ("B|5|H:load ", Mark::Begin { pid: 5, name: name("load") }),
            ("B|5|VisitRoots", Mark::Begin { pid: 5, name: name("VisitRoots") }),
            ("B|5|H:[a1,b2,0]#go, a:b##c|M62|k=v", Mark::Begin { pid: 5, name: name("go, a:b##c") }),
            ("B|5|H:[x]#y", Mark::Begin { pid: 5, name: name("[x]#y") }),
            ("S|5|H:lane 12", Mark::AsyncBegin { pid: 5, name: name("lane"), cookie: 12 }),
            ("S|5|H:lane|12|I30|cat|args", Mark::AsyncBegin { pid: 5, name: name("lane"), cookie: 12 }),
            ("F|5|H:lane|-1", Mark::AsyncEnd { pid: 5, name: name("lane"), cookie: -1 }),
            (
                "C|5|H:mem:a|b (rw-p)|1290240|M62",
                Mark::Counter { pid: 5, name: name("mem:a|b (rw-p)"), value: "1290240" },
            ),
            ("C|5|H:mem:fonts 28896", Mark::Counter { pid: 5, name: name("mem:fonts"), value: "28896" }),
            ("I|5|H:tap", Mark::Instant { pid: 5, name: name("tap") }),
        ] {
            assert_eq!(parsed(payload).map(|(_, mark)| mark), Some(mark), "{payload}");
        }
        for payload in
            ["B|5", "B|x|H:a", "S|5|H:lane", "C|5|H:mem", "trace_event_clock_sync: parent_ts=1.0", ""]
        {
            assert_eq!(parsed(payload), None, "{payload}");
        }
    }
}
