//! The seven built-in stages, one file each. A stage says what it depends on and does its work; whether it has to is
//! decided by the pipeline.

mod audit;
mod brief;
mod checks;
mod dispatch;
mod evidence;
mod freeze;
mod measure;
mod report;
mod review;
mod sanity;

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::context::Context;
use crate::failure::Result;
use crate::pipeline::model::BuiltIn;
use crate::{render, store};

pub use audit::recorded as recorded_audit;
pub use checks::skeleton;
pub use dispatch::executor;
pub use evidence::failures as collector_failures;
pub use freeze::{Authored, authored_pack};
pub use review::{findings as review_findings, recorded as recorded_review};

/// What a stage depends on: a label that a person understands, and a digest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs(pub BTreeMap<String, String>);

impl Inputs {
    /// A file by its bytes. One that is not there counts as that.
    pub fn file(&mut self, context: &Context<'_>, path: &Utf8Path) -> Result<()> {
        let digest =
            store::fingerprint(&context.at(path))?.map_or_else(|| "absent".to_owned(), |print| print.sha256);
        self.0.insert(format!("file:{path}"), digest);
        Ok(())
    }

    /// A template of the delivery's language.
    pub fn template(&mut self, context: &Context<'_>, name: &str) -> Result<()> {
        self.file(context, &Utf8PathBuf::from(render::folder(context.lang())).join(name))
    }

    /// Anything else, by its canonical JSON.
    pub fn value<T: Serialize>(&mut self, label: &str, value: &T) -> Result<()> {
        let digest = gate::canonical::digest(value).map_err(anyhow::Error::from)?;
        self.0.insert(label.to_owned(), digest);
        Ok(())
    }
}

/// A built-in stage. `round` is 0 for the stages before the rounds.
pub trait Stage {
    /// Everything that its outputs depend on.
    fn inputs(&self, context: &Context<'_>, round: u32) -> Result<Inputs>;

    /// Does the work, and answers what it wrote, relative to the root.
    fn run(&self, context: &Context<'_>, round: u32) -> Result<Vec<Utf8PathBuf>>;

    /// Fetches what has to be there before the inputs are read.
    fn prepare(&self, _context: &Context<'_>, _round: u32) -> Result<()> {
        Ok(())
    }

    /// Whether what it wrote may stand: a fact that could not be gathered is sought again.
    fn is_settled(&self, _context: &Context<'_>, _round: u32) -> Result<bool> {
        Ok(true)
    }

    /// Whether its outputs are facts that cannot be made again: then a changed one is for the audit to find, never
    /// for this stage to overwrite.
    fn records_facts(&self) -> bool {
        false
    }
}

/// The stage of a word.
pub fn of(stage: BuiltIn) -> &'static dyn Stage {
    match stage {
        BuiltIn::Freeze => &freeze::Freeze,
        BuiltIn::Review => &review::Review,
        BuiltIn::Brief => &brief::Brief,
        BuiltIn::Dispatch => &dispatch::Dispatch,
        BuiltIn::Evidence => &evidence::Evidence,
        BuiltIn::Audit => &audit::Audit,
        BuiltIn::Report => &report::Report,
    }
}

/// Whether a round waits for people's checks. Recorded ones are fetched first.
pub fn waits_for_people(context: &Context<'_>, round: u32) -> Result<bool> {
    checks::fetch(context, round)?;
    checks::waits_for_people(context, round, &context.lock()?.pack)
}

/// The name of a feature for people.
fn title(pack: &gate::pack::Pack) -> String {
    pack.title.clone().unwrap_or_else(|| pack.feature.clone())
}
