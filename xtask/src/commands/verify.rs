//! `verify`: makes everything again that is on record of deliveries, and says what is not what it has to be. Reads only, and
//! only what is committed: the folders of features and deliveries, or a commit that holds them.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};
use gate::audit::Verdict;
use gate::code::Code;
use gate::lang::Lang;
use gate::problem::Problem;
use gate::say;
use serde_json::json;

use super::answer::{self, Answer};
use super::{Session, require_name};
use crate::cli::Verify;
use crate::context::Context;
use crate::digests::Digests;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::files::{Files, Seen, Snapshot};
use crate::git::Git;
use crate::paths::{FeaturePaths, Root};
use crate::pipeline::model::Pipeline;
use crate::render::Renderer;
use crate::verify::{self, Repositories, Verified};
use crate::{parallel, pipeline, store};

pub fn run(session: &Session, args: &Verify) -> Result<Answer> {
    let place = match &args.commit {
        Some(name) => Place::commit(session, name)?,
        None => Place::folder(session),
    };
    let Entries { features, strays, undelivered } = match &args.feature {
        Some(feature) => Entries { features: vec![known(&place, feature)?], ..Entries::default() },
        None => place.entries()?,
    };
    let repositories = Repositories::asked(features.iter().map(|feature| place.context(session, feature)))?;
    let lines = parallel::map(&features, parallel::processors(), |feature| {
        let context = place.context(session, feature);
        (feature.clone(), verify::verify(&context, args.expect_pack.as_deref(), &repositories))
    });
    let lang = session.pipeline.lang;
    let mut said = Said { place: &place, args, lang, lines: Vec::new(), strays, undelivered };
    for (feature, verified) in lines.into_iter().flatten() {
        said.lines.push((feature, verified?));
    }
    Ok(said.answer(session))
}

/// The folder of all deliveries.
const DELIVERIES: &str = "deliveries";

/// What `--all` is about.
#[derive(Default)]
struct Entries {
    /// Every feature of which something was delivered.
    features: Vec<String>,
    /// What looks like a delivery and cannot be verified, or was one and is gone.
    strays: Vec<Problem>,
    /// Features of which nothing was delivered.
    undelivered: Vec<String>,
}

/// Where deliveries are read from.
struct Place {
    root: Root,
    pipeline: Pipeline,
    /// The commit, if it is one.
    commit: Option<(String, Arc<Snapshot>)>,
    /// The templates of each language that is asked for, parsed once for all features; none where they cannot be.
    templates: Mutex<BTreeMap<Lang, Option<Arc<Renderer>>>>,
}

impl Place {
    fn folder(session: &Session) -> Self {
        Place {
            root: session.root.clone(),
            pipeline: session.pipeline.clone(),
            commit: None,
            templates: Mutex::default(),
        }
    }

    /// All that a commit of the workspace's own repository holds of it.
    fn commit(session: &Session, name: &str) -> Result<Self> {
        let lang = session.pipeline.lang;
        let root = session.root.folder();
        let unknown = || {
            let message = say!(
                lang,
                "the repository of this workspace has no commit {name}",
                "此工作区的仓库中没有提交 {name}"
            );
            Failure::coded(
                Ending::Unavailable,
                Code::CommitUnavailable,
                message,
                Code::CommitUnavailable.help(lang),
            )
        };
        let top = top_of(root)?.ok_or_else(unknown)?;
        let git = Git::at(top, lang);
        // A name that begins like an option is none.
        let commit = if name.starts_with('-') { None } else { git.commit_of(name)? };
        let commit = commit.ok_or_else(unknown)?;
        let inner = root.strip_prefix(top).unwrap_or(Utf8Path::new("")).as_str().replace('\\', "/");
        let wanted = |path: &str| {
            path == Root::PIPELINE
                || ["features/", "deliveries/", "templates/"].iter().any(|folder| path.starts_with(folder))
        };
        let snapshot = Arc::new(Snapshot::of(&git, git.tree(&commit, &inner)?, wanted)?);
        let files = Files::Commit(Arc::clone(&snapshot));
        let bytes = files.read(Utf8Path::new(Root::PIPELINE))?.ok_or_else(unknown)?;
        let pipeline = pipeline::read(&bytes)?;
        Ok(Place {
            root: session.root.clone(),
            pipeline,
            commit: Some((commit, snapshot)),
            templates: Mutex::default(),
        })
    }

