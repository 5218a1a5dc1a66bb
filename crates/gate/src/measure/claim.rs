//! What a statement in prose claims of numbers: each measure with the comparison that its words make.
//!
//! This reads what an author promises, not what was measured, so that it may read more than the law lets a value say:
//! numerals in Chinese, `must not exceed`, `seconds`. What it cannot read it leaves out; nothing is judged by it.

use super::bound::word_before;
use super::certain::{is_open_side, is_promised};
use super::clause::{back_over_space, clause, clause_end, ends_with_word, text};
use super::denial::{is_denied, opposite};
use super::exact::Exact;
use super::fate::{Fate, fate, is_condition, is_share_of_failures};
use super::find::skip_space;
use super::fold::{fold_char, is_word_letter};
use super::joint::end_of_whole;
use super::promise::{Comparison, bound, is_equated};
use super::statement::{Span, span_at};
use super::term::{Term, margin, range, spelled, term};
use super::unit::Unit;
use super::words::Bound;

/// A number of a statement, with what the statement says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The number, and its unit, as written.
    pub text: String,
    /// What is said of it.
    pub says: Says,
    /// The unit, if it is one of the table.
    pub unit: Option<Unit>,
}

/// What a statement says of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Says {
    /// The values on one side of it.
    Side(Bound, Exact),
    /// The values between two.
    Between(Exact, Exact),
    /// That something is it: `is 12vp`, `exactly 3`, 为 12vp.
    Exactly(Exact),
    /// Nothing but the number.
    Bare(Exact),
}

/// All claims of a statement, in its order.
pub fn claims(statement: &str) -> Vec<Claim> {
    read(statement).0
}

/// Whether a statement holds a number that claims nothing because it could not be told for certain: then nothing certain
/// follows from its other numbers, for that one may be what is meant.
pub fn holds_unread(statement: &str) -> bool {
    read(statement).1
}

fn read(statement: &str) -> (Vec<Claim>, bool) {
    let chars: Vec<char> = statement.chars().map(fold_char).collect();
    let (mut found, mut is_unread) = (Vec::new(), false);
    let (mut at, mut floor) = (0, 0);
    while at < chars.len() {
        let (read, next) = match span_at(&chars, at) {
            Some(Span::Measure(_)) => (read_at(&chars, at, floor), past_number(&chars, at)),
            // A numeral without a unit of the table, which may be 一点一秒 or stand behind a bound: 不超过三步.
            Some(Span::Skip(end)) => {
                (read_at(&chars, at, floor).filter(|read| is_meant(&chars, at, read)), end)
            }
            None => (read_word(&chars, at, floor), at + 1),
        };
        match read {
            None => at = next.max(at + 1),
            Some(Read::Part(end)) => {
                is_unread = true;
                floor = end;
                at = end.max(at + 1);
            }
            // 比 1000ms 少至少 200ms, `twice 400ms`: neither number is the threshold.
            Some(Read::Claim(_, end)) if is_multiplied(&chars, at, floor) || is_compared(&chars, at, end) => {
                let clause_end = clause_end(&chars, end);
                at = if is_multiplied(&chars, at, floor) { end } else { clause_end };
                floor = at;
            }
            Some(Read::Claim(claim, end)) => {
                found.push(claim);
                floor = end;
                at = end.max(at + 1);
            }
        }
    }
    (found, is_unread)
}

/// What is read where a number begins, and where it ends.
enum Read {
    Claim(Claim, usize),
    /// A part of what is said, or what cannot be told for certain: it claims nothing.
    Part(usize),
}

/// `twice 400ms`, `half of 2 s`: the number is a part of another.
fn is_multiplied(chars: &[char], at: usize, floor: usize) -> bool {
    let clause = clause(chars, at, floor);
    let clause = clause.strip_suffix(" of").unwrap_or(&clause);
    ["twice", "double", "half", "thrice", "triple", "times"].iter().any(|word| ends_with_word(clause, word))
}

