//! `new`: a commented starter pack.

use gate::code::Code;
use gate::lang::Lang;
use gate::say;
use serde_json::json;

use super::answer::Answer;
use super::{Session, require_name};
use crate::cli;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::paths::{FeaturePaths, Root};
use crate::store;

pub fn run(session: &Session, args: &cli::New) -> Result<Answer> {
    let feature = &args.feature.feature;
    let lang = args.lang.asked().unwrap_or(session.pipeline.lang);
    require_name(feature, lang)?;
    let file = FeaturePaths::new(feature).authored().join("pack.yaml");
    if session.root.join(&file).exists() {
        let message = say!(lang, "{file} is there already", "{file} 已存在");
        let help = say!(lang, "edit it, or choose another id", "请直接编辑它，或换一个 id");
        return Err(Failure::coded(Ending::InvalidInput, Code::FeatureExists, message, help));
    }
    let starter = starter(&session.root, lang);
    store::write(&session.root.join(&file), starter.replace("FEATURE", feature).as_bytes())?;
    let text = say!(
        lang,
        "{file}\nedit it, then: cargo xtask check {feature}",
        "{file}\n编辑后运行：cargo xtask check {feature}"
    );
    Ok(Answer::yes(text, json!({ "feature": feature, "written": [file] })))
}

/// A commented pack that stands on its own. It names the schema only where that is.
pub fn starter(root: &Root, lang: Lang) -> String {
    let text = lang.pick(include_str!("starter.en.yaml"), include_str!("starter.zh.yaml"));
    if root.join("docs/schemas/pack.schema.json").is_file() {
        return text.to_owned();
    }
    text.split_once('\n').map_or(text, |(_, rest)| rest).to_owned()
}
