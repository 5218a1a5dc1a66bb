//! The pipeline: read ([`decode`] into [`model`]), ordered ([`plan`]), and run ([`run`]) round by round,
//! with a record of what is up to date ([`state`]). [`survey`] tells where everything stands, and changes nothing.

pub mod convergence;
pub mod decode;
pub mod lock;
pub mod model;
pub mod plan;
pub mod run;
pub mod selection;
pub mod state;
pub mod survey;
pub mod work;

use gate::code::Code;
use gate::lang::Lang;
use gate::say;

use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::paths::Root;
use crate::{document, store};
use model::Pipeline;

/// Reads `pipeline.yaml`. Every finding in it is reported.
pub fn load(root: &Root) -> Result<Pipeline> {
    let Some(bytes) = store::read_optional(&root.join(Root::PIPELINE))? else {
        return Err(missing(Lang::En));
    };
    read(&bytes)
}

/// Reads the text of a `pipeline.yaml`.
pub fn read(bytes: &[u8]) -> Result<Pipeline> {
    let lang = Lang::En;
    let node = document::parse(Root::PIPELINE, bytes, lang).map_err(invalid)?;
    // The file says its own language; its findings are told in it.
    let lang = decode::language(&node);
    let pipeline = decode::pipeline(&node, lang).into_result().map_err(invalid)?;
    plan::check(&pipeline).map_err(invalid)?;
    Ok(pipeline)
}

/// The pipeline as it holds for one feature.
pub fn for_feature(mut pipeline: Pipeline, feature: &str) -> Pipeline {
    let Some(own) = pipeline.features.get(feature).cloned() else { return pipeline };
    pipeline.lang = own.lang.unwrap_or(pipeline.lang);
    pipeline.app = own.app.unwrap_or(pipeline.app);
    pipeline.executor = own.executor.unwrap_or(pipeline.executor);
    pipeline.rounds_max = own.rounds_max.unwrap_or(pipeline.rounds_max);
    for (name, collector) in own.collectors {
        match pipeline.collectors.iter_mut().find(|(known, _)| *known == name) {
            Some(known) => known.1 = collector,
            None => pipeline.collectors.push((name, collector)),
        }
    }
    pipeline.auditors.extend(own.auditors);
    pipeline
}

fn invalid(problems: Vec<gate::problem::Problem>) -> Failure {
    Failure::Problems { ending: Ending::InvalidInput, problems }
}

fn missing(lang: Lang) -> Failure {
    let message = say!(
        lang,
        "there is no pipeline.yaml here or in any folder above",
        "此目录及其上级目录中都没有 pipeline.yaml"
    );
    let help = say!(
        lang,
        "run this inside a clone that has one, or name its folder with --root",
        "请在含有该文件的克隆目录内运行，或用 --root 指定其目录"
    );
    Failure::coded(Ending::InvalidInput, Code::PipelineMissing, message, help)
}

/// For a folder above which no pipeline was found.
pub fn not_found() -> Failure {
    missing(Lang::En)
}
