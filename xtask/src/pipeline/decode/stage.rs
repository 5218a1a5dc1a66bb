//! Stages: built-in ones, and programs of the team's own.

use std::time::Duration;

use gate::code::Code;
use gate::decode::{Fields, Findings};
use gate::node::{Node, Value};
use gate::say;

use super::value::{
    DEFAULT_TIMEOUT, argv, duration_field, limits, name_problem, path, report_placeholder, retries, texts,
};
use crate::paths::is_reserved;
use crate::pipeline::model::{Action, BuiltIn, Run, Stage, When};

pub(super) fn stages(node: &Node, findings: &mut Findings<'_>) -> Vec<Stage> {
    let Value::List(items) = &node.value else {
        let message = say!(findings.lang, "`stages` is a list", "`stages` 应为列表");
        findings.report(Code::FieldType, node.at, message);
        return Vec::new();
    };
    items.iter().filter_map(|item| stage(item, findings)).collect()
}

const STAGE_FIELDS: &[&str] = &[
    "id", "needs", "uses", "run", "shell", "inputs", "outputs", "timeout", "silence", "retries", "backoff",
    "env", "when", "each",
];

/// Fields that only a program of the team's own has.
const RUN_FIELDS: &[&str] =
    &["shell", "inputs", "outputs", "timeout", "silence", "retries", "backoff", "env", "when"];

/// What may be filled into arguments. A shell line takes only words that no shell can misread.
const ARGUMENTS: &[&str] = &["feature", "round", "root", "commit"];
const SHELL_LINE: &[&str] = &["feature", "round", "commit"];

/// The pause before the first repetition where nothing is said.
const DEFAULT_BACKOFF: Duration = Duration::from_secs(1);

fn stage(node: &Node, findings: &mut Findings<'_>) -> Option<Stage> {
    let fields = Fields::open(node, ("a stage", "阶段"), STAGE_FIELDS, findings)?;
    let id = fields.required_text("id", findings)?;
    if let Some(reason) = name_problem(&id, findings.lang) {
        findings.report(Code::PathUnsafe, fields.place("id"), reason);
    }
    let needs = fields.texts("needs", findings).into_iter().map(|(_, id)| id).collect();
    let each = fields.word("each", &[("round", true)], findings);
    let action = action(&fields, findings)?;
    let each_round = match &action {
        Action::BuiltIn(stage) => stage.each_round(),
        Action::Run(run) => {
            let each_round = each.unwrap_or(false);
            report_taken(&fields, &id, findings);
            report_shared(&fields, &run.outputs, each_round, findings);
            each_round
        }
    };
    Some(Stage { id, needs, action, each_round, at: fields.at() })
}

/// The word of a built-in as the id of something else would mix up their logs and commands.
fn report_taken(fields: &Fields<'_>, id: &str, findings: &mut Findings<'_>) {
    if BuiltIn::from_word(id).is_some() || id.starts_with("evidence-") {
        let message = say!(
            findings.lang,
            "`{id}` is kept for a built-in stage and its logs",
            "`{id}` 保留给内置阶段及其日志"
        );
        findings.report(Code::IdDuplicate, fields.place("id"), message);
    }
}

fn action(fields: &Fields<'_>, findings: &mut Findings<'_>) -> Option<Action> {
    match (fields.get("uses"), fields.get("run")) {
        (Some(node), None) => {
            let word = fields.text("uses", findings)?;
            let stage = BuiltIn::from_word(&word);
            if stage.is_none() {
                let known = BuiltIn::ALL.map(BuiltIn::word).join(", ");
                let message =
                    say!(findings.lang, "there is no built-in stage `{word}`", "没有内置阶段 `{word}`");
                let help = say!(findings.lang, "use one of: {known}", "可用的有：{known}");
                findings.report_with(Code::StageUnknown, node.at, message, help);
            }
            report_run_fields(fields, findings);
            stage.map(Action::BuiltIn)
        }
        (None, Some(_)) => run(fields, findings).map(|run| Action::Run(Box::new(run))),
        _ => {
            let message = say!(
                findings.lang,
                "a stage has either `uses` (a built-in) or `run` (a program)",
                "阶段必须有 `uses`（内置）或 `run`（程序）之一"
            );
            findings.report(Code::FieldMissing, fields.at(), message);
            None
        }
    }
}

