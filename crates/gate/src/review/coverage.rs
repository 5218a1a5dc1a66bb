//! Requirements that no criterion covers, and criteria that no requirement asks for.

use std::collections::BTreeMap;

use crate::code::Code;
use crate::lang::Lang;
use crate::pack::{Criterion, Pack, Weight};
use crate::problem::Problem;
use crate::say;

/// W_REQUIREMENT_UNCOVERED, in the order of requirements.
pub(super) fn uncovered(pack: &Pack, lang: Lang) -> Vec<Problem> {
    let mut covered: BTreeMap<&str, Weight> = BTreeMap::new();
    for criterion in &pack.criteria {
        for id in &criterion.covers {
            let weight = covered.entry(id).or_insert(criterion.weight);
            *weight = (*weight).min(criterion.weight);
        }
    }
    let problem = |message: String| {
        Problem::new(Code::RequirementUncovered, message, Code::RequirementUncovered.help(lang))
    };
    let of = |requirement: &crate::pack::Requirement| {
        let (id, text) = (&requirement.id, &requirement.text);
        match covered.get(id.as_str()) {
            None => Some(say!(lang, "no criterion covers {id}: {text}", "没有标准覆盖 {id}：{text}")),
            Some(Weight::Should) => Some(say!(
                lang,
                "only shoulds cover {id}, so that nothing fails without it: {text}",
                "只有 should 覆盖 {id}，缺少它也不会不通过：{text}"
            )),
            Some(Weight::Must) => None,
        }
    };
    pack.requirements.iter().filter_map(of).map(problem).collect()
}

/// W_CRITERION_UNTIED, if it applies.
pub(super) fn untied(criterion: &Criterion, pack: &Pack, lang: Lang) -> Option<Problem> {
    let is_untied = criterion.covers.is_empty() && !pack.requirements.is_empty();
    is_untied.then(|| {
        let message = lang.pick("it covers none of the pack's requirements", "它没有覆盖验收包中的任何需求");
        Problem::new(Code::CriterionUntied, message, Code::CriterionUntied.help(lang))
    })
}
