//! `state.json`: which stages are done, from which inputs, with which outputs. It only ever saves work: nothing that
//! judges reads it.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::documents::FORMAT;
use crate::failure::Result;
use crate::stages::Inputs;
use crate::store;

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

impl State {
    /// What is recorded. A record that cannot be read, or is of another format, is no record.
    pub fn load(context: &Context<'_>) -> Result<Self> {
        let bytes = store::read_optional(&context.at(context.paths.state()))?.unwrap_or_default();
        let read: Option<State> = serde_json::from_slice(&bytes).ok();
        let empty = State { format: FORMAT, stages: BTreeMap::new() };
        Ok(read.filter(|state| state.format == FORMAT).unwrap_or(empty))
    }

    /// Whether a stage has nothing to do: the same inputs, and its outputs as it left them. Of outputs that are facts the
    /// record has to be there; a changed one is for the audit to find.
    pub fn is_current(&self, context: &Context<'_>, key: &str, inputs: &Inputs, facts: bool) -> Result<bool> {
        let Some(record) = self.stages.get(key) else { return Ok(false) };
        if record.inputs != inputs.0 {
            return Ok(false);
        }
        for (path, digest) in &record.outputs {
            let is_fine = match facts {
                true => !is_record(path) || context.at(path).is_file(),
                false => store::fingerprint(&context.at(path))?.is_some_and(|now| now.sha256 == *digest),
            };
            if !is_fine {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Records of facts that are no longer as the pipeline left them.
    pub fn changed_records(&self, context: &Context<'_>) -> Result<Vec<String>> {
        let mut changed = Vec::new();
        for record in self.stages.values().filter(|record| record.facts) {
            for (path, digest) in record.outputs.iter().filter(|(path, _)| is_record(path)) {
                if store::fingerprint(&context.at(path))?.is_some_and(|now| now.sha256 != *digest) {
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
        for path in outputs {
            if let Some(print) = store::fingerprint(&context.at(path))? {
                digests.insert(path.as_str().replace('\\', "/"), print.sha256);
            }
        }
        self.stages.insert(key.to_owned(), Record { inputs: inputs.0, outputs: digests, facts });
        store::write_json(&context.at(context.paths.state()), self)
    }
}

/// Whether a path is a stage's own record, and not a file of evidence beside it.
fn is_record(path: &str) -> bool {
    path.ends_with("/dispatch.json") || path.ends_with("/evidence.json")
}
