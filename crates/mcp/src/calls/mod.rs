//! What a call of a tool does: xtask is run, and its answer made into one of ours.

mod deliveries;
mod looking;
mod stages;

use std::fs;
use std::num::NonZeroU32;

use anyhow::Result;
use gate::audit::Audit;
use gate::code::Code;
use gate::lang::Lang;
use gate::say;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::answer::{Answer, Said};
use crate::input;
use crate::person;
use crate::result::{Audited, Open, Run};
use crate::runs::Runs;
use crate::xtask::Xtask;

/// The exit code of what a review finding keeps from going on.
const BLOCKED: u8 = 4;

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
        let disputed = answer.problems.iter().find(|problem| problem.code == Code::AuditorsDisagree);
        let deed = match answer.problems.first().map(|problem| problem.code) {
            Some(Code::NotFrozen) => Some(input::Deed::Freeze),
            Some(Code::PackDrift) => Some(input::Deed::Threshold),
            _ if answer.exit_code == Some(BLOCKED) => Some(input::Deed::Answer),
            _ => disputed.map(|_| input::Deed::Settle),
        };
        let about = disputed.and_then(|problem| problem.criterion.as_deref());
        answer.person = deed.map(|deed| person::errand(deed, feature, about, self.lang).command);
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

/// A command about a feature.
fn on(command: &str, round: Option<NonZeroU32>, feature: &str) -> impl Iterator<Item = String> {
    let round = round.map(|round| format!("--round={round}"));
    let feature = ["--".to_owned(), feature.to_owned()];
    [command.to_owned()].into_iter().chain(round).chain(feature)
}

/// The arguments of a call, or why they are none.
fn decode<T: DeserializeOwned>(arguments: Value, lang: Lang) -> Result<T, Box<Reply>> {
    // No program can be given such a text.
    let decoded = match arguments.to_string().contains("\\u0000") {
        true => Err(lang.pick("the arguments hold a NUL character", "参数中含有 NUL 字符").to_owned()),
        false => serde_json::from_value(arguments).map_err(|error| error.to_string()),
    };
    decoded.map_err(|message| {
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
