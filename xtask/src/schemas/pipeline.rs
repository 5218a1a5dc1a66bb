//! The shape of `pipeline.yaml` as it is written. `pipeline/decode/` reads it by hand; that both agree on every field,
//! word and type is tested in [`super::agreement`].

#![expect(dead_code, reason = "only the shapes are used")]

use std::borrow::Cow;
use std::collections::BTreeMap;

use gate::audit::SourceKind;
use gate::lang::Lang;
use gate::pack::Scalar;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::{generate, readers};
use crate::pipeline::model;

pub(super) fn schema() -> Value {
    let mut schema = generate::<Pipeline>();
    readers::complete(&mut schema["$defs"]["ScaleProbe"]);
    schema
}

/// `pipeline.yaml`: the stages of a delivery, who works, and what gathers evidence.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Pipeline {
    /// The version of this format.
    #[schemars(extend("const" = 1))]
    version: u32,
    /// The language of messages, reports and artifacts. English where nothing is said.
    lang: Option<Lang>,
    /// The app that is delivered.
    app: App,
    /// How many rounds one frozen pack may take.
    rounds: Option<Rounds>,
    /// Every source of values, and whether the process being judged could have written it.
    sources: Option<BTreeMap<String, SourceKind>>,
    /// The executor that is asked: one of `executors`.
    executor: String,
    /// Who can be asked to work, by name.
    executors: BTreeMap<String, Executor>,
    /// Files and folders of the app, such as its tests, that no executor may change.
    protect: Option<Vec<String>>,
    /// The device that collectors measure.
    device: Option<Device>,
    /// What gathers evidence, by name, in the order in which it runs.
    collectors: Option<BTreeMap<String, Collector>>,
    /// Where large evidence is kept outside git.
    store: Option<Store>,
    /// Auditors whose checks are fetched for every round, by name.
    auditors: Option<BTreeMap<String, Auditor>>,
    /// What attacks the frozen pack beside the gate itself.
    review: Option<Review>,
    /// How pixels become vp and fp: read from evidence, never typed.
    scale: Option<Scale>,
    /// The reports for machines that are written beside those for people, as `audit-<n>.<format>`.
    reports: Option<Vec<ReportFormat>>,
    /// The stages.
    stages: Vec<Stage>,
    /// Names of variables whose values are in no log, event or artifact, whoever prints them.
    secrets: Option<Vec<Variable>>,
    /// Which signatures of audits count.
    attestation: Option<Attestation>,
    /// What single features do differently, by id.
    features: Option<BTreeMap<String, Feature>>,
}

/// Which signatures of audits count.
#[derive(JsonSchema)]
#[schemars(
    deny_unknown_fields,
    extend("if" = { "properties": { "required": { "const": true } }, "required": ["required"] },
        "then" = { "required": ["keys"], "properties": { "keys": { "minItems": 1 } } })
)]
struct Attestation {
    /// Whether every audit has to be signed by a key below. It does not where nothing is said.
    required: Option<bool>,
    /// The keys that are trusted.
    keys: Option<Vec<TrustedKey>>,
}

/// A key that is trusted to sign audits.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename_all = "camelCase")]
struct TrustedKey {
    /// Its name for people.
    id: String,
    /// An Ed25519 public key: the line that `cargo xtask keygen` prints, or the middle line of `openssl pkey -pubout`.
    #[schemars(regex(pattern = "^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$"))]
    public_key: String,
    /// The features whose acceptance it may sign, by id; `*` is any run of characters.
    may_accept: Vec<String>,
}

/// Where the app's code lives: a repository, or a folder that becomes one.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, extend("oneOf" = [{ "required": ["repository"] }, { "required": ["seed"] }]))]
struct App {
    /// A git repository, relative to the root.
    repository: Option<String>,
    /// A plain folder, relative to the root, that becomes a repository with one commit.
    seed: Option<String>,
    /// The branch or commit that a delivery begins from. `main` where nothing is said.
    base: Option<String>,
}

/// A report for machines.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case")]
enum ReportFormat {
    /// JUnit's XML: `audit-<n>.junit.xml`.
    Junit,
    /// SARIF 2.1.0: `audit-<n>.sarif`.
    Sarif,
    /// The Common Test Report Format: `audit-<n>.ctrf.json`.
    Ctrf,
    /// Workflow commands that GitHub shows as annotations: `audit-<n>.github.txt`.
    Github,
    /// Markdown for the summary of a GitHub job: `audit-<n>.github.md`.
    GithubSummary,
    /// GitLab's code quality: `audit-<n>.gitlab.json`.
    Gitlab,
    /// The Test Anything Protocol 14: `audit-<n>.tap`.
    Tap,
}

