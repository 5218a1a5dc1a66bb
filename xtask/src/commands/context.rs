//! `context`: what a template sees of an artifact, as JSON. Reads only.

use camino::Utf8PathBuf;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Session;
use super::answer::Answer;
use crate::cli::ContextArgs;
use crate::context::Context;
use crate::failure::Result;
use crate::pipeline::convergence;
use crate::render::Renderer;
use crate::{reports, rounds};

pub fn run(session: &Session, args: &ContextArgs) -> Result<Answer> {
    let context = session.context(&args.round.feature.feature)?;
    let bytes = view(&context, &args.template, args.round.round)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let view: Value = serde_json::from_slice(&bytes).map_err(anyhow::Error::from)?;
    Ok(Answer::yes(text, json!({ "template": args.template, "context": view })))
}

fn view(context: &Context<'_>, template: &str, round: Option<u32>) -> Result<Vec<u8>> {
    let (views, paths) = (Renderer::of_views(context.lang()), &context.paths);
    let round = || which_round(context, round);
    match template {
        "spec" => reports::spec(&views, &context.lock()?),
        "review" => reports::review(&views, context.review()?.as_ref()),
        "brief" => {
            let round = round()?;
            reports::brief(&views, &read(context, paths.in_round(round, "brief.json"), "brief", round)?)
        }
        "acceptance" => {
            reports::acceptance(&views, &context.artifact(&paths.acceptance("json"), "report", None)?)
        }
        "rework" => {
            let round = round()?;
            reports::rework(&views, &read(context, paths.rework(round, "json"), "report", round)?)
        }
        _ => reports::audit(&views, context.audit(round()?)?.as_ref()),
    }
}

fn read<T: DeserializeOwned>(context: &Context<'_>, path: Utf8PathBuf, stage: &str, round: u32) -> Result<T> {
    context.artifact(&path, stage, Some(round))
}

/// The round that was named, or the one by which the delivery stands, or the latest.
fn which_round(context: &Context<'_>, named: Option<u32>) -> Result<u32> {
    match (named, convergence::last_verdict(context)?) {
        (Some(round), _) | (None, Some((round, _))) => Ok(round),
        (None, None) => Ok(rounds::latest(context)?.unwrap_or(1)),
    }
}
