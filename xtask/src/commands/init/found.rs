//! What is found in a repository that the pipeline comes to: an app for HarmonyOS, its bundle, its tests, its branch, its server.

use camino::{Utf8Path, Utf8PathBuf};
use gate::lang::Lang;
use serde::Serialize;

use crate::failure::Result;
use crate::git::Git;
use crate::store;

/// The most of a file that is looked through for a name.
const LOOKED: u64 = 1 << 20;

/// What is filled into the pipeline.
#[derive(Serialize)]
pub struct Found {
    /// The app's repository, relative to the pipeline's file.
    pub repository: String,
    /// The branch that is checked out in it.
    pub base: String,
    /// Whether the repository is one of git's.
    pub is_git: bool,
    /// Whether it is an app for HarmonyOS.
    pub harmony: bool,
    /// Its bundle.
    pub bundle: String,
    /// The module that is installed.
    pub module: String,
    /// Whether it has tests that run on a device.
    pub tests: bool,
    /// What no executor may change, as the items of a list.
    pub protect: String,
    /// The server whose workflow is written.
    #[serde(skip)]
    pub server: Option<&'static str>,
}

impl Found {
    /// Looks into a folder. The app is that folder, or the one repository with an app that stands in it.
    pub fn look(folder: &Utf8Path) -> Result<Self> {
        let inner = if is_app(folder) { None } else { app_within(folder)? };
        let repository = inner.unwrap_or_else(|| ".".to_owned());
        let app = folder.join(&repository);
        let git = Git::at(app.clone(), Lang::En);
        let is_git = git.is_repository()?;
        let module = module(&app)?;
        let tests = format!("{module}/src/ohosTest");
        let has_tests = app.join(&tests).is_dir();
        let mut protect: Vec<&str> = Vec::new();
        if repository == "." {
            protect.extend(["pipeline.yaml", "features", "deliveries"]);
        }
        if has_tests {
            protect.push(&tests);
        }
        Ok(Found {
            base: git
                .branch()?
                .filter(|_| is_git)
                .map_or_else(|| "main".to_owned(), |branch| quoted(&branch)),
            harmony: is_app(&app),
            bundle: named(&app, "AppScope/app.json5", "bundleName")?
                .unwrap_or_else(|| "com.example.app".to_owned()),
            tests: has_tests,
            protect: protect.join(", "),
            server: server(folder),
            repository: quoted(&repository),
            is_git,
            module,
        })
    }
}

/// A name as YAML reads it back.
fn quoted(name: &str) -> String {
    let is_plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '.')
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-/".contains(letter));
    if is_plain { name.to_owned() } else { format!("{name:?}") }
}

/// DevEco Studio makes these in every app.
fn is_app(folder: &Utf8Path) -> bool {
    folder.join("AppScope/app.json5").is_file()
        || (folder.join("oh-package.json5").is_file() && folder.join("hvigorfile.ts").is_file())
}

fn app_within(folder: &Utf8Path) -> Result<Option<String>> {
    let is_repository = |name: &String| is_app(&folder.join(name)) && folder.join(name).join(".git").exists();
    let mut apps = store::list(folder)?.into_iter().filter(is_repository);
    // Of several a person has to choose.
    Ok(apps.next().filter(|_| apps.next().is_none()))
}

/// The first module with a main ability; `entry` is what DevEco Studio calls it.
fn module(app: &Utf8Path) -> Result<String> {
    if app.join("entry/src/main").is_dir() {
        return Ok("entry".to_owned());
    }
    let is_module = |name: &String| app.join(name).join("src/main/module.json5").is_file();
    Ok(store::list(app)?.into_iter().find(is_module).unwrap_or_else(|| "entry".to_owned()))
}

/// The text of a field in JSON with comments, if it is a plain name.
fn named(app: &Utf8Path, file: &str, field: &str) -> Result<Option<String>> {
    let path: Utf8PathBuf = app.join(file);
    if !path.is_file() || store::size(&path)? > LOOKED {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&store::read(&path)?).into_owned();
    let after = text.split_once(field).map(|(_, rest)| rest);
    let value = after
        .and_then(|rest| rest.split_once(':'))
        .map(|(_, rest)| rest.trim_start())
        .and_then(|rest| rest.strip_prefix(['"', '\'']))
        .and_then(|rest| rest.split(['"', '\'']).next());
    let is_plain = |name: &&str| {
        !name.is_empty()
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-".contains(letter))
    };
    Ok(value.filter(is_plain).map(str::to_owned))
}

/// The server by what is there for it already.
fn server(folder: &Utf8Path) -> Option<&'static str> {
    if folder.join(".github").is_dir() {
        return Some("github");
    }
    folder.join(".gitlab-ci.yml").is_file().then_some("gitlab")
}
