//! `probe`: one reader on one file, at the prompt. Authors write a probe by trying it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;

use anyhow::Context as _;
use camino::Utf8Path;
use gate::code::Code;
use gate::lang::Lang;
use gate::observation::Answer;
use gate::pack::Scalar;
use gate::problem::Problem;
use gate::say;
use serde_json::json;

use super::answer::Answer as Printed;
use crate::cli;
use crate::ending::Ending;
use crate::failure::{Failure, Result};
use crate::reports::words;
use crate::store;

/// Tries a reader, or lists them all.
pub fn run(args: &cli::Probe, lang: Lang) -> Result<Printed> {
    match (&args.reader, &args.file) {
        (_, _) if args.list => Ok(list(args.reader.as_deref(), lang)),
        (Some(reader), Some(file)) => try_reader(reader, file, args, lang),
        _ => Ok(list(args.reader.as_deref(), lang)),
    }
}

fn try_reader(reader: &str, file: &Utf8Path, args: &cli::Probe, lang: Lang) -> Result<Printed> {
    let with = parameters(reader, &args.with, lang)?;
    let errors = probe::check_params(reader, &with);
    if !errors.is_empty() {
        return Err(wrong(&errors, lang));
    }
    let answer = read(reader, file, &with, args, lang)?;
    let ending = if matches!(answer, Answer::Values { .. }) { Ending::Yes } else { Ending::No };
    let data = json!({ "reader": reader, "file": file, "with": with, "answer": answer });
    Ok(Printed { ending, text: text(&answer, lang), data })
}

fn read(
    reader: &str,
    file: &Utf8Path,
    with: &BTreeMap<String, Scalar>,
    args: &cli::Probe,
    lang: Lang,
) -> Result<Answer> {
    let print = store::fingerprint(file)?;
    let mut body = match &print {
        Some(_) => Some(BufReader::new(File::open(file).with_context(|| format!("failed to read {file}"))?)),
        None if reader == "file" || reader == "exit" => None,
        None => return Err(no_file(file, lang)),
    };
    let mut companions = Vec::new();
    for (parameter, path) in probe::companions(reader, with) {
        // At the prompt there are no collectors: the companion is a file.
        companions.push((parameter, store::read(Utf8Path::new(&path))?));
    }
    let mut input = match &mut body {
        Some(body) => probe::Input::new(body),
        None => probe::Input::absent(),
    };
    input.size = print.as_ref().map(|print| print.bytes);
    input.sha256 = print.map(|print| print.sha256);
    input.exit = args.exit_code;
    for (parameter, bytes) in &companions {
        input = input.with_companion(parameter, bytes);
    }
    probe::read(reader, input, with, lang).map_err(|errors| wrong(&errors, lang))
}

/// `key=value` as the reader's parameters: each value takes the type that the parameter has.
fn parameters(reader: &str, given: &[String], lang: Lang) -> Result<BTreeMap<String, Scalar>> {
    let info = probe::readers().iter().find(|info| info.name == reader);
    let mut with = BTreeMap::new();
    for pair in given {
        let Some((name, value)) = pair.split_once('=') else {
            let message = say!(lang, "`{pair}` is not key=value", "`{pair}` 不是 key=value");
            return Err(Failure::coded(
                Ending::Usage,
                Code::ProbeInvalid,
                message,
                Code::ProbeInvalid.help(lang),
            ));
        };
        let kind =
            info.and_then(|info| info.params.iter().find(|param| param.name == name)).map(|param| param.kind);
        with.insert(name.to_owned(), typed(value, kind));
    }
    Ok(with)
}

fn typed(value: &str, kind: Option<probe::ParamKind>) -> Scalar {
    let candidates = [
        gate::decode::frozen_number(value).map(Scalar::Number),
        value.parse().ok().map(Scalar::Bool),
        Some(Scalar::Text(value.to_owned())),
    ];
    let text = Scalar::Text(value.to_owned());
    match kind {
        Some(kind) => {
            candidates.into_iter().flatten().find(|candidate| kind.accepts(candidate)).unwrap_or(text)
        }
        None => text,
    }
}

fn wrong(errors: &[probe::ParamError], lang: Lang) -> Failure {
    let problem = |error: &probe::ParamError| {
        Problem::new(Code::ProbeInvalid, error.explain(lang), Code::ProbeInvalid.help(lang))
    };
    Failure::Problems { ending: Ending::InvalidInput, problems: errors.iter().map(problem).collect() }
}

fn no_file(file: &Utf8Path, lang: Lang) -> Failure {
    let message = say!(lang, "there is no file {file}", "找不到文件 {file}");
    let help = say!(lang, "name a file that was collected", "请指定一个已采集的文件");
    Failure::coded(Ending::InvalidInput, Code::EvidenceMissing, message, help)
}

fn text(answer: &Answer, lang: Lang) -> String {
    let Answer::Values { values } = answer else { return words::answer(answer, lang) };
    let lines = values.iter().map(|value| {
        let places: Vec<String> = value.places.iter().map(|place| words::place(place, lang)).collect();
        let places = places.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ");
        let at = if places.is_empty() { String::new() } else { format!("    {places}") };
        format!("{}{at}", words::reading(value, lang))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The readers with their parameters, or one of them.
fn list(reader: Option<&str>, lang: Lang) -> Printed {
    let readers: Vec<_> =
        probe::readers().iter().filter(|info| reader.is_none_or(|wanted| wanted == info.name)).collect();
    let text = readers.iter().map(|info| describe(info, lang)).collect::<Vec<_>>().join("\n\n");
    let data: Vec<_> = readers.iter().map(|info| description(info, lang)).collect();
    Printed::yes(text, json!({ "readers": data }))
}

fn describe(info: &probe::ReaderInfo, lang: Lang) -> String {
    let mut text = format!("{}  {}", info.name, info.purpose.pick(lang));
    for param in info.params {
        let required = if param.required { lang.pick(", required", "，必填") } else { "" };
        let kind = param.kind.describe(lang);
        text.push_str(&format!("\n    {:<12} {}（{kind}{required}）", param.name, param.meaning.pick(lang)));
    }
    let example = lang.pick("example", "示例");
    text.push_str(&format!("\n    {example}: {}", info.example));
    if lang == Lang::En { text.replace('（', " (").replace('）', ")") } else { text }
}

fn description(info: &probe::ReaderInfo, lang: Lang) -> serde_json::Value {
    let params: Vec<_> = info
        .params
        .iter()
        .map(|param| {
            json!({
                "name": param.name,
                "kind": param.kind.describe(lang),
                "required": param.required,
                "meaning": param.meaning.pick(lang),
                "example": param.example,
            })
        })
        .collect();
    json!({ "name": info.name, "purpose": info.purpose.pick(lang), "params": params, "example": info.example })
}
