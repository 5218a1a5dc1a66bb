//! Sanity, before any value is read: what is recorded, what the bytes look like, and how files stand to each other.

use std::collections::BTreeMap;

use gate::audit::{EvidenceFact, EvidenceState};
use probe::Look;

use super::evidence;
use crate::context::Context;
use crate::documents::{self, Collected, FileRecord};
use crate::failure::Result;
use crate::rounds;
use crate::store;

/// How every recorded file stands: by digests and records, never by file times.
pub fn facts(
    context: &Context<'_>,
    dispatch: &documents::Dispatch,
    evidence: &documents::Evidence,
) -> Result<BTreeMap<String, EvidenceFact>> {
    let before = Before::of(context, dispatch)?;
    let mut looks = Vec::new();
    for (entry, file) in recorded(evidence) {
        looks.push((entry, file, look(context, dispatch.round, file)?));
    }
    let mut facts = BTreeMap::new();
    for (entry, file, seen) in &looks {
        let state = match record_state(context, dispatch, evidence, entry, file)? {
            EvidenceState::Sound => look_state(seen, entry, &looks)
                .or_else(|| twin(entry, file, evidence))
                .or_else(|| before.repeats(entry, file))
                .unwrap_or(EvidenceState::Sound),
            unsound => unsound,
        };
        facts.insert(file.path.clone(), EvidenceFact { state, source: entry.source_kind });
    }
    Ok(facts)
}

fn recorded(evidence: &documents::Evidence) -> impl Iterator<Item = (&Collected, &FileRecord)> {
    evidence.collected.iter().filter_map(|entry| Some((entry, entry.file.as_ref()?)))
}

/// What the record says of the bytes: there, unchanged, of this round and this commit.
fn record_state(
    context: &Context<'_>,
    dispatch: &documents::Dispatch,
    evidence: &documents::Evidence,
    entry: &Collected,
    file: &FileRecord,
) -> Result<EvidenceState> {
    let round = dispatch.round;
    let belongs = evidence.round == round
        && entry.round == round
        && entry.commit == dispatch.head
        && evidence.commit == dispatch.head;
    Ok(match evidence::fingerprint(context, round, file)? {
        None => EvidenceState::Missing,
        Some(now) if now.sha256 != file.sha256 || now.bytes != file.bytes => EvidenceState::Changed,
        Some(_) if !belongs => EvidenceState::Stale,
        Some(_) => EvidenceState::Sound,
    })
}

fn look(context: &Context<'_>, round: u32, file: &FileRecord) -> Result<Option<Look>> {
    if evidence::kind(context, round, file)? != store::Kind::File {
        return Ok(None);
    }
    let Some(mut body) = evidence::open(context, round, file)? else { return Ok(None) };
    Ok(Some(probe::look(&file.path, probe::Input::new(&mut body), context.lang())))
}

/// What the bytes alone say, and a picture beside the layout of its screen.
fn look_state(
    seen: &Option<Look>,
    entry: &Collected,
    looks: &[(&Collected, &FileRecord, Option<Look>)],
) -> Option<EvidenceState> {
    match seen.as_ref()? {
        Look::Empty => Some(EvidenceState::Blank),
        Look::Undecodable(_) => Some(EvidenceState::Undecodable),
        Look::Flat => Some(EvidenceState::Flat),
        Look::Picture { width, height } => {
            let of_screen =
                looks.iter().filter(|(other, _, _)| entry.screen.is_some() && other.screen == entry.screen);
            let differs = |look: &Option<Look>| match look {
                Some(Look::Layout { width: wide, height: high }) => wide != width || high != height,
                _ => false,
            };
            of_screen.into_iter().any(|(_, _, look)| differs(look)).then_some(EvidenceState::WrongSize)
        }
        Look::Layout { .. } | Look::Other => None,
    }
}

/// Two screens that look alike to the byte are one screen that was gathered twice.
fn twin(entry: &Collected, file: &FileRecord, evidence: &documents::Evidence) -> Option<EvidenceState> {
    let screen = entry.screen.as_ref()?;
    let is_twin = |(other, record): (&Collected, &FileRecord)| {
        other.screen.as_ref().is_some_and(|of| of != screen) && record.sha256 == file.sha256
    };
    recorded(evidence).any(is_twin).then_some(EvidenceState::Twin)
}

/// The evidence of the round before, where the code has changed since.
struct Before(Option<documents::Evidence>);

impl Before {
    fn of(context: &Context<'_>, dispatch: &documents::Dispatch) -> Result<Self> {
        // A commit that changes no file is no other code.
        let is_changed = dispatch.base != dispatch.head && !dispatch.changed.is_empty();
        let earlier = rounds::delivered_before(context, dispatch.round)?
            .filter(|earlier| earlier.head != dispatch.base || is_changed);
        let Some(earlier) = earlier else { return Ok(Before(None)) };
        let path = context.paths.in_round(earlier.round, "evidence.json");
        Ok(Before(context.artifact_if_any(&path, "evidence")?))
    }

    fn repeats(&self, entry: &Collected, file: &FileRecord) -> Option<EvidenceState> {
        let is_same = |(other, record): (&Collected, &FileRecord)| {
            other.collector == entry.collector && record.sha256 == file.sha256
        };
        let repeated = !entry.constant && self.0.iter().flat_map(recorded).any(is_same);
        repeated.then_some(EvidenceState::Repeated)
    }
}
