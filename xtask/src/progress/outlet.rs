//! The lines of a running program on their way to whoever watches: as many as anyone can follow.

use std::time::{Duration, Instant};

use super::{Event, People, Progress};
use crate::plain::plain;

/// How many lines of a program are passed on in a [`WINDOW`].
const MOST: u32 = 20;

/// See [`MOST`].
const WINDOW: Duration = Duration::from_millis(200);

/// How much of a line is passed on, in bytes.
const LONGEST: usize = 1000;

/// Takes the lines of one program.
pub struct Outlet<'a> {
    progress: &'a Progress,
    feature: String,
    stage: String,
    window: Instant,
    passed: u32,
    /// The last line that was left out, so that the last of all is never missed.
    last: String,
    /// How many were left out since one was passed on.
    skipped: u64,
}

impl<'a> Outlet<'a> {
    pub(super) fn new(progress: &'a Progress, feature: &str, stage: &str) -> Self {
        let (feature, stage) = (feature.to_owned(), stage.to_owned());
        Outlet {
            progress,
            feature,
            stage,
            window: Instant::now(),
            passed: 0,
            last: String::new(),
            skipped: 0,
        }
    }

    /// The program wrote a line. One without text is nothing to see.
    pub fn line(&mut self, text: &str) {
        if self.window.elapsed() >= WINDOW {
            self.window = Instant::now();
            self.passed = 0;
        }
        if self.passed >= MOST {
            self.skipped += 1;
            self.last.clear();
            self.last.push_str(beginning(text));
            return;
        }
        let line = plain(beginning(text));
        if !line.trim().is_empty() {
            self.passed += 1;
            self.pass(line);
        }
    }

    fn pass(&mut self, line: String) {
        let line = self.progress.secrets.mask(&line);
        if let People::Bars(bars) = &self.progress.people {
            bars.output(&self.feature, &line);
        }
        let skipped = std::mem::take(&mut self.skipped);
        self.last.clear();
        let (feature, stage) = (self.feature.clone(), self.stage.clone());
        self.progress.write(Event::Output { feature, stage, line, skipped });
    }
}

impl Drop for Outlet<'_> {
    fn drop(&mut self) {
        if self.skipped > 0 {
            self.skipped -= 1;
            self.pass(plain(&self.last));
        }
    }
}

fn beginning(text: &str) -> &str {
    let end = (0..=LONGEST.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    end.and_then(|end| text.get(..end)).unwrap_or_default()
}
