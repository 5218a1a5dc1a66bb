//! The page that is looked at in a browser: one template for both languages, with its style and its script in it.

use base64::Engine as _;
use camino::Utf8Path;
use gate::lang::Lang;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use tera::{Kwargs, State, Tera, Value};

use super::{anchor, html, label, markdown, phrases};
use crate::failure::Result;
use crate::files::Files;

/// The folder of its three files, relative to the root. Those that are not there are the built-in ones.
pub const FOLDER: &str = "templates/page";

/// The template's name.
pub const TEMPLATE: &str = "report.html.tera";

/// Its files with the text that the program carries.
pub const FILES: [(&str, &str); 3] = [
    (TEMPLATE, include_str!("../../../templates/page/report.html.tera")),
    ("report.css", include_str!("../../../templates/page/report.css")),
    ("report.js", include_str!("../../../templates/page/report.js")),
];

/// The page, parsed.
pub struct Page {
    tera: Tera,
    style: String,
    script: String,
    lang: Lang,
}

/// What a template sees beside its view.
#[derive(Serialize)]
struct Framed<'a, T> {
    page: &'a T,
    lang: Lang,
    /// As browsers name it.
    language: &'static str,
    style: &'a str,
    script: &'a str,
    /// What the browser may run and load: this style, this script, pictures in the page, and nothing else.
    policy: String,
}

impl Page {
    /// Reads and parses it.
    pub fn load(files: &Files, lang: Lang) -> Result<Self> {
        let [template, style, script] = FILES.map(|(name, built_in)| text(files, name, built_in));
        let mut tera = Tera::new();
        tera.autoescape_on([".html.tera"]);
        tera.set_escape_fn(html::escape);
        register_filters(&mut tera, lang);
        tera.add_raw_template(TEMPLATE, &template?)
            .map_err(|error| super::template_failure(&error, FOLDER, lang))?;
        Ok(Page { tera, style: style?, script: script?, lang })
    }

    /// Renders it with a view.
    pub fn render<T: Serialize>(&self, view: &T) -> Result<Vec<u8>> {
        let framed = Framed {
            page: view,
            lang: self.lang,
            language: self.lang.pick("en", "zh-CN"),
            style: &self.style,
            script: &self.script,
            policy: self.policy(),
        };
        let failure = |error: tera::Error| super::template_failure(&error, FOLDER, self.lang);
        let context = tera::Context::from_serialize(&framed).map_err(failure)?;
        Ok(self.tera.render(TEMPLATE, &context).map_err(failure)?.into_bytes())
    }

    fn policy(&self) -> String {
        let hash = |text: &str| {
            let digest = Sha256::digest(text.as_bytes());
            format!("'sha256-{}'", base64::engine::general_purpose::STANDARD.encode(digest))
        };
        format!(
            "default-src 'none'; style-src {}; script-src {}; img-src data:; base-uri 'none'; form-action 'none'",
            hash(&self.style),
            hash(&self.script)
        )
    }
}

fn text(files: &Files, name: &str, built_in: &str) -> Result<String> {
    let own = files.read(&Utf8Path::new(FOLDER).join(name))?;
    let text = own.map_or_else(|| built_in.to_owned(), |bytes| String::from_utf8_lossy(&bytes).into_owned());
    // Authored text may arrive with either line ending; artifacts have one.
    Ok(text.replace("\r\n", "\n"))
}

fn register_filters(tera: &mut Tera, lang: Lang) {
    tera.register_filter("label", move |word: &str, _: Kwargs, _: &State| label(word, lang));
    tera.register_filter("say", move |text: &str, values: Kwargs, _: &State| phrase(text, &values, lang));
    tera.register_filter("prose", |text: &str, _: Kwargs, _: &State| Value::safe_string(&prose(text)));
    tera.register_filter("anchor", |id: &str, _: Kwargs, _: &State| anchor(id));
    tera.register_filter("link", |path: &str, _: Kwargs, _: &State| markdown::link(path));
}

/// A text of the template in the reader's language, with what stands in its braces.
fn phrase(text: &str, values: &Kwargs, lang: Lang) -> String {
    let said = phrases::phrase(text, lang).to_owned();
    values.iter().fold(said, |said, (name, value)| {
        let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        said.replace(&format!("{{{name}}}"), &shown)
    })
}

/// A message of ours: what it quotes in backticks is code.
fn prose(text: &str) -> String {
    if !text.matches('`').count().is_multiple_of(2) {
        return html::escaped(text);
    }
    let pieces = text.split('`').enumerate().map(|(index, piece)| match index % 2 {
        1 => format!("<code>{}</code>", html::escaped(piece)),
        _ => html::escaped(piece),
    });
    pieces.collect()
}
