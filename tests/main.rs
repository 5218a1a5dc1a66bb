//! The integration tests: the real binary, real git repositories, real processes, in folders of their own.

mod support;

mod bad_input;
mod executors;
mod freezing;
mod readme;
mod sample;
mod stages;