/// How many rounds one frozen pack may take.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Rounds {
    /// At most this many; 3 where nothing is said.
    #[schemars(range(min = 1, max = 100))]
    max: Option<u32>,
}

/// Someone or something that can be asked to work.
#[derive(JsonSchema)]
#[schemars(
    deny_unknown_fields,
    extend("allOf" = [
        { "if": { "properties": { "uses": { "const": "replay" } } }, "then": { "required": ["patch"] } },
        { "if": { "properties": { "uses": { "enum": ["command", "acp"] } } }, "then": { "required": ["run"] } },
        {
            "if": { "properties": { "uses": { "const": "acp" } } },
            "then": { "properties": { "budget": { "properties": { "tokens": false, "steps": false } } } }
        },
    ])
)]
struct Executor {
    /// What it is.
    uses: ExecutorKind,
    /// For `replay`: the patch of a round, with the placeholders `{feature}` and `{round}`.
    patch: Option<String>,
    /// For `command`: the program, which reads the brief on standard input. For `acp`: the program, which speaks the
    /// Agent Client Protocol. Placeholders: `{feature}`, `{round}`, `{root}`, `{worktree}`, `{brief}`.
    run: Option<Argv>,
    /// For `command` and agents: the names of variables that it may see.
    env: Option<Vec<String>>,
    /// For `command` and agents: how long it may take. Two hours where nothing is said.
    timeout: Option<Timeout>,
    /// For `command` and agents: how long it may say nothing. As long as it likes where nothing is said; opencode
    /// and `acp` fifteen minutes, and DevEco Code an hour.
    silence: Option<Timeout>,
    /// For `deveco` and `opencode`: the program, a name or a path. `deveco` or `opencode` where nothing is said.
    binary: Option<String>,
    /// For `deveco` and `opencode`: the agent that the program runs. `goal` of DevEco Code and `build` of opencode where nothing is said.
    agent: Option<String>,
    /// For `deveco` and `opencode`: the model, as `provider/model`. What the agent's own settings say where nothing is said.
    model: Option<String>,
    /// For agents: whether a later round goes on in the session of the one before. It does where nothing is said.
    session: Option<Session>,
    /// For agents: files and folders of the user's own home that are copied to the agent's, such as a login.
    seed: Option<Vec<String>>,
    /// For agents: what the run may use before it is stopped. Of `acp` only the cost.
    budget: Option<Budget>,
}

/// What a later round begins with.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum Session {
    /// All that was said in the rounds before.
    Continue,
    /// Nothing.
    Fresh,
}

/// What an agent may use.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Budget {
    /// Its cost, as it reckons itself, in the currency of its prices.
    cost: Option<Cost>,
    /// Tokens, read and written, cached or not.
    tokens: Option<u32>,
    /// Steps: answers of the model.
    steps: Option<u32>,
}

/// What an executor is.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum ExecutorKind {
    /// Applies a recorded patch; nobody works.
    Replay,
    /// Runs a program with the brief on standard input.
    Command,
    /// Runs DevEco Code.
    Deveco,
    /// Runs opencode.
    Opencode,
    /// Runs any agent that speaks the Agent Client Protocol.
    Acp,
    /// Waits for a person to commit.
    Handoff,
}

/// The device that collectors measure.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, extend("anyOf" = [{ "required": ["target"] }, { "required": ["env"] }]))]
struct Device {
    /// Its hdc target.
    target: Option<String>,
    /// The variable that names it on this machine, and wins where it is set.
    env: Option<String>,
}

