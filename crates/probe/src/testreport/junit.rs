//! JUnit XML and its relative of xdevice (`result="true"`, `result_kind="Passed"`, empty `errors=""`).
//!
//! The cases are counted, and the sums that the file states are held against that count.

use gate::lang::Lang;
use gate::say;
use roxmltree::Node;

use super::{Case, Counts, Report, Verdict};
use crate::answer::{Outcome, unreadable};
use crate::xml;

pub(super) fn read(text: &str, lang: Lang) -> Outcome<Report> {
    let document = xml::parse(text, lang)?;
    let root = document.root_element();
    if !matches!(root.tag_name().name(), "testsuites" | "testsuite") {
        return unreadable(say!(lang, "no testsuites in the XML", "XML 中没有 testsuites"));
    }
    let mut report = Report { lines: vec![xml::line_of(root)], ..Report::default() };
    for node in root.descendants().filter(|node| node.has_tag_name("testcase")) {
        let verdict = verdict(node, lang)?;
        count(&mut report.counts, verdict);
        let attribute = |name: &str| node.attribute(name).unwrap_or_default().to_owned();
        report.cases.push(Case {
            suite: attribute("classname"),
            name: attribute("name"),
            verdict,
            line: xml::line_of(node),
        });
    }
    compare(root, report.counts, lang)?;
    Ok(report)
}

fn count(counts: &mut Counts, verdict: Verdict) {
    counts.run += 1;
    match verdict {
        Verdict::Passed => counts.passed += 1,
        Verdict::Failed => counts.failures += 1,
        Verdict::Error => counts.errors += 1,
        Verdict::Ignored => counts.ignored += 1,
    }
}

fn verdict(case: Node<'_, '_>, lang: Lang) -> Outcome<Verdict> {
    let has = |name: &str| case.children().any(|child| child.has_tag_name(name));
    let attribute = |name: &str| case.attribute(name).unwrap_or_default().trim().to_ascii_lowercase();
    let (kind, result, status) = (attribute("result_kind"), attribute("result"), attribute("status"));
    // xdevice says by result_kind, older ones by result and status, JUnit by what stands within.
    Ok(match (kind.as_str(), result.as_str(), status.as_str()) {
        _ if has("error") => Verdict::Error,
        _ if has("failure") => Verdict::Failed,
        _ if has("skipped") => Verdict::Ignored,
        ("passed", "" | "true", _) => Verdict::Passed,
        ("failed", "" | "false", _) => Verdict::Failed,
        ("blocked" | "unavailable", ..) => Verdict::Error,
        ("ignored" | "disabled", ..) | ("", _, "disabled" | "ignored" | "notrun" | "skipped") => {
            Verdict::Ignored
        }
        ("", "true", "run" | "") => Verdict::Passed,
        ("", "false", "run" | "") => Verdict::Failed,
        // Google Test and jsunit say `completed`; plain JUnit says nothing of a case that passed.
        ("", "" | "completed", "" | "run" | "passed" | "success") => Verdict::Passed,
        ("", "", "failed") => Verdict::Failed,
        ("", "", "error") => Verdict::Error,
        ("", "skipped" | "suppressed", _) => Verdict::Ignored,
        _ => {
            let line = xml::line_of(case);
            return unreadable(say!(
                lang,
                "the case in line {line} says neither that it passed nor that it failed (result `{result}`, result_kind `{kind}`, status `{status}`)",
                "第 {line} 行的用例既未说明通过也未说明失败（result `{result}`、result_kind `{kind}`、status `{status}`）"
            ));
        }
    })
}

/// Holds the sums of the root against the cases; empty and absent ones say nothing.
fn compare(root: Node<'_, '_>, counts: Counts, lang: Lang) -> Outcome<()> {
    for (name, counted) in [("tests", counts.run), ("failures", counts.failures)] {
        let stated = root.attribute(name).unwrap_or_default().trim();
        if !stated.is_empty() && stated.parse() != Ok(counted) {
            return unreadable(say!(
                lang,
                "the report states {name}=\"{stated}\" and lists {counted}: incomplete",
                "报告写明 {name}=\"{stated}\"，实际列出 {counted}：不完整"
            ));
        }
    }
    let errors = root.attribute("errors").unwrap_or_default().trim();
    if errors.parse::<u64>().is_ok_and(|errors| errors > counts.errors + counts.failures) {
        return unreadable(say!(
            lang,
            "the report states errors=\"{errors}\" and lists fewer: incomplete",
            "报告写明 errors=\"{errors}\"，实际列出更少：不完整"
        ));
    }
    Ok(())
}
