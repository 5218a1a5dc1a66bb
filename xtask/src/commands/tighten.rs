//! `tighten`: changes to the pack that answer findings for certain, as a diff; those that are chosen are made, and everything
//! that the author wrote around them stays.

use gate::review::{Edit, Finding};
use gate::say;
use serde_json::json;
use similar::TextDiff;

use super::answer::Answer;
use super::respond::unknown;
use crate::authored::{self, Authored};
use crate::cli;
use crate::context::Context;
use crate::document::{self, edit};
use crate::failure::Result;
use crate::pipeline::lock::{FeatureLock, IfHeld};
use crate::stages;
use crate::store;

/// How many unchanged lines stand around a change in the diff.
const AROUND: usize = 3;

pub fn run(context: &Context<'_>, args: &cli::Tighten) -> Result<Answer> {
    let is_applied = !args.apply.is_empty();
    let _lock = if is_applied { Some(FeatureLock::take(context, IfHeld::Refuse)?) } else { None };
    let authored = authored::pack(context)?;
    let bytes = store::read(&context.at(&authored.file))?;
    let original = String::from_utf8_lossy(&bytes).into_owned();
    let proposed = propose(context, &authored, &original)?;
    let chosen = choose(context, &proposed, &args.apply)?;
    let (text, made) = apply(context, &authored, &original, &chosen);
    if is_applied && text != original {
        store::write(&context.at(&authored.file), text.as_bytes())?;
    }
    let lines = made.iter().map(|(finding, edit)| line(finding, edit));
    let diff = diff(authored.file.as_str(), &original, &text);
    let said = said(context, &made, is_applied);
    let shown: Vec<String> = lines.chain([diff.clone(), said]).filter(|part| !part.is_empty()).collect();
    let findings: Vec<&String> = made.iter().map(|(finding, _)| &finding.id).collect();
    let written = if is_applied && text != original { vec![&authored.file] } else { Vec::new() };
    Ok(Answer::yes(
        shown.join("\n"),
        json!({ "feature": context.feature, "findings": findings, "diff": diff, "written": written }),
    ))
}

/// A finding, and the change that answers it.
type Proposed = (Finding, Edit);

/// Every change that is certain, and that can be cut into the text. A finding that somebody disputed is answered already.
fn propose(context: &Context<'_>, authored: &Authored, text: &str) -> Result<Vec<Proposed>> {
    let findings = stages::review_findings(context, authored)?;
    let open = findings.into_iter().filter(|finding| !finding.is_disputed()).collect();
    let fixes = stages::review_fixes(context, authored, open);
    let (_, made) = apply(context, authored, text, &fixes);
    Ok(made)
}

fn choose(context: &Context<'_>, proposed: &[Proposed], asked: &[String]) -> Result<Vec<Proposed>> {
    if asked.is_empty() || asked.iter().any(|id| id == "all") {
        return Ok(proposed.to_vec());
    }
    let findings: Vec<Finding> = proposed.iter().map(|(finding, _)| finding.clone()).collect();
    for id in asked {
        if !findings.iter().any(|finding| finding.id == *id) {
            let message =
                say!(context.lang(), "no change is certain that answers {id}", "没有能确定解决 {id} 的改动");
            return Err(unknown(context, &findings, id, message));
        }
    }
    Ok(proposed.iter().filter(|(finding, _)| asked.contains(&finding.id)).cloned().collect())
}

/// Makes as many of the changes as can be made, and answers them: a text that does not read as the pack with those fields
/// changed is none.
fn apply(
    context: &Context<'_>,
    authored: &Authored,
    text: &str,
    changes: &[Proposed],
) -> (String, Vec<Proposed>) {
    if let Some(made) = together(context, authored, text, changes) {
        return (made, changes.to_vec());
    }
    let Some((left, right)) = changes.split_at_checked(changes.len() / 2) else {
        return (text.to_owned(), Vec::new());
    };
    if left.is_empty() {
        return (text.to_owned(), Vec::new());
    }
    let (left, right) = (apply(context, authored, text, left), apply(context, authored, text, right));
    let both: Vec<Proposed> = left.1.iter().chain(&right.1).cloned().collect();
    match together(context, authored, text, &both) {
        Some(made) => (made, both),
        None => left,
    }
}

/// The text with all of the changes made, if it reads as the pack with those fields changed and nothing else.
fn together(context: &Context<'_>, authored: &Authored, text: &str, changes: &[Proposed]) -> Option<String> {
    let (file, lang) = (authored.file.as_str(), context.lang());
    let is_json = file.to_ascii_lowercase().ends_with(".json");
    // Places count from behind a byte order mark.
    let (mark, body) = text.strip_prefix('\u{feff}').map_or(("", text), |body| ("\u{feff}", body));
    let node = document::parse(file, body.as_bytes(), lang).ok()?;
    let mut expected = authored.decoded.pack.clone();
    let mut cuts = Vec::new();
    for (finding, edit) in changes {
        let id = finding.criterion.as_deref()?;
        let criterion = expected.criteria.iter_mut().find(|criterion| criterion.id == id)?;
        *criterion = gate::review::edited(criterion, edit)?;
        let item = gate::decode::criterion_node(&node, id)?;
        cuts.push(edit::set(body, is_json, item, edit.field, &edit.value)?);
    }
    let new = edit::apply(body, cuts)?;
    let node = document::parse(file, new.as_bytes(), lang).ok()?;
    let read = gate::decode::pack(&node, file, &context.feature, lang).value?;
    (read.pack == expected).then(|| format!("{mark}{new}"))
}

fn line(finding: &Finding, edit: &Edit) -> String {
    let about = finding.criterion.as_deref().unwrap_or("–");
    let value = crate::reports::words::scalar(&edit.value);
    format!("{}  {about}  {}  {}: {value}", finding.id, finding.code.name(), edit.field)
}

fn diff(file: &str, before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    diff.unified_diff().context_radius(AROUND).header(&format!("a/{file}"), &format!("b/{file}")).to_string()
}

fn said(context: &Context<'_>, made: &[Proposed], is_applied: bool) -> String {
    let (lang, feature, count) = (context.lang(), &context.feature, made.len());
    let is_frozen = context.at(context.paths.lock()).is_file();
    match (count, is_applied) {
        (0, _) => say!(lang, "{feature}: no change is certain", "{feature}：没有可以确定的改动"),
        (count, false) => say!(
            lang,
            "{feature}: {count} changes; make them with --apply all, or with the ids of some",
            "{feature}：{count} 处改动；用 --apply all 全部应用，或写出其中几个编号"
        ),
        (count, true) if is_frozen => say!(
            lang,
            "{feature}: {count} changes made; freeze the pack again: cargo xtask freeze {feature} --reason \"…\"",
            "{feature}：已应用 {count} 处改动；请重新冻结：cargo xtask freeze {feature} --reason \"…\""
        ),
        (count, true) => say!(
            lang,
            "{feature}: {count} changes made; look again: cargo xtask check {feature}",
            "{feature}：已应用 {count} 处改动；请再检查：cargo xtask check {feature}"
        ),
    }
}
