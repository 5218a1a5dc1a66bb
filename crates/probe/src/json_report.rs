//! A report that is one JSON document: parsed once, keys that stand twice refused, numbers as they are written.

use gate::lang::Lang;
use gate::observation::Place;
use gate::say;
use serde_json::Value;

use crate::answer::{Outcome, unreadable};
use crate::json_text::skip_banner;
use crate::json_walk::{WalkError, push_pointer, walk_numbers};

/// The document of a report.
pub(crate) struct Report<'t> {
    text: &'t str,
    /// Its values; a number in it is only a sign that one stands there ([`Report::number`]).
    pub root: Value,
}

impl<'t> Report<'t> {
    /// Lines before the document, such as a banner of the tool, are skipped.
    pub(crate) fn parse(text: &'t str, lang: Lang) -> Outcome<Report<'t>> {
        let text = skip_banner(text);
        match walk_numbers(text, |_, _| ()) {
            Ok(()) => {}
            Err(WalkError::DuplicateKey(pointer)) => {
                return unreadable(say!(
                    lang,
                    "the key {pointer} stands twice: it has two values",
                    "键 {pointer} 出现两次：有两个值"
                ));
            }
            Err(WalkError::Json(error)) => return unreadable(error.explain(lang)),
        }
        match serde_json::from_str(text) {
            Ok(root) => Ok(Report { text, root }),
            Err(error) => {
                let line = error.line();
                unreadable(say!(
                    lang,
                    "no JSON in line {line}, or nested too deeply",
                    "第 {line} 行不是 JSON，或嵌套过深"
                ))
            }
        }
    }

    /// The number at a pointer, as it stands in the text.
    pub(crate) fn number(&self, pointer: &str) -> Option<&'t str> {
        let mut found = None;
        // The text was walked before without an error.
        let _ = walk_numbers(self.text, |at, raw| {
            if at == pointer {
                found = Some(raw);
            }
        });
        found
    }
}

/// A JSON pointer of these steps.
pub(crate) fn pointer(steps: &[&str]) -> String {
    steps.iter().fold(String::new(), |mut pointer, step| {
        push_pointer(&mut pointer, step);
        pointer
    })
}

/// The place at a pointer.
pub(crate) fn at(pointer: &str) -> Place {
    Place::Pointer { pointer: pointer.to_owned() }
}
