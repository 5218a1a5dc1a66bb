//! `csv`: one column of a table with a header row, where other columns say which rows.

use csv::{ByteRecord, ErrorKind, ReaderBuilder};
use gate::lang::Lang;
use gate::say;

use crate::answer::{Outcome, at_line, reading, unreadable, values};
use crate::ask::{Ask, MEASURE, PICK, refuse_flood};
use crate::input::io_reason;
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};
use crate::terms::parse_terms;

const DELIMITERS: &[&str] = &["comma", "semicolon", "tab"];

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "csv",
    purpose: words(
        "any table with a header row: a column's cells, with a condition on other columns",
        "带表头的表格：某列的单元格，可按其他列筛选",
    ),
    params: &[
        ParamInfo {
            name: "column",
            kind: ParamKind::Text,
            required: true,
            meaning: words("the column, as its header says", "列名，与表头一致"),
            example: "startup",
        },
        ParamInfo {
            name: "where",
            kind: ParamKind::Text,
            required: false,
            meaning: words(
                "conditions on other columns, joined by commas; a value with a comma stands in double quotes",
                "对其他列的条件，用逗号连接；含逗号的值加双引号",
            ),
            example: "device=phone,kind=cold",
        },
        MEASURE,
        PICK,
        ParamInfo {
            name: "delimiter",
            kind: ParamKind::Choice(DELIMITERS),
            required: false,
            meaning: words(
                "comma (the default), semicolon or tab",
                "comma（默认，逗号）、semicolon（分号）或 tab（制表符）",
            ),
            example: "semicolon",
        },
    ],
    example: "{column: startup, where: 'kind=cold', pick: all}",
};

/// A column of the table and the text that its cell must hold.
type Condition = (String, String);

struct Question {
    column: String,
    conditions: Vec<Condition>,
    delimiter: u8,
    ask: Ask,
}

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let column = params.text("column")?.to_owned();
    let conditions = match params.text("where").map(parse_terms) {
        None => Vec::new(),
        Some(Ok(terms)) => terms,
        Some(Err((en, zh))) => {
            params.invalid("where", en, zh);
            return None;
        }
    };
    let delimiter = match params.text("delimiter") {
        Some("semicolon") => b';',
        Some("tab") => b'\t',
        _ => b',',
    };
    let question = Question { column, conditions, delimiter, ask: Ask::param(params) };
    Some(Box::new(move |input, lang| question.answer(input.stream(lang)?, lang)))
}

impl Question {
    fn answer(&self, stream: &mut dyn std::io::BufRead, lang: Lang) -> Outcome {
        let mut reader = ReaderBuilder::new().delimiter(self.delimiter).from_reader(stream);
        let headers = reader.byte_headers().map_err(|error| refusal(&error, lang))?.clone();
        let column = column_of(&headers, &self.column, lang)?;
        let conditions = self
            .conditions
            .iter()
            .map(|(name, value)| Ok((column_of(&headers, name, lang)?, value.as_bytes())))
            .collect::<Outcome<Vec<_>>>()?;
        let mut matches = Vec::new();
        for record in reader.byte_records() {
            let record = record.map_err(|error| refusal(&error, lang))?;
            if conditions.iter().all(|(at, value)| cell(&record, *at) == *value) {
                refuse_flood(matches.len(), lang)?;
                let line = record.position().map_or(0, csv::Position::line);
                matches.push(reading(String::from_utf8_lossy(cell(&record, column)), at_line(line)));
            }
        }
        let column = &self.column;
        let what = say!(lang, "row for column {column}", "列 {column} 对应的行");
        Ok(values(self.ask.answer(matches, &what, lang)?))
    }
}

fn cell(record: &ByteRecord, at: usize) -> &[u8] {
    record.get(at).unwrap_or_default().trim_ascii()
}

fn column_of(headers: &ByteRecord, name: &str, lang: Lang) -> Outcome<usize> {
    let clean = |header: &[u8]| header.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(header).trim_ascii().to_vec();
    let mut found = headers.iter().enumerate().filter(|(_, header)| clean(header) == name.as_bytes());
    match (found.next(), found.next()) {
        (Some((at, _)), None) => Ok(at),
        (Some(_), Some(_)) => unreadable(say!(lang, "two columns are named {name}", "有两列都名为 {name}")),
        (None, _) => {
            let list = headers.iter().take(40).map(String::from_utf8_lossy).collect::<Vec<_>>().join(", ");
            unreadable(say!(
                lang,
                "no column {name}; the header row is: {list}",
                "没有列 {name}；表头为：{list}"
            ))
        }
    }
}

fn refusal(error: &csv::Error, lang: Lang) -> crate::answer::Stop {
    crate::answer::Stop::Unreadable(match error.kind() {
        ErrorKind::Io(error) => io_reason(error, lang),
        ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            say!(
                lang,
                "line {line} has {len} cells where the header has {expected_len}: truncated, or another delimiter",
                "第 {line} 行有 {len} 个单元格，而表头有 {expected_len} 个：被截断，或分隔符不同"
            )
        }
        _ => say!(lang, "no table of cells", "不是单元格表格"),
    })
}
