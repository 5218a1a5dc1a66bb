//! Deliveries that were started for a client and go on without it.
//!
//! Each has a folder, `.xtask/runs/<feature>/<n>`: its events, what it says, and in the end its answer. Its standard input
//! is a file that it holds to its end, so that whoever asks later, another server as well, can tell a run that works
//! from one that is no more.

use std::fs::{self, File};
use std::io;

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use gate::lang::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::xtask::Xtask;

const ANSWER: &str = "answer.json";
const EVENTS: &str = "events.jsonl";
const MESSAGES: &str = "messages.txt";
const HELD: &str = "held";

/// A started delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunId {
    /// The feature.
    pub feature: String,
    number: u32,
}

impl RunId {
    /// Reads `login-page-3`. Nothing else is a run, so that no name leads out of the folder.
    pub fn parse(text: &str) -> Option<Self> {
        let (feature, number) = text.rsplit_once('-')?;
        let number: u32 = number.parse().ok().filter(|number| *number > 0)?;
        let id = RunId { feature: feature.to_owned(), number };
        let is_plain = gate::decode::check_feature(feature, Lang::En).is_none() && id.to_string() == text;
        is_plain.then_some(id)
    }

    /// Its folder, relative to the root.
    pub fn folder(&self) -> Utf8PathBuf {
        folder(&self.feature).join(self.number.to_string())
    }
}

impl std::fmt::Display for RunId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.feature, self.number)
    }
}

fn folder(feature: &str) -> Utf8PathBuf {
    Utf8PathBuf::from(".xtask/runs").join(feature)
}

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum State {
    /// It works.
    Running,
    /// It is over, and gave an answer.
    Ended,
    /// It is over without an answer, as one that was killed. Another run goes on from where it stopped.
    Lost,
}

/// Where a run is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The stage that it works on.
    pub stage: Option<String>,
    /// The round of that stage.
    pub round: Option<u32>,
}

/// The runs below a root.
#[derive(Debug)]
pub struct Runs {
    root: Utf8PathBuf,
}

impl Runs {
    /// Of this root.
    pub fn at(root: Utf8PathBuf) -> Self {
        Runs { root }
    }

    /// Starts a delivery of a pack that is frozen.
    pub async fn start(&self, xtask: &Xtask, feature: &str) -> Result<RunId> {
        let id = self.new_id(feature)?;
        let folder = self.root.join(id.folder());
        let held = hold(&folder.join(HELD))?;
        let events = id.folder().join(EVENTS);
        let arguments = ["--events", events.as_str(), "deliver", "--frozen", "--", feature];
        let mut command = xtask.detached(&arguments.map(str::to_owned))?;
        command.stdin(held).stdout(create(&folder.join(ANSWER))?).stderr(create(&folder.join(MESSAGES))?);
        let started = command.status().await.context("xtask cannot be run")?;
        if !started.success() {
            bail!("xtask cannot be run: see {}", self.messages(&id));
        }
        Ok(id)
    }

    /// A folder that nobody had before.
    fn new_id(&self, feature: &str) -> Result<RunId> {
        let runs = self.root.join(folder(feature));
        fs::create_dir_all(&runs).with_context(|| format!("failed to make {}", folder(feature)))?;
        let mut number = self.latest(feature).map_or(1, |latest| latest.number.saturating_add(1));
        loop {
            match fs::create_dir(runs.join(number.to_string())) {
                Ok(()) => return Ok(RunId { feature: feature.to_owned(), number }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error).context("failed to make a folder for the run"),
            }
        }
    }

    /// The latest run of a feature.
    pub fn latest(&self, feature: &str) -> Option<RunId> {
        let entries = fs::read_dir(self.root.join(folder(feature))).ok()?;
        let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        numbers.max().map(|number| RunId { feature: feature.to_owned(), number })
    }

    /// Whether there is such a run.
    pub fn has(&self, id: &RunId) -> bool {
        self.root.join(id.folder()).is_dir()
    }

    /// How it stands, and what it answered.
    pub fn state(&self, id: &RunId) -> (State, Option<Value>) {
        let is_alive = self.is_alive(id);
        // Asked after it: what ended in between has answered.
        match (self.answer(id), is_alive) {
            (Some(answer), _) => (State::Ended, Some(answer)),
            (None, true) => (State::Running, None),
            (None, false) => (State::Lost, None),
        }
    }

    fn is_alive(&self, id: &RunId) -> bool {
        is_held(&self.root.join(id.folder()).join(HELD))
    }

