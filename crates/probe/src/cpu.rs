//! `cpu`: `hidumper --cpuusage [PID]`. A process on several cores can exceed 100 %.

use gate::say;

use crate::answer::{at_line, reading, unreadable, values};
use crate::decimal::is_decimal;
use crate::line::{for_each_line, refuse_unterminated};
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};
use crate::pick::Pick;

/// Columns of the table, in its order.
const MEASURES: &[&str] = &["total", "user", "kernel"];

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "cpu",
    purpose: words(
        "CPU usage of one process from `hidumper --cpuusage`: % of one core, so it can exceed 100",
        "`hidumper --cpuusage` 的进程 CPU 占用：以单核为 100%，可超过 100",
    ),
    params: &[
        ParamInfo {
            name: "process",
            kind: ParamKind::Text,
            required: true,
            meaning: words("the process by name, as in the column Name", "进程名，即 Name 列"),
            example: "com.example.app",
        },
        ParamInfo {
            name: "measure",
            kind: ParamKind::Choice(MEASURES),
            required: false,
            meaning: words("total (the default), user or kernel", "total（默认）、user 或 kernel"),
            example: "total",
        },
        ParamInfo {
            name: "pick",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "which row of that name: only (the default), first, last, nth:2, all",
                "同名的哪一行：only（默认）、first、last、nth:2、all",
            ),
            example: "all",
        },
    ],
    example: "{process: com.example.app}",
};

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let process = params.text("process")?.to_owned();
    let measure = params.text("measure").unwrap_or("total");
    let column = MEASURES.iter().position(|word| *word == measure)?;
    let pick = Pick::param(params, "pick");
    Some(Box::new(move |input, lang| {
        let mut rows = 0_u64;
        let mut found: Vec<(String, u64)> = Vec::new();
        for_each_line(input.stream(lang)?, lang, |line| {
            let text = String::from_utf8_lossy(line.bytes);
            if let Some((name, usage)) = row_of(&text, column) {
                rows += 1;
                if name == process {
                    found.push((usage, line.number));
                    if !line.terminated {
                        return refuse_unterminated(line.number, lang);
                    }
                }
            }
            Ok(true)
        })?;
        if rows == 0 {
            return unreadable(say!(
                lang,
                "no row of a process: truncated, or no output of `hidumper --cpuusage`",
                "没有进程行：输出被截断，或不是 `hidumper --cpuusage`"
            ));
        }
        let indices: Vec<usize> = (0..found.len()).collect();
        let what = say!(lang, "row of process {process}", "进程 {process} 的行");
        let picked = pick.apply(&indices, &what, "pick", lang)?;
        let rows = picked.into_iter().filter_map(|index| found.get(index));
        Ok(values(rows.map(|(usage, line)| reading(format!("{usage}%"), at_line(*line))).collect()))
    }))
}

/// `PID total% user% kernel% minor major name`: the name and one usage.
fn row_of(text: &str, column: usize) -> Option<(String, String)> {
    let mut words = text.split_whitespace();
    words.next()?.parse::<u64>().ok()?;
    let mut usages = Vec::new();
    for _ in MEASURES {
        let usage = words.next()?.strip_suffix('%')?;
        usages.push(usage);
    }
    let faults_then_name: Vec<&str> = words.collect();
    let name = faults_then_name.get(2..).filter(|name| !name.is_empty())?.join(" ");
    let usage = usages.get(column).filter(|usage| is_decimal(usage))?;
    Some((name, (*usage).to_owned()))
}
