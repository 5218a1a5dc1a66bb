//! Settles the rulings of each criterion into its outcome, and all outcomes into the verdict.

use std::collections::BTreeSet;

use super::index::{Index, Reported};
use super::rule::{Docket, Ruled};
use super::waive::Waivers;
use super::{AssertionVerdict, Counts, Inputs, Outcome, Verdict};
use crate::assertion::Judge;
use crate::check::{CheckResult, Settlement, Waiver};
use crate::code::Code;
use crate::observation::Observation;
use crate::pack::{Criterion, Weight};
use crate::problem::{Problem, any_error};
use crate::say;

/// How many criteria are looked through for the id that a mistaken check may have meant.
const SUGGESTED_FROM: usize = 200;

/// What the gate says, without what each ruling rested on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Accepted or not.
    pub verdict: Verdict,
    /// Outcomes, counted.
    pub counts: Counts,
    /// All problems, in the pack's order, then by code.
    pub problems: Vec<Problem>,
}

/// What became of one criterion.
#[derive(Debug)]
pub(super) struct Settled<'a> {
    pub criterion: &'a Criterion,
    pub observation: Option<&'a Observation>,
    pub waiver: Option<&'a Waiver>,
    pub settlement: Option<&'a Settlement>,
    pub verdict: AssertionVerdict,
    pub outcome: Outcome,
}

/// Rules on everything that was reported and observed, and hands each criterion with its rulings to `keep`, in the
/// pack's order. Without `tell` no step is put into words: outcomes, problems and verdict are the same.
pub(super) fn settle<'a>(
    inputs: &Inputs<'a>,
    tell: bool,
    mut keep: impl FnMut(&Settled<'a>, &mut Vec<Ruled<'a>>),
) -> Gate {
    let index = Index::new(inputs.pack, inputs.auditors);
    let waivers = Waivers::new(inputs);
    let mut gate = Gate { verdict: Verdict::Fail, counts: Counts::default(), problems: Vec::new() };
    let mut binding = Binding::default();
    let mut rulings = Vec::new();
    for (criterion, reported) in inputs.pack.criteria.iter().zip(index.by_criterion()) {
        let observation = criterion.probe.as_ref().and_then(|_| inputs.observations.get(&criterion.id));
        let judge = criterion.assertion.as_ref().map(|assertion| Judge::new(assertion, inputs.scale));
        let mut docket = Docket { criterion, judge, observation, inputs, tell, problems: Vec::new() };
        rulings.clear();
        match reported {
            [] => rulings.push(docket.rule(None)),
            _ => rulings.extend(reported.iter().map(|(_, reported)| docket.rule(Some(*reported)))),
        }
        let settled = of_criterion(&mut docket, &mut rulings, &waivers);
        gate.counts.add(settled.outcome);
        binding.add(criterion.weight, settled.outcome);
        gate.take(docket.problems);
        keep(&settled, &mut rulings);
    }
    let mut untied: Vec<Problem> = index.unknown.iter().map(|reported| unknown(*reported, inputs)).collect();
    untied.extend(waivers.of_no_criterion(inputs));
    untied.extend(unnamed_files(&index, inputs));
    untied.extend(protected(inputs));
    untied.extend(gate.nothing_evaluated(inputs));
    gate.take(untied);
    if binding.hold() && !any_error(&gate.problems) {
        gate.verdict = Verdict::Pass;
    }
    gate
}

/// What the rulings of one criterion come to.
fn of_criterion<'a>(
    docket: &mut Docket<'_, 'a>,
    rulings: &mut [Ruled<'a>],
    waivers: &Waivers<'a>,
) -> Settled<'a> {
    let (criterion, observation) = (docket.criterion, docket.observation);
    refuse_duplicates(rulings, docket);
    let verdict = rulings.iter().map(|ruled| ruled.verdict).max_by_key(|v| gravity_of(*v));
    let mut outcome = worst(rulings);
    let mut settlement = None;
    if criterion.assertion.is_none() && auditors_disagree(rulings) {
        settlement = settled_by(docket);
        let settled = settlement.map_or_else(|| disagreement(docket), |settlement| settlement.outcome());
        // What is invalid for another reason stays so.
        outcome = if outcome == Outcome::Invalid { outcome } else { settled };
    }
    let is_honest = outcome == Outcome::Fail && !any_error(&docket.problems);
    let waiver = waivers.lay(docket, is_honest);
    let outcome = if waiver.is_some() { Outcome::Waived } else { outcome };
    let verdict = verdict.unwrap_or(AssertionVerdict::None);
    Settled { criterion, observation, waiver, settlement, verdict, outcome }
}

