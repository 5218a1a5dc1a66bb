//! The tools: what each is called with, what it runs, and what it makes of the answer.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use gate::audit::{Audit, Outcome};
use gate::code::Code;
use gate::lang::Lang;
use gate::problem::Severity;
use gate::say;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::answer::{Answer, Said};
use crate::person::{self, Errand};
use crate::result::{Audited, Briefed, Checked, Explained, Judged, Open, Reviewed, Run, Status};
use crate::runs::{RunId, Runs, State};
use crate::xtask::Xtask;
use crate::{input, schema};

/// How long a poll waits if the client does not say.
const WAIT: u64 = 20;
/// Hosts give up on calls that take a minute.
const LONGEST_WAIT: u64 = 50;
/// How often a started delivery is looked at meanwhile.
const TICK: Duration = Duration::from_millis(250);

/// What a call came to, before it is brought to size.
#[derive(Debug)]
pub struct Reply {
    /// Whether the work could not be done.
    pub is_error: bool,
    /// The answer as data.
    pub answer: Value,
    /// The same to be read.
    pub lines: Vec<String>,
    /// The feature that it is about.
    pub feature: Option<String>,
}

/// The pipeline, and what is started with it.
pub struct Gate {
    /// The pipeline's program.
    pub xtask: Xtask,
    /// The language of what is said here.
    pub lang: Lang,
    runs: Runs,
    /// Two calls that start the same delivery are answered with one run.
    starting: tokio::sync::Mutex<()>,
}

/// Every tool, as a client lists it.
pub fn all(lang: Lang) -> Vec<Tool> {
    let (reads, writes) = (Effect::Reads, Effect::Writes);
    vec![
        tool::<input::Status, Status>("gate_status", reads, lang.pick(
            "Where features stand: frozen, in rework, accepted, out of date. Changes nothing.",
            "各功能的当前状态：已冻结、返工中、已验收、已过时。不做任何修改。",
        )),
        tool::<input::Feature, Checked>("gate_check", reads, lang.pick(
            "What is wrong with an acceptance pack, each finding with its line and its cure. Run it after every change of \
             features/<feature>/pack.yaml, until nothing is found. Changes nothing.",
            "检查验收包的问题：每条都给出行号与改法。每次修改 features/<功能>/pack.yaml 后运行，直到没有问题。不做任何修改。",
        )),
        tool::<input::Feature, Reviewed>("gate_review", writes, lang.pick(
            "Attacks the frozen pack: what in it is vague, vacuous, or satisfied to the letter only. Writes review.md.",
            "对已冻结的验收包进行对抗式评审：含糊、空洞或只满足字面的标准。写出 review.md。",
        )),
        tool::<input::Round, Briefed>("gate_brief", writes, lang.pick(
            "The Goal brief of a round: what is to be done, and after a failed round what failed and why.",
            "某一轮的 Goal 简报：要做什么；上一轮未通过时，还包括哪些未通过、为什么。",
        )),
        tool::<input::Feature, Run>("gate_deliver_start", writes, lang.pick(
            "Starts the delivery of a feature whose pack a person froze, and answers at once with a run. Follow it with \
             gate_deliver_poll. It goes on if this session ends.",
            "启动一个功能的交付（其验收包须已由人冻结），立即返回运行编号。用 gate_deliver_poll 跟踪。会话结束后它仍会继续。",
        )),
        tool::<input::Poll, Run>("gate_deliver_poll", reads, lang.pick(
            "How a started delivery stands. Waits a little for its end; call it again while it runs. Where it was not \
             accepted it names the rework order.",
            "查询已启动的交付。会稍候其结束；仍在运行时请再次调用。未通过验收时会给出返工单的位置。",
        )),
        tool::<input::Round, Audited>("gate_audit", writes, lang.pick(
            "Recomputes every verdict of a round from its evidence, and lists the criteria that do not hold yet.",
            "根据证据重新计算某一轮的全部判定，并列出尚未满足的标准。",
        )),
        tool::<input::Explain, Explained>("gate_explain", reads, lang.pick(
            "Why a stage is out of date: which input changed, from what to what. Changes nothing.",
            "说明某个阶段为何过时：哪个输入变了，从什么变成什么。不做任何修改。",
        )),
        tool::<input::Judge, Judged>("gate_judge", reads, lang.pick(
            "Judges one value by one assertion, and shows how the value was read. For trying an assertion out before it is \
             written into a pack. Changes nothing.",
            "用一条断言判定一个值，并说明读取过程。适合在写入验收包之前试用断言。不做任何修改。",
        )),
        tool::<input::Person, Errand>("gate_person", reads, lang.pick(
            "What a person has to type to freeze, waive, answer a finding, change a threshold, settle or sign. These are a \
             person's; this tool does none of them. Tell your user the command.",
            "给出由人输入的命令：冻结、豁免、回应评审问题、修改阈值、裁定或签名。这些只能由人来做，本工具不会代劳。请把命令告诉用户。",
        )),
    ]
}

