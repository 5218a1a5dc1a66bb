//! `pipeline.yaml` from a document to [`super::model`], with every finding at its place.

use std::collections::BTreeMap;
use std::time::Duration;

use gate::audit::SourceKind;
use gate::code::Code;
use gate::decode::{Decoded, Fields, Findings, check_relative_path, entries, scalar};
use gate::lang::Lang;
use gate::node::{Key, Node, Value};
use gate::pack::Scalar;
use gate::say;

use super::model::{
    Action, App, AppHome, Auditor, BuiltIn, Collector, Executor, FeatureSettings, Gather, Pipeline,
    ScaleProbe, ScaleProbes, Stage,
};
use crate::paths::{Root, stays_inside};
use crate::placeholders;

/// How long a program may take where nothing is said.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10 * 60);

/// How long an executor may take where nothing is said.
const DEFAULT_WORK: Duration = Duration::from_secs(2 * 60 * 60);

/// How many rounds a pack may take where nothing is said.
const DEFAULT_ROUNDS: u32 = 3;

const FIELDS: &[&str] = &[
    "version",
    "lang",
    "app",
    "rounds",
    "sources",
    "executor",
    "executors",
    "collectors",
    "auditors",
    "scale",
    "stages",
    "features",
];

type What = (&'static str, &'static str);

/// The language that the file asks for; whatever is wrong with it is found later.
pub fn language(node: &Node) -> Lang {
    let Value::Map(entries) = &node.value else { return Lang::En };
    let written = entries.iter().find(|(key, _)| key.name == "lang").map(|(_, node)| &node.value);
    match written {
        Some(Value::Text(word)) if word == "zh" => Lang::Zh,
        _ => Lang::En,
    }
}

/// The pipeline, or everything that is wrong with it.
pub fn pipeline(node: &Node, lang: Lang) -> Decoded<Pipeline> {
    let mut findings = Findings::new(Root::PIPELINE, lang);
    let value = read(node, &mut findings);
    findings.finish(value)
}

fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Pipeline> {
    let fields = Fields::open(node, ("the pipeline", "流水线"), FIELDS, findings)?;
    version(&fields, findings);
    let lang = fields.word("lang", LANGUAGES, findings).unwrap_or_default();
    let app = fields.required("app", findings).and_then(|node| app(node, findings));
    let rounds_max = fields.get("rounds").map_or(Some(DEFAULT_ROUNDS), |node| rounds(node, findings));
    let sources = fields.get("sources").map(|node| sources(node, findings)).unwrap_or_default();
    let executors =
        fields.required("executors", findings).map(|node| executors(node, findings)).unwrap_or_default();
    let collectors = fields.get("collectors").map(|node| collectors(node, findings)).unwrap_or_default();
    let auditors = fields.get("auditors").map(|node| auditors(node, findings)).unwrap_or_default();
    let scale = fields.get("scale").map(|node| scale(node, findings)).unwrap_or_default();
    let stages = fields.required("stages", findings).map(|node| stages(node, findings)).unwrap_or_default();
    let features = fields.get("features").map(|node| features(node, findings)).unwrap_or_default();
    fields.required("executor", findings);
    let executor = executor_name(&fields, &executors, findings);
    for (name, settings) in &features {
        let own = settings.executor.as_ref().filter(|executor| !executors.contains_key(*executor));
        if let Some(unknown) = own {
            report_executor(unknown, &executors, fields.place("features"), Some(name), findings);
        }
    }
    check_sources(&collectors, &sources, findings);
    Some(Pipeline {
        lang,
        app: app?,
        rounds_max: rounds_max?,
        sources,
        executor: executor?,
        executors,
        collectors,
        auditors,
        scale,
        stages,
        features,
    })
}

const LANGUAGES: &[(&str, Lang)] = &[("en", Lang::En), ("zh", Lang::Zh)];

fn version(fields: &Fields<'_>, findings: &mut Findings<'_>) {
    let Some(node) = fields.required("version", findings) else { return };
    if node.value != Value::Number("1".to_owned()) {
        let message = say!(
            findings.lang,
            "this tool reads version 1 of the pipeline's format",
            "此工具读取流水线格式的版本 1"
        );
        findings.report(Code::ValueUnknown, node.at, message);
    }
}

fn app(node: &Node, findings: &mut Findings<'_>) -> Option<App> {
    let fields = Fields::open(node, ("the app", "应用"), &["repository", "seed", "base"], findings)?;
    let base = fields.text("base", findings).unwrap_or_else(|| "main".to_owned());
    let repository = fields.text("repository", findings);
    let seed = fields.text("seed", findings);
    let home = match (repository, seed) {
        (Some(path), None) => AppHome::Repository(path),
        (None, Some(path)) => AppHome::Seed(inside(&fields, "seed", path, findings)?),
        _ => {
            let message = say!(
                findings.lang,
                "the app is either a `repository` or a `seed`, not both and not neither",
                "应用必须是 `repository` 或 `seed` 之一"
            );
            findings.report(Code::FieldMissing, fields.at(), message);
            return None;
        }
    };
    Some(App { home, base })
}

