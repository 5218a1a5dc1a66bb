//! What a ruling rests on: the files it names, and whether the process being judged could have written them.

use super::{EvidenceState, Inputs, SourceKind};
use crate::check::Check;
use crate::code::Code;
use crate::lang::Lang;
use crate::observation::Observation;
use crate::pack::{Assertion, Criterion};
use crate::problem::Problem;
use crate::say;

/// What is wrong with one named file, if anything.
pub(super) fn file_problem(path: &str, inputs: &Inputs<'_>) -> Option<Problem> {
    let lang = inputs.lang;
    let state = inputs.evidence.get(path).map_or(EvidenceState::Missing, |fact| fact.state);
    let (code, message) = match state {
        EvidenceState::Sound => return None,
        EvidenceState::Missing => (
            Code::EvidenceMissing,
            say!(lang, "the evidence file `{path}` is not in this round", "本轮没有证据文件 `{path}`"),
        ),
        EvidenceState::Changed => (
            Code::EvidenceChanged,
            say!(
                lang,
                "the bytes of `{path}` are not those that evidence.json records",
                "`{path}` 的字节与 evidence.json 所记录的不同"
            ),
        ),
        EvidenceState::Stale => (
            Code::EvidenceStale,
            say!(
                lang,
                "`{path}` is recorded for another round or delivered commit",
                "`{path}` 记录的是另一轮次或另一次交付提交"
            ),
        ),
        EvidenceState::Blank => {
            (Code::EvidenceBlank, say!(lang, "`{path}` is an empty file", "`{path}` 是空文件"))
        }
        EvidenceState::Undecodable => (
            Code::EvidenceUndecodable,
            say!(
                lang,
                "`{path}` does not decode as what its name says",
                "`{path}` 无法按其名称所示的格式解码"
            ),
        ),
        EvidenceState::Flat => (
            Code::EvidenceFlat,
            say!(lang, "`{path}` is a picture of one colour all over", "`{path}` 是纯色图片"),
        ),
        EvidenceState::WrongSize => (
            Code::EvidenceSize,
            say!(
                lang,
                "`{path}` has another size than the layout of its screen",
                "`{path}` 的尺寸与同一界面的布局不同"
            ),
        ),
        EvidenceState::Twin => (
            Code::EvidenceTwin,
            say!(
                lang,
                "`{path}` has the same bytes as the file of another screen",
                "`{path}` 与另一界面的文件字节完全相同"
            ),
        ),
        EvidenceState::Repeated => (
            Code::EvidenceRepeated,
            say!(
                lang,
                "`{path}` has the same bytes as in the round before, although the code under it changed",
                "`{path}` 与上一轮字节完全相同，而代码已经改变"
            ),
        ),
    };
    Some(Problem::new(code, message, code.help(lang)))
}

/// Why a pass may not count, if it may not: its source must be declared independent, and so must the file that its
/// value came from. Of several files that an auditor names, one independent file is enough: auxiliary evidence may
/// stand beside it, never alone.
pub(super) fn source_problem(
    criterion: &Criterion,
    assertion: &Assertion,
    check: Option<&Check>,
    observation: Option<&Observation>,
    inputs: &Inputs<'_>,
) -> Option<Problem> {
    let lang = inputs.lang;
    let recorded =
        observation.filter(|_| criterion.probe.is_some()).map(|observation| observation.source.as_str());
    let source = assertion.source.as_deref().or(recorded.filter(|source| !source.is_empty()));
    let message = declared_problem(source, inputs).or_else(|| match (&criterion.probe, observation) {
        (Some(_), Some(observation)) => observed_problem(observation, inputs),
        _ => named_problem(check.map(|check| check.evidence_refs.as_slice()).unwrap_or_default(), inputs),
    })?;
    Some(Problem::new(Code::SourceAuxiliary, message, source_help(inputs, lang)))
}

fn declared_problem(source: Option<&str>, inputs: &Inputs<'_>) -> Option<String> {
    let lang = inputs.lang;
    let Some(source) = source else {
        return Some(say!(lang, "the assertion names no source", "断言没有写 source"));
    };
    match inputs.sources.get(source) {
        Some(SourceKind::Independent) => None,
        Some(SourceKind::Auxiliary) => Some(say!(
            lang,
            "the source `{source}` is auxiliary: the process being judged could have written the value",
            "来源 `{source}` 是辅助来源：被评判的进程可能自己写出该值"
        )),
        None => Some(say!(
            lang,
            "the source `{source}` is not declared, and counts as auxiliary until it is",
            "来源 `{source}` 没有声明，在声明之前按辅助来源对待"
        )),
    }
}

fn observed_problem(observation: &Observation, inputs: &Inputs<'_>) -> Option<String> {
    let file = &observation.file;
    let by_file = inputs.evidence.get(file).map(|fact| fact.source);
    let by_name = inputs.sources.get(&observation.source).copied();
    let is_auxiliary = by_file == Some(SourceKind::Auxiliary) || by_name == Some(SourceKind::Auxiliary);
    is_auxiliary.then(|| auxiliary_file(file, inputs.lang))
}

fn named_problem(refs: &[String], inputs: &Inputs<'_>) -> Option<String> {
    let is_auxiliary =
        |path: &String| inputs.evidence.get(path).is_some_and(|fact| fact.source == SourceKind::Auxiliary);
    let first = refs.first()?;
    refs.iter().all(is_auxiliary).then(|| auxiliary_file(first, inputs.lang))
}

fn auxiliary_file(file: &str, lang: Lang) -> String {
    say!(
        lang,
        "the value rests on `{file}`, which the process being judged could have written",
        "该值所依据的 `{file}` 可能由被评判的进程自己写出"
    )
}

fn source_help(inputs: &Inputs<'_>, lang: Lang) -> String {
    let independent: Vec<String> = inputs
        .sources
        .iter()
        .filter(|(_, kind)| **kind == SourceKind::Independent)
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    if independent.is_empty() {
        return Code::SourceAuxiliary.help(lang);
    }
    let list = independent.join(", ");
    say!(lang, "take the value from an independent source: {list}", "请从独立来源取值：{list}")
}
