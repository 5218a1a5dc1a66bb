//! Ed25519 keys in OpenSSL's own encodings: a private key as PKCS#8 PEM, a public one as the base64 of its
//! SubjectPublicKeyInfo, which is the middle line of what `openssl pkey -pubout` prints.

use ct_codecs::{Base64, Decoder, Encoder};
use ed25519_compact::{KeyPair, PublicKey as Ed25519, Seed, Signature};
use gate::canonical::sha256_hex;

/// The variable that holds a key, or names its file, where the command line names none. No other program is to see it.
pub const VARIABLE: &str = "XTASK_SIGNING_KEY";

/// A key that signatures are checked with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey(Ed25519);

impl PublicKey {
    /// From its one line. Weak keys, which hold for any message, are none.
    pub fn from_text(text: &str) -> Option<Self> {
        let key = Ed25519::from_der(&from_base64(text)?).ok()?;
        key.validate().ok()?;
        Some(PublicKey(key))
    }

    /// Its one line.
    pub fn text(&self) -> String {
        base64(&self.0.to_der())
    }

    /// What an envelope names it by: SHA-256 of its SubjectPublicKeyInfo.
    pub fn id(&self) -> String {
        sha256_hex(&self.0.to_der())
    }

    /// Whether a signature is this key's over a message.
    pub fn holds(&self, message: &[u8], signature: &[u8]) -> bool {
        Signature::from_slice(signature).is_ok_and(|signature| self.0.verify(message, &signature).is_ok())
    }
}

/// A key that signs. It is shown to nobody.
pub struct SigningKey(KeyPair);

impl SigningKey {
    /// A new one, from the system's randomness.
    pub fn generate() -> Self {
        SigningKey(KeyPair::from_seed(Seed::generate()))
    }

    /// From PKCS#8 PEM.
    pub fn from_pem(pem: &str) -> Option<Self> {
        KeyPair::from_pem(pem).ok().map(SigningKey)
    }

    /// As PKCS#8 PEM.
    pub fn to_pem(&self) -> String {
        self.0.sk.to_pem()
    }

    /// The other half.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.pk)
    }

    /// The signature of a message: always the same.
    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        self.0.sk.sign(message, None).to_vec()
    }
}

/// Standard base64 with padding.
pub fn base64(bytes: &[u8]) -> String {
    // Fails only where memory does.
    Base64::encode_to_string(bytes).unwrap_or_default()
}

/// The bytes of standard base64 with padding.
pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    Base64::decode_to_vec(text, None).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8032, 7.1, test 2: one seed, one key, one signature, whoever computes it.
    #[test]
    fn the_vector_of_the_standard() {
        let seed = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";
        let public = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
        let signature = "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
                         085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";
        let bytes = |hex: &str| -> Vec<u8> {
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
        };
        let key = SigningKey(KeyPair::from_seed(Seed::from_slice(&bytes(seed)).unwrap()));
        assert_eq!(key.public().0.to_vec(), bytes(public));
        assert_eq!(key.sign(&[0x72]), bytes(signature));
        assert!(key.public().holds(&[0x72], &bytes(signature)));
        assert!(!key.public().holds(&[0x73], &bytes(signature)));
    }

    #[test]
    fn a_key_is_read_as_it_is_written() {
        let key = SigningKey::generate();
        let again = SigningKey::from_pem(&key.to_pem()).unwrap();
        assert_eq!(again.public(), key.public());
        assert_eq!(PublicKey::from_text(&key.public().text()), Some(key.public()));
        let zero = base64(&Ed25519::new([0; 32]).to_der());
        for wrong in ["", "MCowBQYDK2VwAyEA", "not base64", zero.as_str()] {
            assert_eq!(PublicKey::from_text(wrong), None, "{wrong}");
        }
        assert!(
            SigningKey::from_pem("-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\n").is_none()
        );
    }
}
