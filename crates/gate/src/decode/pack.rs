//! The acceptance pack as an author writes it.

use std::collections::BTreeMap;

use crate::audit::Location;
use crate::code::Code;
use crate::lang::Lang;
use crate::node::{Node, Value};
use crate::pack::{Aspect, Criterion, Dimension, Pack, Requirement, Weight};
use crate::problem::Span;
use crate::rules::Rule;
use crate::say;

use super::fields::{one_of, text};
use super::places::{Places, places};
use super::{
    Decoded, Fields, Findings, MAX_CRITERIA, Rules, check_feature, check_id, did_you_mean, entries,
    has_visible,
};
use super::{assertion, fields};

/// Where each criterion stands in its file, by id.
pub type Locations = BTreeMap<String, Location>;

/// A pack with the places that its lock records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authored {
    /// The frozen form.
    pub pack: Pack,
    /// Where each criterion stands.
    pub locations: Locations,
    /// Where the fields of each stand.
    pub places: Places,
}

const PACK: [&str; 6] = ["feature", "title", "goal", "requirements", "outOfScope", "criteria"];
const CRITERION: [&str; 10] =
    ["id", "dimension", "statement", "verify", "weight", "ruleId", "covers", "assertion", "probe", "heldOut"];
const DIMENSIONS: [(&str, Dimension); 4] = [
    ("function", Dimension::Function),
    ("aesthetic", Dimension::Aesthetic),
    ("performance", Dimension::Performance),
    ("accessibility", Dimension::Accessibility),
];
const WEIGHTS: [(&str, Weight); 2] = [("must", Weight::Must), ("should", Weight::Should)];

/// Decodes a pack. `folder` is the name of the feature's folder: `feature` may be left out, and must equal it if
/// it is written. A list in place of the mapping is taken for the criteria.
pub fn pack(node: &Node, file: &str, folder: &str, lang: Lang) -> Decoded<Authored> {
    let mut findings = Findings::new(file, lang);
    let pack = decode_pack(node, folder, &mut findings);
    let authored = pack.map(|(pack, spans)| Authored {
        locations: locations(&pack.criteria, &spans, file),
        places: places(items_of(node)),
        pack,
    });
    findings.finish(authored)
}

/// Decodes bare criteria, as vectors hold them: what is needed to judge them is asked for, what is asked of authors
/// alone (a criterion at all, `verify`) is not.
pub fn criteria(node: &Node, file: &str, lang: Lang) -> Decoded<(Vec<Criterion>, Locations)> {
    let mut findings = Findings::new(file, lang);
    let decoded = match &node.value {
        Value::List(items) => Some(decode_criteria(items, Rules::Judging, &mut findings)),
        _ => fields::wrong_kind(node, "criteria", ("a list", "列表"), &mut findings),
    };
    let decoded = decoded.map(|(criteria, places)| {
        let locations = locations(&criteria, &places, file);
        (criteria, locations)
    });
    findings.finish(decoded)
}

fn locations(criteria: &[Criterion], places: &[Span], file: &str) -> Locations {
    let place = |span: &Span| Location { file: file.to_owned(), span: *span };
    criteria.iter().zip(places).map(|(criterion, span)| (criterion.id.clone(), place(span))).collect()
}

fn decode_pack(node: &Node, folder: &str, findings: &mut Findings<'_>) -> Option<(Pack, Vec<Span>)> {
    if let Some(reason) = check_feature(folder, findings.lang) {
        findings.report(Code::FeatureName, node.at, reason);
    }
    if let Value::List(items) = &node.value {
        let (criteria, places) = decode_criteria(items, Rules::Authoring, findings);
        refuse_empty(items, node.at, findings);
        return Some((bare_pack(folder, criteria), places));
    }
    let fields = Fields::open(node, ("a pack", "验收包"), &PACK, findings)?;
    let mut pack = bare_pack(folder, Vec::new());
    refuse_other_feature(&fields, folder, findings);
    pack.title = fields.text("title", findings);
    pack.goal = fields.text("goal", findings);
    pack.requirements = requirements(&fields, findings);
    pack.out_of_scope = out_of_scope(&fields, findings);
    fields.required("criteria", findings);
    let items = fields.list("criteria", findings)?;
    refuse_empty(items, fields.place("criteria"), findings);
    let (criteria, places) = decode_criteria(items, Rules::Authoring, findings);
    pack.criteria = criteria;
    refuse_unknown_requirements(items, &pack.requirements, findings);
    Some((pack, places))
}

/// The criteria of a pack, as they stand in the document.
pub(super) fn items_of(node: &Node) -> &[Node] {
    match &node.value {
        Value::List(items) => items,
        Value::Map(entries) => match entries.iter().find(|(key, _)| key.name == "criteria") {
            Some((_, Node { value: Value::List(items), .. })) => items,
            _ => &[],
        },
        _ => &[],
    }
}

