//! The words of artifacts as a person reads them, in both languages.

use gate::lang::Lang;

/// Word, English, Chinese.
const LABELS: &[(&str, &str, &str)] = &[
    ("function", "function", "功能"),
    ("aesthetic", "aesthetic", "视觉"),
    ("performance", "performance", "性能"),
    ("accessibility", "accessibility", "无障碍"),
    ("empty", "empty state", "空态"),
    ("offline", "offline", "离线"),
    ("largeFont", "large font", "大字体"),
    ("darkMode", "dark mode", "深色模式"),
    ("landscape", "landscape", "横屏"),
    ("must", "must", "必须"),
    ("should", "should", "应当"),
    ("pass", "pass", "通过"),
    ("fail", "fail", "不通过"),
    ("invalid", "invalid", "无效"),
    ("missing", "missing", "缺失"),
    ("none", "none", "无"),
    ("unverified", "unverified", "未验证"),
    ("waived", "waived", "已豁免"),
    ("independent", "independent", "独立"),
    ("auxiliary", "auxiliary", "辅助"),
    ("error", "error", "错误"),
    ("warning", "warning", "警告"),
    ("replay", "replay", "重放"),
    ("command", "command", "命令"),
    ("handoff", "hand-off", "人工交接"),
    ("deveco", "DevEco Code", "DevEco Code"),
    ("opencode", "opencode", "opencode"),
    ("acp", "agent over ACP", "ACP 智能体"),
    ("completed", "completed", "正常结束"),
    ("failed", "failed", "异常结束"),
    ("timedOut", "timed out", "超时终止"),
    ("silent", "ended for its silence", "无输出被终止"),
    ("overCost", "ended over its cost", "超出费用被终止"),
    ("overTokens", "ended over its tokens", "超出 token 数被终止"),
    ("overSteps", "ended over its steps", "超出步数被终止"),
    ("flooded", "ended for its flood of output", "输出过多被终止"),
    ("cutOff", "cut off at its greatest length", "因长度上限中断"),
    ("streamCut", "the model's answer broke off", "模型回答中断"),
    ("providerError", "refused by the model's provider", "模型服务报错"),
    ("refused", "stopped at a permission", "因权限被拒而停止"),
    ("wrongAgent", "another agent than was asked for", "运行了另一个智能体"),
    ("added", "added", "新增"),
    ("changed", "changed", "修改"),
    ("removed", "removed", "删除"),
    ("stopped", "ended at a limit", "达到限制被终止"),
    ("upToDate", "up to date", "无需重做"),
    ("ran", "done", "完成"),
    ("accepted", "accepted", "已验收"),
    ("rework", "rework", "需返工"),
    ("exhausted", "out of rounds", "轮次已用完"),
    ("stagnated", "stagnated", "停滞"),
    ("authored", "authored", "已编写"),
    ("frozen", "frozen", "已冻结"),
    ("dispatched", "dispatched", "已派发"),
    ("broken", "cannot be read", "无法读取"),
    ("outdated", "out of date", "已过时"),
    ("waiting", "waiting for a person", "等待人工"),
];

/// The word as a person reads it; a word of which the table knows nothing stays as it is.
pub fn label(word: &str, lang: Lang) -> String {
    LABELS
        .iter()
        .find(|(known, _, _)| *known == word)
        .map_or_else(|| word.to_owned(), |(_, en, zh)| lang.pick(*en, *zh).to_owned())
}
