//! One bar a feature on a terminal: what it is about, since when, and the last line of the program that runs.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// How often the time on a bar goes on.
const TICK: Duration = Duration::from_millis(200);

/// What a bar shows. It has no colour, so that none has to be taken away.
const TEMPLATE: &str = "{prefix}  {elapsed}  {wide_msg}";

/// The bars of all features.
pub struct Bars {
    all: MultiProgress,
    open: Mutex<BTreeMap<String, ProgressBar>>,
}

impl Bars {
    /// On standard error, which has to be a terminal.
    pub fn new() -> Self {
        Bars { all: MultiProgress::new(), open: Mutex::new(BTreeMap::new()) }
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<String, ProgressBar>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A feature goes on to something else.
    pub fn begin(&self, feature: &str, what: &str) {
        let bar = self.open().entry(feature.to_owned()).or_insert_with(|| self.bar()).clone();
        bar.set_prefix(what.to_owned());
        bar.set_message("");
        bar.reset_elapsed();
    }

    fn bar(&self) -> ProgressBar {
        let style =
            ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_spinner());
        let bar = self.all.add(ProgressBar::new_spinner().with_style(style));
        bar.enable_steady_tick(TICK);
        bar
    }

    /// The running program of a feature wrote this.
    pub fn output(&self, feature: &str, line: &str) {
        if let Some(bar) = self.open().get(feature) {
            bar.set_message(line.replace('\t', " "));
        }
    }

    /// A line that stays, above the bars.
    pub fn line(&self, text: &str) {
        // Nobody is left to tell if standard error is closed.
        let _ = self.all.println(text);
    }

    /// A feature is over.
    pub fn end(&self, feature: &str) {
        if let Some(bar) = self.open().remove(feature) {
            bar.finish_and_clear();
            self.all.remove(&bar);
        }
    }

    /// Leaves the terminal as if there had been no bars.
    pub fn clear(&self) {
        let features: Vec<String> = self.open().keys().cloned().collect();
        features.iter().for_each(|feature| self.end(feature));
        let _ = self.all.clear();
    }
}