    /// One feature, as it is here.
    fn context<'s>(&self, session: &'s Session, feature: &str) -> Context<'s> {
        let pipeline = pipeline::for_feature(self.pipeline.clone(), feature);
        Context {
            templates: self.renderer(pipeline.lang).map(OnceCell::from).unwrap_or_default(),
            pipeline,
            files: self.files(),
            // What was remembered is not asked.
            ..session.context_with(feature, Digests::default())
        }
    }

    /// Why there is none is told by whoever renders.
    fn renderer(&self, lang: Lang) -> Option<Arc<Renderer>> {
        let mut templates = self.templates.lock().unwrap_or_else(PoisonError::into_inner);
        let load = || Renderer::load(&self.files(), lang).ok().map(Arc::new);
        templates.entry(lang).or_insert_with(load).clone()
    }

    fn files(&self) -> Files {
        match &self.commit {
            Some((_, snapshot)) => Files::Commit(Arc::clone(snapshot)),
            None => Files::Seen(Seen::new(self.root.folder().to_owned())),
        }
    }

    /// Everything in the folder of deliveries, and what is missing there.
    fn entries(&self) -> Result<Entries> {
        let (files, lang) = (self.files(), self.pipeline.lang);
        let deliveries = Utf8Path::new(DELIVERIES);
        let mut entries = Entries::default();
        let mut stray = |code: Code, path: &Utf8Path, message: String| {
            entries.strays.push(Problem::new(code, message, code.help(lang)).in_file(path.as_str()));
        };
        for name in files.list(deliveries)? {
            let path = Utf8PathBuf::from(format!("{DELIVERIES}/{name}"));
            let is_feature = gate::decode::check_feature(&name, Lang::En).is_none();
            match files.kind(&path)? {
                store::Kind::Folder if is_feature => entries.features.push(name),
                // A file beside the deliveries is none, and claims nothing.
                store::Kind::File => {}
                _ => {
                    let message = say!(
                        lang,
                        "{path} is a link, or has no name of a feature: nobody verifies what is in it",
                        "{path} 是链接，或其名称不是功能名：其中的内容无人校验"
                    );
                    stray(Code::FileExtra, &path, message);
                }
            }
        }
        for name in self.checked_out()? {
            let path = Utf8PathBuf::from(format!("{DELIVERIES}/{name}"));
            if files.kind(&path)? == store::Kind::Absent {
                let message = say!(
                    lang,
                    "{path}, which is in the commit that is checked out, is gone",
                    "当前检出的提交中有 {path}，此处却已丢失"
                );
                stray(Code::FileMissing, &path, message);
            }
        }
        for name in files.list(Utf8Path::new("features"))? {
            let paths = FeaturePaths::new(&name);
            let is_feature = gate::decode::check_feature(&name, Lang::En).is_none()
                && files.kind(&paths.authored())? == store::Kind::Folder;
            if is_feature && files.kind(&paths.delivery())? == store::Kind::Absent {
                entries.undelivered.push(name);
            }
        }
        Ok(entries)
    }

    /// The deliveries in the commit that is checked out, where a folder is looked at.
    fn checked_out(&self) -> Result<Vec<String>> {
        let root = self.root.folder();
        let (None, Some(top)) = (&self.commit, top_of(root)?) else { return Ok(Vec::new()) };
        let git = Git::at(top, self.pipeline.lang);
        let Some(commit) = git.commit_of("HEAD")? else { return Ok(Vec::new()) };
        let inner = root.strip_prefix(top).unwrap_or(Utf8Path::new("")).join(DELIVERIES);
        git.folders(&commit, &inner.as_str().replace('\\', "/"))
    }
}

/// The nearest folder at or above the root that is a repository.
fn top_of(root: &Utf8Path) -> Result<Option<&Utf8Path>> {
    for folder in root.ancestors() {
        if store::kind(&folder.join(".git"))? != store::Kind::Absent {
            return Ok(Some(folder));
        }
    }
    Ok(None)
}

/// A feature by its name. One that was never delivered is told by its check, and one behind a link is not looked at.
fn known(place: &Place, feature: &str) -> Result<String> {
    let lang = place.pipeline.lang;
    require_name(feature, lang)?;
    let paths = FeaturePaths::new(feature);
    let folders: [Utf8PathBuf; 2] = [paths.authored(), paths.delivery()];
    let mut is_known = false;
    for folder in &folders {
        is_known |= place.files().kind(folder)? == store::Kind::Folder;
    }
    if is_known {
        return Ok(feature.to_owned());
    }
    let message = say!(lang, "there is no feature {feature}", "没有功能 {feature}");
    Err(Failure::coded(Ending::InvalidInput, Code::FeatureMissing, message, Code::FeatureMissing.help(lang)))
}

/// What is said of all of them.
struct Said<'a> {
    place: &'a Place,
    args: &'a Verify,
    lang: Lang,
    lines: Vec<(String, Verified)>,
    strays: Vec<Problem>,
    undelivered: Vec<String>,
}

