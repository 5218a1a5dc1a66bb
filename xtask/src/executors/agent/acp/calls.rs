//! The tool calls of a turn, from their beginnings and from what is told of them afterwards.

use std::collections::BTreeMap;

use super::policy;
use super::wire::Call;
use crate::executors::agent::account::{NAME, TOOLS, cut};
use crate::executors::agent::events::ToolUse;

/// What is said of a tool call that was not permitted, and whose agent does not say why it failed.
const REFUSED: &str = "not permitted by the pipeline";

/// Tool calls that are not over. An agent's numbers of them may come again once they are.
#[derive(Default)]
pub struct Calls {
    open: BTreeMap<String, Open>,
    begun: u64,
}

/// A tool call that is not over.
#[derive(Default)]
struct Open {
    /// How many began before it.
    order: u64,
    tool: ToolUse,
    refused: bool,
}

impl Calls {
    /// Takes up what is told of a call, and answers the call once it is over. So many that their record would be cut
    /// are open in no agent that is sound.
    pub fn take(&mut self, call: &Call) -> Option<ToolUse> {
        let id = cut(&call.tool_call_id, NAME);
        if !self.open.contains_key(&id) {
            if self.open.len() >= TOOLS {
                return None;
            }
            self.begun = self.begun.saturating_add(1);
            self.open.insert(id.clone(), Open { order: self.begun, ..Open::default() });
        }
        let open = self.open.get_mut(&id)?;
        open.learn(call);
        if !matches!(open.tool.status.as_str(), "completed" | "error") {
            return None;
        }
        self.open.remove(&id).map(Open::over)
    }

    /// Remembers that a call was not permitted.
    pub fn refuse(&mut self, id: &str) {
        if let Some(open) = self.open.get_mut(id) {
            open.refused = true;
        }
    }

    /// The calls that did not end.
    pub fn rest(&mut self) -> Vec<ToolUse> {
        let mut rest: Vec<Open> = std::mem::take(&mut self.open).into_values().collect();
        rest.sort_by_key(|open| open.order);
        rest.into_iter().map(Open::over).collect()
    }
}

impl Open {
    fn learn(&mut self, call: &Call) {
        let tool = &mut self.tool;
        if let Some(kind) = &call.kind {
            tool.tool = cut(kind, NAME);
        }
        if let Some(title) = call.title.as_ref().filter(|title| !title.is_empty()) {
            tool.title = Some(cut(title, NAME));
        }
        if let Some(path) = policy::paths(call).into_iter().next() {
            tool.file = Some(cut(&path, NAME * 4));
        }
        // The word that is used of every agent.
        match call.status.as_deref() {
            Some("failed") => {
                tool.status = "error".to_owned();
                let items = call.content.iter().flatten().rev();
                let mut texts = items.filter_map(|item| item.content.as_ref()?.text.as_ref());
                tool.error = texts.next().map(|text| cut(text, NAME * 4));
            }
            Some(status) => tool.status = cut(status, NAME),
            None if tool.status.is_empty() => tool.status = "pending".to_owned(),
            None => {}
        }
    }

    fn over(self) -> ToolUse {
        let mut tool = self.tool;
        if tool.tool.is_empty() {
            tool.tool = "other".to_owned();
        }
        if self.refused && tool.error.is_none() {
            tool.error = Some(REFUSED.to_owned());
        }
        tool
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn call(value: Value) -> Call {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_call_is_whole_when_it_is_over_and_its_number_may_come_again() {
        let mut calls = Calls::default();
        let begin = json!({ "toolCallId": "1", "title": "write", "kind": "edit", "status": "pending" });
        for path in ["/w/a", "/w/b"] {
            assert_eq!(calls.take(&call(begin.clone())), None);
            let more = json!({ "toolCallId": "1", "status": "in_progress", "locations": [{ "path": path }] });
            assert_eq!(calls.take(&call(more)), None);
            let over = calls.take(&call(json!({ "toolCallId": "1", "status": "completed" }))).unwrap();
            assert_eq!((over.tool.as_str(), over.file.as_deref()), ("edit", Some(path)));
        }
        calls.take(&call(json!({ "toolCallId": "2", "title": "later" })));
        calls.take(&call(json!({ "toolCallId": "10", "kind": "execute", "status": "in_progress" })));
        calls.refuse("10");
        let rest = calls.rest();
        assert_eq!((rest[0].tool.as_str(), rest[0].status.as_str()), ("other", "pending"));
        assert_eq!((rest[1].tool.as_str(), rest[1].error.as_deref()), ("execute", Some(REFUSED)));
    }

    #[test]
    fn why_a_call_failed_is_kept() {
        let mut calls = Calls::default();
        let content = json!([{ "type": "content", "content": { "type": "text", "text": "no match" } }]);
        let over = json!({ "toolCallId": "1", "status": "failed", "content": content });
        let over = calls.take(&call(over)).unwrap();
        assert_eq!((over.status.as_str(), over.error.as_deref()), ("error", Some("no match")));
    }
}
