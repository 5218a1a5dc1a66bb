//! Files of a team's own under the root, which decide as much as the pipeline's file does: the programs that measure and
//! judge, and what is protected by name.

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use crate::context::Context;
use crate::paths::stays_inside;
use crate::pipeline::model::{Action, AppHome, Auditor, Gather, Pipeline};

/// How a path under the root begins in an argument.
const ROOT: &str = "{root}/";

/// What ends a path inside a longer argument, as in a line for a shell.
const ENDS: [char; 11] = [' ', '\t', '\n', '\'', '"', ';', ',', '&', '|', ')', '>'];

/// Files and folders under the root that programs are named by, or given, and those that are protected by name, as far
/// as they are there.
pub fn trees(context: &Context<'_>) -> Vec<Utf8PathBuf> {
    let pipeline = &context.pipeline;
    let mut named: Vec<String> = vec!["tools".to_owned()];
    named.extend(pipeline.protect.iter().cloned());
    named.extend(arguments(pipeline).flat_map(|argument| after_root(context, argument)));
    // These run in the root itself.
    named.extend(own_arguments(pipeline).cloned());
    let mut found: Vec<Utf8PathBuf> = named.iter().filter_map(|path| inside(context, path)).collect();
    found.sort();
    found.dedup();
    found
}

/// What below such folders is written meanwhile, by the pipeline or by stages of the team's own.
pub fn spared(context: &Context<'_>) -> Vec<Utf8PathBuf> {
    let pipeline = &context.pipeline;
    let mut spared: Vec<Utf8PathBuf> = vec![".git".into(), ".xtask".into()];
    spared.extend(plain(&pipeline.store.external));
    if let AppHome::Repository(path) = &pipeline.app.home {
        spared.extend(plain(path));
    }
    for stage in &pipeline.stages {
        if let Action::Run(run) = &stage.action {
            // As far as it is the same for every feature and round; features and deliveries have a rule of their own.
            let fixed = run.outputs.iter().filter_map(|output| plain(output.split('{').next()?));
            spared.extend(fixed.filter(|output| !is_elsewhere(output)));
        }
    }
    spared
}

fn arguments(pipeline: &Pipeline) -> impl Iterator<Item = &String> {
    let collectors = pipeline.collectors.iter().filter_map(|(_, collector)| match &collector.how {
        Gather::Run(programs) => Some(programs.steps.iter().flatten()),
        Gather::Copy(_) => None,
    });
    let auditors = pipeline.auditors.values().filter_map(|auditor| match auditor {
        Auditor::Run(program) => Some(program.argv.iter()),
        Auditor::Copy(_) => None,
    });
    let reviewers = pipeline.review.reviewers.values().flat_map(|reviewer| reviewer.argv.iter());
    collectors.flatten().chain(auditors.flatten()).chain(reviewers).chain(own_arguments(pipeline))
}

fn own_arguments(pipeline: &Pipeline) -> impl Iterator<Item = &String> {
    let runs = pipeline.stages.iter().filter_map(|stage| match &stage.action {
        Action::Run(run) => Some(run.argv.iter()),
        Action::BuiltIn(_) => None,
    });
    runs.flatten()
}

/// Every path that an argument holds: all that follows the root, and the part of it that looks like one path.
fn after_root(context: &Context<'_>, argument: &str) -> Vec<String> {
    let filled = crate::placeholders::expand(argument, &[("feature", &context.feature)]);
    let rests = filled.match_indices(ROOT).filter_map(|(at, _)| filled.get(at + ROOT.len()..));
    rests.flat_map(|rest| [rest, rest.split(ENDS).next().unwrap_or_default()]).map(str::to_owned).collect()
}

/// A path that is there, and that nothing else protects.
fn inside(context: &Context<'_>, path: &str) -> Option<Utf8PathBuf> {
    plain(path).filter(|path| !is_elsewhere(path) && context.at(path).exists())
}

/// A path below the root without `.`; none for the root itself.
fn plain(path: &str) -> Option<Utf8PathBuf> {
    if !stays_inside(path) {
        return None;
    }
    let parts = Utf8Path::new(path).components().filter(|part| *part != Utf8Component::CurDir);
    Some(parts.collect::<Utf8PathBuf>()).filter(|path| !path.as_str().is_empty())
}

fn is_elsewhere(path: &Utf8Path) -> bool {
    let first = path.components().next().map(|part| part.as_str());
    matches!(first, Some("features" | "deliveries" | "templates" | ".xtask" | ".git"))
}
