//! Criteria that only a person can judge: they say who looks, at what and when, and claim to be no more than that.

use crate::code::Code;
use crate::lang::Lang;
use crate::measure::contains_measure;
use crate::pack::{Criterion, Weight};
use crate::problem::Problem;
use crate::say;

use super::wording::{Words, unquoted};

/// W_JUDGE_UNNAMED, if it applies.
pub(super) fn unnamed(criterion: &Criterion, lang: Lang) -> Option<Problem> {
    let verify = criterion.verify.as_deref().unwrap_or_default();
    let lacks = |words: &Words| words.first_in(verify).is_none();
    let parts = [
        (&WHO, lang.pick("who", "谁")),
        (&LOOKS, lang.pick("looks at what", "看什么")),
        (&WHEN, lang.pick("when", "什么时候")),
    ];
    let missing: Vec<&str> =
        parts.into_iter().filter(|(words, _)| lacks(words)).map(|(_, name)| name).collect();
    (criterion.assertion.is_none() && !missing.is_empty()).then(|| {
        let missing = missing.join(lang.pick(", ", "、"));
        let message = say!(
            lang,
            "nothing measures this, and `verify` does not say: {missing}",
            "没有机器测量它，而 `verify` 没有写明：{missing}"
        );
        Problem::new(Code::JudgeUnnamed, message, Code::JudgeUnnamed.help(lang))
    })
}

/// W_WORD_VAGUE, if it applies: a number beside the word says what it means.
pub(super) fn vague(criterion: &Criterion, lang: Lang) -> Option<Problem> {
    if criterion.weight != Weight::Must || contains_measure(&criterion.statement).is_some() {
        return None;
    }
    let statement = unquoted(&criterion.statement).to_lowercase();
    let mut words = VAGUE.all_in(&statement);
    if criterion.assertion.is_none() && words.is_empty() {
        words = VAGUE_UNMEASURED.all_in(&without(&statement, &NOT_VAGUE));
    }
    (!words.is_empty()).then(|| {
        let words = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        let message = say!(
            lang,
            "a must rests on {words}, which says nothing that two people would read alike",
            "must 依赖 {words}，不同的人会有不同理解"
        );
        Problem::new(Code::WordVague, message, Code::WordVague.help(lang))
    })
}

/// W_OBJECTIVITY_CLAIMED, if it applies.
pub(super) fn claimed_objectivity(criterion: &Criterion, lang: Lang) -> Option<Problem> {
    if criterion.assertion.is_some() {
        return None;
    }
    let texts = [Some(&criterion.statement), criterion.verify.as_ref()];
    let word = texts.into_iter().flatten().find_map(|text| OBJECTIVE.first_in(&unquoted(text)))?;
    let message =
        say!(lang, "`{word}` is claimed of what only a person judges", "只由人判断的内容自称“{word}”");
    Some(Problem::new(Code::ObjectivityClaimed, message, Code::ObjectivityClaimed.help(lang)))
}

const WHO: Words = Words(&[
    "designer",
    "designers",
    "tester",
    "testers",
    "auditor",
    "auditors",
    "reviewer",
    "reviewers",
    "person",
    "people",
    "user",
    "users",
    "engineer",
    "engineers",
    "developer",
    "developers",
    "owner",
    "manager",
    "lead",
    "expert",
    "someone",
    "somebody",
    "team",
    "translator",
    "editor",
    "writer",
    "colleague",
    "volunteer",
    "volunteers",
    "qa",
    "speaker",
    "speakers",
    "设计师",
    "设计",
    "测试人员",
    "测试",
    "审计员",
    "审计",
    "评审",
    "产品经理",
    "产品",
    "用户",
    "工程师",
    "开发",
    "负责人",
    "同事",
    "专家",
    "志愿者",
    "运营",
    "人员",
    "交互",
    "视障",
    "老人",
    "两人",
    "一人",
    "有人",
    "译者",
    "编辑",
]);

