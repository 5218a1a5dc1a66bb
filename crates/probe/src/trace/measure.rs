//! What is asked of the markers that a pass found.

use std::collections::BTreeSet;

use gate::lang::Lang;
use gate::observation::{Place, Reading};
use gate::say;

use super::event::shown;
use super::wanted::{Found, Point, Sample, Span};
use crate::answer::{Outcome, at_line, missing, noted, nothing, reading, reading_at, unreadable};
use crate::decimal::ms_from_ns;
use crate::param::Params;
use crate::pick::Pick;

/// The end of a span that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    Begin,
    End,
}

/// Which match of `to` is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToPick {
    /// The first that is not before `from`.
    Next,
    Of(Pick),
}

impl ToPick {
    pub(crate) fn param(params: &mut Params<'_>) -> ToPick {
        match params.text("toPick") {
            None | Some("next") => ToPick::Next,
            Some("all") => {
                params.invalid(
                    "toPick",
                    "a time ends once: `next`, `only`, `first`, `last` or `nth:2`".into(),
                    "时间只有一个终点：`next`、`only`、`first`、`last` 或 `nth:2`".into(),
                );
                ToPick::Next
            }
            Some(_) => ToPick::Of(Pick::param(params, "toPick")),
        }
    }
}

/// Which value of a counter is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stat {
    First,
    Last,
    Min,
    Max,
    All,
}

impl Stat {
    pub(crate) fn from_word(word: &str) -> Option<Stat> {
        Some(match word {
            "first" => Stat::First,
            "last" => Stat::Last,
            "min" => Stat::Min,
            "max" => Stat::Max,
            "all" => Stat::All,
            _ => return None,
        })
    }
}

/// The time from one marker to another.
pub(crate) struct Between {
    pub(crate) pick: Pick,
    pub(crate) to_pick: ToPick,
    pub(crate) from_edge: Edge,
    pub(crate) to_edge: Edge,
    pub(crate) process: Option<String>,
    pub(crate) to_process: Option<String>,
}

impl Between {
    pub(crate) fn answer(&self, found: &Found, lang: Lang) -> Outcome<Vec<Reading>> {
        let from = points(&spans_of(found, 0, self.process.as_deref(), lang)?, self.from_edge);
        let to = points(&spans_of(found, 1, self.to_process.as_deref(), lang)?, self.to_edge);
        let what = say!(lang, "marker `from`", "标记 `from`");
        let starts = self.pick.apply(&from, &what, "pick", lang)?;
        let mut readings = Vec::new();
        for start in &starts {
            let end = self.end_of(*start, &to, lang)?;
            if let Some(next) =
                from.iter().find(|other| **other > *start && **other <= end).filter(|_| starts.len() > 1)
            {
                let (first, second) = (start.line, next.line);
                return missing(say!(
                    lang,
                    "`from` in line {first} has no `to` before `from` comes again in line {second}",
                    "第 {first} 行的 `from` 在第 {second} 行再次出现 `from` 之前没有 `to`"
                ));
            }
            readings.push(duration(*start, end, lang)?);
        }
        Ok(readings)
    }

    fn end_of(&self, start: Point, to: &[Point], lang: Lang) -> Outcome<Point> {
        match self.to_pick {
            ToPick::Next => match to.iter().find(|end| end.ns >= start.ns) {
                Some(end) => Ok(*end),
                None => missing(say!(lang, "no marker `to` after `from`", "`from` 之后没有标记 `to`")),
            },
            ToPick::Of(pick) => {
                let what = say!(lang, "marker `to`", "标记 `to`");
                let picked = pick.apply(to, &what, "toPick", lang)?;
                picked.first().copied().map_or_else(|| missing(what), Ok)
            }
        }
    }
}

/// What is asked of one marker or counter.
pub(crate) enum Question {
    Span(Pick),
    Counter(Stat),
    Count,
    Presence,
}

impl Question {
    pub(crate) fn answer(&self, found: &Found, process: Option<&str>, lang: Lang) -> Outcome<Vec<Reading>> {
        match self {
            Question::Span(pick) => durations(&spans_of(found, 0, process, lang)?, *pick, lang),
            Question::Counter(stat) => counter(&samples_of(found, process, lang)?, *stat, lang),
            Question::Count => {
                refuse_losses(found, lang)?;
                let spans = spans_of(found, 0, process, lang)?;
                let places = spans.iter().map(|span| at_line(span.begin.line)).collect::<Vec<_>>();
                let places = if places.is_empty() { vec![Place::File] } else { places };
                Ok(vec![reading_at(spans.len().to_string(), places)])
            }
            Question::Presence => match spans_of(found, 0, process, lang)?.first() {
                Some(span) => Ok(vec![crate::answer::truth(true, at_line(span.begin.line))]),
                None => {
                    refuse_losses(found, lang)?;
                    nothing(say!(lang, "no such marker in the trace", "跟踪中没有这个标记"))
                }
            },
        }
    }
}