/// Whether the criteria hold that bind the verdict: every must, or with no must in the pack every should.
#[derive(Default)]
struct Binding {
    has_must: bool,
    a_must_is_open: bool,
    a_should_is_open: bool,
}

impl Binding {
    fn add(&mut self, weight: Weight, outcome: Outcome) {
        let open = !matches!(outcome, Outcome::Pass | Outcome::Waived);
        match weight {
            Weight::Must => {
                self.has_must = true;
                self.a_must_is_open |= open;
            }
            Weight::Should => self.a_should_is_open |= open,
        }
    }

    fn hold(&self) -> bool {
        if self.has_must { !self.a_must_is_open } else { !self.a_should_is_open }
    }
}

/// What is wrong with files that no criterion's check names: a density that was changed moves every length, and
/// evidence that was tampered with is never silent. A check for no criterion is ruled on nowhere, and so are its files.
fn unnamed_files(index: &Index<'_>, inputs: &Inputs<'_>) -> Vec<Problem> {
    let probed = inputs.pack.criteria.iter().filter(|criterion| criterion.probe.is_some());
    let observed = probed.filter_map(|criterion| inputs.observations.get(&criterion.id));
    let observed = observed.map(|observation| observation.file.as_str());
    let named: BTreeSet<&str> = index.known().flat_map(Reported::files).chain(observed).collect();
    let astray = index.unknown.iter().copied().flat_map(Reported::files);
    let held = inputs.evidence.keys().map(String::as_str);
    let unnamed: BTreeSet<&str> = held.chain(astray).filter(|path| !named.contains(path)).collect();
    unnamed.into_iter().filter_map(|path| super::basis::file_problem(path, inputs)).collect()
}

/// A file that may not be changed and was: whoever does that is not believed, whatever else holds.
fn protected(inputs: &Inputs<'_>) -> Vec<Problem> {
    let lang = inputs.lang;
    let problem = |path: &String| {
        let message =
            say!(lang, "the executor changed {path}, which is protected", "执行者改动了受保护的文件 {path}");
        Problem::new(Code::ProtectedChanged, message, Code::ProtectedChanged.help(lang))
    };
    inputs.protected.iter().map(problem).collect()
}

impl Gate {
    /// Adds the problems of one criterion, or those tied to none, by code.
    fn take(&mut self, mut problems: Vec<Problem>) {
        problems.sort_by_key(|problem| problem.code.name());
        self.problems.append(&mut problems);
    }

    fn nothing_evaluated(&self, inputs: &Inputs<'_>) -> Option<Problem> {
        let lang = inputs.lang;
        let listed = inputs.pack.criteria.len();
        let message = if listed < inputs.declared {
            let declared = inputs.declared;
            say!(
                lang,
                "{listed} criteria are listed, and the lock declares {declared}",
                "列出了 {listed} 条标准，而锁文件声明了 {declared} 条"
            )
        } else if self.counts.pass + self.counts.fail + self.counts.waived == 0 {
            say!(
                lang,
                "of {listed} criteria none was evaluated: nothing is known of this delivery",
                "{listed} 条标准无一得到评估：对这次交付一无所知"
            )
        } else {
            return None;
        };
        Some(Problem::new(Code::NothingEvaluated, message, Code::NothingEvaluated.help(lang)))
    }
}

impl Counts {
    fn add(&mut self, outcome: Outcome) {
        let count = match outcome {
            Outcome::Pass => &mut self.pass,
            Outcome::Fail => &mut self.fail,
            Outcome::Unverified => &mut self.unverified,
            Outcome::Invalid => &mut self.invalid,
            Outcome::Waived => &mut self.waived,
        };
        *count += 1;
    }
}

impl Outcome {
    fn gravity(self) -> u8 {
        match self {
            Outcome::Waived => 0,
            Outcome::Pass => 1,
            Outcome::Unverified => 2,
            Outcome::Fail => 3,
            Outcome::Invalid => 4,
        }
    }

    fn max_by_gravity(self, other: Outcome) -> Outcome {
        if other.gravity() > self.gravity() { other } else { self }
    }
}

