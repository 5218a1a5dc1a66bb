//! `templates eject`: the built-in templates where the pipeline looks for them. A copy of one changes nothing until it is
//! changed itself.

use super::Session;
use super::answer::Answer;
use super::proposal::Proposal;
use crate::cli::Templates;
use crate::failure::Result;
use crate::render::{built_in, folder, page};

pub fn run(session: &Session, args: &Templates) -> Result<Answer> {
    let lang = args.lang.asked().unwrap_or(session.pipeline.lang);
    let mut proposal = Proposal::default();
    for (name, text) in built_in::all(lang) {
        proposal.file(format!("{}/{name}", folder(lang)), text);
    }
    for (name, text) in page::FILES {
        proposal.file(format!("{}/{name}", page::FOLDER), text);
    }
    proposal.answer(session.root.folder(), session.pipeline.lang, true)
}
