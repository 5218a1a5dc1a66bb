//! Coding agents: which program, as what, and for how much.

use std::time::Duration;

use gate::code::Code;
use gate::decode::{Fields, Findings};
use gate::node::{Node, Value};
use gate::say;

use super::executor::WORK;
use super::value::{DEFAULT_WORK, argv, limits, paths_inside, texts};
use crate::cost::Cost;
use crate::pipeline::model::{Acp, Agent, Budget, Flavour, Limits, Session};

/// How long an agent may say nothing where nothing is said. A model that thinks prints nothing, and neither does a build;
/// in Goal mode sub-agents do the work, of whom nothing is printed until they are done.
fn default_silence(flavour: Flavour) -> Duration {
    Duration::from_secs(match flavour {
        Flavour::Deveco => 60 * 60,
        Flavour::Opencode => 15 * 60,
    })
}

/// Programs that tell of each word and each tool call as it comes are silent only while a model thinks or a build runs.
const ACP_SILENCE: Duration = Duration::from_secs(15 * 60);

const SESSIONS: &[(&str, Session)] = &[("continue", Session::Continue), ("fresh", Session::Fresh)];

pub(super) fn agent(flavour: Flavour, fields: &Fields<'_>, findings: &mut Findings<'_>) -> Option<Agent> {
    let seed = paths_inside(fields, "seed", findings);
    let limits = limits(fields, DEFAULT_WORK, findings);
    let budget = fields.get("budget").map_or(Some(Budget::default()), |node| budget(node, findings));
    Some(Agent {
        flavour,
        binary: fields.text("binary", findings),
        agent: fields.text("agent", findings),
        model: fields.text("model", findings),
        session: fields.word("session", SESSIONS, findings).unwrap_or_default(),
        env: texts(fields, "env", findings),
        seed: seed?,
        limits: limits
            .map(|limits| Limits { silence: limits.silence.or(Some(default_silence(flavour))), ..limits })?,
        budget: budget?,
    })
}

/// An agent that speaks the Agent Client Protocol.
pub(super) fn acp(fields: &Fields<'_>, findings: &mut Findings<'_>) -> Option<Acp> {
    let run = argv(fields, "run", WORK, findings);
    let seed = paths_inside(fields, "seed", findings);
    let limits = limits(fields, DEFAULT_WORK, findings);
    let cost = fields.get("budget").map_or(Some(None), |node| cost_alone(node, findings));
    Some(Acp {
        run: run?,
        session: fields.word("session", SESSIONS, findings).unwrap_or_default(),
        env: texts(fields, "env", findings),
        seed: seed?,
        limits: limits.map(|limits| Limits { silence: limits.silence.or(Some(ACP_SILENCE)), ..limits })?,
        cost: cost?,
    })
}

/// A budget of which only the cost can be held to: of tokens an agent tells when its turn is over, and of steps never.
fn cost_alone(node: &Node, findings: &mut Findings<'_>) -> Option<Option<Cost>> {
    let fields = Fields::open(node, BUDGET.0, BUDGET.1, findings)?;
    for name in BUDGET.1.iter().filter(|name| **name != "cost" && fields.get(name).is_some()) {
        let lang = findings.lang;
        let message = say!(
            lang,
            "of `{name}` an agent of `uses: acp` does not tell in time",
            "`uses: acp` 的智能体不会及时报告 `{name}`"
        );
        let help =
            say!(lang, "write `cost`, `timeout` or `silence`", "请改用 `cost`、`timeout` 或 `silence`");
        findings.report_with(Code::FieldUnknown, fields.place(name), message, help);
    }
    cost(&fields, findings)
}

/// What a budget is called, and its fields.
const BUDGET: ((&str, &str), &[&str]) =
    (("the budget of an agent", "智能体的预算"), &["cost", "tokens", "steps"]);

fn budget(node: &Node, findings: &mut Findings<'_>) -> Option<Budget> {
    let fields = Fields::open(node, BUDGET.0, BUDGET.1, findings)?;
    let cost = cost(&fields, findings);
    let mut count = |name| fields.count(name, findings).map(u64::from);
    let (tokens, steps) = (count("tokens"), count("steps"));
    Some(Budget { cost: cost?, tokens, steps })
}

/// Nothing is said, or an amount; what is neither is a finding.
fn cost(fields: &Fields<'_>, findings: &mut Findings<'_>) -> Option<Option<Cost>> {
    let Some(node) = fields.get("cost") else { return Some(None) };
    let parsed = match &node.value {
        Value::Number(text) => Cost::parse(text),
        _ => None,
    };
    if parsed.is_none() {
        let message = say!(
            findings.lang,
            "`cost` is a number that is not negative, such as 2.5",
            "`cost` 应为非负数，例如 2.5"
        );
        findings.report(Code::FieldType, node.at, message);
    }
    parsed.map(Some)
}
