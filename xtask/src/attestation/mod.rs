//! `audit-<n>.intoto.json`: an audit as an in-toto statement ([`statement`]), in a DSSE envelope ([`envelope`]) that keys
//! sign ([`key_file`]) which the pipeline trusts ([`policy`]). Without a key there is no envelope: an unsigned statement
//! says nothing that the audit does not say itself.

pub mod envelope;
pub mod key_file;
mod policy;
mod statement;

use camino::Utf8PathBuf;
use gate::canonical::sha256_hex;
use gate::code::Code;
use gate::lang::Lang;
use gate::problem::Problem;
use gate::say;

use crate::context::Context;
use crate::documents::{AuditFile, Dispatch};
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::keys::SigningKey;
use crate::ledger;
use crate::ledger::chain::{self, Event, Line};
use crate::paths::FeaturePaths;
use crate::pipeline::model::Attestation;
use crate::store;
use envelope::Envelope;
use policy::Signed;
use statement::Audited;

/// The bytes of a round that its signed statement is about.
pub struct Parts<'a> {
    /// `audit-<n>.json`.
    pub audit: &'a [u8],
    /// `round-<n>/dispatch.json`.
    pub dispatch: &'a [u8],
    /// `ledger.jsonl`.
    pub ledger: &'a [u8],
    /// `audit-<n>.intoto.json`, if it is there.
    pub envelope: Option<&'a [u8]>,
}

/// Everything that is wrong with the signed statement of a round, or its absence. An audit or dispatch that cannot be
/// read is for others to report.
pub fn check(policy: &Attestation, feature: &str, round: u32, parts: &Parts<'_>, lang: Lang) -> Vec<Problem> {
    let Some((audit, dispatch)) = read(parts.audit, parts.dispatch) else { return Vec::new() };
    let made = || statements(&audit, &dispatch, parts.audit, parts.ledger).unwrap_or_default();
    // Where nothing was signed there is nothing to hold against them.
    let statements = parts.envelope.map(|_| made()).unwrap_or_default();
    let file = FeaturePaths::new(feature).attestation(round).into_string();
    let (verdict, envelope) = (audit.verdict, parts.envelope);
    policy::check(policy, &Signed { feature, file: &file, verdict, statements: &statements, envelope }, lang)
}

/// The names of those whose trusted keys signed an envelope.
pub fn signers<'p>(policy: &'p Attestation, envelope: &[u8]) -> Vec<&'p str> {
    policy::signers(policy, envelope)
}

fn read(audit: &[u8], dispatch: &[u8]) -> Option<(AuditFile, Dispatch)> {
    Some((serde_json::from_slice(audit).ok()?, serde_json::from_slice(dispatch).ok()?))
}

/// The statements that may be made of an audit: one a line of the ledger that tells of these very bytes, oldest first.
fn statements(
    audit: &AuditFile,
    dispatch: &Dispatch,
    bytes: &[u8],
    ledger: &[u8],
) -> std::result::Result<Vec<Vec<u8>>, serde_json::Error> {
    let audit_sha256 = sha256_hex(bytes);
    let path = FeaturePaths::new(&audit.feature).audit(audit.round, "json").into_string();
    let tells = |line: &&Line| {
        line.event == Event::Audit
            && line.round == Some(audit.round)
            && line.writes.get(&path).is_some_and(|digest| digest.as_ref() == Some(&audit_sha256))
    };
    let of = Audited { audit, audit_sha256: &audit_sha256, branch: &dispatch.branch };
    let (lines, _) = chain::read(ledger);
    lines.iter().filter(tells).map(|line| statement::statement(&of, line)).collect()
}

/// The rounds that were audited.
pub fn rounds(context: &Context<'_>) -> Result<Vec<u32>> {
    let mut rounds = context.rounds()?;
    rounds.retain(|round| context.at(context.paths.audit(*round, "json")).is_file());
    Ok(rounds)
}

/// The statement of a round's audit, as it would be signed.
pub fn unsigned(context: &Context<'_>, round: u32) -> Result<Vec<u8>> {
    known(context, round)?.pop().ok_or_else(|| untold(context, round))
}

/// Signs the audit of a round, beside those who signed it before and are trusted, and answers the file.
pub fn sign(context: &Context<'_>, round: u32, key: &SigningKey) -> Result<Utf8PathBuf> {
    let known = known(context, round)?;
    let path = context.paths.attestation(round);
    let there = store::read_optional(&context.at(&path))?;
    let before = there.as_deref().and_then(policy::read).filter(|(_, payload)| known.contains(payload));
    let envelope = match before {
        Some((envelope, _)) => envelope.trusted(&context.pipeline.attestation),
        None => Envelope::around(known.last().ok_or_else(|| untold(context, round))?),
    };
    let bytes = store::json_bytes(&envelope.signed(key))?;
    if there.as_ref() != Some(&bytes) {
        store::write(&context.at(&path), &bytes)?;
    }
    ledger::record_attestation(context, round)?;
    Ok(path)
}

/// Tells the ledger of what a run signed that died before it could: its statement has to be of the audit that is there.
pub fn take_up(context: &Context<'_>, round: u32) -> Result<()> {
    let Some(bytes) = store::read_optional(&context.at(context.paths.attestation(round)))? else {
        return Ok(());
    };
    match policy::read(&bytes) {
        Some((_, payload)) if known(context, round)?.contains(&payload) => {
            ledger::record_attestation(context, round)
        }
        _ => Ok(()),
    }
}

/// Takes away what was signed of an audit that is another now: git keeps it.
pub fn withdraw(context: &Context<'_>, round: u32) -> Result<()> {
    store::remove_file(&context.at(context.paths.attestation(round)))
}

/// An audit from before there were ledgers, or one that was cut off before its line.
fn untold(context: &Context<'_>, round: u32) -> Failure {
    let (lang, feature) = (context.lang(), &context.feature);
    let (audit, ledger) = (context.paths.audit(round, "json"), context.paths.ledger());
    let message = say!(lang, "no line of {ledger} tells of {audit}", "{ledger} 中没有任何一行记有 {audit}");
    let help = say!(
        lang,
        "run cargo xtask audit {feature} --round {round}, then sign it",
        "请先运行 cargo xtask audit {feature} --round {round}，再签名"
    );
    Failure::coded(Ending::Tampered, Code::LedgerDiffers, message, help)
}

/// The statements of a round's audit. Its ledger has to tell of it.
fn known(context: &Context<'_>, round: u32) -> Result<Vec<Vec<u8>>> {
    let audit: AuditFile = context.artifact(&context.paths.audit(round, "json"), "audit", Some(round))?;
    let dispatch: Dispatch =
        context.artifact(&context.paths.in_round(round, "dispatch.json"), "dispatch", Some(round))?;
    let bytes = store::read(&context.at(context.paths.audit(round, "json")))?;
    let ledger = store::read(&context.at(context.paths.ledger()))?;
    Ok(statements(&audit, &dispatch, &bytes, &ledger).map_err(anyhow::Error::from)?)
}
