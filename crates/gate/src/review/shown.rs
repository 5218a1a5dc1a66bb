//! Statements that say what is not to be seen, or what a text is, beside assertions that ask for something else.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

use super::node::{Visibility, layout_measure, visibility};
use super::wording::{Words, unquoted};
use crate::code::Code;
use crate::lang::Lang;
use crate::pack::{Assertion, Criterion, Expected, Matcher, Scalar, Weight};
use crate::problem::Problem;
use crate::say;

/// E_STATEMENT_CONTRADICTS or W_STATEMENT_DISAGREES, if either applies.
pub(super) fn otherwise(criterion: &Criterion, assertion: &Assertion, lang: Lang) -> Option<Problem> {
    absent(criterion, assertion, lang).or_else(|| another_text(criterion, assertion, lang))
}

const ABSENT: Words = Words(&[
    "is not shown",
    "are not shown",
    "is not displayed",
    "are not displayed",
    "is not visible",
    "are not visible",
    "does not appear",
    "do not appear",
    "is hidden",
    "are hidden",
    "isn't shown",
    "is never shown",
    "不显示",
    "不出现",
    "不可见",
    "不展示",
    "不再显示",
    "不再出现",
    "不应显示",
    "不应出现",
    "不得显示",
    "不得出现",
    "不会显示",
    "不会出现",
]);
const PRESENT: Words = Words(&[
    "shows",
    "appears",
    "appear",
    "is shown",
    "are shown",
    "is displayed",
    "显示",
    "出现",
    "展示",
    "可见",
]);

fn absent(criterion: &Criterion, assertion: &Assertion, lang: Lang) -> Option<Problem> {
    let probe = criterion.probe.as_ref().filter(|probe| layout_measure(probe) == Some("presence"));
    let asks = assertion.matcher == Matcher::Exists && !assertion.not;
    let is_of_hidden = probe.is_some_and(|probe| visibility(probe) == Visibility::Denied);
    if !asks || is_of_hidden {
        return None;
    }
    let mut rest = unquoted(&criterion.statement).to_lowercase();
    let word = ABSENT.first_in(&rest)?;
    for word in ABSENT.all_in(&rest) {
        rest = rest.replace(word, " ");
    }
    // Of two things in one statement, the assertion may be about the one that is to be seen.
    let is_all = PRESENT.first_in(&rest).is_none() && probe.is_some();
    let shown = crate::assertion::shown(assertion, lang);
    let message = say!(
        lang,
        "the statement says `{word}`, and the assertion is `{shown}`",
        "陈述写的是“{word}”，而断言是 `{shown}`"
    );
    let help = lang.pick(
        "Add `not: true` to the assertion, or change the statement.",
        "在断言中加上 `not: true`，或修改陈述。",
    );
    Some(Problem::new(code(is_all, criterion), message, help))
}

fn code(blocks: bool, criterion: &Criterion) -> Code {
    match blocks && criterion.weight == Weight::Must {
        true => Code::StatementContradicts,
        false => Code::StatementDisagrees,
    }
}

/// The one text that a statement says is shown.
static TEXT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    RegexBuilder::new(
        r#"(?:(?:文字|文案|标题|文本)(?:应?为|是|显示为)|\b(?:reads?|text\s+is|label\s+is|title\s+is)\s)\s*(?:“([^”]+)”|「([^」]+)」|"([^"]+)")"#,
    )
    .case_insensitive(true)
    .build()
    .ok()
});

fn another_text(criterion: &Criterion, assertion: &Assertion, lang: Lang) -> Option<Problem> {
    let Some(Expected::One(Scalar::Text(expected))) = &assertion.expected else { return None };
    if assertion.matcher != Matcher::Eq || assertion.not || assertion.unit.is_some() {
        return None;
    }
    let statement = &criterion.statement;
    let mut texts = TEXT.as_ref()?.captures_iter(statement);
    let (found, another) = (texts.next()?, texts.next());
    let told = found.iter().skip(1).flatten().next()?.as_str().trim();
    let expected = expected.trim();
    if told == expected || statement.contains(expected) {
        return None;
    }
    let is_certain = another.is_none() && !expected.contains(told);
    let message = say!(
        lang,
        "the statement says that the text is `{told}`, and the assertion expects `{expected}`",
        "陈述写的文字是“{told}”，而断言期望 `{expected}`"
    );
    let help = lang.pick("Write one text in both.", "两处写同一段文字。");
    Some(Problem::new(code(is_certain, criterion), message, help))
}
