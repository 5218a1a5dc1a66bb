//! A draft as the YAML of a pack: what an author opens, with the line that each thing comes from beside it.

use std::fmt::Write as _;

use gate::lang::Lang;
use gate::pack::{Assertion, Dimension, Expected, Scalar, Weight};
use gate::say;

use crate::draft::{Draft, DraftCriterion, DraftRequirement, Verify};
use crate::{Settings, Source};

/// The YAML of a draft.
pub fn write(draft: &Draft, source: &Source<'_>, settings: &Settings<'_>) -> String {
    let lang = settings.lang;
    let lines: Vec<&str> = source.text.lines().collect();
    let mut page = Page { text: String::new(), file: source.file, lines, lang };
    page.head(draft, settings.feature);
    page.requirements(&draft.requirements);
    page.text.push_str("\ncriteria:");
    if draft.criteria.is_empty() {
        page.text.push_str(" []");
    }
    page.text.push('\n');
    for (index, criterion) in draft.criteria.iter().enumerate() {
        if index > 0 {
            page.text.push('\n');
        }
        page.criterion(criterion);
    }
    page.text
}

struct Page<'a> {
    text: String,
    file: &'a str,
    lines: Vec<&'a str>,
    lang: Lang,
}

impl Page<'_> {
    fn line(&mut self, indent: usize, line: &str) {
        // Writing to a String does not fail.
        let _ = writeln!(self.text, "{:indent$}{line}", "");
    }

    fn head(&mut self, draft: &Draft, feature: &str) {
        let (lang, file) = (self.lang, shown(self.file));
        self.line(0, "# yaml-language-server: $schema=../../docs/schemas/pack.schema.json");
        self.line(0, &say!(lang, "# Imported from {file}. What its text does not say was left to you; each comment names the line.", "# 由 {file} 导入。原文没有写的内容留待作者填写；注释标明了所在行。"));
        self.line(
            0,
            &say!(
                lang,
                "# Check it with `cargo xtask check {feature}`.",
                "# 检查：`cargo xtask check {feature}`。"
            ),
        );
        self.line(0, "");
        self.line(0, &format!("feature: {feature}"));
        if let Some(title) = &draft.title {
            self.line(0, &format!("title: {}", text(title)));
        }
        if let Some(goal) = &draft.goal {
            self.line(0, &format!("goal: {}", text(goal)));
        }
        if !draft.out_of_scope.is_empty() {
            self.line(0, "outOfScope:");
        }
        for (aspect, reason) in &draft.out_of_scope {
            self.line(2, &format!("{aspect}: {}", text(reason)));
        }
    }

    fn requirements(&mut self, requirements: &[DraftRequirement]) {
        if requirements.is_empty() {
            return;
        }
        self.line(0, "");
        self.line(0, "requirements:");
        for requirement in requirements {
            self.line(2, &format!("# {}:{}", shown(self.file), requirement.line));
            if let Some(reason) = &requirement.unmet {
                let note = say!(self.lang, "# no criterion: {reason}", "# 没有标准：{reason}");
                self.line(2, &shown(&note));
            }
            self.line(2, &format!("- id: {}", text(&requirement.id)));
            self.line(4, &format!("text: {}", text(&requirement.text)));
        }
    }

    fn criterion(&mut self, criterion: &DraftCriterion) {
        self.source(criterion);
        self.line(2, &format!("- id: {}", text(&criterion.id)));
        self.dimension(criterion.dimension.as_ref());
        self.line(4, &format!("statement: {}", text(&criterion.statement)));
        self.verify(criterion);
        let (weight, by) = &criterion.weight;
        let word = match weight {
            Weight::Must => "must",
            Weight::Should => "should",
        };
        self.line(4, &commented(&format!("weight: {word}"), by));
        if let Some(rule) = &criterion.rule_id {
            self.line(4, &format!("ruleId: {}", text(rule)));
        }
        if !criterion.covers.is_empty() {
            let ids: Vec<String> = criterion.covers.iter().map(|id| quoted(id)).collect();
            self.line(4, &format!("covers: [{}]", ids.join(", ")));
        }
        if let Some(assertion) = &criterion.assertion {
            self.assertion(assertion, criterion.read_from.as_deref());
        }
        if let Some(remark) = &criterion.remark {
            self.line(4, &format!("# {}", shown(remark)));
        }
        if let Some(probe) = &criterion.probe {
            self.line(4, "probe:");
            self.line(6, &format!("evidence: {}", text(&probe.evidence)));
            self.line(6, &format!("reader: {}", text(&probe.reader)));
            let with: Vec<String> =
                probe.with.iter().map(|(name, value)| format!("{}: {}", quoted(name), flow(value))).collect();
            if !with.is_empty() {
                self.line(6, &format!("with: {{ {} }}", with.join(", ")));
            }
        }
        if criterion.held_out {
            self.line(4, "heldOut: true");
        }
    }

    /// Where it comes from, with the first line as it stands there.
    fn source(&mut self, criterion: &DraftCriterion) {
        let index = usize::try_from(criterion.line).unwrap_or(1).saturating_sub(1);
        let original = self.lines.get(index).map(|line| shown(line.trim())).unwrap_or_default();
        let place = match criterion.last > criterion.line {
            true => format!("{}-{}", criterion.line, criterion.last),
            false => criterion.line.to_string(),
        };
        self.line(2, format!("# {}:{place}: {original}", shown(self.file)).trim_end());
    }

    fn dimension(&mut self, dimension: Option<&(Dimension, String)>) {
        match dimension {
            Some((dimension, by)) => {
                let line = commented(&format!("dimension: {}", word(*dimension)), by);
                self.line(4, &line);
            }
            None => {
                let choose = self.lang.pick(
                    "# dimension: choose function, aesthetic, performance or accessibility; the text does not say",
                    "# dimension: 请从 function、aesthetic、performance、accessibility 中选择；原文没有写明",
                );
                self.line(4, choose);
            }
        }
    }

    fn verify(&mut self, criterion: &DraftCriterion) {
        let (lang, file, line) = (self.lang, self.file, criterion.line);
        let verify = match &criterion.verify {
            Verify::Said(verify) => verify.clone(),
            Verify::Steps(outcome) => say!(
                lang,
                "Do the steps of {file}:{line} and look whether: {outcome}",
                "按 {file}:{line} 的步骤操作，看是否：{outcome}"
            ),
            Verify::Unsaid => say!(
                lang,
                "{file}:{line}; how it is checked is not said there.",
                "见 {file}:{line}；原文没有写明如何检查。"
            ),
            Verify::Absent => return,
        };
        self.line(4, &format!("verify: {}", text(&verify)));
    }

    fn assertion(&mut self, assertion: &Assertion, read_from: Option<&str>) {
        let lang = self.lang;
        if let Some(words) = read_from {
            let words = shown(words);
            let note = say!(
                lang,
                "# Proposed, read out of “{words}”: compare, name its source, then remove `proposed`.",
                "# 建议，读自“{words}”：请核对并写明 source，然后删除 `proposed`。"
            );
            self.line(4, &note);
        }
        self.line(4, "assertion:");
        self.line(6, &format!("matcher: {}", assertion.matcher.word()));
        match &assertion.expected {
            Some(Expected::One(value)) => self.line(6, &format!("expected: {}", flow(value))),
            Some(Expected::Many(values)) => {
                let values: Vec<String> = values.iter().map(flow).collect();
                self.line(6, &format!("expected: [{}]", values.join(", ")));
            }
            None => {}
        }
        let texts = [("unit", &assertion.unit), ("source", &assertion.source)];
        for (name, value) in texts {
            if let Some(value) = value {
                self.line(6, &format!("{name}: {}", text(value)));
            }
        }
        if assertion.not {
            self.line(6, "not: true");
        }
        if let Some(aggregate) = assertion.aggregate {
            self.line(6, &format!("aggregate: {}", aggregate.word()));
        }
        if let Some(samples) = assertion.min_samples {
            self.line(6, &format!("minSamples: {samples}"));
        }
        if let Some(tolerance) = &assertion.tolerance {
            self.line(6, &format!("tolerance: {}", flow(tolerance)));
        }
        if assertion.proposed {
            self.line(6, "proposed: true");
        }
    }
}

