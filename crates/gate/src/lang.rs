//! The two languages in which this project speaks. They are equal: every text exists in both.

use serde::{Deserialize, Serialize};

/// The language of messages, reports and artifacts of one delivery. Chosen in `pipeline.yaml`, never by locale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

impl Lang {
    /// The text of this language.
    pub fn pick<T>(self, en: T, zh: T) -> T {
        match self {
            Lang::En => en,
            Lang::Zh => zh,
        }
    }

    /// `en` or `zh`, as in `pipeline.yaml` and in the folder names under `templates/`.
    pub fn code(self) -> &'static str {
        self.pick("en", "zh")
    }
}

/// Formats one message in the given language: `say!(lang, "no file {path}", "没有文件 {path}")`.
#[macro_export]
macro_rules! say {
    ($lang:expr, $en:literal, $zh:literal $(, $arg:expr)* $(,)?) => {
        match $lang {
            $crate::lang::Lang::En => format!($en $(, $arg)*),
            $crate::lang::Lang::Zh => format!($zh $(, $arg)*),
        }
    };
}
