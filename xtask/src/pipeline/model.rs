//! `pipeline.yaml` as types. [`super::decode`] makes them from a document, [`super::plan`] orders the stages.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use gate::audit::SourceKind;
use gate::lang::Lang;
use gate::pack::Scalar;
use gate::problem::Span;
use gate::review::Angle;
use serde::Serialize;

use crate::cost::Cost;
use crate::keys::PublicKey;
use crate::reports::machine::Format;

/// The whole pipeline.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// The language of messages and artifacts.
    pub lang: Lang,
    /// The app that is delivered.
    pub app: App,
    /// How many rounds one frozen pack may take.
    pub rounds_max: u32,
    /// Every source of values, and whether the agent could have written it.
    pub sources: BTreeMap<String, SourceKind>,
    /// Who can be asked to work, by name.
    pub executors: BTreeMap<String, Executor>,
    /// The executor that is asked.
    pub executor: String,
    /// Files and folders of the app that no executor may change.
    pub protect: Vec<String>,
    /// The device that collectors measure.
    pub device: Option<Device>,
    /// What gathers evidence, by name, in the order in which it runs.
    pub collectors: Vec<(String, Collector)>,
    /// Where large evidence is kept.
    pub store: Store,
    /// Programs that attack the frozen pack.
    pub review: Review,
    /// Auditors whose checks are fetched, by name.
    pub auditors: BTreeMap<String, Auditor>,
    /// Where density and font scale are read.
    pub scale: ScaleProbes,
    /// The reports for machines that are written beside those for people.
    pub reports: Vec<Format>,
    /// The stages, as written.
    pub stages: Vec<Stage>,
    /// Names of variables whose values are in no log, event or artifact, whoever prints them.
    pub secrets: Vec<String>,
    /// Which signatures count.
    pub attestation: Attestation,
    /// What single features do differently, by id: every feature has a pipeline of its own, and they share this.
    pub features: Arc<BTreeMap<String, FeatureSettings>>,
}

/// What a program may take before it is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// How long it may take.
    pub timeout: Duration,
    /// How long it may say nothing; none is as long as it likes.
    pub silence: Option<Duration>,
}

/// Where the app's code lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct App {
    /// A repository, or a folder that becomes one in the scratch folder.
    pub home: AppHome,
    /// The branch or commit that a delivery begins from.
    pub base: String,
}

/// A repository of its own, or the seed of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppHome {
    /// A git repository, relative to the root.
    Repository(String),
    /// A plain folder, relative to the root, that becomes a repository with one commit.
    Seed(String),
}

/// Someone or something that can be asked to work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Executor {
    /// Applies a recorded patch; nobody works.
    Replay {
        /// The patch of a round, with placeholders.
        patch: String,
    },
    /// Runs a program with the brief on standard input.
    Command {
        /// The program and its arguments, with placeholders.
        run: Vec<String>,
        /// Names of variables that it may see.
        env: Vec<String>,
        /// What it may take.
        limits: Limits,
    },
    /// Runs a coding agent.
    Agent(Box<Agent>),
    /// Runs any agent that speaks the Agent Client Protocol.
    Acp(Box<Acp>),
    /// Waits for a person to commit.
    Handoff,
}

/// A coding agent, and what it may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Which of those that are known.
    pub flavour: Flavour,
    /// Its program: a name, or a path. Its flavour's own where nothing is said.
    pub binary: Option<String>,
    /// The agent that its program runs. Its flavour's own where nothing is said.
    pub agent: Option<String>,
    /// The model. What its own settings say where nothing is said.
    pub model: Option<String>,
    /// Whether a later round goes on in the session of the one before.
    pub session: Session,
    /// Names of variables that it may see.
    pub env: Vec<String>,
    /// What it is given of the user's own home: files and folders, relative to that.
    pub seed: Vec<String>,
    /// What it may take before it is ended.
    pub limits: Limits,
    /// What it may use before it is ended.
    pub budget: Budget,
}

/// An agent that speaks the Agent Client Protocol, and what it may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acp {
    /// The program and its arguments, with placeholders.
    pub run: Vec<String>,
    /// Whether a later round goes on in the session of the one before, if the agent can.
    pub session: Session,
    /// Names of variables that it may see.
    pub env: Vec<String>,
    /// What it is given of the user's own home: files and folders, relative to that.
    pub seed: Vec<String>,
    /// What it may take before it is ended.
    pub limits: Limits,
    /// What it may cost before it is ended, if it tells.
    pub cost: Option<Cost>,
}

/// The agents that are known. They are of one descent, and differ in names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// DevEco Code.
    Deveco,
    /// opencode, from which it descends.
    Opencode,
}

