//! Gherkin: scenarios as criteria, with the steps of their backgrounds. Keywords in English and Chinese.

use gate::code::Code;
use gate::lang::Lang;
use gate::pack::Dimension;
use gate::problem::Problem;
use gate::say;

use super::scenario_dimension;
use crate::item::{Heading, Item, Items, Said};
use crate::steps::{Steps, step};
use crate::{Source, dimension, place, weight};

/// The languages whose keywords are known; `zh` is accepted for either.
const LANGUAGES: [&str; 4] = ["en", "zh-cn", "zh-tw", "zh"];

/// What a line with a colon begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Feature,
    Rule,
    Background,
    Scenario,
    Outline,
    Examples,
}

const BLOCKS: [(&str, Block); 25] = [
    ("Feature", Block::Feature),
    ("Business Need", Block::Feature),
    ("Ability", Block::Feature),
    ("功能", Block::Feature),
    ("Rule", Block::Rule),
    ("规则", Block::Rule),
    ("規則", Block::Rule),
    ("Background", Block::Background),
    ("背景", Block::Background),
    ("Scenario Outline", Block::Outline),
    ("Scenario Template", Block::Outline),
    ("场景大纲", Block::Outline),
    ("剧本大纲", Block::Outline),
    ("場景大綱", Block::Outline),
    ("劇本大綱", Block::Outline),
    ("Scenarios", Block::Examples),
    ("Examples", Block::Examples),
    ("例子", Block::Examples),
    ("Scenario", Block::Scenario),
    ("Example", Block::Scenario),
    ("场景", Block::Scenario),
    ("剧本", Block::Scenario),
    ("場景", Block::Scenario),
    ("劇本", Block::Scenario),
    ("示例", Block::Examples),
];

pub(super) fn read(source: &Source<'_>, lang: Lang) -> Result<Items, Vec<Problem>> {
    let mut reader = Reader::new(lang);
    for (index, raw) in source.text.lines().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        if let Some(language) = language(raw)
            && !LANGUAGES.contains(&language.to_lowercase().as_str())
        {
            let known = LANGUAGES.join(", ");
            let message = say!(
                lang,
                "the keywords of language `{language}` are not known here; known: {known}",
                "不认识语言 `{language}` 的关键字；可用：{known}"
            );
            let problem = Problem::new(Code::ImportNothing, message, Code::ImportNothing.help(lang));
            return Err(vec![problem.in_file(source.file).at(place(number))]);
        }
        reader.line(number, raw);
    }
    reader.end_scenario();
    Ok(reader.finish())
}

/// What `# language: zh-CN` says.
fn language(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("language")?.trim_start().strip_prefix(':')?;
    Some(rest.trim())
}

struct Scenario {
    line: u32,
    last: u32,
    name: String,
    tags: Vec<String>,
    steps: Steps,
    is_outline: bool,
    /// The heads and rows of its examples, with their lines.
    examples: Vec<Examples>,
}

#[derive(Default)]
struct Examples {
    head: Vec<String>,
    rows: Vec<(u32, Vec<String>)>,
}

struct Reader {
    lang: Lang,
    found: Items,
    block: Option<Block>,
    tags: Vec<String>,
    /// Of the feature, then of the rule.
    backgrounds: [Steps; 2],
    feature: Option<Heading>,
    feature_tags: Vec<String>,
    rule: Option<String>,
    rules: usize,
    scenario: Option<Scenario>,
    scenarios: usize,
    /// The marks that end a doc string.
    quote: Option<&'static str>,
    description: Vec<String>,
}

impl Reader {
    fn new(lang: Lang) -> Self {
        Reader {
            lang,
            found: Items { are_requirements: true, ..Items::default() },
            block: None,
            tags: Vec::new(),
            backgrounds: [Steps::default(), Steps::default()],
            feature: None,
            feature_tags: Vec::new(),
            rule: None,
            rules: 0,
            scenario: None,
            scenarios: 0,
            quote: None,
            description: Vec::new(),
        }
    }

