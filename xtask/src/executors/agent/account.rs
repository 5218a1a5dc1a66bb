//! What an agent's events come to: kept small whatever comes, and free of this machine's folders.

use super::events::{Event, ToolUse, What, parse};
use crate::cost::Cost;
use crate::documents::{AgentError, AgentRun, Tokens, ToolCall};
use crate::secrets::Secrets;
use camino::Utf8Path;

/// How many tool calls are listed.
pub const TOOLS: usize = 500;

/// How many errors are listed.
const ERRORS: usize = 50;

/// How many bytes of a text are kept.
pub const TEXT: usize = 16 * 1024;

/// How many bytes of a name are kept.
pub const NAME: usize = 256;

/// What the events so far come to.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// The session.
    pub session: Option<String>,
    /// Steps that came to their end.
    pub steps: u64,
    /// What they used.
    pub tokens: Tokens,
    /// What they cost.
    pub cost: Cost,
    /// Why the last of them ended.
    pub last_reason: Option<String>,
    /// Whether a step began after the last that ended.
    pub is_open: bool,
    /// The last tool call.
    pub last_tool: Option<ToolUse>,
    /// What was reported as wrong.
    pub errors: Vec<AgentError>,
    tools: Vec<ToolUse>,
    tools_left_out: u64,
    noise: u64,
    claimed: Option<String>,
}

impl Account {
    /// Takes a line of standard output, and answers what a person may like to see of it.
    pub fn take(&mut self, line: &[u8]) -> Option<String> {
        if line.trim_ascii().is_empty() {
            return None;
        }
        let Some(event) = parse(line) else {
            self.noise();
            return None;
        };
        self.event(event)
    }

    /// A line that is no event.
    pub fn noise(&mut self) {
        self.noise = self.noise.saturating_add(1);
    }

    /// Takes an event, and answers what a person may like to see of it.
    pub fn event(&mut self, event: Event) -> Option<String> {
        let Event { session, what } = event;
        // Of sub-agents nothing is printed, so the first session is the run's own.
        if self.session.is_none() {
            self.session = session.filter(|id| is_session(id));
        }
        match what {
            What::StepBegins => self.is_open = true,
            What::Text(text) => self.claimed = Some(cut(&text, TEXT)).filter(|text| !text.trim().is_empty()),
            What::Tool(tool) => return Some(self.tool(tool)),
            What::StepEnds { reason, tokens, cost } => {
                self.is_open = false;
                self.steps = self.steps.saturating_add(1);
                self.tokens = self.tokens.plus(tokens);
                self.cost = self.cost.plus(cost);
                self.last_reason = Some(cut(&reason, NAME));
                return Some(format!("{} · {}", self.steps, self.tokens.total()));
            }
            What::Error(error) => {
                let said = format!("{} {}", error.name, error.message.as_deref().unwrap_or_default());
                self.error(error);
                return Some(said);
            }
            What::Other => {}
        }
        None
    }

    fn tool(&mut self, tool: ToolUse) -> String {
        let tool = ToolUse {
            tool: cut(&tool.tool, NAME),
            title: tool.title.map(|title| cut(&title, NAME)),
            status: cut(&tool.status, NAME),
            file: tool.file.map(|file| cut(&file, NAME * 4)),
            error: tool.error.map(|error| cut(&error, NAME * 4)),
        };
        let said = format!("{} {}", tool.tool, tool.file.as_deref().unwrap_or_default());
        self.last_tool = Some(tool.clone());
        if self.tools.len() < TOOLS {
            self.tools.push(tool);
        } else {
            self.tools_left_out = self.tools_left_out.saturating_add(1);
        }
        said
    }

    fn error(&mut self, error: AgentError) {
        if self.errors.len() < ERRORS {
            self.errors.push(AgentError {
                name: cut(&error.name, NAME),
                message: error.message.map(|message| cut(&message, NAME * 4)),
                ..error
            });
        }
    }

    /// As it is recorded.
    pub fn record(&self, folders: &Folders<'_>) -> AgentRun {
        let call = |tool: &ToolUse| ToolCall {
            tool: folders.secrets.mask(&tool.tool),
            title: tool.title.as_deref().map(|title| folders.hide(title)),
            status: tool.status.clone(),
            file: tool.file.as_deref().map(|file| folders.relative(file)),
            error: tool.error.as_deref().map(|error| folders.hide(error)),
        };
        let error = |error: &AgentError| AgentError {
            name: folders.secrets.mask(&error.name),
            message: error.message.as_deref().map(|message| folders.hide(message)),
            ..error.clone()
        };
        AgentRun {
            session: self.session.clone(),
            steps: self.steps,
            tokens: self.tokens,
            cost: self.cost.to_string(),
            tools: self.tools.iter().map(call).collect(),
            tools_left_out: self.tools_left_out,
            errors: self.errors.iter().map(error).collect(),
            noise: self.noise,
            claimed: self.claimed.as_deref().map(|text| folders.hide(text)),
            ..AgentRun::default()
        }
    }
}

/// Whether a text can be the name of a session: it becomes an argument of the next round.
pub fn is_session(id: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=NAME).contains(&id.len()) && !id.starts_with('-') && id.bytes().all(is_plain)
}

