//! Files: read with their path in every error, written whole or not at all, hashed while they are copied.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::sync::mpsc;

use anyhow::Context;
use camino::{Utf8Path, Utf8PathBuf};
use gate::canonical::hex;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::failure::Result;
use crate::fault;

/// How the names of files that are being written begin.
const TEMPORARY: &str = ".tmp-";

/// How much is read at a time.
const CHUNK: usize = 256 * 1024;

/// The bytes of a file, or `None` if there is none.
pub fn read_optional(path: &Utf8Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(anyhow::Error::new(error).context(format!("failed to read {path}")).into()),
    }
}

/// The bytes of a file.
pub fn read(path: &Utf8Path) -> Result<Vec<u8>> {
    Ok(fs::read(path).with_context(|| format!("failed to read {path}"))?)
}

/// The bytes of a JSON artifact: two spaces, a final newline, keys in the order of the type.
pub fn json_bytes<T: Serialize>(value: &T) -> Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value).context("failed to write JSON")?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Writes a file whole or not at all: to a temporary file beside it, synced, then renamed over it.
pub fn write(path: &Utf8Path, bytes: &[u8]) -> Result<()> {
    write_with(path, |file| file.write_all(bytes))
}

/// As [`write`], for bytes that are not all in memory.
pub fn write_with(path: &Utf8Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let folder = path.parent().unwrap_or(Utf8Path::new("."));
    create_folder(folder)?;
    let mut temporary = temporary_in(folder)?;
    let mut buffered = io::BufWriter::with_capacity(CHUNK, temporary.as_file_mut());
    fill(&mut buffered).and_then(|()| buffered.flush()).with_context(|| format!("failed to write {path}"))?;
    drop(buffered);
    persist(temporary, path)
}

/// As [`write`], for what may be lost: whole or not at all, but not synced.
pub fn write_unsynced(path: &Utf8Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Utf8Path::new("."));
    create_folder(folder)?;
    let mut temporary = temporary_in(folder)?;
    temporary.write_all(bytes).with_context(|| format!("failed to write {path}"))?;
    temporary
        .persist(path)
        .map_err(|error| error.error)
        .with_context(|| format!("failed to write {path}"))?;
    Ok(())
}

/// A temporary file that is gone unless it is persisted.
fn temporary_in(folder: &Utf8Path) -> Result<tempfile::NamedTempFile> {
    Ok(tempfile::Builder::new()
        .prefix(TEMPORARY)
        .tempfile_in(folder)
        .with_context(|| format!("failed to make a file in {folder}"))?)
}

/// Syncs a temporary file and renames it: after this, readers see all of it.
fn persist(temporary: tempfile::NamedTempFile, path: &Utf8Path) -> Result<()> {
    make_readable(temporary.as_file()).with_context(|| format!("failed to write {path}"))?;
    temporary.as_file().sync_all().with_context(|| format!("failed to sync {path}"))?;
    fault::point();
    temporary
        .persist(path)
        .map_err(|error| error.error)
        .with_context(|| format!("failed to write {path}"))?;
    fault::point();
    Ok(())
}

/// Temporary files are private to their owner; artifacts are committed and read by others.
#[cfg(unix)]
fn make_readable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_file: &File) -> io::Result<()> {
    Ok(())
}

/// Writes a JSON artifact whole or not at all.
pub fn write_json<T: Serialize>(path: &Utf8Path, value: &T) -> Result<()> {
    write(path, &json_bytes(value)?)
}

/// Makes a folder and those above it.
pub fn create_folder(folder: &Utf8Path) -> Result<()> {
    Ok(fs::create_dir_all(folder).with_context(|| format!("failed to make the folder {folder}"))?)
}

/// Removes a file; one that is not there is fine.
pub fn remove_file(path: &Utf8Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(anyhow::Error::new(error).context(format!("failed to remove {path}")).into())
        }
        _ => {
            fault::point();
            Ok(())
        }
    }
}

/// Removes a folder with all that is in it; one that is not there is fine.
pub fn remove_folder(path: &Utf8Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(anyhow::Error::new(error).context(format!("failed to remove {path}")).into())
        }
        _ => {
            fault::point();
            Ok(())
        }
    }
}

/// Removes whatever stands at a path; a link, not what it leads to.
pub fn remove_any(path: &Utf8Path) -> Result<()> {
    match kind(path)? {
        Kind::Absent => Ok(()),
        Kind::Folder => remove_folder(path),
        Kind::File | Kind::Link | Kind::Special => remove_file(path),
    }
}

/// Copies a file with its permissions, for what nobody else may read.
pub fn copy_private(from: &Utf8Path, to: &Utf8Path) -> Result<()> {
    create_folder(to.parent().unwrap_or(Utf8Path::new(".")))?;
    fs::copy(from, to).with_context(|| format!("failed to copy {from} to {to}"))?;
    Ok(())
}

