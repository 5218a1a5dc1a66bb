//! `layout`: what a layout tree says of size, position, text and structure.
//!
//! Sizes and positions come from `origBounds` (all of a node), visibility from `bounds` (what the screen shows of it). Values are
//! pixels; the gate converts to vp with a density from evidence, and the note shows what that means for people.

mod asked;
mod length;
mod measure;
mod outline;
mod rect;
mod selector;
mod tree;

use gate::lang::Lang;
use gate::observation::Place;

use crate::answer::{Outcome, values};
use crate::input::{Input, text_in};
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};
use crate::pick::Pick;

use measure::{Measure, Question};
use selector::Selector;

pub(crate) use length::length;
pub use outline::{Outline, Outlined, outline};
pub(crate) use tree::Tree;

const MEASURES: &[&str] = &[
    "width",
    "height",
    "minSide",
    "left",
    "top",
    "right",
    "bottom",
    "gapVertical",
    "gapHorizontal",
    "touchTarget",
    "touchTargetWidth",
    "touchTargetHeight",
    "alignLeft",
    "alignRight",
    "alignTop",
    "alignBottom",
    "alignCenterX",
    "alignCenterY",
    "overlapArea",
    "overflow",
    "text",
    "accessibleName",
    "attribute",
    "backgroundColor",
    "presence",
    "count",
    "nodes",
    "depth",
];

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "layout",
    purpose: words(
        "layout tree of `uitest dumpLayout` or of the ArkUI inspector: sizes, gaps, touch targets, text, structure",
        "`uitest dumpLayout` 或 ArkUI inspector 的布局树：尺寸、间距、触控热区、文本、结构",
    ),
    params: &[
        ParamInfo {
            name: "measure",
            kind: ParamKind::Choice(MEASURES),
            required: true,
            meaning: words(
                "what to measure. Lengths are px; a gap is negative where the nodes overlap; touchTarget is the smaller side of the smallest clickable ancestor (the node included); overflow is by how much a node exceeds its parent, or `to`",
                "测量什么。长度单位为 px；两节点重叠时间距为负；touchTarget 取可点击的最小祖先（含自身）的短边；overflow 是超出父节点（或 `to`）的长度",
            ),
            example: "gapVertical",
        },
        ParamInfo {
            name: "node",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "the node: `key=value` terms joined by commas; `=` whole, `^=` beginning, `*=` part; keys are id, text, type, bundle, window, page, visible, ancestor=\"…\", and the dump's other attributes; quote a value with a comma",
                "目标节点：用逗号连接的 `键=值`；`=` 全等，`^=` 前缀，`*=` 包含；键有 id、text、type、bundle、window、page、visible、ancestor=\"…\" 及其余属性；含逗号的值加双引号",
            ),
            example: "type=Text,text=忘记密码",
        },
        ParamInfo {
            name: "to",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "the other node, for gaps, alignment, overlap and overflow",
                "另一节点，用于间距、对齐、重叠与溢出",
            ),
            example: "id=loginButtonId",
        },
        ParamInfo {
            name: "pick",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "which match of `node`: only (the default: several are refused), first, last, nth:2, all; a gap with `all` and without `to` is the series of gaps between neighbours",
                "取 `node` 的哪个匹配：only（默认，多于一个即拒绝）、first、last、nth:2、all；间距配 `all` 且无 `to` 时，为相邻节点间距的序列",
            ),
            example: "all",
        },
        ParamInfo {
            name: "toPick",
            kind: ParamKind::Text,
            required: false,
            meaning: words("which match of `to`", "取 `to` 的哪个匹配"),
            example: "first",
        },
        ParamInfo {
            name: "bundle",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "the application, for `node` and `to`: a dump also holds the status bar and the keyboard",
                "应用包名，对 `node` 与 `to` 生效：导出中还有状态栏与键盘",
            ),
            example: "com.example.app",
        },
        ParamInfo {
            name: "attribute",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "the attribute to read, with measure: attribute",
                "measure: attribute 时要读取的属性",
            ),
            example: "checked",
        },
        ParamInfo {
            name: "density",
            kind: ParamKind::Evidence,
            required: false,
            meaning: words(
                "the dump of DisplayManagerService, to note each length in vp as well",
                "DisplayManagerService 的导出，用于在备注中同时写出 vp",
            ),
            example: "display",
        },
    ],
    example: "{measure: gapVertical, node: 'text=忘记密码', to: 'id=loginButtonId', bundle: com.example.app}",
};

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let measure = Measure::from_word(params.text("measure")?)?;
    let bundle = params.text("bundle").map(str::to_owned);
    let needed_by = format!("measure: {}", measure.word());
    if measure.needs_node() {
        params.need("node", &needed_by);
    }
    let node = selector(params, "node", bundle.as_deref());
    let pick = if measure.picks() { Pick::param(params, "pick") } else { Pick::All };
    let (mut to, mut to_pick) = (None, Pick::Only);
    if measure.takes_other() {
        if measure.needs_other(pick) {
            params.need("to", &needed_by);
        }
        to = selector(params, "to", bundle.as_deref());
        to_pick = if to.is_some() { Pick::param(params, "toPick") } else { Pick::Only };
    }
    let attribute = (measure == Measure::Attribute)
        .then(|| params.needed_text("attribute", &needed_by).map(str::to_owned))
        .flatten();
    let with_density = measure.is_length() && params.text("density").is_some();
    let question = Question { measure, node, pick, to, to_pick, bundle, attribute };
    Some(Box::new(move |input, lang| {
        let density = if with_density { Some(companion_density(input, lang)?) } else { None };
        let answer = |tree: &Tree<'_>| question.answer(tree, density.as_deref(), lang);
        Ok(values(match input.document {
            Some(document) => answer(document.layout(lang)?)?,
            None => answer(&Tree::parse(text_in(&input.whole(lang)?, lang)?, lang)?)?,
        }))
    }))
}

fn selector(params: &mut Params<'_>, name: &'static str, bundle: Option<&str>) -> Option<Selector> {
    match Selector::parse(params.text(name)?) {
        Ok(selector) => Some(selector.within(bundle)),
        Err((en, zh)) => {
            params.invalid(name, en, zh);
            None
        }
    }
}

fn companion_density(input: &Input<'_, '_>, lang: Lang) -> Outcome<String> {
    let bytes = input.companion("density", lang)?;
    crate::density::sole_density(bytes, lang)
}

/// Whether a selector parses.
pub(crate) fn check_selector(text: &str) -> Result<(), crate::terms::Refusal> {
    Selector::parse(text).map(|_| ())
}

/// The box of one node and that of the screen, in whole pixels, for readers that look at a screenshot beside the layout.
pub(crate) fn box_of(bytes: &[u8], selector: &str, lang: Lang) -> Outcome<(Place, Option<Place>)> {
    let tree = Tree::parse(text_in(bytes, lang)?, lang)?;
    let selector =
        Selector::parse(selector).map_err(|(en, zh)| crate::answer::Stop::Unreadable(lang.pick(en, zh)))?;
    asked::visible_box(&tree, &selector, lang)
}
