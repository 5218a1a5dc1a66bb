//! `spec.md` of Spec Kit: functional requirements, success criteria, and the acceptance scenarios of user stories.

use std::sync::LazyLock;

use gate::code::Code;
use gate::lang::Lang;
use gate::problem::Problem;
use gate::say;
use regex::Regex;

use super::scenario_dimension;
use crate::dimension::of_heading;
use crate::item::{Heading, Item, Items};
use crate::markdown::{Kind, Line, demands, joined, lines, plain};
use crate::place;
use crate::steps::{Steps, of_line, step};

/// `FR-001: text`, with or without emphasis; the pattern is constant, and a test holds that it compiles.
static NUMBERED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:\*\*|__)?\[?([A-Z]{1,6}(?:-[A-Z]{1,6})?-\d{1,6}[a-z]?)\]?(?:\*\*|__)?\s*[:：.、]?\s*(?:\*\*|__)?\s*[:：]?\s*(.+)$").ok()
});
static STORY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:user story|用户故事|用户场景|故事)\s*(\d{1,4})?\s*[-–—:：.、]*\s*(.*?)\s*[(（]?\s*(?:(?:priority|优先级)\s*[:：]\s*(\w+)\s*[)）])?\s*$").ok()
});

/// An id and a text, if a line begins with an id.
pub(super) fn numbered(text: &str) -> Option<(String, String)> {
    let found = NUMBERED.as_ref()?.captures(text)?;
    Some((found.get(1)?.as_str().to_owned(), plain(found.get(2)?.as_str())))
}

pub(super) fn holds_items(text: &str) -> bool {
    lines(text).iter().any(|line| match &line.kind {
        Kind::Item(_, text) => numbered(text).is_some(),
        Kind::Heading(_, title) => is_story(title),
        _ => false,
    })
}

/// `| FR-022 | text |`: a cell that is an id, and what stands in the cells behind it.
fn row(cells: &[String]) -> Option<(String, String)> {
    let at =
        cells.iter().position(|cell| numbered(&format!("{cell}: x")).is_some_and(|(_, rest)| rest == "x"))?;
    let (id, _) = numbered(&format!("{}: x", cells.get(at)?))?;
    let rest: Vec<String> =
        cells.get(at + 1..)?.iter().map(|cell| plain(cell)).filter(|cell| !cell.is_empty()).collect();
    (!rest.is_empty()).then(|| (id, rest.join("; ")))
}

fn is_story(title: &str) -> bool {
    let lower = title.to_lowercase();
    ["user story", "用户故事"].iter().any(|word| lower.starts_with(word))
}

pub(super) fn read(text: &str, lang: Lang) -> Items {
    let mut reader = Reader::new(lang);
    for line in &joined(lines(text)) {
        reader.line(line);
    }
    reader.found
}

/// A part of the document by what its lines are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Head,
    Story,
    EdgeCases,
    Requirements,
    /// Said, and no requirement: entities, assumptions.
    Beside,
}

struct Reader {
    lang: Lang,
    found: Items,
    part: Part,
    heading: String,
    /// The levels of the headings around, with their titles.
    path: Vec<(usize, String)>,
    story: Option<Story>,
    edge_cases: usize,
    /// What a line that follows goes on.
    open: Open,
    told_beside: bool,
}

/// A user story.
struct Story {
    id: String,
    test: Option<String>,
    scenarios: usize,
}

/// What the next line may continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Nothing,
    Item,
    /// A requirement that is a heading: the texts below it, over blank lines.
    Headed,
    Test,
    Steps,
}

impl Reader {
    fn new(lang: Lang) -> Self {
        Reader {
            lang,
            found: Items { are_requirements: true, ..Items::default() },
            part: Part::Head,
            heading: String::new(),
            path: Vec::new(),
            story: None,
            edge_cases: 0,
            open: Open::Nothing,
            told_beside: false,
        }
    }

