//! The README's commands do what the README says.

use std::fs;

use crate::support::{Workspace, repository};

/// Commands of the `sh` blocks, in order; the test command is the one that runs this.
fn commands(readme: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(repository().join(readme)).unwrap();
    let mut in_block = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            in_block = line == "```sh";
        } else if in_block && !line.trim().is_empty() && line != "cargo test --workspace" {
            found.push(line.split_whitespace().map(str::to_owned).collect());
        }
    }
    found
}

#[test]
fn the_commands_of_both_readmes_run() {
    for readme in ["README.md", "README.zh.md"] {
        let workspace = Workspace::sample();
        let commands = commands(readme);
        assert!(commands.len() >= 3, "{readme} has {} commands", commands.len());
        for command in commands {
            let words: Vec<&str> = command.iter().map(String::as_str).collect();
            let Some(arguments) = words.strip_prefix(&["cargo", "xtask"]) else {
                panic!("{readme}: {words:?}")
            };
            workspace.xtask(arguments).run().exits(0);
        }
    }
}

/// A link in a document of ours leads somewhere.
#[test]
fn links_in_the_documents_lead_somewhere() {
    for document in ["README.md", "README.zh.md", "ARCHITECTURE.md", "SECURITY.md", "SECURITY.zh.md"] {
        let text = fs::read_to_string(repository().join(document)).unwrap();
        for target in
            text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
        {
            assert!(repository().join(target).exists(), "{document} links {target}");
        }
    }
}
