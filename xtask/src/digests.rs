//! Digests of files that were read before, so that a large file is not read again to learn that nothing changed. Kept
//! outside git, and only ever saves time: whatever is judged by its digest is read.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::failure::Result;
use crate::store::{self, Fingerprint};

/// A file that changed this recently may change again within the same tick of its file system's clock.
const UNSETTLED: i64 = 2_000_000_000;

/// What a file looks like from outside. Equal before and after, its bytes are taken to be equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Look {
    bytes: u64,
    /// When its bytes last changed, in nanoseconds since 1970.
    modified: i64,
    /// When anything of it last changed: unlike the above, nobody can set it. 0 where the system has none.
    changed: i64,
    inode: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Known {
    look: Look,
    sha256: String,
}

/// The digests of one feature's files.
#[derive(Debug, Default)]
pub struct Digests {
    /// Where they are kept.
    file: Utf8PathBuf,
    known: RefCell<Option<Tables>>,
    learned: Cell<bool>,
    /// Where nothing changes meanwhile.
    looking: Option<Looking>,
}

/// What a command that only looks was answered before: it looks at one moment.
#[derive(Debug)]
struct Looking {
    /// Of the feature's files.
    own: RefCell<BTreeMap<Asked, Answer>>,
    /// Of templates, which all features ask for.
    common: Arc<Answers>,
}

/// What features have been answered about what they share.
#[derive(Debug, Default)]
pub struct Answers {
    files: Mutex<BTreeMap<Asked, Answer>>,
    /// Digests of settings, by their JSON as the type writes it: where that is equal, so is the canonical one.
    values: Mutex<BTreeMap<Vec<u8>, String>>,
}

type Asked = (Over, String);
type Answer = Option<String>;

#[derive(Debug, Default, Serialize, Deserialize)]
struct Tables {
    /// By the bytes as they are.
    exact: Table,
    /// By the text, whatever its line endings.
    text: Table,
}

/// By path. As text: paths compare part by part, which takes longer than all the rest.
type Table = BTreeMap<String, Known>;

/// What stands for the digest of what is no plain file.
const NO_FILE: &str = "no plain file";

/// What a digest is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Over {
    /// The bytes as they are.
    Bytes,
    /// The text: `\r\n` counts as `\n`, since a checkout on Windows may have turned one into the other.
    Text,
}

impl Tables {
    fn of(&mut self, over: Over) -> &mut Table {
        match over {
            Over::Bytes => &mut self.exact,
            Over::Text => &mut self.text,
        }
    }
}

impl Digests {
    /// What is kept in a file, read when it is first asked for. Nothing is written until [`Digests::save`].
    pub fn kept_in(file: Utf8PathBuf) -> Self {
        Digests { file, ..Digests::default() }
    }

    /// The same for a command that only looks: all that it asks is answered as of one moment, and nothing is learned.
    pub fn looked_up_in(file: Utf8PathBuf, common: Arc<Answers>) -> Self {
        let looking = Looking { own: RefCell::default(), common };
        Digests { looking: Some(looking), ..Self::kept_in(file) }
    }

    /// The digest of a file, or `None` if there is none. What is no plain file is not read: a pipe may have no end.
    pub fn of(&self, path: &Utf8Path, over: Over) -> Result<Option<String>> {
        let Some(looking) = &self.looking else { return self.ask(path, over) };
        let asked = (over, path.to_string());
        if let Some(answer) = looking.own.borrow().get(&asked) {
            return Ok(answer.clone());
        }
        let answer = self.ask(path, over)?;
        looking.own.borrow_mut().insert(asked, answer.clone());
        Ok(answer)
    }

    /// As [`Digests::of`], of a file that every feature depends on.
    pub fn of_common(&self, path: &Utf8Path, over: Over) -> Result<Option<String>> {
        let Some(looking) = &self.looking else { return self.ask(path, over) };
        let asked = (over, path.to_string());
        if let Some(answer) = held(&looking.common.files).get(&asked) {
            return Ok(answer.clone());
        }
        let answer = self.ask(path, over)?;
        held(&looking.common.files).insert(asked, answer.clone());
        Ok(answer)
    }

    /// The digest of a value's canonical JSON.
    pub fn of_value<T: Serialize>(&self, value: &T) -> Result<String> {
        let digest = || gate::canonical::digest(value).map_err(anyhow::Error::from);
        let Some(looking) = &self.looking else { return Ok(digest()?) };
        let written = serde_json::to_vec(value).map_err(anyhow::Error::from)?;
        if let Some(known) = held(&looking.common.values).get(&written) {
            return Ok(known.clone());
        }
        let digest = digest()?;
        held(&looking.common.values).insert(written, digest.clone());
        Ok(digest)
    }

