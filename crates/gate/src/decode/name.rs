//! Names: ids, features, paths, and whether there is anything to see in a text.

use std::sync::LazyLock;

use regex::Regex;

use crate::lang::Lang;
use crate::say;

use super::MAX_ID;

/// Why a text cannot be the id of a criterion or requirement, if it cannot.
///
/// Ids are compared to the letter, so that what cannot be seen has no place in them; and they may become part of a
/// file's name on any system.
pub fn check_id(id: &str, lang: Lang) -> Option<String> {
    if !has_visible(id) {
        return Some(say!(lang, "the id is empty", "id 为空"));
    }
    if id.trim() != id {
        return Some(say!(lang, "the id `{id}` begins or ends with white space", "id `{id}` 首尾有空白"));
    }
    let length = id.chars().count();
    if length > MAX_ID {
        return Some(say!(
            lang,
            "the id has {length} characters; at most {MAX_ID} are read",
            "id 有 {length} 个字符；最多 {MAX_ID} 个"
        ));
    }
    if let Some(hidden) = id.chars().find(|&c| c != ' ' && !is_visible_or_mark(c)) {
        let code = u32::from(hidden);
        return Some(say!(
            lang,
            "the id holds the invisible character U+{code:04X}",
            "id 中含有不可见字符 U+{code:04X}"
        ));
    }
    if let Some(reserved) = id.chars().find(|c| r#"/\:*?"<>|"#.contains(*c)) {
        return Some(say!(
            lang,
            "the id `{id}` holds `{reserved}`, which file names cannot",
            "id `{id}` 含有文件名不允许的 `{reserved}`"
        ));
    }
    if id.starts_with('.') || id.ends_with('.') {
        return Some(say!(lang, "the id `{id}` begins or ends with a dot", "id `{id}` 以点开头或结尾"));
    }
    None
}

/// Why a text cannot be the id of a feature, if it cannot: it names folders on every system.
pub fn check_feature(feature: &str, lang: Lang) -> Option<String> {
    let is_word =
        |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    if feature.len() > MAX_ID || !feature.split('-').all(is_word) {
        return Some(say!(
            lang,
            "`{feature}` is no id of a feature: lower-case letters, digits and single hyphens only",
            "`{feature}` 不能作为功能 id：只能使用小写字母、数字和单个连字符"
        ));
    }
    is_device_name(feature).then(|| {
        say!(
            lang,
            "`{feature}` names a device on Windows, never a folder",
            "`{feature}` 在 Windows 上是设备名，不能作目录名"
        )
    })
}

/// Why a text cannot be a path within a folder, if it cannot.
pub fn check_relative_path(path: &str, lang: Lang) -> Option<String> {
    let is_sound = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0']);
    if path.split('/').all(is_sound) && !path.chars().any(char::is_control) {
        return None;
    }
    let shown: String = path.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    Some(say!(lang, "`{shown}` is no path within the folder", "`{shown}` 不是目录内的相对路径"))
}

fn is_device_name(name: &str) -> bool {
    matches!(name, "con" | "prn" | "aux" | "nul")
        || name
            .strip_prefix("com")
            .or(name.strip_prefix("lpt"))
            .is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether there is anything to see in a text: white space, control, format and other invisible characters are not.
pub fn has_visible(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_graphic())
        || (!text.is_ascii() && VISIBLE.as_ref().is_some_and(|v| v.is_match(text)))
}

fn is_visible_or_mark(character: char) -> bool {
    let mut buffer = [0; 4];
    let text: &str = character.encode_utf8(&mut buffer);
    has_visible(text) || MARK.as_ref().is_some_and(|mark| mark.is_match(text))
}

/// Both patterns are constant and compile; a test holds that.
static VISIBLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"[^\p{Cc}\p{Cf}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\x{2800}]").ok());
static MARK: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"[\p{M}--\p{Default_Ignorable_Code_Point}]").ok());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids() {
        for id in ["P-01", "A_1.b", "启动-01", "P 01", "DW-PERF-01", "é", "e\u{301}"] {
            assert_eq!(check_id(id, Lang::En), None, "{id}");
        }
        let long = "x".repeat(MAX_ID + 1);
        for id in [
            "",
            " ",
            "\u{200b}",
            " P-01",
            "P-01 ",
            "P\u{200b}1",
            "P\t1",
            "a/b",
            r"a\b",
            "a:b",
            "..",
            "a.",
            &long,
        ] {
            assert!(check_id(id, Lang::En).is_some(), "{id:?}");
            assert!(check_id(id, Lang::Zh).is_some(), "{id:?}");
        }
    }

    #[test]
    fn features() {
        for feature in ["login", "login-page", "a1-2-b"] {
            assert_eq!(check_feature(feature, Lang::En), None, "{feature}");
        }
        for feature in
            ["", "-", "a--b", "-a", "a-", "Login", "a_b", "登录", "..", "a/b", "con", "com1", "a.b"]
        {
            assert!(check_feature(feature, Lang::En).is_some(), "{feature:?}");
        }
    }

    #[test]
    fn paths() {
        for path in ["evidence/layout.json", "a", "截图/1.png", "a b/c"] {
            assert_eq!(check_relative_path(path, Lang::En), None, "{path}");
        }
        for path in ["", "/a", "a/", "../a", "a/./b", "a//b", r"a\b", "C:/a", "a\0b", "a\nb"] {
            assert!(check_relative_path(path, Lang::En).is_some(), "{path:?}");
        }
    }

    #[test]
    fn visible() {
        for text in ["a", "。", "图", " x ", "👍"] {
            assert!(has_visible(text), "{text:?}");
        }
        for text in [
            "",
            " ",
            "\u{200b} \u{a0}",
            "\u{3164}",
            "\u{2800}",
            "\u{fe0f}",
            "\u{e0100}",
            "\t\r\n",
            "\u{3000}",
        ] {
            assert!(!has_visible(text), "{text:?}");
        }
    }

    #[test]
    fn patterns_compile() {
        assert!(VISIBLE.is_some() && MARK.is_some());
    }
}
