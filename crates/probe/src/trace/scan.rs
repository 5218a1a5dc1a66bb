//! One pass over a trace of any size: finds the wanted markers and pairs their ends.
//!
//! A trace is mostly lines that nobody asked for. So the pass jumps from needle to needle within a piece: the names that
//! are wanted and, while a synchronous span is open, its thread's id. Only lines with a needle are parsed.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

use gate::lang::Lang;
use gate::say;

use super::event::{Head, Mark, is_event, marker};
use super::wanted::{Found, Needle, Point, Sample, Span, Wanted, kept};
use crate::answer::{Outcome, unreadable};
use crate::line::{Pieces, refuse_unterminated};

/// More matches than this are no answer that anyone can check.
const MATCH_CAP: usize = 1_000_000;

/// Reads a trace to its end.
pub(crate) fn scan(
    stream: &mut dyn BufRead,
    wanted: &[Wanted],
    processes: &[String],
    watch_losses: bool,
    lang: Lang,
) -> Outcome<Found> {
    let mut scan = Scan::new(wanted, processes, watch_losses, lang);
    let mut pieces = Pieces::new(stream, lang);
    while let Some(piece) = pieces.next_piece()? {
        scan.piece(piece.bytes, piece.terminated)?;
    }
    scan.finish()
}

struct Scan<'w> {
    wanted: &'w [Wanted],
    lang: Lang,
    found: Found,
    /// `None` if a pattern is wanted: then every line is parsed.
    needles: Option<Vec<Needle>>,
    /// Stacks of open synchronous spans by thread, while one of them is wanted.
    open: BTreeMap<u64, Thread>,
    open_async: BTreeMap<(u64, i64, Vec<u8>), Vec<usize>>,
    recognized: bool,
}

struct Thread {
    needle: Needle,
    stack: Vec<Option<usize>>,
}

impl<'w> Scan<'w> {
    fn new(wanted: &'w [Wanted], processes: &[String], watch_losses: bool, lang: Lang) -> Self {
        let names: Option<Vec<Needle>> =
            wanted.iter().map(|wanted| wanted.name.literal().map(Needle::new)).collect();
        let needles = names.map(|mut needles| {
            needles.extend(processes.iter().map(|name| Needle::new(&[kept(name), b"-"].concat())));
            if watch_losses {
                needles.push(Needle::new(b"[LOST "));
            }
            needles
        });
        let processes = processes.iter().map(|name| (name.clone(), BTreeSet::new())).collect();
        Scan {
            wanted,
            lang,
            found: Found { processes, ..Found::default() },
            needles,
            open: BTreeMap::new(),
            open_async: BTreeMap::new(),
            recognized: false,
        }
    }

    fn piece(&mut self, bytes: &[u8], terminated: bool) -> Outcome<()> {
        if !self.recognized {
            self.recognize(bytes)?;
        }
        self.forget_positions();
        let mut at = 0;
        while at < bytes.len() {
            let Some(start) = self.next_line(bytes, at) else { break };
            self.found.lines += lines_between(bytes, at, start);
            let rest = bytes.get(start..).unwrap_or_default();
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.found.lines += 1;
            self.line(rest.get(..length).unwrap_or_default(), terminated)?;
            at = start + length + 1;
        }
        self.found.lines += lines_between(bytes, at, bytes.len());
        if terminated { Ok(()) } else { self.refuse_cut(bytes) }
    }

    /// Looks for a sign that this is a text trace.
    fn recognize(&mut self, bytes: &[u8]) -> Outcome<()> {
        if memchr::memchr(0, bytes).is_some() {
            return unreadable(say!(
                self.lang,
                "binary data: `hitrace --raw` writes another format; capture text, without --raw",
                "二进制数据：`hitrace --raw` 是另一种格式；请不带 --raw 采集文本"
            ));
        }
        for line in crate::line::lines_of(bytes) {
            if line.starts_with(b"#") {
                self.comment(line);
            } else if is_event(line) {
                self.recognized = true;
                break;
            }
        }
        Ok(())
    }

    /// `# tracer: nop`, and `# entries-in-buffer/entries-written: 10/20`, where fewer than written are left.
    fn comment(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        self.recognized |= text.starts_with("# tracer");
        let counts = text.split_once("entries-written:").and_then(|(_, rest)| rest.split_whitespace().next());
        if let Some((kept, written)) = counts.and_then(|counts| counts.split_once('/'))
            && let (Ok(kept), Ok(written)) = (kept.parse::<u64>(), written.parse::<u64>())
            && kept < written
        {
            self.found.lost = Some(self.found.lost.unwrap_or(0).max(written - kept));
        }
    }

