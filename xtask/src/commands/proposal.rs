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
    kind: Kind,
}

/// What is wanted of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// To be there, and nobody else's.
    Own,
    /// To hold its lines among others, as a list of what git ignores.
    List,
    /// To become this: somebody's file with something of ours put in or taken out.
    Becomes,
    /// To be there no more.
    Goes,
    /// Nothing: it holds what is wanted.
    Stays,
    /// Nothing: what it holds is somebody else's.
    Kept,
}

/// What becomes of one of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It is new.
    New,
    /// Lines are added to what is there.
    Grows,
    /// Something of ours is put in or taken out.
    Changes,
    /// It is removed.
    Gone,
    /// It is there already.
    Same,
    /// Something else is there, and stays.
    Kept,
}

impl Proposal {
    /// A file of its own.
    pub fn file(&mut self, path: impl Into<Utf8PathBuf>, text: impl Into<String>) {
        self.add(path, text, Kind::Own);
    }

    /// Lines that a file has to hold, among others.
    pub fn lines(&mut self, path: impl Into<Utf8PathBuf>, text: impl Into<String>) {
        self.add(path, text, Kind::List);
    }

    /// A file that becomes this: somebody's, with something of ours put in or taken out.
    pub fn becomes(&mut self, path: impl Into<Utf8PathBuf>, text: impl Into<String>) {
        self.add(path, text, Kind::Becomes);
    }

    /// A file of ours that is there no more.
    pub fn goes(&mut self, path: impl Into<Utf8PathBuf>) {
        self.add(path, "", Kind::Goes);
    }

    /// A file that holds what is wanted already.
    pub fn stays(&mut self, path: impl Into<Utf8PathBuf>) {
        self.add(path, "", Kind::Stays);
    }

    /// A file that holds something else, and stays as it is.
    pub fn kept(&mut self, path: impl Into<Utf8PathBuf>) {
        self.add(path, "", Kind::Kept);
    }

    fn add(&mut self, path: impl Into<Utf8PathBuf>, text: impl Into<String>, kind: Kind) {
        self.files.push(Proposed { path: path.into(), text: text.into(), kind });
    }

    /// Shows it as a difference, or writes it. What is there and differs stays, and makes the answer a no.
    pub fn answer(&self, folder: &Utf8Path, lang: Lang, write: bool) -> Result<Answer> {
        let mut text = String::new();
        let mut told: Vec<(Fate, &Utf8Path)> = Vec::new();
        for file in &self.files {
            let there = store::read_optional(&folder.join(&file.path))?;
            let there = there.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            let (fate, added) = file.fate(there.as_deref());
            let there = there.unwrap_or_default();
            let whole = if fate == Fate::Grows { format!("{}{added}", ended(&there)) } else { added };
            if write {
                file.carry_out(folder, fate, &whole)?;
            }
            text.push_str(&match write {
                true => said(fate, &file.path, lang),
                false => difference(fate, &file.path, &there, &whole, lang),
            });
            told.push((fate, &file.path));
        }
        if !write && told.iter().any(|(fate, _)| fate.is_work()) {
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

impl Fate {
    /// Whether anything is done.
    fn is_work(self) -> bool {
        matches!(self, Fate::New | Fate::Grows | Fate::Changes | Fate::Gone)
    }
}

impl Proposed {
    fn carry_out(&self, folder: &Utf8Path, fate: Fate, whole: &str) -> Result<()> {
        let path = folder.join(&self.path);
        match fate {
            Fate::New | Fate::Grows | Fate::Changes => store::write(&path, whole.as_bytes()),
            Fate::Gone => {
                store::remove_file(&path)?;
                // Folders that hold nothing else went with it; one that does is not removed.
                let above = self.path.ancestors().skip(1).filter(|above| !above.as_str().is_empty());
                for above in above {
                    if std::fs::remove_dir(folder.join(above)).is_err() {
                        break;
                    }
                }
                Ok(())
            }
            Fate::Same | Fate::Kept => Ok(()),
        }
    }

    fn fate(&self, there: Option<&str>) -> (Fate, String) {
        match self.kind {
            Kind::Goes => return (Fate::Gone, String::new()),
            Kind::Stays => return (Fate::Same, String::new()),
            Kind::Kept => return (Fate::Kept, String::new()),
            Kind::Own | Kind::List | Kind::Becomes => {}
        }
        let Some(there) = there else { return (Fate::New, self.text.clone()) };
        if self.kind == Kind::Becomes {
            return (Fate::Changes, self.text.clone());
        }
        // A checkout may have changed the ends of lines.
        if there.replace("\r\n", "\n") == self.text {
            return (Fate::Same, String::new());
        }
        if self.kind == Kind::Own {
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
        Fate::Changes => say!(lang, "changed   {path}\n", "已修改   {path}\n"),
        Fate::Gone => say!(lang, "removed   {path}\n", "已删除   {path}\n"),
        Fate::Same => say!(lang, "is there  {path}\n", "已存在   {path}\n"),
        Fate::Kept => say!(
            lang,
            "kept      {path}, which holds something else\n",
            "保持原样 {path}，其中已有其他内容\n"
        ),
    }
}

fn difference(fate: Fate, path: &Utf8Path, there: &str, whole: &str, lang: Lang) -> String {
    if !fate.is_work() {
        return said(fate, path, lang);
    }
    let from = if fate == Fate::New { "/dev/null".to_owned() } else { format!("a/{path}") };
    let to = if fate == Fate::Gone { "/dev/null".to_owned() } else { format!("b/{path}") };
    format!("--- {from}\n+++ {to}\n{}\n", changed_lines(there, whole))
}

/// The lines between those that begin and those that end both texts.
fn changed_lines(from: &str, to: &str) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.lines().collect(), to.lines().collect());
    let same = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(a, b)| a == b).count();
    let before = same(&mut from.iter().zip(&to));
    let shorter = from.len().min(to.len());
    let after = same(&mut from.iter().rev().zip(to.iter().rev())).min(shorter - before);
    let part = |sign: char, lines: &[&str]| -> String {
        let changed = lines.get(before..lines.len() - after).unwrap_or_default();
        changed.iter().map(|line| format!("{sign}{line}\n")).collect()
    };
    format!("{}{}", part('-', &from), part('+', &to))
}

fn data(told: &[(Fate, &Utf8Path)], write: bool) -> Value {
    let with = |wanted: &[Fate]| -> Vec<&str> {
        told.iter().filter(|(fate, _)| wanted.contains(fate)).map(|(_, path)| path.as_str()).collect()
    };
    let new = with(&[Fate::New, Fate::Grows, Fate::Changes]);
    let gone = with(&[Fate::Gone]);
    json!({
        "written": if write { new.clone() } else { Vec::new() },
        "wouldWrite": if write { Vec::new() } else { new },
        "removed": if write { gone.clone() } else { Vec::new() },
        "wouldRemove": if write { Vec::new() } else { gone },
        "there": with(&[Fate::Same]),
        "kept": with(&[Fate::Kept]),
    })
}
