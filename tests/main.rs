//! The integration tests: the real binary, real git repositories, real processes, in folders of their own.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says by panicking that it failed")]

mod support;

mod acp;
mod agent;
mod agent_faults;
mod agent_setup;
mod attestation;
mod auditors;
mod bad_input;
mod ci;
mod clock;
mod codes;
mod crash;
mod doctor;
mod engine;
mod evidence;
mod executors;
mod forgeries;
mod formats;
mod freezing;
mod guide;
mod hostile;
#[cfg(unix)]
mod hosts;
mod import;
mod init;
mod interruption;
mod ledger;
mod mcp;
mod page;
mod processes;
mod prompt;
mod readme;
mod review;
mod reviewers;
mod rounds;
mod sample;
mod security;
#[cfg(feature = "shell")]
mod shell;
mod stages;
mod summary;
mod templates;
mod verifier;
mod verify;
