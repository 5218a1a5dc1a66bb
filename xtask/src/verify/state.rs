//! `state.json`: what it says of the files that are there. Nothing else believes it; where it disagrees, one of them was
//! changed by another hand, or the delivery was made from what is not here.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use super::subject::Subject;
use crate::digests::Over;
use crate::failure::Result;
use crate::paths::FeaturePaths;
use crate::pipeline::model::Action;
use crate::pipeline::state::State;
use crate::pipeline::work::{self, Work};
use crate::stages::{self, Inputs};
use crate::store;

/// See the module.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let path = subject.context.paths.state();
    let Some(bytes) = subject.context.files.read(&path)? else { return Ok(Vec::new()) };
    let Some(state) = State::read(&bytes) else {
        let message = say!(subject.context.lang(), "{path} cannot be read", "{path} 无法读取");
        return Ok(vec![subject.finding(Code::StateDisagrees, &path, message)]);
    };
    let mut said = Said { subject, path, problems: Vec::new(), told: BTreeSet::new() };
    if store::json_bytes(&state)? != bytes {
        let lang = subject.context.lang();
        let message = say!(
            lang,
            "{} is not written as the pipeline writes it",
            "{} 的写法与流水线写出的不同",
            said.path
        );
        said.disagrees(message);
    }
    for key in state.keys() {
        said.stage(&state, key)?;
    }
    said.unrecorded(&state)?;
    Ok(said.problems)
}

/// What is said of it so far.
struct Said<'s, 'a, 'c> {
    subject: &'s Subject<'a, 'c>,
    path: Utf8PathBuf,
    problems: Vec<Problem>,
    /// What surrounds the delivery and has changed, each once.
    told: BTreeSet<String>,
}

impl Said<'_, '_, '_> {
    fn disagrees(&mut self, message: String) {
        self.problems.push(self.subject.finding(Code::StateDisagrees, &self.path, message));
    }

    /// One stage of one round.
    fn stage(&mut self, state: &State, key: &str) -> Result<()> {
        let context = self.subject.context;
        let (id, round) = match key.split_once('@') {
            Some((id, round)) => (id, round.parse().unwrap_or(0)),
            None => (key, 0),
        };
        let Some(stage) = context.pipeline.stages.iter().find(|stage| stage.id == id) else {
            self.surroundings(key, "pipeline:stages");
            return Ok(());
        };
        let Some((inputs, outputs)) = state.recorded(key) else { return Ok(()) };
        let known = self.subject.rounds.iter().find(|known| known.number == round);
        if stage.each_round != key.contains('@') || (stage.each_round && known.is_none()) {
            let (lang, path) = (context.lang(), &self.path);
            let message = say!(
                lang,
                "{path} tells of {key}, and there is no such round",
                "{path} 中有 {key}，但没有这一轮"
            );
            self.disagrees(message);
            return Ok(());
        }
        let is_current = known.is_none_or(|round| round.is_current);
        self.outputs(key, outputs, is_current)?;
        // What a team's own stages read is theirs, and may lie anywhere.
        if is_current && matches!(stage.action, Action::BuiltIn(_)) {
            let work = Work::of(stage, context, state, round)?;
            if let (Some(Inputs(now)), _) = super::findings(work.inputs(context, round))? {
                self.inputs(key, inputs, &now);
            }
        }
        Ok(())
    }

    fn outputs(&mut self, key: &str, outputs: &BTreeMap<String, String>, is_current: bool) -> Result<()> {
        let context = self.subject.context;
        for (name, digest) in outputs {
            // What was accepted under an earlier pack went with it.
            let is_withdrawn = !is_current
                && (Utf8Path::new(name).file_stem() == Some("acceptance") || *name == context.paths.page());
            let now = context.files.digest(Utf8Path::new(name), Over::Bytes)?;
            if !is_withdrawn && now.as_ref() != Some(digest) {
                let (lang, path) = (context.lang(), &self.path);
                let message = say!(
                    lang,
                    "{path} says that {key} wrote another {name} than is there",
                    "{path} 称 {key} 写出的 {name} 与现有的不同"
                );
                self.disagrees(message);
            }
        }
        Ok(())
    }

    fn inputs(&mut self, key: &str, then: &BTreeMap<String, String>, now: &BTreeMap<String, String>) {
        let context = self.subject.context;
        let own = FeaturePaths::new(&context.feature).delivery();
        let all: BTreeSet<&String> = then.keys().chain(now.keys()).collect();
        for label in all.into_iter().filter(|label| then.get(*label) != now.get(*label)) {
            let file = label.strip_prefix("file:").map(Utf8Path::new);
            let is_outside = match file {
                Some(file) => !file.starts_with(&own),
                None => label.starts_with("pipeline:") || label.starts_with("collector:"),
            };
            if is_outside {
                self.surroundings(key, label);
                continue;
            }
            let (lang, path) = (context.lang(), &self.path);
            let name = file.map_or(label.as_str(), Utf8Path::as_str);
            let message = say!(
                lang,
                "{path} says that {key} was made from another {name} than is there",
                "{path} 称 {key} 所依据的 {name} 与现有的不同"
            );
            self.disagrees(message);
        }
    }

    /// Something beside the delivery that it was made from is another now.
    fn surroundings(&mut self, key: &str, label: &str) {
        let name = label.strip_prefix("file:").unwrap_or(label);
        if !self.told.insert(name.to_owned()) {
            return;
        }
        let (lang, path) = (self.subject.context.lang(), &self.path);
        let message = say!(
            lang,
            "{path} says that {key} was made from another {name} than is here now",
            "{path} 称 {key} 所依据的 {name} 与此处现有的不同"
        );
        self.problems.push(self.subject.finding(Code::SurroundingsChanged, &self.path, message));
    }

    /// Stages whose outputs are there, and of which nothing is recorded.
    fn unrecorded(&mut self, state: &State) -> Result<()> {
        let (context, subject) = (self.subject.context, self.subject);
        let delivery = context.paths.delivery();
        for stage in &context.pipeline.stages {
            let Action::BuiltIn(built_in) = stage.action else { continue };
            let rounds: Vec<u32> = match stage.each_round {
                false => vec![0],
                true => {
                    subject.rounds.iter().filter(|round| round.is_current).map(|round| round.number).collect()
                }
            };
            for round in rounds {
                let key = work::key(&stage.id, round);
                let wrote = delivery.join(stages::writes(built_in, round));
                if !state.knows(&key) && subject.has(&wrote)? {
                    let (lang, path) = (context.lang(), &self.path);
                    let message = say!(
                        lang,
                        "{path} does not know of {key}, which wrote {wrote}",
                        "{path} 中没有写出 {wrote} 的 {key}"
                    );
                    self.disagrees(message);
                }
            }
        }
        Ok(())
    }
}
