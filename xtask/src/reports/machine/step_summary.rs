//! Markdown for the summary of a GitHub job: the verdict, the dimensions, what does not hold, and then everything.
//!
//! GitHub refuses a summary above one mebibyte as a whole. Rows that would not fit are counted and left to the report.

use gate::lang::Lang;
use gate::say;

use super::Told;
use super::case::{Case, Standing};
use crate::render::{label, markdown};
use crate::reports::view::DimensionView;

/// What this report may take; several features may share one summary.
const MOST: usize = 256 << 10;

/// Renders the summary.
pub fn render(told: &Told<'_>) -> String {
    let lang = told.lang();
    let sign = if told.is_accepted() { "✅" } else { "❌" };
    let mut text = format!("### {sign} {}\n\n", escaped(&told.verdict()));
    if told.audit.replayed {
        text.push_str(lang.pick(
            "This delivery was replayed: no device was measured.\n\n",
            "本次交付为重放：没有测量任何设备。\n\n",
        ));
    }
    dimensions(told, &mut text);
    let open: Vec<&Case<'_>> =
        told.cases.iter().filter(|case| !matches!(case.standing, Standing::Holds)).collect();
    if !open.is_empty() {
        text.push_str(lang.pick("\n**What does not hold**\n\n", "\n**未达到的标准**\n\n"));
        table(&open, lang, &mut text);
    }
    for line in told.general_lines() {
        text.push_str(&format!("\n* {}", escaped(&line)));
    }
    let all = say!(lang, "All {} criteria", "全部 {} 条标准", told.cases.len());
    text.push_str(&format!("\n\n<details><summary>{all}</summary>\n\n"));
    table(&told.cases.iter().collect::<Vec<_>>(), lang, &mut text);
    text.push_str("\n</details>\n");
    text
}

fn dimensions(told: &Told<'_>, text: &mut String) {
    let lang = told.lang();
    text.push_str(lang.pick(
        "| dimension | pass | fail | invalid | unverified | waived |\n",
        "| 维度 | 通过 | 不通过 | 无效 | 未验证 | 已豁免 |\n",
    ));
    text.push_str("| --- | ---: | ---: | ---: | ---: | ---: |\n");
    for view in DimensionView::all(told.audit) {
        let DimensionView { dimension, pass, fail, invalid, unverified, waived, .. } = view;
        let name = label(dimension.word(), lang);
        text.push_str(&format!("| {name} | {pass} | {fail} | {invalid} | {unverified} | {waived} |\n"));
    }
}

fn table(cases: &[&Case<'_>], lang: Lang, text: &mut String) {
    text.push_str(
        lang.pick(
            "| criterion | outcome | what was asked for and found |\n",
            "| 标准 | 结果 | 要求与实测 |\n",
        ),
    );
    text.push_str("| --- | --- | --- |\n");
    for (count, case) in cases.iter().enumerate() {
        let outcome = label(case.outcome(), lang);
        let row = format!("| {} | {outcome} | {} |\n", escaped(&case.name()), escaped(&case.summary()));
        if text.len() + row.len() > MOST {
            let rest = cases.len() - count;
            text.push_str(&say!(
                lang,
                "\n{rest} more: the report has all.\n",
                "\n另有 {rest} 条，见报告。\n"
            ));
            return;
        }
        text.push_str(&row);
    }
}

fn escaped(text: &str) -> String {
    let mut output = Vec::new();
    // Writing to a Vec does not fail.
    let _ = markdown::escape(text, &mut output);
    String::from_utf8_lossy(&output).into_owned()
}
