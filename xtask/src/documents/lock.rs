//! `pack.lock.json`: the frozen pack, and those that it replaced.

use std::collections::BTreeMap;

use gate::audit::Location;
use gate::lang::Lang;
use gate::pack::Pack;
use serde::{Deserialize, Serialize};

/// `pack.lock.json`: what "done" means, frozen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Lock {
    /// The version of its format.
    pub format: u32,
    /// The feature.
    pub feature: String,
    /// The language of the delivery's artifacts.
    pub lang: Lang,
    /// SHA-256 of the canonical JSON (RFC 8785) of `pack`.
    pub pack_sha256: String,
    /// How many criteria were frozen.
    pub criteria_count: usize,
    /// The authored file, relative to the root.
    pub authored: String,
    /// Where each criterion stands in it.
    pub locations: BTreeMap<String, Location>,
    /// The frozen pack.
    pub pack: Pack,
    /// Earlier frozen packs, oldest first.
    #[serde(default)]
    pub history: Vec<Refreeze>,
    /// What was frozen earlier, by digest: rounds that were judged by it are judged by it again.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub earlier: BTreeMap<String, EarlierPack>,
}

/// A frozen pack that another one replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EarlierPack {
    /// The authored file, relative to the root.
    pub authored: String,
    /// Where each criterion stood in it.
    pub locations: BTreeMap<String, Location>,
    /// The pack.
    pub pack: Pack,
}

/// One time that a frozen pack was replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Refreeze {
    /// The digest that was replaced.
    pub from: String,
    /// The digest that replaced it.
    pub to: String,
    /// Why, in a person's words.
    pub reason: String,
    /// What the change made easier to satisfy.
    pub loosened: Vec<gate::review::Loosening>,
}
