//! Whether a ledger is whole, and says of the files of its delivery what they are. Pure: bytes and digests in, findings
//! out. What it cannot see is a ledger that was written anew together with all that it tells of, and a tail that is gone
//! together with its files: those show by the commit, or by a signature over the ledger's digest.

use std::collections::BTreeMap;

use gate::code::Code;
use gate::lang::Lang;
use gate::problem::Problem;
use gate::say;

use super::chain::{self, Digests, Event, Fault, Line};
use crate::paths::FeaturePaths;

/// Everything that is wrong with the ledger of a feature. `files` are the digests of all files of its delivery, by path
/// relative to the root, over what [`super::over`] says.
pub fn check(
    feature: &str,
    ledger: Option<&[u8]>,
    files: &BTreeMap<String, String>,
    lang: Lang,
) -> Vec<Problem> {
    let paths = FeaturePaths::new(feature);
    let file = paths.ledger().into_string();
    let Some(bytes) = ledger else {
        return if files.is_empty() { Vec::new() } else { vec![missing(&file, feature, lang)] };
    };
    let (lines, faults) = chain::read(bytes);
    let mut problems = told(&file, bytes, faults, lang);
    if !problems.is_empty() {
        return problems;
    }
    let folder = format!("{}/", paths.delivery());
    let mut check =
        Check { file: &file, folder: &folder, claims: BTreeMap::new(), problems: Vec::new(), lang };
    lines.iter().for_each(|line| check.follow(line));
    check.compare(files, &lines);
    problems.append(&mut check.problems);
    problems
}

/// What is wrong with the chain itself.
pub fn faults(file: &str, bytes: &[u8], lang: Lang) -> Vec<Problem> {
    told(file, bytes, chain::read(bytes).1, lang)
}

fn told(file: &str, bytes: &[u8], faults: Vec<(usize, Fault)>, lang: Lang) -> Vec<Problem> {
    let found = faults.into_iter().map(|(line, fault)| broken(file, line, fault, lang));
    let empty = bytes.is_empty().then(|| broken(file, 1, Fault::Beginning, lang));
    found.chain(empty).collect()
}

/// The last word on a file.
struct Claim {
    line: u32,
    sha256: Option<String>,
    /// Whether a line wrote it, or only read it.
    is_written: bool,
}

struct Check<'a> {
    file: &'a str,
    folder: &'a str,
    claims: BTreeMap<String, Claim>,
    problems: Vec<Problem>,
    lang: Lang,
}

impl Check<'_> {
    /// Holds what a line read against what was written before it, and takes what it wrote.
    fn follow(&mut self, line: &Line) {
        for (path, sha256) in self.own(&line.reads) {
            match self.claims.get(&path) {
                Some(claim) if claim.is_written && claim.sha256 != sha256 => {
                    let (number, earlier) = (line.number, claim.line);
                    let message = say!(
                        self.lang,
                        "line {number} of {} read another {path} than line {earlier} wrote",
                        "{} 第 {number} 行读取的 {path} 与第 {earlier} 行写出的不同",
                        self.file
                    );
                    self.differs(message);
                }
                Some(claim) if claim.is_written => {}
                None if is_written_by_a_stage(self.inside(&path)) => {
                    let number = line.number;
                    let message = say!(
                        self.lang,
                        "line {number} of {} read {path}, which no line before it wrote",
                        "{} 第 {number} 行读取了 {path}，但此前没有任何一行写出它",
                        self.file
                    );
                    self.differs(message);
                }
                _ => self.claim(path, line.number, sha256, false),
            }
        }
        for (path, sha256) in line.writes.clone() {
            if path.starts_with(self.folder) {
                self.claim(path, line.number, sha256, true);
            } else {
                let number = line.number;
                let message = say!(
                    self.lang,
                    "line {number} of {} wrote {path}, which is no file of this delivery",
                    "{} 第 {number} 行写出了 {path}，它不属于此次交付",
                    self.file
                );
                self.differs(message);
            }
        }
    }

    /// Those that belong to this delivery: what people write elsewhere may change later.
    fn own(&self, files: &Digests) -> Vec<(String, Option<String>)> {
        let own = files.iter().filter(|(path, _)| path.starts_with(self.folder));
        own.map(|(path, sha256)| (path.clone(), sha256.clone())).collect()
    }

    fn inside<'p>(&self, path: &'p str) -> &'p str {
        path.strip_prefix(self.folder).unwrap_or(path)
    }

    fn claim(&mut self, path: String, line: u32, sha256: Option<String>, is_written: bool) {
        self.claims.insert(path, Claim { line, sha256, is_written });
    }

    /// Holds the last word on every file against what is there.
    fn compare(&mut self, files: &BTreeMap<String, String>, lines: &[Line]) {
        let lang = self.lang;
        let mut said = Vec::new();
        for (path, claim) in &self.claims {
            let line = claim.line;
            let message = match (files.get(path), &claim.sha256) {
                (Some(now), Some(then)) if now == then => continue,
                (None, None) => continue,
                (Some(_), Some(_)) => say!(
                    lang,
                    "{path} is not what line {line} of {} says",
                    "{path} 与 {} 第 {line} 行所记不符",
                    self.file
                ),
                (None, Some(_)) => say!(
                    lang,
                    "{path} is gone, though line {line} of {} tells of it",
                    "{path} 已丢失，但 {} 第 {line} 行记有它",
                    self.file
                ),
                (Some(_), None) => say!(
                    lang,
                    "{path} is there, though by line {line} of {} it is not",
                    "{path} 存在，但按 {} 第 {line} 行它不应存在",
                    self.file
                ),
            };
            said.push(message);
        }
        for path in files.keys().filter(|path| !self.claims.contains_key(*path)) {
            if is_due(self.inside(path), lines) {
                let message =
                    say!(lang, "no line of {} tells of {path}", "{} 中没有任何一行记有 {path}", self.file);
                said.push(message);
            }
        }
        said.into_iter().for_each(|message| self.differs(message));
        if lines.first().is_some_and(|first| first.event == Event::Begin && !first.writes.is_empty()) {
            let message = say!(
                lang,
                "{} begins with a delivery that was there already: what happened before is not in it",
                "{} 从一个已有的交付开始记录：此前发生的事不在其中",
                self.file
            );
            self.say(Code::LedgerBeginsLate, message);
        }
    }

    fn differs(&mut self, message: String) {
        self.say(Code::LedgerDiffers, message);
    }

    fn say(&mut self, code: Code, message: String) {
        self.problems.push(Problem::new(code, message, code.help(self.lang)).in_file(self.file));
    }
}

