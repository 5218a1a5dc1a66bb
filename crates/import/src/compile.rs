//! From what a file says to a draft: the one place in which criteria are made.

use std::collections::BTreeMap;

use gate::code::Code;
use gate::decode::{MAX_TEXT, has_visible};
use gate::lang::Lang;
use gate::pack::{Assertion, Dimension, Weight};
use gate::problem::Problem;
use gate::say;

use crate::beyond::beyond;
use crate::draft::{Draft, DraftCriterion, DraftRequirement, Verify};
use crate::ids::Ids;
use crate::item::{Item, Items, Said};
use crate::open::open;
use crate::propose::{Proposal, propose};
use crate::{Imported, Settings, dimension, place, weight};

/// Makes a draft of what a reader found.
pub(crate) fn compile(found: Items, file: &str, settings: &Settings<'_>) -> Imported {
    let mut work = Work::new(file, settings);
    work.draft.title = found.title;
    work.draft.goal = found.goal;
    work.draft.out_of_scope = found.out_of_scope;
    work.findings = found.findings;
    // Headings come first, so that what they are called is known to what they cover.
    let mut names = BTreeMap::new();
    for heading in found.requirements {
        let id = work.requirement_ids.take(&heading.id);
        names.insert(heading.id, id.clone());
        let text = if has_visible(&heading.text) { heading.text } else { id.clone() };
        work.draft.requirements.push(DraftRequirement { id, text, line: heading.line, unmet: None });
    }
    for mut item in found.items {
        item.covers = item.covers.iter().filter_map(|id| names.get(id).cloned()).collect();
        work.add(item, found.are_requirements);
    }
    work.finish()
}

struct Work<'a> {
    file: &'a str,
    lang: Lang,
    dimension: Option<Dimension>,
    draft: Draft,
    findings: Vec<Problem>,
    ids: Ids,
    requirement_ids: Ids,
    /// Criteria whose text does not say how they are checked, or what they weigh: told of together.
    unsaid_verify: Vec<(u32, String)>,
    unsaid_weight: Vec<(u32, String)>,
}

impl<'a> Work<'a> {
    fn new(file: &'a str, settings: &Settings<'_>) -> Self {
        Work {
            file,
            lang: settings.lang,
            dimension: settings.dimension,
            draft: Draft::default(),
            findings: Vec::new(),
            ids: Ids::default(),
            requirement_ids: Ids::default(),
            unsaid_verify: Vec::new(),
            unsaid_weight: Vec::new(),
        }
    }

    fn report(&mut self, code: Code, line: u32, criterion: Option<&str>, message: String) {
        let problem = Problem::new(code, message, code.help(self.lang)).at(place(line));
        self.findings.push(match criterion {
            Some(id) => problem.about(id),
            None => problem,
        });
    }

    /// A criterion of an item; or, where none can be made, its requirement alone with the reason.
    fn add(&mut self, item: Item, is_requirement: bool) {
        if !has_visible(&item.statement) {
            return;
        }
        let length = item.statement.chars().count();
        if length > MAX_TEXT {
            let lang = self.lang;
            let message = say!(
                lang,
                "the requirement has {length} characters; a pack reads at most {MAX_TEXT}",
                "需求有 {length} 个字符；验收包最多读取 {MAX_TEXT} 个"
            );
            return self.report(Code::ImportLeftOut, item.line, None, message);
        }
        let wanted = item.id.clone().unwrap_or_else(|| item.fallback.clone());
        let id = self.ids.take(&wanted);
        if item.id.is_some() && id != wanted.trim() {
            let (lang, wanted) = (self.lang, crate::write::shown(&wanted));
            let message =
                say!(lang, "the id `{wanted}` is written as `{id}`", "编号 `{wanted}` 改写为 `{id}`");
            self.report(Code::ImportRenamed, item.line, Some(&id), message);
        }
        if let Some(reason) = self.unmet(&item, &id) {
            return self.require(&item, &id, Some(reason));
        }
        let mut covers = item.covers.clone();
        if covers.is_empty() && is_requirement {
            self.require(&item, &id, None);
            covers.extend(self.draft.requirements.last().map(|requirement| requirement.id.clone()));
        }
        let criterion = self.criterion(item, id, covers);
        self.draft.criteria.push(criterion);
    }

    /// Why no criterion can be made of an item; it is reported.
    fn unmet(&mut self, item: &Item, id: &str) -> Option<String> {
        let lang = self.lang;
        let found = item.open.clone().or_else(|| open(&item.statement));
        if let Some(words) = found {
            let words = crate::write::shown(&words);
            let reason = say!(lang, "it is not decided: {words}", "尚未决定：{words}");
            let message = say!(
                lang,
                "became no criterion: it is not decided yet (“{words}”)",
                "没有成为标准：尚未决定（“{words}”）"
            );
            self.report(Code::ImportOpen, item.line, Some(id), message);
            return Some(reason);
        }
        // What a file asserts can be judged, whatever its words.
        if item.assertion.is_some() {
            return None;
        }
        let (why, words) = beyond(&item.statement)?;
        let (why, words) = (why.reason(lang), crate::write::shown(&words));
        let message = say!(
            lang,
            "became no criterion, for no run can show it: {why} (“{words}”)",
            "没有成为标准，一次运行无法检查它：{why}（“{words}”）"
        );
        self.report(Code::ImportBeyondRun, item.line, Some(id), message);
        Some(say!(lang, "no run can show it: {why}", "一次运行无法检查：{why}"))
    }

