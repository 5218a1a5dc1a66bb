//! What an agent's program is told: its arguments, its variables, and permissions that leave nothing to ask. A question
//! that nobody answers would hang for ever.

use serde_json::{Map, Value, json};

use super::goal;
use super::home::Home;
use crate::executors::Job;
use crate::git::Git;
use crate::pipeline::model::{Agent, Flavour};

/// The variable that holds the folder of the developer's tools.
pub const TOOLS: &str = "DEVECO_HOME";

/// The program and its arguments. The brief goes in on standard input: an argument with spaces reaches the model in
/// quotes.
pub fn arguments(binary: &str, agent: &Agent, job: &Job<'_>, worktree: &Git, home: &Home) -> Vec<String> {
    let mut arguments = vec![binary.to_owned()];
    let mut add = |words: &[&str]| arguments.extend(words.iter().map(|word| (*word).to_owned()));
    add(&["run", "--format", "json", "--dir", worktree.folder().as_str(), "--agent", name(agent)]);
    if let Some(model) = &agent.model {
        add(&["--model", model]);
    }
    match &home.session {
        Some(session) => add(&["--session", session]),
        // Without a title the model is asked for one.
        None => add(&["--title", &format!("{}, round {}", job.context.feature, job.round)]),
    }
    arguments
}

/// The agent that the program is asked for.
pub fn name(agent: &Agent) -> &str {
    agent.agent.as_deref().unwrap_or_else(|| agent.flavour.agent())
}

/// The variables that are set for the program.
pub fn variables(agent: &Agent, job: &Job<'_>, home: &Home) -> Vec<(String, String)> {
    let settings = json!({ "share": "disabled", "autoupdate": false });
    let own = [
        ("CONFIG_CONTENT", settings.to_string()),
        ("PERMISSION", permissions(agent, job, home).to_string()),
        ("DISABLE_MODELS_FETCH", "1".to_owned()),
        ("DISABLE_AUTOUPDATE", "1".to_owned()),
        ("EXPERIMENTAL_BACKGROUND_SUBAGENTS", "false".to_owned()),
    ];
    let prefix = agent.flavour.prefix();
    let own = own.into_iter().map(|(name, value)| (format!("{prefix}{name}"), value));
    let tools = tools(agent).map(|folder| (TOOLS.to_owned(), folder));
    home.variables().into_iter().chain(own).chain(tools).collect()
}

/// The folder of the developer's tools, which DevEco Code cannot build without.
fn tools(agent: &Agent) -> Option<String> {
    match agent.flavour {
        Flavour::Deveco => std::env::var(TOOLS).ok().filter(|folder| !folder.is_empty()),
        Flavour::Opencode => None,
    }
}

/// Everything is allowed or denied. The last rule that fits decides.
fn permissions(agent: &Agent, job: &Job<'_>, home: &Home) -> Value {
    let mut edit = Map::new();
    edit.insert("*".to_owned(), json!("allow"));
    let placed = goal::placed(&job.context.feature);
    for path in
        placed.iter().map(String::as_str).chain(job.context.pipeline.protect.iter().map(String::as_str))
    {
        edit.insert(path.to_owned(), json!("deny"));
        edit.insert(format!("{path}/*"), json!("deny"));
    }
    let mut outside = Map::new();
    outside.insert("*".to_owned(), json!("deny"));
    for folder in std::iter::once(home.folder().as_str().to_owned()).chain(tools(agent)) {
        outside.insert(format!("{folder}/*"), json!("allow"));
    }
    json!({
        "*": "allow",
        "doom_loop": "deny",
        "read": { "*": "allow", "*.env": "deny", "*.env.*": "deny", "*.env.example": "allow" },
        "edit": edit,
        "external_directory": outside,
    })
}