    fn line(&mut self, number: u32, raw: &str) {
        let text = raw.trim();
        if let Some(mark) = self.quote {
            match text.starts_with(mark) {
                true => self.quote = None,
                false => self.more(number, text),
            }
            return;
        }
        if let Some(mark) = ["\"\"\"", "```"].into_iter().find(|mark| text.starts_with(mark)) {
            self.quote = Some(mark);
            return;
        }
        if text.is_empty() || text.starts_with('#') {
            return;
        }
        if text.starts_with('@') {
            let tags = text.split_whitespace().take_while(|tag| tag.starts_with('@'));
            self.tags.extend(tags.map(str::to_owned));
            return;
        }
        if let Some((block, name)) = block(text) {
            return self.begin(number, block, name);
        }
        if text.starts_with('|') {
            return self.row(number, text);
        }
        self.step(number, text);
    }

    fn begin(&mut self, number: u32, block: Block, name: &str) {
        let tags = std::mem::take(&mut self.tags);
        if block != Block::Examples {
            self.end_scenario();
        }
        self.block = Some(block);
        match block {
            Block::Feature => {
                self.feature_tags = tags;
                self.found.title.get_or_insert_with(|| name.to_owned());
                let text = if name.is_empty() { "–" } else { name };
                self.feature = Some(Heading { line: number, id: "R-0".to_owned(), text: text.to_owned() });
            }
            Block::Rule => {
                self.rules += 1;
                let id = format!("R-{}", self.rules);
                self.found.requirements.push(Heading { line: number, id: id.clone(), text: name.to_owned() });
                self.rule = Some(id);
                self.backgrounds[1] = Steps::default();
            }
            Block::Background => {}
            Block::Scenario | Block::Outline => {
                let (line, name) = (number, name.to_owned());
                let is_outline = block == Block::Outline;
                let steps = Steps::default();
                let examples = Vec::new();
                self.scenario = Some(Scenario { line, last: line, name, tags, steps, is_outline, examples });
            }
            Block::Examples => {
                if let Some(scenario) = &mut self.scenario {
                    scenario.is_outline = true;
                    scenario.examples.push(Examples::default());
                }
            }
        }
    }

    fn step(&mut self, number: u32, text: &str) {
        let found = step(text).map(|(step, _)| step);
        let target = match (self.block, &mut self.scenario) {
            (Some(Block::Scenario | Block::Outline), Some(scenario)) => {
                scenario.last = number;
                Some(&mut scenario.steps)
            }
            (Some(Block::Background), _) => self.backgrounds.get_mut(usize::from(self.rule.is_some())),
            _ => None,
        };
        match (target, found) {
            (Some(steps), Some(step)) => steps.add(step, one_line(text)),
            (None, _) if self.block == Some(Block::Feature) => self.description.push(text.to_owned()),
            // Descriptions of scenarios and rules say what a person reads, and ask for nothing.
            _ => {}
        }
    }

    /// A line of a doc string.
    fn more(&mut self, number: u32, text: &str) {
        if let (Some(Block::Scenario | Block::Outline), Some(scenario)) = (self.block, &mut self.scenario) {
            scenario.last = number;
            scenario.steps.extend(text);
        } else if self.block == Some(Block::Background)
            && let Some(steps) = self.backgrounds.get_mut(usize::from(self.rule.is_some()))
        {
            steps.extend(text);
        }
    }

    fn row(&mut self, number: u32, text: &str) {
        if self.block != Some(Block::Examples) {
            return self.more(number, text);
        }
        let cells = cells(text);
        let Some(scenario) = &mut self.scenario else { return };
        scenario.last = number;
        if let Some(examples) = scenario.examples.last_mut() {
            match examples.head.is_empty() {
                true => examples.head = cells,
                false => examples.rows.push((number, cells)),
            }
        }
    }

