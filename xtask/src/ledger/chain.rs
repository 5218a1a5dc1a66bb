//! The chain: lines that each hold the digest of the one before, so that a line that was removed, moved or edited shows.
//!
//! A line is the canonical JSON (RFC 8785) of its entry and a line feed. `sha256` is the digest of the canonical JSON of
//! the entry without that field; `before` is the `sha256` of the line before, and 64 zeros in the first.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The version of a line's format.
pub const FORMAT: u32 = 1;

/// What stands for the line before the first.
pub const NOTHING: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Digests by path, relative to the root; none stands for a file that is not there.
pub type Digests = BTreeMap<String, Option<String>>;

/// What happened. Each of the pipeline's own stages is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Event {
    /// The first line: what was there when the ledger began, which is nothing for a new delivery.
    Begin,
    /// The pack was frozen.
    Freeze,
    /// The frozen pack was reviewed.
    Review,
    /// What people answer to the review was seen to be other than before.
    Respond,
    /// A round was briefed.
    Brief,
    /// A round was dispatched.
    Dispatch,
    /// The evidence of a round was gathered.
    Evidence,
    /// A person settled what auditors differ on.
    Settle,
    /// The waivers that people grant were seen to be others than before.
    Waive,
    /// A round was audited.
    Audit,
    /// A round was reported.
    Report,
    /// The audit of a round was signed.
    Attest,
}

/// One line of `ledger.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Line {
    /// The version of the line's format.
    pub format: u32,
    /// Its place, from 1.
    pub number: u32,
    /// What happened.
    pub event: Event,
    /// The round that it is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub round: Option<u32>,
    /// What was read. Of what people write, the digest is that of the text with plain line feeds.
    pub reads: Digests,
    /// What was written; null for what was removed.
    pub writes: Digests,
    /// The `sha256` of the line before.
    pub before: String,
    /// The digest of this line without this field.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sha256: String,
}

/// What is to become a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What happened.
    pub event: Event,
    /// In which round.
    pub round: Option<u32>,
    /// What was read.
    pub reads: Digests,
    /// What was written.
    pub writes: Digests,
}

impl Entry {
    /// Whether a line says the same. Of a page that every round writes anew, one that leaves it alone says nothing.
    pub fn is(&self, line: &Line, page: &str) -> bool {
        let said = |name: &str| name != page || self.writes.contains_key(name);
        let writes = line.writes.iter().filter(|(name, _)| said(name));
        line.reads == self.reads && writes.eq(&self.writes) && self.is_about_that_of(line)
    }

    /// Whether a line is about the same event of the same round.
    pub fn is_about_that_of(&self, line: &Line) -> bool {
        (line.event, line.round) == (self.event, self.round)
    }
}

impl Line {
    /// An entry after the lines that are there.
    pub fn after(lines: &[Line], entry: Entry) -> Result<Line, serde_json::Error> {
        let number = u32::try_from(lines.len()).unwrap_or(u32::MAX).saturating_add(1);
        let before = lines.last().map_or_else(|| NOTHING.to_owned(), |line| line.sha256.clone());
        let Entry { event, round, reads, writes } = entry;
        let line =
            Line { format: FORMAT, number, event, round, reads, writes, before, sha256: String::new() };
        Ok(Line { sha256: line.digest()?, ..line })
    }

    fn digest(&self) -> Result<String, serde_json::Error> {
        gate::canonical::digest(&Line { sha256: String::new(), ..self.clone() })
    }

    /// Its bytes, with the line feed.
    pub fn bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut bytes = gate::canonical::canonical_json(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is no canonical JSON of a line, or ends without a line feed.
    Unreadable,
    /// It is of another version of the format.
    Format,
    /// Its own digest is another.
    Edited,
    /// It does not follow the line before it.
    Loose,
    /// It is a beginning in the middle, or no beginning at the top.
    Beginning,
}

/// The lines as far as they can be read, and what is wrong with which, counted from 1.
pub fn read(bytes: &[u8]) -> (Vec<Line>, Vec<(usize, Fault)>) {
    let (mut lines, mut faults): (Vec<Line>, Vec<(usize, Fault)>) = (Vec::new(), Vec::new());
    // What follows a line that cannot be read is not held against that one as well.
    let mut before = Some((0, NOTHING.to_owned()));
    for (index, text) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let place = index + 1;
        let Some(line) = parse(text) else {
            faults.push((place, Fault::Unreadable));
            before = None;
            continue;
        };
        if line.format != FORMAT {
            faults.push((place, Fault::Format));
        }
        if line.digest().ok().as_ref() != Some(&line.sha256) {
            faults.push((place, Fault::Edited));
        }
        let follows = |(number, sha256): &(u32, String)| {
            *sha256 == line.before && number.checked_add(1) == Some(line.number)
        };
        if !before.as_ref().is_none_or(follows) {
            faults.push((place, Fault::Loose));
        }
        if (line.event == Event::Begin) != (place == 1) {
            faults.push((place, Fault::Beginning));
        }
        before = Some((line.number, line.sha256.clone()));
        lines.push(line);
    }
    (lines, faults)
}

