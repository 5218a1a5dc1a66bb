//! OpenSpec: requirements with scenarios, in a specification or in a change to one.

use gate::code::Code;
use gate::lang::Lang;
use gate::problem::Problem;
use gate::say;

use super::scenario_dimension;
use crate::item::{Heading, Item, Items};
use crate::markdown::{Kind, Line, demands, is_rule, joined, lines, plain};
use crate::place;
use crate::propose::{Proposal, propose};
use crate::steps::{Steps, of_line, step};
use crate::weight;

pub(super) fn read(text: &str, lang: Lang) -> Items {
    let mut reader = Reader {
        lang,
        found: Items { are_requirements: true, ..Items::default() },
        is_purpose: false,
        change: Change::Whole,
        requirement: None,
        scenario: None,
    };
    for line in &joined(lines(text)) {
        reader.line(line);
    }
    reader.end_requirement();
    reader.found
}

/// What a section does with its requirements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// Asks for them: a whole specification, or what is added or modified.
    Whole,
    Removed,
    Renamed,
}

struct Requirement {
    line: u32,
    last: u32,
    id: String,
    name: String,
    body: String,
    scenarios: usize,
}

struct Scenario {
    line: u32,
    last: u32,
    name: String,
    steps: Steps,
}

struct Reader {
    lang: Lang,
    found: Items,
    is_purpose: bool,
    change: Change,
    requirement: Option<Requirement>,
    scenario: Option<Scenario>,
}

impl Reader {
    fn line(&mut self, line: &Line) {
        match &line.kind {
            Kind::Heading(level, title) => self.heading(line.number, *level, &plain(title)),
            Kind::Item(_, text) | Kind::Text(_, text) => self.text(line.number, text),
            Kind::Row(cells) => self.row(line.number, cells),
            Kind::Blank => {}
        }
    }

    /// A row of a table is a part of its requirement.
    fn row(&mut self, line: u32, cells: &[String]) {
        if !is_rule(cells) {
            self.text(line, &cells.join(" | "));
        }
    }

    fn heading(&mut self, line: u32, level: usize, title: &str) {
        if let Some(name) = after(title, level, &["Requirement", "需求"]).filter(|_| level >= 2) {
            self.end_requirement();
            return self.begin_requirement(line, name);
        }
        if let Some(name) = after(title, level, &["Scenario", "场景"]) {
            self.end_scenario();
            let steps = Steps::default();
            self.scenario = Some(Scenario { line, last: line, name: name.to_owned(), steps });
            return;
        }
        if level > 2 {
            if demands(title) {
                self.text(line, title);
            }
            return;
        }
        self.end_requirement();
        let lower = title.to_lowercase();
        self.is_purpose = lower == "purpose" || title == "目的";
        self.change = match () {
            () if lower.starts_with("removed") || title.starts_with("移除") || title.starts_with("删除") => {
                Change::Removed
            }
            () if lower.starts_with("renamed") || title.starts_with("重命名") => Change::Renamed,
            () => Change::Whole,
        };
        if level == 1 && self.found.title.is_none() && !title.is_empty() {
            self.found.title = Some(title.to_owned());
        }
    }

    fn begin_requirement(&mut self, line: u32, name: &str) {
        if name.is_empty() {
            let message = self.lang.pick("a requirement has no name", "需求没有名称");
            return self.left_out(line, message.to_owned());
        }
        let what = match self.change {
            Change::Whole => {
                let id = format!("R-{}", self.found.requirements.len() + 1);
                let (name, body) = (name.to_owned(), String::new());
                self.requirement = Some(Requirement { line, last: line, id, name, body, scenarios: 0 });
                return;
            }
            Change::Removed => self.lang.pick("the change removes it", "该变更将其移除"),
            Change::Renamed => self.lang.pick("the change only renames it", "该变更只是改名"),
        };
        let (lang, name) = (self.lang, crate::write::shown(name));
        self.left_out(
            line,
            say!(lang, "the requirement “{name}” was not carried over: {what}", "需求“{name}”未导入：{what}"),
        );
    }

