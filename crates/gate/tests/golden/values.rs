//! Values: how each of a few thousand texts is read, and how the vectors' own are explained.

use std::collections::BTreeMap;

use gate::assertion::judge;
use gate::audit::Scale;
use gate::check::Actual;
use gate::lang::Lang;
use gate::node::Node;
use gate::pack::{Assertion, Scalar};
use serde_json::{Value, json};

use super::{golden, read, repository};

const NUMBERS: [&str; 20] = [
    "720",
    "0.72",
    "1,200",
    "１２",
    "七百二十",
    "12 800",
    "1.2e3",
    "-5",
    "+5",
    ".5",
    "5.",
    "1/2",
    "3:2",
    "007",
    "1'000",
    "二",
    "1万",
    "3k",
    "720-740",
    "99.9",
];
const UNITS: [&str; 58] = [
    "",
    "ms",
    " ms",
    "s",
    " seconds",
    "min",
    "分",
    "分钟",
    "分30秒",
    "个月",
    "个",
    "个小时",
    "条",
    "条件",
    "条款",
    "fps",
    " fps",
    "帧",
    "帧率",
    "帧/秒",
    "%",
    " %",
    "MB",
    "MiB",
    "KB/s",
    "vp",
    "px",
    "fp",
    "lpx",
    "Hz",
    "kHz",
    "米",
    "次",
    "项",
    "ms/s",
    "每秒",
    "°C",
    "秒钟",
    "毫秒",
    "分贝",
    "分之一",
    "倍",
    "m",
    "M",
    "x",
    "号",
    "年",
    "日",
    "h",
    "hours",
    "小时",
    "天",
    "元",
    "人",
    "s2",
    "ms.",
    "μs",
    "ns",
];
const FRAMES: [&str; 28] = [
    "约 {}",
    "≤ {}",
    "<{}",
    "at most {}",
    "不超过{}",
    "至少 {}",
    "P95 of 3 runs: {}",
    "{} ± 5",
    "took {}!",
    "{}以内",
    "({})",
    "2026-11-30 {}",
    "v1.2 {}",
    "{} / 5",
    "{}…",
    "{}; 3 runs",
    "共 3 次，{}",
    "{}, {}",
    "{} (was 900 ms)",
    "Pixel 8: {}",
    "iPhone15 {}",
    "= {}",
    "~{}",
    "{}+",
    "不是 {}",
    "not {}",
    "{} over 3 runs",
    "第 2 次：{}",
];
/// Texts that are like no other: money, quotation marks, dates, multiples, two of everything.
const ODD: [&str; 92] = [
    "$720",
    "720$",
    "€720",
    "￥720",
    "720¥",
    "720‱",
    "720℉",
    "720℃",
    "720¢",
    "720₩",
    "\"720ms\"",
    "“720ms”",
    "'720ms'",
    "‘720’ms",
    "「720ms」",
    "`720ms`",
    "720\"",
    "(720ms)",
    "[720ms]",
    "{720ms}",
    "（720ms）",
    "720ms)",
    "(720ms",
    "720(ms)",
    "720 (ms)",
    "720（毫秒）",
    "720 [ms]",
    "1-2-2026 720ms",
    "2026/11/30 720ms",
    "2026.11.30 720ms",
    "30.11.2026 720ms",
    "2026年11月30日 720ms",
    "11/30 720ms",
    "12:30 720ms",
    "12:30:05.5",
    "1:2:3",
    "3:2 ms",
    "4.5:1",
    "4.5 : 1",
    "16:9 720ms",
    "2 × 720ms",
    "2x720ms",
    "720ms x2",
    "720 * 2ms",
    "2k 720ms",
    "720k ms",
    "7.2e2ms",
    "7.2E+2 ms",
    "7.2e",
    "7.2e+ms",
    "720ms 730ms",
    "720ms, 730ms",
    "720ms/730ms",
    "720ms；730ms",
    "720ms;730ms",
    "720ms and 730ms",
    "720ms 或 730ms",
    "720ms | 730ms",
    "720ms -> 730ms",
    "900ms → 720ms",
    "720ms (fps: 60)",
    "720 ms at 60 fps",
    "60 fps, 720 ms",
    "fps: 720",
    "ms: 720",
    "ms=720",
    "ms 720",
    "time(ms) 720",
    "耗时（ms）：720",
    "耗时 720",
    "每帧 16ms",
    "16ms per frame",
    "16ms/帧",
    "16 ms / frame",
    "per 16ms",
    "720ms each",
    "720ms.",
    "720ms,",
    "720ms。",
    "720ms？",
    "720ms!",
    "720ms…",
    "720.ms",
    "720.0.1",
    "v720",
    "720p",
    "HTTP2 720ms",
    "P95 720ms",
    "p95=720ms",
    "#1 720ms",
    "No. 1: 720ms",
    "№1 720ms",
];
/// What a value is held against, so that every quantity of the table is asked for.
const EXPECTED: [&str; 8] = ["ms", "fps", "vp", "%", "MB", "个", "", "ms/s"];

