//! Sources that a pass could never rest on, and collectors that are not there.

use super::Context;
use crate::audit::SourceKind;
use crate::code::Code;
use crate::decode::did_you_mean;
use crate::lang::Lang;
use crate::pack::{Assertion, Criterion, Probe};
use crate::problem::Problem;
use crate::say;

/// E_SOURCE_AUXILIARY ahead of time: the gate would refuse every pass.
pub(super) fn weak_source(
    criterion: &Criterion,
    assertion: &Assertion,
    context: &Context<'_>,
    lang: Lang,
) -> Option<Problem> {
    let message = match &assertion.source {
        // The record of the file that a probe reads says where it comes from.
        None if criterion.probe.is_some() => return None,
        None => say!(
            lang,
            "the assertion names no source, so that no pass can count",
            "断言没有写 source，因此任何通过都不算数"
        ),
        Some(source) => match context.sources.get(source) {
            Some(SourceKind::Independent) => return None,
            Some(SourceKind::Auxiliary) => say!(
                lang,
                "the source `{source}` is auxiliary, so that no pass can rest on it",
                "来源 `{source}` 是辅助来源，通过不能以它为依据"
            ),
            None => say!(
                lang,
                "the source `{source}` is not declared in the pipeline, so that no pass can rest on it",
                "来源 `{source}` 没有在流水线中声明，通过不能以它为依据"
            ),
        },
    };
    let near = assertion.source.as_deref().and_then(|source| did_you_mean(source, names(context)));
    let help = match near {
        Some(near) => say!(lang, "did you mean `{near}`?", "是否想写 `{near}`？"),
        None => Code::SourceAuxiliary.help(lang),
    };
    Some(Problem::new(Code::SourceAuxiliary, message, help))
}

/// E_COLLECTOR_UNKNOWN, or a collector whose file is of another source than the assertion says.
pub(super) fn weak_collector(
    probe: &Probe,
    assertion: &Assertion,
    context: &Context<'_>,
    lang: Lang,
) -> Option<Problem> {
    let collector = &probe.evidence;
    let Some(source) = context.collectors.get(collector).map(|found| &found.source) else {
        let message = say!(
            lang,
            "the probe reads `{collector}`, which no collector of the pipeline gives",
            "probe 读取 `{collector}`，但流水线中没有这个采集器"
        );
        let help = match did_you_mean(collector, context.collectors.keys().map(String::as_str)) {
            Some(near) => say!(lang, "did you mean `{near}`?", "是否想写 `{near}`？"),
            None => Code::CollectorUnknown.help(lang),
        };
        return Some(Problem::new(Code::CollectorUnknown, message, help));
    };
    if context.sources.get(source) == Some(&SourceKind::Auxiliary) {
        let message = say!(
            lang,
            "the probe reads `{collector}`, whose source `{source}` is auxiliary",
            "probe 读取的 `{collector}` 来自辅助来源 `{source}`"
        );
        return Some(Problem::new(Code::SourceAuxiliary, message, Code::SourceAuxiliary.help(lang)));
    }
    // One that is no independent source has been told of already.
    let is_independent =
        |declared: &&String| context.sources.get(*declared) == Some(&SourceKind::Independent);
    let declared = assertion.source.as_ref().filter(is_independent).filter(|declared| *declared != source)?;
    let message = say!(
        lang,
        "the assertion says source `{declared}`, and its probe reads `{collector}` of source `{source}`",
        "断言写的来源是 `{declared}`，而 probe 读取的 `{collector}` 来自 `{source}`"
    );
    Some(Problem::new(Code::SourceDiffers, message, Code::SourceDiffers.help(lang)))
}

fn names<'a>(context: &Context<'a>) -> impl Iterator<Item = &'a str> {
    context
        .sources
        .iter()
        .filter(|(_, kind)| **kind == SourceKind::Independent)
        .map(|(name, _)| name.as_str())
}
