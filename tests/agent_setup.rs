//! `init --agent`: what a host needs is shown, written, and taken back, and what is somebody's stays.

use serde_json::{Value, json};

use crate::support::{Workspace, gate_mcp};

const HOSTS: [(&str, &str, &str); 4] = [
    ("deveco", "deveco.json", ".deveco/skills/delivery-gate/SKILL.md"),
    ("opencode", "opencode.json", ".opencode/skills/delivery-gate/SKILL.md"),
    ("dsh", ".dsh/delivery-gate.patch.yml", ".dsh/skills/delivery-gate/SKILL.md"),
    ("claude", ".mcp.json", ".claude/skills/delivery-gate/SKILL.md"),
];

fn server() -> &'static str {
    gate_mcp().to_str().unwrap()
}

#[test]
fn every_host_is_shown_written_and_taken_back() {
    let server = server();
    for (host, settings, skill) in HOSTS {
        let workspace = Workspace::sample();
        let before = workspace.tree("");
        let init = ["init", "--agent", host];
        let with = |more: &[&'static str]| {
            let arguments: Vec<&str> = init.iter().chain(more).copied().collect();
            workspace.xtask(&arguments).run().exits(0)
        };
        with(&[]).prints(&format!("+++ b/{settings}")).prints(server).prints("Nothing was written");
        assert_eq!(workspace.tree(""), before, "{host}");

        with(&["--write"]).prints(settings);
        assert!(workspace.read(skill).starts_with("---\nname: delivery-gate\n"), "{host}");
        assert!(workspace.read(settings).contains(server), "{host}");
        let written = workspace.tree("");
        let again = with(&["--write", "--json"]).json();
        assert_eq!((&again["written"], &again["kept"]), (&json!([]), &json!([])), "{host}");
        assert_eq!(workspace.tree(""), written, "{host}");

        with(&["--undo"]).prints("+++ /dev/null");
        assert_eq!(workspace.tree(""), written, "{host}");
        with(&["--undo", "--write"]);
        assert_eq!(workspace.tree(""), before, "{host}");
        assert!(!workspace.has(skill.split('/').next().unwrap()), "{host} left empty folders");
    }
}

#[test]
fn settings_that_are_there_keep_all_they_hold() {
    let before = "{\n  // our model\n  \"model\": \"a/b\",\n  \"mcp\": {\n    \"docs\": { \"type\": \"remote\", \"url\": \"http://127.0.0.1\" }, // theirs\n  },\n}\n";
    let workspace = Workspace::sample();
    workspace.write("opencode.jsonc", before);
    workspace
        .xtask(&["init", "--agent", "opencode", "--write"])
        .run()
        .exits(0)
        .prints("changed   opencode.jsonc");
    let after = workspace.read("opencode.jsonc");
    assert!(!workspace.has("opencode.json"));
    for line in before.lines().filter(|line| line.contains("//")) {
        assert!(after.contains(line), "{line} is not in {after}");
    }
    assert!(after.contains("\"gate\""), "{after}");
    workspace.xtask(&["init", "--agent", "opencode", "--undo", "--write"]).run().exits(0);
    assert_eq!(workspace.read("opencode.jsonc"), before);
}

#[test]
fn what_somebody_else_wrote_is_kept_and_said() {
    let workspace = Workspace::sample();
    let other = "{ \"mcpServers\": { \"gate\": { \"command\": \"another\" } } }\n";
    workspace.write(".mcp.json", other);
    workspace.write(".claude/skills/delivery-gate/SKILL.md", "---\nname: delivery-gate\n---\nours\n");
    for more in [&["--write"][..], &["--undo", "--write"]] {
        let arguments: Vec<&str> = ["init", "--agent", "claude"].iter().chain(more).copied().collect();
        workspace
            .xtask(&arguments)
            .run()
            .exits(1)
            .prints("kept      .mcp.json")
            .prints("kept      .claude/skills");
    }
    assert_eq!(workspace.read(".mcp.json"), other);
    workspace.write("deveco.json", "{ \"mcp\": ");
    let broken = workspace.xtask(&["--json", "init", "--agent", "deveco", "--write"]).run().exits(3).json();
    assert_eq!(broken["problems"][0]["code"], "E_SYNTAX", "{broken}");
    assert_eq!(broken["problems"][0]["file"], "deveco.json");
    assert!(!workspace.has(".deveco"));
}

#[test]
fn a_folder_beside_the_pipeline_is_told_where_that_is() {
    let server = server();
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", "lang: en", "lang: zh");
    let app = tempfile::tempdir().unwrap();
    let folder = app.path().to_str().unwrap();
    workspace.xtask(&["init", "--agent", "claude", folder, "--write"]).run().exits(0);
    let settings: Value =
        serde_json::from_slice(&std::fs::read(app.path().join(".mcp.json")).unwrap()).unwrap();
    let root = workspace.root().to_str().unwrap();
    assert_eq!(
        settings["mcpServers"]["gate"],
        json!({ "command": server, "args": ["--root", root, "--lang", "zh"] })
    );
    let skill = std::fs::read_to_string(app.path().join(".claude/skills/delivery-gate/SKILL.md")).unwrap();
    assert!(skill.contains("# 交付门禁"));
}

/// The bundle is packed as it lies there, so it carries copies.
#[test]
fn the_bundle_carries_the_skill_and_the_licences() {
    let root = crate::support::repository();
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap().replace("\r\n", "\n");
    for (original, copy) in [
        ("integrations/skills/delivery-gate/SKILL.md", "integrations/dsh/skills/delivery-gate/SKILL.md"),
        (
            "integrations/skills/delivery-gate/SKILL.zh.md",
            "integrations/dsh/skills/delivery-gate/SKILL.zh.md",
        ),
        ("LICENSE-MIT", "integrations/dsh/LICENSE-MIT"),
        ("LICENSE-APACHE", "integrations/dsh/LICENSE-APACHE"),
    ] {
        assert!(read(original) == read(copy), "{copy} differs from {original}: copy it");
    }
    let manifest: Value = serde_json::from_str(&read("integrations/dsh/package.json")).unwrap();
    assert_eq!(manifest["dsh"], json!({ "manifestVersion": 1, "bundle": { "patch": "./cordis.patch.yml" } }));
    for none in ["scripts", "dependencies", "peerDependencies", "main", "bin"] {
        assert!(manifest.get(none).is_none(), "the bundle has {none}");
    }
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
}
