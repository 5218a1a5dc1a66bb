//! `deliver`: a feature from its pack to its report.

use gate::say;
use serde_json::json;

use super::answer::Answer;
use crate::context::Context;
use crate::failure::Result;
use crate::pipeline::lock::FeatureLock;
use crate::pipeline::run::{self, Delivered, Delivery};

pub fn run(context: &Context<'_>) -> Result<Answer> {
    let _lock = FeatureLock::take(context.root, &context.feature, context.lang())?;
    context.end_leftovers()?;
    let telling = context.progress.delivery(&context.feature);
    let delivered = run::deliver(context);
    match &delivered {
        Ok(delivered) => telling.finish(Some((word(delivered.outcome), delivered.round)), delivered.ending()),
        Err(failure) => telling.finish(None, failure.ending()),
    }
    let delivered = delivered?;
    Ok(Answer {
        ending: delivered.ending(),
        text: text(context, &delivered),
        data: data(context, &delivered),
    })
}

/// As in `--json`.
fn word(outcome: Delivery) -> &'static str {
    match outcome {
        Delivery::Accepted => "accepted",
        Delivery::Exhausted => "exhausted",
        Delivery::Unrecorded => "unrecorded",
        Delivery::Stagnated => "stagnated",
    }
}

fn text(context: &Context<'_>, delivered: &Delivered) -> String {
    let (lang, feature) = (context.lang(), &context.feature);
    let (round, report) = (delivered.round, &delivered.report);
    let verdict = match delivered.outcome {
        Delivery::Accepted => {
            say!(lang, "{feature}: accepted in round {round}", "{feature}：第 {round} 轮已验收")
        }
        Delivery::Exhausted => {
            say!(
                lang,
                "{feature}: not accepted after round {round}; no round is left",
                "{feature}：第 {round} 轮后仍未验收，已无剩余轮次"
            )
        }
        Delivery::Unrecorded => {
            let next = round + 1;
            say!(
                lang,
                "{feature}: not accepted after round {round}; no work is recorded for round {next}",
                "{feature}：第 {round} 轮后仍未验收；没有第 {next} 轮的录制"
            )
        }
        Delivery::Stagnated => {
            say!(
                lang,
                "{feature}: round {round} failed like the one before",
                "{feature}：第 {round} 轮与上一轮失败相同"
            )
        }
    };
    let idle = if delivered.ran == 0 { lang.pick(" (nothing to do)", "（无需重做）") } else { "" };
    format!("{verdict}{idle}\n{report}")
}

fn data(context: &Context<'_>, delivered: &Delivered) -> serde_json::Value {
    json!({
        "feature": context.feature,
        "outcome": delivered.outcome,
        "round": delivered.round,
        "report": delivered.report,
        "stagesRun": delivered.ran,
    })
}