    fn forget_positions(&mut self) {
        for needle in self.needles.iter_mut().flatten() {
            needle.known = false;
        }
        for thread in self.open.values_mut() {
            thread.needle.known = false;
        }
    }

    /// The start of the next line that holds a needle.
    fn next_line(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        let Some(needles) = &mut self.needles else { return Some(at) };
        let threads = self.open.values_mut().map(|thread| &mut thread.needle);
        let hit = needles.iter_mut().chain(threads).filter_map(|needle| needle.next_from(bytes, at)).min()?;
        Some(
            bytes
                .get(at..hit)
                .and_then(|skipped| memchr::memrchr(b'\n', skipped))
                .map_or(at, |end| at + end + 1),
        )
    }

    fn line(&mut self, line: &[u8], terminated: bool) -> Outcome<()> {
        let Some((head, mark)) = marker(line) else {
            self.loss(line);
            return Ok(());
        };
        self.learn_process(head, &mark);
        let point = Point { ns: head.ns, line: self.found.lines };
        match mark {
            Mark::Begin { pid, name } => {
                let matched = self.matches(head, name, pid, point, terminated)?;
                self.open_sync(head.tid, matched);
            }
            Mark::End => self.close_sync(head.tid, point),
            Mark::Instant { pid, name } => {
                self.matches(head, name, pid, point, terminated)?;
            }
            Mark::AsyncBegin { pid, name, cookie } => {
                if let Some(index) = self.matches(head, name, pid, point, terminated)? {
                    self.open_async.entry((pid, cookie, name.to_vec())).or_default().push(index);
                }
            }
            Mark::AsyncEnd { pid, name, cookie } => {
                let key = (pid, cookie, name.to_vec());
                if let Some(index) = self.open_async.get_mut(&key).and_then(Vec::pop) {
                    if !terminated {
                        return refuse_unterminated(point.line, self.lang);
                    }
                    self.end_span(index, point);
                }
            }
            Mark::Counter { pid, name, value } => self.sample(head, pid, name, value, terminated)?,
        }
        Ok(())
    }

    /// Records a marker that is wanted, and answers the index of its span.
    fn matches(
        &mut self,
        head: Head<'_>,
        name: &[u8],
        pid: u64,
        begin: Point,
        terminated: bool,
    ) -> Outcome<Option<usize>> {
        let mut matched = None;
        for index in 0..self.wanted.len() {
            if !self.is_wanted(index, head, name)? {
                continue;
            }
            if !terminated {
                return refuse_unterminated(begin.line, self.lang);
            }
            self.refuse_flood(self.found.spans.len())?;
            // Two wanted names that match one marker share its span: it is listed for each.
            matched = Some(self.found.spans.len());
            self.found.spans.push(Span { wanted: index, pid, begin, end: None });
        }
        Ok(matched)
    }

    fn is_wanted(&self, index: usize, head: Head<'_>, name: &[u8]) -> Outcome<bool> {
        let Some(wanted) = self.wanted.get(index) else { return Ok(false) };
        if !wanted.name.matches(name) {
            return Ok(false);
        }
        let Some(thread) = &wanted.thread else { return Ok(true) };
        if head.comm == b"<...>" {
            let line = self.found.lines;
            return unreadable(say!(
                self.lang,
                "line {line} matches, but the trace does not know the thread's name (`<...>`): leave `thread` out",
                "第 {line} 行匹配，但跟踪文件没有记下线程名（`<...>`）：请去掉 `thread`"
            ));
        }
        Ok(head.comm == thread.as_bytes() || head.comm == kept(thread))
    }

    fn sample(
        &mut self,
        head: Head<'_>,
        pid: u64,
        name: &[u8],
        value: &str,
        terminated: bool,
    ) -> Outcome<()> {
        for index in 0..self.wanted.len() {
            if self.is_wanted(index, head, name)? {
                let line = self.found.lines;
                if !terminated {
                    return refuse_unterminated(line, self.lang);
                }
                self.refuse_flood(self.found.samples.len())?;
                self.found.samples.push(Sample { pid, name: name.to_vec(), value: value.to_owned(), line });
            }
        }
        Ok(())
    }

