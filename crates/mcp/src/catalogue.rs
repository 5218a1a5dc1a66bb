//! The tools as a client lists them: what each is called with, and what it answers with.

use std::sync::Arc;

use gate::lang::Lang;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;

use crate::answer::Answer;
use crate::person::Errand;
use crate::result::{Audited, Briefed, Checked, Explained, Judged, Reviewed, Run, Status};
use crate::{input, schema};

/// Every tool, as a client lists it.
pub fn all(lang: Lang) -> Vec<Tool> {
    let (reads, writes) = (Effect::Reads, Effect::Writes);
    vec![
        tool::<input::Status, Status>("gate_status", reads, lang.pick(
            "Where features stand: frozen, in rework, accepted, out of date. Changes nothing.",
            "各功能的当前状态：已冻结、返工中、已验收、已过时。不做任何修改。",
        )),
        tool::<input::Feature, Checked>("gate_check", reads, lang.pick(
            "What is wrong with an acceptance pack, each finding with its line and its cure. Run it after every change of \
             features/<feature>/pack.yaml, until nothing is found. Changes nothing.",
            "检查验收包的问题：每条都给出行号与改法。每次修改 features/<功能>/pack.yaml 后运行，直到没有问题。不做任何修改。",
        )),
        tool::<input::Feature, Reviewed>("gate_review", writes, lang.pick(
            "Attacks the frozen pack: what in it is vague, vacuous, or satisfied to the letter only. Writes review.md.",
            "对已冻结的验收包进行对抗式评审：含糊、空洞或只满足字面的标准。写出 review.md。",
        )),
        tool::<input::Round, Briefed>("gate_brief", writes, lang.pick(
            "The Goal brief of a round: what is to be done, and after a failed round what failed and why.",
            "某一轮的 Goal 简报：要做什么；上一轮未通过时，还包括哪些未通过、为什么。",
        )),
        tool::<input::Feature, Run>("gate_deliver_start", writes, lang.pick(
            "Starts the delivery of a feature whose pack a person froze, and answers at once with a run. Follow it with \
             gate_deliver_poll. It goes on if this session ends.",
            "启动一个功能的交付（其验收包须已由人冻结），立即返回运行编号。用 gate_deliver_poll 跟踪。会话结束后它仍会继续。",
        )),
        tool::<input::Poll, Run>("gate_deliver_poll", reads, lang.pick(
            "How a started delivery stands. Waits a little for its end; call it again while it runs. Where it was not \
             accepted it names the rework order.",
            "查询已启动的交付。会稍候其结束；仍在运行时请再次调用。未通过验收时会给出返工单的位置。",
        )),
        tool::<input::Round, Audited>("gate_audit", writes, lang.pick(
            "Recomputes every verdict of a round from its evidence, and lists the criteria that do not hold yet.",
            "根据证据重新计算某一轮的全部判定，并列出尚未满足的标准。",
        )),
        tool::<input::Explain, Explained>("gate_explain", reads, lang.pick(
            "Why a stage is out of date: which input changed, from what to what. Changes nothing.",
            "说明某个阶段为何过时：哪个输入变了，从什么变成什么。不做任何修改。",
        )),
        tool::<input::Judge, Judged>("gate_judge", reads, lang.pick(
            "Judges one value by one assertion, and shows how the value was read. For trying an assertion out before it is \
             written into a pack. Changes nothing.",
            "用一条断言判定一个值，并说明读取过程。适合在写入验收包之前试用断言。不做任何修改。",
        )),
        tool::<input::Person, Errand>("gate_person", reads, lang.pick(
            "What a person has to type to freeze, waive, answer a finding, change a threshold, settle or sign. These are a \
             person's; this tool does none of them. Tell your user the command.",
            "给出由人输入的命令：冻结、豁免、回应评审问题、修改阈值、裁定或签名。这些只能由人来做，本工具不会代劳。请把命令告诉用户。",
        )),
    ]
}

/// What a tool does to files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Reads,
    Writes,
}

fn tool<I: JsonSchema, R: JsonSchema>(name: &'static str, effect: Effect, description: &'static str) -> Tool {
    let hints =
        ToolAnnotations::new().read_only(effect == Effect::Reads).destructive(false).open_world(false);
    let output: Arc<JsonObject> = schema::output::<Answer<R>>();
    Tool::new(name, description, schema::input::<I>()).with_raw_output_schema(output).with_annotations(hints)
}
