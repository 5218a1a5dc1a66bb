//! `docs/templates.md`: every variable of every template with an example, out of what templates really see.

use std::fmt::Write as _;
use std::time::Duration;

use gate::lang::Lang;
use gate::review::Angle;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::documents::{AuditFile, Brief, Lock, Report, Review};
use crate::pipeline::model::{Limits, Reviewer};
use crate::render::Renderer;

/// Set to anything, it makes the test write the pages instead of comparing them.
const UPDATE: &str = "UPDATE_DOCS";

/// The most characters of an example.
const SHOWN: usize = 60;

fn repository(path: &str) -> String {
    format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"))
}

fn golden(name: &str) -> Value {
    let path = repository(&format!("tests/snapshots/login-page/{name}"));
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn of<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

/// An audit in which everything happened that may.
fn eventful(mut audit: Value) -> Value {
    let waiver = json!({ "criterionId": "F-01", "owner": "Lin", "reason": "old device", "expires": "2026-12-31T00:00:00Z" });
    let settlement =
        json!({ "criterionId": "F-01", "result": "pass", "by": "Chen", "reason": "the brand's own red" });
    for criterion in audit["criteria"].as_array_mut().unwrap() {
        criterion["waiver"] = waiver.clone();
        criterion["settlement"] = settlement.clone();
        criterion["ruleId"] = json!("ux.touch");
    }
    audit["scale"]["fontScale"] = json!("1.3");
    audit["checks"][0]["evidenceRefs"] = json!(["evidence/layout.json"]);
    audit["checks"][0]["actual"] = json!("720ms");
    let general = json!({
        "code": "E_CHECK_UNKNOWN", "severity": "error", "message": "`X-01` is no criterion", "help": "write its id",
        "criterion": "X-01", "file": "checks.yaml", "at": { "line": 3, "column": 5 }
    });
    audit["problems"].as_array_mut().unwrap().push(general);
    let failed = json!({
        "collector": "screen", "source": "screenshot", "sourceKind": "independent", "recorded": false, "round": 1,
        "commit": "604a7d140c69", "failure": "hdc: no device"
    });
    audit["evidence"].as_array_mut().unwrap().push(failed);
    audit
}

fn eventful_report(mut report: Value) -> Value {
    report["audit"] = eventful(report["audit"].clone());
    report["rounds"][0]["agent"] = json!({
        "steps": 12, "tokens": 48000, "cost": "0.42", "claimed": "All done.",
        "errors": [{ "name": "APIError", "message": "overloaded", "statusCode": 529 }]
    });
    report["rounds"][0]["protectedChanged"] =
        json!([{ "path": "entry/src/ohosTest/A.ets", "place": "app", "change": "changed" }]);
    let line = json!({ "path": "A.ets", "line": 7, "text": "it('opens')" });
    report["rounds"][0]["tests"] = json!({ "deleted": ["B.ets"], "removed": [line], "skipped": [line] });
    report["history"] = history();
    report["disputed"] = findings();
    report
}

fn history() -> Value {
    json!([{
        "from": "98d6185195b0", "to": "1f3870be274f", "reason": "the limit is 900 ms since the March review",
        "loosened": [{ "criterion": "P-01", "what": "threshold is weaker", "before": "≤ 800 ms", "after": "≤ 900 ms" }]
    }])
}

/// A finding that reviewers raised and a person answered.
fn findings() -> Value {
    let response = json!({
        "finding": "f-1a2b3c4d", "answer": "dispute", "by": "Chen", "reason": "the trace would show it"
    });
    json!([{
        "id": "f-1a2b3c4d", "code": "W_STATE_UNASKED", "severity": "warning", "blocks": false,
        "message": "nothing here speaks of: offline (offline)", "help": "add a criterion for it", "criterion": "F-01",
        "file": "features/login-page/pack.yaml", "at": { "line": 12, "column": 5 },
        "raised": [{
            "reviewer": "first", "kind": "gaming", "severity": "error", "fix": "name the node",
            "delivery": "a hidden link with the right text"
        }],
        "response": response
    }])
}

/// What the prompts of all angles see.
fn prompt(views: &Renderer) -> crate::failure::Result<Vec<u8>> {
    let limits = Limits { timeout: Duration::from_secs(1), silence: None };
    let answer = Some("answer.json".to_owned());
    let reviewer = Reviewer { angle: Angle::ALL[0], argv: Vec::new(), answer, env: Vec::new(), limits };
    let review = of::<Review>(golden("review.json"));
    super::reviewer_prompt(views, &of::<Lock>(golden("pack.lock.json")), &review.loopholes, &reviewer)
}

/// Every template with what it sees in several cases.
fn seen() -> Vec<(&'static str, Vec<Value>)> {
    let views = Renderer::of_views(Lang::En);
    let parsed = |bytes: crate::failure::Result<Vec<u8>>| serde_json::from_slice(&bytes.unwrap()).unwrap();
    let mut lock = golden("pack.lock.json");
    lock["history"] = history();
    lock["pack"]["criteria"][0]["ruleId"] = json!("ux.touch");
    let mut review = golden("review.json");
    review["refrozen"] = history()[0].clone();
    review["findings"] = findings();
    review["quorum"] = json!(2);
    review["reviewers"] = json!([
        { "reviewer": "first", "angle": "gaming", "findings": 1, "answer": "review/first.json", "answerSha256": "98d6185195b0" },
        { "reviewer": "second", "angle": "vacuity", "findings": 0, "failure": "its answer is no JSON" },
    ]);
    let audits = [golden("audit-1.json"), eventful(golden("audit-1.json"))];
    // One view serves both: what one of them lacks, the other has.
    let reports =
        [golden("acceptance.json"), golden("rework-1.json"), eventful_report(golden("rework-1.json"))];
    let briefs = [golden("round-1/brief.json"), golden("round-2/brief.json")];
    vec![
        ("spec.md.tera", vec![parsed(super::spec(&views, &of::<Lock>(lock)))]),
        ("review.md.tera", vec![parsed(super::review(&views, &of::<Review>(review)))]),
        ("reviewer-<angle>.md.tera", vec![parsed(prompt(&views))]),
        ("brief.md.tera", briefs.map(|brief| parsed(super::brief(&views, &of::<Brief>(brief)))).into()),
        ("audit.md.tera", audits.map(|audit| parsed(super::audit(&views, &of::<AuditFile>(audit)))).into()),
        (
            "acceptance.md.tera",
            reports.clone().map(|report| parsed(super::acceptance(&views, &of::<Report>(report)))).into(),
        ),
        ("rework.md.tera", reports.map(|report| parsed(super::rework(&views, &of::<Report>(report)))).into()),
    ]
}

/// A variable: its name, its kind, and an example where one was seen.
type Variable = (String, Option<(&'static str, String)>);

/// Every variable below a value, those of lists as `name[]`. The first example that says something stays.
fn collect(value: &Value, name: &str, found: &mut Vec<Variable>) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                let inner = if name.is_empty() { field.clone() } else { format!("{name}.{field}") };
                collect(value, &inner, found);
            }
        }
        Value::Array(items) if items.iter().any(|item| !item.is_null()) => {
            items.iter().for_each(|item| collect(item, &format!("{name}[]"), found));
        }
        leaf => note(name, example(leaf), found),
    }
}

