//! The files of a folder, each as it was when it was first read: many checks of one moment judge the same bytes, and read and
//! hash them once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{BufRead, Cursor};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::HELD;
use crate::failure::Result;
use crate::store::{self, Fingerprint};

/// See the module. What is larger than is worth holding is read again, and hashed once.
#[derive(Debug)]
pub struct Seen {
    /// Absolute.
    folder: Utf8PathBuf,
    files: RefCell<BTreeMap<String, Arc<[u8]>>>,
    prints: RefCell<BTreeMap<String, Fingerprint>>,
}

impl Seen {
    /// Nothing is read yet.
    pub fn new(folder: Utf8PathBuf) -> Self {
        Seen { folder, files: RefCell::default(), prints: RefCell::default() }
    }

    pub(super) fn at(&self, path: &Utf8Path) -> Utf8PathBuf {
        self.folder.join(path)
    }

    pub(super) fn read(&self, path: &Utf8Path) -> Result<Option<Vec<u8>>> {
        match self.held(path)? {
            Some(bytes) => Ok(Some(bytes.to_vec())),
            None => store::read_optional(&self.at(path)),
        }
    }

    pub(super) fn open(&self, path: &Utf8Path) -> Result<Option<Box<dyn BufRead>>> {
        match self.held(path)? {
            Some(bytes) => Ok(Some(Box::new(Cursor::new(bytes)))),
            None => super::open(&self.at(path)),
        }
    }

    pub(super) fn fingerprint(&self, path: &Utf8Path) -> Result<Option<Fingerprint>> {
        if let Some(known) = self.prints.borrow().get(path.as_str()) {
            return Ok(Some(known.clone()));
        }
        let print = match self.held(path)? {
            Some(bytes) => Some(store::fingerprint_of_bytes(&bytes)),
            None => store::fingerprint(&self.at(path))?,
        };
        if let Some(print) = &print {
            self.prints.borrow_mut().insert(path.to_string(), print.clone());
        }
        Ok(print)
    }

    /// The bytes of a file that is small enough to be held, and is there.
    fn held(&self, path: &Utf8Path) -> Result<Option<Arc<[u8]>>> {
        if let Some(known) = self.files.borrow().get(path.as_str()) {
            return Ok(Some(Arc::clone(known)));
        }
        let absolute = self.at(path);
        let bytes = match std::fs::metadata(&absolute) {
            Ok(found) if found.is_file() && found.len() <= HELD => store::read_seen(&absolute, found.len())?,
            _ => None,
        };
        let bytes: Option<Arc<[u8]>> = bytes.map(Arc::from);
        if let Some(bytes) = &bytes {
            self.files.borrow_mut().insert(path.to_string(), Arc::clone(bytes));
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_it_was_when_it_was_first_read() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        let seen = Seen::new(root.clone());
        let large = vec![b'x'; usize::try_from(HELD).unwrap() + 1];
        std::fs::write(root.join("small"), "one").unwrap();
        std::fs::write(root.join("large"), &large).unwrap();
        let (small, big) = (Utf8Path::new("small"), Utf8Path::new("large"));
        assert_eq!(seen.read(Utf8Path::new("later")).unwrap(), None);
        let prints = || [small, big].map(|path| seen.fingerprint(path).unwrap().unwrap());
        let before = prints();
        for path in ["small", "large", "later"] {
            std::fs::write(root.join(path), "two").unwrap();
        }
        assert_eq!(prints(), before);
        assert_eq!(before[1].bytes, HELD + 1);
        assert_eq!(seen.read(small).unwrap().unwrap(), b"one");
        let mut text = String::new();
        seen.open(small).unwrap().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "one");
        assert_eq!(seen.read(Utf8Path::new("later")).unwrap().unwrap(), b"two", "it was not there before");
    }
}
