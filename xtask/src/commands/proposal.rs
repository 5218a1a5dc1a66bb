//! Files that a command would write: shown first, written when asked for, and never over something else.

use camino::{Utf8Path, Utf8PathBuf};
use gate::lang::Lang;
use gate::say;
use serde_json::{Value, json};

use super::answer::Answer;
use crate::ending::Ending;
use crate::failure::Result;
use crate::store;

/// What a command would write, relative to one folder.
#[derive(Default)]
pub struct Proposal {
    files: Vec<Proposed>,
}

struct Proposed {
    path: Utf8PathBuf,
    text: String,
    /// Whether its lines are added to a file that is there, as to a list of what git ignores.
    is_list: bool,
}

/// What becomes of one of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It is new.
    New,
    /// Lines are added to what is there.
    Grows,
    /// It is there already.
    Same,
    /// Something else is there, and stays.
    Kept,
}

impl Proposal {
    /// A file of its own.
    pub fn file(&mut self, path: impl Into<Utf8PathBuf>, text: impl Into<String>) {
        self.files.push(Proposed { path: path.into(), text: text.into(), is_list: false });
    }

    /// Lines that a file has to hold, among others.
    pub fn lines(&mut self, path: impl Into<Utf8PathBuf>, text: impl Into<String>) {
        self.files.push(Proposed { path: path.into(), text: text.into(), is_list: true });
    }

    /// Shows it as a difference, or writes it. What is there and differs stays, and makes the answer a no.
    pub fn answer(&self, folder: &Utf8Path, lang: Lang, write: bool) -> Result<Answer> {
        let mut text = String::new();
        let mut told: Vec<(Fate, &Utf8Path)> = Vec::new();
        for file in &self.files {
            let there = store::read_optional(&folder.join(&file.path))?;
            let there = there.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            let (fate, added) = file.fate(there.as_deref());
            if write && matches!(fate, Fate::New | Fate::Grows) {
                let whole = format!("{}{added}", there.as_deref().map(ended).unwrap_or_default());
                store::write(&folder.join(&file.path), whole.as_bytes())?;
            }
            text.push_str(&match write {
                true => said(fate, &file.path, lang),
                false => difference(fate, &file.path, &added, lang),
            });
            told.push((fate, &file.path));
        }
        if !write && told.iter().any(|(fate, _)| matches!(fate, Fate::New | Fate::Grows)) {
            text.push_str(
                lang.pick(
                    "\nNothing was written: --write does.\n",
                    "\n尚未写入任何文件：加 --write 写入。\n",
                ),
            );
        }
        let is_kept = told.iter().any(|(fate, _)| *fate == Fate::Kept);
        Ok(Answer { ending: if is_kept { Ending::No } else { Ending::Yes }, text, data: data(&told, write) })
    }
}

impl Proposed {
    fn fate(&self, there: Option<&str>) -> (Fate, String) {
        let Some(there) = there else { return (Fate::New, self.text.clone()) };
        // A checkout may have changed the ends of lines.
        if there.replace("\r\n", "\n") == self.text {
            return (Fate::Same, String::new());
        }
        if !self.is_list {
            return (Fate::Kept, String::new());
        }
        let has = |wanted: &str| there.lines().any(|line| line.trim() == wanted.trim());
        let missing: Vec<&str> = self.text.lines().filter(|line| !has(line)).collect();
        // A comment alone needs no company.
        if missing.iter().all(|line| line.is_empty() || line.starts_with('#')) {
            return (Fate::Same, String::new());
        }
        (Fate::Grows, missing.join("\n") + "\n")
    }
}

/// A text that ends with a line's end, if it holds anything.
fn ended(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}

fn said(fate: Fate, path: &Utf8Path, lang: Lang) -> String {
    match fate {
        Fate::New => say!(lang, "written   {path}\n", "已写入   {path}\n"),
        Fate::Grows => say!(lang, "added to  {path}\n", "已补充   {path}\n"),
        Fate::Same => say!(lang, "is there  {path}\n", "已存在   {path}\n"),
        Fate::Kept => say!(
            lang,
            "kept      {path}, which holds something else\n",
            "保持原样 {path}，其中已有其他内容\n"
        ),
    }
}

fn difference(fate: Fate, path: &Utf8Path, added: &str, lang: Lang) -> String {
    let from = if fate == Fate::New { "/dev/null".to_owned() } else { format!("a/{path}") };
    match fate {
        Fate::Same | Fate::Kept => said(fate, path, lang),
        Fate::New | Fate::Grows => {
            let lines: String = added.lines().map(|line| format!("+{line}\n")).collect();
            format!("--- {from}\n+++ b/{path}\n{lines}\n")
        }
    }
}

fn data(told: &[(Fate, &Utf8Path)], write: bool) -> Value {
    let with = |wanted: &[Fate]| -> Vec<&str> {
        told.iter().filter(|(fate, _)| wanted.contains(fate)).map(|(_, path)| path.as_str()).collect()
    };
    let new = with(&[Fate::New, Fate::Grows]);
    json!({
        "written": if write { new.clone() } else { Vec::new() },
        "wouldWrite": if write { Vec::new() } else { new },
        "there": with(&[Fate::Same]),
        "kept": with(&[Fate::Kept]),
    })
}
