//! Most values are `720ms`: digits with at most one point, a unit of the table, and nothing else. They are read here
//! at once, without folding and without looking round, since nothing stands beside the number.
//!
//! The answer is the one that the full reading gives; a test holds the two against each other for every unit and
//! shape. Whatever is not plain, or would be refused, is left to the full reading.

use super::exact::{Exact, Set};
use super::find::Declared;
use super::read::{Sample, Target};
use super::unit::{Row, Unit, by_spelling};
use crate::audit::Scale;

/// So many digits fit a machine word, whatever they are.
const MAX_DIGITS: usize = 18;

/// A number in digits with at most a unit of the table.
pub(super) struct Direct {
    /// The number as it stands.
    pub value: Exact,
    /// The unit beside it.
    pub unit: Option<&'static Row>,
}

/// Reads a text that is nothing but digits, at most one point among them, and at most a unit of the table.
pub(super) fn direct(text: &str, declared: Option<&Declared>) -> Option<Direct> {
    let (digits, places, rest) = digits(text)?;
    let unit = match rest.strip_prefix(' ').unwrap_or(rest) {
        "" if rest.is_empty() => None,
        word => Some(unit(word, declared)?),
    };
    Some(Direct { value: Exact::decimal(digits, places), unit })
}

/// The one sample of a plain text in the target's unit.
pub(super) fn sample(text: &str, target: &Target, scale: &Scale) -> Option<Sample> {
    let text = text.trim_matches(' ');
    let Direct { value, unit } = direct(text, target.declared.as_ref())?;
    let own = unit.map(Unit::Known);
    let value = match (&own, target.unit()) {
        (Some(own), None) if own.is_multiplier() => return None,
        // What cannot be converted is refused by the full reading, which says why.
        (Some(own), Some(unit)) if own != unit => value.times(&own.factor_to(unit, scale).ok()?),
        _ => value,
    };
    let unit = own.or_else(|| target.unit().cloned());
    Some(Sample { text: text.to_owned(), unit, value: Some(Set::Point(value)), decimal_comma: None })
}

/// Digits with at most one point among them: their value without the point, how many stand after it, and the rest.
fn digits(text: &str) -> Option<(u64, u32, &str)> {
    let bytes = text.as_bytes();
    let count = |from: usize| bytes.iter().skip(from).take_while(|b| b.is_ascii_digit()).count();
    let whole = count(0);
    let fraction = if bytes.get(whole) == Some(&b'.') { count(whole + 1) } else { 0 };
    // A point without digits may end a sentence.
    let end = if fraction > 0 { whole + 1 + fraction } else { whole };
    if whole == 0 || whole + fraction > MAX_DIGITS {
        return None;
    }
    let read = bytes.iter().take(end).filter(|b| b.is_ascii_digit());
    let value = read.fold(0u64, |value, digit| value * 10 + u64::from(digit - b'0'));
    Some((value, u32::try_from(fraction).ok()?, text.get(end..)?))
}

/// A unit of the table in letters, or `%`. Against a word that the table lacks, any reading of it is a full one.
fn unit(word: &str, declared: Option<&Declared>) -> Option<&'static Row> {
    let plain = word == "%" || word.bytes().all(|b| b.is_ascii_alphabetic());
    let opaque = declared.is_some_and(|declared| matches!(declared.unit, Unit::Opaque(_)));
    (plain && !opaque).then(|| by_spelling(word)).flatten()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::read::{Reading, in_full};
    use super::super::unit::UNITS;
    use super::*;

    const WORDS: [&str; 12] =
        ["", "min", "max", "to", "e", "per", "k", "KB", "widgets", "ms/s", "以内", "fp s"];

    /// Declared units of every kind, and none.
    fn targets() -> Vec<Target> {
        let names =
            ["ms", "s", "h", "MB", "KiB", "px", "vp", "fp", "fps", "Hz", "ms/s", "%", "ratio", ":1", "dB"];
        let opaque = ["次", "widgets", "s/frame", "a b"];
        let declared = names.iter().chain(&opaque).map(|name| Some(Declared::new(name).unwrap()));
        declared.chain([None]).map(|declared| Target { declared }).collect()
    }

    fn scales() -> [Scale; 3] {
        let scale = |density: Option<&str>, font: Option<&str>| Scale {
            density: density.map(str::to_owned),
            font_scale: font.map(str::to_owned),
        };
        [scale(None, None), scale(Some("3.25"), None), scale(Some("3.5"), Some("1.15"))]
    }

    /// Whether the text was read directly; if so, the full reading is the same.
    fn agrees(text: &str, target: &Target, scale: &Scale) -> bool {
        let Some(first) = sample(text, target, scale) else { return false };
        let read = Reading { first, series: Vec::new(), later: Vec::new() };
        assert_eq!(in_full(text, target, scale), Ok(read), "{text:?} against {:?}", target.unit());
        true
    }

    #[test]
    fn every_unit_in_every_shape_is_read_as_in_full() {
        let spellings = UNITS.iter().flat_map(|row| row.spellings.iter().copied());
        let words: Vec<String> = spellings
            .chain(WORDS)
            .flat_map(|word| [word.to_owned(), word.to_uppercase(), word.to_lowercase()])
            .collect();
        let numbers =
            ["0", "7", "007", "720", "1200.0", "0.25", "12.", "999999999999999999", "1000000000000000000"];
        let mut direct = 0usize;
        for (target, scale) in targets().iter().flat_map(|target| scales().map(|scale| (target, scale))) {
            for (number, word) in
                numbers.iter().flat_map(|number| words.iter().map(move |word| (number, word)))
            {
                for text in
                    [format!("{number}{word}"), format!("{number} {word}"), format!(" {number}{word} ")]
                {
                    direct += usize::from(agrees(&text, target, &scale));
                }
            }
        }
        assert!(direct > 10_000, "only {direct} texts were read directly");
    }

    #[test]
    fn what_most_values_look_like_is_read_directly() {
        let ms = Target { declared: Some(Declared::new("ms").unwrap()) };
        for text in ["720", "720ms", "720 ms", "1.2s", "0.72s", "720.25 ms", " 720ms "] {
            assert!(agrees(text, &ms, &Scale::default()), "{text}");
        }
        for text in [
            "",
            "ms",
            "-720ms",
            "+5",
            ".5",
            "5.",
            "1,200",
            "1e3",
            "720ms.",
            "720  ms",
            "42px",
            "P95",
            "720/730ms",
        ] {
            assert!(!agrees(text, &ms, &Scale::default()), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_text_is_read_as_in_full(
            text in "[ ]?[0-9]{0,20}[.]?[0-9]{0,4}[ ]{0,2}(ms|s|h|min|px|vp|fp|fps|Hz|B|KB|kB|MB|mA|%|[a-zA-Z%]{0,3}|/s|:1)[ ]?",
            target in proptest::sample::select(targets()),
            scale in proptest::sample::select(scales().to_vec()),
        ) {
            agrees(&text, &target, &scale);
        }
    }
}
