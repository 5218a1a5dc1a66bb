//! Arbitrary text never panics, never becomes a number that is not in it, and always becomes YAML of one reading.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, and says where")]

use std::collections::BTreeSet;

use gate::lang::Lang;
use gate::node::Node;
use gate::pack::{Expected, Scalar};
use import::{Format, Settings, Source, import, write};
use proptest::prelude::*;

/// Pieces that the formats are made of, with what goes wrong in them.
const PIECES: &[&str] = &[
    "# ",
    "## ",
    "### Requirement: ",
    "### 需求：",
    "#### Scenario: ",
    "- ",
    "1. ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "**",
    "`",
    "```\n",
    "FR-001",
    "**FR-001**: ",
    "SC-002：",
    "User Story 1 - ",
    "Edge Cases",
    "Functional Requirements",
    "Given a, ",
    "**Given** x, **When** y, **Then** z",
    "假如甲，当乙，那么丙",
    "- WHEN x\n- THEN y",
    "Feature: f\n",
    "功能: 登录\n",
    "Background:\n",
    "Scenario: s\n",
    "Scenario Outline: <a>\n",
    "场景大纲: <次数>\n",
    "Examples:\n",
    "Given <a>\n",
    "Then <a> is 5 s\n",
    "| a | b |\n",
    "| --- | --- |\n",
    "| 编号 | 验收标准 | 阈值（ms） |\n",
    "|---|---|---|\n",
    "| 1 | 启动 | ≤８００ |\n",
    "编号,验收标准,阈值\n",
    "1,\"启动, 快\",<5s\n",
    "\"",
    "\"\"\"\n",
    "@must @performance\n",
    "# language: zh-CN\n",
    "≤ ",
    "at most ",
    "不超过",
    "between 3 and 4 vp",
    "12vp ± 1vp",
    "800ms",
    "1.5 s",
    "９０％",
    "百分之九十五",
    "三秒内",
    "0x4B0",
    "1e9999",
    "99999999999999999999999999999999",
    "1,5",
    "MUST ",
    "必须",
    "[NEEDS CLARIFICATION: x]",
    "90% of users",
    "<!-- ",
    " -->",
    "---\n",
    "| id | dimension | weight | assertion |\n",
    "- Assertion: `≤ 800 ms`\n",
    "### P-01\n",
    "## Criteria\n",
    "## 要求\n",
    "- **R-1** x\n",
    "\u{0}",
    "\u{feff}",
    "\u{202e}",
    "\u{2028}",
    "\u{200b}",
    "\\",
    "\\|",
    "|",
    ":",
    "：",
    "#",
    "'",
    "{",
    "}",
    "[",
    "]",
    "&a",
    "*a",
    "!t",
    "%",
    "~",
    "null",
    "👍",
    "é",
    "ﷺ",
];

/// The numbers of a text as decimals: digits of any width, with fractions; and Chinese numerals as the statement reader has them.
fn numbers(text: &str) -> BTreeSet<String> {
    let folded: String = text
        .chars()
        .map(|c| match c {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
            other => other,
        })
        .collect();
    let mut found = BTreeSet::new();
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    for run in folded.split(|c| !is_digit(c)) {
        let run = run.replace(',', "");
        // Every part of a run, since what stands before or behind a number may be glued to it.
        found.insert(plain(run.trim_matches('.')));
        found.extend(run.split('.').map(plain));
    }
    found
}

/// Without zeros that say nothing.
fn plain(number: &str) -> String {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    match fraction.trim_end_matches('0') {
        "" => whole.to_owned(),
        fraction => format!("{whole}.{fraction}"),
    }
}

fn proposed(expected: &Expected) -> Vec<String> {
    let text = |scalar: &Scalar| match scalar {
        Scalar::Number(text) | Scalar::Text(text) => text.clone(),
        Scalar::Bool(value) => value.to_string(),
    };
    match expected {
        Expected::One(one) => vec![text(one)],
        Expected::Many(many) => many.iter().map(text).collect(),
    }
}

fn check(format: Format, text: &str, lang: Lang) {
    let source = Source { file: "notes/needs.md", text, document: None };
    let settings = Settings { feature: "needs", lang, dimension: None };
    let imported = match import(format, &source, &settings) {
        Ok(imported) => imported,
        Err(problems) => {
            assert!(!problems.is_empty(), "a refusal without a reason");
            return;
        }
    };
    let lines = u32::try_from(text.lines().count()).unwrap();
    for problem in &imported.findings {
        assert!(problem.at.is_some_and(|at| (1..=lines).contains(&at.line)), "{problem:?}");
        assert_eq!(problem.file.as_deref(), Some("notes/needs.md"));
    }
    let known = numbers(text);
    let has_numerals = text.chars().any(|c| "零一二两三四五六七八九十百千万半".contains(c));
    for criterion in &imported.draft.criteria {
        assert!((1..=lines).contains(&criterion.line), "{criterion:?}");
        let Some(assertion) = &criterion.assertion else { continue };
        assert!(assertion.proposed, "{criterion:?}");
        assert!(assertion.source.is_none(), "a source was invented: {criterion:?}");
        for number in assertion.expected.iter().flat_map(proposed) {
            let is_number = number.starts_with(|c: char| c.is_ascii_digit());
            if is_number && !has_numerals {
                assert!(known.contains(&plain(&number)), "{number} is not in {text:?}");
            }
        }
    }
    let pack = write(&imported.draft, &source, &settings);
    let value: serde_yaml::Value =
        serde_yaml::from_str(&pack).unwrap_or_else(|error| panic!("{error}\n{pack}"));
    let json = serde_json::to_value(&value).unwrap();
    let statements: Vec<&str> =
        json["criteria"].as_array().unwrap().iter().map(|c| c["statement"].as_str().unwrap()).collect();
    let expected: Vec<&str> = imported.draft.criteria.iter().map(|c| c.statement.as_str()).collect();
    assert_eq!(statements, expected, "a statement changed on its way");
    // Only what is left to the author refuses it.
    let decoded = gate::decode::pack(&Node::from_json(&json), "pack.yaml", "needs", lang);
    for problem in decoded.problems {
        let code = problem.code.name();
        assert!(
            code.starts_with("W_") || matches!(code, "E_FIELD_MISSING" | "E_PACK_EMPTY" | "E_LIMIT_LENGTH"),
            "{problem:?}\n{pack}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_of_formats(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 1..40),
        number in 0u32..100_000,
        chinese in any::<bool>(),
    ) {
        let text = pieces.concat().replace("800", &number.to_string());
        let lang = if chinese { Lang::Zh } else { Lang::En };
        for format in Format::ALL.into_iter().filter(|format| !format.is_document()) {
            check(format, &text, lang);
        }
    }

    #[test]
    fn any_text(text in "\\PC{0,200}") {
        for format in Format::ALL {
            check(format, &text, Lang::En);
        }
    }
}

#[test]
fn what_is_large_is_refused_or_read_in_good_time() {
    let many = "- **FR-1**: System MUST answer within 100 ms\n".repeat(10_001);
    let source = Source { file: "a.md", text: &many, document: None };
    let settings = Settings { feature: "a", lang: Lang::En, dimension: None };
    let problems = import(Format::SpecKit, &source, &settings).unwrap_err();
    assert_eq!(problems[0].code.name(), "E_LIMIT_COUNT");
    assert_eq!(problems[0].at.map(|at| at.line), Some(10_001));
    for text in ["*".repeat(200_000), "<!--".repeat(50_000), "假如，".repeat(60_000), "| a ".repeat(60_000)]
    {
        for format in Format::ALL {
            check(format, &text, Lang::En);
        }
    }
}
