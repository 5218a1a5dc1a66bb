//! Dimensions that nothing speaks for.

use crate::code::Code;
use crate::lang::Lang;
use crate::pack::{Dimension, Pack, Weight};
use crate::problem::Problem;
use crate::say;

/// E_DIMENSION_EMPTY and W_DIMENSION_NO_MUST, in the order of dimensions.
pub(super) fn empty_dimensions(pack: &Pack, lang: Lang) -> Vec<Problem> {
    Dimension::ALL.into_iter().filter_map(|dimension| silent(pack, dimension, lang)).collect()
}

fn silent(pack: &Pack, dimension: Dimension, lang: Lang) -> Option<Problem> {
    if pack.out_of_scope.contains_key(&dimension.into()) {
        return None;
    }
    let name = name(dimension, lang);
    let mut weights = pack.criteria.iter().filter(|c| c.dimension == dimension).map(|c| c.weight).peekable();
    let (code, message) = if weights.peek().is_none() {
        (Code::DimensionEmpty, say!(lang, "no criterion speaks for {name}", "没有任何标准涉及{name}"))
    } else if weights.all(|weight| weight == Weight::Should) {
        (Code::DimensionNoMust, say!(lang, "{name} has only shoulds", "{name}只有 should 标准"))
    } else {
        return None;
    };
    Some(Problem::new(code, message, code.help(lang)))
}

fn name(dimension: Dimension, lang: Lang) -> &'static str {
    match dimension {
        Dimension::Function => lang.pick("function", "功能（function）"),
        Dimension::Aesthetic => lang.pick("aesthetic", "美观（aesthetic）"),
        Dimension::Performance => lang.pick("performance", "性能（performance）"),
        Dimension::Accessibility => lang.pick("accessibility", "无障碍（accessibility）"),
    }
}
