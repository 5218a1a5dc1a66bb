//! `image`: what a screenshot shows: contrast, size, uniformity, difference to a baseline.
//!
//! Before anything is measured the picture has to decode, be opaque, and be more than one flat colour.

mod contrast;
mod header;
mod linear;
mod pixels;

use gate::lang::Lang;
use gate::observation::{Place, Reading};
use gate::say;

use crate::answer::{Outcome, missing, noted, one, reading, unreadable};
use crate::decimal::{is_decimal, quotient};
use crate::input::Input;
use crate::layout::box_of;
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};

use contrast::Contrast;
pub use header::{Picture, picture};
use pixels::Area;
pub(crate) use pixels::Pixels;

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "image",
    purpose: words(
        "screenshot (PNG or JPEG): contrast of a box or a node, size, uniformity, difference to a baseline",
        "截图（PNG 或 JPEG）：方框或节点的对比度、尺寸、单色占比、与基线的差异",
    ),
    params: &[
        ParamInfo {
            name: "measure",
            kind: ParamKind::Choice(&["contrast", "width", "height", "uniformity", "difference"]),
            required: true,
            meaning: words(
                "contrast (WCAG 2, as 4.9:1); width or height (px); uniformity: the share of the most frequent colour (%); difference: the share of pixels that differ from the baseline (%)",
                "contrast（WCAG 2，如 4.9:1）；width、height（px）；uniformity：最多颜色的占比（%）；difference：与基线不同的像素占比（%）",
            ),
            example: "contrast",
        },
        ParamInfo {
            name: "box",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "the box `left,top,right,bottom` in pixels; without box and node, all of the image",
                "方框 `左,上,右,下`（像素）；既无 box 也无 node 时取整幅图",
            ),
            example: "1063,1559,1260,1616",
        },
        ParamInfo {
            name: "node",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "a node of the layout tree in `layout`, as for the reader layout: its visible box",
                "`layout` 布局树中的节点（写法同 layout 读取器），取其可见方框",
            ),
            example: "text=忘记密码,bundle=com.example.app",
        },
        ParamInfo {
            name: "layout",
            kind: ParamKind::Evidence,
            required: false,
            meaning: words("the layout tree of the same screen", "同一界面的布局树"),
            example: "login-layout",
        },
        ParamInfo {
            name: "near",
            kind: ParamKind::Number,
            required: false,
            meaning: words(
                "with contrast: the threshold of the criterion; a JPEG that is too noisy to tell is then missing",
                "contrast 时：该标准的阈值；JPEG 噪声大到无法判定时回答缺失",
            ),
            example: "4.5",
        },
        ParamInfo {
            name: "baseline",
            kind: ParamKind::Evidence,
            required: false,
            meaning: words(
                "with difference: the picture to compare with",
                "difference 时：用于比较的基线图片",
            ),
            example: "login-baseline",
        },
        ParamInfo {
            name: "channelTolerance",
            kind: ParamKind::Count,
            required: false,
            meaning: words(
                "with difference: by how much a channel (0–255) may differ before its pixel counts; 0 is the default",
                "difference 时：某通道（0–255）相差多少以内不计该像素；默认 0",
            ),
            example: "16",
        },
    ],
    example: "{measure: contrast, node: 'text=忘记密码,bundle=com.example.app', layout: login-layout, near: 4.5}",
};

/// The part of the image that is meant.
enum Part {
    All,
    Box(Area),
    Node(String),
}

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let measure = params.text("measure")?.to_owned();
    if matches!(measure.as_str(), "width" | "height") {
        return Some(Box::new(move |input, lang| {
            let pixels = Pixels::decode(&input.whole(lang)?, lang)?;
            let side = if measure == "width" { pixels.width } else { pixels.height };
            one(reading(format!("{side}px"), Place::File))
        }));
    }
    let part = part(params);
    if measure == "difference" {
        params.need("baseline", "measure: difference");
        let _named = params.text("baseline");
        let tolerance = params.count("channelTolerance").unwrap_or(0);
        let part = part?;
        return Some(Box::new(move |input, lang| difference(input, &part, tolerance, lang)));
    }
    let near = if measure == "contrast" { params.number("near").map(str::to_owned) } else { None };
    if let Some(threshold) = near.as_deref().filter(|threshold| !is_decimal(threshold)) {
        params.invalid(
            "near",
            format!("`{threshold}` is no plain decimal"),
            format!("`{threshold}` 不是普通小数"),
        );
    }
    let part = part?;
    Some(Box::new(move |input, lang| {
        let pixels = Pixels::decode(&input.whole(lang)?, lang)?;
        let area = area(&part, &pixels, input, lang)?;
        if measure == "uniformity" {
            return one(uniformity(&pixels, area));
        }
        refuse_unfit(&pixels, lang)?;
        let found = Contrast::of(&pixels, area, lang)?;
        if let Some(threshold) = &near {
            found.refuse_near(threshold, lang)?;
        }
        let [foreground, background] = [found.foreground, found.background].map(hex);
        let note = say!(lang, "{foreground} on {background}", "{background} 上的 {foreground}");
        one(noted(reading(format!("{}:1", found.ratio), place(area)), note))
    }))
}

