//! `attest`: audits are signed, or what would be signed is printed.

use gate::code::Code;
use gate::problem::Severity;
use gate::say;
use serde_json::{Value, json};

use super::answer::Answer;
use crate::attestation::{self, key_file};
use crate::cli;
use crate::context::Context;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::keys::SigningKey;
use crate::pipeline::lock::{FeatureLock, IfHeld};
use crate::stages;
use crate::store;
use crate::verify::{self, Repositories};

pub fn run(context: &Context<'_>, args: &cli::Attest) -> Result<Answer> {
    let rounds = match args.round {
        Some(round) => vec![round],
        None => attestation::rounds(context)?,
    };
    if rounds.is_empty() {
        return Err(nothing_audited(context));
    }
    match key(context, &args.signing)? {
        Some(key) => signed(context, &rounds, &key),
        None => unsigned(context, &rounds),
    }
}

/// The key that a command was given, if it was given one. Where the pipeline trusts keys, it is one of them.
pub fn key(context: &Context<'_>, signing: &cli::Signing) -> Result<Option<SigningKey>> {
    let (lang, trusted) = (context.lang(), &context.pipeline.attestation.keys);
    let key = key_file::given(signing.key.as_deref(), lang)?;
    if let Some(id) = key.as_ref().map(|key| key.public().id())
        && !trusted.is_empty()
        && !trusted.iter().any(|key| key.public.id() == id)
    {
        let message = say!(
            lang,
            "pipeline.yaml does not trust the key {id}: nothing is signed with it",
            "pipeline.yaml 不信任密钥 {id}：不会用它签名"
        );
        let help = Code::KeyUntrusted.help(lang);
        return Err(Failure::coded(Ending::InvalidInput, Code::KeyUntrusted, message, help));
    }
    Ok(key)
}

/// Signs every round that was audited.
pub fn all(context: &Context<'_>, key: &SigningKey) -> Result<()> {
    context.forget();
    require_verified(context)?;
    for round in attestation::rounds(context)? {
        attestation::sign(context, round, key)?;
    }
    Ok(())
}

/// Says which audits are not signed, where they have to be: that is no failure yet, since whoever signs may do it elsewhere.
pub fn tell_unsigned(context: &Context<'_>) -> Result<()> {
    if !context.pipeline.attestation.required {
        return Ok(());
    }
    let (lang, feature) = (context.lang(), &context.feature);
    for round in attestation::rounds(context)? {
        let path = context.paths.attestation(round);
        if !context.at(&path).is_file() {
            let note = say!(
                lang,
                "there is no {path} yet: cargo xtask attest {feature} --key <file>",
                "尚无 {path}：cargo xtask attest {feature} --key <文件>"
            );
            context.progress.note(feature, &note);
        }
    }
    Ok(())
}

fn signed(context: &Context<'_>, rounds: &[u32], key: &SigningKey) -> Result<Answer> {
    let _lock = FeatureLock::take(context, IfHeld::Refuse)?;
    stages::require_unmeddled(context)?;
    store::sweep(&context.at(context.paths.delivery()))?;
    for round in rounds {
        attestation::take_up(context, *round)?;
    }
    require_verified(context)?;
    let mut written = Vec::new();
    for round in rounds {
        written.push(attestation::sign(context, *round, key)?);
    }
    let text = written.iter().map(|path| path.as_str()).collect::<Vec<_>>().join("\n");
    let data = json!({ "feature": context.feature, "keyid": key.public().id(), "written": written });
    Ok(Answer::yes(text, data))
}

/// Whoever signs answers for it: nothing is signed that does not verify. A signature that
/// does not hold is to be looked at first; one that is missing, or is not enough, is what this is for.
pub fn require_verified(context: &Context<'_>) -> Result<()> {
    let verified = verify::verify(context, None, &Repositories::asked([context])?)?;
    let mut problems = verified.problems;
    let to_be_signed = [Code::AttestationMissing, Code::KeyUntrusted, Code::KeyMayNotAccept];
    problems.retain(|problem| problem.severity == Severity::Error && !to_be_signed.contains(&problem.code));
    match Ending::worst(problems.iter().map(|problem| verify::ending_of(problem.code))) {
        Ending::Tampered => Err(Failure::Problems { ending: Ending::Tampered, problems }),
        // What is not at hand here was at hand where it was judged.
        _ => Ok(()),
    }
}

/// One statement a line, for a signer of one's own.
fn unsigned(context: &Context<'_>, rounds: &[u32]) -> Result<Answer> {
    require_verified(context)?;
    let (mut text, mut statements) = (String::new(), Vec::new());
    for round in rounds {
        let statement = attestation::unsigned(context, *round)?;
        statements.push(serde_json::from_slice::<Value>(&statement).unwrap_or_default());
        text.push_str(&String::from_utf8_lossy(&statement));
        text.push('\n');
    }
    Ok(Answer::yes(text, json!({ "feature": context.feature, "statements": statements })))
}

fn nothing_audited(context: &Context<'_>) -> Failure {
    let (lang, feature) = (context.lang(), &context.feature);
    let message = say!(lang, "no round of {feature} was audited yet", "{feature} 还没有任何轮次经过审计");
    let help = Code::ArtifactMissing.help(lang);
    Failure::coded(Ending::InvalidInput, Code::ArtifactMissing, message, help)
}
