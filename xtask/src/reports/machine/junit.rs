//! JUnit's XML, by the schema that Jenkins publishes: a suite a dimension, a case a criterion, and a last suite for the gate.

use std::fmt::Write as _;

use gate::pack::Dimension;

use super::case::{Case, Standing};
use super::{Told, text};

/// The cases of a suite as they were written, counted.
#[derive(Default)]
struct Suite {
    cases: String,
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

/// Renders the document.
pub fn render(told: &Told<'_>) -> String {
    let feature = &told.audit.feature;
    let mut suites = Vec::new();
    for dimension in Dimension::ALL {
        let cases = told.cases.iter().filter(|case| case.result.dimension == dimension);
        let name = format!("{feature}.{}", dimension.word());
        let mut suite = Suite::default();
        cases.for_each(|case| suite.add(case, &name, told.pack));
        if suite.tests > 0 {
            suites.push((name, suite));
        }
    }
    suites.push((format!("{feature}.gate"), gate(told)));
    let sum = |count: fn(&Suite) -> usize| suites.iter().map(|(_, suite)| count(suite)).sum::<usize>();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a String does not fail, here and below.
    let _ = writeln!(
        xml,
        "<testsuites name=\"{feature}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"0\">",
        sum(|suite| suite.tests),
        sum(|suite| suite.failures),
        sum(|suite| suite.errors)
    );
    for (name, suite) in &suites {
        suite.write(name, told, &mut xml);
    }
    xml.push_str("</testsuites>\n");
    xml
}

/// The verdict, and what is no criterion's.
fn gate(told: &Told<'_>) -> Suite {
    let verdict = escape(&told.verdict());
    let body = match told.is_accepted() {
        true => String::new(),
        false => {
            let lines = text::block(&told.general_lines().join("\n"));
            format!("<failure type=\"verdict\" message=\"{verdict}\">{}</failure>", escape(&lines))
        }
    };
    let classname = format!("{}.gate", told.audit.feature);
    let mut suite = Suite { tests: 1, failures: usize::from(!told.is_accepted()), ..Suite::default() };
    suite.push("verdict", &classname, None, "", &body);
    suite
}

impl Suite {
    fn add(&mut self, case: &Case<'_>, classname: &str, file: &str) {
        let message = escape(&case.summary());
        let details = escape(&case.details());
        self.tests += 1;
        let body = match case.standing {
            Standing::Holds => format!("<system-out>{message}</system-out>"),
            Standing::Waived | Standing::Spared | Standing::Unverified => {
                self.skipped += 1;
                format!("<skipped>{message}</skipped><system-out>{details}</system-out>")
            }
            Standing::Fails => {
                self.failures += 1;
                format!("<failure type=\"{}\" message=\"{message}\">{details}</failure>", case.outcome())
            }
            Standing::Refused => {
                self.errors += 1;
                format!("<error type=\"{}\" message=\"{message}\">{details}</error>", case.outcome())
            }
        };
        self.push(&case.name(), classname, Some(file), case.outcome(), &body);
    }

    fn push(&mut self, name: &str, classname: &str, file: Option<&str>, status: &str, body: &str) {
        let file = file.map(|file| format!(" file=\"{}\"", escape(file))).unwrap_or_default();
        let status = if status.is_empty() { String::new() } else { format!(" status=\"{status}\"") };
        let _ = writeln!(
            self.cases,
            "    <testcase name=\"{}\" classname=\"{classname}\"{file}{status} time=\"0\">{body}</testcase>",
            escape(name)
        );
    }

    fn write(&self, name: &str, told: &Told<'_>, xml: &mut String) {
        let audit = told.audit;
        let _ = writeln!(
            xml,
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"0\" timestamp=\"{}\">",
            self.tests,
            self.failures,
            self.errors,
            self.skipped,
            escape(audit.instant.trim_end_matches('Z'))
        );
        xml.push_str("    <properties>\n");
        let round = audit.round.to_string();
        let properties = [("round", &round), ("commit", &audit.commit), ("packSha256", &audit.pack_sha256)];
        for (name, value) in properties {
            let _ = writeln!(xml, "      <property name=\"{name}\" value=\"{}\"/>", escape(value));
        }
        xml.push_str("    </properties>\n");
        xml.push_str(&self.cases);
        xml.push_str("  </testsuite>\n");
    }
}

/// Text for an element or an attribute in quotes. XML has no way at all to write some characters: they are named.
fn escape(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut escaped, character| {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{FFFE}' | '\u{FFFF}' => {
                let _ = write!(escaped, "⟨U+{:04X}⟩", u32::from(character));
            }
            control if control.is_control() && !matches!(control, '\n' | '\t') => {
                let _ = write!(escaped, "⟨U+{:04X}⟩", u32::from(control));
            }
            plain => escaped.push(plain),
        }
        escaped
    })
}
