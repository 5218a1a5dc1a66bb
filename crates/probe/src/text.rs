//! `text`: a pattern in any text of lines, such as a log or a tool's output.

use gate::say;
use regex::bytes::Regex;

use crate::ansi;
use crate::answer::{at_line, reading, values};
use crate::ask::{Ask, MEASURE, PICK, refuse_flood};
use crate::line::for_each_line;
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};
use crate::pattern;

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "text",
    purpose: words(
        "any text, line by line: what a pattern captures, how often it matches, whether it does",
        "任意文本，逐行匹配：正则捕获的内容、匹配次数或有无",
    ),
    params: &[
        ParamInfo {
            name: "pattern",
            kind: ParamKind::Text,
            required: true,
            meaning: words(
                "a regular expression, unanchored, for one line; its first group is the value, or all of the match if it has none. Colour codes are removed before",
                "作用于单行的正则（不锚定）；第一个分组为取值，没有分组则取整个匹配。匹配前会去掉颜色控制码",
            ),
            example: "total: (\\d+ ms)",
        },
        MEASURE,
        PICK,
    ],
    example: "{pattern: 'total: (\\d+ ms)', pick: last}",
};

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let pattern: Regex = pattern::param(params, "pattern")?;
    let ask = Ask::param(params);
    Some(Box::new(move |input, lang| {
        let mut matches = Vec::new();
        for_each_line(input.stream(lang)?, lang, |line| {
            let plain = ansi::strip(line.bytes);
            refuse_flood(matches.len(), lang)?;
            if let Some(captures) = pattern.captures(&plain) {
                let found = captures.get(1).or_else(|| captures.get(0));
                let value = found.map(|found| String::from_utf8_lossy(found.as_bytes()).into_owned());
                matches.extend(value.map(|value| reading(value, at_line(line.number))));
            }
            Ok(true)
        })?;
        let what = say!(lang, "line matching `{pattern}`", "匹配 `{pattern}` 的行");
        Ok(values(ask.answer(matches, &what, lang)?))
    }))
}
