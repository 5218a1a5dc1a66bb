//! Text of `aa test`: `OHOS_REPORT_STATUS:` lines of each case, then `OHOS_REPORT_RESULT:` and `OHOS_REPORT_CODE:`.
//!
//! A file can hold the reports of several modules, one after another; they are added up.

use gate::lang::Lang;
use gate::say;

use super::{Case, Counts, Report, Verdict};
use crate::answer::{Outcome, unreadable};

pub(super) fn read(text: &str, lang: Lang) -> Outcome<Report> {
    let mut report = Report::default();
    let mut open: Option<u64> = None;
    let (mut suite, mut test) = (String::new(), String::new());
    for (index, line) in text.lines().enumerate() {
        let number = index as u64 + 1;
        let line = line.trim();
        if let Some(status) = line.strip_prefix("OHOS_REPORT_STATUS:") {
            match status.trim().split_once('=') {
                Some(("class", value)) => value.clone_into(&mut suite),
                Some(("test", value)) => value.clone_into(&mut test),
                _ => {}
            }
        } else if let Some(code) = line.strip_prefix("OHOS_REPORT_STATUS_CODE:") {
            if let Some(verdict) = verdict(code.trim(), number, lang)? {
                report.cases.push(Case { suite: suite.clone(), name: test.clone(), verdict, line: number });
            }
        } else if let Some(result) = line.strip_prefix("OHOS_REPORT_RESULT:") {
            let Some(counts) = counts(result) else { return refuse(number, lang) };
            report.counts.add(counts);
            report.lines.push(number);
            open = Some(number);
        } else if let Some(code) = line.strip_prefix("OHOS_REPORT_CODE:") {
            let Ok(code) = code.trim().parse::<i64>() else { return refuse(number, lang) };
            if code != 0 {
                report.trouble = Some(format!("OHOS_REPORT_CODE: {code}"));
            }
            if open.take().is_none() {
                return unreadable(say!(
                    lang,
                    "a code without a result in line {number}: the run broke off before its counts",
                    "第 {number} 行只有代码而没有结果：测试在统计之前中断"
                ));
            }
        }
    }
    match (report.lines.is_empty(), open) {
        (false, None) => Ok(report),
        (false, Some(line)) => unreadable(say!(
            lang,
            "no OHOS_REPORT_CODE after the result in line {line}: truncated",
            "第 {line} 行的结果之后没有 OHOS_REPORT_CODE：报告被截断"
        )),
        (true, _) => unreadable(say!(
            lang,
            "no OHOS_REPORT_RESULT line: the run broke off, or this is no report of `aa test`",
            "没有 OHOS_REPORT_RESULT 行：测试中断，或不是 `aa test` 的报告"
        )),
    }
}

/// What a status code says of a case that ended; 1 says that it begins.
fn verdict(code: &str, line: u64, lang: Lang) -> Outcome<Option<Verdict>> {
    Ok(Some(match code {
        "1" => return Ok(None),
        "0" => Verdict::Passed,
        "-1" => Verdict::Error,
        "-2" => Verdict::Failed,
        "-3" => Verdict::Ignored,
        _ => return refuse(line, lang),
    }))
}

/// `stream=Tests run: 447, Failure: 0, Error: 1, Pass: 201, Ignore: 245`.
fn counts(result: &str) -> Option<Counts> {
    let (_, list) = result.split_once("stream=")?;
    let mut found = [None; 5];
    for item in list.split(',') {
        let (label, count) = item.split_once(':')?;
        let at = ["Tests run", "Pass", "Failure", "Error", "Ignore"]
            .iter()
            .position(|known| *known == label.trim());
        if let Some(slot) = at.and_then(|at| found.get_mut(at)) {
            *slot = Some(count.trim().parse::<u64>().ok()?);
        }
    }
    let [run, passed, failures, errors, ignored] = found;
    Some(Counts {
        run: run?,
        passed: passed?,
        failures: failures?,
        errors: errors?,
        ignored: ignored.unwrap_or(0),
    })
}

fn refuse<T>(line: u64, lang: Lang) -> Outcome<T> {
    unreadable(say!(
        lang,
        "line {line} of the report does not parse: truncated, or another version of `aa test`",
        "报告第 {line} 行无法解析：被截断，或 `aa test` 版本不同"
    ))
}
