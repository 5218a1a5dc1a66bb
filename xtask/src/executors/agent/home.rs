//! An agent's home: a fresh folder for each delivery, kept over its rounds, with what the user allows of their own.
//!
//! A login and settings come in by name; whatever else lies in the user's home stays out of reach of the agent's own
//! search for it.

use camino::{Utf8Path, Utf8PathBuf};
use gate::say;

use crate::executors::Job;
use crate::failure::Result;
use crate::pipeline::model::Session;
use crate::rounds;
use crate::store;

/// A home that is ready.
pub struct Home {
    folder: Utf8PathBuf,
    /// The session of the round before, if this round goes on in it.
    pub session: Option<String>,
}

impl Home {
    /// Makes the home of a delivery, or takes up that of the rounds before.
    pub fn prepare(job: &Job<'_>, seed: &[String], session: Session) -> Result<Home> {
        let context = job.context;
        let name = &context.pipeline.executor;
        let folder = context.root.scratch().join("homes").join(&context.feature).join(name);
        let mut home = Home { folder, session: None };
        let before = rounds::before(context, job.round)?;
        let was_cut_short = home.mark().exists();
        if before.is_none() || !home.folder.is_dir() {
            home.make(job, seed)?;
        } else if !was_cut_short && session == Session::Continue {
            let before = before.map(|round| rounds::dispatched(context, round)).transpose()?.flatten();
            let before = before.filter(|dispatch| &dispatch.executor == name);
            home.session = before.and_then(|dispatch| dispatch.agent).and_then(|run| run.session);
        }
        home.unlock()?;
        // A run that is killed leaves this, and its half of a session is not gone on with.
        store::write(&home.mark(), b"")?;
        Ok(home)
    }

    /// Says that the run came to its end.
    pub fn ended(&self) -> Result<()> {
        store::remove_file(&self.mark())
    }

    /// The folder, absolute.
    pub fn folder(&self) -> &Utf8Path {
        &self.folder
    }

    /// The variables by which programs find their home.
    pub fn variables(&self) -> Vec<(String, String)> {
        let at = |inner: &str| self.folder.join(inner).into_string();
        [
            ("HOME", self.folder.clone().into_string()),
            ("USERPROFILE", self.folder.clone().into_string()),
            ("APPDATA", at("AppData/Roaming")),
            ("LOCALAPPDATA", at("AppData/Local")),
            ("XDG_CONFIG_HOME", at(".config")),
            ("XDG_DATA_HOME", at(".local/share")),
            ("XDG_STATE_HOME", at(".local/state")),
            ("XDG_CACHE_HOME", at(".cache")),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
    }

    fn mark(&self) -> Utf8PathBuf {
        self.folder.with_extension("running")
    }

    fn make(&self, job: &Job<'_>, seeds: &[String]) -> Result<()> {
        store::remove_folder(&self.folder)?;
        store::create_folder(&self.folder)?;
        for seed in seeds {
            if !self.sow(seed)? {
                let note = say!(
                    job.context.lang(),
                    "your home has no {seed} to give to the agent",
                    "您的主目录中没有可供智能体使用的 {seed}"
                );
                job.context.progress.note(&job.context.feature, &note);
            }
        }
        Ok(())
    }

    /// Copies a file or folder of the user's home; whether there is one.
    fn sow(&self, seed: &str) -> Result<bool> {
        let Some(from) = users_home().map(|home| home.join(seed)) else { return Ok(false) };
        let to = self.folder.join(seed);
        if from.is_dir() {
            for file in store::files_below(&from)? {
                store::copy_private(&from.join(&file), &to.join(&file))?;
            }
            return Ok(true);
        }
        if from.is_file() {
            store::copy_private(&from, &to)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Removes the locks of a run that was killed: the next one would wait for them.
    fn unlock(&self) -> Result<()> {
        let state = self.folder.join(".local/state");
        for program in store::list(&state)? {
            store::remove_folder(&state.join(program).join("locks"))?;
        }
        Ok(())
    }
}

/// The home of whoever runs the pipeline.
pub fn users_home() -> Option<Utf8PathBuf> {
    let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    std::env::var(name).ok().filter(|home| !home.is_empty()).map(Utf8PathBuf::from)
}
