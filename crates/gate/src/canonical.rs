//! Canonical JSON (RFC 8785) and its SHA-256: the digest that freezes a pack.

use serde::Serialize;
use sha2::{Digest, Sha256};

/// The canonical JSON of a value. Fails only on what JSON cannot hold, such as a map with keys that are no text.
pub fn canonical_json<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    serde_json_canonicalizer::to_vec(value)
}

/// SHA-256 in lower-case hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    text.extend(halves.filter_map(|half| char::from_digit(half.into(), 16)));
    text
}

/// SHA-256 of the canonical JSON of a value.
pub fn digest<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    Ok(sha256_hex(&canonical_json(value)?))
}

/// A finite number as RFC 8785 writes it: the shortest decimal text that reads back as the same double.
pub fn number(value: f64) -> Option<String> {
    // JSON has no text for what is not finite; the canonicaliser refuses it.
    serde_json_canonicalizer::to_string(&value).ok().filter(|_| value.is_finite())
}