    fn line(&mut self, line: &Line) {
        match &line.kind {
            Kind::Heading(level, title) => self.heading(line.number, *level, &plain(title)),
            Kind::Item(indent, text) => {
                let before = self.found.items.len();
                self.item(line.number, *indent, text);
                if let Some(item) = self.found.items.get_mut(before) {
                    item.last = line.last;
                }
            }
            Kind::Text(indent, text) => self.text(line.number, *indent, text),
            Kind::Blank if self.open == Open::Headed => {}
            Kind::Blank => self.open = Open::Nothing,
            Kind::Row(cells) => self.row(line.number, cells),
        }
    }

    /// A row of a table: a requirement if it has an id, and named if it asks for something without one.
    fn row(&mut self, line: u32, cells: &[String]) {
        self.open = Open::Nothing;
        match row(cells) {
            Some((id, text)) if !self.is_known(&id) && (self.part != Part::Beside || demands(&text)) => {
                self.requirement(line, id, text);
                self.open = Open::Nothing;
            }
            _ if self.part == Part::Beside => self.beside(line),
            _ if demands(&cells.join(" ")) => self.left_out(line, &cells.join(" | ")),
            // A table that only refers to what stands elsewhere.
            _ => {}
        }
    }

    fn is_known(&self, id: &str) -> bool {
        self.found.items.iter().any(|item| item.id.as_deref() == Some(id))
    }

    fn heading(&mut self, line: u32, level: usize, title: &str) {
        self.open = Open::Nothing;
        if let Some((id, text)) = numbered(title) {
            // What follows belongs to it, and the section is the one around it.
            self.requirement(line, id, text);
            self.open = Open::Headed;
            return;
        }
        self.told_beside = false;
        self.path.retain(|(above, _)| *above < level);
        self.path.push((level, title.to_owned()));
        if level > 1 && !is_story(title) && demands(title) {
            self.left_out(line, title);
        }
        self.heading = title.to_owned();
        let lower = title.to_lowercase();
        let holds = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        if level == 1 {
            self.title(title);
        }
        let is_within_story = self.part == Part::Story && level > 3;
        self.part = if is_story(title) {
            self.story(line, title);
            Part::Story
        } else if is_within_story {
            Part::Story
        } else if holds(&["edge case", "边界", "异常情况"]) {
            Part::EdgeCases
        } else if holds(&[
            "requirement",
            "success criteria",
            "acceptance criteria",
            "验收标准",
            "outcome",
            "需求",
            "成功标准",
            "成功指标",
            "可衡量",
        ]) {
            Part::Requirements
        } else if holds(&[
            "key entit",
            "assumption",
            "out of scope",
            "dependenc",
            "关键实体",
            "假设",
            "范围外",
            "依赖",
        ]) {
            Part::Beside
        } else {
            Part::Head
        };
        if self.part != Part::Story {
            self.story = None;
        }
    }

    fn title(&mut self, title: &str) {
        let name =
            ["Feature Specification:", "功能规格：", "功能规格:", "功能规范：", "功能规范:", "Feature Spec:"]
                .iter()
                .find_map(|mark| title.strip_prefix(mark))
                .unwrap_or(title)
                .trim();
        if self.found.title.is_none() && !name.is_empty() && !name.starts_with('[') {
            self.found.title = Some(name.to_owned());
        }
    }

    fn story(&mut self, line: u32, title: &str) {
        let parts = STORY.as_ref().and_then(|pattern| pattern.captures(title));
        let part = |n: usize| parts.as_ref().and_then(|parts| parts.get(n)).map(|part| part.as_str().trim());
        let count = self.found.requirements.len() + 1;
        let id = format!("US{}", part(1).map_or_else(|| count.to_string(), str::to_owned));
        let text = part(2).filter(|text| !text.is_empty()).unwrap_or(title).to_owned();
        self.found.requirements.push(Heading { line, id: id.clone(), text });
        self.story = Some(Story { id, test: None, scenarios: 0 });
    }

