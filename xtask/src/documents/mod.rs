//! The JSON artifacts that stages hand to each other, one file a kind. Each carries its format version, and every Markdown
//! file is rendered from one of these alone.

mod agent_run;
mod audit;
mod brief;
mod dispatch;
mod evidence;
mod lock;
mod report;
mod review;

pub use agent_run::{
    AgentError, AgentLine, AgentRun, Change, Place, ProtectedChange, RunEnd, TestLine, TestsTouched, Tokens,
    ToolCall,
};
pub use audit::{AuditFile, AuditorRun, Instant, ScaleFrom, Settlements, UnknownCheck};
pub use brief::{Brief, BriefFailure, Remark};
pub use dispatch::{ChangedFile, Dispatch, Handoff};
pub use evidence::{Collected, Evidence, FileRecord};
pub use lock::{EarlierPack, Lock, Refreeze};
pub use report::{PathLine, Report, RoundLine};
pub use review::{Review, ReviewerLine, ReviewerRun};

/// The version of every artifact below that has none of its own. Raised whenever a field is added or changes its meaning.
pub const FORMAT: u32 = 1;

/// The version of `pack.lock.json`. Since 2 it keeps the packs that were replaced.
pub const LOCK_FORMAT: u32 = 2;

/// The version of `audit-<n>.json`, and of the reports that hold one. Since 2 it holds all that a recomputation needs.
pub const AUDIT_FORMAT: u32 = 2;
