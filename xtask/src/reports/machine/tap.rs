//! The Test Anything Protocol, version 14: a test point a criterion, and a last one for the verdict.

use std::fmt::Write as _;

use super::Told;
use super::case::{Case, Standing};

/// Renders the stream.
pub fn render(told: &Told<'_>) -> String {
    let mut stream = format!("TAP version 14\n1..{}\n", told.cases.len() + 1);
    for (index, case) in told.cases.iter().enumerate() {
        point(&mut stream, index + 1, case);
    }
    let ok = if told.is_accepted() { "ok" } else { "not ok" };
    // Writing to a String does not fail, here and below.
    let _ = writeln!(stream, "{ok} {} - verdict", told.cases.len() + 1);
    let lines = told.general_lines();
    let mut fields = vec![("message", told.verdict())];
    fields.extend((!lines.is_empty()).then(|| ("problems", lines.join("\n"))));
    if !told.is_accepted() || !lines.is_empty() {
        diagnostics(&mut stream, &fields);
    }
    stream
}

/// `TODO` is TAP's word for what may fail, `SKIP` for what was not looked at.
fn point(stream: &mut String, number: usize, case: &Case<'_>) {
    let reason = escape(&case.summary());
    let (ok, directive) = match case.standing {
        Standing::Holds => ("ok", String::new()),
        Standing::Fails | Standing::Refused => ("not ok", String::new()),
        Standing::Spared | Standing::Waived => ("not ok", format!(" # TODO {reason}")),
        Standing::Unverified => ("ok", format!(" # SKIP {reason}")),
    };
    let _ = writeln!(stream, "{ok} {number} - {}{directive}", escape(&case.name()));
    if case.standing != Standing::Holds {
        let fields = [
            ("message", case.summary()),
            ("outcome", case.outcome().to_owned()),
            ("details", case.details()),
        ];
        diagnostics(stream, &fields);
    }
}

/// A block of YAML whose texts are in double quotes.
fn diagnostics(stream: &mut String, fields: &[(&str, String)]) {
    stream.push_str("  ---\n");
    for (name, value) in fields {
        let _ = writeln!(stream, "  {name}: {}", quoted(value));
    }
    stream.push_str("  ...\n");
}

/// What YAML may not hold plainly was named before, or is written by its number.
fn quoted(text: &str) -> String {
    let inner = text.chars().fold(String::with_capacity(text.len()), |mut inner, character| {
        match character {
            '"' => inner.push_str("\\\""),
            '\\' => inner.push_str("\\\\"),
            '\n' => inner.push_str("\\n"),
            '\t' => inner.push_str("\\t"),
            odd if odd.is_control() || matches!(odd, '\u{FFFE}' | '\u{FFFF}') => {
                let _ = write!(inner, "\\u{:04X}", u32::from(odd));
            }
            plain => inner.push(plain),
        }
        inner
    });
    format!("\"{inner}\"")
}

/// A hash sign would begin a directive.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('#', "\\#")
}
