//! `check`: what is wrong with a pack, and nothing is changed.

use gate::problem::any_error;
use gate::say;
use serde_json::json;

use super::answer::{Answer, render};
use crate::authored;
use crate::context::Context;
use crate::ending::Ending;
use crate::failure::Result;
use crate::stages;

pub fn run(context: &Context<'_>) -> Result<Answer> {
    let authored = authored::pack(context)?;
    context.renderer()?;
    let warnings = &authored.warnings;
    let mut found = stages::review_findings(context, &authored)?;
    // What decoding has said already is said once.
    let is_known = |finding: &gate::review::Finding| {
        warnings.iter().any(|known| known.code == finding.code && known.criterion == finding.criterion)
    };
    found.retain(|finding| !is_known(finding));
    let blocks = any_error(warnings) || found.iter().any(|finding| finding.blocks);
    let ending = if blocks { Ending::InvalidInput } else { Ending::Yes };
    let mut problems = warnings.clone();
    problems.extend(found.iter().map(|finding| match finding.response {
        Some(_) => stages::answerable(context, finding),
        None => finding.problem(),
    }));
    problems.sort_by_key(|problem| (problem.at, problem.code.name()));
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
