//! `summary`: all features on one page. Reads only what is committed, and writes nothing but the folder that is named.

use std::sync::Arc;

use gate::audit::Verdict;
use serde::Deserialize;
use serde_json::json;

use super::Session;
use super::answer::Answer;
use crate::cli;
use crate::context::Context;
use crate::cost::Cost;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::files::Files;
use crate::render::Renderer;
use crate::reports::summary::{Round, Story, Summary, html};
use crate::{parallel, store};

pub fn run(session: &Session, args: &cli::Summary) -> Result<Answer> {
    let lang = session.pipeline.lang;
    let features = session.features()?;
    let common = Arc::default();
    let told = parallel::map(&features, parallel::processors(), |feature| {
        let context = session.looking_at(feature, &common);
        story(&context).unwrap_or_else(|failure| broken(feature, &session.masked(failure)))
    });
    let (stories, endings): (Vec<Story>, Vec<Ending>) = told.into_iter().flatten().unzip();
    let summary = Summary::of(&stories, lang);
    let markdown =
        summary.markdown(&Renderer::load(&Files::Folder(session.root.folder().to_owned()), lang)?)?;
    let mut data = json!({ "summary": summary });
    let text = match &args.output {
        None => String::from_utf8_lossy(&markdown).into_owned(),
        Some(folder) => {
            let files =
                [(folder.join("summary.md"), markdown), (folder.join("summary.html"), html(&summary, lang))];
            for (path, bytes) in &files {
                store::write(&super::here()?.join(path), bytes)?;
            }
            let written = files.map(|(path, _)| path);
            data["written"] = json!(written);
            written.map(|path| path.to_string()).join("\n")
        }
    };
    // One feature that cannot be read hides no other.
    Ok(Answer { ending: Ending::worst(endings), text, data })
}

/// All that is asked of an audit here.
#[derive(Deserialize)]
struct Judged {
    title: String,
    replayed: bool,
    instant: String,
    verdict: Verdict,
}

fn story(context: &Context<'_>) -> Result<(Story, Ending)> {
    let mut title = None;
    let mut rounds = Vec::new();
    for round in context.rounds()? {
        let Some(dispatch) = context.dispatched(round)? else { continue };
        let audit: Option<Judged> = context.artifact_if_any(&context.paths.audit(round, "json"), "audit")?;
        let agent = dispatch.agent.as_ref();
        rounds.push(Round {
            replayed: dispatch.replayed || audit.as_ref().is_some_and(|audit| audit.replayed),
            end: dispatch.end,
            verdict: audit.as_ref().map(|audit| audit.verdict),
            instant: audit.as_ref().map(|audit| audit.instant.clone()),
            cost: agent.and_then(|run| Cost::parse(&run.cost)),
            tokens: agent.map(|run| run.tokens.total()),
        });
        title = audit.map(|audit| audit.title).or(title);
    }
    let feature = context.feature.clone();
    let story = Story { title: title.unwrap_or_else(|| feature.clone()), feature, rounds, unreadable: None };
    Ok((story, Ending::Yes))
}

fn broken(feature: &str, failure: &Failure) -> (Story, Ending) {
    let story = Story {
        feature: feature.to_owned(),
        title: feature.to_owned(),
        rounds: Vec::new(),
        unreadable: Some(failure.to_string()),
    };
    (story, failure.ending())
}
