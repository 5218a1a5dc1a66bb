//! Tables of acceptance criteria as teams keep them: CSV out of a spreadsheet, or tables in Markdown.

use gate::code::Code;
use gate::lang::Lang;
use gate::measure::contains_measure;
use gate::problem::Problem;
use gate::say;

use crate::item::{Item, Items, Said};
use crate::markdown::{Kind, is_rule, lines, plain};
use crate::{Source, dimension, place, weight};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Id,
    Dimension,
    Statement,
    Verify,
    Weight,
    Limit,
    Unit,
    Rule,
}

/// Heads of columns, without marks and in lower case. Where two could be the statement, the first here is.
const HEADS: [(Column, &[&str]); 8] = [
    (
        Column::Statement,
        &[
            "验收标准",
            "验收准则",
            "验收条件",
            "验收内容",
            "验收项",
            "验收要求",
            "标准",
            "标准描述",
            "准则",
            "陈述",
            "描述",
            "需求描述",
            "需求内容",
            "要求",
            "需求",
            "statement",
            "acceptance criterion",
            "acceptance criteria",
            "criterion",
            "criteria",
            "requirement",
            "description",
        ],
    ),
    (Column::Id, &["编号", "序号", "标准编号", "用例编号", "需求编号", "id", "no", "no.", "#", "number"]),
    (
        Column::Dimension,
        &["维度", "类别", "类型", "分类", "验收维度", "dimension", "category", "type", "area"],
    ),
    (
        Column::Verify,
        &[
            "验证方法",
            "验证方式",
            "检查方法",
            "检查方式",
            "测试方法",
            "测试方式",
            "验收方法",
            "验收方式",
            "verify",
            "verification",
            "verification method",
            "how to verify",
            "method",
            "test method",
            "how it is checked",
        ],
    ),
    (
        Column::Weight,
        &[
            "优先级",
            "重要程度",
            "重要性",
            "权重",
            "级别",
            "等级",
            "是否必须",
            "必须",
            "priority",
            "weight",
            "level",
            "severity",
        ],
    ),
    (
        Column::Limit,
        &[
            "阈值",
            "指标",
            "指标值",
            "目标值",
            "期望值",
            "标准值",
            "门限",
            "限值",
            "threshold",
            "target",
            "expected",
            "limit",
        ],
    ),
    (Column::Unit, &["单位", "unit"]),
    (Column::Rule, &["规则", "规则编号", "规范", "ruleid", "rule", "rule id"]),
];

pub(super) fn read(source: &Source<'_>, lang: Lang) -> Result<Items, Vec<Problem>> {
    let is_markdown = holds_table(source.text);
    let mut found = Items { are_requirements: true, ..Items::default() };
    if is_markdown {
        markdown(source.text, lang, &mut found);
    } else {
        csv(source, lang, &mut found)?;
    }
    Ok(found)
}

/// Whether a Markdown table with statements is in a text.
pub(super) fn holds_table(text: &str) -> bool {
    let lines = lines(text);
    lines.iter().zip(lines.iter().skip(1)).any(|(head, rule)| match (&head.kind, &rule.kind) {
        (Kind::Row(head), Kind::Row(rule)) => is_rule(rule) && Head::of(head).is_some(),
        _ => false,
    })
}

/// The columns of a table.
struct Head {
    columns: Vec<Option<Column>>,
    names: Vec<String>,
    /// The unit in the head of the limit: `阈值（ms）`.
    unit: Option<String>,
}

impl Head {
    /// None if no column holds statements.
    fn of(cells: &[String]) -> Option<Head> {
        let heads: Vec<(String, Option<String>)> = cells.iter().map(|cell| head(cell)).collect();
        let mut columns: Vec<Option<Column>> = vec![None; cells.len()];
        let mut unit = None;
        for (column, words) in HEADS {
            let at = words.iter().find_map(|word| heads.iter().position(|(name, _)| name == word));
            let Some(at) = at else { continue };
            if let Some(free @ None) = columns.get_mut(at) {
                *free = Some(column);
                if column == Column::Limit {
                    unit = heads.get(at).and_then(|(_, unit)| unit.clone());
                }
            }
        }
        columns.contains(&Some(Column::Statement)).then(|| Head { columns, names: cells.to_vec(), unit })
    }

