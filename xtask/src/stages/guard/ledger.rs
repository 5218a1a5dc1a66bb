//! What a run looked at before it let a program work, on disk: a run that is killed, be it by its own agent, leaves it, and
//! the next one looks again before it takes anything for true.

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use gate::code::Code;
use gate::problem::Problem;
use gate::say;
use serde::{Deserialize, Serialize};

use super::kept::Kept;
use super::places::Places;
use crate::context::Context;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::paths::with_slashes;
use crate::store;

/// The protected files before a program worked.
#[derive(Debug, Serialize, Deserialize)]
struct Ledger {
    places: Places,
    /// By path: what each was, see [`Kept::print`].
    files: BTreeMap<Utf8PathBuf, String>,
}

/// Leaves word of what is there.
pub fn open(context: &Context<'_>, places: &Places, files: &BTreeMap<Utf8PathBuf, Arc<Kept>>) -> Result<()> {
    let places = places.clone().without_others();
    let mut known = BTreeMap::new();
    for path in places.listed(context.root)? {
        known.extend(files.get(&path).map(|kept| (path, kept.print())));
    }
    let ledger = Ledger { places, files: known };
    store::write_unsynced(&path(context), &store::json_bytes(&ledger)?)
}

/// All is as it was.
pub fn close(context: &Context<'_>) -> Result<()> {
    store::remove_file(&path(context))
}

/// Refuses to go on from what was changed while a program of a killed run worked. What it was is not known any more, only
/// that it is no longer that.
pub fn require_closed(context: &Context<'_>) -> Result<()> {
    let Some(bytes) = store::read_optional(&path(context))? else { return Ok(()) };
    let Ok(ledger) = serde_json::from_slice::<Ledger>(&bytes) else {
        return Err(changed(context, &[shown(context)]));
    };
    let mut now = BTreeMap::new();
    for file in ledger.places.listed(context.root)? {
        let found = Kept::of(&context.at(&file), 0)?;
        now.extend(found.map(|found| (file, found.print())));
    }
    let differs = |path: &&Utf8PathBuf| now.get(*path) != ledger.files.get(*path);
    let mut paths: Vec<Utf8PathBuf> =
        now.keys().chain(ledger.files.keys()).filter(differs).map(|path| with_slashes(path)).collect();
    paths.sort();
    paths.dedup();
    if paths.is_empty() { close(context) } else { Err(changed(context, &paths)) }
}

fn changed(context: &Context<'_>, paths: &[Utf8PathBuf]) -> Failure {
    let (lang, ledger) = (context.lang(), shown(context));
    let problem = |path: &Utf8PathBuf| {
        let message = say!(
            lang,
            "{path} is not what it was when an earlier run let a program work, and was killed",
            "先前的运行启动程序后被强行终止，此后 {path} 与当时不一致"
        );
        let help = say!(
            lang,
            "restore it with git restore -- {path}, or remove it where git does not know it; where the change is your own, remove {ledger}; then run this again",
            "请用 git restore -- {path} 恢复它，git 中没有时则删除它；如果是你自己的改动，请删除 {ledger}；然后重新运行"
        );
        Problem::new(Code::ProtectedChanged, message, help)
    };
    Failure::Problems { ending: Ending::Tampered, problems: paths.iter().map(problem).collect() }
}

fn path(context: &Context<'_>) -> Utf8PathBuf {
    context.root.scratch().join("guard").join(format!("{}.json", context.feature))
}

fn shown(context: &Context<'_>) -> Utf8PathBuf {
    let path = path(context);
    with_slashes(path.strip_prefix(context.root.folder()).unwrap_or(Utf8Path::new(&path)))
}
