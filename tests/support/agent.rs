//! A small feature for agents: one number in one file, measured in a clean checkout of what was delivered.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Model, Workspace, Xtask, not_tested, repository};

/// A version of opencode whose tests need no other, and the one after which DevEco Code is made.
pub const NEAREST: &str = "1.17.11";

/// A later version.
pub const LATER: &str = "1.18.33";

const PIPELINE: &str = "\
version: 1
app:
  seed: app
sources:
  build: independent
executor: agent
executors:
  agent:
    uses: opencode
    seed: [.config/opencode/opencode.json, .local/share/opencode/auth.json]
    timeout: 900s
    silence: 300s
protect: [entry/test]
collectors:
  size:
    run: [python3, \"{root}/measure.py\", \"{checkout}/entry/size.txt\", \"{output}\"]
    output: size.json
    source: build
stages:
  - { id: freeze, uses: freeze }
  - { id: review, uses: review }
  - { id: brief, uses: brief }
  - { id: dispatch, uses: dispatch }
  - { id: evidence, uses: evidence }
  - { id: audit, uses: audit }
  - { id: report, uses: report }
";

const PACK: &str = "\
feature: size
title: The button's size
goal: Make the button large enough.
requirements:
  - { id: R-1, text: The button can be hit. }
outOfScope: { aesthetic: none, performance: none, accessibility: none }
criteria:
  - id: F-01
    dimension: function
    statement: The button can be hit with a thumb.
    verify: Measure it.
    weight: must
    covers: [R-1]
    assertion: { matcher: gte, expected: 48, unit: vp, source: build }
    probe: { evidence: size, reader: json, with: { path: $.height } }
";

const MEASURE: &str = "\
import json, sys
height = open(sys.argv[1]).read().strip()
json.dump({'height': height + 'vp'}, open(sys.argv[2], 'w'))
";

impl Workspace {
    /// The small feature, with an agent that works on it. Its round fails until `entry/size.txt` holds 48 or more.
    pub fn for_agent() -> Self {
        let workspace = Workspace::empty();
        workspace.write("pipeline.yaml", PIPELINE);
        workspace.write("features/size/pack.yaml", PACK);
        workspace.write("measure.py", MEASURE);
        workspace.write("app/entry/size.txt", "10\n");
        workspace.write("app/entry/test/Size.test.ets", "it('is large', 0, () => {})\n");
        workspace
    }

    /// As [`Workspace::for_agent`], with a Python script in the place of the agent's program.
    #[cfg(unix)]
    pub fn for_fake_agent(script: &str) -> Self {
        use std::os::unix::fs::PermissionsExt;
        let workspace = Workspace::for_agent();
        workspace.write("bin/opencode", &format!("#!/usr/bin/env python3\n{script}"));
        let path = workspace.root().join("bin/opencode");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        workspace.replace(
            "pipeline.yaml",
            "    uses: opencode\n",
            "    uses: opencode\n    binary: bin/opencode\n",
        );
        workspace.replace("pipeline.yaml", "executor: agent\n", "executor: agent\nrounds: { max: 1 }\n");
        workspace
    }

    /// As [`Workspace::for_agent`], with an agent that speaks the Agent Client Protocol: this program and its arguments.
    pub fn for_acp(run: &[&str]) -> Self {
        let workspace = Workspace::for_agent();
        let run = serde_json::to_string(run).unwrap();
        workspace.replace(
            "pipeline.yaml",
            "    uses: opencode\n",
            &format!("    uses: acp\n    run: {run}\n"),
        );
        workspace
    }

    /// A call of the command line by a user whose home holds settings that ask this model.
    pub fn asking<'a>(&'a self, model: &Model, binary: &Path, arguments: &[&'a str]) -> Xtask<'a> {
        self.write("home/.config/opencode/opencode.json", &model.settings().to_string());
        let home = self.root().join("home");
        self.xtask(arguments)
            .env("HOME", home.to_str().unwrap())
            .env("OPENCODE_BIN_PATH", binary.to_str().unwrap())
    }

    /// The processes that an agent of this workspace started and that still run.
    #[cfg(target_os = "linux")]
    pub fn agents_running(&self) -> Vec<String> {
        let home = self.root().join(".xtask/homes");
        let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        let ours = processes.filter(|process| {
            let environment = fs::read(process.join("environ")).unwrap_or_default();
            String::from_utf8_lossy(&environment).contains(home.to_str().unwrap())
        });
        // One that nobody has reaped yet has no environment any more.
        ours.map(|process| fs::read_to_string(process.join("cmdline")).unwrap_or_default()).collect()
    }
}

/// The program of a version of opencode, where `.ci/agents` installed it. Its absence is said loudly, and fails the test
/// where agents are required.
pub fn opencode(version: &str) -> Option<PathBuf> {
    let folder = repository().join(".xtask/tools").join(format!("opencode-{version}")).join("node_modules");
    let installed = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
    // The package of the platform carries it; `baseline` is for old processors.
    let mut found: Vec<PathBuf> = installed
        .filter(|path| {
            path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("opencode-"))
        })
        .map(|path| path.join("bin").join(format!("opencode{}", std::env::consts::EXE_SUFFIX)))
        .filter(|path| path.is_file())
        .collect();
    found.sort();
    let found = found.into_iter().next();
    if found.is_none() {
        not_tested(&format!("opencode {version} is not in {}: run .ci/agents", folder.display()));
    }
    found
}
