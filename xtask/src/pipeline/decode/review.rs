//! The review: programs that attack the pack, and how many of them have to say a thing before it blocks.

use std::collections::BTreeMap;

use gate::code::Code;
use gate::decode::{Fields, Findings};
use gate::node::Node;
use gate::problem::Span;
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
    report_quorum(quorum, reviewers.len(), fields.place("quorum"), findings);
    Some(Review { reviewers, quorum })
}

/// A quorum that is always there, or never, is none.
fn report_quorum(quorum: Option<u32>, reviewers: usize, at: Span, findings: &mut Findings<'_>) {
    let lang = findings.lang;
    let code = match quorum {
        Some(0) => Code::ValueUnknown,
        Some(quorum) if usize::try_from(quorum).is_ok_and(|quorum| quorum > reviewers) => Code::LimitCount,
        _ => return,
    };
    let message = say!(
        lang,
        "a quorum is from 1 to the number of reviewers, which is {reviewers}",
        "法定数量应在 1 到评审者人数（{reviewers}）之间"
    );
    let help = lang.pick("write another number, or add reviewers", "请改写该数，或增加评审者");
    findings.report_with(code, at, message, help);
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
