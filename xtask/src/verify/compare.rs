//! Two texts, byte for byte: what is there, and what has to be.

use camino::Utf8Path;
use gate::code::Code;
use gate::problem::{Problem, Span};
use gate::say;
use serde::Serialize;

use super::subject::Subject;
use crate::failure::Result;
use crate::render::Renderer;
use crate::store;

/// The longest piece of a line that is quoted, in characters.
const QUOTED: usize = 60;

/// Compares a JSON artifact with the one that recomputing gives.
pub fn json<T: Serialize>(subject: &Subject<'_, '_>, path: &Utf8Path, made: &T) -> Result<Vec<Problem>> {
    Ok(bytes(subject, path, &store::json_bytes(made)?, Code::RecomputedDiffers)?.into_iter().collect())
}

/// Compares a file that is the same in every delivery.
pub fn text(subject: &Subject<'_, '_>, path: &Utf8Path, made: &[u8]) -> Result<Option<Problem>> {
    bytes(subject, path, made, Code::RecomputedDiffers)
}

/// Compares a Markdown file with what rendering its artifact again gives. A template that cannot be used hides nothing
/// else.
pub fn rendered(
    subject: &Subject<'_, '_>,
    path: &Utf8Path,
    render: impl FnOnce(&Renderer) -> Result<Vec<u8>>,
) -> Result<Vec<Problem>> {
    let (made, refused) = super::findings(subject.context.renderer().and_then(render))?;
    let Some(made) = made else { return Ok(refused) };
    Ok(bytes(subject, path, &made, Code::RenderedDiffers)?.into_iter().collect())
}

/// Compares a page with what rendering it again gives.
pub fn page(subject: &Subject<'_, '_>, path: &Utf8Path, made: &[u8]) -> Result<Option<Problem>> {
    bytes(subject, path, made, Code::RenderedDiffers)
}

/// One that is not there is for [`super::extra`] to tell.
fn bytes(subject: &Subject<'_, '_>, path: &Utf8Path, made: &[u8], code: Code) -> Result<Option<Problem>> {
    let Some(found) = subject.context.files.read(path)? else { return Ok(None) };
    if found == made {
        return Ok(None);
    }
    let lang = subject.context.lang();
    let (line, column, wanted, is) = first_difference(made, &found);
    let message = say!(
        lang,
        "{path} is not what recomputing gives: line {line} has to be {wanted}, and is {is}",
        "{path} 与重新计算的结果不一致：第 {line} 行应为 {wanted}，实际为 {is}"
    );
    Ok(Some(subject.finding(code, path, message).at(Span { line, column })))
}

/// Line and column, from 1, of the first difference, and what stands there in either text.
fn first_difference(made: &[u8], found: &[u8]) -> (u32, u32, String, String) {
    let at = made.iter().zip(found).take_while(|(one, other)| one == other).count();
    let before = made.get(..at).unwrap_or_default();
    let begins = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let inside = String::from_utf8_lossy(before.get(begins..).unwrap_or_default()).chars().count();
    let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    (small(line), small(inside + 1), quoted(made, begins, inside), quoted(found, begins, inside))
}

/// A piece of a line around its character `inside`; a word of its own where the text has ended.
fn quoted(text: &[u8], begins: usize, inside: usize) -> String {
    let rest = text.get(begins..).unwrap_or_default();
    if rest.is_empty() {
        return "∅".to_owned();
    }
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let from = inside.saturating_sub(QUOTED / 3);
    let piece: String = line.chars().skip(from).take(QUOTED).collect();
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    let (head, tail) = (cut(from > 0), cut(line.chars().count() > from + QUOTED));
    format!("{head}{:?}{tail}", piece.trim_end_matches('\r'))
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn the_first_difference_is_found_where_a_person_sees_it() {
        for (made, found, line, column, wanted, is) in [
            ("a\nb\n", "a\nc\n", 2, 1, "\"b\"", "\"c\""),
            ("a\nb\n", "a\n", 2, 1, "\"b\"", "∅"),
            ("a\n", "a\nb\n", 2, 1, "∅", "\"b\""),
            ("界面x\n", "界面y\n", 1, 3, "\"界面x\"", "\"界面y\""),
            ("", "x", 1, 1, "∅", "\"x\""),
            ("ab", "ab\n", 1, 3, "\"ab\"", "\"ab\""),
        ] {
            let seen = first_difference(made.as_bytes(), found.as_bytes());
            assert_eq!(seen, (line, column, wanted.to_owned(), is.to_owned()), "{made:?} {found:?}");
        }
    }
}
