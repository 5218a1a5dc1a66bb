//! What a program says: to a raw file, which no pipe can block, and which is followed while it runs. Secrets are taken
//! out on the way to the log and to whoever reads the lines.

use std::fs::File;
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;

use anyhow::Context;
use camino::{Utf8Path, Utf8PathBuf};

use super::{Program, Sink};
use crate::failure::Result;
use crate::secrets::{Filter, Secrets};
use crate::store;

/// How much is read at a time.
const CHUNK: usize = 256 * 1024;

/// The longest line that is passed on; of a longer one the beginning is.
const LONGEST_LINE: usize = 1024 * 1024;

/// Where a line was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output, where it has a file of its own.
    Stdout,
    /// The log: standard error, and standard output where both are joined.
    Log,
}

/// A line that a program wrote, without its end, without secrets, and as text whatever its bytes are.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Where it was written.
    pub stream: Stream,
    /// What it says; of a line that is too long, its beginning.
    pub text: &'a str,
}

/// The output of one program.
pub struct Output<'a> {
    secrets: &'a Secrets,
    scratch: Utf8PathBuf,
    log: Followed<'a>,
    stdout: Option<(Followed<'a>, Utf8PathBuf)>,
    buffer: Vec<u8>,
}

impl<'a> Output<'a> {
    /// Empty files for a program that is about to start.
    pub fn create(program: &Program, secrets: &'a Secrets) -> Result<Self> {
        // A run that was killed left its own here.
        store::remove_folder(&program.scratch)?;
        store::create_folder(&program.scratch)?;
        let log = Followed::create(program.scratch.join("log"), Stream::Log, secrets)?;
        let stdout = match &program.stdout {
            Some(target) => {
                let raw = program.scratch.join("stdout");
                Some((Followed::create(raw, Stream::Stdout, secrets)?, target.clone()))
            }
            None => None,
        };
        let log = log.into_log(&program.log)?;
        Ok(Output { secrets, scratch: program.scratch.clone(), log, stdout, buffer: vec![0; CHUNK] })
    }

    /// Connects a program to the raw files.
    pub fn connect(&self, expression: duct::Expression) -> Result<duct::Expression> {
        let raw = |followed: &Followed<'_>| -> Result<File> {
            let path = &followed.raw;
            Ok(followed.writer.try_clone().with_context(|| format!("failed to write {path}"))?)
        };
        let stdout = self.stdout.as_ref().map_or(&self.log, |(followed, _)| followed);
        Ok(expression.stderr_file(raw(&self.log)?).stdout_file(raw(stdout)?))
    }

    /// Takes up what is new: whether there is any, and whether a reader wants no more.
    pub fn follow(&mut self, sink: &mut Sink<'_>) -> Result<(bool, ControlFlow<()>)> {
        let mut wish = ControlFlow::Continue(());
        let mut said = self.log.follow(&mut self.buffer, sink, &mut wish)?;
        if let Some((stdout, _)) = &mut self.stdout {
            said |= stdout.follow(&mut self.buffer, sink, &mut wish)?;
        }
        Ok((said, wish))
    }

    /// Takes up the rest, and puts the output where it belongs.
    pub fn settle(mut self, sink: &mut Sink<'_>) -> Result<()> {
        // The program is over: nobody can be stopped any more.
        let _ = self.follow(sink)?;
        self.log.finish(sink)?;
        if let Some((mut stdout, target)) = self.stdout {
            stdout.finish(sink)?;
            self.secrets.copy(&stdout.raw, &target)?;
        }
        store::remove_folder(&self.scratch)
    }

    /// There was no program to say anything.
    pub fn discard(self) -> Result<()> {
        store::remove_folder(&self.scratch)
    }
}

/// A raw file that a program writes, and how far it was read.
struct Followed<'a> {
    raw: Utf8PathBuf,
    /// The end that the program gets.
    writer: File,
    reader: File,
    filter: Filter<'a>,
    lines: Lines,
    log: Option<(File, Utf8PathBuf)>,
    /// What was read and holds no secret, until it is passed on.
    clean: Vec<u8>,
}

impl<'a> Followed<'a> {
    fn create(raw: Utf8PathBuf, stream: Stream, secrets: &'a Secrets) -> Result<Self> {
        let writer = create_new(&raw)?;
        let reader = File::open(&raw).with_context(|| format!("failed to read {raw}"))?;
        let filter = Filter::new(secrets);
        Ok(Followed { raw, writer, reader, filter, lines: Lines::new(stream), log: None, clean: Vec::new() })
    }

    /// What is read goes to a log as well.
    fn into_log(mut self, path: &Utf8Path) -> Result<Self> {
        if let Some(folder) = path.parent() {
            store::create_folder(folder)?;
        }
        // Whatever stands there may be a link to somewhere else.
        store::remove_file(path)?;
        self.log = Some((create_new(path)?, path.to_owned()));
        Ok(self)
    }

