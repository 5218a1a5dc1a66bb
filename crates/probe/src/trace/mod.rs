//! `trace`: durations, spans, counters and jank out of a text trace of `hitrace`.
//!
//! Times are nanoseconds since boot, as integers; a duration is printed exactly in milliseconds.

mod event;
mod instants;
mod jank;
mod measure;
mod scan;
mod wanted;

use gate::lang::Lang;
use gate::say;

use crate::answer::{Outcome, missing, values};
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};
use crate::pattern;
use crate::pick::Pick;

pub use instants::instants;
use jank::Jank;
use measure::{Between, Edge, Question, Stat, ToPick};
use scan::scan;
use wanted::{Name, Wanted};

const EDGES: &[&str] = &["begin", "end"];

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "trace",
    purpose: words(
        "text trace of `hitrace -t 10 … -o FILE`: time between markers, spans, counters, occurrences, jank",
        "`hitrace -t 10 … -o FILE` 的文本跟踪：标记间耗时、区间耗时、计数器、出现次数、卡顿率",
    ),
    params: &[
        ParamInfo {
            name: "measure",
            kind: ParamKind::Choice(&["between", "span", "counter", "count", "presence", "jank"]),
            required: true,
            meaning: words(
                "between: from one marker to another; span: a marker's own begin to its end (B/E of one thread, S/F by name and cookie); counter; count and presence of a marker; jank: Σ max(Δ − 1.5·T, 0) per second between present fences inside a marked span",
                "between：从一个标记到另一个标记；span：同一标记从开始到结束（同线程的 B/E，或按名称与 cookie 的 S/F）；counter：计数器；count、presence：标记的次数与有无；jank：标记区间内相邻送显之间的 Σ max(Δ − 1.5·T, 0)，按每秒计",
            ),
            example: "between",
        },
        ParamInfo {
            name: "from",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "the marker where the time begins, without `H:` and level",
                "起始标记，不写 `H:` 与级别后缀",
            ),
            example: "on_surface_created_cb",
        },
        ParamInfo {
            name: "to",
            kind: ParamKind::Text,
            required: false,
            meaning: words("the marker where the time ends", "结束标记"),
            example: "load status changed HeadParsed",
        },
        ParamInfo {
            name: "name",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "the marker or counter, for every measure but between; for jank the span in which frames count",
                "标记或计数器的名称（between 以外）；jank 时为统计所在的区间",
            ),
            example: "APP_LIST_FLING",
        },
        ParamInfo {
            name: "match",
            kind: ParamKind::Choice(&["exact", "prefix", "regex"]),
            required: false,
            meaning: words(
                "how from, to and name are compared: exact (the default), prefix, regex (unanchored)",
                "from、to、name 的比较方式：exact（默认）、prefix、regex（不锚定）",
            ),
            example: "prefix",
        },
        ParamInfo {
            name: "pick",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "which match of from or name, in the order of time: only (the default), first, last, nth:2, all",
                "按时间先后取 from 或 name 的哪个匹配：only（默认）、first、last、nth:2、all",
            ),
            example: "first",
        },
        ParamInfo {
            name: "toPick",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "which match of to: next (the default: the first one not before from), or as for pick",
                "取 to 的哪个匹配：next（默认，即 from 之后的第一个），或同 pick",
            ),
            example: "last",
        },
        ParamInfo {
            name: "fromEdge",
            kind: ParamKind::Choice(EDGES),
            required: false,
            meaning: words("begin (the default) or end of the marker from", "取 from 的 begin（默认）或 end"),
            example: "end",
        },
        ParamInfo {
            name: "toEdge",
            kind: ParamKind::Choice(EDGES),
            required: false,
            meaning: words("begin (the default) or end of the marker to", "取 to 的 begin（默认）或 end"),
            example: "end",
        },
        ParamInfo {
            name: "process",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "only markers of this process (known by its main thread's name, the last 15 letters of the bundle)",
                "只取该进程的标记（按主线程名识别，即包名末 15 个字符）",
            ),
            example: "com.example.app",
        },
        ParamInfo {
            name: "toProcess",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "the process of to, or `*` for any; without it, that of from",
                "to 所在进程，`*` 表示任意；不写则与 from 相同",
            ),
            example: "*",
        },
        ParamInfo {
            name: "thread",
            kind: ParamKind::Text,
            required: false,
            meaning: words("only markers of threads of this name", "只取该名称线程的标记"),
            example: "RSUniRenderThre",
        },
        ParamInfo {
            name: "stat",
            kind: ParamKind::Choice(&["first", "last", "min", "max", "all"]),
            required: false,
            meaning: words("which value of a counter; all is the series", "取计数器的哪个值；all 为整个序列"),
            example: "max",
        },
        ParamInfo {
            name: "fence",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "with jank: the beginning of the name of the span whose end is a frame on the screen",
                "jank 时：其结束即一帧上屏的区间名称前缀",
            ),
            example: "Waiting for Present Fence",
        },
        ParamInfo {
            name: "rate",
            kind: ParamKind::Count,
            required: false,
            meaning: words("with jank: the refresh rate in Hz", "jank 时：屏幕刷新率（Hz）"),
            example: "120",
        },
    ],
    example: "{measure: between, from: on_surface_created_cb, to: load status changed HeadParsed}",
};

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let measure = params.text("measure")?;
    let needed_by = format!("measure: {measure}");
    let matching = params.text("match").unwrap_or("exact");
    let thread = params.text("thread").map(str::to_owned);
    let process = params.text("process").map(str::to_owned);
    let want = |name: Option<Name>, ends: bool| Some(Wanted { name: name?, ends, thread: thread.clone() });
    let mut processes: Vec<String> = process.iter().cloned().collect();

    if measure == "between" {
        let from = name(params, "from", matching, &needed_by);
        let to = name(params, "to", matching, &needed_by);
        let (from_edge, to_edge) = (edge(params, "fromEdge"), edge(params, "toEdge"));
        let pick = Pick::param(params, "pick");
        let to_pick = ToPick::param(params);
        let to_process = match params.text("toProcess") {
            Some("*") => None,
            Some(other) => Some(other.to_owned()),
            None => process.clone(),
        };
        processes.extend(to_process.iter().cloned());
        let wanted = vec![want(from, from_edge == Edge::End)?, want(to, to_edge == Edge::End)?];
        let question = Between { pick, to_pick, from_edge, to_edge, process, to_process };
        return Some(Box::new(move |input, lang| {
            let found = scan(input.stream(lang)?, &wanted, &processes, false, lang)?;
            Ok(values(question.answer(&found, lang)?))
        }));
    }

    let named = name(params, "name", matching, &needed_by);
    if measure == "jank" {
        let fence = params.needed_text("fence", &needed_by);
        params.need("rate", &needed_by);
        let rate = params.count("rate");
        let pick = Pick::param(params, "pick");
        if rate == Some(0) {
            params.invalid("rate", "0 Hz shows no frame".into(), "0 Hz 没有画面".into());
        }
        let jank = Jank { pick, rate: rate?, process };
        let fence = Name::Prefix(plain(fence?).into());
        let wanted = vec![want(named, true)?, Wanted { name: fence, ends: true, thread: None }];
        return Some(Box::new(move |input, lang| {
            let found = scan(input.stream(lang)?, &wanted, &processes, true, lang)?;
            Ok(values(jank.answer(&found, lang)?))
        }));
    }

    let question = match measure {
        "span" => Question::Span(Pick::param(params, "pick")),
        "counter" => {
            let stat = params.needed_text("stat", &needed_by);
            Question::Counter(Stat::from_word(stat?)?)
        }
        "presence" => Question::Presence,
        _ => Question::Count,
    };
    let wanted = vec![want(named, matches!(question, Question::Span(_)))?];
    let watch_losses = !matches!(question, Question::Span(_));
    Some(Box::new(move |input, lang| {
        let found = scan(input.stream(lang)?, &wanted, &processes, watch_losses, lang)?;
        question.answer(&found, process.as_deref(), lang).map(values)
    }))
}

