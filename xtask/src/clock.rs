//! The clock, in the one place where it enters a delivery.

use anyhow::Context;
use gate::code::Code;
use gate::lang::Lang;
use gate::say;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::ending::Ending;
use crate::failure::{Failure, Result};

/// The variable that stands in for the clock: whole seconds since 1970, as reproducible builds have it.
const FIXED: &str = "SOURCE_DATE_EPOCH";

/// Now, in whole seconds of UTC, or `SOURCE_DATE_EPOCH` where that is set.
pub fn now(lang: Lang) -> Result<String> {
    let now = match fixed(lang)? {
        Some(fixed) => fixed,
        None => OffsetDateTime::now_utc(),
    };
    let whole = now.replace_nanosecond(0).context("failed to read the clock")?;
    Ok(whole.format(&Rfc3339).context("failed to write the time")?)
}

/// The time that `SOURCE_DATE_EPOCH` fixes, as git takes a date; none where it is not set.
pub fn fixed_for_git(lang: Lang) -> Result<Option<String>> {
    Ok(fixed(lang)?.map(|fixed| format!("@{} +0000", fixed.unix_timestamp())))
}

fn fixed(lang: Lang) -> Result<Option<OffsetDateTime>> {
    match std::env::var_os(FIXED) {
        None => Ok(None),
        Some(seconds) => {
            let seconds = seconds.to_string_lossy();
            parse(&seconds).map(Some).ok_or_else(|| no_time(&seconds, lang))
        }
    }
}

/// Nothing but digits, and nothing before 1970: git takes no other.
fn parse(seconds: &str) -> Option<OffsetDateTime> {
    let is_plain = !seconds.is_empty() && seconds.bytes().all(|byte| byte.is_ascii_digit());
    OffsetDateTime::from_unix_timestamp(seconds.parse().ok().filter(|_| is_plain)?).ok()
}

fn no_time(seconds: &str, lang: Lang) -> Failure {
    let message =
        say!(lang, "{FIXED} is {seconds:?}, which is no time", "{FIXED} 为 {seconds:?}，不是有效的时间");
    Failure::coded(Ending::Usage, Code::Clock, message, Code::Clock.help(lang))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_fixed_clock_takes_whole_seconds() {
        assert_eq!(parse("0").unwrap().year(), 1970);
        assert_eq!(parse("1767225600").unwrap().year(), 2026);
        for wrong in ["", "yesterday", "1.5", "-1", "+1", " 1", "99999999999999999", "999999999999999999999"]
        {
            assert!(parse(wrong).is_none(), "{wrong}");
        }
    }
}
