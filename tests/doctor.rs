//! What is missing on a machine, and how to get it.

use crate::support::Workspace;

/// A folder with nothing but git in it, as a search path.
#[cfg(unix)]
fn with_git_alone(workspace: &Workspace) -> String {
    let path = std::env::var_os("PATH").unwrap();
    let git =
        std::env::split_paths(&path).map(|folder| folder.join("git")).find(|path| path.is_file()).unwrap();
    workspace.write("bin/.keep", "");
    std::os::unix::fs::symlink(git, workspace.root().join("bin/git")).unwrap();
    workspace.root().join("bin").to_str().unwrap().to_owned()
}

#[cfg(unix)]
#[test]
fn what_the_pipeline_needs_and_is_not_there_is_named_with_its_cure() {
    let agent = "  deveco:\n    uses: deveco\n    seed: [.local/share/deveco]\n";
    let workspace = Workspace::with_executor("deveco", agent);
    let path = with_git_alone(&workspace);
    let outcome = workspace.xtask(&["doctor"]).env("PATH", &path).env("DEVECO_HOME", "").run().exits(7);
    for named in [
        "✗ agent deveco (deveco): missing",
        "@deveco/deveco-code",
        "DEVECO_BIN_PATH",
        "✗ DEVECO_HOME",
        "✓ git",
    ] {
        assert!(outcome.stdout.contains(named), "{named} is not in\n{}", outcome.stdout);
    }
    // Nobody measures a device here.
    assert!(outcome.stdout.contains("– hdc: missing, and not needed here"), "{}", outcome.stdout);
    // The same is said where a delivery meets it.
    workspace
        .xtask(&["deliver", "login-page"])
        .env("PATH", &path)
        .run()
        .exits(7)
        .says("E_EXECUTOR_FAILED")
        .says("cargo xtask doctor");
}

#[cfg(unix)]
#[test]
fn a_machine_that_has_everything() {
    use std::os::unix::fs::PermissionsExt;
    let agent = "  deveco:\n    uses: deveco\n    binary: tools/deveco\n";
    let workspace = Workspace::with_executor("deveco", agent);
    let path = with_git_alone(&workspace);
    for (program, script) in
        [("tools/deveco", "#!/bin/sh\n"), ("bin/hdc", "#!/bin/sh\nprintf '127.0.0.1:5555\\r\\n'\n")]
    {
        workspace.write(program, script);
        let file = workspace.root().join(program);
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    workspace.replace("pipeline.yaml", "collectors:\n", "device: { env: DEVICE }\ncollectors:\n");
    let home = workspace.root().to_str().unwrap();
    let outcome =
        workspace.xtask(&["doctor", "--json"]).env("PATH", &path).env("DEVECO_HOME", home).run().exits(0);
    let checks = outcome.json()["checks"].clone();
    let device = checks.as_array().unwrap().iter().find(|check| check["name"] == "device").unwrap().clone();
    assert_eq!((device["found"].as_str(), device["needed"].as_bool()), (Some("127.0.0.1:5555"), Some(true)));
    workspace.write("bin/hdc", "#!/bin/sh\necho '[Empty]'\n");
    let outcome = workspace.xtask(&["doctor"]).env("PATH", &path).env("DEVECO_HOME", home).run().exits(7);
    assert!(outcome.stdout.contains("✗ device: missing"), "{}", outcome.stdout);
}