impl Flavour {
    /// The word in `uses:`, which is also the name of its program.
    pub fn word(self) -> &'static str {
        match self {
            Flavour::Deveco => "deveco",
            Flavour::Opencode => "opencode",
        }
    }

    /// How the names of its variables begin.
    pub fn prefix(self) -> &'static str {
        match self {
            Flavour::Deveco => "DEVECO_",
            Flavour::Opencode => "OPENCODE_",
        }
    }

    /// The agent that works towards a goal without a person.
    pub fn agent(self) -> &'static str {
        match self {
            Flavour::Deveco => "goal",
            Flavour::Opencode => "build",
        }
    }
}

/// What a later round begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Session {
    /// All that was said in the rounds before.
    #[default]
    Continue,
    /// Nothing.
    Fresh,
}

/// What an agent may use; what is not said is as much as it likes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Its cost.
    pub cost: Option<Cost>,
    /// Its tokens.
    pub tokens: Option<u64>,
    /// Its steps.
    pub steps: Option<u64>,
}

impl Executor {
    /// The word in `uses:`.
    pub fn kind(&self) -> &'static str {
        match self {
            Executor::Replay { .. } => "replay",
            Executor::Command { .. } => "command",
            Executor::Agent(agent) => agent.flavour.word(),
            Executor::Acp(_) => "acp",
            Executor::Handoff => "handoff",
        }
    }

    /// Names of variables that it may see.
    pub fn env(&self) -> &[String] {
        match self {
            Executor::Command { env, .. } => env,
            Executor::Agent(agent) => &agent.env,
            Executor::Acp(acp) => &acp.env,
            Executor::Replay { .. } | Executor::Handoff => &[],
        }
    }
}

/// What gathers one evidence file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Collector {
    /// How the file comes to be.
    pub how: Gather,
    /// The name of the file under `evidence/`.
    pub output: String,
    /// The source of its values.
    pub source: String,
    /// The screen that it shows, so that a picture and a layout of one screen are held against each other.
    pub screen: Option<String>,
    /// Whether the same bytes are expected in every round, as of a density.
    pub constant: bool,
    /// Where its file is kept.
    pub keep: Keep,
    /// Where it stands in the pipeline's file: no part of what it is.
    #[serde(skip)]
    pub at: Span,
}

/// Two ways to a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Gather {
    /// A file that was recorded earlier, relative to the root, with placeholders.
    Copy(String),
    /// Programs that run in a clean checkout of the delivered commit.
    Run(Programs),
}

/// Programs that run one after the other; the first that fails ends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Programs {
    /// Each a program and its arguments, with placeholders.
    pub steps: Vec<Vec<String>>,
    /// Whether the last one's standard output is the file; otherwise one of them writes `{output}` itself.
    pub stdout: bool,
    /// Names of variables that they may see.
    pub env: Vec<String>,
    /// What each may take. Like the next, no part of what is brought: evidence stands when it changes.
    #[serde(skip)]
    pub limits: Limits,
    /// How often all of it is tried again after a failure.
    #[serde(skip)]
    pub retries: u32,
}

/// Where a file is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Keep {
    /// Beside the round if it is small, in the external store if it is large.
    BySize,
    /// Beside the round, whatever its size.
    Commit,
    /// In the external store, whatever its size.
    External,
}

/// Where large evidence is kept: outside git, by digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Store {
    /// A folder, relative to the root.
    pub external: String,
    /// Larger files than this go there, in bytes.
    pub above: u64,
}

impl Default for Store {
    fn default() -> Self {
        Store { external: ".evidence".to_owned(), above: 5 << 20 }
    }
}

/// The device that collectors measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Its hdc target.
    pub target: Option<String>,
    /// The variable that names it on this machine, and wins where it is set.
    pub env: Option<String>,
}

/// An auditor whose checks come in for every round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Auditor {
    /// Checks that were recorded earlier, relative to the root, with placeholders.
    Copy(String),
    /// A program that looks at the pack and the evidence, and answers its checks on standard output.
    Run(Box<AuditorProgram>),
}

/// A program that audits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuditorProgram {
    /// The program and its arguments, with placeholders.
    pub argv: Vec<String>,
    /// Names of variables that it may see.
    pub env: Vec<String>,
    /// What it may take.
    pub limits: Limits,
}

/// What attacks a pack beside the gate itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Review {
    /// The programs by name.
    pub reviewers: BTreeMap<String, Reviewer>,
    /// As many reviewers make a finding block, whatever each of them thinks of it; none is never.
    pub quorum: Option<u32>,
}

