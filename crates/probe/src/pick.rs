//! Which of several matches is meant.

use gate::lang::Lang;
use gate::say;

use crate::answer::{Outcome, missing, unreadable};
use crate::param::Params;

/// Which of several matches is meant. Without a word there must be exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    /// The only one.
    Only,
    /// Each, as a series.
    All,
    /// The first.
    First,
    /// The last.
    Last,
    /// From 1.
    Nth(usize),
}

impl Pick {
    /// `only`, `all`, `first`, `last`, `nth:2`.
    fn parse(word: &str) -> Option<Pick> {
        Some(match word {
            "only" => Pick::Only,
            "all" => Pick::All,
            "first" => Pick::First,
            "last" => Pick::Last,
            _ => Pick::Nth(word.strip_prefix("nth:")?.parse().ok().filter(|nth| *nth > 0)?),
        })
    }

    /// The pick of a parameter; an unknown word is recorded as an error.
    pub(crate) fn param(params: &mut Params<'_>, name: &'static str) -> Pick {
        let Some(word) = params.text(name) else { return Pick::Only };
        Pick::parse(word).unwrap_or_else(|| {
            params.invalid(
                name,
                format!("`{word}` picks nothing: write `only`, `all`, `first`, `last` or `nth:2` (from 1)"),
                format!("`{word}` 不是选取方式：请写 `only`、`all`、`first`、`last` 或 `nth:2`（从 1 数起）"),
            );
            Pick::Only
        })
    }

    /// The matches that are meant. `what` names the things for messages, as in `node matching id=a`.
    pub(crate) fn apply<T: Copy>(
        self,
        matches: &[T],
        what: &str,
        param: &str,
        lang: Lang,
    ) -> Outcome<Vec<T>> {
        if matches.is_empty() {
            return missing(say!(lang, "no {what}", "没有{what}"));
        }
        let found = matches.len();
        let picked = match self {
            Pick::All => return Ok(matches.to_vec()),
            Pick::Only if found > 1 => {
                return unreadable(say!(
                    lang,
                    "{found} matches where one is meant: {what}; narrow it, or say {param}: first, last, nth:2 or all",
                    "应只有一个，却匹配到 {found} 个：{what}；请缩小范围，或写 {param}: first、last、nth:2 或 all"
                ));
            }
            Pick::Only | Pick::First => matches.first(),
            Pick::Last => matches.last(),
            Pick::Nth(nth) => matches.get(nth - 1),
        };
        match picked {
            Some(item) => Ok(vec![*item]),
            None => missing(say!(
                lang,
                "there is no match {param} asks for: {found} found, {what}",
                "没有 {param} 所指的那一个：只匹配到 {found} 个，{what}"
            )),
        }
    }
}
