//! `build`: the log of hvigor. A log can hold several builds; the last one counts.
//!
//! `BUILD SUCCESSFUL` says that the build ended, not that any test passed.

use gate::lang::Lang;
use gate::say;

use crate::ansi;
use crate::answer::{Outcome, at_line, missing, one, reading, truth, unreadable};
use crate::line::{for_each_line, refuse_unterminated};
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "build",
    purpose: words(
        "log of hvigor: whether the last build succeeded, how long it took, its errors and warnings",
        "hvigor 日志：最后一次构建是否成功、耗时、错误数与警告数",
    ),
    params: &[ParamInfo {
        name: "measure",
        kind: ParamKind::Choice(&["ok", "duration", "errors", "warnings"]),
        required: true,
        meaning: words(
            "ok (true or false), duration, or the errors or warnings of COMPILE RESULT (all modules together)",
            "ok（true 或 false）、duration（耗时），或 COMPILE RESULT 的 errors、warnings（各模块合计）",
        ),
        example: "ok",
    }],
    example: "{measure: ok}",
};

/// One build of a log.
#[derive(Default)]
struct Build {
    /// The line of the last word, whether it is good, and the time after `in`.
    ended: Option<(u64, bool, String)>,
    /// Line, errors and warnings of each summary since the build before ended.
    compiled: Vec<(u64, u64, u64)>,
}

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let measure = params.text("measure")?.to_owned();
    Some(Box::new(move |input, lang| {
        let mut build = Build::default();
        for_each_line(input.stream(lang)?, lang, |line| {
            let plain = ansi::strip(line.bytes);
            let text = String::from_utf8_lossy(&plain);
            if let Some((ok, time)) = ending(&text) {
                if !line.terminated && !time.ends_with("ms") {
                    return refuse_unterminated(line.number, lang);
                }
                build.ended = Some((line.number, ok, time.to_owned()));
            } else if let Some((errors, warnings)) = compile_result(&text) {
                if build.ended.take().is_some() {
                    build.compiled.clear();
                }
                build.compiled.push((line.number, errors, warnings));
            }
            Ok(true)
        })?;
        build.answer(&measure, lang)
    }))
}

impl Build {
    fn answer(&self, measure: &str, lang: Lang) -> Outcome {
        let Some((line, ok, time)) = &self.ended else {
            return unreadable(say!(
                lang,
                "the last build neither succeeded nor failed: the log is cut, or it is no log of hvigor",
                "最后一次构建既未成功也未失败：日志不完整，或不是 hvigor 日志"
            ));
        };
        match measure {
            "ok" => one(truth(*ok, at_line(*line))),
            "duration" => match milliseconds(time) {
                Some(ms) => one(reading(format!("{ms}ms"), at_line(*line))),
                None => unreadable(say!(lang, "no duration in `{time}`", "`{time}` 不是耗时")),
            },
            _ if self.compiled.is_empty() => missing(say!(
                lang,
                "no COMPILE RESULT in the last build: nothing was compiled, so nothing was counted",
                "最后一次构建没有 COMPILE RESULT：未编译，因而没有计数"
            )),
            _ => {
                let count = |(_, errors, warnings): &(u64, u64, u64)| {
                    if measure == "errors" { *errors } else { *warnings }
                };
                let total = self.compiled.iter().map(count).fold(0_u64, u64::saturating_add);
                let mut counted = reading(total.to_string(), at_line(*line));
                counted.places = self.compiled.iter().map(|(line, ..)| at_line(*line)).collect();
                one(counted)
            }
        }
    }
}

/// Whether a line ends a build, how, and the time after `in`.
fn ending(text: &str) -> Option<(bool, &str)> {
    for (word, ok) in [("BUILD SUCCESSFUL in ", true), ("BUILD FAILED in ", false)] {
        if let Some((_, time)) = text.split_once(word) {
            return Some((ok, time.trim()));
        }
    }
    None
}

/// `COMPILE RESULT:FAIL {ERROR:120 WARN:158}`: errors and warnings. What the braces leave out is none.
fn compile_result(text: &str) -> Option<(u64, u64)> {
    let (_, rest) = text.split_once("COMPILE RESULT:")?;
    let (_, counts) = rest.split_once('{')?;
    let (counts, _) = counts.split_once('}')?;
    let mut result = (0, 0);
    for word in counts.split([' ', ',']).filter(|word| !word.is_empty()) {
        match word.split_once(':')? {
            ("ERROR", count) => result.0 = count.parse().ok()?,
            ("WARN", count) => result.1 = count.parse().ok()?,
            _ => {}
        }
    }
    Some(result)
}

/// `1 min 25 s 638 ms`, `2 s`, `1 h 3 min` in milliseconds.
fn milliseconds(time: &str) -> Option<u64> {
    let words: Vec<&str> = time.split_whitespace().collect();
    if words.is_empty() {
        return None;
    }
    words.chunks(2).try_fold(0_u64, |total, pair| {
        let [count, unit] = pair else { return None };
        let factor = match *unit {
            "ms" => 1,
            "s" => 1000,
            "min" => 60_000,
            "h" => 3_600_000,
            _ => return None,
        };
        total.checked_add(count.parse::<u64>().ok()?.checked_mul(factor)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_counts_of_hvigor() {
        for (time, ms) in [
            ("1 min 25 s 638 ms", Some(85_638)),
            ("638 ms", Some(638)),
            ("1 h 2 s", Some(3_602_000)),
            ("", None),
            ("1 min 25", None),
            ("1 day", None),
        ] {
            assert_eq!(milliseconds(time), ms, "{time}");
        }
        assert_eq!(compile_result("COMPILE RESULT:FAIL {ERROR:120 WARN:158}"), Some((120, 158)));
        assert_eq!(compile_result("COMPILE RESULT:PASS {WARN:3}"), Some((0, 3)));
        assert_eq!(compile_result("COMPILE RESULT:PASS {WARN:"), None);
    }
}
