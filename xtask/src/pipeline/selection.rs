//! Which stages of a plan a run is about: all that have work to do, or a part that somebody asked for.

use gate::code::Code;
use gate::lang::Lang;
use gate::problem::Problem;
use gate::say;

use super::model::{Action, BuiltIn, Stage};
use super::plan::Plan;
use crate::ending::Ending;
use crate::failure::{Failure, Result};

/// What was asked for on the command line.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The first stage that may run; those before it are taken as they are.
    pub from: Option<String>,
    /// The last stage that may run.
    pub until: Option<String>,
    /// The one stage that may run.
    pub only: Option<String>,
    /// Which stages run though they have nothing to do.
    pub force: Force,
    /// Whether nothing may be frozen that is not frozen yet.
    pub frozen: bool,
}

/// Stages that run though they have nothing to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Force {
    /// None.
    #[default]
    None,
    /// All but those that record facts: work that was paid for and evidence that was gathered are not lost to a flag.
    All,
    /// One, whatever it records.
    Stage(String),
}

/// What becomes of a stage under a selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// Taken as it is.
    Before,
    /// It runs if it has work to do.
    Yes,
    /// The run ends before it.
    After,
}

impl Selection {
    /// What becomes of a stage of a plan.
    pub fn of(&self, plan: &Plan<'_>, stage: &Stage) -> Chosen {
        let place = |id: &str| plan.stages().position(|planned| planned.id == id);
        let here = place(&stage.id);
        let first = self.only.as_deref().or(self.from.as_deref()).and_then(place);
        let last = self.only.as_deref().or(self.until.as_deref()).and_then(place);
        if first.is_some() && here < first {
            Chosen::Before
        } else if last.is_some() && here > last {
            Chosen::After
        } else {
            Chosen::Yes
        }
    }

    /// Whether a stage runs though it has nothing to do.
    pub fn forces(&self, stage: &Stage, records_facts: bool) -> bool {
        match &self.force {
            Force::None => false,
            Force::All => !records_facts,
            Force::Stage(id) => stage.id == *id,
        }
    }

    /// Refuses names that no stage has, and an end that comes before the beginning.
    pub fn check(&self, plan: &Plan<'_>, lang: Lang) -> Result<()> {
        let forced = match &self.force {
            Force::Stage(id) => Some(id),
            Force::None | Force::All => None,
        };
        let named = [self.from.as_ref(), self.until.as_ref(), self.only.as_ref(), forced];
        let problems: Vec<Problem> =
            named.into_iter().flatten().filter_map(|id| unknown(plan, id, lang)).collect();
        if !problems.is_empty() {
            return Err(Failure::Problems { ending: Ending::Usage, problems });
        }
        if let Some(id) = forced {
            self.check_forced(plan, id, lang)?;
        }
        let place = |id: &Option<String>| plan.stages().position(|stage| Some(&stage.id) == id.as_ref());
        match (place(&self.from), place(&self.until)) {
            (Some(from), Some(until)) if until < from => Err(reversed(self, lang)),
            _ => Ok(()),
        }
    }
}

impl Selection {
    /// Refuses to force what this run leaves out, and work that was delivered: another round is begun by a verdict.
    fn check_forced(&self, plan: &Plan<'_>, id: &str, lang: Lang) -> Result<()> {
        let Some(stage) = plan.stages().find(|stage| stage.id == id) else { return Ok(()) };
        if self.of(plan, stage) != Chosen::Yes {
            let message = say!(
                lang,
                "{id} is forced, and not among the stages to run",
                "强制运行的 {id} 不在要运行的阶段之中"
            );
            let help = say!(lang, "widen --from, --until or --only", "请放宽 --from、--until 或 --only");
            return Err(Failure::coded(Ending::Usage, Code::StageNeeds, message, help));
        }
        if stage.action == Action::BuiltIn(BuiltIn::Dispatch) {
            let message = say!(
                lang,
                "work that was delivered is not delivered again by force",
                "已交付的工作不能强制重新交付"
            );
            return Err(Failure::coded(Ending::Usage, Code::RoundOver, message, Code::RoundOver.help(lang)));
        }
        Ok(())
    }
}

/// The finding that no stage has a name.
fn unknown(plan: &Plan<'_>, id: &str, lang: Lang) -> Option<Problem> {
    let known: Vec<&str> = plan.stages().map(|stage| stage.id.as_str()).collect();
    if known.contains(&id) {
        return None;
    }
    let message = say!(lang, "there is no stage {id}", "没有阶段 {id}");
    let help = match gate::decode::did_you_mean(id, known.iter().copied()) {
        Some(near) => say!(lang, "did you mean {near}?", "是否想写 {near}？"),
        None => say!(lang, "the stages are: {}", "已有的阶段：{}", known.join(", ")),
    };
    Some(Problem::new(Code::StageUnknown, message, help))
}

/// The stage of a name, or the finding that there is none.
pub fn find<'a>(plan: &Plan<'a>, id: &str, lang: Lang) -> Result<&'a Stage> {
    match (plan.stages().find(|stage| stage.id == id), unknown(plan, id, lang)) {
        (None, Some(problem)) => Err(Failure::one(Ending::Usage, problem)),
        (Some(stage), _) => Ok(stage),
        (None, None) => Err(anyhow::anyhow!("no stage {id}").into()),
    }
}

fn reversed(selection: &Selection, lang: Lang) -> Failure {
    let from = selection.from.as_deref().unwrap_or_default();
    let until = selection.until.as_deref().unwrap_or_default();
    let message = say!(lang, "{until} comes before {from}", "{until} 在 {from} 之前");
    let help = say!(lang, "name them in the order in which they run", "请按执行顺序指定");
    Failure::coded(Ending::Usage, Code::StageNeeds, message, help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(built_in: BuiltIn) -> Stage {
        let (id, each_round) = (built_in.word().to_owned(), built_in.each_round());
        let action = Action::BuiltIn(built_in);
        Stage { id, needs: Vec::new(), action, each_round, at: gate::problem::Span::default() }
    }

    fn chosen(selection: &Selection) -> String {
        let stages = BuiltIn::ALL.map(stage);
        let plan = Plan {
            before: stages.iter().filter(|stage| !stage.each_round).collect(),
            each_round: stages.iter().filter(|stage| stage.each_round).collect(),
        };
        selection.check(&plan, Lang::En).unwrap();
        let mark = |stage: &Stage| match selection.of(&plan, stage) {
            Chosen::Before => '<',
            Chosen::Yes => 'x',
            Chosen::After => '>',
        };
        stages.iter().map(mark).collect()
    }

    #[test]
    fn a_selection_is_a_stretch_of_the_plan() {
        let named = |id: &str| Some(id.to_owned());
        let none = Selection::default();
        for (selection, marks) in [
            (none.clone(), "xxxxxxx"),
            (Selection { from: named("evidence"), ..none.clone() }, "<<<<xxx"),
            (Selection { until: named("brief"), ..none.clone() }, "xxx>>>>"),
            (Selection { from: named("review"), until: named("dispatch"), ..none.clone() }, "<xxx>>>"),
            (Selection { only: named("audit"), ..none.clone() }, "<<<<<x>"),
        ] {
            assert_eq!(chosen(&selection), marks, "{selection:?}");
        }
    }
}
