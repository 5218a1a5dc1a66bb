//! What was done to the app's tests: which are gone, and which are there and no longer run. Read out of changed lines, for
//! people to look at; it decides nothing.

use std::collections::BTreeSet;

use crate::documents::{TestLine, TestsTouched};
use crate::failure::Result;
use crate::git::Git;
use crate::secrets::Secrets;

/// How many rows of a kind are told.
const ROWS: usize = 200;

/// How many signs of a line are told.
const SIGNS: usize = 200;

/// What a delivered commit did to the tests of its base.
pub fn between(worktree: &Git, base: &str, head: &str, secrets: &Secrets) -> Result<TestsTouched> {
    let files = worktree.differences(base, head, &[])?;
    let tests: Vec<&(char, String)> = files.iter().filter(|(_, path)| is_test(path)).collect();
    let gone =
        tests.iter().filter(|(status, _)| *status == 'D').map(|(_, path)| secrets.mask(path)).take(ROWS);
    // Those that were there before come first: not every row is told.
    let lines = [false, true].map(|is_new| {
        let stays = tests.iter().filter(|(status, _)| *status != 'D' && (*status == 'A') == is_new);
        worktree.changed_lines(base, head, &stays.map(|(_, path)| path.as_str()).collect::<Vec<_>>())
    });
    let lines = in_lines(&lines.into_iter().collect::<Result<String>>()?, secrets);
    Ok(TestsTouched { deleted: gone.collect(), ..lines })
}

/// Whether a path is one at which tests lie.
fn is_test(path: &str) -> bool {
    const FOLDERS: &[&str] = &["test", "tests", "ohostest", "__tests__"];
    let path = path.to_lowercase();
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
    folders.split('/').any(|folder| FOLDERS.contains(&folder))
        || name.contains(".test.")
        || name.contains("_test.")
        || name.contains(".spec.")
}

/// What the lines of a diff without context say.
fn in_lines(diff: &str, secrets: &Secrets) -> TestsTouched {
    let lines = changed_lines(diff);
    let running: BTreeSet<String> =
        lines.iter().filter(|line| line.is_new).filter_map(|line| running_test(&line.text)).collect();
    let mut touched = TestsTouched::default();
    for line in &lines {
        if line.is_new && is_skip(&line.text) {
            push(&mut touched.skipped, line, secrets);
        } else if !line.is_new && running_test(&line.text).is_some_and(|test| !running.contains(&test)) {
            push(&mut touched.removed, line, secrets);
        }
    }
    touched
}

fn push(rows: &mut Vec<TestLine>, line: &ChangedLine, secrets: &Secrets) {
    if rows.len() < ROWS {
        // Before it is cut: a part of a secret is none that is known.
        let text = secrets.mask(line.text.trim()).chars().take(SIGNS).collect();
        rows.push(TestLine { path: secrets.mask(&line.path), line: line.number, text });
    }
}

struct ChangedLine {
    path: String,
    number: u64,
    text: String,
    is_new: bool,
}

fn changed_lines(diff: &str) -> Vec<ChangedLine> {
    let mut lines = Vec::new();
    let mut path = String::new();
    // How many lines of the old and the new file the piece still has, and the numbers of the next.
    let (mut old, mut new) = ((0, 0), (0, 0));
    for line in diff.lines() {
        if old.1 == 0 && new.1 == 0 {
            if let Some(rest) = line.strip_prefix("+++ ") {
                path = rest.strip_prefix("b/").unwrap_or(rest).trim_end_matches('\t').to_owned();
            } else if let Some(piece) = piece(line) {
                (old, new) = piece;
            }
            continue;
        }
        let (side, is_new) = match line.as_bytes().first() {
            Some(b'-') => (&mut old, false),
            Some(b'+') => (&mut new, true),
            _ => continue,
        };
        let text = line.get(1..).unwrap_or_default().to_owned();
        lines.push(ChangedLine { path: path.clone(), number: side.0, text, is_new });
        *side = (side.0.saturating_add(1), side.1.saturating_sub(1));
    }
    lines
}

