//! Freeze: the authored pack becomes `pack.lock.json`, and `spec.md` shows it.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use gate::code::Code;
use gate::say;

use super::{Inputs, Stage};
use crate::authored::{self, Authored};
use crate::context::Context;
use crate::documents::{EarlierPack, LOCK_FORMAT, Lock, Refreeze};
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::ledger;
use crate::paths;
use crate::reports::{self, words};
use crate::rounds;
use crate::store;

/// See the module.
pub struct Freeze;

impl Stage for Freeze {
    fn inputs(&self, context: &Context<'_>, _round: u32) -> Result<Inputs> {
        let mut inputs = Inputs::default();
        inputs.authored(context, &authored::file(context)?)?;
        inputs.template(context, reports::SPEC)?;
        inputs.value(context, "pipeline:lang", &context.lang())?;
        inputs.value(context, "format", &LOCK_FORMAT)?;
        Ok(inputs)
    }

    fn run(&self, context: &Context<'_>, _round: u32) -> Result<Vec<Utf8PathBuf>> {
        let authored = authored::pack(context)?;
        let before: Option<Lock> = match context.at(context.paths.lock()).exists() {
            true => Some(context.lock()?),
            false => None,
        };
        let replaced = before.as_ref().map(|before| before.pack_sha256.clone());
        let lock = freeze(context, &authored, before)?;
        let spec = context.paths.delivery().join("spec.md");
        let text = reports::spec(context.renderer()?, &lock)?;
        // A lock that was lost left its digest in the rounds, and from there in the history.
        let is_other = |digest: String| digest != lock.pack_sha256;
        if replaced.map_or(!lock.history.is_empty(), is_other) {
            // What was accepted was accepted under another pack; git keeps it.
            for extension in ["json", "md"] {
                store::remove_file(&context.at(context.paths.acceptance(extension)))?;
            }
            store::remove_file(&context.at(context.paths.page()))?;
        }
        store::write(&context.at(context.paths.attributes()), paths::ATTRIBUTES)?;
        store::write_json(&context.at(context.paths.lock()), &lock)?;
        store::write(&context.at(&spec), &text)?;
        Ok(vec![context.paths.attributes(), context.paths.lock(), spec])
    }
}

/// The packs that were frozen before.
type Replaced = (Vec<Refreeze>, BTreeMap<String, EarlierPack>);

/// The lock of a pack. One that replaces another needs a reason, which stays on record.
fn freeze(context: &Context<'_>, authored: &Authored, before: Option<Lock>) -> Result<Lock> {
    let pack_sha256 = &authored.pack_sha256;
    let is_lost = before.is_none();
    let replaced = match before {
        Some(before) if before.pack_sha256 != *pack_sha256 => {
            refrozen(context, before, &authored.decoded.pack, pack_sha256)?
        }
        Some(before) => (before.history, before.earlier),
        None => (without_lock(context, pack_sha256)?, BTreeMap::new()),
    };
    let lock = lock(context, authored, replaced);
    if is_lost && lock.history.is_empty() && rounds::latest(context)?.is_none() {
        require_known(context, lock)
    } else {
        Ok(lock)
    }
}

/// Before the first round, the ledger alone knows which lock was there. Another one needs a reason as ever, and has to
/// name the pack that it replaces.
fn require_known(context: &Context<'_>, mut lock: Lock) -> Result<Lock> {
    let made = gate::canonical::sha256_hex(&store::json_bytes(&lock)?);
    if ledger::last_lock(context)?.is_none_or(|known| known == made) {
        return Ok(lock);
    }
    let from = context
        .review_if_any()?
        .map(|review| review.pack_sha256.clone())
        .filter(|from| *from != lock.pack_sha256);
    match (from, reason(context)) {
        (Some(from), Some(reason)) => {
            let to = lock.pack_sha256.clone();
            lock.history.push(Refreeze { from, to, reason, loosened: Vec::new() });
            Ok(lock)
        }
        (Some(from), None) => Err(drift(context, &from, &lock.pack_sha256, &[])),
        (None, _) => Err(lost(context)),
    }
}

