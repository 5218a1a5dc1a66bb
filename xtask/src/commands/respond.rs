//! `respond`: a person's answer to a finding of the review, by name and with a reason. It is kept with what authors write,
//! and the next review reads it.

use gate::code::Code;
use gate::decode::did_you_mean;
use gate::review::{Finding, Response, Stance};
use gate::say;
use serde::Serialize;
use serde_json::json;

use super::answer::Answer;
use crate::cli;
use crate::context::Context;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::git::Git;
use crate::pipeline::lock::{FeatureLock, IfHeld};
use crate::stages;
use crate::store;

/// What stands in the file.
#[derive(Serialize)]
struct Responses {
    responses: Vec<Response>,
}

pub fn run(context: &Context<'_>, args: &cli::Respond) -> Result<Answer> {
    let _lock = FeatureLock::take(context, IfHeld::Refuse)?;
    stages::require_unmeddled(context)?;
    let (lang, feature) = (context.lang(), &context.feature);
    let review = stages::review_of_lock(context, &context.lock()?)?;
    let finding = find(context, &review.findings, &args.finding)?;
    let by = match &args.by {
        Some(by) => by.clone(),
        None => Git::at(context.root.folder(), lang).user()?.unwrap_or_default(),
    };
    for (option, text) in [("--by", &by), ("--reason", &args.reason)] {
        require_visible(context, option, text)?;
    }
    let answer = if args.accept { Stance::Accept } else { Stance::Dispute };
    let (by, reason) = (by.trim().to_owned(), args.reason.trim().to_owned());
    let mut responses = stages::responses(context)?;
    responses.push(Response { finding: finding.id.clone(), answer, by, reason });
    let path = context.paths.responses();
    store::write_json(&context.at(&path), &Responses { responses })?;
    let said = match answer {
        Stance::Dispute => say!(
            lang,
            "run cargo xtask deliver {feature} to go on; reports will show that this was disputed",
            "运行 cargo xtask deliver {feature} 继续；报告会写明对此有异议"
        ),
        Stance::Accept => say!(
            lang,
            "change the pack: the finding blocks until it is gone. cargo xtask tighten {feature} shows what is certain",
            "请修改验收包：该发现消失之前会一直阻塞。cargo xtask tighten {feature} 会显示确定的改动"
        ),
    };
    let data = json!({ "feature": feature, "finding": finding.id, "answer": answer, "written": [path] });
    Ok(Answer::yes(format!("{path}\n{said}"), data))
}

/// The finding of an id, where a person can answer it.
fn find<'f>(context: &Context<'_>, findings: &'f [Finding], id: &str) -> Result<&'f Finding> {
    let lang = context.lang();
    match findings.iter().find(|finding| finding.id == id) {
        Some(finding) if finding.is_answerable() => Ok(finding),
        Some(finding) => {
            let code = finding.code.name();
            let message = say!(
                lang,
                "{id} is {code}: a fact, which is mended and not answered",
                "{id} 是 {code}：属于事实，只能修复，不能答复"
            );
            Err(refused(message, finding.help.clone()))
        }
        None => {
            let message = say!(lang, "the review has no finding {id}", "预审中没有发现 {id}");
            Err(unknown(context, findings, id, message))
        }
    }
}

/// That there is no such finding, with those that there are.
pub(super) fn unknown(context: &Context<'_>, findings: &[Finding], id: &str, message: String) -> Failure {
    let lang = context.lang();
    let known = || findings.iter().filter(|finding| finding.is_answerable());
    let line = |finding: &Finding| {
        let about = finding.criterion.as_deref().unwrap_or("–");
        format!("{} ({about}, {})", finding.id, finding.code.name())
    };
    let listed = known().map(line).collect::<Vec<_>>().join(", ");
    let help = match did_you_mean(id, known().map(|finding| finding.id.as_str())) {
        Some(near) => {
            say!(lang, "did you mean {near}? there are: {listed}", "是否想写 {near}？现有：{listed}")
        }
        None if listed.is_empty() => say!(lang, "there is none", "没有任何发现"),
        None => say!(lang, "there are: {listed}", "现有：{listed}"),
    };
    refused(message, help)
}

fn refused(message: String, help: String) -> Failure {
    Failure::coded(Ending::InvalidInput, Code::FindingUnknown, message, help)
}

fn require_visible(context: &Context<'_>, option: &str, text: &str) -> Result<()> {
    if gate::decode::has_visible(text) {
        return Ok(());
    }
    let lang = context.lang();
    let message = say!(lang, "{option} says nothing", "{option} 没有内容");
    let help = say!(
        lang,
        "write who answers with --by, or set git's user.name, and why with --reason",
        "请用 --by 写明由谁答复（或设置 git 的 user.name），并用 --reason 写明理由"
    );
    Err(refused(message, help))
}
