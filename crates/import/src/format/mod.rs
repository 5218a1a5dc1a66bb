//! The formats: one reader each, and which of them a text is in.

pub(crate) mod article;
mod gherkin;
mod goal;
mod lighthouse;
mod openspec;
mod speckit;
mod table;

use gate::lang::Lang;
use gate::problem::Problem;

use crate::Source;
use crate::item::{Items, Said};

/// How a file writes requirements down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `spec.md` of GitHub's Spec Kit.
    SpecKit,
    /// A specification, or a change to one, of OpenSpec.
    OpenSpec,
    /// A `.feature` file.
    Gherkin,
    /// `spec.md` as DevEco Code's Goal mode works on it, and as freezing writes it.
    Goal,
    /// `lighthouserc.json`: the assertions of Lighthouse CI.
    Lighthouse,
    /// A table of acceptance criteria, in CSV or Markdown.
    Table,
    /// A pack in the JSON of the article that this project implements.
    Article,
}

impl Format {
    /// All of them, in the order of `--help`.
    pub const ALL: [Format; 7] = [
        Format::SpecKit,
        Format::OpenSpec,
        Format::Gherkin,
        Format::Goal,
        Format::Lighthouse,
        Format::Table,
        Format::Article,
    ];

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Format::SpecKit => "spec-kit",
            Format::OpenSpec => "openspec",
            Format::Gherkin => "gherkin",
            Format::Goal => "goal",
            Format::Lighthouse => "lighthouse",
            Format::Table => "table",
            Format::Article => "article",
        }
    }

    /// The format of a word.
    pub fn from_word(word: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.word() == word)
    }

    /// Whether the text is JSON or YAML, which has to be parsed before it is read here.
    pub fn is_document(self) -> bool {
        matches!(self, Format::Lighthouse | Format::Article)
    }

    /// What the reader looks for.
    pub fn looks_for(self, lang: Lang) -> &'static str {
        match self {
            Format::SpecKit => lang.pick(
                "items such as `- **FR-001**: System MUST …`, `- **SC-001**: …`, and acceptance scenarios with given, when, then",
                "`- **FR-001**: …`、`- **SC-001**: …` 之类的条目，以及含 Given、When、Then 的验收场景",
            ),
            Format::OpenSpec => lang.pick(
                "headings such as `### Requirement: …` and `#### Scenario: …`",
                "`### Requirement: …` 与 `#### Scenario: …` 标题",
            ),
            Format::Gherkin => lang.pick(
                "`Feature:` or 功能: with scenarios",
                "`Feature:` 或 `功能:` 及其场景",
            ),
            Format::Goal => lang.pick(
                "the criteria of a frozen spec.md, or items such as `- **FR-001** …`",
                "冻结生成的 spec.md 中的标准，或 `- **FR-001** …` 之类的条目",
            ),
            Format::Lighthouse => lang.pick("`ci.assert.assertions`", "`ci.assert.assertions`"),
            Format::Table => lang.pick(
                "a table with a column of statements, such as `statement` or 验收标准",
                "含有 `验收标准` 或 `statement` 之类列的表格",
            ),
            Format::Article => lang.pick("a list of criteria", "标准的列表"),
        }
    }

    /// What the file says.
    pub(crate) fn read(self, source: &Source<'_>, lang: Lang) -> Result<Items, Vec<Problem>> {
        match self {
            Format::SpecKit => Ok(speckit::read(source.text, lang)),
            Format::OpenSpec => Ok(openspec::read(source.text, lang)),
            Format::Gherkin => gherkin::read(source, lang),
            Format::Goal => Ok(goal::read(source.text, lang)),
            Format::Lighthouse => Ok(lighthouse::read(source, lang)),
            Format::Table => table::read(source, lang),
            // A pack is decoded, not read for its words.
            Format::Article => Ok(Items::default()),
        }
    }
}

/// The format that a text shows by what is in it; none where it shows none or the name alone would have to decide.
pub fn detect(file: &str, text: &str) -> Option<Format> {
    let name = file.to_lowercase();
    let begins = |marks: &[&str]| {
        text.lines().any(|line| marks.iter().any(|mark| line.trim_start().starts_with(mark)))
    };
    if name.ends_with(".json") || name.ends_with(".yaml") || name.ends_with(".yml") {
        let is_lighthouse = text.contains("\"assert\"") || begins(&["assert:"]);
        return match (is_lighthouse, text.contains("\"statement\"") || text.contains("statement:")) {
            (true, _) => Some(Format::Lighthouse),
            (false, true) => Some(Format::Article),
            (false, false) => None,
        };
    }
    if name.ends_with(".csv") || name.ends_with(".tsv") {
        return Some(Format::Table);
    }
    if name.ends_with(".feature") {
        return Some(Format::Gherkin);
    }
    if begins(&["### Requirement:", "### 需求：", "### 需求:", "#### Scenario:"]) {
        return Some(Format::OpenSpec);
    }
    if goal::is_frozen(text) {
        return Some(Format::Goal);
    }
    if speckit::holds_items(text) {
        return Some(Format::SpecKit);
    }
    if begins(&["Feature:", "功能:", "功能："]) {
        return Some(Format::Gherkin);
    }
    table::holds_table(text).then_some(Format::Table)
}

/// That a scenario describes what the feature does.
pub(crate) fn scenario_dimension(lang: Lang) -> Said<gate::pack::Dimension> {
    let by = lang.pick("a scenario says what the feature does", "场景描述的是功能行为").to_owned();
    Said { value: gate::pack::Dimension::Function, by }
}
