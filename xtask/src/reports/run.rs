//! What is told of a round's run beside its end: what the executor did to what it may not touch, and what it says of itself.

use serde::Serialize;

use crate::documents::{AgentError, Change, RoundLine, RunEnd, TestLine};
use gate::audit::Verdict;

/// A run that there is something to tell of.
#[derive(Serialize)]
pub struct RunView<'a> {
    round: u32,
    end: RunEnd,
    verdict: Verdict,
    usage: Option<UsageView<'a>>,
    errors: Vec<String>,
    protected: Vec<ProtectedView<'a>>,
    tests_deleted: &'a [String],
    tests_removed: Vec<String>,
    tests_skipped: Vec<String>,
    claimed: Option<&'a str>,
}

#[derive(Serialize)]
struct UsageView<'a> {
    steps: u64,
    tokens: u64,
    cost: &'a str,
}

#[derive(Serialize)]
struct ProtectedView<'a> {
    path: &'a str,
    change: Change,
}

impl<'a> RunView<'a> {
    /// Those rounds that have anything of it.
    pub fn all(rounds: &'a [RoundLine]) -> Vec<Self> {
        let told = rounds.iter().filter(|line| {
            line.agent.is_some() || !line.protected_changed.is_empty() || !line.tests.is_empty()
        });
        told.map(Self::of).collect()
    }

    fn of(line: &'a RoundLine) -> Self {
        let agent = line.agent.as_ref();
        let protected = line.protected_changed.iter();
        RunView {
            round: line.round,
            end: line.end,
            verdict: line.verdict,
            usage: agent.map(|run| UsageView { steps: run.steps, tokens: run.tokens, cost: &run.cost }),
            errors: agent.map(|run| run.errors.iter().map(error).collect()).unwrap_or_default(),
            protected: protected
                .map(|change| ProtectedView { path: &change.path, change: change.change })
                .collect(),
            tests_deleted: &line.tests.deleted,
            tests_removed: line.tests.removed.iter().map(place).collect(),
            tests_skipped: line.tests.skipped.iter().map(place).collect(),
            claimed: agent.and_then(|run| run.claimed.as_deref()),
        }
    }
}

fn error(error: &AgentError) -> String {
    let status = error.status_code.map(|status| format!(" {status}")).unwrap_or_default();
    let message = error.message.as_ref().map(|message| format!(": {message}")).unwrap_or_default();
    format!("{}{status}{message}", error.name)
}

fn place(line: &TestLine) -> String {
    format!("{}:{} {}", line.path, line.line, line.text)
}
