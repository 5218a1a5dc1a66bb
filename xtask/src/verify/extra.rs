//! The folder of a delivery: nothing that nobody accounts for, and nothing missing of what was written.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use gate::audit::Verdict;
use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use super::subject::{Round, Subject};
use crate::documents::{Evidence, Report};
use crate::failure::Result;
use crate::paths::{self, OfRound};
use crate::pipeline::model::Action;
use crate::reports::machine::Format;
use crate::store::Kind;

/// See the module.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let context = subject.context;
    let folder = context.paths.delivery();
    let expected = Expected::of(subject)?;
    let mut problems = linked(subject, &folder)?;
    for inner in context.files.below(&folder)? {
        let path = folder.join(paths::with_slashes(&inner));
        if context.files.kind(&path)? != Kind::File {
            let message =
                say!(context.lang(), "{path} is a link or no plain file", "{path} 是链接或不是普通文件");
            problems.push(subject.finding(Code::FileExtra, &path, message));
        } else if !expected.accounts_for(&path) {
            let message = say!(
                context.lang(),
                "{path} is no part of the delivery: nothing that is recorded accounts for it",
                "{path} 不属于该交付：没有任何记录与之对应"
            );
            problems.push(subject.finding(Code::FileExtra, &path, message));
        }
    }
    for path in expected.needed {
        if !subject.has(&path)? {
            let message = say!(context.lang(), "{path} is gone", "{path} 已丢失");
            problems.push(subject.finding(Code::FileMissing, &path, message));
        }
    }
    Ok(problems)
}

/// The folders on the way to a delivery that are links: what is behind one is in no commit.
fn linked(subject: &Subject<'_, '_>, folder: &Utf8Path) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for path in folder.ancestors().filter(|path| !path.as_str().is_empty()) {
        if subject.context.files.kind(path)? == Kind::Link {
            let message =
                say!(subject.context.lang(), "{path} is a link, not a folder", "{path} 是链接，不是文件夹");
            problems.push(subject.finding(Code::FileExtra, path, message));
        }
    }
    Ok(problems)
}

/// The files that a delivery has.
#[derive(Default)]
struct Expected {
    /// Those that have to be there.
    needed: BTreeSet<Utf8PathBuf>,
    /// Those that may be.
    allowed: BTreeSet<Utf8PathBuf>,
    /// Folders and files in which anything may be: logs, and what stages of a team's own declare.
    free: Vec<Utf8PathBuf>,
}

impl Expected {
    fn of(subject: &Subject<'_, '_>) -> Result<Self> {
        let context = subject.context;
        let mut expected = Expected::default();
        let delivery = context.paths.delivery();
        for name in [".gitattributes", "pack.lock.json", "spec.md", "state.json"] {
            expected.needed.insert(delivery.join(name));
        }
        // One that is gone is for the check of ledgers to tell.
        expected.allowed.insert(context.paths.ledger());
        expected.free.push(delivery.join("logs"));
        expected.free.extend(declared(subject, 0));
        let is_reviewed = !subject.rounds.is_empty();
        expected.pair(subject, &delivery.join("review"), is_reviewed)?;
        expected.reviewers(subject)?;
        for (index, round) in subject.rounds.iter().enumerate() {
            expected.round(subject, round, subject.rounds.get(index + 1))?;
        }
        expected.acceptance(subject)?;
        expected.page(subject)?;
        Ok(expected)
    }

    /// An artifact and its Markdown. One of them alone is one that lost the other.
    fn pair(&mut self, subject: &Subject<'_, '_>, stem: &Utf8Path, is_needed: bool) -> Result<()> {
        let both = ["json", "md"].map(|extension| Utf8PathBuf::from(format!("{stem}.{extension}")));
        let is_there = subject.has(&both[0])? || subject.has(&both[1])?;
        if is_needed || is_there {
            self.needed.extend(both);
        }
        Ok(())
    }

    /// What reviewers that are programs answered, and the record of what each was asked.
    fn reviewers(&mut self, subject: &Subject<'_, '_>) -> Result<()> {
        let context = subject.context;
        let review = super::findings(context.review_if_any())?.0.flatten();
        for line in review.iter().flat_map(|review| &review.reviewers) {
            if line.answer.is_some() {
                for ending in ["json", "answer.json"] {
                    self.needed.insert(context.paths.reviewer(&format!("{}.{ending}", line.reviewer)));
                }
            }
        }
        Ok(())
    }

