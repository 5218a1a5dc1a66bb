//! Stages: built-in ones, and programs of the team's own.

use gate::code::Code;
use gate::decode::{Fields, Findings};
use gate::node::{Node, Value};
use gate::say;

use super::value::{DEFAULT_TIMEOUT, argv, name_problem, path, texts, timeout};
use crate::pipeline::model::{Action, BuiltIn, Stage};

pub(super) fn stages(node: &Node, findings: &mut Findings<'_>) -> Vec<Stage> {
    let Value::List(items) = &node.value else {
        let message = say!(findings.lang, "`stages` is a list", "`stages` 应为列表");
        findings.report(Code::FieldType, node.at, message);
        return Vec::new();
    };
    items.iter().filter_map(|item| stage(item, findings)).collect()
}

const STAGE_FIELDS: &[&str] = &["id", "needs", "uses", "run", "outputs", "timeout", "env", "each"];

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
        Action::Run { .. } => each.unwrap_or(false),
    };
    Some(Stage { id, needs, action, each_round, at: fields.at() })
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
            stage.map(Action::BuiltIn)
        }
        (None, Some(_)) => {
            let known = &["feature", "round", "root", "commit"];
            let argv = argv(fields, "run", known, findings);
            let outputs = fields.texts("outputs", findings).into_iter();
            let outputs: Vec<Option<String>> = outputs
                .map(|(_, text)| path(fields, "outputs", text, &["feature", "round"], findings))
                .collect();
            let env = texts(fields, "env", findings);
            let timeout = timeout(fields, DEFAULT_TIMEOUT, findings);
            Some(Action::Run {
                argv: argv?,
                env,
                timeout: timeout?,
                outputs: outputs.into_iter().collect::<Option<_>>()?,
            })
        }
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
