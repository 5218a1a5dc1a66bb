//! Text to a located document: what an author's YAML or JSON says, and where it says it.
//!
//! One reading or none. A text with two readings is refused here, before anything is decoded from it:
//! duplicate keys are kept for the decoder to refuse with both places, numbers keep their text so that nothing
//! is rounded, and whatever parsers are known to read differently is an error with advice. YAML is the JSON-like
//! core of YAML 1.2: no tags, no merge keys, no directives, one document.
//!
//! [`yaml`] is the one module that imports `serde_yaml`.

mod diagnostic;
pub mod edit;
mod json;
mod yaml;
mod yaml_plain;
mod yaml_value;

use gate::code::Code;
use gate::lang::Lang;
use gate::node::Node;
use gate::problem::{Problem, Span};
use gate::say;

pub use diagnostic::render_all;

/// The largest text that is read, in bytes.
pub const MAX_BYTES: usize = 1 << 20;
/// The deepest nesting of lists and mappings that is read.
pub const MAX_DEPTH: usize = 32;
/// How often aliases may be used in one text.
pub const MAX_ALIASES: usize = 64;
/// How many values aliases may add to one text.
pub const MAX_ALIASED_NODES: usize = 10_000;

/// Reads a text as YAML or JSON, as its name says: `.json` is strict JSON, anything else YAML.
///
/// `file` is relative to the root and is named in every problem. Returns the document, or all that is wrong
/// with it in the order of the text; a syntax error hides whatever follows it.
pub fn parse(file: &str, bytes: &[u8], lang: Lang) -> Result<Node, Vec<Problem>> {
    let result = text_of(bytes, lang).and_then(|text| {
        if file.to_ascii_lowercase().ends_with(".json") {
            json::parse(text, lang)
        } else {
            yaml::parse(text, lang)
        }
    });
    result.map_err(|problems| problems.into_iter().map(|problem| problem.in_file(file)).collect())
}

/// The text without its byte order mark, if it is UTF-8 and within the limit.
pub fn text_of(bytes: &[u8], lang: Lang) -> Result<&str, Vec<Problem>> {
    if bytes.len() > MAX_BYTES {
        return Err(vec![Problem::new(
            Code::LimitSize,
            say!(
                lang,
                "the file is {} bytes; at most {MAX_BYTES} are read",
                "文件有 {} 字节；最多读取 {MAX_BYTES} 字节",
                bytes.len()
            ),
            Code::LimitSize.help(lang),
        )]);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => {
            let sound = &bytes[..error.valid_up_to()];
            let at = end_of(std::str::from_utf8(sound).unwrap_or_default());
            let message = say!(lang, "the bytes from here on are not UTF-8", "从此处起不是 UTF-8 编码");
            let help = match looks_like_gbk(bytes.get(error.valid_up_to()..).unwrap_or_default()) {
                true => say!(
                    lang,
                    "it looks like GBK, as spreadsheets save Chinese text: save it as UTF-8 (in Excel “CSV UTF-8”)",
                    "看起来是 GBK 编码（表格软件保存中文时常用）：请另存为 UTF-8（Excel 中选“CSV UTF-8”）"
                ),
                false => Code::Encoding.help(lang),
            };
            Err(vec![Problem::new(Code::Encoding, message, help).at(at)])
        }
    }
}

/// Whether every byte that is no ASCII belongs to a pair of GBK.
fn looks_like_gbk(bytes: &[u8]) -> bool {
    let mut rest = bytes.iter();
    while let Some(byte) = rest.next() {
        let is_pair =
            || rest.clone().next().is_some_and(|second| matches!(second, 0x40..=0x7e | 0x80..=0xfe));
        match byte {
            0x00..=0x7f => {}
            0x81..=0xfe if is_pair() => drop(rest.next()),
            _ => return false,
        }
    }
    true
}

/// The place just behind a text.
fn end_of(text: &str) -> Span {
    let line = text.matches('\n').count() + 1;
    let last = text.rsplit('\n').next().unwrap_or_default();
    span(line, last.chars().count() + 1)
}

/// Lines and columns from 1; a text within [`MAX_BYTES`] never saturates.
fn span(line: usize, column: usize) -> Span {
    Span { line: u32::try_from(line).unwrap_or(u32::MAX), column: u32::try_from(column).unwrap_or(u32::MAX) }
}

/// Too deep, at a place.
fn too_deep(at: Span, lang: Lang) -> Problem {
    let message = say!(
        lang,
        "lists and mappings nest deeper than {MAX_DEPTH} levels here",
        "列表与映射在此处的嵌套超过 {MAX_DEPTH} 层"
    );
    Problem::new(Code::LimitDepth, message, Code::LimitDepth.help(lang)).at(at)
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
