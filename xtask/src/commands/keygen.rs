//! `keygen`: a signing key in a file of its own, and its public half for the pipeline.

use gate::lang::Lang;
use gate::say;
use serde_json::json;

use super::answer::Answer;
use crate::attestation::key_file;
use crate::cli;
use crate::failure::Result;

pub fn run(args: &cli::Keygen, lang: Lang) -> Result<Answer> {
    let file = &args.file;
    let public = key_file::make(file, lang)?.public();
    let (id, line) = (public.id(), public.text());
    let name = file.file_stem().unwrap_or("key");
    let said = say!(
        lang,
        "{file} is the private key: keep it to yourself. Its public half, for pipeline.yaml:",
        "{file} 是私钥，请勿外传。其公钥请写入 pipeline.yaml："
    );
    let name = serde_json::Value::from(name);
    let text = format!(
        "{said}\n\nattestation:\n  keys:\n    - id: {name}\n      publicKey: {line}\n      mayAccept: [\"*\"]\n"
    );
    Ok(Answer::yes(text, json!({ "written": [file], "keyid": id, "publicKey": line })))
}
