//! Reviewers that are programs: what they are asked, what they answer, and what their answers come to together.
//!
//! Running them is for whoever uses this crate. Here an answer is text that was decoded, and nothing in it is believed:
//! it is shown, it is counted, and a person answers it.

mod angle;
mod answer;
mod cluster;

pub use angle::Angle;
pub use answer::{MAX_OBJECTIONS, MAX_WORDS, Objection, ReviewerAnswer};
pub use cluster::{Cluster, Voice, clusters, objections};
