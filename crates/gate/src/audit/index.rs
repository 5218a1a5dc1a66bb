//! Finds the checks of each criterion once, so that the gate is linear in what it is given.

use std::collections::BTreeMap;

use crate::check::{Auditor, Check};
use crate::pack::Pack;

/// A check with the auditor who wrote it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported<'a> {
    pub auditor: &'a Auditor,
    pub check: &'a Check,
}

/// All checks, by the place of their criterion in the pack; within one criterion in the order of auditors.
pub(super) struct Index<'a> {
    sorted: Vec<(u32, Reported<'a>)>,
    /// Checks that name no criterion of the pack.
    pub unknown: Vec<Reported<'a>>,
}

impl<'a> Index<'a> {
    pub fn new(pack: &'a Pack, auditors: &'a [Auditor]) -> Self {
        // Numbered in the pack's order; of equal ids, which decoding refuses, the first is meant.
        let mut places: BTreeMap<&str, u32> = BTreeMap::new();
        for (place, criterion) in (0u32..).zip(&pack.criteria) {
            places.entry(&criterion.id).or_insert(place);
        }
        let mut index = Index { sorted: Vec::new(), unknown: Vec::new() };
        for auditor in auditors {
            for check in &auditor.checks {
                match places.get(check.criterion_id.as_str()) {
                    Some(place) => index.sorted.push((*place, Reported { auditor, check })),
                    None => index.unknown.push(Reported { auditor, check }),
                }
            }
        }
        index.sorted.sort_by_key(|(place, _)| *place);
        index
    }

    /// The checks of the criterion at a place in the pack.
    pub fn of(&self, place: usize) -> &[(u32, Reported<'a>)] {
        let begin = self.sorted.partition_point(|(p, _)| (*p as usize) < place);
        let end = self.sorted.partition_point(|(p, _)| (*p as usize) <= place);
        self.sorted.get(begin..end).unwrap_or_default()
    }
}
