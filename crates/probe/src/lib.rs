//! Observation: bytes of an evidence file in, measured values and their places out. A probe never judges.
//!
//! One file (or folder) a reader, named for the format that it reads. Every reader is a pure function of bytes
//! and parameters, and answers one of four things ([`Answer`]): values with their places, *nothing* (there
//! certainly is no such thing), *missing* (there is no value, and why) or *unreadable* (truncated, another
//! format, or a question with several answers). **No reader guesses.**
//!
//! * Lines are streamed; documents are read whole up to a stated cap ([`DOCUMENT_CAP`]).
//! * Values are exact text with a unit. No binary float stands between a file and a value.
//! * The last line of a file counts only when it is ended, because a cut number is still a number.

mod ansi;
mod answer;
mod ask;
mod decimal;
mod did_you_mean;
mod document;
mod input;
mod json_report;
mod json_text;
mod json_walk;
mod line;
mod mark;
mod param;
mod pattern;
mod pick;
mod sanity;
mod terms;

mod axe;
mod build;
mod cpu;
mod csv;
mod density;
mod exit;
mod file;
mod frames;
mod hilog;
mod image;
mod json;
mod k6;
mod layout;
mod lighthouse;
mod lint;
mod memory;
mod smartperf;
mod testreport;
mod text;
mod trace;
mod xml;

use std::collections::BTreeMap;

use gate::lang::Lang;
use gate::observation::Answer;
use gate::pack::Scalar;

pub use document::Document;
pub use image::{Picture, picture};
pub use input::{DOCUMENT_CAP, Input, LINE_CAP};
pub use layout::{Outline, Outlined, outline};
pub use mark::{Frame, Mark, marks};
pub use param::{ParamError, ParamInfo, ParamKind, ReaderInfo, Words};
pub use sanity::{Look, look};
pub use trace::instants;

use param::{Params, Plan};

/// Declares the readers: the table for people and the function that plans a read, from one list.
macro_rules! readers {
    ($($module:ident),* $(,)?) => {
        static READERS: &[ReaderInfo] = &[$($module::INFO),*];

        fn planner(reader: &str) -> Option<fn(&mut Params<'_>) -> Option<Plan>> {
            [$(($module::INFO.name, $module::plan as fn(&mut Params<'_>) -> Option<Plan>)),*]
                .into_iter()
                .find(|(name, _)| *name == reader)
                .map(|(_, plan)| plan)
        }
    };
}

readers!(
    layout, density, image, trace, frames, smartperf, memory, cpu, testreport, build, lint, axe, lighthouse,
    k6, hilog, json, xml, csv, text, file, exit,
);

/// All readers, with their parameters, in the order of `cargo xtask probe --list`.
pub fn readers() -> &'static [ReaderInfo] {
    READERS
}

/// Reads an answer out of one evidence file.
///
/// # Errors
///
/// Only the question can be wrong here (an unknown reader or parameter, a selector that does not parse). Whatever is
/// wrong with the file, an IO error included, is an [`Answer`].
pub fn read(
    reader: &str,
    mut input: Input<'_, '_>,
    with: &BTreeMap<String, Scalar>,
    lang: Lang,
) -> Result<Answer, Vec<ParamError>> {
    let plan = plan(reader, with)?;
    Ok(plan(&mut input, lang).unwrap_or_else(answer::Stop::into_answer))
}

/// What is wrong with the parameters of a probe, for authoring time. Empty when [`read`] would accept them.
pub fn check_params(reader: &str, with: &BTreeMap<String, Scalar>) -> Vec<ParamError> {
    plan(reader, with).err().unwrap_or_default()
}

/// The companions that these parameters ask for: the parameter, and the evidence that it names. Whoever calls
/// [`read`] puts their bytes into [`Input::companions`] under the parameter's name.
pub fn companions(reader: &str, with: &BTreeMap<String, Scalar>) -> Vec<(&'static str, String)> {
    let params = READERS.iter().find(|info| info.name == reader).map_or(&[][..], |info| info.params);
    let evidence = params.iter().filter(|param| matches!(param.kind, ParamKind::Evidence));
    evidence
        .filter_map(|param| match with.get(param.name) {
            Some(Scalar::Text(name)) => Some((param.name, name.clone())),
            _ => None,
        })
        .collect()
}

fn plan(reader: &str, with: &BTreeMap<String, Scalar>) -> Result<Plan, Vec<ParamError>> {
    let info = READERS.iter().find(|info| info.name == reader);
    let (Some(info), Some(planner)) = (info, planner(reader)) else {
        return Err(vec![ParamError::UnknownReader {
            given: reader.to_owned(),
            suggestion: did_you_mean::closest(reader, READERS.iter().map(|info| info.name)),
        }]);
    };
    let mut params = Params::new(info, with);
    let plan = planner(&mut params);
    params.finish(plan)
}