    fn require(&mut self, item: &Item, id: &str, unmet: Option<String>) {
        let id = self.requirement_ids.take(id);
        let text = item.statement.clone();
        self.draft.requirements.push(DraftRequirement { id, text, line: item.line, unmet });
    }

    fn criterion(&mut self, item: Item, id: String, covers: Vec<String>) -> DraftCriterion {
        let dimension = self.dimension(&item, &id);
        let weight = self.weight(&item, &id);
        let verify = match (&item.verify, &item.outcome) {
            (Some(verify), _) if has_visible(verify) => Verify::Said(verify.clone()),
            (_, Some(outcome)) => Verify::Steps(outcome.clone()),
            _ => {
                self.unsaid_verify.push((item.line, id.clone()));
                Verify::Unsaid
            }
        };
        let (assertion, read_from) = match item.assertion {
            Some(assertion) => (Some(assertion), None),
            None => self.proposal(&item, &id),
        };
        DraftCriterion {
            id,
            line: item.line,
            last: item.last,
            dimension,
            statement: item.statement,
            verify,
            weight,
            rule_id: item.rule_id,
            covers,
            assertion,
            read_from,
            probe: None,
            held_out: false,
            remark: item.remark,
        }
    }

    fn dimension(&mut self, item: &Item, id: &str) -> Option<(Dimension, String)> {
        let lang = self.lang;
        let of_statement = || dimension::of_statement(&item.statement);
        let said = item.dimension.clone().or_else(of_statement).or_else(|| item.section.clone());
        if let Some(Said { value, by }) = said {
            return Some((value, by));
        }
        if let Some(chosen) = self.dimension {
            return Some((chosen, lang.pick("chosen with --dimension", "由 --dimension 指定").to_owned()));
        }
        let message =
            say!(lang, "the text does not say in which dimension it is accepted", "原文没有写明属于哪个维度");
        self.report(Code::ImportChoice, item.line, Some(id), message);
        None
    }

    fn weight(&mut self, item: &Item, id: &str) -> (Weight, String) {
        let lang = self.lang;
        match item.weight.clone().or_else(|| weight::of_statement(&item.statement)) {
            Some(Said { value, by }) => (value, format!("“{by}”")),
            None => {
                self.unsaid_weight.push((item.line, id.to_owned()));
                (Weight::Must, lang.pick("not said: taken as must", "原文未写：按 must 处理").to_owned())
            }
        }
    }

    fn proposal(&mut self, item: &Item, id: &str) -> (Option<Assertion>, Option<String>) {
        let text = item.limit.as_ref().or(item.outcome.as_ref()).unwrap_or(&item.statement);
        match propose(text) {
            Proposal::One(assertion, words) => (Some(*assertion), Some(words)),
            Proposal::None if item.limit.is_none() => (None, None),
            unclear => {
                let numbers = match unclear {
                    Proposal::Several(numbers) => numbers,
                    _ => item.limit.clone().into_iter().collect(),
                };
                let (lang, numbers) = (self.lang, crate::write::shown(&numbers.join(", ")));
                let message = say!(
                    lang,
                    "says {numbers}, of which no single threshold follows; it has no assertion",
                    "写有 {numbers}，无法得出唯一的阈值；没有生成断言"
                );
                self.report(Code::ImportNumbers, item.line, Some(id), message);
                (None, None)
            }
        }
    }

    fn finish(mut self) -> Imported {
        let lang = self.lang;
        let list = |ids: &[(u32, String)]| {
            let shown: Vec<&str> = ids.iter().take(LISTED).map(|(_, id)| id.as_str()).collect();
            let more = if ids.len() > LISTED { "…" } else { "" };
            format!("{}{more}", shown.join(", "))
        };
        for (code, unsaid) in [
            (Code::ImportVerify, std::mem::take(&mut self.unsaid_verify)),
            (Code::ImportChoice, std::mem::take(&mut self.unsaid_weight)),
        ] {
            let Some((line, _)) = unsaid.first() else { continue };
            let (count, ids) = (unsaid.len(), list(&unsaid));
            let message = match code {
                Code::ImportVerify => say!(
                    lang,
                    "the text does not say how {count} of the criteria are checked: {ids}",
                    "原文没有写明 {count} 条标准如何检查：{ids}"
                ),
                _ => say!(
                    lang,
                    "the text says neither must nor should of {count} criteria, which are taken as must: {ids}",
                    "原文没有写明 {count} 条标准是 must 还是 should，均按 must 处理：{ids}"
                ),
            };
            self.report(code, *line, None, message);
        }
        let mut findings: Vec<Problem> =
            self.findings.into_iter().map(|problem| problem.in_file(self.file)).collect();
        findings.sort_by_key(|problem| (problem.at, problem.code.name()));
        Imported { draft: self.draft, findings }
    }
}

/// How many ids one finding lists.
const LISTED: usize = 12;
