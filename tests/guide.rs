//! Every command of the guide does what the guide says. A page is run from its first command to its last, as one would.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Workspace, repository};

/// The pages, and whether they begin in the sample's repository or in an empty folder.
const PAGES: [(&str, bool); 6] = [
    ("first-delivery", false),
    ("pack", true),
    ("probe", true),
    ("device", true),
    ("ci", true),
    ("audit", true),
];

/// A page's blocks as one script that ends where a command ends otherwise than the page says. `# exit 5` behind a command says
/// that it ends so.
fn script(page: &str) -> String {
    let text = fs::read_to_string(repository().join("docs/guide").join(page)).unwrap();
    let mut script = String::from("set -eu\n");
    let mut in_block = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_block = line == "```sh";
        } else if in_block {
            match line.rsplit_once("# exit ") {
                Some((command, code)) => {
                    script.push_str(&format!("code=0; {command} || code=$?; test $code -eq {code}\n"));
                }
                None => script.push_str(&format!("{line}\n")),
            }
        }
    }
    script
}

/// The programs that pages call: `cargo xtask` and `xtask` are the one that was built, and there is a device.
#[cfg(unix)]
fn programs(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let xtask = env!("CARGO_BIN_EXE_xtask");
    for (name, text) in [
        ("xtask", format!("exec '{xtask}' \"$@\"")),
        ("cargo", format!("test \"$1\" = xtask; shift; exec '{xtask}' \"$@\"")),
        ("hdc", "echo 127.0.0.1:5555".to_owned()),
    ] {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join(name), format!("#!/bin/sh\nset -e\n{text}\n")).unwrap();
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn every_command_of_the_guide_runs() {
    for (name, in_sample) in PAGES {
        for page in [format!("{name}.md"), format!("{name}.zh.md")] {
            let workspace = if in_sample { Workspace::sample() } else { Workspace::empty() };
            let bin = workspace.root().join(".bin");
            programs(&bin);
            let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
            let script = script(&page);
            assert!(script.lines().count() > 3, "{page} has no commands");
            let output = Command::new("bash")
                .args(["-x", "-c", &script])
                .current_dir(workspace.root())
                .env("PATH", path)
                .envs([("GIT_AUTHOR_NAME", "Test"), ("GIT_AUTHOR_EMAIL", "test@example.invalid")])
                .envs([("GIT_COMMITTER_NAME", "Test"), ("GIT_COMMITTER_EMAIL", "test@example.invalid")])
                .env("SOURCE_DATE_EPOCH", "1780000000")
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{page}:\n{}\n{said}", String::from_utf8_lossy(&output.stdout));
        }
    }
}

/// Both languages say the same: the same headings, blocks and tables, and links that lead somewhere.
#[test]
fn both_languages_of_a_page_have_one_shape() {
    let shape = |page: &str| -> Vec<String> {
        let text = fs::read_to_string(repository().join("docs/guide").join(page)).unwrap();
        // The mark alone: what follows it is in the page's language.
        let mark = |line: &str| {
            let starts = ["### ", "## ", "# ", "```", "| ", "* "];
            starts.into_iter().find(|start| line.starts_with(start)).map(str::to_owned)
        };
        text.lines().filter_map(mark).collect()
    };
    for name in PAGES.iter().map(|(name, _)| *name).chain(["README"]) {
        assert_eq!(shape(&format!("{name}.md")), shape(&format!("{name}.zh.md")), "{name}");
        for page in [format!("{name}.md"), format!("{name}.zh.md")] {
            let folder = repository().join("docs/guide");
            let text = fs::read_to_string(folder.join(&page)).unwrap();
            for target in
                text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
            {
                assert!(folder.join(target).exists(), "{page} links {target}");
            }
        }
    }
}
