//! The hosts: where each looks for skills and for MCP servers, and how it names one.

use camino::Utf8PathBuf;
use serde_json::{Value, json};

/// A program in which a model works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// DevEco Code.
    Deveco,
    /// opencode, of which it is a fork.
    Opencode,
    /// DeepSeek Harness.
    Dsh,
    /// Claude Code.
    Claude,
}

/// The name of the server in a host's settings.
pub const SERVER: &str = "gate";

/// The program of the server.
pub const PROGRAM: &str = "gate-mcp";

impl Host {
    /// By its word on the command line, which knows no other.
    pub fn of(word: &str) -> Self {
        match word {
            "deveco" => Host::Deveco,
            "opencode" => Host::Opencode,
            "dsh" => Host::Dsh,
            _ => Host::Claude,
        }
    }

    /// Where it looks for the skill.
    pub fn skill(self) -> Utf8PathBuf {
        let folder = match self {
            Host::Deveco => ".deveco",
            Host::Opencode => ".opencode",
            Host::Dsh => ".dsh",
            Host::Claude => ".claude",
        };
        Utf8PathBuf::from(folder).join("skills/delivery-gate/SKILL.md")
    }

    /// Where its settings may be, the first that is there; the last is made where none is.
    pub fn settings(self) -> &'static [&'static str] {
        match self {
            Host::Deveco => &["deveco.jsonc", ".deveco/deveco.jsonc", ".deveco/deveco.json", "deveco.json"],
            Host::Opencode => {
                &["opencode.jsonc", ".opencode/opencode.jsonc", ".opencode/opencode.json", "opencode.json"]
            }
            Host::Dsh => &[".dsh/delivery-gate.patch.yml"],
            Host::Claude => &[".mcp.json"],
        }
    }

    /// The field of the settings that holds the servers; none where the settings are no JSON.
    pub fn field(self) -> Option<&'static str> {
        match self {
            Host::Deveco | Host::Opencode => Some("mcp"),
            Host::Claude => Some("mcpServers"),
            Host::Dsh => None,
        }
    }

    /// The entry of the server, which is started with these words.
    pub fn entry(self, command: &[String]) -> Value {
        match self {
            Host::Deveco | Host::Opencode => json!({ "type": "local", "command": command, "enabled": true }),
            Host::Claude | Host::Dsh => json!({ "command": command.first(), "args": command.get(1..) }),
        }
    }

    /// The whole of settings that are no JSON: rows that DSH takes with `--patch`.
    pub fn patch(command: &[String]) -> String {
        // A JSON string is a YAML one.
        let quoted = |word: &String| serde_json::Value::from(word.as_str()).to_string();
        let (program, arguments) =
            command.split_first().map(|(program, rest)| (quoted(program), rest)).unwrap_or_default();
        let arguments: Vec<String> = arguments.iter().map(quoted).collect();
        format!(
            "- insert:\n    - id: delivery-gate-mcp\n      name: '@deepseek-ai/dsh-mcp-client'\n      config:\n        \
             serverName: {SERVER}\n        transport: stdio\n        command: {program}\n        args: [{}]\n        \
             cwd: !!js process.cwd()\n        toolCallTimeoutMs: 600000\n        failOnStartupError: true\n",
            arguments.join(", ")
        )
    }
}
