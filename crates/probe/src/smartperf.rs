//! `smartperf`: what SP_daemon prints: `order:151 fps=85` lines, `ResponseTime:41ms` lines, or CSV with a header row.
//!
//! Values are found by name, because the numbers after `order:` shift from version to version. What could not be measured is
//! printed as −1 or NA and is missing here, never a value.

use gate::lang::Lang;
use gate::observation::Reading;
use gate::say;

use crate::answer::{Outcome, at_line, missing, reading, unreadable, values};
use crate::ask::refuse_flood;
use crate::decimal::is_decimal;
use crate::line::{for_each_line, refuse_unterminated};
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};
use crate::pick::Pick;

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "smartperf",
    purpose: words(
        "output of `SP_daemon`: samples of a key, such as fps, pss, ResponseTime, HitchTimeRate; −1 and NA are missing",
        "`SP_daemon` 的输出：某个键的样本，如 fps、pss、ResponseTime、HitchTimeRate；−1 与 NA 视为缺失",
    ),
    params: &[
        ParamInfo {
            name: "key",
            kind: ParamKind::Text,
            required: true,
            meaning: words(
                "the key, or the column of CSV; a list `a;;b;;` gives all its members",
                "键名，或 CSV 的列名；`a;;b;;` 形式的列表取其全部成员",
            ),
            example: "ResponseTime",
        },
        ParamInfo {
            name: "pick",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "which sample: all (the default), only, first, last, nth:2",
                "取哪个样本：all（默认）、only、first、last、nth:2",
            ),
            example: "last",
        },
        ParamInfo {
            name: "unit",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "the unit of a value that is printed without one; pss (KiB), currentNow (mA), fps and fpsJitters (ns) are known",
                "打印时不带单位的值的单位；pss（KiB）、currentNow（mA）、fps、fpsJitters（ns）已知",
            ),
            example: "%",
        },
    ],
    example: "{key: fps}",
};

/// Units of keys whose values are printed bare.
const UNITS: &[(&str, &str)] =
    &[("pss", "KiB"), ("currentNow", "mA"), ("fps", "fps"), ("FPS", "fps"), ("fpsJitters", "ns")];

/// Keys that read 0 when the application is in the background, which measures nothing.
const ZERO_IS_NOTHING: &[&str] = &["fps", "FPS", "pss"];

/// SP_daemon counts no more frames than this per second.
const FPS_CAP: &str = "120";

struct Question {
    key: String,
    unit: Option<String>,
    pick: Pick,
}

/// A sample as printed.
struct Sample {
    text: String,
    line: u64,
}

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let key = params.text("key")?.to_owned();
    let known = UNITS.iter().find(|(known, _)| *known == key).map(|(_, unit)| (*unit).to_owned());
    let unit = match known {
        Some(unit) => Some(unit),
        None => params.text("unit").map(str::to_owned),
    };
    let pick = if params.text("pick").is_some() { Pick::param(params, "pick") } else { Pick::All };
    let question = Question { key, unit, pick };
    Some(Box::new(move |input, lang| {
        let samples = question.samples(input.stream(lang)?, lang)?;
        question.answer(&samples, lang)
    }))
}

impl Question {
    fn samples(&self, stream: &mut dyn std::io::BufRead, lang: Lang) -> Outcome<Vec<Sample>> {
        let mut samples = Vec::new();
        let mut keys = 0_u64;
        let mut header: Option<Vec<String>> = None;
        for_each_line(stream, lang, |line| {
            let text = String::from_utf8_lossy(line.bytes);
            let text = text.trim();
            let before = samples.len();
            if let Some((key, value)) = key_value(text) {
                keys += 1;
                if key == self.key {
                    let members = value.split(";;").map(str::trim).filter(|member| !member.is_empty());
                    samples.extend(members.map(|text| Sample { text: text.to_owned(), line: line.number }));
                    if samples.len() == before {
                        samples.push(Sample { text: String::new(), line: line.number });
                    }
                }
            } else if let Some(cell) = self.cell(text, &mut header, line.number, lang)? {
                keys += 1;
                samples.extend(cell.map(|text| Sample { text, line: line.number }));
            }
            if samples.len() > before && !line.terminated {
                return refuse_unterminated(line.number, lang);
            }
            refuse_flood(samples.len(), lang)?;
            Ok(true)
        })?;
        if keys == 0 {
            return unreadable(say!(
                lang,
                "no line of SP_daemon: expected `order:0 key=value`, `Key:value` or CSV with a header row",
                "没有 SP_daemon 的行：应为 `order:0 key=value`、`Key:value` 或带表头的 CSV"
            ));
        }
        Ok(samples)
    }

