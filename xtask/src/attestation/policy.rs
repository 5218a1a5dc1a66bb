//! Which keys are trusted, and with what. Pure: bytes in, findings out.

use gate::audit::Verdict;
use gate::code::Code;
use gate::lang::Lang;
use gate::problem::Problem;
use gate::say;

use super::envelope::Envelope;
use crate::pipeline::model::{Attestation, TrustedKey};
use crate::store;

/// A signed statement, or its absence, with what it may say.
pub struct Signed<'a> {
    /// The feature.
    pub feature: &'a str,
    /// Where the envelope is, or would be.
    pub file: &'a str,
    /// The verdict that it is about.
    pub verdict: Verdict,
    /// The statements that the artifacts bear: one a time that the ledger tells of this very audit.
    pub statements: &'a [Vec<u8>],
    /// The envelope, if there is one.
    pub envelope: Option<&'a [u8]>,
}

/// Everything that is wrong with a signed statement.
pub fn check(policy: &Attestation, signed: &Signed<'_>, lang: Lang) -> Vec<Problem> {
    let file = signed.file;
    let problem = |code: Code, message: String| Problem::new(code, message, code.help(lang)).in_file(file);
    let Some(bytes) = signed.envelope else {
        let message = say!(lang, "there is no {file}", "没有 {file}");
        return policy.required.then(|| problem(Code::AttestationMissing, message)).into_iter().collect();
    };
    let Some((envelope, payload)) = read(bytes) else {
        let message = say!(lang, "{file} is no envelope as it is written", "{file} 不是规范写出的信封");
        return vec![problem(Code::AttestationInvalid, message)];
    };
    let mut problems = Vec::new();
    if !signed.statements.contains(&payload) {
        let message =
            say!(lang, "{file} states something else than the audit", "{file} 所声明的与审计不一致");
        problems.push(problem(Code::AttestationDiffers, message));
    }
    if policy.keys.is_empty() && !envelope.signatures.is_empty() {
        let message = say!(
            lang,
            "{file} is signed, and pipeline.yaml trusts no key to check that with",
            "{file} 已签名，但 pipeline.yaml 没有信任任何可用于校验的密钥"
        );
        problems.push(problem(Code::AttestationUnchecked, message));
        return problems;
    }
    let mut good: Vec<&TrustedKey> = Vec::new();
    for signature in &envelope.signatures {
        match policy.keys.iter().find(|key| key.public.id() == signature.keyid) {
            None => {
                let id = &signature.keyid;
                let message = say!(
                    lang,
                    "{file} is signed by {id}, which pipeline.yaml does not trust",
                    "{file} 的签名密钥 {id} 不在 pipeline.yaml 的信任之列"
                );
                problems.push(problem(Code::KeyUntrusted, message));
            }
            Some(key) if envelope.is_signed_by(signature, &key.public) => good.push(key),
            Some(key) => {
                let id = &key.id;
                let message = say!(
                    lang,
                    "the signature of {id} in {file} does not hold",
                    "{file} 中 {id} 的签名不成立"
                );
                problems.push(problem(Code::AttestationInvalid, message));
            }
        }
    }
    if envelope.signatures.is_empty() {
        let message = say!(lang, "{file} has no signature", "{file} 没有签名");
        problems.push(problem(Code::KeyUntrusted, message));
    }
    let feature = signed.feature;
    if signed.verdict == Verdict::Pass && !good.is_empty() && !good.iter().any(|key| may_accept(key, feature))
    {
        let names = good.iter().map(|key| key.id.as_str()).collect::<Vec<_>>().join(", ");
        let message = say!(
            lang,
            "{file} is signed by {names}, who may not accept {feature}",
            "{file} 由 {names} 签名，但其无权验收 {feature}"
        );
        problems.push(problem(Code::KeyMayNotAccept, message));
    }
    problems
}

/// The names of the trusted keys whose signatures hold.
pub(super) fn signers<'p>(policy: &'p Attestation, envelope: &[u8]) -> Vec<&'p str> {
    let Some((envelope, _)) = read(envelope) else { return Vec::new() };
    let holds = |key: &TrustedKey| {
        let id = key.public.id();
        let mut own = envelope.signatures.iter().filter(|signature| signature.keyid == id);
        own.any(|signature| envelope.is_signed_by(signature, &key.public))
    };
    policy.keys.iter().filter(|key| holds(key)).map(|key| key.id.as_str()).collect()
}

/// The envelope and its payload, if the bytes are those that it would be written as.
pub(super) fn read(bytes: &[u8]) -> Option<(Envelope, Vec<u8>)> {
    let envelope: Envelope = serde_json::from_slice(bytes).ok()?;
    let payload = envelope.payload()?;
    (store::json_bytes(&envelope).ok()? == bytes).then_some((envelope, payload))
}

fn may_accept(key: &TrustedKey, feature: &str) -> bool {
    key.may_accept.iter().any(|pattern| matches(pattern, feature))
}

