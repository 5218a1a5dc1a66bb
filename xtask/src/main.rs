//! `cargo xtask`: the delivery pipeline. Everything impure is here; the law is in `gate`, observation in `probe`.
//!
//! The house reads from top to bottom: the command line, the commands, verifying, the pipeline, its stages, executors and
//! reports, and last what they all stand on. Nothing below knows anything above.

mod cli;
mod commands;

mod verify;

mod pipeline;

mod custom;
mod executors;
mod reports;
mod stages;

mod attestation;
mod authored;
mod context;
mod cost;
mod documents;
mod ledger;
mod progress;
mod render;
mod rounds;

mod app;
mod clock;
mod digests;
mod document;
mod ending;
mod failure;
mod fault;
mod files;
mod git;
mod held;
mod interrupt;
mod keys;
mod parallel;
mod paths;
mod placeholders;
mod plain;
mod process;
#[cfg(test)]
mod schemas;
mod secrets;
mod store;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let ending = match cli::Cli::try_parse() {
        Ok(cli) => commands::run(&cli),
        Err(error) => commands::not_understood(&error),
    };
    ExitCode::from(ending.exit_code())
}