    /// Its answer is printed at its very end; a part of it is none.
    fn answer(&self, id: &RunId) -> Option<Value> {
        let bytes = fs::read(self.root.join(id.folder()).join(ANSWER)).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Where it is, by its events.
    pub fn place(&self, id: &RunId) -> Place {
        /// What is asked of an event here.
        #[derive(Deserialize)]
        struct Event {
            r#type: String,
            stage: Option<String>,
            round: Option<u32>,
        }
        let bytes = fs::read(self.root.join(id.folder()).join(EVENTS)).unwrap_or_default();
        let lines = bytes.split(|byte| *byte == b'\n').rev();
        let mut events = lines.filter_map(|line| serde_json::from_slice::<Event>(line).ok());
        let started = events.find(|event| event.r#type == "stageStarted");
        started.map(|event| Place { stage: event.stage, round: event.round }).unwrap_or_default()
    }

    /// What it said, relative to the root.
    pub fn messages(&self, id: &RunId) -> Utf8PathBuf {
        id.folder().join(MESSAGES)
    }
}

fn create(path: &Utf8Path) -> Result<File> {
    File::create(path).with_context(|| format!("failed to write {}", path.file_name().unwrap_or_default()))
}

/// A file that is held as long as anybody has it open, whoever inherited it.
#[cfg(not(windows))]
fn hold(path: &Utf8Path) -> Result<File> {
    create(path)?;
    let file = File::open(path).context("failed to open the run's own file")?;
    file.lock().context("failed to lock the run's own file")?;
    Ok(file)
}

#[cfg(not(windows))]
fn is_held(path: &Utf8Path) -> bool {
    File::open(path).is_ok_and(|file| matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)))
}

/// Locks are of one process here, while a file that is shared with nobody is held by whoever inherited it.
#[cfg(windows)]
fn hold(path: &Utf8Path) -> Result<File> {
    use std::os::windows::fs::OpenOptionsExt;
    create(path)?;
    File::options().read(true).share_mode(0).open(path).context("failed to open the run's own file")
}

#[cfg(windows)]
fn is_held(path: &Utf8Path) -> bool {
    const SHARING_VIOLATION: i32 = 32;
    File::open(path).is_err_and(|error| error.raw_os_error() == Some(SHARING_VIOLATION))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_one_name() {
        let id = RunId::parse("login-page-12").unwrap();
        assert_eq!(
            (id.feature.as_str(), id.number, id.to_string().as_str()),
            ("login-page", 12, "login-page-12")
        );
        assert_eq!(id.folder(), ".xtask/runs/login-page/12");
        for other in
            ["", "login", "login-0", "login-01", "login-+1", "../x-1", "a/b-1", "-1", "Login-1", "con-1"]
        {
            assert_eq!(RunId::parse(other), None, "{other}");
        }
    }

    #[test]
    fn a_run_that_holds_its_file_works_and_one_that_does_not_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let runs = Runs::at(Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap());
        let id = runs.new_id("f").unwrap();
        let path = runs.root.join(id.folder());
        let held = hold(&path.join(HELD)).unwrap();
        assert_eq!(runs.state(&id).0, State::Running);
        fs::write(path.join(ANSWER), "{ \"ending\": \"y").unwrap();
        assert_eq!(runs.state(&id).0, State::Running);
        drop(held);
        assert_eq!(runs.state(&id).0, State::Lost);
        fs::write(path.join(ANSWER), "{ \"ending\": \"yes\" }").unwrap();
        assert_eq!(runs.state(&id).0, State::Ended);
        assert_eq!(runs.new_id("f").unwrap().to_string(), "f-2");
        assert_eq!(runs.latest("f").unwrap().to_string(), "f-2");
    }

    #[test]
    fn the_stage_is_that_of_the_last_event_that_begins_one() {
        let folder = tempfile::tempdir().unwrap();
        let runs = Runs::at(Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap());
        let id = runs.new_id("f").unwrap();
        assert_eq!(runs.place(&id), Place::default());
        let lines = "{\"type\":\"stageStarted\",\"stage\":\"freeze\"}\n\
                     {\"type\":\"stageStarted\",\"stage\":\"audit\",\"round\":2}\n\
                     {\"type\":\"output\",\"stage\":\"audit\",\"line\":\"x\"}\n{\"type\":\"stageSta";
        fs::write(runs.root.join(id.folder()).join(EVENTS), lines).unwrap();
        assert_eq!(runs.place(&id), Place { stage: Some("audit".to_owned()), round: Some(2) });
    }
}
