//! Every reader against files: our own fixtures, and the recorded evidence where it is at hand.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, and says where")]

mod evidence;
mod parameters;
mod support;
mod synthetic;
mod truncation;
