//! `ledger.jsonl`: one line for everything that happened in a delivery, with the digests of what was read and written,
//! each line bound to the one before ([`chain`]). [`check`] holds it against the files.
//!
//! A line is added by writing the whole file anew beside the old one and renaming it: a run that dies at any instant leaves
//! the old lines or all of them. A stage's line is written after its files and before its record in `state.json`, so that
//! a stage that is run again because it died in between finds its line there, and adds none.

pub mod chain;
pub mod check;

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use gate::problem::Problem;

use crate::context::Context;
use crate::digests::Over;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::paths::Root;
use crate::pipeline::model::BuiltIn;
use crate::store;
use chain::{Digests, Entry, Event, Line};

/// What a file's digest in the ledger is over. Authored text counts without its line endings: a checkout may have changed
/// them.
fn over(path: &str) -> Over {
    if is_authored(path) { Over::Text } else { Over::Bytes }
}

/// Whether people or auditors write a file.
fn is_authored(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path == Root::PIPELINE || path.starts_with("features/") || name.starts_with("checks.")
}

/// Whether a file of a round's folder goes into its audit, beside what stages wrote.
fn is_read_by_an_audit(name: &str) -> bool {
    let is_answer = name.starts_with("auditor.") && name.ends_with(".json");
    name == "instant.json" || name.starts_with("checks.") || is_answer
}

/// Refuses to go on from a ledger that somebody changed.
pub fn require_whole(context: &Context<'_>) -> Result<()> {
    load(context).map(drop)
}

/// Everything in which the ledger of a delivery and its files differ. Evidence is for its own record to tell of.
pub fn differences(context: &Context<'_>) -> Result<Vec<Problem>> {
    let delivery = context.paths.delivery();
    let mut files = BTreeMap::new();
    for inside in context.files.below(&delivery)? {
        let (file, inside) = (slashed(&delivery.join(&inside)), slashed(&inside));
        if inside.matches('/').count() < 2 {
            files.extend(digest(context, &file)?.map(|digest| (file, digest)));
        }
    }
    let ledger = context.files.read(&context.paths.ledger())?;
    Ok(check::check(&context.feature, ledger.as_deref(), &files, context.lang()))
}

/// The digest of the lock that was written last, whether or not it is still there.
pub fn last_lock(context: &Context<'_>) -> Result<Option<String>> {
    let path = slashed(&context.paths.lock());
    let lines = load(context)?;
    let mut told = lines.iter().rev().filter_map(|line| line.writes.get(&path));
    Ok(told.next().cloned().flatten())
}

/// Begins the ledger of a delivery that is older than ledgers: with what is there.
pub fn take_up(context: &Context<'_>) -> Result<()> {
    let path = context.at(context.paths.ledger());
    if store::kind(&path)? != store::Kind::Absent {
        return Ok(());
    }
    let delivery = context.paths.delivery();
    let mut writes = Digests::new();
    for file in store::files_below(&context.at(&delivery))? {
        let file = slashed(&delivery.join(file));
        let inside = file.strip_prefix(delivery.as_str()).unwrap_or(&file).trim_start_matches('/');
        if check::is_written_by_a_stage(inside) {
            writes.extend(digest(context, &file)?.map(|digest| (file, Some(digest))));
        }
    }
    let begin = Entry { event: Event::Begin, round: None, reads: Digests::new(), writes };
    append(context, vec![], vec![begin])
}

/// Adds the line of a stage, after everything that it wrote is in place, and before it those of what people said
/// meanwhile. A line that says the same as the last of its kind is not added.
pub fn record(context: &Context<'_>, stage: BuiltIn, round: u32, outputs: &[Utf8PathBuf]) -> Result<()> {
    let lines = load(context)?;
    let mut entries = Vec::new();
    match stage {
        BuiltIn::Review => entries.extend(said(context, &lines, Event::Respond, &context.paths.responses())?),
        BuiltIn::Audit => {
            entries.extend(settled(context, round)?);
            entries.extend(said(context, &lines, Event::Waive, &context.paths.waivers())?);
        }
        _ => {}
    }
    entries.push(of_stage(context, &lines, stage, round, outputs)?);
    append(context, lines, entries)
}

/// Adds the line of what a person just settled.
pub fn record_settlement(context: &Context<'_>, round: u32) -> Result<()> {
    let lines = load(context)?;
    append(context, lines, settled(context, round)?.into_iter().collect())
}

/// Adds the line of a signed audit.
pub fn record_attestation(context: &Context<'_>, round: u32) -> Result<()> {
    let lines = load(context)?;
    let reads = present(context, [context.paths.audit(round, "json")])?;
    let writes = present(context, [context.paths.attestation(round)])?;
    append(context, lines, vec![Entry { event: Event::Attest, round: Some(round), reads, writes }])
}

/// The lines that are there. Nothing is added to a chain that does not hold.
fn load(context: &Context<'_>) -> Result<Vec<Line>> {
    let path = context.paths.ledger();
    let Some(bytes) = store::read_optional(&context.at(&path))? else { return Ok(Vec::new()) };
    unbroken(check::faults(path.as_str(), &bytes, context.lang()))?;
    Ok(chain::read(&bytes).0)
}

fn unbroken(problems: Vec<Problem>) -> Result<()> {
    if problems.is_empty() { Ok(()) } else { Err(Failure::Problems { ending: Ending::Tampered, problems }) }
}

