//! Text from packs, agents and devices in HTML: shown as it is, never taken for markup.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::markdown::is_hidden;

/// The most characters of one text that a page shows. The artifact beside it has all of them.
const SHOWN: usize = 4000;

/// Escapes text for an element or an attribute in quotes. What cannot be seen is named, since it hides text or turns it
/// around; what is longer than anyone reads is cut.
pub fn escape(text: &str, output: &mut dyn Write) -> io::Result<()> {
    output.write_all(escaped(text).as_bytes())
}

/// As [`escape`], as a text.
pub fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len().min(SHOWN) + 16);
    for (count, character) in text.chars().enumerate() {
        if count == SHOWN {
            let rest = text.chars().count() - SHOWN;
            // Writing to a String does not fail.
            let _ = write!(shown, "… (+{rest})");
            break;
        }
        match character {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' => shown.push_str("&quot;"),
            '\'' => shown.push_str("&#39;"),
            '\r' => {}
            '\n' | '\t' => shown.push(character),
            hidden if is_hidden(hidden) => {
                let _ = write!(shown, "⟨U+{:04X}⟩", u32::from(hidden));
            }
            // No document may hold these two, in whatever notation.
            '\u{FFFE}' | '\u{FFFF}' => {
                let _ = write!(shown, "⟨U+{:04X}⟩", u32::from(character));
            }
            plain => shown.push(plain),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_never_markup() {
        for (text, expected) in [
            ("plain 中文 ≤ 800ms", "plain 中文 ≤ 800ms"),
            ("<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"),
            ("\" onload=\"x", "&quot; onload=&quot;x"),
            ("&amp;", "&amp;amp;"),
            ("a\u{202E}b\0c", "a⟨U+202E⟩b⟨U+0000⟩c"),
            ("a\r\nb", "a\nb"),
            ("\u{FFFF}", "⟨U+FFFF⟩"),
        ] {
            assert_eq!(escaped(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_nobody_reads_to_its_end_is_cut() {
        let shown = escaped(&"登".repeat(SHOWN + 5));
        assert!(shown.ends_with("登… (+5)"));
        assert_eq!(escaped(&"x".repeat(SHOWN)).len(), SHOWN);
    }
}
