//! The review: programs that attack the pack, and how many of them have to say a thing before it blocks.

use std::collections::BTreeMap;

use gate::code::Code;
use gate::decode::{Fields, Findings};
use gate::node::Node;
use gate::review::Angle;
use gate::say;

use super::value::{DEFAULT_TIMEOUT, argv, limits, name_problem, named_files, variables};
use crate::pipeline::model::{Review, Reviewer};

/// The placeholders of a reviewer.
const WORDS: &[&str] = &["feature", "root", "pack", "loopholes", "prompt", "answer"];

pub(super) fn review(node: &Node, findings: &mut Findings<'_>) -> Option<Review> {
    let fields = Fields::open(node, ("the review", "预审设置"), &["reviewers", "quorum"], findings)?;
    let reviewers = fields.get("reviewers").map(|node| reviewers(node, findings)).unwrap_or_default();
    let quorum = fields.count("quorum", findings);
    if quorum.is_some_and(|quorum| quorum == 0 || usize::try_from(quorum).is_ok_and(|q| q > reviewers.len()))
    {
        let count = reviewers.len();
        let message = say!(
            findings.lang,
            "a quorum is from 1 to the number of reviewers, which is {count}",
            "法定数量应在 1 到评审者人数（{count}）之间"
        );
        findings.report(Code::ValueUnknown, fields.place("quorum"), message);
    }
    Some(Review { reviewers, quorum })
}

fn reviewers(node: &Node, findings: &mut Findings<'_>) -> BTreeMap<String, Reviewer> {
    named_files(node, ("the reviewers", "评审者列表"), findings, |node, findings| {
        let known = &["angle", "run", "answer", "env", "timeout", "silence"];
        let fields = Fields::open(node, ("a reviewer", "评审者"), known, findings)?;
        let angle = fields.required_word("angle", &Angle::WORDS, findings);
        let argv = argv(&fields, "run", WORDS, findings);
        let answer = fields.text("answer", findings);
        report_answer(&fields, answer.as_deref(), findings);
        let env = variables(&fields, "env", findings);
        let limits = limits(&fields, DEFAULT_TIMEOUT, findings);
        Some(Reviewer { angle: angle?, argv: argv?, answer, env, limits: limits? })
    })
}

/// The answer is a file of the reviewer's own folder.
fn report_answer(fields: &Fields<'_>, answer: Option<&str>, findings: &mut Findings<'_>) {
    let Some(answer) = answer else { return };
    let stem = answer.strip_suffix(".json").unwrap_or(answer);
    if let Some(reason) = name_problem(stem, findings.lang) {
        findings.report(Code::PathUnsafe, fields.place("answer"), reason);
    }
}
