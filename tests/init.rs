//! A repository that knows nothing of the pipeline, and the installed program in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{copy_folder, repository, tree};

/// A repository of somebody's, with the program installed elsewhere and nothing but git and a shell to be found.
struct Elsewhere {
    folder: tempfile::TempDir,
    app: PathBuf,
}

impl Elsewhere {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (app, bin) = (folder.path().join("应用 app"), folder.path().join("bin"));
        fs::create_dir_all(&app).unwrap();
        fs::create_dir_all(&bin).unwrap();
        let name = format!("xtask{}", std::env::consts::EXE_SUFFIX);
        fs::copy(env!("CARGO_BIN_EXE_xtask"), bin.join(name)).unwrap();
        #[cfg(unix)]
        for program in ["git", "sh"] {
            let path = std::env::var_os("PATH").unwrap();
            let found =
                std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file());
            std::os::unix::fs::symlink(found.unwrap(), bin.join(program)).unwrap();
        }
        Elsewhere { folder, app }
    }

    fn with_commit(self) -> Self {
        fs::write(self.app.join("README.md"), "an app\n").unwrap();
        self.git(&["init", "-q", "-b", "trunk", "."]);
        self.commit();
        self
    }

    fn git(&self, arguments: &[&str]) {
        let name =
            ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgSign=false"];
        let mut git = Command::new("git");
        assert!(git.args(name).args(arguments).current_dir(&self.app).status().unwrap().success());
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "work"]);
    }

    /// Runs the installed program, and answers its exit code and what it said.
    #[track_caller]
    fn xtask(&self, arguments: &[&str], code: i32) -> String {
        let bin = self.folder.path().join("bin");
        let mut program = Command::new(bin.join("xtask"));
        if cfg!(unix) {
            program.env_clear().env("PATH", &bin).env("HOME", self.folder.path());
        } else {
            program.env_remove("CARGO");
        }
        program.env("SOURCE_DATE_EPOCH", "1780000000");
        let output = program.args(arguments).current_dir(&self.app).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}:\n{said}");
        said
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.app.join(path)).unwrap()
    }

    fn replace(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{path} holds no {from:?}");
        fs::write(self.app.join(path), text.replace(from, to)).unwrap();
    }
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    tree(folder).into_iter().filter(|(name, _)| !name.starts_with(".git/")).collect()
}

#[test]
fn what_would_be_written_is_shown_and_nothing_is() {
    let there = Elsewhere::new().with_commit();
    let before = files(&there.app);
    let shown = there.xtask(&["init", "--ci", "github"], 0);
    for path in
        ["pipeline.yaml", "features/first-feature/pack.yaml", ".gitignore", ".github/workflows/delivery.yml"]
    {
        assert!(shown.contains(&format!("+++ b/{path}")), "no {path} in\n{shown}");
    }
    assert!(shown.contains("+  base: trunk"), "{shown}");
    assert!(before == files(&there.app));
}

/// From nothing to an acceptance report without cargo, by an agent that is a shell script.
#[cfg(unix)]
#[test]
fn the_installed_program_delivers_in_a_repository_without_rust() {
    let there = Elsewhere::new().with_commit();
    let said = there.xtask(&["init", "--write", "--feature", "changes"], 0);
    assert!(said.contains("\n  xtask check changes\n") && !said.contains("cargo"), "{said}");
    there.replace("pipeline.yaml", "executor: person", "executor: script");
    let script = "  script:\n    uses: command\n    run: [sh, -c, 'echo changed > CHANGES.md']\n";
    there.replace("pipeline.yaml", "    uses: handoff\n", &format!("    uses: handoff\n{script}"));
    there.commit();
    assert!(there.xtask(&["check", "changes"], 0).contains("no findings"));
    let said = there.xtask(&["deliver", "changes"], 0);
    assert!(said.contains("accepted in round 1"), "{said}");
    assert!(there.read("deliveries/changes/acceptance.md").contains("ACCEPTED"));
    // What is delivered and committed is up to date in any other clone.
    there.commit();
    assert!(there.xtask(&["status", "--check"], 0).contains("accepted, round 1"));
    assert!(there.xtask(&["explain"], 2).contains("Usage: xtask explain"));
}

#[test]
fn an_app_for_harmony_is_known() {
    for (lang, inner) in [("en", false), ("zh", true)] {
        let there = Elsewhere::new();
        let app = if inner { there.app.join("my app") } else { there.app.clone() };
        copy_folder(&repository().join("examples/login-app"), &app);
        fs::create_dir_all(app.join("entry/src/ohosTest")).unwrap();
        fs::write(app.join("entry/src/ohosTest/Test.ets"), "// test\n").unwrap();
        if inner {
            assert!(
                Command::new("git")
                    .args(["init", "-q", "-b", "main"])
                    .current_dir(&app)
                    .status()
                    .unwrap()
                    .success()
            );
        } else {
            there.git(&["init", "-q", "-b", "main", "."]);
        }
        there.xtask(&["init", "--write", "--lang", lang], 0);
        let pipeline = there.read("pipeline.yaml");
        let repository = if inner { "repository: \"my app\"" } else { "repository: .\n" };
        for part in
            [repository, "com.example.login", "entry/src/ohosTest", "hvigorw", "OpenHarmonyTestRunner"]
        {
            assert!(pipeline.contains(part), "no {part} in\n{pipeline}");
        }
        let pack = there.read("features/first-feature/pack.yaml");
        assert!(pack.contains("bundle: com.example.login") && !pack.contains("com.example.app"), "{pack}");
        there.xtask(&["check", "first-feature"], 0);
        there.xtask(&["graph"], 0);
    }
}

#[test]
fn what_is_there_stays_and_lists_grow() {
    let there = Elsewhere::new().with_commit();
    fs::write(there.app.join(".gitignore"), "node_modules\n/.xtask/").unwrap();
    fs::write(there.app.join("pipeline.yaml"), "mine: true\n").unwrap();
    fs::create_dir_all(there.app.join(".github")).unwrap();
    let said = there.xtask(&["init", "--write"], 1);
    assert!(said.contains("kept      pipeline.yaml"), "{said}");
    assert_eq!(there.read("pipeline.yaml"), "mine: true\n");
    let ignored = there.read(".gitignore");
    assert!(
        ignored.starts_with("node_modules\n/.xtask/\n") && ignored.ends_with("/.evidence/\n"),
        "{ignored}"
    );
    assert_eq!(ignored.matches("/.xtask/").count(), 1);
    assert!(there.app.join(".github/workflows/delivery.yml").is_file());
    fs::remove_file(there.app.join("pipeline.yaml")).unwrap();
    there.xtask(&["init", "--write"], 0);
    let before = files(&there.app);
    let again = there.xtask(&["init", "--write"], 0);
    assert!(!again.contains("written") && !again.contains("added"), "{again}");
    assert!(before == files(&there.app));
}

#[test]
fn a_folder_that_is_no_repository_is_told_so() {
    let there = Elsewhere::new();
    assert!(there.xtask(&["init", "--write"], 0).contains("git init"));
    fs::remove_dir_all(&there.app).unwrap();
    fs::create_dir_all(&there.app).unwrap();
    assert!(there.xtask(&["init", "--write", "--lang", "zh"], 0).contains("不是 git 仓库"));
    assert!(there.xtask(&["check", "first-feature"], 0).contains("没有发现问题"));
    there.xtask(&["init", "--feature", "No Name"], 3);
    there.xtask(&["init", "--ci", "jenkins"], 2);
}
