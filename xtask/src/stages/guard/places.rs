//! Where protected files are, and which of them are there.

use std::collections::BTreeSet;

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::failure::Result;
use crate::paths::Root;
use crate::store;

/// Files and folders that nothing may touch, relative to the root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Places {
    /// Files, and folders with all that is in them.
    pub trees: Vec<Utf8PathBuf>,
    /// What below them is written meanwhile.
    pub spared: Vec<Utf8PathBuf>,
}

impl Places {
    /// Those of a feature in a round, whose own logs are written meanwhile.
    pub fn of(context: &Context<'_>, round: u32) -> Places {
        Places {
            // Its own come first: not everything may be kept.
            trees: vec![
                Root::PIPELINE.into(),
                "templates".into(),
                context.paths.authored(),
                context.paths.delivery(),
                "features".into(),
                "deliveries".into(),
            ],
            spared: vec![context.paths.in_round(round, "logs")],
        }
    }

    /// Without the deliveries of other features: whoever delivers them later writes there.
    pub fn without_others(mut self) -> Places {
        self.trees.retain(|tree| tree != "deliveries");
        self
    }

    /// Every file that is there, relative to the root, in the order of the places.
    pub fn listed(&self, root: &Root) -> Result<Vec<Utf8PathBuf>> {
        let (mut files, mut listed) = (Vec::new(), BTreeSet::new());
        for tree in &self.trees {
            match store::kind(&root.join(tree))? {
                store::Kind::Absent => {}
                store::Kind::Folder => {
                    files.extend(store::files_below(&root.join(tree))?.iter().map(|file| tree.join(file)));
                }
                // A file, or a folder that became something else.
                _ => files.push(tree.clone()),
            }
        }
        files.retain(|file| !self.spared.iter().any(|spared| file.starts_with(spared)));
        files.retain(|file| listed.insert(file.clone()));
        Ok(files)
    }
}
