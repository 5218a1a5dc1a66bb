//! V4: the table of units, how one is found in a text, and how values convert.
//!
//! Factors are integers in the smallest unit of each quantity, so that every conversion is an exact fraction.

use unicode_normalization::UnicodeNormalization;

use super::exact::Exact;
use super::fold::{is_cjk, is_han_numeral, is_word_letter};
use super::refusal::Refusal;
use crate::audit::Scale;
use crate::lang::Lang;

/// What a unit measures. Values of different quantities are never compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// ns to h.
    Time,
    /// B to GB and GiB.
    Bytes,
    /// px, vp, fp.
    Length,
    /// Frames shown per second.
    FrameRate,
    /// A refresh rate; never a frame rate.
    Frequency,
    /// Milliseconds of jank per second.
    JankRate,
    /// Per cent, per mille, plain ratios and `:1`.
    Ratio,
    /// dB.
    Level,
    /// mA.
    Current,
    /// mW.
    Power,
    /// mAh.
    Charge,
    /// °C.
    Temperature,
    /// 次, 个, 条 and any other word: each equal only to itself.
    Count,
}

impl Quantity {
    /// Its name for people.
    pub fn name(self, lang: Lang) -> &'static str {
        match self {
            Quantity::Time => lang.pick("time", "时间"),
            Quantity::Bytes => lang.pick("bytes", "字节数"),
            Quantity::Length => lang.pick("length", "长度"),
            Quantity::FrameRate => lang.pick("frame rate", "帧率"),
            Quantity::Frequency => lang.pick("frequency", "频率"),
            Quantity::JankRate => lang.pick("jank rate", "卡顿率"),
            Quantity::Ratio => lang.pick("ratio", "比率"),
            Quantity::Level => lang.pick("level", "电平"),
            Quantity::Current => lang.pick("current", "电流"),
            Quantity::Power => lang.pick("power", "功率"),
            Quantity::Charge => lang.pick("charge", "电量"),
            Quantity::Temperature => lang.pick("temperature", "温度"),
            Quantity::Count => lang.pick("count", "计数"),
        }
    }

    /// Whether −1 means that nothing was measured, and any other negative means nothing at all (V11).
    pub fn never_negative(self) -> bool {
        matches!(
            self,
            Quantity::Time | Quantity::Bytes | Quantity::FrameRate | Quantity::Frequency | Quantity::JankRate
        )
    }

    fn ignores_case(self) -> bool {
        matches!(
            self,
            Quantity::Time | Quantity::Length | Quantity::FrameRate | Quantity::Frequency | Quantity::JankRate
        )
    }
}

/// One row of the table.
#[derive(Debug)]
pub struct Row {
    /// The canonical spelling.
    pub name: &'static str,
    /// All spellings, the canonical one first.
    pub spellings: &'static [&'static str],
    /// What it measures.
    pub quantity: Quantity,
    /// How many of the quantity's smallest unit it is; for px, vp and fp the scale decides instead.
    factor: u64,
}

const fn row(spellings: &'static [&'static str], quantity: Quantity, factor: u64) -> Row {
    Row { name: first(spellings), spellings, quantity, factor }
}

const fn first(spellings: &'static [&'static str]) -> &'static str {
    match spellings {
        [name, ..] => name,
        [] => "",
    }
}

/// The table of units, for `--help` and documentation. A word that is not here is an opaque count.
pub static UNITS: &[Row] = &[
    row(&["ms", "毫秒"], Quantity::Time, 1_000_000),
    row(&["s", "秒"], Quantity::Time, 1_000_000_000),
    row(&["vp"], Quantity::Length, 1),
    row(&["px"], Quantity::Length, 1),
    row(&["fp"], Quantity::Length, 1),
    row(&["fps", "帧"], Quantity::FrameRate, 1),
    row(&["%"], Quantity::Ratio, 10),
    row(&["ns"], Quantity::Time, 1),
    // The micro sign and the Greek letter are two characters and one sign.
    row(&["us", "µs", "μs"], Quantity::Time, 1_000),
    row(&["min", "分钟", "分"], Quantity::Time, 60_000_000_000),
    row(&["h", "小时"], Quantity::Time, 3_600_000_000_000),
    row(&["B"], Quantity::Bytes, 1),
    row(&["kB"], Quantity::Bytes, 1_000),
    row(&["MB"], Quantity::Bytes, 1_000_000),
    row(&["GB"], Quantity::Bytes, 1_000_000_000),
    row(&["KiB"], Quantity::Bytes, 1 << 10),
    row(&["MiB"], Quantity::Bytes, 1 << 20),
    row(&["GiB"], Quantity::Bytes, 1 << 30),
    row(&["Hz"], Quantity::Frequency, 1),
    row(&["ms/s"], Quantity::JankRate, 1),
    row(&["‰"], Quantity::Ratio, 1),
    row(&["ratio"], Quantity::Ratio, 1_000),
    row(&[":1"], Quantity::Ratio, 1_000),
    row(&["dB"], Quantity::Level, 1),
    row(&["mA"], Quantity::Current, 1),
    row(&["mW"], Quantity::Power, 1),
    row(&["mAh"], Quantity::Charge, 1),
    row(&["°C", "℃"], Quantity::Temperature, 1),
    row(&["次"], Quantity::Count, 1),
    row(&["个"], Quantity::Count, 1),
    row(&["条"], Quantity::Count, 1),
];

