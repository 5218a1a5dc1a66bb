//! Which dimension a text names. Nothing is guessed: words that name a dimension, or none.

use gate::lang::Lang;
use gate::measure::{Quantity, Says, claims};
use gate::pack::Dimension;
use gate::say;

use crate::item::Said;

/// What a column, a tag or a heading calls a dimension.
const NAMES: [(&[&str], Dimension); 4] = [
    (
        &["function", "functional", "functionality", "behavior", "behaviour", "功能", "功能性", "行为"],
        Dimension::Function,
    ),
    (
        &[
            "aesthetic",
            "aesthetics",
            "visual",
            "visuals",
            "appearance",
            "美观",
            "美学",
            "视觉",
            "外观",
            "样式",
            "界面美观",
        ],
        Dimension::Aesthetic,
    ),
    (&["performance", "perf", "性能", "效率"], Dimension::Performance),
    (
        &["accessibility", "a11y", "accessible", "无障碍", "可访问性", "可及性", "信息无障碍"],
        Dimension::Accessibility,
    ),
];

/// Words of a statement that speak of one dimension alone.
const WORDS: [(&[&str], Dimension); 3] = [
    (
        &[
            "response time",
            "startup time",
            "start-up time",
            "launch time",
            "load time",
            "loading time",
            "cold start",
            "warm start",
            "first frame",
            "frame rate",
            "frame drop",
            "dropped frames",
            "latency",
            "throughput",
            "jank",
            "memory usage",
            "memory footprint",
            "cpu usage",
            "power consumption",
            "performance",
            "冷启动",
            "热启动",
            "首帧",
            "启动时间",
            "启动耗时",
            "响应时间",
            "加载时间",
            "加载耗时",
            "帧率",
            "丢帧",
            "卡顿",
            "内存占用",
            "内存峰值",
            "功耗",
            "时延",
            "延迟",
            "性能",
            "吞吐",
        ],
        Dimension::Performance,
    ),
    (
        &[
            "accessibility",
            "accessible name",
            "screen reader",
            "contrast ratio",
            "contrast",
            "touch target",
            "wcag",
            "voiceover",
            "talkback",
            "无障碍",
            "屏幕朗读",
            "读屏",
            "对比度",
            "点击热区",
            "触控热区",
            "触摸目标",
            "热区",
            "色盲",
            "视障",
        ],
        Dimension::Accessibility,
    ),
    (
        &[
            "visual design",
            "typography",
            "spacing",
            "aligned",
            "alignment",
            "visually",
            "corner radius",
            "间距",
            "对齐",
            "字号",
            "圆角",
            "留白",
            "美观",
            "视觉",
            "配色",
        ],
        Dimension::Aesthetic,
    ),
];

/// Words that speak of speed or leanness only beside a time, a size or a rate.
const BESIDE_A_MEASURE: [&str; 20] = [
    "load", "loads", "loading", "loaded", "respond", "responds", "response", "launch", "launches", "starts",
    "startup", "render", "renders", "memory", "启动", "加载", "响应", "渲染", "内存", "耗时",
];

/// The dimension that a word by itself names.
pub(crate) fn named(word: &str) -> Option<Dimension> {
    let word = word.trim().trim_start_matches('@').to_lowercase();
    let is_name = |(names, _): &&(&[&str], Dimension)| names.contains(&word.as_str());
    NAMES.iter().find(is_name).map(|(_, dimension)| *dimension)
}

/// The dimension that a heading names in one of its words: `Functional Requirements`, 性能要求.
pub(crate) fn of_heading(heading: &str, lang: Lang) -> Option<Said<Dimension>> {
    let lower = heading.to_lowercase();
    if ["non-functional", "nonfunctional", "非功能"].iter().any(|word| lower.contains(word)) {
        return None;
    }
    let by_word = lower.split(|c: char| !c.is_alphanumeric()).find_map(named);
    let holds = |names: &[&str]| names.iter().any(|name| !name.is_ascii() && lower.contains(name));
    let by_part = NAMES.iter().find(|(names, _)| holds(names)).map(|(_, dimension)| *dimension);
    let dimension = by_word.or(by_part)?;
    Some(Said { value: dimension, by: say!(lang, "the heading “{heading}”", "标题“{heading}”") })
}

/// The dimension that a statement names; none where it names two.
pub(crate) fn of_statement(statement: &str) -> Option<Said<Dimension>> {
    let lower = statement.to_lowercase();
    let found = |words: &'static [&'static str]| words.iter().find(|word| has(&lower, word)).copied();
    let mut named: Vec<(Dimension, &str)> =
        WORDS.iter().filter_map(|(words, dimension)| Some((*dimension, found(words)?))).collect();
    if named.is_empty() && is_measured(statement) {
        let word = BESIDE_A_MEASURE.iter().find(|word| has(&lower, word));
        named.extend(word.map(|word| (Dimension::Performance, *word)));
    }
    match named.as_slice() {
        [(dimension, word)] => Some(Said { value: *dimension, by: format!("“{word}”") }),
        _ => None,
    }
}

/// Whether a statement bounds a time, a size, a rate or a current: what a duration of use, such as a session, does not.
fn is_measured(statement: &str) -> bool {
    let is_short = |name: &str| !matches!(name, "h" | "min");
    claims(statement).iter().any(|claim| {
        let quantity = claim.unit.as_ref().map(gate::measure::Unit::quantity);
        let is_bound = !matches!(claim.says, Says::Bare(_));
        let is_lean = matches!(
            quantity,
            Some(
                Quantity::Time
                    | Quantity::FrameRate
                    | Quantity::JankRate
                    | Quantity::Current
                    | Quantity::Power
            )
        );
        is_bound && is_lean && claim.unit.as_ref().is_some_and(|unit| is_short(unit.name()))
    })
}

/// Whether a text holds a word: in Latin letters between others, in Chinese anywhere.
fn has(text: &str, word: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let rest = text.get(at + word.len()..).unwrap_or_default();
        let after = rest.strip_prefix('s').unwrap_or(rest).chars().next();
        !word.is_ascii() || !(is_letter(before) || is_letter(after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions() {
        use Dimension::{Accessibility, Aesthetic, Performance};
        for (statement, dimension) in [
            ("Cold start to first frame ≤ 800ms", Some(Performance)),
            ("The list loads in under 2 seconds", Some(Performance)),
            ("System MUST load profiles from the server", None),
            ("The reset link is valid for at most 24 hours", None),
            ("Users can create an account in under 2 minutes", None),
            ("Contrast of body text is at least 4.5:1", Some(Accessibility)),
            ("The spacing is 12vp", Some(Aesthetic)),
            ("Touch targets are at least 48 vp high", Some(Accessibility)),
            ("Spacing and contrast follow the guide", None),
            ("页面在 1 秒内显示结果", None),
            ("页面在 1 秒内加载完成", Some(Performance)),
            ("按钮热区不小于 48vp", Some(Accessibility)),
            ("用户可以登录", None),
        ] {
            assert_eq!(of_statement(statement).map(|said| said.value), dimension, "{statement}");
        }
        assert_eq!(
            of_heading("Functional Requirements", Lang::En).map(|s| s.value),
            Some(Dimension::Function)
        );
        assert_eq!(of_heading("性能要求", Lang::En).map(|s| s.value), Some(Performance));
        assert_eq!(of_heading("Non-Functional Requirements", Lang::En), None);
        assert_eq!(named("@a11y"), Some(Accessibility));
    }
}
