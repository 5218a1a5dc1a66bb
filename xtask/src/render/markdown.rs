//! Text from packs, agents and devices as Markdown: shown as it is, never taken for markup.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::width::clipped;

/// Escapes text for a paragraph or a table cell (CommonMark and GFM). Lines become `<br>`, so that no text can end
/// a cell or begin a block; what cannot be seen is named.
pub fn escape(text: &str, output: &mut dyn Write) -> io::Result<()> {
    escape_piece(text.trim(), output)
}

/// As [`escape`], with the white space around it: a piece of a line.
fn escape_piece(text: &str, output: &mut dyn Write) -> io::Result<()> {
    let mut previous = None;
    for (index, character) in text.char_indices() {
        let next = text.get(index + character.len_utf8()..).and_then(|rest| rest.chars().next());
        match character {
            '\r' => {}
            '\n' => output.write_all(b"<br>")?,
            '&' => output.write_all(b"&amp;")?,
            '<' => output.write_all(b"&lt;")?,
            '>' => output.write_all(b"&gt;")?,
            '\\' | '`' | '*' | '[' | ']' | '|' | '~' | '$' => write!(output, "\\{character}")?,
            // Within a word an underscore is only that.
            '_' if is_word(previous) && is_word(next) => output.write_all(b"_")?,
            '_' => output.write_all(b"\\_")?,
            // Neither an address nor a name of a host becomes a link of somebody else's making.
            ':' if text.get(index..).is_some_and(|rest| rest.starts_with("://")) => {
                output.write_all(b"\\:")?
            }
            '.' if text.get(..index).is_some_and(ends_in_www) => output.write_all(b"\\.")?,
            '#' | '+' | '-' | '=' if index == 0 => write!(output, "\\{character}")?,
            '.' | ')'
                if text.get(..index).is_some_and(is_list_number) && next.is_none_or(char::is_whitespace) =>
            {
                write!(output, "\\{character}")?;
            }
            hidden if is_hidden(hidden) => write!(output, "⟨U+{:04X}⟩", u32::from(hidden))?,
            plain => write!(output, "{plain}")?,
        }
        previous = Some(character);
    }
    Ok(())
}

fn is_word(character: Option<char>) -> bool {
    character.is_some_and(char::is_alphanumeric)
}

fn ends_in_www(before: &str) -> bool {
    before.len() >= 3 && before.get(before.len() - 3..).is_some_and(|end| end.eq_ignore_ascii_case("www"))
}

/// `1.` at the start of a line would begin a list.
fn is_list_number(before: &str) -> bool {
    (1..=9).contains(&before.len()) && before.bytes().all(|byte| byte.is_ascii_digit())
}

/// Controls and format characters: they hide text or turn it around.
pub(super) fn is_hidden(character: char) -> bool {
    (character.is_control() && character != '\t')
        || matches!(character,
            '\u{00AD}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{180E}' | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Names what is hidden, and leaves the rest as it is.
pub fn visible(text: &str, keep_lines: bool) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut shown, character| {
        match character {
            '\r' => {}
            '\n' if keep_lines => shown.push('\n'),
            '\n' => shown.push(' '),
            hidden if is_hidden(hidden) => {
                // Writing to a String does not fail.
                let _ = write!(shown, "⟨U+{:04X}⟩", u32::from(hidden));
            }
            plain => shown.push(plain),
        }
        shown
    })
}

/// The longest run of backticks in a text.
fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}

/// How wide a cell of a table is: what is wider stands in full elsewhere.
const CELL: usize = 64;

/// Text as inline code in a cell of a table, where a pipe would end the cell even within code. A wide one is cut.
pub fn cell(text: &str) -> String {
    code(&clipped(text, CELL)).replace('|', "\\|")
}

/// Text as inline code, whatever backticks it holds.
pub fn code(text: &str) -> String {
    let text = visible(text, false);
    let ticks = "`".repeat(longest_run(&text) + 1);
    let needs_space = text.starts_with('`') || text.ends_with('`') || text.is_empty();
    let space = if needs_space { " " } else { "" };
    format!("{ticks}{space}{text}{space}{ticks}")
}

