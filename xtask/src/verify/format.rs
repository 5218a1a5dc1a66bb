//! Whether this program can read what is there at all: artifacts of its own format, with line endings as it writes them.

use camino::{Utf8Path, Utf8PathBuf};
use gate::code::Code;
use gate::problem::Problem;
use gate::say;
use serde::Deserialize;

use super::subject::Subject;
use crate::documents::{AUDIT_FORMAT, FORMAT, LOCK_FORMAT};
use crate::failure::Result;
use crate::paths::{self, OfRound};

/// All that is asked of an artifact here.
#[derive(Deserialize)]
struct Numbered {
    format: u32,
}

/// Says which artifacts another version wrote. Whatever else is wrong with one is for the other checks to find.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let context = subject.context;
    if let Some(problem) = line_endings(subject)? {
        return Ok(vec![problem]);
    }
    let mut artifacts = vec![(context.paths.lock(), LOCK_FORMAT), (context.paths.review("json"), FORMAT)];
    artifacts.push((context.paths.acceptance("json"), AUDIT_FORMAT));
    for round in &subject.rounds {
        artifacts.push((context.paths.audit(round.number, "json"), AUDIT_FORMAT));
        artifacts.push((context.paths.rework(round.number, "json"), AUDIT_FORMAT));
        for name in context.files.list(&context.paths.round(round.number))? {
            let is_ours = matches!(paths::of_round(&name), Some(OfRound::Record | OfRound::Derived));
            if is_ours && name.ends_with(".json") {
                artifacts.push((context.paths.in_round(round.number, &name), FORMAT));
            }
        }
    }
    let mut problems = Vec::new();
    for (path, format) in artifacts {
        problems.extend(of_another(subject, &path, format)?);
    }
    Ok(problems)
}

fn of_another(subject: &Subject<'_, '_>, path: &Utf8PathBuf, format: u32) -> Result<Option<Problem>> {
    let Some(bytes) = subject.context.files.read(path)? else { return Ok(None) };
    let Ok(Numbered { format: found }) = serde_json::from_slice(&bytes) else { return Ok(None) };
    let lang = subject.context.lang();
    let message = say!(
        lang,
        "{path} is of format {found}, and this program reads format {format}",
        "{path} 的格式版本是 {found}，而本程序读取的版本是 {format}"
    );
    Ok((found != format).then(|| subject.finding(Code::FormatOther, path, message)))
}

/// A checkout that turned every line ending changed every digest.
fn line_endings(subject: &Subject<'_, '_>) -> Result<Option<Problem>> {
    let path = subject.context.paths.lock();
    let bytes = subject.context.files.read(&path)?.unwrap_or_default();
    let is_turned = |line: &[u8]| line.is_empty() || line.ends_with(b"\r");
    if bytes.is_empty() || !bytes.contains(&b'\n') || !bytes.split(|byte| *byte == b'\n').all(is_turned) {
        return Ok(None);
    }
    let message = say!(
        subject.context.lang(),
        "git turned the line endings of {} when it was checked out",
        "git 在检出时改变了 {} 的换行符",
        Utf8Path::new(path.as_str()).parent().unwrap_or(&path)
    );
    Ok(Some(subject.finding(Code::LineEndings, &path, message)))
}
