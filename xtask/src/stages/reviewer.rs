//! Reviewers that are programs. Each is given the frozen pack, the loophole table and one angle in a folder of its own, and
//! nothing of what another said. An answer that cannot be read is a failed review, never one without findings; one that can
//! is kept with the delivery, and is not asked for again while pack, prompt and command are the same.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use gate::code::Code;
use gate::pack::Pack;
use gate::problem::Problem;
use gate::review::{Angle, Loophole, ReviewerAnswer};
use gate::say;

use super::asked::{Answered, ask};
use super::guard::{self, Guard, Places};
use crate::context::Context;
use crate::document;
use crate::documents::{FORMAT, Lock, ReviewerLine, ReviewerRun};
use crate::failure::{Failure, Result};
use crate::parallel;
use crate::pipeline::model::Reviewer;
use crate::placeholders::expand;
use crate::process::{self, Program};
use crate::reports;
use crate::secrets::Secrets;
use crate::store;

/// An answer is a list of findings that people read.
const LONGEST_ANSWER: u64 = document::MAX_BYTES as u64;

/// The folder that a reviewer is in, below its own.
const ROOM: &str = "room";

/// How many reviewers work at a time: they wait for models more than they work.
const AT_A_TIME: usize = 8;

/// A reviewer, and what came of asking it.
pub struct Heard {
    /// Its name in `pipeline.yaml`.
    pub name: String,
    /// Its angle.
    pub angle: Angle,
    /// The digest of its answer with what it found, or how it failed.
    pub answer: std::result::Result<(String, ReviewerAnswer), String>,
}

/// A reviewer that is about to be asked.
struct Question<'a> {
    name: &'a str,
    reviewer: &'a Reviewer,
    prompt: Vec<u8>,
    asked: ReviewerRun,
}

/// What every reviewer says of the frozen pack; those that said it before are not asked again, unless that is wished.
pub fn hear_all(context: &Context<'_>, lock: &Lock, loopholes: &[Loophole]) -> Result<Vec<Heard>> {
    let mut questions = Vec::new();
    for (name, reviewer) in &context.pipeline.review.reviewers {
        questions.push(question(context, lock, loopholes, name, reviewer)?);
    }
    forget_others(context, &questions)?;
    let mut open = Vec::new();
    for question in &questions {
        if context.asks_again || !is_answered(context, question)? {
            open.push(question);
        }
    }
    let answers = run_all(context, lock, loopholes, &open)?;
    let mut failed = None;
    let mut complaints = Vec::new();
    for (question, answered) in open.iter().zip(answers) {
        match answered.map(|answered| answered.and_then(|bytes| readable(context, &lock.pack, bytes))) {
            Ok(Ok(bytes)) => keep(context, question, &bytes)?,
            Ok(Err(complaint)) => {
                forget(context, question.name)?;
                complaints.push((question.name, complaint));
            }
            Err(failure) => failed = failed.or(Some(failure)),
        }
    }
    // What was answered is paid for, and kept whatever became of the others.
    if let Some(failure) = failed {
        return Err(failure);
    }
    questions.iter().map(|question| heard(context, &lock.pack, question, &complaints)).collect()
}

fn question<'a>(
    context: &'a Context<'_>,
    lock: &Lock,
    loopholes: &[Loophole],
    name: &'a str,
    reviewer: &'a Reviewer,
) -> Result<Question<'a>> {
    let prompt = reports::reviewer_prompt(context.renderer()?, lock, loopholes, reviewer)?;
    let asked = ReviewerRun {
        format: FORMAT,
        reviewer: name.to_owned(),
        angle: reviewer.angle,
        pack_sha256: lock.pack_sha256.clone(),
        prompt_sha256: gate::canonical::sha256_hex(&prompt),
        program_sha256: gate::canonical::digest(reviewer).map_err(anyhow::Error::from)?,
        answer_sha256: String::new(),
    };
    Ok(Question { name, reviewer, prompt, asked })
}

/// What reviewers said, by the answers that are kept of them; how one failed is on record alone. One that is not on
/// record was not asked.
pub fn on_record(context: &Context<'_>, pack: &Pack, lines: &[ReviewerLine]) -> Result<Vec<Heard>> {
    let mut heard = Vec::new();
    for (name, reviewer) in &context.pipeline.review.reviewers {
        let Some(line) = lines.iter().find(|line| line.reviewer == *name) else { continue };
        let answer = match (&line.failure, &line.answer) {
            (Some(failure), _) => Err(failure.clone()),
            (None, None) => continue,
            (None, Some(_)) => {
                let bytes = context.files.read(&paths(context, name).1)?.unwrap_or_default();
                decode(context, pack, &bytes).map(|answer| (gate::canonical::sha256_hex(&bytes), answer))
            }
        };
        heard.push(Heard { name: name.clone(), angle: reviewer.angle, answer });
    }
    Ok(heard)
}

