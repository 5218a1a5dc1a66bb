//! Where everything lives, relative to the root: the one place that knows the folder names.

use camino::{Utf8Path, Utf8PathBuf};

/// The root of a workspace: the folder that holds `pipeline.yaml`.
#[derive(Clone, Debug)]
pub struct Root(Utf8PathBuf);

impl Root {
    /// The pipeline's file.
    pub const PIPELINE: &'static str = "pipeline.yaml";

    /// Takes a folder as the root. It must be absolute.
    pub fn at(folder: Utf8PathBuf) -> Self {
        Root(folder)
    }

    /// The nearest folder at or above `start` that holds a pipeline.
    pub fn find(start: &Utf8Path) -> Option<Self> {
        start
            .ancestors()
            .find(|folder| folder.join(Self::PIPELINE).is_file())
            .map(|folder| Root(folder.to_owned()))
    }

    /// The absolute path of a relative one.
    pub fn join(&self, relative: impl AsRef<Utf8Path>) -> Utf8PathBuf {
        self.0.join(relative)
    }

    /// The folder itself, absolute.
    pub fn folder(&self) -> &Utf8Path {
        &self.0
    }

    /// What the pipeline may lose at any time: worktrees, checkouts, caches, locks.
    pub fn scratch(&self) -> Utf8PathBuf {
        self.0.join(".xtask")
    }
}

/// What git is told of a delivery: digests are over bytes, so a checkout leaves them as they are.
pub const ATTRIBUTES: &[u8] = b"* -text\n";

/// The folders and files of one feature, relative to the root, with forward slashes.
#[derive(Clone, Debug)]
pub struct FeaturePaths {
    id: String,
}

impl FeaturePaths {
    /// For a feature whose id was checked to be a plain file name.
    pub fn new(id: &str) -> Self {
        FeaturePaths { id: id.to_owned() }
    }

    /// What an author writes.
    pub fn authored(&self) -> Utf8PathBuf {
        Utf8PathBuf::from(format!("features/{}", self.id))
    }

    /// The waivers that a person granted.
    pub fn waivers(&self) -> Utf8PathBuf {
        self.authored().join("waivers.yaml")
    }

    /// What people answered to the review.
    pub fn responses(&self) -> Utf8PathBuf {
        self.authored().join("responses.json")
    }

    /// What the pipeline writes.
    pub fn delivery(&self) -> Utf8PathBuf {
        Utf8PathBuf::from(format!("deliveries/{}", self.id))
    }

    /// What git is told of the delivery, see [`ATTRIBUTES`].
    pub fn attributes(&self) -> Utf8PathBuf {
        self.delivery().join(".gitattributes")
    }

    /// The frozen pack.
    pub fn lock(&self) -> Utf8PathBuf {
        self.delivery().join("pack.lock.json")
    }

    /// The review of the frozen pack: `json` or `md`.
    pub fn review(&self, extension: &str) -> Utf8PathBuf {
        self.delivery().join(format!("review.{extension}"))
    }

    /// What a reviewer was asked, and what it answered.
    pub fn reviewer(&self, name: &str) -> Utf8PathBuf {
        self.delivery().join("review").join(name)
    }

    /// What is up to date, and from which inputs.
    pub fn state(&self) -> Utf8PathBuf {
        self.delivery().join("state.json")
    }

    /// What happened, line by line.
    pub fn ledger(&self) -> Utf8PathBuf {
        self.delivery().join("ledger.jsonl")
    }

    /// Everything gathered in a round.
    pub fn round(&self, round: u32) -> Utf8PathBuf {
        self.delivery().join(format!("round-{round}"))
    }

    /// A file of a round.
    pub fn in_round(&self, round: u32, name: &str) -> Utf8PathBuf {
        self.round(round).join(name)
    }

    /// What people settled in a round.
    pub fn settlements(&self, round: u32) -> Utf8PathBuf {
        self.in_round(round, "settlements.json")
    }