/// What gathers one evidence file: one of `run` (a program), `steps` (several) and `copy` (a recorded file).
#[derive(JsonSchema)]
#[schemars(
    deny_unknown_fields,
    extend("oneOf" = [{ "required": ["copy"] }, { "required": ["run"] }, { "required": ["steps"] }])
)]
struct Collector {
    /// A file that was recorded earlier, with the placeholders `{feature}` and `{round}`.
    copy: Option<String>,
    /// A program that runs in a clean checkout of the delivered commit. Placeholders: `{feature}`, `{round}`, `{root}`,
    /// `{output}`, `{checkout}`, `{commit}`, `{device}`.
    run: Option<Argv>,
    /// As `run`, several; the first that fails ends it.
    steps: Option<Vec<Argv>>,
    /// Whether the last program's standard output is the file; otherwise one of them writes `{output}` itself.
    stdout: Option<bool>,
    /// The name of the file under `evidence/`.
    output: String,
    /// The source of its values: one of `sources`.
    source: String,
    /// The names of variables that its programs may see.
    env: Option<Vec<String>>,
    /// How long each program may take. Ten minutes where nothing is said.
    timeout: Option<Timeout>,
    /// How long each program may say nothing. As long as it likes where nothing is said.
    silence: Option<Timeout>,
    /// How often all of it is tried again after a failure.
    #[schemars(range(max = 10))]
    retries: Option<u32>,
    /// The screen that the file shows.
    screen: Option<String>,
    /// Whether the same bytes are expected in every round, as of a density.
    constant: Option<bool>,
    /// Where the file is kept; by its size where nothing is said.
    keep: Option<Keep>,
}

/// Where a file of evidence is kept.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum Keep {
    /// Beside the round, whatever its size.
    Commit,
    /// In the external store, whatever its size.
    External,
}

/// Where large evidence is kept: outside git, by digest.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Store {
    /// A folder, relative to the root. `.evidence` where nothing is said.
    external: Option<String>,
    /// Larger files than this go there. 5MiB where nothing is said.
    above: Option<Bytes>,
}

/// An auditor whose checks come in: recorded ones (`copy`), or those of a program (`run`).
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, extend("oneOf" = [{ "required": ["copy"] }, { "required": ["run"] }]))]
struct Auditor {
    /// The recorded checks of a round, with the placeholders `{feature}` and `{round}`.
    copy: Option<String>,
    /// A program that answers its checks on standard output, in the form of `checks.schema.json`. It is given the frozen
    /// pack (`{pack}`) and a folder with `evidence.json` and the files of the round (`{evidence}`), and nothing of what
    /// the executor or other auditors said. Further placeholders: `{feature}`, `{round}`, `{root}`.
    run: Option<Argv>,
    /// For `run`: the names of variables that it may see.
    env: Option<Vec<String>>,
    /// For `run`: how long it may take. Ten minutes where nothing is said.
    timeout: Option<Timeout>,
    /// For `run`: how long it may say nothing. As long as it likes where nothing is said.
    silence: Option<Timeout>,
}

/// Programs that attack the frozen pack, each from one angle.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Review {
    /// The programs by name.
    reviewers: Option<BTreeMap<String, Reviewer>>,
    /// As many reviewers make a finding block, whatever each of them thinks of it. Never where nothing is said.
    #[schemars(range(min = 1))]
    quorum: Option<u32>,
}

/// A program that reads a prompt on standard input and answers JSON in the form of `answer.schema.json`.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Reviewer {
    /// What it is asked to look at.
    angle: gate::review::Angle,
    /// The program and its arguments, with the placeholders `{feature}`, `{root}`, `{pack}`, `{loopholes}`, `{prompt}` and
    /// `{answer}`.
    run: Argv,
    /// The file of its own folder that it writes its answer to. Its standard output is the answer where nothing is said.
    answer: Option<String>,
    /// The names of variables that it may see.
    env: Option<Vec<Variable>>,
    /// How long it may take. Ten minutes where nothing is said.
    timeout: Option<Timeout>,
    /// How long it may say nothing. As long as it likes where nothing is said.
    silence: Option<Timeout>,
}

/// The probes that give the scale of lengths.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", deny_unknown_fields)]
struct Scale {
    /// Pixels per vp.
    density: Option<ScaleProbe>,
    /// fp per vp.
    font_scale: Option<ScaleProbe>,
}

/// One reading out of evidence, as in a criterion's probe.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ScaleProbe {
    /// The collector whose file is read.
    evidence: String,
    /// The reader.
    reader: String,
    /// Its parameters.
    with: Option<BTreeMap<String, Scalar>>,
}

/// A built-in, a program, or a line for a shell; a built-in has nothing of the other two.
fn stage_forms() -> serde_json::Value {
    let of_run = ["shell", "inputs", "outputs", "timeout", "retries", "backoff", "env", "when"];
    let of_run: Vec<_> = of_run.iter().map(|name| json!({ "required": [name] })).collect();
    json!([
        { "required": ["uses"], "not": { "anyOf": of_run } },
        { "required": ["run"], "properties": { "run": { "type": "array" }, "shell": { "const": false } } },
        { "required": ["run", "shell"], "properties": { "run": { "type": "string" }, "shell": { "const": true } } },
    ])
}

