//! `axe`: results of axe-core. What it could not decide is no pass: where anything asked about is undecided there is no value.

use gate::lang::Lang;
use gate::observation::Place;
use gate::say;
use serde_json::Value;

use crate::answer::{Outcome, missing, one, reading_at, unreadable};
use crate::ask::PLACES;
use crate::json_report::{Report, at, pointer};
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};

/// From the least.
const IMPACTS: [&str; 4] = ["minor", "moderate", "serious", "critical"];

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "axe",
    purpose: words(
        "results of axe-core as JSON, of one page or a list of pages: how many elements break its rules; where it could not decide there is no value",
        "axe-core 的 JSON 结果（单页或多页列表）：有多少元素违反规则；它未能判定的内容没有值",
    ),
    params: &[
        ParamInfo {
            name: "measure",
            kind: ParamKind::Choice(&["elements", "rules", "incomplete"]),
            required: false,
            meaning: words(
                "elements that break a rule (the default), rules that are broken, or incomplete: elements that axe could not decide",
                "elements（默认，违规元素数）、rules（被违反的规则数）或 incomplete（axe 未能判定的元素数）",
            ),
            example: "elements",
        },
        ParamInfo {
            name: "impact",
            kind: ParamKind::Choice(&IMPACTS),
            required: false,
            meaning: words("only what is of this impact or graver", "只计该影响级别及更严重的"),
            example: "serious",
        },
        ParamInfo {
            name: "rule",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "the rule, or its beginning when it ends with `*`",
                "规则名；以 `*` 结尾时按前缀匹配",
            ),
            example: "color-contrast",
        },
        ParamInfo {
            name: "tag",
            kind: ParamKind::Text,
            required: false,
            meaning: words("only rules with this tag", "只计带此标签的规则"),
            example: "wcag2aa",
        },
    ],
    example: "{measure: elements, impact: serious, tag: wcag2aa}",
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    Elements,
    Rules,
    Incomplete,
}

/// Which findings are asked about.
struct Asked {
    impact: Option<usize>,
    rule: Option<String>,
    tag: Option<String>,
}

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let measure = match params.text("measure") {
        Some("rules") => Measure::Rules,
        Some("incomplete") => Measure::Incomplete,
        _ => Measure::Elements,
    };
    let asked = Asked {
        impact: params.text("impact").and_then(rank),
        rule: params.text("rule").map(str::to_owned),
        tag: params.text("tag").map(str::to_owned),
    };
    Some(Box::new(move |input, lang| {
        let text = input.document_text(lang)?;
        let report = Report::parse(&text, lang)?;
        let mut total = Total::default();
        match &report.root {
            Value::Array(pages) if pages.is_empty() => {
                return missing(say!(lang, "the report holds no page", "报告中没有任何页面"));
            }
            Value::Array(pages) => {
                for (index, page) in pages.iter().enumerate() {
                    total.page(page, &[&index.to_string()], &asked, lang)?;
                }
            }
            page => total.page(page, &[], &asked, lang)?,
        }
        total.answer(measure, &asked, lang)
    }))
}

fn rank(impact: &str) -> Option<usize> {
    IMPACTS.iter().position(|known| *known == impact)
}

/// What the pages come to.
#[derive(Default)]
struct Total {
    broken: Count,
    undecided: Count,
    /// Rules that axe looked for at all, asked about or not; and those asked about.
    run: usize,
    run_asked: usize,
}

#[derive(Default)]
struct Count {
    rules: Vec<String>,
    elements: usize,
    places: Vec<Place>,
}

impl Total {
    fn page(&mut self, page: &Value, steps: &[&str], asked: &Asked, lang: Lang) -> Outcome<()> {
        for list in ["violations", "incomplete", "passes", "inapplicable"] {
            let Some(results) = page.get(list) else {
                if !page.get("violations").is_some_and(Value::is_array) {
                    return unreadable(say!(lang, "no results of axe-core", "不是 axe-core 的结果"));
                }
                if list == "incomplete" {
                    return missing(say!(
                        lang,
                        "the report leaves out `incomplete`, so that nobody knows what axe could not decide",
                        "报告没有 `incomplete`，无从知道 axe 未能判定什么"
                    ));
                }
                continue;
            };
            let Some(results) = results.as_array() else {
                return unreadable(say!(lang, "`{list}` is no list", "`{list}` 不是列表"));
            };
            for (index, result) in results.iter().enumerate() {
                let index = index.to_string();
                let place: Vec<&str> = steps.iter().copied().chain([list, index.as_str()]).collect();
                self.result(list, result, &place, asked, lang)?;
            }
        }
        Ok(())
    }

