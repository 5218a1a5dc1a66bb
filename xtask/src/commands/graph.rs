//! `graph`: the stages and what they need, as Mermaid or DOT.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::json;

use super::Session;
use super::answer::Answer;
use crate::cli::Graph;
use crate::failure::Result;
use crate::pipeline::model::Pipeline;
use crate::pipeline::plan;
use crate::pipeline::state::State;
use crate::pipeline::survey::{self, Standing};

pub fn run(session: &Session, args: &Graph) -> Result<Answer> {
    let (pipeline, standings) = match &args.feature {
        Some(feature) => {
            let context = session.context(feature)?;
            let plan = plan::plan(&context.pipeline);
            let surveyed = survey::survey(&context, &plan, &State::load(&context)?)?;
            // The latest round comes last, and is what is drawn.
            let standings = surveyed.into_iter().map(|stage| (stage.stage, stage.standing)).collect();
            (context.pipeline, standings)
        }
        None => (session.pipeline.clone(), BTreeMap::new()),
    };
    let text = match args.format.as_str() {
        "dot" => dot(&pipeline, &standings),
        _ => mermaid(&pipeline, &standings),
    };
    let data = json!({ "format": args.format, "graph": text });
    Ok(Answer::yes(text, data))
}

/// Nodes by number, since ids are free text; their names are quoted.
fn mermaid(pipeline: &Pipeline, standings: &BTreeMap<String, Standing>) -> String {
    let mut text = String::from("flowchart LR\n");
    let stages: Vec<&str> = plan::plan(pipeline).stages().map(|stage| stage.id.as_str()).collect();
    for (index, id) in stages.iter().enumerate() {
        let class = standings.get(*id).map(|standing| format!(":::{}", class(*standing))).unwrap_or_default();
        let _ = writeln!(text, "  s{index}[\"{id}\"]{class}");
    }
    for (from, to) in edges(pipeline, &stages) {
        let _ = writeln!(text, "  s{from} --> s{to}");
    }
    if !standings.is_empty() {
        text.push_str("  classDef current fill:#d3f0d9,stroke:#1a7f37,color:#000\n");
        text.push_str("  classDef stale fill:#fff1c2,stroke:#9a6700,color:#000\n");
        text.push_str("  classDef absent fill:#eeeeee,stroke:#6e7781,color:#000\n");
    }
    text
}

fn dot(pipeline: &Pipeline, standings: &BTreeMap<String, Standing>) -> String {
    let mut text = String::from(
        "digraph pipeline {\n  rankdir=LR;\n  node [shape=box, style=filled, fillcolor=white];\n",
    );
    let stages: Vec<&str> = plan::plan(pipeline).stages().map(|stage| stage.id.as_str()).collect();
    for (index, id) in stages.iter().enumerate() {
        let fill = match standings.get(*id) {
            None => "",
            Some(Standing::Current) => ", fillcolor=\"#d3f0d9\"",
            Some(Standing::Stale) => ", fillcolor=\"#fff1c2\"",
            Some(Standing::Absent) => ", fillcolor=\"#eeeeee\"",
        };
        let _ = writeln!(text, "  s{index} [label=\"{id}\"{fill}];");
    }
    for (from, to) in edges(pipeline, &stages) {
        let _ = writeln!(text, "  s{from} -> s{to};");
    }
    text.push_str("}\n");
    text
}

fn class(standing: Standing) -> &'static str {
    match standing {
        Standing::Current => "current",
        Standing::Stale => "stale",
        Standing::Absent => "absent",
    }
}

fn edges(pipeline: &Pipeline, stages: &[&str]) -> Vec<(usize, usize)> {
    let place = |id: &str| stages.iter().position(|stage| *stage == id);
    let mut edges: Vec<(usize, usize)> = pipeline
        .stages
        .iter()
        .flat_map(|stage| plan::needs(pipeline, stage).into_iter().map(|need| (need, stage.id.as_str())))
        .filter_map(|(from, to)| Some((place(from)?, place(to)?)))
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}
