//! V14: the patterns of `matches`, a documented subset that every linear-time engine reads alike.
//!
//! Literals; `.`; classes `[a-z]`, `[^…]`, `\d \w \s` and their capitals, `\p{…}` of [`PROPERTIES`]; the anchors
//! `^ $ \b \B`; groups `(…)` and `(?:…)`; alternation `|`; the repetitions `* + ? {n} {n,} {n,m}`, greedy or lazy.
//! Everything else is refused, so that a pattern means here what it means to its reader; `docs/conformance.md` holds
//! the whole of it.

use regex::{Regex, RegexBuilder};
use unicode_normalization::UnicodeNormalization;

/// The longest pattern, in characters.
pub const MAX_PATTERN: usize = 1_000;
/// The largest count in `{n,m}`.
pub const MAX_REPEAT: u32 = 1_000;
/// The largest compiled pattern, in bytes.
const MAX_COMPILED: usize = 1 << 20;
/// The deepest nesting of groups.
const MAX_GROUPS: usize = 40;
/// The deepest nesting of anything: a group may hold alternatives of sequences of repetitions.
const MAX_NESTING: u32 = 250;

/// The Unicode classes of `\p{…}` and `\P{…}`: Han, and the general categories by their short names.
const PROPERTIES: &[&str] = &[
    "Han", "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd",
    "Ps", "Pe", "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp",
];

/// Why a pattern is refused, in both languages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPattern {
    /// In English.
    pub en: String,
    /// In Chinese.
    pub zh: String,
}

fn bad(en: impl Into<String>, zh: impl Into<String>) -> BadPattern {
    BadPattern { en: en.into(), zh: zh.into() }
}

/// Compiles a pattern of the subset.
pub fn compile(pattern: &str) -> Result<Regex, BadPattern> {
    if pattern.is_empty() {
        return Err(bad("the pattern is empty and would match anything", "模式为空，会匹配任何文本"));
    }
    let normal: String = pattern.nfc().collect();
    let chars: Vec<char> = normal.chars().collect();
    if chars.len() > MAX_PATTERN {
        return Err(bad(
            format!("the pattern is longer than {MAX_PATTERN} characters"),
            format!("模式超过 {MAX_PATTERN} 个字符"),
        ));
    }
    check(&chars)?;
    RegexBuilder::new(&normal).size_limit(MAX_COMPILED).nest_limit(MAX_NESTING).build().map_err(|error| {
        // The last line of the engine's message is the reason; the lines before draw the pattern.
        let text = error.to_string();
        let reason = text.lines().last().unwrap_or_default().trim().trim_start_matches("error: ").to_owned();
        bad(format!("the pattern cannot be read: {reason}"), format!("无法读取该模式：{reason}"))
    })
}

/// Refuses what lies outside of the subset.
fn check(chars: &[char]) -> Result<(), BadPattern> {
    let mut at = 0;
    let mut repeated = false;
    let mut depth = 0usize;
    while let Some(&c) = chars.get(at) {
        let (next, repeats) = match c {
            '\\' => (escape(chars, at)?, false),
            '[' => (class(chars, at)?, false),
            '(' if depth == MAX_GROUPS => {
                return Err(bad(
                    format!("groups are nested more than {MAX_GROUPS} deep"),
                    format!("分组嵌套超过 {MAX_GROUPS} 层"),
                ));
            }
            '(' => {
                depth += 1;
                (group(chars, at)?, false)
            }
            ')' => {
                depth = depth.saturating_sub(1);
                (at + 1, false)
            }
            '*' | '+' | '?' | '{' => {
                if repeated {
                    return Err(bad(
                        "a repetition repeats a repetition, which engines read differently",
                        "重复符号叠加，不同引擎读法不同",
                    ));
                }
                (repetition(chars, at)?, true)
            }
            _ => (at + 1, false),
        };
        (at, repeated) = (next, repeats);
    }
    Ok(())
}

/// `\d` and its kin, `\p{…}`, and escaped punctuation. Returns where it ends.
fn escape(chars: &[char], at: usize) -> Result<usize, BadPattern> {
    match chars.get(at + 1) {
        None => Err(bad("the pattern ends in a lone backslash", "模式以单独的反斜杠结尾")),
        Some('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'b' | 'B' | 't' | 'n' | 'r') => {
            match chars.get(at + 1..at + 3) {
                Some(['b' | 'B', '{']) => {
                    Err(bad("`\\b{…}` is not part of the subset", "`\\b{…}` 不在支持的子集中"))
                }
                _ => Ok(at + 2),
            }
        }
        Some('p' | 'P') => property(chars, at),
        Some('0'..='9') => Err(bad(
            "back-references are not supported, because they are not linear in time; match the text itself",
            "不支持反向引用，因为它无法在线性时间内匹配；请直接匹配文本",
        )),
        // To some engines these are the edges of a word.
        Some('<' | '>') => Err(bad("write `<` and `>` without a backslash", "`<` 和 `>` 前请不要写反斜杠")),
        Some(c) if c.is_ascii_punctuation() || *c == ' ' => Ok(at + 2),
        Some(c) => {
            Err(bad(format!("`\\{c}` is not part of the subset"), format!("`\\{c}` 不在支持的子集中")))
        }
    }
}

