//! `spec.md` under Goal mode: what freezing wrote there, read back, and what was added to it since.
//!
//! The frozen pack itself is `pack.lock.json`; its `spec.md` is prose. So an assertion that is read back is a proposal.

use gate::code::Code;
use gate::decode::has_visible;
use gate::lang::Lang;
use gate::pack::{Aggregate, Assertion, Dimension, Expected, Matcher, Scalar, Weight};
use gate::problem::Problem;
use gate::say;

use super::speckit;
use crate::item::{Heading, Item, Items, Said};
use crate::markdown::{Kind, code, lines, unescaped};
use crate::place;
use crate::propose::{number, plain};

/// What freezing calls its parts, in both languages.
const TITLES: [&str; 2] = ["Acceptance specification:", "验收规格："];
const GOAL: [&str; 2] = ["Goal", "目标"];
const REQUIREMENTS: [&str; 2] = ["Requirements", "要求"];
const CRITERIA: [&str; 2] = ["Criteria", "标准"];
const OUT_OF_SCOPE: [&str; 2] = ["Out of scope", "不在范围内"];
const CHECKED: [&str; 2] = ["How it is checked: ", "检查方法："];
const ASSERTION: [&str; 2] = ["Assertion: ", "断言："];
const READ_BY: [&str; 2] = ["Read by: ", "读取方式："];
const RULE: [&str; 2] = ["Rule: ", "规则："];
const COVERS: [&str; 2] = ["Covers: ", "覆盖要求："];

/// Whether freezing wrote the text.
pub(super) fn is_frozen(text: &str) -> bool {
    text.lines().any(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        matches!(
            cells.as_slice(),
            ["", "id", "dimension" | "维度", "weight" | "权重", "assertion" | "断言", ..]
        )
    })
}

pub(super) fn read(text: &str, lang: Lang) -> Items {
    if !is_frozen(text) {
        return speckit::read(text, lang);
    }
    let mut reader = Reader::new(lang);
    reader.found.goal = goal(text);
    for line in lines(text) {
        match &line.kind {
            Kind::Heading(level, title) => reader.heading(line.number, *level, title),
            _ if reader.part == Part::Other => reader.rest.push(line.number),
            Kind::Item(_, text) => reader.item(line.number, text),
            Kind::Row(cells) => reader.row(cells),
            Kind::Text(_, text) => reader.text(line.number, text),
            Kind::Blank => {}
        }
    }
    reader.finish(text)
}

/// The fenced text under the heading of the goal.
fn goal(text: &str) -> Option<String> {
    let is_heading =
        |line: &str| GOAL.iter().any(|word| line.strip_prefix("## ").map(str::trim) == Some(word));
    let mut after =
        text.lines().skip_while(|line| !is_heading(line)).skip(1).skip_while(|line| line.trim().is_empty());
    let fence: String = after.next()?.chars().take_while(|c| *c == '`').collect();
    let inside: Vec<&str> = after.take_while(|line| fence.is_empty() || !line.starts_with(&fence)).collect();
    (fence.len() >= 3).then(|| inside.join("\n"))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Head,
    Requirements,
    Criteria,
    OutOfScope,
    /// Not of the pipeline's making.
    Other,
}

/// A row of the table.
struct Row {
    id: String,
    dimension: Option<Dimension>,
    weight: Option<Weight>,
}

struct Reader {
    lang: Lang,
    found: Items,
    part: Part,
    rows: Vec<Row>,
    item: Option<Item>,
    told_probes: bool,
    /// The lines that freezing did not write.
    rest: Vec<u32>,
}

impl Reader {
    fn new(lang: Lang) -> Self {
        let found = Items::default();
        Reader {
            lang,
            found,
            part: Part::Head,
            rows: Vec::new(),
            item: None,
            told_probes: false,
            rest: Vec::new(),
        }
    }

    fn heading(&mut self, line: u32, level: usize, title: &str) {
        let title = unescaped(title);
        match level {
            1 => {
                let name = TITLES.iter().find_map(|mark| title.strip_prefix(mark));
                self.found.title = Some(name.unwrap_or(&title).trim().to_owned());
            }
            2 => {
                self.end_item();
                let is = |words: &[&str]| words.contains(&title.as_str());
                self.part = match () {
                    () if is(&GOAL) => Part::Head,
                    () if is(&REQUIREMENTS) => Part::Requirements,
                    () if is(&CRITERIA) => Part::Criteria,
                    () if is(&OUT_OF_SCOPE) => Part::OutOfScope,
                    () => Part::Other,
                };
                if self.part == Part::Other {
                    self.rest.push(line);
                }
            }
            3 if self.part == Part::Criteria => {
                self.end_item();
                let row = self.rows.iter().find(|row| row.id == title);
                let by = || say!(self.lang, "the table of criteria", "标准表");
                let dimension = row.and_then(|row| row.dimension).map(|value| Said { value, by: by() });
                let weight = row.and_then(|row| row.weight).map(|value| Said { value, by: by() });
                self.item =
                    Some(Item { line, last: line, id: Some(title), dimension, weight, ..Item::default() });
            }
            _ => self.rest.push(line),
        }
    }

