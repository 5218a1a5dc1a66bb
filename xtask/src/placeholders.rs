//! `{feature}` and its kin in paths and argument lists of `pipeline.yaml`. What is filled in is data: an argument
//! stays one argument, and a path is checked again after filling.

use gate::lang::Lang;
use gate::say;

/// Values by name.
pub type Values<'a> = [(&'a str, &'a str)];

/// Fills in what is known here; anything else in braces stays as it is.
pub fn expand(text: &str, values: &Values<'_>) -> String {
    pieces(text).fold(String::with_capacity(text.len()), |mut filled, piece| {
        match piece {
            Piece::Text(plain) => filled.push_str(plain),
            Piece::Name { name, whole } => match values.iter().find(|(known, _)| *known == name) {
                Some((_, value)) => filled.push_str(value),
                None => filled.push_str(whole),
            },
        }
        filled
    })
}

/// The first name in braces that no placeholder has, with a message.
pub fn unknown(text: &str, allowed: &[&str], lang: Lang) -> Option<String> {
    pieces(text).find_map(|piece| match piece {
        Piece::Name { name, .. } if !allowed.contains(&name) => {
            let known = allowed.iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(", ");
            Some(say!(
                lang,
                "{{{name}}} is no placeholder here; these are: {known}",
                "{{{name}}} 不是此处可用的占位符；可用的有：{known}"
            ))
        }
        _ => None,
    })
}

enum Piece<'a> {
    Text(&'a str),
    Name { name: &'a str, whole: &'a str },
}

/// Splits at `{word}`. Braces around anything else, such as JSON in an argument, are plain text.
fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        if let Some((name, whole)) = leading_name(rest) {
            rest = rest.get(whole.len()..).unwrap_or_default();
            return Some(Piece::Name { name, whole });
        }
        let end = rest
            .char_indices()
            .skip(1)
            .find(|(at, _)| leading_name(rest.get(*at..).unwrap_or_default()).is_some());
        let (plain, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        rest = after;
        Some(Piece::Text(plain))
    })
}

fn leading_name(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('{')?;
    let name = inner.split_once('}')?.0;
    let is_word = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_word.then(|| (name, text.get(..name.len() + 2).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_words_in_braces_are_filled() {
        let values = [("feature", "login"), ("round", "2")];
        for (text, expected) in [
            ("a/{feature}/{round}.json", "a/login/2.json"),
            (r#"{"json": {"round": 1}}"#, r#"{"json": {"round": 1}}"#),
            ("{other}{", "{other}{"),
            ("中{feature}文", "中login文"),
            ("{{feature}}", "{login}"),
            ("", ""),
        ] {
            assert_eq!(expand(text, &values), expected, "{text}");
        }
        assert!(unknown("x/{rund}", &["round"], Lang::En).is_some());
        assert!(unknown("x/{round} {\"a\":1}", &["round"], Lang::Zh).is_none());
    }
}
