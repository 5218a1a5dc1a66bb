//! Requirements that no criterion covers.

use std::collections::BTreeSet;

use crate::code::Code;
use crate::lang::Lang;
use crate::pack::Pack;
use crate::problem::Problem;
use crate::say;

/// W_REQUIREMENT_UNCOVERED, in the order of requirements.
pub(super) fn uncovered(pack: &Pack, lang: Lang) -> Vec<Problem> {
    let covered: BTreeSet<&String> = pack.criteria.iter().flat_map(|criterion| &criterion.covers).collect();
    let bare = pack.requirements.iter().filter(|requirement| !covered.contains(&requirement.id));
    bare.map(|requirement| {
        let (id, text) = (&requirement.id, &requirement.text);
        let message = say!(lang, "no criterion covers {id}: {text}", "没有标准覆盖 {id}：{text}");
        Problem::new(Code::RequirementUncovered, message, Code::RequirementUncovered.help(lang))
    })
    .collect()
}
