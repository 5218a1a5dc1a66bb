//! Templates: a view in, Markdown out. They decide nothing, and what comes from outside is escaped by default.

mod anchor;
pub mod built_in;
pub mod html;
mod labels;
pub mod markdown;
pub mod page;
mod phrases;
mod width;

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use gate::code::Code;
use gate::lang::Lang;
use gate::problem::{Problem, Span};
use gate::say;
use serde::Serialize;
use tera::{Kwargs, State, Tera, Value};

use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::files::Files;
use crate::store;

pub use anchor::anchor;
pub use labels::label;
pub use markdown::{link, visible};
pub use width::{clipped, columns_of};

/// The templates of one language, parsed.
pub struct Renderer {
    /// None lays nothing out.
    laid: Option<Laid>,
    lang: Lang,
}

/// What lays views out.
struct Laid {
    tera: Tera,
    page: page::Page,
}

/// Where the templates of a language are, relative to the root.
pub fn folder(lang: Lang) -> String {
    format!("templates/{}", lang.code())
}

impl Renderer {
    /// Reads and parses every template of a language, so that a broken one is found before anything acts.
    pub fn load(files: &Files, lang: Lang) -> Result<Self> {
        let mut tera = Tera::new();
        tera.autoescape_on([".md.tera"]);
        tera.set_escape_fn(markdown::escape);
        register_filters(&mut tera, lang);
        let folder = folder(lang);
        // One that stands in the repository takes the place of the built-in one, and may include others of its own.
        let mut templates: BTreeMap<String, String> =
            built_in::all(lang).map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        for name in files.list(Utf8Path::new(&folder))? {
            if name.ends_with(".tera") {
                let text = read_template(files, &Utf8PathBuf::from(&folder).join(&name))?;
                templates.insert(name, text);
            }
        }
        tera.add_raw_templates(templates).map_err(|error| template_failure(&error, &folder, lang))?;
        Ok(Renderer { laid: Some(Laid { tera, page: page::Page::load(files, lang)? }), lang })
    }

    /// One that answers what a template would see, as JSON.
    pub fn of_views(lang: Lang) -> Self {
        Renderer { laid: None, lang }
    }

    /// Renders a template with a view.
    pub fn render<T: Serialize>(&self, template: &str, view: &T) -> Result<Vec<u8>> {
        let Some(Laid { tera, .. }) = &self.laid else { return store::json_bytes(view) };
        let context = tera::Context::from_serialize(view).map_err(|error| self.failure(&error))?;
        let text = tera.render(template, &context).map_err(|error| self.failure(&error))?;
        Ok(tidy(&text).into_bytes())
    }

    /// Renders the page that is looked at in a browser.
    pub fn render_page<T: Serialize>(&self, view: &T) -> Result<Vec<u8>> {
        match &self.laid {
            Some(laid) => laid.page.render(view),
            None => store::json_bytes(view),
        }
    }

    fn failure(&self, error: &tera::Error) -> Failure {
        template_failure(error, &folder(self.lang), self.lang)
    }
}

fn read_template(files: &Files, path: &Utf8Path) -> Result<String> {
    let bytes = files.read(path)?.unwrap_or_default();
    // Authored text may arrive with either line ending; artifacts have one.
    Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
}

/// Blank lines that conditions leave behind are folded, and the text ends with one newline.
fn tidy(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    let mut blank = 1;
    let mut fence: Option<String> = None;
    for line in text.lines() {
        let marker = markdown::fence_marker(line);
        match (&fence, marker) {
            (None, Some(opened)) => fence = Some(opened),
            (Some(opened), Some(closed)) if closed.starts_with(opened.as_str()) => fence = None,
            _ => {}
        }
        let line = if fence.is_some() { line } else { line.trim_end() };
        blank = if line.is_empty() { blank + 1 } else { 0 };
        if blank < 2 || fence.is_some() {
            tidied.push_str(line);
            tidied.push('\n');
        }
    }
    let end = tidied.trim_end().len();
    tidied.truncate(end);
    tidied.push('\n');
    tidied
}

fn register_filters(tera: &mut Tera, lang: Lang) {
    tera.register_filter("label", move |word: &str, _: Kwargs, _: &State| label(word, lang));
    tera.register_filter("code", |text: &str, _: Kwargs, _: &State| {
        Value::safe_string(&markdown::code(text))
    });
    tera.register_filter("cell", |text: &str, _: Kwargs, _: &State| {
        Value::safe_string(&markdown::cell(text))
    });
    tera.register_filter("prose", |text: &str, _: Kwargs, _: &State| {
        Value::safe_string(&markdown::prose(text))
    });
    tera.register_filter("link", |path: &str, _: Kwargs, _: &State| {
        Value::safe_string(&markdown::link(path))
    });
    tera.register_filter("anchor", |id: &str, _: Kwargs, _: &State| Value::safe_string(&anchor(id)));
    tera.register_filter("fence", |text: &str, _: Kwargs, _: &State| {
        Value::safe_string(&markdown::fence(text))
    });
}

/// A template's own fault: which file, which line, and what to do.
fn template_failure(error: &tera::Error, folder: &str, lang: Lang) -> Failure {
    let said = error.to_string();
    let first = said.lines().next().unwrap_or_default();
    let what = first.strip_prefix("error: ").unwrap_or(first);
    let message = say!(lang, "the template cannot be used: {what}", "模板无法使用：{what}");
    let mut problem = Problem::new(Code::Template, message, Code::Template.help(lang));
    if let Some((file, span)) = place_in(&said) {
        problem = problem.in_file(&format!("{folder}/{file}")).at(span);
    }
    Failure::one(Ending::InvalidInput, problem)
}

/// The place that Tera names in its messages: ` --> brief.md.tera:12:5`.
fn place_in(message: &str) -> Option<(&str, Span)> {
    let placed = message.lines().find_map(|line| line.trim_start().strip_prefix("--> "))?;
    let mut parts = placed.trim().trim_matches(['[', ']']).rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    Some((parts.next()?, Span { line, column }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_fold_outside_fences_only() {
        let text = "\n\na  \n\n\n\nb\n```text\nx\n\n\ny  \n```\n\n\n";
        assert_eq!(tidy(text), "a\n\nb\n```text\nx\n\n\ny  \n```\n");
    }

    #[test]
    fn a_fault_names_its_template_and_place() {
        let message = "error: Unknown tag\n  --> brief.md.tera:13:36\n   |\n";
        assert_eq!(place_in(message), Some(("brief.md.tera", Span { line: 13, column: 36 })));
        assert_eq!(place_in("no place"), None);
    }
}
