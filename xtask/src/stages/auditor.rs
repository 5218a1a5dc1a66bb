//! Auditors that are programs. Each is given the frozen pack and the evidence in a folder of its own, and nothing of what
//! the executor or another auditor said. What it answers are checks like a person's; an answer that cannot be read is a
//! failed auditor, never an absence of findings.

use camino::{Utf8Path, Utf8PathBuf};
use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use super::asked::ask;
use super::evidence;
use super::guard::{self, Guard, Places};
use crate::context::Context;
use crate::document;
use crate::documents::{AuditorRun, Evidence, FORMAT};
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::pipeline::model::AuditorProgram;
use crate::placeholders::expand;
use crate::process::{self, Program};
use crate::store;

/// An answer is text that a person could have written.
const LONGEST_ANSWER: u64 = 4 << 20;

/// Brings an auditor's checks into the round, if they are not there for this pack and evidence.
pub fn fetch(context: &Context<'_>, round: u32, name: &str, auditor: &AuditorProgram) -> Result<()> {
    let gathered: Option<Evidence> =
        context.artifact_if_any(&context.paths.in_round(round, "evidence.json"), "evidence")?;
    // Before there is evidence there is nothing to look at; the audit itself asks for it.
    let Some(gathered) = gathered else { return Ok(()) };
    let asked = AuditorRun {
        format: FORMAT,
        auditor: name.to_owned(),
        pack_sha256: gathered.pack_sha256.clone(),
        evidence_sha256: gathered.sha256()?,
        program_sha256: gate::canonical::digest(auditor).map_err(anyhow::Error::from)?,
        checks_sha256: String::new(),
    };
    let checks = context.paths.in_round(round, &format!("checks.{name}.yaml"));
    let record = context.paths.in_round(round, &format!("auditor.{name}.json"));
    if is_answered(context, &record, &checks, &asked)? {
        return Ok(());
    }
    context.progress.begins(&context.feature, "audit", name);
    let answer = run(context, round, name, auditor, &gathered)?;
    store::write(&context.at(&checks), &answer)?;
    let print = store::fingerprint(&context.at(&checks))?;
    let checks_sha256 = print.map(|print| print.sha256).unwrap_or_default();
    store::write_json(&context.at(&record), &AuditorRun { checks_sha256, ..asked })
}

/// Whether the same was asked before, and its answer is there as it came.
fn is_answered(
    context: &Context<'_>,
    record: &Utf8Path,
    checks: &Utf8Path,
    asked: &AuditorRun,
) -> Result<bool> {
    let before: Option<AuditorRun> = context.artifact_if_any(record, "audit")?;
    let print = store::fingerprint(&context.at(checks))?;
    Ok(before
        .zip(print)
        .is_some_and(|(before, print)| before == AuditorRun { checks_sha256: print.sha256, ..asked.clone() }))
}

/// Runs the program, and answers its checks as it wrote them, once they can be read.
fn run(
    context: &Context<'_>,
    round: u32,
    name: &str,
    auditor: &AuditorProgram,
    gathered: &Evidence,
) -> Result<Vec<u8>> {
    let scratch = context.root.scratch().join("auditors").join(&context.feature).join(name);
    let (pack, folder) = lay_out(context, round, gathered, &scratch)?;
    let (number, answer) = (round.to_string(), scratch.join("answer.yaml"));
    let values = [
        ("feature", context.feature.as_str()),
        ("round", number.as_str()),
        ("root", context.root.folder().as_str()),
        ("pack", pack.as_str()),
        ("evidence", folder.as_str()),
    ];
    let program = Program {
        argv: auditor.argv.iter().map(|argument| expand(argument, &values)).collect(),
        folder: folder.clone(),
        env_names: auditor.env.clone(),
        env: Vec::new(),
        secret_names: context.pipeline.secrets.clone(),
        stdin: None,
        stdout: Some(answer.clone()),
        log: context.at(context.paths.in_round(round, &format!("logs/auditor.{name}.log"))),
        scratch: scratch.join("run"),
        running: process::running(context.root, &context.feature),
        timeout: auditor.limits.timeout,
        silence: auditor.limits.silence,
    };
    let lang = context.lang();
    // It speaks for itself alone: not for a person, nor for another auditor.
    let guard = Guard::take(context, Places::for_program(context, round))?;
    let answered = ask(context.runner("audit"), &program, &answer, LONGEST_ANSWER, lang);
    let who = say!(lang, "auditor {name}", "审计者 {name} ");
    guard::untouched(context, &who, guard.end(context)?)?;
    let bytes = answered?.map_err(|complaint| failed(context, name, &complaint, &program.log))?;
    match readable(context, name, &bytes) {
        Ok(()) => {
            store::remove_folder(&scratch)?;
            Ok(bytes)
        }
        Err(problems) => Err(unreadable(context, name, problems)),
    }
}

/// A folder with the pack and the evidence alone: where the pack is, and where the evidence.
fn lay_out(
    context: &Context<'_>,
    round: u32,
    gathered: &Evidence,
    scratch: &Utf8Path,
) -> Result<(Utf8PathBuf, Utf8PathBuf)> {
    store::remove_folder(scratch)?;
    let (pack, folder) = (scratch.join("pack.json"), scratch.join("evidence"));
    store::write_json(&pack, &context.lock()?.pack)?;
    store::write_json(&folder.join("evidence.json"), gathered)?;
    for file in gathered.collected.iter().filter_map(|entry| entry.file.as_ref()) {
        let from = evidence::path_of(context, round, file);
        // What is not at hand, or was changed, is for the audit to find.
        if store::kind(&from)? == store::Kind::File {
            store::copy_hashed(&from, &folder.join(&file.path))?;
        }
    }
    Ok((pack, folder))
}

fn readable(context: &Context<'_>, name: &str, bytes: &[u8]) -> std::result::Result<(), Vec<Problem>> {
    let (lang, file) = (context.lang(), format!("checks.{name}.yaml"));
    let node = document::parse(&file, bytes, lang)?;
    gate::decode::checks(&node, &file, lang).into_result().map(drop)
}

fn unreadable(context: &Context<'_>, name: &str, problems: Vec<Problem>) -> Failure {
    let lang = context.lang();
    let message = say!(
        lang,
        "auditor {name} answered what cannot be read as checks",
        "审计者 {name} 的回答无法作为检查结果读取"
    );
    let failed = Problem::new(Code::AuditorFailed, message, Code::AuditorFailed.help(lang));
    // Their places are in an answer that is kept nowhere.
    let found = problems.into_iter().map(|problem| Problem { file: None, at: None, ..problem });
    Failure::Problems { ending: Ending::CannotRun, problems: std::iter::once(failed).chain(found).collect() }
}

fn failed(context: &Context<'_>, name: &str, how: &str, log: &Utf8Path) -> Failure {
    let lang = context.lang();
    let tail = process::tail(log);
    let said = if tail.is_empty() { String::new() } else { format!("\n{tail}") };
    let message = say!(lang, "auditor {name} failed: {how}{said}", "审计者 {name} 失败：{how}{said}");
    Failure::coded(Ending::CannotRun, Code::AuditorFailed, message, Code::AuditorFailed.help(lang))
}
