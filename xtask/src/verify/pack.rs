//! The frozen pack: against its own digest, the authored pack, the digest that somebody expects, and what it replaced.

use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use super::compare;
use super::subject::Subject;
use crate::authored;
use crate::documents::Lock;
use crate::failure::Result;
use crate::paths;
use crate::reports;
use crate::stages;

/// See the module.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let mut problems = agrees_with_itself(subject)?;
    problems.extend(expected(subject)?);
    problems.extend(history(subject)?);
    problems.extend(compare::text(subject, &subject.context.paths.attributes(), paths::ATTRIBUTES)?);
    let path = subject.context.paths.delivery().join("spec.md");
    problems.extend(compare::rendered(subject, &path, |renderer| reports::spec(renderer, &subject.lock))?);
    let (found, refused) = super::findings(authored(subject))?;
    Ok(problems.into_iter().chain(found.unwrap_or_default()).chain(refused).collect())
}

fn digest(lock: &Lock) -> Result<String> {
    Ok(gate::audit::pack_digest(&lock.pack).map_err(anyhow::Error::from)?)
}

fn agrees_with_itself(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let (lock, path) = (&subject.lock, subject.context.paths.lock());
    let (stated, made) = (&lock.pack_sha256, digest(lock)?);
    let mut problems = Vec::new();
    if *stated != made {
        let message = say!(
            subject.context.lang(),
            "{path} says that its pack has the digest {stated}; it has {made}",
            "{path} 声称其验收包的摘要是 {stated}，实际为 {made}"
        );
        problems.push(subject.finding(Code::ArtifactBroken, &path, message));
    }
    Ok(problems)
}

/// What a person who knows the pack asks for, in no way through the delivery.
fn expected(subject: &Subject<'_, '_>) -> Result<Option<Problem>> {
    let Some(expected) = subject.expected else { return Ok(None) };
    let made = digest(&subject.lock)?;
    let message = say!(
        subject.context.lang(),
        "the frozen pack has the digest {made}, not {expected}",
        "冻结的验收包的摘要是 {made}，而不是 {expected}"
    );
    let is_other = !made.eq_ignore_ascii_case(expected);
    Ok(is_other.then(|| subject.finding(Code::PackUnexpected, &subject.context.paths.lock(), message)))
}

/// The lock, made again from the authored pack.
fn authored(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let (context, lock) = (subject.context, &subject.lock);
    stages::require_undrifted(context, lock)?;
    let replaced = (lock.history.clone(), lock.earlier.clone());
    let made = stages::lock(context, authored::pack(context)?.as_ref(), replaced);
    compare::json(subject, &context.paths.lock(), &made)
}

/// Every replacement follows the one before, and what is kept of a pack is that pack.
fn history(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let (lock, path, lang) = (&subject.lock, subject.context.paths.lock(), subject.context.lang());
    let mut problems = Vec::new();
    let next = lock.history.iter().skip(1).map(|entry| &entry.from).chain([&lock.pack_sha256]);
    for (entry, from) in lock.history.iter().zip(next) {
        if entry.to != *from {
            let message = say!(
                lang,
                "the history in {path} has a gap: {} is followed by {from}",
                "{path} 中的更替记录不连续：{} 之后是 {from}",
                entry.to
            );
            problems.push(subject.finding(Code::ArtifactBroken, &path, message));
        }
    }
    for (stated, earlier) in &lock.earlier {
        let made = gate::audit::pack_digest(&earlier.pack).map_err(anyhow::Error::from)?;
        let is_replaced = lock.history.iter().any(|entry| entry.from == *stated);
        if made != *stated || !is_replaced {
            let message = say!(
                lang,
                "the earlier pack {stated} in {path} has the digest {made}, or was never replaced",
                "{path} 中的旧验收包 {stated} 的摘要是 {made}，或从未被更替"
            );
            problems.push(subject.finding(Code::ArtifactBroken, &path, message));
        }
    }
    problems.extend(loosened(subject)?);
    Ok(problems)
}

/// What a replacement made easier, compared again where both packs are at hand.
fn loosened(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let (lock, lang) = (&subject.lock, subject.context.lang());
    let pack = |digest: &str| match digest == lock.pack_sha256 {
        true => Some(&lock.pack),
        false => lock.earlier.get(digest).map(|earlier| &earlier.pack),
    };
    let mut problems = Vec::new();
    for entry in &lock.history {
        let (Some(before), Some(after)) = (pack(&entry.from), pack(&entry.to)) else { continue };
        if gate::review::loosened(before, after, lang) != entry.loosened {
            let path = subject.context.paths.lock();
            let message = say!(
                lang,
                "{path} does not say what became easier from {} to {}",
                "{path} 未如实写明从 {} 到 {} 放宽了什么",
                entry.from,
                entry.to
            );
            problems.push(subject.finding(Code::RecomputedDiffers, &path, message));
        }
    }
    Ok(problems)
}
