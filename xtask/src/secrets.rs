//! Taking secrets out of what programs print, before it lies where anyone commits it.

use std::fs::File;
use std::io::{self, Read, Write};

use anyhow::Context as _;
use camino::Utf8Path;

use crate::failure::Result;
use crate::store;

/// Shorter values than this stand in ordinary text all the time, and are no secrets.
const SHORTEST: usize = 4;

/// Shorter lines than this of a secret with several, such as a key file, say nothing by themselves.
const SHORTEST_LINE: usize = 8;

/// How much is looked at at a time.
const CHUNK: usize = 256 * 1024;

/// What stands in the place of a secret.
const MASK: &str = "[secret]";

/// Values that must not be seen.
#[derive(Clone)]
pub struct Secrets {
    /// The longest first, so that one that holds another is taken out whole.
    values: Vec<Vec<u8>>,
    /// The bytes that begin a value.
    begins: [bool; 256],
}

impl std::fmt::Debug for Secrets {
    /// How many there are, and none of them.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Secrets({})", self.values.len())
    }
}

impl Secrets {
    /// These values, without those that are too short to be secrets.
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        let mut values: Vec<Vec<u8>> =
            values.into_iter().flat_map(forms).filter(|value| value.len() >= SHORTEST).collect();
        values.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        values.dedup();
        let mut begins = [false; 256];
        for first in values.iter().filter_map(|value| value.first()) {
            begins[usize::from(*first)] = true;
        }
        Secrets { values, begins }
    }

    /// The values of these variables, as far as they are set.
    pub fn of_variables<'a>(names: impl IntoIterator<Item = &'a String>) -> Self {
        Secrets::new(names.into_iter().filter_map(|name| std::env::var(name).ok()))
    }

    /// The text without them.
    pub fn mask(&self, text: &str) -> String {
        let mut masked = Vec::with_capacity(text.len());
        let mut filter = Filter::new(self);
        filter.push(text.as_bytes(), &mut masked);
        filter.finish(&mut masked);
        String::from_utf8_lossy(&masked).into_owned()
    }

    /// Whether a file holds one of them.
    pub fn are_in(&self, file: &Utf8Path) -> Result<bool> {
        if self.values.is_empty() {
            return Ok(false);
        }
        let source = File::open(file).with_context(|| format!("failed to read {file}"))?;
        let mut filter = Filter::new(self);
        pump(source, &mut filter, &mut io::sink()).with_context(|| format!("failed to read {file}"))?;
        Ok(filter.masked)
    }

    /// Copies a file without them, whole or not at all.
    pub fn copy(&self, from: &Utf8Path, to: &Utf8Path) -> Result<()> {
        let source = File::open(from).with_context(|| format!("failed to read {from}"))?;
        store::write_with(to, |target| pump(source, &mut Filter::new(self), target))
    }
}

/// Whether a text may be another one in which secrets were masked, whatever they are.
pub fn may_be_masked(masked: &str, text: &str) -> bool {
    let mut pieces = masked.split(MASK);
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        let is_last = pieces.peek().is_none();
        let at = if is_last {
            rest.ends_with(piece).then(|| rest.len() - piece.len())
        } else {
            after(rest, piece)
        };
        let Some(at) = at.filter(|at| *at >= SHORTEST) else { return false };
        rest = rest.get(at + piece.len()..).unwrap_or_default();
    }
    true
}

/// Where a piece stands first with a secret before it.
fn after(text: &str, piece: &str) -> Option<usize> {
    text.match_indices(piece).map(|(at, _)| at).find(|at| *at >= SHORTEST)
}

/// A value as programs print it: as it is, without the line's end that came with it, as JSON escapes it, and line by line.
fn forms(value: String) -> Vec<Vec<u8>> {
    let trimmed = value.trim();
    let mut forms = vec![trimmed.as_bytes().to_vec()];
    if let Ok(quoted) = serde_json::to_string(trimmed) {
        let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        forms.extend(inner.map(|inner| inner.as_bytes().to_vec()));
    }
    if trimmed.contains('\n') {
        let lines = trimmed.lines().map(str::trim).filter(|line| line.len() >= SHORTEST_LINE);
        forms.extend(lines.map(|line| line.as_bytes().to_vec()));
    }
    forms
}

/// Copies bytes through a filter.
fn pump(mut from: impl Read, filter: &mut Filter<'_>, to: &mut dyn Write) -> io::Result<()> {
    let mut chunk = vec![0; CHUNK];
    let mut clean = Vec::new();
    loop {
        let read = from.read(&mut chunk)?;
        match read {
            0 => filter.finish(&mut clean),
            _ => filter.push(chunk.get(..read).unwrap_or_default(), &mut clean),
        }
        to.write_all(&clean)?;
        clean.clear();
        if read == 0 {
            return Ok(());
        }
    }
}

/// Takes secrets out of a stream, wherever the pieces in which it comes end.
pub struct Filter<'a> {
    secrets: &'a Secrets,
    /// What may begin a secret, and is not passed on yet.
    held: Vec<u8>,
    masked: bool,
}

impl<'a> Filter<'a> {
    /// For the beginning of a stream.
    pub fn new(secrets: &'a Secrets) -> Self {
        Filter { secrets, held: Vec::new(), masked: false }
    }

    /// Passes on what is certain. Only what may begin a secret is held back, so that a reader sees what was written.
    pub fn push(&mut self, bytes: &[u8], to: &mut Vec<u8>) {
        self.pass(bytes, false, to);
    }

