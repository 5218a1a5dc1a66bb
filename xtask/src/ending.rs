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

    /// The one that counts over several features: what nobody could look at yet comes before what was judged, and what
    /// was judged before what only waits.
    pub fn worst(all: impl IntoIterator<Item = Ending>) -> Ending {
        let all: Vec<Ending> = all.into_iter().collect();
        let worst = Self::BY_WEIGHT.into_iter().find(|ending| all.contains(ending));
        worst.unwrap_or(Ending::Yes)
    }

    /// The heaviest first.
    const BY_WEIGHT: [Ending; 10] = [
        Ending::Interrupted,
        Ending::Usage,
        Ending::Tampered,
        Ending::InvalidInput,
        Ending::CannotRun,
        Ending::Blocked,
        Ending::No,
        Ending::Unavailable,
        Ending::Waiting,
        Ending::Yes,
    ];
}

#[cfg(test)]
mod tests {
    use super::Ending;

    #[test]
    fn the_worst_ending_counts() {
        let codes = |endings: &[Ending]| Ending::worst(endings.iter().copied()).exit_code();
        assert_eq!(codes(&[]), 0);
        assert_eq!(codes(&[Ending::Yes, Ending::Waiting]), 5);
        assert_eq!(codes(&[Ending::Waiting, Ending::Unavailable]), 8);
        assert_eq!(codes(&[Ending::Unavailable, Ending::No, Ending::Yes]), 1);
        assert_eq!(codes(&[Ending::No, Ending::Blocked]), 4);
        assert_eq!(codes(&[Ending::Blocked, Ending::CannotRun]), 7);
        assert_eq!(codes(&[Ending::CannotRun, Ending::InvalidInput]), 3);
        assert_eq!(codes(&[Ending::InvalidInput, Ending::Tampered]), 6);
        assert_eq!(codes(&[Ending::Tampered, Ending::Interrupted]), 130);
    }
}
