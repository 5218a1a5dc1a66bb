//! The pack as its author wrote it.

use std::sync::Arc;

use camino::Utf8PathBuf;
use gate::code::Code;
use gate::decode::Decoded;
use gate::problem::Problem;
use gate::say;

use crate::context::Context;
use crate::document;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::store;

/// A pack that was decoded without an error.
#[derive(Debug)]
pub struct Authored {
    /// The file, relative to the root.
    pub file: Utf8PathBuf,
    /// The pack and where its criteria stand.
    pub decoded: gate::decode::Authored,
    /// The digest that it would be frozen under.
    pub pack_sha256: String,
    /// Findings that do not refuse it.
    pub warnings: Vec<Problem>,
}

/// The pack; every error in it is reported. It is read once, see [`Context::forget`].
pub fn pack(context: &Context<'_>) -> Result<Arc<Authored>> {
    context.authored(|| read(context))
}

fn read(context: &Context<'_>) -> Result<Authored> {
    let file = file(context)?;
    let lang = context.lang();
    let bytes = context.files.read(&file)?.unwrap_or_default();
    let read = document::parse(file.as_str(), &bytes, lang)
        .map(|node| gate::decode::pack(&node, file.as_str(), &context.feature, lang));
    match read {
        Ok(Decoded { value: Some(decoded), problems: warnings }) => {
            let pack_sha256 = gate::audit::pack_digest(&decoded.pack).map_err(anyhow::Error::from)?;
            Ok(Authored { file, decoded, pack_sha256, warnings })
        }
        Ok(Decoded { value: None, problems }) | Err(problems) => {
            Err(Failure::Problems { ending: Ending::InvalidInput, problems })
        }
    }
}

/// The one file that an author wrote: `pack.yaml`, `pack.yml` or `pack.json`.
pub fn file(context: &Context<'_>) -> Result<Utf8PathBuf> {
    let lang = context.lang();
    let folder = context.paths.authored();
    let names = ["pack.yaml", "pack.yml", "pack.json"];
    let mut there = Vec::new();
    for path in names.iter().map(|name| folder.join(name)) {
        // A link to a pack is followed as it always was: what counts is what it says.
        if !matches!(context.files.kind(&path)?, store::Kind::Absent | store::Kind::Folder) {
            there.push(path);
        }
    }
    let mut found = there.into_iter();
    match (found.next(), found.next()) {
        (Some(file), None) => Ok(file),
        (Some(first), Some(second)) => {
            let message = say!(
                lang,
                "there are two packs, {first} and {second}",
                "存在两个验收包：{first} 与 {second}"
            );
            let help = say!(lang, "keep one of them", "请只保留其中一个");
            Err(Failure::coded(Ending::InvalidInput, Code::PackAmbiguous, message, help))
        }
        (None, _) => {
            let feature = &context.feature;
            let message = say!(lang, "there is no pack in {folder}", "{folder} 中没有验收包");
            let help = say!(
                lang,
                "write {folder}/pack.yaml, or make a starter with cargo xtask new {feature}",
                "请编写 {folder}/pack.yaml，或用 cargo xtask new {feature} 生成初稿"
            );
            Err(Failure::coded(Ending::InvalidInput, Code::PackMissing, message, help))
        }
    }
}