/// What a tool does to files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Reads,
    Writes,
}

fn tool<I: JsonSchema, R: JsonSchema>(name: &'static str, effect: Effect, description: &'static str) -> Tool {
    let hints =
        ToolAnnotations::new().read_only(effect == Effect::Reads).destructive(false).open_world(false);
    let output: Arc<JsonObject> = schema::output::<Answer<R>>();
    Tool::new(name, description, schema::input::<I>()).with_raw_output_schema(output).with_annotations(hints)
}

impl Gate {
    /// Over this program.
    pub fn new(xtask: Xtask, lang: Lang) -> Self {
        let runs = Runs::at(xtask.root.clone());
        Gate { xtask, lang, runs, starting: tokio::sync::Mutex::default() }
    }

    /// Answers a call; none is a tool that there is not.
    pub async fn call(
        &self,
        tool: &str,
        arguments: Value,
        given_up: impl Future<Output = ()>,
    ) -> Option<Result<Reply>> {
        /// Decodes the arguments, and calls the method with them.
        macro_rules! with {
            ($method:ident) => {
                match decode(arguments, self.lang) {
                    Ok(input) => self.$method(input, given_up).await,
                    Err(refusal) => Ok(*refusal),
                }
            };
        }
        Some(match tool {
            "gate_status" => with!(status),
            "gate_check" => with!(check),
            "gate_review" => with!(review),
            "gate_brief" => with!(brief),
            "gate_deliver_start" => with!(deliver_start),
            "gate_deliver_poll" => with!(deliver_poll),
            "gate_audit" => with!(audit),
            "gate_explain" => with!(explain),
            "gate_judge" => with!(judge),
            "gate_person" => match decode(arguments, self.lang) {
                Ok(input) => Ok(self.person(&input)),
                Err(refusal) => Ok(*refusal),
            },
            other => Ok(self.not_offered(other, &arguments)?),
        })
    }

    async fn status(&self, input: input::Status, given_up: impl Future<Output = ()>) -> Result<Reply> {
        if let Some(refusal) = input.feature.as_deref().and_then(|feature| self.refuse_name(feature)) {
            return Ok(refusal);
        }
        let named = input.feature.clone().into_iter();
        let said = self.say(["status", "--"].map(str::to_owned).into_iter().chain(named), given_up).await?;
        let status: Option<Status> = said.data();
        let lines = status.iter().flat_map(|status| &status.features).map(|feature| {
            let stale = if feature.stale { self.lang.pick(", out of date", "，已过时") } else { "" };
            let round = feature.round.map(|round| say!(self.lang, ", round {round}", "，第 {round} 轮"));
            format!("{}: {}{}{stale}", feature.feature, feature.state, round.unwrap_or_default())
        });
        let lines: Vec<String> = lines.collect();
        let answer = Answer { result: status, ..Answer::of(&said) };
        Ok(self.reply(answer, lines, input.feature))
    }

