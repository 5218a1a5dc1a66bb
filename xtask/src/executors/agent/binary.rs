//! Where an agent's program is: what the pipeline says, else what a variable says, else `PATH`.

use camino::{Utf8Path, Utf8PathBuf};

use crate::paths::Root;
use crate::pipeline::model::Agent;

/// The variable that names the program on this machine, such as `DEVECO_BIN_PATH`.
pub fn variable(agent: &Agent) -> String {
    format!("{}BIN_PATH", agent.flavour.prefix())
}

/// The program, absolute, if it is there.
pub fn find(root: &Root, agent: &Agent) -> Option<Utf8PathBuf> {
    match &agent.binary {
        Some(written) => named(root, written),
        None => std::env::var(variable(agent))
            .ok()
            .filter(|path| !path.is_empty())
            .and_then(|path| named(root, &path))
            .or_else(|| on_path(agent.flavour.word())),
    }
}

/// The program of a path, or of a name that is looked for on `PATH`.
pub fn named(root: &Root, written: &str) -> Option<Utf8PathBuf> {
    if written.contains(['/', '\\']) { spellings(&root.join(written)) } else { on_path(written) }
}

/// The first program of this name on `PATH`.
pub fn on_path(name: &str) -> Option<Utf8PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter_map(|folder| Utf8PathBuf::from_path_buf(folder).ok())
        .filter(|folder| folder.is_absolute())
        .find_map(|folder| spellings(&folder.join(name)))
}

/// A program as it is written, or with one of the endings that programs have on Windows.
fn spellings(path: &Utf8Path) -> Option<Utf8PathBuf> {
    let endings = if cfg!(windows) { &["", ".exe", ".cmd", ".bat"][..] } else { &[""] };
    endings.iter().map(|ending| Utf8PathBuf::from(format!("{path}{ending}"))).find(|path| can_run(path))
}

#[cfg(unix)]
fn can_run(path: &Utf8Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn can_run(path: &Utf8Path) -> bool {
    path.extension().is_some() && path.is_file()
}
