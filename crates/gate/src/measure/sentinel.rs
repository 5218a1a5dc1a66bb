//! V11: the texts that say that there is no value.

use super::fold::{fold_char, is_blank};

/// Whether a text is a value at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It may be one.
    Present,
    /// It says that there is none.
    Missing,
    /// A sentinel in another case: text to some, nothing to others.
    Unclear,
}

const SENTINELS: [&str; 6] = ["NA", "N/A", "null", "undefined", "-", "--"];

/// Blank and sentinel texts are missing; the same in another case is unclear.
pub fn presence(text: &str) -> Presence {
    // No sentinel has a digit, and nearly every value has.
    if text.bytes().any(|b| b.is_ascii_digit()) {
        return Presence::Present;
    }
    if is_blank(text) {
        return Presence::Missing;
    }
    // The longest sentinel has nine characters; nothing longer is folded.
    let trimmed = text.trim();
    if trimmed.chars().nth(9).is_some() {
        return Presence::Present;
    }
    let folded: String = trimmed.chars().map(fold_char).collect();
    let folded = folded.trim_end_matches(['\u{FE0E}', '\u{FE0F}']);
    if SENTINELS.contains(&folded) {
        return Presence::Missing;
    }
    match SENTINELS.iter().any(|sentinel| sentinel.eq_ignore_ascii_case(folded)) {
        true => Presence::Unclear,
        false => Presence::Present,
    }
}

/// A word that denies a value where it stands beside others.
pub(crate) fn denies_value(word: &str) -> bool {
    matches!(word, "NA" | "null" | "undefined")
        || ["nan", "inf", "infinity", "infinite", "minus", "negative"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentinels() {
        for text in
            ["", "  ", "\u{3000}\n", "NA", " N/A ", "null", "undefined", "-", "--", "Ｎ／Ａ", "−", "\u{FE0F}"]
        {
            assert_eq!(presence(text), Presence::Missing, "{text:?}");
        }
        for text in ["n/a", "Null", "UNDEFINED", "na"] {
            assert_eq!(presence(text), Presence::Unclear, "{text:?}");
        }
        for text in ["0", "---", "nada", "N/A yet", "none"] {
            assert_eq!(presence(text), Presence::Present, "{text:?}");
        }
    }
}
