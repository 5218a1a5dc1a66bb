//! A client of the MCP server that speaks raw JSON-RPC, so that nothing of the server's own library stands between.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Workspace, repository};

/// Longer than anything here takes, and shorter than for ever.
const PATIENCE: Duration = Duration::from_secs(120);

/// The server's program, built from what is there now. It is of a crate of its own, which the tests of this one do not
/// build.
pub fn gate_mcp() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let profile = Path::new(env!("CARGO_BIN_EXE_xtask")).parent().unwrap();
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        build.args(["build", "--quiet", "--package", "mcp"]).current_dir(repository());
        build.env("CARGO_TARGET_DIR", profile.parent().unwrap());
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success(), "the MCP server does not build");
        profile.join(format!("gate-mcp{}", std::env::consts::EXE_SUFFIX))
    })
}

/// A session with the server. The server is ended with it.
pub struct Client {
    server: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    last: u64,
}

impl Client {
    /// A session in a workspace that has begun as the protocol asks.
    pub fn of(workspace: &Workspace) -> Self {
        Client::with(workspace, &[], &[])
    }

    /// As [`Client::of`], with further arguments and variables.
    pub fn with(workspace: &Workspace, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(gate_mcp());
        command.args(arguments).current_dir(workspace.root()).envs(variables.iter().copied());
        command.env("SOURCE_DATE_EPOCH", super::xtask::INSTANT);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // As hosts start it, so that it can be ended with whatever is in its group.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut server = command.spawn().unwrap();
        let input = server.stdin.take();
        let output = BufReader::new(server.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let mut client = Client { server, input, lines, last: 0 };
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "0" }
        });
        let answer = client.request("initialize", hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "delivery-gate", "{answer}");
        client.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        client
    }

    /// Sends a line as it is.
    pub fn write(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
    }

    /// Sends a request and answers its id.
    pub fn send(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        self.write(
            &json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }).to_string(),
        );
        self.last
    }

    /// Sends a call of a tool and answers its id.
    pub fn send_call(&mut self, tool: &str, arguments: Value) -> u64 {
        self.send("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// The next message. Whatever stands on standard output is one, and small enough for every host.
    pub fn receive(&mut self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("the server says nothing");
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        let is_list = message["result"]["tools"].is_array();
        assert!(is_list || line.len() < 8 * 1024, "{} bytes: {line}", line.len());
        message
    }

    /// Sends a request and waits for what answers it.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool and answers its result.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.send_call(tool, arguments);
        let mut answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        assert!(answer.get("error").is_none(), "{tool}: {answer}");
        answer["result"].take()
    }

    /// Goes away without a word, and answers how the server ended.
    pub fn leave(mut self) -> Option<i32> {
        drop(self.input.take());
        self.server.wait().unwrap().code()
    }

    /// Kills the server, and whatever is in its group.
    #[cfg(unix)]
    pub fn kill(mut self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        let group = Pid::from_raw(self.server.id().try_into().unwrap()).unwrap();
        kill_process_group(group, Signal::KILL).unwrap();
        self.server.wait().unwrap();
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may be over already.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