/// One stage: a built-in (`uses`), or a program of the team's own (`run`).
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, extend("oneOf" = stage_forms()))]
struct Stage {
    /// Unique in the pipeline.
    id: String,
    /// Stages that come before, by id.
    needs: Option<Vec<String>>,
    /// A built-in stage.
    uses: Option<BuiltIn>,
    /// A program. Placeholders: `{feature}`, `{round}`, `{root}`, `{commit}`. With `shell: true` a line for the system's
    /// shell, without `{root}`.
    run: Option<Program>,
    /// For `run`: whether it is a line for the system's shell.
    shell: Option<bool>,
    /// For `run`: files and folders that it reads, relative to the root, with the placeholders `{feature}` and `{round}`.
    /// When one of them changes, it runs again.
    inputs: Option<Vec<String>>,
    /// For `run`: what it writes, relative to the root, with the placeholders `{feature}` and `{round}`.
    outputs: Option<Vec<String>>,
    /// For `run`: how long it may take. Ten minutes where nothing is said.
    timeout: Option<Timeout>,
    /// For `run`: how long it may say nothing. As long as it likes where nothing is said.
    silence: Option<Timeout>,
    /// For `run`: how often it is tried again after a failure.
    #[schemars(range(max = 10))]
    retries: Option<u32>,
    /// For `run`: the pause before it is tried again, which doubles every time. One second where nothing is said.
    backoff: Option<Timeout>,
    /// For `run`: the names of variables that it may see.
    env: Option<Vec<String>>,
    /// For `run`: whether it is for every round, for the one that was accepted, or for those that failed.
    when: Option<When>,
    /// Whether it happens in every round. Built-ins know by themselves.
    each: Option<Each>,
}

/// A program with its arguments, or a line for a shell.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Program {
    /// The program, then its arguments.
    Arguments(Argv),
    /// A line for the system's shell.
    Line(String),
}

/// Which rounds a stage is about.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum When {
    /// All.
    Always,
    /// The one that was accepted.
    Accepted,
    /// Those that failed.
    Failed,
}

/// When a stage happens again.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum Each {
    /// In every round.
    Round,
}

/// What one feature does differently.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Feature {
    /// Another language.
    lang: Option<Lang>,
    /// Another app.
    app: Option<App>,
    /// Another executor.
    executor: Option<String>,
    /// Another number of rounds.
    rounds: Option<Rounds>,
    /// Other collectors, by name; the rest stay.
    collectors: Option<BTreeMap<String, Collector>>,
    /// Other auditors, by name; the rest stay.
    auditors: Option<BTreeMap<String, Auditor>>,
}

/// A program, then its arguments. There is no shell.
#[derive(JsonSchema)]
#[schemars(extend("minItems" = 1))]
struct Argv(Vec<Argument>);

/// A whole number and one letter, `s`, `m` or `h`: `90s`.
#[derive(JsonSchema)]
#[schemars(extend("pattern" = "^0*[1-9][0-9]*[smh]$"))]
struct Timeout(String);

/// The name of a variable, never its value.
#[derive(JsonSchema)]
#[schemars(extend("pattern" = "^[A-Za-z_][A-Za-z0-9_]*$"))]
struct Variable(String);

struct Argument;

impl JsonSchema for Argument {
    fn schema_name() -> Cow<'static, str> {
        "Argument".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "number"] })
    }
}

struct Cost;

impl JsonSchema for Cost {
    fn schema_name() -> Cow<'static, str> {
        "Cost".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0 })
    }
}

struct Bytes;

impl JsonSchema for Bytes {
    fn schema_name() -> Cow<'static, str> {
        "Bytes".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A whole number of bytes, or of KiB, MiB or GiB: `5MiB`.",
            "type": ["integer", "string"],
            "minimum": 0,
            "pattern": "^[0-9]+(KiB|MiB|GiB)?$",
        })
    }
}

struct BuiltIn;

impl JsonSchema for BuiltIn {
    fn schema_name() -> Cow<'static, str> {
        "BuiltIn".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The built-in stages, in their order.",
            "type": "string",
            "enum": model::BuiltIn::ALL.map(model::BuiltIn::word),
        })
    }
}
