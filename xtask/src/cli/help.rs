//! What `--help` adds: examples, and the words of closed lists.

use gate::pack::Matcher;

use crate::reports::machine::Format;

pub(super) const JUDGE_EXAMPLES: &str = "\
Examples:
  cargo xtask judge --matcher lte --expected 800 --unit ms --actual 1.2s
  cargo xtask judge --matcher eq --expected 12 --unit vp --actual 42px --density 3.5
  cargo xtask judge --matcher lte --expected 800 --unit ms --aggregate p95 --actual 700ms --actual 720ms";

pub(super) const PROBE_EXAMPLES: &str = "\
Examples:
  cargo xtask probe --list
  cargo xtask probe density features/login-page/recorded/round-1/display.txt
  cargo xtask probe layout features/login-page/recorded/round-1/layout.json \\
    --with measure=touchTarget --with node=id=forgot_password --with bundle=com.example.login";

/// The examples, and every matcher with its aliases: the closed table.
pub(super) fn judge_help() -> String {
    let aliases = Matcher::ALIASES
        .iter()
        .map(|(matcher, words)| format!("  {:<9} {}", matcher.word(), words.join("  ")));
    format!("{JUDGE_EXAMPLES}\n\nMatchers, and their aliases:\n{}", aliases.collect::<Vec<_>>().join("\n"))
}

/// The words of the formats, and the one that looks into the file.
pub(super) fn import_formats() -> Vec<&'static str> {
    std::iter::once("auto").chain(import::Format::ALL.map(import::Format::word)).collect()
}

/// The examples, and what each format's reader looks for.
pub(super) fn import_help() -> String {
    let formats = import::Format::ALL
        .iter()
        .map(|format| format!("  {:<10} {}", format.word(), format.looks_for(gate::lang::Lang::En)));
    let formats = formats.collect::<Vec<_>>().join("\n");
    format!("{IMPORT_EXAMPLES}\n\nFormats, and what is looked for:\n{formats}")
}

pub(super) const IMPORT_EXAMPLES: &str = "\
Examples:
  cargo xtask import spec-kit specs/001-login/spec.md --feature login
  cargo xtask import table criteria.csv --feature login --lang zh
  cargo xtask import auto login.feature --stdout";

pub(super) const REPORT_EXAMPLES: &str = "\
Examples:
  cargo xtask report login-page
  cargo xtask report login-page --format junit --output junit.xml
  cargo xtask report login-page --format github       annotations, in a GitHub job

With --format nothing is written but the file that --output names. The exit code is the verdict's.";

pub(super) const DELIVER_EXAMPLES: &str = "\
Examples:
  cargo xtask deliver login-page
  cargo xtask deliver login-page --dry-run        what would run, and why
  cargo xtask deliver login-page --from audit     take what comes before as it is
  cargo xtask deliver --all --jobs 2 --keep-going";

pub(super) const ATTEST_EXAMPLES: &str = "\
Examples:
  cargo xtask attest login-page --key ~/.keys/delivery.pem
  cargo xtask attest login-page --round 2        what would be signed, for a signer of your own";

pub(super) const VERIFY_HELP: &str = "\
Examples:
  cargo xtask verify login-page
  cargo xtask verify --all --json
  cargo xtask verify login-page --commit v1.4
  cargo xtask verify login-page --expect-pack 54afb795…

Every probe is run again on the recorded evidence, every outcome and verdict is recomputed, every report rendered again and
compared byte for byte. Exit codes: 0 verified; 6 tampered; 8 something is unavailable, or of another format.

What this alone cannot see: a consistent rewrite of everything, and rounds dropped at the end. What does: a commit that you
trust (--commit), the pack's digest from elsewhere (--expect-pack), or a signature.";

pub(super) fn report_formats() -> Vec<&'static str> {
    Format::ALL.map(Format::word).to_vec()
}
