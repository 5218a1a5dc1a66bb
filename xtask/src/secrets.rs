//! Taking secrets out of what programs print, before it lies where anyone commits it.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};

use anyhow::Context as _;
use camino::Utf8Path;

use crate::failure::Result;
use crate::store;

/// Shorter values than this stand in ordinary text all the time, and are no secrets.
const SHORTEST: usize = 4;

/// How much is looked at at a time.
const CHUNK: usize = 256 * 1024;

/// What stands in the place of a secret.
const MASK: &[u8] = b"[secret]";

/// Values that must not be seen.
pub struct Secrets {
    /// The longest first, so that one that holds another is taken out whole.
    values: Vec<Vec<u8>>,
}

impl Secrets {
    /// These values, without those that are too short to be secrets.
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        let mut values: Vec<Vec<u8>> =
            values.into_iter().map(String::into_bytes).filter(|value| value.len() >= SHORTEST).collect();
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Secrets { values }
    }

    /// Copies a file without them, whole or not at all.
    pub fn copy(&self, from: &Utf8Path, to: &Utf8Path) -> Result<()> {
        let source = File::open(from).with_context(|| format!("failed to read {from}"))?;
        store::write_with(to, |target| self.filter(BufReader::new(source), target))
    }

    /// Copies bytes without them, wherever the pieces in which they are read end.
    fn filter(&self, mut from: impl Read, to: &mut dyn Write) -> io::Result<()> {
        let mut held = Vec::new();
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = from.read(&mut chunk)?;
            held.extend_from_slice(chunk.get(..read).unwrap_or_default());
            let kept = self.pass(&held, read == 0, to)?;
            held.drain(..held.len() - kept);
            if read == 0 {
                return Ok(());
            }
        }
    }

    /// Writes what is certain of these bytes, and answers how many at the end are not: they may begin a secret.
    fn pass(&self, bytes: &[u8], is_end: bool, to: &mut dyn Write) -> io::Result<usize> {
        let longest = self.values.first().map_or(0, Vec::len);
        let mut at = 0;
        let mut written = 0;
        while at < bytes.len() {
            let rest = bytes.get(at..).unwrap_or_default();
            if !is_end && rest.len() < longest {
                break;
            }
            match self.values.iter().find(|value| rest.starts_with(value)) {
                Some(value) => {
                    to.write_all(bytes.get(written..at).unwrap_or_default())?;
                    to.write_all(MASK)?;
                    at += value.len();
                    written = at;
                }
                None => at += 1,
            }
        }
        to.write_all(bytes.get(written..at).unwrap_or_default())?;
        Ok(bytes.len() - at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a few bytes at a time.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn secrets_are_masked_wherever_a_read_ends() {
        let secrets = Secrets::new([
            "token-123".to_owned(),
            "token-123-long".to_owned(),
            "abc".to_owned(),
            String::new(),
        ]);
        let text = b"a token-123-long b token-123\ntoken-12 abc token-123";
        for step in 1..=text.len() {
            let mut out = Vec::new();
            secrets.filter(Drip(text, step), &mut out).unwrap();
            assert_eq!(
                String::from_utf8(out).unwrap(),
                "a [secret] b [secret]\ntoken-12 abc [secret]",
                "{step}"
            );
        }
    }
}
