//! What a tool answers: an ending with its exit code, findings with their codes, what was found out, and files to read on.

use anyhow::{Context, Result};
use camino::Utf8Path;
use gate::code::Code;
use gate::lang::Lang;
use gate::problem::{Problem, Severity};
use gate::say;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What xtask printed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Said {
    ending: String,
    exit_code: u8,
    #[serde(default)]
    problems: Vec<Problem>,
    #[serde(default)]
    error: Option<String>,
    /// What belongs to the command.
    #[serde(flatten)]
    data: Value,
}

impl Said {
    /// Reads it.
    pub fn read(printed: Value, root: &Utf8Path) -> Result<Self> {
        let mut said: Said =
            serde_json::from_value(printed).context("xtask gave another answer than expected")?;
        // No path of this machine leaves it.
        said.error =
            said.error.map(|error| error.replace(&format!("{root}/"), "").replace(root.as_str(), "."));
        // Several features may be asked at once; here it is one.
        if let Some(inner) = said.data.pointer_mut("/features/0/problems") {
            said.problems.extend(serde_json::from_value::<Vec<Problem>>(inner.take()).unwrap_or_default());
        }
        Ok(said)
    }

    /// What belongs to the command, where it could do its work.
    pub fn data<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_value(self.data.clone()).ok()
    }

    /// The exit code.
    pub fn exit_code(&self) -> u8 {
        self.exit_code
    }
}

/// The answer of a tool.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Answer<T> {
    /// How the command ended: yes, no, usage, invalidInput, blocked, waiting, tampered, cannotRun, unavailable or
    /// interrupted. Absent while a delivery runs
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
    /// The exit code that it means
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<u8>,
    /// Findings; each says what is wrong, where, and what to do
    pub problems: Vec<Problem>,
    /// A failure that has no code
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What was found out; absent where the work could not be done
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<T>,
    /// Files to read for more, relative to the folder of pipeline.yaml
    pub files: Vec<String>,
    /// The command with which a person goes on, where only a person may
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// The file with the whole answer, where this is a part of it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
}

impl<T> Answer<T> {
    /// As a command ended.
    pub fn of(said: &Said) -> Self {
        Answer {
            ending: Some(said.ending.clone()),
            exit_code: Some(said.exit_code),
            problems: said.problems.clone(),
            error: said.error.clone(),
            result: None,
            files: Vec::new(),
            person: None,
            rest: None,
        }
    }

    /// Nothing has ended.
    pub fn open() -> Self {
        Answer {
            ending: None,
            exit_code: None,
            problems: Vec::new(),
            error: None,
            result: None,
            files: Vec::new(),
            person: None,
            rest: None,
        }
    }

    /// Nothing was run, for this reason.
    pub fn refused(code: Code, message: impl Into<String>, lang: Lang) -> Self {
        let problem = Problem::new(code, message, code.help(lang));
        Answer {
            ending: Some("invalidInput".to_owned()),
            exit_code: Some(3),
            problems: vec![problem],
            ..Answer::open()
        }
    }

    /// With what was found out.
    #[must_use]
    pub fn with(mut self, result: T) -> Self {
        self.result = Some(result);
        self
    }

    /// With files to read on.
    #[must_use]
    pub fn and_files(mut self, files: impl IntoIterator<Item = String>) -> Self {
        self.files.extend(files);
        self
    }

    /// How it ended and what was found, line by line.
    pub fn lines(&self, lang: Lang) -> Vec<String> {
        let mut lines = Vec::new();
        if let (Some(ending), Some(code)) = (&self.ending, self.exit_code) {
            lines.push(say!(lang, "ending: {ending} (exit code {code})", "结果：{ending}（退出码 {code}）"));
        }
        // What leads on comes first: the end is what is cut where there is no room.
        if !self.files.is_empty() {
            lines.push(say!(lang, "read: {}", "请阅读：{}", self.files.join(", ")));
        }
        if let Some(command) = &self.person {
            lines.push(say!(lang, "for a person: {command}", "须由人执行：{command}"));
        }
        lines.extend(self.error.iter().map(|error| say!(lang, "error: {error}", "错误：{error}")));
        lines.extend(self.problems.iter().map(|problem| line(problem, lang)));
        lines
    }
}

fn line(problem: &Problem, lang: Lang) -> String {
    let severity = match problem.severity {
        Severity::Error => lang.pick("error", "错误"),
        Severity::Warning => lang.pick("warning", "警告"),
    };
    let about = problem.criterion.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
    let place = match (&problem.file, problem.at) {
        (Some(file), Some(at)) => format!(" ({file}:{}:{})", at.line, at.column),
        (Some(file), None) => format!(" ({file})"),
        (None, _) => String::new(),
    };
    let code = problem.code.name();
    let (message, help) = (&problem.message, &problem.help);
    say!(
        lang,
        "{severity} {code}{about}{place}: {message}. {help}",
        "{severity} {code}{about}{place}：{message}。{help}"
    )
}
