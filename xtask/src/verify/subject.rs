//! What is verified: the lock, and every round with what is recorded of it.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use gate::audit::Verdict;
use gate::code::Code;
use gate::problem::Problem;
use gate::say;
use serde::de::DeserializeOwned;

use super::{Repositories, findings};
use crate::context::Context;
use crate::documents::{AuditFile, Dispatch, EarlierPack, LOCK_FORMAT, Lock, Report};
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::store::Kind;

/// A delivery.
pub struct Subject<'a, 'c> {
    /// Where its files are read from.
    pub context: &'a Context<'c>,
    /// The digest that the pack has to have, as whoever asks knows it.
    pub expected: Option<&'a str>,
    /// What the app's repositories say of what was delivered.
    pub repositories: &'a Repositories,
    /// The lock, whether or not it agrees with itself.
    pub lock: Lock,
    /// Every round that has a folder, in order.
    pub rounds: Vec<Round>,
}

/// A round, with what can be read of it.
pub struct Round {
    /// From 1.
    pub number: u32,
    /// Who worked; none before, or where it cannot be read.
    pub dispatch: Option<Dispatch>,
    /// What it came to; none before, or where it cannot be read.
    pub audit: Option<Arc<AuditFile>>,
    /// Whether it belongs to the pack that is frozen now.
    pub is_current: bool,
}

impl<'a, 'c> Subject<'a, 'c> {
    /// Reads what everything else is held against.
    pub fn of(
        context: &'a Context<'c>,
        expected: Option<&'a str>,
        repositories: &'a Repositories,
    ) -> Result<Self> {
        let path = context.paths.lock();
        let Some(lock) = context.artifact_if_any::<Lock>(&path, "freeze")? else {
            return Err(without_lock(context)?);
        };
        let mut rounds = Vec::new();
        for number in context.rounds()? {
            let dispatch = readable(context, &context.paths.in_round(number, "dispatch.json"))?;
            let audit = audit(context, number)?;
            rounds.push(Round { number, dispatch, audit, is_current: true });
        }
        let mut is_current = true;
        for round in rounds.iter_mut().rev() {
            let pack = round.dispatch.as_ref().map(|dispatch| &dispatch.pack_sha256);
            is_current &= pack.is_none_or(|pack| *pack == lock.pack_sha256);
            round.is_current = is_current;
        }
        Ok(Subject { context, expected, repositories, lock, rounds })
    }

    /// The audits that can be read.
    pub fn audits(&self) -> impl Iterator<Item = &AuditFile> {
        self.rounds.iter().filter_map(|round| round.audit.as_deref())
    }

    /// What the delivery came to: a round of the frozen pack that passed is what was accepted, whatever was tried after it;
    /// otherwise the last one decides.
    pub fn verdict(&self) -> Option<Verdict> {
        let current = self.rounds.iter().filter(|round| round.is_current);
        let verdicts: Vec<Verdict> =
            current.filter_map(|round| round.audit.as_ref()).map(|audit| audit.verdict).collect();
        let accepted = verdicts.iter().find(|verdict| **verdict == Verdict::Pass);
        accepted.or(verdicts.last()).copied()
    }

    /// Whether the report of the last round of the frozen pack that was judged is there. The page is written with it.
    pub fn is_reported(&self) -> Result<bool> {
        let mut judged = self.rounds.iter().rev().filter(|round| round.is_current && round.audit.is_some());
        let Some(last) = judged.next() else { return Ok(false) };
        let paths = &self.context.paths;
        let acceptance: Option<Report> = readable(self.context, &paths.acceptance("json"))?;
        let is_accepted = acceptance.is_some_and(|report| report.audit.round == last.number);
        Ok(is_accepted || self.has(&paths.rework(last.number, "json"))?)
    }

    /// What was frozen when a round was dispatched; none if nobody kept it. Its history is that of the lock.
    pub fn lock_of(&self, round: &Round) -> Option<Lock> {
        if round.is_current {
            return Some(self.lock.clone());
        }
        let pack_sha256 = round.dispatch.as_ref()?.pack_sha256.clone();
        let EarlierPack { authored, locations, pack } = match self.lock.earlier.get(&pack_sha256) {
            Some(earlier) => earlier.clone(),
            // It is frozen now, and was so before another one.
            None if pack_sha256 == self.lock.pack_sha256 => EarlierPack {
                authored: self.lock.authored.clone(),
                locations: self.lock.locations.clone(),
                pack: self.lock.pack.clone(),
            },
            None => return None,
        };
        Some(Lock {
            format: LOCK_FORMAT,
            feature: self.lock.feature.clone(),
            lang: self.lock.lang,
            criteria_count: pack.criteria.len(),
            pack_sha256,
            authored,
            locations,
            pack,
            history: self.lock.history.clone(),
            earlier: self.lock.earlier.clone(),
        })
    }

    /// The lock of a round whose records were made in the delivery's language; what keeps it from being judged again is
    /// told once, by [`super::rounds`].
    pub fn judged_by(&self, round: &Round) -> Option<Lock> {
        let lang = round.audit.as_ref().map_or(self.context.lang(), |audit| audit.lang);
        if !round.is_current && lang != self.context.lang() {
            return None;
        }
        self.lock_of(round)
    }

    /// Whether a plain file is there.
    pub fn has(&self, path: &Utf8Path) -> Result<bool> {
        Ok(self.context.files.kind(path)? == Kind::File)
    }

    /// A finding about a file, with what to do.
    pub fn finding(&self, code: Code, path: &Utf8Path, message: String) -> Problem {
        Problem::new(code, message, code.help(self.context.lang())).in_file(path.as_str())
    }
}

/// An audit that may be missing or broken: whoever needs it says so.
fn audit(context: &Context<'_>, round: u32) -> Result<Option<Arc<AuditFile>>> {
    if context.files.kind(&context.paths.audit(round, "json"))? == Kind::Absent {
        return Ok(None);
    }
    Ok(findings(context.audit(round))?.0)
}

/// An artifact that may be missing or broken: whoever needs it says so.
fn readable<T: DeserializeOwned>(context: &Context<'_>, path: &Utf8PathBuf) -> Result<Option<T>> {
    Ok(findings(context.artifact_if_any(path, "audit"))?.0.flatten())
}

/// Nothing was delivered, or what everything rests on was taken away.
fn without_lock(context: &Context<'_>) -> Result<Failure> {
    let lang = context.lang();
    let (path, delivery) = (context.paths.lock(), context.paths.delivery());
    if context.files.below(&delivery)?.is_empty() {
        let message = say!(lang, "there is no delivery in {delivery}", "{delivery} 中没有交付");
        return Ok(Failure::coded(Ending::Unavailable, Code::NotFrozen, message, Code::NotFrozen.help(lang)));
    }
    let message = say!(lang, "{path} is gone", "{path} 已丢失");
    Ok(Failure::coded(Ending::Tampered, Code::FileMissing, message, Code::FileMissing.help(lang)))
}
