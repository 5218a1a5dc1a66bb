//! Statements: what each of some hundred sentences claims of numbers.

use gate::measure::claims;

use super::golden;

const ENGLISH: [&str; 34] = [
    "the start takes at most {}",
    "the start takes no more than {} on a cold device",
    "opens in under {}",
    "opens within {} of the tap",
    "must not exceed {}",
    "must never be below {}",
    "is at least {} high",
    "the gap is {}",
    "exactly {}",
    "between 8 and {} apart",
    "from {} to 900",
    "{} or less",
    "{} or more, whichever is later",
    "{} at most",
    "less than {} on average (was 900 ms)",
    "more than {} is a failure",
    "anything above {} fails",
    "a start slower than {} is rejected",
    "when loading takes over {}, a skeleton shows",
    "twice {}",
    "{} faster than before",
    "up to {}",
    "a maximum of {}, a minimum of 3",
    "no later than {}",
    "≤ {}",
    "> {}",
    "= {}",
    "~{}",
    "{} ± 5",
    "{}-900",
    "does not crash, and opens in under {}",
    "not {}",
    "see P-01: {}",
    "P95 ≤ {} over 20 runs",
];
const CHINESE: [&str; 34] = [
    "冷启动不超过 {}",
    "冷启动不得超过{}",
    "冷启动应在 {} 以内",
    "冷启动控制在{}以内",
    "{}内完成",
    "热区至少 {}",
    "热区不低于{}",
    "热区不能低于{}",
    "大于 {}",
    "小于等于 {}",
    "高于{}视为不合格",
    "低于 {} 视为不合格",
    "杜绝 {} 以上的启动",
    "超过 {} 的启动不可接受",
    "超过 {} 未响应时提示超时",
    "间距为{}",
    "间距正好 {}",
    "间距介于 8 与 {} 之间",
    "间距在 8 到 {} 之间",
    "达到 {}",
    "上限为{}",
    "下限 {}，上限 900",
    "比 1000ms 少至少 {}",
    "是上一版的两倍，即 {}",
    "{}以上",
    "{}以下",
    "{}左右",
    "约 {}",
    "不到{}",
    "最多 {}，至少 3",
    "没有一帧超过 {}",
    "第 {} 次打开时",
    "误差 ±{}",
    "百分之{}",
];
const MEASURES: [&str; 18] = [
    "800ms",
    "800 ms",
    "1.5 seconds",
    "800 毫秒",
    "八百毫秒",
    "三秒",
    "一点五秒",
    "40vp",
    "４０vp",
    "two",
    "三",
    "55 fps",
    "4.5:1",
    "99%",
    "1,200 KB",
    "3 个",
    "两",
    "12",
];

#[test]
fn sentences_with_a_number() {
    let sentences = ENGLISH
        .iter()
        .chain(&CHINESE)
        .flat_map(|sentence| MEASURES.iter().map(move |measure| sentence.replace("{}", measure)));
    let line = |sentence: String| {
        let told: Vec<String> = claims(&sentence)
            .into_iter()
            .map(|claim| {
                let unit = claim.unit.as_ref().map_or("-", |unit| unit.name());
                format!("{:?} {unit} {:?}", claim.says, claim.text)
            })
            .collect();
        format!("{sentence:?} {}", told.join(" | "))
    };
    golden("claims.txt", &sentences.map(line).collect::<Vec<_>>());
}
