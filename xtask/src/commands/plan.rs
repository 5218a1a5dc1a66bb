//! `deliver --dry-run`: what would run, and why.

use gate::lang::Lang;
use gate::say;
use serde_json::{Value, json};

use super::answer::{self, Answer};
use super::explain::{change_line, reason};
use super::{Session, width};
use crate::context::Context;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::pipeline::selection::Selection;
use crate::pipeline::state::State;
use crate::pipeline::survey::{self, Standing, Step, Surveyed};
use crate::pipeline::{plan, run};

pub fn run(session: &Session, features: &[String], selection: &Selection) -> Result<Answer> {
    let mut texts = Vec::new();
    let mut data = Vec::new();
    let mut endings = Vec::new();
    for feature in features {
        let (text, plan, ending) = one(session, feature, selection)?;
        texts.push(text);
        data.push(plan);
        endings.push(ending);
    }
    let text = if texts.is_empty() { session.no_features() } else { texts.join("\n") };
    Ok(Answer { ending: Ending::worst(endings), text, data: json!({ "features": data }) })
}

fn one(session: &Session, feature: &str, selection: &Selection) -> Result<(String, Value, Ending)> {
    let context = session.context(feature)?;
    let lang = context.lang();
    let plan = plan::plan(&context.pipeline);
    selection.check(&plan, lang)?;
    let is_frozen = if selection.frozen { run::require_frozen(&context) } else { Ok(()) };
    if let Err(failure) = is_frozen.and_then(|()| run::require_sound(&context)) {
        return Ok(refused(&context, &failure));
    }
    let surveyed = survey::survey(&context, &plan, &State::load(&context)?)?;
    let steps = survey::foresee(&plan, selection, &surveyed);
    let mut text = format!("{feature}\n");
    let mut data = Vec::new();
    for (stage, step) in surveyed.iter().zip(steps) {
        text.push_str(&step_line(stage, step, &surveyed, lang));
        if step == Step::Run {
            stage.changes.iter().for_each(|change| text.push_str(&change_line(change, lang)));
        }
        let (id, round) = (&stage.stage, stage.round);
        data.push(json!({ "stage": id, "round": round, "action": step, "changes": stage.changes }));
    }
    let (rounds, max) = (surveyed.last().map_or(0, |stage| stage.round), context.pipeline.rounds_max);
    text.push_str(&say!(
        lang,
        "  rounds beyond {rounds} depend on the verdict; at most {max} for one pack\n",
        "  第 {rounds} 轮之后取决于审计结论；每个验收包最多 {max} 轮\n"
    ));
    Ok((text, json!({ "feature": feature, "plan": data }), Ending::Yes))
}

/// What a run would say instead of beginning.
fn refused(context: &Context<'_>, failure: &Failure) -> (String, Value, Ending) {
    let (lang, feature) = (context.lang(), &context.feature);
    let why = answer::shown(Some(context.root), lang, failure);
    let text = say!(lang, "{feature} would be refused:\n{why}", "{feature} 将被拒绝：\n{why}");
    let mut data = answer::problems(failure);
    if let Some(data) = data.as_object_mut() {
        data.insert("feature".to_owned(), json!(feature));
    }
    (text, data, failure.ending())
}

fn step_line(stage: &Surveyed, step: Step, all: &[Surveyed], lang: Lang) -> String {
    let what = match step {
        Step::Skip => lang.pick("up to date", "已是最新").to_owned(),
        Step::Unselected => lang.pick("left as it is", "保持不变").to_owned(),
        Step::MayRun => {
            lang.pick("runs if what comes before it changes", "若上游结果有变化则运行").to_owned()
        }
        Step::Run if stage.standing == Standing::Current => lang.pick("runs, forced", "强制运行").to_owned(),
        Step::Run => say!(lang, "runs: {}", "运行：{}", reason(stage, lang)),
    };
    let pad = width(all.iter().map(|stage| stage.stage.as_str()));
    let round = if stage.round == 0 { String::new() } else { stage.round.to_string() };
    format!("  {:<pad$}  {round:<3}  {what}\n", stage.stage)
}
