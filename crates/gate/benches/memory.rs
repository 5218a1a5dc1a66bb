//! What ruling and recording hold beyond their inputs: `max alloc`, in bytes and in allocations.
//!
//! `cargo bench -p gate --bench memory`

mod delivery;

use delivery::{SIZES, with_inputs};
use divan::{AllocProfiler, Bencher};
use gate::audit::{audit, rule};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

#[divan::bench(args = SIZES, sample_count = 1)]
fn verdict(bencher: Bencher<'_, '_>, checks: usize) {
    with_inputs(checks, |inputs| bencher.bench_local(|| rule(inputs)));
}

#[divan::bench(args = SIZES, sample_count = 1)]
fn artifact(bencher: Bencher<'_, '_>, checks: usize) {
    with_inputs(checks, |inputs| bencher.bench_local(|| audit(inputs)));
}
