//! States that users will meet and nobody speaks of.

use super::wording::Words;
use crate::code::Code;
use crate::lang::Lang;
use crate::pack::{Aspect, Pack};
use crate::problem::Problem;
use crate::say;

/// What speaks of each state.
const SPOKEN_OF: [(Aspect, Words); 6] = [
    (
        Aspect::Error,
        Words(&[
            "error",
            "errors",
            "fail",
            "fails",
            "failed",
            "failure",
            "failures",
            "wrong",
            "invalid",
            "reject",
            "rejected",
            "rejects",
            "refused",
            "crash",
            "crashes",
            "出错",
            "错误",
            "失败",
            "异常",
            "报错",
            "拒绝",
            "崩溃",
            "无效",
            "不正确",
        ]),
    ),
    (
        Aspect::Empty,
        Words(&[
            "empty",
            "blank",
            "no items",
            "no results",
            "no content",
            "nothing to show",
            "no data",
            "空态",
            "空状态",
            "为空",
            "空白",
            "无数据",
            "没有数据",
            "暂无",
            "空列表",
            "无结果",
            "没有结果",
            "无内容",
        ]),
    ),
    (
        Aspect::Offline,
        Words(&[
            "offline",
            "no network",
            "without a network",
            "without network",
            "airplane mode",
            "flight mode",
            "disconnected",
            "no connection",
            "connection is lost",
            "离线",
            "断网",
            "无网",
            "没有网络",
            "飞行模式",
            "弱网",
            "网络不可用",
            "网络中断",
        ]),
    ),
    (
        Aspect::LargeFont,
        Words(&[
            "large font",
            "larger font",
            "largest font",
            "font size",
            "font scale",
            "large text",
            "larger text",
            "largest text",
            "text size",
            "fonts enlarged",
            "大字",
            "大号字",
            "字体放大",
            "字号放大",
            "字体缩放",
            "字体大小",
            "最大字体",
            "最大字号",
            "适老",
            "老年",
        ]),
    ),
    (Aspect::DarkMode, Words(&["dark", "深色", "暗色", "夜间", "暗黑", "深浅色"])),
    (
        Aspect::Landscape,
        Words(&[
            "landscape",
            "rotate",
            "rotated",
            "rotates",
            "rotation",
            "orientation",
            "横屏",
            "旋转",
            "横竖屏",
        ]),
    ),
];

/// W_STATE_UNASKED, once for all states.
pub(super) fn unasked(pack: &Pack, lang: Lang) -> Option<Problem> {
    let texts: Vec<&str> = texts(pack).collect();
    let is_spoken_of = |words: &Words| texts.iter().any(|text| words.first_in(text).is_some());
    let missing: Vec<&str> = SPOKEN_OF
        .iter()
        .filter(|(state, words)| !pack.out_of_scope.contains_key(state) && !is_spoken_of(words))
        .map(|(state, _)| name(*state, lang))
        .collect();
    (!missing.is_empty()).then(|| {
        let missing = missing.join(lang.pick(", ", "、"));
        let message = say!(lang, "nothing here speaks of: {missing}", "验收包没有提到：{missing}");
        Problem::new(Code::StateUnasked, message, Code::StateUnasked.help(lang))
    })
}

fn texts(pack: &Pack) -> impl Iterator<Item = &str> {
    let goal = pack.goal.as_deref();
    let requirements = pack.requirements.iter().map(|requirement| requirement.text.as_str());
    let criteria = pack.criteria.iter().flat_map(|criterion| {
        [Some(criterion.statement.as_str()), criterion.verify.as_deref()].into_iter().flatten()
    });
    goal.into_iter().chain(requirements).chain(criteria)
}

fn name(state: Aspect, lang: Lang) -> &'static str {
    match state {
        Aspect::Error => lang.pick("the error state (error)", "出错态（error）"),
        Aspect::Empty => lang.pick("the empty state (empty)", "空态（empty）"),
        Aspect::Offline => lang.pick("offline (offline)", "离线（offline）"),
        Aspect::LargeFont => lang.pick("large fonts (largeFont)", "大字体（largeFont）"),
        Aspect::DarkMode => lang.pick("dark mode (darkMode)", "深色模式（darkMode）"),
        Aspect::Landscape => lang.pick("landscape (landscape)", "横屏（landscape）"),
        other => other.word(),
    }
}
