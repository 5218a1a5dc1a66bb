//! The clause of a statement that a number stands in.

/// The clause up to a place, in lower case.
pub(super) fn clause(chars: &[char], place: usize, floor: usize) -> String {
    let ends =
        |c: &char| matches!(c, ',' | '.' | ';' | ':' | '(' | '\n' | '，' | '。' | '；' | '、' | '：' | '（');
    let before = chars.get(floor..place).unwrap_or_default();
    let from = before.iter().rposition(ends).map_or(0, |place| place + 1);
    let clause: String = before.get(from..).unwrap_or_default().iter().collect();
    clause.trim().to_lowercase()
}

/// Where the clause that a place is in ends.
pub(super) fn clause_end(chars: &[char], place: usize) -> usize {
    let rest = chars.get(place..).unwrap_or_default();
    let ends = |(at, c): (usize, &char)| {
        matches!(c, ',' | ';' | ':' | '(' | '\n' | '，' | '。' | '；' | '、' | '：' | '（')
            || (*c == '.' && !rest.get(at + 1).is_some_and(char::is_ascii_digit))
    };
    place + rest.iter().enumerate().position(ends).unwrap_or(rest.len())
}

pub(super) fn ends_with_word(text: &str, word: &str) -> bool {
    let before = text.strip_suffix(word).map(|before| before.chars().next_back());
    before.is_some_and(|last| last.is_none_or(|c| !c.is_ascii_alphanumeric()))
}

pub(super) fn back_over_space(chars: &[char], at: usize, floor: usize) -> usize {
    let mut place = at;
    while place > floor && chars.get(place - 1).is_some_and(|c| c.is_whitespace()) {
        place -= 1;
    }
    place
}

pub(super) fn text(chars: &[char], from: usize, to: usize) -> String {
    chars.get(from..to).unwrap_or_default().iter().collect::<String>().trim_end().to_owned()
}
