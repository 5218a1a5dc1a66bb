//! The integration tests: the real binary, real git repositories, real processes, in folders of their own.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says by panicking that it failed")]

mod support;

mod acp;
mod agent;
mod agent_faults;
mod attestation;
mod auditors;
mod bad_input;
mod clock;
mod codes;
mod crash;
mod doctor;
mod engine;
mod evidence;
mod executors;
mod forgeries;
mod freezing;
mod hostile;
mod import;
mod interruption;
mod ledger;
mod page;
mod processes;
mod prompt;
mod readme;
mod review;
mod reviewers;
mod rounds;
mod sample;
mod security;
mod stages;
mod verifier;
mod verify;
