//! Ctrl-C and its kin: the first asks everything to stop cleanly, the second ends the program.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::{Failure, Result};

static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Begins to listen. The second signal ends the process at once, with the exit code of an interruption.
pub fn listen() -> anyhow::Result<()> {
    let stop = Arc::clone(STOP.get_or_init(Arc::default));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Order matters: the conditional exit sees the flag as the first signal left it.
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop))?;
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
    Ok(())
}

/// Whether somebody asked to stop.
pub fn requested() -> bool {
    STOP.get().is_some_and(|stop| stop.load(Ordering::SeqCst))
}

/// Stops here if somebody asked to.
pub fn check() -> Result<()> {
    if requested() { Err(Failure::Interrupted) } else { Ok(()) }
}