/// Size and SHA-256 of a file's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// In bytes.
    pub bytes: u64,
    /// Lower-case hexadecimal.
    pub sha256: String,
}

/// Size and digest of a file, or `None` if there is none. Read once, in pieces.
pub fn fingerprint(path: &Utf8Path) -> Result<Option<Fingerprint>> {
    let failed = || format!("failed to read {path}");
    let Some(file) = open(path)? else { return Ok(None) };
    let bytes = file.metadata().map_or(u64::MAX, |found| found.len());
    Ok(Some(match is_small(bytes) {
        true => fingerprint_of_bytes(&whole(file, bytes).with_context(failed)?),
        false => pump(file, &mut io::sink()).with_context(failed)?,
    }))
}

/// Whether a file is read whole: most are small.
pub fn is_small(bytes: u64) -> bool {
    bytes < CHUNK as u64
}

/// The bytes of a file that was seen to hold about so many a moment ago, or `None` if it is gone.
pub fn read_seen(path: &Utf8Path, bytes: u64) -> Result<Option<Vec<u8>>> {
    let Some(file) = open(path)? else { return Ok(None) };
    Ok(Some(whole(file, bytes).with_context(|| format!("failed to read {path}"))?))
}

/// What a reader wants beyond the bytes there are, to see that there are no more.
const PROBE: usize = 64;

/// All of a file of about so many bytes, into memory that nobody clears first: that would take longer.
fn whole(file: File, bytes: u64) -> io::Result<Vec<u8>> {
    let mut whole = Vec::with_capacity(usize::try_from(bytes).unwrap_or_default().saturating_add(PROBE));
    // Unlike a file by itself, its taking asks for no size again.
    file.take(u64::MAX).read_to_end(&mut whole)?;
    Ok(whole)
}

fn open(path: &Utf8Path) -> Result<Option<File>> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(anyhow::Error::new(error).context(format!("failed to read {path}")).into()),
    }
}

/// The digest of a text whose lines may end either way: that of the text with plain line feeds.
pub fn text_digest_of(bytes: &[u8]) -> String {
    if !bytes.contains(&b'\r') {
        return hex(&Sha256::digest(bytes));
    }
    let mut plain = Vec::with_capacity(bytes.len());
    for (index, byte) in bytes.iter().enumerate() {
        if !(*byte == b'\r' && bytes.get(index + 1) == Some(&b'\n')) {
            plain.push(*byte);
        }
    }
    hex(&Sha256::digest(&plain))
}

/// Size and digest of what is in memory.
pub fn fingerprint_of_bytes(bytes: &[u8]) -> Fingerprint {
    Fingerprint { bytes: bytes.len() as u64, sha256: hex(&Sha256::digest(bytes)) }
}

/// Size and digest of what a reader gives to its end.
pub fn fingerprint_of(mut from: impl Read) -> io::Result<Fingerprint> {
    let mut hash = Sha256::new();
    let mut bytes = 0;
    let mut chunk = vec![0; CHUNK];
    loop {
        let read = from.read(&mut chunk)?;
        if read == 0 {
            return Ok(Fingerprint { bytes, sha256: hex(&hash.finalize()) });
        }
        hash.update(chunk.get(..read).unwrap_or_default());
        bytes += read as u64;
    }
}

/// Copies a file while hashing it: one read, and the copy appears whole or not at all.
pub fn copy_hashed(from: &Utf8Path, to: &Utf8Path) -> Result<Fingerprint> {
    let folder = to.parent().unwrap_or(Utf8Path::new("."));
    create_folder(folder)?;
    let source = File::open(from).with_context(|| format!("failed to read {from}"))?;
    let mut temporary = temporary_in(folder)?;
    let fingerprint =
        pump(source, &mut temporary).with_context(|| format!("failed to copy {from} to {to}"))?;
    persist(temporary, to)?;
    Ok(fingerprint)
}

/// How many pieces may wait for their hashing.
const AHEAD: usize = 4;

/// Moves bytes from a reader to a writer, counting and hashing them beside the reading and writing: each takes about as
/// long as the other.
fn pump(mut from: impl Read, to: &mut impl Write) -> io::Result<Fingerprint> {
    std::thread::scope(|scope| {
        let (pieces, waiting) = mpsc::sync_channel::<Vec<u8>>(AHEAD);
        let (used, free) = mpsc::channel();
        let hashing = scope.spawn(move || {
            let mut hash = Sha256::new();
            for piece in waiting {
                hash.update(&piece);
                // Nobody takes it back at the end.
                let _ = used.send(piece);
            }
            hash.finalize()
        });
        let mut bytes = 0;
        loop {
            let mut piece = free.try_recv().unwrap_or_default();
            piece.resize(CHUNK, 0);
            let read = from.read(&mut piece)?;
            if read == 0 {
                break;
            }
            piece.truncate(read);
            to.write_all(&piece)?;
            bytes += read as u64;
            if pieces.send(piece).is_err() {
                break;
            }
        }
        drop(pieces);
        let digest = hashing.join().map_err(|_| io::Error::other("the hashing thread died"))?;
        Ok(Fingerprint { bytes, sha256: hex(&digest) })
    })
}

