//! Findings of several reviewers that are one: on the same criterion, and of one kind or in nearly the same words.

use serde::{Deserialize, Serialize};

use super::{Angle, Objection};
use crate::code::Code;
use crate::lang::Lang;
use crate::problem::{Problem, Severity};
use crate::review::wording::Subject;
use crate::say;

/// From which likeness on two texts are one, in hundredths: reviewers share no wording.
const ALIKE: usize = 60;

/// One reviewer's finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Voice {
    /// The reviewer's name in `pipeline.yaml`.
    pub reviewer: String,
    /// What kind of flaw it is.
    pub kind: Angle,
    /// How much it weighs, in the reviewer's word.
    pub severity: Severity,
    /// The delivery that would satisfy the letter and fail the intent.
    pub delivery: String,
    /// What would shut it out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fix: Option<String>,
}

/// One finding of one or more reviewers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The criterion; none is the pack.
    pub criterion: Option<String>,
    /// Who said it, and how: by reviewer, then by what they said.
    pub voices: Vec<Voice>,
}

/// Groups what reviewers answered. `answers` is each reviewer with its angle and what it found; the result does not depend
/// on the order in which they answered.
pub fn clusters(answers: &[(String, Angle, Vec<Objection>)]) -> Vec<Cluster> {
    let mut said: Vec<(Option<String>, Voice)> = answers
        .iter()
        .flat_map(|(reviewer, angle, objections)| objections.iter().map(|one| voice(reviewer, *angle, one)))
        .collect();
    said.sort();
    said.dedup();
    let subjects = Subject::all(said.iter().map(|(_, voice)| voice.delivery.as_str()));
    // The cluster of each, as the place of its first.
    let mut first: Vec<usize> = (0..said.len()).collect();
    for later in 0..said.len() {
        for earlier in 0..later {
            let (Some(a), Some(b)) = (said.get(earlier), said.get(later)) else { continue };
            let are_near = || match (subjects.get(earlier), subjects.get(later)) {
                (Some(a), Some(b)) => !a.parts().is_empty() && a.likeness(b) >= ALIKE,
                _ => false,
            };
            let is_seconded = a.1.reviewer != b.1.reviewer && a.1.kind == b.1.kind;
            if a.0 == b.0 && (is_seconded || are_near()) {
                join(&mut first, earlier, later);
            }
        }
    }
    let mut found: Vec<(usize, Cluster)> = Vec::new();
    for ((criterion, voice), first) in said.into_iter().zip(first) {
        match found.iter_mut().find(|(place, _)| *place == first) {
            Some((_, cluster)) => cluster.voices.push(voice),
            None => found.push((first, Cluster { criterion, voices: vec![voice] })),
        }
    }
    found.into_iter().map(|(_, cluster)| cluster).collect()
}

/// Makes one cluster of those of two places.
fn join(first: &mut [usize], a: usize, b: usize) {
    let (Some(a), Some(b)) = (first.get(a).copied(), first.get(b).copied()) else { return };
    for place in first.iter_mut().filter(|place| **place == a || **place == b) {
        *place = a.min(b);
    }
}

fn voice(reviewer: &str, angle: Angle, objection: &Objection) -> (Option<String>, Voice) {
    let voice = Voice {
        reviewer: reviewer.to_owned(),
        kind: objection.kind.unwrap_or(angle),
        severity: objection.severity,
        delivery: objection.delivery.trim().to_owned(),
        fix: objection.fix.as_ref().map(|fix| fix.trim().to_owned()),
    };
    (objection.criterion.clone(), voice)
}

impl Cluster {
    /// How many reviewers say it.
    pub fn reviewers(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.voices.iter().map(|voice| voice.reviewer.as_str()).collect();
        names.dedup();
        names
    }

    /// Whether it blocks, unanswered: one reviewer says that it should, or as many as the quorum say it at all.
    fn is_error(&self, quorum: Option<u32>) -> bool {
        let says_so = self.voices.iter().any(|voice| voice.severity == Severity::Error);
        let has_quorum =
            quorum.is_some_and(|quorum| u32::try_from(self.reviewers().len()).unwrap_or(u32::MAX) >= quorum);
        says_so || has_quorum
    }

    fn problem(&self, quorum: Option<u32>, lang: Lang) -> Problem {
        let names = self.reviewers().join(lang.pick(", ", "、"));
        let said: Vec<&str> = self.voices.iter().map(|voice| voice.delivery.as_str()).collect();
        let said = said.join(" / ");
        let message = say!(
            lang,
            "{names}: this would be delivered as done: {said}",
            "{names}：以下交付会被当作完成：{said}"
        );
        let code = match self.is_error(quorum) {
            true => Code::ReviewerObjects,
            false => Code::ReviewerDoubts,
        };
        let mut fixes: Vec<&str> = self.voices.iter().filter_map(|voice| voice.fix.as_deref()).collect();
        fixes.dedup();
        let help = match fixes.is_empty() {
            true => code.help(lang),
            false => {
                let fixes = fixes.join(" / ");
                say!(lang, "proposed: {fixes}", "建议：{fixes}")
            }
        };
        let problem = Problem::new(code, message, help);
        match &self.criterion {
            Some(id) => problem.about(id),
            None => problem,
        }
    }
}