    fn row(&mut self, cells: &[String]) {
        if let (Part::Criteria, [id, dimension, weight, ..]) = (self.part, cells) {
            let weight = match weight.as_str() {
                "must" | "必须" => Some(Weight::Must),
                "should" | "应当" => Some(Weight::Should),
                _ => None,
            };
            self.rows.push(Row { id: unescaped(id), dimension: crate::dimension::named(dimension), weight });
        }
    }

    fn text(&mut self, line: u32, text: &str) {
        let Some(item) = &mut self.item else { return };
        item.last = line;
        if item.statement.is_empty() {
            item.statement = unescaped(text);
        }
    }

    fn item(&mut self, line: u32, text: &str) {
        match self.part {
            Part::Requirements => {
                if let Some((id, text)) = bold(text) {
                    self.found.requirements.push(Heading { line, id: unescaped(id), text: unescaped(text) });
                }
            }
            Part::OutOfScope => {
                if let Some((label, reason)) = bold(text)
                    && let Some(aspect) = aspect(label)
                {
                    let reason = unescaped(reason.trim_start_matches([':', '：']).trim());
                    self.found.out_of_scope.push((aspect.to_owned(), reason));
                }
            }
            Part::Criteria => self.field(line, text),
            Part::Head | Part::Other => {}
        }
    }

    fn field(&mut self, line: u32, text: &str) {
        let after = |words: &[&str; 2]| words.iter().find_map(|word| text.strip_prefix(word));
        let lang = self.lang;
        let Some(item) = &mut self.item else { return };
        item.last = line;
        if let Some(verify) = after(&CHECKED) {
            item.verify = Some(unescaped(verify));
        } else if let Some(rule) = after(&RULE) {
            item.rule_id = Some(unescaped(rule).trim_matches('`').to_owned());
        } else if let Some(covers) = after(&COVERS) {
            item.covers = unescaped(covers).split([',', '、', '，']).map(|id| id.trim().to_owned()).collect();
        } else if let Some(shown) = after(&ASSERTION).and_then(code) {
            item.assertion = assertion(shown);
            if item.assertion.is_none() {
                let shown = crate::write::shown(shown);
                let message = say!(
                    lang,
                    "the assertion `{shown}` cannot be read back; take it from pack.lock.json",
                    "断言 `{shown}` 无法还原；请从 pack.lock.json 中取得"
                );
                self.report(Code::ImportLeftOut, line, message);
            }
        } else if after(&READ_BY).is_some() && !std::mem::replace(&mut self.told_probes, true) {
            let message = say!(
                lang,
                "probes are not read back from spec.md; take them from pack.lock.json",
                "probe 不会从 spec.md 还原；请从 pack.lock.json 中取得"
            );
            self.report(Code::ImportLeftOut, line, message);
        }
    }

    fn report(&mut self, code: Code, line: u32, message: String) {
        self.found.findings.push(Problem::new(code, message, code.help(self.lang)).at(place(line)));
    }

    fn end_item(&mut self) {
        if let Some(item) = self.item.take().filter(|item| has_visible(&item.statement)) {
            self.found.items.push(item);
        }
    }

    /// What was added beside the frozen parts is read as requirements are written elsewhere.
    fn finish(mut self, text: &str) -> Items {
        self.end_item();
        let kept = |(index, line): (usize, &'_ str)| {
            let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
            if self.rest.contains(&number) { line.to_owned() } else { String::new() }
        };
        let rest: Vec<String> = text.lines().enumerate().map(kept).collect();
        let added = speckit::read(&rest.join("\n"), self.lang);
        let is_known = |id: &str| self.found.requirements.iter().any(|known| known.id == id);
        let headings: Vec<Heading> =
            added.requirements.into_iter().filter(|heading| !is_known(&heading.id)).collect();
        self.found.requirements.extend(headings);
        self.found.items.extend(added.items);
        self.found.findings.extend(added.findings);
        self.found.are_requirements = true;
        self.found
    }
}

/// `**id** text`.
fn bold(text: &str) -> Option<(&str, &str)> {
    let (bold, rest) = text.strip_prefix("**")?.split_once("**")?;
    Some((bold.trim(), rest.trim()))
}

/// The word in packs of what a report calls a dimension or a state.
fn aspect(label: &str) -> Option<&'static str> {
    let label = label.trim_end_matches([':', '：']).trim();
    Some(match label {
        "empty state" | "空态" => "empty",
        "offline" | "离线" => "offline",
        "error" | "错误" => "error",
        "large font" | "大字体" => "largeFont",
        "dark mode" | "深色模式" => "darkMode",
        "landscape" | "横屏" => "landscape",
        other => crate::write::word(crate::dimension::named(other)?),
    })
}