    fn ask(&self, path: &Utf8Path, over: Over) -> Result<Option<String>> {
        let found = match std::fs::metadata(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            found => found.ok(),
        };
        if found.as_ref().is_some_and(|found| !found.is_file()) {
            return Ok(Some(NO_FILE.to_owned()));
        }
        let before = found.as_ref().and_then(look_of);
        if let Some(known) = before.as_ref().and_then(|before| self.known(path, over, before)) {
            return Ok(Some(known));
        }
        let sha256 = digest(path, over, found.map(|found| found.len()))?;
        if let (Some(sha256), None) = (&sha256, &self.looking) {
            self.remember(path, over, before.map(Before), sha256);
        }
        Ok(sha256)
    }

    /// What a file looks like before it is read.
    pub fn before(&self, path: &Utf8Path) -> Option<Before> {
        look(path)
    }

    /// Takes the digest of a file from somebody who read it whole, and looked at it before with [`Digests::before`].
    pub fn learn(&self, path: &Utf8Path, before: Option<Before>, print: &Fingerprint) {
        self.remember(path, Over::Bytes, before, &print.sha256);
    }

    fn remember(&self, path: &Utf8Path, over: Over, before: Option<Before>, sha256: &str) {
        let (Some(Before(before)), Some(Before(after))) = (before, look(path)) else { return };
        if before == after && !is_unsettled(&after) {
            let known = Known { look: after, sha256: sha256.to_owned() };
            self.with(|tables| tables.of(over).insert(path.to_string(), known));
            self.learned.set(true);
        }
    }

    fn known(&self, path: &Utf8Path, over: Over, now: &Look) -> Option<String> {
        self.with(|tables| {
            let known = tables.of(over).get(path.as_str()).filter(|known| known.look == *now)?;
            Some(known.sha256.clone())
        })
    }

    fn with<T>(&self, work: impl FnOnce(&mut Tables) -> T) -> T {
        work(self.known.borrow_mut().get_or_insert_with(|| self.load()))
    }

    /// A file that cannot be read, or is of another form, holds nothing.
    fn load(&self) -> Tables {
        let bytes = store::read_optional(&self.file).ok().flatten();
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Keeps what was learned. A failure costs time later, and nothing else.
    pub fn save(&self) {
        if !self.learned.replace(false) {
            return;
        }
        self.with(|tables| {
            for over in [Over::Bytes, Over::Text] {
                tables.of(over).retain(|path, _| Utf8Path::new(path).is_file());
            }
            if let Ok(bytes) = serde_json::to_vec(tables) {
                let _ = store::write_unsynced(&self.file, &bytes);
            }
        });
    }
}

/// The digest of a file of about so many bytes, or `None` if there is none.
fn digest(path: &Utf8Path, over: Over, bytes: Option<u64>) -> Result<Option<String>> {
    let whole = match (over, bytes) {
        (_, Some(bytes)) if store::is_small(bytes) => store::read_seen(path, bytes)?,
        (Over::Bytes, _) => return Ok(store::fingerprint(path)?.map(|print| print.sha256)),
        (Over::Text, _) => store::read_optional(path)?,
    };
    Ok(whole.map(|whole| match over {
        Over::Bytes => gate::canonical::sha256_hex(&whole),
        Over::Text => store::text_digest_of(&whole),
    }))
}

/// A thread that died while it held a table left nothing half-done in it.
fn held<T>(table: &Mutex<T>) -> MutexGuard<'_, T> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

/// See [`Digests::before`].
#[derive(Clone, Debug)]
pub struct Before(Look);

fn look(path: &Utf8Path) -> Option<Before> {
    look_of(&std::fs::metadata(path).ok()?).map(Before)
}

fn look_of(found: &Metadata) -> Option<Look> {
    if !found.is_file() {
        return None;
    }
    let modified = nanoseconds(found.modified().ok()?)?;
    let (changed, inode) = identity(found);
    Some(Look { bytes: found.len(), modified, changed, inode })
}

#[cfg(unix)]
fn identity(found: &Metadata) -> (i64, u64) {
    use std::os::unix::fs::MetadataExt;
    (found.ctime().saturating_mul(1_000_000_000).saturating_add(found.ctime_nsec()), found.ino())
}

#[cfg(not(unix))]
fn identity(_found: &Metadata) -> (i64, u64) {
    (0, 0)
}

fn is_unsettled(look: &Look) -> bool {
    let Some(now) = nanoseconds(SystemTime::now()) else { return true };
    let last = look.modified.max(look.changed);
    now.saturating_sub(last) <= UNSETTLED
}

fn nanoseconds(time: SystemTime) -> Option<i64> {
    time.duration_since(UNIX_EPOCH).ok()?.as_nanos().try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        (folder, path)
    }

