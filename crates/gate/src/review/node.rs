//! What a layout tree says of nodes that nobody need see.

use regex::Regex;
use std::sync::LazyLock;

use crate::code::Code;
use crate::lang::Lang;
use crate::pack::{Aggregate, Assertion, Criterion, Expected, Matcher, Probe, Scalar, Weight};
use crate::problem::Problem;
use crate::say;

/// Whether a selector asks that the node can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visibility {
    Asked,
    Denied,
    Unasked,
}

/// A term of its own in a selector, not a part of a quoted text.
static VISIBLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"^(?:[^"]|"[^"]*")*?(?:^|,)\s*visible\s*=\s*(true|false)\s*(?:,|$)"#).ok());

/// The visibility that a probe of a layout asks of its node.
pub(super) fn visibility(probe: &Probe) -> Visibility {
    let Some(Scalar::Text(node)) = probe.with.get("node") else { return Visibility::Unasked };
    if !node.contains("visible") {
        return Visibility::Unasked;
    }
    let word = VISIBLE.as_ref().and_then(|regex| regex.captures(node)).and_then(|found| found.get(1));
    match word.map(|word| word.as_str()) {
        Some("true") => Visibility::Asked,
        Some(_) => Visibility::Denied,
        None => Visibility::Unasked,
    }
}

/// The measure of a probe on a layout tree.
pub(super) fn layout_measure(probe: &Probe) -> Option<&str> {
    match probe.with.get("measure") {
        Some(Scalar::Text(measure)) if probe.reader == "layout" => Some(measure),
        _ => None,
    }
}

/// E_NODE_HIDDEN or W_NODE_UNSEEN, if either applies.
pub(super) fn hidden(criterion: &Criterion, assertion: &Assertion, lang: Lang) -> Option<Problem> {
    let probe = criterion.probe.as_ref()?;
    let measure = layout_measure(probe)?;
    let is_text = matches!(measure, "text" | "accessibleName");
    if !(is_text || matches!(measure, "presence" | "count" | "touchTarget")) || asks_for_absence(assertion) {
        return None;
    }
    let visibility = visibility(probe);
    let is_read_hidden = match visibility {
        Visibility::Asked => return None,
        // A probe may well ask whether something is hidden; what is read there is another matter.
        Visibility::Denied if !is_text => return None,
        Visibility::Denied => true,
        Visibility::Unasked => measure == "text" && accepts_a_part(assertion),
    };
    let blocks = is_read_hidden && criterion.weight == Weight::Must;
    let code = if blocks { Code::NodeHidden } else { Code::NodeUnseen };
    let shown = crate::assertion::shown(assertion, lang);
    let message = match visibility {
        Visibility::Denied => say!(
            lang,
            "`{shown}` is asked of a node that is hidden: the probe selects `visible=false`",
            "`{shown}` 针对的是隐藏节点：probe 选择了 `visible=false`"
        ),
        _ if is_read_hidden => say!(
            lang,
            "`{shown}` accepts any text that holds this, on a node that may be hidden",
            "`{shown}` 接受任何包含它的文字，而所在节点可能不可见"
        ),
        _ => say!(
            lang,
            "`{shown}` accepts a node that is there and cannot be seen",
            "`{shown}` 会接受存在但不可见的节点"
        ),
    };
    Some(Problem::new(code, message, cure(probe, visibility, code, lang)))
}

fn cure(probe: &Probe, visibility: Visibility, code: Code, lang: Lang) -> String {
    match (probe.with.get("node"), visibility) {
        (Some(Scalar::Text(node)), Visibility::Unasked) if !node.contains('"') => {
            let eq = match code {
                Code::NodeHidden => {
                    lang.pick(", and ask for the whole text with `eq`", "，并用 `eq` 要求完整文字")
                }
                _ => "",
            };
            say!(
                lang,
                "write `node: \"{node},visible=true\"`{eq}",
                "请写 `node: \"{node},visible=true\"`{eq}"
            )
        }
        _ => code.help(lang),
    }
}

/// Whether it is satisfied by there being no such thing.
pub(super) fn asks_for_absence(assertion: &Assertion) -> bool {
    let expects = |wanted: &[&str]| match &assertion.expected {
        Some(Expected::One(Scalar::Bool(value))) => wanted.contains(&if *value { "true" } else { "false" }),
        Some(Expected::One(Scalar::Number(text) | Scalar::Text(text))) => wanted.contains(&text.as_str()),
        _ => false,
    };
    let is_none = expects(&["false", "0"]) && matches!(assertion.matcher, Matcher::Eq | Matcher::Lte);
    let is_fewer = matches!(assertion.matcher, Matcher::Lt | Matcher::Lte)
        && assertion.unit.is_none()
        && assertion.aggregate != Some(Aggregate::Min);
    (is_none || is_fewer || assertion.matcher == Matcher::Ne) != assertion.not
}

/// Whether more than one text satisfies it.
pub(super) fn accepts_a_part(assertion: &Assertion) -> bool {
    match (&assertion.expected, assertion.matcher) {
        (_, Matcher::Contains) => true,
        (Some(Expected::One(Scalar::Text(pattern))), Matcher::Matches) => !is_anchored(pattern),
        _ => false,
    }
}

/// Whether a pattern speaks of the whole text.
pub(super) fn is_anchored(pattern: &str) -> bool {
    pattern.starts_with('^') && pattern.ends_with('$') && !pattern.ends_with("\\$")
}
