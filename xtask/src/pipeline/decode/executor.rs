//! Executors: who can be asked to work, and who is.

use std::collections::BTreeMap;

use gate::code::Code;
use gate::decode::{Fields, Findings};
use gate::node::Node;
use gate::problem::Span;
use gate::say;

use super::agent::{acp, agent};
use super::value::{DEFAULT_WORK, argv, limits, named_files, path, texts};
use crate::pipeline::model::{Executor, Flavour};

pub(super) fn executors(node: &Node, findings: &mut Findings<'_>) -> BTreeMap<String, Executor> {
    named_files(node, ("the executors", "执行者列表"), findings, executor)
}

/// The placeholders of a program that works.
pub(super) const WORK: &[&str] = &["feature", "round", "root", "worktree", "brief"];

const FIELDS: &[&str] = &[
    "uses", "patch", "run", "env", "timeout", "silence", "binary", "agent", "model", "session", "seed",
    "budget",
];

fn executor(node: &Node, findings: &mut Findings<'_>) -> Option<Executor> {
    #[derive(Clone, Copy)]
    enum Kind {
        Replay,
        Command,
        Agent(Flavour),
        Acp,
        Handoff,
    }
    const KINDS: &[(&str, Kind)] = &[
        ("replay", Kind::Replay),
        ("command", Kind::Command),
        ("deveco", Kind::Agent(Flavour::Deveco)),
        ("opencode", Kind::Agent(Flavour::Opencode)),
        ("acp", Kind::Acp),
        ("handoff", Kind::Handoff),
    ];
    let what = ("an executor", "执行者");
    let fields = Fields::open(node, what, FIELDS, findings)?;
    match fields.required_word("uses", KINDS, findings)? {
        Kind::Replay => {
            let patch = fields.required_text("patch", findings)?;
            Some(Executor::Replay { patch: path(&fields, "patch", patch, &["feature", "round"], findings)? })
        }
        Kind::Command => {
            let run = argv(&fields, "run", WORK, findings);
            let env = texts(&fields, "env", findings);
            let limits = limits(&fields, DEFAULT_WORK, findings);
            Some(Executor::Command { run: run?, env, limits: limits? })
        }
        Kind::Agent(flavour) => Some(Executor::Agent(Box::new(agent(flavour, &fields, findings)?))),
        Kind::Acp => Some(Executor::Acp(Box::new(acp(&fields, findings)?))),
        Kind::Handoff => Some(Executor::Handoff),
    }
}

pub(super) fn executor_name(
    fields: &Fields<'_>,
    executors: &BTreeMap<String, Executor>,
    findings: &mut Findings<'_>,
) -> Option<String> {
    let name = fields.text("executor", findings)?;
    if !executors.contains_key(&name) {
        report_executor(&name, executors, fields.place("executor"), None, findings);
    }
    Some(name)
}

pub(super) fn report_executor(
    name: &str,
    executors: &BTreeMap<String, Executor>,
    at: Span,
    feature: Option<&str>,
    findings: &mut Findings<'_>,
) {
    let known: Vec<&str> = executors.keys().map(String::as_str).collect();
    let lang = findings.lang;
    let whose = feature
        .map(|feature| say!(lang, " (of feature {feature})", "（功能 {feature}）"))
        .unwrap_or_default();
    let message = say!(lang, "there is no executor `{name}`{whose}", "没有名为 `{name}` 的执行者{whose}");
    let help = say!(lang, "name one of: {}", "可用的有：{}", known.join(", "));
    findings.report_with(Code::ExecutorUnknown, at, message, help);
}