/// What is absent from a trace that lost events may have happened.
pub(crate) fn refuse_losses(found: &Found, lang: Lang) -> Outcome<()> {
    match found.lost {
        None => Ok(()),
        Some(lost) => missing(say!(
            lang,
            "the trace lost {lost} events, so what it does not show may have happened: use a larger buffer (-b) or less time",
            "跟踪丢失了 {lost} 个事件，没有记录不等于没有发生：请加大缓冲区（-b）或缩短时间"
        )),
    }
}

/// The spans of one wanted name and process, in the order of time.
pub(crate) fn spans_of(
    found: &Found,
    wanted: usize,
    process: Option<&str>,
    lang: Lang,
) -> Outcome<Vec<Span>> {
    let pids = pids_of(found, process, lang)?;
    let mut spans: Vec<Span> = found
        .spans
        .iter()
        .filter(|span| span.wanted == wanted && pids.is_none_or(|pids| pids.contains(&span.pid)))
        .copied()
        .collect();
    spans.sort_by_key(|span| span.begin);
    Ok(spans)
}

fn pids_of<'a>(found: &'a Found, process: Option<&str>, lang: Lang) -> Outcome<Option<&'a BTreeSet<u64>>> {
    let Some(process) = process else { return Ok(None) };
    match found.processes.get(process).filter(|pids| !pids.is_empty()) {
        Some(pids) => Ok(Some(pids)),
        None => missing(say!(
            lang,
            "no main thread of process {process} wrote a marker, so its process id is not known",
            "进程 {process} 的主线程没有写过标记，无法得知进程号"
        )),
    }
}

fn samples_of<'a>(found: &'a Found, process: Option<&str>, lang: Lang) -> Outcome<Vec<&'a Sample>> {
    let pids = pids_of(found, process, lang)?;
    Ok(found.samples.iter().filter(|sample| pids.is_none_or(|pids| pids.contains(&sample.pid))).collect())
}

fn points(spans: &[Span], edge: Edge) -> Vec<Point> {
    let mut points: Vec<Point> = match edge {
        Edge::Begin => spans.iter().map(|span| span.begin).collect(),
        Edge::End => spans.iter().filter_map(|span| span.end).collect(),
    };
    points.sort();
    points
}

pub(crate) fn duration(start: Point, end: Point, lang: Lang) -> Outcome<Reading> {
    let (first, last) = (start.line, end.line);
    if end.ns < start.ns {
        return unreadable(say!(
            lang,
            "the end in line {last} is before the beginning in line {first}",
            "第 {last} 行的结束早于第 {first} 行的开始"
        ));
    }
    let elapsed = i128::from(end.ns) - i128::from(start.ns);
    Ok(reading_at(ms_from_ns(elapsed), vec![at_line(first), at_line(last)]))
}

fn durations(spans: &[Span], pick: Pick, lang: Lang) -> Outcome<Vec<Reading>> {
    let what = say!(lang, "marker of that name", "该名称的标记");
    pick.apply(spans, &what, "pick", lang)?
        .into_iter()
        .map(|span| match span.end {
            Some(end) => duration(span.begin, end, lang),
            None => {
                let line = span.begin.line;
                missing(say!(
                    lang,
                    "the span that begins in line {line} does not end in the trace",
                    "第 {line} 行开始的区间在跟踪中没有结束"
                ))
            }
        })
        .collect()
}

fn counter(samples: &[&Sample], stat: Stat, lang: Lang) -> Outcome<Vec<Reading>> {
    let Some(first) = samples.first() else {
        return missing(say!(lang, "no counter of that name", "没有该名称的计数器"));
    };
    let read = |sample: &Sample| {
        let reading = reading(sample.value.as_str(), at_line(sample.line));
        noted(reading, shown(&sample.name).into_owned())
    };
    if stat == Stat::All {
        return Ok(samples.iter().map(|sample| read(sample)).collect());
    }
    if let Some(other) = samples.iter().find(|sample| (&sample.name, sample.pid) != (&first.name, first.pid))
    {
        let (one, two) = (shown(&first.name), shown(&other.name));
        let (pid, other_pid) = (first.pid, other.pid);
        return unreadable(say!(
            lang,
            "several counters match ({one} of {pid}, {two} of {other_pid}): narrow the name, or take stat: all",
            "匹配到多个计数器（进程 {pid} 的 {one}、进程 {other_pid} 的 {two}）：请缩小名称范围，或用 stat: all"
        ));
    }
    let mut numbered = Vec::new();
    for sample in samples {
        let Ok(number) = sample.value.parse::<i128>() else {
            let line = sample.line;
            return unreadable(say!(
                lang,
                "the counter in line {line} is no number",
                "第 {line} 行的计数器不是数字"
            ));
        };
        numbered.push((number, *sample));
    }
    let chosen = match stat {
        Stat::Last => numbered.last(),
        Stat::Min => numbered.iter().min_by_key(|(number, sample)| (*number, sample.line)),
        Stat::Max => numbered.iter().max_by_key(|(number, sample)| (*number, u64::MAX - sample.line)),
        Stat::First | Stat::All => numbered.first(),
    };
    Ok(chosen.map(|(_, sample)| read(sample)).into_iter().collect())
}