    fn text(&mut self, line: u32, text: &str) {
        if let Some(scenario) = &mut self.scenario {
            scenario.last = line;
            match (step(text), of_line(text)) {
                (_, Some(steps)) if scenario.steps.is_empty() => scenario.steps = steps,
                // A keyword alone, as a template has it, says nothing.
                (Some((_, "")), _) => {}
                (Some((kind, _)), _) => scenario.steps.add(kind, plain(text)),
                (None, _) => scenario.steps.extend(&plain(text)),
            }
            return;
        }
        if self.change == Change::Renamed {
            let (lang, text) = (self.lang, crate::write::shown(&plain(text)));
            return self.left_out(
                line,
                say!(lang, "a renaming was not carried over: “{text}”", "改名未导入：“{text}”"),
            );
        }
        if let Some(requirement) = &mut self.requirement {
            requirement.last = line;
            let gap = if requirement.body.is_empty() { "" } else { " " };
            requirement.body.push_str(gap);
            requirement.body.push_str(&plain(text));
        } else if self.is_purpose {
            let goal = self.found.goal.get_or_insert_default();
            let gap = if goal.is_empty() { "" } else { "\n" };
            goal.push_str(gap);
            goal.push_str(&plain(text));
        } else if self.change == Change::Whole && demands(text) {
            let (lang, text) = (self.lang, crate::write::shown(&plain(text)));
            let message =
                say!(lang, "this stands under no requirement: “{text}”", "这句话不属于任何需求：“{text}”");
            self.left_out(line, message);
        }
    }

    fn end_scenario(&mut self) {
        let Some(scenario) = self.scenario.take() else { return };
        let Some(requirement) = &mut self.requirement else {
            if self.change == Change::Whole {
                let (lang, name) = (self.lang, crate::write::shown(&scenario.name));
                let message = say!(
                    lang,
                    "the scenario “{name}” stands under no requirement",
                    "场景“{name}”不属于任何需求"
                );
                self.left_out(scenario.line, message);
            }
            return;
        };
        let Some(outcome) = scenario.steps.outcome() else {
            let (lang, name) = (self.lang, crate::write::shown(&scenario.name));
            let message = say!(
                lang,
                "the scenario “{name}” has no THEN: there is nothing to look for",
                "场景“{name}”没有 THEN：没有可检查的结果"
            );
            return self.left_out(scenario.line, message);
        };
        requirement.scenarios += 1;
        let sentence = scenario.steps.sentence();
        let name = scenario.name.trim();
        let statement = match name {
            "" => sentence,
            name => format!("{name}{}{sentence}", if name.is_ascii() { ": " } else { "：" }),
        };
        self.found.items.push(Item {
            line: scenario.line,
            last: scenario.last,
            fallback: format!("{}.{}", requirement.id, requirement.scenarios),
            statement,
            outcome: Some(outcome),
            weight: weight::of_statement(&requirement.body),
            section: Some(scenario_dimension(self.lang)),
            covers: vec![requirement.id.clone()],
            ..Item::default()
        });
    }

    /// The requirement, and a criterion of its own sentence where no scenario stands for it or it states a number.
    fn end_requirement(&mut self) {
        self.end_scenario();
        let Some(requirement) = self.requirement.take() else { return };
        let text = match requirement.body.as_str() {
            "" => requirement.name.clone(),
            body => {
                format!("{}{}{body}", requirement.name, if requirement.name.is_ascii() { ": " } else { "：" })
            }
        };
        let is_measured = matches!(propose(&requirement.body), Proposal::One(..));
        if requirement.scenarios == 0 || is_measured {
            let body = if requirement.body.is_empty() { &requirement.name } else { &requirement.body };
            self.found.items.push(Item {
                line: requirement.line,
                last: requirement.last,
                fallback: requirement.id.clone(),
                statement: body.clone(),
                covers: vec![requirement.id.clone()],
                ..Item::default()
            });
        }
        self.found.requirements.push(Heading { line: requirement.line, id: requirement.id, text });
    }

    fn left_out(&mut self, line: u32, message: String) {
        let code = Code::ImportLeftOut;
        self.found.findings.push(Problem::new(code, message, code.help(self.lang)).at(place(line)));
    }
}

/// What follows `Requirement:` in a heading, with the colon, or a space below a section.
fn after<'t>(title: &'t str, level: usize, words: &[&str]) -> Option<&'t str> {
    let name = |word: &&str| {
        let rest = title.strip_prefix(*word)?;
        let named = rest.trim_start().strip_prefix([':', '：']);
        let apart = || Some(rest).filter(|rest| level > 2 && rest.starts_with(char::is_whitespace));
        named.or_else(apart)
    };
    words.iter().find_map(name).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_asked_for_vanishes() {
        let text = "# cart Specification\n## Requirements\nThe app SHALL open.\n### Requirement: Add items\n\
            The system SHALL add items.\n| a | SHALL b |\n#### Scenario Add one\n- **WHEN** the user taps add\n\
            - **THEN** the badge shows 1\n### Requirement 删除商品\n系统必须在 2 秒内删除。\n";
        let found = read(text, Lang::En);
        let names: Vec<&str> = found.requirements.iter().map(|known| known.text.as_str()).collect();
        assert_eq!(
            names,
            ["Add items: The system SHALL add items. a | SHALL b", "删除商品：系统必须在 2 秒内删除。"]
        );
        assert_eq!(found.items.len(), 2);
        assert!(found.findings.iter().any(|finding| finding.message.contains("The app SHALL open")));
    }
}
