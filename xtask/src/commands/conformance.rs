//! `conformance`: runs vectors against this gate, so that others can test theirs by the same.

use camino::Utf8PathBuf;
use gate::code::Code;
use gate::conformance::{self, Report};
use gate::lang::Lang;
use gate::say;
use serde_json::json;

use super::answer::Answer;
use crate::document;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::store;

/// Runs every case of every file.
pub fn run(files: &[Utf8PathBuf], lang: Lang) -> Result<Answer> {
    let mut reports = Vec::new();
    for file in files {
        reports.push((file, read(file, lang)?));
    }
    let cases: usize = reports.iter().map(|(_, report)| report.cases).sum();
    let mismatches: usize = reports.iter().map(|(_, report)| report.mismatches.len()).sum();
    let ending = if mismatches == 0 { Ending::Yes } else { Ending::No };
    let mut text = String::new();
    for (file, report) in &reports {
        for mismatch in &report.mismatches {
            text.push_str(&format!("{file}: {}\n", mismatch.case));
            for difference in &mismatch.differences {
                text.push_str(&format!("  {difference}\n"));
            }
        }
    }
    text.push_str(&say!(
        lang,
        "{cases} cases, {mismatches} mismatches",
        "{cases} 个用例，{mismatches} 个不一致"
    ));
    let data: Vec<_> = reports
        .iter()
        .map(|(file, report)| json!({ "file": file, "cases": report.cases, "mismatches": report.mismatches }))
        .collect();
    Ok(Answer { ending, text, data: json!({ "cases": cases, "mismatches": mismatches, "files": data }) })
}

fn read(file: &Utf8PathBuf, lang: Lang) -> Result<Report> {
    let Some(bytes) = store::read_optional(file)? else {
        let message = say!(lang, "there is no file {file}", "找不到文件 {file}");
        let help = say!(
            lang,
            "name a file of vectors, as docs/conformance.md describes them",
            "请指定 docs/conformance.md 所述形式的用例文件"
        );
        return Err(Failure::coded(Ending::InvalidInput, Code::ArtifactMissing, message, help));
    };
    document::parse(file.as_str(), &bytes, lang)
        .and_then(|node| conformance::run(&node, file.as_str(), lang))
        .map_err(|problems| Failure::Problems { ending: Ending::InvalidInput, problems })
}
