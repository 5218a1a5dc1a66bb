//! `review`: the frozen pack is attacked, and every finding is shown, what blocks first.

use gate::review::Finding;
use gate::say;
use serde_json::json;

use super::answer::{Answer, render};
use super::stage;
use crate::context::Context;
use crate::documents::Review;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::pipeline::model::BuiltIn;
use crate::stages;

pub fn run(context: &Context<'_>) -> Result<Answer> {
    match stage::run(context, BuiltIn::Review, None, None) {
        // What blocks is told below, with the rest.
        Ok(_) | Err(Failure::Problems { ending: Ending::Blocked, .. }) => {}
        Err(failure) => return Err(failure),
    }
    let review = context.review()?;
    let mut findings: Vec<&Finding> = review.findings.iter().collect();
    findings.sort_by_key(|finding| (!finding.blocks, finding.severity));
    let problems: Vec<_> = findings.into_iter().map(|finding| stages::answerable(context, finding)).collect();
    let ending = if review.blocked { Ending::Blocked } else { Ending::Yes };
    let report = context.paths.review("md");
    let shown = render(Some(context.root), &problems, context.lang());
    let text =
        format!("{shown}{}{}\n{report}", if shown.is_empty() { "" } else { "\n" }, summary(context, &review));
    let data = json!({
        "feature": context.feature,
        "blocked": review.blocked,
        "findings": review.findings,
        "reviewers": review.reviewers,
        "problems": problems,
        "written": [report.with_extension("json"), report],
    });
    Ok(Answer { ending, text, data })
}

fn summary(context: &Context<'_>, review: &Review) -> String {
    let (lang, feature) = (context.lang(), &context.feature);
    let (all, blocking) =
        (review.findings.len(), review.findings.iter().filter(|finding| finding.blocks).count());
    match (all, blocking) {
        (0, _) => say!(lang, "{feature}: no finding", "{feature}：没有发现问题"),
        (all, 0) => {
            say!(lang, "{feature}: {all} findings, none of which blocks", "{feature}：{all} 条发现，均不阻塞")
        }
        (all, blocking) => say!(
            lang,
            "{feature}: blocked by {blocking} of {all} findings",
            "{feature}：{all} 条发现中有 {blocking} 条阻塞"
        ),
    }
}
