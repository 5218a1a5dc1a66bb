//! Why a text is refused, in both languages: what was read, why it is refused, what to write instead.

use super::refusal::Refusal;
use super::unit::spelled_out;
use crate::lang::Lang;
use crate::say;

impl Refusal {
    /// A fragment in lower case: what was read, why it is refused, what to write instead.
    pub fn explain(&self, lang: Lang) -> String {
        self.characters(lang)
            .or_else(|| self.numbers(lang))
            .or_else(|| self.units(lang))
            .or_else(|| self.readings(lang))
            .unwrap_or_else(|| self.rest(lang))
    }

    fn characters(&self, lang: Lang) -> Option<String> {
        Some(match self {
            Refusal::Invisible { found } => say!(
                lang,
                "the text holds the invisible or control character U+{:04X}; remove it",
                "文本中含有不可见字符或控制字符 U+{:04X}；请删除",
                u32::from(*found)
            ),
            Refusal::ForeignNumeral { found } => say!(
                lang,
                "`{}` is a numeral that is not read; write the number with the digits 0–9",
                "`{}` 不是可读取的数字；请用 0–9 书写数值",
                found
            ),
            Refusal::MarkedDigit => say!(
                lang,
                "a digit carries a combining mark; write plain digits",
                "数字上带有组合符号；请只写普通数字"
            ),
            Refusal::HanNumeral { found } => say!(
                lang,
                "the Chinese numeral `{}` touches a number or its unit, which changes the value; write the whole number in digits, such as 12000",
                "中文数词 `{}` 紧贴数字或单位，会改变数值；请把整个数写成阿拉伯数字，例如 12000",
                found
            ),
            Refusal::NumberWord { text } => say!(
                lang,
                "`{}` is a number in words that could be the value; write it in digits",
                "`{}` 是用文字写的数，可能就是实测值；请改写成阿拉伯数字",
                text
            ),
            Refusal::TooLong { limit } => say!(
                lang,
                "the text is longer than {} characters; write the value alone, and the rest as evidence",
                "文本超过 {} 个字符；请只写数值，其余内容写入 evidence",
                limit
            ),
            _ => return None,
        })
    }

    fn numbers(&self, lang: Lang) -> Option<String> {
        Some(match self {
            Refusal::NoNumber => say!(
                lang,
                "there is no number in the text; write one with its unit, such as 720ms",
                "文本中没有数字；请写一个带单位的数值，例如 720ms"
            ),
            Refusal::NotANumber { text } => say!(
                lang,
                "`{}` says that there is no value; write the measured number alone, or N/A alone",
                "`{}` 表示没有数值；请只写实测数值，或只写 N/A",
                text
            ),
            Refusal::Comma { text } => say!(
                lang,
                "the comma in `{}` groups no thousands and may be a decimal comma or a list; write 1.5, 1500 or a list",
                "`{}` 中的逗号不是千位分隔，可能是小数点或列表；请写成 1.5、1500 或列表",
                text
            ),
            Refusal::LeadingZeroGroup { text } => say!(
                lang,
                "`{}` is grouped but begins with zero; write 900 or 0.9",
                "`{}` 使用了千位分隔却以零开头；请写成 900 或 0.9",
                text
            ),
            Refusal::TwoPoints { text } => say!(
                lang,
                "`{}` has more than one point, as a version has; write one decimal number",
                "`{}` 含有多个点，像是版本号；请只写一个小数",
                text
            ),
            Refusal::TooManyDigits => say!(
                lang,
                "the number has more than 28 significant digits; write it as it was measured",
                "数值超过 28 位有效数字；请按实际测量精度书写"
            ),
            Refusal::ExponentTooLarge => say!(
                lang,
                "the exponent is beyond ±28; write the number in a larger or smaller unit",
                "指数超出 ±28；请换用更大或更小的单位"
            ),
            Refusal::Sign { text } => say!(
                lang,
                "the sign in `{}` may be a minus or a dash; write -5 after a space, or the number without a dash",
                "`{}` 中的符号可能是负号，也可能是连接线；请在空格后写 -5，或去掉连接线",
                text
            ),
            Refusal::Glued { text } => say!(
                lang,
                "the first number is part of the name `{}`; begin with the measured value, such as 720ms",
                "第一个数字属于名称 `{}`；请以实测值开头，例如 720ms",
                text
            ),
            Refusal::Joined { text } => say!(
                lang,
                "`{}` between two numbers can be read in more than one way; write one number, or a list",
                "两个数字之间的 `{}` 有多种读法；请只写一个数值，或写成列表",
                text
            ),
            Refusal::Adjacent => say!(
                lang,
                "two numbers stand side by side, which may be one grouped number or two; write 1200, or a list",
                "两个数字仅以空白相隔，可能是一个数，也可能是两个；请写成 1200，或写成列表"
            ),
            Refusal::Compound => say!(
                lang,
                "the value has several parts, as in `1s 200ms`; write it in one unit, such as 1200ms",
                "数值由多个部分组成，如 `1分25秒`；请换算成一个单位，例如 85s"
            ),
            Refusal::Trailing { text } => say!(
                lang,
                "`{}` after the number is not understood; write the number and its unit alone",
                "无法理解数字后面的 `{}`；请只写数值和单位",
                text
            ),
            _ => return None,
        })
    }

