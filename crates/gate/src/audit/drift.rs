//! Whether the pack is still the one that was frozen.

use crate::canonical;
use crate::code::Code;
use crate::lang::Lang;
use crate::pack::Pack;
use crate::problem::Problem;
use crate::say;

/// SHA-256 of the pack's canonical JSON (RFC 8785), in lower-case hexadecimal: what freezing writes into the lock.
///
/// Fails only if a number is not of the frozen form, which decoding never lets through.
pub fn pack_digest(pack: &Pack) -> Result<String, serde_json::Error> {
    canonical::digest(pack)
}

/// E_PACK_DRIFT, if the pack's digest is not the frozen one. The whole audit is then refused.
pub fn drift(pack: &Pack, frozen: &str, lang: Lang) -> Option<Problem> {
    let found = pack_digest(pack).unwrap_or_default();
    if found == frozen {
        return None;
    }
    let message = say!(
        lang,
        "the pack's digest is {found}, and {frozen} was frozen",
        "验收包的摘要是 {found}，而冻结的是 {frozen}"
    );
    Some(Problem::new(Code::PackDrift, message, Code::PackDrift.help(lang)))
}