/// 比 1000ms 少: the number is what another is compared with.
fn is_compared(chars: &[char], at: usize, end: usize) -> bool {
    let place = back_over_space(chars, at, 0);
    let is_beside = place > 0 && chars.get(place - 1) == Some(&'比');
    is_beside && chars.get(skip_space(chars, end)).is_some_and(|c| "少多快慢低高短长小大".contains(*c))
}

fn is_meant(chars: &[char], at: usize, read: &Read) -> bool {
    let is_han = !chars.get(at).is_some_and(char::is_ascii_digit);
    let is_ordinal = at > 0 && chars.get(at - 1) == Some(&'第');
    let is_asked = match read {
        Read::Part(_) => true,
        Read::Claim(claim, _) => {
            claim.text.contains('点') && claim.unit.is_some() || matches!(claim.says, Says::Side(..))
        }
    };
    is_han && !is_ordinal && is_asked
}

/// `at least two`, `exactly three`.
fn read_word(chars: &[char], at: usize, floor: usize) -> Option<Read> {
    let begins = chars.get(at)?.is_ascii_alphabetic()
        && !at.checked_sub(1).and_then(|before| chars.get(before)).is_some_and(|c| is_word_letter(*c));
    let term = begins.then(|| spelled(chars, at)).flatten()?;
    if let Some(end) = end_of_whole(chars, at, &term) {
        return Some(Read::Part(end));
    }
    let (claim, end) = said(chars, at, floor, term);
    let is_asked = !matches!(claim.says, Says::Bare(_)) && !is_equated_loosely(chars, at, floor, &claim);
    is_asked.then_some(Read::Claim(claim, end))
}

/// `is one of`, `are two`: not every number word after a verb is a count.
fn is_equated_loosely(chars: &[char], at: usize, floor: usize, claim: &Claim) -> bool {
    let place = back_over_space(chars, at, floor);
    matches!(claim.says, Says::Exactly(_)) && word_before(chars, place, floor, "exactly").is_none()
}

fn past_number(chars: &[char], at: usize) -> usize {
    at + chars.get(at..).unwrap_or_default().iter().take_while(|c| c.is_ascii_digit()).count().max(1)
}

fn read_at(chars: &[char], at: usize, floor: usize) -> Option<Read> {
    let first = term(chars, at)?;
    if let Some((last, end)) = range(chars, at, floor, &first) {
        // `within 2–3 s` rules out nothing below two.
        let is_range = bound(chars, at, floor, &last).bound.is_none()
            && is_promised(&clause(chars, at, floor), None, false)
            && !is_condition(chars, at, floor, end);
        if !is_range {
            return Some(Read::Part(end));
        }
        let unit = last.unit.or(first.unit);
        let says = Says::Between(first.value, last.value);
        return Some(Read::Claim(Claim { text: text(chars, at, last.end), says, unit }, end));
    }
    let part =
        end_of_whole(chars, at, &first).or_else(|| is_score(chars, at, floor, &first).then_some(first.end));
    if let Some(end) = part {
        return Some(Read::Part(end));
    }
    if let Some(margin) = margin(chars, &first) {
        let says = Says::Between(first.value.minus(&margin.value), first.value.plus(&margin.value));
        let unit = margin.unit.or(first.unit);
        return Some(Read::Claim(Claim { text: text(chars, at, margin.end), says, unit }, margin.end));
    }
    let (claim, end) = said(chars, at, floor, first);
    Some(Read::Claim(claim, end))
}

/// 评分高于 90 分: points, and no minutes.
fn is_score(chars: &[char], at: usize, floor: usize, term: &Term) -> bool {
    let clause = clause(chars, at, floor);
    let is_point = chars.get(term.number_end..term.end).is_some_and(|unit| unit.ends_with(&['分']));
    is_point
        && ["分数", "评分", "得分", "打分", "积分", "总分", "满分", "成绩"]
            .iter()
            .any(|word| clause.contains(word))
}

