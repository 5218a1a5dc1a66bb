//! Programs of several features that work at a time: what all of them share is looked at once, before the first of them
//! begins, and what is changed meanwhile may be any one's.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};
use gate::say;

use super::kept::Kept;
use crate::context::Context;
use crate::documents::ProtectedChange;

/// Every guard of this process.
static GUARDS: Mutex<Guards> = Mutex::new(Guards::none());

/// The guards that stand, and what was there before the first of them.
pub struct Guards {
    trees: BTreeSet<Utf8PathBuf>,
    files: BTreeMap<Utf8PathBuf, Arc<Kept>>,
    /// By number: the feature, and what another guard found since.
    standing: BTreeMap<u64, (String, Vec<ProtectedChange>)>,
    next: u64,
}

/// A guard among the others, until it is dropped.
pub struct Standing(u64);

/// Nothing else takes or puts back meanwhile.
pub fn lock() -> MutexGuard<'static, Guards> {
    GUARDS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Guards {
    const fn none() -> Self {
        Guards { trees: BTreeSet::new(), files: BTreeMap::new(), standing: BTreeMap::new(), next: 0 }
    }

    /// One more stands from here on. The first begins anew.
    pub fn join(&mut self, context: &Context<'_>) -> Standing {
        if self.standing.is_empty() {
            *self = Guards { next: self.next, ..Guards::none() };
        }
        let number = self.next;
        self.next += 1;
        self.standing.insert(number, (context.feature.clone(), Vec::new()));
        Standing(number)
    }

    /// What was in a file or folder that all share, if one that still stands looked.
    pub fn known(&self, tree: &Utf8Path) -> Option<BTreeMap<Utf8PathBuf, Arc<Kept>>> {
        let below = || self.files.iter().filter(|(path, _)| path.starts_with(tree));
        self.trees.contains(tree).then(|| below().map(|(path, kept)| (path.clone(), kept.clone())).collect())
    }

    /// Remembers what is in a file or folder for those that come later.
    pub fn learn(&mut self, tree: &Utf8Path, files: &BTreeMap<Utf8PathBuf, Arc<Kept>>) {
        self.trees.insert(tree.to_owned());
        self.files.extend(files.iter().map(|(path, kept)| (path.clone(), kept.clone())));
    }

    /// Tells every other what one found, and answers what it found with what others did.
    pub fn tell(
        &mut self,
        context: &Context<'_>,
        one: &Standing,
        found: Vec<ProtectedChange>,
    ) -> Vec<ProtectedChange> {
        let features: BTreeSet<&str> = self.standing.values().map(|(feature, _)| feature.as_str()).collect();
        if self.standing.len() > 1 && !found.is_empty() {
            let names = features.into_iter().collect::<Vec<_>>().join(", ");
            let note = say!(
                context.lang(),
                "it was a program of one of {names}: each is told of it",
                "改动者是以下功能之一的程序：{names}；各功能都会记录此改动"
            );
            context.progress.note(&context.feature, &note);
        }
        let mut all = found.clone();
        for (number, (_, told)) in &mut self.standing {
            if *number == one.0 { all.append(told) } else { told.extend(found.iter().cloned()) }
        }
        all.sort();
        all.dedup();
        all
    }
}

impl Drop for Standing {
    fn drop(&mut self) {
        lock().standing.remove(&self.0);
    }
}