    async fn check(&self, input: input::Feature, given_up: impl Future<Output = ()>) -> Result<Reply> {
        /// What is asked of the answer here.
        #[derive(Deserialize)]
        struct Count {
            criteria: u32,
        }
        if let Some(refusal) = self.refuse_name(&input.feature) {
            return Ok(refusal);
        }
        let said = self.say(on("check", None, &input.feature), given_up).await?;
        let mut answer = Answer::of(&said);
        let criteria = said.data::<Count>().map(|count| count.criteria);
        // Findings in a file are the answer; without one nothing was looked at.
        if criteria.is_some() || answer.problems.iter().any(|problem| problem.at.is_some()) {
            let errors = answer.problems.iter().filter(|found| found.severity == Severity::Error).count();
            let warnings = answer.problems.len() - errors;
            let checked = Checked { feature: input.feature.clone(), criteria, errors, warnings };
            answer = answer.with(checked);
        }
        let mut lines = Vec::new();
        if answer.result.as_ref().is_some_and(|checked| checked.errors == 0) {
            answer.person =
                Some(person::errand(input::Deed::Freeze, &input.feature, None, self.lang).command);
            let told = self.lang.pick("nothing refuses it; a person may freeze it", "没有阻碍，可由人冻结");
            lines.push(told.to_owned());
        }
        Ok(self.reply(answer, lines, Some(input.feature)))
    }

    async fn review(&self, input: input::Feature, given_up: impl Future<Output = ()>) -> Result<Reply> {
        /// What is asked of the artifact here.
        #[derive(Deserialize)]
        struct Artifact {
            blocked: bool,
            findings: Vec<gate::problem::Problem>,
        }
        if let Some(refusal) = self.refuse_name(&input.feature) {
            return Ok(refusal);
        }
        let said = self.say(on("review", None, &input.feature), given_up).await?;
        let mut answer = self.guided(Answer::of(&said), &input.feature);
        let file = |extension: &str| format!("deliveries/{}/review.{extension}", input.feature);
        if let (0 | 4, Some(artifact)) = (said.exit_code(), self.artifact::<Artifact>(&file("json"))) {
            answer.problems = artifact.findings;
            let reviewed = Reviewed { feature: input.feature.clone(), blocked: artifact.blocked };
            answer = answer.with(reviewed).and_files([file("md"), file("json")]);
        }
        Ok(self.reply(answer, Vec::new(), Some(input.feature)))
    }

    async fn brief(&self, input: input::Round, given_up: impl Future<Output = ()>) -> Result<Reply> {
        if let Some(refusal) = self.refuse_name(&input.feature) {
            return Ok(refusal);
        }
        let said = self.say(on("brief", input.round, &input.feature), given_up).await?;
        let mut answer = self.guided(Answer::of(&said), &input.feature);
        let mut lines = Vec::new();
        if let Some(Stage { round: Some(round), written, .. }) = said.data() {
            let markdown = written.iter().find(|file| file.ends_with(".md"));
            let brief = markdown.and_then(|file| fs::read_to_string(self.xtask.root.join(file)).ok());
            let brief = brief.unwrap_or_default();
            lines.extend(brief.lines().map(str::to_owned));
            let mut files = written;
            files.sort_by_key(|file| !file.ends_with(".md"));
            let briefed = Briefed { feature: input.feature.clone(), round, brief };
            answer = answer.with(briefed).and_files(files);
        }
        Ok(self.reply(answer, lines, Some(input.feature)))
    }

    async fn audit(&self, input: input::Round, given_up: impl Future<Output = ()>) -> Result<Reply> {
        if let Some(refusal) = self.refuse_name(&input.feature) {
            return Ok(refusal);
        }
        let said = self.say(on("audit", input.round, &input.feature), given_up).await?;
        let mut answer = self.guided(Answer::of(&said), &input.feature);
        let mut lines = Vec::new();
        if let Some(Stage { round: Some(round), written, .. }) = said.data()
            && let Some(audit) = self.audit_of(&input.feature, round)
        {
            answer.problems.extend(audit.problems.iter().cloned());
            let audited = audited(&input.feature, round, &audit);
            lines = self.open_lines(&audited);
            answer = answer.with(audited).and_files(written);
        }
        Ok(self.reply(answer, lines, Some(input.feature)))
    }

