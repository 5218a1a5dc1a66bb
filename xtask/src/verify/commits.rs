//! Commits: whether the app's repository holds what was delivered, as it is recorded. It is only looked at; a sample's
//! repository, which is made again from its seed, need not be there.

use camino::Utf8Path;
use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use super::subject::Subject;
use crate::app;
use crate::documents::{ChangedFile, Dispatch};
use crate::failure::Result;
use crate::git::Git;
use crate::pipeline::model::AppHome;
use crate::secrets::may_be_masked;

/// See the module.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let dispatches: Vec<&Dispatch> =
        subject.rounds.iter().filter_map(|round| round.dispatch.as_ref()).collect();
    if dispatches.is_empty() {
        return Ok(Vec::new());
    }
    let is_seed = is_seed(subject);
    let Some(git) = repository(subject)? else {
        return Ok(if is_seed { Vec::new() } else { vec![unavailable(subject)] });
    };
    let commits: Vec<&str> =
        dispatches.iter().flat_map(|dispatch| [dispatch.base.as_str(), dispatch.head.as_str()]).collect();
    let held = git.held_commits(&commits)?;
    let mut problems = Vec::new();
    for (dispatch, held) in dispatches.iter().zip(held.chunks(2)) {
        let path = subject.context.paths.in_round(dispatch.round, "dispatch.json");
        match held {
            [true, true] => problems.extend(differs(subject, &git, dispatch, &path)?),
            _ if is_seed => {}
            _ => problems.push(absent(subject, dispatch, &path)),
        }
    }
    Ok(problems)
}

/// What was not looked at, though nothing is wrong with that.
pub fn notes(subject: &Subject<'_, '_>) -> Result<Vec<String>> {
    let is_dispatched = subject.rounds.iter().any(|round| round.dispatch.is_some());
    if !is_dispatched || !is_seed(subject) || repository(subject)?.is_some() {
        return Ok(Vec::new());
    }
    let note = say!(
        subject.context.lang(),
        "the sample's repository is not here: commits were held against each other only",
        "示例的仓库不在此处：提交只做了相互比对"
    );
    Ok(vec![note])
}

fn is_seed(subject: &Subject<'_, '_>) -> bool {
    matches!(subject.context.pipeline.app.home, AppHome::Seed(_))
}

/// The app's repository, if it is at hand.
fn repository(subject: &Subject<'_, '_>) -> Result<Option<Git>> {
    let context = subject.context;
    app::at_hand(context.root, &context.pipeline.app, context.lang())
}

/// Whether what is recorded of a delivered commit is what the repository says of it.
fn differs(
    subject: &Subject<'_, '_>,
    git: &Git,
    dispatch: &Dispatch,
    path: &Utf8Path,
) -> Result<Option<Problem>> {
    let (lang, Dispatch { base, head, .. }) = (subject.context.lang(), dispatch);
    let message = if !git.is_ancestor(base, head)? {
        say!(lang, "{head} does not follow {base}", "{head} 并非在 {base} 之后")
    } else if !are_told(&git.changes(base, head)?, &dispatch.changed) {
        say!(
            lang,
            "{head} changes other files or lines than {path} says",
            "{head} 改动的文件或行与 {path} 所写不同"
        )
    } else if !git.is_reachable(head)? {
        let message = say!(
            lang,
            "no branch or tag of the app's repository leads to {head} any more",
            "应用仓库中已没有任何分支或标签指向 {head}"
        );
        return Ok(Some(subject.finding(Code::CommitUnavailable, path, message)));
    } else {
        return Ok(None);
    };
    Ok(Some(subject.finding(Code::CommitDiffers, path, message)))
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
