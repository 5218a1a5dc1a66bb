//! `deliver`: features from their packs to their reports, several at a time.

use std::sync::atomic::{AtomicBool, Ordering};

use gate::lang::Lang;
use gate::say;
use serde_json::{Value, json};

use super::answer::{self, Answer};
use super::{Session, attest, plan};
use crate::cli::Deliver;
use crate::context::Context;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::pipeline::lock::{FeatureLock, IfHeld};
use crate::pipeline::model::{Action, BuiltIn, Stage};
use crate::pipeline::run::{self, Delivered, Delivery};
use crate::pipeline::selection::{Force, Selection};
use crate::{interrupt, parallel};

pub fn run(session: &Session, args: &Deliver) -> Result<Answer> {
    let features = if args.all { session.features()? } else { args.features.clone() };
    let mut seen = std::collections::BTreeSet::new();
    let features: Vec<String> = features.into_iter().filter(|feature| seen.insert(feature.clone())).collect();
    let selection = selection(args);
    if args.dry_run {
        return plan::run(session, &features, &selection);
    }
    match features.as_slice() {
        [] => Ok(Answer::yes(session.no_features(), json!({ "features": [] }))),
        [feature] if !args.all => alone(session, feature, &selection, args),
        _ => Ok(fleet(session, &features, &selection, args)),
    }
}

fn selection(args: &Deliver) -> Selection {
    let force = match args.force.as_deref() {
        None => Force::None,
        Some("") => Force::All,
        Some(stage) => Force::Stage(stage.to_owned()),
    };
    let frozen = args.frozen;
    Selection { from: args.from.clone(), until: args.until.clone(), only: args.only.clone(), force, frozen }
}

fn alone(session: &Session, feature: &str, selection: &Selection, args: &Deliver) -> Result<Answer> {
    let mut context = session.context(feature)?;
    context.asks_again = forces_review(&context, selection);
    let delivered = deliver(&context, selection, args)?;
    Ok(Answer {
        ending: delivered.ending(),
        text: text(&context, &delivered),
        data: data(&context, &delivered),
    })
}

/// Reviewers cost money, and are asked again only where their stage is named.
fn forces_review(context: &Context<'_>, selection: &Selection) -> bool {
    let Force::Stage(id) = &selection.force else { return false };
    let is_review = |stage: &Stage| stage.id == *id && stage.action == Action::BuiltIn(BuiltIn::Review);
    context.pipeline.stages.iter().any(is_review)
}

fn deliver(context: &Context<'_>, selection: &Selection, args: &Deliver) -> Result<Delivered> {
    // A key that cannot be used is found before anybody works.
    let key = attest::key(context, &args.signing)?;
    let if_held = if args.wait { IfHeld::Wait } else { IfHeld::Refuse };
    let _lock = FeatureLock::take(context, if_held)?;
    context.end_leftovers()?;
    let telling = context.progress.delivery(&context.feature);
    let delivered = run::deliver(context, selection);
    match &delivered {
        Ok(delivered) => telling.finish(Some((word(delivered.outcome), delivered.round)), delivered.ending()),
        Err(failure) => telling.finish(None, failure.ending()),
    }
    match (&delivered, key) {
        (Err(_), _) => {}
        (Ok(_), Some(key)) => attest::all(context, &key)?,
        (Ok(_), None) => attest::tell_unsigned(context)?,
    }
    delivered
}

/// As in `--json`.
fn word(outcome: Delivery) -> &'static str {
    match outcome {
        Delivery::Accepted => "accepted",
        Delivery::Exhausted => "exhausted",
        Delivery::Unrecorded => "unrecorded",
        Delivery::Stagnated => "stagnated",
        Delivery::Stopped => "stopped",
        Delivery::Outdated => "outdated",
    }
}

/// What one of several features came to.
struct Line {
    /// Whether anybody came to it.
    is_begun: bool,
    ending: Ending,
    text: String,
    data: Value,
}

