//! `gate-mcp`: the gate for hosts that speak the Model Context Protocol. Nothing is decided here: every tool runs `xtask`,
//! and what only a person may do is offered as a command to type.
//!
//! Standard output holds the protocol and nothing else; what there is to say goes to standard error.

mod answer;
mod calls;
mod catalogue;
mod detached;
mod input;
mod limit;
mod options;
mod person;
mod result;
mod runs;
mod schema;
mod server;
mod xtask;

use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use rmcp::ServiceExt;
use rmcp::transport::async_rw::AsyncRwTransport;

use calls::Gate;
use options::Options;
use server::Server;

/// As xtask's, where something that is needed could not run.
const CANNOT_RUN: u8 = 7;

/// No message to us is this long; one that is longer is dropped before it fills the memory.
const LONGEST_LINE: usize = 1024 * 1024;

fn main() -> ExitCode {
    if let Some(ended) = detached::asked(std::env::args_os().skip(1)) {
        return ended;
    }
    let options = Options::parse();
    match serve(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gate-mcp: {error:#}");
            ExitCode::from(CANNOT_RUN)
        }
    }
}

fn serve(options: &Options) -> Result<()> {
    let xtask = xtask::Xtask { program: options.xtask()?, root: options.root()? };
    eprintln!("gate-mcp: serves {} with {}", xtask.root, xtask.program);
    let server = Server::new(Gate::new(xtask, options.lang()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("the server cannot begin")?;
    let served = runtime.block_on(async {
        let (input, output) = rmcp::transport::stdio();
        let transport = AsyncRwTransport::new_server(input, output).with_max_line_length(LONGEST_LINE);
        match server.serve(transport).await {
            Ok(running) => {
                running.waiting().await.context("the server broke off")?;
                Ok(())
            }
            // A client that goes away before it said anything wanted nothing.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => {
                Err(anyhow::Error::new(error).context("the client did not begin as the protocol asks"))
            }
        }
    });
    // Reading standard input cannot be given up, and is not waited for.
    runtime.shutdown_background();
    served
}
