//! What no program that is started may touch, be it an executor, a collector, which runs what was delivered, or an auditor:
//! the pack and all that an author wrote, the pipeline, the templates, and what was recorded of the delivery. Permissions
//! keep an agent's tools away from it, and nothing keeps a shell away: so it is looked at before and after, and put back.

mod kept;
mod ledger;
mod named;
mod others;
mod places;
mod together;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use crate::context::Context;
use crate::documents::{Change, Place, ProtectedChange};
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::store;
use kept::Kept;
use others::Others;
use together::Standing;

pub use ledger::require_closed;
pub use places::Places;

/// Nothing more is kept than this.
const MOST_KEPT: u64 = 256 << 20;

/// The protected files as they were before a program worked.
pub struct Guard {
    files: BTreeMap<Utf8PathBuf, Arc<Kept>>,
    places: Places,
    others: Others,
    standing: Standing,
}

impl Guard {
    /// Looks at every protected file, and leaves word of it on disk until the end.
    pub fn take(context: &Context<'_>, places: Places) -> Result<Guard> {
        let others = Others::look(context)?;
        // Dropping it takes the lock, so it has to outlive that.
        let standing;
        let mut guards = together::lock();
        standing = guards.join(context);
        let mut files = BTreeMap::new();
        let mut kept = 0;
        for tree in &places.trees {
            let is_shared = !tree.starts_with("deliveries");
            let found = match guards.known(tree).filter(|_| is_shared) {
                Some(known) => known,
                None => look(context, &places.only(tree), &files, &mut kept)?,
            };
            if is_shared {
                guards.learn(tree, &found);
            }
            for (path, kept) in found {
                files.entry(path).or_insert(kept);
            }
        }
        files.retain(|path, _| !places.is_spared(path));
        drop(guards);
        ledger::open(context, &places, &files)?;
        Ok(Guard { files, places, others, standing })
    }

    /// Puts back what was changed, and answers it. What cannot be put back is a failure: nothing goes on from there.
    pub fn put_back(&self, context: &Context<'_>) -> Result<Vec<ProtectedChange>> {
        let mut guards = together::lock();
        let now: BTreeSet<Utf8PathBuf> = self.places.listed(context.root)?.into_iter().collect();
        let mut changes = Vec::new();
        for path in now.iter().filter(|path| !self.files.contains_key(*path)) {
            if self.others.may_write(context, path)? {
                continue;
            }
            set_aside(context, path)?;
            changes.push(change(path, Change::Added));
        }
        let mut lost = Vec::new();
        for (path, kept) in &self.files {
            let at = context.at(path);
            let found = if !now.contains(path) {
                Change::Removed
            } else if kept.is_at(&at)? {
                continue;
            } else {
                Change::Changed
            };
            if self.others.may_write(context, path)? {
                continue;
            }
            changes.push(change(path, found));
            set_aside(context, path)?;
            if !kept.put_back(&at)? {
                lost.push(path.clone());
            }
        }
        let changes = guards.tell(context, &self.standing, changes);
        if lost.is_empty() { Ok(changes) } else { Err(cannot_put_back(context, &lost)) }
    }

    /// Puts back what was changed, and fails where anything was: by whom, as far as it can be told.
    pub fn require_untouched(&self, context: &Context<'_>, who: &str) -> Result<()> {
        untouched(context, who, self.put_back(context)?)
    }

    /// Puts back what was changed, for the last time, and answers it.
    pub fn end(self, context: &Context<'_>) -> Result<Vec<ProtectedChange>> {
        let changes = self.put_back(context)?;
        ledger::close(context)?;
        Ok(changes)
    }
}

/// What is there now, with as many bytes as may still be kept. What was looked at before is not read again.
fn look(
    context: &Context<'_>,
    places: &Places,
    before: &BTreeMap<Utf8PathBuf, Arc<Kept>>,
    kept: &mut u64,
) -> Result<BTreeMap<Utf8PathBuf, Arc<Kept>>> {
    let mut files = BTreeMap::new();
    for path in places.listed(context.root)? {
        if let Some(known) = before.get(&path) {
            files.insert(path, known.clone());
        } else if let Some(found) = Kept::of(&context.at(&path), MOST_KEPT - *kept)? {
            *kept += found.size();
            files.insert(path, Arc::new(found));
        }
    }
    Ok(files)
}

/// Fails where anything was changed.
pub fn untouched(context: &Context<'_>, who: &str, changes: Vec<ProtectedChange>) -> Result<()> {
    if changes.is_empty() {
        return Ok(());
    }
    let lang = context.lang();
    let problem = |change: ProtectedChange| {
        let path = change.path;
        let message = say!(
            lang,
            "{path} was changed while {who} ran; it is put back as it was",
            "{who}运行期间 {path} 被改动；已恢复原状"
        );
        Problem::new(Code::ProtectedChanged, message, Code::ProtectedChanged.help(lang))
    };
    Err(Failure::Problems { ending: Ending::Tampered, problems: changes.into_iter().map(problem).collect() })
}

/// Takes away what stands at a path. It may be a person's who worked meanwhile: a file is kept in the scratch folder.
fn set_aside(context: &Context<'_>, path: &Utf8Path) -> Result<()> {
    let at = context.at(path);
    if store::kind(&at)? != store::Kind::File {
        return store::remove_any(&at);
    }
    let aside = context.root.scratch().join("put-back").join(&context.feature).join(path);
    store::move_file(&at, &aside)?;
    let note = say!(
        context.lang(),
        "{path} was changed while a program of the pipeline worked, and is put back; what was there is in {}",
        "流水线启动的程序运行期间 {path} 被改动，现已恢复；改动后的内容保存在 {}",
        aside.strip_prefix(context.root.folder()).unwrap_or(&aside)
    );
    context.progress.note(&context.feature, &note);
    Ok(())
}

fn change(path: &Utf8Path, change: Change) -> ProtectedChange {
    ProtectedChange { path: path.as_str().replace('\\', "/"), place: Place::Root, change }
}

fn cannot_put_back(context: &Context<'_>, paths: &[Utf8PathBuf]) -> Failure {
    let lang = context.lang();
    let problem = |path: &Utf8PathBuf| {
        let message = say!(
            lang,
            "{path} was changed by a program that the pipeline started; it is too large, or no plain file, and cannot be put back",
            "流水线启动的程序改动了 {path}，该文件过大或不是普通文件，无法自动恢复"
        );
        let help = say!(lang, "restore it from git, and run this again", "请从 git 恢复它，然后重新运行");
        Problem::new(Code::ProtectedChanged, message, help)
    };
    Failure::Problems { ending: Ending::Tampered, problems: paths.iter().map(problem).collect() }
}
