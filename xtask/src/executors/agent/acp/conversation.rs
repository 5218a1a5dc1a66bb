//! One turn with an agent: `initialize`, a session, the brief, and then whatever comes until the turn is over.

use std::ops::ControlFlow;

use serde_json::{Value, json};

use super::calls::Calls;
use super::policy::{Policy, choose};
use super::wire::{
    self, AUTH_REQUIRED, Chunk, Initialized, Message, Opened, Permission, Prompted, RpcError, SessionUpdate,
    Update, VERSION,
};
use crate::cost::Cost;
use crate::documents::{AgentError, RunEnd};
use crate::executors::agent::MOST_OUTPUT;
use crate::executors::agent::account::{Account, NAME, TEXT, cut, is_session};
use crate::executors::agent::events::{Event, ToolUse, What};
use crate::executors::agent::outcome::{Stop, of_error};
use crate::process::{Ended, Line, Partner, Stream, Talk};
use crate::progress::Outlet;

/// What a conversation begins with.
pub struct Opening {
    /// Where the agent works, absolute.
    pub worktree: String,
    /// The session to go on in, if the agent can.
    pub session: Option<String>,
    /// What it is to do.
    pub brief: String,
    /// What it may.
    pub policy: Policy,
    /// What it may cost.
    pub cost: Option<Cost>,
}

/// What we wait for. Its number is that of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Initialize = 1,
    Load = 2,
    New = 3,
    Prompt = 4,
    /// Nothing more.
    Over = 5,
}

/// The conversation so far.
pub struct Conversation<'a> {
    /// What was told.
    pub account: Account,
    /// The agent's name, and its version.
    pub agent: Option<wire::Info>,
    /// Whether it goes on in the session of the round before.
    pub resumed: bool,
    opening: Opening,
    step: Step,
    session: String,
    calls: Calls,
    /// The text that is being said, and its name.
    words: Option<(Option<String>, String)>,
    /// Whether anything was said or done since the brief.
    answered: bool,
    end: Option<RunEnd>,
    stop: Option<Stop>,
    heard: usize,
    outlet: Outlet<'a>,
}

impl Partner for Conversation<'_> {
    fn begin(&mut self, talk: &mut Talk) {
        let capabilities =
            json!({ "fs": { "readTextFile": false, "writeTextFile": false }, "terminal": false });
        let params = json!({ "protocolVersion": VERSION, "clientCapabilities": capabilities });
        self.ask(Step::Initialize, "initialize", &params, talk);
    }

    fn hear(&mut self, line: &Line<'_>, talk: &mut Talk) -> ControlFlow<()> {
        self.heard = self.heard.saturating_add(line.text.len());
        if line.stream == Stream::Stdout && !line.text.trim().is_empty() {
            match wire::parse(line.text) {
                Some(message) => self.take(message, talk),
                None => self.account.noise(),
            }
        }
        self.stop = self.stop.or_else(|| self.limit());
        if self.stop.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn part(&mut self, talk: &mut Talk) {
        if self.step == Step::Prompt {
            let params = json!({ "sessionId": self.session });
            talk.say(&wire::notification("session/cancel", &params));
        }
        // Whatever it answers to that is no end of its own.
        self.step = Step::Over;
    }
}

impl<'a> Conversation<'a> {
    /// Before anything is said.
    pub fn new(opening: Opening, outlet: Outlet<'a>) -> Self {
        Conversation {
            account: Account::default(),
            agent: None,
            resumed: false,
            opening,
            step: Step::Initialize,
            session: String::new(),
            calls: Calls::default(),
            words: None,
            answered: false,
            end: None,
            stop: None,
            heard: 0,
            outlet,
        }
    }

    /// How it ended, once the program is over: at its budget, else by its own answer, if there was one.
    pub fn end(&mut self, ended: Ended) -> RunEnd {
        self.finish_words();
        for tool in self.calls.rest() {
            self.tell(What::Tool(tool));
        }
        match (self.stop.map(Stop::end).or(self.end), ended) {
            (Some(end), _) => end,
            (None, Ended::TimedOut) => RunEnd::TimedOut,
            (None, Ended::Silent) => RunEnd::Silent,
            (None, Ended::Stopped) => RunEnd::Stopped,
            (None, Ended::Exited(0)) => RunEnd::StreamCut,
            (None, Ended::Exited(_) | Ended::Signaled(_)) => RunEnd::Failed,
        }
    }

