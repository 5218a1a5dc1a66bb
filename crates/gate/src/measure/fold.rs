//! V1 and V2: what folds to ASCII before reading, and which characters are refused.

use unicode_normalization::char::is_combining_mark;

use super::refusal::Refusal;

/// A text of numbers longer than this many characters is refused: it is a log, not a value.
pub const MAX_CHARS: usize = 10_000;

/// Refuses control, format and other invisible characters (V2, every matcher).
pub fn visible(text: &str) -> Result<(), Refusal> {
    // Nearly every value is printable ASCII throughout.
    if text.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return Ok(());
    }
    match text.chars().find(|c| is_refused(*c)) {
        None => Ok(()),
        Some(found) => Err(Refusal::Invisible { found }),
    }
}

/// Whether nothing is there to see: white space and variation selectors only.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_variation(c))
}

/// V1: full-width forms, Unicode spaces and U+2212 become ASCII, one character for one; nothing else changes.
pub fn fold_char(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '\u{2212}' => '-',
        '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => ' ',
        other => other,
    }
}

/// The folded characters of a text that numbers are read from, or why it may not be read.
pub fn fold(text: &str) -> Result<Vec<char>, Refusal> {
    let chars: Vec<char> = text.chars().map(fold_char).collect();
    if chars.len() > MAX_CHARS {
        return Err(Refusal::TooLong { limit: MAX_CHARS });
    }
    if text.is_ascii() {
        return Ok(chars);
    }
    if let Some(found) = chars.iter().copied().find(|c| is_foreign_numeral(*c)) {
        return Err(Refusal::ForeignNumeral { found });
    }
    // A full-width comma between half-width digits groups thousands to some and ends a clause to others.
    let mut written = text.chars();
    let (mut before, mut here) = (None, written.next());
    for next in written {
        if here == Some('，') && [before, Some(next)].iter().all(|c| c.is_some_and(|c| c.is_ascii_digit())) {
            return Err(Refusal::Comma { text: "，".to_owned() });
        }
        (before, here) = (here, Some(next));
    }
    let marked = chars.windows(2).any(|pair| match pair {
        [digit, mark] => digit.is_ascii_digit() && is_combining_mark(*mark),
        _ => false,
    });
    if marked { Err(Refusal::MarkedDigit) } else { Ok(chars) }
}

/// Numerals of other scripts, fractions, superscripts, circled and Roman numerals. Han numerals are letters to
/// Unicode and are looked for where they touch a number; `〇` is here, since Unicode calls it a numeral.
fn is_foreign_numeral(c: char) -> bool {
    !c.is_ascii() && c.is_numeric()
}

fn is_variation(c: char) -> bool {
    matches!(c, '\u{FE0E}' | '\u{FE0F}')
}

/// Control characters but tab, LF and CR; format characters; everything else that Unicode lets a renderer
/// ignore or that draws nothing; non-characters.
fn is_refused(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        '\u{0}'..='\u{1F}' | '\u{7F}'..='\u{9F}' => true,
        '\u{20}'..='\u{7E}' => false,
        _ => is_invisible(c),
    }
}

fn is_invisible(c: char) -> bool {
    let code = c as u32;
    matches!(
        code,
        // Soft hyphen, joiner of graphemes, Arabic and Syriac format characters.
        0xAD | 0x34F | 0x600..=0x605 | 0x61C | 0x6DD | 0x70F | 0x890..=0x891 | 0x8E2
        // Fillers and vowels that draw nothing.
        | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F | 0x3164 | 0xFFA0 | 0x2800
        // Zero-width, directional, separators, invisible operators.
        | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F
        // Variation selectors but the text and emoji ones, the byte-order mark, specials.
        | 0xFE00..=0xFE0D | 0xFEFF | 0xFFF0..=0xFFFB
        // Format characters beyond the basic plane, tags, supplementary selectors.
        | 0x110BD | 0x110CD | 0x13430..=0x1343F | 0x1BCA0..=0x1BCA3 | 0x1D159 | 0x1D173..=0x1D17A
        | 0xE0000..=0xE0FFF
        | 0xFDD0..=0xFDEF
    ) || code & 0xFFFE == 0xFFFE
}

/// The Chinese numerals that V2 refuses where they touch a number or its unit.
pub fn is_han_numeral(c: char) -> bool {
    !c.is_ascii()
        && "零一二三四五六七八九十百千万亿兆两俩半廿卅壹贰貳叁參肆伍陆陸柒捌玖拾佰仟萬億兩".contains(c)
}

