//! Ids: as the file has them wherever a pack can hold them.

use std::collections::{BTreeMap, BTreeSet};

use gate::decode::{MAX_ID, check_id};
use gate::lang::Lang;

/// The ids given so far.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    taken: BTreeSet<String>,
    /// How often each was asked for, so that the next free one is found without trying all.
    asked: BTreeMap<String, u32>,
}

impl Ids {
    /// The id, or the nearest one that is sound and free.
    pub(crate) fn take(&mut self, wanted: &str) -> String {
        let sound = sound(wanted);
        let asked = self.asked.entry(sound.clone()).or_default();
        let mut id = sound.clone();
        while self.taken.contains(&id) {
            *asked += 1;
            id = format!("{sound}-{}", *asked + 1);
        }
        self.taken.insert(id.clone());
        id
    }
}

/// The id without what a pack's id cannot hold.
fn sound(wanted: &str) -> String {
    let wanted = wanted.trim();
    if check_id(wanted, Lang::En).is_none() {
        return wanted.to_owned();
    }
    let kept: String = wanted
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' })
        .take(MAX_ID - 10)
        .collect();
    let kept = kept.trim_matches(['-', '.']).to_owned();
    if check_id(&kept, Lang::En).is_none() { kept } else { "X".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_stays_or_becomes_the_nearest_that_is_sound() {
        let mut ids = Ids::default();
        for (wanted, given) in [
            ("FR-001", "FR-001"),
            ("FR-001", "FR-001-2"),
            ("FR-001", "FR-001-3"),
            (" 登录 01 ", "登录 01"),
            ("a/b:c", "a-b-c"),
            ("...", "X"),
            ("", "X-2"),
        ] {
            assert_eq!(ids.take(wanted), given);
        }
        let long = "长".repeat(300);
        assert!(check_id(&ids.take(&long), Lang::En).is_none());
    }
}