    fn result(
        &mut self,
        list: &str,
        result: &Value,
        steps: &[&str],
        asked: &Asked,
        lang: Lang,
    ) -> Outcome<()> {
        let (Some(rule), Some(nodes)) =
            (result.get("id").and_then(Value::as_str), result.get("nodes").and_then(Value::as_array))
        else {
            let place = pointer(steps);
            return unreadable(say!(lang, "no result of a rule at {place}", "{place} 处不是规则结果"));
        };
        self.run += 1;
        if !asked.is_rule(rule, result) {
            return Ok(());
        }
        self.run_asked += 1;
        let count = match list {
            "violations" => &mut self.broken,
            "incomplete" => &mut self.undecided,
            _ => return Ok(()),
        };
        let own = result.get("impact").and_then(Value::as_str);
        let mut found = 0;
        for (index, node) in nodes.iter().enumerate() {
            let impact = node.get("impact").and_then(Value::as_str).or(own);
            if !asked.is_grave(impact) {
                continue;
            }
            found += 1;
            if count.places.len() < PLACES {
                let index = index.to_string();
                let steps: Vec<&str> = steps.iter().copied().chain(["nodes", index.as_str()]).collect();
                count.places.push(at(&pointer(&steps)));
            }
        }
        // A rule without an element, such as one that failed itself, is undecided or broken as a whole.
        if nodes.is_empty() && asked.is_grave(own) {
            found = 1;
            count.places.push(at(&pointer(steps)));
        }
        count.elements += found;
        if found > 0 && !count.rules.iter().any(|known| known == rule) {
            count.rules.push(rule.to_owned());
        }
        Ok(())
    }

    fn answer(self, measure: Measure, asked: &Asked, lang: Lang) -> Outcome {
        if self.run == 0 {
            return missing(say!(lang, "axe ran no rule on the page", "axe 没有对页面运行任何规则"));
        }
        if self.run_asked == 0 {
            let what = asked.words();
            return missing(say!(lang, "axe ran no rule {what}", "axe 没有运行规则 {what}"));
        }
        if measure != Measure::Incomplete && self.undecided.elements > 0 {
            let (count, broken) = (self.undecided.elements, self.broken.elements);
            let rules = self.undecided.rules.join(", ");
            return missing(say!(
                lang,
                "axe could not decide {count} elements ({rules}), beside {broken} that break a rule: let a person look at them, or ask about the rules that it decides",
                "axe 未能判定 {count} 个元素（{rules}），另有 {broken} 个违规：请由人查看，或只问它能判定的规则"
            ));
        }
        let (count, places) = match measure {
            Measure::Elements => (self.broken.elements, self.broken.places),
            Measure::Rules => (self.broken.rules.len(), self.broken.places),
            Measure::Incomplete => (self.undecided.elements, self.undecided.places),
        };
        let places = if places.is_empty() { vec![Place::File] } else { places };
        one(reading_at(count.to_string(), places))
    }
}

impl Asked {
    fn is_rule(&self, rule: &str, result: &Value) -> bool {
        let is_named = self.rule.as_deref().is_none_or(|wanted| match wanted.strip_suffix('*') {
            Some(beginning) => rule.starts_with(beginning),
            None => rule == wanted,
        });
        let is_tagged = self.tag.as_deref().is_none_or(|wanted| {
            let tags = result.get("tags").and_then(Value::as_array);
            tags.into_iter().flatten().any(|tag| tag.as_str() == Some(wanted))
        });
        is_named && is_tagged
    }

    /// Of an impact that is not said, or not known, nobody knows that it is small.
    fn is_grave(&self, impact: Option<&str>) -> bool {
        match (self.impact, impact.and_then(rank)) {
            (Some(least), Some(own)) => own >= least,
            _ => true,
        }
    }

    fn words(&self) -> String {
        [self.rule.as_deref(), self.tag.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