    fn end_scenario(&mut self) {
        let Some(scenario) = self.scenario.take() else { return };
        self.scenarios += 1;
        let number = self.scenarios;
        let [of_feature, of_rule] = &self.backgrounds;
        let steps = scenario.steps.after(&of_rule.after(of_feature));
        let lang = self.lang;
        let name = crate::write::shown(&scenario.name);
        if steps.outcome().is_none() {
            let message = say!(
                lang,
                "the scenario “{name}” has no step with then: there is nothing to look for",
                "场景“{name}”没有“那么”步骤：没有可检查的结果"
            );
            return self.left_out(scenario.line, message);
        }
        if !scenario.is_outline {
            return self.push(&scenario, &steps, &scenario.name, format!("S-{number}"), scenario.line);
        }
        let mut count = 0;
        for examples in &scenario.examples {
            for (line, cells) in &examples.rows {
                count += 1;
                let fill = |text: &str| {
                    examples.head.iter().zip(cells).fold(text.to_owned(), |text, (name, value)| {
                        text.replace(&format!("<{name}>"), value)
                    })
                };
                self.push(
                    &scenario,
                    &steps.map(fill),
                    &fill(&scenario.name),
                    format!("S-{number}.{count}"),
                    *line,
                );
            }
        }
        if count == 0 {
            let message = say!(
                lang,
                "the scenario outline “{name}” has no row of examples",
                "场景大纲“{name}”没有任何例子"
            );
            self.left_out(scenario.line, message);
        }
    }

    fn push(&mut self, scenario: &Scenario, steps: &Steps, name: &str, fallback: String, line: u32) {
        let tags = || self.feature_tags.iter().chain(&scenario.tags).rev();
        let of_tag = |tag: &String| Some(Said { value: dimension::named(tag)?, by: tag.clone() });
        let dimension: Option<Said<Dimension>> = tags().find_map(of_tag);
        let weight = tags().find_map(|tag| weight::of_priority(tag.trim_start_matches('@')));
        let sentence = steps.sentence();
        let statement = match name.trim() {
            "" => sentence,
            name => format!("{name}{}{sentence}", if name.is_ascii() { ": " } else { "：" }),
        };
        let covers = self.rule.clone().or_else(|| self.feature.as_ref().map(|feature| feature.id.clone()));
        self.found.items.push(Item {
            line,
            last: if line == scenario.line { scenario.last } else { line },
            fallback,
            statement,
            outcome: steps.outcome(),
            dimension,
            section: Some(scenario_dimension(self.lang)),
            weight,
            covers: covers.into_iter().collect(),
            ..Item::default()
        });
    }

    fn left_out(&mut self, line: u32, message: String) {
        let code = Code::ImportLeftOut;
        self.found.findings.push(Problem::new(code, message, code.help(self.lang)).at(place(line)));
    }

    /// The feature is a requirement where scenarios stand under it alone.
    fn finish(mut self) -> Items {
        let is_covered = |id: &str| self.found.items.iter().any(|item| item.covers.iter().any(|c| c == id));
        if let Some(feature) = self.feature.filter(|feature| is_covered(&feature.id)) {
            self.found.requirements.insert(0, feature);
        }
        if !self.description.is_empty() {
            self.found.goal = Some(self.description.join("\n"));
        }
        self.found
    }
}

fn block(text: &str) -> Option<(Block, &str)> {
    BLOCKS.iter().find_map(|(word, block)| {
        let rest = text.strip_prefix(word)?.trim_start().strip_prefix([':', '：'])?;
        Some((*block, rest.trim()))
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The cells of `| a | b |`.
fn cells(row: &str) -> Vec<String> {
    let inner = row.trim().trim_start_matches('|').trim_end_matches('|');
    let marked = inner.replace("\\|", "\u{0}");
    marked.split('|').map(|cell| cell.trim().replace('\u{0}', "|").replace("\\n", "\n")).collect()
}
