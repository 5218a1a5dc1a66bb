//! Patterns in parameters: linear-time, unanchored, over bytes of UTF-8.

use regex::bytes::{Regex, RegexBuilder};

use crate::param::Params;

/// The most memory of a compiled pattern.
const SIZE_LIMIT: usize = 1024 * 1024;

/// The pattern of a parameter, if it is there; one that does not compile is recorded as an error.
pub(crate) fn param(params: &mut Params<'_>, name: &'static str) -> Option<Regex> {
    let text = params.text(name)?;
    compile(params, name, text)
}

/// Compiles a pattern that stands in a parameter.
pub(crate) fn compile(params: &mut Params<'_>, name: &'static str, text: &str) -> Option<Regex> {
    match RegexBuilder::new(text).size_limit(SIZE_LIMIT).build() {
        Ok(regex) => Some(regex),
        Err(error) => {
            // The last line of regex's message is the reason; those before draw the place.
            let whole = error.to_string();
            let reason = whole.lines().last().unwrap_or_default().trim_start_matches("error: ");
            params.invalid(
                name,
                format!(
                    "`{text}` is no pattern ({reason}); look-around and back-references do not exist here"
                ),
                format!("`{text}` 不是可用的正则（{reason}）；不支持环视与反向引用"),
            );
            None
        }
    }
}
