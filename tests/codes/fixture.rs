//! A fixture as it is written; `tests/fixtures/codes/README.md` says the same to people.

use std::collections::BTreeMap;
use std::fs;

use gate::lang::Lang;
use serde::Deserialize;

use super::case::BY_HAND;
use crate::support::repository;

/// Where the fixtures are.
pub const FOLDER: &str = "tests/fixtures/codes";

/// What people wrote of the sample, which examples may quote.
const SAMPLE: [&str; 3] = [
    "pipeline.yaml",
    "features/login-page/pack.yaml",
    "features/login-page/recorded/round-2/checks.lin.yaml",
];

/// All that is known of one code beside its table entry.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fixture {
    /// The part of the page that it is told in.
    pub area: Area,
    /// The language of the example's fence.
    #[serde(default = "yaml")]
    pub syntax: String,
    /// What the example cannot say by itself.
    pub note: Option<Note>,
    /// What a person writes that makes the code fire.
    pub example: String,
    /// Makes it fire.
    pub fires: Case,
    /// Comes as near as possible, and does not.
    pub silent: Case,
}

fn yaml() -> String {
    "yaml".to_owned()
}

/// The parts of the page, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Area {
    Reading,
    Authoring,
    Review,
    Pipeline,
    Delivery,
    Gate,
}

impl Area {
    pub const ALL: [Area; 6] =
        [Area::Reading, Area::Authoring, Area::Review, Area::Pipeline, Area::Delivery, Area::Gate];
}

/// A remark in both languages.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    en: String,
    zh: String,
}

impl Note {
    pub fn pick(&self, lang: Lang) -> &str {
        match lang {
            Lang::En => &self.en,
            Lang::Zh => &self.zh,
        }
    }
}

/// Edits to the sample, then a command, then its exit code.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    #[serde(default)]
    pub edits: Vec<Edit>,
    /// Variables of the environment.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The command after `cargo xtask`, split at white space.
    pub run: String,
    pub exit: i32,
}

/// One change to the workspace, in the order in which they are written.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Edit {
    /// A file with this text; folders above it are made.
    Write { file: String, text: String },
    /// A file that only its owner may read, with this text.
    WritePrivate { file: String, text: String },
    /// Every occurrence of what must be there.
    Replace { file: String, from: String, to: String },
    /// A text at the end of a file, several times over; `{n}` in it counts from 1.
    Append {
        file: String,
        text: String,
        #[serde(default = "once")]
        times: usize,
    },
    /// A file or folder at a second place.
    Copy { from: String, to: String },
    /// A file or folder that goes away.
    Remove(String),
    /// A PNG picture, of one colour or of many.
    Picture {
        file: String,
        width: u32,
        height: u32,
        #[serde(default)]
        flat: bool,
    },
    /// A file in UTF-16, as some editors save it.
    Utf16(String),
    /// A git command in a folder.
    Git { folder: String, arguments: Vec<String> },
    /// A command that comes before the one in question, whatever it answers.
    Run(String),
    /// What the stages up to `evidence` leave of the sample as it stands.
    Gathered,
    /// Two files or folders that change places.
    Swap { one: String, other: String },
    /// The digest that a file of the golden delivery had becomes the one that it has now, wherever these files have it.
    Rehash { file: String, within: Vec<String> },
    /// The digest of the frozen pack becomes that of the pack that is in the lock now, in every file of a folder.
    Repack(String),
    /// A feature whose lock another run holds until the end of the case.
    Hold(String),
}

fn once() -> usize {
    1
}

/// Every fixture by its file's name, which is the code's.
pub fn all() -> BTreeMap<String, Fixture> {
    let files = fs::read_dir(repository().join(FOLDER)).unwrap().map(|entry| entry.unwrap().path());
    let fixtures = files.filter(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    fixtures
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let text = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
            // Through JSON, whose enums need no tag of YAML.
            let value: serde_json::Value =
                serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            let fixture = serde_json::from_value(value).unwrap_or_else(|error| panic!("{name}: {error}"));
            (name, fixture)
        })
        .collect()
}

impl Fixture {
    /// Lines of the example that are neither in the firing case nor in the sample: an example that nothing runs would
    /// rot. Comments are free.
    pub fn invented_lines(&self) -> Option<String> {
        let sample = SAMPLE.map(|file| fs::read_to_string(repository().join(file)).unwrap());
        let env: String = self.fires.env.iter().map(|(name, value)| format!("{name}={value} ")).collect();
        let command = format!("{env}cargo xtask {}", self.fires.run);
        let edited = self.fires.edits.iter().flat_map(Edit::texts);
        let texts: Vec<&str> =
            edited.chain(sample.iter().map(String::as_str)).chain([BY_HAND, command.as_str()]).collect();
        let lines =
            self.example.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let invented: Vec<&str> =
            lines.filter(|line| !texts.iter().any(|text| text.contains(line))).collect();
        (!invented.is_empty()).then(|| format!("the example shows what `fires` does not hold: {invented:?}"))
    }
}

impl Edit {
    fn texts(&self) -> Vec<&str> {
        match self {
            Edit::Write { text, .. } | Edit::WritePrivate { text, .. } | Edit::Append { text, .. } => {
                vec![text]
            }
            Edit::Replace { from, to, .. } => vec![from, to],
            _ => Vec::new(),
        }
    }
}
