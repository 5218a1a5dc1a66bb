//! `init --agent`: the skill and the MCP server, where a host looks for them. Shown first, written when asked for, taken
//! away again with `--undo`, and never over something else.

mod host;
mod settings;

use camino::{Utf8Path, Utf8PathBuf};
use gate::lang::Lang;
use gate::say;

use super::folder;
use crate::cli::Init;
use crate::commands::answer::{Answer, as_called};
use crate::commands::here;
use crate::commands::proposal::Proposal;
use crate::failure::Result;
use crate::paths::Root;
use crate::{pipeline, store};
use host::{Host, PROGRAM};
use settings::Edit;

const SKILL_EN: &str = include_str!("../../../../../integrations/skills/delivery-gate/SKILL.md");
const SKILL_ZH: &str = include_str!("../../../../../integrations/skills/delivery-gate/SKILL.zh.md");

/// Sets a host up in a folder, or takes that back.
pub fn run(args: &Init, agent: &str, root: Option<&Utf8Path>, lang: Lang) -> Result<Answer> {
    let (folder, host) = (folder(args)?, Host::of(agent));
    let mut proposal = Proposal::default();
    let next = if args.undo {
        withdraw(&mut proposal, host, &folder, lang)?;
        String::new()
    } else {
        let pipeline = Workspace::of(&folder, root)?;
        let lang = args.lang.asked().unwrap_or(pipeline.lang);
        let command = pipeline.command(lang)?;
        propose(&mut proposal, host, &folder, &command, lang)?;
        next(host, &command, lang)
    };
    let mut answer = proposal.answer(&folder, lang, args.write)?;
    answer.text.push_str(&next);
    Ok(answer)
}

/// The pipeline that the host is to drive.
struct Workspace {
    root: Root,
    /// Whether whoever starts in the folder finds it from there.
    is_found: bool,
    lang: Lang,
}

impl Workspace {
    /// The one around the folder, or else the one that was named or is around us.
    fn of(folder: &Utf8Path, named: Option<&Utf8Path>) -> Result<Self> {
        let around = Root::find(folder);
        let is_found = around.is_some();
        let root = match (around, named) {
            (Some(root), _) => root,
            (None, Some(named)) => Root::at(here()?.join(named)),
            (None, None) => Root::find(&here()?).ok_or_else(pipeline::not_found)?,
        };
        let lang = pipeline::load(&root)?.lang;
        Ok(Workspace { root, is_found, lang })
    }

    /// How the server is started: by its name where that is found, else as the program beside this one.
    fn command(&self, lang: Lang) -> Result<Vec<String>> {
        let mut command = vec![program()?];
        if !self.is_found {
            command.extend(["--root".to_owned(), self.root.folder().to_string()]);
        }
        if lang == Lang::Zh {
            command.extend(["--lang".to_owned(), "zh".to_owned()]);
        }
        Ok(command)
    }
}

fn program() -> Result<String> {
    if is_on_path() {
        return Ok(PROGRAM.to_owned());
    }
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let here = std::env::current_exe().map_err(anyhow::Error::from)?;
    let beside = here.parent().map(|folder| folder.join(&name)).filter(|file| file.is_file());
    let beside = beside.and_then(|file| Utf8PathBuf::from_path_buf(file).ok());
    Ok(beside.map_or_else(|| PROGRAM.to_owned(), Utf8PathBuf::into_string))
}

fn propose(
    proposal: &mut Proposal,
    host: Host,
    folder: &Utf8Path,
    command: &[String],
    lang: Lang,
) -> Result<()> {
    proposal.file(host.skill(), as_called(lang.pick(SKILL_EN, SKILL_ZH)));
    let (file, text) = settings_of(host, folder)?;
    let Some(field) = host.field() else {
        proposal.file(file, Host::patch(command));
        return Ok(());
    };
    match settings::with(text.as_deref().unwrap_or_default(), file, field, &host.entry(command), lang)? {
        Edit::Same => proposal.stays(file),
        Edit::Becomes(text) => proposal.becomes(file, ended(text)),
        Edit::Taken | Edit::Empty => proposal.kept(file),
    }
    Ok(())
}

fn withdraw(proposal: &mut Proposal, host: Host, folder: &Utf8Path, lang: Lang) -> Result<()> {
    match read(folder, host.skill().as_str())? {
        None => {}
        Some(text) if is_ours(&text) => proposal.goes(host.skill()),
        Some(_) => proposal.kept(host.skill()),
    }
    let (file, text) = settings_of(host, folder)?;
    let (Some(text), field) = (text, host.field()) else { return Ok(()) };
    let edit = match field {
        Some(field) => settings::without(&text, file, field, lang)?,
        None if text.contains(PROGRAM) => Edit::Empty,
        None => Edit::Taken,
    };
    match edit {
        Edit::Same => {}
        Edit::Becomes(text) => proposal.becomes(file, text),
        Edit::Empty => proposal.goes(file),
        Edit::Taken => proposal.kept(file),
    }
    Ok(())
}

/// A skill that somebody changed is theirs. Whoever wrote it may have called us otherwise than whoever takes it back.
fn is_ours(text: &str) -> bool {
    let plain = |text: &str| text.replace("\r\n", "\n").replace("cargo xtask", "xtask");
    [SKILL_EN, SKILL_ZH].into_iter().any(|skill| plain(skill) == plain(text))
}

/// The settings that the host would read, and what they hold; the ones to be made where there are none.
fn settings_of(host: Host, folder: &Utf8Path) -> Result<(&'static str, Option<String>)> {
    let mut last = "";
    for file in host.settings() {
        last = file;
        if let Some(text) = read(folder, file)? {
            return Ok((file, Some(text)));
        }
    }
    Ok((last, None))
}

fn read(folder: &Utf8Path, file: &str) -> Result<Option<String>> {
    let bytes = store::read_optional(&folder.join(file))?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// A new file ends with a line's end; one that is there keeps its own.
fn ended(text: String) -> String {
    if text.ends_with('}') && !text.contains('\n') { format!("{text}\n") } else { text }
}

/// What to do now.
fn next(host: Host, command: &[String], lang: Lang) -> String {
    let mut text = String::new();
    if command.first().is_some_and(|program| program == PROGRAM) && !is_on_path() {
        text.push_str(lang.pick(
            "\ngate-mcp is not there yet: cargo build --package mcp puts it beside xtask.\n",
            "\n尚无 gate-mcp：运行 cargo build --package mcp 会将其构建到 xtask 旁。\n",
        ));
    }
    if host == Host::Dsh {
        let [file] = host.settings() else { return text };
        text.push_str(&say!(
            lang,
            "\nthen: dsh --profile headless --patch {file} \"…\"\n",
            "\n然后：dsh --profile headless --patch {file} \"…\"\n"
        ));
    }
    text
}

fn is_on_path() -> bool {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .any(|folder| folder.join(&name).is_file())
}
