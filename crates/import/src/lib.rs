//! Requirements as teams keep them in, a draft of a pack out.
//!
//! Pure, like the readers: text in, a [`Draft`] and findings out; [`write()`] turns a draft into the YAML of a pack. A
//! format's reader ([`Format`]) answers [`item::Item`]s, which say no more than the text does; one place ([`compile`])
//! makes criteria of them. **Nothing is invented**: what the text does not say is left to the author and named, each
//! finding with its line, and a number becomes an assertion only as a proposal.

mod beyond;
mod compile;
mod dimension;
mod draft;
mod format;
mod ids;
mod item;
mod markdown;
mod open;
mod propose;
mod steps;
mod weight;
mod write;

use gate::code::Code;
use gate::lang::Lang;
use gate::node::Node;
use gate::pack::Dimension;
use gate::problem::{Problem, Span};

pub use draft::{Draft, DraftCriterion, DraftRequirement, Verify};
pub use format::{Format, detect};
pub use write::write;

/// A file that is imported.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Its name in comments and findings: relative, with forward slashes.
    pub file: &'a str,
    /// Its text, without a byte order mark.
    pub text: &'a str,
    /// The text as a located document, for formats that are JSON or YAML ([`Format::is_document`]).
    pub document: Option<&'a Node>,
}

/// What the author says besides the file.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// The id of the feature.
    pub feature: &'a str,
    /// The language of comments and findings.
    pub lang: Lang,
    /// The dimension of criteria whose text names none; without it the author chooses in the pack.
    pub dimension: Option<Dimension>,
}

/// A draft, and what could not be made checkable or was not carried over, in the order of the file.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The draft.
    pub draft: Draft,
    /// What the author has to know.
    pub findings: Vec<Problem>,
}

/// Reads requirements out of a file.
///
/// # Errors
///
/// What refuses the whole file: there is nothing of the format in it, it is over a limit, or the pack that it holds is
/// not one.
pub fn import(
    format: Format,
    source: &Source<'_>,
    settings: &Settings<'_>,
) -> Result<Imported, Vec<Problem>> {
    let imported = match format {
        Format::Article => format::article::read(source, settings)?,
        _ => compile::compile(format.read(source, settings.lang)?, source.file, settings),
    };
    if imported.draft.criteria.is_empty() && imported.draft.requirements.is_empty() {
        return Err(vec![nothing(format, source.file, settings.lang)]);
    }
    if imported.draft.criteria.len() > gate::decode::MAX_CRITERIA {
        return Err(vec![too_many(&imported.draft, source.file, settings.lang)]);
    }
    Ok(imported)
}

fn nothing(format: Format, file: &str, lang: Lang) -> Problem {
    let (word, looked_for) = (format.word(), format.looks_for(lang));
    let message = gate::say!(
        lang,
        "{file} holds no requirement as `{word}` has them: {looked_for}",
        "{file} 中没有 `{word}` 格式的需求：{looked_for}"
    );
    Problem::new(Code::ImportNothing, message, Code::ImportNothing.help(lang)).in_file(file)
}

fn too_many(draft: &Draft, file: &str, lang: Lang) -> Problem {
    let (count, most) = (draft.criteria.len(), gate::decode::MAX_CRITERIA);
    let message = gate::say!(
        lang,
        "the file comes to {count} criteria; a pack holds at most {most}",
        "文件得出 {count} 条标准；验收包最多 {most} 条"
    );
    let line = draft.criteria.get(most).map_or(1, |criterion| criterion.line);
    Problem::new(Code::LimitCount, message, Code::LimitCount.help(lang)).in_file(file).at(place(line))
}

/// The beginning of a line.
pub(crate) fn place(line: u32) -> Span {
    Span { line, column: 1 }
}
