//! `lighthouserc.json`: the assertions of Lighthouse CI, each of which names what it measures and its limit.

use gate::code::Code;
use gate::lang::Lang;
use gate::node::{Node, Value};
use gate::pack::{Aggregate, Dimension, Expected, Matcher, Weight};
use gate::problem::Problem;
use gate::say;

use crate::Source;
use crate::item::{Item, Items, Said};
use crate::propose::{number, plain};

/// Metrics of Lighthouse's own performance category, by the names of their audits.
const PERFORMANCE: [&str; 11] = [
    "first-contentful-paint",
    "largest-contentful-paint",
    "first-meaningful-paint",
    "speed-index",
    "interactive",
    "total-blocking-time",
    "cumulative-layout-shift",
    "max-potential-fid",
    "server-response-time",
    "bootup-time",
    "mainthread-work-breakdown",
];

pub(super) fn read(source: &Source<'_>, lang: Lang) -> Items {
    let mut reader = Reader { lang, found: Items::default() };
    let assert = source.document.and_then(|document| {
        let ci = get(document, "ci").unwrap_or(document);
        get(ci, "assert")
    });
    if let Some(assert) = assert {
        reader.asserted(assert, None);
        for entry in get(assert, "assertMatrix").map(list).unwrap_or_default() {
            let pattern = get(entry, "matchingUrlPattern").and_then(text);
            reader.asserted(entry, pattern);
        }
    }
    reader.found
}

struct Reader {
    lang: Lang,
    found: Items,
}

impl Reader {
    fn asserted(&mut self, node: &Node, pattern: Option<&str>) {
        let lang = self.lang;
        if let Some(preset) = get(node, "preset") {
            let name = text(preset).unwrap_or_default();
            let name = crate::write::shown(name);
            self.left_out(preset, say!(
                lang,
                "the preset `{name}` is not expanded: what it asserts stands in Lighthouse CI, and not in this file",
                "预设 `{name}` 没有展开：它的断言写在 Lighthouse CI 中，不在本文件里"
            ));
        }
        for name in ["budgetsFile", "includePassedAssertions", "aggregationMethod"] {
            if let Some(found) = get(node, name) {
                self.left_out(found, say!(lang, "`{name}` was not carried over", "`{name}` 未导入"));
            }
        }
        if let Some(Value::Map(entries)) = get(node, "assertions").map(|assertions| &assertions.value) {
            for (key, value) in entries {
                self.assertion(&key.name, value, key.at.line, pattern);
            }
        }
    }

    /// `"audit": ["warn", { "minScore": 0.9 }]`, or the level alone.
    fn assertion(&mut self, name: &str, node: &Node, line: u32, pattern: Option<&str>) {
        let lang = self.lang;
        let (level, options) = match &node.value {
            Value::Text(level) => (level.as_str(), None),
            Value::List(items) => {
                let level = items.first().and_then(text).unwrap_or("error");
                (level, items.get(1))
            }
            Value::Bool(false) => ("off", None),
            _ => ("error", None),
        };
        let shown = crate::write::shown(name);
        if level == "off" {
            return self.left_out(
                node,
                say!(lang, "`{shown}` is off: it asserts nothing", "`{shown}` 为 off：没有断言"),
            );
        }
        let options = match options.map(|options| &options.value) {
            Some(Value::Map(options)) => options.as_slice(),
            _ => &[],
        };
        let aggregation = options.iter().find(|(key, _)| key.name == "aggregationMethod");
        let aggregation = aggregation.and_then(|(_, value)| text(value));
        let mut count = 0;
        for (key, value) in options {
            let limit = match &value.value {
                Value::Number(limit) => limit.as_str(),
                _ => continue,
            };
            let Some((matcher, what)) = limit_of(&key.name, lang) else {
                let option = crate::write::shown(&key.name);
                self.left_out(
                    value,
                    say!(
                        lang,
                        "the option `{option}` of `{shown}` is not known here",
                        "不认识 `{shown}` 的选项 `{option}`"
                    ),
                );
                continue;
            };
            let sides = lang.pick(["is at least", "is at most"], ["不低于", "不超过"]);
            let side = if matcher == Matcher::Gte { sides[0] } else { sides[1] };
            let at = pattern.map(|pattern| say!(lang, " on {pattern}", "（{pattern}）")).unwrap_or_default();
            let statement = say!(
                lang,
                "Lighthouse: {what} of {name}{at} {side} {limit}",
                "Lighthouse：{name}{at}的{what}{side} {limit}"
            );
            let aggregate = self.aggregate(aggregation, matcher, node, &shown);
            let Some(expected) = number(limit).map(Expected::One) else { continue };
            let assertion = gate::pack::Assertion { aggregate, ..plain(matcher, Some(expected)) };
            count += 1;
            self.push(name, &key.name, line, level, statement, Some(assertion));
        }
        if count == 0 {
            let statement = say!(lang, "Lighthouse: the audit {name} passes", "Lighthouse：审计 {name} 通过");
            self.left_out(
                node,
                say!(
                    lang,
                    "`{shown}` says a level and no limit, so that it has no assertion",
                    "`{shown}` 只写了级别，没有限值，因此没有断言"
                ),
            );
            self.push(name, "", line, level, statement, None);
        }
    }