    /// The audit of a round: `json`, `md`, or a format for machines.
    pub fn audit(&self, round: u32, extension: &str) -> Utf8PathBuf {
        self.delivery().join(format!("audit-{round}.{extension}"))
    }

    /// The signed statement of a round's audit.
    pub fn attestation(&self, round: u32) -> Utf8PathBuf {
        self.delivery().join(format!("audit-{round}.intoto.json"))
    }

    /// The rework order of a round: `json` or `md`.
    pub fn rework(&self, round: u32, extension: &str) -> Utf8PathBuf {
        self.delivery().join(format!("rework-{round}.{extension}"))
    }

    /// The acceptance report: `json` or `md`.
    pub fn acceptance(&self, extension: &str) -> Utf8PathBuf {
        self.delivery().join(format!("acceptance.{extension}"))
    }

    /// The page that tells of all rounds.
    pub fn page(&self) -> Utf8PathBuf {
        self.delivery().join("report.html")
    }
}

/// A relative path as artifacts write it, whatever the system's separator.
pub fn with_slashes(path: &Utf8Path) -> Utf8PathBuf {
    Utf8PathBuf::from(path.as_str().replace('\\', "/"))
}

/// Whether a path inside a delivery, with forward slashes, is one that the pipeline itself writes or reads there.
pub fn is_artifact(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_round = |folder: &str| folder.strip_prefix("round-").is_some_and(is_number);
    let numbered = |stem: &str| {
        name.strip_prefix(stem)
            .and_then(|rest| rest.strip_suffix(".json").or_else(|| rest.strip_suffix(".md")))
            .is_some_and(is_number)
    };
    match folder {
        "" => {
            [".gitattributes", "pack.lock.json", "spec.md", "state.json", "ledger.jsonl", "report.html"]
                .contains(&name)
                || ["review", "acceptance"].iter().any(|stem| is_named(name, stem))
                || is_of_audit(name)
                || numbered("rework-")
        }
        folder if is_round(folder) => of_round(name).is_some() || name.starts_with("checks."),
        // What reviewers answered.
        "review" => true,
        folder => folder.strip_suffix("/evidence").is_some_and(is_round) || folder.contains("/evidence/"),
    }
}

/// What a file directly in the folder of a round is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfRound {
    /// A record of what happened: nothing makes it again.
    Record,
    /// What an auditor wrote.
    Checks,
    /// Made from what is recorded, and made again from that.
    Derived,
}

/// What a file of this name is in the folder of a round; none that is none of the pipeline's.
pub fn of_round(name: &str) -> Option<OfRound> {
    let records = ["dispatch.json", "evidence.json", "instant.json", "handoff.json", "settlements.json"];
    let is_answer = name.strip_prefix("auditor.").is_some_and(|rest| rest.ends_with(".json"));
    match name {
        _ if records.contains(&name) || is_answer => Some(OfRound::Record),
        _ if auditor_of(name).is_some() => Some(OfRound::Checks),
        _ if is_named(name, "brief") => Some(OfRound::Derived),
        _ => None,
    }
}

/// `lin` of `checks.lin.yaml`, nothing of `checks.yaml`.
pub fn auditor_of(name: &str) -> Option<&str> {
    let stem = ["yaml", "yml", "json"]
        .iter()
        .find_map(|extension| name.strip_suffix(extension)?.strip_suffix('.'))?;
    match stem.strip_prefix("checks")? {
        "" => Some(""),
        rest => rest.strip_prefix('.').filter(|auditor| !auditor.is_empty()),
    }
}

