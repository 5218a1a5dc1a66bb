//! V7: how the characters between two numbers link them.

use super::find::Declared;
use super::refusal::Refusal;
use super::scan::{Term, is_ratio};
use super::unit::Unit;

/// How a term follows the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// It begins a clause of its own.
    Apart,
    /// `/ 、 ; |`, or a comma.
    List(char),
    /// `-`, `–`, `~`, `至`, `到`, `to`.
    Range,
    /// `±`.
    PlusMinus,
}

/// How the characters between two terms link them.
pub(super) fn link(between: &[char], last: &Term, declared: Option<&Declared>) -> Result<Link, Refusal> {
    let text: String = between.iter().collect();
    let trimmed = text.trim();
    let joined = || Refusal::Joined { text: trimmed.to_owned() };
    let spaced_after = between.last().is_some_and(|c| c.is_whitespace());
    match trimmed {
        "" if matches!(last.unit, Some(Unit::Known(_))) => Err(Refusal::Compound),
        "" => Err(Refusal::Adjacent),
        "-" | "–" | "~" | "至" | "到" => Ok(Link::Range),
        _ if trimmed.eq_ignore_ascii_case("to") => Ok(Link::Range),
        "±" => Ok(Link::PlusMinus),
        "/" | "、" | ";" | "|" => Ok(Link::List(trimmed.chars().next().unwrap_or('/'))),
        "," if spaced_after || last.unit.is_some() => Ok(Link::List(',')),
        ":" => match between.first() == Some(&':') && !declared.is_some_and(|d| is_ratio(&d.unit)) {
            true => Ok(Link::Apart),
            false => Err(Refusal::Colon { text: trimmed.to_owned() }),
        },
        _ if between.iter().any(|c| c.is_alphanumeric()) => Ok(Link::Apart),
        _ if trimmed.chars().all(|c| c == '*') => Err(joined()),
        _ if trimmed == "'" || trimmed == "\"" || trimmed == "`" => Err(joined()),
        _ if between.iter().all(|c| c.is_whitespace() || separates(*c)) => Ok(Link::Apart),
        _ => Err(joined()),
    }
}

/// Punctuation that ends a clause or opens another. Signs that could calculate are not here.
fn separates(c: char) -> bool {
    ",.;:()[]{}<>=|/!?*`\"'。“”‘’【】「」《》、≤≥≈~".contains(c)
}