    fn refuse_flood(&self, found: usize) -> Outcome<()> {
        if found < MATCH_CAP {
            return Ok(());
        }
        unreadable(say!(
            self.lang,
            "more than {MATCH_CAP} events match: narrow the name",
            "匹配的事件超过 {MATCH_CAP} 个：请缩小名称范围"
        ))
    }

    /// A begin on a thread: the bottom of a stack if it is wanted, else one more level on a stack that is kept.
    fn open_sync(&mut self, tid: u64, matched: Option<usize>) {
        if let Some(thread) = self.open.get_mut(&tid) {
            thread.stack.push(matched);
        } else if matched.is_some_and(|index| self.wants_end(index)) {
            let needle = Needle::new(format!("-{tid} ").as_bytes());
            self.open.insert(tid, Thread { needle, stack: vec![matched] });
        }
    }

    fn wants_end(&self, span: usize) -> bool {
        let wanted = self.found.spans.get(span).and_then(|span| self.wanted.get(span.wanted));
        wanted.is_some_and(|wanted| wanted.ends)
    }

    fn close_sync(&mut self, tid: u64, point: Point) {
        let Some(thread) = self.open.get_mut(&tid) else { return };
        let closed = thread.stack.pop().flatten();
        if thread.stack.is_empty() {
            self.open.remove(&tid);
        }
        if let Some(index) = closed {
            self.end_span(index, point);
        }
    }

    /// Ends a span, and its twins where one marker was wanted under two names.
    fn end_span(&mut self, index: usize, point: Point) {
        let Some(begin) = self.found.spans.get(index).map(|span| span.begin) else { return };
        for span in self.found.spans.iter_mut().take(index + 1).rev() {
            if span.begin != begin {
                break;
            }
            span.end = Some(point);
        }
    }

    /// A process is known by its main thread: that has the process's id and the end of its name.
    fn learn_process(&mut self, head: Head<'_>, mark: &Mark<'_>) {
        if self.found.processes.is_empty() {
            return;
        }
        let pid = head.tgid.or(match mark {
            Mark::Begin { pid, .. }
            | Mark::AsyncBegin { pid, .. }
            | Mark::AsyncEnd { pid, .. }
            | Mark::Counter { pid, .. }
            | Mark::Instant { pid, .. } => Some(*pid),
            Mark::End => None,
        });
        if pid != Some(head.tid) {
            return;
        }
        for (name, pids) in &mut self.found.processes {
            if head.comm == name.as_bytes() || head.comm == kept(name) {
                pids.insert(head.tid);
            }
        }
    }

    /// `CPU:3 [LOST 12 EVENTS]`.
    fn loss(&mut self, line: &[u8]) {
        if let Some(at) = memchr::memmem::find(line, b"[LOST ") {
            let rest = String::from_utf8_lossy(line.get(at + 6..).unwrap_or_default());
            let lost = rest.split_whitespace().next().and_then(|count| count.parse::<u64>().ok());
            self.found.lost = Some(self.found.lost.unwrap_or(0).saturating_add(lost.unwrap_or(1)));
        }
    }

    /// A last line that breaks off before its event is complete shows that more was to come.
    fn refuse_cut(&self, last: &[u8]) -> Outcome<()> {
        let is_comment = last.starts_with(b"#");
        let begins_like_an_event =
            last.starts_with(b" ") || last.windows(2).any(|pair| matches!(pair, [b'-', b'0'..=b'9']));
        if is_comment || is_event(last) || !begins_like_an_event {
            return Ok(());
        }
        let line = self.found.lines;
        unreadable(say!(
            self.lang,
            "the trace is truncated in line {line}: capture it again",
            "跟踪文件在第 {line} 行被截断：请重新采集"
        ))
    }

    fn finish(self) -> Outcome<Found> {
        if self.recognized {
            return Ok(self.found);
        }
        unreadable(say!(
            self.lang,
            "no trace event in any line: expected text of `hitrace -t 10 … -o FILE`",
            "没有任何跟踪事件：应为 `hitrace -t 10 … -o FILE` 写出的文本"
        ))
    }
}

/// The lines that end between two positions.
fn lines_between(bytes: &[u8], from: usize, to: usize) -> u64 {
    let skipped = bytes.get(from..to).unwrap_or_default();
    let ended = memchr::memchr_iter(b'\n', skipped).count() as u64;
    // A rest without a line end is a line as well.
    ended + u64::from(to == bytes.len() && !skipped.is_empty() && !skipped.ends_with(b"\n"))
}
