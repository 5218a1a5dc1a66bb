//! The app that is delivered: a git repository of its own, worked on in a branch and worktree of its own.

use std::fs::File;
use std::sync::Arc;

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};
use gate::code::Code;
use gate::lang::Lang;
use gate::say;

use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::git::{Contents, Git, Signature};
use crate::paths::Root;
use crate::pipeline::model::{App, AppHome};
use crate::store;

/// The first commit of a seeded repository is the same on every machine.
const SEED_DATE: &str = "2026-01-01T00:00:00Z";

/// The repository, and where the pipeline works on it.
pub struct AppRepository {
    git: Git,
    /// The feature's lock, lent to every git that works for it.
    held: Option<Arc<File>>,
    base: String,
    scratch: Utf8PathBuf,
    feature: String,
    lang: Lang,
}

impl AppRepository {
    /// Opens the app's repository; a seed becomes one first.
    pub fn open(root: &Root, app: &App, feature: &str, held: Option<Arc<File>>, lang: Lang) -> Result<Self> {
        let git = match &app.home {
            AppHome::Repository(path) => existing(root, path, lang)?,
            AppHome::Seed(path) => seeded(root, path, &app.base, lang)?,
        };
        let git = git.holding(held.clone());
        let (base, scratch) = (app.base.clone(), root.scratch());
        Ok(AppRepository { git, held, base, scratch, feature: feature.to_owned(), lang })
    }

    /// The branch that a delivery is made on.
    pub fn branch(&self) -> String {
        format!("delivery/{}", self.feature)
    }

    /// The commit that the first round begins from.
    pub fn base_commit(&self) -> Result<String> {
        self.git.commit_of(&self.base)?.ok_or_else(|| {
            let base = &self.base;
            let message =
                say!(self.lang, "the app's repository has no commit {base}", "应用仓库中没有提交 {base}");
            let help = say!(
                self.lang,
                "set app.base in pipeline.yaml to a branch, a tag or a commit that exists",
                "请把 pipeline.yaml 中的 app.base 设为存在的分支、标签或提交"
            );
            Failure::coded(Ending::CannotRun, Code::AppMissing, message, help)
        })
    }

    /// Refuses to begin where the app's own checkout stands at the base and holds changes that no commit has: whoever made
    /// them would wonder why they are not there.
    pub fn require_clean(&self, base: &str) -> Result<()> {
        if self.git.commit_of("HEAD")?.as_deref() != Some(base) || !self.git.is_modified()? {
            return Ok(());
        }
        let message = say!(
            self.lang,
            "the app's checkout has changes that {base} does not hold, and the work would begin without them",
            "应用的检出中有 {base} 所没有的改动，工作将在没有这些改动的情况下开始"
        );
        let help = say!(
            self.lang,
            "commit or stash them in the app's repository, and run this again",
            "请在应用仓库中提交或暂存（stash）它们，然后重新运行"
        );
        Err(Failure::coded(Ending::Waiting, Code::AppDirty, message, help))
    }

    /// Refuses to go on where the base is no longer the commit that the delivery began from.
    pub fn require_unmoved(&self, began: &str) -> Result<()> {
        let now = self.base_commit()?;
        if now == began {
            return Ok(());
        }
        let base = &self.base;
        let message = say!(
            self.lang,
            "{base} has moved since the delivery began: from {began} to {now}",
            "交付开始后 {base} 已移动：从 {began} 到 {now}"
        );
        let help = say!(
            self.lang,
            "set app.base in pipeline.yaml to {began} to go on from there",
            "如需从原处继续，请把 pipeline.yaml 中的 app.base 设为 {began}"
        );
        Err(Failure::coded(Ending::Waiting, Code::BaseMoved, message, help))
    }

    /// Whether this clone of the app holds a commit.
    pub fn has_commit(&self, commit: &str) -> Result<bool> {
        Ok(self.git.commit_of(commit)?.is_some())
    }

    /// The contents that a commit tracks.
    pub fn tracked(&self, commit: &str) -> Result<Contents> {
        self.git.contents(commit)
    }

