//! `check`: what is wrong with a pack, and nothing is changed.

use gate::problem::{Problem, any_error};
use gate::say;
use serde_json::json;

use super::answer::{Answer, render};
use crate::context::Context;
use crate::ending::Ending;
use crate::failure::Result;
use crate::stages;

pub fn run(context: &Context<'_>) -> Result<Answer> {
    let authored = stages::authored_pack(context)?;
    context.renderer()?;
    let problems = findings(context, &authored);
    let ending = if any_error(&problems) { Ending::InvalidInput } else { Ending::Yes };
    let lang = context.lang();
    let count = authored.decoded.pack.criteria.len();
    let summary = match problems.len() {
        0 => {
            say!(lang, "{}: {count} criteria, no findings", "{}：{count} 条标准，没有发现问题", authored.file)
        }
        found => say!(
            lang,
            "{}: {count} criteria, {found} findings",
            "{}：{count} 条标准，发现 {found} 个问题",
            authored.file
        ),
    };
    let text = format!("{}{summary}", render(Some(context.root), &problems, lang));
    Ok(Answer {
        ending,
        text,
        data: json!({ "feature": context.feature, "criteria": count, "problems": problems }),
    })
}

/// What decoding and the review would say, each finding once.
fn findings(context: &Context<'_>, authored: &stages::Authored) -> Vec<Problem> {
    let mut problems = authored.warnings.clone();
    for finding in stages::review_findings(
        context,
        &authored.decoded.pack,
        &authored.decoded.locations,
        authored.file.as_str(),
    ) {
        if !problems.iter().any(|known| known.code == finding.code && known.criterion == finding.criterion) {
            problems.push(finding);
        }
    }
    problems.sort_by_key(|problem| (problem.at, problem.code.name()));
    problems
}