fn part(params: &mut Params<'_>) -> Option<Part> {
    let node = params.text("node");
    if let Some(node) = node {
        params.need("layout", "node");
        let _named = params.text("layout");
        if let Err((en, zh)) = crate::layout::check_selector(node) {
            params.invalid("node", en, zh);
            return None;
        }
        return Some(Part::Node(node.to_owned()));
    }
    let Some(text) = params.text("box") else { return Some(Part::All) };
    let edges: Option<Vec<usize>> = text.split(',').map(|edge| edge.trim().parse().ok()).collect();
    match edges.as_deref() {
        Some(&[left, top, right, bottom]) if left < right && top < bottom => {
            Some(Part::Box(Area { left, top, right, bottom }))
        }
        _ => {
            params.invalid(
                "box",
                format!("`{text}` is no box: write left,top,right,bottom in pixels"),
                format!("`{text}` 不是方框：请写 左,上,右,下（像素）"),
            );
            None
        }
    }
}

fn area(part: &Part, pixels: &Pixels, input: &Input<'_, '_>, lang: Lang) -> Outcome<Area> {
    let (width, height) = (pixels.width, pixels.height);
    let area = match part {
        Part::All => Area { left: 0, top: 0, right: width, bottom: height },
        Part::Box(area) => *area,
        Part::Node(node) => {
            let (node, screen) = box_of(input.companion("layout", lang)?, node, lang)?;
            let whole = Place::Box { left: 0, top: 0, right: signed(width), bottom: signed(height) };
            if screen.is_some_and(|screen| screen != whole) {
                return unreadable(say!(
                    lang,
                    "the image is {width}×{height}, the layout's screen is not: they are of different screens",
                    "图片为 {width}×{height}，与布局的屏幕不一致：两者不是同一界面"
                ));
            }
            match node {
                Place::Box { left, top, right, bottom } => {
                    let [left, top, right, bottom] = [left, top, right, bottom].map(unsigned);
                    Area { left, top, right, bottom }
                }
                _ => return missing(say!(lang, "the node has no box", "节点没有方框")),
            }
        }
    };
    if area.right > width || area.bottom > height {
        return unreadable(say!(
            lang,
            "the box exceeds the image of {width}×{height}",
            "方框超出 {width}×{height} 的图片"
        ));
    }
    Ok(area)
}

fn signed(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

fn unsigned(edge: i64) -> usize {
    usize::try_from(edge).unwrap_or_default()
}

fn place(area: Area) -> Place {
    Place::Box {
        left: signed(area.left),
        top: signed(area.top),
        right: signed(area.right),
        bottom: signed(area.bottom),
    }
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

/// A picture of one colour is what a locked or protected screen gives.
fn refuse_unfit(pixels: &Pixels, lang: Lang) -> Outcome<()> {
    if pixels.transparent {
        return missing(say!(
            lang,
            "some pixels let a background through that nobody knows",
            "部分像素是透明的，其背后的颜色未知"
        ));
    }
    let mut all = pixels.all();
    let first = all.next();
    if all.all(|pixel| Some(pixel) == first) {
        return missing(say!(
            lang,
            "the whole image is one flat colour, as of a locked or protected screen",
            "整幅图是同一种颜色，可能是锁屏或受保护的界面"
        ));
    }
    Ok(())
}

fn percent(part: u64, whole: u64) -> Option<String> {
    quotient(i128::from(part) * 100, i128::from(whole)).map(|percent| format!("{percent}%"))
}

/// The share of the most frequent colour; in a JPEG of the most frequent colour but for noise.
fn uniformity(pixels: &Pixels, area: Area) -> Reading {
    let dropped = if pixels.exact { 0 } else { 3 };
    let mut colours: Vec<[u8; 3]> =
        pixels.within(area).map(|pixel| pixel.map(|channel| channel >> dropped)).collect();
    colours.sort_unstable();
    let most = colours.chunk_by(|one, other| one == other).map(<[_]>::len).max().unwrap_or_default();
    let share = percent(most as u64, colours.len() as u64).unwrap_or_else(|| "0%".to_owned());
    reading(share, place(area))
}

fn difference(input: &mut Input<'_, '_>, part: &Part, tolerance: u64, lang: Lang) -> Outcome {
    let bytes = input.whole(lang)?;
    let baseline = input.companion("baseline", lang)?;
    if bytes == baseline {
        return missing(say!(
            lang,
            "the image is the baseline, byte for byte: it was copied, not captured",
            "图片与基线逐字节相同：是复制而非采集"
        ));
    }
    let (pixels, other) = (Pixels::decode(&bytes, lang)?, Pixels::decode(baseline, lang)?);
    refuse_unfit(&pixels, lang)?;
    let area = area(part, &pixels, input, lang)?;
    if (pixels.width, pixels.height) != (other.width, other.height) {
        let (width, height, wide, high) = (pixels.width, pixels.height, other.width, other.height);
        return unreadable(say!(
            lang,
            "the image is {width}×{height} and the baseline {wide}×{high}",
            "图片为 {width}×{height}，基线为 {wide}×{high}"
        ));
    }
    let differs = |(one, other): ([u8; 3], [u8; 3])| {
        one.iter().zip(other).any(|(one, other)| u64::from(one.abs_diff(other)) > tolerance)
    };
    let mut total = 0;
    let mut different = 0;
    for pair in pixels.within(area).zip(other.within(area)) {
        total += 1;
        different += u64::from(differs(pair));
    }
    match percent(different, total) {
        Some(share) => {
            let note = say!(lang, "{different} of {total} pixels", "{total} 个像素中有 {different} 个不同");
            one(noted(reading(share, place(area)), note))
        }
        None => missing(say!(lang, "the box holds no pixel", "方框内没有像素")),
    }
}