    /// The stream is over: what is left is no longer the beginning of anything.
    pub fn finish(&mut self, to: &mut Vec<u8>) {
        self.pass(&[], true, to);
    }

    fn pass(&mut self, bytes: &[u8], is_end: bool, to: &mut Vec<u8>) {
        if self.secrets.values.is_empty() {
            to.extend_from_slice(bytes);
            return;
        }
        let joined;
        let bytes = if self.held.is_empty() {
            bytes
        } else {
            joined = [self.held.as_slice(), bytes].concat();
            &joined
        };
        let mut written = 0;
        let mut at = 0;
        while let Some(begin) = self.next_begin(bytes, at) {
            at = begin;
            let rest = bytes.get(at..).unwrap_or_default();
            if !is_end && self.secrets.values.iter().any(|value| is_begun(value, rest)) {
                break;
            }
            match self.secrets.values.iter().find(|value| rest.starts_with(value)) {
                Some(value) => {
                    to.extend_from_slice(bytes.get(written..at).unwrap_or_default());
                    to.extend_from_slice(MASK.as_bytes());
                    self.masked = true;
                    at += value.len();
                    written = at;
                }
                None => at += 1,
            }
        }
        let certain = self.next_begin(bytes, at).unwrap_or(bytes.len());
        to.extend_from_slice(bytes.get(written..certain).unwrap_or_default());
        self.held = bytes.get(certain..).unwrap_or_default().to_vec();
    }

    /// The next place at which a secret could begin.
    fn next_begin(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let rest = bytes.get(from..)?;
        let begins = &self.secrets.begins;
        rest.iter().position(|byte| begins[usize::from(*byte)]).map(|at| from + at)
    }
}

/// Whether these last bytes may be the beginning of a value that goes on.
fn is_begun(value: &[u8], rest: &[u8]) -> bool {
    value.len() > rest.len() && value.starts_with(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_steps(secrets: &Secrets, text: &str, step: usize) -> String {
        let mut filter = Filter::new(secrets);
        let mut out = Vec::new();
        text.as_bytes().chunks(step).for_each(|piece| filter.push(piece, &mut out));
        filter.finish(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn secrets_are_masked_wherever_a_write_ends() {
        let values = ["token-123", "token-123-long", "aab-aab-c", "abc", ""];
        let secrets = Secrets::new(values.map(str::to_owned));
        for (text, expected) in [
            ("a token-123-long b token-123\ntoken-12 abc", "a [secret] b [secret]\ntoken-12 abc"),
            ("token-123token-123-lon", "[secret][secret]-lon"),
            ("aab-aab-aab-c", "aab-[secret]"),
            ("tokentoken-12token-123", "tokentoken-12[secret]"),
            ("", ""),
        ] {
            for step in 1..=text.len().max(1) {
                assert_eq!(in_steps(&secrets, text, step), expected, "{text} by {step}");
            }
            assert_eq!(secrets.mask(text), expected);
        }
    }

    #[test]
    fn only_what_may_begin_a_secret_is_held_back() {
        let secrets = Secrets::new(["token-123".to_owned()]);
        let mut filter = Filter::new(&secrets);
        let mut out = Vec::new();
        for (piece, passed) in
            [("done: to", "done: "), ("day\n", "done: today\n"), ("xyz", "done: today\nxyz")]
        {
            filter.push(piece.as_bytes(), &mut out);
            assert_eq!(String::from_utf8_lossy(&out), passed);
        }
    }

    #[test]
    fn a_secret_is_known_in_the_forms_in_which_programs_print_it() {
        let key = "-----BEGIN-----\nline-one-of-it\nshort\n-----END-----\n";
        let secrets = Secrets::new([key.to_owned(), "a\"quote\"d".to_owned()]);
        assert_eq!(secrets.mask(&format!("key: {key}.")), "key: [secret]\n.");
        assert_eq!(secrets.mask("  line-one-of-it  short"), "  [secret]  short");
        assert_eq!(secrets.mask(r#"{"k":"a\"quote\"d"}"#), r#"{"k":"[secret]"}"#);
        assert_eq!(
            secrets.mask("key: -----BEGIN-----\\nline-one-of-it\\nshort\\n-----END-----"),
            "key: [secret]"
        );
        assert_eq!(format!("{secrets:?}").find("quote"), None);
    }

    #[test]
    fn a_masked_text_is_known_by_what_is_left_of_it() {
        for (masked, text, expected) in [
            ("a/b", "a/b", true),
            ("a/b", "a/bc", false),
            ("a/[secret].txt", "a/token-123.txt", true),
            ("[secret]", "token-123", true),
            ("[secret]", "tok", false),
            ("a[secret]b[secret]c", "atokenbtokenc", true),
            ("a[secret][secret]c", "atokentokenc", true),
            ("a[secret]b[secret]c", "atokentokenc", false),
            ("a/[secret].txt", "b/token-123.txt", false),
            ("a/[secret].txt", "a/token-123.ets", false),
        ] {
            assert_eq!(may_be_masked(masked, text), expected, "{masked} {text}");
        }
    }

    #[test]
    fn short_values_are_no_secrets() {
        assert_eq!(Secrets::new(["abc".to_owned(), "1".to_owned()]).mask("abc 1"), "abc 1");
    }
}