/// Whether a file, within the delivery, is one that only a stage writes, and tells the ledger of.
pub(super) fn is_written_by_a_stage(inside: &str) -> bool {
    let is_report = |name: &str| [".json", ".md"].iter().any(|ending| name.ends_with(ending));
    match inside.split_once('/') {
        None => {
            ["pack.lock.json", "spec.md", "report.html"].contains(&inside)
                || ["review.", "acceptance.", "audit-", "rework-"].iter().any(|stem| inside.starts_with(stem))
                    && is_report(inside)
        }
        Some((_, name)) => {
            ["brief.json", "brief.md", "dispatch.json", "evidence.json", "settlements.json"].contains(&name)
        }
    }
}

/// Whether a line has to tell of a file that is there. What an audit reads may be there before it.
fn is_due(inside: &str, lines: &[Line]) -> bool {
    if is_written_by_a_stage(inside) {
        return true;
    }
    let Some((folder, name)) = inside.split_once('/') else { return false };
    let Some(round) = folder.strip_prefix("round-").and_then(|number| number.parse().ok()) else {
        return false;
    };
    let is_audited = lines.iter().any(|line| line.event == Event::Audit && line.round == Some(round));
    is_audited && super::is_read_by_an_audit(name)
}

fn broken(file: &str, line: usize, fault: Fault, lang: Lang) -> Problem {
    let message = match fault {
        Fault::Unreadable => say!(lang, "line {line} cannot be read", "第 {line} 行无法读取"),
        Fault::Format => {
            say!(lang, "line {line} is of another version of the format", "第 {line} 行属于另一格式版本")
        }
        Fault::Edited => say!(lang, "line {line} was edited", "第 {line} 行被改动过"),
        Fault::Loose => {
            say!(lang, "line {line} does not follow the line before it", "第 {line} 行与上一行不相接")
        }
        Fault::Beginning => say!(lang, "line {line} is no place to begin", "第 {line} 行不是正确的开头"),
    };
    let message = format!("{file}{}{message}", lang.pick(": ", "："));
    Problem::new(Code::LedgerBroken, message, Code::LedgerBroken.help(lang)).in_file(file)
}

fn missing(file: &str, feature: &str, lang: Lang) -> Problem {
    let message = say!(lang, "there is no {file}", "没有 {file}");
    let help = say!(
        lang,
        "restore it from git; a delivery from before there were ledgers gets one from cargo xtask deliver {feature}",
        "请从 git 恢复它；尚无账本的旧交付可由 cargo xtask deliver {feature} 建立"
    );
    Problem::new(Code::LedgerMissing, message, help)
}

#[cfg(test)]
mod tests {
    use super::super::chain::Entry;
    use super::*;

    const LOCK: &str = "deliveries/f/pack.lock.json";
    const AUDIT: &str = "deliveries/f/audit-1.json";
    const CHECKS: &str = "deliveries/f/round-1/checks.lin.yaml";

    type Told<'a> = (Event, &'a [(&'a str, &'a str)], &'a [(&'a str, &'a str)]);

    fn files(files: &[(&str, &str)]) -> Digests {
        let digest = |digest: &str| (digest != "-").then(|| digest.to_owned());
        files.iter().map(|(path, sha256)| ((*path).to_owned(), digest(sha256))).collect()
    }

