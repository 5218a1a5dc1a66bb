//! Plain (unquoted) YAML scalars that readers of YAML take for different values.
//!
//! YAML 1.1 reads `yes` as true, `012` as ten, `1:30` as ninety and `1_000` as a thousand; YAML 1.2 reads them as
//! text or as another number. Hexadecimal, octal, `.inf` and `.nan` are numbers in both and have no place in a
//! decimal law. All are refused; quoted, each is text.

use gate::code::Code;

/// What is wrong with a plain scalar, if anything.
pub(super) fn trap(raw: &str) -> Option<Code> {
    if is_based(raw) || is_no_number(raw) {
        return Some(Code::NumberInexact);
    }
    if is_old_boolean(raw) || has_leading_zero(raw) || is_underscored(raw) || is_sexagesimal(raw) {
        return Some(Code::ValueAmbiguous);
    }
    None
}

/// The decimal numbers of YAML's core schema.
pub(super) fn is_number(raw: &str) -> bool {
    let (mantissa, exponent) = match unsigned(raw).split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned(raw), None),
    };
    let mantissa_is_sound = match mantissa.split_once('.') {
        Some(("", fraction)) => is_digits(fraction),
        Some((whole, fraction)) => is_digits(whole) && (fraction.is_empty() || is_digits(fraction)),
        None => is_digits(mantissa),
    };
    mantissa_is_sound && exponent.is_none_or(|exponent| is_digits(unsigned(exponent)))
}

fn unsigned(raw: &str) -> &str {
    raw.strip_prefix(['-', '+']).unwrap_or(raw)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn is_old_boolean(raw: &str) -> bool {
    ["y", "n", "yes", "no", "on", "off"].iter().any(|word| raw.eq_ignore_ascii_case(word))
}

fn is_based(raw: &str) -> bool {
    let digits = |prefix: char, radix: u32| {
        unsigned(raw)
            .strip_prefix('0')
            .and_then(|rest| rest.strip_prefix([prefix, prefix.to_ascii_uppercase()]))
            .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c == '_' || c.is_digit(radix)))
    };
    digits('x', 16) || digits('o', 8) || digits('b', 2)
}

fn is_no_number(raw: &str) -> bool {
    [".inf", ".nan"].iter().any(|word| unsigned(raw).eq_ignore_ascii_case(word))
}

fn has_leading_zero(raw: &str) -> bool {
    let rest = unsigned(raw).strip_prefix('0');
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) && is_number(raw)
}

fn is_underscored(raw: &str) -> bool {
    raw.contains('_')
        && unsigned(raw).starts_with(|c: char| c.is_ascii_digit())
        && is_number(&raw.replace('_', ""))
}

fn is_sexagesimal(raw: &str) -> bool {
    let mut parts = unsigned(raw).split(':');
    let leads =
        parts.next().is_some_and(|first| is_digits(&first.replace('_', "")) && !first.starts_with('_'));
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return false };
    let last = last.split_once('.').map_or(*last, |(whole, fraction)| {
        if fraction.is_empty() || is_digits(fraction) { whole } else { "" }
    });
    let is_sixtieth =
        |part: &&str| is_digits(part) && part.len() <= 2 && part.parse::<u8>().is_ok_and(|n| n < 60);
    leads && middle.iter().all(is_sixtieth) && is_sixtieth(&last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traps() {
        use Code::{NumberInexact, ValueAmbiguous};
        let table = [
            ("yes", Some(ValueAmbiguous)),
            ("No", Some(ValueAmbiguous)),
            ("ON", Some(ValueAmbiguous)),
            ("off", Some(ValueAmbiguous)),
            ("y", Some(ValueAmbiguous)),
            ("012", Some(ValueAmbiguous)),
            ("-07", Some(ValueAmbiguous)),
            ("00.5", Some(ValueAmbiguous)),
            ("1_000", Some(ValueAmbiguous)),
            ("1:30", Some(ValueAmbiguous)),
            ("1:30:59.5", Some(ValueAmbiguous)),
            ("0x1F", Some(NumberInexact)),
            ("-0b11", Some(NumberInexact)),
            ("0o17", Some(NumberInexact)),
            (".inf", Some(NumberInexact)),
            ("-.Inf", Some(NumberInexact)),
            (".NaN", Some(NumberInexact)),
            ("0", None),
            ("0.5", None),
            ("-0", None),
            ("10", None),
            ("1e3", None),
            ("4.9:1", None),
            ("1:75", None),
            ("1200ms", None),
            ("yesterday", None),
            ("2026-11-30", None),
            ("_", None),
            ("", None),
            (":", None),
        ];
        for (raw, expected) in table {
            assert_eq!(trap(raw), expected, "{raw}");
        }
    }

    #[test]
    fn numbers() {
        for raw in ["0", "-1", "+1", "1.", ".5", "1.5e-3", "1E+10", "1e400"] {
            assert!(is_number(raw), "{raw}");
        }
        for raw in ["", "-", ".", "e1", "1e", "1.2.3", "0x1", "1_0", "١", "1ms", "--1"] {
            assert!(!is_number(raw), "{raw}");
        }
    }
}
