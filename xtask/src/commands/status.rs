//! `status`: where features stand. Reads only.

use gate::say;
use serde_json::json;

use super::Session;
use super::answer::Answer;
use crate::failure::Result;
use crate::pipeline::run;
use crate::render::label;
use crate::rounds;

pub fn run(session: &Session, feature: Option<&str>) -> Result<Answer> {
    let features = match feature {
        Some(feature) => {
            session.context(feature)?;
            vec![feature.to_owned()]
        }
        None => session.features()?,
    };
    let lines = features.iter().map(|feature| line(session, feature)).collect::<Result<Vec<_>>>()?;
    let lang = session.pipeline.lang;
    let text = match lines.is_empty() {
        true => {
            say!(lang, "no features yet: cargo xtask new <feature>", "还没有功能：cargo xtask new <功能>")
        }
        false => table(&lines, lang),
    };
    let data: Vec<_> = lines
        .iter()
        .map(|line| json!({ "feature": line.feature, "state": line.state, "round": line.round }))
        .collect();
    Ok(Answer::yes(text, json!({ "features": data })))
}

struct Line {
    feature: String,
    state: &'static str,
    round: Option<u32>,
}

fn line(session: &Session, feature: &str) -> Result<Line> {
    let context = session.context_of(feature)?;
    let standing = |state, round| Line { feature: feature.to_owned(), state, round };
    if !context.at(context.paths.lock()).is_file() {
        return Ok(standing("authored", None));
    }
    Ok(match run::last_report(&context)? {
        Some((round, true)) => standing("accepted", Some(round)),
        Some((round, false)) => standing("rework", Some(round)),
        None => match rounds::of_pack(&context)?.last() {
            Some(round) => standing("dispatched", Some(*round)),
            None => standing("frozen", None),
        },
    })
}

fn table(lines: &[Line], lang: gate::lang::Lang) -> String {
    let width = lines.iter().map(|line| line.feature.len()).max().unwrap_or(0);
    let rows = lines.iter().map(|line| {
        let round =
            line.round.map(|round| say!(lang, ", round {round}", "，第 {round} 轮")).unwrap_or_default();
        format!("{:width$}  {}{round}", line.feature, label(line.state, lang))
    });
    rows.collect::<Vec<_>>().join("\n")
}
