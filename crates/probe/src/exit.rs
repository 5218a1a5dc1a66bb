//! `exit`: the exit status of the collector itself, such as that of a test command.

use gate::observation::Place;
use gate::say;

use crate::answer::{missing, one, reading};
use crate::param::{Params, Plan, ReaderInfo, words};

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "exit",
    purpose: words(
        "the exit status of the collector (of a linter it can be a set of bits; of hvigor it can be 0 over failing tests)",
        "采集命令的退出码（lint 工具的退出码可能是位集；hvigor 在测试失败时也可能为 0）",
    ),
    params: &[],
    example: "{}",
};

pub(crate) fn plan(_params: &mut Params<'_>) -> Option<Plan> {
    Some(Box::new(move |input, lang| match input.exit {
        Some(status) => one(reading(status.to_string(), Place::File)),
        None => missing(say!(
            lang,
            "the collector has no exit status: it was killed or did not run",
            "采集命令没有退出码：被终止或未运行"
        )),
    }))
}
