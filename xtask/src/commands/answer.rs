//! What a command prints: text for people, or JSON. Data goes to standard output, findings to standard error, and both
//! JSON and exit code come from the same [`Ending`].

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};

use gate::lang::Lang;
use gate::problem::Problem;
use serde_json::{Value, json};

use crate::cli::Cli;
use crate::document;
use crate::ending::Ending;
use crate::failure::Failure;
use crate::paths::Root;
use crate::store;

/// What a command that could do its work came to.
pub struct Answer {
    /// How it ends.
    pub ending: Ending,
    /// For people, on standard output; may be empty.
    pub text: String,
    /// For machines: the fields beside `ending` and `exitCode`.
    pub data: Value,
}

impl Answer {
    /// A plain yes.
    pub fn yes(text: String, data: Value) -> Self {
        Answer { ending: Ending::Yes, text, data }
    }

    /// Prints it, and says how the process ends.
    pub fn print(self, cli: &Cli) -> Ending {
        if cli.json {
            print_json(self.ending, self.data);
        } else if !self.text.is_empty() {
            to_stdout(&as_called(self.text.trim_end_matches('\n')));
        }
        self.ending
    }
}

/// Prints why a command could not do its work, and says how the process ends.
pub fn failed(cli: &Cli, root: Option<&Root>, lang: Lang, failure: &Failure) -> Ending {
    let ending = failure.ending();
    if cli.json {
        print_json(ending, problems(failure));
    } else {
        // Nobody is left to tell if standard error is closed.
        let text = shown(root, lang, failure);
        let _ = writeln!(std::io::stderr().lock(), "{}", as_called(text.trim_end()));
    }
    ending
}

/// A text for a person, with the commands in it as they are typed here: cargo starts us in this repository, and the
/// installed program is called by its own name.
pub fn as_called(text: &str) -> String {
    match std::env::var_os("CARGO") {
        Some(_) => text.to_owned(),
        None => text.replace("cargo xtask", "xtask"),
    }
}

/// Why a command could not do its work, as a person reads it.
pub fn shown(root: Option<&Root>, lang: Lang, failure: &Failure) -> String {
    match failure {
        Failure::Problems { problems, .. } => render(root, problems, lang),
        Failure::Interrupted => lang
            .pick("interrupted; the next run goes on from here", "已中断；下次运行将从此处继续")
            .to_owned(),
        Failure::Unexpected(error) => format!("error: {error:#}"),
    }
}

/// The same for machines.
pub fn problems(failure: &Failure) -> Value {
    match failure {
        Failure::Problems { problems, .. } => json!({ "problems": problems }),
        Failure::Interrupted => json!({ "problems": [] }),
        Failure::Unexpected(error) => json!({ "problems": [], "error": format!("{error:#}") }),
    }
}

/// Findings as a person reads them: with the line they are about where there is one.
pub fn render(root: Option<&Root>, problems: &[Problem], lang: Lang) -> String {
    let mut sources = BTreeMap::new();
    for file in problems.iter().filter_map(|problem| problem.file.as_ref()) {
        let text = root.and_then(|root| store::read_optional(&root.join(file)).ok().flatten());
        if let Some(bytes) = text {
            sources.insert(file.clone(), String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    document::render_all(problems, &sources, lang, colour())
}

fn colour() -> bool {
    let asked_not_to = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !asked_not_to && std::io::stderr().is_terminal()
}

/// Prints the ending, and what belongs to it.
pub fn print_json(ending: Ending, data: Value) {
    let mut all = json!({ "ending": ending, "exitCode": ending.exit_code() });
    if let (Some(all), Value::Object(fields)) = (all.as_object_mut(), data) {
        all.extend(fields);
    }
    to_stdout(&format!("{all:#}"));
}

fn to_stdout(text: &str) {
    // A reader that went away, such as `head`, is no failure of ours.
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}
