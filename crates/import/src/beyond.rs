//! Requirements that no run of the app can show: what becomes of a share of people, of months after a release, or of
//! figures of a business.

use std::sync::LazyLock;

use gate::lang::Lang;
use regex::Regex;

/// Why a run cannot show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// A share of people.
    People,
    /// What people think, or a business counts.
    Figures,
    /// After the release.
    Later,
    /// Compared with how it was.
    Before,
    /// Over a long time of service.
    Service,
}

impl Beyond {
    /// The reason, as the end of a sentence.
    pub(crate) fn reason(self, lang: Lang) -> &'static str {
        match self {
            Beyond::People => lang.pick(
                "it counts a share of people, and one run has none",
                "它统计的是人群比例，而一次运行里没有人群",
            ),
            Beyond::Figures => lang.pick(
                "it rests on what users report or a business counts after the release",
                "它取决于发布后的用户反馈或业务统计",
            ),
            Beyond::Later => lang.pick("it speaks of a time after the release", "它说的是发布之后的一段时间"),
            Beyond::Before => lang.pick(
                "it compares with how things were before, of which a run knows nothing",
                "它与以前的情况相比，而一次运行不知道以前的情况",
            ),
            Beyond::Service => lang.pick(
                "it speaks of a service over a long time, and a run is short",
                "它说的是长时间的服务水平，而一次运行很短",
            ),
        }
    }
}

/// What nothing in one run can show, with the words that say so.
pub(crate) fn beyond(statement: &str) -> Option<(Beyond, String)> {
    PATTERNS.iter().find_map(|(why, pattern)| {
        let pattern = pattern.as_ref()?;
        let found =
            pattern.find_iter(statement).find(|found| is_about_people(*why, statement, found.end()))?;
        Some((*why, found.as_str().trim().to_owned()))
    })
}

/// 95% 的用户操作 speaks of what users do, and not of users.
fn is_about_people(why: Beyond, statement: &str, end: usize) -> bool {
    let rest = statement.get(end..).unwrap_or_default();
    let things = ["操作", "请求", "界面", "数据", "输入", "点击", "消息", "页面", "会话"];
    why != Beyond::People || !things.iter().any(|thing| rest.starts_with(thing))
}

/// Constant patterns; a test holds that they compile.
static PATTERNS: LazyLock<Vec<(Beyond, Option<Regex>)>> = LazyLock::new(|| {
    let share = r"(?:\d+(?:[.,]\d+)?\s*(?:%|％|percent)|most|a majority|the majority|\d+\s+(?:out of|in)\s+\d+|(?:eight|nine) (?:out of|in) ten|half)";
    let which = r"(?:(?:all|the|our|new|first-time|surveyed|active|target|test|tested|these|those|returning|registered|mobile|existing)\s+)*";
    let who = r"(?:users|customers|participants|people|visitors|respondents|testers|shoppers|members|developers|clients|patients|students|employees|buyers|readers)";
    let table = [
        (Beyond::People, format!(r"(?i)\b{share}\s+(?:of\s+)?{which}{who}\b")),
        (
            Beyond::People,
            r"(?:\d+(?:\.\d+)?\s*[%％]|百分之[零一二三四五六七八九十百]+|[一二三四五六七八九十]成|大多数|多数|半数)(?:以上|及以上)?\s*的?\s*(?:新|老|活跃|目标|受访|参与|注册|首次)*(?:用户|顾客|客户|参与者|受访者|人群)".to_owned(),
        ),
        (
            Beyond::Figures,
            r"(?i)\b(?:support tickets?|support requests?|customer complaints?|user complaints?|satisfaction|satisfied|retention|conversion rate|churn|adoption|revenue|NPS|net promoter|bounce rate|(?:daily|monthly) active|app store rating|on (?:the |their )?first attempt)\b".to_owned(),
        ),
        (
            Beyond::Figures,
            "满意度|满意率|留存|转化率|复购|客诉|投诉率|投诉量|工单|营收|日活|月活|应用市场评分|首次尝试".to_owned(),
        ),
        (
            Beyond::Later,
            r"(?i)\b(?:after (?:the )?(?:launch|release|go-live|deployment to production)|post-launch|post-release|of (?:the )?(?:launch|release)|(?:per|each|every|a) (?:month|quarter|year))\b".to_owned(),
        ),
        (Beyond::Later, "上线后|发布后|上市后|每月|每季度|每年".to_owned()),
        (
            Beyond::Before,
            r"(?i)\b(?:reduc(?:e[sd]?|ing|tion)|increas(?:e[sd]?|ing)|decreas(?:e[sd]?|ing)|improv(?:e[sd]?|ing|ement)|cut|lower(?:s|ed|ing)?)\b[^.;,]{0,80}?\b(?:by|of)\s+(?:at least |more than |up to |over |about )?\d+(?:\.\d+)?\s*(?:%|percent|x\b)".to_owned(),
        ),
        (
            Beyond::Before,
            r"(?:降低|减少|提升|提高|增加|缩短|下降|增长)(?:了|至少|超过|不少于|约)?\s*\d+(?:\.\d+)?\s*(?:[%％]|倍)".to_owned(),
        ),
        (Beyond::Service, r"(?i)\b(?:uptime|availability of|available)\b[^.;]{0,40}?\d+(?:\.\d+)?\s*(?:%|percent)|\d+(?:\.\d+)?\s*(?:%|percent)\s+(?:uptime|availability)\b".to_owned()),
        (Beyond::Service, r"(?:可用性|在线率|可用率)[^。；]{0,12}?\d+(?:\.\d+)?\s*[%％]".to_owned()),
    ];
    table.into_iter().map(|(why, pattern)| (why, Regex::new(&pattern).ok())).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_compile() {
        assert!(PATTERNS.iter().all(|(_, pattern)| pattern.is_some()));
    }

    #[test]
    fn what_a_run_cannot_show() {
        use Beyond::{Before, Figures, Later, People, Service};
        for (statement, why) in [
            ("90% of users successfully complete primary task on first attempt", Some(People)),
            ("90 % of users complete the task", Some(People)),
            ("At least 95 percent of all new users finish", Some(People)),
            ("Nine out of ten participants find the link", Some(People)),
            ("90% 的用户一次完成登录", Some(People)),
            ("百分之九十以上的新用户能完成注册", Some(People)),
            ("95% 的用户操作在 1 秒内响应", None),
            ("95% of requests complete within 200 ms", None),
            ("Reduce support tickets related to login by 50%", Some(Figures)),
            ("Reduces checkout time by 30%", Some(Before)),
            ("平均操作时间缩短 30%", Some(Before)),
            ("用户满意度不低于 4.5 分", Some(Figures)),
            ("99.9% uptime", Some(Service)),
            ("No crash within a week after launch", Some(Later)),
            ("System handles 1000 concurrent users without degradation", None),
            ("Users can complete account creation in under 2 minutes", None),
            ("Deleted notes are kept for 30 days", None),
            ("Cold start to first frame ≤ 800ms", None),
        ] {
            assert_eq!(beyond(statement).map(|(why, _)| why), why, "{statement}");
        }
    }
}
