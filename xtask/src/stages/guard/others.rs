//! The deliveries of other features. Whoever delivers them meanwhile writes there, and nobody else.

use std::collections::BTreeMap;

use camino::Utf8Path;

use crate::context::Context;
use crate::failure::Result;
use crate::held;
use crate::store;

/// Who was at work on other features, as far as their locks tell.
pub struct Others(BTreeMap<String, Seen>);

/// What the lock of a feature looked like.
#[derive(Default)]
struct Seen {
    is_held: bool,
    /// Who signed it last.
    holder: Option<Vec<u8>>,
}

impl Others {
    /// Looks at the lock of every feature that was ever run.
    pub fn look(context: &Context<'_>) -> Result<Others> {
        let mut seen = BTreeMap::new();
        for name in store::list(&context.root.scratch().join("locks"))? {
            if let Some(feature) = name.strip_suffix(".lock").filter(|feature| *feature != context.feature) {
                let is_held = held::is_held(context.root, feature);
                seen.insert(feature.to_owned(), Seen { is_held, holder: holder(context, feature)? });
            }
        }
        Ok(Others(seen))
    }

    /// Whether a file is of another feature's delivery, and a run of that feature was at work at any time since.
    pub fn may_write(&self, context: &Context<'_>, path: &Utf8Path) -> Result<bool> {
        let Some(feature) = delivered(path).filter(|feature| *feature != context.feature) else {
            return Ok(false);
        };
        let nothing = Seen::default();
        let seen = self.0.get(feature).unwrap_or(&nothing);
        Ok(seen.is_held || held::is_held(context.root, feature) || holder(context, feature)? != seen.holder)
    }
}

/// The feature whose delivery a path is in.
fn delivered(path: &Utf8Path) -> Option<&str> {
    path.strip_prefix("deliveries").ok()?.components().next().map(|part| part.as_str())
}

fn holder(context: &Context<'_>, feature: &str) -> Result<Option<Vec<u8>>> {
    store::read_optional(&held::path(context.root, feature, "holder.json"))
}
