//! The second verifier, `tools/verify.py`: it agrees with the gate on every vector, every golden reading, audit and delivery,
//! and says so where a delivery was tampered with.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::support::{copy_folder, repository, shared};

fn verify(arguments: &[&Path]) -> Output {
    let script = repository().join("tools/verify.py");
    Command::new("python3").arg(script).args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn golden(name: &str) -> PathBuf {
    repository().join("tests/snapshots").join(name)
}

/// The folders below one that are deliveries.
fn deliveries(below: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(below) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.retain(|folder| folder.join("pack.lock.json").is_file());
    found.sort();
    found
}

#[test]
fn it_agrees_on_every_vector() {
    let mut folders = vec![repository().join("tests/vectors")];
    folders.extend(shared("vectors"));
    for folder in folders {
        for name in ["assertions.json", "gate.json"] {
            let output = verify(&[Path::new("vectors"), &folder.join(name)]);
            assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        }
    }
}

/// What the gate's golden file of this name holds, line by line.
fn told(name: &str) -> Vec<String> {
    let path = repository().join("crates/gate/tests/golden").join(name);
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

/// Runs cases as a file of vectors.
fn it_agrees_on(cases: &[Value]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("golden.json");
    fs::write(&file, json!({"about": "", "cases": cases}).to_string()).unwrap();
    let output = verify(&[Path::new("vectors"), &file]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}

/// The cases of a golden reading: a text as Rust writes it, then `[units] Verdict: why`, joined by ` | `.
fn readings(line: &str) -> Vec<Value> {
    let mut texts = serde_json::Deserializer::from_str(line).into_iter::<String>();
    let text = texts.next().unwrap().unwrap_or_else(|error| panic!("{line}: {error}"));
    let answers = line[texts.byte_offset()..].strip_prefix(" [").unwrap();
    let case = |unit: &str, verdict: &str| {
        let mut assertion = json!({"matcher": "lte", "expected": 800});
        if !unit.is_empty() {
            assertion["unit"] = unit.into();
        }
        let context = json!({"density": 2, "fontScale": 1});
        let name = format!("{text:?} against `{unit}`");
        json!({"name": name, "assertion": assertion, "context": context, "actual": text, "assertionVerdict": verdict})
    };
    let cases = answers.split(" | [").flat_map(|answer| {
        let (units, said) = answer.split_once("] ").unwrap();
        let verdict = said.split_once(':').unwrap().0.to_lowercase();
        units.split(' ').map(move |unit| (unit, verdict.clone()))
    });
    cases.map(|(unit, verdict)| case(unit, &verdict)).collect()
}

#[test]
fn it_agrees_on_every_golden_reading() {
    let lines = told("readings.txt");
    let cases: Vec<Value> = lines.iter().flat_map(|line| readings(line)).collect();
    // Eight units a text, as values.rs has them.
    assert_eq!(cases.len(), 8 * lines.len(), "a reading was not understood");
    assert!(cases.len() > 15_000);
    it_agrees_on(&cases);
}

/// What an audit says, as a case of the vectors expects it: all of it, and no code but those.
fn expectation(audit: &Value, codes: &BTreeSet<String>) -> Value {
    let told = reported(audit);
    let of_criteria = |field: &str| -> Value {
        let rows = audit["criteria"].as_array().unwrap().iter();
        rows.map(|row| (row["id"].as_str().unwrap().to_owned(), row[field].clone())).collect()
    };
    json!({
        "verdict": audit["verdict"], "outcomes": of_criteria("outcome"),
        "assertionVerdicts": of_criteria("assertionVerdict"), "codes": told,
        "codesAbsent": codes.difference(&told).collect::<Vec<_>>(),
    })
}

fn reported(audit: &Value) -> BTreeSet<String> {
    let problems = audit["problems"].as_array().unwrap().iter();
    problems.map(|problem| problem["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn it_agrees_on_every_golden_audit() {
    let vectors = fs::read_to_string(repository().join("tests/vectors/gate.json")).unwrap();
    let vectors: Value = serde_json::from_str(&vectors).unwrap();
    let mut audits = BTreeMap::new();
    let mut name = String::new();
    for line in told("audits.txt") {
        if let Some(audit) = line.strip_prefix("  {") {
            audits.insert(name.clone(), serde_json::from_str::<Value>(&format!("{{{audit}")).unwrap());
        } else if let Some(case) = line.strip_suffix(" En").filter(|_| !line.starts_with(' ')) {
            case.clone_into(&mut name);
        }
    }
    let codes = audits.values().flat_map(reported).collect();
    let mut cases = vectors["cases"].as_array().unwrap().clone();
    cases.retain(|case| audits.contains_key(case["name"].as_str().unwrap()));
    assert!(cases.len() == audits.len() && cases.len() > 100, "an audit was not understood");
    for case in &mut cases {
        case["expect"] = expectation(&audits[case["name"].as_str().unwrap()], &codes);
    }
    it_agrees_on(&cases);
}

#[test]
fn it_says_where_a_vector_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wrong.json");
    let case = r#"{"name": "720 is over 800", "assertion": {"matcher": "lte", "expected": 800, "unit": "ms"},
        "actual": "720ms", "assertionVerdict": "fail"}"#;
    fs::write(&file, format!(r#"{{"about": "", "cases": [{case}]}}"#)).unwrap();
    let output = verify(&[Path::new("vectors"), &file]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(
        text(&output).contains("720 is over 800: assertionVerdict: expected fail, found pass"),
        "{}",
        text(&output)
    );
}

#[test]
fn it_verifies_every_delivery_here() {
    let mut folders = deliveries(&repository().join("tests/snapshots"));
    assert!(folders.len() >= 2, "the golden deliveries are not where they were: {folders:?}");
    folders.extend(deliveries(&repository().join("deliveries")));
    for folder in folders {
        let output = verify(&[Path::new("delivery"), &folder]);
        assert_eq!(output.status.code(), Some(0), "{}: {}", folder.display(), text(&output));
    }
}

/// A change to a golden delivery, and what has to come of it.
struct Tampering {
    name: &'static str,
    change: fn(&Path),
    exit_code: i32,
    says: &'static str,
}

/// Changes JSON artifacts of a delivery by one function.
fn edit(folder: &Path, files: &[&str], change: impl Fn(&mut Value)) {
    for file in files {
        let path = folder.join(file);
        let mut artifact: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let before = artifact.clone();
        change(&mut artifact);
        assert_ne!(before, artifact, "{file} was to be changed");
        fs::write(path, artifact.to_string()).unwrap();
    }
}

/// The audit within `audit-<n>.json` or a report.
fn audit(artifact: &mut Value) -> &mut Value {
    if artifact.get("audit").is_some() { &mut artifact["audit"] } else { artifact }
}

fn criterion<'v>(artifact: &'v mut Value, id: &str) -> &'v mut Value {
    let rows = audit(artifact)["criteria"].as_array_mut().unwrap();
    rows.iter_mut().find(|row| row["id"] == id).unwrap()
}

/// The first round's audit, and the report that tells of it.
const FIRST: [&str; 2] = ["audit-1.json", "rework-1.json"];

const TAMPERINGS: [Tampering; 12] = [
    Tampering {
        name: "an outcome",
        change: |folder| edit(folder, &FIRST, |file| criterion(file, "P-01")["outcome"] = "pass".into()),
        exit_code: 1,
        says: "audit-1.json: criteria P-01 outcome: expected fail, found pass",
    },
    Tampering {
        name: "a verdict together with its report",
        change: |folder| {
            edit(folder, &FIRST, |file| audit(file)["verdict"] = "pass".into());
            edit(folder, &["rework-1.json"], |file| file["rounds"][0]["verdict"] = "pass".into());
            fs::rename(folder.join("rework-1.json"), folder.join("acceptance.json")).unwrap();
        },
        exit_code: 1,
        says: "audit-1.json: verdict: expected fail, found pass",
    },
    Tampering {
        name: "a measured value",
        change: |folder| {
            edit(folder, &FIRST, |file| {
                let values = &mut criterion(file, "P-01")["observation"]["answer"]["values"];
                for value in values.as_array_mut().unwrap() {
                    value["actual"] = "720ms".into();
                }
            });
        },
        exit_code: 1,
        says: "audit-1.json: criteria P-01 assertionVerdict: expected pass, found fail",
    },
    Tampering {
        name: "a problem that is left out",
        change: |folder| {
            edit(folder, &FIRST, |file| {
                audit(file)["problems"]
                    .as_array_mut()
                    .unwrap()
                    .retain(|problem| problem["criterion"] != "P-01");
            });
        },
        exit_code: 1,
        says: "audit-1.json: criteria P-01 codes: expected ['E_VERDICT_CONTRADICTS'], found []",
    },
    Tampering {
        name: "a threshold that only the audit has",
        change: |folder| {
            edit(folder, &FIRST, |file| criterion(file, "P-01")["assertion"]["expected"] = 1300.into());
        },
        exit_code: 6,
        says: "audit-1.json: criteria P-01 assertion expected: expected 800, found 1300",
    },
    Tampering {
        name: "a report that tells of another audit",
        change: |folder| {
            edit(folder, &["acceptance.json"], |file| audit(file)["commit"] = "0".repeat(40).into());
        },
        exit_code: 1,
        says: "acceptance.json: audit commit: expected",
    },
    Tampering {
        name: "a byte of evidence",
        change: |folder| {
            let path = folder.join("round-2/evidence/startup.ftrace");
            let mut bytes = fs::read(&path).unwrap();
            bytes[100] ^= 1;
            fs::write(path, bytes).unwrap();
        },
        exit_code: 6,
        says: "tampered: round-2/evidence/startup.ftrace",
    },
    Tampering {
        name: "evidence that is gone",
        change: |folder| fs::remove_file(folder.join("round-1/evidence/display.txt")).unwrap(),
        exit_code: 6,
        says: "found that it is missing",
    },
    Tampering {
        name: "a frozen criterion",
        change: |folder| {
            edit(folder, &["pack.lock.json"], |lock| {
                let criteria = lock["pack"]["criteria"].as_array_mut().unwrap();
                criteria.iter_mut().find(|row| row["id"] == "P-01").unwrap()["assertion"]["expected"] =
                    1300.into();
            });
        },
        exit_code: 6,
        says: "pack.lock.json: the digest of `pack`",
    },
    Tampering {
        name: "a round that begins elsewhere",
        change: |folder| {
            edit(folder, &["round-2/dispatch.json"], |dispatch| dispatch["base"] = "0".repeat(40).into());
        },
        exit_code: 6,
        says: "round-2/dispatch.json: base: expected",
    },
    Tampering {
        name: "an audit that is gone",
        change: |folder| fs::remove_file(folder.join("audit-2.json")).unwrap(),
        exit_code: 8,
        says: "unavailable: audit-2.json",
    },
    Tampering {
        name: "a lock cut short",
        change: |folder| {
            let path = folder.join("pack.lock.json");
            let half = fs::read(&path).unwrap();
            fs::write(path, &half[..half.len() / 2]).unwrap();
        },
        exit_code: 3,
        says: "broken: pack.lock.json",
    },
];

#[test]
fn it_sees_what_was_tampered_with() {
    for tampering in TAMPERINGS {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("login-page");
        copy_folder(&golden("login-page"), &folder);
        (tampering.change)(&folder);
        let output = verify(&[Path::new("delivery"), &folder]);
        let said = text(&output);
        assert_eq!(output.status.code(), Some(tampering.exit_code), "{}: {said}", tampering.name);
        assert!(said.contains(tampering.says), "{}: {said}", tampering.name);
    }
}
