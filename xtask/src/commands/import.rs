//! `import`: a draft of a pack from requirements that are written down already.

use ::import::{Format, Settings, Source, detect};
use camino::{Utf8Path, Utf8PathBuf};
use gate::code::Code;
use gate::lang::Lang;
use gate::pack::{Aspect, Dimension};
use gate::problem::Problem;
use gate::say;
use serde_json::json;

use super::answer::{Answer, render};
use super::{Session, require_name};
use crate::cli;
use crate::document;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::paths::{FeaturePaths, with_slashes};
use crate::store;

pub fn run(session: &Session, args: &cli::Import) -> Result<Answer> {
    let lang = args.lang.asked().unwrap_or(session.pipeline.lang);
    let file = shown(session, &args.file);
    // What is no file, such as a pipe, might keep us waiting for ever.
    if !args.file.is_file() {
        return Err(no_file(&file, lang));
    }
    let bytes = read(&args.file, &file, lang)?;
    let text = document::text_of(&bytes, lang).map_err(|problems| refused(within(problems, &file)))?;
    let format = format(&args.format, &file, text, lang)?;
    let feature = feature(args, &args.file, lang)?;
    let target = target(session, args, &feature, lang)?;
    let document = match format.is_document() {
        true => Some(document::parse(&file, &bytes, lang).map_err(refused)?),
        false => None,
    };
    let source = Source { file: &file, text, document: document.as_ref() };
    let settings = Settings { feature: &feature, lang, dimension: dimension(args) };
    let imported = ::import::import(format, &source, &settings).map_err(refused)?;
    let pack = ::import::write(&imported.draft, &source, &settings);
    let unfinished = refusals(&pack, &feature, target.as_deref(), lang);
    if let Some(target) = &target {
        store::write(&session.root.join(target), pack.as_bytes())?;
    }
    let draft = &imported.draft;
    let proposed = draft.criteria.iter().filter(|c| c.assertion.as_ref().is_some_and(|a| a.proposed)).count();
    let summary = Summary {
        format,
        feature: &feature,
        target: target.as_deref(),
        requirements: draft.requirements.len(),
        criteria: draft.criteria.len(),
        proposed,
        unfinished: &unfinished,
    };
    let findings = render(Some(&session.root), &imported.findings, lang);
    let text = match &target {
        Some(_) => format!("{findings}{}", summary.text(lang)),
        // The pack alone is data; what is to be said of it goes beside it.
        None => {
            if !session.json {
                aside(&format!("{findings}{}\n", summary.text(lang)));
            }
            pack.clone()
        }
    };
    let data = json!({
        "feature": feature,
        "format": format.word(),
        "written": target,
        "pack": if target.is_none() { Some(pack) } else { None },
        "requirements": summary.requirements,
        "criteria": summary.criteria,
        "proposed": proposed,
        "problems": imported.findings,
        "unfinished": unfinished,
    });
    Ok(Answer::yes(text, data))
}

/// The bytes; what is too large is refused before it is held.
fn read(path: &Utf8Path, file: &str, lang: Lang) -> Result<Vec<u8>> {
    let (size, most) = (store::size(path)?, document::MAX_BYTES);
    if size > most as u64 {
        let message = say!(
            lang,
            "{file} has {size} bytes; at most {most} are read",
            "{file} 有 {size} 字节；最多读取 {most} 字节"
        );
        let help = Code::LimitSize.help(lang);
        return Err(Failure::coded(Ending::InvalidInput, Code::LimitSize, message, help));
    }
    store::read(path)
}

/// What an import came to, as a person reads it.
struct Summary<'a> {
    format: Format,
    feature: &'a str,
    target: Option<&'a Utf8Path>,
    requirements: usize,
    criteria: usize,
    proposed: usize,
    unfinished: &'a [Problem],
}

impl Summary<'_> {
    fn text(&self, lang: Lang) -> String {
        let Summary { requirements, criteria, proposed, feature, .. } = self;
        let word = self.format.word();
        let mut text = say!(
            lang,
            "{word}: {requirements} requirements, {criteria} criteria, {proposed} assertions proposed\n",
            "{word}：{requirements} 条需求，{criteria} 条标准，{proposed} 个建议断言\n"
        );
        if let Some(target) = self.target {
            text.push_str(&format!("{target}\n"));
        }
        if !self.unfinished.is_empty() {
            text.push_str(lang.pick("before it can be frozen, fill in:\n", "冻结之前需要补充：\n"));
        }
        for problem in self.unfinished {
            let at = problem.at.map(|at| at.line.to_string()).unwrap_or_default();
            let about = problem.criterion.as_deref().unwrap_or("–");
            text.push_str(&format!("  {at}: {about}: {} [{}]\n", problem.message, problem.code.name()));
        }
        if self.target.is_some() {
            text.push_str(&say!(
                lang,
                "edit it, then: cargo xtask check {feature}",
                "编辑后运行：cargo xtask check {feature}"
            ));
        }
        text
    }
}

