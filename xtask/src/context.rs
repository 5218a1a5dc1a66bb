//! What every stage of one feature works with.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::fs::File;
use std::ops::ControlFlow;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use gate::audit::Verdict;
use gate::code::Code;
use gate::lang::Lang;
use gate::say;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::app::AppRepository;
use crate::authored::Authored;
use crate::digests::{Digests, Over};
use crate::documents::{AuditFile, Dispatch, Lock, Review};
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::files::Files;
use crate::paths::{FeaturePaths, Root};
use crate::pipeline::model::Pipeline;
use crate::placeholders::expand;
use crate::process::{self, Ended, Program, Stream};
use crate::progress::Progress;
use crate::render::Renderer;

/// One feature, with the pipeline as it holds for that feature.
pub struct Context<'a> {
    /// The root.
    pub root: &'a Root,
    /// With the feature's own settings applied.
    pub pipeline: Pipeline,
    /// The feature's id.
    pub feature: String,
    /// Its folders and files.
    pub paths: FeaturePaths,
    /// Where what was authored and recorded is read from.
    pub files: Files,
    /// Digests of files that were read before.
    pub digests: Digests,
    /// What artifacts held when they were last read.
    pub memory: RefCell<Memory>,
    /// The file that a run locks, to be lent to programs that must not outlive it unseen. None for a command that only looks.
    pub held: OnceCell<Arc<File>>,
    /// The templates, parsed when first asked for.
    pub templates: OnceCell<Arc<Renderer>>,
    /// Who is told what happens.
    pub progress: &'a Progress,
    /// A person's reason for freezing a changed pack.
    pub reason: Option<String>,
    /// Whether reviewers are asked again what they answered before.
    pub asks_again: bool,
}

/// Artifacts that every stage asks for. See [`Context::forget`].
#[derive(Debug, Default)]
pub struct Memory {
    lock: Option<Lock>,
    dispatches: BTreeMap<u32, Option<Dispatch>>,
    rounds: Option<Vec<u32>>,
    pack_sha256: Option<String>,
    verdicts: BTreeMap<u32, Option<Verdict>>,
    review: Option<Option<Arc<Review>>>,
    audits: BTreeMap<u32, Arc<AuditFile>>,
    authored: Option<Arc<Authored>>,
}