    fn units(&self, lang: Lang) -> Option<String> {
        Some(match self {
            Refusal::OtherQuantity { found, expected } => {
                let hint = spelled_out(found)
                    .filter(|unit| unit != found)
                    .map(|unit| say!(lang, " (did you mean `{}`?)", "（是否想写 `{}`？）", unit));
                say!(
                    lang,
                    "the value is in `{}`, which cannot be compared with `{}`{}; write it in `{}`",
                    "实测值的单位是 `{}`，无法与 `{}` 比较{}；请改用 `{}`",
                    found,
                    expected,
                    hint.unwrap_or_default(),
                    expected
                )
            }
            Refusal::AmbiguousUnit { unit } => say!(
                lang,
                "`{}` is 1000 bytes to some and 1024 to others; write kB or KiB",
                "`{}` 有人按 1000 字节、有人按 1024 字节理解；请写 kB 或 KiB",
                unit
            ),
            Refusal::UnitElsewhere { unit } => say!(
                lang,
                "the number has no unit beside it, and the text names `{}` elsewhere; write the unit after the number",
                "数字旁边没有单位，而文本别处出现了 `{}`；请把单位写在数字后面",
                unit
            ),
            Refusal::PerBefore => say!(
                lang,
                "`per` or `每` before the number makes it another unit; write the unit after the number, such as 16ms/frame",
                "数字前的“每”或 per 会使单位不同；请把单位写在数字后面，例如 16ms/帧"
            ),
            Refusal::EmptyUnit => say!(lang, "the unit is empty; leave it out", "单位为空；请省略该字段"),
            Refusal::NoDensity => say!(
                lang,
                "px, vp and fp convert only with the density of the device, and no evidence gives one; collect a display dump",
                "px、vp、fp 之间换算需要设备密度，但证据中没有；请采集显示信息"
            ),
            Refusal::NoFontScale => say!(
                lang,
                "fp converts only with the font scale of the device, and no evidence gives one",
                "fp 的换算需要设备的字体缩放系数，但证据中没有"
            ),
            Refusal::BadScale { text } => say!(
                lang,
                "the density or font scale `{}` is not a positive number",
                "密度或字体缩放系数 `{}` 不是正数",
                text
            ),
            Refusal::Multiplier { unit } => say!(
                lang,
                "`{}` changes what the number means, and the assertion declares no unit; declare one, or write the plain number",
                "`{}` 会改变数值的含义，而断言没有声明单位；请声明单位，或写出完整数值",
                unit
            ),
            Refusal::MixedUnits { first, second } => say!(
                lang,
                "the series mixes `{}` and `{}`, and the assertion declares no unit; declare one",
                "同一组数值混用了 `{}` 和 `{}`，而断言没有声明单位；请声明单位",
                first,
                second
            ),
            _ => return None,
        })
    }

