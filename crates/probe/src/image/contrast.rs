//! The contrast of a box: its background against its foreground.
//!
//! Colours are counted in coarse bins, since a flat page in a JPEG has thousands of them. The background is the largest
//! cluster; the foreground is the cluster with enough pixels that contrasts most with it. Where no cluster is large (a gradient, a
//! picture) or none stands out, there is no answer.

use gate::lang::Lang;
use gate::say;

use super::linear::contrast;
use super::pixels::{Area, Pixels};
use crate::answer::{Outcome, missing};
use crate::decimal::{parse_scaled, quotient};

/// Bits that a bin drops of each channel.
const DROPPED: u32 = 3;
const SIDE: usize = 1 << (8 - DROPPED);

/// The least share of the background, in percent. Below it the box is a gradient or a picture.
const BACKGROUND_SHARE: u64 = 30;

/// The least share of the foreground, in thousandths, and its least number of pixels.
const FOREGROUND_SHARE: u64 = 5;
const FOREGROUND_PIXELS: u64 = 8;

/// By how much a JPEG may shift a channel of a cluster's colour.
const JPEG_NOISE: u8 = 4;

/// The contrast as a quotient, and the bounds that noise leaves open.
pub(super) struct Contrast {
    /// `4.93`.
    pub(super) ratio: String,
    pub(super) background: [u8; 3],
    pub(super) foreground: [u8; 3],
    low: (i128, i128),
    high: (i128, i128),
}

impl Contrast {
    pub(super) fn of(pixels: &Pixels, area: Area, lang: Lang) -> Outcome<Contrast> {
        let bins = Bins::count(pixels.within(area));
        let Some(background) = bins.largest() else {
            return missing(say!(lang, "the box holds no pixel", "方框内没有像素"));
        };
        let share = background.count * 100 / bins.total.max(1);
        if share < BACKGROUND_SHARE {
            return missing(say!(
                lang,
                "no single background: its largest colour covers {share}% of the box, as in a gradient or a picture",
                "没有单一背景：最多的颜色只占 {share}%，可能是渐变或图片"
            ));
        }
        let Some(foreground) = bins.foreground(&background) else {
            return missing(say!(
                lang,
                "one colour only: nothing stands out from the background",
                "只有一种颜色：背景上没有可辨的前景"
            ));
        };
        let noise = if pixels.exact { 0 } else { JPEG_NOISE };
        let (numerator, denominator) = contrast(background.colour, foreground.colour);
        let Some(ratio) = quotient(numerator, denominator) else {
            return missing(say!(lang, "the contrast is beyond computing", "对比度超出可计算范围"));
        };
        let (low, high) = bounds(background.colour, foreground.colour, noise);
        Ok(Contrast { ratio, background: background.colour, foreground: foreground.colour, low, high })
    }

    /// Refuses to decide where noise leaves both sides of a threshold open.
    pub(super) fn refuse_near(&self, threshold: &str, lang: Lang) -> Outcome<()> {
        let Some(wanted) = parse_scaled(threshold, 6).map(i128::from) else { return Ok(()) };
        let reaches = |(numerator, denominator): (i128, i128)| numerator * 1_000_000 >= wanted * denominator;
        if reaches(self.low) == reaches(self.high) {
            return Ok(());
        }
        let ratio = &self.ratio;
        missing(say!(
            lang,
            "{ratio}:1 is too near {threshold}:1 for the noise of a JPEG: capture a PNG",
            "{ratio}:1 与 {threshold}:1 过于接近，JPEG 噪声下无法判定：请采集 PNG"
        ))
    }
}