impl Context<'_> {
    /// The language of the delivery.
    pub fn lang(&self) -> Lang {
        self.pipeline.lang
    }

    /// The templates in the delivery's language. A broken one is found here, before anything is written.
    pub fn renderer(&self) -> Result<&Renderer> {
        match self.templates.get() {
            Some(renderer) => Ok(renderer),
            None => {
                let renderer = Arc::new(Renderer::load(&self.files, self.lang())?);
                Ok(self.templates.get_or_init(|| renderer))
            }
        }
    }

    /// The absolute path of a relative one.
    pub fn at(&self, relative: impl AsRef<Utf8Path>) -> Utf8PathBuf {
        self.root.join(relative)
    }

    /// The digest of a file, from memory where that is good enough, or `None` if there is none.
    pub fn digest(&self, path: &Utf8Path, over: Over) -> Result<Option<String>> {
        match &self.files {
            Files::Folder(_) => self.digests.of(&self.at(path), over),
            Files::Seen(_) | Files::Commit(_) => self.files.digest(path, over),
        }
    }

    /// As [`Context::digest`], of a file that all features share.
    pub fn common_digest(&self, path: &Utf8Path, over: Over) -> Result<Option<String>> {
        match &self.files {
            Files::Folder(_) => self.digests.of_common(&self.at(path), over),
            Files::Seen(_) | Files::Commit(_) => self.files.digest(path, over),
        }
    }

    /// The app's repository.
    pub fn app(&self) -> Result<AppRepository> {
        AppRepository::open(
            self.root,
            &self.pipeline.app,
            &self.feature,
            self.held.get().cloned(),
            self.lang(),
        )
    }

    /// A text of the pipeline, its placeholders filled in for this feature and a round.
    pub fn fill(&self, text: &str, round: u32) -> String {
        expand(text, &[("feature", &self.feature), ("round", &round.to_string())])
    }

    /// Runs a program of a stage. `Ok(None)` says that there is no such program.
    pub fn run(&self, stage: &str, program: &Program) -> Result<Option<Ended>> {
        self.runner(stage).run(program)
    }

    /// What runs programs of a stage, on any thread.
    pub fn runner<'r>(&'r self, stage: &'r str) -> Runner<'r> {
        Runner { progress: self.progress, feature: &self.feature, stage }
    }

    /// Ends what an earlier run of this feature left that was killed, and says so. The feature's lock has to be held.
    pub fn end_leftovers(&self) -> Result<()> {
        for program in process::end_leftovers(self.root, &self.feature)? {
            let note = say!(
                self.lang(),
                "{program}, which an earlier run left running, was ended",
                "已终止先前运行遗留的 {program}"
            );
            self.progress.note(&self.feature, &note);
        }
        Ok(())
    }

    /// Forgets what artifacts held when they were last read: a stage is about to write, or wrote.
    pub fn forget(&self) {
        self.memory.replace(Memory::default());
    }

    /// What a round was dispatched as, if it was.
    pub fn dispatched(&self, round: u32) -> Result<Option<Dispatch>> {
        if let Some(known) = self.memory.borrow().dispatches.get(&round) {
            return Ok(known.clone());
        }
        let dispatch: Option<Dispatch> =
            self.artifact_if_any(&self.paths.in_round(round, "dispatch.json"), "dispatch")?;
        self.memory.borrow_mut().dispatches.insert(round, dispatch.clone());
        Ok(dispatch)
    }

    /// The frozen pack; its absence is a finding.
    pub fn lock(&self) -> Result<Lock> {
        if let Some(known) = &self.memory.borrow().lock {
            return Ok(known.clone());
        }
        let lock = self.read_lock()?;
        self.memory.borrow_mut().lock = Some(lock.clone());
        Ok(lock)
    }

    /// The digest of the frozen pack, as the lock states it. Whoever judges by the pack takes [`Context::lock`], which
    /// holds the two against each other.
    pub fn pack_sha256(&self) -> Result<String> {
        /// All that is asked of a lock here.
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Stated {
            pack_sha256: String,
        }
        if let Some(known) = &self.memory.borrow().pack_sha256 {
            return Ok(known.clone());
        }
        let path = self.paths.lock();
        let Some(Stated { pack_sha256 }) = self.artifact_if_any(&path, "freeze")? else {
            return Err(self.missing(Code::NotFrozen, &path, "freeze", None));
        };
        self.memory.borrow_mut().pack_sha256 = Some(pack_sha256.clone());
        Ok(pack_sha256)
    }

    /// The verdict of a round's audit, as it is on record.
    pub fn verdict(&self, round: u32) -> Result<Option<Verdict>> {
        /// All that is asked of an audit here.
        #[derive(Deserialize)]
        struct Judged {
            verdict: Verdict,
        }
        if let Some(known) = self.memory.borrow().verdicts.get(&round) {
            return Ok(*known);
        }
        let audit: Option<Judged> = self.artifact_if_any(&self.paths.audit(round, "json"), "audit")?;
        let verdict = audit.map(|audit| audit.verdict);
        self.memory.borrow_mut().verdicts.insert(round, verdict);
        Ok(verdict)
    }

    /// The audit of a round, as it is on record; its absence is a finding.
    pub fn audit(&self, round: u32) -> Result<Arc<AuditFile>> {
        if let Some(known) = self.memory.borrow().audits.get(&round) {
            return Ok(Arc::clone(known));
        }
        let audit: Arc<AuditFile> =
            Arc::new(self.artifact(&self.paths.audit(round, "json"), "audit", Some(round))?);
        self.memory.borrow_mut().audits.insert(round, Arc::clone(&audit));
        Ok(audit)
    }

    /// The review of the frozen pack, or of an earlier one, as it is on record.
    pub fn review_if_any(&self) -> Result<Option<Arc<Review>>> {
        if let Some(known) = &self.memory.borrow().review {
            return Ok(known.clone());
        }
        let review = self.artifact_if_any(&self.paths.review("json"), "review")?.map(Arc::new);
        self.memory.borrow_mut().review = Some(review.clone());
        Ok(review)
    }

    /// As [`Context::review_if_any`]; its absence is a finding.
    pub fn review(&self) -> Result<Arc<Review>> {
        self.review_if_any()?
            .ok_or_else(|| self.missing(Code::ArtifactMissing, &self.paths.review("json"), "review", None))
    }

    /// The authored pack, as `read` reads it, unless it was read before.
    pub fn authored(&self, read: impl FnOnce() -> Result<Authored>) -> Result<Arc<Authored>> {
        if let Some(known) = &self.memory.borrow().authored {
            return Ok(Arc::clone(known));
        }
        let authored = Arc::new(read()?);
        self.memory.borrow_mut().authored = Some(Arc::clone(&authored));
        Ok(authored)
    }

    fn read_lock(&self) -> Result<Lock> {
        let path = self.paths.lock();
        let lang = self.lang();
        let Some(lock) = self.artifact_if_any::<Lock>(&path, "freeze")? else {
            return Err(self.missing(Code::NotFrozen, &path, "freeze", None));
        };
        let digest = gate::audit::pack_digest(&lock.pack).map_err(anyhow::Error::from)?;
        if digest == lock.pack_sha256 && lock.pack.criteria.len() == lock.criteria_count {
            return Ok(lock);
        }
        // A lock that was edited by hand would judge by another pack than the one that was frozen.
        let message = say!(lang, "{path} does not agree with its own digest", "{path} 与其自身的摘要不一致");
        Err(Failure::coded(Ending::Tampered, Code::ArtifactBroken, message, Code::ArtifactBroken.help(lang)))
    }

    /// A JSON artifact of an earlier stage; its absence is a finding that names the stage to run.
    pub fn artifact<T: DeserializeOwned>(
        &self,
        path: &Utf8Path,
        stage: &str,
        round: Option<u32>,
    ) -> Result<T> {
        match self.artifact_if_any(path, stage)? {
            Some(artifact) => Ok(artifact),
            None => Err(self.missing(Code::ArtifactMissing, path, stage, round)),
        }
    }

    /// A JSON artifact, if it is there. One that cannot be read is a finding.
    pub fn artifact_if_any<T: DeserializeOwned>(&self, path: &Utf8Path, stage: &str) -> Result<Option<T>> {
        let Some(bytes) = self.files.read(path)? else { return Ok(None) };
        serde_json::from_slice(&bytes).map(Some).map_err(|error| {
            let lang = self.lang();
            let message = say!(lang, "{path} cannot be read: {error}", "{path} 无法读取：{error}");
            let help = say!(
                lang,
                "restore it from git; only where it was never committed, remove it and run cargo xtask {stage} {}",
                "请从 git 恢复它；仅当它从未提交过时，才删除后运行 cargo xtask {stage} {}",
                self.feature
            );
            Failure::coded(Ending::Tampered, Code::ArtifactBroken, message, help)
        })
    }

    fn missing(&self, code: Code, path: &Utf8Path, stage: &str, round: Option<u32>) -> Failure {
        let lang = self.lang();
        let feature = &self.feature;
        let round = round.map(|round| format!(" --round {round}")).unwrap_or_default();
        let message = say!(lang, "there is no {path} yet", "还没有 {path}");
        let help = say!(
            lang,
            "run cargo xtask {stage} {feature}{round} first",
            "请先运行 cargo xtask {stage} {feature}{round}"
        );
        Failure::coded(Ending::InvalidInput, code, message, help)
    }

    /// Every round that has a folder, in order.
    pub fn rounds(&self) -> Result<Vec<u32>> {
        if let Some(known) = &self.memory.borrow().rounds {
            return Ok(known.clone());
        }
        let names = self.files.list(&self.paths.delivery())?;
        let mut rounds: Vec<u32> =
            names.iter().filter_map(|name| name.strip_prefix("round-")?.parse().ok()).collect();
        rounds.sort_unstable();
        self.memory.borrow_mut().rounds = Some(rounds.clone());
        Ok(rounds)
    }
}

/// Runs programs of a stage, and tells what they say.
#[derive(Clone, Copy)]
pub struct Runner<'a> {
    progress: &'a Progress,
    feature: &'a str,
    stage: &'a str,
}

impl Runner<'_> {
    /// Runs a program. `Ok(None)` says that there is no such program.
    pub fn run(&self, program: &Program) -> Result<Option<Ended>> {
        let mut outlet = self.progress.output(self.feature, self.stage);
        process::run(program, &mut |line| {
            // Standard output that has a file of its own is data.
            if line.stream == Stream::Log {
                outlet.line(line.text);
            }
            ControlFlow::Continue(())
        })
    }
}
