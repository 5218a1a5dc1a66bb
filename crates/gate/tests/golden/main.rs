//! What the law says of many texts, as golden files: one line a text. A line that changes is a change of the law, or of
//! what an author reads, and is looked at like one. `UPDATE_GOLDEN=1` writes them anew.
#![expect(clippy::disallowed_methods, reason = "golden files are files, and only tests read them")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]

mod audits;
mod packs;
mod statements;
mod values;

use std::path::{Path, PathBuf};

use gate::problem::Problem;

/// The root of the repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.replace("\r\n", "\n")
}

/// Holds lines against a golden file.
fn golden(name: &str, lines: &[String]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let now = lines.join("\n") + "\n";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let then = read(&path);
    let differ: Vec<String> = then
        .lines()
        .zip(now.lines())
        .filter(|(then, now)| then != now)
        .map(|(then, now)| format!("- {then}\n+ {now}"))
        .collect();
    let (count, kept) = (lines.len(), then.lines().count());
    assert!(differ.is_empty() && then == now, "{name}: {count} lines, {kept} kept\n{}", differ.join("\n"));
}

/// Findings, a line each.
fn told(problems: &[Problem]) -> Vec<String> {
    let line = |problem: &Problem| {
        let criterion = problem.criterion.as_deref().unwrap_or("-");
        format!("  {} {criterion}: {} => {}", problem.code.name(), problem.message, problem.help)
    };
    problems.iter().map(line).map(|line| shown(&line)).collect()
}

/// What is not seen, or turns text round, is written out.
fn shown(text: &str) -> String {
    let shown = |c: char| {
        if ('\u{200b}'..='\u{206f}').contains(&c) { c.escape_unicode().to_string() } else { c.to_string() }
    };
    text.chars().map(shown).collect()
}
