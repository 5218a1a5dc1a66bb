//! Where a signing key comes from: a file or a variable, and never a place that git keeps.

use std::fs::{self, File};
use std::io::Write as _;

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};
use gate::code::Code;
use gate::lang::Lang;
use gate::say;

use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::git::Git;
use crate::keys::{SigningKey, VARIABLE};
use crate::store;

/// How PEM begins, and no path does.
const PEM: &str = "-----BEGIN";

/// The key that a command is given, if it is given one.
pub fn given(file: Option<&Utf8Path>, lang: Lang) -> Result<Option<SigningKey>> {
    if let Some(file) = file {
        return read(file, lang).map(Some);
    }
    match std::env::var(VARIABLE) {
        Ok(value) if value.trim().is_empty() => Ok(None),
        Ok(value) if value.trim_start().starts_with(PEM) => {
            SigningKey::from_pem(&value).map(Some).ok_or_else(|| no_key(VARIABLE, lang))
        }
        Ok(value) => read(Utf8Path::new(&value), lang).map(Some),
        Err(_) => Ok(None),
    }
}

/// The key in a file that nobody else has.
fn read(file: &Utf8Path, lang: Lang) -> Result<SigningKey> {
    let Ok(at) = file.canonicalize_utf8() else { return Err(unusable(file, lang)) };
    if store::kind(&at)? != store::Kind::File {
        return Err(unusable(file, lang));
    }
    require_private(&at, file, lang)?;
    let bytes = store::read(&at)?;
    let key = std::str::from_utf8(&bytes).ok().and_then(SigningKey::from_pem);
    key.ok_or_else(|| no_key(file.as_str(), lang))
}

/// Makes a key in a file that was not there.
pub fn make(file: &Utf8Path, lang: Lang) -> Result<SigningKey> {
    let folder = match file.parent() {
        Some(folder) if !folder.as_str().is_empty() => folder,
        _ => Utf8Path::new("."),
    };
    store::create_folder(folder)?;
    let (Ok(folder), Some(name)) = (folder.canonicalize_utf8(), file.file_name()) else {
        return Err(unusable(file, lang));
    };
    let at = folder.join(name);
    let key = SigningKey::generate();
    let mut made = match create(&at) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let message = say!(lang, "{file} is there already", "{file} 已存在");
            return Err(Failure::coded(
                Ending::InvalidInput,
                Code::KeyExists,
                message,
                Code::KeyExists.help(lang),
            ));
        }
        made => made.with_context(|| format!("failed to write {file}"))?,
    };
    // Only of a file that is there git says whether it ignores it; nothing is in it yet.
    if let Err(exposed) = require_private(&at, file, lang) {
        store::remove_file(&at)?;
        return Err(exposed);
    }
    made.write_all(key.to_pem().as_bytes())
        .and_then(|()| made.sync_all())
        .with_context(|| format!("failed to write {file}"))?;
    Ok(key)
}

/// A new file that only its owner reads.
fn create(at: &Utf8Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(at)
}

/// Refuses a file that git keeps or others may read. `at` is where it really is, `file` what it was called.
fn require_private(at: &Utf8Path, file: &Utf8Path, lang: Lang) -> Result<()> {
    let message = if is_open(at)? {
        say!(lang, "{file} may be read by others", "{file} 可被他人读取")
    } else if is_kept_by_git(at, lang)? {
        say!(
            lang,
            "{file} lies in a git repository that does not ignore it",
            "{file} 位于 git 仓库中且未被忽略"
        )
    } else {
        return Ok(());
    };
    Err(Failure::coded(Ending::InvalidInput, Code::KeyExposed, message, Code::KeyExposed.help(lang)))
}

#[cfg(unix)]
fn is_open(at: &Utf8Path) -> Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    let found = fs::metadata(at).with_context(|| format!("failed to look at {at}"))?;
    Ok(found.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open(at: &Utf8Path) -> Result<bool> {
    fs::metadata(at).with_context(|| format!("failed to look at {at}"))?;
    Ok(false)
}

/// Whether the nearest repository tracks a file, or would.
fn is_kept_by_git(at: &Utf8Path, lang: Lang) -> Result<bool> {
    let repository = at.ancestors().skip(1).find(|folder| folder.join(".git").exists());
    let Some(repository) = repository else { return Ok(false) };
    let inside: Utf8PathBuf = at.strip_prefix(repository).unwrap_or(at).components().collect();
    Ok(!Git::at(repository, lang).is_ignored(inside.as_str())?)
}

fn unusable(file: &Utf8Path, lang: Lang) -> Failure {
    let message = say!(lang, "there is no file {file}", "没有文件 {file}");
    Failure::coded(Ending::InvalidInput, Code::KeyUnusable, message, Code::KeyUnusable.help(lang))
}

fn no_key(what: &str, lang: Lang) -> Failure {
    let message = say!(
        lang,
        "{what} holds no Ed25519 key in PKCS#8 PEM",
        "{what} 中没有 PKCS#8 PEM 格式的 Ed25519 密钥"
    );
    Failure::coded(Ending::InvalidInput, Code::KeyUnusable, message, Code::KeyUnusable.help(lang))
}
