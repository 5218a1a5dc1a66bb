//! Signed audits: who signs, what is signed, and how an outsider checks it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::support::{Workspace, not_tested, repository};

const SIGNED: &str = "deliveries/login-page/audit-2.intoto.json";

/// A workspace with a key beside it, whose public half the pipeline trusts.
struct Signing {
    workspace: Workspace,
    folder: tempfile::TempDir,
    public: String,
}

impl Signing {
    fn new(may_accept: &str) -> Self {
        let (workspace, folder) = (Workspace::sample(), tempfile::tempdir().unwrap());
        let key = folder.path().join("lead.pem");
        let made = workspace.xtask(&["keygen", key.to_str().unwrap(), "--json"]).run().exits(0).json();
        let public = made["publicKey"].as_str().unwrap().to_owned();
        let trusted = format!(
            "attestation:\n  required: true\n  keys:\n    - {{ id: lead, publicKey: {public}, mayAccept: [{may_accept}] }}\n"
        );
        let pipeline = workspace.read("pipeline.yaml");
        workspace.write("pipeline.yaml", &(pipeline + &trusted));
        Signing { workspace, folder, public }
    }

    fn key(&self) -> String {
        self.folder.path().join("lead.pem").to_str().unwrap().to_owned()
    }

    /// Another workspace that trusts the same key.
    fn again(&self) -> Workspace {
        let workspace = Workspace::sample();
        workspace.write("pipeline.yaml", &self.workspace.read("pipeline.yaml"));
        workspace
    }

    fn deliver(&self) {
        self.workspace.xtask(&["deliver", "login-page", "--key", &self.key()]).run().exits(0);
    }
}

fn files(workspace: &Workspace) -> Vec<(String, Vec<u8>)> {
    workspace.tree("deliveries")
}

#[test]
fn a_key_is_made_once_and_only_its_owner_reads_it() {
    let workspace = Workspace::empty();
    let key = "keys/lead.pem";
    let made = workspace.xtask(&["keygen", key]).run().exits(0);
    let text = workspace.read(key);
    assert!(text.starts_with("-----BEGIN PRIVATE KEY-----\n"), "another form of key");
    assert!(made.stdout.contains("publicKey: MCowBQYDK2VwAyEA"), "{}", made.stdout);
    assert!(!made.stdout.contains(text.lines().nth(1).unwrap()), "the private key was printed");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(workspace.root().join(key)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    workspace.xtask(&["keygen", key]).run().exits(3).says("E_KEY_EXISTS");
    assert_eq!(workspace.read(key), text);
}

/// A key in a repository is a key for everybody.
#[test]
fn a_key_that_git_keeps_is_refused() {
    let workspace = Workspace::sample();
    workspace.git(".", &["init", "-q"]);
    workspace.write(".gitignore", "/keys\n");
    workspace.xtask(&["keygen", "lead.pem"]).run().exits(3).says("E_KEY_EXPOSED");
    assert!(!workspace.has("lead.pem"));
    workspace.xtask(&["keygen", "keys/lead.pem"]).run().exits(0);
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    workspace.xtask(&["attest", "login-page", "--key", "keys/lead.pem"]).run().exits(0);
    // Tracked though it is ignored, and so by another name.
    workspace.git(".", &["add", "--force", "keys/lead.pem"]);
    workspace.xtask(&["attest", "login-page", "--key", "keys/lead.pem"]).run().exits(3).says("E_KEY_EXPOSED");
    #[cfg(unix)]
    {
        let link = tempfile::tempdir().unwrap();
        let link = link.path().join("innocent.pem");
        std::os::unix::fs::symlink(workspace.root().join("keys/lead.pem"), &link).unwrap();
        let call = ["attest", "login-page", "--key", link.to_str().unwrap()];
        workspace.xtask(&call).run().exits(3).says("E_KEY_EXPOSED");
    }
}

#[test]
fn what_is_no_key_signs_nothing() {
    let workspace = Workspace::sample();
    workspace.write("no.pem", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let deliver = ["deliver", "login-page", "--key", "no.pem"];
        workspace.xtask(&deliver).run().exits(3).says("E_KEY_EXPOSED").says("others");
        let private = fs::Permissions::from_mode(0o600);
        fs::set_permissions(workspace.root().join("no.pem"), private).unwrap();
    }
    for wrong in ["no.pem", "none.pem", "features"] {
        let call = workspace.xtask(&["deliver", "login-page", "--key", wrong]);
        call.run().exits(3).says("E_KEY_UNUSABLE");
    }
    let call = workspace.xtask(&["deliver", "login-page"]);
    call.env("XTASK_SIGNING_KEY", "-----BEGIN PRIVATE KEY-----").run().exits(3).says("E_KEY_UNUSABLE");
    // Nobody worked.
    assert!(!workspace.has("deliveries"));
}

#[test]
fn a_signature_has_the_same_bytes_wherever_the_key_comes_from() {
    let signing = Signing::new("login-*");
    signing.deliver();
    let workspace = &signing.workspace;
    let (signed, pem) = (files(workspace), fs::read_to_string(signing.key()).unwrap());
    let statement = workspace.read(SIGNED);
    assert!(workspace.has("deliveries/login-page/audit-1.intoto.json"));
    workspace.xtask(&["deliver", "login-page", "--key", &signing.key()]).run().exits(0);
    assert!(signed == files(workspace), "a second signature is another");
    for (variable, arguments) in [
        // In a delivery that was not signed yet.
        (pem.as_str(), &["audit", "login-page"][..]),
        (&signing.key(), &["report", "login-page"]),
        (&signing.key(), &["run", "audit", "login-page"]),
        (&pem, &["attest", "login-page", "--round", "2"]),
    ] {
        let workspace = signing.again();
        workspace.xtask(&["deliver", "login-page"]).run().exits(0);
        workspace.xtask(arguments).env("XTASK_SIGNING_KEY", variable).run().exits(0);
        assert_eq!(workspace.read(SIGNED), statement, "{arguments:?}");
    }
    // A log that a stage left would have to be without it.
    for (path, bytes) in workspace.tree(".xtask") {
        let secret = pem.lines().nth(1).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains(secret), "the key is in .xtask/{path}");
    }
}

