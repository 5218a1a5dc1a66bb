//! `docs/commands.md`: every command with its arguments, out of the command line itself.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory};

use crate::cli::Cli;

/// Set to anything, it makes the test write the page instead of comparing it.
const UPDATE: &str = "UPDATE_DOCS";

/// What is only built for the installed program is told in the guide.
const ONLY_INSTALLED: [&str; 2] = ["completions", "man"];

fn page() -> String {
    let mut cli = Cli::command();
    cli.build();
    let mut page = String::from("# Commands\n\n");
    let _ = writeln!(page, "{}\n", text(cli.get_about()));
    page.push_str(
        "The installed program is called `xtask`; in this repository, cargo builds and starts it as `cargo xtask`. This page is \
         generated from the command line; `--help` says the same.\n\n",
    );
    page.push_str("## For every command\n\n");
    let global = cli.get_arguments().filter(|argument| argument.is_global_set());
    global.for_each(|argument| line(argument, &mut page));
    for command in cli.get_subcommands().filter(|command| is_told(command)) {
        section(command, &mut page);
    }
    page
}

fn is_told(command: &Command) -> bool {
    command.get_name() != "help" && !ONLY_INSTALLED.contains(&command.get_name())
}

fn section(command: &Command, page: &mut String) {
    let _ = write!(page, "\n## {}\n\n{}.\n\n", command.get_name(), text(command.get_about()));
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let _ = write!(page, "```text\n{usage}\n```\n\n");
    let own =
        command.get_arguments().filter(|argument| !argument.is_global_set() && argument.get_id() != "help");
    own.for_each(|argument| line(argument, page));
    if let Some(after) = command.get_after_help() {
        let _ = write!(page, "\n```text\n{}\n```\n", after.to_string().trim());
    }
}

fn line(argument: &Arg, page: &mut String) {
    let name = match (argument.get_long(), argument.get_short()) {
        (Some(long), Some(short)) => format!("--{long}, -{short}"),
        (Some(long), None) => format!("--{long}"),
        _ => String::new(),
    };
    let takes = argument.get_action().takes_values();
    let value = argument.get_value_names().filter(|_| takes).and_then(|names| names.first());
    let shown = match (name.is_empty(), value) {
        (true, Some(value)) => format!("<{value}>"),
        (false, Some(value)) => format!("{name} <{value}>"),
        _ => name,
    };
    let _ = writeln!(page, "- `{shown}`: {}", text(argument.get_help()));
}

/// What `--help` shows, in one line.
fn text(styled: Option<&clap::builder::StyledStr>) -> String {
    styled.map(ToString::to_string).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_page_names_every_command() {
    let (expected, file) = (page(), format!("{}/../docs/commands.md", env!("CARGO_MANIFEST_DIR")));
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&file, &expected).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        committed == expected,
        "docs/commands.md is out of date: run {UPDATE}=1 cargo test --workspace reference"
    );
}