/// First line and count of a piece: `@@ -3,2 +3 @@`.
fn piece(line: &str) -> Option<((u64, u64), (u64, u64))> {
    let mut words = line.strip_prefix("@@ -")?.split(' ');
    let range = |word: &str| {
        let (first, count) = word.split_once(',').unwrap_or((word, "1"));
        Some((first.parse().ok()?, count.parse().ok()?))
    };
    Some((range(words.next()?)?, range(words.next()?.strip_prefix('+')?)?))
}

/// The name of the test that begins on a line and runs.
fn running_test(line: &str) -> Option<String> {
    let line = line.trim_start();
    let call = ["it(", "test(", "it.only(", "test.only(", "describe("]
        .iter()
        .find(|call| line.starts_with(**call))?;
    let rest = line.get(call.len()..)?.trim_start();
    let quote = rest.chars().next().filter(|sign| matches!(sign, '\'' | '"' | '`'))?;
    let name = rest.get(1..)?.split(quote).next()?;
    Some(format!("{} {name}", if *call == "describe(" { "describe" } else { "test" }))
}

/// Whether a line keeps a test from running.
fn is_skip(line: &str) -> bool {
    let line = line.trim_start();
    ["xit(", "xdescribe(", "it.skip(", "test.skip(", "describe.skip(", "test.todo(", "it.todo("]
        .iter()
        .any(|call| line.starts_with(call))
        || ["@Ignore", "@Disabled", "#[ignore", "@pytest.mark.skip", "@unittest.skip", ".skip()"]
            .iter()
            .any(|mark| line.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_lie_in_their_folders_and_have_their_names() {
        for path in ["entry/src/ohosTest/ets/test/Login.test.ets", "tests/a.py", "src/a_test.go", "a.spec.ts"]
        {
            assert!(is_test(path), "{path}");
        }
        for path in
            ["entry/src/main/ets/pages/Login.ets", "latest/a.ets", "contest.ets", "spec/login/spec.md"]
        {
            assert!(!is_test(path), "{path}");
        }
    }

    #[test]
    fn a_test_that_is_gone_or_skipped_is_told_and_one_that_moved_is_not() {
        let diff = "\
diff --git a/t/Login.test.ets b/t/Login.test.ets
--- a/t/Login.test.ets
+++ b/t/Login.test.ets
@@ -3,4 +3,3 @@ describe('login', () => {
-    it('shows an error', 0, () => {
-    it('moves', 0, () => {
--- it('looks like a header')
-    it('is skipped', 0, () => {
+      it('moves', 0, () => {
+    xit('is skipped', 0, () => {
+    // it('shows an error', 0, () => {
@@ -20 +19,2 @@
-  expect(a).assertEqual(1)
+  expect(a).assertEqual(2)
+  @Ignore
";
        let touched = in_lines(diff, &Secrets::new([]));
        let told = |rows: &[TestLine]| {
            rows.iter().map(|row| format!("{}:{} {}", row.path, row.line, row.text)).collect::<Vec<_>>()
        };
        let gone = [
            "t/Login.test.ets:3 it('shows an error', 0, () => {",
            "t/Login.test.ets:6 it('is skipped', 0, () => {",
        ];
        assert_eq!(told(&touched.removed), gone);
        let skipped = ["t/Login.test.ets:4 xit('is skipped', 0, () => {", "t/Login.test.ets:20 @Ignore"];
        assert_eq!(told(&touched.skipped), skipped);
    }

    #[test]
    fn what_is_no_diff_says_nothing() {
        for text in ["", "@@", "@@ -x +y @@", "+it('a')", "@@ -1,9999999999999999999999 +1 @@\n-it('a')"] {
            assert!(in_lines(text, &Secrets::new([])).is_empty(), "{text}");
        }
    }
}
