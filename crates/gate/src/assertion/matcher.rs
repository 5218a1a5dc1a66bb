//! The words of matchers: twelve canonical ones, and a closed table of aliases.

use crate::pack::Matcher;

impl Matcher {
    /// Every matcher, in the order of documentation.
    pub const ALL: [Matcher; 12] = [
        Matcher::Eq,
        Matcher::Ne,
        Matcher::Lt,
        Matcher::Lte,
        Matcher::Gt,
        Matcher::Gte,
        Matcher::Contains,
        Matcher::Matches,
        Matcher::Between,
        Matcher::Approx,
        Matcher::OneOf,
        Matcher::Exists,
    ];

    /// The words that mean the same as a canonical one. Freezing writes the canonical word.
    pub const ALIASES: &'static [(Matcher, &'static [&'static str])] = &[
        (Matcher::Eq, &["==", "=", "equals", "equal", "is", "等于"]),
        (Matcher::Ne, &["!=", "≠", "not-equals", "not-equal", "不等于"]),
        (Matcher::Lt, &["<", "less-than", "below", "under", "小于", "低于"]),
        (
            Matcher::Lte,
            &["<=", "≤", "at-most", "max", "小于等于", "不超过", "不大于", "不高于", "至多", "最多"],
        ),
        (Matcher::Gt, &[">", "greater-than", "more-than", "above", "over", "大于", "高于", "超过"]),
        (
            Matcher::Gte,
            &[">=", "≥", "at-least", "min", "大于等于", "不低于", "不少于", "不小于", "至少", "最少"],
        ),
        (Matcher::Contains, &["includes", "include", "包含"]),
        (Matcher::Matches, &["regex", "pattern", "match", "匹配"]),
        (Matcher::Between, &["within", "range", "介于"]),
        (Matcher::Approx, &["≈", "approximately", "about", "约等于"]),
        (Matcher::OneOf, &["in", "one-of", "any-of", "属于"]),
        (Matcher::Exists, &["present", "exist", "存在"]),
    ];

    /// The canonical word, as in a frozen pack.
    pub fn word(self) -> &'static str {
        match self {
            Matcher::Eq => "eq",
            Matcher::Ne => "ne",
            Matcher::Lt => "lt",
            Matcher::Lte => "lte",
            Matcher::Gt => "gt",
            Matcher::Gte => "gte",
            Matcher::Contains => "contains",
            Matcher::Matches => "matches",
            Matcher::Between => "between",
            Matcher::Approx => "approx",
            Matcher::OneOf => "oneOf",
            Matcher::Exists => "exists",
        }
    }

    /// The matcher of a canonical word or an alias, to the letter.
    pub fn from_word(word: &str) -> Option<Self> {
        let canonical = Self::ALL.into_iter().find(|matcher| matcher.word() == word);
        let alias =
            || Self::ALIASES.iter().find(|(_, aliases)| aliases.contains(&word)).map(|(matcher, _)| *matcher);
        canonical.or_else(alias)
    }

    /// Every word that is understood, canonical ones first: for suggestions.
    pub fn words() -> impl Iterator<Item = &'static str> {
        let aliases = Self::ALIASES.iter().flat_map(|(_, aliases)| aliases.iter().copied());
        Self::ALL.into_iter().map(Matcher::word).chain(aliases)
    }

    /// How it is written between a value and what is expected.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Matcher::Eq => "=",
            Matcher::Ne => "≠",
            Matcher::Lt => "<",
            Matcher::Lte => "≤",
            Matcher::Gt => ">",
            Matcher::Gte => "≥",
            Matcher::Approx => "≈",
            Matcher::OneOf | Matcher::Between => "∈",
            Matcher::Contains | Matcher::Matches | Matcher::Exists => self.word(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique_and_known() {
        let mut seen = std::collections::BTreeSet::new();
        for word in Matcher::words() {
            assert!(seen.insert(word), "{word}");
            assert!(Matcher::from_word(word).is_some(), "{word}");
        }
        for matcher in Matcher::ALL {
            assert_eq!(Matcher::from_word(matcher.word()), Some(matcher));
            let json = serde_json::to_string(&matcher).unwrap();
            assert_eq!(json, format!("\"{}\"", matcher.word()));
        }
        for unknown in ["LTE", "greater", "", "like", "≦"] {
            assert_eq!(Matcher::from_word(unknown), None, "{unknown}");
        }
    }
}