    async fn explain(&self, input: input::Explain, given_up: impl Future<Output = ()>) -> Result<Reply> {
        if let Some(refusal) = self.refuse_name(&input.feature) {
            return Ok(refusal);
        }
        let arguments = on("explain", input.round, &input.feature).chain(input.stage);
        let said = self.say(arguments, given_up).await?;
        let explained: Option<Explained> = said.data();
        let stages = explained.iter().flat_map(|explained| &explained.stages);
        let lines = stages.flat_map(|stage| {
            let changes = stage.changes.iter().map(|change| {
                let short = |digest: &Option<String>| {
                    let digest = digest.as_deref().unwrap_or("–");
                    digest.get(..12).unwrap_or(digest).to_owned()
                };
                format!("  {} {}: {} → {}", change.what, change.name, short(&change.old), short(&change.new))
            });
            let round = if stage.round == 0 { String::new() } else { format!(" {}", stage.round) };
            [format!("{}{round}: {}", stage.stage, stage.standing)].into_iter().chain(changes)
        });
        let lines: Vec<String> = lines.collect();
        let answer = Answer { result: explained, ..Answer::of(&said) };
        Ok(self.reply(answer, lines, Some(input.feature)))
    }

    async fn judge(&self, input: input::Judge, given_up: impl Future<Output = ()>) -> Result<Reply> {
        let mut arguments = vec!["judge".to_owned(), format!("--matcher={}", input.matcher)];
        // What is expected is read as YAML, of which JSON is a part.
        let expected = input.expected.map(|expected| expected.to_string());
        let samples = input.min_samples.map(|samples| samples.to_string());
        let options = [
            ("expected", expected),
            ("unit", input.unit),
            ("aggregate", input.aggregate),
            ("min-samples", samples),
            ("tolerance", input.tolerance),
            ("density", input.density),
            ("font-scale", input.font_scale),
            ("lang", Some(self.lang.code().to_owned())),
        ];
        arguments
            .extend(options.into_iter().filter_map(|(name, value)| Some(format!("--{name}={}", value?))));
        arguments.extend(input.actual.iter().map(|actual| format!("--actual={actual}")));
        if input.not == Some(true) {
            arguments.push("--not".to_owned());
        }
        let said = self.say(arguments, given_up).await?;
        let judged: Option<Judged> = said.data();
        let lines = judged.iter().flat_map(|judged| judged.steps.clone()).collect();
        let answer = Answer { result: judged, ..Answer::of(&said) };
        Ok(self.reply(answer, lines, None))
    }

    async fn deliver_start(
        &self,
        input: input::Feature,
        given_up: impl Future<Output = ()>,
    ) -> Result<Reply> {
        if let Some(refusal) = self.refuse_name(&input.feature) {
            return Ok(refusal);
        }
        let _one_at_a_time = self.starting.lock().await;
        let running = self.runs.latest(&input.feature).filter(|run| self.runs.state(run).0 == State::Running);
        let run = match running {
            Some(run) => run,
            None => {
                let asked = ["deliver", "--frozen", "--dry-run", "--", &input.feature].map(str::to_owned);
                let said = self.say(asked, given_up).await?;
                if said.exit_code() != 0 {
                    let answer = self.guided(Answer::<Run>::of(&said), &input.feature);
                    return Ok(self.reply(answer, Vec::new(), Some(input.feature)));
                }
                self.runs.start(&self.xtask, &input.feature)?
            }
        };
        let told = say!(
            self.lang,
            "{run} runs; follow it with gate_deliver_poll {{\"run\": \"{run}\"}}",
            "{run} 正在运行；用 gate_deliver_poll {{\"run\": \"{run}\"}} 跟踪"
        );
        Ok(self.reply(Answer::open().with(self.run(&run, State::Running)), vec![told], Some(input.feature)))
    }

    async fn deliver_poll(&self, input: input::Poll, given_up: impl Future<Output = ()>) -> Result<Reply> {
        let Some(run) = RunId::parse(&input.run).filter(|run| self.runs.has(run)) else {
            let message = say!(self.lang, "there is no run `{}`", "没有运行 `{}`", input.run);
            let answer = Answer::<Run>::refused(Code::ArtifactMissing, message, self.lang);
            return Ok(self.reply(answer, Vec::new(), None));
        };
        let wait = Duration::from_secs(input.wait.unwrap_or(WAIT).min(LONGEST_WAIT));
        let until = Instant::now() + wait;
        tokio::pin!(given_up);
        let (state, printed) = loop {
            let (state, printed) = self.runs.state(&run);
            let left = until.saturating_duration_since(Instant::now());
            if state != State::Running || left.is_zero() {
                break (state, printed);
            }
            tokio::select! {
                () = tokio::time::sleep(left.min(TICK)) => {}
                () = &mut given_up => break (state, printed),
            }
        };
        match printed {
            Some(printed) => self.ended(&run, printed),
            None => Ok(self.not_ended(&run, state)),
        }
    }