/// The names of the entries of a folder, sorted; none if there is no such folder.
pub fn list(folder: &Utf8Path) -> Result<Vec<String>> {
    let mut names: Vec<String> = entries(folder)?.into_iter().map(|(name, _)| name).collect();
    names.sort();
    Ok(names)
}

/// The names of the entries of a folder, each with whether it is a folder itself; none if there is no such folder. A link
/// to one is none.
fn entries(folder: &Utf8Path) -> Result<Vec<(String, bool)>> {
    let failed = || format!("failed to list {folder}");
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            return Err(anyhow::Error::new(error).context(failed()).into());
        }
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.with_context(failed)?;
        // A name that is no UTF-8 is none of ours.
        if let Ok(name) = entry.file_name().into_string() {
            found.push((name, entry.file_type().with_context(failed)?.is_dir()));
        }
    }
    Ok(found)
}

/// Every file below a folder, as paths relative to it, sorted. Links are named, not followed.
pub fn files_below(folder: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![Utf8PathBuf::new()];
    while let Some(inner) = open.pop() {
        for (name, is_folder) in entries(&folder.join(&inner))? {
            let relative = inner.join(name);
            if is_folder { open.push(relative) } else { found.push(relative) }
        }
    }
    found.sort();
    Ok(found)
}

/// Moves a file to where its name says what it holds: one that is there already is the same.
pub fn move_file(from: &Utf8Path, to: &Utf8Path) -> Result<()> {
    create_folder(to.parent().unwrap_or(Utf8Path::new(".")))?;
    if fs::rename(from, to).is_ok() {
        return Ok(());
    }
    // Another file system: copied, then removed.
    copy_hashed(from, to)?;
    remove_file(from)
}

/// Moves a folder or file into place.
pub fn rename(from: &Utf8Path, to: &Utf8Path) -> Result<()> {
    fault::point();
    Ok(fs::rename(from, to).with_context(|| format!("failed to move {from} to {to}"))?)
}

/// Removes what a run that was killed left half-written below a folder.
pub fn sweep(folder: &Utf8Path) -> Result<()> {
    for file in files_below(folder)? {
        if file.file_name().is_some_and(|name| name.starts_with(TEMPORARY)) {
            remove_file(&folder.join(file))?;
        }
    }
    Ok(())
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing.
    Absent,
    /// A plain file.
    File,
    /// A folder.
    Folder,
    /// A link, whatever it leads to.
    Link,
    /// A pipe, a socket, a device: reading it may never end.
    Special,
}

/// Where a link leads to, as it is written in it.
pub fn link_target(path: &Utf8Path) -> Result<Utf8PathBuf> {
    let target = fs::read_link(path).with_context(|| format!("failed to read the link {path}"))?;
    // One that is no UTF-8 is as good as any other that is not what was there.
    Ok(Utf8PathBuf::from(target.to_string_lossy().into_owned()))
}

/// The size of a file in bytes.
pub fn size(path: &Utf8Path) -> Result<u64> {
    Ok(fs::metadata(path).with_context(|| format!("failed to look at {path}"))?.len())
}

/// What stands at a path; links are not followed.
pub fn kind(path: &Utf8Path) -> Result<Kind> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => Ok(Kind::Link),
        Ok(found) if found.is_dir() => Ok(Kind::Folder),
        Ok(found) if found.is_file() => Ok(Kind::File),
        Ok(_) => Ok(Kind::Special),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Kind::Absent),
        Err(error) => Err(anyhow::Error::new(error).context(format!("failed to look at {path}")).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_file_has_the_digest_of_a_small_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = Utf8PathBuf::from_path_buf(folder.path().join("file")).unwrap();
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK + 7] {
            let bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            std::fs::write(&file, &bytes).unwrap();
            let mut moved = Vec::new();
            let expected = Fingerprint { bytes: length as u64, sha256: hex(&Sha256::digest(&bytes)) };
            assert_eq!(pump(bytes.as_slice(), &mut moved).unwrap(), expected, "{length}");
            assert_eq!(fingerprint_of(bytes.as_slice()).unwrap(), expected, "{length}");
            assert_eq!(fingerprint(&file).unwrap().as_ref(), Some(&expected), "{length}");
            assert!(moved == bytes, "{length}");
        }
    }
}