fn run(fields: &Fields<'_>, findings: &mut Findings<'_>) -> Option<Run> {
    const WHEN: &[(&str, When)] =
        &[("always", When::Always), ("accepted", When::Accepted), ("failed", When::Failed)];
    let shell = fields.boolean("shell", findings).unwrap_or(false);
    let argv = match shell {
        true => shell_line(fields, findings).map(|line| vec![line]),
        false => argv(fields, "run", ARGUMENTS, findings),
    };
    let inputs = paths(fields, "inputs", findings);
    let outputs = paths(fields, "outputs", findings);
    report_artifacts(fields, outputs.as_deref().unwrap_or_default(), findings);
    let limits = limits(fields, DEFAULT_TIMEOUT, findings);
    let backoff = duration_field(fields, "backoff", DEFAULT_BACKOFF, findings);
    let retries = retries(fields, findings);
    Some(Run {
        argv: argv?,
        shell,
        env: texts(fields, "env", findings),
        limits: limits?,
        inputs: inputs?,
        outputs: outputs?,
        retries: retries?,
        backoff: backoff?,
        when: fields.word("when", WHEN, findings).unwrap_or_default(),
    })
}

/// A line for the system's shell, where that was asked for in so many words.
fn shell_line(fields: &Fields<'_>, findings: &mut Findings<'_>) -> Option<String> {
    let line = fields.required_text("run", findings)?;
    report_placeholder(&line, SHELL_LINE, fields.place("run"), findings);
    Some(line)
}

fn paths(fields: &Fields<'_>, name: &str, findings: &mut Findings<'_>) -> Option<Vec<String>> {
    let written = fields.texts(name, findings).into_iter();
    let paths: Vec<Option<String>> =
        written.map(|(_, text)| path(fields, name, text, &["feature", "round"], findings)).collect();
    paths.into_iter().collect()
}

/// An output that is the pipeline's own file, or a folder that holds one, would replace what others judge by.
fn report_artifacts(fields: &Fields<'_>, outputs: &[String], findings: &mut Findings<'_>) {
    for output in outputs {
        let filled = output.replace("{round}", "1").replace("{feature}", "f");
        if is_reserved(&filled) {
            let message = say!(
                findings.lang,
                "`outputs` names {output}, which holds what the pipeline or an author writes",
                "`outputs` 中的 {output} 属于流水线或作者写出的内容"
            );
            findings.report(Code::PathUnsafe, fields.place("outputs"), message);
        }
    }
}

/// Two rounds, or two features, that write one file would take turns for ever.
fn report_shared(fields: &Fields<'_>, outputs: &[String], each_round: bool, findings: &mut Findings<'_>) {
    for output in outputs {
        let missing = match () {
            () if !output.contains("{feature}") => "{feature}",
            () if each_round && !output.contains("{round}") => "{round}",
            () => continue,
        };
        let message = say!(
            findings.lang,
            "`outputs` names {output} without {missing}: what one writes there, another overwrites",
            "`outputs` 中的 {output} 缺少 {missing}：会互相覆盖"
        );
        findings.report(Code::OutputShared, fields.place("outputs"), message);
    }
}

/// A built-in has its own inputs, outputs and times: what is written beside `uses` would be without effect.
fn report_run_fields(fields: &Fields<'_>, findings: &mut Findings<'_>) {
    for name in RUN_FIELDS.iter().filter(|name| fields.get(name).is_some()) {
        let message =
            say!(findings.lang, "`{name}` has no effect on a built-in stage", "`{name}` 对内置阶段不起作用");
        findings.report(Code::FieldUnknown, fields.place(name), message);
    }
}