fn note(name: &str, example: Option<(&'static str, String)>, found: &mut Vec<Variable>) {
    // What is empty at one time is a list or nothing at another.
    let is_prefix =
        |known: &String| known.strip_prefix(name).is_some_and(|rest| rest.starts_with(['[', '.']));
    if example.is_none() && found.iter().any(|(known, _)| is_prefix(known)) {
        return;
    }
    match found.iter_mut().find(|(known, _)| known == name) {
        Some((_, known)) if known.is_none() => *known = example,
        Some(_) => {}
        None => found.push((name.to_owned(), example)),
    }
}

fn example(value: &Value) -> Option<(&'static str, String)> {
    match value {
        Value::String(text) if !text.is_empty() => Some(("text", text.clone())),
        Value::Number(number) => Some(("number", number.to_string())),
        Value::Bool(value) => Some(("boolean", value.to_string())),
        _ => None,
    }
}

/// Every variable of a template with an example, by name.
fn variables(views: &[Value]) -> (Vec<(String, &'static str, String)>, Vec<String>) {
    let mut found = Vec::new();
    views.iter().for_each(|view| collect(view, "", &mut found));
    found.sort();
    let names: Vec<String> = found.iter().map(|(name, _)| name.clone()).collect();
    // What was empty once is the beginning of other names.
    let is_beginning = |name: &str| {
        let follows = |rest: &str| rest.starts_with(['[', '.']);
        names.iter().any(|other| other.strip_prefix(name).is_some_and(follows))
    };
    let (mut known, mut bare) = (Vec::new(), Vec::new());
    for (name, example) in found {
        match example {
            Some((kind, example)) => known.push((name, kind, example)),
            None if is_beginning(&name) => {}
            None => bare.push(name),
        }
    }
    (known, bare)
}

/// Name, and what it does in English and Chinese.
const FILTERS: [(&str, &str, &str); 6] = [
    (
        "label",
        "a word of an artifact as a person reads it: `unverified`",
        "产物中的词，按读者的语言显示：`未验证`",
    ),
    ("code", "text as inline code, whatever backticks it holds", "显示为行内代码，其中可含任意反引号"),
    ("cell", "the same within a cell of a table", "同上，用于表格单元格"),
    ("prose", "a message of the gate: what it quotes is code", "门禁的消息：其中引用的内容显示为代码"),
    ("link", "a path as the target of a link", "将路径作为链接目标"),
    (
        "fence",
        "text as a fenced block that nothing in it can close",
        "显示为围栏代码块，其内容无法将它提前关闭",
    ),
];

fn page(lang: Lang) -> String {
    let mut page = String::from(lang.pick(
        "# Templates\n\n[中文](templates.zh.md)\n\n\
         Reports are laid out by [Tera](https://keats.github.io/tera/) templates. The program carries them; a file of the same name \
         under `templates/<lang>/` is used instead. `cargo xtask templates eject` writes those that are not there yet, and a copy \
         changes nothing until it is changed itself. `cargo xtask context audit <feature>` prints what a template sees.\n\n\
         Every value is text that is escaped as Markdown where it is printed, so that nothing from a pack, an agent or a device \
         becomes markup. A variable that does not exist is an error, `E_TEMPLATE`, which names file, line and variable; the last \
         report stays. A template decides nothing: no verdict changes with it.\n\n## Filters\n\n| filter | does |\n| --- | --- |\n",
        "# 模板\n\n[English](templates.md)\n\n\
         报告由 [Tera](https://keats.github.io/tera/) 模板排版。程序自带模板；`templates/<lang>/` 下的同名文件会代替它。\
         `cargo xtask templates eject` 写出尚不存在的模板，未经修改的副本不会改变任何结果。\
         `cargo xtask context audit <功能>` 打印模板所能看到的内容。\n\n\
         每个值都是文本，输出时按 Markdown 转义，因此来自验收包、智能体或设备的内容都不会成为标记。\
         引用不存在的变量会报 `E_TEMPLATE`，并指出文件、行号和变量；上一份报告保持不变。模板不作任何判定，结论不会因它而改变。\n\n\
         ## 过滤器\n\n| 过滤器 | 作用 |\n| --- | --- |\n",
    ));
    for (name, en, zh) in FILTERS {
        let _ = writeln!(page, "| `{name}` | {} |", lang.pick(en, zh));
    }
    for (template, views) in seen() {
        let head = lang.pick("| variable | kind | example |", "| 变量 | 类型 | 示例 |");
        let _ = write!(page, "\n## {template}\n\n{head}\n| --- | --- | --- |\n");
        for (name, kind, example) in variables(&views).0 {
            let kind = match kind {
                "number" => lang.pick("number", "数字"),
                "boolean" => lang.pick("boolean", "布尔"),
                _ => lang.pick("text", "文本"),
            };
            let clipped: String = example.chars().take(SHOWN).collect();
            let more = if clipped.len() < example.len() { "…" } else { "" };
            let shown = crate::render::markdown::cell(&format!("{clipped}{more}"));
            let _ = writeln!(page, "| `{name}` | {kind} | {shown} |");
        }
    }
    page
}

#[test]
fn the_pages_name_what_templates_see() {
    for (lang, path) in [(Lang::En, "docs/templates.md"), (Lang::Zh, "docs/templates.zh.md")] {
        let (expected, file) = (page(lang), repository(path));
        if std::env::var_os(UPDATE).is_some() {
            std::fs::write(&file, &expected).unwrap();
        }
        let committed = std::fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
        assert!(
            committed == expected,
            "{path} is out of date: run {UPDATE}=1 cargo test --workspace variables"
        );
    }
}

/// A view in which nothing happened would leave variables without an example. What a person judged has no measurement.
#[test]
fn every_variable_has_an_example() {
    let mut without = Vec::new();
    for (template, views) in seen() {
        let bare = variables(&views).1.into_iter().filter(|name| !name.starts_with("judged[]"));
        without.extend(bare.map(|name| format!("{template} {name}")));
    }
    assert_eq!(without, [""; 0]);
}