/// Writes the lines with those entries that say something new.
fn append(context: &Context<'_>, mut lines: Vec<Line>, entries: Vec<Entry>) -> Result<()> {
    let known = lines.len();
    let begin = Entry { event: Event::Begin, round: None, reads: Digests::new(), writes: Digests::new() };
    let is_new = lines.is_empty() && entries.iter().all(|entry| entry.event != Event::Begin);
    let page = slashed(&context.paths.page());
    for entry in is_new.then_some(begin).into_iter().chain(entries) {
        let last = lines.iter().rev().find(|line| entry.is_about_that_of(line));
        if !last.is_some_and(|last| entry.is(last, &page)) {
            lines.push(Line::after(&lines, entry).map_err(anyhow::Error::from)?);
        }
    }
    if lines.len() == known {
        return Ok(());
    }
    let mut bytes = Vec::new();
    for line in &lines {
        bytes.extend(line.bytes().map_err(anyhow::Error::from)?);
    }
    store::write(&context.at(context.paths.ledger()), &bytes)
}

/// What a stage read and wrote.
fn of_stage(
    context: &Context<'_>,
    lines: &[Line],
    stage: BuiltIn,
    round: u32,
    outputs: &[Utf8PathBuf],
) -> Result<Entry> {
    let paths = &context.paths;
    let of_round = |name: &str| paths.in_round(round, name);
    let pipeline = Utf8PathBuf::from(Root::PIPELINE);
    let (event, reads, may_remove) = match stage {
        BuiltIn::Freeze => {
            let gone = vec![paths.acceptance("json"), paths.acceptance("md"), paths.page()];
            (Event::Freeze, vec![Utf8PathBuf::from(context.lock()?.authored)], gone)
        }
        BuiltIn::Review => {
            // What reviewers answered to an earlier pack, and no longer do.
            let folder = slashed(&paths.reviewer(""));
            let known = lines.iter().flat_map(|line| line.writes.keys().chain(line.reads.keys()));
            let gone = known.filter(|path| path.starts_with(&folder)).map(Utf8PathBuf::from).collect();
            (Event::Review, vec![paths.lock(), paths.responses(), pipeline], gone)
        }
        BuiltIn::Brief => {
            let before = paths.audit(round.saturating_sub(1), "json");
            (Event::Brief, vec![paths.lock(), paths.review("json"), before], vec![])
        }
        BuiltIn::Dispatch => {
            (Event::Dispatch, vec![paths.lock(), of_round("brief.json"), of_round("brief.md")], vec![])
        }
        BuiltIn::Evidence => (Event::Evidence, vec![of_round("dispatch.json"), pipeline], vec![]),
        BuiltIn::Audit => {
            let mut reads = vec![paths.lock(), paths.waivers(), paths.settlements(round), pipeline];
            reads.extend(["dispatch.json", "evidence.json"].map(of_round));
            let names = store::list(&context.at(paths.round(round)))?;
            reads.extend(names.iter().filter(|name| is_read_by_an_audit(name)).map(|name| of_round(name)));
            (Event::Audit, reads, vec![paths.attestation(round)])
        }
        BuiltIn::Report => {
            let gone =
                ["json", "md"].iter().flat_map(|kind| [paths.acceptance(kind), paths.rework(round, kind)]);
            // What it wrote before and no longer does, such as a format for machines that nobody asks for any more.
            let before = lines
                .iter()
                .filter(|line| line.event == Event::Report && line.round == Some(round))
                .flat_map(|line| line.writes.keys().map(Utf8PathBuf::from));
            let gone = gone.chain(before).collect();
            (Event::Report, vec![of_round("dispatch.json"), paths.audit(round, "json")], gone)
        }
    };
    let mut writes = present(context, outputs.iter().cloned())?;
    for path in may_remove {
        let path = slashed(&path);
        let is_known =
            lines.iter().any(|line| line.writes.contains_key(&path) || line.reads.contains_key(&path));
        if is_known && digest(context, &path)?.is_none() {
            writes.insert(path, None);
        }
    }
    let round = (round > 0).then_some(round);
    Ok(Entry { event, round, reads: present(context, reads)?, writes })
}

/// What people settled in a round.
fn settled(context: &Context<'_>, round: u32) -> Result<Option<Entry>> {
    let writes = present(context, [context.paths.settlements(round)])?;
    let entry = Entry { event: Event::Settle, round: Some(round), reads: Digests::new(), writes };
    Ok((!entry.writes.is_empty()).then_some(entry))
}

/// What people write of their own accord in a file, where it is or has been there.
fn said(context: &Context<'_>, lines: &[Line], event: Event, path: &Utf8Path) -> Result<Option<Entry>> {
    let path = slashed(path);
    let sha256 = digest(context, &path)?;
    let is_known = lines.iter().any(|line| line.event == event);
    let reads = BTreeMap::from([(path, sha256.clone())]);
    let entry = Entry { event, round: None, reads, writes: Digests::new() };
    Ok((sha256.is_some() || is_known).then_some(entry))
}

/// Those files that are there.
fn present(context: &Context<'_>, paths: impl IntoIterator<Item = Utf8PathBuf>) -> Result<Digests> {
    let mut files = Digests::new();
    for path in paths {
        let path = slashed(&path);
        files.extend(digest(context, &path)?.map(|digest| (path, Some(digest))));
    }
    Ok(files)
}

/// Read, not remembered: what stands in the ledger is what was there.
fn digest(context: &Context<'_>, path: &str) -> Result<Option<String>> {
    let at = Utf8Path::new(path);
    match context.files.kind(at)? {
        store::Kind::File => context.files.digest(at, over(path)),
        _ => Ok(None),
    }
}

fn slashed(path: &Utf8Path) -> String {
    crate::paths::with_slashes(path).into_string()
}
