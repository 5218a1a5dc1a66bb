//! The seven built-in stages, one file each. A stage says what it depends on and does its work; whether it has to is
//! decided by the pipeline.

mod asked;
mod audit;
mod auditor;
mod brief;
mod checks;
mod dispatch;
mod evidence;
mod freeze;
mod guard;
mod measure;
mod report;
mod review;
mod reviewer;
mod sanity;

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::context::Context;
use crate::digests::Over;
use crate::failure::Result;
use crate::pipeline::model::BuiltIn;
use crate::render;
use crate::store;

pub use audit::{Answers, Basis, make as audit, read_for as read_for_audit};
pub use brief::make as brief;
pub use checks::skeleton;
pub use dispatch::executor;
pub use evidence::{failures as collector_failures, fingerprint as evidence_print, kind as evidence_kind};
pub use freeze::{lock, require_undrifted};
pub use guard::require_closed as require_unmeddled;
pub use report::{make as report, page as report_page};
pub use review::{
    answerable, blocking, disputed, findings as review_findings, fixes as review_fixes,
    of_lock as review_of_lock, on_record as review, require_unblocked, responses,
};
pub use reviewer::asked as reviewers_asked;

/// What stands for the digest of a file that is not there.
pub const ABSENT: &str = "absent";

/// How much of the digest of a variable is recorded, in hexadecimal digits.
const VARIABLE_DIGITS: usize = 8;

/// What a stage depends on: a label that a person understands, and a digest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs(pub BTreeMap<String, String>);

impl Inputs {
    /// A file by its bytes. One that is not there counts as that.
    pub fn file(&mut self, context: &Context<'_>, path: &Utf8Path) -> Result<()> {
        self.digest(context, path, Over::Bytes)
    }

    /// A file that a person wrote, by its text: a checkout may have changed its line endings.
    pub fn authored(&mut self, context: &Context<'_>, path: &Utf8Path) -> Result<()> {
        self.digest(context, path, Over::Text)
    }

    /// A template of the delivery's language: the repository's own, or the built-in one. Under one name, so that a copy
    /// of the built-in one changes nothing.
    pub fn template(&mut self, context: &Context<'_>, name: &str) -> Result<()> {
        let path = Utf8PathBuf::from(render::folder(context.lang())).join(name);
        self.carried(context, &path, render::built_in::text(name, context.lang()))
    }

    /// A file that the program carries a text for: the repository's own, or that one.
    pub fn carried(&mut self, context: &Context<'_>, path: &Utf8Path, built_in: Option<&str>) -> Result<()> {
        let own = context.common_digest(path, Over::Text)?;
        let digest = own.or_else(|| built_in.map(|text| store::text_digest_of(text.as_bytes())));
        self.name_file(path, digest);
        Ok(())
    }

    fn digest(&mut self, context: &Context<'_>, path: &Utf8Path, over: Over) -> Result<()> {
        let digest = context.digest(path, over)?;
        self.name_file(path, digest);
        Ok(())
    }

    fn name_file(&mut self, path: &Utf8Path, digest: Option<String>) {
        self.0.insert(format!("file:{path}"), digest.unwrap_or_else(|| ABSENT.to_owned()));
    }

    /// A variable of the environment. Enough of its digest to see a change, too little to find the value by trying; of a
    /// secret only whether it is set.
    pub fn variable(&mut self, context: &Context<'_>, name: &str) -> Result<()> {
        let seen = match std::env::var(name) {
            Err(_) => ABSENT.to_owned(),
            Ok(_) if context.pipeline.secrets.iter().any(|secret| secret == name) => "set".to_owned(),
            Ok(value) => gate::canonical::digest(&value)
                .map_err(anyhow::Error::from)?
                .chars()
                .take(VARIABLE_DIGITS)
                .collect(),
        };
        self.0.insert(format!("env:{name}"), seen);
        Ok(())
    }

    /// Anything else, by its canonical JSON.
    pub fn value<T: Serialize>(&mut self, context: &Context<'_>, label: &str, value: &T) -> Result<()> {
        let digest = context.digests.of_value(value)?;
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

    /// What stands of a run whose end was never recorded, though its own record is whole: it is taken up, not repeated.
    fn left_behind(&self, _context: &Context<'_>, _round: u32) -> Result<Option<Vec<Utf8PathBuf>>> {
        Ok(None)
    }

    /// Whether what it wrote may stand: a fact that could not be gathered is sought again.
    fn is_settled(&self, _context: &Context<'_>, _round: u32) -> Result<bool> {
        Ok(true)
    }

    /// Whether the run itself reads and hashes its inputs: then they are fingerprinted after it, from what it read, and
    /// no large file is read twice.
    fn reads_inputs_itself(&self) -> bool {
        false
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

/// The record of a built-in stage, within the delivery's folder. A report is one of two; the rework order is named here.
pub fn writes(stage: BuiltIn, round: u32) -> String {
    match stage {
        BuiltIn::Freeze => "pack.lock.json".to_owned(),
        BuiltIn::Review => "review.json".to_owned(),
        BuiltIn::Brief => format!("round-{round}/brief.json"),
        BuiltIn::Dispatch => format!("round-{round}/dispatch.json"),
        BuiltIn::Evidence => format!("round-{round}/evidence.json"),
        BuiltIn::Audit => format!("audit-{round}.json"),
        BuiltIn::Report => format!("rework-{round}.json"),
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
