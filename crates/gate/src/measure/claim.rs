//! What a statement in prose claims of numbers: each measure with the comparison that its words make.
//!
//! This reads what an author promises, not what was measured, so that it may read more than the law lets a value say:
//! numerals in Chinese, `must not exceed`, `seconds`. What it cannot read it leaves out; nothing is judged by it.

use super::bound::{Head, Tail, after, before, word_before};
use super::exact::Exact;
use super::find::{Scan, longest_han, scan, skip_space, word_end};
use super::fold::{fold_char, is_cjk, is_word_letter};
use super::han;
use super::number;
use super::statement::{Span, span_at};
use super::unit::{Quantity, Unit, by_spelling};
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

/// Words that say something of a number in a statement, and nothing in a value.
const BEFORE: &[(&str, Bound)] = &[
    ("no later than", Bound::AtMost),
    ("a maximum of", Bound::AtMost),
    ("a minimum of", Bound::AtLeast),
    ("达到", Bound::AtLeast),
    ("达", Bound::AtLeast),
    ("上限", Bound::AtMost),
    ("上限为", Bound::AtMost),
    ("下限", Bound::AtLeast),
    ("下限为", Bound::AtLeast),
];

/// Words that say that something is the number.
const EQUALS: &[&str] = &[
    "is", "are", "be", "equals", "equal to", "exactly", "=", "为", "是", "等于", "正好", "恰好", "恰为",
    "均为",
];

/// Words that turn a bound round: `must not exceed`, 不得超过.
const DENIALS: &[&str] = &[
    "not",
    "never",
    "no",
    "cannot",
    "can't",
    "don't",
    "doesn't",
    "mustn't",
    "shouldn't",
    "won't",
    "nor",
    "不",
    "不得",
    "不应",
    "不能",
    "不可",
    "不会",
    "不要",
    "不许",
    "不该",
    "不再",
    "不允许",
    "不应当",
    "勿",
    "切勿",
    "没有",
    "未",
    "绝不",
    "禁止",
    "严禁",
    "避免",
    "杜绝",
    "拒绝",
];

/// Words of English prose for units of the table.
const UNIT_WORDS: &[(&str, &str)] = &[
    ("millisecond", "ms"),
    ("msec", "ms"),
    ("second", "s"),
    ("sec", "s"),
    ("minute", "min"),
    ("hour", "h"),
    ("percent", "%"),
    ("pixel", "px"),
    ("megabyte", "MB"),
    ("gigabyte", "GB"),
    ("kilobyte", "kB"),
    ("byte", "B"),
];

/// Numbers in English prose, which count where a bound stands before them: `at least two`.
const NUMBER_WORDS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

/// All claims of a statement, in its order.
pub fn claims(statement: &str) -> Vec<Claim> {
    let chars: Vec<char> = statement.chars().map(fold_char).collect();
    let mut found = Vec::new();
    let (mut at, mut floor) = (0, 0);
    while at < chars.len() {
        let (read, next) = match span_at(&chars, at) {
            Some(Span::Measure(_)) => (claim_at(&chars, at, floor), past_number(&chars, at)),
            // A numeral without a unit of the table, which may be 一点一秒 or stand behind a bound: 不超过三步.
            Some(Span::Skip(end)) => {
                (claim_at(&chars, at, floor).filter(|(c, _)| is_meant(&chars, at, c)), end)
            }
            None => (word_claim(&chars, at, floor), at + 1),
        };
        match read {
            // 比 1000ms 少至少 200ms, `twice 400ms`: neither number is the threshold.
            Some((_, end)) if is_multiplied(&chars, at, floor) || is_compared(&chars, at, end) => {
                let clause_end = clause_end(&chars, end);
                at = if is_multiplied(&chars, at, floor) { end } else { clause_end };
                floor = at;
            }
            Some((claim, end)) => {
                found.push(claim);
                floor = end;
                at = end.max(at + 1);
            }
            None => at = next.max(at + 1),
        }
    }
    found
}

/// `twice 400ms`, `half of 2 s`: the number is a part of another.
fn is_multiplied(chars: &[char], at: usize, floor: usize) -> bool {
    let clause = clause(chars, at, floor);
    let clause = clause.strip_suffix(" of").unwrap_or(&clause);
    ["twice", "double", "half", "thrice", "triple", "times"].iter().any(|word| ends_with_word(clause, word))
}

