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
}
