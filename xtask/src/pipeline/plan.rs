//! The order of the stages: what is needed comes first, and otherwise the order in which they are written.

use gate::code::Code;
use gate::problem::{Problem, Span};
use gate::say;

use super::model::{Action, BuiltIn, Pipeline, Stage, When};
use crate::paths::Root;

/// The stages in the order in which they run: those before the rounds, and those of every round.
pub struct Plan<'a> {
    /// Once.
    pub before: Vec<&'a Stage>,
    /// In every round.
    pub each_round: Vec<&'a Stage>,
}

impl<'a> Plan<'a> {
    /// All, in the order in which they run.
    pub fn stages(&self) -> impl Iterator<Item = &'a Stage> + use<'a, '_> {
        self.before.iter().chain(&self.each_round).copied()
    }
}

/// Everything that is wrong with the stages.
pub fn check(pipeline: &Pipeline) -> Result<(), Vec<Problem>> {
    let mut problems = unknown_needs(pipeline);
    problems.extend(twice(pipeline));
    problems.extend(absent(pipeline));
    if problems.is_empty() {
        problems.extend(order(pipeline).err());
    }
    if problems.is_empty() {
        problems.extend(once_after_rounds(pipeline));
        problems.extend(before_verdict(pipeline));
    }
    problems.sort_by_key(|problem| problem.at);
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// The plan of a pipeline that was checked.
pub fn plan(pipeline: &Pipeline) -> Plan<'_> {
    let ordered = order(pipeline).unwrap_or_default();
    let (each_round, before) = ordered.into_iter().partition(|stage| stage.each_round);
    Plan { before, each_round }
}

/// What a stage waits for: what it says, and, for a built-in, the built-in before it. No pipeline dispatches an
/// unreviewed pack.
pub fn needs<'a>(pipeline: &'a Pipeline, stage: &'a Stage) -> Vec<&'a str> {
    let said = stage.needs.iter().map(String::as_str);
    let before = match &stage.action {
        Action::BuiltIn(built_in) => BuiltIn::ALL.into_iter().take_while(|earlier| earlier < built_in).last(),
        Action::Run(_) => None,
    };
    let before = before.and_then(|before| find(pipeline, before)).map(|stage| stage.id.as_str());
    said.chain(before).collect()
}

fn find(pipeline: &Pipeline, wanted: BuiltIn) -> Option<&Stage> {
    pipeline.stages.iter().find(|stage| stage.action == Action::BuiltIn(wanted))
}

fn order(pipeline: &Pipeline) -> Result<Vec<&Stage>, Problem> {
    let mut waiting: Vec<&Stage> = pipeline.stages.iter().collect();
    let mut ordered: Vec<&Stage> = Vec::new();
    while !waiting.is_empty() {
        let is_ready = |stage: &&Stage| {
            needs(pipeline, stage).iter().all(|need| ordered.iter().any(|done| done.id == *need))
        };
        match waiting.iter().position(is_ready) {
            Some(index) => ordered.push(waiting.remove(index)),
            None => return Err(cycle(pipeline, &waiting)),
        }
    }
    Ok(ordered)
}

/// One cycle among the stages that wait for each other, told in the order of waiting.
fn cycle(pipeline: &Pipeline, waiting: &[&Stage]) -> Problem {
    let mut path: Vec<&Stage> = Vec::new();
    let mut current = waiting.first().copied();
    while let Some(stage) = current {
        if let Some(begin) = path.iter().position(|seen| seen.id == stage.id) {
            path.drain(..begin);
            break;
        }
        path.push(stage);
        let wanted = needs(pipeline, stage);
        current = waiting.iter().find(|other| wanted.contains(&other.id.as_str())).copied();
    }
    let ids: Vec<&str> = path.iter().chain(path.first()).map(|stage| stage.id.as_str()).collect();
    let lang = pipeline.lang;
    let message = say!(lang, "stages wait for each other: {}", "阶段互相等待：{}", ids.join(" → "));
    let at = path.first().map_or_else(Span::default, |stage| stage.at);
    Problem::new(Code::StageCycle, message, Code::StageCycle.help(lang)).in_file(Root::PIPELINE).at(at)
}