impl Said<'_> {
    fn answer(&self, session: &Session) -> Answer {
        let strays = self.strays.iter().map(|problem| verify::ending_of(problem.code));
        let ending = Ending::worst(self.lines.iter().map(|(_, verified)| verified.ending()).chain(strays));
        let found = self.lines.iter().flat_map(|(_, verified)| &verified.problems);
        let problems: Vec<&Problem> = found.chain(&self.strays).collect();
        let features: Vec<_> = self.lines.iter().map(|(feature, verified)| data(feature, verified)).collect();
        let commit = self.place.commit.as_ref().map(|(commit, _)| commit);
        let is_empty = self.lines.is_empty() && self.strays.is_empty() && self.undelivered.is_empty();
        let text = if is_empty { session.no_features() } else { self.text(session) };
        let undelivered = &self.undelivered;
        let data = json!({
            "commit": commit,
            "features": features,
            "undelivered": undelivered,
            "problems": problems,
        });
        Answer { ending, text, data }
    }

    fn text(&self, session: &Session) -> String {
        // What is quoted has to be what was looked at.
        let root = self.place.commit.is_none().then_some(&session.root);
        let mut text = String::new();
        for (feature, verified) in &self.lines {
            text.push_str(&self.line(feature, verified));
            for note in &verified.notes {
                text.push_str(&format!("  {note}\n"));
            }
            if !verified.problems.is_empty() {
                text.push_str(&answer::render(root, &verified.problems, self.lang));
                text.push('\n');
            }
        }
        if !self.strays.is_empty() {
            text.push_str(&answer::render(root, &self.strays, self.lang));
            text.push('\n');
        }
        for feature in &self.undelivered {
            let line = say!(self.lang, "{feature}: nothing was delivered", "{feature}：尚无交付");
            text.push_str(&format!("{line}\n"));
        }
        text.push_str(&self.anchor());
        text
    }

    fn line(&self, feature: &str, verified: &Verified) -> String {
        let Verified { rounds, rulings, files, .. } = verified;
        let count = verified.problems.len();
        match verified.ending() {
            Ending::Yes => {
                let pack = verified.pack_sha256.as_deref().unwrap_or_default();
                let verdict = match verified.verdict {
                    Some(Verdict::Pass) => self.lang.pick("pass", "通过"),
                    Some(Verdict::Fail) => self.lang.pick("fail", "不通过"),
                    None => self.lang.pick("none yet", "尚无"),
                };
                say!(
                    self.lang,
                    "{feature}: verified: verdict {verdict}, rounds {rounds}, rulings {rulings}, files {files}, pack {pack}\n",
                    "{feature}：校验无误：结论 {verdict}，轮次 {rounds}，判定 {rulings}，文件 {files}，验收包 {pack}\n"
                )
            }
            Ending::Unavailable => say!(
                self.lang,
                "{feature}: cannot be verified; findings: {count}\n",
                "{feature}：无法校验；发现：{count}\n"
            ),
            _ => say!(
                self.lang,
                "{feature}: TAMPERED: not what it was made as; findings: {count}\n",
                "{feature}：已被改动：与生成时不一致；发现：{count}\n"
            ),
        }
    }

    /// What was held against what, and what nobody sees that way.
    fn anchor(&self) -> String {
        let by_pack = self.args.expect_pack.is_some();
        match &self.place.commit {
            Some((commit, _)) => say!(
                self.lang,
                "read from the commit {commit}: this is as good as that commit is",
                "读自提交 {commit}：结论与该提交同样可信"
            ),
            None if by_pack => say!(
                self.lang,
                "the pack is the one that was asked for; a consistent rewrite of the rounds, or rounds dropped at the end, \
                 shows only against a commit (--commit) or a signature",
                "验收包正是所要求的那一份；对轮次的整体一致改写或删去末尾轮次，只有对照提交（--commit）或签名才能发现"
            ),
            None => say!(
                self.lang,
                "what is here was held against itself: a consistent rewrite of everything, or rounds dropped at the end, \
                 shows only against a commit (--commit), the pack's digest from elsewhere (--expect-pack) or a signature",
                "此处的内容只做了自我核对：对全部内容的一致改写或删去末尾轮次，只有对照提交（--commit）、来自别处的验收包摘要\
                 （--expect-pack）或签名才能发现"
            ),
        }
    }
}

fn data(feature: &str, verified: &Verified) -> serde_json::Value {
    let status = match verified.ending() {
        Ending::Yes => "verified",
        Ending::Unavailable => "unavailable",
        _ => "tampered",
    };
    json!({
        "feature": feature,
        "status": status,
        "packSha256": verified.pack_sha256,
        "verdict": verified.verdict,
        "rounds": verified.rounds,
        "rulings": verified.rulings,
        "files": verified.files,
        "notes": verified.notes,
        "problems": verified.problems.len(),
    })
}
