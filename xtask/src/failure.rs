//! Why a command could not go on: coded problems, an interruption, or an error that nobody foresaw.

use std::fmt;

use gate::code::Code;
use gate::problem::Problem;

use crate::ending::Ending;

/// What stops a command. Every expected way carries its problems and says how the process ends.
#[derive(Debug)]
pub enum Failure {
    /// Findings, all of them, and the ending that they mean.
    Problems {
        /// How the command ends.
        ending: Ending,
        /// At least one, in a stable order.
        problems: Vec<Problem>,
    },
    /// A person or a signal stopped it; the next run goes on from here.
    Interrupted,
    /// The machine failed: a full disk, a folder without permission.
    Unexpected(anyhow::Error),
}

/// The result of everything impure.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// A single problem.
    pub fn one(ending: Ending, problem: Problem) -> Self {
        Failure::Problems { ending, problems: vec![problem] }
    }

    /// A single problem of a code, with its message and help.
    pub fn coded(ending: Ending, code: Code, message: impl Into<String>, help: impl Into<String>) -> Self {
        Failure::one(ending, Problem::new(code, message, help))
    }

    /// With everything that is said changed alike, as to take secrets out of it.
    pub fn map_text(self, change: impl Fn(&str) -> String) -> Self {
        match self {
            Failure::Problems { ending, mut problems } => {
                for problem in &mut problems {
                    problem.message = change(&problem.message);
                    problem.help = change(&problem.help);
                }
                Failure::Problems { ending, problems }
            }
            Failure::Interrupted => Failure::Interrupted,
            Failure::Unexpected(error) => Failure::Unexpected(anyhow::anyhow!(change(&format!("{error:#}")))),
        }
    }

    /// How the process ends.
    pub fn ending(&self) -> Ending {
        match self {
            Failure::Problems { ending, .. } => *ending,
            Failure::Interrupted => Ending::Interrupted,
            Failure::Unexpected(_) => Ending::CannotRun,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Problems { problems, .. } => {
                for (index, problem) in problems.iter().enumerate() {
                    let separator = if index == 0 { "" } else { "\n" };
                    write!(f, "{separator}{}: {}", problem.code.name(), problem.message)?;
                }
                Ok(())
            }
            Failure::Interrupted => f.write_str("interrupted"),
            Failure::Unexpected(error) => write!(f, "{error:#}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<anyhow::Error> for Failure {
    /// A failure that travelled through `anyhow` is taken out again, so that its code is not lost.
    fn from(error: anyhow::Error) -> Self {
        match error.downcast::<Failure>() {
            Ok(failure) => failure,
            Err(other) => Failure::Unexpected(other),
        }
    }
}
