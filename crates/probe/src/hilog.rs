//! `hilog`: counts lines of the system log. `MM-DD HH:MM:SS.mmm pid tid LEVEL domain/tag: message`; there is no year in it.

use gate::say;
use regex::bytes::Regex;

use crate::answer::{at_line, noted, unreadable, values};
use crate::ask::{Ask, PLACES};
use crate::line::for_each_line;
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};
use crate::pattern;

/// Levels, the least first.
const LEVELS: &[&str] = &["D", "I", "W", "E", "F"];

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "hilog",
    purpose: words(
        "log of `hdc hilog`: how many lines of a level, domain, tag or text, or whether there is any",
        "`hdc hilog` 日志：某级别、domain、tag 或文本的行数或有无",
    ),
    params: &[
        ParamInfo {
            name: "measure",
            kind: ParamKind::Choice(&["count", "presence"]),
            required: false,
            meaning: words("count (the default) or presence", "count（默认）或 presence"),
            example: "count",
        },
        ParamInfo {
            name: "level",
            kind: ParamKind::Choice(LEVELS),
            required: false,
            meaning: words("the least level that counts: E counts E and F", "计入的最低级别：E 计 E 与 F"),
            example: "E",
        },
        ParamInfo {
            name: "domain",
            kind: ParamKind::Text,
            required: false,
            meaning: words("the domain, such as A00000 or C01406", "domain，如 A00000、C01406"),
            example: "A00000",
        },
        ParamInfo {
            name: "tag",
            kind: ParamKind::Text,
            required: false,
            meaning: words("the tag (the last part of `domain/tag`)", "tag（`domain/tag` 的最后一段）"),
            example: "LoginPage",
        },
        ParamInfo {
            name: "pattern",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "a regular expression, unanchored, for the message",
                "作用于消息正文的正则（不锚定）",
            ),
            example: "JsError|CppCrash",
        },
    ],
    example: "{level: E, tag: LoginPage}",
};

/// One line of the log.
struct Entry<'a> {
    level: &'a [u8],
    domain: &'a [u8],
    tag: &'a [u8],
    message: &'a [u8],
}

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let ask = if params.text("measure") == Some("presence") { Ask::Presence } else { Ask::Count };
    let least = params.text("level").and_then(rank_of);
    let domain = params.text("domain").map(str::to_owned);
    let tag = params.text("tag").map(str::to_owned);
    let has_pattern = params.text("pattern").is_some();
    let pattern: Option<Regex> = pattern::param(params, "pattern");
    if has_pattern && pattern.is_none() {
        return None;
    }
    Some(Box::new(move |input, lang| {
        let mut entries = 0_u64;
        let (mut count, mut places) = (0_u64, Vec::new());
        for_each_line(input.stream(lang)?, lang, |line| {
            let Some(entry) = parse(line.bytes) else { return Ok(true) };
            entries += 1;
            let rank = std::str::from_utf8(entry.level).ok().and_then(rank_of);
            let holds = least.is_none_or(|least| rank.is_some_and(|rank| rank >= least))
                && domain.as_ref().is_none_or(|domain| entry.domain == domain.as_bytes())
                && tag.as_ref().is_none_or(|tag| entry.tag == tag.as_bytes())
                && pattern.as_ref().is_none_or(|pattern| pattern.is_match(entry.message));
            if holds {
                count += 1;
                if places.len() < PLACES {
                    places.push(at_line(line.number));
                }
            }
            Ok(true)
        })?;
        if entries == 0 {
            return unreadable(say!(
                lang,
                "no line of hilog: expected `MM-DD HH:MM:SS.mmm pid tid LEVEL domain/tag: message`",
                "没有 hilog 行：应为 `MM-DD HH:MM:SS.mmm pid tid LEVEL domain/tag: message`"
            ));
        }
        let what =
            say!(lang, "such line in {entries} lines of hilog", "符合条件的行（共 {entries} 行 hilog）");
        let counted = ask.tally(count, places, &what, lang)?;
        let note = say!(lang, "of {entries} lines", "共 {entries} 行");
        Ok(values(counted.into_iter().map(|reading| noted(reading, note.clone())).collect()))
    }))
}

fn rank_of(level: &str) -> Option<usize> {
    LEVELS.iter().position(|known| *known == level)
}

fn parse(line: &[u8]) -> Option<Entry<'_>> {
    let (date, rest) = word(line)?;
    let (clock, rest) = word(rest)?;
    let (pid, rest) = word(rest)?;
    let (tid, rest) = word(rest)?;
    let (level, rest) = word(rest)?;
    let is_number = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
    let shaped =
        matches!(date, [_, _, b'-', _, _]) && clock.iter().filter(|byte| **byte == b':').count() == 2;
    if !shaped || !is_number(pid) || !is_number(tid) || level.len() != 1 {
        return None;
    }
    let colon = memchr::memmem::find(rest, b": ").or_else(|| rest.strip_suffix(b":").map(<[u8]>::len))?;
    let (origin, message) = (rest.get(..colon)?.trim_ascii(), rest.get(colon + 1..)?.trim_ascii_start());
    let slash = memchr::memchr(b'/', origin)?;
    // Newer systems print the bundle between: `domain/bundle/tag`.
    let tag = memchr::memrchr(b'/', origin).and_then(|slash| origin.get(slash + 1..))?;
    Some(Entry { level, domain: origin.get(..slash)?, tag, message })
}

/// The first word of a text, and what follows it.
fn word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.trim_ascii_start();
    let end = text.iter().position(u8::is_ascii_whitespace)?;
    Some((text.get(..end)?, text.get(end..)?)).filter(|(word, _)| !word.is_empty())
}