/// What every reviewer whose answer is kept was asked, with the path of that record, made again.
pub fn asked(context: &Context<'_>, lock: &Lock) -> Result<Vec<(Utf8PathBuf, ReviewerRun)>> {
    let loopholes = super::review::loopholes(context, lock);
    let mut found = Vec::new();
    for (name, reviewer) in &context.pipeline.review.reviewers {
        let (record, answer) = paths(context, name);
        if let Some(bytes) = context.files.read(&answer)? {
            let asked = question(context, lock, &loopholes, name, reviewer)?.asked;
            let answer_sha256 = gate::canonical::sha256_hex(&bytes);
            found.push((record, ReviewerRun { answer_sha256, ..asked }));
        }
    }
    Ok(found)
}

/// The record of what a reviewer was asked, and its answer as it came.
fn paths(context: &Context<'_>, name: &str) -> (Utf8PathBuf, Utf8PathBuf) {
    (context.paths.reviewer(&format!("{name}.json")), context.paths.reviewer(&format!("{name}.answer.json")))
}

/// Whether the same was asked before, and its answer is there as it came.
fn is_answered(context: &Context<'_>, question: &Question<'_>) -> Result<bool> {
    let (record, answer) = paths(context, question.name);
    let before: Option<ReviewerRun> = context.artifact_if_any(&record, "review")?;
    let print = store::fingerprint(&context.at(answer))?;
    let is_same = |(before, print): (ReviewerRun, store::Fingerprint)| {
        before == ReviewerRun { answer_sha256: print.sha256, ..question.asked.clone() }
    };
    Ok(before.zip(print).is_some_and(is_same))
}

/// The record comes last: an answer without one is asked for again.
fn keep(context: &Context<'_>, question: &Question<'_>, bytes: &[u8]) -> Result<()> {
    let (record, answer) = paths(context, question.name);
    store::write(&context.at(answer), bytes)?;
    let answer_sha256 = gate::canonical::sha256_hex(bytes);
    store::write_json(&context.at(record), &ReviewerRun { answer_sha256, ..question.asked.clone() })
}

/// Takes away an answer to something else than what is asked now.
fn forget(context: &Context<'_>, name: &str) -> Result<()> {
    let (record, answer) = paths(context, name);
    store::remove_file(&context.at(record))?;
    store::remove_file(&context.at(answer))
}

/// Takes away the answers that are about another pack.
pub fn forget_earlier(context: &Context<'_>, lock: &Lock) -> Result<()> {
    for name in context.pipeline.review.reviewers.keys() {
        let before: Option<ReviewerRun> = context.artifact_if_any(&paths(context, name).0, "review")?;
        if before.is_some_and(|before| before.pack_sha256 != lock.pack_sha256) {
            forget(context, name)?;
        }
    }
    Ok(())
}

/// Takes away the answers of reviewers that are asked no more.
fn forget_others(context: &Context<'_>, questions: &[Question<'_>]) -> Result<()> {
    let known: BTreeSet<Utf8PathBuf> =
        questions.iter().flat_map(|question| <[_; 2]>::from(paths(context, question.name))).collect();
    for name in store::list(&context.at(context.paths.reviewer("")))? {
        let path = context.paths.reviewer(&name);
        if !known.contains(&path) {
            store::remove_any(&context.at(path))?;
        }
    }
    Ok(())
}