/// What reviewers found, as problems with those who said each. `order` is the criteria of the pack.
pub fn objections(
    answers: &[(String, Angle, Vec<Objection>)],
    quorum: Option<u32>,
    order: &[&str],
    lang: Lang,
) -> Vec<(Problem, Vec<Voice>)> {
    let mut clusters = clusters(answers);
    let place = |cluster: &Cluster| {
        let id = cluster.criterion.as_deref();
        id.and_then(|id| order.iter().position(|known| *known == id)).unwrap_or(usize::MAX)
    };
    // Stable: within a criterion they stay in the order of what was said.
    clusters.sort_by_key(place);
    clusters.into_iter().map(|cluster| (cluster.problem(quorum, lang), cluster.voices)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(criterion: Option<&str>, severity: Severity, delivery: &str) -> Objection {
        let (criterion, delivery) = (criterion.map(str::to_owned), delivery.to_owned());
        Objection { criterion, kind: None, severity, delivery, fix: None }
    }

    fn reviewer(name: &str, angle: Angle, said: Vec<Objection>) -> (String, Angle, Vec<Objection>) {
        (name.to_owned(), angle, said)
    }

    /// Each finding as its code, its criterion and its reviewers.
    fn table(answers: &[(String, Angle, Vec<Objection>)], quorum: Option<u32>) -> Vec<String> {
        let found = objections(answers, quorum, &["P-01", "F-01"], Lang::En);
        let line = |(problem, voices): &(Problem, Vec<Voice>)| {
            let names: Vec<&str> = voices.iter().map(|voice| voice.reviewer.as_str()).collect();
            let about = problem.criterion.as_deref().unwrap_or("-");
            format!("{} {about} {}", problem.code.name(), names.join("+"))
        };
        found.iter().map(line).collect()
    }

    #[test]
    fn what_two_say_of_one_criterion_is_one_finding() {
        use Severity::{Error, Warning};
        let a = || {
            let said = vec![
                says(Some("F-01"), Warning, "an empty page with the title"),
                says(Some("P-01"), Warning, "a splash image at 700 ms and the page five seconds later"),
            ];
            reviewer("a", Angle::Gaming, said)
        };
        let b =
            |angle, severity, delivery| reviewer("b", angle, vec![says(Some("P-01"), severity, delivery)]);
        let other = "the trace begins late";
        let near = "a splash image at 700 ms, and the page is there five seconds later";
        let apart = ["W_REVIEWER_DOUBTS P-01 a", "W_REVIEWER_DOUBTS P-01 b", "W_REVIEWER_DOUBTS F-01 a"];
        let table_of = |b, quorum| {
            let ordered = table(&[a(), b], quorum);
            let reversed = table(&[reviewer("b", Angle::Evidence, Vec::new()), a()], quorum);
            assert_eq!(reversed.len(), 2, "an answer without findings adds none");
            ordered
        };
        assert_eq!(table_of(b(Angle::Evidence, Warning, other), Some(2)), apart);
        // Of one kind, or in nearly the same words.
        for b in [b(Angle::Gaming, Warning, other), b(Angle::Evidence, Warning, near)] {
            let together = ["W_REVIEWER_DOUBTS P-01 a+b", "W_REVIEWER_DOUBTS F-01 a"];
            assert_eq!(table_of(b.clone(), None), together);
            assert_eq!(table_of(b.clone(), Some(3)), together);
            assert_eq!(table_of(b, Some(2)), ["E_REVIEWER_OBJECTS P-01 a+b", "W_REVIEWER_DOUBTS F-01 a"]);
        }
        let blocks = ["W_REVIEWER_DOUBTS P-01 a", "E_REVIEWER_OBJECTS P-01 b", "W_REVIEWER_DOUBTS F-01 a"];
        assert_eq!(table_of(b(Angle::Evidence, Error, other), Some(2)), blocks);
    }

    #[test]
    fn one_reviewer_who_repeats_itself_is_no_quorum() {
        let twice = "the list is empty and says nothing";
        let said = || vec![says(None, Severity::Warning, twice), says(None, Severity::Warning, twice)];
        let table_of = table(&[reviewer("a", Angle::States, said())], Some(2));
        assert_eq!(table_of, ["W_REVIEWER_DOUBTS - a"]);
    }

    #[test]
    fn who_answered_first_makes_no_difference() {
        let answers = [
            reviewer("a", Angle::Gaming, vec![says(Some("P-01"), Severity::Error, "one")]),
            reviewer("b", Angle::Gaming, vec![says(Some("P-01"), Severity::Warning, "two")]),
            reviewer("c", Angle::States, vec![says(None, Severity::Warning, "three")]),
        ];
        let mut reversed = answers.clone();
        reversed.reverse();
        assert_eq!(clusters(&answers), clusters(&reversed));
    }
}
