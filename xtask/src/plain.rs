//! Text of other programs, without what makes a terminal do something.

/// The text without escape sequences and control characters; lines and tabs stay.
pub fn plain(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        match letter {
            '\u{1b}' => skip_sequence(&mut rest),
            '\n' | '\t' => clean.push(letter),
            _ if letter.is_control() => {}
            _ => clean.push(letter),
        }
    }
    clean
}

/// The rest of an escape sequence: to its final letter, or, of one that holds a text, to the end of that.
fn skip_sequence(rest: &mut std::str::Chars<'_>) {
    let is_end = |letter: char| ('\u{40}'..='\u{7e}').contains(&letter);
    match rest.clone().next() {
        Some('[') => {
            rest.next();
            while let Some(letter) = rest.clone().next().filter(|letter| *letter != '\n') {
                rest.next();
                if is_end(letter) {
                    return;
                }
            }
        }
        Some(']' | 'P' | '_' | '^' | 'X') => {
            while let Some(letter) = rest.clone().next().filter(|letter| *letter != '\n') {
                rest.next();
                if letter == '\u{7}' {
                    return;
                }
                if letter == '\u{1b}' {
                    // ESC \ ends it.
                    rest.next();
                    return;
                }
            }
        }
        Some('(' | ')' | '#' | '%') => {
            rest.next();
            rest.next();
        }
        Some(letter) if letter != '\n' => {
            rest.next();
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn only_text_is_left() {
        for (text, expected) in [
            ("\u{1b}[1;31mred\u{1b}[0m and \u{1b}[2K\r\tplain\n", "red and \tplain\n"),
            ("\u{1b}]0;title\u{7}a\u{1b}]8;;http://x\u{1b}\\b", "ab"),
            ("\u{1b}(Ba\u{1b}=b\u{1b}", "ab"),
            ("\u{1b}[12\nnext", "\nnext"),
            ("中文 \u{8}\u{0}é", "中文 é"),
        ] {
            assert_eq!(plain(text), expected, "{text:?}");
        }
    }
}
