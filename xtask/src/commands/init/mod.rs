//! `init`: a repository that knows nothing of the pipeline is set up: the pipeline, a first feature, what git ignores, and the
//! workflow of its server. It need hold no Rust. Shown first, written when asked for, and never over something else.

mod agent;
mod found;

use camino::{Utf8Path, Utf8PathBuf};
use gate::lang::Lang;
use gate::say;
use tera::Tera;

use super::answer::Answer;
use super::proposal::Proposal;
use super::{ci, here, require_name};
use crate::cli::Init;
use crate::failure::Result;
use crate::paths::{FeaturePaths, Root};
use crate::pipeline;
use found::Found;

const IGNORED: &str = "\
# What the delivery pipeline may lose at any time, and large evidence.
/.xtask/
/.evidence/
";

const ATTRIBUTES: &str = "\
# Digests are over these files: the same bytes on every machine.
deliveries/** -text
features/*/recorded/** -text
";

pub fn run(args: &Init, root: Option<&Utf8Path>, lang: Lang) -> Result<Answer> {
    let lang = args.lang.asked().unwrap_or(lang);
    if let Some(host) = &args.agent {
        return agent::run(args, host, root, lang);
    }
    require_name(&args.feature, lang)?;
    let root = Root::at(folder(args)?);
    let found = Found::look(root.folder())?;
    let proposal = proposal(args, &root, &found, lang)?;
    let mut answer = proposal.answer(root.folder(), lang, args.write)?;
    answer.text.push_str(&next(args, &found, lang));
    Ok(answer)
}

fn folder(args: &Init) -> Result<Utf8PathBuf> {
    let here = here()?;
    match args.folder.as_deref() {
        None => Ok(here),
        Some(folder) => Ok(here.join(folder)),
    }
}

fn proposal(args: &Init, root: &Root, found: &Found, lang: Lang) -> Result<Proposal> {
    let text = pipeline_text(found, lang)?;
    let mut proposal = Proposal::default();
    proposal.file(Root::PIPELINE, text.clone());
    // Whoever has features already needs no first one.
    if !root.join("features").is_dir() || root.join(FeaturePaths::new(&args.feature).authored()).is_dir() {
        let pack = FeaturePaths::new(&args.feature).authored().join("pack.yaml");
        proposal.file(pack, starter(root, found, &args.feature, lang));
    }
    proposal.lines(".gitignore", IGNORED);
    proposal.lines(".gitattributes", ATTRIBUTES);
    let server = args.ci.as_deref().or(found.server).filter(|server| *server != "none");
    if let Some(server) = server {
        // The pipeline that is there, if there is one, or else the one that would be.
        let known = pipeline::load(root);
        let pipeline = known.or_else(|_| pipeline::read(text.as_bytes()))?;
        ci::propose(&mut proposal, root, &pipeline, server, None)?;
    }
    Ok(proposal)
}

fn pipeline_text(found: &Found, lang: Lang) -> Result<String> {
    const NAME: &str = "pipeline.yaml.tera";
    let mut tera = Tera::new();
    tera.add_raw_template(NAME, include_str!("pipeline.yaml.tera")).map_err(anyhow::Error::from)?;
    let mut context = tera::Context::from_serialize(found).map_err(anyhow::Error::from)?;
    context.insert("lang", lang.code());
    Ok(tera.render(NAME, &context).map_err(anyhow::Error::from)?)
}

fn starter(root: &Root, found: &Found, feature: &str, lang: Lang) -> String {
    let text = match found.harmony {
        true => super::new::starter(root, lang),
        false => lang.pick(include_str!("starter.en.yaml"), include_str!("starter.zh.yaml")).to_owned(),
    };
    text.replace("FEATURE", feature).replace("com.example.app", &found.bundle)
}

/// What to do now.
fn next(args: &Init, found: &Found, lang: Lang) -> String {
    let feature = &args.feature;
    let mut text = String::new();
    if !found.is_git {
        text.push_str(&say!(
            lang,
            "\n{} is no git repository: run git init there and commit, since what is judged is a commit.\n",
            "\n{} 不是 git 仓库：请先在那里运行 git init 并提交，因为被评判的是提交。\n",
            found.repository
        ));
    }
    if args.write {
        text.push_str(&say!(
            lang,
            "\nedit features/{feature}/pack.yaml and commit, then:\n  xtask check {feature}\n  xtask deliver {feature}\n",
            "\n编辑 features/{feature}/pack.yaml 并提交，然后：\n  xtask check {feature}\n  xtask deliver {feature}\n"
        ));
    }
    text
}