/// Nothing says which pack was frozen: the lock itself has to come back.
fn lost(context: &Context<'_>) -> Failure {
    let (lang, path, ledger) = (context.lang(), context.paths.lock(), context.paths.ledger());
    let message = say!(
        lang,
        "{path} is gone, and what would be written now is not what {ledger} tells of",
        "{path} 已丢失，而现在要写出的与 {ledger} 所记不符"
    );
    let help = say!(lang, "restore {path} from git", "请从 git 恢复 {path}");
    Failure::coded(Ending::Tampered, Code::PackDrift, message, help)
}

/// The lock of an authored pack, after those that were frozen before.
pub fn lock(context: &Context<'_>, authored: &Authored, (history, earlier): Replaced) -> Lock {
    let gate::decode::Authored { pack, locations, .. } = authored.decoded.clone();
    Lock {
        format: LOCK_FORMAT,
        feature: context.feature.clone(),
        lang: context.lang(),
        pack_sha256: authored.pack_sha256.clone(),
        criteria_count: pack.criteria.len(),
        authored: authored.file.to_string(),
        locations,
        pack,
        history,
        earlier,
    }
}

/// A delivery whose rounds are there and whose lock is not: freezing again is freezing something else, unless the rounds
/// say that it is the same.
fn without_lock(context: &Context<'_>, pack_sha256: &str) -> Result<Vec<Refreeze>> {
    let latest = rounds::latest(context)?;
    let Some(dispatch) = latest.map(|round| rounds::dispatched(context, round)).transpose()?.flatten() else {
        return Ok(Vec::new());
    };
    if dispatch.pack_sha256 == pack_sha256 {
        return Ok(Vec::new());
    }
    match reason(context) {
        Some(reason) => Ok(vec![Refreeze {
            from: dispatch.pack_sha256,
            to: pack_sha256.to_owned(),
            reason,
            loosened: Vec::new(),
        }]),
        None => Err(drift(context, &dispatch.pack_sha256, pack_sha256, &[])),
    }
}

/// A person's reason, if there is something to read in it.
fn reason(context: &Context<'_>) -> Option<String> {
    let reason = context.reason.as_deref()?;
    gate::decode::has_visible(reason).then(|| reason.trim().to_owned())
}

fn refrozen(
    context: &Context<'_>,
    before: Lock,
    pack: &gate::pack::Pack,
    pack_sha256: &str,
) -> Result<Replaced> {
    let lang = context.lang();
    let loosened = gate::review::loosened(&before.pack, pack, lang);
    let Some(reason) = reason(context) else {
        return Err(drift(context, &before.pack_sha256, pack_sha256, &loosened));
    };
    let entry = Refreeze { from: before.pack_sha256.clone(), to: pack_sha256.to_owned(), reason, loosened };
    let kept = EarlierPack { authored: before.authored, locations: before.locations, pack: before.pack };
    let mut earlier = before.earlier;
    earlier.insert(before.pack_sha256, kept);
    // One that is frozen again is no earlier one.
    earlier.remove(pack_sha256);
    Ok((before.history.into_iter().chain([entry]).collect(), earlier))
}

fn drift(
    context: &Context<'_>,
    frozen: &str,
    pack_sha256: &str,
    loosened: &[gate::review::Loosening],
) -> Failure {
    let lang = context.lang();
    let feature = &context.feature;
    let (old, new) = (short(frozen), short(pack_sha256));
    let mut message = say!(
        lang,
        "the pack is no longer the frozen one: {old} was frozen, {new} is there now",
        "验收包与冻结时不一致：冻结的是 {old}，现在是 {new}"
    );
    for line in loosened {
        message.push_str("\n  ");
        message.push_str(&words::loosening(line, lang));
    }
    let help = say!(
        lang,
        "restore the pack, or freeze it again on record: cargo xtask freeze {feature} --reason \"…\"",
        "请恢复验收包，或写明理由重新冻结：cargo xtask freeze {feature} --reason \"…\""
    );
    Failure::coded(Ending::Tampered, Code::PackDrift, message, help)
}

fn short(digest: &str) -> &str {
    digest.get(..12).unwrap_or(digest)
}

/// Refuses to go on when the authored pack is not the frozen one.
pub fn require_undrifted(context: &Context<'_>, lock: &Lock) -> Result<()> {
    let authored = authored::pack(context)?;
    if authored.pack_sha256 == lock.pack_sha256 {
        return Ok(());
    }
    let loosened = gate::review::loosened(&lock.pack, &authored.decoded.pack, context.lang());
    Err(drift(context, &lock.pack_sha256, &authored.pack_sha256, &loosened))
}
