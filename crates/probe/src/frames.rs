//! `frames`: `hidumper -s RenderService -a "composer fps"`, or of one window.
//!
//! After a heading the ring of present times follows, one a line in nanoseconds; unused slots are 0 and the order differs
//! between versions. The ring does not say when anyone touched the screen: a pause looks like dropped frames. So dropped frames
//! are counted only within an interaction that a trace shows.

use gate::lang::Lang;
use gate::observation::{Place, Reading};
use gate::say;

use crate::answer::{Outcome, missing, noted, reading, unreadable, values};
use crate::decimal::{ms_from_ns, quotient};
use crate::line::{for_each_line, refuse_unterminated};
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};
use crate::trace::window;

const MEASURES: &[&str] = &["fps", "frameTime", "p50", "p95", "p99", "frames", "missed", "longestMiss"];

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "frames",
    purpose: words(
        "present times of `hidumper -s RenderService -a \"composer fps\"`: frame rate, frame times, missed frames",
        "`hidumper -s RenderService -a \"composer fps\"` 的送显时间：帧率、帧间隔、丢帧",
    ),
    params: &[
        ParamInfo {
            name: "measure",
            kind: ParamKind::Choice(MEASURES),
            required: true,
            meaning: words(
                "fps; frameTime (the series of intervals) or its p50, p95, p99; frames; missed frames or the longest run of them (both need rate, trace and lane)",
                "fps；frameTime（帧间隔序列）或其 p50、p95、p99；frames（帧数）；missed（丢帧数）、longestMiss（最长连续丢帧），后两者需要 rate、trace、lane",
            ),
            example: "p95",
        },
        ParamInfo {
            name: "screen",
            kind: ParamKind::Count,
            required: false,
            meaning: words(
                "the id in the heading; needed when there are several",
                "标题中的屏幕编号；有多个时必填",
            ),
            example: "0",
        },
        ParamInfo {
            name: "rate",
            kind: ParamKind::Count,
            required: false,
            meaning: words("the refresh rate in Hz", "屏幕刷新率（Hz）"),
            example: "120",
        },
        ParamInfo {
            name: "trace",
            kind: ParamKind::Evidence,
            required: false,
            meaning: words(
                "a text trace of the same time (monotonic clock), whose span `lane` is the interaction",
                "同一时段的文本跟踪（单调时钟），其中的区间 `lane` 即交互过程",
            ),
            example: "swipe-trace",
        },
        ParamInfo {
            name: "lane",
            kind: ParamKind::Text,
            required: false,
            meaning: words("the name of that span", "该区间的名称"),
            example: "APP_LIST_FLING",
        },
    ],
    example: "{measure: p95}",
};

/// The present times under one heading.
struct Ring {
    screen: Option<u64>,
    /// Line of the heading and of the last time.
    from: u64,
    to: u64,
    presents: Vec<i64>,
}

#[derive(Clone)]
struct Question {
    measure: String,
    screen: Option<u64>,
    rate: Option<u64>,
    lane: Option<String>,
}

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let measure = params.text("measure")?.to_owned();
    let screen = params.count("screen");
    let has_trace = params.text("trace").is_some();
    let lane = if has_trace { params.needed_text("lane", "trace").map(str::to_owned) } else { None };
    let counts_misses = matches!(measure.as_str(), "missed" | "longestMiss");
    let rate = if counts_misses {
        params.need("rate", &format!("measure: {measure}"));
        params.count("rate")
    } else {
        None
    };
    if rate == Some(0) {
        params.invalid("rate", "0 Hz shows no frame".into(), "0 Hz 没有画面".into());
    }
    let question = Question { measure, screen, rate, lane };
    Some(Box::new(move |input, lang| {
        let within = match &question.lane {
            Some(lane) => Some(window(input.companion("trace", lang)?, lane, lang)?),
            None => None,
        };
        let ring = question.ring(rings(input.stream(lang)?, lang)?, lang)?;
        question.answer(ring, within, lang)
    }))
}

fn rings(stream: &mut dyn std::io::BufRead, lang: Lang) -> Outcome<Vec<Ring>> {
    let mut rings: Vec<Ring> = Vec::new();
    let mut inside = false;
    for_each_line(stream, lang, |line| {
        let text = String::from_utf8_lossy(line.bytes);
        let text = text.trim();
        if let Some(screen) = heading(text) {
            rings.push(Ring { screen, from: line.number, to: line.number, presents: Vec::new() });
            inside = true;
        } else if let Some(ring) = rings.last_mut().filter(|_| inside && !text.is_empty()) {
            match present(text) {
                Some(_) if !line.terminated => return refuse_unterminated(line.number, lang),
                Some(ns) => {
                    ring.to = line.number;
                    ring.presents.extend((ns != 0).then_some(ns));
                }
                // Whatever follows the times ends them.
                None => inside = false,
            }
        }
        Ok(true)
    })?;
    if rings.is_empty() {
        return unreadable(say!(
            lang,
            "no heading `The fps of screen [Id:0] is:`: this is no dump of frame times",
            "没有 `The fps of screen [Id:0] is:` 标题：这不是送显时间的导出"
        ));
    }
    Ok(rings)
}

/// `The fps of screen [Id:0] is:`, in the spellings of several versions; the id, if it has one.
fn heading(text: &str) -> Option<Option<u64>> {
    let lower = text.to_ascii_lowercase();
    if !lower.contains("fps of") || !lower.ends_with(':') {
        return None;
    }
    let id = lower
        .split_once("id:")
        .and_then(|(_, rest)| rest.split(']').next())
        .and_then(|id| id.trim().parse().ok());
    Some(id)
}