    fn get<'c>(&self, cells: &'c [String], column: Column) -> Option<&'c str> {
        let at = self.columns.iter().position(|known| *known == Some(column))?;
        cells.get(at).map(|cell| cell.trim()).filter(|cell| !cell.is_empty())
    }
}

/// The name of a column, and what stands in brackets behind it.
fn head(cell: &str) -> (String, Option<String>) {
    let folded: String = plain(cell).chars().map(folded).collect::<String>().to_lowercase();
    let folded = folded.trim_matches(['*', ' ', ':', '\u{feff}']).to_owned();
    match folded.split_once('(') {
        Some((name, unit)) if !name.trim().is_empty() => {
            // Units keep their case.
            let original: String = cell.chars().map(self::folded).collect();
            let inside = original
                .split_once('(')
                .map(|(_, rest)| rest.trim_end_matches([')', ' ', '*']).trim().to_owned());
            (name.trim().to_owned(), inside.filter(|_| unit.contains(')')))
        }
        _ => (folded, None),
    }
}

/// A full-width sign as the ASCII one.
fn folded(c: char) -> char {
    match c {
        '\u{3000}' => ' ',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        other => other,
    }
}

/// How many lines above a head, such as a title, are passed over.
const ABOVE: usize = 10;

fn csv(source: &Source<'_>, lang: Lang, found: &mut Items) -> Result<(), Vec<Problem>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(source.text))
        .from_reader(source.text.as_bytes());
    let mut head: Option<Head> = None;
    let mut places = Places { text: source.text.as_bytes(), at: 0, line: 1 };
    for (index, record) in reader.records().enumerate() {
        let record = record.map_err(|error| vec![broken(&error, source.file, lang)])?;
        let line = places.line(record.position().map_or(0, csv::Position::byte));
        let cells: Vec<String> = record.iter().map(str::to_owned).collect();
        match &head {
            None if index >= ABOVE => break,
            None => {
                head = Head::of(&cells);
                if let Some(head) = &head {
                    unknown(head, line, lang, found);
                }
            }
            Some(head) => row(head, &cells, line, None, lang, found),
        }
    }
    Ok(())
}

/// Counts lines on the way through a text.
struct Places<'t> {
    text: &'t [u8],
    at: usize,
    line: u32,
}

impl Places<'_> {
    /// The line of the record that begins at a byte, or behind the end of a line that begins there.
    fn line(&mut self, byte: u64) -> u32 {
        let byte = usize::try_from(byte).unwrap_or(usize::MAX);
        while let Some(found) = self.text.get(self.at) {
            let is_before = self.at < byte || matches!(found, b'\r' | b'\n');
            if !is_before {
                break;
            }
            self.line = self.line.saturating_add(u32::from(*found == b'\n'));
            self.at += 1;
        }
        self.line
    }
}

/// What separates the cells: what the lines that could be the head hold most of.
fn delimiter(text: &str) -> u8 {
    let count =
        |mark: char| text.lines().take(ABOVE).map(|line| line.matches(mark).count()).max().unwrap_or(0);
    let [comma, tab, semicolon] = [',', '\t', ';'].map(count);
    if tab > comma && tab >= semicolon {
        b'\t'
    } else if semicolon > comma {
        b';'
    } else {
        b','
    }
}

fn broken(error: &csv::Error, file: &str, lang: Lang) -> Problem {
    let line = error.position().map_or(1, csv::Position::line);
    let message = say!(lang, "the table cannot be read from here on", "从此处起无法读取表格");
    let code = Code::ImportNothing;
    Problem::new(code, message, code.help(lang))
        .in_file(file)
        .at(place(u32::try_from(line).unwrap_or(u32::MAX)))
}