    fn readings(&self, lang: Lang) -> Option<String> {
        Some(match self {
            Refusal::LaterCarriesUnit { first, later } => say!(
                lang,
                "the first number, `{}`, does not carry the expected unit, and a later one, `{}`, does; write only the measured value",
                "第一个数 `{}` 不带期望的单位，而后面的 `{}` 带有；请只写实测值",
                first,
                later
            ),
            Refusal::LaterMultiplied { later } => say!(
                lang,
                "the later number `{}` could be the value, and its unit changes what it means; write only the measured value",
                "后面的数 `{}` 可能就是实测值，而其单位会改变数值的含义；请只写实测值",
                later
            ),
            Refusal::JudgedDifferently { first, other } => say!(
                lang,
                "the text can mean `{}` or `{}`, and the two are judged differently; write one value, or a list",
                "文本可以读作 `{}`，也可以读作 `{}`，两者的判定不同；请只写一个数值，或写成列表",
                first,
                other
            ),
            Refusal::DecimalComma { text } => say!(
                lang,
                "`{}` passes only if its comma groups thousands; write it without a comma",
                "只有把 `{}` 中的逗号当作千位分隔才会通过；请去掉逗号",
                text
            ),
            Refusal::UnclearBound => say!(
                lang,
                "the sign or word before the number can be read in several ways; write <, ≤, > or ≥, or the value alone",
                "数字前的符号或词语有多种读法；请写 <、≤、>、≥，或只写数值"
            ),
            Refusal::MixedBounds => say!(
                lang,
                "a bound is combined with another bound, a range or a series; write one bound, or the measured values as a list",
                "界限与其他界限、区间或列表混用；请只写一个界限，或把实测值写成列表"
            ),
            Refusal::BoundUndecided => say!(
                lang,
                "the text gives a bound or a range, and some values within it pass while others fail; write the measured value",
                "文本给出的是界限或区间，其中有的值通过、有的不通过；请写实测值"
            ),
            Refusal::VagueNumber => say!(
                lang,
                "the number is only an order of size (多, 余, 级); write the measured value",
                "数字只是约数（多、余、级）；请写实测值"
            ),
            Refusal::Difference => say!(
                lang,
                "the number is a difference to something else, or a part or multiple of it; write the measured value itself",
                "该数字是与其他值的差或倍数；请写实测值本身"
            ),
            Refusal::Limit { text } => say!(
                lang,
                "the first number is called `{}`, and a limit is no measurement; begin with the measured value",
                "第一个数被称为 `{}`，而限值不是测量结果；请以实测值开头",
                text
            ),
            Refusal::ReversedRange => say!(
                lang,
                "the range runs from high to low, so it may be no range; write low-high, or a list",
                "区间由大到小，可能并非区间；请写成 小-大，或写成列表"
            ),
            Refusal::ThreeParts => say!(
                lang,
                "the numbers form three parts or mix separators, as a date does; write one value, or a list",
                "数字由三部分组成或混用分隔符，像是日期；请只写一个数值，或写成列表"
            ),
            Refusal::Fraction => say!(
                lang,
                "`a/b` against a ratio may be a fraction or two samples; write 0.95, 95% or a list",
                "对比率而言 `a/b` 可能是分数，也可能是两个样本；请写 0.95、95% 或列表"
            ),
            Refusal::Colon { text } => say!(
                lang,
                "`{}` is no ratio that can be read here; write a:b against a ratio unit, with b above zero, or a plain number",
                "`{}` 在此处不能读作比率；比率单位下请写 a:b（b 大于零），否则请写普通数值",
                text
            ),
            _ => return None,
        })
    }