/// A message of ours: what it quotes in backticks is code, the rest is escaped. Quoted text that holds backticks of its
/// own may be set apart at the wrong place, and is still never markup.
pub fn prose(text: &str) -> String {
    if text.trim().is_empty() {
        // Nothing after a dash is no item of a list, and makes a heading of the line before.
        return "–".to_owned();
    }
    let quotes_are_paired = text.matches('`').count().is_multiple_of(2);
    let mut output = Vec::new();
    for (index, piece) in text.split('`').enumerate() {
        // Writing to a Vec does not fail.
        let _ = match (quotes_are_paired, index % 2) {
            (true, 1) => output.write_all(code(piece).as_bytes()),
            (true, _) => escape_piece(piece, &mut output),
            (false, _) if index == 0 => escape(text, &mut output),
            (false, _) => Ok(()),
        };
    }
    String::from_utf8_lossy(&output).into_owned()
}

/// Text as a fenced block that nothing inside it can close.
pub fn fence(text: &str) -> String {
    let text = visible(text, true);
    let ticks = "`".repeat((longest_run(&text) + 1).max(3));
    format!("{ticks}text\n{}\n{ticks}", text.trim_end_matches('\n'))
}

/// A relative path as the target of a link: what would end the target or begin a scheme is percent-encoded.
pub fn link(path: &str) -> String {
    path.bytes().fold(String::with_capacity(path.len()), |mut target, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' => {
                target.push(char::from(byte))
            }
            other => {
                // Writing to a String does not fail.
                let _ = write!(target, "%{other:02X}");
            }
        }
        target
    })
}

/// The backticks with which a line opens or closes a block.
pub fn fence_marker(line: &str) -> Option<String> {
    let ticks: String = line.trim_start().chars().take_while(|character| *character == '`').collect();
    (ticks.len() >= 3).then_some(ticks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let mut output = Vec::new();
        escape(text, &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn text_is_never_markup() {
        for (text, expected) in [
            ("plain 中文 ≤ 800ms", "plain 中文 ≤ 800ms"),
            ("a|b", "a\\|b"),
            ("two\nlines", "two<br>lines"),
            ("two\r\nlines\n", "two<br>lines"),
            ("<script>&amp;", "&lt;script&gt;&amp;amp;"),
            ("`x` *y* _z_ snake_case", "\\`x\\` \\*y\\* \\_z\\_ snake_case"),
            ("[t](u)", "\\[t\\](u)"),
            ("# h", "\\# h"),
            (" \t# x", "\\# x"),
            ("see https://a.b and www.c.d", "see https\\://a.b and www\\.c.d"),
            ("- item", "\\- item"),
            ("1. item", "1\\. item"),
            ("1.2s", "1.2s"),
            ("{{ x }} {% y %}", "{{ x }} {% y %}"),
            ("a\u{202E}b", "a⟨U+202E⟩b"),
        ] {
            assert_eq!(escaped(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_a_message_quotes_is_code() {
        assert_eq!(prose("`1|2` fails `x` *now*"), "`1|2` fails `x` \\*now\\*");
        assert_eq!(prose("one ` only <b>"), "one \\` only &lt;b&gt;");
    }

    #[test]
    fn a_link_ends_where_the_path_ends() {
        assert_eq!(link("round-1/evidence/a b)(.json"), "round-1/evidence/a%20b%29%28.json");
        assert_eq!(link("启动.txt"), "%E5%90%AF%E5%8A%A8.txt");
    }

    #[test]
    fn code_and_fences_hold_any_backticks() {
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("a|b\nc"), "`a|b c`");
        assert_eq!(cell("a|b\nc"), "`a\\|b c`");
        assert_eq!(fence("x\n````\ny"), "`````text\nx\n````\ny\n`````");
    }
}
