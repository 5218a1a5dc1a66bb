//! `pipeline.yaml` from a document to [`super::model`], with every finding at its place.

mod agent;
mod attestation;
mod collector;
mod executor;
mod review;
mod stage;
mod value;

use std::collections::BTreeMap;
use std::sync::Arc;

use gate::audit::SourceKind;
use gate::code::Code;
use gate::decode::{Decoded, Fields, Findings};
use gate::lang::Lang;
use gate::node::{Node, Value};
use gate::say;

use super::model::{App, AppHome, Device, FeatureSettings, Pipeline, Store};
use crate::paths::Root;
use crate::reports::machine::Format;
use attestation::attestation;
use collector::{auditors, check_sources, collectors, scale};
use executor::{executor_name, executors, report_executor};
use review::review;
use stage::stages;
use value::{inside, named, paths_inside};

/// How many rounds a pack may take where nothing is said.
const DEFAULT_ROUNDS: u32 = 3;

/// The most rounds that a pack may take.
const MAX_ROUNDS: u32 = 100;

const FIELDS: &[&str] = &[
    "version",
    "lang",
    "app",
    "rounds",
    "sources",
    "executor",
    "executors",
    "protect",
    "device",
    "collectors",
    "store",
    "review",
    "auditors",
    "scale",
    "reports",
    "stages",
    "secrets",
    "attestation",
    "features",
];

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
    let protect = paths_inside(&fields, "protect", findings);
    let collectors = fields.get("collectors").map(|node| collectors(node, findings)).unwrap_or_default();
    let device = fields.get("device").and_then(|node| device(node, findings));
    let store = fields.get("store").and_then(|node| store(node, findings)).unwrap_or_default();
    let review = fields.get("review").map(|node| review(node, findings));
    let auditors = fields.get("auditors").map(|node| auditors(node, findings)).unwrap_or_default();
    let scale = fields.get("scale").map(|node| scale(node, findings)).unwrap_or_default();
    let reports = fields.get("reports").map(|node| reports(node, findings)).unwrap_or_default();
    let stages = fields.required("stages", findings).map(|node| stages(node, findings)).unwrap_or_default();
    let secrets = value::variables(&fields, "secrets", findings);
    let attestation =
        fields.get("attestation").and_then(|node| attestation(node, findings)).unwrap_or_default();
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
    for settings in features.values() {
        check_sources(&settings.collectors, &sources, findings);
    }
    Some(Pipeline {
        lang,
        app: app?,
        rounds_max: rounds_max?,
        sources,
        executor: executor?,
        executors,
        protect: protect?,
        device,
        collectors,
        store,
        review: review.flatten().unwrap_or_default(),
        auditors,
        scale,
        reports,
        stages,
        secrets,
        attestation,
        features: Arc::new(features),
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
    if !(1..=MAX_ROUNDS).contains(&max) {
        let message = say!(
            findings.lang,
            "a delivery takes from 1 to {MAX_ROUNDS} rounds",
            "交付的轮次应在 1 到 {MAX_ROUNDS} 之间"
        );
        findings.report(Code::ValueUnknown, fields.place("max"), message);
        return None;
    }
    Some(max)
}

/// The device that collectors measure: its hdc target, or the variable that names it on this machine.
fn device(node: &Node, findings: &mut Findings<'_>) -> Option<Device> {
    let fields = Fields::open(node, ("the device", "设备"), &["target", "env"], findings)?;
    let (target, env) = (fields.text("target", findings), fields.text("env", findings));
    if target.is_none() && env.is_none() {
        let message = say!(
            findings.lang,
            "the device has a `target`, or an `env` variable that holds it",
            "设备必须有 `target`，或存放它的环境变量名 `env`"
        );
        findings.report(Code::FieldMissing, fields.at(), message);
        return None;
    }
    Some(Device { target, env })
}

/// Where large evidence is kept outside git.
fn store(node: &Node, findings: &mut Findings<'_>) -> Option<Store> {
    let fields = Fields::open(node, ("the store", "证据存储"), &["external", "above"], findings)?;
    let external = fields.text("external", findings).unwrap_or_else(|| Store::default().external);
    let above = match fields.get("above") {
        None => Store::default().above,
        Some(_) => value::bytes(&fields, "above", findings)?,
    };
    Some(Store { external, above })
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

/// The reports for machines, each once, in the order in which they are written.
fn reports(node: &Node, findings: &mut Findings<'_>) -> Vec<Format> {
    let Value::List(items) = &node.value else {
        let message = say!(findings.lang, "the reports are a list of formats", "reports 必须是格式列表");
        findings.report(Code::FieldType, node.at, message);
        return Vec::new();
    };
    let mut asked = Vec::new();
    for item in items {
        let word = match &item.value {
            Value::Text(word) => word.as_str(),
            _ => "",
        };
        match Format::from_word(word) {
            Some(format) => asked.push(format),
            None => {
                let known = Format::ALL.map(Format::word).join(", ");
                let message = say!(
                    findings.lang,
                    "`{word}` is no format of a report; there are: {known}",
                    "`{word}` 不是报告格式；可用：{known}"
                );
                findings.report(Code::ValueUnknown, item.at, message);
            }
        }
    }
    asked.sort();
    asked.dedup();
    asked
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