fn property(chars: &[char], at: usize) -> Result<usize, BadPattern> {
    let refused = || bad("write a Unicode class as `\\p{Han}`", "Unicode 类请写成 `\\p{Han}`");
    if chars.get(at + 2) != Some(&'{') {
        return Err(refused());
    }
    let name = chars
        .get(at + 3..)
        .unwrap_or_default()
        .iter()
        .take_while(|c| c.is_ascii_alphanumeric() || **c == '_')
        .count();
    if name == 0 || chars.get(at + 3 + name) != Some(&'}') {
        return Err(refused());
    }
    let text: String = chars.get(at + 3..at + 3 + name).unwrap_or_default().iter().collect();
    match PROPERTIES.contains(&text.as_str()) {
        true => Ok(at + 4 + name),
        false => Err(bad(
            format!(
                "`\\p{{{text}}}` is not part of the subset; write `Han`, or a general category such as `L` or `Nd`"
            ),
            format!("`\\p{{{text}}}` 不在支持的子集中；请写 `Han`，或 `L`、`Nd` 等通用类别"),
        )),
    }
}

/// `[…]` without nested classes and set operations, which engines read differently.
fn class(chars: &[char], at: usize) -> Result<usize, BadPattern> {
    let mut place = if chars.get(at + 1) == Some(&'^') { at + 2 } else { at + 1 };
    let first = place;
    loop {
        match (chars.get(place), chars.get(place + 1)) {
            (None, _) => return Err(bad("a class is not closed with `]`", "字符类没有用 `]` 结束")),
            (Some(']'), _) if place > first => return Ok(place + 1),
            (Some(']'), _) => return Err(bad("write `\\]` inside a class", "字符类中的 `]` 请写成 `\\]`")),
            (Some('['), _) => {
                return Err(bad(
                    "a class inside a class is not part of the subset; write `\\[`",
                    "不支持嵌套字符类；请写成 `\\[`",
                ));
            }
            (Some('&'), Some('&')) | (Some('~'), Some('~')) | (Some('-'), Some('-')) => {
                return Err(bad(
                    "set operations in a class are not part of the subset",
                    "不支持字符类的集合运算",
                ));
            }
            (Some('\\'), Some('b' | 'B')) => {
                return Err(bad("an anchor has no place in a class", "字符类中不能使用锚点"));
            }
            (Some('\\'), _) => place = escape(chars, place)?,
            _ => place += 1,
        }
    }
}

/// `(…)` and `(?:…)`.
fn group(chars: &[char], at: usize) -> Result<usize, BadPattern> {
    match (chars.get(at + 1), chars.get(at + 2), chars.get(at + 3)) {
        (Some('?'), Some(':'), _) => Ok(at + 3),
        (Some('?'), Some('=' | '!'), _) | (Some('?'), Some('<'), Some('=' | '!')) => Err(bad(
            "look-around is not supported, because it is not linear in time; use `not: true` or several criteria",
            "不支持环视，因为它无法在线性时间内匹配；请用 `not: true` 或多条标准",
        )),
        (Some('?'), Some('<' | 'P' | '\''), _) => {
            Err(bad("named groups are not part of the subset; write `(…)`", "不支持命名分组；请写 `(…)`"))
        }
        (Some('?'), ..) => Err(bad(
            "flags such as `(?i)` are not part of the subset; write `[Oo][Kk]`",
            "不支持 `(?i)` 等标志；请写 `[Oo][Kk]`",
        )),
        (Some('*'), ..) => Err(bad("`(*` is not part of the subset", "`(*` 不在支持的子集中")),
        _ => Ok(at + 1),
    }
}