fn rounds(node: &Node, findings: &mut Findings<'_>) -> Option<u32> {
    let fields = Fields::open(node, ("rounds", "轮次设置"), &["max"], findings)?;
    let max = fields.count("max", findings).unwrap_or(DEFAULT_ROUNDS);
    if max == 0 {
        let message = say!(findings.lang, "a delivery takes at least one round", "交付至少需要一轮");
        findings.report(Code::ValueUnknown, fields.place("max"), message);
        return None;
    }
    Some(max)
}

/// The entries of a mapping with free names; each is decoded on its own, so that one fault hides no other.
fn named<T>(
    node: &Node,
    what: What,
    findings: &mut Findings<'_>,
    mut one: impl FnMut(&Node, &mut Findings<'_>) -> Option<T>,
) -> BTreeMap<String, T> {
    let mut found = BTreeMap::new();
    for (key, node) in entries(node, what, findings).unwrap_or_default() {
        if let Some(value) = one(node, findings) {
            found.entry(key.name.clone()).or_insert(value);
        }
    }
    found
}

/// As [`named`], for names that become file names.
fn named_files<T>(
    node: &Node,
    what: What,
    findings: &mut Findings<'_>,
    one: impl FnMut(&Node, &mut Findings<'_>) -> Option<T>,
) -> BTreeMap<String, T> {
    for (key, _) in entries_quietly(node) {
        if let Some(reason) = name_problem(&key.name, findings.lang) {
            findings.report(Code::PathUnsafe, key.at, reason);
        }
    }
    named(node, what, findings, one)
}

fn entries_quietly(node: &Node) -> &[(Key, Node)] {
    match &node.value {
        Value::Map(entries) => entries,
        _ => &[],
    }
}

fn name_problem(name: &str, lang: Lang) -> Option<String> {
    let plain = !name.is_empty()
        && name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'));
    (!plain).then(|| {
        say!(
            lang,
            "`{name}` becomes part of a file name: use letters, digits, - and _",
            "`{name}` 会成为文件名的一部分：请使用文字、数字、- 和 _"
        )
    })
}

fn sources(node: &Node, findings: &mut Findings<'_>) -> BTreeMap<String, SourceKind> {
    const KINDS: &[(&str, SourceKind)] =
        &[("independent", SourceKind::Independent), ("auxiliary", SourceKind::Auxiliary)];
    named(node, ("the sources", "来源列表"), findings, |node, findings| {
        let written = match &node.value {
            Value::Text(word) => KINDS.iter().find(|(known, _)| known == word),
            _ => None,
        };
        if written.is_none() {
            let message = say!(
                findings.lang,
                "a source is `independent` or `auxiliary`",
                "来源只能是 `independent` 或 `auxiliary`"
            );
            findings.report(Code::ValueUnknown, node.at, message);
        }
        written.map(|(_, kind)| *kind)
    })
}

fn executors(node: &Node, findings: &mut Findings<'_>) -> BTreeMap<String, Executor> {
    named_files(node, ("the executors", "执行者列表"), findings, executor)
}

fn executor(node: &Node, findings: &mut Findings<'_>) -> Option<Executor> {
    #[derive(Clone, Copy)]
    enum Kind {
        Replay,
        Command,
        Handoff,
    }
    const KINDS: &[(&str, Kind)] =
        &[("replay", Kind::Replay), ("command", Kind::Command), ("handoff", Kind::Handoff)];
    let what = ("an executor", "执行者");
    let fields = Fields::open(node, what, &["uses", "patch", "run", "env", "timeout"], findings)?;
    match fields.required_word("uses", KINDS, findings)? {
        Kind::Replay => {
            let patch = fields.required_text("patch", findings)?;
            Some(Executor::Replay { patch: path(&fields, "patch", patch, &["feature", "round"], findings)? })
        }
        Kind::Command => {
            let known = &["feature", "round", "root", "worktree", "brief"];
            let run = argv(&fields, "run", known, findings);
            let env = texts(&fields, "env", findings);
            let timeout = timeout(&fields, DEFAULT_WORK, findings);
            Some(Executor::Command { run: run?, env, timeout: timeout? })
        }
        Kind::Handoff => Some(Executor::Handoff),
    }
}

fn executor_name(
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

fn report_executor(
    name: &str,
    executors: &BTreeMap<String, Executor>,
    at: gate::problem::Span,
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

const COLLECTOR_FIELDS: &[&str] = &["copy", "run", "stdout", "output", "source", "env", "timeout"];

fn collectors(node: &Node, findings: &mut Findings<'_>) -> BTreeMap<String, Collector> {
    named_files(node, ("the collectors", "采集器列表"), findings, collector)
}

fn collector(node: &Node, findings: &mut Findings<'_>) -> Option<Collector> {
    let fields = Fields::open(node, ("a collector", "采集器"), COLLECTOR_FIELDS, findings)?;
    let output = fields
        .required_text("output", findings)
        .and_then(|output| inside(&fields, "output", output, findings));
    let source = fields.required_text("source", findings);
    let how = gather(&fields, findings);
    Some(Collector { how: how?, output: output?, source: source?, at: fields.at() })
}

fn gather(fields: &Fields<'_>, findings: &mut Findings<'_>) -> Option<Gather> {
    match (fields.get("copy"), fields.get("run")) {
        (Some(_), None) => {
            let from = fields.text("copy", findings)?;
            Some(Gather::Copy(path(fields, "copy", from, &["feature", "round"], findings)?))
        }
        (None, Some(_)) => {
            let known = &["feature", "round", "root", "output", "checkout", "commit"];
            let argv = argv(fields, "run", known, findings);
            let stdout = fields.boolean("stdout", findings).unwrap_or(false);
            let env = texts(fields, "env", findings);
            let timeout = timeout(fields, DEFAULT_TIMEOUT, findings);
            Some(Gather::Run { argv: argv?, stdout, env, timeout: timeout? })
        }
        _ => {
            let message = say!(
                findings.lang,
                "a collector has either `run` (a program) or `copy` (a recorded file)",
                "采集器必须有 `run`（程序）或 `copy`（录制的文件）之一"
            );
            findings.report(Code::FieldMissing, fields.at(), message);
            None
        }
    }
}

/// A collector whose source nobody declared would quietly count as auxiliary; that is a slip of the pen.
fn check_sources(
    collectors: &BTreeMap<String, Collector>,
    sources: &BTreeMap<String, SourceKind>,
    findings: &mut Findings<'_>,
) {
    for (name, collector) in collectors {
        if !sources.contains_key(&collector.source) {
            let source = &collector.source;
            let known: Vec<&str> = sources.keys().map(String::as_str).collect();
            let lang = findings.lang;
            let message = say!(
                lang,
                "collector `{name}` has the source `{source}`, which `sources` does not declare",
                "采集器 `{name}` 的来源 `{source}` 未在 `sources` 中声明"
            );
            let help = say!(
                lang,
                "declare it as independent or auxiliary, or use one of: {}",
                "请声明它为 independent 或 auxiliary，或使用：{}",
                known.join(", ")
            );
            findings.report_with(Code::ValueUnknown, collector.at, message, help);
        }
    }
}

fn auditors(node: &Node, findings: &mut Findings<'_>) -> BTreeMap<String, Auditor> {
    named_files(node, ("the auditors", "审计者列表"), findings, |node, findings| {
        let fields = Fields::open(node, ("an auditor", "审计者"), &["copy"], findings)?;
        let copy = fields.required_text("copy", findings)?;
        Some(Auditor { copy: path(&fields, "copy", copy, &["feature", "round"], findings)? })
    })
}

fn scale(node: &Node, findings: &mut Findings<'_>) -> ScaleProbes {
    let Some(fields) = Fields::open(node, ("the scale", "尺度"), &["density", "fontScale"], findings)
    else {
        return ScaleProbes::default();
    };
    let mut probe = |name| fields.get(name).and_then(|node| scale_probe(node, findings));
    ScaleProbes { density: probe("density"), font_scale: probe("fontScale") }
}

fn scale_probe(node: &Node, findings: &mut Findings<'_>) -> Option<ScaleProbe> {
    let fields =
        Fields::open(node, ("a probe of the scale", "尺度探针"), &["evidence", "reader", "with"], findings)?;
    let evidence = fields.required_text("evidence", findings);
    let reader = fields.required_text("reader", findings);
    let with = fields.get("with").map(|node| parameters(node, findings)).unwrap_or_default();
    let probe = ScaleProbe { evidence: evidence?, reader: reader?, with };
    for error in probe::check_params(&probe.reader, &probe.with) {
        findings.report(Code::ProbeInvalid, fields.at(), error.explain(findings.lang));
    }
    Some(probe)
}

fn parameters(node: &Node, findings: &mut Findings<'_>) -> BTreeMap<String, Scalar> {
    let mut found = BTreeMap::new();
    for (key, node) in entries(node, ("the parameters", "参数"), findings).unwrap_or_default() {
        if let Some(value) = scalar(node, &key.name, findings) {
            found.insert(key.name.clone(), value);
        }
    }
    found
}

fn stages(node: &Node, findings: &mut Findings<'_>) -> Vec<Stage> {
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

const FEATURE_FIELDS: &[&str] = &["lang", "app", "executor", "rounds", "collectors", "auditors"];

fn features(node: &Node, findings: &mut Findings<'_>) -> BTreeMap<String, FeatureSettings> {
    named(node, ("the features", "功能设置"), findings, |node, findings| {
        let fields =
            Fields::open(node, ("the settings of a feature", "功能的设置"), FEATURE_FIELDS, findings)?;
        Some(FeatureSettings {
            lang: fields.word("lang", LANGUAGES, findings),
            app: fields.get("app").and_then(|node| app(node, findings)),
            executor: fields.text("executor", findings),
            rounds_max: fields.get("rounds").and_then(|node| rounds(node, findings)),
            collectors: fields.get("collectors").map(|node| collectors(node, findings)).unwrap_or_default(),
            auditors: fields.get("auditors").map(|node| auditors(node, findings)).unwrap_or_default(),
        })
    })
}

/// A program and its arguments. A single text would be a shell line, and there is no shell here.
fn argv(fields: &Fields<'_>, name: &str, known: &[&str], findings: &mut Findings<'_>) -> Option<Vec<String>> {
    fields.required(name, findings)?;
    let words = fields.texts(name, findings);
    let place = fields.place(name);
    for (at, word) in &words {
        report_placeholder(word, known, *at, findings);
    }
    if words.is_empty() {
        let message = say!(findings.lang, "`{name}` names no program", "`{name}` 没有写出程序");
        findings.report(Code::FieldMissing, place, message);
        return None;
    }
    Some(words.into_iter().map(|(_, word)| word).collect())
}

fn texts(fields: &Fields<'_>, name: &str, findings: &mut Findings<'_>) -> Vec<String> {
    fields.texts(name, findings).into_iter().map(|(_, text)| text).collect()
}

/// A path with placeholders that stays inside the root whatever fills them.
fn path(
    fields: &Fields<'_>,
    name: &str,
    text: String,
    known: &[&str],
    findings: &mut Findings<'_>,
) -> Option<String> {
    report_placeholder(&text, known, fields.place(name), findings);
    inside(fields, name, text, findings)
}

fn inside(fields: &Fields<'_>, name: &str, text: String, findings: &mut Findings<'_>) -> Option<String> {
    // Braces are no part of a path; what fills them has no separator.
    let plain = text.replace(['{', '}'], "");
    let reason = check_relative_path(&plain, findings.lang);
    if reason.is_none() && stays_inside(&plain) {
        return Some(text);
    }
    let message = say!(
        findings.lang,
        "`{name}` is `{text}`, which is no path inside the root",
        "`{name}` 的值 `{text}` 不是根目录内的相对路径"
    );
    findings.report(Code::PathUnsafe, fields.place(name), message);
    None
}

fn report_placeholder(text: &str, known: &[&str], at: gate::problem::Span, findings: &mut Findings<'_>) {
    if let Some(message) = placeholders::unknown(text, known, findings.lang) {
        findings.report(Code::PlaceholderUnknown, at, message);
    }
}

/// `90s`, `10m`, `2h`: a whole number and one of three letters.
fn timeout(fields: &Fields<'_>, default: Duration, findings: &mut Findings<'_>) -> Option<Duration> {
    let Some(text) = fields.text("timeout", findings) else {
        return if fields.get("timeout").is_some() { None } else { Some(default) };
    };
    let parsed = duration(&text);
    if parsed.is_none() {
        let message = say!(
            findings.lang,
            "`timeout` is `{text}`; write a whole number with s, m or h, such as 90s",
            "`timeout` 的值 `{text}` 无效；请写整数加 s、m 或 h，例如 90s"
        );
        findings.report(Code::ValueUnknown, fields.place("timeout"), message);
    }
    parsed
}

fn duration(text: &str) -> Option<Duration> {
    let (digits, seconds) = [('s', 1), ('m', 60), ('h', 3600)]
        .into_iter()
        .find_map(|(letter, seconds)| Some((text.strip_suffix(letter)?, seconds)))?;
    let count: u32 = digits.parse().ok().filter(|count| *count > 0)?;
    Some(Duration::from_secs(u64::from(count) * seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_one_unit() {
        for (text, seconds) in [("90s", 90), ("10m", 600), ("2h", 7200)] {
            assert_eq!(duration(text), Some(Duration::from_secs(seconds)), "{text}");
        }
        for wrong in ["", "s", "0s", "90", "1h30m", "-1s", "1.5h", "１s"] {
            assert_eq!(duration(wrong), None, "{wrong}");
        }
    }
}