/// What is said of one number.
fn said(chars: &[char], at: usize, floor: usize, term: Term) -> (Claim, usize) {
    let Comparison { bound, is_turned, start, end } = bound(chars, at, floor, &term);
    let (lead, rest) = (clause(chars, start, floor), text(chars, end, clause_end(chars, end)).to_lowercase());
    let before = text(chars, floor, start).to_lowercase();
    // `A start over 800 ms is not allowed`: what is said of it is read below.
    let is_told = !matches!(fate(chars, end, &term), Fate::Untold);
    let is_promised = is_promised(&lead, bound, is_turned)
        && (is_told || !is_open_side(bound, is_turned, (&before, &rest), &lead));
    let says = match bound {
        _ if !is_promised => Says::Bare(term.value),
        Some(_) if is_condition(chars, at, floor, end) => Says::Bare(term.value),
        Some(bound) if is_share_of_failures(&term, bound, chars, end) => Says::Side(bound, term.value),
        Some(bound) => match (fate(chars, end, &term), is_denied(chars, at, floor)) {
            (Fate::Untold, _) => Says::Side(bound, term.value),
            (Fate::Refused, false) => Says::Side(opposite(bound), term.value),
            (Fate::Refused | Fate::Doubtful, _) => Says::Bare(term.value),
        },
        None if is_equated(chars, at, floor) => Says::Exactly(term.value),
        None => Says::Bare(term.value),
    };
    (Claim { text: text(chars, at, term.end), says, unit: term.unit }, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(statement: &str) -> Vec<String> {
        let shown = |claim: Claim| {
            let unit = claim.unit.as_ref().map(|unit| format!(" {}", unit.name())).unwrap_or_default();
            match claim.says {
                Says::Side(bound, value) => {
                    let sign = match bound {
                        Bound::Below => "<",
                        Bound::AtMost => "<=",
                        Bound::Above => ">",
                        Bound::AtLeast => ">=",
                    };
                    format!("{sign} {value}{unit}")
                }
                Says::Between(low, high) => format!("{low}..{high}{unit}"),
                Says::Exactly(value) => format!("= {value}{unit}"),
                Says::Bare(value) => format!("{value}{unit}"),
            }
        };
        claims(statement).into_iter().map(shown).collect()
    }

    #[test]
    fn statements_claim() {
        let table: &[(&str, &[&str])] = &[
            ("Cold start to first frame ≤ 800ms", &["<= 800 ms"]),
            ("cold start takes at most 800 ms", &["<= 800 ms"]),
            ("opens in under 2 seconds", &["< 2 s"]),
            ("takes no more than 1.5 s", &["<= 1.5 s"]),
            ("must not exceed 200 MB", &["<= 200 MB"]),
            ("does not exceed 200 MB", &["<= 200 MB"]),
            ("never falls below 55 fps", &[">= 55 fps"]),
            ("does not take more than 2 s", &["<= 2 s"]),
            ("does not crash, and opens in under 2 s", &["< 2 s"]),
            ("No frame while scrolling takes longer than 33 ms", &["<= 33 ms"]),
            ("No network: opens in under 2 s", &["< 2 s"]),
            ("没有一帧超过 33ms", &["<= 33 ms"]),
            ("超过 3 秒未响应时提示超时", &["3 s"]),
            ("A start slower than 800ms is a failure.", &["<= 800 ms"]),
            ("Anything above 800ms fails.", &["<= 800 ms"]),
            ("Exceeding 800 ms is not allowed.", &["<= 800 ms"]),
            ("超过 800ms 的启动不可接受", &["<= 800 ms"]),
            ("杜绝 800ms 以上的启动", &["< 800 ms"]),
            ("杜绝超过 800ms 的启动", &["<= 800 ms"]),
            ("No start takes 800ms or more.", &["< 800 ms"]),
            ("低于 40vp 视为不合格", &[">= 40 vp"]),
            ("Buttons under 40vp are rejected", &[">= 40 vp"]),
            ("A target smaller than 40vp is a defect", &[">= 40 vp"]),
            ("A start over 800 ms is not a failure", &["800 ms"]),
            ("At most 1% of requests fail.", &["<= 1 %"]),
            ("失败的启动不超过 3 次", &["<= 3 次"]),
            ("不超过 3 次启动失败", &["<= 3 次"]),
            ("等待超过 5 秒提示加载失败", &["5 s"]),
            ("启动超过 800ms 视为失败", &["<= 800 ms"]),
            ("More than 3 crashes is a failure", &["3"]),
            ("shows an error within 2 seconds when the password is wrong", &["<= 2 s"]),
            ("shows an error within 2 s if the login fails", &["<= 2 s"]),
            ("shows an error in under 2 s after the login failed", &["2 s"]),
            ("tells within 2 s of the login that it was rejected", &["<= 2 s"]),
            ("offers a retry within 2 s once loading has failed", &["<= 2 s"]),
            ("shows at most 800 ms of a video that failed", &["<= 800 ms"]),
            ("anything above 800 ms after the tap fails", &["800 ms"]),
            ("密码错误时 2 秒内提示", &["<= 2 s"]),
            ("2 秒内提示登录失败", &["2 s"]),
            ("2 秒内显示失败", &["2 s"]),
            ("Uploads over 10 MB fail with a message", &["10 MB"]),
            ("不得超过 800ms，否则视为不合格", &["<= 800 ms"]),
            ("比 1000ms 少至少 200ms", &[]),
            ("比 1000ms 少至少 200ms，不超过 800ms", &["<= 800 ms"]),
            ("takes less than twice 400ms", &[]),
            ("When loading takes over 1 s, a skeleton shows", &["1 s"]),
            ("shows at least two buttons", &[">= 2"]),
            ("holds exactly three rows", &["= 3"]),
            ("one of the two is shown", &[]),
            ("is one of them", &[]),
            ("结账不超过三步", &["<= 3"]),
            ("至少两个按钮", &[">= 2 个"]),
            ("第三步完成", &[]),
            ("是 20vp，不大于 28vp", &["= 20 vp", "<= 28 vp"]),
            ("应在一点一秒内完成", &["<= 1.1 s"]),
            ("is at least 40vp high", &[">= 40 vp"]),
            ("800 ms or less", &["<= 800 ms"]),
            ("has more than 3 items", &["> 3"]),
            ("the gap is 12vp", &["= 12 vp"]),
            ("a 12vp gap", &["12 vp"]),
            ("the gap is 12vp ± 1vp", &["11..13 vp"]),
            ("between 8 and 12vp apart", &["8..12 vp"]),
            ("8 to 12 vp apart", &["8..12 vp"]),
            ("8-12vp", &["8..12 vp"]),
            ("contrast of at least 4.5:1", &[">= 4.5 :1"]),
            ("3 starts, each within 800 ms", &["3", "<= 800 ms"]),
            ("see P-01, HTTP2", &[]),
            ("10k users", &[]),
            ("冷启动不超过 800 毫秒", &["<= 800 ms"]),
            ("冷启动不得超过 800ms", &["<= 800 ms"]),
            ("冷启动应在 800ms 以内", &["<= 800 ms"]),
            ("冷启动控制在八百毫秒以内", &["<= 800 ms"]),
            ("三秒内完成", &["<= 3 s"]),
            ("热区至少 40vp", &[">= 40 vp"]),
            ("热区不低于40vp", &[">= 40 vp"]),
            ("热区不能低于40vp", &[">= 40 vp"]),
            ("帧率大于 55 fps", &["> 55 fps"]),
            ("短边达到 48vp", &[">= 48 vp"]),
            ("间距介于 8 与 12vp 之间", &["8..12 vp"]),
            ("间距在 8 到 12vp 之间", &["8..12 vp"]),
            ("成功率不低于百分之九十五", &[">= 95 %"]),
            ("间距为１２vp", &["= 12 vp"]),
            ("第一次打开时", &[]),
            ("内存峰值小于 200MB（约一百五十个页面）", &["< 200 MB", "150 个"]),
        ];
        for (statement, expected) in table {
            assert_eq!(told(statement), *expected, "{statement}");
        }
    }

    #[test]
    fn a_number_that_is_a_part_of_another_claims_nothing() {
        for statement in [
            "导入在1分30秒内完成",
            "导入在一分三十秒内完成",
            "1 min 30 s or less",
            "within 1 minute and 30 seconds",
            "2小时30分以内完成",
            "2小时30以内完成",
            "不超过2.5万次",
            "不少于1亿条",
            "不少于一亿条",
            "at most 2.5 million rows",
            "at most two hundred rows",
            "at most twenty-two rows",
            "掉帧率少于千分之一",
            "不小于三分之一屏宽",
            "不低于百分之三十五点五",
            "at least 1/3 of the width",
            "under 1/2 second",
            "under 1½ s",
            "< 1 000 ms",
            "at most 1,20,000 ms",
            "at most 12,5 ms",
            "温度不低于零下五度",
            "-5 dB at most",
            "at least −5 dB",
            "at least minus 5 dB",
            "within ±50 ms",
            "within 2–3 s",
            "within 2 to 3 s",
            "within 500 ms–1 s",
            "within 500 ms to 1 s",
            "within 2 or 3 s",
            "3到5秒以内",
            "三到五秒内完成",
            "两三秒内完成",
            "不超过一秒半",
            "at most two and a half seconds",
            "takes at most 1:30 min",
            "at least two thirds of the width",
            "不超过十来秒",
            "不超过 2 秒多",
            "数十毫秒内",
        ] {
            assert_eq!(told(statement), [""; 0], "{statement}");
        }
    }

    #[test]
    fn what_is_only_spoken_of_is_not_promised() {
        let table: &[(&str, &[&str])] = &[
            ("不存在超过16ms的帧", &["<= 16 ms"]),
            ("应用中不存在任何超过16ms的帧", &["16 ms"]),
            ("It is a bug if the start exceeds 800 ms", &["800 ms"]),
            ("The test fails if the page takes longer than 2 seconds", &["2 s"]),
            ("It is not acceptable for the start to exceed 800 ms", &["800 ms"]),
            ("It is never true that the start exceeds 800 ms", &["800 ms"]),
            ("允许超过2秒", &["2 s"]),
            ("可以超过2秒", &["2 s"]),
            ("may exceed 2 s", &["2 s"]),
            ("may take at most 2 s", &["<= 2 s"]),
            ("不允许超过2秒", &["<= 2 s"]),
            ("无需在2秒内完成", &["2 s"]),
            ("need not be under 2 s", &["2 s"]),
            ("does not have to open within 2 s", &["2 s"]),
            ("shows an error if the upload exceeds 10 MB", &["10 MB"]),
            ("shows an error when the upload exceeds 10 MB", &["10 MB"]),
            ("fails to open within 2 s", &["2 s"]),
            ("间距不是 12vp", &["12 vp"]),
            ("the gap is not 12vp", &["12 vp"]),
            ("不足8位时按钮禁用", &["8"]),
            ("The page must never, under any load, exceed 2 s", &["2 s"]),
            ("Few starts take longer than 2 s", &["2 s"]),
            ("Files over 10 MB cannot be uploaded", &["10 MB"]),
            ("超过 10MB 的文件无法上传", &["10 MB"]),
            ("只要不超过2秒", &["2 s"]),
            ("评分高于 90 分", &[]),
            ("30 分内完成", &["<= 30 min"]),
        ];
        for (statement, expected) in table {
            assert_eq!(told(statement), *expected, "{statement}");
        }
    }
}