    fn limit(&self) -> Option<Stop> {
        if self.opening.cost.is_some_and(|limit| self.account.cost > limit) {
            Some(Stop::Cost)
        } else {
            (self.heard > MOST_OUTPUT).then_some(Stop::Flood)
        }
    }

    fn ask(&mut self, step: Step, method: &str, params: &Value, talk: &mut Talk) {
        self.step = step;
        talk.say(&wire::request(step as u64, method, params));
    }

    fn take(&mut self, message: Message, talk: &mut Talk) {
        match message {
            Message::Answer { id, result } if id.as_u64() == Some(self.step as u64) => match result {
                Ok(result) => self.go_on(result, talk),
                Err(error) => self.fail(&error, talk),
            },
            // To nothing that we still ask.
            Message::Answer { .. } => {}
            Message::Notification { method, params } => {
                // A session that is loaded tells its past first.
                if method == "session/update" && self.step == Step::Prompt {
                    self.update(wire::read::<SessionUpdate>(params).update);
                }
            }
            Message::Request { id, method, params } if method == "session/request_permission" => {
                let answer = self.permission(&wire::read(params));
                talk.say(&wire::chosen(&id, answer.as_deref()));
            }
            Message::Request { id, method, .. } => {
                talk.say(&wire::unknown_method(&id, &cut(&method, NAME)));
            }
        }
    }

    /// What comes after an answer.
    fn go_on(&mut self, result: Value, talk: &mut Talk) {
        match self.step {
            Step::Initialize => self.initialized(wire::read(result), talk),
            Step::Load => {
                self.resumed = true;
                self.prompt(self.opening.session.clone().unwrap_or_default(), talk);
            }
            Step::New => {
                let session = wire::read::<Opened>(result).session_id;
                if session.is_empty() {
                    return self.break_off("session/new", "it opened no session", talk);
                }
                self.prompt(session, talk);
            }
            Step::Prompt => self.prompted(&wire::read(result), talk),
            Step::Over => {}
        }
    }

    fn initialized(&mut self, answer: Initialized, talk: &mut Talk) {
        let known = |name: String| cut(&name, NAME);
        self.agent =
            answer.agent_info.map(|info| wire::Info { name: known(info.name), version: known(info.version) });
        if answer.protocol_version.as_u64() != Some(VERSION) {
            let spoken = format!("it speaks version {} of the protocol", answer.protocol_version);
            return self.break_off("initialize", &spoken, talk);
        }
        match &self.opening.session {
            Some(session) if answer.agent_capabilities.load_session => {
                let params = json!({ "sessionId": session, "cwd": self.opening.worktree, "mcpServers": [] });
                self.ask(Step::Load, "session/load", &params, talk);
            }
            _ => self.open(talk),
        }
    }

    fn open(&mut self, talk: &mut Talk) {
        let params = json!({ "cwd": self.opening.worktree, "mcpServers": [] });
        self.ask(Step::New, "session/new", &params, talk);
    }

    fn prompt(&mut self, session: String, talk: &mut Talk) {
        // Of another form it is good for this round, and is not gone on with.
        self.account.session = Some(session.clone()).filter(|session| is_session(session));
        self.session = session;
        let prompt = json!([{ "type": "text", "text": self.opening.brief }]);
        let params = json!({ "sessionId": self.session, "prompt": prompt });
        self.ask(Step::Prompt, "session/prompt", &params, talk);
    }

