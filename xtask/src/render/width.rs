//! How wide text is, and how it is cut to a width.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The beginning of a text, in one line, that is no wider than so many Latin letters; Chinese ones are twice as wide.
pub fn clipped(text: &str, columns: usize) -> String {
    let mut kept = String::new();
    let mut width = 0;
    let mut fits_mark = 0;
    for (index, word) in text.split_whitespace().enumerate() {
        let space = if index > 0 { " " } else { "" };
        for character in space.chars().chain(word.chars()) {
            let wide = character.width().unwrap_or(0);
            if width + wide > columns {
                kept.truncate(fits_mark);
                kept.push('…');
                return kept;
            }
            kept.push(character);
            width += wide;
            if width < columns {
                fits_mark = kept.len();
            }
        }
    }
    kept
}

/// How wide a text is, in Latin letters.
pub fn columns_of(text: &str) -> usize {
    text.width()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_by_its_width() {
        assert_eq!(clipped("请输入账号和密码", 16), "请输入账号和密码");
        assert_eq!(clipped("请输入账号和密码", 10), "请输入账…");
        assert_eq!(clipped("a\n b", 10), "a b");
        assert!(clipped(&"x".repeat(100_000), 20).len() < 30);
    }
}
