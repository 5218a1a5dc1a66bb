//! The texts of the page's template in Chinese. In the template they stand in English.

use gate::lang::Lang;

/// English, Chinese.
const PHRASES: &[(&str, &str)] = &[
    ("Accepted", "已验收"),
    ("Not accepted", "未通过验收"),
    ("in round {round}", "于第 {round} 轮"),
    ("after round {round}", "截至第 {round} 轮"),
    ("To the criteria", "跳到标准"),
    ("Delivery report", "交付报告"),
    ("Outcomes", "结果"),
    (
        "This delivery was replayed: work or evidence was recorded earlier, and no device was measured when this report was made. Every verdict is recomputed from the recorded files.",
        "本次交付为重放：交付内容或证据是先前录制的，生成本报告时没有测量任何设备。所有判定都由录制的文件重新计算得出。",
    ),
    ("Commit", "提交"),
    ("Frozen pack", "冻结的验收包"),
    ("Instant of the audit", "审计时刻"),
    ("Density", "密度"),
    ("{density} px per vp, read from evidence", "每 vp 为 {density} px，读自证据"),
    ("font scale {scale}", "字体缩放 {scale}"),
    ("The screen, with what fails on it", "标出不达标之处的屏幕"),
    ("Rounds", "轮次"),
    ("Round {round}", "第 {round} 轮"),
    ("What does not hold", "不成立的标准"),
    ("What did not hold before", "此前不成立的标准"),
    ("regressed", "退步"),
    ("asked for", "要求"),
    ("Findings of the gate", "门禁问题"),
    ("Screens", "屏幕"),
    (
        "Drawn from the recorded layout and pictures. Every box and length is one that a probe measured; its name leads to the criterion. A dashed box is as large as was asked for.",
        "依据录制的布局与截图绘制。每个方框和每段长度都由 probe 实际测得；点击标签可跳到对应的标准。虚线框是要求达到的大小。",
    ),
    ("{count} more are drawn without a name", "另有 {count} 处只画出位置、未标名称"),
    ("the picture, too large for this page", "截图过大，未嵌入本页"),
    ("Criteria", "标准"),
    ("Filter the criteria", "筛选标准"),
    ("Dimension", "维度"),
    ("Outcome", "结果"),
    ("Text", "文字"),
    ("Show all", "全部显示"),
    ("{shown} of {all} criteria", "显示 {shown} 条，共 {all} 条"),
    ("No criterion is left by this filter.", "没有符合筛选条件的标准。"),
    ("judged by a person", "由人判断"),
    ("Asked for", "断言"),
    ("from {source}", "来源：{source}"),
    ("Measured", "测得"),
    ("Reported", "报告值"),
    ("Found in", "出处"),
    ("How to check", "检查方法"),
    ("Waived", "豁免"),
    ("by {owner} until {expires}", "由 {owner} 负责，至 {expires}"),
    ("Settled", "裁定"),
    (": ", "："),
    (", ", "，"),
    ("{name} ({kind}), {end}", "{name}（{kind}），{end}"),
    ("the auditor", "审计者"),
    ("claims", "声称"),
    ("reports", "报告"),
    ("How it was judged", "判定过程"),
    ("Time lines", "时间线"),
    (
        "From the first event that a probe used. The stroke across a span is the longest that is accepted.",
        "从 probe 用到的第一个事件算起。横跨区间的竖线表示允许的最长时间。",
    ),
    ("Runs", "运行"),
    (
        "By its own account: {steps} steps, {tokens} tokens, cost {cost}",
        "智能体自报：{steps} 步，{tokens} 个 token，费用 {cost}",
    ),
    ("Error", "错误"),
    ("Protected", "受保护的文件被改动"),
    ("Test file deleted", "删除的测试文件"),
    ("Test removed", "移除的测试"),
    ("Test skipped", "跳过的测试"),
    ("What the agent says of its own work, which decides nothing:", "智能体对自己工作的说法，不影响判定："),
    ("Evidence", "证据"),
    ("File", "文件"),
    ("Source", "来源"),
    ("Kind", "性质"),
    ("Bytes", "字节数"),
    (", recorded earlier", "，录制"),
    ("Review findings that were disputed", "有异议的预审发现"),
    (
        "The work went on without these; each was answered on record.",
        "工作在这些发现未解决的情况下继续；每一条都有署名的答复。",
    ),
    ("Frozen again", "重新冻结记录"),
    ("loosened", "放宽"),
    (
        "A verdict counts only if something that did not write it can recompute it. This page is rendered from the artifacts beside it and holds nothing that they do not.",
        "只有能被没有写下它的一方重新计算的判定，才算数。本页由同目录下的产物渲染而成，不含产物之外的任何内容。",
    ),
];

/// A text in the reader's language; one that the table lacks, as in a template of a team's own, stays as it is.
pub fn phrase(text: &str, lang: Lang) -> &str {
    match lang {
        Lang::En => text,
        Lang::Zh => PHRASES.iter().find(|(en, _)| *en == text).map_or(text, |(_, zh)| zh),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const TEMPLATE: &str = include_str!("../../../templates/page/report.html.tera");

    /// The texts before `| say` in the template.
    fn said() -> BTreeSet<&'static str> {
        let ends = TEMPLATE.match_indices("\" | say");
        ends.filter_map(|(end, _)| TEMPLATE.get(..end)?.rsplit_once('"').map(|(_, text)| text)).collect()
    }

    fn names(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
    }

    #[test]
    fn every_text_of_the_template_is_there_in_chinese_and_no_other() {
        let known: BTreeSet<&str> = PHRASES.iter().map(|(en, _)| *en).collect();
        assert_eq!(said(), known);
        assert_eq!(known.len(), PHRASES.len(), "a text stands twice");
        for (en, zh) in PHRASES {
            assert_eq!(names(en), names(zh), "{en}");
            let has_letters = en.chars().any(char::is_alphabetic) && !en.starts_with('{');
            let is_chinese = zh.chars().any(|letter| ('\u{4E00}'..='\u{9FFF}').contains(&letter));
            assert!(is_chinese || !has_letters, "{en}: {zh}");
        }
    }
}
