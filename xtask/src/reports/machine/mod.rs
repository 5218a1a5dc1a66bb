//! Reports for machines: what an audit says, in the notations that servers and tools read. Each is a pure function from the
//! audit, and the lock that says where the criteria stand, to bytes.
//!
//! No notation has words for all that an audit can say. What it lacks is told by the nearest word and in the text, and a
//! last case of its own, the verdict, fails exactly if the delivery does: no reader takes a failed one for sound.

mod annotations;
mod case;
mod code_quality;
mod ctrf;
mod finding;
mod junit;
mod sarif;
mod step_summary;
mod tap;
mod text;

#[cfg(test)]
mod tests;

use gate::audit::Verdict;
use gate::lang::Lang;
use gate::say;
use serde::Serialize;

use super::view::{ProblemView, general_problems};
use crate::documents::{AuditFile, Lock};
use crate::failure::Result;
use crate::store;
use case::Case;
use finding::Finding;

/// A notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// JUnit's XML, as Jenkins describes it: read by nearly every server.
    Junit,
    /// SARIF 2.1.0: findings at lines of the pack.
    Sarif,
    /// The Common Test Report Format.
    Ctrf,
    /// Workflow commands that GitHub shows beside the lines of a change.
    Github,
    /// Markdown for the summary of a GitHub job.
    GithubSummary,
    /// GitLab's code quality.
    Gitlab,
    /// The Test Anything Protocol, version 14.
    Tap,
}

impl Format {
    /// All, in the order in which they are written.
    pub const ALL: [Format; 7] = [
        Format::Junit,
        Format::Sarif,
        Format::Ctrf,
        Format::Github,
        Format::GithubSummary,
        Format::Gitlab,
        Format::Tap,
    ];

    /// The word in `reports:` and after `--format`.
    pub fn word(self) -> &'static str {
        match self {
            Format::Junit => "junit",
            Format::Sarif => "sarif",
            Format::Ctrf => "ctrf",
            Format::Github => "github",
            Format::GithubSummary => "github-summary",
            Format::Gitlab => "gitlab",
            Format::Tap => "tap",
        }
    }

    /// The format of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.word() == word)
    }

    /// How the names of its files end: `audit-2.junit.xml`.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Junit => "junit.xml",
            Format::Sarif => "sarif",
            Format::Ctrf => "ctrf.json",
            Format::Github => "github.txt",
            Format::GithubSummary => "github.md",
            Format::Gitlab => "gitlab.json",
            Format::Tap => "tap",
        }
    }

    /// Renders an audit. The lock is the one that the round was judged by.
    pub fn render(self, audit: &AuditFile, lock: &Lock) -> Result<Vec<u8>> {
        let told = Told::of(audit, lock);
        let text = match self {
            Format::Junit => junit::render(&told),
            Format::Sarif => return store::json_bytes(&sarif::of(&told)),
            Format::Ctrf => return store::json_bytes(&ctrf::of(&told)),
            Format::Github => annotations::render(&told),
            Format::GithubSummary => step_summary::render(&told),
            Format::Gitlab => return store::json_bytes(&code_quality::of(&told)?),
            Format::Tap => tap::render(&told),
        };
        Ok(text.into_bytes())
    }
}

/// What every notation tells.
struct Told<'a> {
    audit: &'a AuditFile,
    /// The authored pack, relative to the root.
    pack: &'a str,
    /// The criteria, in the pack's order.
    cases: Vec<Case<'a>>,
    /// What is no criterion's.
    general: Vec<ProblemView<'a>>,
    /// Everything that does not hold, in the pack's order, what is no criterion's last.
    findings: Vec<Finding<'a>>,
}

impl<'a> Told<'a> {
    fn of(audit: &'a AuditFile, lock: &'a Lock) -> Self {
        let cases = Case::all(audit, lock);
        let findings = Finding::all(audit, &cases, lock);
        Told { audit, pack: &lock.authored, cases, general: general_problems(audit), findings }
    }

    fn lang(&self) -> Lang {
        self.audit.lang
    }

    fn is_accepted(&self) -> bool {
        self.audit.verdict == Verdict::Pass
    }

    /// `login-page, round 2: pass; 11 pass, 0 fail, …`: the whole in one line.
    fn verdict(&self) -> String {
        let (feature, round, counts) = (&self.audit.feature, self.audit.round, self.audit.counts);
        let word = crate::render::label(if self.is_accepted() { "pass" } else { "fail" }, self.lang());
        let (pass, fail, invalid) = (counts.pass, counts.fail, counts.invalid);
        let (unverified, waived) = (counts.unverified, counts.waived);
        say!(
            self.lang(),
            "{feature}, round {round}: {word} ({pass} pass, {fail} fail, {invalid} invalid, {unverified} unverified, {waived} waived)",
            "{feature} 第 {round} 轮：{word}（通过 {pass}，不通过 {fail}，无效 {invalid}，未验证 {unverified}，已豁免 {waived}）"
        )
    }

    /// What is no criterion's, a line each.
    fn general_lines(&self) -> Vec<String> {
        self.general.iter().map(|problem| text::problem(problem, self.lang())).collect()
    }
}