/// `*`, `+`, `?`, `{n}`, `{n,}`, `{n,m}`, each with `?` for lazy.
fn repetition(chars: &[char], at: usize) -> Result<usize, BadPattern> {
    let mut end = at + 1;
    if chars.get(at) == Some(&'{') {
        let body: String =
            chars.get(at + 1..).unwrap_or_default().iter().take_while(|c| **c != '}').collect();
        let (low, high) = body.split_once(',').unwrap_or((&body, ""));
        let counts = |text: &str| {
            text.bytes().all(|b| b.is_ascii_digit()) && text.parse::<u32>().is_ok_and(|n| n <= MAX_REPEAT)
        };
        if !counts(low) || !(high.is_empty() || counts(high)) {
            return Err(bad(
                format!(
                    "write a repetition as {{n}}, {{n,}} or {{n,m}}, each at most {MAX_REPEAT}, and a brace as `\\{{`"
                ),
                format!(
                    "重复次数请写成 {{n}}、{{n,}} 或 {{n,m}}，且不超过 {MAX_REPEAT}；普通花括号请写成 `\\{{`"
                ),
            ));
        }
        end = at + body.chars().count() + 2;
    }
    Ok(if chars.get(end) == Some(&'?') { end + 1 } else { end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subset_is_read() {
        let table = [
            ("^v\\d+\\.\\d+", "v2.1.0", true),
            ("^ok", "ok then", true),
            ("\\p{Han}+", "登录", true),
            ("\\p{L}", "1", false),
            ("[^a-z]", "abc", false),
            ("(?:a|b){2,3}?$", "xab", true),
            ("\\bcat\\b", "a cat", true),
            ("a\\{2\\}", "a{2}", true),
            ("[\\]\\-\\d]", "-", true),
            ("caf\u{65}\u{301}", "caf\u{e9}", true),
        ];
        for (pattern, text, matches) in table {
            assert_eq!(compile(pattern).unwrap().is_match(text), matches, "{pattern}");
        }
    }

    #[test]
    fn everything_else_is_refused_with_its_reason() {
        let table = [
            ("", "the pattern is empty"),
            ("(?=a)", "look-around"),
            ("(?!a)", "look-around"),
            ("(?<=a)", "look-around"),
            ("(?<!a)", "look-around"),
            ("(a)\\1", "back-references"),
            ("(?i)a", "flags"),
            ("(?P<n>a)", "named groups"),
            ("(?<n>a)", "named groups"),
            ("(?'n'a)", "named groups"),
            ("a**", "repeats a repetition"),
            ("a++", "repeats a repetition"),
            ("a{2}{3}", "repeats a repetition"),
            ("a+??", "repeats a repetition"),
            ("[[:alpha:]]", "a class inside a class"),
            ("[a&&b]", "set operations"),
            ("[a--b]", "set operations"),
            ("[a~~b]", "set operations"),
            ("[\\b]", "an anchor"),
            ("\\A", "`\\A` is not part"),
            ("\\z", "`\\z` is not part"),
            ("\\x41", "`\\x` is not part"),
            ("\\u{41}", "`\\u` is not part"),
            ("\\Q", "`\\Q` is not part"),
            ("a{1001}", "at most 1000"),
            ("a{1,1001}", "at most 1000"),
            ("a{x}", "write a repetition"),
            ("a{1,x}", "write a repetition"),
            ("a{", "write a repetition"),
            ("(", "cannot be read"),
            (")", "cannot be read"),
            ("[", "not closed"),
            ("[]", "write `\\]`"),
            ("*a", "cannot be read"),
            ("\\", "lone backslash"),
            ("a|*", "cannot be read"),
            ("\\pL", "write a Unicode class"),
            ("\\p{}", "write a Unicode class"),
            ("\\p{Han", "write a Unicode class"),
            ("\\p{NoSuch}", "`\\p{NoSuch}` is not part"),
            ("\\p{Latin}", "`\\p{Latin}` is not part"),
            ("\\p{han}", "`\\p{han}` is not part"),
            ("\\<a", "without a backslash"),
            ("[\\>]", "without a backslash"),
            ("(*a)", "`(*` is not part"),
            ("\\b{start}", "`\\b{…}` is not part"),
            ("((a{1000}){1000}){1000}", "cannot be read"),
        ];
        for (pattern, reason) in table {
            let refused = compile(pattern).unwrap_err();
            assert!(refused.en.contains(reason), "{pattern}: {}", refused.en);
            assert_ne!(refused.en, refused.zh, "{pattern}");
        }
    }

    #[test]
    fn a_pattern_has_limits() {
        assert!(compile(&"a".repeat(MAX_PATTERN)).is_ok());
        assert!(compile(&"a".repeat(MAX_PATTERN + 1)).unwrap_err().en.contains("longer than 1000"));
        assert!(compile(&format!("a{{{MAX_REPEAT}}}")).is_ok());
        assert!(compile("a{0,}?b{2,3}?c*?d").is_ok());
        let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
        assert!(compile(&nested(MAX_GROUPS)).is_ok());
        assert!(compile(&nested(MAX_GROUPS + 1)).unwrap_err().en.contains("more than 40 deep"));
        let full = |depth: usize| format!("{}a{}", "(?:b|c".repeat(depth), "*)+d".repeat(depth));
        assert!(compile(&full(MAX_GROUPS)).is_ok());
    }

    #[test]
    fn every_property_and_escape_of_the_subset_is_known_to_the_engine() {
        for name in PROPERTIES {
            assert!(compile(&format!("\\p{{{name}}}\\P{{{name}}}[\\p{{{name}}}]")).is_ok(), "{name}");
        }
        for c in (' '..='~').filter(|c| !c.is_ascii_alphanumeric() && !matches!(c, '<' | '>')) {
            let literal = compile(&format!("^\\{c}$"));
            assert!(literal.is_ok_and(|pattern| pattern.is_match(&c.to_string())), "{c}");
        }
    }
}
