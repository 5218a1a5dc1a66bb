//! `status`: where features stand, stage by stage. Reads only.

use std::sync::Arc;

use gate::audit::Verdict;
use gate::lang::Lang;
use gate::say;
use serde_json::json;
use unicode_width::UnicodeWidthStr;

use super::Session;
use super::answer::Answer;
use crate::cli::Status;
use crate::context::Context;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::pipeline::convergence;
use crate::pipeline::state::State;
use crate::pipeline::survey::{self, Standing, Surveyed};
use crate::pipeline::{plan, plan::Plan};
use crate::render::label;
use crate::{parallel, rounds, stages};

pub fn run(session: &Session, args: &Status) -> Result<Answer> {
    let features = match &args.feature {
        Some(feature) => {
            session.context(feature)?;
            vec![feature.clone()]
        }
        None => session.features()?,
    };
    let common = Arc::default();
    let lines = parallel::map(&features, parallel::processors(), |feature| {
        line(&session.looking_at(feature, &common)).unwrap_or_else(|failure| Line::broken(feature, &failure))
    });
    let lines: Vec<Line> = lines.into_iter().flatten().collect();
    let lang = session.pipeline.lang;
    let stale = lines.iter().any(|line| line.is_stale);
    let blocked = lines.iter().any(|line| line.state == BLOCKED);
    let text = if lines.is_empty() { session.no_features() } else { table(session, &lines, lang) };
    let checked = if args.check && (stale || blocked) { Ending::No } else { Ending::Yes };
    // One feature that cannot be read hides no other.
    let ending = Ending::worst(lines.iter().map(|line| line.ending).chain([checked]));
    let data: Vec<_> = lines.iter().map(Line::data).collect();
    Ok(Answer { ending, text, data: json!({ "stale": stale, "features": data }) })
}

/// The state of what passed under a pack whose review blocks.
const BLOCKED: &str = "blocked";

struct Line {
    feature: String,
    state: &'static str,
    round: Option<u32>,
    is_stale: bool,
    ending: Ending,
    /// Why nothing more can be said.
    problem: Option<String>,
    /// The stages before the rounds, and those of the latest round, each by the worst of its standings.
    marks: Vec<(String, Standing)>,
}

impl Line {
    fn broken(feature: &str, failure: &Failure) -> Self {
        Line {
            feature: feature.to_owned(),
            state: "broken",
            round: None,
            is_stale: false,
            ending: failure.ending(),
            problem: Some(failure.to_string()),
            marks: Vec::new(),
        }
    }

    fn data(&self) -> serde_json::Value {
        let stages: Vec<_> =
            self.marks.iter().map(|(id, standing)| json!({ "stage": id, "standing": standing })).collect();
        json!({
            "feature": self.feature,
            "state": self.state,
            "round": self.round,
            "stale": self.is_stale,
            "stages": stages,
            "problem": self.problem,
        })
    }
}

fn line(context: &Context<'_>) -> Result<Line> {
    let plan = plan::plan(&context.pipeline);
    let record = State::load(context)?;
    let surveyed = survey::survey(context, &plan, &record)?;
    let (state, round) = standing(context)?;
    let marks = marks(&plan, &surveyed);
    // A delivery of whose stages nothing is recorded is not known to be up to date.
    let is_unknown = record.is_empty() && context.at(context.paths.lock()).is_file();
    let is_stale = is_unknown || marks.iter().any(|(_, standing)| *standing == Standing::Stale);
    let feature = context.feature.clone();
    Ok(Line { feature, state, round, is_stale, ending: Ending::Yes, problem: None, marks })
}

fn standing(context: &Context<'_>) -> Result<(&'static str, Option<u32>)> {
    if !context.at(context.paths.lock()).is_file() {
        return Ok(("authored", None));
    }
    Ok(match convergence::last_verdict(context)? {
        Some((round, Verdict::Pass)) => (passed(context)?, Some(round)),
        Some((round, Verdict::Fail)) => ("rework", Some(round)),
        None => match rounds::of_pack(context)?.last() {
            Some(round) => ("dispatched", Some(*round)),
            None => ("frozen", None),
        },
    })
}

/// What passed is accepted, unless the review of its pack blocks by now.
fn passed(context: &Context<'_>) -> Result<&'static str> {
    match stages::require_unblocked(context) {
        Ok(()) => Ok("accepted"),
        Err(failure) if failure.ending() == Ending::Blocked => Ok(BLOCKED),
        Err(failure) => Err(failure),
    }
}

/// One mark a stage: out of date if it is in any round, otherwise as it stands in the latest.
fn marks(plan: &Plan<'_>, surveyed: &[Surveyed]) -> Vec<(String, Standing)> {
    let of = |id: &str| {
        let all: Vec<Standing> =
            surveyed.iter().filter(|stage| stage.stage == id).map(|stage| stage.standing).collect();
        match all.contains(&Standing::Stale) {
            true => Standing::Stale,
            false => all.last().copied().unwrap_or(Standing::Absent),
        }
    };
    plan.stages().map(|stage| (stage.id.clone(), of(&stage.id))).collect()
}

/// Words, not colours: a table reads the same in a log.
fn mark(standing: Standing, lang: Lang) -> &'static str {
    match standing {
        Standing::Current => lang.pick("done", "完成"),
        Standing::Stale => lang.pick("stale", "过时"),
        Standing::Absent => "-",
    }
}

fn table(session: &Session, lines: &[Line], lang: Lang) -> String {
    let plan = plan::plan(&session.pipeline);
    let head = [lang.pick("feature", "功能").to_owned()]
        .into_iter()
        .chain(plan.stages().map(|stage| stage.id.clone()))
        .chain([lang.pick("state", "状态").to_owned()]);
    let mut rows: Vec<Vec<String>> = vec![head.collect()];
    for line in lines {
        let marks = line.marks.iter().map(|(_, standing)| mark(*standing, lang).to_owned());
        let round = line.round.map(|round| say!(lang, ", round {round}", "，第 {round} 轮"));
        let stale = if line.is_stale { lang.pick(", out of date", "，已过时") } else { "" };
        let mut state = format!("{}{}{stale}", label(line.state, lang), round.unwrap_or_default());
        let blanks = plan.stages().count() - line.marks.len().min(plan.stages().count());
        if let Some(problem) = &line.problem {
            state = format!("{state}: {}", problem.lines().next().unwrap_or_default());
        }
        let marks = marks.chain(std::iter::repeat_n("?".to_owned(), blanks));
        rows.push([line.feature.clone()].into_iter().chain(marks).chain([state]).collect());
    }
    aligned(&rows)
}

/// Columns as wide as their widest cell on a terminal.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |row: &Vec<String>, column: usize| row.get(column).cloned().unwrap_or_default();
    let widths: Vec<usize> = (0..columns)
        .map(|column| rows.iter().map(|row| cell(row, column).width()).max().unwrap_or(0))
        .collect();
    let line = |row: &Vec<String>| {
        let mut text = String::new();
        for (column, width) in widths.iter().enumerate() {
            let cell = cell(row, column);
            let fill = width.saturating_sub(cell.width()) + 2;
            text.push_str(&cell);
            text.extend(std::iter::repeat_n(' ', fill));
        }
        text.trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}