    fn item(&mut self, line: u32, indent: usize, text: &str) {
        if let Some((id, text)) = numbered(text) {
            return self.requirement(line, id, text);
        }
        if indent > 0 && self.open == Open::Steps && step(text).is_some() {
            return self.more_steps(line, text);
        }
        if let Some(steps) = of_line(text) {
            return self.scenario(line, &steps);
        }
        if self.open == Open::Headed {
            return self.go_on(line, text);
        }
        match self.part {
            Part::EdgeCases => self.edge_case(line, text),
            Part::Requirements if indent > 0 && self.open == Open::Item => self.go_on(line, text),
            Part::Requirements => self.left_out(line, text),
            Part::Beside => self.beside(line),
            Part::Head | Part::Story if demands(text) => self.left_out(line, text),
            Part::Head | Part::Story => {}
        }
    }

    fn text(&mut self, line: u32, indent: usize, text: &str) {
        if let Some((id, text)) = numbered(text) {
            return self.requirement(line, id, text);
        }
        if let Some(steps) = of_line(text) {
            return self.scenario(line, &steps);
        }
        let bare = plain(text);
        if let Some(input) = labelled(&bare, &["Input", "输入"]) {
            let input = input.trim_start_matches("User description:").trim_start_matches("用户描述：").trim();
            let input = input.trim_matches(['"', '“', '”']);
            if !input.is_empty() && !input.contains("$ARGUMENTS") {
                self.found.goal = Some(input.to_owned());
            }
            return;
        }
        if let Some(test) = labelled(&bare, &["Independent Test", "独立测试", "独立验证"]) {
            if let Some(story) = &mut self.story {
                story.test = Some(test.to_owned());
            }
            self.open = Open::Test;
            return;
        }
        match self.open {
            Open::Headed => self.go_on(line, text),
            Open::Item if indent > 0 || !text.starts_with(['*', '_']) => self.go_on(line, text),
            Open::Test => {
                if let Some(test) = self.story.as_mut().and_then(|story| story.test.as_mut()) {
                    test.push(' ');
                    test.push_str(&bare);
                }
            }
            Open::Item | Open::Steps | Open::Nothing => {
                self.open = Open::Nothing;
                let is_asked = matches!(self.part, Part::Head | Part::Story | Part::Requirements);
                if is_asked && demands(text) {
                    self.left_out(line, text);
                }
            }
        }
    }

    fn requirement(&mut self, line: u32, id: String, text: String) {
        let headings =
            self.path.iter().rev().filter(|(level, _)| *level > 1).map(|(_, title)| title.as_str());
        let section = headings.into_iter().find_map(|title| of_heading(title, self.lang));
        self.found.items.push(Item {
            line,
            last: line,
            id: Some(id),
            statement: text,
            section,
            ..Item::default()
        });
        self.open = Open::Item;
    }

    /// More of the requirement before.
    fn go_on(&mut self, line: u32, text: &str) {
        if let Some(item) = self.found.items.last_mut() {
            item.statement = format!("{} {}", item.statement, plain(text));
            item.last = line;
        }
    }

    fn scenario(&mut self, line: u32, steps: &Steps) {
        let (covers, fallback, test) = match &mut self.story {
            Some(story) => {
                story.scenarios += 1;
                let fallback = format!("{}-{}", story.id, story.scenarios);
                (vec![story.id.clone()], fallback, story.test.clone())
            }
            None => (Vec::new(), format!("AS-{line}"), None),
        };
        self.found.items.push(Item {
            line,
            last: line,
            fallback,
            statement: steps.sentence(),
            outcome: steps.outcome(),
            remark: test.map(|test| say!(self.lang, "independent test: {test}", "独立测试：{test}")),
            section: Some(scenario_dimension(self.lang)),
            covers,
            ..Item::default()
        });
        self.open = Open::Steps;
    }

    /// `and` in a line of its own below a scenario.
    fn more_steps(&mut self, line: u32, text: &str) {
        if let Some(item) = self.found.items.last_mut() {
            let more = plain(text);
            item.statement = format!("{}, {more}", item.statement);
            item.outcome = item.outcome.as_ref().map(|outcome| format!("{outcome}, {more}"));
            item.last = line;
        }
    }