/// The folders of this machine, which no artifact names.
pub struct Folders<'a> {
    /// Where the agent works.
    pub worktree: &'a Utf8Path,
    /// Its home.
    pub home: &'a Utf8Path,
    /// The folder of `pipeline.yaml`.
    pub root: &'a Utf8Path,
    /// Values that no artifact holds. A line is masked as it was printed; once parsed, a value may come out of it anew.
    pub secrets: &'a Secrets,
}

impl Folders<'_> {
    /// A path below the worktree without it; any other as [`Folders::hide`] leaves it.
    fn relative(&self, path: &str) -> String {
        match Utf8Path::new(path).strip_prefix(self.worktree) {
            Ok(inside) => self.secrets.mask(&inside.as_str().replace('\\', "/")),
            Err(_) => self.hide(path),
        }
    }

    /// A text with each folder's name for its path. The inner ones come first: they lie below the root.
    fn hide(&self, text: &str) -> String {
        let masked = self.secrets.mask(text);
        [(self.worktree, "{worktree}"), (self.home, "{home}"), (self.root, "{root}")]
            .into_iter()
            .filter(|(folder, _)| !folder.as_str().is_empty())
            .fold(masked, |text, (folder, name)| text.replace(folder.as_str(), name))
    }
}

/// The beginning of a text, with a mark where more was there.
pub fn cut(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    let end = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= bytes).last().unwrap_or(0);
    format!("{}…", text.get(..end).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(lines: &[&str]) -> Account {
        let mut account = Account::default();
        for line in lines {
            account.take(line.as_bytes());
        }
        account
    }

    fn folders() -> Folders<'static> {
        Folders {
            worktree: Utf8Path::new("/r/.xtask/worktrees/f"),
            home: Utf8Path::new("/r/.xtask/homes/f"),
            root: Utf8Path::new("/r"),
            secrets: Box::leak(Box::new(Secrets::new(["s3cr3t-9".to_owned()]))),
        }
    }

    #[test]
    fn what_an_agent_says_is_masked_after_it_is_parsed() {
        let account = account(&[
            r#"{"type":"text","sessionID":"--help","part":{"text":"the key is \u0073\u0033cr3t-9"}}"#,
            r#"{"type":"step_finish","part":{"reason":"stop","tokens":{"input":1000.0,"output":"5"},"cost":"0.5"}}"#,
        ]);
        let record = account.record(&folders());
        assert_eq!(record.claimed.as_deref(), Some("the key is [secret]"));
        // A name that would be an option of the next round is none.
        assert_eq!(record.session, None);
        assert_eq!((record.tokens.total(), record.cost.as_str()), (1005, "0.5"));
    }

    #[test]
    fn usage_is_summed_and_the_last_word_kept() {
        let account = account(&[
            r#"{"type":"step_start","sessionID":"ses_1"}"#,
            r#"{"type":"text","sessionID":"ses_1","part":{"text":"I begin in /r/.xtask/worktrees/f/a"}}"#,
            r#"{"type":"step_finish","sessionID":"ses_1","part":{"reason":"tool-calls","cost":0.1,"tokens":{"input":5}}}"#,
            "npm warn something",
            "",
            r#"{"type":"tool_use","part":{"tool":"read","state":{"status":"completed","input":{"filePath":"/r/pipeline.yaml"}}}}"#,
            r#"{"type":"tool_use","part":{"tool":"write","state":{"status":"error","input":{"filePath":"/r/.xtask/worktrees/f/a.ets"},"error":"no /r/.xtask/homes/f/x"}}}"#,
            r#"{"type":"text","sessionID":"ses_2","part":{"text":"/r/.xtask/worktrees/f is done"}}"#,
            r#"{"type":"step_finish","part":{"reason":"stop","cost":0.2,"tokens":{"input":7,"cache":{"read":1}}}}"#,
        ]);
        let run = account.record(&folders());
        assert_eq!((run.steps, run.cost.as_str(), run.tokens.total(), run.noise), (2, "0.3", 13, 1));
        assert_eq!(run.session.as_deref(), Some("ses_1"));
        assert_eq!(run.claimed.as_deref(), Some("{worktree} is done"));
        let files: Vec<_> = run.tools.iter().map(|tool| tool.file.as_deref().unwrap()).collect();
        assert_eq!(files, ["{root}/pipeline.yaml", "a.ets"]);
        assert_eq!(run.tools[1].error.as_deref(), Some("no {home}/x"));
    }

    #[test]
    fn a_flood_leaves_a_small_record() {
        let mut account = Account::default();
        let word = "字".repeat(100_000);
        let text = format!(r#"{{"type":"text","part":{{"text":"{word}"}}}}"#);
        let tool =
            format!(r#"{{"type":"tool_use","part":{{"tool":"{word}","state":{{"error":"{word}"}}}}}}"#);
        let error =
            format!(r#"{{"type":"error","error":{{"name":"{word}","data":{{"message":"{word}"}}}}}}"#);
        for _ in 0..600 {
            for line in [&text, &tool, &error] {
                account.take(line.as_bytes());
            }
        }
        let run = account.record(&folders());
        assert_eq!((run.tools.len(), run.tools_left_out, run.errors.len()), (TOOLS, 100, ERRORS));
        assert!(serde_json::to_string(&run).unwrap().len() < 1 << 20);
    }
}
