//! What happens while the pipeline works, told as events: to a file for programs, and to people as bars or lines on
//! standard error.

mod bars;
mod event;
mod journal;
mod outlet;

use std::io::{IsTerminal, Write};
use std::time::Instant;

use camino::Utf8Path;
use gate::lang::Lang;
use gate::say;

use crate::ending::Ending;
use crate::failure::Result;
use crate::interrupt;
use crate::secrets::Secrets;
use bars::Bars;
use journal::Journal;

#[cfg(test)]
pub use event::Record;
pub use event::{Event, Outcome};
pub use outlet::Outlet;

/// Tells what happens. Several features may tell at a time.
pub struct Progress {
    people: People,
    journal: Option<Journal>,
    secrets: Secrets,
}

/// How people are told.
enum People {
    /// They asked not to be.
    Quiet,
    /// A line for each step, for a file or a dull terminal.
    Lines,
    /// Bars that move.
    Bars(Bars),
}

impl People {
    fn new(is_quiet: bool) -> Self {
        if is_quiet {
            People::Quiet
        } else if std::io::stderr().is_terminal() && !is_set("CI") && !is_dumb() {
            People::Bars(Bars::new())
        } else {
            People::Lines
        }
    }

    /// A line that stays.
    fn line(&self, text: &str) {
        match self {
            People::Quiet => {}
            // Nobody is left to tell if standard error is closed.
            People::Lines => drop(writeln!(std::io::stderr().lock(), "{text}")),
            People::Bars(bars) => bars.line(text),
        }
    }

    /// A feature begins something: `what` is a line in itself.
    fn begin(&self, feature: &str, what: &str) {
        match self {
            People::Bars(bars) => bars.begin(feature, what),
            People::Quiet | People::Lines => self.line(what),
        }
    }
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "false" && value != "0")
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb")
}

impl Progress {
    /// For people who want to see it or not, and for a file of events. The secrets are in neither.
    pub fn new(is_quiet: bool, events: Option<&Utf8Path>, secrets: Secrets, lang: Lang) -> Result<Self> {
        let journal = events.map(|path| Journal::open(path, lang)).transpose()?;
        Ok(Progress { people: People::new(is_quiet), journal, secrets })
    }

    fn write(&self, event: Event) {
        let written = self.journal.as_ref().map_or(Ok(()), |journal| journal.write(event));
        if let Err(failure) = written {
            // There is no stream any more in which this could be told as well.
            self.line(&failure);
        }
    }

    /// The delivery of a feature begins.
    pub fn delivery(&self, feature: &str) -> Delivery<'_> {
        self.write(Event::DeliveryStarted { feature: feature.to_owned() });
        Delivery { progress: self, feature: feature.to_owned() }
    }

    /// A stage begins to work. A round of 0 is none.
    pub fn stage(&self, feature: &str, stage: &str, round: u32, lang: Lang) -> Running<'_> {
        let detail = if round == 0 { String::new() } else { say!(lang, "round {round}", "第 {round} 轮") };
        self.people.begin(feature, step(feature, stage, &detail).trim_end());
        let round = (round > 0).then_some(round);
        let (feature, stage) = (feature.to_owned(), stage.to_owned());
        self.write(Event::StageStarted { feature: feature.clone(), stage: stage.clone(), round });
        Running { progress: self, feature, stage, round, began: Instant::now(), is_told: false }
    }

    /// A stage has nothing to do. A round of 0 is none.
    pub fn up_to_date(&self, feature: &str, stage: &str, round: u32) {
        self.write(Event::StageFinished {
            feature: feature.to_owned(),
            stage: stage.to_owned(),
            round: (round > 0).then_some(round),
            outcome: Outcome::UpToDate,
            seconds: 0.0,
        });
    }

    /// A stage goes on to another part of its work.
    pub fn begins(&self, feature: &str, stage: &str, part: &str) {
        self.people.begin(feature, step(feature, stage, part).trim_end());
        let (feature, stage, step) = (feature.to_owned(), stage.to_owned(), part.to_owned());
        self.write(Event::StepStarted { feature, stage, step });
    }

    /// What a program of a stage writes.
    pub fn output(&self, feature: &str, stage: &str) -> Outlet<'_> {
        Outlet::new(self, feature, stage)
    }

    /// Something about a feature.
    pub fn note(&self, feature: &str, text: &str) {
        let text = self.secrets.mask(text);
        self.people.line(&format!("{feature}  {text}"));
        self.write(Event::Note { feature: Some(feature.to_owned()), text });
    }

    /// Something about all of it.
    pub fn line(&self, text: &str) {
        let text = self.secrets.mask(text);
        self.people.line(&text);
        self.write(Event::Note { feature: None, text });
    }

    /// Nothing more will be told: the terminal belongs to the answer.
    pub fn close(&self) {
        if let People::Bars(bars) = &self.people {
            bars.clear();
        }
    }
}

/// One line for one step.
fn step(feature: &str, stage: &str, detail: &str) -> String {
    format!("{feature}  {stage:<10} {detail}")
}

/// A delivery that is under way.
#[must_use]
pub struct Delivery<'a> {
    progress: &'a Progress,
    feature: String,
}

impl Delivery<'_> {
    /// It is over: with an outcome and a last round, or because something stopped it.
    pub fn finish(self, outcome: Option<(&str, u32)>, ending: Ending) {
        if let People::Bars(bars) = &self.progress.people {
            bars.end(&self.feature);
        }
        self.progress.write(Event::DeliveryFinished {
            feature: self.feature,
            outcome: outcome.map(|(word, _)| word.to_owned()),
            round: outcome.map(|(_, round)| round),
            exit_code: ending.exit_code(),
        });
    }
}

/// A stage that is under way. One that is dropped has failed.
#[must_use]
pub struct Running<'a> {
    progress: &'a Progress,
    feature: String,
    stage: String,
    round: Option<u32>,
    began: Instant,
    is_told: bool,
}

impl Running<'_> {
    /// It is over, with this result.
    pub fn finish<T>(mut self, result: &Result<T>) {
        self.tell(match result {
            Ok(_) => Outcome::Ran,
            Err(failure) => match failure.ending() {
                Ending::Waiting => Outcome::Waiting,
                Ending::Interrupted => Outcome::Interrupted,
                _ => Outcome::Failed,
            },
        });
    }

    fn tell(&mut self, outcome: Outcome) {
        self.is_told = true;
        self.progress.write(Event::StageFinished {
            feature: self.feature.clone(),
            stage: self.stage.clone(),
            round: self.round,
            outcome,
            seconds: (self.began.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
        });
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if !self.is_told {
            self.tell(if interrupt::requested() { Outcome::Interrupted } else { Outcome::Failed });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_features_may_tell_at_a_time() {
        fn is_shared<T: Sync>() {}
        is_shared::<Progress>();
    }
}