fn unknown_needs(pipeline: &Pipeline) -> Vec<Problem> {
    let lang = pipeline.lang;
    let known: Vec<&str> = pipeline.stages.iter().map(|stage| stage.id.as_str()).collect();
    let pairs = pipeline.stages.iter().flat_map(|stage| stage.needs.iter().map(move |need| (stage, need)));
    pairs
        .filter(|(_, need)| !known.contains(&need.as_str()))
        .map(|(stage, need)| {
            let id = &stage.id;
            let message =
                say!(lang, "stage {id} needs {need}, which is no stage", "阶段 {id} 依赖的 {need} 不存在");
            let help = say!(lang, "the stages are: {}", "已有的阶段：{}", known.join(", "));
            Problem::new(Code::StageUnknown, message, help).in_file(Root::PIPELINE).at(stage.at)
        })
        .collect()
}

/// An id, or a built-in, that two stages have.
fn twice(pipeline: &Pipeline) -> Vec<Problem> {
    let lang = pipeline.lang;
    let mut problems = Vec::new();
    for (index, stage) in pipeline.stages.iter().enumerate() {
        let earlier = pipeline.stages.iter().take(index);
        let same_id = earlier.clone().any(|other| other.id == stage.id);
        let same_work = matches!(stage.action, Action::BuiltIn(_))
            && earlier.clone().any(|other| other.action == stage.action);
        if same_id || same_work {
            let id = &stage.id;
            let message = say!(lang, "stage {id} is there twice", "阶段 {id} 重复");
            let problem = Problem::new(Code::IdDuplicate, message, Code::IdDuplicate.help(lang));
            problems.push(problem.in_file(Root::PIPELINE).at(stage.at));
        }
    }
    problems
}

/// A built-in that no stage uses.
fn absent(pipeline: &Pipeline) -> Vec<Problem> {
    let lang = pipeline.lang;
    let missing = BuiltIn::ALL.into_iter().filter(|wanted| find(pipeline, *wanted).is_none());
    missing
        .map(|wanted| {
            let word = wanted.word();
            let message = say!(lang, "no stage uses {word}", "没有阶段使用 {word}");
            let help = say!(
                lang,
                "add `- id: {word}` with `uses: {word}` under stages",
                "请在 stages 下加入 `- id: {word}` 与 `uses: {word}`"
            );
            Problem::new(Code::StageNeeds, message, help).in_file(Root::PIPELINE)
        })
        .collect()
}

/// A stage that happens once, and waits for what happens in every round.
fn once_after_rounds(pipeline: &Pipeline) -> Vec<Problem> {
    let lang = pipeline.lang;
    let mut problems = Vec::new();
    for stage in pipeline.stages.iter().filter(|stage| !stage.each_round) {
        let repeated =
            pipeline.stages.iter().find(|other| other.each_round && stage.needs.contains(&other.id));
        if let Some(repeated) = repeated {
            let (id, need) = (&stage.id, &repeated.id);
            let message = say!(
                lang,
                "stage {id} happens once, and needs {need}, which happens in every round",
                "阶段 {id} 只执行一次，却依赖每轮都执行的 {need}"
            );
            let help = match &stage.action {
                Action::Run(_) => {
                    say!(lang, "write `each: round` on {id}", "请为 {id} 写上 `each: round`")
                }
                Action::BuiltIn(_) => {
                    say!(lang, "take {need} out of its needs", "请从它的 needs 中去掉 {need}")
                }
            };
            problems.push(Problem::new(Code::StageNeeds, message, help).in_file(Root::PIPELINE).at(stage.at));
        }
    }
    problems
}

/// A stage that is only for one verdict, and comes before there is any.
fn before_verdict(pipeline: &Pipeline) -> Vec<Problem> {
    let lang = pipeline.lang;
    let plan = plan(pipeline);
    let unjudged = plan.stages().take_while(|stage| stage.action != Action::BuiltIn(BuiltIn::Audit));
    unjudged
        .filter(|stage| matches!(&stage.action, Action::Run(run) if run.when != When::Always))
        .map(|stage| {
            let id = &stage.id;
            let message = say!(
                lang,
                "stage {id} waits for a verdict, and comes before the audit",
                "阶段 {id} 取决于审计结论，却排在审计之前"
            );
            let help = say!(
                lang,
                "write `each: round` and `needs: [report]` on {id}",
                "请为 {id} 写上 `each: round` 与 `needs: [report]`"
            );
            Problem::new(Code::StageNeeds, message, help).in_file(Root::PIPELINE).at(stage.at)
        })
        .collect()
}