/// An assertion as [`gate::assertion::shown`] writes it. What could be read in two ways is not read.
fn assertion(shown: &str) -> Option<Assertion> {
    let mut rest = shown.trim();
    for mark in [", proposed", "，待确认"] {
        rest = rest.strip_suffix(mark).unwrap_or(rest);
    }
    let mut min_samples = None;
    for (before, after) in [(", ", " samples or more"), ("，至少 ", " 个样本")] {
        if let Some((head, count)) = rest.strip_suffix(after).and_then(|head| head.rsplit_once(before)) {
            min_samples = Some(count.parse().ok()?);
            rest = head;
        }
    }
    let (first, after) = rest.split_once(' ').unwrap_or((rest, ""));
    let aggregate = Aggregate::from_word(first);
    if aggregate.is_some() {
        rest = after.trim_start();
    }
    let not = ["not ", "非 "].into_iter().find_map(|word| rest.strip_prefix(word));
    let (not, rest) = (not.is_some(), not.unwrap_or(rest));
    let (sign, expected) = rest.split_once(' ').unwrap_or((rest, ""));
    let read = comparison(sign, expected)?;
    let assertion = Assertion { aggregate, not, min_samples, proposed: true, ..read };
    gate::assertion::check(&assertion).is_empty().then_some(assertion)
}

fn comparison(sign: &str, expected: &str) -> Option<Assertion> {
    let matcher = match sign {
        "=" => Matcher::Eq,
        "≠" => Matcher::Ne,
        "<" => Matcher::Lt,
        "≤" => Matcher::Lte,
        ">" => Matcher::Gt,
        "≥" => Matcher::Gte,
        "≈" => Matcher::Approx,
        "contains" | "包含" => Matcher::Contains,
        "matches" | "匹配" => Matcher::Matches,
        "between" | "介于" => Matcher::Between,
        "exists" | "存在" => return expected.is_empty().then(|| plain(Matcher::Exists, None)),
        _ => return None,
    };
    if matches!(matcher, Matcher::Contains | Matcher::Matches) {
        return Some(plain(matcher, Some(Expected::One(Scalar::Text(expected.to_owned())))));
    }
    if matcher == Matcher::Between {
        let (ends, unit) = expected.strip_prefix('[')?.split_once(']')?;
        let (low, high) = ends.split_once(", ")?;
        let expected = Some(Expected::Many(vec![number(low)?, number(high)?]));
        return Some(Assertion { unit: some(unit), ..plain(matcher, expected) });
    }
    let (value, tolerance) = match expected.split_once(" ± ") {
        Some((value, tolerance)) => (value, Some(tolerance)),
        None => (expected, None),
    };
    let digits = value
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e')))
        .unwrap_or(value.len());
    let (figure, unit) = value.split_at_checked(digits)?;
    let tolerance = tolerance.map(|text| match text.ends_with('%') {
        true => Some(Scalar::Text(text.to_owned())),
        false => number(text),
    });
    match (number(figure), matcher) {
        (Some(figure), _) => Some(Assertion {
            unit: some(unit),
            tolerance: tolerance.flatten(),
            ..plain(matcher, Some(Expected::One(figure)))
        }),
        (None, Matcher::Eq | Matcher::Ne) => {
            Some(plain(matcher, Some(Expected::One(Scalar::Text(expected.to_owned())))))
        }
        (None, _) => None,
    }
}

fn some(unit: &str) -> Option<String> {
    let unit = unit.trim();
    (!unit.is_empty()).then(|| unit.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is shown is read back as the same, in both languages.
    #[test]
    fn assertions_come_back() {
        let one = |text: &str| Some(Expected::One(Scalar::Number(text.into())));
        let table = [
            Assertion { unit: Some("ms".into()), ..plain(Matcher::Lte, one("800")) },
            Assertion { unit: Some("%".into()), not: true, ..plain(Matcher::Lt, one("95")) },
            Assertion { unit: Some(":1".into()), ..plain(Matcher::Gt, one("4.5")) },
            Assertion {
                unit: Some("ms".into()),
                aggregate: Some(Aggregate::Percentile(95)),
                min_samples: Some(3),
                ..plain(Matcher::Lte, one("19"))
            },
            Assertion {
                unit: Some("vp".into()),
                tolerance: Some(Scalar::Number("0.29".into())),
                ..plain(Matcher::Approx, one("48"))
            },
            plain(Matcher::Eq, Some(Expected::One(Scalar::Text("忘记密码".into())))),
            plain(Matcher::Contains, Some(Expected::One(Scalar::Text("a, b".into())))),
            plain(Matcher::Exists, None),
            Assertion {
                unit: Some("vp".into()),
                ..plain(
                    Matcher::Between,
                    Some(Expected::Many(vec![Scalar::Number("8".into()), Scalar::Number("12".into())])),
                )
            },
        ];
        for expected in table {
            for lang in [Lang::En, Lang::Zh] {
                let shown = gate::assertion::shown(&expected, lang);
                let back = assertion(&shown);
                assert_eq!(back, Some(Assertion { proposed: true, ..expected.clone() }), "{shown}");
            }
        }
        assert_eq!(assertion("one of [a, b, c]"), None);
    }
}
