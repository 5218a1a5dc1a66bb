//! The parameters of readers: described for people, checked before anything is read.

use std::collections::{BTreeMap, BTreeSet};

use gate::lang::Lang;
use gate::pack::Scalar;
use gate::say;

use crate::answer::Outcome;
use crate::did_you_mean::closest;
use crate::input::Input;

/// A fixed text in both languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// English.
    pub en: &'static str,
    /// Chinese.
    pub zh: &'static str,
}

impl Words {
    /// The text of a language.
    pub fn pick(self, lang: Lang) -> &'static str {
        lang.pick(self.en, self.zh)
    }
}

pub(crate) const fn words(en: &'static str, zh: &'static str) -> Words {
    Words { en, zh }
}

/// What a reader is, for `cargo xtask probe --list`.
#[derive(Clone, Copy, Debug)]
pub struct ReaderInfo {
    /// The name in a pack.
    pub name: &'static str,
    /// One line: what it reads, and where such a file comes from.
    pub purpose: Words,
    /// Its parameters, the most important first.
    pub params: &'static [ParamInfo],
    /// The `with` of a probe, as YAML flow text: `{measure: width, node: id=ok}`.
    pub example: &'static str,
}

/// One parameter of a reader.
#[derive(Clone, Copy, Debug)]
pub struct ParamInfo {
    /// The key within `with`.
    pub name: &'static str,
    /// What may stand there.
    pub kind: ParamKind,
    /// Whether every use of the reader needs it.
    pub required: bool,
    /// What it means.
    pub meaning: Words,
    /// A value.
    pub example: &'static str,
}

/// What may stand in a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// Text.
    Text,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number from 0.
    Count,
    /// A decimal number.
    Number,
    /// Text: the name of other evidence, whose bytes are a companion of the input.
    Evidence,
}

impl ParamKind {
    /// What to write, in words.
    pub fn describe(self, lang: Lang) -> String {
        match self {
            ParamKind::Text => {
                lang.pick("text (put quotes around a number)", "文本（数字请加引号）").to_owned()
            }
            ParamKind::Choice(choices) => {
                let list = choices.join(", ");
                say!(lang, "one of {list}", "以下之一：{list}")
            }
            ParamKind::Count => lang.pick("a whole number from 0", "从 0 起的整数").to_owned(),
            ParamKind::Number => lang.pick("a number", "数字").to_owned(),
            ParamKind::Evidence => lang.pick("the name of other evidence", "另一项证据的名称").to_owned(),
        }
    }

    /// Whether a value may stand there.
    pub fn accepts(self, value: &Scalar) -> bool {
        match (self, value) {
            (ParamKind::Text | ParamKind::Choice(_) | ParamKind::Evidence, Scalar::Text(_)) => true,
            (ParamKind::Count, Scalar::Number(text)) => text.parse::<u64>().is_ok(),
            (ParamKind::Number, Scalar::Number(_)) => true,
            _ => false,
        }
    }
}

/// What is wrong with a probe's reader or parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParamError {
    /// There is no such reader.
    UnknownReader {
        /// What was written.
        given: String,
        /// What may be meant.
        suggestion: Option<&'static str>,
    },
    /// The reader has no such parameter.
    UnknownParameter {
        /// The reader.
        reader: &'static str,
        /// What was written.
        given: String,
        /// What may be meant.
        suggestion: Option<&'static str>,
    },
    /// A parameter that is needed is not there.
    Missing {
        /// The reader.
        reader: &'static str,
        /// The parameter.
        name: &'static str,
        /// What needs it, such as `measure: gapVertical`; `None` if every use does.
        needed_by: Option<String>,
    },
    /// The value is of another type.
    WrongType {
        /// The reader.
        reader: &'static str,
        /// The parameter.
        name: &'static str,
        /// What may stand there.
        expected: ParamKind,
        /// What stands there.
        given: Scalar,
    },
    /// The word is none of the choices.
    UnknownChoice {
        /// The reader.
        reader: &'static str,
        /// The parameter.
        name: &'static str,
        /// What stands there.
        given: String,
        /// All that may stand there.
        choices: &'static [&'static str],
        /// What may be meant.
        suggestion: Option<&'static str>,
    },
    /// The parameter means nothing beside the others, so its author expects something that will not happen.
    Unused {
        /// The reader.
        reader: &'static str,
        /// The parameter.
        name: &'static str,
    },
    /// The value does not parse: a selector, a pattern, a path.
    Invalid {
        /// The reader.
        reader: &'static str,
        /// The parameter.
        name: &'static str,
        /// Why, in English.
        en: String,
        /// Why, in Chinese.
        zh: String,
    },
}

