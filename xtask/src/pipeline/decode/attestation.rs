//! Which signatures count.

use gate::code::Code;
use gate::decode::{Fields, Findings};
use gate::node::Node;
use gate::say;

use super::value::texts;
use crate::keys::PublicKey;
use crate::pipeline::model::{Attestation, TrustedKey};

const FIELDS: &[&str] = &["required", "keys"];

const KEY_FIELDS: &[&str] = &["id", "publicKey", "mayAccept"];

pub(super) fn attestation(node: &Node, findings: &mut Findings<'_>) -> Option<Attestation> {
    let fields = Fields::open(node, ("the attestation", "签名设置"), FIELDS, findings)?;
    let required = fields.boolean("required", findings).unwrap_or_default();
    let nodes = fields.list("keys", findings).unwrap_or_default();
    let mut keys: Vec<TrustedKey> = Vec::new();
    for node in nodes {
        let Some(key) = key(node, findings) else { continue };
        if keys.iter().any(|known| known.id == key.id || known.public == key.public) {
            let id = &key.id;
            let message = say!(findings.lang, "the key {id} is there already", "密钥 {id} 重复");
            findings.report(Code::ValueUnknown, node.at, message);
        } else {
            keys.push(key);
        }
    }
    if required && nodes.is_empty() {
        let message = say!(
            findings.lang,
            "signatures are required, and no key is trusted: list some under `keys`",
            "要求签名，却没有信任任何密钥：请在 `keys` 中列出"
        );
        findings.report(Code::FieldMissing, fields.at(), message);
    }
    Some(Attestation { required, keys })
}

fn key(node: &Node, findings: &mut Findings<'_>) -> Option<TrustedKey> {
    let fields = Fields::open(node, ("a key", "密钥"), KEY_FIELDS, findings)?;
    let id = fields.required_text("id", findings);
    let text = fields.required_text("publicKey", findings);
    fields.required("mayAccept", findings);
    let may_accept = texts(&fields, "mayAccept", findings);
    let text = text?;
    let public = PublicKey::from_text(&text);
    if public.is_none() {
        let message = say!(
            findings.lang,
            "`publicKey` is no Ed25519 key; write the line that cargo xtask keygen prints, or the middle line of openssl pkey -pubout",
            "`publicKey` 不是 Ed25519 公钥；请写 cargo xtask keygen 输出的那一行，或 openssl pkey -pubout 的中间一行"
        );
        findings.report(Code::ValueUnknown, fields.place("publicKey"), message);
    }
    Some(TrustedKey { id: id?, public: public?, may_accept })
}