const LOOKS: Words = Words(&[
    "look", "looks", "looking", "listen", "listens", "read", "reads", "try", "tries", "watch", "watches",
    "see", "sees", "open", "opens", "tap", "taps", "check", "checks", "compare", "compares", "use", "uses",
    "hear", "hears", "walk", "walks", "swipe", "swipes", "scroll", "scrolls", "turn", "turns", "inspect",
    "inspects", "go", "goes", "enter", "enters", "switch", "switches", "review", "reviews", "press",
    "presses", "看", "听", "读", "试", "比较", "对比", "打开", "点", "查看", "检查", "滑动", "浏览", "观察",
    "使用", "操作", "切换", "输入", "scan", "scans", "tell", "tells", "feel", "feels", "count", "counts",
    "走查", "核对", "体验", "对照",
]);

const WHEN: Words = Words(&[
    "after", "before", "when", "while", "during", "once", "then", "with", "without", "on", "in", "under",
    "from", "each", "every", "twice", "until", "时", "后", "前", "在", "分别", "期间", "每", "先", "再",
    "各", "遍", "中", "状态", "首次", "之间", "下",
]);

const VAGUE: Words = Words(&[
    "smooth",
    "smoothly",
    "beautiful",
    "beautifully",
    "reasonable",
    "reasonably",
    "fast",
    "quick",
    "quickly",
    "intuitive",
    "intuitively",
    "user-friendly",
    "friendly",
    "nice",
    "nicely",
    "good",
    "proper",
    "properly",
    "appropriate",
    "appropriately",
    "modern",
    "elegant",
    "elegantly",
    "pretty",
    "seamless",
    "seamlessly",
    "comfortable",
    "comfortably",
    "acceptable",
    "adequate",
    "adequately",
    "sufficient",
    "sufficiently",
    "efficient",
    "efficiently",
    "robust",
    "easy",
    "easily",
    "promptly",
    "timely",
    "pleasant",
    "attractive",
    "well-designed",
    "high-quality",
    "流畅",
    "美观",
    "合理",
    "友好",
    "快速",
    "尽快",
    "迅速",
    "良好",
    "适当",
    "恰当",
    "合适",
    "简洁",
    "优雅",
    "舒适",
    "顺滑",
    "丝滑",
    "漂亮",
    "好看",
    "大方",
    "直观",
    "易用",
    "及时",
    "高效",
    "完善",
    "精美",
    "平滑",
    "清爽",
    "舒服",
    "体验好",
]);

/// Words that an assertion makes concrete.
const VAGUE_UNMEASURED: Words = Words(&[
    "responsive",
    "clean",
    "polished",
    "soon",
    "快",
    "很快",
    "美",
    "优美",
    "便捷",
    "灵敏",
    "协调",
    "自然",
    "优秀",
]);

/// Words that hold one of those, and name a thing.
const NOT_VAGUE: [&str; 46] = [
    "as soon as",
    "coming soon",
    "responsive layout",
    "clean install",
    "clean build",
    "clean start",
    "快递",
    "快照",
    "快捷",
    "快进",
    "快退",
    "快讯",
    "快门",
    "快手",
    "快餐",
    "快车",
    "快充",
    "快付",
    "快应用",
    "倍快",
    "愉快",
    "凉快",
    "快乐",
    "最快",
    "加快",
    "快件",
    "美团",
    "美国",
    "美元",
    "美食",
    "美颜",
    "美化",
    "美妆",
    "美工",
    "美发",
    "美容",
    "美术",
    "自然语言",
    "自然日",
    "自然月",
    "自然年",
    "自然周",
    "自然人",
    "自然资源",
    "大自然",
    "协调世界时",
];

fn without(text: &str, words: &[&str]) -> String {
    words.iter().fold(text.to_owned(), |text, word| text.replace(word, " "))
}

const OBJECTIVE: Words = Words(&[
    "objective",
    "objectively",
    "measurably",
    "quantitatively",
    "provably",
    "automatically verified",
    "automatically checked",
    "machine-checked",
    "machine-verified",
    "guaranteed",
    "indisputably",
    "客观",
    "可量化",
    "量化",
    "自动判定",
    "自动验证",
    "自动检测",
    "机器判定",
    "机器测量",
    "无可争议",
    "毋庸置疑",
]);
