//! Requirements that are not decided: open questions, and placeholders that nobody filled in.

/// Marks of a question that the author left open.
const MARKS: [&str; 12] = [
    "[needs clarification",
    "needs clarification:",
    "[待澄清",
    "[需要澄清",
    "[待确认",
    "【待确认",
    "【待澄清",
    "待定",
    "待补充",
    "tbd",
    "todo",
    "此处填写",
];

/// What the placeholders of templates begin with, inside their brackets.
const PLACEHOLDERS: [&str; 22] = [
    "specific capability",
    "key interaction",
    "data requirement",
    "behavior",
    "initial state",
    "action",
    "expected outcome",
    "boundary condition",
    "error scenario",
    "measurable metric",
    "user satisfaction metric",
    "business metric",
    "brief title",
    "feature name",
    "describe",
    "explain",
    "具体能力",
    "初始状态",
    "操作",
    "预期结果",
    "描述",
    "边界条件",
];

/// The words that show that a text is not decided yet.
pub(crate) fn open(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let mark = MARKS.iter().find(|mark| holds(&lower, mark));
    if let Some(mark) = mark {
        return Some(mark.trim_matches(['[', ':', '【']).to_owned());
    }
    lower.split('[').skip(1).find_map(|inside| {
        let inside = inside.split_once(']')?.0;
        PLACEHOLDERS.iter().any(|known| inside.starts_with(known)).then(|| format!("[{inside}]"))
    })
}

/// Whether a text holds a mark; one in Latin letters only as a word.
fn holds(text: &str, mark: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(mark).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + mark.len()..).and_then(|after| after.chars().next());
        let is_word = mark.ends_with(|c: char| c.is_ascii_alphabetic());
        !is_word || mark.starts_with('[') || !(is_letter(before) || is_letter(after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open() {
        for text in [
            "System MUST keep data for [NEEDS CLARIFICATION: how long?]",
            "保留时间【待确认】",
            "文案待定",
            "limit TBD",
            "System MUST [specific capability, e.g., \"allow users\"]",
        ] {
            assert!(open(text).is_some(), "{text}");
        }
        for text in
            ["tap [OK]", "see [the guide](https://example.invalid)", "a todolist", "deTBDe", "[x] done"]
        {
            assert_eq!(open(text), None, "{text}");
        }
    }
}