fn markdown(text: &str, lang: Lang, found: &mut Items) {
    let lines = lines(text);
    let mut heading = String::new();
    let mut head: Option<Head> = None;
    let mut rest = lines.iter().peekable();
    while let Some(line) = rest.next() {
        match &line.kind {
            Kind::Heading(level, title) => {
                if *level == 1 && found.title.is_none() {
                    found.title = Some(plain(title));
                }
                (heading, head) = (plain(title), None);
            }
            Kind::Row(cells) => {
                let begins =
                    matches!(rest.peek().map(|next| &next.kind), Some(Kind::Row(rule)) if is_rule(rule));
                if begins {
                    head = Head::of(cells);
                    if let Some(head) = &head {
                        unknown(head, line.number, lang, found);
                    }
                } else if let (false, Some(head)) = (is_rule(cells), &head) {
                    row(head, cells, line.number, Some(&heading), lang, found);
                }
            }
            _ => head = None,
        }
    }
}

/// Columns that nothing is read from are named once.
fn unknown(head: &Head, line: u32, lang: Lang, found: &mut Items) {
    for (name, column) in head.names.iter().zip(&head.columns) {
        if column.is_some() || name.trim().is_empty() {
            continue;
        }
        let name = crate::write::shown(name.trim());
        let message = say!(
            lang,
            "the column “{name}” is not known here, and was not carried over",
            "不认识“{name}”列，未导入"
        );
        left_out(line, message, lang, found);
    }
}

fn left_out(line: u32, message: String, lang: Lang, found: &mut Items) {
    let code = Code::ImportLeftOut;
    found.findings.push(Problem::new(code, message, code.help(lang)).at(place(line)));
}

fn row(head: &Head, cells: &[String], line: u32, heading: Option<&str>, lang: Lang, found: &mut Items) {
    if cells.iter().all(|cell| cell.trim().is_empty()) {
        return;
    }
    let get = |column| head.get(cells, column).map(plain);
    let Some(statement) = get(Column::Statement) else {
        let message = say!(lang, "the row has no statement", "该行没有验收标准");
        return left_out(line, message, lang, found);
    };
    let limit =
        get(Column::Limit).map(|limit| with_unit(&limit, get(Column::Unit).or_else(|| head.unit.clone())));
    let priority = get(Column::Weight);
    let weight = priority.as_deref().and_then(weight::of_priority);
    if let (Some(priority), None) = (&priority, &weight) {
        let priority = crate::write::shown(priority);
        let message = say!(
            lang,
            "the priority “{priority}” says neither must nor should",
            "优先级“{priority}”没有说明是 must 还是 should"
        );
        left_out(line, message, lang, found);
    }
    let named = get(Column::Dimension);
    let dimension = named.as_deref().and_then(|name| {
        let value =
            dimension::named(name).or_else(|| dimension::of_heading(name, lang).map(|said| said.value))?;
        Some(Said { value, by: say!(lang, "the column: {name}", "表格中的“{name}”") })
    });
    found.items.push(Item {
        line,
        last: line,
        id: get(Column::Id),
        fallback: format!("L-{line}"),
        statement: complete(&statement, limit.as_deref()),
        verify: get(Column::Verify),
        dimension,
        section: heading.and_then(|heading| dimension::of_heading(heading, lang)),
        weight,
        limit,
        rule_id: get(Column::Rule),
        ..Item::default()
    });
}

/// A limit with the unit of its column, where it has none itself.
fn with_unit(limit: &str, unit: Option<String>) -> String {
    let ends_in_a_digit = limit.trim_end().ends_with(|c: char| folded(c).is_ascii_digit());
    match unit {
        Some(unit) if ends_in_a_digit => format!("{}{unit}", limit.trim_end()),
        _ => limit.to_owned(),
    }
}

/// The statement, with the limit behind it where it states none itself.
fn complete(statement: &str, limit: Option<&str>) -> String {
    match limit {
        Some(limit) if contains_measure(statement).is_none() && !statement.contains(limit) => {
            let colon = if statement.is_ascii() { ": " } else { "：" };
            format!("{}{colon}{limit}", statement.trim_end_matches(['。', '.', '：', ':']))
        }
        _ => statement.to_owned(),
    }
}