#[test]
fn without_a_key_nothing_is_written_and_the_statement_is_shown() {
    let signing = Signing::new("login-*");
    let workspace = &signing.workspace;
    let said = workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    said.says("audit-2.intoto.json yet");
    let before = files(workspace);
    let shown = workspace.xtask(&["attest", "login-page", "--round", "2"]).run().exits(0).stdout;
    assert!(before == files(workspace), "something was written");
    let statement: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(statement["predicate"]["result"], "PASSED");
    assert_eq!(statement["subject"][0]["name"], "delivery/login-page");
    let audit = workspace.json("deliveries/login-page/audit-2.json");
    assert_eq!(statement["subject"][0]["digest"]["gitCommit"], audit["commit"]);
    assert_eq!(statement["predicate"]["configuration"][0]["digest"]["sha256"], audit["packSha256"]);
    let passed = audit["counts"]["pass"].as_u64().unwrap();
    assert_eq!(statement["predicate"]["passedTests"].as_array().unwrap().len() as u64, passed);
    let both = workspace.xtask(&["attest", "login-page", "--json"]).run().exits(0).json();
    assert_eq!(both["statements"][0]["predicate"]["result"], "FAILED");
    assert_eq!(both["statements"][1], statement);
}

#[test]
fn what_was_signed_of_another_verdict_is_withdrawn() {
    let signing = Signing::new("login-*");
    signing.deliver();
    let workspace = &signing.workspace;
    workspace.replace("features/login-page/recorded/round-2/checks.lin.yaml", "result: pass", "result: fail");
    workspace.xtask(&["audit", "login-page", "--round", "2"]).run().exits(1);
    assert!(!workspace.has(SIGNED));
    assert!(workspace.has("deliveries/login-page/audit-1.intoto.json"));
    let ledger = workspace.read("deliveries/login-page/ledger.jsonl");
    let last: Value = serde_json::from_str(ledger.lines().last().unwrap()).unwrap();
    assert!(last["writes"].get(SIGNED).is_some_and(Value::is_null), "{last}");
}

