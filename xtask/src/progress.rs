//! What a person sees while the pipeline works: one line a step, on standard error.

use std::io::Write;

/// Tells what happens, unless it was asked to be quiet.
pub struct Progress {
    quiet: bool,
}

impl Progress {
    /// For people who want to see it, or not.
    pub fn new(quiet: bool) -> Self {
        Progress { quiet }
    }

    /// A stage begins to work.
    pub fn begins(&self, feature: &str, stage: &str, detail: &str) {
        self.line(format!("{feature}  {stage:<10} {detail}").trim_end());
    }

    /// Anything else.
    pub fn line(&self, text: &str) {
        if !self.quiet {
            // Nobody is left to tell if standard error is closed.
            let _ = writeln!(std::io::stderr().lock(), "{text}");
        }
    }
}
