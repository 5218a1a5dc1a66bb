//! `clean`: removes what can be made again. Deliveries, and work that nobody committed yet, stay.

use camino::Utf8PathBuf;
use gate::say;
use serde_json::json;

use super::Session;
use super::answer::Answer;
use crate::cli::Clean;
use crate::failure::Result;
use crate::git::Git;
use crate::pipeline::lock::{FeatureLock, IfHeld};
use crate::store::{self, Kind};

/// Folders of the scratch folder that hold one entry a feature, by the name of the feature.
const BY_FEATURE: &[&str] = &[
    "reviewers",
    "checkouts",
    "gather",
    "gathered",
    "stage",
    "dispatch",
    "auditors",
    "digests",
    "runs",
    "answers",
];

pub fn run(session: &Session, args: &Clean) -> Result<Answer> {
    let features = match &args.feature {
        Some(feature) => vec![feature.clone()],
        None => session.features()?,
    };
    let (mut removed, mut kept) = (Vec::new(), Vec::new());
    for feature in &features {
        let context = session.context(feature)?;
        // What another run is working with stays. Looking takes nothing.
        let _lock = match args.dry_run {
            true => None,
            false => Some(FeatureLock::take(&context, IfHeld::Refuse)?),
        };
        if !args.dry_run {
            context.end_leftovers()?;
        }
        let scratch = session.root.scratch();
        for folder in BY_FEATURE {
            for name in [feature.clone(), format!("{feature}.json")] {
                remove(session, scratch.join(folder).join(name), args.dry_run, &mut removed)?;
            }
        }
        let worktree = scratch.join("worktrees").join(feature);
        if store::kind(&worktree)? == Kind::Folder {
            match is_clean(&worktree, context.lang()) {
                true => remove_worktree(session, &context, worktree, args.dry_run, &mut removed)?,
                false => kept.push(relative(session, &worktree)),
            }
        }
    }
    Ok(Answer::yes(text(session, &removed, &kept, args.dry_run), json!({ "removed": removed, "kept": kept })))
}

fn remove(session: &Session, path: Utf8PathBuf, dry: bool, removed: &mut Vec<String>) -> Result<()> {
    let kind = store::kind(&path)?;
    if kind == Kind::Absent {
        return Ok(());
    }
    removed.push(relative(session, &path));
    match (dry, kind) {
        (true, _) => Ok(()),
        (false, Kind::Folder) => store::remove_folder(&path),
        (false, _) => store::remove_file(&path),
    }
}

fn remove_worktree(
    session: &Session,
    context: &crate::context::Context<'_>,
    folder: Utf8PathBuf,
    dry: bool,
    removed: &mut Vec<String>,
) -> Result<()> {
    removed.push(relative(session, &folder));
    if dry { Ok(()) } else { context.app()?.remove_worktree(&folder) }
}

/// Whether all of its work is committed. What cannot be asked is not clean.
fn is_clean(worktree: &camino::Utf8Path, lang: gate::lang::Lang) -> bool {
    Git::at(worktree, lang).status().is_ok_and(|uncommitted| uncommitted.is_empty())
}

fn relative(session: &Session, path: &camino::Utf8Path) -> String {
    let inside = path.strip_prefix(session.root.folder()).unwrap_or(path);
    inside.as_str().replace('\\', "/")
}

fn text(session: &Session, removed: &[String], kept: &[String], dry: bool) -> String {
    let lang = session.pipeline.lang;
    let mut lines: Vec<String> = removed
        .iter()
        .map(|path| match dry {
            true => say!(lang, "would remove {path}", "将删除 {path}"),
            false => say!(lang, "removed {path}", "已删除 {path}"),
        })
        .collect();
    lines.extend(kept.iter().map(|path| {
        say!(lang, "kept {path}: it holds work that is not committed", "保留 {path}：其中有未提交的内容")
    }));
    match lines.is_empty() {
        true => lang.pick("nothing to remove", "没有可删除的内容").to_owned(),
        false => lines.join("\n"),
    }
}