fn bare_pack(folder: &str, criteria: Vec<Criterion>) -> Pack {
    Pack {
        feature: folder.to_owned(),
        title: None,
        goal: None,
        requirements: Vec::new(),
        out_of_scope: BTreeMap::new(),
        criteria,
    }
}

fn refuse_empty(items: &[Node], at: Span, findings: &mut Findings<'_>) {
    if items.is_empty() {
        let message = say!(findings.lang, "the pack holds no criterion", "验收包中没有任何标准");
        findings.report(Code::PackEmpty, at, message);
    }
}

fn refuse_other_feature(fields: &Fields<'_>, folder: &str, findings: &mut Findings<'_>) {
    let Some(feature) = fields.text("feature", findings) else { return };
    if feature != folder {
        let lang = findings.lang;
        let message = say!(
            lang,
            "the pack says feature `{feature}`, and its folder is `{folder}`",
            "验收包写的功能是 `{feature}`，而所在目录是 `{folder}`"
        );
        let help = say!(
            lang,
            "write `feature: {folder}`, leave it out, or rename the folder",
            "请写 `feature: {folder}`，或不写该字段，或重命名目录"
        );
        findings.report_with(Code::FeatureName, fields.place("feature"), message, help);
    }
}

fn requirements(fields: &Fields<'_>, findings: &mut Findings<'_>) -> Vec<Requirement> {
    let items = fields.list("requirements", findings).unwrap_or_default();
    let mut ids = Ids::default();
    let mut requirements = Vec::new();
    for item in items {
        let Some(fields) = Fields::open(item, ("a requirement", "需求"), &["id", "text"], findings) else {
            continue;
        };
        let id = ids.read(&fields, findings);
        let text = fields.required_text("text", findings);
        if let (Some(id), Some(text)) = (id, text) {
            requirements.push(Requirement { id, text });
        }
    }
    requirements
}

fn out_of_scope(fields: &Fields<'_>, findings: &mut Findings<'_>) -> BTreeMap<Aspect, String> {
    let mut reasons = BTreeMap::new();
    let Some(node) = fields.get("outOfScope") else { return reasons };
    let what = ("`outOfScope`", "`outOfScope`");
    for (key, value) in entries(node, what, findings).unwrap_or_default() {
        let Some(aspect) = Aspect::all().find(|aspect| aspect.word() == key.name) else {
            let (lang, name) = (findings.lang, &key.name);
            let message = say!(lang, "there is no dimension or state `{name}`", "没有维度或状态 `{name}`");
            let known: Vec<&str> = Aspect::all().map(Aspect::word).collect();
            findings.report_with(Code::ValueUnknown, key.at, message, one_of(name, &known, lang));
            continue;
        };
        let Some(reason) = text(value, &key.name, findings) else { continue };
        if !has_visible(&reason) {
            let message = say!(findings.lang, "the reason is blank", "理由是空白");
            findings.report(Code::FieldMissing, value.at, message);
        }
        reasons.insert(aspect, reason);
    }
    reasons
}

fn decode_criteria(items: &[Node], rules: Rules, findings: &mut Findings<'_>) -> (Vec<Criterion>, Vec<Span>) {
    if let Some(item) = items.get(MAX_CRITERIA) {
        let count = items.len();
        let message = say!(
            findings.lang,
            "the pack holds {count} criteria; at most {MAX_CRITERIA} are read",
            "验收包有 {count} 条标准；最多读取 {MAX_CRITERIA} 条"
        );
        findings.report(Code::LimitCount, item.at, message);
    }
    let mut ids = Ids::default();
    let read = |item| Some((criterion(item, rules, &mut ids, findings)?, item.at));
    items.iter().take(MAX_CRITERIA).filter_map(read).unzip()
}