fn ends_with_word(text: &str, word: &str) -> bool {
    let before = text.strip_suffix(word).map(|before| before.chars().next_back());
    before.is_some_and(|last| last.is_none_or(|c| !c.is_ascii_alphanumeric()))
}

/// 比 1000ms 少: the number is what another is compared with.
fn is_compared(chars: &[char], at: usize, end: usize) -> bool {
    let place = back_over_space(chars, at, 0);
    let is_beside = place > 0 && chars.get(place - 1) == Some(&'比');
    is_beside && chars.get(skip_space(chars, end)).is_some_and(|c| "少多快慢低高短长小大".contains(*c))
}

/// Where the clause that a place is in ends.
fn clause_end(chars: &[char], place: usize) -> usize {
    let rest = chars.get(place..).unwrap_or_default();
    let ends = |(at, c): (usize, &char)| {
        matches!(c, ',' | ';' | ':' | '(' | '\n' | '，' | '。' | '；' | '、' | '：' | '（')
            || (*c == '.' && !rest.get(at + 1).is_some_and(char::is_ascii_digit))
    };
    place + rest.iter().enumerate().position(ends).unwrap_or(rest.len())
}

fn is_meant(chars: &[char], at: usize, claim: &Claim) -> bool {
    let is_han = !chars.get(at).is_some_and(char::is_ascii_digit);
    let is_ordinal = at > 0 && chars.get(at - 1) == Some(&'第');
    let is_decimal = claim.text.contains('点') && claim.unit.is_some();
    is_han && !is_ordinal && (is_decimal || matches!(claim.says, Says::Side(..)))
}

/// `at least two`, `exactly three`.
fn word_claim(chars: &[char], at: usize, floor: usize) -> Option<(Claim, usize)> {
    let begins = chars.get(at)?.is_ascii_alphabetic()
        && !at.checked_sub(1).and_then(|before| chars.get(before)).is_some_and(|c| is_word_letter(*c));
    if !begins {
        return None;
    }
    let word = text(chars, at, word_end(chars, at)).to_lowercase();
    let value = NUMBER_WORDS.iter().position(|known| *known == word)?;
    let value = Exact::from_int(i64::try_from(value).ok()?);
    let (unit, end) = unit(chars, word_end(chars, at));
    let (claim, end) = said(chars, at, floor, Term { value, unit, end });
    (!matches!(claim.says, Says::Bare(_)) && !is_equated_loosely(chars, at, floor, &claim))
        .then_some((claim, end))
}

/// `is one of`, `are two`: not every number word after a verb is a count.
fn is_equated_loosely(chars: &[char], at: usize, floor: usize, claim: &Claim) -> bool {
    let place = back_over_space(chars, at, floor);
    matches!(claim.says, Says::Exactly(_)) && word_before(chars, place, floor, "exactly").is_none()
}

fn past_number(chars: &[char], at: usize) -> usize {
    at + chars.get(at..).unwrap_or_default().iter().take_while(|c| c.is_ascii_digit()).count().max(1)
}

/// One number with its unit; where they begin and end.
struct Term {
    value: Exact,
    unit: Option<Unit>,
    end: usize,
}

fn claim_at(chars: &[char], at: usize, floor: usize) -> Option<(Claim, usize)> {
    let first = term(chars, at)?;
    if let Some((last, end)) = range(chars, at, floor, &first) {
        let unit = last.unit.or(first.unit);
        let says = Says::Between(first.value, last.value);
        return Some((Claim { text: text(chars, at, last.end), says, unit }, end));
    }
    if let Some(margin) = margin(chars, &first) {
        let says = Says::Between(first.value.minus(&margin.value), first.value.plus(&margin.value));
        let unit = margin.unit.or(first.unit);
        return Some((Claim { text: text(chars, at, margin.end), says, unit }, margin.end));
    }
    Some(said(chars, at, floor, first))
}

