//! The law: how a value is read and how the gate rules.
//!
//! Pure by construction: bytes and values in, values out. No file, clock, environment or randomness is
//! reachable from here (`clippy.toml` beside this crate's manifest bans the ways in), so the same inputs give
//! the same verdict on every machine, and anyone can recompute one.
//!
//! Read the modules in the order in which data flows: a located document ([`node`]) is decoded ([`decode`])
//! into a [`pack`] and [`check`]s; values are read ([`measure`]) and compared ([`assertion`]); a pack is
//! attacked before work begins ([`review`]) and a delivery is judged after it ([`audit`]).

pub mod assertion;
pub mod audit;
pub mod canonical;
pub mod check;
pub mod code;
pub mod conformance;
pub mod decode;
pub mod lang;
pub mod measure;
pub mod node;
pub mod observation;
pub mod pack;
pub mod problem;
pub mod review;
pub mod rules;
mod scalar_serde;
#[cfg(feature = "schema")]
mod schema;
