//! Deliveries: started, and looked after.

use std::time::{Duration, Instant};

use anyhow::Result;
use gate::code::Code;
use gate::say;
use serde::Deserialize;
use serde_json::Value;

use super::stages::audited;
use super::{Gate, Reply};
use crate::answer::Answer;
use crate::input;
use crate::result::Run;
use crate::runs::{RunId, State};

/// How long a poll waits if the client does not say.
const WAIT: u64 = 20;
/// Hosts give up on calls that take a minute.
const LONGEST_WAIT: u64 = 50;
/// How often a started delivery is looked at meanwhile.
const TICK: Duration = Duration::from_millis(250);

impl Gate {
    pub(super) async fn deliver_start(
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
                self.runs.start(&self.xtask, &input.feature).await?
            }
        };
        let told = say!(
            self.lang,
            "{run} runs; follow it with gate_deliver_poll {{\"run\": \"{run}\"}}",
            "{run} 正在运行；用 gate_deliver_poll {{\"run\": \"{run}\"}} 跟踪"
        );
        Ok(self.reply(Answer::open().with(self.run(&run, State::Running)), vec![told], Some(input.feature)))
    }

    pub(super) async fn deliver_poll(
        &self,
        input: input::Poll,
        given_up: impl Future<Output = ()>,
    ) -> Result<Reply> {
        let Some(run) = RunId::parse(&input.run).filter(|run| self.runs.has(run)) else {
            let message = say!(self.lang, "there is no run `{}`", "没有运行 `{}`", input.run);
            let mut answer = Answer::<Run>::refused(Code::ArtifactMissing, message, self.lang);
            let help = self
                .lang
                .pick("name a run as gate_deliver_start did", "请使用 gate_deliver_start 给出的名称");
            answer.problems.iter_mut().for_each(|problem| problem.help = help.to_owned());
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
        let mut answer = Answer::of(&said);
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
        let answer = self.guided(answer, &id.feature);
        Ok(self.reply(answer.with(run), lines, Some(id.feature.clone())))
    }

    fn run(&self, id: &RunId, state: State) -> Run {
        let place = self.runs.place(id);
        Run { run: id.to_string(), state, stage: place.stage, round: place.round, outcome: None, audit: None }
    }
}

/// What a delivery prints when it came to an end.
#[derive(Deserialize)]
struct Delivered {
    outcome: String,
    round: u32,
    report: Option<String>,
}
