//! The jank rate: how much time frames came late, per second of a marked span.
//!
//! `Σ max(Δ − 1.5·T, 0)` over the intervals Δ between frames on the screen, where T is the refresh period. It is computed over
//! integers: with a rate of `r` Hz, `2r·Δ − 3·10⁹` is the lateness in units of `1/2r` ns.

use gate::lang::Lang;
use gate::observation::Reading;
use gate::say;

use super::measure::{refuse_losses, spans_of};
use super::wanted::{Found, Span};
use crate::answer::{Outcome, missing, noted, reading};
use crate::decimal::quotient;
use crate::pick::Pick;
use gate::observation::Place;

/// The late time of a lane, per second.
pub(crate) struct Jank {
    pub(crate) pick: Pick,
    /// Hz; not 0.
    pub(crate) rate: u64,
    pub(crate) process: Option<String>,
}

impl Jank {
    pub(crate) fn answer(&self, found: &Found, lang: Lang) -> Outcome<Vec<Reading>> {
        refuse_losses(found, lang)?;
        let lanes = spans_of(found, 0, self.process.as_deref(), lang)?;
        let what = say!(lang, "span of that name", "该名称的区间");
        let lanes = self.pick.apply(&lanes, &what, "pick", lang)?;
        let mut frames: Vec<i64> = found
            .spans
            .iter()
            .filter(|span| span.wanted == 1)
            .filter_map(|span| span.end)
            .map(|end| end.ns)
            .collect();
        frames.sort_unstable();
        lanes.iter().map(|lane| self.lane(lane, &frames, lang)).collect()
    }

    fn lane(&self, lane: &Span, frames: &[i64], lang: Lang) -> Outcome<Reading> {
        let line = lane.begin.line;
        let Some(end) = lane.end.filter(|end| end.ns > lane.begin.ns) else {
            return missing(say!(
                lang,
                "the span that begins in line {line} does not end in the trace",
                "第 {line} 行开始的区间在跟踪中没有结束"
            ));
        };
        let inside: Vec<i64> =
            frames.iter().copied().filter(|frame| (lane.begin.ns..=end.ns).contains(frame)).collect();
        let count = inside.len();
        if count < 2 {
            return missing(say!(
                lang,
                "{count} frames within the span that begins in line {line}: an interval needs two",
                "第 {line} 行开始的区间内只有 {count} 帧：至少要两帧才有间隔"
            ));
        }
        let late: i128 =
            inside.iter().zip(inside.iter().skip(1)).map(|(first, second)| self.late(second - first)).sum();
        let lasted = i128::from(end.ns) - i128::from(lane.begin.ns);
        let per_second =
            late.checked_mul(1000).and_then(|late| quotient(late, 2 * i128::from(self.rate) * lasted));
        let Some(per_second) = per_second else {
            return missing(say!(lang, "the times are beyond computing", "时间数值超出可计算范围"));
        };
        let place = Place::Lines { from: line.min(end.line), to: line.max(end.line) };
        let rate = self.rate;
        let note = say!(lang, "{count} frames at {rate}Hz", "{rate}Hz 下共 {count} 帧");
        Ok(noted(reading(format!("{per_second}ms/s"), place), note))
    }

    /// By how much an interval exceeds one and a half periods, in units of `1/2r` ns.
    fn late(&self, interval: i64) -> i128 {
        (i128::from(interval) * 2 * i128::from(self.rate) - 3_000_000_000).max(0)
    }
}