/// Whether a name is that of a pattern, in which `*` is any run of characters.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, rest)) => name.strip_prefix(head).is_some_and(|tail| {
            let ends = tail.char_indices().map(|(at, _)| at).chain([tail.len()]);
            ends.into_iter().any(|at| tail.get(at..).is_some_and(|tail| matches(rest, tail)))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::{SigningKey, base64};

    fn key(seed: u8) -> SigningKey {
        // PKCS#8 of a seed of one byte over and over.
        let head = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];
        let body = base64(&[&head[..], &[seed; 32]].concat());
        SigningKey::from_pem(&format!("-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n"))
            .unwrap()
    }

    fn policy(required: bool) -> Attestation {
        let trusted = |id: &str, seed, may_accept: &[&str]| TrustedKey {
            id: id.to_owned(),
            public: key(seed).public(),
            may_accept: may_accept.iter().map(|pattern| (*pattern).to_owned()).collect(),
        };
        let keys = vec![trusted("lead", 1, &["login-*"]), trusted("ci", 2, &[])];
        Attestation { required, keys }
    }

    const STATED: &[u8] = b"{\"stated\":1}";

    fn envelope(payload: &[u8], keys: &[u8]) -> Vec<u8> {
        let signed = keys.iter().fold(Envelope::around(payload), |all, seed| all.signed(&key(*seed)));
        store::json_bytes(&signed).unwrap()
    }

    fn codes(required: bool, feature: &str, verdict: Verdict, envelope: Option<&[u8]>) -> Vec<Code> {
        let statements = [b"{\"stated\":0}".to_vec(), STATED.to_vec()];
        let file = "audit-1.intoto.json";
        let signed = Signed { feature, file, verdict, statements: &statements, envelope };
        check(&policy(required), &signed, Lang::En).iter().map(|problem| problem.code).collect()
    }

    #[test]
    fn a_key_is_trusted_with_what_the_pipeline_says() {
        use Code::*;
        use Verdict::{Fail, Pass};
        let edited = |from: &str, to: &str| {
            let text = String::from_utf8(envelope(STATED, &[1])).unwrap();
            assert!(text.contains(from));
            text.replace(from, to).into_bytes()
        };
        let table: [(&str, Verdict, Vec<u8>, &[Code]); 10] = [
            ("login-page", Pass, envelope(STATED, &[1]), &[]),
            ("login-page", Pass, envelope(STATED, &[2, 1]), &[]),
            ("pay-page", Fail, envelope(STATED, &[2]), &[]),
            ("login-page", Pass, envelope(STATED, &[2]), &[KeyMayNotAccept]),
            ("pay-page", Pass, envelope(STATED, &[1]), &[KeyMayNotAccept]),
            ("login-page", Pass, envelope(STATED, &[3]), &[KeyUntrusted]),
            ("login-page", Pass, envelope(STATED, &[1, 3]), &[KeyUntrusted]),
            ("login-page", Pass, envelope(STATED, &[]), &[KeyUntrusted]),
            ("login-page", Pass, envelope(b"{\"stated\":2}", &[1]), &[AttestationDiffers]),
            ("login-page", Pass, edited("vnd.in-toto", "vnd.in-tota"), &[AttestationInvalid]),
        ];
        for (feature, verdict, bytes, wanted) in table {
            assert_eq!(codes(true, feature, verdict, Some(&bytes)), wanted, "{feature} {verdict:?}");
        }
        let trusting_none = Attestation::default();
        let (statements, envelope) = ([STATED.to_vec()], envelope(STATED, &[1]));
        let signed = Signed {
            feature: "login-page",
            file: "f",
            verdict: Pass,
            statements: &statements,
            envelope: Some(&envelope),
        };
        let found = check(&trusting_none, &signed, Lang::En);
        assert_eq!(found.iter().map(|problem| problem.code).collect::<Vec<_>>(), [AttestationUnchecked]);
        assert_eq!(signers(&policy(false), &envelope), ["lead"]);
        assert_eq!(codes(true, "login-page", Pass, None), [AttestationMissing]);
        assert_eq!(codes(false, "login-page", Pass, None), []);
    }

    #[test]
    fn every_byte_counts() {
        let sound = envelope(STATED, &[1, 2]);
        for at in 0..sound.len() {
            let mut changed = sound.clone();
            changed[at] ^= 1;
            assert!(!codes(false, "login-page", Verdict::Pass, Some(&changed)).is_empty(), "byte {at}");
        }
    }

    #[test]
    fn a_star_is_any_run() {
        for (pattern, name) in
            [("*", "a"), ("a*", "a"), ("a*c", "abc"), ("*b*", "abc"), ("a", "a"), ("**", "")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("", "a"), ("a*", "ba"), ("a*c", "abd"), ("a", "ab"), ("*b", "abc")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
