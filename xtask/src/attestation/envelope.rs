//! DSSE: a payload with signatures over it and its type, so that it cannot be taken for anything else.

use serde::{Deserialize, Serialize};

use crate::keys::{PublicKey, SigningKey, base64, from_base64};
use crate::pipeline::model::Attestation;

/// The type of an in-toto statement.
pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// `audit-<n>.intoto.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Envelope {
    /// What the payload is.
    pub payload_type: String,
    /// The statement, in base64.
    pub payload: String,
    /// One a key, in the order of their ids.
    pub signatures: Vec<Signature>,
}

/// A key's signature.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// SHA-256 of the key's SubjectPublicKeyInfo.
    pub keyid: String,
    /// In base64.
    pub sig: String,
}

impl Envelope {
    /// One without signatures yet.
    pub fn around(payload: &[u8]) -> Self {
        Envelope { payload_type: PAYLOAD_TYPE.to_owned(), payload: base64(payload), signatures: Vec::new() }
    }

    /// The payload, if there is one of the right type.
    pub fn payload(&self) -> Option<Vec<u8>> {
        from_base64(&self.payload).filter(|_| self.payload_type == PAYLOAD_TYPE)
    }

    /// With the signature of a key, in the place of what it signed before.
    pub fn signed(mut self, key: &SigningKey) -> Self {
        let Some(payload) = self.payload() else { return self };
        let (keyid, sig) = (key.public().id(), base64(&key.sign(&encoded(&payload))));
        self.signatures.retain(|signature| signature.keyid != keyid);
        self.signatures.push(Signature { keyid, sig });
        self.signatures.sort();
        self
    }

    /// Without the signatures of keys that are trusted no more. Where no key is, nobody has said yet whom to trust.
    pub fn trusted(mut self, policy: &Attestation) -> Self {
        let is_trusted = |keyid: &str| policy.keys.iter().any(|key| key.public.id() == keyid);
        self.signatures.retain(|signature| policy.keys.is_empty() || is_trusted(&signature.keyid));
        self
    }

    /// Whether one of the signatures holds by a key.
    pub fn is_signed_by(&self, signature: &Signature, key: &PublicKey) -> bool {
        let signed = self.payload().zip(from_base64(&signature.sig));
        signed.is_some_and(|(payload, bytes)| key.holds(&encoded(&payload), &bytes))
    }
}

/// What is signed: DSSE's pre-authentication encoding.
fn encoded(payload: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {PAYLOAD_TYPE} {} ", PAYLOAD_TYPE.len(), payload.len());
    [head.as_bytes(), payload].concat()
}