    /// Remembers a file as one that was written long ago: the time of its last change cannot be set.
    fn settled(digests: &Digests, path: &Utf8Path) {
        let Before(look) = look(path).unwrap();
        for over in [Over::Bytes, Over::Text] {
            let sha256 = fresh(path, over).unwrap();
            let known = Known { look: look.clone(), sha256 };
            digests.with(|tables| tables.of(over).insert(path.to_string(), known));
        }
        digests.learned.set(true);
    }

    fn fresh(path: &Utf8Path, over: Over) -> Option<String> {
        Digests::default().of(path, over).unwrap()
    }

    #[test]
    fn a_file_that_just_changed_is_not_trusted() {
        let (_folder, root) = workspace();
        let (file, cache) = (root.join("a"), root.join("cache.json"));
        std::fs::write(&file, "one").unwrap();
        let digests = Digests::kept_in(cache.clone());
        digests.of(&file, Over::Bytes).unwrap().unwrap();
        digests.save();
        assert!(!cache.exists());
    }

    #[test]
    fn what_is_kept_serves_as_long_as_the_file_looks_the_same() {
        let (_folder, root) = workspace();
        let (file, cache) = (root.join("a"), root.join("cache.json"));
        std::fs::write(&file, "one").unwrap();
        let digests = Digests::kept_in(cache.clone());
        settled(&digests, &file);
        digests.save();
        let again = Digests::kept_in(cache.clone());
        let is_known = |file| again.known(file, Over::Bytes, &look(file).unwrap().0).is_some();
        assert!(is_known(&file));
        std::fs::write(&file, "two").unwrap();
        assert!(!is_known(&file));
        assert_eq!(again.of(&file, Over::Bytes).unwrap(), fresh(&file, Over::Bytes));
        for broken in ["", "{", "[]", "{\"a\":1}", "{\"exact\":{},\"text\":{\"a\":1}}"] {
            std::fs::write(&cache, broken).unwrap();
            let after = Digests::kept_in(cache.clone());
            assert_eq!(after.of(&file, Over::Bytes).unwrap(), fresh(&file, Over::Bytes), "{broken}");
        }
        assert_eq!(again.of(&root.join("none"), Over::Bytes).unwrap(), None);
    }

    #[test]
    fn a_command_that_looks_is_answered_as_of_one_moment() {
        let (_folder, root) = workspace();
        let (own, shared, cache) = (root.join("own"), root.join("shared"), root.join("cache.json"));
        for file in [&own, &shared] {
            std::fs::write(file, "one").unwrap();
        }
        let common = Arc::default();
        let look = || Digests::looked_up_in(cache.clone(), Arc::clone(&common));
        let (first, second) = (look(), look());
        let before = fresh(&own, Over::Bytes);
        let ask = |digests: &Digests| {
            let own = digests.of(&own, Over::Bytes).unwrap();
            (own, digests.of_common(&shared, Over::Text).unwrap())
        };
        assert_eq!(ask(&first), (before.clone(), before.clone()));
        for file in [&own, &shared] {
            std::fs::write(file, "two").unwrap();
        }
        let after = fresh(&own, Over::Bytes);
        assert_eq!(ask(&first), (before.clone(), before.clone()), "the same moment");
        assert_eq!(ask(&second), (after, before), "another feature, and what both share");
        first.save();
        assert!(!cache.exists());
    }

    #[test]
    fn line_endings_are_no_part_of_a_text() {
        let (_folder, root) = workspace();
        let (windows, unix) = (root.join("a"), root.join("b"));
        std::fs::write(&windows, "one\r\ntwo\rthree\r\n\r\n").unwrap();
        std::fs::write(&unix, "one\ntwo\rthree\n\n").unwrap();
        assert_eq!(fresh(&windows, Over::Text), fresh(&unix, Over::Text));
        assert_eq!(fresh(&unix, Over::Text), fresh(&unix, Over::Bytes));
        assert_ne!(fresh(&windows, Over::Bytes), fresh(&unix, Over::Bytes));
    }
}