fn criterion(node: &Node, rules: Rules, ids: &mut Ids, findings: &mut Findings<'_>) -> Option<Criterion> {
    let mark = findings.mark();
    let fields = Fields::open(node, ("a criterion", "标准"), &CRITERION, findings)?;
    let id = ids.read(&fields, findings);
    let dimension = fields.required_word("dimension", &DIMENSIONS, findings);
    let statement = fields.required_text("statement", findings);
    let verify = fields.text("verify", findings);
    let weight = fields.required_word("weight", &WEIGHTS, findings);
    let rule_id = fields.text("ruleId", findings);
    let covers = fields.texts("covers", findings).into_iter().map(|(_, id)| id).collect();
    let rule = rule_id.as_deref().and_then(Rule::named);
    let default = rule.map(|rule| rule.assertion(weight.unwrap_or(Weight::Must)));
    let assertion = match fields.get("assertion") {
        Some(node) => assertion::assertion(node, default, Rules::Authoring, findings),
        None => default,
    };
    let probe = fields.get("probe").and_then(|node| assertion::probe(node, findings));
    let held_out = fields.boolean("heldOut", findings).unwrap_or_default();
    if assertion.is_none() {
        refuse_lone_probe(&fields, findings);
    }
    if rules == Rules::Authoring {
        refuse_unverifiable(&fields, weight, verify.as_deref(), findings);
    }
    let name = id.clone().unwrap_or_default();
    let criterion = Criterion {
        id: id.unwrap_or_default(),
        dimension: dimension.unwrap_or(Dimension::Function),
        statement: statement.unwrap_or_default(),
        verify,
        // Of an unreadable weight nothing more is asked: that it is unreadable already refuses the pack.
        weight: weight.unwrap_or(Weight::Should),
        rule_id,
        covers,
        assertion,
        probe,
        held_out,
    };
    if criterion.assertion.is_none()
        && fields.get("assertion").is_none()
        && let Some(problem) = crate::review::without_assertion(&criterion, findings.lang)
    {
        findings.push(problem.at(fields.place("statement")));
    }
    if !name.is_empty() {
        findings.tie(mark, &name);
    }
    Some(criterion)
}

/// A value that nothing compares judges nothing.
fn refuse_lone_probe(fields: &Fields<'_>, findings: &mut Findings<'_>) {
    if fields.get("probe").is_some() && fields.get("assertion").is_none() {
        let lang = findings.lang;
        let message = say!(
            lang,
            "a probe without an assertion measures what nothing judges",
            "只有 probe 没有断言：测得的值无从判定"
        );
        let help =
            lang.pick("add an `assertion`, or remove the `probe`", "请补充 `assertion`，或删除 `probe`");
        findings.report_with(Code::FieldMissing, fields.place("probe"), message, help);
    }
}

fn refuse_unverifiable(
    fields: &Fields<'_>,
    weight: Option<Weight>,
    verify: Option<&str>,
    findings: &mut Findings<'_>,
) {
    let is_wrong_kind = fields.get("verify").is_some() && verify.is_none();
    if weight == Some(Weight::Must) && !is_wrong_kind && !verify.is_some_and(has_visible) {
        let message = say!(
            findings.lang,
            "a must does not say how a person would check it: `verify` is missing or blank",
            "must 标准没有说明人应如何验证：`verify` 缺失或空白"
        );
        findings.report(Code::VerifyMissing, fields.place("verify"), message);
    }
}

fn refuse_unknown_requirements(items: &[Node], requirements: &[Requirement], findings: &mut Findings<'_>) {
    let known = || requirements.iter().map(|requirement| requirement.id.as_str());
    for item in items {
        let Some(covers) = covers_of(item) else { continue };
        for node in covers {
            let Value::Text(id) = &node.value else { continue };
            if known().any(|known| known == id) {
                continue;
            }
            let lang = findings.lang;
            let message = say!(lang, "the pack holds no requirement `{id}`", "验收包中没有需求 `{id}`");
            let help = match did_you_mean(id, known()) {
                Some(near) => say!(lang, "did you mean `{near}`?", "是否想写 `{near}`？"),
                None => Code::RequirementUnknown.help(lang),
            };
            findings.report_with(Code::RequirementUnknown, node.at, message, help);
        }
    }
}

fn covers_of(item: &Node) -> Option<&[Node]> {
    let Value::Map(entries) = &item.value else { return None };
    let (_, node) = entries.iter().find(|(key, _)| key.name == "covers")?;
    match &node.value {
        Value::List(items) => Some(items),
        _ => None,
    }
}

/// The ids met so far, with their places.
#[derive(Default)]
struct Ids {
    first: BTreeMap<String, Span>,
}

impl Ids {
    /// A sound id that no earlier entry has; whatever is wrong with it is reported.
    fn read(&mut self, fields: &Fields<'_>, findings: &mut Findings<'_>) -> Option<String> {
        let node = fields.required("id", findings)?;
        let id = text(node, "id", findings)?;
        if let Some(reason) = check_id(&id, findings.lang) {
            findings.report(Code::IdInvalid, node.at, reason);
            return None;
        }
        if let Some(first) = self.first.get(&id) {
            let Span { line, column } = *first;
            let message = say!(
                findings.lang,
                "the id `{id}` is taken; first at line {line}, column {column}",
                "id `{id}` 已被使用；首次在第 {line} 行第 {column} 列"
            );
            findings.report(Code::IdDuplicate, node.at, message);
            return None;
        }
        self.first.insert(id.clone(), node.at);
        Some(id)
    }
}