    fn round(&mut self, subject: &Subject<'_, '_>, round: &Round, next: Option<&Round>) -> Result<()> {
        let (paths, number) = (&subject.context.paths, round.number);
        let folder = paths.round(number);
        self.free.push(folder.join("logs"));
        self.free.extend(declared(subject, number));
        // A round that another one follows under the same pack was judged, and failed.
        let is_followed = next.is_some_and(|next| next.is_current == round.is_current);
        let is_audited = is_followed || subject.has(&paths.audit(number, "json"))?;
        let is_dispatched = is_audited || next.is_some() || round.dispatch.is_some();
        self.pair(subject, &folder.join("brief"), is_dispatched)?;
        let needed =
            [("dispatch.json", is_dispatched), ("evidence.json", is_audited), ("instant.json", is_audited)];
        for (name, is_needed) in needed {
            let files = if is_needed { &mut self.needed } else { &mut self.allowed };
            files.insert(folder.join(name));
        }
        for name in subject.context.files.list(&folder)? {
            if matches!(paths::of_round(&name), Some(OfRound::Record | OfRound::Checks)) {
                self.allowed.insert(folder.join(name));
            }
        }
        self.evidence(subject, number)?;
        self.pair(subject, Utf8Path::new(&format!("{}/audit-{number}", paths.delivery())), is_audited)?;
        if is_audited {
            self.allowed.insert(paths.attestation(number));
            let machine = Format::ALL.map(|format| paths.audit(number, format.extension()));
            self.allowed.extend(machine);
        }
        let has_failed = round.audit.as_ref().is_some_and(|audit| audit.verdict == Verdict::Fail);
        if has_failed {
            let rework = format!("{}/rework-{number}", paths.delivery());
            self.pair(subject, Utf8Path::new(&rework), is_followed)?;
        }
        Ok(())
    }

    /// The files that the record of a round names; those that are gone are for the check of evidence.
    fn evidence(&mut self, subject: &Subject<'_, '_>, round: u32) -> Result<()> {
        let context = subject.context;
        let path = context.paths.in_round(round, "evidence.json");
        let recorded = super::findings(context.artifact_if_any::<Evidence>(&path, "evidence"))?.0.flatten();
        let files = recorded.into_iter().flat_map(|recorded| recorded.collected);
        for file in files.filter_map(|entry| entry.file).filter(|file| !file.external) {
            self.allowed.insert(context.paths.in_round(round, &file.path));
        }
        Ok(())
    }

    /// The acceptance report is of a round of the frozen pack that passed.
    fn acceptance(&mut self, subject: &Subject<'_, '_>) -> Result<()> {
        let context = subject.context;
        let path = context.paths.acceptance("json");
        let report = super::findings(context.artifact_if_any::<Report>(&path, "report"))?.0.flatten();
        let passed = |round: &&Round| {
            round.is_current && round.audit.as_ref().is_some_and(|audit| audit.verdict == Verdict::Pass)
        };
        let mut accepted = subject.rounds.iter().filter(passed);
        let is_told = match report {
            Some(report) => accepted.any(|round| round.number == report.audit.round),
            None => accepted.next().is_some(),
        };
        if is_told {
            self.pair(subject, &context.paths.delivery().join("acceptance"), false)?;
        }
        Ok(())
    }

    /// The page is of the rounds of the frozen pack that were judged.
    fn page(&mut self, subject: &Subject<'_, '_>) -> Result<()> {
        let is_judged = subject.rounds.iter().any(|round| round.is_current && round.audit.is_some());
        let page = subject.context.paths.page();
        if subject.is_reported()? {
            self.needed.insert(page);
        } else if is_judged {
            self.allowed.insert(page);
        }
        Ok(())
    }

    fn accounts_for(&self, path: &Utf8Path) -> bool {
        self.needed.contains(path)
            || self.allowed.contains(path)
            || self.free.iter().any(|free| path.starts_with(free))
    }
}

/// What stages of a team's own write into the delivery.
fn declared(subject: &Subject<'_, '_>, round: u32) -> Vec<Utf8PathBuf> {
    let context = subject.context;
    let own = context.pipeline.stages.iter().filter(|stage| stage.each_round == (round > 0));
    let outputs = own.filter_map(|stage| match &stage.action {
        Action::Run(run) => Some(&run.outputs),
        Action::BuiltIn(_) => None,
    });
    outputs.flatten().map(|path| Utf8PathBuf::from(context.fill(path, round))).collect()
}
