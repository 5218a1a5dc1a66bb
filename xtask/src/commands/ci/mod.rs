//! `ci`: a workflow that checks packs, delivers every feature in a job of its own, shows the reports and fails on the verdict.

use gate::code::Code;
use gate::lang::Lang;
use gate::say;

use super::Session;
use super::answer::Answer;
use super::proposal::Proposal;
use crate::cli::Ci;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
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
    propose(&mut proposal, &session.root, &session.pipeline, &args.server, args.source.as_deref())?;
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
pub fn propose(
    proposal: &mut Proposal,
    root: &Root,
    pipeline: &Pipeline,
    server: &str,
    named: Option<&str>,
) -> Result<()> {
    let Flavour { path, text } = flavour(server);
    proposal.file(path, filled(text, pipeline, &source(root, named))?);
    Ok(())
}

/// The jobs of GitLab's second pipeline: one a feature.
pub fn child_pipeline(session: &Session, features: &[String]) -> Result<String> {
    let mut text = filled(include_str!("gitlab-child.yml"), &session.pipeline, &source(&session.root, None))?;
    for feature in features {
        text.push_str(&format!(
            "\ndeliver {feature}:\n  extends: .deliver\n  variables:\n    FEATURE: {feature}\n"
        ));
    }
    if features.is_empty() {
        text.push_str("\nnothing to deliver:\n  stage: deliver\n  script:\n    - echo no features\n");
    }
    Ok(text)
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
fn filled(text: &str, pipeline: &Pipeline, source: &str) -> Result<String> {
    let base = &pipeline.app.base;
    for name in [source, base] {
        require_plain(name, pipeline.lang)?;
    }
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
    Ok(kept.replace("@SOURCE@", source).replace("@BASE@", base))
}

/// A workflow gives these names to a shell and to YAML, where any other character may mean something.
fn require_plain(name: &str, lang: Lang) -> Result<()> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._/-".contains(letter);
    if !name.is_empty() && !name.starts_with('-') && name.chars().all(is_plain) {
        return Ok(());
    }
    let message = say!(
        lang,
        "the name {name:?} of a branch or folder cannot stand in a workflow: letters, digits and ._/- can",
        "分支或目录名 {name:?} 不能写入工作流：只能使用字母、数字和 ._/-"
    );
    let help = lang.pick(
        "Rename it, name another in app.base of pipeline.yaml or with --source, or write no workflow: init --ci none.",
        "请改名，或在 pipeline.yaml 的 app.base 或 --source 中指定其他名称，或不写工作流：init --ci none。",
    );
    Err(Failure::coded(Ending::InvalidInput, Code::ValueUnknown, message, help))
}

/// A line a secret that the pipeline names, at the indentation of its mark.
fn secrets(pipeline: &Pipeline, mark: &str) -> String {
    let indent = mark.len() - mark.trim_start().len();
    let line = |name: &String| format!("{:indent$}{name}: ${{{{ secrets.{name} }}}}\n", "");
    pipeline.secrets.iter().map(line).collect()
}