    /// Refuses a commit that this clone of the app does not hold.
    pub fn require_commit(&self, commit: &str) -> Result<()> {
        if self.has_commit(commit)? {
            return Ok(());
        }
        let branch = self.branch();
        let message = say!(
            self.lang,
            "the delivered commit {commit} is not in the app's repository",
            "应用仓库中没有交付提交 {commit}"
        );
        let help = say!(
            self.lang,
            "fetch the branch {branch} into the app's repository from where the round was delivered",
            "请从交付该轮次的机器把分支 {branch} 取到应用仓库"
        );
        Err(Failure::coded(Ending::Unavailable, Code::AppMissing, message, help))
    }

    /// A fresh worktree on the delivery's branch, which begins at `commit`. Work that only this branch held is kept under
    /// another name.
    pub fn fresh_worktree(&self, commit: &str) -> Result<Git> {
        let lock = AppLock::wait(&self.scratch)?;
        let git = lock.lend(&self.git);
        let (folder, branch) = (self.worktree_folder(), self.branch());
        if let Some(head) = git.commit_of(&format!("refs/heads/{branch}"))?
            && !git.is_ancestor(&head, commit)?
        {
            git.keep(&format!("kept/{branch}/{}", head.get(..12).unwrap_or(&head)), &head)?;
        }
        if folder.join(".git").exists() {
            // What cannot be asked any more, as a repository of somebody else's making, is not ours to keep.
            let _ = self.git_at(folder.clone()).keep_uncommitted(&format!("kept/{branch}/uncommitted"));
        }
        git.remove_worktree(&folder)?;
        git.add_worktree(&folder, &branch, commit)?;
        Ok(self.git_at(folder))
    }

    fn git_at(&self, folder: Utf8PathBuf) -> Git {
        Git::at(folder, self.lang).holding(self.held.clone())
    }

    /// The worktree as a person left it, or one at the head of the branch on which they worked.
    pub fn kept_worktree(&self, commit: &str) -> Result<Git> {
        let folder = self.worktree_folder();
        if folder.join(".git").exists() {
            return Ok(self.git_at(folder));
        }
        let head = self.git.commit_of(&format!("refs/heads/{}", self.branch()))?;
        self.fresh_worktree(head.as_deref().unwrap_or(commit))
    }

    /// Refuses a worktree that was left: another repository, another branch, a history that no longer begins at `base`.
    pub fn require_worktree(&self, worktree: &Git, base: &str) -> Result<()> {
        let branch = self.branch();
        let is_ours = worktree.repository_folder()? == self.git.repository_folder()?;
        let is_on_branch = worktree.branch()?.as_ref() == Some(&branch);
        if is_ours && is_on_branch && worktree.is_ancestor(base, "HEAD")? {
            return Ok(());
        }
        let message = say!(
            self.lang,
            "the worktree is no longer on {branch}, beginning at {base}: what was delivered cannot be told",
            "工作目录已不在从 {base} 开始的分支 {branch} 上：无法确定交付内容"
        );
        Err(Failure::coded(Ending::Tampered, Code::WorktreeLeft, message, Code::WorktreeLeft.help(self.lang)))
    }

    /// Takes a worktree away, with all that is in it. Its branch stays.
    pub fn remove_worktree(&self, folder: &Utf8Path) -> Result<()> {
        let lock = AppLock::wait(&self.scratch)?;
        lock.lend(&self.git).remove_worktree(folder)
    }

    /// Where the executor works.
    pub fn worktree_folder(&self) -> Utf8PathBuf {
        self.scratch.join("worktrees").join(&self.feature)
    }

    /// A clean checkout of a commit, which no agent ever touched.
    pub fn checkout(&self, commit: &str) -> Result<Checkout> {
        let folder = self.scratch.join("checkouts").join(&self.feature);
        let lock = AppLock::wait(&self.scratch)?;
        let git = lock.lend(&self.git);
        store::remove_folder(&folder)?;
        git.checkout_apart(&folder, commit)?;
        Ok(Checkout { folder })
    }
}

