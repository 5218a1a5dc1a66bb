//! Statements that speak of one side of a thing, beside probes that measure the other: width and height, the gap beside and
//! the gap below.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

use super::node::layout_measure;
use super::wording::unquoted;
use crate::code::Code;
use crate::lang::Lang;
use crate::pack::{Criterion, Weight};
use crate::problem::Problem;
use crate::say;

/// Words of one side. A number stands before `high` and `wide`: a contrast is high as well.
struct Side(LazyLock<Option<Regex>>);

impl Side {
    fn first_in(&self, text: &str) -> Option<String> {
        self.0.as_ref()?.find(text).map(|found| found.as_str().trim().to_owned())
    }
}

fn words(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).case_insensitive(true).build().ok()
}

static HEIGHT: Side = Side(LazyLock::new(|| {
    words(r"\bheights?\b|\d\s*(?:vp|px|fp)\s+(?:high|tall)\b|高度|\d\s*(?:vp|px|fp)\s*高")
}));
static WIDTH: Side =
    Side(LazyLock::new(|| words(r"\bwidths?\b|\d\s*(?:vp|px|fp)\s+wide\b|宽度|\d\s*(?:vp|px|fp)\s*宽")));
static BELOW: Side = Side(LazyLock::new(|| words(r"\bvertical(?:ly)?\b|\babove\b|\bbelow\b|上下|纵向|垂直")));
static BESIDE: Side = Side(LazyLock::new(|| words(r"\bhorizontal(?:ly)?\b|左右|横向|水平")));

/// Words with which a statement speaks of more than one side.
static BOTH: Side = Side(LazyLock::new(|| {
    words(r"\bsizes?\b|\bsquare\b|\bsides?\b|\bdiameter\b|宽高|边长|直径|短边|长边|正方")
}));

/// E_STATEMENT_CONTRADICTS or W_STATEMENT_DISAGREES, if either applies: a pass would be told of what nobody measured.
pub(super) fn another(criterion: &Criterion, lang: Lang) -> Option<Problem> {
    let measure = layout_measure(criterion.probe.as_ref()?)?;
    let (own, other) = match measure {
        "height" => (&HEIGHT, &WIDTH),
        "width" => (&WIDTH, &HEIGHT),
        "gapVertical" => (&BELOW, &BESIDE),
        "gapHorizontal" => (&BESIDE, &BELOW),
        _ => return None,
    };
    let statement = unquoted(&criterion.statement);
    let word = other.first_in(&statement)?;
    if own.first_in(&statement).is_some() || BOTH.first_in(&statement).is_some() {
        return None;
    }
    let code = match criterion.weight {
        Weight::Must => Code::StatementContradicts,
        Weight::Should => Code::StatementDisagrees,
    };
    let message = say!(
        lang,
        "the statement speaks of `{word}`, and the probe measures `{measure}`",
        "陈述说的是“{word}”，而 probe 测量的是 `{measure}`"
    );
    let help = lang.pick(
        "measure what the statement speaks of, or write in the statement what is measured",
        "测量陈述所说的量，或在陈述中写明所测的量",
    );
    Some(Problem::new(code, message, help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides() {
        for (text, height, width) in [
            ("Both fields are 48vp high.", true, false),
            ("The avatar is 64 vp wide", false, true),
            ("the height of the bar is 4vp", true, false),
            ("A high contrast of 4.5:1", false, false),
            ("高亮的按钮宽 40vp", false, false),
            ("进度条高度为 4vp", true, false),
            ("按钮宽度不小于 40vp", false, true),
            ("a wide list", false, false),
        ] {
            let found = (HEIGHT.first_in(text).is_some(), WIDTH.first_in(text).is_some());
            assert_eq!(found, (height, width), "{text}");
        }
    }
}