    fn follow(&mut self, buffer: &mut [u8], sink: &mut Sink<'_>, wish: &mut ControlFlow<()>) -> Result<bool> {
        // A program that writes as fast as this reads would be followed for ever.
        let end = self.reader.metadata().with_context(|| format!("failed to read {}", self.raw))?.len();
        let mut at = self.reader.stream_position().with_context(|| format!("failed to read {}", self.raw))?;
        let said = at < end;
        while at < end {
            let read = self.reader.read(buffer).with_context(|| format!("failed to read {}", self.raw))?;
            if read == 0 {
                break;
            }
            at += u64::try_from(read).unwrap_or(u64::MAX);
            self.filter.push(buffer.get(..read).unwrap_or_default(), &mut self.clean);
            self.pass_on(sink, wish)?;
        }
        Ok(said)
    }

    fn finish(&mut self, sink: &mut Sink<'_>) -> Result<()> {
        let mut wish = ControlFlow::Continue(());
        self.filter.finish(&mut self.clean);
        self.pass_on(sink, &mut wish)?;
        self.lines.finish(sink, &mut wish);
        Ok(())
    }

    fn pass_on(&mut self, sink: &mut Sink<'_>, wish: &mut ControlFlow<()>) -> Result<()> {
        if let Some((log, path)) = &mut self.log {
            log.write_all(&self.clean).with_context(|| format!("failed to write {path}"))?;
        }
        self.lines.push(&self.clean, sink, wish);
        self.clean.clear();
        Ok(())
    }
}

fn create_new(path: &Utf8Path) -> Result<File> {
    let file = File::options().write(true).create_new(true).open(path);
    Ok(file.with_context(|| format!("failed to write {path}"))?)
}

/// Bytes to lines.
struct Lines {
    stream: Stream,
    /// The beginning of a line whose end has not come.
    open: Vec<u8>,
}

impl Lines {
    fn new(stream: Stream) -> Self {
        Lines { stream, open: Vec::new() }
    }

    fn push(&mut self, bytes: &[u8], sink: &mut Sink<'_>, wish: &mut ControlFlow<()>) {
        let mut bytes = bytes;
        while !bytes.is_empty() {
            // The standard library's search is fast in every profile.
            let mut search = bytes;
            let length = search.skip_until(b'\n').unwrap_or_default();
            let (piece, after) = bytes.split_at(length);
            let (piece, is_whole) = piece.strip_suffix(b"\n").map_or((piece, false), |line| (line, true));
            let room = LONGEST_LINE - self.open.len();
            self.open.extend_from_slice(piece.get(..room).unwrap_or(piece));
            if is_whole {
                self.end(sink, wish);
            }
            bytes = after;
        }
    }

    fn finish(&mut self, sink: &mut Sink<'_>, wish: &mut ControlFlow<()>) {
        if !self.open.is_empty() {
            self.end(sink, wish);
        }
    }

    fn end(&mut self, sink: &mut Sink<'_>, wish: &mut ControlFlow<()>) {
        let text = String::from_utf8_lossy(self.open.strip_suffix(b"\r").unwrap_or(&self.open));
        let line = Line { stream: self.stream, text: &text };
        if sink(&line).is_break() {
            *wish = ControlFlow::Break(());
        }
        self.open.clear();
    }
}

/// The last lines of a log, for a message: at most a few, never a whole flood, and nothing that moves a cursor.
pub fn tail(log: &Utf8Path) -> String {
    const BYTES: u64 = 4096;
    const LINES: usize = 12;
    let Ok(bytes) = read_end(log, BYTES) else { return String::new() };
    let text = crate::plain::plain(&String::from_utf8_lossy(&bytes));
    let lines: Vec<&str> = text.lines().collect();
    lines.get(lines.len().saturating_sub(LINES)..).unwrap_or_default().join("\n")
}

fn read_end(path: &Utf8Path, bytes: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(bytes)))?;
    let mut end = Vec::new();
    file.take(bytes).read_to_end(&mut end)?;
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(pieces: &[&[u8]]) -> Vec<String> {
        let mut found = Vec::new();
        let mut lines = Lines::new(Stream::Log);
        let mut wish = ControlFlow::Continue(());
        let mut sink = |line: &Line<'_>| {
            found.push(line.text.to_owned());
            ControlFlow::Continue(())
        };
        pieces.iter().for_each(|piece| lines.push(piece, &mut sink, &mut wish));
        lines.finish(&mut sink, &mut wish);
        found
    }

    #[test]
    fn lines_are_whole_wherever_a_read_ends() {
        let text = "one\r\n\n二\nno end".as_bytes();
        let expected = ["one", "", "二", "no end"];
        for step in 1..=text.len() {
            assert_eq!(lines_of(&text.chunks(step).collect::<Vec<_>>()), expected, "{step}");
        }
        assert_eq!(lines_of(&[b"\xff\n"]), ["\u{fffd}"]);
        assert_eq!(lines_of(&[]), Vec::<String>::new());
    }

    #[test]
    fn of_a_line_without_an_end_the_beginning_is_kept() {
        let long = vec![b'a'; LONGEST_LINE];
        let found = lines_of(&[&long, b"bc", b"d\n", b"e\n"]);
        assert_eq!(found, ["a".repeat(LONGEST_LINE), "e".to_owned()]);
    }
}
