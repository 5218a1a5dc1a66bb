//! Every reader against files: our own fixtures, and the recorded evidence where it is at hand.

mod evidence;
mod support;
mod synthetic;
mod truncation;
