//! `ci`: a workflow that checks packs, delivers every feature in a job of its own, shows the reports and fails on the verdict.

use gate::say;

use super::Session;
use super::answer::Answer;
use super::proposal::Proposal;
use crate::cli::Ci;
use crate::failure::Result;
use crate::paths::Root;
use crate::pipeline::model::{AppHome, Pipeline};

/// Where the pipeline's own source is looked for, from the root.
const SOURCES: [&str; 2] = ["xtask", "tools/delivery-gate/xtask"];

/// Where a server looks, and what it is told.
struct Flavour {
    path: &'static str,
    text: &'static str,
}

pub fn run(session: &Session, args: &Ci) -> Result<Answer> {
    let mut proposal = Proposal::default();
    propose(&mut proposal, &session.root, &session.pipeline, &args.server, args.source.as_deref());
    let source = source(&session.root, args.source.as_deref());
    let mut answer = proposal.answer(session.root.folder(), session.pipeline.lang, args.write)?;
    if !session.root.join(&source).join("Cargo.toml").is_file() {
        answer.text.push_str(&say!(
            session.pipeline.lang,
            "\nThe jobs install the pipeline from {source}, which is not here: add its source there, as a submodule or a copy, or name its folder with --source.\n",
            "\n作业会从 {source} 安装流水线，但该目录不存在：请将其源码以子模块或副本放在那里，或用 --source 指定目录。\n"
        ));
    }
    Ok(answer)
}

/// The file of a server, among what a command would write.
pub fn propose(proposal: &mut Proposal, root: &Root, pipeline: &Pipeline, server: &str, named: Option<&str>) {
    let Flavour { path, text } = flavour(server);
    proposal.file(path, filled(text, pipeline, &source(root, named)));
}

/// The jobs of GitLab's second pipeline: one a feature.
pub fn child_pipeline(session: &Session, features: &[String]) -> String {
    let mut text = filled(include_str!("gitlab-child.yml"), &session.pipeline, &source(&session.root, None));
    for feature in features {
        text.push_str(&format!(
            "\ndeliver {feature}:\n  extends: .deliver\n  variables:\n    FEATURE: {feature}\n"
        ));
    }
    if features.is_empty() {
        text.push_str("\nnothing to deliver:\n  stage: deliver\n  script:\n    - echo no features\n");
    }
    text
}

fn flavour(server: &str) -> Flavour {
    match server {
        "gitlab" => Flavour { path: ".gitlab-ci.yml", text: include_str!("gitlab.yml") },
        _ => Flavour { path: ".github/workflows/delivery.yml", text: include_str!("github.yml") },
    }
}

/// The folder of the pipeline's source: the one that is named, or the first that is there.
fn source(root: &Root, named: Option<&str>) -> String {
    let found = SOURCES.into_iter().find(|folder| root.join(folder).join("Cargo.toml").is_file());
    named.or(found).unwrap_or(SOURCES[1]).to_owned()
}

/// The text with this pipeline's own words. What stands between `#{` and `#}` lines is for an app that is this repository.
fn filled(text: &str, pipeline: &Pipeline, source: &str) -> String {
    let is_here = pipeline.app.home == AppHome::Repository(".".to_owned());
    let mut kept = String::new();
    let mut in_part = false;
    for line in text.lines() {
        match line.trim() {
            "#{" => in_part = true,
            "#}" => in_part = false,
            _ if in_part && !is_here => {}
            "#secrets" => kept.push_str(&secrets(pipeline, line)),
            _ => {
                kept.push_str(line);
                kept.push('\n');
            }
        }
    }
    kept.replace("@SOURCE@", source).replace("@BASE@", &pipeline.app.base)
}

/// A line a secret that the pipeline names, at the indentation of its mark.
fn secrets(pipeline: &Pipeline, mark: &str) -> String {
    let indent = mark.len() - mark.trim_start().len();
    let line = |name: &String| format!("{:indent$}{name}: ${{{{ secrets.{name} }}}}\n", "");
    pipeline.secrets.iter().map(line).collect()
}
