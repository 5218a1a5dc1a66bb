//! Throws random values at random assertions, and checks what must hold of every judgement.
//!
//! `cargo run --release -p gate --example fuzz -- values --seconds 600 --seed 1`
//!
//! Rounds depend on the seed alone, so that a finding comes back with the same seed; the clock only says when to stop.

#![expect(
    clippy::disallowed_methods,
    reason = "the generator is a program of its own: it has arguments and a clock"
)]

mod laws;
mod random;
mod values;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use random::Random;

const USAGE: &str = "usage: fuzz values [--seconds N] [--seed N]";

/// How many rounds pass between two looks at the clock.
const STRIDE: u32 = 1_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(Options { seconds, seed }) = options(&arguments) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut random = Random::new(seed);
    let mut tally = values::Tally::default();
    while Instant::now() < end {
        for _ in 0..STRIDE {
            if let Err(finding) = values::round(&mut random, &mut tally) {
                eprintln!("{finding}\nseed {seed}, after {tally}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!("seed {seed}: {tally}, no finding");
    ExitCode::SUCCESS
}

struct Options {
    seconds: u64,
    seed: u64,
}

fn options(arguments: &[String]) -> Option<Options> {
    let (target, rest) = arguments.split_first()?;
    let mut options = Options { seconds: 10, seed: 1 };
    for pair in rest.chunks(2) {
        let [name, value] = pair else { return None };
        match name.as_str() {
            "--seconds" => options.seconds = value.parse().ok()?,
            "--seed" => options.seed = value.parse().ok()?,
            _ => return None,
        }
    }
    (target == "values").then_some(options)
}
