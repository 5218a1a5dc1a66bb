//! Auditing 1,000 to 100,000 checks: linear in their number.
//!
//! `verdict` is the ruling alone, `artifact` is all of `audit-<n>.json` with the steps of each ruling. What they
//! return is dropped after the clock has stopped.
//!
//! `cargo bench -p gate --bench audit`

mod delivery;

use delivery::{SIZES, with_inputs};
use divan::Bencher;
use divan::counter::ItemsCount;
use gate::audit::{audit, rule};

fn main() {
    divan::main();
}

#[divan::bench(args = SIZES, sample_count = 9)]
fn verdict(bencher: Bencher<'_, '_>, checks: usize) {
    with_inputs(checks, |inputs| bencher.counter(ItemsCount::new(checks)).bench_local(|| rule(inputs)));
}

#[divan::bench(args = SIZES, sample_count = 9)]
fn artifact(bencher: Bencher<'_, '_>, checks: usize) {
    with_inputs(checks, |inputs| bencher.counter(ItemsCount::new(checks)).bench_local(|| audit(inputs)));
}
