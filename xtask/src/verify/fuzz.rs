//! Whatever is changed of the golden delivery is found: single bytes at many places, and every file deleted, cut short,
//! swapped with another or joined by one more. In memory, since a process and a folder each would take minutes.

use std::cell::{OnceCell, RefCell};
use std::path::Path;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use gate::lang::Lang;

use super::subject::Subject;
use super::{CHECKS, Check, Repositories, findings, verify};
use super::{attestation, audit, brief, commits, evidence, extra, format, inputs, ledger, machine, pack};
use super::{report, review, rounds, state};
use crate::context::Context;
use crate::digests::Digests;
use crate::files::{Files, Snapshot};
use crate::parallel;
use crate::paths::{FeaturePaths, Root};
use crate::pipeline;
use crate::progress::Progress;
use crate::secrets::Secrets;
use crate::store;

/// How many single bytes are changed.
const CHANGES: usize = 2_000;

/// Numbers that are the same every time (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((word ^ (word >> 31)) % u64::try_from(end).unwrap()).unwrap()
    }
}

/// The root of this repository.
fn repository() -> Utf8PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned();
    Utf8PathBuf::from_path_buf(folder).unwrap()
}

/// The golden delivery where a workspace has it, with the pipeline, the templates and the authored feature around.
fn golden() -> (Vec<String>, Snapshot) {
    let root = repository();
    let mut files = vec![(Root::PIPELINE.to_owned(), store::read(&root.join(Root::PIPELINE)).unwrap())];
    let mut delivered = Vec::new();
    let folders = [
        ("templates", "templates"),
        ("features/login-page", "features/login-page"),
        ("tests/snapshots/login-page", "deliveries/login-page"),
    ];
    for (from, to) in folders {
        for file in store::files_below(&root.join(from)).unwrap() {
            let path = format!("{to}/{file}");
            if to.starts_with("deliveries") {
                delivered.push(path.clone());
            }
            files.push((path, store::read(&root.join(from).join(file)).unwrap()));
        }
    }
    (delivered, Snapshot::held(files))
}

/// What verifying comes to, for one snapshot after another: templates are parsed once.
struct Verifier {
    root: Root,
    progress: Progress,
}

impl Verifier {
    fn new() -> Self {
        // Nothing of a machine is looked at: there is no such folder.
        let root = Root::at(Utf8PathBuf::from("/nonexistent/workspace"));
        let progress = Progress::new(true, None, Secrets::of_variables(&[]), Lang::En).unwrap();
        Verifier { root, progress }
    }

    fn context(&self, snapshot: &Snapshot) -> Context<'_> {
        let bytes = Files::Commit(Arc::new(snapshot.clone())).read(Utf8Path::new(Root::PIPELINE)).unwrap();
        Context {
            root: &self.root,
            pipeline: pipeline::read(&bytes.unwrap()).unwrap(),
            feature: "login-page".to_owned(),
            paths: FeaturePaths::new("login-page"),
            files: Files::Commit(Arc::new(snapshot.clone())),
            digests: Digests::default(),
            memory: RefCell::default(),
            held: OnceCell::new(),
            templates: OnceCell::new(),
            progress: &self.progress,
            reason: None,
            asks_again: false,
        }
    }
}

/// All checks, those first that take the least.
const CHEAP_FIRST: [Check; CHECKS.len()] = [
    evidence::check,
    inputs::check,
    rounds::check,
    extra::check,
    commits::check,
    brief::check,
    report::check,
    machine::check,
    pack::check,
    review::check,
    audit::check,
    ledger::check,
    attestation::check,
    state::check,
];

/// Whether verifying finds anything: as [`verify`], up to the first finding.
fn is_seen(context: &Context<'_>) -> bool {
    let repositories = Repositories::default();
    let (Some(subject), _) = findings(Subject::of(context, None, &repositories)).unwrap() else {
        return true;
    };
    let sees = |check: &Check| findings(check(&subject)).unwrap() != (Some(Vec::new()), Vec::new());
    !format::check(&subject).unwrap().is_empty() || CHEAP_FIRST.iter().any(sees)
}

/// Every change of the golden delivery that verifying takes for none.
fn unseen(changes: &[(String, Snapshot)]) -> Vec<String> {
    let jobs = parallel::processors();
    let shares: Vec<&[(String, Snapshot)]> = changes.chunks(changes.len().div_ceil(jobs).max(1)).collect();
    let found = parallel::map(&shares, jobs, |share| {
        let verifier = Verifier::new();
        let mut context = verifier.context(&golden().1);
        let mut unseen = Vec::new();
        for (name, snapshot) in share.iter() {
            context.files = Files::Commit(Arc::new(snapshot.clone()));
            context.forget();
            if !is_seen(&context) {
                unseen.push(name.clone());
            }
        }
        unseen
    });
    assert!(found.iter().all(Option::is_some), "a thread died");
    found.into_iter().flatten().flatten().collect()
}