/// A line whose bytes are those that it would be written as.
fn parse(text: &[u8]) -> Option<Line> {
    let line: Line = serde_json::from_slice(text.strip_suffix(b"\n")?).ok()?;
    (line.bytes().ok()? == text).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(files: &[(&str, &str)]) -> Digests {
        files.iter().map(|(path, digest)| ((*path).to_owned(), Some((*digest).to_owned()))).collect()
    }

    fn chain() -> Vec<u8> {
        let mut lines: Vec<Line> = Vec::new();
        let entry = |event, round, reads, writes| Entry { event, round, reads, writes };
        for entry in [
            entry(Event::Begin, None, files(&[]), files(&[])),
            entry(Event::Freeze, None, files(&[("p", "aa")]), files(&[("l", "bb")])),
            entry(Event::Audit, Some(1), files(&[("l", "bb")]), files(&[("a", "cc")])),
            entry(Event::Report, Some(1), files(&[("a", "cc")]), files(&[("r", "dd")])),
        ] {
            lines.push(Line::after(&lines, entry).unwrap());
        }
        lines.iter().flat_map(|line| line.bytes().unwrap()).collect()
    }

    #[test]
    fn what_was_written_is_sound() {
        let (lines, faults) = read(&chain());
        assert_eq!((lines.len(), faults), (4, Vec::new()));
        assert_eq!(read(b""), (Vec::new(), Vec::new()));
    }

    /// Whoever wants to hide a byte has to write the rest of the chain anew.
    #[test]
    fn every_byte_counts() {
        let sound = chain();
        for at in 0..sound.len() {
            for change in [1, 0x20, 0x80] {
                let mut changed = sound.clone();
                changed[at] ^= change;
                assert!(!read(&changed).1.is_empty(), "byte {at} by {change}");
            }
            let whole = sound[..at].is_empty() || sound[..at].ends_with(b"\n");
            // A tail that is missing whole shows in the files that it wrote, not here.
            assert_eq!(read(&sound[..at]).1.is_empty(), whole, "cut at {at}");
        }
    }

    #[test]
    fn removed_moved_and_edited_lines_show() {
        let sound = chain();
        let line = |number: usize| sound.split_inclusive(|byte| *byte == b'\n').nth(number).unwrap();
        let of = |numbers: &[usize]| numbers.iter().flat_map(|number| line(*number)).copied().collect();
        let edited =
            |from: &str, to: &str| String::from_utf8(sound.clone()).unwrap().replace(from, to).into_bytes();
        type Row<'a> = (&'a str, Vec<u8>, &'a [(usize, Fault)]);
        let table: [Row<'_>; 9] = [
            ("first removed", of(&[1, 2, 3]), &[(1, Fault::Loose), (1, Fault::Beginning)]),
            ("one removed", of(&[0, 2, 3]), &[(2, Fault::Loose)]),
            ("two swapped", of(&[0, 2, 1, 3]), &[(2, Fault::Loose), (3, Fault::Loose), (4, Fault::Loose)]),
            ("one twice", of(&[0, 1, 1, 2, 3]), &[(3, Fault::Loose)]),
            ("digest edited", edited("\"bb\"", "\"ee\""), &[(2, Fault::Edited), (3, Fault::Edited)]),
            (
                "spaced",
                edited("\"format\":1", "\"format\": 1"),
                &[1, 2, 3, 4].map(|n| (n, Fault::Unreadable)),
            ),
            (
                "a field more",
                edited("\"format\":1", "\"by\":1,\"format\":1"),
                &[1, 2, 3, 4].map(|n| (n, Fault::Unreadable)),
            ),
            ("no line feed", sound[..sound.len() - 1].to_vec(), &[(4, Fault::Unreadable)]),
            ("an empty line", [line(0), b"\n"].concat(), &[(2, Fault::Unreadable)]),
        ];
        for (what, bytes, faults) in table {
            assert_eq!(read(&bytes).1, faults, "{what}");
        }
    }
}