#[test]
fn what_is_not_as_the_pipeline_left_it_is_not_signed() {
    let signing = Signing::new("login-*");
    signing.deliver();
    let workspace = &signing.workspace;
    let attest = ["attest", "login-page", "--key", &signing.key()];
    for file in ["audit-2.json", "acceptance.md", "round-2/dispatch.json", "round-2/checks.lin.yaml"] {
        let path = format!("deliveries/login-page/{file}");
        let sound = workspace.read(&path);
        workspace.write(&path, &format!("{sound} "));
        workspace.xtask(&attest).run().exits(6);
        workspace.write(&path, &sound);
    }
    let ledger = "deliveries/login-page/ledger.jsonl";
    let sound = workspace.read(ledger);
    // The last line was the second signature; the one before told of the last report.
    let kept: Vec<&str> = sound.split_inclusive('\n').collect();
    workspace.write(ledger, &kept[..kept.len() - 3].concat());
    workspace.xtask(&attest).run().exits(6).says("E_LEDGER_DIFFERS").says("acceptance.json");
    workspace.write(ledger, &sound);
    workspace.xtask(&attest).run().exits(0);
}

/// An agent may put a filter into the settings of the repository, which git runs as often as it looks at a file.
#[test]
fn no_program_that_is_started_sees_the_key() {
    let script = "\
import os, subprocess
here = os.path.dirname(os.path.abspath(__file__))
subprocess.run(['git', 'config', 'filter.spy.clean', f'env >> \\'{here}/seen.txt\\'; cat'], check=True)
open('.gitattributes', 'w').write('*.txt filter=spy\\n')
open('WORK.txt', 'w').write('done')
open(here + '/seen.txt', 'a').write(str(os.environ))
";
    let workspace = Workspace::with_script(script, "    timeout: 60s\n");
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("lead.pem");
    workspace.xtask(&["keygen", key.to_str().unwrap()]).run().exits(0);
    let deliver = workspace.xtask(&["deliver", "login-page"]).env("XTASK_SIGNING_KEY", key.to_str().unwrap());
    deliver.run().exits(1);
    assert!(workspace.has("deliveries/login-page/audit-1.intoto.json"));
    let seen = workspace.read("seen.txt");
    assert!(seen.contains("XTASK_RUN"), "the script did not run: {seen}");
    assert!(!seen.contains("GIT_LITERAL_PATHSPECS"), "a filter ran in the pipeline's git: {seen}");
    assert!(!seen.contains("XTASK_SIGNING_KEY") && !seen.contains("lead.pem"), "{seen}");
}

/// Dies before and after every change on disk, one after the other, until a run passes them all.
#[test]
fn signing_that_dies_at_any_write_is_continued() {
    let signing = Signing::new("login-*");
    let workspace = &signing.workspace;
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let unsigned = files(workspace);
    let attest = ["attest", "login-page", "--key", &signing.key()];
    workspace.xtask(&attest).run().exits(0);
    let wanted = files(workspace);
    let mut died = 0;
    for fault in 1.. {
        workspace.remove("deliveries");
        for (path, bytes) in &unsigned {
            let target = workspace.root().join("deliveries").join(path);
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::write(target, bytes).unwrap();
        }
        let outcome = workspace.xtask(&attest).env("XTASK_FAULT", &fault.to_string()).run();
        if outcome.code() == Some(0) {
            break;
        }
        outcome.exits(86);
        died += 1;
        workspace.xtask(&attest).run().exits(0);
        assert!(wanted == files(workspace), "fault {fault}");
    }
    // Two statements and two lines, before and after each.
    assert!(died >= 8, "{died}");
}

/// Where `.ci/packages` installs.
fn packages() -> Option<PathBuf> {
    let folder = repository().join(".xtask/tools/in-toto");
    if folder.join("in_toto_attestation").is_dir() && folder.join("securesystemslib").is_dir() {
        return Some(folder);
    }
    not_tested(&format!(
        "in-toto-attestation and securesystemslib are not in {}: run .ci/packages",
        folder.display()
    ));
    None
}

