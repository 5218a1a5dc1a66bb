//! `log`: what the programs of a stage said.

use camino::Utf8PathBuf;
use gate::code::Code;
use gate::say;
use serde_json::json;

use super::Session;
use super::answer::Answer;
use crate::cli::Log;
use crate::context::Context;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::pipeline::model::Action;
use crate::pipeline::{plan, selection};
use crate::store;

pub fn run(session: &Session, args: &Log) -> Result<Answer> {
    let context = session.context(&args.feature.feature)?;
    let plan = plan::plan(&context.pipeline);
    let stage = selection::find(&plan, &args.stage, context.lang())?;
    let (word, has_parts) = match &stage.action {
        Action::BuiltIn(built_in) => (built_in.word(), true),
        Action::Run(_) => (stage.id.as_str(), false),
    };
    let logs = logs(&context, word, has_parts, args.round)?;
    if logs.is_empty() {
        return Err(none(&context, &args.stage));
    }
    let mut text = String::new();
    for log in &logs {
        // One file needs no title.
        if logs.len() > 1 {
            text.push_str(&format!("==> {log} <==\n"));
        }
        text.push_str(&String::from_utf8_lossy(&store::read(&context.at(log))?));
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    Ok(Answer::yes(text, json!({ "feature": context.feature, "stage": args.stage, "logs": logs })))
}

/// The logs of a stage in the round that was named, or in the latest that has any: `<stage>.log` and
/// `<stage>-<what>.log`.
fn logs(context: &Context<'_>, stage: &str, has_parts: bool, round: Option<u32>) -> Result<Vec<Utf8PathBuf>> {
    let folders: Vec<Utf8PathBuf> = match round {
        Some(round) => vec![context.paths.round(round)],
        None => {
            let rounds = context.rounds()?.into_iter().rev().map(|round| context.paths.round(round));
            rounds.chain([context.paths.delivery()]).collect()
        }
    };
    for folder in folders {
        let folder = folder.join("logs");
        let is_of_stage = |name: &String| {
            name.strip_suffix(".log")
                .and_then(|stem| stem.strip_prefix(stage))
                .is_some_and(|rest| rest.is_empty() || (has_parts && rest.starts_with('-')))
        };
        let names = store::list(&context.at(&folder))?.into_iter().filter(is_of_stage);
        let found: Vec<Utf8PathBuf> = names.map(|name| folder.join(name)).collect();
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

fn none(context: &Context<'_>, stage: &str) -> Failure {
    let lang = context.lang();
    let message = say!(lang, "no log of {stage} is there", "没有阶段 {stage} 的日志");
    let help = say!(
        lang,
        "only stages that start programs have logs, once they ran",
        "只有启动过程序的阶段才有日志"
    );
    Failure::coded(Ending::InvalidInput, Code::ArtifactMissing, message, help)
}
