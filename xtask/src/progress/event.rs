//! What happens, as events. `docs/events.md` describes them, and `docs/schemas/event.schema.json` is made from them.

use serde::Serialize;

/// One line of an event stream.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Record {
    /// See [`crate::documents::FORMAT`].
    pub format: u32,
    /// From 1, one more with each event of one run.
    pub sequence: u64,
    /// When it was written: RFC 3339, in UTC.
    pub at: String,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// What happened.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// The delivery of a feature begins.
    DeliveryStarted {
        /// The feature.
        feature: String,
    },
    /// A stage begins to work.
    StageStarted {
        /// The feature.
        feature: String,
        /// The stage's id in `pipeline.yaml`.
        stage: String,
        /// The round; absent for a stage before the rounds.
        #[serde(skip_serializing_if = "Option::is_none")]
        round: Option<u32>,
    },
    /// A stage goes on to another part of its work.
    StepStarted {
        /// The feature.
        feature: String,
        /// The stage's id in `pipeline.yaml`.
        stage: String,
        /// The part, such as the name of a collector.
        step: String,
    },
    /// A running program wrote a line. Of a flood, some are left out here; the log has them all.
    Output {
        /// The feature.
        feature: String,
        /// The stage whose program it is.
        stage: String,
        /// The line, without secrets and control characters; the beginning of a long one.
        line: String,
        /// How many lines were left out before this one.
        #[serde(skip_serializing_if = "is_zero")]
        skipped: u64,
    },
    /// A stage is over, or had nothing to do.
    StageFinished {
        /// The feature.
        feature: String,
        /// The stage's id in `pipeline.yaml`.
        stage: String,
        /// The round; absent for a stage before the rounds.
        #[serde(skip_serializing_if = "Option::is_none")]
        round: Option<u32>,
        /// How.
        outcome: Outcome,
        /// How long it took.
        seconds: f64,
    },
    /// Anything else that a person may want to know.
    Note {
        /// The feature that it is about.
        #[serde(skip_serializing_if = "Option::is_none")]
        feature: Option<String>,
        /// What is said, in the delivery's language.
        text: String,
    },
    /// The delivery of a feature is over.
    DeliveryFinished {
        /// The feature.
        feature: String,
        /// How it ended; absent where it could not be brought to an end.
        #[serde(skip_serializing_if = "Option::is_none")]
        outcome: Option<String>,
        /// Its last round; absent where it could not be brought to an end.
        #[serde(skip_serializing_if = "Option::is_none")]
        round: Option<u32>,
        /// The exit code that it means.
        exit_code: u8,
    },
}

/// How a stage ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// It did its work.
    Ran,
    /// It had nothing to do.
    UpToDate,
    /// It could not do its work.
    Failed,
    /// A person or a signal stopped it.
    Interrupted,
    /// A person has to act first.
    Waiting,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}