/// A program that attacks a pack from one angle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reviewer {
    /// What it is asked to look at.
    pub angle: Angle,
    /// The program and its arguments, with placeholders.
    pub argv: Vec<String>,
    /// The file of its own folder that it writes its answer to; none is its standard output.
    pub answer: Option<String>,
    /// Names of variables that it may see.
    pub env: Vec<String>,
    /// What it may take. No part of what it is asked: an answer stands when it changes.
    #[serde(skip)]
    pub limits: Limits,
}

/// The probes that give the scale of lengths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ScaleProbes {
    /// Pixels per vp.
    pub density: Option<ScaleProbe>,
    /// fp per vp.
    pub font_scale: Option<ScaleProbe>,
}

/// One reading out of evidence, as in a criterion's probe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScaleProbe {
    /// The collector whose file is read.
    pub evidence: String,
    /// The reader.
    pub reader: String,
    /// Its parameters.
    pub with: BTreeMap<String, Scalar>,
}

/// What one feature does differently.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureSettings {
    /// Another language.
    pub lang: Option<Lang>,
    /// Another app.
    pub app: Option<App>,
    /// Another executor.
    pub executor: Option<String>,
    /// Another number of rounds.
    pub rounds_max: Option<u32>,
    /// Other collectors, by name; the rest stay.
    pub collectors: Vec<(String, Collector)>,
    /// Other auditors, by name; the rest stay.
    pub auditors: BTreeMap<String, Auditor>,
}

/// Which signatures of audits count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attestation {
    /// Whether every audit has to be signed.
    pub required: bool,
    /// The keys that are trusted.
    pub keys: Vec<TrustedKey>,
}

/// A key that is trusted to sign audits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedKey {
    /// Its name for people.
    pub id: String,
    /// The key.
    pub public: PublicKey,
    /// The features whose acceptance it may sign, by id; `*` is any run of characters.
    pub may_accept: Vec<String>,
}

/// One stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Unique in the pipeline.
    pub id: String,
    /// Stages that come before.
    pub needs: Vec<String>,
    /// What it does.
    pub action: Action,
    /// Whether it happens in every round.
    pub each_round: bool,
    /// Where it stands in the pipeline's file.
    pub at: Span,
}

/// What a stage does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Action {
    /// One of the seven.
    BuiltIn(BuiltIn),
    /// A program of the team's own.
    Run(Box<Run>),
}

/// A program of the team's own, as a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Run {
    /// The program and its arguments, with placeholders; where it is a shell line, that line alone.
    pub argv: Vec<String>,
    /// Whether it is a line for the system's shell.
    pub shell: bool,
    /// Names of variables that it may see.
    pub env: Vec<String>,
    /// What it may take.
    pub limits: Limits,
    /// What it reads, files or folders, relative to the root, with placeholders.
    pub inputs: Vec<String>,
    /// What it writes, files or folders, relative to the root, with placeholders.
    pub outputs: Vec<String>,
    /// How often it is tried again after a failure.
    pub retries: u32,
    /// The pause before the first of them; each later one is twice as long.
    pub backoff: Duration,
    /// Which rounds it is about.
    pub when: When,
}

/// Which rounds a stage is about, by the verdict of their audit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum When {
    /// All.
    #[default]
    Always,
    /// The one that passed.
    Accepted,
    /// Those that did not.
    Failed,
}

/// The built-in stages, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum BuiltIn {
    /// The pack becomes a lock.
    Freeze,
    /// The lock is attacked.
    Review,
    /// The agent's task is written.
    Brief,
    /// The agent works.
    Dispatch,
    /// Evidence is gathered.
    Evidence,
    /// The gate rules.
    Audit,
    /// The verdict is told.
    Report,
}

impl BuiltIn {
    /// All, in their order.
    pub const ALL: [BuiltIn; 7] = [
        BuiltIn::Freeze,
        BuiltIn::Review,
        BuiltIn::Brief,
        BuiltIn::Dispatch,
        BuiltIn::Evidence,
        BuiltIn::Audit,
        BuiltIn::Report,
    ];

    /// The word in `uses:`.
    pub fn word(self) -> &'static str {
        match self {
            BuiltIn::Freeze => "freeze",
            BuiltIn::Review => "review",
            BuiltIn::Brief => "brief",
            BuiltIn::Dispatch => "dispatch",
            BuiltIn::Evidence => "evidence",
            BuiltIn::Audit => "audit",
            BuiltIn::Report => "report",
        }
    }

    /// The stage of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.word() == word)
    }

    /// Whether it belongs to a round.
    pub fn each_round(self) -> bool {
        self > BuiltIn::Review
    }
}