/// What an outsider prints of an envelope, or nothing if it is refused.
fn outsider(packages: &PathBuf, public: &str, envelope: &str) -> Option<Value> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("envelope.json");
    fs::write(&file, envelope).unwrap();
    let script = repository().join("tests/support/outsider.py");
    let output = Command::new("python3")
        .arg(script)
        .arg(public)
        .arg(&file)
        .env("PYTHONPATH", packages)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => Some(serde_json::from_slice(&output.stdout).unwrap()),
        // Any other failure would be that of the script itself.
        Some(1) => None,
        other => panic!("{other:?}: {said}"),
    }
}

#[test]
fn an_outsider_accepts_what_is_signed_and_nothing_else() {
    let Some(packages) = packages() else { return };
    let signing = Signing::new("login-*");
    signing.deliver();
    let envelope = signing.workspace.read(SIGNED);
    let seen = outsider(&packages, &signing.public, &envelope).expect("a sound envelope is accepted");
    let audit = signing.workspace.json("deliveries/login-page/audit-2.json");
    assert_eq!(seen["type"], "https://in-toto.io/Statement/v1");
    assert_eq!(seen["predicateType"], "https://in-toto.io/attestation/test-result/v0.1");
    assert_eq!(seen["result"], "PASSED");
    assert_eq!(seen["commit"], audit["commit"]);
    let first = signing.workspace.read("deliveries/login-page/audit-1.intoto.json");
    assert_eq!(outsider(&packages, &signing.public, &first).unwrap()["result"], "FAILED");

    let parsed: Value = serde_json::from_str(&envelope).unwrap();
    let (payload, sig) =
        (parsed["payload"].as_str().unwrap(), parsed["signatures"][0]["sig"].as_str().unwrap());
    for (what, text) in [("payload", payload), ("signature", sig)] {
        // The first letter, one in the middle: each is some bits of a byte.
        for at in [0, text.len() / 2] {
            let letter = if &text[at..=at] == "A" { "B" } else { "A" };
            let changed = format!("{}{letter}{}", &text[..at], &text[at + 1..]);
            let forged = envelope.replace(text, &changed);
            assert_ne!(forged, envelope);
            assert_eq!(outsider(&packages, &signing.public, &forged), None, "{what} at {at}");
        }
    }
    let forged = envelope.replace("application/vnd.in-toto+json", "application/vnd.in-toto+jsom");
    assert_eq!(outsider(&packages, &signing.public, &forged), None, "payload type");
    let other = Signing::new("login-*");
    assert_eq!(outsider(&packages, &other.public, &envelope), None, "another key");
}

/// A key that nobody trusts signs nothing, and is told before anybody works.
#[test]
fn a_key_that_nobody_trusts_signs_nothing() {
    let signing = Signing::new("login-*");
    let other = signing.folder.path().join("other.pem");
    let other = other.to_str().unwrap();
    let workspace = &signing.workspace;
    workspace.xtask(&["keygen", other]).run().exits(0);
    workspace.xtask(&["deliver", "login-page", "--key", other]).run().exits(3).says("E_KEY_UNTRUSTED");
    assert!(!workspace.has("deliveries/login-page"), "somebody worked");
    signing.deliver();
    let before = files(workspace);
    for command in ["attest", "report"] {
        workspace.xtask(&[command, "login-page", "--key", other]).run().exits(3).says("E_KEY_UNTRUSTED");
    }
    assert!(before == files(workspace), "something was written");
}

/// Every way to a signature verifies first, and so does the statement for a signer of one's own.
#[test]
fn nothing_that_was_tampered_with_is_signed_on_any_way() {
    let signing = Signing::new("login-*");
    let workspace = &signing.workspace;
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    // Nothing that `deliver` would make again.
    workspace.write("deliveries/login-page/acceptance-by-hand.md", "# Accepted\n");
    let key = signing.key();
    for arguments in [
        &["deliver", "login-page", "--key", &key][..],
        &["report", "login-page", "--key", &key],
        &["attest", "login-page", "--key", &key],
        &["attest", "login-page"],
    ] {
        workspace.xtask(arguments).run().exits(6);
        assert!(!workspace.has(SIGNED), "{arguments:?}");
    }
}