/// One time, or the second of `flush:present`.
fn present(text: &str) -> Option<i64> {
    let (flush, present) = text.split_once(':').unwrap_or(("0", text));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (digits(flush.trim()) && digits(present.trim())).then(|| present.trim().parse().ok()).flatten()
}

impl Question {
    fn ring(&self, rings: Vec<Ring>, lang: Lang) -> Outcome<Ring> {
        let mut wanted = rings.into_iter().filter(|ring| self.screen.is_none() || ring.screen == self.screen);
        match (wanted.next(), wanted.next()) {
            (Some(mut ring), None) => {
                ring.presents.sort_unstable();
                ring.presents.dedup();
                Ok(ring)
            }
            (Some(_), Some(_)) => unreadable(say!(
                lang,
                "several lists of frame times: say which with screen",
                "有多组送显时间：请用 screen 指明"
            )),
            (None, _) => missing(say!(lang, "no list of frame times of that screen", "没有该屏幕的送显时间")),
        }
    }

    fn answer(&self, ring: Ring, within: Option<(i64, i64)>, lang: Lang) -> Outcome {
        let place = Place::Lines { from: ring.from, to: ring.to };
        let presents: Vec<i64> = match within {
            Some((begin, end)) => ring.presents.into_iter().filter(|ns| (begin..=end).contains(ns)).collect(),
            None => ring.presents,
        };
        let count = presents.len();
        if count < 2 && self.measure != "frames" {
            return missing(say!(
                lang,
                "{count} frames: an interval needs two",
                "只有 {count} 帧：至少要两帧才有间隔"
            ));
        }
        let intervals: Vec<i64> =
            presents.iter().zip(presents.iter().skip(1)).map(|(first, second)| second - first).collect();
        let note = say!(lang, "{count} frames", "共 {count} 帧");
        let found = |text: String| Ok(values(vec![noted(reading(text, place.clone()), note.clone())]));
        match (self.measure.as_str(), self.rate, within) {
            ("frames", ..) => found(count.to_string()),
            ("fps", ..) => match fps(&intervals) {
                Some(fps) => found(format!("{fps}fps")),
                None => missing(say!(lang, "the frames took no time", "各帧之间没有时间差")),
            },
            ("frameTime", ..) => Ok(values(intervals.iter().map(|ns| interval(*ns, &place)).collect())),
            ("missed" | "longestMiss", _, None) => missing(say!(
                lang,
                "nothing shows when the interaction was, and a pause looks like dropped frames: name a trace and its lane",
                "没有证据表明交互发生在何时，而停顿看起来与丢帧无异：请给出 trace 与 lane"
            )),
            ("missed", Some(rate), _) => found(misses(&intervals, rate).sum::<i128>().to_string()),
            ("longestMiss", Some(rate), _) => {
                found(misses(&intervals, rate).max().unwrap_or_default().to_string())
            }
            (percentile, ..) => {
                let rank = percentile.trim_start_matches('p').parse().unwrap_or(50);
                found(ms_from_ns(i128::from(nearest_rank(intervals, rank))))
            }
        }
    }
}

fn interval(ns: i64, place: &Place) -> Reading {
    reading(ms_from_ns(i128::from(ns)), place.clone())
}

fn fps(intervals: &[i64]) -> Option<String> {
    let total: i128 = intervals.iter().map(|ns| i128::from(*ns)).sum();
    quotient(intervals.len() as i128 * 1_000_000_000, total)
}

/// Frames that each interval left out: max(0, round(Δ·rate) − 1), halves away from zero.
fn misses(intervals: &[i64], rate: u64) -> impl Iterator<Item = i128> + '_ {
    intervals.iter().map(move |ns| {
        let periods = (2 * i128::from(*ns) * i128::from(rate) + 1_000_000_000) / 2_000_000_000;
        (periods - 1).max(0)
    })
}

fn nearest_rank(mut intervals: Vec<i64>, rank: usize) -> i64 {
    intervals.sort_unstable();
    let at = (intervals.len() * rank).div_ceil(100);
    intervals.get(at.saturating_sub(1)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_times_of_several_versions() {
        assert_eq!(heading("The fps of screen [Id:0] is:"), Some(Some(0)));
        assert_eq!(heading("the fps of Screen [id: 3] is:"), Some(Some(3)));
        assert_eq!(heading("The fps of window [main] is:"), Some(None));
        assert_eq!(heading("-- The recently fps records info of screens:"), None);
        for (text, ns) in [
            ("107537646652857", Some(107_537_646_652_857)),
            ("12:34", Some(34)),
            ("0", Some(0)),
            ("...", None),
            ("1:x", None),
        ] {
            assert_eq!(present(text), ns, "{text}");
        }
    }

    #[test]
    fn misses_are_whole_periods_beyond_one() {
        let at_120 = |ns| misses(&[ns], 120).sum::<i128>();
        assert_eq!([8_333_333, 12_400_000, 12_600_000, 25_000_000].map(at_120), [0, 0, 1, 2]);
    }

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        assert_eq!(nearest_rank((1..=100).collect(), 95), 95);
        assert_eq!(nearest_rank(vec![5, 1, 3], 50), 3);
    }
}
