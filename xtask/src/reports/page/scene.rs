//! What evidence files show: screens, pictures, the times of a trace. Bytes in, facts out; a file that is not what was
//! recorded shows nothing.

use std::collections::{BTreeMap, BTreeSet};

use gate::canonical::sha256_hex;
use gate::observation::{Answer, Observation, Place};
use probe::{Outline, Picture};

use crate::documents::{AuditFile, Collected, FileRecord};
use crate::failure::Result;

/// One evidence file of a round that shows something.
pub struct Scene {
    pub collector: String,
    /// Within the round, such as `evidence/layout.json`.
    pub file: String,
    /// The screen that it shows, where its collector names one.
    pub screen: Option<String>,
    pub shown: Shown,
}

/// What it shows.
pub enum Shown {
    Screen(Outline),
    Picture(Picture, Vec<u8>),
    /// When each line happened that a reading names, in nanoseconds.
    Trace(BTreeMap<u64, i64>),
}

/// The bytes of a recorded file of this round, where they are at hand.
pub type Read<'a> = dyn Fn(u32, &FileRecord) -> Result<Option<Vec<u8>>> + 'a;

/// What the evidence of a round shows, in the order in which it was gathered.
pub fn scenes(audit: &AuditFile, read: &Read<'_>) -> Result<Vec<Scene>> {
    let mut found = Vec::new();
    for entry in &audit.evidence {
        let Some(file) = entry.file.as_ref().filter(|file| is_drawn(file)) else { continue };
        let asked = Asked::of(audit, entry, file);
        if !asked.is_anything() {
            continue;
        }
        // What is drawn is what was judged.
        let bytes = read(audit.round, file)?.filter(|bytes| is_recorded(bytes, file));
        let Some(shown) = bytes.and_then(|bytes| asked.shown(bytes)) else { continue };
        found.push(Scene {
            collector: entry.collector.clone(),
            file: file.path.clone(),
            screen: entry.screen.clone(),
            shown,
        });
    }
    Ok(found)
}

/// Files outside git are not always at hand, and a report holds the same bytes wherever it is made.
fn is_drawn(file: &FileRecord) -> bool {
    !file.external && file.bytes <= probe::DOCUMENT_CAP
}

fn is_recorded(bytes: &[u8], file: &FileRecord) -> bool {
    sha256_hex(bytes) == file.sha256
}

/// What there is to look for in a file.
struct Asked {
    is_picture: bool,
    is_layout: bool,
    lines: BTreeSet<u64>,
}

impl Asked {
    fn of(audit: &AuditFile, entry: &Collected, file: &FileRecord) -> Self {
        let extension = file.path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        let observations = audit.criteria.iter().filter_map(|criterion| criterion.observation.as_deref());
        let of_file: Vec<&Observation> = observations.filter(|seen| seen.file == file.path).collect();
        let read_by = |reader: &str| of_file.iter().any(|seen| seen.reader == reader);
        let traced = of_file.iter().filter(|seen| seen.reader == "trace");
        Asked {
            is_picture: matches!(extension.as_deref(), Some("png" | "jpg" | "jpeg")),
            is_layout: read_by("layout") || (entry.screen.is_some() && extension.as_deref() == Some("json")),
            lines: traced.flat_map(|seen| lines_of(&seen.answer)).collect(),
        }
    }

    fn is_anything(&self) -> bool {
        self.is_picture || self.is_layout || !self.lines.is_empty()
    }

    fn shown(&self, bytes: Vec<u8>) -> Option<Shown> {
        if self.is_picture {
            return probe::picture(&bytes)
                .filter(|picture| picture.width > 0 && picture.height > 0)
                .map(|picture| Shown::Picture(picture, bytes));
        }
        if self.is_layout {
            return probe::outline(bytes).map(Shown::Screen);
        }
        let instants = probe::instants(&mut bytes.as_slice(), &self.lines);
        (!instants.is_empty()).then_some(Shown::Trace(instants))
    }
}

fn lines_of(answer: &Answer) -> Vec<u64> {
    let Answer::Values { values } = answer else { return Vec::new() };
    let places = values.iter().flat_map(|reading| &reading.places);
    places
        .flat_map(|place| match place {
            Place::Line { line } => vec![*line],
            Place::Lines { from, to } => vec![*from, *to],
            Place::File | Place::Pointer { .. } | Place::Box { .. } => Vec::new(),
        })
        .collect()
}