fn gravity_of(verdict: AssertionVerdict) -> u8 {
    match verdict {
        AssertionVerdict::None => 0,
        AssertionVerdict::Pass => 1,
        AssertionVerdict::Missing => 2,
        AssertionVerdict::Fail => 3,
        AssertionVerdict::Invalid => 4,
    }
}

fn worst(rulings: &[Ruled<'_>]) -> Outcome {
    rulings.iter().fold(Outcome::Pass, |worst, ruled| worst.max_by_gravity(ruled.outcome))
}

/// Two checks of one criterion by one auditor: neither counts. Checks come in the order of auditors.
fn refuse_duplicates<'a>(rulings: &mut [Ruled<'a>], docket: &mut Docket<'_, 'a>) {
    let same = |a: &Ruled<'_>, b: &Ruled<'_>| match (a.reported, b.reported) {
        (Some(a), Some(b)) => std::ptr::eq(a.auditor, b.auditor),
        _ => false,
    };
    for by_one in rulings.chunk_by_mut(same).filter(|by_one| by_one.len() > 1) {
        let count = by_one.len();
        let name = by_one
            .first()
            .and_then(|ruled| ruled.reported)
            .map(|r| r.auditor.name.clone())
            .unwrap_or_default();
        for ruled in by_one.iter_mut() {
            ruled.outcome = Outcome::Invalid;
        }
        if let Some(last) = by_one.last().and_then(|ruled| ruled.reported) {
            let (lang, id) = (docket.inputs.lang, &docket.criterion.id);
            let message = say!(
                lang,
                "{count} checks of `{id}` by one auditor{}",
                "同一审计者{}对 `{id}` 写了 {count} 条检查",
                if name.is_empty() { String::new() } else { format!(" ({name})") }
            );
            docket.at_check(last, Code::CheckDuplicate, message);
        }
    }
}

/// Whether two auditors wrote different results. Two checks by one auditor are another matter.
fn auditors_disagree(rulings: &[Ruled<'_>]) -> bool {
    let writes = |result| move |ruled: &&Ruled<'_>| ruled.reported.is_some_and(|r| r.check.result == result);
    let auditor = |ruled: &Ruled<'_>| ruled.reported.map(|reported| std::ptr::from_ref(reported.auditor));
    let passing: BTreeSet<_> = rulings.iter().filter(writes(CheckResult::Pass)).map(auditor).collect();
    let failing: BTreeSet<_> = rulings.iter().filter(writes(CheckResult::Fail)).map(auditor).collect();
    // Each side has someone, and the two sides are not one and the same auditor.
    !passing.is_empty() && !failing.is_empty() && passing.union(&failing).count() > 1
}

/// What a person settled last.
fn settled_by<'a>(docket: &Docket<'_, 'a>) -> Option<&'a Settlement> {
    let id = &docket.criterion.id;
    docket.inputs.settlements.iter().rev().find(|settlement| &settlement.criterion_id == id)
}

impl Settlement {
    fn outcome(&self) -> Outcome {
        match self.result {
            CheckResult::Pass => Outcome::Pass,
            CheckResult::Fail => Outcome::Fail,
        }
    }
}

fn disagreement(docket: &mut Docket<'_, '_>) -> Outcome {
    let (lang, id) = (docket.inputs.lang, &docket.criterion.id);
    let message = say!(
        lang,
        "auditors differ on `{id}`, and it has no assertion to decide",
        "审计者对 `{id}` 意见不一，而它没有断言可以裁定"
    );
    docket.at_criterion(Problem::new(Code::AuditorsDisagree, message, Code::AuditorsDisagree.help(lang)));
    Outcome::Unverified
}

fn unknown(reported: Reported<'_>, inputs: &Inputs<'_>) -> Problem {
    let (lang, id) = (inputs.lang, &reported.check.criterion_id);
    // Enough for any pack that people write, and linear in one that nobody does.
    let known = inputs.pack.criteria.iter().take(SUGGESTED_FROM).map(|criterion| criterion.id.as_str());
    let message = say!(lang, "the pack holds no criterion `{id}`", "验收包中没有标准 `{id}`");
    let help = match crate::decode::did_you_mean(id, known) {
        Some(near) => say!(
            lang,
            "did you mean `{near}`? ids are compared to the letter",
            "是否想写 `{near}`？id 须逐字一致"
        ),
        None => Code::CheckUnknown.help(lang),
    };
    let mut problem =
        Problem::new(Code::CheckUnknown, message, help).about(id).in_file(&reported.auditor.file);
    problem.at = reported.check.at;
    problem
}
