//! Reports: an artifact in, Markdown out. Each file turns one artifact into the view that its template lays out; nothing is
//! judged here, and nothing but the artifact is looked at.

mod acceptance;
mod audit;
mod brief;
#[cfg(test)]
mod hostile;
pub mod machine;
mod outcome;
mod page;
mod review;
mod reviewer;
mod rework;
mod run;
mod spec;
pub mod summary;
#[cfg(test)]
mod variables;
mod view;
pub mod words;

pub use acceptance::{TEMPLATE as ACCEPTANCE, markdown as acceptance};
pub use audit::{CRITERION, TEMPLATE as AUDIT, markdown as audit};
pub use brief::{TEMPLATE as BRIEF, markdown as brief};
pub use page::{Material, html, scenes};
pub use review::{TEMPLATE as REVIEW, markdown as review};
pub use reviewer::{BASE as REVIEWER, prompt as reviewer_prompt, template as reviewer_template};
pub use rework::{TEMPLATE as REWORK, markdown as rework};
pub use spec::{TEMPLATE as SPEC, markdown as spec};
