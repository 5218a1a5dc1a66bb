//! Ctrl-C and its kin: the first asks everything to stop cleanly, the second kills what does not, the third ends us.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;

use crate::failure::{Failure, Result};

/// How long a request to stop may go unseen.
const TICK: Duration = Duration::from_millis(100);

static ASKED: AtomicU32 = AtomicU32::new(0);

/// Begins to listen.
pub fn listen() -> Result<()> {
    ctrlc::set_handler(|| {
        // Whatever still holds on after two requests is not worth waiting for.
        if ASKED.fetch_add(1, Ordering::SeqCst) >= 2 {
            std::process::exit(i32::from(crate::ending::Ending::Interrupted.exit_code()));
        }
    })
    .context("failed to listen for Ctrl-C")?;
    Ok(())
}

/// Whether somebody asked to stop.
pub fn requested() -> bool {
    ASKED.load(Ordering::SeqCst) > 0
}

/// Whether somebody asked again, and does not want to wait.
#[cfg_attr(not(unix), expect(dead_code, reason = "what is ended here is ended at once"))]
pub fn insisted() -> bool {
    ASKED.load(Ordering::SeqCst) > 1
}

/// Stops here if somebody asked to.
pub fn check() -> Result<()> {
    if requested() { Err(Failure::Interrupted) } else { Ok(()) }
}

/// Waits, and stops waiting when somebody asks to stop.
pub fn pause(length: Duration) -> Result<()> {
    let end = Instant::now() + length;
    loop {
        check()?;
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        std::thread::sleep(left.min(TICK));
    }
}
