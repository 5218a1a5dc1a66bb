//! Given, when, then: the keywords of scenarios in both languages.

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Given,
    When,
    Then,
    /// More of the step before.
    And,
}

/// The keywords; of those that begin alike the longer comes first.
const KEYWORDS: [(&str, Step); 25] = [
    ("given", Step::Given),
    ("when", Step::When),
    ("then", Step::Then),
    ("and", Step::And),
    ("but", Step::And),
    ("假设", Step::Given),
    ("假如", Step::Given),
    ("假定", Step::Given),
    ("给定", Step::Given),
    ("前提", Step::Given),
    ("當", Step::When),
    ("当", Step::When),
    ("那么", Step::Then),
    ("那麼", Step::Then),
    ("那麽", Step::Then),
    ("则", Step::Then),
    ("而且", Step::And),
    ("并且", Step::And),
    ("並且", Step::And),
    ("同时", Step::And),
    ("同時", Step::And),
    ("但是", Step::And),
    ("且", Step::And),
    ("*", Step::And),
    ("假設", Step::Given),
];

/// The step that a text begins with, and the text without the keyword. Marks of emphasis around the keyword are dropped.
pub(crate) fn step(text: &str) -> Option<(Step, &str)> {
    let bare = text.trim_start().trim_start_matches("**").trim_start_matches("__");
    KEYWORDS.iter().find_map(|(word, step)| {
        let head = bare.get(..word.len())?;
        if !head.eq_ignore_ascii_case(word) {
            return None;
        }
        let rest = bare.get(word.len()..)?;
        // 当前 is no keyword.
        if *word == "当" && rest.starts_with(['前', '天', '日', '地', '然', '中']) {
            return None;
        }
        let ends = !word.is_ascii() || rest.is_empty() || rest.starts_with(|c: char| !c.is_alphanumeric());
        let is_marked = *word != "*" || rest.starts_with(' ');
        let rest = rest.trim_start_matches(['*', '_']).trim_start_matches([':', '：', ',', '，']).trim();
        (ends && is_marked).then_some((*step, rest.trim_start_matches("**").trim()))
    })
}

/// The steps of one scenario, in its words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    parts: Vec<(Step, String)>,
}

impl Steps {
    /// Adds a step as it is written, keyword included.
    pub(crate) fn add(&mut self, step: Step, text: String) {
        let step = match step {
            Step::And => self.parts.last().map_or(Step::Given, |(before, _)| *before),
            other => other,
        };
        self.parts.push((step, text));
    }

    /// More of the last step, as a line of its own.
    pub(crate) fn extend(&mut self, text: &str) {
        if let Some((_, last)) = self.parts.last_mut() {
            last.push('\n');
            last.push_str(text);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// These steps after others.
    pub(crate) fn after(&self, before: &Steps) -> Steps {
        Steps { parts: before.parts.iter().chain(&self.parts).cloned().collect() }
    }

    /// The same with every text changed.
    pub(crate) fn map(&self, change: impl Fn(&str) -> String) -> Steps {
        Steps { parts: self.parts.iter().map(|(step, text)| (*step, change(text))).collect() }
    }

    /// All steps as one sentence.
    pub(crate) fn sentence(&self) -> String {
        join(self.parts.iter().map(|(_, text)| text.as_str()))
    }

    /// What is to be seen at the end; none where the scenario asks for nothing.
    pub(crate) fn outcome(&self) -> Option<String> {
        let outcome: Vec<&str> = self
            .parts
            .iter()
            .filter(|(step, _)| *step == Step::Then)
            .map(|(_, text)| text.as_str())
            .collect();
        (!outcome.is_empty()).then(|| join(outcome.into_iter()))
    }
}

fn join<'a>(parts: impl Iterator<Item = &'a str>) -> String {
    let mut sentence = String::new();
    for part in parts {
        let part = part.trim().trim_end_matches([',', '，', ';', '；', '。']);
        let part = if sentence.is_empty() { part.to_owned() } else { format!("{}{part}", comma(&sentence)) };
        sentence.push_str(&part);
    }
    sentence
}

/// The comma that goes on after a text.
fn comma(text: &str) -> &'static str {
    if text.ends_with(|c: char| c.is_ascii()) { ", " } else { "，" }
}

/// The steps of one line: `**Given** a, **When** b, **Then** c`, 假如…，当…，那么….
pub(crate) fn of_line(line: &str) -> Option<Steps> {
    let (first, _) = step(line)?;
    if first == Step::And {
        return None;
    }
    let mut steps = Steps::default();
    let mut open = String::new();
    let mut current = first;
    for piece in pieces(line) {
        match step(&piece) {
            Some((next, _)) if !open.is_empty() => {
                steps.add(current, crate::markdown::plain(&open));
                (open, current) = (piece, next);
            }
            _ => open.push_str(&piece),
        }
    }
    steps.add(current, crate::markdown::plain(&open));
    (steps.outcome().is_some()).then_some(steps)
}

/// A line cut behind its commas and before its bold words.
fn pieces(line: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let letters: Vec<char> = line.chars().collect();
    let mut in_bold = false;
    for (at, letter) in letters.iter().enumerate() {
        let is_bold = *letter == '*' && letters.get(at + 1) == Some(&'*');
        if is_bold {
            in_bold = !in_bold;
            if in_bold {
                pieces.push(String::new());
            }
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(*letter);
        }
        if matches!(letter, ',' | '，' | '；' | ';' | '。') {
            pieces.push(String::new());
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_a_line() {
        for (line, sentence, outcome) in [
            (
                "**Given** a user, **When** they tap Save, **Then** the note is kept",
                "Given a user, When they tap Save, Then the note is kept",
                "Then the note is kept",
            ),
            (
                "Given a, b and c, when d, then e, and f",
                "Given a, b and c, when d, then e, and f",
                "then e, and f",
            ),
            (
                "假如已登录，当点“退出”，那么回到首页，并且清空数据",
                "假如已登录，当点“退出”，那么回到首页，并且清空数据",
                "那么回到首页，并且清空数据",
            ),
        ] {
            let steps = of_line(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(steps.sentence(), sentence);
            assert_eq!(steps.outcome().as_deref(), Some(outcome));
        }
        for line in
            ["Whenever it rains", "Given only this", "no steps, then nothing", "并且", "当前页面，那么"]
        {
            assert!(of_line(line).is_none(), "{line}");
        }
    }
}
