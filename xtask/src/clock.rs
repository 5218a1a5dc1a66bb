//! The clock, in the one place where it enters a delivery.

use anyhow::{Context, anyhow};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::failure::Result;

/// Now, in whole seconds of UTC, or `SOURCE_DATE_EPOCH` where that is set.
pub fn now() -> Result<String> {
    let now = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(seconds) => fixed(&seconds)?,
        Err(_) => OffsetDateTime::now_utc(),
    };
    let whole = now.replace_nanosecond(0).context("failed to read the clock")?;
    Ok(whole.format(&Rfc3339).context("failed to write the time")?)
}

fn fixed(seconds: &str) -> anyhow::Result<OffsetDateTime> {
    let wrong =
        || anyhow!("SOURCE_DATE_EPOCH is {seconds:?}; it takes whole seconds since 1970, such as 1767225600");
    OffsetDateTime::from_unix_timestamp(seconds.trim().parse().map_err(|_| wrong())?).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::fixed;

    #[test]
    fn a_fixed_clock_takes_whole_seconds() {
        assert_eq!(fixed("0").unwrap().year(), 1970);
        for wrong in ["", "yesterday", "1.5", "99999999999999999"] {
            assert!(fixed(wrong).is_err(), "{wrong}");
        }
    }
}