/// Whether a character belongs to a script that puts no space between words.
pub fn is_cjk(c: char) -> bool {
    // Most characters are ASCII.
    if c.is_ascii() {
        return false;
    }
    matches!(c as u32,
        0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3040..=0x30FF | 0x3100..=0x312F
        | 0x31A0..=0x31BF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF
        | 0x20000..=0x3FFFF)
}

/// A letter of a script with spaces between words, or what stands for one inside an identifier or word.
pub fn is_word_letter(c: char) -> bool {
    (c.is_alphabetic() && !is_cjk(c)) || c == '_' || is_combining_mark(c) && !is_variation(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_is_narrow_and_idempotent() {
        assert_eq!(fold("７２０ｍｓ").unwrap(), "720ms".chars().collect::<Vec<_>>());
        assert_eq!(fold("−3\u{A0}dB").unwrap(), "-3 dB".chars().collect::<Vec<_>>());
        for c in '\u{0}'..='\u{10FFFF}' {
            assert_eq!(fold_char(fold_char(c)), fold_char(c));
        }
        for kept in ['–', '×', '〜', '。', '、', '℃'] {
            assert_eq!(fold_char(kept), kept);
        }
    }

    #[test]
    fn invisible_characters_are_refused() {
        for c in [
            '\u{0}',
            '\u{B}',
            '\u{85}',
            '\u{AD}',
            '\u{200B}',
            '\u{200D}',
            '\u{202E}',
            '\u{2028}',
            '\u{2066}',
            '\u{FEFF}',
            '\u{3164}',
            '\u{2800}',
            '\u{FE00}',
            '\u{E0041}',
            '\u{180E}',
            '\u{34F}',
            '\u{FFFF}',
        ] {
            assert!(visible(&format!("720{c}ms")).is_err(), "{c:?}");
        }
        for c in ['\t', '\n', '\r', '\u{FE0E}', '\u{FE0F}', '中', '\u{A0}', '\u{3000}', '✔', 'é'] {
            assert!(visible(&format!("720 {c} ms")).is_ok(), "{c:?}");
        }
    }

    /// The characters of a class: all planes but those of ideographs and of private use.
    fn class(pattern: &str) -> std::collections::BTreeSet<char> {
        let all: String = ('\u{0}'..='\u{1FFFF}').chain('\u{E0000}'..='\u{E1FFF}').collect();
        let class = regex::Regex::new(pattern).unwrap();
        class.find_iter(&all).flat_map(|found| found.as_str().chars()).collect()
    }

    #[test]
    fn the_refused_characters_are_those_that_unicode_calls_invisible() {
        let refused = class(r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+");
        // A braille cell without dots and a null notehead draw nothing; non-characters are no text.
        let also = |c: char| {
            let noncharacter = ('\u{FDD0}'..='\u{FDEF}').contains(&c) || c as u32 & 0xFFFE == 0xFFFE;
            noncharacter || matches!(c, '\u{2800}' | '\u{1D159}')
        };
        let allowed = ['\t', '\n', '\r', '\u{FE0E}', '\u{FE0F}'];
        for c in '\u{0}'..='\u{10FFFF}' {
            let expected = !allowed.contains(&c) && (also(c) || refused.contains(&c));
            assert_eq!(is_refused(c), expected, "U+{:04X}", c as u32);
        }
    }

    #[test]
    fn every_numeral_of_unicode_is_refused() {
        // The standard library may know a newer Unicode than the engine, and then refuses more.
        for c in class(r"\p{N}+").into_iter().filter(|c| !c.is_ascii()) {
            assert!(is_foreign_numeral(c), "U+{:04X}", c as u32);
        }
    }

    #[test]
    fn a_full_width_comma_groups_only_full_width_digits() {
        assert!(fold("700，720ms").is_err());
        for text in ["７，２００", "700ms，720ms", "第1，2步，3次"] {
            assert_eq!(fold(text).is_ok(), text != "第1，2步，3次", "{text}");
        }
    }

    #[test]
    fn numerals_and_marks_are_refused() {
        for text in ["1½ms", "١٢٠٠", "①", "10²", "Ⅳ", "7\u{FE0F}\u{20E3}", "7\u{301}20", "二〇"] {
            assert!(fold(text).is_err(), "{text}");
        }
        assert!(fold("一百毫秒 café").is_ok());
    }
}
