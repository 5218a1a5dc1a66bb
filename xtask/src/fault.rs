//! Places at which a test lets the program die, to show that the next run goes on as if nothing had happened: before and
//! after everything that changes the disk. A release build has none.

/// Dies here if this is the place that `XTASK_FAULT` names, counted from 1.
#[cfg(debug_assertions)]
pub fn point() {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    static WANTED: OnceLock<Option<u32>> = OnceLock::new();
    static PASSED: AtomicU32 = AtomicU32::new(0);

    let wanted =
        WANTED.get_or_init(|| std::env::var("XTASK_FAULT").ok().and_then(|number| number.parse().ok()));
    if let Some(wanted) = wanted
        && PASSED.fetch_add(1, Ordering::SeqCst) + 1 == *wanted
    {
        // No destructor runs: what is half-made stays half-made.
        std::process::exit(EXIT_CODE);
    }
}

/// How a process ends that died here.
#[cfg(debug_assertions)]
const EXIT_CODE: i32 = 86;

/// Nothing.
#[cfg(not(debug_assertions))]
pub fn point() {}
