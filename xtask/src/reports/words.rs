//! Assertions, values and places as a person reads them.

use gate::check::Actual;
use gate::lang::Lang;
use gate::observation::{Answer, Observation, Place};
use gate::pack::{Probe, Scalar};
use gate::problem::Problem;
use gate::review::Loosening;
use gate::say;

pub use gate::assertion::shown as assertion;

/// A value as it was written.
pub fn scalar(value: &Scalar) -> String {
    match value {
        Scalar::Bool(value) => value.to_string(),
        Scalar::Number(text) | Scalar::Text(text) => text.clone(),
    }
}

/// What an auditor reported.
pub fn actual(actual: &Actual) -> String {
    match actual {
        Actual::Null => "null".to_owned(),
        Actual::One(value) => scalar(value),
        Actual::Many(values) => {
            let shown = values.iter().map(|value| value.as_ref().map_or_else(|| "null".to_owned(), scalar));
            format!("[{}]", shown.collect::<Vec<_>>().join(", "))
        }
    }
}

/// How many samples of a series are shown before the rest is counted.
const SHOWN: usize = 8;

/// What a probe answered.
pub fn answer(answer: &Answer, lang: Lang) -> String {
    match answer {
        Answer::Values { values } => {
            let shown: Vec<String> = values.iter().take(SHOWN).map(|value| reading(value, lang)).collect();
            let rest = values.len().saturating_sub(SHOWN);
            let more = if rest == 0 {
                String::new()
            } else {
                say!(lang, " and {rest} more", " 等另外 {rest} 个")
            };
            format!("{}{more}", shown.join(", "))
        }
        Answer::Nothing { reason } => say!(lang, "nothing ({reason})", "不存在（{reason}）"),
        Answer::Missing { reason } => say!(lang, "missing ({reason})", "缺失（{reason}）"),
        Answer::Unreadable { reason } => say!(lang, "unreadable ({reason})", "无法读取（{reason}）"),
    }
}

/// One value, with what a person should know of it.
pub fn reading(reading: &gate::observation::Reading, lang: Lang) -> String {
    let value = scalar(&reading.actual);
    let noted = |note: &String| say!(lang, "{value} ({note})", "{value}（{note}）");
    reading.note.as_ref().map_or_else(|| value.clone(), noted)
}

/// Where a probe found what it answered: the file, then the places in it.
pub fn found(observation: &Observation, lang: Lang) -> String {
    format!("{} {}", observation.file, places(observation, lang)).trim_end().to_owned()
}

/// The places in its file of what a probe answered; none where the file as a whole is meant.
pub fn places(observation: &Observation, lang: Lang) -> String {
    let Answer::Values { values } = &observation.answer else { return String::new() };
    let places = values.iter().take(SHOWN).flat_map(|value| value.places.iter()).map(|at| place(at, lang));
    places.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(lang.pick(", ", "、"))
}

/// A place, as a person looks it up.
pub fn place(place: &Place, lang: Lang) -> String {
    match place {
        Place::File => String::new(),
        Place::Line { line } => say!(lang, "line {line}", "第 {line} 行"),
        Place::Lines { from, to } => say!(lang, "lines {from}–{to}", "第 {from}–{to} 行"),
        Place::Pointer { pointer } => pointer.clone(),
        Place::Box { left, top, right, bottom } => format!("[{left},{top}][{right},{bottom}]"),
    }
}

/// `layout on layout: width of id=login`: how a criterion is measured.
pub fn probe(probe: &Probe) -> String {
    let with: Vec<String> =
        probe.with.iter().map(|(name, value)| format!("{name}={}", scalar(value))).collect();
    format!("{}({}) {}", probe.reader, probe.evidence, with.join(" ")).trim_end().to_owned()
}

/// `features/x/pack.yaml:12:5`, or as much of it as is known.
pub fn location(problem: &Problem) -> Option<String> {
    let file = problem.file.as_ref()?;
    Some(problem.at.map_or_else(|| file.clone(), |at| format!("{file}:{}:{}", at.line, at.column)))
}

/// `P-01: threshold is weaker, ≤ 800 ms → ≤ 900 ms`: what a new pack asks less of.
pub fn loosening(loosening: &Loosening, lang: Lang) -> String {
    let about = loosening.criterion.as_ref().map(|id| say!(lang, "{id}: ", "{id}：")).unwrap_or_default();
    let gone = lang.pick("nothing", "无");
    let after = if loosening.after.is_empty() { gone } else { &loosening.after };
    let (what, before) = (&loosening.what, &loosening.before);
    say!(lang, "{about}{what}, {before} → {after}", "{about}{what}，{before} → {after}")
}