impl ParamError {
    /// The parameter that it is about, if it is about one.
    pub fn param(&self) -> Option<&str> {
        match self {
            ParamError::UnknownReader { .. } => None,
            ParamError::UnknownParameter { given, .. } => Some(given),
            ParamError::Missing { name, .. }
            | ParamError::WrongType { name, .. }
            | ParamError::UnknownChoice { name, .. }
            | ParamError::Unused { name, .. }
            | ParamError::Invalid { name, .. } => Some(name),
        }
    }

    /// What is wrong and what to write instead: a fragment in lower case.
    pub fn explain(&self, lang: Lang) -> String {
        match self {
            ParamError::UnknownReader { given, suggestion } => {
                let hint = meant(*suggestion, lang);
                say!(
                    lang,
                    "there is no reader `{given}`{hint}; `cargo xtask probe --list` shows all",
                    "没有名为 `{given}` 的读取器{hint}；`cargo xtask probe --list` 可列出全部"
                )
            }
            ParamError::UnknownParameter { reader, given, suggestion } => {
                let hint = meant(*suggestion, lang);
                say!(
                    lang,
                    "reader `{reader}` has no parameter `{given}`{hint}",
                    "读取器 `{reader}` 没有参数 `{given}`{hint}"
                )
            }
            ParamError::Missing { reader, name, needed_by: None } => {
                say!(lang, "reader `{reader}` needs `{name}`", "读取器 `{reader}` 必须有 `{name}`")
            }
            ParamError::Missing { reader, name, needed_by: Some(by) } => {
                say!(
                    lang,
                    "reader `{reader}` needs `{name}` for `{by}`",
                    "读取器 `{reader}` 在 `{by}` 时必须有 `{name}`"
                )
            }
            ParamError::WrongType { reader, name, expected, given } => {
                let (expected, given) = (expected.describe(lang), show(given));
                say!(
                    lang,
                    "`{name}` of reader `{reader}` is {given}: write {expected}",
                    "读取器 `{reader}` 的 `{name}` 写成了 {given}：应为{expected}"
                )
            }
            ParamError::UnknownChoice { reader, name, given, choices, suggestion } => {
                let (hint, list) = (meant(*suggestion, lang), choices.join(", "));
                say!(
                    lang,
                    "`{name}` of reader `{reader}` cannot be `{given}`{hint}; one of {list}",
                    "读取器 `{reader}` 的 `{name}` 不能是 `{given}`{hint}；可选：{list}"
                )
            }
            ParamError::Unused { reader, name } => say!(
                lang,
                "`{name}` means nothing to reader `{reader}` beside the other parameters: remove it",
                "`{name}` 与其余参数一起用时，对读取器 `{reader}` 没有意义：请删去"
            ),
            ParamError::Invalid { name, en, zh, .. } => say!(lang, "`{name}`: {en}", "`{name}`：{zh}"),
        }
    }
}

fn meant(suggestion: Option<&str>, lang: Lang) -> String {
    suggestion
        .map_or_else(String::new, |word| say!(lang, " (did you mean `{word}`?)", "（是否想写 `{word}`？）"))
}

fn show(value: &Scalar) -> String {
    match value {
        Scalar::Bool(value) => format!("`{value}`"),
        Scalar::Number(text) => format!("`{text}`"),
        Scalar::Text(text) => format!("\"{text}\""),
    }
}