    fn ledger(told: &[Told<'_>]) -> Vec<u8> {
        let mut lines = Vec::new();
        for (event, reads, writes) in told {
            let round = (*event == Event::Audit).then_some(1);
            let entry = Entry { event: *event, round, reads: files(reads), writes: files(writes) };
            lines.push(Line::after(&lines, entry).unwrap());
        }
        lines.iter().flat_map(|line| line.bytes().unwrap()).collect()
    }

    fn said(told: &[Told<'_>], there: &[(&str, &str)]) -> Vec<String> {
        let there = there.iter().map(|(path, digest)| ((*path).to_owned(), (*digest).to_owned())).collect();
        let problems = check("f", Some(&ledger(told)), &there, Lang::En);
        problems.into_iter().map(|problem| format!("{}: {}", problem.code.name(), problem.message)).collect()
    }

    #[test]
    fn what_is_there_is_what_was_told() {
        let begin: Told<'_> = (Event::Begin, &[], &[]);
        let freeze: Told<'_> = (Event::Freeze, &[("features/f/pack.yaml", "a")], &[(LOCK, "b")]);
        let audit: Told<'_> = (Event::Audit, &[(LOCK, "b"), (CHECKS, "d")], &[(AUDIT, "c")]);
        let again: Told<'_> = (Event::Audit, &[(LOCK, "b"), (CHECKS, "e")], &[(AUDIT, "f")]);
        let whole = [(LOCK, "b"), (CHECKS, "d"), (AUDIT, "c")];
        type Row<'a> = (&'a [Told<'a>], &'a [(&'a str, &'a str)], &'a str);
        let table: [Row<'_>; 14] = [
            (&[begin], &[], ""),
            (&[begin, freeze], &[(LOCK, "b")], ""),
            (&[begin, freeze, audit], &whole, ""),
            (&[begin, freeze, audit, again], &[(LOCK, "b"), (CHECKS, "e"), (AUDIT, "f")], ""),
            // What nobody tells the ledger of is for others to find.
            (&[begin, freeze], &[(LOCK, "b"), ("deliveries/f/state.json", "x")], ""),
            (&[begin, freeze], &[(LOCK, "b"), (CHECKS, "x")], ""),
            (&[begin, freeze, audit], &[(LOCK, "b"), (CHECKS, "d"), (AUDIT, "x")], "not what line 3"),
            (&[begin, freeze, audit], &[(LOCK, "b"), (CHECKS, "x"), (AUDIT, "c")], "not what line 3"),
            (&[begin, freeze, audit], &[(LOCK, "b"), (CHECKS, "d")], "is gone, though line 3"),
            // The tail dropped, its files left.
            (
                &[begin, freeze],
                &whole,
                "no line of deliveries/f/ledger.jsonl tells of deliveries/f/audit-1.json",
            ),
            (
                &[begin, audit],
                &whole,
                "line 2 of deliveries/f/ledger.jsonl read deliveries/f/pack.lock.json, which no",
            ),
            (
                &[begin, (Event::Freeze, &[], &[(LOCK, "x")]), audit],
                &whole,
                "another deliveries/f/pack.lock.json",
            ),
            (
                &[begin, (Event::Freeze, &[], &[("deliveries/g/spec.md", "x")])],
                &[],
                "no file of this delivery",
            ),
            (&[(Event::Begin, &[], &[(LOCK, "b")])], &[(LOCK, "b")], "W_LEDGER_BEGINS_LATE"),
        ];
        for (told, there, wanted) in table {
            let said = said(told, there);
            match wanted {
                "" => assert_eq!(said, [""; 0], "{there:?}"),
                wanted => assert!(said.iter().any(|said| said.contains(wanted)), "{wanted}: {said:?}"),
            }
        }
    }

    #[test]
    fn what_was_removed_stays_removed() {
        let told: [Told<'_>; 3] = [
            (Event::Begin, &[], &[]),
            (Event::Freeze, &[], &[(LOCK, "b"), ("deliveries/f/acceptance.md", "a")]),
            (Event::Freeze, &[], &[(LOCK, "c"), ("deliveries/f/acceptance.md", "-")]),
        ];
        assert_eq!(said(&told, &[(LOCK, "c")]), [""; 0]);
        let said = said(&told, &[(LOCK, "c"), ("deliveries/f/acceptance.md", "a")]);
        assert!(said.iter().any(|said| said.contains("by line 3")), "{said:?}");
    }

    #[test]
    fn a_delivery_has_a_ledger() {
        let there = BTreeMap::from([(LOCK.to_owned(), "b".to_owned())]);
        let codes = |ledger: Option<&[u8]>, there: &BTreeMap<String, String>| {
            let problems = check("f", ledger, there, Lang::En);
            problems.iter().map(|problem| problem.code).collect::<Vec<_>>()
        };
        assert_eq!(codes(None, &there), [Code::LedgerMissing]);
        assert_eq!(codes(None, &BTreeMap::new()), []);
        assert_eq!(codes(Some(b""), &there), [Code::LedgerBroken]);
    }
}