    fn not_ended(&self, id: &RunId, state: State) -> Reply {
        let run = self.run(id, state);
        let mut answer = Answer::open();
        let told = if state == State::Running {
            let stage = run.stage.clone().unwrap_or_else(|| "–".to_owned());
            say!(self.lang, "{id} runs: {stage}; poll again", "{id} 正在运行：{stage}；请稍后再查询")
        } else {
            answer = answer.and_files([self.runs.messages(id).into_string()]);
            let told = self.lang.pick(
                "is no more, and gave no answer; gate_deliver_start goes on from where it stopped",
                "已不在运行且没有结果；gate_deliver_start 会从中断处继续",
            );
            format!("{id} {told}")
        };
        self.reply(answer.with(run), vec![told], Some(id.feature.clone()))
    }

    fn ended(&self, id: &RunId, printed: Value) -> Result<Reply> {
        let said = self.read(printed)?;
        let mut answer = self.guided(Answer::of(&said), &id.feature);
        let mut run = self.run(id, State::Ended);
        run.stage = None;
        let mut lines = Vec::new();
        if let Some(delivered) = said.data::<Delivered>() {
            run.round = (delivered.round > 0).then_some(delivered.round);
            lines.push(say!(
                self.lang,
                "{}: {}, round {}",
                "{}：{}，第 {} 轮",
                id.feature,
                delivered.outcome,
                delivered.round
            ));
            run.outcome = Some(delivered.outcome);
            answer = answer.and_files(delivered.report);
            if let Some(audit) = self.audit_of(&id.feature, delivered.round) {
                answer.problems.extend(audit.problems.iter().cloned());
                let audited = audited(&id.feature, delivered.round, &audit);
                lines.extend(self.open_lines(&audited));
                run.audit = Some(audited);
            }
        } else {
            answer = answer.and_files([self.runs.messages(id).into_string()]);
        }
        Ok(self.reply(answer.with(run), lines, Some(id.feature.clone())))
    }

    fn run(&self, id: &RunId, state: State) -> Run {
        let place = self.runs.place(id);
        Run { run: id.to_string(), state, stage: place.stage, round: place.round, outcome: None, audit: None }
    }

    fn person(&self, input: &input::Person) -> Reply {
        if let Some(refusal) = self.refuse_name(&input.feature) {
            return refusal;
        }
        let errand = person::errand(input.deed, &input.feature, input.criterion.as_deref(), self.lang);
        let lines = vec![errand.why.clone()];
        let answer = Answer { person: Some(errand.command.clone()), ..Answer::open().with(errand) };
        self.reply(answer, lines, Some(input.feature.clone()))
    }

    /// A tool whose work is a person's, asked for by its name all the same.
    fn not_offered(&self, tool: &str, arguments: &Value) -> Option<Reply> {
        let deed = person::asked_for(tool)?;
        let named = arguments["feature"].as_str().filter(|name| self.refuse_name(name).is_none());
        let errand = person::errand(deed, named.unwrap_or("<feature>"), None, self.lang);
        let told = say!(self.lang, "{tool} is not offered: {}", "不提供 {tool}：{}", errand.why);
        let answer = Answer { person: Some(errand.command.clone()), ..Answer::open().with(errand) };
        Some(Reply { is_error: true, ..self.reply(answer, vec![told], named.map(str::to_owned)) })
    }

    async fn say(
        &self,
        arguments: impl IntoIterator<Item = String>,
        given_up: impl Future<Output = ()>,
    ) -> Result<Said> {
        let arguments: Vec<String> = arguments.into_iter().collect();
        self.read(self.xtask.call(&arguments, given_up).await?)
    }

    fn read(&self, printed: Value) -> Result<Said> {
        Said::read(printed, &self.xtask.root)
    }