/// What a reader does once its parameters are understood.
pub(crate) type Plan = Box<dyn Fn(&mut Input<'_, '_>, Lang) -> Outcome>;

/// The parameters of one probe while a reader understands them. Names, types and choices are checked on the way in;
/// what a reader takes is remembered, so that what it leaves is an error.
pub(crate) struct Params<'a> {
    info: &'static ReaderInfo,
    with: &'a BTreeMap<String, Scalar>,
    taken: BTreeSet<&'static str>,
    errors: Vec<ParamError>,
}

impl<'a> Params<'a> {
    pub(crate) fn new(info: &'static ReaderInfo, with: &'a BTreeMap<String, Scalar>) -> Self {
        let mut params = Params { info, with, taken: BTreeSet::new(), errors: Vec::new() };
        params.check_names_and_types();
        params
    }

    fn check_names_and_types(&mut self) {
        let reader = self.info.name;
        for (given, value) in self.with {
            let Some(param) = self.info.params.iter().find(|param| param.name == given) else {
                let suggestion = closest(given, self.info.params.iter().map(|param| param.name));
                self.errors.push(ParamError::UnknownParameter { reader, given: given.clone(), suggestion });
                continue;
            };
            let (name, expected) = (param.name, param.kind);
            match (expected, value) {
                (ParamKind::Choice(choices), Scalar::Text(word)) if !choices.contains(&word.as_str()) => {
                    let suggestion = closest(word, choices.iter().copied());
                    let given = word.clone();
                    self.errors.push(ParamError::UnknownChoice { reader, name, given, choices, suggestion });
                }
                _ if expected.accepts(value) => {}
                _ => self.errors.push(ParamError::WrongType { reader, name, expected, given: value.clone() }),
            }
        }
        for param in self.info.params.iter().filter(|param| param.required) {
            if !self.with.contains_key(param.name) {
                self.errors.push(ParamError::Missing { reader, name: param.name, needed_by: None });
            }
        }
    }

    /// The text of a parameter, if it is there.
    pub(crate) fn text(&mut self, name: &'static str) -> Option<&'a str> {
        self.taken.insert(name);
        match self.with.get(name) {
            Some(Scalar::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The whole number of a parameter, if it is there.
    pub(crate) fn count(&mut self, name: &'static str) -> Option<u64> {
        self.number(name)?.parse().ok()
    }

    /// The decimal text of a parameter, if it is there.
    pub(crate) fn number(&mut self, name: &'static str) -> Option<&'a str> {
        self.taken.insert(name);
        match self.with.get(name) {
            Some(Scalar::Number(text)) => Some(text),
            _ => None,
        }
    }

    /// The text of a parameter that `needed_by` (such as `measure: text`) cannot do without.
    pub(crate) fn needed_text(&mut self, name: &'static str, needed_by: &str) -> Option<&'a str> {
        self.need(name, needed_by);
        self.text(name)
    }

    /// Records that a parameter is missing, if it is.
    pub(crate) fn need(&mut self, name: &'static str, needed_by: &str) {
        if !self.with.contains_key(name) {
            let needed_by = Some(needed_by.to_owned());
            self.errors.push(ParamError::Missing { reader: self.info.name, name, needed_by });
        }
    }

    /// Records that a value does not parse.
    pub(crate) fn invalid(&mut self, name: &'static str, en: String, zh: String) {
        self.errors.push(ParamError::Invalid { reader: self.info.name, name, en, zh });
    }

    /// The plan, or all that is wrong.
    pub(crate) fn finish(mut self, plan: Option<Plan>) -> Result<Plan, Vec<ParamError>> {
        let reader = self.info.name;
        if self.errors.is_empty() {
            let given =
                self.info.params.iter().map(|param| param.name).filter(|name| self.with.contains_key(*name));
            let unused = given.filter(|name| !self.taken.contains(name));
            self.errors.extend(unused.map(|name| ParamError::Unused { reader, name }));
        }
        match plan {
            Some(plan) if self.errors.is_empty() => Ok(plan),
            _ => Err(self.errors),
        }
    }
}
