//! Numerals in Chinese, as a statement may write them. A value may not: see [`super::refusal`].

use super::exact::Exact;

/// A numeral that was read.
pub(super) struct Numeral {
    pub value: Exact,
    /// One past its last character.
    pub end: usize,
    /// Whether it was 百分之 and a number.
    pub is_percentage: bool,
}

/// The numeral that begins at a place: 八百, 一千二百, 两, 半, 百分之九十五. Digits in a row (一二三) are none.
pub(super) fn parse(chars: &[char], at: usize) -> Option<Numeral> {
    let percent = ['百', '分', '之'];
    if chars.get(at..at + percent.len()) == Some(percent.as_slice()) {
        let from = at + percent.len();
        let digits: String =
            chars.get(from..)?.iter().take_while(|c| c.is_ascii_digit() || **c == '.').collect();
        if let Some(value) = super::plain::plain_number(&digits) {
            return Some(Numeral { value, end: from + digits.chars().count(), is_percentage: true });
        }
        let (value, end) = whole(chars, from)?;
        return Some(Numeral { value: Exact::from_int(value), end, is_percentage: true });
    }
    if chars.get(at) == Some(&'半') {
        return Some(Numeral { value: Exact::fraction(1, 2)?, end: at + 1, is_percentage: false });
    }
    let (value, end) = whole(chars, at)?;
    match places(chars, end) {
        Some((fraction, end)) => {
            Some(Numeral { value: Exact::from_int(value).plus(&fraction), end, is_percentage: false })
        }
        None => Some(Numeral { value: Exact::from_int(value), end, is_percentage: false }),
    }
}

/// 点 and digits, of which four are more than any threshold has.
fn places(chars: &[char], at: usize) -> Option<(Exact, usize)> {
    if chars.get(at) != Some(&'点') {
        return None;
    }
    let digit = |c: &char| match part(*c) {
        Some(Part::Digit(digit)) => u64::try_from(digit).ok(),
        _ => None,
    };
    let digits: Vec<u64> = chars.get(at + 1..)?.iter().take(4).map_while(digit).collect();
    let fraction = digits.iter().rev().try_fold(Exact::ZERO, |rest, digit| {
        Exact::fraction(*digit, 1)?.plus(&rest).over(&Exact::from_int(10))
    })?;
    (!digits.is_empty()).then_some((fraction, at + 1 + digits.len()))
}

/// What numerals are put together from: a digit, or a power of ten.
enum Part {
    Digit(i64),
    Power(i64),
}

fn part(c: char) -> Option<Part> {
    let digit = "零一二三四五六七八九".chars().position(|known| known == c);
    if let Some(digit) = digit {
        return i64::try_from(digit).ok().map(Part::Digit);
    }
    Some(match c {
        '〇' => Part::Digit(0),
        '两' => Part::Digit(2),
        '十' => Part::Power(10),
        '百' => Part::Power(100),
        '千' => Part::Power(1_000),
        '万' => Part::Power(10_000),
        _ => return None,
    })
}

fn whole(chars: &[char], at: usize) -> Option<(i64, usize)> {
    let (mut total, mut digit, mut end) = (0, None, at);
    // More than a dozen characters are no threshold.
    for c in chars.get(at..)?.iter().take(12) {
        match part(*c) {
            None => break,
            Some(Part::Digit(0)) => {}
            Some(Part::Digit(_)) if digit.is_some() => return None,
            Some(Part::Digit(value)) => digit = Some(value),
            Some(Part::Power(10_000)) => total = (total + digit.take().unwrap_or(0)).max(1) * 10_000,
            Some(Part::Power(power)) => total += digit.take().unwrap_or(1) * power,
        }
        end += 1;
    }
    (end > at).then(|| (total + digit.unwrap_or(0), end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals() {
        let table = [
            ("八百毫秒", Some(("800", 2))),
            ("三秒", Some(("3", 1))),
            ("十二", Some(("12", 2))),
            ("一千二百", Some(("1200", 4))),
            ("一百零五", Some(("105", 4))),
            ("两", Some(("2", 1))),
            ("三万", Some(("30000", 2))),
            ("半秒", Some(("0.5", 1))),
            ("一点一秒", Some(("1.1", 3))),
            ("两点二五倍", Some(("2.25", 4))),
            ("三点钟", Some(("3", 1))),
            ("百分之九十五", Some(("95", 6))),
            ("百分之95", Some(("95", 5))),
            ("一二三", None),
            ("毫秒", None),
        ];
        for (text, expected) in table {
            let chars: Vec<char> = text.chars().collect();
            let found = parse(&chars, 0).map(|numeral| (numeral.value.to_decimal(), numeral.end));
            assert_eq!(found, expected.map(|(value, end)| (value.to_owned(), end)), "{text}");
        }
    }
}
