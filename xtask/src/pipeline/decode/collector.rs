//! Collectors and recorded auditors: what gathers evidence, and the probes that give its scale.

use std::collections::BTreeMap;

use gate::audit::SourceKind;
use gate::code::Code;
use gate::decode::{Fields, Findings};
use gate::node::{Node, Value};
use gate::say;

use super::value::{
    DEFAULT_TIMEOUT, argv, argv_of, inside, limits, named_files, parameters, path, retries, texts,
};
use crate::pipeline::model::{
    Auditor, AuditorProgram, Collector, Gather, Keep, Programs, ScaleProbe, ScaleProbes,
};

const FIELDS: &[&str] = &[
    "copy", "run", "steps", "stdout", "output", "source", "env", "timeout", "silence", "retries", "screen",
    "constant", "keep",
];

const KEEPS: &[(&str, Keep)] = &[("commit", Keep::Commit), ("external", Keep::External)];

pub(super) fn collectors(node: &Node, findings: &mut Findings<'_>) -> Vec<(String, Collector)> {
    let mut order: Vec<String> = match &node.value {
        Value::Map(entries) => entries.iter().map(|(key, _)| key.name.clone()).collect(),
        _ => Vec::new(),
    };
    let mut decoded = named_files(node, ("the collectors", "采集器列表"), findings, collector);
    // They run as they are written: what builds comes before what measures.
    order.dedup();
    let collectors: Vec<_> = order.into_iter().filter_map(|name| decoded.remove_entry(&name)).collect();
    refuse_shared_outputs(&collectors, findings);
    collectors
}

/// Two collectors that write one file would overwrite each other's evidence. File systems of users do not tell `A` from
/// `a`, so neither does this.
fn refuse_shared_outputs(collectors: &[(String, Collector)], findings: &mut Findings<'_>) {
    for (index, (name, collector)) in collectors.iter().enumerate() {
        let same =
            |other: &&(String, Collector)| other.1.output.to_lowercase() == collector.output.to_lowercase();
        if let Some((earlier, _)) = collectors.iter().take(index).find(same) {
            let output = &collector.output;
            let message = say!(
                findings.lang,
                "collectors `{earlier}` and `{name}` both write {output}",
                "采集器 `{earlier}` 与 `{name}` 都写入 {output}"
            );
            findings.report(Code::IdDuplicate, collector.at, message);
        }
    }
}

fn collector(node: &Node, findings: &mut Findings<'_>) -> Option<Collector> {
    let fields = Fields::open(node, ("a collector", "采集器"), FIELDS, findings)?;
    let output = fields.required_text("output", findings);
    let output = output.and_then(|output| inside(&fields, "output", output, findings));
    let source = fields.required_text("source", findings);
    let how = gather(&fields, findings);
    let screen = fields.text("screen", findings);
    let constant = fields.boolean("constant", findings).unwrap_or(false);
    let keep = fields.word("keep", KEEPS, findings).unwrap_or(Keep::BySize);
    Some(Collector { how: how?, output: output?, source: source?, screen, constant, keep, at: fields.at() })
}

fn gather(fields: &Fields<'_>, findings: &mut Findings<'_>) -> Option<Gather> {
    match (fields.get("copy"), fields.get("run"), fields.get("steps")) {
        (Some(_), None, None) => {
            let from = fields.text("copy", findings)?;
            Some(Gather::Copy(path(fields, "copy", from, &["feature", "round"], findings)?))
        }
        (None, Some(_), None) => {
            programs(fields, argv(fields, "run", PLACEHOLDERS, findings).map(|argv| vec![argv]), findings)
        }
        (None, None, Some(node)) => programs(fields, steps(node, findings), findings),
        _ => {
            let message = say!(
                findings.lang,
                "a collector has one of `run` (a program), `steps` (several) and `copy` (a recorded file)",
                "采集器必须有 `run`（一个程序）、`steps`（多个程序）、`copy`（录制的文件）之一"
            );
            findings.report(Code::FieldMissing, fields.at(), message);
            None
        }
    }
}

const PLACEHOLDERS: &[&str] = &["feature", "round", "root", "output", "checkout", "commit", "device"];

fn steps(node: &Node, findings: &mut Findings<'_>) -> Option<Vec<Vec<String>>> {
    let Value::List(items) = &node.value else {
        let message =
            say!(findings.lang, "`steps` is a list of argument lists", "`steps` 应为参数列表的列表");
        findings.report(Code::FieldType, node.at, message);
        return None;
    };
    let steps: Vec<_> = items.iter().map(|item| argv_of(item, "steps", PLACEHOLDERS, findings)).collect();
    steps.into_iter().collect()
}

fn programs(
    fields: &Fields<'_>,
    steps: Option<Vec<Vec<String>>>,
    findings: &mut Findings<'_>,
) -> Option<Gather> {
    let stdout = fields.boolean("stdout", findings).unwrap_or(false);
    let env = texts(fields, "env", findings);
    let limits = limits(fields, DEFAULT_TIMEOUT, findings);
    let retries = retries(fields, findings);
    Some(Gather::Run(Programs { steps: steps?, stdout, env, limits: limits?, retries: retries? }))
}

/// A collector whose source nobody declared would quietly count as auxiliary; that is a slip of the pen.
pub(super) fn check_sources(
    collectors: &[(String, Collector)],
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

pub(super) fn auditors(node: &Node, findings: &mut Findings<'_>) -> BTreeMap<String, Auditor> {
    named_files(node, ("the auditors", "审计者列表"), findings, |node, findings| {
        let known = &["copy", "run", "env", "timeout", "silence"];
        let fields = Fields::open(node, ("an auditor", "审计者"), known, findings)?;
        match (fields.get("copy"), fields.get("run")) {
            (Some(_), None) => {
                let copy = fields.text("copy", findings)?;
                Some(Auditor::Copy(path(&fields, "copy", copy, &["feature", "round"], findings)?))
            }
            (None, Some(_)) => {
                let known = &["feature", "round", "root", "pack", "evidence"];
                let argv = argv(&fields, "run", known, findings);
                let env = texts(&fields, "env", findings);
                let limits = limits(&fields, DEFAULT_TIMEOUT, findings);
                Some(Auditor::Run(Box::new(AuditorProgram { argv: argv?, env, limits: limits? })))
            }
            _ => {
                let message = say!(
                    findings.lang,
                    "an auditor has either `copy` (recorded checks) or `run` (a program)",
                    "审计者必须有 `copy`（录制的检查结果）或 `run`（程序）之一"
                );
                findings.report(Code::FieldMissing, fields.at(), message);
                None
            }
        }
    })
}

pub(super) fn scale(node: &Node, findings: &mut Findings<'_>) -> ScaleProbes {
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
