//! `density`: pixels per vp, as DisplayManagerService prints it; and the system's font scale.
//!
//! A dump has one block a screen and repeats keys within a block. `DensityInCurResolution` is what applications are laid out with;
//! `Density` is what the panel has. Nothing is ever inferred from a resolution.

use gate::lang::Lang;
use gate::say;

use crate::answer::{Outcome, at_line, missing, one, reading, unreadable};
use crate::decimal::is_decimal;
use crate::line::{Line, for_each_line, refuse_unterminated};
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "density",
    purpose: words(
        "pixels per vp from `hidumper -s DisplayManagerService -a -a`, and the font scale where a dump gives it",
        "`hidumper -s DisplayManagerService -a -a` 中每 vp 的像素数；以及导出中给出的字体缩放",
    ),
    params: &[
        ParamInfo {
            name: "measure",
            kind: ParamKind::Choice(&["density", "fontScale"]),
            required: false,
            meaning: words(
                "density (the default) or fontScale (fp per vp)",
                "density（默认）或 fontScale（每 vp 的 fp 数）",
            ),
            example: "density",
        },
        ParamInfo {
            name: "screen",
            kind: ParamKind::Count,
            required: false,
            meaning: words(
                "the Screen ID; needed when screens differ",
                "屏幕编号（Screen ID）；多块屏幕密度不同时必填",
            ),
            example: "0",
        },
    ],
    example: "{measure: density, screen: 0}",
};

/// The keys of a density, the better one first.
const DENSITY_KEYS: [&str; 2] = ["DensityInCurResolution", "Density"];

/// Keys under which system settings print the font scale.
const FONT_KEYS: [&str; 5] =
    ["fontScale", "FontScale", "fontSizeScale", "FontSizeScale", "persist.sys.font_scale_for_user0"];

/// The value of a key, and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    value: String,
    line: u64,
}

/// One block of a dump.
struct Screen {
    id: u64,
    found: [Vec<Found>; DENSITY_KEYS.len()],
}

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    if params.text("measure") == Some("fontScale") {
        return Some(Box::new(|input, lang| font_scale(input.stream(lang)?, lang)));
    }
    let screen = params.count("screen");
    Some(Box::new(move |input, lang| {
        let found = density(&screens(input.stream(lang)?, lang)?, screen, lang)?;
        one(reading(found.value, at_line(found.line)))
    }))
}

/// The density of a dump in which all screens agree, for notes of other readers.
pub(crate) fn sole_density(mut bytes: &[u8], lang: Lang) -> Outcome<String> {
    Ok(density(&screens(&mut bytes, lang)?, None, lang)?.value)
}

fn screens(stream: &mut dyn std::io::BufRead, lang: Lang) -> Outcome<Vec<Screen>> {
    let mut screens: Vec<Screen> = Vec::new();
    for_each_line(stream, lang, |line| {
        let text = String::from_utf8_lossy(line.bytes);
        if let Some(id) = screen_id(&text) {
            screens.push(Screen { id, found: Default::default() });
        } else if let Some(screen) = screens.last_mut() {
            for (key, found) in DENSITY_KEYS.iter().zip(&mut screen.found) {
                found.extend(value_of(&text, key, line, lang)?);
            }
        }
        Ok(true)
    })?;
    if screens.is_empty() {
        return unreadable(say!(
            lang,
            "no `Screen ID:` block: this is no dump of DisplayManagerService",
            "没有 `Screen ID:` 段：这不是 DisplayManagerService 的导出"
        ));
    }
    Ok(screens)
}

/// The id in `---------------- Screen ID: 0 ----------------`.
fn screen_id(text: &str) -> Option<u64> {
    text.trim().trim_matches('-').trim().strip_prefix("Screen ID:")?.trim().parse().ok()
}

/// The value of `Key:   3.25`, if the line is one of that key.
fn value_of(text: &str, key: &str, line: Line<'_>, lang: Lang) -> Outcome<Option<Found>> {
    let Some(value) =
        text.trim().strip_prefix(key).and_then(|rest| rest.trim_start().strip_prefix([':', '=']))
    else {
        return Ok(None);
    };
    if !line.terminated {
        return refuse_unterminated(line.number, lang);
    }
    Ok(Some(Found { value: value.trim().to_owned(), line: line.number }))
}

fn density(screens: &[Screen], wanted: Option<u64>, lang: Lang) -> Outcome<Found> {
    let of_screen = |screen: &Screen| -> Outcome<Found> {
        for (key, found) in DENSITY_KEYS.iter().zip(&screen.found) {
            if let Some(first) = agreed(found, key, lang)? {
                return Ok(first);
            }
        }
        let id = screen.id;
        missing(say!(lang, "screen {id} states no density", "屏幕 {id} 没有给出密度"))
    };
    let mut chosen: Option<Found> = None;
    for screen in screens.iter().filter(|screen| wanted.is_none_or(|id| id == screen.id)) {
        let found = of_screen(screen)?;
        match &chosen {
            Some(first) if first.value != found.value => {
                let (first, second) = (&first.value, &found.value);
                return unreadable(say!(
                    lang,
                    "screens differ in density ({first}, {second}): say which with screen",
                    "各屏幕密度不同（{first}、{second}）：请用 screen 指明是哪一块"
                ));
            }
            Some(_) => {}
            None => chosen = Some(found),
        }
    }
    match (chosen, wanted) {
        (Some(found), _) => Ok(found),
        (None, Some(id)) => missing(say!(lang, "the dump has no screen {id}", "导出中没有屏幕 {id}")),
        (None, None) => missing(say!(lang, "no screen states a density", "没有屏幕给出密度")),
    }
}

/// The value that all lines of one key agree on; zero and what is no number is no density.
fn agreed(found: &[Found], key: &str, lang: Lang) -> Outcome<Option<Found>> {
    let Some(first) = found.first() else { return Ok(None) };
    if let Some(other) = found.iter().find(|other| other.value != first.value) {
        let (one, two) = (first.line, other.line);
        return unreadable(say!(
            lang,
            "{key} differs between lines {one} and {two}",
            "{key} 在第 {one} 行与第 {two} 行不同"
        ));
    }
    let (value, line) = (&first.value, first.line);
    if !is_decimal(value)
        || !value.bytes().any(|byte| (b'1'..=b'9').contains(&byte))
        || value.starts_with('-')
    {
        return missing(say!(
            lang,
            "{key} in line {line} is `{value}`: no density was measured",
            "第 {line} 行的 {key} 为 `{value}`：没有测得密度"
        ));
    }
    Ok(Some(first.clone()))
}

fn font_scale(stream: &mut dyn std::io::BufRead, lang: Lang) -> Outcome {
    let mut found = Vec::new();
    for_each_line(stream, lang, |line| {
        let text = String::from_utf8_lossy(line.bytes);
        for key in FONT_KEYS {
            found.extend(value_of(&text, key, line, lang)?);
        }
        Ok(true)
    })?;
    match agreed(&found, "fontScale", lang)? {
        Some(found) => one(reading(found.value, at_line(found.line))),
        None => missing(say!(lang, "the file states no font scale", "文件没有给出字体缩放")),
    }
}
