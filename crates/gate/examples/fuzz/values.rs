//! Values and assertions of every kind, plain and confusing.

use std::fmt;

use gate::assertion::judge;
use gate::audit::{AssertionVerdict, Scale};
use gate::check::Actual;
use gate::pack::{Aggregate, Assertion, Expected, Matcher, Scalar};

use super::laws;
use super::random::Random;

const PIECES: &[&str] = &[
    "720",
    "800",
    "1",
    "0",
    "5",
    "12",
    "60",
    "1,200",
    "2.0",
    "-1",
    "1e3",
    "007",
    "99999999999999999999999999999",
    ".",
    ",",
    "-",
    "+",
    "e",
    "E",
    "ms",
    "s",
    "h",
    "min",
    "秒",
    "毫秒",
    "分",
    "分钟",
    "小时",
    "MB",
    "KB",
    "kB",
    "MiB",
    "px",
    "vp",
    "fp",
    "fps",
    "帧",
    "Hz",
    "ms/s",
    "%",
    "‰",
    "次",
    "个",
    "条",
    "°C",
    "℃",
    ":1",
    "ratio",
    "widgets",
    " ",
    " ",
    " ",
    "\u{3000}",
    "\u{A0}",
    "/",
    "、",
    ";",
    "|",
    "~",
    "–",
    "—",
    "±",
    ":",
    "<",
    "≤",
    ">=",
    "≈",
    "=",
    "!",
    "约",
    "about",
    "不超过",
    "不到",
    "超过",
    "至少",
    "至",
    "到",
    "to",
    "under",
    "over",
    "at least",
    "at most",
    "or less",
    "max",
    "以内",
    "以上",
    "左右",
    "多",
    "(",
    ")",
    "（",
    "）",
    "P",
    "HTTP",
    "limit",
    "上限",
    "半",
    "万",
    "亿",
    "三",
    "十",
    "per",
    "每",
    "frame",
    "NaN",
    "inf",
    "∞",
    "N/A",
    "NA",
    "null",
    "undefined",
    "--",
    "true",
    "false",
    "\u{200b}",
    "\u{301}",
    "\u{FE0F}",
    "½",
    "７",
    "２０",
    "ｍｓ",
    "×",
    "x",
    "*",
    "^",
    "_",
    "'",
    "\n",
    "\t",
    "→",
    "。",
    "，",
    "faster",
    "登录",
    "first",
    "runs",
    "0x4B0",
    "2026-11-30",
    "#",
    "$",
    "\"",
    "`",
    "·",
];

const UNITS: &[&str] = &[
    "ms", "s", "min", "h", "毫秒", "B", "kB", "MB", "MiB", "KB", "px", "vp", "fp", "fps", "Hz", "ms/s", "%",
    "‰", "ratio", ":1", "dB", "mA", "°C", "次", "widgets", "ms/frame", "", " s ",
];

const PATTERNS: &[&str] =
    &[r"\d+", "^登录$", "(a|b)*c", "[", r"\p{Han}{2,}", "a{1000}", "(?=x)", ".*", "720"];

/// How many rounds came to what.
#[derive(Default)]
pub struct Tally {
    rounds: u64,
    pass: u64,
    fail: u64,
    invalid: u64,
    missing: u64,
}

impl Tally {
    fn add(&mut self, verdict: AssertionVerdict) {
        self.rounds += 1;
        *match verdict {
            AssertionVerdict::Pass => &mut self.pass,
            AssertionVerdict::Fail => &mut self.fail,
            AssertionVerdict::Missing => &mut self.missing,
            AssertionVerdict::Invalid | AssertionVerdict::None => &mut self.invalid,
        } += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { rounds, pass, fail, invalid, missing } = self;
        write!(f, "{rounds} rounds: {pass} pass, {fail} fail, {invalid} invalid, {missing} missing")
    }
}

/// One value against one assertion. The error says which law is broken, and by what.
pub fn round(random: &mut Random, tally: &mut Tally) -> Result<(), String> {
    let assertion = assertion(random);
    let actual = (!random.one_in(50)).then(|| actual(random));
    let scale = scale(random);
    let found = std::panic::catch_unwind(|| {
        laws::broken(&assertion, actual.as_ref(), &scale)
            .map_or_else(|| Ok(judge(&assertion, actual.as_ref(), &scale).verdict), Err)
    });
    match found {
        Ok(Ok(verdict)) => {
            tally.add(verdict);
            Ok(())
        }
        Ok(Err(law)) => Err(format!("{law}\n{assertion:?}\n{actual:?}\n{scale:?}")),
        Err(_) => Err(format!("a panic\n{assertion:?}\n{actual:?}\n{scale:?}")),
    }
}