/// Several features, as many at a time as was asked for. Each has its own folder, lock and record; what they share they
/// only read. The answer is in the order of the features, whatever ended first.
fn fleet(session: &Session, features: &[String], selection: &Selection, args: &Deliver) -> Answer {
    let stopped = AtomicBool::new(false);
    let jobs = usize::try_from(args.jobs).unwrap_or(1);
    let lines = parallel::map(features, jobs, |feature| {
        if stopped.load(Ordering::SeqCst) || interrupt::requested() {
            return None;
        }
        let line = line(session, feature, selection, args);
        if line.ending != Ending::Yes && !args.keep_going {
            stopped.store(true, Ordering::SeqCst);
        }
        Some(line)
    });
    let lang = session.pipeline.lang;
    let lines = features.iter().zip(lines);
    answer(
        lines.map(|(feature, line)| line.flatten().unwrap_or_else(|| not_begun(feature, lang))).collect(),
        lang,
    )
}

fn line(session: &Session, feature: &str, selection: &Selection, args: &Deliver) -> Line {
    match alone(session, feature, selection, args) {
        Ok(answer) => Line { is_begun: true, ending: answer.ending, text: answer.text, data: answer.data },
        Err(failure) => failed(session, feature, &session.masked(failure)),
    }
}

fn failed(session: &Session, feature: &str, failure: &Failure) -> Line {
    let lang = session.lang_of(Some(feature));
    let ending = failure.ending();
    let shown = answer::shown(Some(&session.root), lang, failure);
    let text = say!(lang, "{feature}: {}", "{feature}：{}", shown.trim_end());
    let mut data = answer::problems(failure);
    if let Some(data) = data.as_object_mut() {
        data.insert("feature".to_owned(), json!(feature));
    }
    Line { is_begun: true, ending, text, data }
}

/// A feature to which nobody came, because another did not end well.
fn not_begun(feature: &str, lang: Lang) -> Line {
    let ending = if interrupt::requested() { Ending::Interrupted } else { Ending::Yes };
    let text = say!(lang, "{feature}: not begun", "{feature}：未开始");
    Line { is_begun: false, ending, text, data: json!({ "feature": feature, "outcome": "notBegun" }) }
}

fn answer(lines: Vec<Line>, lang: Lang) -> Answer {
    let ending = Ending::worst(lines.iter().map(|line| line.ending));
    let (all, well) =
        (lines.len(), lines.iter().filter(|line| line.is_begun && line.ending == Ending::Yes).count());
    let text: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let sum = say!(lang, "{well} of {all} features ended well", "{all} 个功能中有 {well} 个顺利结束");
    let data: Vec<Value> = lines.iter().map(with_ending).collect();
    Answer { ending, text: format!("{}\n{sum}", text.join("\n")), data: json!({ "features": data }) }
}

fn with_ending(line: &Line) -> Value {
    let mut data = match line.is_begun {
        true => json!({ "ending": line.ending, "exitCode": line.ending.exit_code() }),
        // Nothing ended here.
        false => json!({ "ending": null, "exitCode": null }),
    };
    if let (Some(all), Value::Object(fields)) = (data.as_object_mut(), &line.data) {
        all.extend(fields.clone());
    }
    data
}

fn text(context: &Context<'_>, delivered: &Delivered) -> String {
    let lang = context.lang();
    let verdict = verdict(context, delivered);
    let idle = if delivered.ran == 0 { lang.pick(" (nothing to do)", "（无需重做）") } else { "" };
    let report = delivered.report.as_ref().map(|report| format!("\n{report}")).unwrap_or_default();
    format!("{verdict}{idle}{report}")
}

fn verdict(context: &Context<'_>, delivered: &Delivered) -> String {
    let (lang, feature) = (context.lang(), &context.feature);
    let round = delivered.round;
    match delivered.outcome {
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
        Delivery::Outdated => {
            say!(
                lang,
                "{feature}: round {round} passes, but what that rests on is out of date; nothing is accepted",
                "{feature}：第 {round} 轮通过，但其依据已过时；尚未验收"
            )
        }
        Delivery::Stopped if round == 0 => {
            say!(lang, "{feature}: stopped before the first round", "{feature}：在第一轮之前停下")
        }
        Delivery::Stopped => {
            say!(
                lang,
                "{feature}: stopped in round {round}, as was asked; nothing is accepted",
                "{feature}：按要求在第 {round} 轮停下；尚未验收"
            )
        }
    }
}

fn data(context: &Context<'_>, delivered: &Delivered) -> Value {
    json!({
        "feature": context.feature,
        "outcome": delivered.outcome,
        "round": delivered.round,
        "report": delivered.report,
        "stagesRun": delivered.ran,
    })
}