/// Asks several at a time. Nothing that decides may be changed by any of them.
fn run_all(
    context: &Context<'_>,
    lock: &Lock,
    loopholes: &[Loophole],
    open: &[&Question<'_>],
) -> Result<Vec<Result<Answered>>> {
    if open.is_empty() {
        return Ok(Vec::new());
    }
    let mut programs = Vec::new();
    for question in open {
        programs.push(prepare(context, lock, loopholes, question)?);
    }
    let mut places = Places::for_program(context, 0);
    places.spared.push(context.paths.delivery().join("logs"));
    let guard = Guard::take(context, places)?;
    let (runner, lang) = (context.runner("review"), context.lang());
    let answers = parallel::map(&programs, AT_A_TIME, |(program, answer)| {
        ask(runner, program, answer, LONGEST_ANSWER, lang)
            .map(|answered| answered.map(|bytes| masked(program, bytes)))
    });
    let names: Vec<&str> = open.iter().map(|question| question.name).collect();
    let names = names.join(", ");
    let who = say!(lang, "reviewers {names}", "评审者 {names} ");
    guard::untouched(context, &who, guard.end(context)?)?;
    let died = || Err(Failure::Unexpected(anyhow::anyhow!("a thread that asked a reviewer died")));
    Ok(answers.into_iter().map(|answered| answered.unwrap_or_else(died)).collect())
}

/// Where a reviewer works, and what it wrote stays until it is asked again.
fn folder(context: &Context<'_>, name: &str) -> Utf8PathBuf {
    context.root.scratch().join("reviewers").join(&context.feature).join(name)
}

fn answer_file(scratch: &Utf8Path, named: Option<&str>) -> Utf8PathBuf {
    named.map_or_else(|| scratch.join("answer.json"), |file| scratch.join(ROOM).join(file))
}

/// The program of a reviewer in a folder that holds what it may know, and the file that its answer will be in.
fn prepare(
    context: &Context<'_>,
    lock: &Lock,
    loopholes: &[Loophole],
    question: &Question<'_>,
) -> Result<(Program, Utf8PathBuf)> {
    let (name, reviewer) = (question.name, question.reviewer);
    context.progress.begins(&context.feature, "review", name);
    let scratch = folder(context, name);
    store::remove_folder(&scratch)?;
    let room = scratch.join(ROOM);
    let (pack, table, prompt) = (room.join("pack.json"), room.join("loopholes.json"), room.join("prompt.md"));
    store::write_json(&pack, &lock.pack)?;
    store::write_json(&table, &loopholes)?;
    store::write(&prompt, &question.prompt)?;
    let answer = answer_file(&scratch, reviewer.answer.as_deref());
    let values = [
        ("feature", context.feature.as_str()),
        ("root", context.root.folder().as_str()),
        ("pack", pack.as_str()),
        ("loopholes", table.as_str()),
        ("prompt", prompt.as_str()),
        ("answer", answer.as_str()),
    ];
    let program = Program {
        argv: reviewer.argv.iter().map(|argument| expand(argument, &values)).collect(),
        folder: room,
        env_names: reviewer.env.clone(),
        env: Vec::new(),
        secret_names: context.pipeline.secrets.clone(),
        stdin: Some(prompt),
        stdout: reviewer.answer.is_none().then(|| answer.clone()),
        log: context.at(log(context, name)),
        scratch: scratch.join("run"),
        running: process::running(context.root, &context.feature),
        timeout: reviewer.limits.timeout,
        silence: reviewer.limits.silence,
    };
    Ok((program, answer))
}

/// Where a reviewer's log is, relative to the root.
fn log(context: &Context<'_>, name: &str) -> Utf8PathBuf {
    context.paths.delivery().join("logs").join(format!("review-{name}.log"))
}

/// An answer goes into git: no secret that its program knows goes with it.
fn masked(program: &Program, bytes: Vec<u8>) -> Vec<u8> {
    let secrets = Secrets::of_variables(program.env_names.iter().chain(&program.secret_names));
    match String::from_utf8(bytes) {
        Ok(text) => secrets.mask(&text).into_bytes(),
        // What is no text is no answer, either.
        Err(error) => error.into_bytes(),
    }
}

/// The bytes of an answer that can be read, or why they cannot.
fn readable(context: &Context<'_>, pack: &Pack, bytes: Vec<u8>) -> Answered {
    decode(context, pack, &bytes).map(|_| bytes)
}

fn decode(context: &Context<'_>, pack: &Pack, bytes: &[u8]) -> std::result::Result<ReviewerAnswer, String> {
    let lang = context.lang();
    let bytes = unfenced(bytes);
    if bytes.trim_ascii().is_empty() {
        return Err(say!(lang, "its answer is empty", "其回答为空"));
    }
    let known: Vec<&str> = pack.criteria.iter().map(|criterion| criterion.id.as_str()).collect();
    let file = "answer.json";
    let decoded = document::parse(file, bytes, lang)
        .and_then(|node| gate::decode::reviewer_answer(&node, &known, file, lang).into_result());
    decoded.map_err(|problems| {
        let what = problems.iter().map(complaint).collect::<Vec<_>>().join("; ");
        say!(lang, "its answer cannot be read: {what}", "其回答无法读取：{what}")
    })
}

/// Models set JSON in a fence: an answer that is one fence and nothing else has one reading.
fn unfenced(bytes: &[u8]) -> &[u8] {
    let trimmed = bytes.trim_ascii();
    let inner = trimmed.strip_prefix(b"```json").or_else(|| trimmed.strip_prefix(b"```"));
    match inner.and_then(|inner| inner.strip_suffix(b"```")) {
        Some(inner) if inner.first().is_some_and(u8::is_ascii_whitespace) => inner,
        _ => bytes,
    }
}

fn complaint(problem: &Problem) -> String {
    let place = problem.at.map(|at| format!(" ({}:{})", at.line, at.column)).unwrap_or_default();
    format!("{}{place}", problem.message)
}

/// What is on record of a reviewer, or how it failed.
fn heard(
    context: &Context<'_>,
    pack: &Pack,
    question: &Question<'_>,
    complaints: &[(&str, String)],
) -> Result<Heard> {
    let (name, angle) = (question.name.to_owned(), question.reviewer.angle);
    if let Some((_, complaint)) = complaints.iter().find(|(failed, _)| *failed == question.name) {
        return Ok(Heard { name, angle, answer: Err(complaint.clone()) });
    }
    let bytes = store::read(&context.at(paths(context, question.name).1))?;
    let sha256 = gate::canonical::sha256_hex(&bytes);
    Ok(Heard { name, angle, answer: decode(context, pack, &bytes).map(|answer| (sha256, answer)) })
}

impl Heard {
    fn line(&self) -> ReviewerLine {
        let (sha256, findings) = match &self.answer {
            Ok((sha256, answer)) => (Some(sha256.clone()), answer.findings.len()),
            Err(_) => (None, 0),
        };
        ReviewerLine {
            reviewer: self.name.clone(),
            angle: self.angle,
            findings,
            answer: sha256.as_ref().map(|_| format!("review/{}.answer.json", self.name)),
            answer_sha256: sha256,
            failure: self.answer.as_ref().err().cloned(),
        }
    }

    /// E_REVIEWER_FAILED, if it failed.
    pub fn failure(&self, context: &Context<'_>) -> Option<Problem> {
        let how = self.answer.as_ref().err()?;
        let (lang, name) = (context.lang(), &self.name);
        let message = say!(lang, "reviewer {name} failed: {how}", "评审者 {name} 失败：{how}");
        let problem = Problem::new(Code::ReviewerFailed, message, self.help(context));
        Some(problem.in_file(log(context, name).as_str()))
    }

    /// What was said is in the scratch folder: nobody commits what cannot be read.
    fn help(&self, context: &Context<'_>) -> String {
        let (lang, help) = (context.lang(), Code::ReviewerFailed.help(context.lang()));
        let reviewer = context.pipeline.review.reviewers.get(&self.name);
        let answer =
            answer_file(&folder(context, &self.name), reviewer.and_then(|one| one.answer.as_deref()));
        match answer.strip_prefix(context.root.folder()) {
            Ok(path) if answer.is_file() => {
                let path = crate::paths::with_slashes(path);
                say!(lang, "{help}; what it answered is in {path}", "{help}；它的回答在 {path}")
            }
            _ => help,
        }
    }
}

/// The row of every reviewer; of one that was not asked yet it says no more than that there is one.
pub fn lines(context: &Context<'_>, heard: &[Heard]) -> Vec<ReviewerLine> {
    let line = |(name, reviewer): (&String, &Reviewer)| {
        let heard = heard.iter().find(|heard| heard.name == *name);
        heard.map_or_else(|| unasked(name, reviewer.angle), Heard::line)
    };
    context.pipeline.review.reviewers.iter().map(line).collect()
}

fn unasked(name: &str, angle: Angle) -> ReviewerLine {
    let reviewer = name.to_owned();
    ReviewerLine { reviewer, angle, findings: 0, answer: None, answer_sha256: None, failure: None }
}

/// The files that a review leaves of its reviewers, relative to the root.
pub fn outputs(context: &Context<'_>, heard: &[Heard]) -> Vec<Utf8PathBuf> {
    let answered = heard.iter().filter(|heard| heard.answer.is_ok());
    answered.flat_map(|heard| <[_; 2]>::from(paths(context, &heard.name))).collect()
}

#[cfg(test)]
mod tests {
    use super::unfenced;

    #[test]
    fn an_answer_that_is_one_fence_is_what_is_in_it() {
        for (answer, inner) in [
            ("{}", "{}"),
            ("```json\n{}\n```\n", "\n{}\n"),
            (" ```\n{}\n``` ", "\n{}\n"),
            ("Here it is:\n```json\n{}\n```", "Here it is:\n```json\n{}\n```"),
            ("```yaml\n{}\n```", "```yaml\n{}\n```"),
            ("```json\n{}", "```json\n{}"),
        ] {
            assert_eq!(unfenced(answer.as_bytes()), inner.as_bytes(), "{answer}");
        }
    }
}
