//! The frozen specification where Goal mode looks for one. Goal mode writes into a specification that it finds, so what is
//! there afterwards is held against what was put there, and taken away again: it is no part of the delivery.

use serde_json::json;

use crate::documents::{Change, Place, ProtectedChange};
use crate::executors::Job;
use crate::failure::Result;
use crate::git::Git;
use crate::store;

/// What is put into the worktree, relative to it.
pub fn placed(feature: &str) -> [String; 2] {
    [format!("spec/{feature}/spec.md"), "spec/feature.json".to_owned()]
}

/// The bytes of each.
fn contents(job: &Job<'_>) -> Result<[Vec<u8>; 2]> {
    let feature = &job.context.feature;
    let spec = store::read(&job.context.at(job.context.paths.delivery().join("spec.md")))?;
    let pointer = store::json_bytes(&json!({ "feature_directory": format!("spec/{feature}") }))?;
    Ok([spec, pointer])
}

/// Puts the frozen specification into a worktree.
pub fn place(job: &Job<'_>, worktree: &Git) -> Result<()> {
    for (path, bytes) in placed(&job.context.feature).iter().zip(contents(job)?) {
        store::write(&worktree.folder().join(path), &bytes)?;
    }
    Ok(())
}

/// Takes it away, and answers what was done to it. What the app itself has in its place comes back.
pub fn withdraw(job: &Job<'_>, worktree: &Git) -> Result<Vec<ProtectedChange>> {
    let mut changes = Vec::new();
    for (path, bytes) in placed(&job.context.feature).iter().zip(contents(job)?) {
        let found = match store::kind(&worktree.folder().join(path))? {
            store::Kind::File => store::read_optional(&worktree.folder().join(path))?,
            _ => None,
        };
        let change = match found {
            None => Some(Change::Removed),
            Some(found) if found != bytes => Some(Change::Changed),
            Some(_) => None,
        };
        changes.extend(change.map(|change| ProtectedChange {
            path: path.clone(),
            place: Place::App,
            change,
        }));
        worktree.put_back(path, job.base)?;
    }
    Ok(changes)
}