/// A unit: a row of the table, or an opaque word.
#[derive(Clone, Debug)]
pub enum Unit {
    /// A row of [`UNITS`].
    Known(&'static Row),
    /// A word, in NFC, that is equal only to itself.
    Opaque(String),
}

impl PartialEq for Unit {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Unit::Known(a), Unit::Known(b)) => std::ptr::eq(*a, *b) || a.name == b.name,
            (Unit::Opaque(a), Unit::Opaque(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Unit {}

impl Unit {
    /// The unit that an assertion declares. The whole text is the unit.
    pub fn declared(text: &str) -> Result<Unit, Refusal> {
        super::fold::visible(text)?;
        let folded: String = text.chars().map(super::fold::fold_char).collect();
        let trimmed = folded.trim();
        if trimmed.is_empty() {
            return Err(Refusal::EmptyUnit);
        }
        if let Some(row) = by_spelling(trimmed) {
            return Ok(Unit::Known(row));
        }
        let chars: Vec<char> = trimmed.chars().collect();
        let unit = match scan(&chars, 0, None) {
            Scan::Unit { unit, end } if end == chars.len() => unit,
            _ => Unit::Opaque(trimmed.nfc().collect()),
        };
        match unit.is_ambiguous() {
            true => Err(Refusal::AmbiguousUnit { unit: unit.name().to_owned() }),
            false => Ok(unit),
        }
    }

    /// The canonical spelling.
    pub fn name(&self) -> &str {
        match self {
            Unit::Known(row) => row.name,
            Unit::Opaque(word) => word,
        }
    }

    /// What it measures.
    pub fn quantity(&self) -> Quantity {
        match self {
            Unit::Known(row) => row.quantity,
            Unit::Opaque(_) => Quantity::Count,
        }
    }

    /// Whether V11's rule of negatives holds. A rate is anything per time.
    pub fn never_negative(&self) -> bool {
        match self {
            Unit::Known(row) => row.quantity.never_negative(),
            Unit::Opaque(word) => word
                .rsplit_once('/')
                .and_then(|(_, per)| by_spelling(per))
                .is_some_and(|row| row.quantity == Quantity::Time),
        }
    }

    /// `KB` is 1000 bytes to some and 1024 to others.
    pub fn is_ambiguous(&self) -> bool {
        matches!(self, Unit::Opaque(word) if word == "KB")
    }

    /// Per cent, per mille and multipliers say that the number before them is not the value as it stands (V5).
    pub fn is_multiplier(&self) -> bool {
        match self {
            Unit::Known(row) => matches!(row.name, "%" | "‰"),
            Unit::Opaque(word) => {
                MULTIPLIERS.contains(&word.to_lowercase().as_str()) || word.starts_with(is_han_numeral)
            }
        }
    }

    /// Whether values of the two can be compared at all, with a scale if need be.
    pub fn comparable(&self, other: &Unit) -> bool {
        match (self, other) {
            (Unit::Known(a), Unit::Known(b)) => {
                a.name == b.name || (a.quantity == b.quantity && a.quantity != Quantity::Count && !percent_and_to_one(a, b))
            }
            _ => self == other,
        }
    }

    /// What a value in this unit is multiplied by to be one in `target`. The two are comparable.
    pub fn factor_to(&self, target: &Unit, scale: &Scale) -> Result<Exact, Refusal> {
        let other = || Refusal::OtherQuantity { found: self.name().to_owned(), expected: target.name().to_owned() };
        match (self, target) {
            _ if self == target => Ok(Exact::ONE),
            _ if !self.comparable(target) => Err(other()),
            (Unit::Known(from), Unit::Known(to)) if from.quantity == Quantity::Length => {
                pixels(from, scale)?.over(&pixels(to, scale)?).ok_or_else(other)
            }
            (Unit::Known(from), Unit::Known(to)) => Exact::fraction(from.factor, to.factor).ok_or_else(other),
            _ => Err(other()),
        }
    }
}

/// `95%` equals 0.95 only against `ratio`: per cent of a `:1` contrast means nothing.
fn percent_and_to_one(a: &Row, b: &Row) -> bool {
    let percent = |row: &Row| matches!(row.name, "%" | "‰");
    (percent(a) && b.name == ":1") || (percent(b) && a.name == ":1")
}

/// How many pixels one of this length unit is. px, vp and fp convert only with what evidence says.
fn pixels(unit: &Row, scale: &Scale) -> Result<Exact, Refusal> {
    let density = scale_value(scale.density.as_deref(), Refusal::NoDensity)?;
    match unit.name {
        "px" => Ok(Exact::ONE),
        "vp" => Ok(density),
        _ => Ok(density.times(&scale_value(scale.font_scale.as_deref(), Refusal::NoFontScale)?)),
    }
}

fn scale_value(text: Option<&str>, absent: Refusal) -> Result<Exact, Refusal> {
    let Some(text) = text else { return Err(absent) };
    let value = super::plain_number(text).ok_or_else(|| Refusal::BadScale { text: text.to_owned() })?;
    match value.is_negative() || value.is_zero() {
        true => Err(Refusal::BadScale { text: text.to_owned() }),
        false => Ok(value),
    }
}

/// Words that multiply, in lower case; Han ones are found by their first character.
const MULTIPLIERS: &[&str] = &[
    "k", "m", "g", "t", "bn", "mn", "mil", "dozen", "hundred", "hundreds", "thousand", "thousands", "million", "millions",
    "billion", "billions", "trillion", "percent", "pct", "permille", "ppm",
];

/// The row of a whole spelling.
pub fn by_spelling(text: &str) -> Option<&'static Row> {
    UNITS.iter().find(|row| {
        row.spellings.iter().any(|spelling| match row.quantity.ignores_case() {
            true => spelling.eq_ignore_ascii_case(text) || (!text.is_ascii() && spelling.to_lowercase() == text.to_lowercase()),
            false => *spelling == text,
        })
    })
}

/// The unit that an assertion declares, as read and as written.
#[derive(Clone, Debug)]
pub struct Declared {
    /// As read.
    pub unit: Unit,
    /// As written and folded, where it is a word that the table lacks: it is looked for to the letter.
    spelling: Vec<char>,
}

impl Declared {
    /// Reads the `unit` of an assertion.
    pub fn new(text: &str) -> Result<Self, Refusal> {
        let unit = Unit::declared(text)?;
        let spelling = match &unit {
            Unit::Known(_) => Vec::new(),
            Unit::Opaque(_) => text.trim().chars().map(super::fold::fold_char).collect(),
        };
        Ok(Declared { unit, spelling })
    }
}

impl From<Unit> for Declared {
    fn from(unit: Unit) -> Self {
        Declared { unit, spelling: Vec::new() }
    }
}

/// What stands at a place where a unit may stand.
#[derive(Debug)]
pub(crate) enum Scan {
    /// No unit.
    Nothing,
    /// A unit that ends before `end`.
    Unit {
        /// The unit.
        unit: Unit,
        /// One past its last character.
        end: usize,
    },
    /// A word with digits in it, such as `P95`: no unit.
    Identifier,
}

/// Reads the unit at `at`: the longest of the table (or the declared one), else any word; then `/x`, `per x`, `每x`.
pub(crate) fn scan(chars: &[char], at: usize, declared: Option<&Declared>) -> Scan {
    if let Some((unit, end)) = declared.and_then(|d| Some((d.unit.clone(), literal(chars, at, &d.spelling)?))) {
        return per(chars, unit, end);
    }
    // `720/s` and `720 per s`: a unit of its own, without a numerator.
    if let Some((divisor, end)) = divisor(chars, at) {
        return Scan::Unit { unit: Unit::Opaque(format!("/{divisor}")), end };
    }
    match simple(chars, at) {
        Scan::Unit { unit, end } => per(chars, unit, end),
        other => other,
    }
}

/// An opaque unit that the assertion declares, to the letter, with nothing that continues it.
fn literal(chars: &[char], at: usize, unit: &[char]) -> Option<usize> {
    let end = at.checked_add(unit.len())?;
    let same = !unit.is_empty() && chars.get(at..end)? == unit;
    let continues = chars.get(end).is_some_and(|c| is_word_letter(*c) || c.is_ascii_digit() || is_cjk(*c));
    (same && !continues).then_some(end)
}

/// A unit without a divisor.
fn simple(chars: &[char], at: usize) -> Scan {
    let Some(&head) = chars.get(at) else { return Scan::Nothing };
    if matches!(head, '%' | '‰' | '℃') {
        return unit_between(chars, at, at + 1);
    }
    if head == '°' {
        let end = if matches!(chars.get(at + 1), Some('C')) { at + 2 } else { at + 1 };
        return unit_between(chars, at, end);
    }
    if is_word_letter(head) {
        let end = word_end(chars, at);
        return match chars.get(end) {
            Some(c) if c.is_ascii_digit() => Scan::Identifier,
            _ => unit_between(chars, at, end),
        };
    }
    if is_cjk(head) {
        return han_unit(chars, at);
    }
    match head {
        '$' | '€' | '£' | '¥' | '￥' | '₩' | '₹' | '‱' | '℉' | '¢' => unit_between(chars, at, at + 1),
        _ => Scan::Nothing,
    }
}

fn unit_between(chars: &[char], from: usize, end: usize) -> Scan {
    let word: String = chars.get(from..end).unwrap_or_default().iter().collect();
    let unit = match by_spelling(&word) {
        Some(row) => Unit::Known(row),
        None => Unit::Opaque(word.nfc().collect()),
    };
    Scan::Unit { unit, end }
}

/// The end of a word: letters, with hyphens, apostrophes and middle dots between letters (`mA·h`, `drop-outs`).
pub(crate) fn word_end(chars: &[char], at: usize) -> usize {
    let mut end = at;
    while let Some(&c) = chars.get(end) {
        let joins = matches!(c, '-' | '\'' | '’' | '·' | '⋅' | '•' | '‐' | '‑') && end > at;
        let goes_on = chars.get(end + 1).is_some_and(|next| is_word_letter(*next));
        if is_word_letter(c) || (joins && goes_on) {
            end += 1;
        } else {
            break;
        }
    }
    end
}

/// Chinese has no spaces: the longest unit of the table, unless what follows makes it another word
/// (`分贝` is no minute, `2个小时` counts no things), then the whole run.
fn han_unit(chars: &[char], at: usize) -> Scan {
    let run = at + chars.get(at..).unwrap_or_default().iter().take_while(|c| is_cjk(**c)).count();
    match longest_han(chars, at) {
        Some((row, end)) if !becomes_another(chars, row, end) => Scan::Unit { unit: Unit::Known(row), end },
        _ => unit_between(chars, at, run),
    }
}

/// The longest Han spelling of the table at a place.
pub(crate) fn longest_han(chars: &[char], at: usize) -> Option<(&'static Row, usize)> {
    let spelled = |spelling: &str| {
        let mut end = at;
        for c in spelling.chars() {
            if chars.get(end) != Some(&c) {
                return None;
            }
            end += 1;
        }
        Some(end)
    };
    UNITS
        .iter()
        .flat_map(|row| row.spellings.iter().map(move |spelling| (row, *spelling)))
        .filter(|(_, spelling)| spelling.starts_with(is_cjk))
        .filter_map(|(row, spelling)| spelled(spelling).map(|end| (row, end)))
        .max_by_key(|(_, end)| *end)
}

fn becomes_another(chars: &[char], row: &Row, end: usize) -> bool {
    let Some(&next) = chars.get(end) else { return false };
    let follows_unit = row.quantity == Quantity::Count && longest_han(chars, end).is_some();
    let another = match row.name {
        "min" if chars.get(end.wrapping_sub(1)) == Some(&'分') => is_cjk(next) && !"以之内左右上下多半的和，即时间用完或每后".contains(next),
        "个" => next == '月',
        "条" => matches!(next, '件' | '款'),
        "fps" => matches!(next, '率' | '数'),
        _ => false,
    };
    follows_unit || another
}

/// Adds every divisor that follows: `ms` then `/s` is `ms/s`.
fn per(chars: &[char], unit: Unit, end: usize) -> Scan {
    let (mut unit, mut end) = (unit, end);
    while let Some((divisor, after)) = divisor(chars, end) {
        let name = format!("{}/{divisor}", unit.name());
        unit = match by_spelling(&name) {
            Some(row) => Unit::Known(row),
            None => Unit::Opaque(name),
        };
        end = after;
    }
    Scan::Unit { unit, end }
}

/// `/x`, `per x`, `每x`, with white space or an opening bracket before: the canonical name of x.
fn divisor(chars: &[char], at: usize) -> Option<(String, usize)> {
    let mut place = skip_space(chars, at);
    if chars.get(place) == Some(&'(') {
        place = skip_space(chars, place + 1);
    }
    let after = match chars.get(place)? {
        '/' | '每' => place + 1,
        c if is_word_letter(*c) => {
            let end = word_end(chars, place);
            let word: String = chars.get(place..end)?.iter().collect();
            if !word.eq_ignore_ascii_case("per") {
                return None;
            }
            end
        }
        _ => return None,
    };
    match simple(chars, skip_space(chars, after)) {
        Scan::Unit { unit, end } => Some((unit.name().to_owned(), end)),
        _ => None,
    }
}

pub(crate) fn skip_space(chars: &[char], at: usize) -> usize {
    at + chars.get(at..).unwrap_or_default().iter().take_while(|c| c.is_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(String, usize)> {
        let chars: Vec<char> = text.chars().collect();
        match scan(&chars, 0, None) {
            Scan::Unit { unit, end } => Some((unit.name().to_owned(), end)),
            _ => None,
        }
    }

    #[test]
    fn the_longest_unit_wins() {
        let table = [
            ("ms", "ms", 2),
            ("MS later", "ms", 2),
            ("ms/s", "ms/s", 4),
            ("毫秒/秒", "ms/s", 4),
            ("ms per frame", "ms/frame", 12),
            ("帧每秒", "fps/s", 3),
            ("min", "min", 3),
            ("minutes", "minutes", 7),
            ("m", "m", 1),
            ("分钟左右", "min", 2),
            ("分以内", "min", 1),
            ("分贝", "分贝", 2),
            ("个小时", "个小时", 3),
            ("个文件", "个", 1),
            ("lpx", "lpx", 3),
            ("vp间距", "vp", 2),
            ("mb", "mb", 2),
            ("KB", "KB", 2),
            ("mA·h", "mA·h", 4),
            ("B-frames", "B-frames", 8),
            ("°C", "°C", 2),
            ("/s", "/s", 2),
        ];
        for (text, name, end) in table {
            assert_eq!(found(text), Some((name.to_owned(), end)), "{text}");
        }
        assert_eq!(found("P95"), None);
        assert_eq!(found(") ms"), None);
    }

    #[test]
    fn spellings_are_unique() {
        let mut seen = std::collections::BTreeSet::new();
        for row in UNITS {
            for spelling in row.spellings {
                let key = if row.quantity.ignores_case() { spelling.to_lowercase() } else { (*spelling).to_owned() };
                assert!(seen.insert(key), "{spelling}");
            }
        }
    }

    #[test]
    fn conversions() {
        let scale = Scale { density: Some("3.5".into()), font_scale: Some("1.15".into()) };
        let factor = |from: &str, to: &str| {
            let (from, to) = (Unit::declared(from).unwrap(), Unit::declared(to).unwrap());
            from.factor_to(&to, &scale).ok().map(|f| f.to_decimal())
        };
        let table = [
            ("s", "ms", Some("1000")),
            ("ms", "min", Some("≈0.0000167")),
            ("MiB", "MB", Some("1.048576")),
            ("%", "ratio", Some("0.01")),
            ("‰", "%", Some("0.1")),
            ("%", ":1", None),
            ("vp", "px", Some("3.5")),
            ("fp", "vp", Some("1.15")),
            ("Hz", "fps", None),
            ("次", "个", None),
            ("widgets", "widgets", Some("1")),
        ];
        for (from, to, text) in table {
            assert_eq!(factor(from, to).as_deref(), text, "{from} to {to}");
        }
        assert!(Unit::declared("KB").is_err());
    }
}
