//! Evidence: every recorded file, by its bytes.

use gate::code::Code;
use gate::problem::Problem;
use gate::say;

use super::subject::Subject;
use crate::documents::{Evidence, FileRecord};
use crate::failure::Result;
use crate::paths;
use crate::stages;
use crate::store::Kind;

/// See the module. Whether an audit already said the same makes no difference: a file that is not what was recorded is
/// not evidence of anything.
pub fn check(subject: &Subject<'_, '_>) -> Result<Vec<Problem>> {
    let context = subject.context;
    let mut problems = Vec::new();
    for round in &subject.rounds {
        let path = context.paths.in_round(round.number, "evidence.json");
        let (recorded, refused) = super::findings(context.artifact_if_any::<Evidence>(&path, "evidence"))?;
        problems.extend(refused);
        let Some(Some(recorded)) = recorded else { continue };
        for file in recorded.collected.iter().filter_map(|entry| entry.file.as_ref()) {
            problems.extend(of(subject, round.number, file)?);
        }
    }
    Ok(problems)
}

fn of(subject: &Subject<'_, '_>, round: u32, file: &FileRecord) -> Result<Option<Problem>> {
    let (context, lang) = (subject.context, subject.context.lang());
    let path = context.paths.in_round(round, &file.path);
    let is_inside = paths::stays_inside(&file.path) && file.path.starts_with("evidence/");
    let is_named = file.sha256.len() == 64 && file.sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_inside || !is_named {
        let message = say!(lang, "{path} is no place of evidence", "{path} 不是证据应在的位置");
        return Ok(Some(subject.finding(Code::ArtifactBroken, &path, message)));
    }
    let store = &context.pipeline.store.external;
    let (code, message) = match stages::evidence_kind(context, round, file)? {
        Kind::Absent if file.external => (
            Code::EvidenceUnavailable,
            say!(lang, "{path} is kept in {store}, and is not there", "{path} 保存在 {store}，但那里没有"),
        ),
        Kind::Absent => (Code::EvidenceMissing, say!(lang, "{path} is gone", "{path} 已丢失")),
        Kind::File => match stages::evidence_print(context, round, file)? {
            Some(now) if now.sha256 == file.sha256 && now.bytes == file.bytes => return Ok(None),
            _ => (
                Code::EvidenceChanged,
                say!(
                    lang,
                    "{path} has other bytes than were recorded ({})",
                    "{path} 与记录的字节不一致（{}）",
                    file.sha256
                ),
            ),
        },
        Kind::Folder | Kind::Link | Kind::Special => {
            (Code::EvidenceChanged, say!(lang, "{path} is no plain file any more", "{path} 已不是普通文件"))
        }
    };
    Ok(Some(subject.finding(code, &path, message)))
}
