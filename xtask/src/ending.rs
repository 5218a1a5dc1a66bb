//! How a command can end. The exit code and the word in `--json` come from this one enum.

use serde::Serialize;

/// The answer of a command, as documented in the README.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Ending {
    /// Yes: done, accepted, nothing to do.
    Yes,
    /// The answer is no: the delivery failed, something is stale under a check.
    No,
    /// The command line itself is wrong.
    Usage,
    /// The pack, the pipeline or the checks are not valid.
    InvalidInput,
    /// A review finding blocks; no agent was started.
    Blocked,
    /// A person has to act before this goes on.
    Waiting,
    /// Something that was frozen or recorded is no longer what it was.
    Tampered,
    /// An executor, a collector or a tool could not run.
    CannotRun,
    /// It cannot be verified, because something is unavailable.
    Unavailable,
    /// Stopped by a person or a signal.
    Interrupted,
}

impl Ending {
    /// The exit code of the process.
    pub fn exit_code(self) -> u8 {
        match self {
            Ending::Yes => 0,
            Ending::No => 1,
            Ending::Usage => 2,
            Ending::InvalidInput => 3,
            Ending::Blocked => 4,
            Ending::Waiting => 5,
            Ending::Tampered => 6,
            Ending::CannotRun => 7,
            Ending::Unavailable => 8,
            Ending::Interrupted => 130,
        }
    }

    /// Over several features, the ending that most needs attention wins.
    pub fn worst(endings: impl IntoIterator<Item = Ending>) -> Ending {
        endings.into_iter().min_by_key(|ending| ending.rank()).unwrap_or(Ending::Yes)
    }

    fn rank(self) -> u8 {
        match self {
            Ending::Interrupted => 0,
            Ending::Tampered => 1,
            Ending::InvalidInput | Ending::Usage => 2,
            Ending::CannotRun => 3,
            Ending::Blocked => 4,
            Ending::No => 5,
            Ending::Unavailable => 6,
            Ending::Waiting => 7,
            Ending::Yes => 8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_that_most_needs_attention_wins() {
        let order = [130, 6, 3, 7, 4, 1, 8, 5, 0];
        let endings = [
            Ending::Yes,
            Ending::Waiting,
            Ending::Unavailable,
            Ending::No,
            Ending::Blocked,
            Ending::CannotRun,
            Ending::InvalidInput,
            Ending::Tampered,
            Ending::Interrupted,
        ];
        for (count, code) in (1..=endings.len()).rev().zip(order) {
            assert_eq!(Ending::worst(endings[..count].iter().copied()).exit_code(), code);
        }
    }
}
