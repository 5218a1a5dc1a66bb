//! Commits: whether the app's repository holds what was delivered, as it is recorded. It is only looked at; a sample's
//! repository, which is made again from its seed, need not be there.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use super::subject::Subject;
use crate::app;
use crate::context::Context;
use crate::documents::{ChangedFile, Dispatch};
use crate::failure::Result;
use crate::git::{Delivered, Git, Pair};
use crate::pipeline::model::AppHome;
use crate::secrets::may_be_masked;

/// What the app's repositories say of all that was delivered, by the folders where they are. One that is not at hand says
/// nothing.
#[derive(Default)]
pub struct Repositories(BTreeMap<Utf8PathBuf, Said>);

/// What one of them says of each delivery, or why it cannot be asked about it.
type Said = BTreeMap<Pair, std::result::Result<Delivered, Vec<Problem>>>;

impl Repositories {
    /// Asks each repository once about the deliveries of all these features.
    pub fn asked<'c, C: Borrow<Context<'c>>>(contexts: impl IntoIterator<Item = C>) -> Result<Self> {
        let mut asked: BTreeMap<Utf8PathBuf, (C, BTreeSet<Pair>)> = BTreeMap::new();
        for context in contexts {
            let home = home(context.borrow());
            let pairs = pairs(context.borrow());
            asked.entry(home).or_insert_with(|| (context, BTreeSet::new())).1.extend(pairs);
        }
        let mut said = BTreeMap::new();
        for (home, (context, pairs)) in asked {
            let context = context.borrow();
            match super::findings(app::at_hand(context.root, &context.pipeline.app, context.lang()))? {
                (Some(None), _) => {}
                (Some(Some(git)), _) => drop(said.insert(home, ask(&git, pairs)?)),
                (None, problems) => {
                    let each = pairs.into_iter().map(|pair| (pair, Err(problems.clone())));
                    said.insert(home, each.collect());
                }
            }
        }
        Ok(Repositories(said))
    }

    fn of(&self, context: &Context<'_>) -> Option<&Said> {
        self.0.get(&home(context))
    }
}

/// Where git fails, it is asked about each delivery alone: one that is broken hides no other.
fn ask(git: &Git, pairs: BTreeSet<Pair>) -> Result<Said> {
    if let (Some(said), _) = super::findings(git.delivered(&pairs))? {
        return Ok(said.into_iter().map(|(pair, delivered)| (pair, Ok(delivered))).collect());
    }
    let mut said = Said::new();
    for pair in pairs {
        let (alone, problems) = super::findings(git.delivered(&[pair.clone()].into()))?;
        let delivered = alone.and_then(|mut alone| alone.remove(&pair)).ok_or(problems);
        said.insert(pair, delivered);
    }
    Ok(said)
}

fn home(context: &Context<'_>) -> Utf8PathBuf {
    app::home(context.root, &context.pipeline.app)
}

/// What was delivered of a feature, where that can be read. Where it cannot, [`super::rounds`] says so.
fn pairs(context: &Context<'_>) -> Vec<Pair> {
    let rounds = context.rounds().unwrap_or_default();
    let dispatched = rounds.into_iter().filter_map(|round| context.dispatched(round).ok().flatten());
    dispatched.map(|dispatch| pair(&dispatch)).collect()
}

fn pair(dispatch: &Dispatch) -> Pair {
    Pair { base: dispatch.base.clone(), head: dispatch.head.clone() }
}

/// See the module.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let dispatches: Vec<&Dispatch> =
        subject.rounds.iter().filter_map(|round| round.dispatch.as_ref()).collect();
    if dispatches.is_empty() {
        return Ok(Vec::new());
    }
    let is_seed = is_seed(subject);
    let said = match subject.repositories.of(subject.context) {
        Some(said) => said,
        None if is_seed => return Ok(Vec::new()),
        None => return Ok(vec![unavailable(subject)]),
    };
    let mut problems = Vec::new();
    for dispatch in dispatches {
        let path = subject.context.paths.in_round(dispatch.round, "dispatch.json");
        match said.get(&pair(dispatch)) {
            Some(Ok(delivered)) if delivered.is_held => {
                problems.extend(differs(subject, delivered, dispatch, &path));
            }
            Some(Err(refused)) => problems.extend(refused.iter().cloned()),
            _ if is_seed => {}
            _ => problems.push(absent(subject, dispatch, &path)),
        }
    }
    Ok(problems)
}

/// What was not looked at, though nothing is wrong with that.
pub fn notes(subject: &Subject<'_, '_>) -> Vec<String> {
    let is_dispatched = subject.rounds.iter().any(|round| round.dispatch.is_some());
    if !is_dispatched || !is_seed(subject) || subject.repositories.of(subject.context).is_some() {
        return Vec::new();
    }
    let note = say!(
        subject.context.lang(),
        "the sample's repository is not here: commits were held against each other only",
        "示例的仓库不在此处：提交只做了相互比对"
    );
    vec![note]
}

fn is_seed(subject: &Subject<'_, '_>) -> bool {
    matches!(subject.context.pipeline.app.home, AppHome::Seed(_))
}

/// Whether what is recorded of a delivered commit is what the repository says of it.
fn differs(
    subject: &Subject<'_, '_>,
    delivered: &Delivered,
    dispatch: &Dispatch,
    path: &Utf8Path,
) -> Option<Problem> {
    let (lang, Dispatch { base, head, .. }) = (subject.context.lang(), dispatch);
    let (code, message) = if !delivered.follows {
        (Code::CommitDiffers, say!(lang, "{head} does not follow {base}", "{head} 并非在 {base} 之后"))
    } else if !are_told(&delivered.changes, &dispatch.changed) {
        let message = say!(
            lang,
            "{head} changes other files or lines than {path} says",
            "{head} 改动的文件或行与 {path} 所写不同"
        );
        (Code::CommitDiffers, message)
    } else if !delivered.is_reachable {
        let message = say!(
            lang,
            "no branch or tag of the app's repository leads to {head} any more",
            "应用仓库中已没有任何分支或标签指向 {head}"
        );
        (Code::CommitUnavailable, message)
    } else {
        return None;
    };
    Some(subject.finding(code, path, message))
}

/// Whether these changes are the recorded ones. A name may have held a secret, which no record tells.
fn are_told(changes: &[ChangedFile], recorded: &[ChangedFile]) -> bool {
    let is_told = |(change, told): (&ChangedFile, &ChangedFile)| {
        (change.added, change.removed) == (told.added, told.removed)
            && may_be_masked(&told.path, &change.path)
    };
    changes.len() == recorded.len() && changes.iter().zip(recorded).all(is_told)
}

fn absent(subject: &Subject<'_, '_>, dispatch: &Dispatch, path: &Utf8Path) -> Problem {
    let Dispatch { base, head, .. } = dispatch;
    let message = say!(
        subject.context.lang(),
        "the app's repository does not hold {base} or {head}",
        "应用仓库中没有 {base} 或 {head}"
    );
    subject.finding(Code::CommitUnavailable, path, message)
}

fn unavailable(subject: &Subject<'_, '_>) -> Problem {
    let message = say!(
        subject.context.lang(),
        "the app's repository, as pipeline.yaml names it, is not here",
        "pipeline.yaml 所指的应用仓库不在此处"
    );
    subject.finding(Code::CommitUnavailable, &subject.context.paths.delivery(), message)
}
