//! Finds the checks of each criterion once, so that the gate is linear in what it is given.

use crate::check::{Auditor, Check};
use crate::pack::Pack;

/// A check with the auditor who wrote it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported<'a> {
    pub auditor: &'a Auditor,
    pub check: &'a Check,
}

impl<'a> Reported<'a> {
    /// The evidence files that the check names.
    pub fn files(self) -> impl Iterator<Item = &'a str> {
        self.check.evidence_refs.iter().map(String::as_str)
    }
}

/// All checks, by the place of their criterion in the pack; within one criterion in the order of auditors.
pub(super) struct Index<'a> {
    sorted: Vec<(u32, Reported<'a>)>,
    /// Checks that name no criterion of the pack.
    pub unknown: Vec<Reported<'a>>,
}

impl<'a> Index<'a> {
    pub fn new(pack: &'a Pack, auditors: &'a [Auditor]) -> Self {
        let places = Places::new(pack);
        let count = auditors.iter().map(|auditor| auditor.checks.len()).sum();
        let mut index = Index { sorted: Vec::with_capacity(count), unknown: Vec::new() };
        let mut near = 0;
        for auditor in auditors {
            for check in &auditor.checks {
                let reported = Reported { auditor, check };
                match places.find(&check.criterion_id, &mut near) {
                    Some(place) => index.sorted.push((place, reported)),
                    None => index.unknown.push(reported),
                }
            }
        }
        index.sorted.sort_by_key(|(place, _)| *place);
        index
    }

    /// The checks that name a criterion of the pack.
    pub fn known(&self) -> impl Iterator<Item = Reported<'a>> {
        self.sorted.iter().map(|(_, reported)| *reported)
    }

    /// The checks of one criterion after another, in the pack's order.
    pub fn by_criterion(&self) -> impl Iterator<Item = &[(u32, Reported<'a>)]> {
        let mut rest = self.sorted.as_slice();
        (0u32..).map(move |place| {
            let count = rest.iter().take_while(|(of, _)| *of == place).count();
            let (these, after) = rest.split_at_checked(count).unwrap_or_default();
            rest = after;
            these
        })
    }
}

/// The criteria by id, with their places in the pack.
struct Places<'a>(Vec<(&'a str, u32)>);

impl<'a> Places<'a> {
    fn new(pack: &'a Pack) -> Self {
        let mut places: Vec<(&str, u32)> =
            pack.criteria.iter().map(|criterion| criterion.id.as_str()).zip(0u32..).collect();
        places.sort();
        // Of equal ids, which decoding refuses, the first is meant.
        places.dedup_by_key(|(id, _)| *id);
        Places(places)
    }

    /// The place of a criterion. Checks mostly follow one another as ids do, forwards or backwards, so the ids next
    /// to the one that was found last, at `near`, are tried first.
    fn find(&self, id: &str, near: &mut usize) -> Option<u32> {
        let here = |at: &usize| self.0.get(*at).is_some_and(|(known, _)| *known == id);
        let beside = [near.wrapping_add(1), near.wrapping_sub(1)].into_iter().find(here);
        *near = match beside {
            Some(at) => at,
            None => self.0.binary_search_by(|(known, _)| (*known).cmp(id)).ok()?,
        };
        self.0.get(*near).map(|(_, place)| *place)
    }
}