/// Held while a repository that several features share gains or loses a worktree: git's own locks make the second one
/// fail, not wait.
struct AppLock {
    file: Arc<File>,
}

impl AppLock {
    /// A git under this lock.
    fn lend(&self, git: &Git) -> Git {
        git.clone().holding(Some(self.file.clone()))
    }

    fn wait(scratch: &Utf8Path) -> Result<Self> {
        store::create_folder(scratch)?;
        let path = scratch.join("apps.lock");
        let file = File::options().write(true).create(true).truncate(false).open(&path);
        let file = file.with_context(|| format!("failed to open {path}"))?;
        file.lock().with_context(|| format!("failed to lock {path}"))?;
        Ok(AppLock { file: Arc::new(file) })
    }
}

/// A clean checkout, gone when it is dropped.
pub struct Checkout {
    /// Where it is, absolute.
    pub folder: Utf8PathBuf,
}

impl Drop for Checkout {
    fn drop(&mut self) {
        // What cannot be removed now is removed before the next checkout.
        let _ = store::remove_folder(&self.folder);
    }
}

/// The app's repository, if it is there; it is only to be looked at, and nothing is made.
pub fn at_hand(root: &Root, app: &App, lang: Lang) -> Result<Option<Git>> {
    let git = Git::at(home(root, app), lang);
    Ok(if git.folder().is_dir() && git.is_repository()? { Some(git) } else { None })
}

/// Where the app's repository is, or will be once it is made of its seed.
pub fn home(root: &Root, app: &App) -> Utf8PathBuf {
    match &app.home {
        AppHome::Repository(path) => root.join(path),
        AppHome::Seed(path) => seed_home(root, path),
    }
}

/// Where a seed becomes a repository.
fn seed_home(root: &Root, path: &str) -> Utf8PathBuf {
    root.scratch().join("apps").join(path.replace(['/', '\\'], "-"))
}

fn existing(root: &Root, path: &str, lang: Lang) -> Result<Git> {
    let git = Git::at(root.join(path), lang);
    if git.folder().is_dir() && git.is_repository()? {
        return Ok(git);
    }
    let message = say!(lang, "{path} is not the top of a git repository", "{path} 不是 git 仓库的顶层目录");
    let help = say!(
        lang,
        "set app.repository in pipeline.yaml to the app's own repository, or app.seed to a plain folder",
        "请把 pipeline.yaml 中的 app.repository 设为应用自己的仓库，或用 app.seed 指定普通目录"
    );
    Err(Failure::coded(Ending::CannotRun, Code::AppMissing, message, help))
}

/// A repository in the scratch folder with the seed as its only commit. It is made beside and moved into place, so
/// that one which was left half-made is never taken for whole.
fn seeded(root: &Root, path: &str, branch: &str, lang: Lang) -> Result<Git> {
    let seed = root.join(path);
    if !seed.is_dir() {
        let message = say!(
            lang,
            "there is no folder {path} to make the app's repository from",
            "没有用于创建应用仓库的目录 {path}"
        );
        return Err(Failure::coded(
            Ending::CannotRun,
            Code::AppMissing,
            message,
            Code::AppMissing.help(lang),
        ));
    }
    let home = seed_home(root, path);
    let git = Git::at(home.clone(), lang);
    if home.join(".git").exists() && git.commit_of(branch)?.is_some() {
        return Ok(git);
    }
    let lock = AppLock::wait(&root.scratch())?;
    // Somebody else may have made it meanwhile.
    if home.join(".git").exists() && git.commit_of(branch)?.is_some() {
        return Ok(git);
    }
    let making = Utf8PathBuf::from(format!("{home}.new"));
    store::remove_folder(&home)?;
    store::remove_folder(&making)?;
    for file in store::files_below(&seed)? {
        store::copy_hashed(&seed.join(&file), &making.join(&file))?;
    }
    let made = lock.lend(&Git::at(making.clone(), lang));
    made.init(branch)?;
    made.commit_all(&format!("Seed of {path}\n"), &Signature { date: Some(SEED_DATE.to_owned()) })?;
    store::rename(&making, &home)?;
    Ok(git)
}
