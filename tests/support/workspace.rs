//! A workspace of its own: the pipeline, the templates and the sample, in a folder that goes away with the test.

use std::fs;
use std::path::{Path, PathBuf};

use super::xtask::Xtask;
use super::{copy_folder, repository, tree};

/// A folder with a pipeline in it.
pub struct Workspace {
    _folder: tempfile::TempDir,
    root: PathBuf,
}

impl Workspace {
    /// The repository's own pipeline, templates, sample feature and sample app. The folder has a space and Chinese in its
    /// name, as folders of users have.
    pub fn sample() -> Self {
        let workspace = Workspace::empty();
        for part in ["features/login-page", "examples/login-app"] {
            copy_folder(&repository().join(part), &workspace.root.join(part));
        }
        fs::copy(repository().join("pipeline.yaml"), workspace.root.join("pipeline.yaml")).unwrap();
        workspace
    }

    /// The templates, and nothing else yet.
    pub fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("work 工作区");
        copy_folder(&repository().join("templates"), &root.join("templates"));
        Workspace { _folder: folder, root }
    }

    /// The sample with an executor of its own, which stands beside the others and is asked.
    pub fn with_executor(name: &str, definition: &str) -> Self {
        let workspace = Workspace::sample();
        workspace.replace("pipeline.yaml", "executor: recorded\n", &format!("executor: {name}\n"));
        let person = "  person:\n    uses: handoff\n";
        workspace.replace("pipeline.yaml", person, &format!("{person}{definition}"));
        workspace
    }

    /// The sample with a Python script as its executor, which has one round.
    pub fn with_script(script: &str, more: &str) -> Self {
        let definition =
            format!("  script:\n    uses: command\n    run: [python3, \"{{root}}/agent.py\"]\n{more}");
        let workspace = Workspace::with_executor("script", &definition);
        workspace.write("agent.py", script);
        workspace.replace("pipeline.yaml", "  max: 3", "  max: 1");
        workspace
    }

    /// A second feature like the sample's.
    pub fn copy_feature(&self, name: &str) {
        let folder = format!("features/{name}");
        copy_folder(&self.root.join("features/login-page"), &self.root.join(&folder));
        self.replace(&format!("{folder}/pack.yaml"), "feature: login-page", &format!("feature: {name}"));
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The command line, to be built.
    pub fn xtask<'a>(&'a self, arguments: &[&'a str]) -> Xtask<'a> {
        Xtask::new(self, arguments)
    }

    /// The text of a file.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// A JSON artifact.
    pub fn json(&self, path: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Writes a file.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Changes a file: what is replaced has to be there.
    pub fn replace(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{path} holds no {from:?}");
        self.write(path, &text.replace(from, to));
    }

    /// Removes a file or folder.
    pub fn remove(&self, path: &str) {
        let path = self.root.join(path);
        if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
    }

    /// Whether there is such a file or folder.
    pub fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// Every file below a folder of the workspace.
    pub fn tree(&self, path: &str) -> Vec<(String, Vec<u8>)> {
        tree(&self.root.join(path))
    }

    /// Runs git in a folder of the workspace, and answers what it prints.
    pub fn git(&self, folder: &str, arguments: &[&str]) -> String {
        let output = std::process::Command::new("git")
            .args([
                "-c",
                "user.name=Test",
                "-c",
                "user.email=test@example.invalid",
                "-c",
                "commit.gpgSign=false",
            ])
            .args(arguments)
            .current_dir(self.root.join(folder))
            .output()
            .unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
}