    /// How several runs become one answer, where that is exact.
    fn aggregate(
        &mut self,
        method: Option<&str>,
        matcher: Matcher,
        node: &Node,
        name: &str,
    ) -> Option<Aggregate> {
        let lang = self.lang;
        match (method?, matcher) {
            ("median", _) => Some(Aggregate::Median),
            ("optimistic", Matcher::Gte) | ("pessimistic", Matcher::Lte) => Some(Aggregate::Max),
            ("optimistic", _) | ("pessimistic", _) => Some(Aggregate::Min),
            (other, _) => {
                let other = crate::write::shown(other);
                self.left_out(
                    node,
                    say!(
                        lang,
                        "the aggregation `{other}` of `{name}` has no equal here: every run has to hold",
                        "`{name}` 的聚合方式 `{other}` 在此没有对应：每次运行都必须满足"
                    ),
                );
                None
            }
        }
    }

    fn push(
        &mut self,
        name: &str,
        option: &str,
        line: u32,
        level: &str,
        statement: String,
        assertion: Option<gate::pack::Assertion>,
    ) {
        let lang = self.lang;
        let weight = match level {
            "warn" => Weight::Should,
            _ => Weight::Must,
        };
        let is_one_of_several = self.found.items.iter().any(|item| item.id.as_deref() == Some(&id(name)));
        let id = if is_one_of_several { format!("{}-{option}", id(name)) } else { id(name) };
        let what = match name.split_once(':') {
            Some(("categories", category)) => format!("measure: score, category: {category}"),
            _ if option == "minScore" => format!("measure: score, audit: {name}"),
            _ if option == "maxLength" => format!("measure: items, audit: {name}"),
            _ => format!("measure: numericValue, audit: {name}"),
        };
        let remark = assertion.is_some().then(|| {
            say!(
                lang,
                "once a collector brings the report: probe: {{ evidence: <collector>, reader: lighthouse, with: {{ {what} }} }}",
                "采集器带来报告后：probe: {{ evidence: <采集器>, reader: lighthouse, with: {{ {what} }} }}"
            )
        });
        self.found.items.push(Item {
            line,
            last: line,
            id: Some(id),
            statement,
            verify: Some(say!(
                lang,
                "Run Lighthouse and read {name} in its JSON report.",
                "运行 Lighthouse，读取其 JSON 报告中的 {name}。"
            )),
            dimension: dimension(name),
            weight: Some(Said { value: weight, by: level.to_owned() }),
            assertion,
            remark,
            ..Item::default()
        });
    }

    fn left_out(&mut self, node: &Node, message: String) {
        let code = Code::ImportLeftOut;
        self.found.findings.push(Problem::new(code, message, code.help(self.lang)).at(node.at));
    }
}

/// The comparison of an option, and what it is of.
fn limit_of(option: &str, lang: Lang) -> Option<(Matcher, &'static str)> {
    Some(match option {
        "minScore" => (Matcher::Gte, lang.pick("the score", "得分")),
        "maxNumericValue" => (Matcher::Lte, lang.pick("the numeric value", "数值")),
        "maxLength" => (Matcher::Lte, lang.pick("the number of items", "条目数")),
        _ => return None,
    })
}

fn dimension(name: &str) -> Option<Said<Dimension>> {
    let said = |value| Some(Said { value, by: format!("`{name}`") });
    if let Some(category) = name.strip_prefix("categories:") {
        return crate::dimension::named(category).and_then(said);
    }
    if PERFORMANCE.contains(&name) || name.starts_with("resource-summary") {
        return said(Dimension::Performance);
    }
    crate::dimension::of_statement(&name.replace('-', " ")).and_then(|found| said(found.value))
}

fn id(name: &str) -> String {
    name.replace([':', '/', '.'], "-")
}

fn get<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    match &node.value {
        Value::Map(entries) => entries.iter().find(|(key, _)| key.name == name).map(|(_, node)| node),
        _ => None,
    }
}

fn list(node: &Node) -> &[Node] {
    match &node.value {
        Value::List(items) => items,
        _ => &[],
    }
}

fn text(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}