/// What is said of one number.
fn said(chars: &[char], at: usize, floor: usize, term: Term) -> (Claim, usize) {
    let (bound, end) = bound(chars, at, floor, &term);
    let says = match bound {
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

/// What a clause says becomes of the values that its bound names.
enum Fate {
    Untold,
    /// `Anything above 800ms fails`, 低于 40vp 视为不合格.
    Refused,
    /// A refusal with more behind it, which may be what the feature does: `uploads over 10 MB fail with a message`.
    Doubtful,
}

/// What follows a bound that is not to be met.
const REFUSALS: [&str; 24] = [
    "fail",
    "fails",
    "failed",
    "failing",
    "failure",
    "rejected",
    "defect",
    "defects",
    "bug",
    "unacceptable",
    "forbidden",
    "prohibited",
    "not allowed",
    "not acceptable",
    "not permitted",
    "not accepted",
    "not tolerated",
    "not ok",
    "too slow",
    "too small",
    "too large",
    "too long",
    "too big",
    "wrong",
];

/// The same in Chinese.
const REFUSALS_HAN: [&str; 11] = [
    "不可接受",
    "不能接受",
    "无法接受",
    "不接受",
    "不合格",
    "不通过",
    "不达标",
    "不允许",
    "不被允许",
    "失败",
    "缺陷",
];

/// `At most 1% of requests fail`: the number counts what fails, and does not itself fail.
fn is_share_of_failures(term: &Term, bound: Bound, chars: &[char], end: usize) -> bool {
    let is_of = text(chars, end, clause_end(chars, end)).trim().starts_with("of ");
    counts(term) && (is_of || matches!(bound, Bound::Below | Bound::AtMost))
}

fn counts(term: &Term) -> bool {
    let quantity = term.unit.as_ref().map(Unit::quantity);
    quantity.is_none_or(|quantity| matches!(quantity, Quantity::Count | Quantity::Ratio))
}

fn fate(chars: &[char], end: usize, term: &Term) -> Fate {
    let rest = text(chars, end, clause_end(chars, end)).trim().to_lowercase();
    // 提示加载失败 tells what is shown, 视为失败 what the value is.
    let is_told = rest.ends_with("失败")
        && !["视为失败", "算失败", "即失败", "判为失败"].iter().any(|w| rest.ends_with(w));
    let ends = REFUSALS.iter().any(|word| ends_with_word(&rest, word))
        || REFUSALS_HAN.iter().any(|word| rest.ends_with(word)) && !is_told;
    let denies = ["not a ", "never ", "no ", "isn't ", "并非", "不算", "不视为", "不是"];
    let is_turned_again = denies.iter().any(|word| rest.contains(word));
    let holds = |word: &&str| rest.split_whitespace().any(|part| part == *word);
    match ends {
        true if is_turned_again || counts(term) => Fate::Doubtful,
        true => Fate::Refused,
        false if REFUSALS.iter().any(holds) => Fate::Doubtful,
        false if REFUSALS_HAN.iter().any(|word| rest.contains(word)) => Fate::Doubtful,
        false => Fate::Untold,
    }
}

/// Whether anything in the clause before a number may have turned its bound already.
fn is_denied(chars: &[char], at: usize, floor: usize) -> bool {
    let clause = clause(chars, at, floor);
    let is_word =
        |word: &&str| DENIALS.contains(word) || matches!(*word, "none" | "nothing" | "nobody" | "neither");
    let turns_han = |word: &&&str| {
        // 不足 and 不到 are bounds themselves.
        !word.is_ascii() && word.chars().count() > 1 && clause.contains(**word)
    };
    clause.split_whitespace().any(|word| is_word(&word)) || DENIALS.iter().any(|word| turns_han(&word))
}

/// `when loading takes over 1 s`, 超过 3 秒未响应时: when something happens, and not what is asked for.
fn is_condition(chars: &[char], at: usize, floor: usize, end: usize) -> bool {
    const CONDITIONS: [&str; 9] =
        ["if", "when", "whenever", "after", "once", "while", "unless", "until", "where"];
    let clause = clause(chars, at, floor);
    let first = clause.split_whitespace().next().unwrap_or_default();
    let follows = chars.get(skip_space(chars, end)).is_some_and(|c| "时则后未仍就才".contains(*c));
    CONDITIONS.contains(&first)
        || ["如果", "当", "若", "一旦"].iter().any(|word| clause.starts_with(word))
        || follows
}

/// The clause up to a place, in lower case.
fn clause(chars: &[char], place: usize, floor: usize) -> String {
    let ends =
        |c: &char| matches!(c, ',' | '.' | ';' | ':' | '(' | '\n' | '，' | '。' | '；' | '、' | '：' | '（');
    let before = chars.get(floor..place).unwrap_or_default();
    let from = before.iter().rposition(ends).map_or(0, |place| place + 1);
    let clause: String = before.get(from..).unwrap_or_default().iter().collect();
    clause.trim().to_lowercase()
}

fn text(chars: &[char], from: usize, to: usize) -> String {
    chars.get(from..to).unwrap_or_default().iter().collect::<String>().trim_end().to_owned()
}

fn term(chars: &[char], at: usize) -> Option<Term> {
    if !chars.get(at)?.is_ascii_digit() {
        let numeral = han::parse(chars, at)?;
        if numeral.is_percentage {
            let unit = by_spelling("%").map(Unit::Known);
            return Some(Term { value: numeral.value, unit, end: numeral.end });
        }
        let (unit, end) = unit(chars, numeral.end);
        return Some(Term { value: numeral.value, unit, end });
    }
    let number = number::parse(chars, at).ok()?;
    // `4.5:1` is a ratio; `3:00` is none of this file's.
    if chars.get(number.end) == Some(&':') && chars.get(number.end + 1).is_some_and(char::is_ascii_digit) {
        let divisor = number::parse(chars, number.end + 1).ok()?;
        let unit = (divisor.value == Exact::ONE).then(|| by_spelling(":1").map(Unit::Known)).flatten();
        return unit.map(|unit| Term { value: number.value, unit: Some(unit), end: divisor.end });
    }
    let (unit, end) = unit(chars, number.end);
    let is_glued_to_a_word = unit.is_none() && chars.get(number.end).is_some_and(|c| is_word_letter(*c));
    (!is_glued_to_a_word).then_some(Term { value: number.value, unit, end })
}

/// The unit that follows a number, and where it ends; without one the end of the number.
fn unit(chars: &[char], end: usize) -> (Option<Unit>, usize) {
    let place = skip_space(chars, end);
    if let Scan::Unit { unit: unit @ Unit::Known(_), end } = scan(chars, place, None) {
        return (Some(unit), end);
    }
    if chars.get(place).is_some_and(|c| is_cjk(*c)) {
        return match longest_han(chars, place) {
            Some((row, stop)) => (Some(Unit::Known(row)), stop),
            None => (None, end),
        };
    }
    let stop = word_end(chars, place);
    let word = text(chars, place, stop).to_lowercase();
    let word = word.strip_suffix('s').unwrap_or(&word);
    let known = UNIT_WORDS.iter().find(|(spelled, _)| *spelled == word);
    match known.and_then(|(_, name)| by_spelling(name)) {
        Some(row) => (Some(Unit::Known(row)), stop),
        None => (None, end),
    }
}

/// `8 to 12vp`, `between 8 and 12vp`, `8–12vp`, 8 到 12vp, 介于 8 与 12vp 之间: the second end, and where all of it ends.
fn range(chars: &[char], at: usize, floor: usize, first: &Term) -> Option<(Term, usize)> {
    let place = skip_space(chars, first.end);
    let word: String = match chars.get(place)? {
        c if matches!(c, '-' | '–' | '—' | '~' | '至' | '到' | '和' | '与') => c.to_string(),
        c if c.is_ascii_alphabetic() => text(chars, place, word_end(chars, place)),
        _ => return None,
    };
    let next = skip_space(chars, place + word.chars().count());
    if !chars.get(next)?.is_ascii_digit() {
        return None;
    }
    let last = term(chars, next)?;
    let lead = text(chars, floor, at).to_lowercase();
    let tail = text(chars, last.end, last.end + 3);
    let is_said = match word.to_lowercase().as_str() {
        "and" | "和" | "与" => {
            lead.ends_with("between") || lead.ends_with("介于") || tail.starts_with("之间")
        }
        "to" => !lead.ends_with("up"),
        "-" | "–" | "—" | "~" | "至" | "到" => true,
        _ => false,
    };
    let same_unit = first.unit.is_none() || last.unit.is_none() || first.unit == last.unit;
    let end = last.end;
    (is_said && same_unit && first.value < last.value).then_some((last, end))
}

/// `12vp ± 1vp`, `12vp ± 5%`: what is allowed on either side, in the unit of the number.
fn margin(chars: &[char], first: &Term) -> Option<Term> {
    let place = skip_space(chars, first.end);
    let next = skip_space(chars, place + 1);
    let is_margin = chars.get(place) == Some(&'±') && chars.get(next)?.is_ascii_digit();
    let margin = is_margin.then(|| term(chars, next)).flatten()?;
    let percent = by_spelling("%").map(Unit::Known);
    if margin.unit == percent && first.unit != percent {
        let value = first.value.times(&margin.value).over(&Exact::from_int(100))?;
        return Some(Term { value, unit: None, end: margin.end });
    }
    Some(margin)
}

/// What stands before the number, or after it and its unit; and where that ends.
fn bound(chars: &[char], at: usize, floor: usize, term: &Term) -> (Option<Bound>, usize) {
    let (head, _) = before(chars, at, floor);
    let word = longest(chars, at, floor, super::words::BEFORE);
    let read = match (head, word) {
        (Head::Bound(bound), Some((_, start))) => turned(chars, start, floor, bound),
        (Head::Bound(bound), None) => Some(bound),
        // A bound that is denied: the law reads nothing in it, a person reads the opposite.
        (Head::Unclear, Some((bound, start))) if denied(chars, start, floor) => Some(opposite(bound)),
        (Head::Unclear, _) => None,
        (Head::Plain | Head::Altered, _) => {
            if let Tail::Bound(bound, end) = after(chars, term.end, term.unit.is_some()) {
                let turns = denied(chars, at, floor) || begins_with_none(chars, at, floor);
                return (Some(if turns { opposite(bound) } else { bound }), end);
            }
            longest(chars, at, floor, BEFORE).map(|(bound, _)| bound)
        }
    };
    (read, term.end)
}

/// A bound as the words before it leave it: as it is, the opposite, or none that could be told.
fn turned(chars: &[char], start: usize, floor: usize, bound: Bound) -> Option<Bound> {
    if denied(chars, start, floor) || begins_with_none(chars, start, floor) {
        return Some(opposite(bound));
    }
    Some(bound)
}

/// `No frame takes longer than 33 ms`, 没有一帧超过 33ms: what denies the bound is what the clause begins with.
fn begins_with_none(chars: &[char], start: usize, floor: usize) -> bool {
    let clause = clause(chars, start, floor);
    let first = clause.split_whitespace().next().unwrap_or_default();
    matches!(first, "no" | "none" | "nothing" | "nobody" | "neither")
        || clause.starts_with("没有")
        || clause.starts_with("无一")
}

fn is_equated(chars: &[char], at: usize, floor: usize) -> bool {
    let place = back_over_space(chars, at, floor);
    EQUALS.iter().any(|word| word_before(chars, place, floor, word).is_some())
}

/// The longest of the words that ends before the number, with where it begins.
fn longest(chars: &[char], at: usize, floor: usize, words: &[(&str, Bound)]) -> Option<(Bound, usize)> {
    let mut place = at;
    while place > floor && chars.get(place - 1).is_some_and(|c| c.is_whitespace() || matches!(c, ':' | '约'))
    {
        place -= 1;
    }
    let found =
        words.iter().filter_map(|(word, bound)| Some((*bound, word_before(chars, place, floor, word)?)));
    found.min_by_key(|(_, start)| *start)
}

/// Whether a denial stands before a bound, with a verb between at most: `never falls below`, 不得超过.
fn denied(chars: &[char], at: usize, floor: usize) -> bool {
    let verb = back_over_space(chars, at, floor);
    let is_letter = |place: usize| chars.get(place).is_some_and(char::is_ascii_alphabetic);
    let mut before_verb = verb;
    while before_verb > floor && is_letter(before_verb - 1) {
        before_verb -= 1;
    }
    [verb, back_over_space(chars, before_verb, floor)]
        .iter()
        .any(|place| DENIALS.iter().any(|word| word_before(chars, *place, floor, word).is_some()))
}

fn back_over_space(chars: &[char], at: usize, floor: usize) -> usize {
    let mut place = at;
    while place > floor && chars.get(place - 1).is_some_and(|c| c.is_whitespace()) {
        place -= 1;
    }
    place
}

fn opposite(bound: Bound) -> Bound {
    match bound {
        Bound::Below => Bound::AtLeast,
        Bound::AtMost => Bound::Above,
        Bound::Above => Bound::AtMost,
        Bound::AtLeast => Bound::Below,
    }
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
}