    fn rest(&self, lang: Lang) -> String {
        match self {
            Refusal::Negative { text } => say!(
                lang,
                "`{}` is negative, which this quantity never is; only -1 is known as \"not measured\"",
                "`{}` 为负值，而该量不可能为负；只有 -1 表示“未测得”",
                text
            ),
            Refusal::SeriesInList => say!(
                lang,
                "a member of the list is itself a series or range; write each sample as its own member",
                "列表成员本身又是一组数值或区间；请把每个样本单独列出"
            ),
            Refusal::BoundInAggregate => say!(
                lang,
                "a bound or range has no exact value to aggregate; write the measured values",
                "界限或区间没有确切的值，无法聚合；请写实测值"
            ),
            Refusal::MissingMember { place } => say!(
                lang,
                "sample {} is missing, and a sample that was not taken is no pass; take it again or leave it out of the list",
                "第 {} 个样本缺失，未测得的样本不能算通过；请重新测量，或从列表中去掉",
                place
            ),
            Refusal::Member { place, reason } => {
                say!(lang, "sample {}: {}", "第 {} 个样本：{}", place, reason.explain(lang))
            }
            Refusal::BooleanForNumber => say!(
                lang,
                "the value is true or false where a number is compared; write the measured number",
                "此处比较的是数值，而实测值是 true 或 false；请写实测数值"
            ),
            Refusal::NotBoolean { text } => say!(
                lang,
                "`{}` is neither true nor false; write one of the two",
                "`{}` 既不是 true 也不是 false；请写其中之一",
                text
            ),
            Refusal::NearSentinel { text } => say!(
                lang,
                "`{}` may be text or may mean that there is no value; write N/A or null for no value",
                "`{}` 可能是文本，也可能表示没有值；没有值时请写 N/A 或 null",
                text
            ),
            Refusal::Assertion { en, zh } => lang.pick(en, zh).clone(),
            _ => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_speaks_both_languages() {
        let text = || "x".to_owned();
        let all = [
            Refusal::Invisible { found: '\u{200B}' },
            Refusal::ForeignNumeral { found: '½' },
            Refusal::MarkedDigit,
            Refusal::HanNumeral { found: '万' },
            Refusal::NumberWord { text: text() },
            Refusal::TooLong { limit: 1 },
            Refusal::NoNumber,
            Refusal::NotANumber { text: text() },
            Refusal::Comma { text: text() },
            Refusal::LeadingZeroGroup { text: text() },
            Refusal::TwoPoints { text: text() },
            Refusal::TooManyDigits,
            Refusal::ExponentTooLarge,
            Refusal::Sign { text: text() },
            Refusal::Glued { text: text() },
            Refusal::Joined { text: text() },
            Refusal::Adjacent,
            Refusal::Compound,
            Refusal::UnclearBound,
            Refusal::MixedBounds,
            Refusal::BoundUndecided,
            Refusal::VagueNumber,
            Refusal::Difference,
            Refusal::Limit { text: text() },
            Refusal::Trailing { text: text() },
            Refusal::OtherQuantity { found: text(), expected: text() },
            Refusal::AmbiguousUnit { unit: text() },
            Refusal::UnitElsewhere { unit: text() },
            Refusal::PerBefore,
            Refusal::EmptyUnit,
            Refusal::NoDensity,
            Refusal::NoFontScale,
            Refusal::BadScale { text: text() },
            Refusal::Multiplier { unit: text() },
            Refusal::MixedUnits { first: text(), second: text() },
            Refusal::LaterCarriesUnit { first: text(), later: text() },
            Refusal::LaterMultiplied { later: text() },
            Refusal::JudgedDifferently { first: text(), other: text() },
            Refusal::DecimalComma { text: text() },
            Refusal::ReversedRange,
            Refusal::ThreeParts,
            Refusal::Fraction,
            Refusal::Colon { text: text() },
            Refusal::Negative { text: text() },
            Refusal::SeriesInList,
            Refusal::BoundInAggregate,
            Refusal::MissingMember { place: 1 },
            Refusal::Member { place: 2, reason: Box::new(Refusal::NoNumber) },
            Refusal::BooleanForNumber,
            Refusal::NotBoolean { text: text() },
            Refusal::NearSentinel { text: text() },
        ];
        for refusal in all {
            let (en, zh) = (refusal.explain(Lang::En), refusal.explain(Lang::Zh));
            assert!(!en.is_empty() && !zh.is_empty() && en != zh, "{refusal:?}");
            assert!(!en.starts_with(char::is_uppercase), "{en}");
        }
    }
}