/// The least and the largest contrast of colours that noise may have shifted.
fn bounds(one: [u8; 3], other: [u8; 3], noise: u8) -> ((i128, i128), (i128, i128)) {
    let lighter = |colour: [u8; 3]| colour.map(|channel| channel.saturating_add(noise));
    let darker = |colour: [u8; 3]| colour.map(|channel| channel.saturating_sub(noise));
    let candidates =
        [contrast(lighter(one), darker(other)), contrast(darker(one), lighter(other)), contrast(one, other)];
    let less = |(a, b): &(i128, i128), (c, d): &(i128, i128)| (a * d).cmp(&(c * b));
    let fallback = contrast(one, other);
    let low = candidates.iter().copied().min_by(less).unwrap_or(fallback);
    let high = candidates.iter().copied().max_by(less).unwrap_or(fallback);
    (low, high)
}

/// Pixels by coarse colour.
struct Bins {
    counts: Vec<u64>,
    sums: Vec<[u64; 3]>,
    total: u64,
}

/// A bin with its neighbours.
struct Cluster {
    at: [usize; 3],
    count: u64,
    /// The mean of its middle bin.
    colour: [u8; 3],
}

impl Bins {
    fn count(pixels: impl Iterator<Item = [u8; 3]>) -> Bins {
        let mut bins =
            Bins { counts: vec![0; SIDE * SIDE * SIDE], sums: vec![[0; 3]; SIDE * SIDE * SIDE], total: 0 };
        for pixel in pixels {
            let index = index(pixel.map(|channel| usize::from(channel >> DROPPED)));
            if let (Some(count), Some(sum)) = (bins.counts.get_mut(index), bins.sums.get_mut(index)) {
                *count += 1;
                for (sum, channel) in sum.iter_mut().zip(pixel) {
                    *sum += u64::from(channel);
                }
                bins.total += 1;
            }
        }
        bins
    }

    fn at(&self, at: [usize; 3]) -> u64 {
        self.counts.get(index(at)).copied().unwrap_or_default()
    }

    /// The middle and its 26 neighbours.
    fn cluster(&self, at: [usize; 3]) -> Cluster {
        let around = |middle: usize| middle.saturating_sub(1)..=(middle + 1).min(SIDE - 1);
        let [red, green, blue] = at;
        let mut count = 0;
        for red in around(red) {
            for green in around(green) {
                for blue in around(blue) {
                    count += self.at([red, green, blue]);
                }
            }
        }
        let middle = self.at(at).max(1);
        let sums = self.sums.get(index(at)).copied().unwrap_or_default();
        let colour = sums.map(|sum| u8::try_from((sum + middle / 2) / middle).unwrap_or(u8::MAX));
        Cluster { at, count, colour }
    }

    fn filled(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        let filled = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        filled.map(|(index, _)| [index / (SIDE * SIDE), index / SIDE % SIDE, index % SIDE])
    }

    fn largest(&self) -> Option<Cluster> {
        let middle = self.filled().max_by_key(|at| (self.at(*at), usize::MAX - index(*at)))?;
        Some(self.cluster(middle))
    }

    /// The cluster that contrasts most, of those that are large enough and clear of the background.
    fn foreground(&self, background: &Cluster) -> Option<Cluster> {
        let least = (self.total * FOREGROUND_SHARE / 1000).max(FOREGROUND_PIXELS);
        let clear =
            |at: &[usize; 3]| at.iter().zip(background.at).any(|(one, other)| one.abs_diff(other) > 2);
        let large =
            self.filled().filter(clear).map(|at| self.cluster(at)).filter(|cluster| cluster.count >= least);
        // A bin at the rim of a cluster has few pixels of its own; the middle of the cluster speaks for it.
        let solid = large.filter(|cluster| self.at(cluster.at) * 4 >= cluster.count);
        solid.max_by(|one, other| {
            let ((a, b), (c, d)) =
                (contrast(background.colour, one.colour), contrast(background.colour, other.colour));
            (a * d).cmp(&(c * b)).then(index(other.at).cmp(&index(one.at)))
        })
    }
}

fn index([red, green, blue]: [usize; 3]) -> usize {
    (red * SIDE + green) * SIDE + blue
}