/// What the author has to fill in: what would refuse the draft as a pack.
fn refusals(pack: &str, feature: &str, target: Option<&Utf8Path>, lang: Lang) -> Vec<Problem> {
    let name = target.map_or("pack.yaml", Utf8Path::as_str);
    let problems = match document::parse(name, pack.as_bytes(), lang) {
        Ok(node) => gate::decode::pack(&node, name, feature, lang).problems,
        Err(problems) => problems,
    };
    problems.into_iter().filter(|problem| gate::problem::any_error(std::slice::from_ref(problem))).collect()
}

fn format(word: &str, file: &str, text: &str, lang: Lang) -> Result<Format> {
    let found = Format::from_word(word).or_else(|| detect(file, text));
    found.ok_or_else(|| {
        let known = Format::ALL.map(Format::word).join(", ");
        let message = say!(
            lang,
            "{file} shows none of the formats that are known: {known}",
            "{file} 不像任何已知格式：{known}"
        );
        Failure::coded(Ending::InvalidInput, Code::ImportNothing, message, Code::ImportNothing.help(lang))
    })
}

/// The id: as asked for, or the name of the file, or of its folder where the file is named for its kind.
fn feature(args: &cli::Import, file: &Utf8Path, lang: Lang) -> Result<String> {
    if let Some(feature) = &args.feature {
        require_name(feature, lang)?;
        return Ok(feature.clone());
    }
    let stem = file.file_stem().unwrap_or_default();
    let folder = file.parent().and_then(Utf8Path::file_name).unwrap_or_default();
    let is_kind =
        matches!(stem, "spec" | "pack" | "pack.lock" | "lighthouserc" | ".lighthouserc" | "criteria");
    let name = if is_kind { folder } else { stem };
    // Spec Kit numbers its folders.
    let name = name.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('-').to_lowercase();
    let name = name.replace(['_', ' ', '.'], "-");
    match gate::decode::check_feature(&name, lang) {
        None => Ok(name),
        Some(reason) => {
            let help = say!(lang, "name the feature with --feature", "请用 --feature 指定功能 id");
            Err(Failure::coded(Ending::InvalidInput, Code::FeatureName, reason, help))
        }
    }
}

/// Where the pack goes, relative to the root; none for standard output. Nothing that is there is written over.
fn target(session: &Session, args: &cli::Import, feature: &str, lang: Lang) -> Result<Option<Utf8PathBuf>> {
    if args.stdout {
        return Ok(None);
    }
    let folder = FeaturePaths::new(feature).authored();
    let (target, taken) = match &args.out {
        Some(out) => (here()?.join(out), out.clone()),
        None => (session.root.join(folder.join("pack.yaml")), folder.clone()),
    };
    let is_there = match &args.out {
        Some(_) => store::kind(&target)? != store::Kind::Absent,
        None => store::kind(&session.root.join(&folder))? != store::Kind::Absent,
    };
    if is_there {
        let message = say!(lang, "{taken} is there already", "{taken} 已存在");
        let help = say!(
            lang,
            "choose another id with --feature, or another file with --out",
            "请用 --feature 换一个 id，或用 --out 换一个文件"
        );
        return Err(Failure::coded(Ending::InvalidInput, Code::FeatureExists, message, help));
    }
    let relative = target.strip_prefix(session.root.folder()).map(Utf8Path::to_owned);
    Ok(Some(with_slashes(&relative.unwrap_or(target))))
}

fn here() -> Result<Utf8PathBuf> {
    let here = std::env::current_dir().map_err(anyhow::Error::from)?;
    let here = Utf8PathBuf::from_path_buf(here);
    Ok(here.map_err(|path| anyhow::anyhow!("the current folder is no UTF-8: {}", path.display()))?)
}

/// The file as comments name it: below the root, else by its name alone. No path of a machine gets into a pack.
fn shown(session: &Session, file: &Utf8Path) -> String {
    let name = || file.file_name().unwrap_or(file.as_str()).to_owned();
    let Ok(here) = here() else { return name() };
    let absolute = here.join(file);
    let inside = absolute.strip_prefix(session.root.folder()).ok().map(with_slashes);
    let is_plain = |path: &Utf8PathBuf| !path.as_str().split('/').any(|part| part == "..");
    inside.filter(is_plain).map_or_else(name, Utf8PathBuf::into_string)
}

fn dimension(args: &cli::Import) -> Option<Dimension> {
    let word = args.dimension.as_deref()?;
    Dimension::ALL.into_iter().find(|dimension| Aspect::from(*dimension).word() == word)
}

fn no_file(file: &str, lang: Lang) -> Failure {
    let message = say!(lang, "there is no file {file}", "找不到文件 {file}");
    let help = say!(lang, "name the file that holds the requirements", "请指定写有需求的文件");
    Failure::coded(Ending::InvalidInput, Code::ImportNothing, message, help)
}

fn within(problems: Vec<Problem>, file: &str) -> Vec<Problem> {
    problems.into_iter().map(|problem| problem.in_file(file)).collect()
}

fn refused(problems: Vec<Problem>) -> Failure {
    Failure::Problems { ending: Ending::InvalidInput, problems }
}

fn aside(text: &str) {
    use std::io::Write as _;
    // Nobody is left to tell if standard error is closed.
    let _ = write!(std::io::stderr().lock(), "{text}");
}