    /// The cell of a CSV row, once a header row was seen. `None` for what is no row, `Some(None)` for the header and tables
    /// without the key.
    fn cell(
        &self,
        text: &str,
        header: &mut Option<Vec<String>>,
        line: u64,
        lang: Lang,
    ) -> Outcome<Option<Option<String>>> {
        let cells: Vec<&str> = text.split(',').map(str::trim).collect();
        if cells.len() < 2 {
            return Ok(None);
        }
        let Some(names) = header else {
            // A header row is made of names.
            if cells.iter().any(|cell| is_decimal(cell)) {
                return Ok(None);
            }
            *header = Some(cells.into_iter().map(str::to_owned).collect());
            return Ok(Some(None));
        };
        let trailing_comma =
            cells.len() == names.len() + 1 && cells.last().is_some_and(|cell| cell.is_empty());
        if cells.len() != names.len() && !trailing_comma {
            let (have, want) = (cells.len(), names.len());
            return unreadable(say!(
                lang,
                "line {line} has {have} cells where the header has {want}: truncated",
                "第 {line} 行有 {have} 个单元格，而表头有 {want} 个：被截断"
            ));
        }
        let at = names.iter().position(|name| *name == self.key);
        Ok(Some(at.and_then(|at| cells.get(at)).map(|cell| (*cell).to_owned())))
    }

    fn answer(&self, samples: &[Sample], lang: Lang) -> Outcome {
        let key = &self.key;
        let indices: Vec<usize> = (0..samples.len()).collect();
        let what = say!(lang, "sample of {key}", "{key} 的样本");
        let picked = self.pick.apply(&indices, &what, "pick", lang)?;
        let readings = picked
            .into_iter()
            .filter_map(|index| samples.get(index))
            .map(|sample| self.reading(sample, lang));
        Ok(values(readings.collect::<Outcome<_>>()?))
    }

    fn reading(&self, sample: &Sample, lang: Lang) -> Outcome<Reading> {
        let (key, line, text) = (&self.key, sample.line, &sample.text);
        if is_sentinel(text) {
            return missing(say!(
                lang,
                "{key} in line {line} is `{text}`: SP_daemon did not measure it",
                "第 {line} 行的 {key} 为 `{text}`：SP_daemon 没有测到"
            ));
        }
        if text == "0" && ZERO_IS_NOTHING.contains(&key.as_str()) {
            return missing(say!(
                lang,
                "{key} in line {line} is 0, which is what an application in the background reads",
                "第 {line} 行的 {key} 为 0：应用在后台时才会读到 0"
            ));
        }
        let value = match &self.unit {
            Some(unit) if is_decimal(text) => format!("{text}{unit}"),
            _ => text.clone(),
        };
        let mut found = reading(value, at_line(line));
        if key == "fps" && text == FPS_CAP {
            found.note = Some(say!(lang, "SP_daemon counts no more than 120", "SP_daemon 最多计到 120"));
        }
        Ok(found)
    }
}

/// `order:151 fps=85`, `fps=85` or `ResponseTime:41ms`.
fn key_value(text: &str) -> Option<(&str, &str)> {
    let (order, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if order.strip_prefix("order:").is_some_and(|index| index.parse::<u64>().is_ok()) {
        return rest.trim().split_once('=').filter(|(key, _)| !key.is_empty());
    }
    let cut = text.find(['=', ':'])?;
    let (key, value) = (text.get(..cut)?.trim(), text.get(cut + 1..)?.trim());
    let is_key =
        !key.is_empty() && key.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '-' | '.'));
    is_key.then_some((key, value))
}

/// `-1`, `-1ms`, `-1.00ms/s`, `NA` and nothing at all.
fn is_sentinel(text: &str) -> bool {
    let word = text.to_ascii_lowercase();
    if matches!(word.as_str(), "" | "na" | "n/a" | "null" | "-" | "--") {
        return true;
    }
    let number = text.trim_end_matches(|ch: char| !ch.is_ascii_digit());
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    whole == "-1" && fraction.bytes().all(|byte| byte == b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_measured_is_told_from_values() {
        for text in ["-1", "-1ms", "-1.00ms/s", "NA", "na", "", "-1.0"] {
            assert!(is_sentinel(text), "{text}");
        }
        for text in ["0", "-10", "-1.5ms", "41ms", "1", "-12.00ms/s"] {
            assert!(!is_sentinel(text), "{text}");
        }
    }

    #[test]
    fn lines_are_read_by_name() {
        for (text, expected) in [
            ("order:151 fps=85", Some(("fps", "85"))),
            ("order:3 list=a;;b;;", Some(("list", "a;;b;;"))),
            ("ResponseTime:41ms", Some(("ResponseTime", "41ms"))),
            ("fps=85", Some(("fps", "85"))),
            ("command exec finished!", None),
            ("order:151", None),
        ] {
            assert_eq!(key_value(text), expected, "{text}");
        }
    }
}
