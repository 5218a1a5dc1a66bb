//! Starts a program and ends, so that the program stands below nobody who might end it.

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use crate::CANNOT_RUN;

/// Who is called with it first is no server: what follows is a program and its arguments.
pub const WORD: &str = "--start-detached";

/// Does it, if it was asked for. The program has our folder, variables and streams.
pub fn asked(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    if arguments.next()? != WORD {
        return None;
    }
    let mut command = Command::new(arguments.next().unwrap_or_default());
    command.args(arguments);
    // What is sent to the group of the host is not for it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(&mut command, NEW_PROCESS_GROUP);
    Some(match command.spawn() {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gate-mcp: {error}");
            ExitCode::from(CANNOT_RUN)
        }
    })
}

/// `CREATE_NEW_PROCESS_GROUP`.
#[cfg(windows)]
const NEW_PROCESS_GROUP: u32 = 0x200;
