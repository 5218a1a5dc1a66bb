//! Words of two languages, and how alike two statements are.

use std::collections::BTreeMap;

use crate::measure::claims;

/// A closed list of words: English ones are whole words without regard to case, Chinese ones stand anywhere.
pub(super) struct Words(pub &'static [&'static str]);

impl Words {
    /// The first of the list that a text holds.
    pub fn first_in(&self, text: &str) -> Option<&'static str> {
        let text = text.to_lowercase();
        self.0.iter().copied().find(|word| holds(&text, word))
    }

    /// All of the list that a text holds, in the order of the list; of two, one of which is part of the other, the
    /// longer.
    pub fn all_in(&self, text: &str) -> Vec<&'static str> {
        let text = text.to_lowercase();
        let found: Vec<&str> = self.0.iter().copied().filter(|word| holds(&text, word)).collect();
        let is_part =
            |word: &&&'static str| !found.iter().any(|other| other != *word && other.contains(**word));
        found.iter().filter(is_part).copied().collect()
    }
}

/// Whether a text in lower case holds a word.
fn holds(text: &str, word: &str) -> bool {
    if !word.is_ascii() {
        return text.contains(word);
    }
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|after| after.chars().next());
        !is_letter(before) && !is_letter(after)
    })
}

/// A text without what it quotes: words on a screen are not the author's.
pub(super) fn unquoted(text: &str) -> String {
    const PAIRS: [(char, char); 7] =
        [('“', '”'), ('「', '」'), ('『', '』'), ('‘', '’'), ('"', '"'), ('`', '`'), ('《', '》')];
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        let close = PAIRS
            .iter()
            .find(|(open, _)| *open == c)
            .and_then(|(_, close)| after.find(*close).and_then(|at| after.get(at + close.len_utf8()..)));
        match close {
            Some(beyond) => {
                kept.push(' ');
                rest = beyond;
            }
            None => {
                kept.push(c);
                rest = after;
            }
        }
    }
    kept
}

/// What a statement is about: its English words without endings and small words, pairs of its Chinese characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Subject {
    /// Sorted, each once; a part has one number among all statements.
    parts: Vec<usize>,
    /// Its numbers with their units, in order.
    pub numbers: Vec<String>,
}

/// Words that make no difference to what a statement asks for.
const SMALL: [&str; 27] = [
    "the", "a", "an", "is", "are", "be", "must", "should", "shall", "will", "to", "of", "in", "on", "at",
    "it", "its", "that", "this", "and", "than", "most", "least", "no", "more", "less", "within",
];

/// The same, in Chinese, as single characters.
const SMALL_HAN: &str = "的了应当须必要在到内以过超不少至多于等";

impl Subject {
    /// The subjects of all statements that are to be compared with each other.
    pub fn all<'s>(statements: impl IntoIterator<Item = &'s str>) -> Vec<Subject> {
        let mut known = BTreeMap::new();
        statements.into_iter().map(|statement| Subject::of(statement, &mut known)).collect()
    }

    fn of(statement: &str, known: &mut BTreeMap<String, usize>) -> Subject {
        let claims = claims(statement);
        let mut text = statement.to_lowercase();
        for claim in &claims {
            text = text.replace(&claim.text.to_lowercase(), " ");
        }
        let mut parts: Vec<usize> = parts(&text)
            .into_iter()
            .map(|part| {
                let next = known.len();
                *known.entry(part).or_insert(next)
            })
            .collect();
        parts.sort_unstable();
        parts.dedup();
        let numbers = claims.iter().map(|claim| format!("{:?} {:?}", claim.says, claim.unit)).collect();
        Subject { parts, numbers }
    }

    /// How much of both the two share, in hundredths.
    pub fn likeness(&self, other: &Subject) -> usize {
        let shared = self.shared(other);
        let all = self.parts.len() + other.parts.len() - shared;
        (shared * 100).checked_div(all).unwrap_or(100)
    }

    /// Whether one says nothing that the other does not.
    pub fn is_part_of_either(&self, other: &Subject) -> bool {
        self.shared(other) == self.parts.len().min(other.parts.len())
    }

    fn shared(&self, other: &Subject) -> usize {
        let mut others = other.parts.iter().peekable();
        let is_shared = |part: &&usize| {
            while others.next_if(|other| *other < *part).is_some() {}
            others.peek() == Some(part)
        };
        self.parts.iter().filter(is_shared).count()
    }

    pub fn parts(&self) -> &[usize] {
        &self.parts
    }
}

fn parts(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let (mut word, mut last_han) = (String::new(), None);
    for c in text.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() {
            word.push(c);
            continue;
        }
        let ended = std::mem::take(&mut word);
        let stem = ended.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(&ended);
        if !stem.is_empty() && !SMALL.contains(&ended.as_str()) {
            parts.push(stem.to_owned());
        }
        if c.is_ascii() || SMALL_HAN.contains(c) || !c.is_alphabetic() {
            last_han = if SMALL_HAN.contains(c) { last_han } else { None };
            continue;
        }
        if let Some(last) = last_han {
            parts.push(format!("{last}{c}"));
        }
        last_han = Some(c);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole_in_english_and_anywhere_in_chinese() {
        let words = Words(&["fast", "easy", "easily", "流畅"]);
        assert_eq!(words.first_in("It is Fast."), Some("fast"));
        assert_eq!(words.first_in("breakfast"), None);
        assert_eq!(words.all_in("页面流畅, easily"), ["easily", "流畅"]);
    }

    #[test]
    fn quotes_are_left_out() {
        assert_eq!(unquoted("says “快速登录” now"), "says   now");
        assert_eq!(unquoted("an open “ quote"), "an open “ quote");
    }

    #[test]
    fn likeness() {
        let like = |a: &str, b: &str| {
            let subjects = Subject::all([a, b]);
            subjects[0].likeness(&subjects[1])
        };
        assert_eq!(like("Cold start takes at most 800 ms", "The cold start must take at most 800ms."), 100);
        assert_eq!(like("冷启动到首帧不超过 800ms", "冷启动到首帧应在 800ms 以内"), 100);
        assert!(like("账号输入框高度为 48vp", "密码输入框高度为 48vp") < 80);
        assert!(like("The button 登录 is 40vp high", "The button 登录 is 40vp wide") < 80);
        assert_eq!(like("", ""), 100);
    }
}