fn bytes_of(snapshot: &Snapshot, path: &str) -> Vec<u8> {
    Files::Commit(Arc::new(snapshot.clone())).read(Utf8Path::new(path)).unwrap().unwrap()
}

#[test]
fn the_golden_delivery_is_verified() {
    let (_, snapshot) = golden();
    let verifier = Verifier::new();
    let verified = verify(&verifier.context(&snapshot), None, &Repositories::default()).unwrap();
    assert!(verified.problems.is_empty(), "{:#?}", verified.problems);
    assert_eq!((verified.rounds, verified.files), (2, golden().0.len()));
}

#[test]
fn every_changed_byte_is_seen() {
    let (delivered, snapshot) = golden();
    let sizes: Vec<usize> = delivered.iter().map(|path| bytes_of(&snapshot, path).len()).collect();
    let all: usize = sizes.iter().sum();
    let mut random = Random(0x5eed);
    let mut changes = Vec::new();
    for number in 0..CHANGES {
        // By file first, so that small ones are met as often as large ones, then by byte of all.
        let (file, at) = match number % 2 {
            0 => {
                let file = random.below(delivered.len());
                (file, random.below(sizes[file]))
            }
            _ => place(&sizes, random.below(all)),
        };
        let mut bytes = bytes_of(&snapshot, &delivered[file]);
        let by = 1 + random.below(255);
        bytes[at] = bytes[at].wrapping_add(u8::try_from(by).unwrap());
        let name = format!("{}, byte {at}, by {by}", delivered[file]);
        changes.push((name, snapshot.with(&delivered[file], Some(bytes))));
    }
    let unseen = unseen(&changes);
    assert!(unseen.is_empty(), "{} of {CHANGES}: {unseen:#?}", unseen.len());
}

/// The file, and the byte in it, of a byte of all.
fn place(sizes: &[usize], mut at: usize) -> (usize, usize) {
    for (file, size) in sizes.iter().enumerate() {
        if at < *size {
            return (file, at);
        }
        at -= size;
    }
    panic!("a byte beyond the end");
}

#[test]
fn every_file_that_is_gone_cut_swapped_or_added_is_seen() {
    let (delivered, snapshot) = golden();
    let mut changes = Vec::new();
    for (index, path) in delivered.iter().enumerate() {
        let bytes = bytes_of(&snapshot, path);
        changes.push((format!("{path} deleted"), snapshot.with(path, None)));
        for kept in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            let cut = Some(bytes[..kept].to_vec());
            changes.push((format!("{path} cut to {kept}"), snapshot.with(path, cut)));
        }
        let longer = [bytes.as_slice(), b"\n"].concat();
        changes.push((format!("{path} with a line more"), snapshot.with(path, Some(longer))));
        let beside = format!("{path}.orig");
        changes.push((format!("{beside} added"), snapshot.with(&beside, Some(bytes.clone()))));
        for other in &delivered[index + 1..] {
            let others = bytes_of(&snapshot, other);
            if others != bytes {
                let swapped = snapshot.with(path, Some(others)).with(other, Some(bytes.clone()));
                changes.push((format!("{path} swapped with {other}"), swapped));
            }
        }
    }
    for added in ["notes.txt", "round-3/brief.json", "audit-3.json", "rework-2.md", "round-1/checks.eve.yaml"]
    {
        let path = format!("deliveries/login-page/{added}");
        changes.push((format!("{path} added"), snapshot.with(&path, Some(b"checks: []\n".to_vec()))));
    }
    let unseen = unseen(&changes);
    assert!(unseen.is_empty(), "{} of {}: {unseen:#?}", unseen.len(), changes.len());
}

/// The last line as well: its files are still there.
#[test]
fn every_line_of_the_ledger_that_is_removed_moved_or_doubled_is_seen() {
    let (_, snapshot) = golden();
    let path = "deliveries/login-page/ledger.jsonl";
    let bytes = bytes_of(&snapshot, path);
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    assert!(lines.len() > 10, "{}", lines.len());
    let mut changes = Vec::new();
    for at in 0..lines.len() {
        let (mut removed, mut doubled) = (lines.clone(), lines.clone());
        removed.remove(at);
        doubled.insert(at, lines[at]);
        changes.push((format!("line {at} removed"), snapshot.with(path, Some(removed.concat()))));
        changes.push((format!("line {at} doubled"), snapshot.with(path, Some(doubled.concat()))));
        for other in at + 1..lines.len() {
            let mut swapped = lines.clone();
            swapped.swap(at, other);
            changes.push((format!("lines {at} and {other}"), snapshot.with(path, Some(swapped.concat()))));
        }
        let rest = lines.get(..at).unwrap_or_default().concat();
        changes.push((format!("cut before line {at}"), snapshot.with(path, Some(rest))));
    }
    let unseen = unseen(&changes);
    assert!(unseen.is_empty(), "{unseen:#?}");
}
