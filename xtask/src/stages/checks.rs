//! What auditors wrote for a round: `checks.yaml` and `checks.<auditor>.yaml`, fetched where they are recorded.

use camino::Utf8PathBuf;
use gate::check;
use gate::pack::Pack;
use gate::problem::Problem;

use super::auditor;
use crate::context::Context;
use crate::document;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::paths;
use crate::pipeline::model::Auditor;
use crate::store;

/// Brings the checks of every auditor into the round, so that what is audited is committed with it: recorded ones are
/// copied, and programs are asked.
pub fn fetch(context: &Context<'_>, round: u32) -> Result<()> {
    for (name, auditor) in &context.pipeline.auditors {
        match auditor {
            Auditor::Copy(recording) => copy(context, round, name, recording)?,
            Auditor::Run(program) => auditor::fetch(context, round, name, program)?,
        }
    }
    Ok(())
}

/// A recording that is mended is taken up; one that is gone leaves the copy.
fn copy(context: &Context<'_>, round: u32, name: &str, recording: &str) -> Result<()> {
    let from = Utf8PathBuf::from(context.fill(recording, round));
    let Some(bytes) = store::read_optional(&context.at(&from))? else { return Ok(()) };
    let to = context.paths.in_round(round, &format!("checks.{name}.yaml"));
    if store::read_optional(&context.at(&to))?.as_ref() != Some(&bytes) {
        store::write(&context.at(&to), &bytes)?;
    }
    Ok(())
}

/// Where the recorded checks of a round come from, relative to the root.
pub fn recordings(context: &Context<'_>, round: u32) -> Vec<Utf8PathBuf> {
    let recordings = context.pipeline.auditors.values().filter_map(|auditor| match auditor {
        Auditor::Copy(recording) => Some(context.fill(recording, round).into()),
        Auditor::Run(_) => None,
    });
    recordings.collect()
}

/// The files of a round that hold checks, with the auditor of each, in the order of the names.
pub fn files(context: &Context<'_>, round: u32) -> Result<Vec<(String, Utf8PathBuf)>> {
    let names = context.files.list(&context.paths.round(round))?;
    let found = names.into_iter().filter_map(|name| {
        let auditor = paths::auditor_of(&name)?.to_owned();
        Some((auditor, context.paths.in_round(round, &name)))
    });
    let mut files: Vec<_> = found.collect();
    files.sort();
    Ok(files)
}

/// Every auditor's checks. All findings in all files are reported.
pub fn read(context: &Context<'_>, round: u32) -> Result<Vec<check::Auditor>> {
    let lang = context.lang();
    let mut auditors = Vec::new();
    let mut problems: Vec<Problem> = Vec::new();
    for (name, file) in files(context, round)? {
        let bytes = context.files.read(&file)?.unwrap_or_default();
        let checks = document::parse(file.as_str(), &bytes, lang)
            .and_then(|node| gate::decode::checks(&node, file.as_str(), lang).into_result());
        match checks {
            Ok(checks) => auditors.push(check::Auditor { name, file: file.into_string(), checks }),
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() {
        Ok(auditors)
    } else {
        Err(Failure::Problems { ending: Ending::InvalidInput, problems })
    }
}

/// Whether a person has to look before the round can be judged: a criterion without a probe, and nobody's checks.
pub fn waits_for_people(context: &Context<'_>, round: u32, pack: &Pack) -> Result<bool> {
    let judged = pack.criteria.iter().any(|criterion| criterion.probe.is_none());
    Ok(judged && files(context, round)?.is_empty())
}

/// A form to fill in: every criterion that no probe measures.
pub fn skeleton(pack: &Pack, lang: gate::lang::Lang) -> String {
    let mut text = String::from(lang.pick(
        "# result: pass or fail. evidence: what you saw, where and when. actual: the value with its unit, if there is one.\nchecks:\n",
        "# result 填 pass 或 fail；evidence 写明在何处、何时看到了什么；有数值时在 actual 中连同单位写出。\nchecks:\n",
    ));
    for criterion in pack.criteria.iter().filter(|criterion| criterion.probe.is_none()) {
        let statement = comment(&criterion.statement);
        let verify = criterion.verify.as_deref().map(comment).unwrap_or_default();
        let id = quoted(&criterion.id);
        text.push_str(&format!(
            "  # {statement}\n  # {verify}\n  - criterionId: {id}\n    result:\n    evidence:\n"
        ));
        if criterion.assertion.is_some() {
            text.push_str("    actual:\n");
        }
    }
    text
}

/// One line that stays a comment.
fn comment(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text that YAML reads as that text.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
