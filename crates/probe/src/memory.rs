//! `memory`: `hidumper --mem PID`. Its `kB` are KiB.

use gate::say;

use crate::answer::{at_line, missing, one, reading, unreadable};
use crate::line::{for_each_line, refuse_unterminated};
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "memory",
    purpose: words(
        "memory of one process from `hidumper --mem PID`: the PSS of a row, in KiB",
        "`hidumper --mem PID` 的进程内存：某一行的 PSS，单位 KiB",
    ),
    params: &[ParamInfo {
        name: "row",
        kind: ParamKind::Text,
        required: false,
        meaning: words("the row; Total is the default", "行名；默认 Total"),
        example: "native heap",
    }],
    example: "{row: Total}",
};

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let row = params.text("row").unwrap_or("Total").to_owned();
    Some(Box::new(move |input, lang| {
        let mut rows: Vec<(String, String, u64)> = Vec::new();
        let mut in_kb = false;
        for_each_line(input.stream(lang)?, lang, |line| {
            let text = String::from_utf8_lossy(line.bytes);
            in_kb |= text.contains("kB");
            if let Some((name, pss)) = row_of(&text) {
                if !line.terminated {
                    return refuse_unterminated(line.number, lang);
                }
                rows.push((name, pss, line.number));
            }
            Ok(true)
        })?;
        let totals = rows.iter().filter(|(name, ..)| name == "Total").count();
        if totals == 0 || !in_kb {
            return unreadable(say!(
                lang,
                "no row Total of a table in kB: truncated, or no output of `hidumper --mem`",
                "没有以 kB 为单位的 Total 行：输出被截断，或不是 `hidumper --mem`"
            ));
        }
        if totals > 1 {
            return unreadable(say!(
                lang,
                "{totals} rows Total: the file holds several processes",
                "有 {totals} 个 Total 行：文件中有多个进程"
            ));
        }
        let mut found = rows.iter().filter(|(name, ..)| *name == row);
        match (found.next(), found.next()) {
            (Some((_, pss, line)), None) => one(reading(format!("{pss}KiB"), at_line(*line))),
            (Some((.., first)), Some((.., second))) => unreadable(say!(
                lang,
                "row {row} stands in lines {first} and {second}",
                "{row} 行出现在第 {first} 行与第 {second} 行"
            )),
            (None, _) => missing(say!(lang, "no row {row}", "没有 {row} 行")),
        }
    }))
}

/// The name of a row and its first number, the PSS.
fn row_of(text: &str) -> Option<(String, String)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let first = words.iter().position(is_number)?;
    // The summary below the table has one number a row and other meanings.
    let numbers = words.iter().skip(first).take_while(|word| is_number(word)).count();
    let name = words.get(..first)?.join(" ");
    let name = name.trim_end_matches(':').to_owned();
    (numbers >= 2 && !name.is_empty())
        .then(|| (name, words.get(first).map_or_else(String::new, |pss| (*pss).to_owned())))
}