    /// An edge case: a question is open, a sentence is a requirement.
    fn edge_case(&mut self, line: u32, text: &str) {
        self.edge_cases += 1;
        let text = plain(text);
        let is_question = text.ends_with(['?', '？']);
        self.found.items.push(Item {
            line,
            last: line,
            fallback: format!("EC-{}", self.edge_cases),
            open: is_question.then(|| text.clone()),
            statement: text,
            ..Item::default()
        });
        self.open = Open::Item;
    }

    fn left_out(&mut self, line: u32, text: &str) {
        let (lang, text) = (self.lang, crate::write::shown(&plain(text)));
        let message = say!(
            lang,
            "an item without an id, such as FR-001, is not read as a requirement: “{text}”",
            "没有 FR-001 之类编号的条目不作为需求读取：“{text}”"
        );
        self.report(line, message);
    }

    fn beside(&mut self, line: u32) {
        if std::mem::replace(&mut self.told_beside, true) {
            return;
        }
        let (lang, heading) = (self.lang, crate::write::shown(&self.heading));
        let message = say!(
            lang,
            "the section “{heading}” asks for nothing, and was not carried over",
            "“{heading}”一节没有提出要求，未导入"
        );
        self.report(line, message);
    }

    fn report(&mut self, line: u32, message: String) {
        let code = Code::ImportLeftOut;
        self.found.findings.push(Problem::new(code, message, code.help(self.lang)).at(place(line)));
    }
}

/// The text after a label such as `Input:`.
fn labelled<'t>(text: &'t str, labels: &[&str]) -> Option<&'t str> {
    labels.iter().find_map(|label| {
        let rest = text.strip_prefix(label)?;
        rest.strip_prefix([':', '：']).map(str::trim)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_compile() {
        assert!(NUMBERED.is_some() && STORY.is_some());
    }

    #[test]
    fn nothing_that_is_asked_for_vanishes() {
        let text = "# Feature Specification: X\n\n## Requirements\n\n- **FR-001**: System MUST do one.\n\
            > - **FR-008**: System MUST do eight.\n\n| ID | Requirement |\n|---|---|\n\
            | FR-022 | System MUST do twenty-two |\n| FR-001 | US1 |\n| - | rows SHALL be told |\n\n\
            ### FR-020: System MUST do twenty\n\n- The system MUST encrypt data.\n\nAnd more of it.\n\n\
            #### 验收标准\n\n- **验收-01**：冷启动不超过 800 毫秒\n\n## Notes\n\n- 用户必须能退出登录\n\
            The app must start.\n\n### It shall end\n";
        let found = read(text, Lang::En);
        let items: Vec<String> = found
            .items
            .iter()
            .map(|i| format!("{} {}", i.id.as_deref().unwrap_or("-"), i.statement))
            .collect();
        assert_eq!(
            items,
            [
                "FR-001 System MUST do one.",
                "FR-008 System MUST do eight.",
                "FR-022 System MUST do twenty-two",
                "FR-020 System MUST do twenty The system MUST encrypt data. And more of it.",
            ]
        );
        let named: Vec<&str> = found.findings.iter().map(|finding| finding.message.as_str()).collect();
        for part in
            ["rows SHALL be told", "冷启动不超过", "用户必须能退出登录", "The app must start", "It shall end"]
        {
            assert!(named.iter().any(|message| message.contains(part)), "{part}: {named:?}");
        }
    }

    #[test]
    fn numbered_items() {
        for (text, id, rest) in [
            ("**FR-001**: System MUST x", "FR-001", "System MUST x"),
            ("FR-001: x", "FR-001", "x"),
            ("**SC-002:** 启动 ≤ 2 s", "SC-002", "启动 ≤ 2 s"),
            ("**NFR-P-3** — no", "NFR-P-3", "— no"),
            ("**R-1** a person", "R-1", "a person"),
        ] {
            assert_eq!(numbered(text), Some((id.to_owned(), rest.to_owned())), "{text}");
        }
        for text in ["A person", "see FR-001", "**Bold**: text", "UTF-8 text"] {
            let found = numbered(text);
            assert!(found.is_none() || text.starts_with("UTF"), "{text}: {found:?}");
        }
    }
}
