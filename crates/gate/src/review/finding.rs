//! A finding of a review as it is recorded: what it is, who raised it, what a person answered, and whether it blocks.

use serde::{Deserialize, Serialize};

use super::response::{Response, Stance};
use super::reviewer::Voice;
use crate::canonical;
use crate::code::Code;
use crate::pack::Pack;
use crate::problem::{Problem, Severity, Span};

/// How many hexadecimal digits an id has: enough for the findings of one pack, and few enough to type.
const ID_DIGITS: usize = 8;

/// Facts about the pipeline or a program: they are mended, and no opinion changes them.
const FACTS: [Code; 3] = [Code::ReviewerFailed, Code::ProbeInvalid, Code::CollectorUnknown];

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// What it is answered by. The same for the same finding, wherever it stands and however often it is found; another
    /// one as soon as it says something else, or is about a criterion that says something else.
    pub id: String,
    /// The stable code, as documented in `docs/codes.md`.
    pub code: Code,
    /// Derived from the code.
    pub severity: Severity,
    /// Whether it keeps the work from being dispatched.
    pub blocks: bool,
    /// What is wrong.
    pub message: String,
    /// What to do next.
    pub help: String,
    /// The criterion it is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub criterion: Option<String>,
    /// The file it is in: relative to the root, with forward slashes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file: Option<String>,
    /// Where in that file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at: Option<Span>,
    /// The reviewers that raised it, with their words; none for what the gate itself found.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub raised: Vec<Voice>,
    /// What a person answered last.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub response: Option<Response>,
}

/// Rules which findings of a pack block, by their severity and by what people answered: the last answer to a finding
/// holds.
pub fn rule(pack: &Pack, found: Vec<(Problem, Vec<Voice>)>, responses: &[Response]) -> Vec<Finding> {
    let ruled = |(problem, raised): (Problem, Vec<Voice>)| {
        let id = id(pack, &problem, &raised);
        let is_answerable = !FACTS.contains(&problem.code);
        let response = responses.iter().rev().find(|response| is_answerable && response.finding == id);
        let blocks = match response.map(|response| response.answer) {
            Some(Stance::Accept) => true,
            Some(Stance::Dispute) => false,
            None => problem.severity == Severity::Error,
        };
        Finding {
            id,
            code: problem.code,
            severity: problem.severity,
            blocks,
            message: problem.message,
            help: problem.help,
            criterion: problem.criterion,
            file: problem.file,
            at: problem.at,
            raised,
            response: response.cloned(),
        }
    };
    found.into_iter().map(ruled).collect()
}

/// What it says decides, and of what: its criterion, or the whole pack. Neither its place, nor its cure, nor whether a
/// quorum made an error of it.
fn id(pack: &Pack, problem: &Problem, raised: &[Voice]) -> String {
    let about = pack.criteria.iter().find(|criterion| Some(&criterion.id) == problem.criterion.as_ref());
    let about = about.map_or_else(|| canonical::digest(pack), canonical::digest).unwrap_or_default();
    let digest = match raised {
        [] => canonical::digest(&(problem.code.name(), &problem.criterion, &problem.message, about)),
        raised => canonical::digest(&(&problem.criterion, raised, about)),
    };
    // Texts and words have a canonical form.
    let digest = digest.unwrap_or_default();
    digest.chars().take(ID_DIGITS).collect()
}

impl Finding {
    /// The finding as a problem, for whoever prints those.
    pub fn problem(&self) -> Problem {
        Problem {
            code: self.code,
            severity: self.severity,
            message: self.message.clone(),
            help: self.help.clone(),
            criterion: self.criterion.clone(),
            file: self.file.clone(),
            at: self.at,
        }
    }

    /// Whether a person can answer it.
    pub fn is_answerable(&self) -> bool {
        !FACTS.contains(&self.code)
    }

    /// Whether a person disputed it.
    pub fn is_disputed(&self) -> bool {
        self.response.as_ref().is_some_and(|response| response.answer == Stance::Dispute)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(code: Code, message: &str) -> (Problem, Vec<Voice>) {
        (Problem::new(code, message, "").about("P-01"), Vec::new())
    }

    fn pack(goal: &str) -> Pack {
        serde_json::from_value(serde_json::json!({ "feature": "x", "goal": goal, "criteria": [] })).unwrap()
    }

    fn ruled(found: (Problem, Vec<Voice>), responses: &[Response]) -> Finding {
        rule(&pack("a"), vec![found], responses).remove(0)
    }

    #[test]
    fn an_answer_decides_whether_a_finding_blocks() {
        let error = || problem(Code::StatementContradicts, "a");
        let warning = || problem(Code::WordVague, "b");
        let answer = |finding: &Finding, answer| Response {
            finding: finding.id.clone(),
            answer,
            by: "Chen".to_owned(),
            reason: "because".to_owned(),
        };
        assert!(ruled(error(), &[]).blocks);
        assert!(!ruled(warning(), &[]).blocks);
        for found in [error, warning] {
            let finding = ruled(found(), &[]);
            let (accepts, disputes) = (answer(&finding, Stance::Accept), answer(&finding, Stance::Dispute));
            assert!(ruled(found(), std::slice::from_ref(&accepts)).blocks);
            assert!(!ruled(found(), std::slice::from_ref(&disputes)).blocks);
            // The last word holds.
            assert!(ruled(found(), &[disputes.clone(), accepts.clone()]).blocks);
            assert!(!ruled(found(), &[accepts, disputes]).blocks);
        }
        // What was said of one finding is not said of another, nor of a fact.
        let finding = ruled(error(), &[]);
        let other = problem(Code::StatementContradicts, "a, and more");
        assert!(ruled(other, &[answer(&finding, Stance::Dispute)]).blocks);
        let failed = ruled(problem(Code::ReviewerFailed, "c"), &[]);
        assert!(ruled(problem(Code::ReviewerFailed, "c"), &[answer(&failed, Stance::Dispute)]).blocks);
    }

    #[test]
    fn an_id_is_what_a_finding_says() {
        let found = || problem(Code::WordVague, "a");
        let (problem, raised) = found();
        let moved = (problem.in_file("features/x/pack.yaml").at(Span { line: 9, column: 9 }), raised);
        assert_eq!(ruled(found(), &[]).id, ruled(moved, &[]).id);
        let of_another_pack = rule(&pack("b"), vec![found()], &[]).remove(0);
        assert_ne!(ruled(found(), &[]).id, of_another_pack.id);
        let (mut other, raised) = found();
        other.criterion = Some("P-02".to_owned());
        assert_ne!(ruled(found(), &[]).id, ruled((other, raised), &[]).id);
    }
}
