//! The formats' own schemas and readers, where `.ci/formats` installed them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{not_tested, repository};

/// Where they are.
pub struct Formats {
    folder: PathBuf,
}

impl Formats {
    /// Those that are installed. Their absence is said loudly, and fails the test where they are required.
    pub fn installed() -> Option<Self> {
        let folder = repository().join(".xtask/tools/formats");
        let last = folder.join("sarif.schema.json");
        if !last.is_file() {
            not_tested(&format!("no schemas in {}: run .ci/formats", folder.display()));
            return None;
        }
        Some(Formats { folder })
    }

    /// A document in JSON satisfies a schema that is named by its file.
    #[track_caller]
    pub fn accepts_json(&self, schema: &str, document: &Path) {
        let schema = self.folder.join(schema);
        let mut command = Command::new(self.folder.join("venv/bin/check-jsonschema"));
        // A pattern of SARIF's is none by the letter of ECMA-262.
        command.args(["--regex-variant", "python", "--schemafile"]).arg(schema).arg(document);
        succeeds(command, document);
    }

    /// A document satisfies a schema that the checker carries, such as that of GitHub's workflows.
    #[track_caller]
    pub fn accepts_vendor(&self, schema: &str, document: &Path) {
        let mut command = Command::new(self.folder.join("venv/bin/check-jsonschema"));
        command.args(["--builtin-schema", schema]).arg(document);
        succeeds(command, document);
    }

    /// A document in XML satisfies JUnit's schema.
    #[track_caller]
    pub fn accepts_junit(&self, document: &Path) {
        let mut command = Command::new(self.folder.join("venv/bin/xmlschema-validate"));
        command.arg("--schema").arg(self.folder.join("junit.xsd")).arg(document);
        succeeds(command, document);
    }

    /// A stream is TAP to its last line, and its reader's sums.
    #[track_caller]
    pub fn reads_tap(&self, stream: &str) -> serde_json::Value {
        let mut command = Command::new(self.folder.join("node_modules/.bin/tap-parser"));
        command.args(["--strict", "--json"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(stream.as_bytes()).unwrap();
        // The reader's exit status is the verdict of the stream.
        let events: serde_json::Value =
            serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
        let complete = events.as_array().unwrap().iter().find(|event| event[0] == "complete").unwrap();
        complete[1].clone()
    }

    /// The schema that npm's ctrf carries.
    pub const CTRF: &'static str = "node_modules/ctrf/dist/ctrf-schema-0.0.json";

    /// The schema that serde-sarif carries.
    pub const SARIF: &'static str = "sarif.schema.json";
}

#[track_caller]
fn succeeds(mut command: Command, document: &Path) {
    let output = command.output().unwrap();
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}:\n{said}", document.display());
}