    fn prompted(&mut self, answer: &Prompted, talk: &mut Talk) {
        self.account.tokens = answer.usage.tokens();
        let end = match answer.stop_reason.as_str() {
            // An agent that hides what its model's provider said has done and said nothing.
            "end_turn" if !self.answered => RunEnd::StreamCut,
            "end_turn" => RunEnd::Completed,
            "max_tokens" => RunEnd::CutOff,
            "max_turn_requests" => RunEnd::OverSteps,
            "refusal" => RunEnd::Refused,
            "cancelled" => RunEnd::Stopped,
            _ => RunEnd::StreamCut,
        };
        self.over(end, talk);
    }

    fn over(&mut self, end: RunEnd, talk: &mut Talk) {
        self.end = Some(end);
        self.step = Step::Over;
        talk.close();
    }

    /// An error in the place of an answer.
    fn fail(&mut self, error: &RpcError, talk: &mut Talk) {
        // The session of the round before may be gone, and with it only what was said in it.
        if self.step == Step::Load {
            return self.open(talk);
        }
        let data = &error.data;
        let named = data["name"].as_str().map(str::to_owned);
        let error = AgentError {
            name: named.unwrap_or_else(|| error.code.to_string()),
            message: Some(error.message.clone()).filter(|message| !message.is_empty()),
            status_code: data["statusCode"].as_u64().or_else(|| data["status"].as_u64()),
        };
        let is_provider = error.name == AUTH_REQUIRED.to_string();
        let end = if is_provider { RunEnd::ProviderError } else { of_error(&error) };
        self.tell(What::Error(error));
        self.over(end, talk);
    }

    /// It cannot be gone on.
    fn break_off(&mut self, name: &str, message: &str, talk: &mut Talk) {
        let error =
            AgentError { name: name.to_owned(), message: Some(message.to_owned()), status_code: None };
        self.tell(What::Error(error));
        self.over(RunEnd::Failed, talk);
    }

    fn update(&mut self, update: Update) {
        match update {
            Update::AgentMessageChunk(chunk) => self.say(chunk),
            Update::ToolCall(call) | Update::ToolCallGoesOn(call) => {
                self.answered = true;
                self.finish_words();
                if let Some(tool) = self.calls.take(&call) {
                    self.tell(What::Tool(tool));
                }
            }
            Update::Spent(spent) => {
                let cost = spent.cost.and_then(|money| Cost::parse(&money.amount.to_string()));
                self.account.cost = cost.unwrap_or(self.account.cost);
            }
            Update::Other => {}
        }
    }

    fn say(&mut self, chunk: Chunk) {
        let Some(text) = chunk.content.text else { return };
        self.answered = true;
        if self.words.as_ref().is_some_and(|(name, _)| *name != chunk.message_id) {
            self.finish_words();
        }
        let (_, words) = self.words.get_or_insert_with(|| (chunk.message_id, String::new()));
        // Of a text that is too long the beginning is kept, and a mark that it is longer.
        if words.len() <= TEXT {
            words.push_str(&text);
        }
    }

    fn finish_words(&mut self) {
        if let Some((_, words)) = self.words.take() {
            self.tell(What::Text(words));
        }
    }

    fn permission(&mut self, request: &Permission) -> Option<String> {
        let call = &request.tool_call;
        // After the end, or a limit, nothing is permitted any more.
        let permitted = self.step == Step::Prompt && self.opening.policy.permits(call);
        if self.step == Step::Prompt {
            self.answered = true;
            if !permitted {
                self.refuse(request);
            }
        }
        choose(&request.options, permitted).map(str::to_owned)
    }

    fn refuse(&mut self, request: &Permission) {
        let call = &request.tool_call;
        // Its title here may be that of the permission, and is not the call's own.
        self.calls.refuse(&call.tool_call_id);
        let what = call.title.as_deref().or(call.kind.as_deref()).unwrap_or_default();
        self.outlet.line(&format!("✗ {}", cut(what, NAME)));
    }

    fn tell(&mut self, what: What) {
        let shown = match &what {
            What::Tool(ToolUse { title: Some(title), tool, .. }) => Some(format!("{tool} {title}")),
            _ => None,
        };
        let said = self.account.event(Event { session: None, what });
        if let Some(said) = shown.or(said) {
            self.outlet.line(&said);
        }
    }
}
