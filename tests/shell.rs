//! What shells and manuals are told of the installed program.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::Workspace;

#[test]
fn completions_are_scripts_of_their_shells() {
    let workspace = Workspace::empty();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = workspace.xtask(&["completions", shell]).run().exits(0).stdout;
        for word in ["xtask", "deliver", "github-matrix"] {
            assert!(script.contains(word), "no {word} in the script for {shell}");
        }
        if shell == "bash" {
            parses("bash", &["-n"], &script);
        }
    }
    workspace.xtask(&["completions", "tcsh"]).run().exits(2);
}

#[test]
fn the_manual_names_every_command() {
    let page = Workspace::empty().xtask(&["man"]).run().exits(0).stdout;
    assert!(page.starts_with(".ie ") || page.contains(".TH xtask 1"), "{page}");
    for command in ["deliver", "report", "init"] {
        assert!(page.contains(&format!("xtask\\-{command}(1)")), "no {command} in\n{page}");
    }
}

fn parses(program: &str, arguments: &[&str], script: &str) {
    let mut child = Command::new(program).args(arguments).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}
