//! Lines of a stream, a bounded piece of it in memory at a time.

use std::io::{BufRead, Read as _};

use gate::lang::Lang;
use gate::say;

use crate::answer::{Outcome, unreadable};
use crate::input::{LINE_CAP, io_reason, refuse_utf16};

/// The bytes asked of the stream at a time. Large enough that system calls do not show in a profile.
const PIECE: usize = 1024 * 1024;

/// Cuts a stream into pieces that end with a line.
pub(crate) struct Pieces<'a> {
    stream: &'a mut dyn BufRead,
    buffer: Vec<u8>,
    /// The bytes of `buffer` that were handed out, and are to be forgotten.
    given: usize,
    begun: bool,
    ended: bool,
    lang: Lang,
}

/// Whole lines; only the last piece of a stream can end without a line end.
pub(crate) struct Piece<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) terminated: bool,
}

impl<'a> Pieces<'a> {
    pub(crate) fn new(stream: &'a mut dyn BufRead, lang: Lang) -> Self {
        Pieces { stream, buffer: Vec::new(), given: 0, begun: false, ended: false, lang }
    }

    /// The next piece. The unterminated rest of a stream comes as a piece of its own.
    pub(crate) fn next_piece(&mut self) -> Outcome<Option<Piece<'_>>> {
        self.buffer.drain(..self.given);
        self.given = 0;
        loop {
            let searched = self.buffer.len();
            if !self.ended {
                self.fill()?;
            }
            let fresh = self.buffer.get(searched..).unwrap_or_default();
            let end = memchr::memrchr(b'\n', fresh).map(|at| searched + at + 1);
            // The rest of the buffer was searched when it was filled, or is searched now.
            let end = end.or_else(|| memchr::memrchr(b'\n', &self.buffer).map(|at| at + 1));
            match end {
                Some(end) => {
                    self.given = end;
                    return Ok(self.buffer.get(..end).map(|bytes| Piece { bytes, terminated: true }));
                }
                None if self.ended && self.buffer.is_empty() => return Ok(None),
                None if self.ended => {
                    self.given = self.buffer.len();
                    return Ok(Some(Piece { bytes: &self.buffer, terminated: false }));
                }
                None if self.buffer.len() > LINE_CAP => return self.refuse_long_line(),
                None => {}
            }
        }
    }

    fn fill(&mut self) -> Outcome<()> {
        let mut limited = (&mut *self.stream).take(PIECE as u64);
        match limited.read_to_end(&mut self.buffer) {
            Ok(read) => self.ended = read < PIECE,
            Err(error) => return unreadable(io_reason(&error, self.lang)),
        }
        if !self.begun {
            self.begun = true;
            refuse_utf16(&self.buffer, self.lang)?;
            if self.buffer.starts_with(b"\xEF\xBB\xBF") {
                self.buffer.drain(..3);
            }
        }
        Ok(())
    }

    fn refuse_long_line<T>(&self) -> Outcome<T> {
        let cap = LINE_CAP / 1024 / 1024;
        unreadable(say!(
            self.lang,
            "a line is longer than the cap of {cap} MiB: this is no text of lines",
            "有一行超过 {cap} MiB 的上限：这不是按行书写的文本"
        ))
    }
}

/// One line, without its line end.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    /// From 1.
    pub(crate) number: u64,
    pub(crate) bytes: &'a [u8],
    /// Whether a line end follows. The last line of a cut file has none, and its numbers may be cut too.
    pub(crate) terminated: bool,
}

/// Hands every line to `each` until it answers `false` or stops.
pub(crate) fn for_each_line(
    stream: &mut dyn BufRead,
    lang: Lang,
    mut each: impl FnMut(Line<'_>) -> Outcome<bool>,
) -> Outcome<()> {
    let mut pieces = Pieces::new(stream, lang);
    let mut number = 0;
    while let Some(piece) = pieces.next_piece()? {
        for line in lines_of(piece.bytes) {
            number += 1;
            if !each(Line { number, bytes: line, terminated: piece.terminated })? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The lines of whole lines, without `\n` and `\r\n`.
pub(crate) fn lines_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    body.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

/// The answer to a value on a last line that is not ended.
pub(crate) fn refuse_unterminated<T>(line: u64, lang: Lang) -> Outcome<T> {
    unreadable(say!(
        lang,
        "line {line} is the last and has no line end, so the file may be cut within its value: capture it again",
        "第 {line} 行是末行且没有换行，文件可能正好在数值中间被截断：请重新采集"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect(text: &[u8]) -> Vec<(u64, Vec<u8>, bool)> {
        let mut lines = Vec::new();
        for_each_line(&mut &text[..], Lang::En, |line| {
            lines.push((line.number, line.bytes.to_vec(), line.terminated));
            Ok(true)
        })
        .unwrap();
        lines
    }

    #[test]
    fn lines_keep_numbers_and_know_whether_they_end() {
        assert_eq!(
            collect(b"\xEF\xBB\xBFa\r\n\nb"),
            [(1, b"a".to_vec(), true), (2, vec![], true), (3, b"b".to_vec(), false)]
        );
        assert_eq!(collect(b""), []);
    }

    #[test]
    fn lines_survive_the_borders_of_pieces() {
        let text = "0123456789abcdef\n".repeat(200_000);
        let lines = collect(text.as_bytes());
        assert_eq!(lines.len(), 200_000);
        assert!(lines.iter().all(|(_, line, terminated)| line == b"0123456789abcdef" && *terminated));
    }

    #[test]
    fn a_line_beyond_the_cap_and_utf16_are_refused() {
        for text in [vec![b'x'; LINE_CAP + 2 * PIECE], b"\xFF\xFEa\0".to_vec()] {
            assert!(for_each_line(&mut &text[..], Lang::En, |_| Ok(true)).is_err());
        }
    }
}
