//! Workflow commands of GitHub: a line a finding, shown beside the line of the pack that it is about.
//!
//! GitHub keeps ten errors and ten warnings of a step and forgets the rest, silently. So the worst come first, and where
//! some would be forgotten the last line says how many.

use gate::say;

use super::finding::{Finding, Weight};
use super::{Told, text};

/// What GitHub keeps of each kind.
const KEPT: usize = 10;

/// The most characters that it shows of a title.
const TITLE: usize = 200;

/// Renders the lines.
pub fn render(told: &Told<'_>) -> String {
    let mut lines = Vec::new();
    for (weight, command) in
        [(Weight::Error, "error"), (Weight::Warning, "warning"), (Weight::Note, "notice")]
    {
        let of_kind: Vec<&Finding<'_>> =
            told.findings.iter().filter(|finding| finding.weight == weight).collect();
        // The verdict is an error of its own, and is never the one that is left out.
        let fails = weight == Weight::Error && !told.is_accepted();
        if fails {
            let verdict = told.verdict();
            lines.push(annotation(command, told.pack, (1, 1), &verdict, &verdict));
        }
        let room = KEPT - usize::from(fails);
        let shown = if of_kind.len() > room { room - 1 } else { of_kind.len() };
        lines.extend(of_kind.iter().take(shown).map(|finding| told_of(command, finding)));
        let rest = of_kind.len() - shown;
        if rest > 0 {
            let more = say!(told.lang(), "and {rest} more; the report has all", "另有 {rest} 条，见报告");
            lines.push(annotation(command, told.pack, (1, 1), &more, &more));
        }
    }
    if lines.is_empty() {
        let verdict = told.verdict();
        lines.push(annotation("notice", told.pack, (1, 1), &verdict, &verdict));
    }
    lines.join("\n") + "\n"
}

fn told_of(command: &str, finding: &Finding<'_>) -> String {
    let title = match finding.criterion {
        Some(id) => format!("{} {id}", finding.rule),
        None => finding.rule.to_owned(),
    };
    let message = format!("{}\n{}", finding.message, finding.details);
    annotation(command, finding.file, (finding.at.line, finding.at.column), &title, &message)
}

fn annotation(command: &str, file: &str, (line, column): (u32, u32), title: &str, message: &str) -> String {
    format!(
        "::{command} file={},line={},col={},title={}::{}",
        property(file),
        line.max(1),
        column.max(1),
        property(&text::clip(&text::line(title), TITLE)),
        data(&text::block(message))
    )
}

/// What follows the second pair of colons: a percent sign and the ends of lines mean something there.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property: colons and commas as well.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
