//! Where protected files are, and which of them are there.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use super::named;
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
    /// Those that an executor has nothing to do with: it runs no program of the team's own.
    pub fn for_executor(context: &Context<'_>, round: u32) -> Places {
        Places::with(context, round, named::trees(context))
    }

    /// Those that collectors and auditors may not touch. Of what a team keeps for them only the files that are named are
    /// theirs to read alone: in a folder they may keep what they compiled.
    pub fn for_program(context: &Context<'_>, round: u32) -> Places {
        let files = named::trees(context).into_iter().filter(|path| context.at(path).is_file());
        Places::with(context, round, files.collect())
    }

    fn with(context: &Context<'_>, round: u32, named: Vec<Utf8PathBuf>) -> Places {
        let mut places = Places::of(context, round);
        places.trees.extend(named);
        places.spared.extend(named::spared(context));
        places
    }

    /// Those of a feature in a round, whose own logs are written meanwhile.
    fn of(context: &Context<'_>, round: u32) -> Places {
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

    /// One of them alone.
    pub fn only(&self, tree: &Utf8Path) -> Places {
        Places { trees: vec![tree.to_owned()], spared: self.spared.clone() }
    }

    /// Whether a file is written meanwhile.
    pub fn is_spared(&self, file: &Utf8Path) -> bool {
        self.spared.iter().any(|spared| file.starts_with(spared))
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
        files.retain(|file| !self.is_spared(file));
        files.retain(|file| listed.insert(file.clone()));
        Ok(files)
    }
}