    /// No text becomes an option, and none leads out of a folder.
    fn refuse_name(&self, feature: &str) -> Option<Reply> {
        let reason = gate::decode::check_feature(feature, self.lang)?;
        Some(self.reply(Answer::<Run>::refused(Code::FeatureName, reason, self.lang), Vec::new(), None))
    }

    /// With what a person types, where nothing goes on without them.
    fn guided<T>(&self, mut answer: Answer<T>, feature: &str) -> Answer<T> {
        let codes: Vec<Code> = answer.problems.iter().map(|problem| problem.code).collect();
        let deed = match codes.as_slice() {
            [Code::NotFrozen, ..] => Some(input::Deed::Freeze),
            [Code::PackDrift, ..] => Some(input::Deed::Threshold),
            _ if codes.contains(&Code::AuditorsDisagree) => Some(input::Deed::Settle),
            _ => None,
        };
        answer.person = deed.map(|deed| person::errand(deed, feature, None, self.lang).command);
        answer
    }

    fn artifact<T: DeserializeOwned>(&self, file: &str) -> Option<T> {
        serde_json::from_slice(&fs::read(self.xtask.root.join(file)).ok()?).ok()
    }

    fn audit_of(&self, feature: &str, round: u32) -> Option<Audit> {
        self.artifact(&format!("deliveries/{feature}/audit-{round}.json"))
    }

    fn open_lines(&self, audited: &Audited) -> Vec<String> {
        let line = |open: &Open| {
            let word = |value: Value| value.as_str().unwrap_or_default().to_owned();
            say!(
                self.lang,
                "open: {} ({}): {}",
                "未满足：{}（{}）：{}",
                open.criterion,
                word(json!(open.weight)),
                word(json!(open.outcome))
            )
        };
        audited.open.iter().map(line).collect()
    }

    fn reply<T: Serialize>(&self, answer: Answer<T>, told: Vec<String>, feature: Option<String>) -> Reply {
        let mut lines = answer.lines(self.lang);
        lines.extend(told);
        let is_error = answer.result.is_none();
        let answer = serde_json::to_value(&answer).unwrap_or_default();
        Reply { is_error, answer, lines, feature }
    }
}

/// What a stage prints when it did its work.
#[derive(Deserialize)]
struct Stage {
    round: Option<u32>,
    written: Vec<String>,
}

/// What a delivery prints when it came to an end.
#[derive(Deserialize)]
struct Delivered {
    outcome: String,
    round: u32,
    report: Option<String>,
}

fn audited(feature: &str, round: u32, audit: &Audit) -> Audited {
    let holds = |outcome: Outcome| matches!(outcome, Outcome::Pass | Outcome::Waived);
    let open = audit.criteria.iter().filter(|criterion| !holds(criterion.outcome)).map(|criterion| Open {
        criterion: criterion.id.clone(),
        weight: criterion.weight,
        outcome: criterion.outcome,
        assertion_verdict: criterion.assertion_verdict,
    });
    let (open, feature) = (open.collect(), feature.to_owned());
    Audited { feature, round, verdict: audit.verdict, counts: audit.counts, open }
}

/// A command about a feature.
fn on(command: &str, round: Option<u32>, feature: &str) -> impl Iterator<Item = String> {
    let round = round.map(|round| format!("--round={round}"));
    let feature = ["--".to_owned(), feature.to_owned()];
    [command.to_owned()].into_iter().chain(round).chain(feature)
}

/// The arguments of a call, or why they are none.
fn decode<T: DeserializeOwned>(arguments: Value, lang: Lang) -> Result<T, Box<Reply>> {
    serde_json::from_value(arguments).map_err(|error| {
        let message = error.to_string();
        let code = match message.split_whitespace().next() {
            Some("unknown") => Code::FieldUnknown,
            Some("missing") => Code::FieldMissing,
            _ => Code::FieldType,
        };
        let answer = Answer::<Run>::refused(code, message, lang);
        let lines = answer.lines(lang);
        let answer = serde_json::to_value(&answer).unwrap_or_default();
        Box::new(Reply { is_error: true, answer, lines, feature: None })
    })
}
