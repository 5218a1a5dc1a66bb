//! V4: the table of units, and how values convert.
//!
//! Factors are integers in the smallest unit of each quantity, so that every conversion is an exact fraction.

use unicode_normalization::UnicodeNormalization;

use super::exact::Exact;
use super::find::{Scan, scan};
use super::fold::is_han_numeral;
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
            Quantity::Time
                | Quantity::Length
                | Quantity::FrameRate
                | Quantity::Frequency
                | Quantity::JankRate
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
        if let Some(row) = by_spelling(text) {
            return Ok(Unit::Known(row));
        }
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

    /// Whether it is something per something.
    pub fn is_rate(&self) -> bool {
        self.name().contains('/')
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

    /// A multiplier that is nothing else: no share of another thing, and no metre, gram or tonne.
    pub fn only_multiplies(&self) -> bool {
        let shares = ["percent", "pct", "permille", "ppm"];
        match self {
            Unit::Known(_) => false,
            Unit::Opaque(word) if matches!(word.as_str(), "m" | "g" | "t" | "mil") => false,
            Unit::Opaque(word) => self.is_multiplier() && !shares.contains(&word.to_lowercase().as_str()),
        }
    }

    /// Whether values of the two can be compared at all, with a scale if need be.
    pub fn comparable(&self, other: &Unit) -> bool {
        match (self, other) {
            (Unit::Known(a), Unit::Known(b)) => {
                a.name == b.name
                    || (a.quantity == b.quantity
                        && a.quantity != Quantity::Count
                        && !percent_and_to_one(a, b))
            }
            _ => self == other,
        }
    }

    /// What a value in this unit is multiplied by to be one in `target`. The two are comparable.
    pub fn factor_to(&self, target: &Unit, scale: &Scale) -> Result<Exact, Refusal> {
        let other =
            || Refusal::OtherQuantity { found: self.name().to_owned(), expected: target.name().to_owned() };
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
    let value =
        super::plain::plain_number(text).ok_or_else(|| Refusal::BadScale { text: text.to_owned() })?;
    match value.is_negative() || value.is_zero() {
        true => Err(Refusal::BadScale { text: text.to_owned() }),
        false => Ok(value),
    }
}

/// Words that multiply, in lower case; Han ones are found by their first character.
const MULTIPLIERS: &[&str] = &[
    "k",
    "m",
    "g",
    "t",
    "bn",
    "mn",
    "mil",
    "dozen",
    "hundred",
    "hundreds",
    "thousand",
    "thousands",
    "million",
    "millions",
    "billion",
    "billions",
    "trillion",
    "percent",
    "pct",
    "permille",
    "ppm",
];

/// A unit that is written out as a word: the table has only its sign.
pub(super) fn spelled_out(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    Some(match word.trim_end_matches('s') {
        "millisecond" | "msec" | "milli" => "ms",
        "second" | "sec" | "秒钟" => "s",
        "minute" | "min" => "min",
        "hour" | "hr" => "h",
        "microsecond" | "usec" | "微秒" => "us",
        "nanosecond" | "纳秒" => "ns",
        "pixel" => "px",
        "percent" | "pct" => "%",
        "mb" => "MB",
        "gb" => "GB",
        "kb" => "kB",
        "kilobyte" => "kB",
        "megabyte" => "MB",
        "gigabyte" => "GB",
        "byte" => "B",
        "fp/s" | "fps/s" | "frame" => "fps",
        _ => return None,
    })
}

/// The row of a whole spelling.
pub fn by_spelling(text: &str) -> Option<&'static Row> {
    UNITS.iter().find(|row| {
        row.spellings.iter().any(|spelling| match row.quantity.ignores_case() {
            true => {
                spelling.eq_ignore_ascii_case(text)
                    || (!text.is_ascii() && spelling.to_lowercase() == text.to_lowercase())
            }
            false => *spelling == text,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_unique() {
        let mut seen = std::collections::BTreeSet::new();
        for row in UNITS {
            for spelling in row.spellings {
                let key = if row.quantity.ignores_case() {
                    spelling.to_lowercase()
                } else {
                    (*spelling).to_owned()
                };
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
