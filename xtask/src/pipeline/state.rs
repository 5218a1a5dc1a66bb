//! `state.json`: which stages are done, from which inputs, with which outputs. It only ever saves work: nothing that
//! judges reads it.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::digests::Over;
use crate::documents::FORMAT;
use crate::failure::Result;
use crate::stages::Inputs;
use crate::store;

/// Digests by name.
type Named = BTreeMap<String, String>;

/// What is recorded of a feature's stages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct State {
    format: u32,
    /// By `stage` or `stage@round`.
    stages: BTreeMap<String, Record>,
}

/// What is recorded of one stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct Record {
    inputs: BTreeMap<String, String>,
    /// Digests by path relative to the root.
    outputs: BTreeMap<String, String>,
    /// Whether the outputs are facts, which cannot be made again.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    facts: bool,
}

/// Something that is no longer as the record has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// Whether it goes into the stage or comes out of it.
    pub what: Side,
    /// `file:<path>` or the name of a value; for an output its path.
    pub name: String,
    /// The digest in the record; none if it is new.
    pub old: Option<String>,
    /// The digest now; none if it is gone.
    pub new: Option<String>,
}

/// A side of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Side {
    /// What it depends on.
    Input,
    /// What it wrote.
    Output,
}

impl State {
    /// What is recorded. A record that cannot be read, or is of another format, is no record.
    pub fn load(context: &Context<'_>) -> Result<Self> {
        let bytes = context.files.read(&context.paths.state())?.unwrap_or_default();
        Ok(State::read(&bytes).unwrap_or(State { format: FORMAT, stages: BTreeMap::new() }))
    }

    /// A record, if it is one and of this format.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let read: Option<State> = serde_json::from_slice(bytes).ok();
        read.filter(|state| state.format == FORMAT)
    }

    /// The stages of which something is recorded, each with its round.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.stages.keys().map(String::as_str)
    }

    /// The digests of what went into a stage, and of what came out of it.
    pub fn recorded(&self, key: &str) -> Option<(&Named, &Named)> {
        self.stages.get(key).map(|record| (&record.inputs, &record.outputs))
    }

    /// Whether nothing is recorded at all.
    pub fn is_empty(&self) -> bool {
        self.stages.is_empty()
    }

    /// Whether anything is recorded of a stage.
    pub fn knows(&self, key: &str) -> bool {
        self.stages.contains_key(key)
    }

    /// The rounds of which something is recorded.
    pub fn rounds(&self) -> Vec<u32> {
        let mut rounds: Vec<u32> =
            self.stages.keys().filter_map(|key| key.rsplit_once('@')?.1.parse().ok()).collect();
        rounds.sort_unstable();
        rounds.dedup();
        rounds
    }

    /// The paths of the outputs of a stage.
    pub fn outputs(&self, key: &str) -> Vec<String> {
        self.stages.get(key).map(|record| record.outputs.keys().cloned().collect()).unwrap_or_default()
    }

    /// JSON artifacts of a stage that hold something else than it wrote. One that is gone is no forgery.
    pub fn changed_artifacts(&self, context: &Context<'_>, key: &str) -> Result<Vec<String>> {
        let outputs = self.stages.get(key).map(|record| &record.outputs);
        let mut changed = Vec::new();
        for (path, digest) in outputs.into_iter().flatten().filter(|(path, _)| path.ends_with(".json")) {
            let now = context.digests.of(&context.at(path), Over::Bytes)?;
            if now.is_some_and(|now| now != *digest) {
                changed.push(path.clone());
            }
        }
        Ok(changed)
    }

    /// Everything that is no longer as it is recorded of a stage: with nothing, it has nothing to do. Of outputs that
    /// are facts the record has to be there; a changed one is for the audit to find. Nothing is recorded of a stage that
    /// never ran: ask [`State::knows`] first.
    pub fn changes(&self, context: &Context<'_>, key: &str, inputs: &Inputs) -> Result<Vec<Change>> {
        let Some(record) = self.stages.get(key) else { return Ok(Vec::new()) };
        let mut changes = differences(&record.inputs, &inputs.0);
        for (path, digest) in &record.outputs {
            let now = match record.facts {
                true if !is_record(path) || context.at(path).is_file() => continue,
                true => None,
                false => context.digests.of(&context.at(path), Over::Bytes)?,
            };
            if now.as_ref() != Some(digest) {
                let (name, old) = (path.clone(), Some(digest.clone()));
                changes.push(Change { what: Side::Output, name, old, new: now });
            }
        }
        Ok(changes)
    }

    /// Records of facts that are no longer as the pipeline left them.
    pub fn changed_records(&self, context: &Context<'_>) -> Result<Vec<String>> {
        let mut changed = Vec::new();
        for record in self.stages.values().filter(|record| record.facts) {
            for (path, digest) in record.outputs.iter().filter(|(path, _)| is_record(path)) {
                let now = context.digests.of(&context.at(path), Over::Bytes)?;
                if now.is_some_and(|now| now != *digest) {
                    changed.push(path.clone());
                }
            }
        }
        Ok(changed)
    }

    /// Records a stage, after everything that it wrote is in place.
    pub fn record(
        &mut self,
        context: &Context<'_>,
        key: &str,
        inputs: Inputs,
        outputs: &[Utf8PathBuf],
        facts: bool,
    ) -> Result<()> {
        let mut digests = BTreeMap::new();
        for path in outputs.iter().map(|path| path.as_str().replace('\\', "/")) {
            for file in files_of(context, &path)? {
                if let Some(digest) = context.digests.of(&context.at(&file), Over::Bytes)? {
                    digests.insert(file, digest);
                }
            }
        }
        self.hand_over(key, &digests);
        self.stages.insert(key.to_owned(), Record { inputs: inputs.0, outputs: digests, facts });
        store::write_json(&context.at(context.paths.state()), self)
    }
}

impl State {
    /// A file that a stage writes anew in every round belongs to the round that wrote it last.
    fn hand_over(&mut self, key: &str, outputs: &BTreeMap<String, String>) {
        let id = |key: &str| key.split_once('@').map(|(id, _)| id.to_owned());
        let Some(stage) = id(key) else { return };
        let rounds =
            self.stages.iter_mut().filter(|(other, _)| *other != key && id(other).as_ref() == Some(&stage));
        for (_, record) in rounds {
            record.outputs.retain(|path, _| !outputs.contains_key(path));
        }
    }
}

/// An output that is a folder stands for every file in it.
fn files_of(context: &Context<'_>, path: &str) -> Result<Vec<String>> {
    let absolute = context.at(path);
    if store::kind(&absolute)? != store::Kind::Folder {
        return Ok(vec![path.to_owned()]);
    }
    let files = store::files_below(&absolute)?;
    Ok(files.iter().map(|file| Utf8Path::new(path).join(file).as_str().replace('\\', "/")).collect())
}

fn differences(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Vec<Change> {
    let all: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let differ = all.into_iter().filter(|name| old.get(*name) != new.get(*name));
    differ
        .map(|name| Change {
            what: Side::Input,
            name: name.clone(),
            old: old.get(name).cloned(),
            new: new.get(name).cloned(),
        })
        .collect()
}

/// Whether a path is a stage's own record, and not a file of evidence beside it.
fn is_record(path: &str) -> bool {
    path.ends_with("/dispatch.json") || path.ends_with("/evidence.json")
}
