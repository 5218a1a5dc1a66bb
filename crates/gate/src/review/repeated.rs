//! Criteria that are there twice: one of the two asks for nothing, and counts all the same.

use std::collections::BTreeMap;

use super::accepted::Accepted;
use super::contradiction::value_of;
use super::wording::Subject;
use crate::code::Code;
use crate::lang::Lang;
use crate::pack::{Assertion, Criterion, Pack};
use crate::problem::Problem;
use crate::say;

/// From which likeness on two statements are one, in hundredths: where one of them only says more, and where each has
/// words of its own.
const ALIKE: usize = 80;
const ALIKE_DIFFERING: usize = 90;

/// W_STATEMENT_REPEATED, with the id of the later criterion of each pair.
pub(super) fn statements(pack: &Pack, subjects: &[Subject], lang: Lang) -> Vec<(String, Problem)> {
    let mut index = Index::default();
    let mut found = Vec::new();
    for (place, (criterion, subject)) in pack.criteria.iter().zip(subjects).enumerate() {
        let earlier = index.near(subject).into_iter().find_map(|at| {
            let (earlier, other) = (pack.criteria.get(at)?, subjects.get(at)?);
            alike(earlier, other, criterion, subject).map(|exactly| (earlier, exactly))
        });
        index.add(place, subject);
        let Some((earlier, exactly)) = earlier else { continue };
        let id = &earlier.id;
        let message = if exactly {
            say!(lang, "the statement is that of `{id}`", "陈述与 `{id}` 相同")
        } else {
            say!(lang, "the statement is nearly that of `{id}`", "陈述与 `{id}` 几乎相同")
        };
        let problem = Problem::new(Code::StatementRepeated, message, Code::StatementRepeated.help(lang));
        found.push((criterion.id.clone(), problem));
    }
    found
}

/// Whether two criteria make one statement; and then, whether to the letter.
fn alike(earlier: &Criterion, other: &Subject, later: &Criterion, subject: &Subject) -> Option<bool> {
    if earlier.statement.trim() == later.statement.trim() {
        return Some(true);
    }
    let asks_of_others = matches!((&earlier.probe, &later.probe), (Some(a), Some(b)) if a != b);
    let is_like = || {
        let least = if subject.is_part_of_either(other) { ALIKE } else { ALIKE_DIFFERING };
        subject.likeness(other) >= least
    };
    let is_one = !asks_of_others
        && !subject.parts().is_empty()
        && earlier.weight == later.weight
        && subject.numbers == other.numbers
        && is_like();
    is_one.then_some(false)
}

/// How many earlier statements one is held against: packs whose statements all share their words are no reason to
/// compare each with each.
const MOST_NEAR: usize = 256;

/// Finds earlier statements that can be alike: of their words at least one of the rarest is shared. It keeps ten
/// thousand criteria from being compared pair by pair.
#[derive(Default)]
struct Index {
    /// The places of the statements that hold a part, by its number.
    by_part: Vec<Vec<usize>>,
    without_parts: Vec<usize>,
}

impl Index {
    fn near(&self, subject: &Subject) -> Vec<usize> {
        if subject.parts().is_empty() {
            return self.without_parts.clone();
        }
        // A word that nobody has used before is one of those that may differ.
        let mut rarest: Vec<&[usize]> = subject
            .parts()
            .iter()
            .map(|part| self.by_part.get(*part).map_or(&[][..], Vec::as_slice))
            .collect();
        rarest.sort_by_key(|places| places.len());
        // Two that share eighty parts in a hundred share one of any twenty-one.
        let looked = rarest.len() * (100 - ALIKE) / 100 + 1;
        let mut near: Vec<usize> = Vec::new();
        for places in rarest.into_iter().take(looked) {
            near.extend(places.iter().take(MOST_NEAR.saturating_sub(near.len())));
        }
        near.sort_unstable();
        near.dedup();
        near
    }

    fn add(&mut self, place: usize, subject: &Subject) {
        if subject.parts().is_empty() {
            self.without_parts.push(place);
        }
        for part in subject.parts() {
            if self.by_part.len() <= *part {
                self.by_part.resize_with(part + 1, Vec::new);
            }
            if let Some(places) = self.by_part.get_mut(*part) {
                places.push(place);
            }
        }
    }
}

/// W_ASSERTION_REPEATED, with the id of the later criterion of each pair.
pub(super) fn assertions(pack: &Pack, lang: Lang) -> Vec<(String, Problem)> {
    let mut groups: BTreeMap<String, Vec<(&Criterion, &Assertion)>> = BTreeMap::new();
    for criterion in &pack.criteria {
        if let (Some(assertion), Some(_)) = (&criterion.assertion, &criterion.probe)
            && let Some(value) = value_of(criterion, assertion)
        {
            groups.entry(format!("{:?} {value}", criterion.weight)).or_default().push((criterion, assertion));
        }
    }
    let mut found = Vec::new();
    for group in groups.values() {
        for (place, (later, asked)) in group.iter().enumerate() {
            let earlier = group.iter().take(place).find(|(_, other)| asks_no_more(other, asked));
            found.extend(earlier.map(|(earlier, other)| {
                let id = &earlier.id;
                let (other, asked) =
                    (crate::assertion::shown(other, lang), crate::assertion::shown(asked, lang));
                let message = say!(
                    lang,
                    "`{asked}` is asked of the value of `{id}`, which is held to `{other}` already",
                    "`{asked}` 针对的是 `{id}` 的值，而该值已要求 `{other}`"
                );
                (
                    later.id.clone(),
                    Problem::new(Code::AssertionRepeated, message, Code::AssertionRepeated.help(lang)),
                )
            }));
        }
    }
    found
}

/// Whether one of two assertions on a value follows from the other.
fn asks_no_more(a: &Assertion, b: &Assertion) -> bool {
    if a.min_samples.unwrap_or(1) != b.min_samples.unwrap_or(1) {
        return false;
    }
    match (Accepted::of(a), Accepted::of(b)) {
        (Some(first), Some(second)) => second
            .in_unit_of(&first)
            .is_some_and(|second| second.within(&first.set) || first.set.within(&second)),
        _ => a.matcher == b.matcher && a.expected == b.expected && a.not == b.not && a.unit == b.unit,
    }
}
