//! Programs that are asked something and answer it, be they auditors or reviewers: run within limits, and their answer read
//! whole or not at all.

use camino::Utf8Path;
use gate::lang::Lang;
use gate::say;

use crate::context::Runner;
use crate::failure::Result;
use crate::process::{self, Program};
use crate::store;

/// What a program answered, or how it failed to, in words.
pub type Answered = std::result::Result<Vec<u8>, String>;

/// Runs a program to its end, and takes up the file that holds its answer, of at most so many bytes.
pub fn ask(
    runner: Runner<'_>,
    program: &Program,
    answer: &Utf8Path,
    longest: u64,
    lang: Lang,
) -> Result<Answered> {
    let complaint = match runner.run(program)? {
        Some(ended) => process::complaint(ended, program, lang),
        None => Some(say!(lang, "its program is not installed", "其程序未安装")),
    };
    if let Some(complaint) = complaint {
        return Ok(Err(complaint));
    }
    // A link would bring in a file that the program was not given to write.
    if store::kind(answer)? != store::Kind::File {
        return Ok(Err(say!(lang, "it wrote no answer", "没有写出回答")));
    }
    let bytes = store::size(answer)?;
    if bytes > longest {
        let (bytes, longest) = (bytes, longest);
        return Ok(Err(say!(
            lang,
            "its answer of {bytes} bytes is too long; at most {longest} are read",
            "其回答有 {bytes} 字节，过长；最多读取 {longest} 字节"
        )));
    }
    store::read(answer).map(Ok)
}