fn assertion(json: Value) -> Assertion {
    serde_json::from_value(json).unwrap()
}

fn said(assertion: &Assertion, actual: &Actual, scale: &Scale) -> String {
    let judgement = judge(assertion, Some(actual), scale);
    format!("{:?}: {}", judgement.verdict, judgement.steps(Lang::En).join("; "))
}

#[test]
fn texts_with_a_number() {
    let scale = Scale { density: Some("2".to_owned()), font_scale: Some("1".to_owned()) };
    let limits = EXPECTED.map(|unit| match unit {
        "" => assertion(json!({"matcher": "lte", "expected": 800})),
        unit => assertion(json!({"matcher": "lte", "expected": 800, "unit": unit})),
    });
    let mut texts: Vec<String> = Vec::new();
    for number in NUMBERS {
        texts.extend(UNITS.iter().map(|unit| format!("{number}{unit}")));
    }
    for frame in FRAMES {
        for number in ["720", "1,200", "十二", "0.5"] {
            texts.extend(
                ["ms", " fps", "vp", "个", "%", ""]
                    .map(|unit| frame.replace("{}", &format!("{number}{unit}"))),
            );
        }
    }
    texts.extend(ODD.map(str::to_owned));
    let line = |text: &String| {
        // The eight limits share a line: what differs between answers only in the limit's own unit is written once.
        let mut answers: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (unit, limit) in EXPECTED.iter().zip(&limits) {
            let said = said(limit, &Actual::One(Scalar::Text(text.clone())), &scale);
            let said = said.replace(&format!("`{unit}`"), "`?`").replace(&format!("800 {unit}"), "800 ?");
            answers.entry(said).or_default().push(unit);
        }
        let told: Vec<String> =
            answers.iter().map(|(said, units)| format!("[{}] {said}", units.join(" "))).collect();
        format!("{text:?} {}", told.join(" | "))
    };
    golden("readings.txt", &texts.iter().map(line).collect::<Vec<_>>());
}

#[test]
fn the_vectors_explained() {
    let vectors: Value =
        serde_json::from_str(&read(repository().join("tests/vectors/assertions.json"))).unwrap();
    let line = |case: &Value| {
        let node = Node::from_json(&case["assertion"]);
        let decoded = gate::decode::assertion(&node, gate::decode::Rules::Judging, "vectors", Lang::En);
        let Some(assertion) = decoded.value else {
            let refused: Vec<String> =
                decoded.problems.iter().map(|problem| problem.message.clone()).collect();
            return format!("{}: {}", case["name"], refused.join("; "));
        };
        let number = |key: &str| case["context"].get(key).map(ToString::to_string);
        let scale = Scale { density: number("density"), font_scale: number("fontScale") };
        let actual =
            case.get("actual").map(|actual| serde_json::from_value::<Actual>(actual.clone()).unwrap());
        let judgement = judge(&assertion, actual.as_ref(), &scale);
        let [en, zh] = [Lang::En, Lang::Zh].map(|lang| judgement.steps(lang).join("; "));
        format!("{}: {:?} {en} / {zh}", case["name"], judgement.verdict)
    };
    golden("explained.txt", &vectors["cases"].as_array().unwrap().iter().map(line).collect::<Vec<_>>());
}