/// The word of a dimension in packs.
pub(crate) fn word(dimension: Dimension) -> &'static str {
    gate::pack::Aspect::from(dimension).word()
}

fn commented(line: &str, comment: &str) -> String {
    match comment {
        "" => line.to_owned(),
        comment => format!("{line} # {}", shown(comment)),
    }
}

fn flow(value: &Scalar) -> String {
    match value {
        Scalar::Bool(value) => value.to_string(),
        Scalar::Number(number) => number.clone(),
        Scalar::Text(text) => quoted(text),
    }
}

/// A text as a plain scalar where nobody could read it as anything else, and in quotes otherwise.
fn text(value: &str) -> String {
    let begins = value.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || is_han(c));
    let is_word = value
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || is_han(c) || " -_./()，。、；？！“”（）≤≥%".contains(c));
    let is_keyword = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let is_taken = is_keyword.iter().any(|word| value.eq_ignore_ascii_case(word));
    let is_safe = begins && is_word && !is_taken && !value.ends_with(' ');
    if is_safe { value.to_owned() } else { quoted(value) }
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}')
}

/// A text in double quotes, on one line.
fn quoted(value: &str) -> String {
    let mut line = String::from('"');
    for c in value.chars() {
        match c {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            hidden if is_unprintable(hidden) => {
                let _ = match u32::from(hidden) {
                    code @ ..=0xFFFF => write!(line, "\\u{code:04X}"),
                    code => write!(line, "\\U{code:08X}"),
                };
            }
            plain => line.push(plain),
        }
    }
    line.push('"');
    line
}

/// What YAML does not show, or takes for the end of a line.
fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' | '\u{200b}'..='\u{200f}'
        )
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{ad}')
}

/// The longest quotation in a comment or a message, in characters.
const MOST_SHOWN: usize = 300;

/// A text on one line of a comment or a message: what cannot be seen is replaced, what is long is cut.
pub(crate) fn shown(text: &str) -> String {
    let mut line: String = text
        .chars()
        .take(MOST_SHOWN)
        .map(|c| if c == '\n' || c == '\t' { ' ' } else { c })
        .map(|c| if is_unprintable(c) { '\u{fffd}' } else { c })
        .collect();
    if text.chars().nth(MOST_SHOWN).is_some() {
        line.push('…');
    }
    line
}