fn assertion(random: &mut Random) -> Assertion {
    let matcher = *random.pick(&Matcher::ALL);
    let aggregates = [
        Aggregate::All,
        Aggregate::Any,
        Aggregate::Min,
        Aggregate::Max,
        Aggregate::Mean,
        Aggregate::Median,
        Aggregate::Sum,
        Aggregate::Count,
        Aggregate::Percentile(1),
        Aggregate::Percentile(95),
    ];
    Assertion {
        matcher,
        expected: expected(random, matcher),
        unit: (!random.one_in(3)).then(|| (*random.pick(UNITS)).to_owned()),
        source: None,
        not: random.one_in(5),
        aggregate: random.one_in(3).then(|| *random.pick(&aggregates)),
        min_samples: random.one_in(6).then(|| u32::try_from(random.below(4)).unwrap_or(0)),
        tolerance: (matcher == Matcher::Approx || random.one_in(20)).then(|| tolerance(random)),
        proposed: false,
    }
}

fn tolerance(random: &mut Random) -> Scalar {
    let texts = ["5%", "5 %", "0", "2ms", "-1", "1.5", "％5", "１０％", "x"];
    Scalar::Text((*random.pick(&texts)).to_owned())
}

fn expected(random: &mut Random, matcher: Matcher) -> Option<Expected> {
    let count = match matcher {
        Matcher::Exists => return None,
        Matcher::Between => 2,
        Matcher::OneOf => 1 + random.below(3),
        _ => 1,
    };
    // A wrong number of them, or none at all, is refused when the assertion is read.
    match random.below(30) {
        0 => None,
        1 => Some(Expected::Many((0..random.below(4)).map(|_| threshold(random, matcher)).collect())),
        _ if count == 1 && matcher != Matcher::OneOf => Some(Expected::One(threshold(random, matcher))),
        _ => Some(Expected::Many((0..count).map(|_| threshold(random, matcher)).collect())),
    }
}

fn threshold(random: &mut Random, matcher: Matcher) -> Scalar {
    if matcher == Matcher::Matches {
        return Scalar::Text((*random.pick(PATTERNS)).to_owned());
    }
    match random.below(8) {
        0 => Scalar::Bool(random.one_in(2)),
        1 => Scalar::Text(text(random)),
        2 => Scalar::Text(format!("{}{}", number(random), random.pick(UNITS))),
        _ => Scalar::Number(number(random)),
    }
}

fn number(random: &mut Random) -> String {
    let whole = random.below(1_200);
    match random.below(6) {
        0 => format!("{whole}.{}", random.below(100)),
        1 => format!("-{whole}"),
        2 => format!("{}e{}", random.below(10), random.below(31)),
        _ => whole.to_string(),
    }
}

fn actual(random: &mut Random) -> Actual {
    match random.below(8) {
        0 => {
            Actual::Many((0..random.below(5)).map(|_| (!random.one_in(12)).then(|| scalar(random))).collect())
        }
        1 if random.one_in(6) => Actual::Null,
        _ => Actual::One(scalar(random)),
    }
}

fn scalar(random: &mut Random) -> Scalar {
    match random.below(12) {
        0 => Scalar::Bool(random.one_in(2)),
        1 => Scalar::Number(number(random)),
        2..=5 => Scalar::Text(format!("{}{}{}", number(random), random.pick(&["", " "]), random.pick(UNITS))),
        _ => Scalar::Text(text(random)),
    }
}

/// Pieces in a row, some of them replaced by any character.
fn text(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..random.below(9) {
        match random.one_in(40) {
            true => text.push(random.char()),
            false => text.push_str(random.pick::<&str>(PIECES)),
        }
    }
    text
}

fn scale(random: &mut Random) -> Scale {
    let densities = [None, Some("3.5"), Some("3.25"), Some("0"), Some("x")];
    let own = |text: &Option<&str>| text.map(str::to_owned);
    Scale {
        density: own(random.pick(&densities)),
        font_scale: own(random.pick(&[None, Some("1"), Some("1.15")])),
    }
}