/// Whether a path, relative to the root, is one that no stage of a team's own may write: what people write, what the
/// pipeline keeps, and every folder that holds such a file.
pub fn is_reserved(path: &str) -> bool {
    let parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !matches!(*part, "" | ".")).collect();
    match parts.as_slice() {
        [] | ["deliveries" | "features"] | ["deliveries" | "features", _] => true,
        ["pipeline.yaml"] | [".git" | ".xtask" | "templates", ..] => true,
        ["features", _, file] => {
            ["pack.yaml", "pack.yml", "pack.json", "waivers.yaml", "responses.json"].contains(file)
        }
        ["deliveries", _, inside @ ..] => {
            let inside = inside.join("/");
            let is_round = |name: &str| name.strip_prefix("round-").is_some_and(is_number);
            is_artifact(&inside)
                || is_round(&inside)
                || inside == "review"
                || inside.strip_suffix("/evidence").is_some_and(is_round)
        }
        _ => false,
    }
}

/// `audit-2.json`, `audit-2.junit.xml`: every file of that name is the pipeline's, whatever its format.
fn is_of_audit(name: &str) -> bool {
    name.strip_prefix("audit-")
        .and_then(|rest| rest.split_once('.'))
        .is_some_and(|(round, _)| is_number(round))
}

fn is_named(name: &str, stem: &str) -> bool {
    name.strip_prefix(stem).is_some_and(|rest| matches!(rest, ".json" | ".md"))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a relative path stays inside the folder that it is joined to: no root, no drive, no `..`.
pub fn stays_inside(path: &str) -> bool {
    !path.is_empty()
        && !path.starts_with(['/', '\\'])
        && !path.contains(':')
        && !path.chars().any(char::is_control)
        && path.split(['/', '\\']).all(|part| part != "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pipelines_own_files_are_known() {
        for own in [
            "pack.lock.json",
            "review.md",
            "audit-1.json",
            "audit-2.junit.xml",
            "rework-12.md",
            "acceptance.json",
            "ledger.jsonl",
            "audit-2.intoto.json",
            "report.html",
            "round-1/brief.md",
            "round-2/checks.lin.yaml",
            "round-2/evidence/layout.json",
            "round-2/evidence/a/b.png",
            "review/skeptic.json",
        ] {
            assert!(is_artifact(own), "{own}");
        }
        for other in [
            "build.log",
            "audit-x.json",
            "audit-x.intoto.json",
            "round-1/apk.txt",
            "notes/audit-1.json",
            "reviewed.md",
        ] {
            assert!(!is_artifact(other), "{other}");
        }
    }

    #[test]
    fn folders_that_hold_them_are_reserved_as_well() {
        for reserved in [
            "deliveries",
            "./deliveries/f",
            "deliveries/f/",
            "deliveries/f/round-1",
            "deliveries/f/round-1/evidence",
            "deliveries/f/audit-1.json",
            "features/f/pack.yaml",
            "features/f/responses.json",
            "deliveries/f/review",
            "pipeline.yaml",
            ".git/config",
            "templates/en/audit.md.tera",
        ] {
            assert!(is_reserved(reserved), "{reserved}");
        }
        for free in ["deliveries/f/build.txt", "deliveries/f/round-1/apk.txt", "features/f/notes.md", "out/f"]
        {
            assert!(!is_reserved(free), "{free}");
        }
    }

    #[test]
    fn a_path_that_leaves_its_folder_is_seen() {
        for inside in ["a", "a/b.json", "recorded/round-1/启动.ftrace", "a..b", "./a"] {
            assert!(stays_inside(inside), "{inside}");
        }
        for outside in ["", "/etc/passwd", "../a", "a/../../b", "a\\..\\b", "C:\\x", "\\\\host\\x", "a\nb"] {
            assert!(!stays_inside(outside), "{outside}");
        }
    }

    #[test]
    fn the_auditor_is_named_by_the_file() {
        for (name, auditor) in [
            ("checks.yaml", Some("")),
            ("checks.json", Some("")),
            ("checks.lin.yaml", Some("lin")),
            ("checks.team.a.yml", Some("team.a")),
            ("checks..yaml", None),
            ("checksum.yaml", None),
            ("evidence.json", None),
            ("checks", None),
        ] {
            assert_eq!(auditor_of(name), auditor, "{name}");
        }
    }
}
