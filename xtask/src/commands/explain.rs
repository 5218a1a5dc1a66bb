//! `explain`: why a stage is out of date, by the exact input that changed.

use gate::lang::Lang;
use gate::say;
use serde_json::json;

use super::Session;
use super::answer::Answer;
use crate::cli::Explain;
use crate::failure::Result;
use crate::pipeline::state::{Change, Side, State};
use crate::pipeline::survey::{self, Standing, Surveyed};
use crate::pipeline::{plan, selection};

pub fn run(session: &Session, args: &Explain) -> Result<Answer> {
    let context = session.context(&args.feature.feature)?;
    let lang = context.lang();
    let plan = plan::plan(&context.pipeline);
    if let Some(stage) = &args.stage {
        selection::find(&plan, stage, lang)?;
    }
    let surveyed = survey::survey(&context, &plan, &State::load(&context)?)?;
    let wanted: Vec<&Surveyed> = surveyed
        .iter()
        .filter(|stage| args.stage.as_ref().is_none_or(|wanted| stage.stage == *wanted))
        .filter(|stage| args.round.is_none_or(|wanted| stage.round == wanted || stage.round == 0))
        .collect();
    let text: String = wanted.iter().map(|stage| paragraph(stage, lang)).collect();
    let text = match text.is_empty() {
        true => lang.pick("no such round was begun", "尚无该轮次").to_owned(),
        false => text,
    };
    Ok(Answer::yes(text, json!({ "feature": context.feature, "stages": wanted })))
}

fn paragraph(stage: &Surveyed, lang: Lang) -> String {
    let round = match stage.round {
        0 => String::new(),
        round => say!(lang, ", round {round}", "，第 {round} 轮"),
    };
    let mut text = say!(lang, "{}{round}: {}\n", "{}{round}：{}\n", stage.stage, reason(stage, lang));
    stage.changes.iter().for_each(|change| text.push_str(&change_line(change, lang)));
    text
}

/// How a stage stands, in a few words.
pub fn reason(stage: &Surveyed, lang: Lang) -> String {
    match (&stage.problem, stage.standing) {
        (Some(problem), _) => {
            say!(lang, "its inputs cannot be read: {problem}", "无法读取其输入：{problem}")
        }
        (None, Standing::Absent) => lang.pick("it has not run", "尚未运行").to_owned(),
        (None, Standing::Current) => lang.pick("up to date", "已是最新").to_owned(),
        (None, Standing::Stale) if stage.changes.is_empty() => {
            lang.pick("it did not end well, and is tried again", "上次未成功，将再次尝试").to_owned()
        }
        (None, Standing::Stale) => lang.pick("out of date", "已过时").to_owned(),
    }
}

/// One change: what, from what to what.
pub fn change_line(change: &Change, lang: Lang) -> String {
    let side = match change.what {
        Side::Input => lang.pick("input", "输入"),
        Side::Output => lang.pick("output", "输出"),
    };
    let name = change.name.strip_prefix("file:").unwrap_or(&change.name);
    let (old, new) = (short(change.old.as_deref(), lang), short(change.new.as_deref(), lang));
    format!("    {side}  {name}  {old} → {new}\n")
}

/// Enough of a digest to tell it from another.
fn short(digest: Option<&str>, lang: Lang) -> String {
    match digest {
        None | Some(crate::stages::ABSENT) => lang.pick("nothing", "无").to_owned(),
        Some(digest) => digest.get(..12).unwrap_or(digest).to_owned(),
    }
}