fn edge(params: &mut Params<'_>, name: &'static str) -> Edge {
    if params.text(name) == Some("end") { Edge::End } else { Edge::Begin }
}

/// A name that is needed, to be compared as `match` says.
fn name(params: &mut Params<'_>, param: &'static str, matching: &str, needed_by: &str) -> Option<Name> {
    let text = params.needed_text(param, needed_by)?;
    if text.trim().is_empty() {
        params.invalid(param, "a name cannot be empty".into(), "名称不能为空".into());
        return None;
    }
    Some(match matching {
        "regex" => Name::Pattern(pattern::compile(params, param, text)?),
        "prefix" => Name::Prefix(plain(text).into()),
        _ => Name::Exact(plain(text).trim_end().into()),
    })
}

/// Events are compared without `H:`, so a name copied from a trace loses it as well.
fn plain(text: &str) -> &str {
    text.strip_prefix("H:").unwrap_or(text)
}

/// The begin and end of the one span of a name, in nanoseconds: the interaction that other evidence is looked at within.
pub(crate) fn window(mut bytes: &[u8], lane: &str, lang: Lang) -> Outcome<(i64, i64)> {
    let wanted = [Wanted { name: Name::Exact(plain(lane).trim_end().into()), ends: true, thread: None }];
    let found = scan(&mut bytes, &wanted, &[], false, lang)?;
    let what = say!(lang, "span {lane} in the trace", "跟踪中的区间 {lane}");
    let spans = Pick::Only.apply(&found.spans, &what, "lane", lang)?;
    match spans.first().and_then(|span| Some((span.begin.ns, span.end?.ns))) {
        Some(window) => Ok(window),
        None => {
            missing(say!(lang, "the span {lane} does not end in the trace", "区间 {lane} 在跟踪中没有结束"))
        }
    }
}
