//! A problem for a person at a terminal: what, where, the offending line, what to do.
//!
//! Source text is data: control and invisible characters are shown as `�`, so that no file can move the cursor or
//! turn the direction of a line.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use gate::lang::Lang;
use gate::problem::{Problem, Severity, Span};
use unicode_width::UnicodeWidthChar;

/// How many cells a tab takes in the line shown.
const TAB: usize = 4;
/// The widest line shown, in cells.
const WIDTH: usize = 120;

/// One problem. `source` is the text of the problem's file, if it is at hand; `colour` adds ANSI colours.
///
/// ```text
/// error[E_FIELD_UNKNOWN]: a criterion has no field `asertion`
///   --> features/login/pack.yaml:12:5
///    |
/// 12 |     asertion:
///    |     ^
///    = help: did you mean `assertion`?
/// ```
pub fn render(problem: &Problem, source: Option<&str>, lang: Lang, colour: bool) -> String {
    let paint = Paint { colour, severity: problem.severity };
    let mut out = String::new();
    let about = problem.criterion.as_deref().map(|id| format!("{}: ", one_line(id))).unwrap_or_default();
    let head = paint.strong(&format!("{}[{}]", severity(problem.severity, lang), problem.code.name()));
    // Writing to a String does not fail.
    let _ = writeln!(out, "{head}: {about}{}", one_line(&problem.message));
    let line = problem.at.and_then(|at| Some((at, source?.lines().nth(at.line.checked_sub(1)? as usize)?)));
    let margin = line.map_or(2, |(at, _)| at.line.to_string().len());
    if let Some(file) = &problem.file {
        let place = problem.at.map(|Span { line, column }| format!(":{line}:{column}")).unwrap_or_default();
        let _ = writeln!(out, "{:margin$}{} {}{place}", "", paint.faint("-->"), one_line(file));
    }
    if let Some((at, text)) = line {
        let (shown, caret) = clip(text, at.column as usize);
        let bar = paint.faint("|");
        let _ = writeln!(out, "{:margin$} {bar}", "");
        let _ = writeln!(out, "{} {bar} {shown}", paint.faint(&at.line.to_string()));
        let _ = writeln!(out, "{:margin$} {bar} {:caret$}{}", "", "", paint.strong("^"));
    }
    if !problem.help.is_empty() {
        let _ = writeln!(out, "{:margin$} {} {}", "", paint.faint("="), help(&problem.help, lang));
    }
    out
}

/// All problems, in their order, with a blank line between. `sources` holds the texts of files by the names that
/// problems give them.
pub fn render_all(
    problems: &[Problem],
    sources: &BTreeMap<String, String>,
    lang: Lang,
    colour: bool,
) -> String {
    let source =
        |problem: &Problem| problem.file.as_ref().and_then(|file| sources.get(file)).map(String::as_str);
    let rendered: Vec<String> = problems.iter().map(|p| render(p, source(p), lang, colour)).collect();
    rendered.join("\n")
}

fn severity(severity: Severity, lang: Lang) -> &'static str {
    match severity {
        Severity::Error => lang.pick("error", "错误"),
        Severity::Warning => lang.pick("warning", "警告"),
    }
}

fn help(text: &str, lang: Lang) -> String {
    format!("{}{}", lang.pick("help: ", "帮助："), one_line(text))
}

/// The line as shown, and how many cells stand before the caret. A long line is cut around the caret.
fn clip(text: &str, column: usize) -> (String, usize) {
    let cells: Vec<(char, usize)> = text.trim_end_matches('\r').chars().flat_map(cells).collect();
    let before = text.chars().take(column.saturating_sub(1)).flat_map(cells_of).count();
    let caret: usize = cells.iter().take(before).map(|(_, width)| width).sum();
    let total: usize = cells.iter().map(|(_, width)| width).sum();
    if total <= WIDTH {
        return (cells.iter().map(|(c, _)| c).collect(), caret);
    }
    // Keep two thirds of the width before the caret, and mark what is cut off.
    let skip_cells = caret.saturating_sub(WIDTH * 2 / 3);
    let (mut skipped, mut shown, mut used) = (0, String::new(), 0);
    if skip_cells > 0 {
        shown.push('…');
        used = 1;
    }
    for (character, width) in cells {
        if skipped < skip_cells {
            skipped += width;
            continue;
        }
        if used + width > WIDTH {
            shown.push('…');
            break;
        }
        shown.push(character);
        used += width;
    }
    (shown, caret - skipped + usize::from(skip_cells > 0))
}

fn cells_of(character: char) -> impl Iterator<Item = (char, usize)> {
    cells(character)
}

/// What is shown for a character, with its width.
fn cells(character: char) -> impl Iterator<Item = (char, usize)> {
    let (shown, width, count) = match character {
        '\t' => (' ', 1, TAB),
        c if is_hidden(c) => ('\u{fffd}', 1, 1),
        c => (c, c.width().unwrap_or(1), 1),
    };
    std::iter::repeat_n((shown, width), count)
}

/// Control characters, and format characters that reorder or hide text.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c == '\n' || c == '\t' {
                ' '
            } else if is_hidden(c) {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect()
}

struct Paint {
    colour: bool,
    severity: Severity,
}

impl Paint {
    fn strong(&self, text: &str) -> String {
        let code = match self.severity {
            Severity::Error => "1;31",
            Severity::Warning => "1;33",
        };
        self.paint(code, text)
    }

    fn faint(&self, text: &str) -> String {
        self.paint("1;34", text)
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}
