//! A real browser that looks at a page and tells what it saw.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{not_tested, repository};

/// What became of looking at a page.
pub struct Look {
    seen: Value,
}

/// Looks at a page, where `.ci/browser` installed what that takes. Its absence is said loudly, and fails the test where a
/// browser is required.
pub fn look(page: &Path, name: &str) -> Option<Look> {
    let tools = repository().join(".xtask/tools/page");
    let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .into_iter()
        .find(|path| Path::new(path).is_file());
    let (Some(browser), true) = (browser, tools.join("node_modules/axe-core").is_dir()) else {
        not_tested(&format!("no browser, or no {}: run .ci/browser", tools.display()));
        return None;
    };
    let pictures = repository().join(".xtask/pictures").join(name);
    fs::create_dir_all(&pictures).unwrap();
    let output = Command::new("node")
        .arg(repository().join("tests/page/look.mjs"))
        .args([&tools, Path::new(browser), page, &pictures])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let seen = serde_json::from_slice(&output.stdout).unwrap();
    Some(Look { seen })
}

impl Look {
    /// What was seen, by its JSON pointer.
    #[track_caller]
    pub fn at(&self, pointer: &str) -> &Value {
        self.seen.pointer(pointer).unwrap_or_else(|| panic!("nothing was seen as {pointer}: {}", self.seen))
    }

    /// Texts that were seen, by their JSON pointer.
    #[track_caller]
    pub fn texts(&self, pointer: &str) -> Vec<&str> {
        self.at(pointer).as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
    }

    /// A page that is quiet, keeps to itself, runs no script but its own and can be used by everyone.
    #[track_caller]
    pub fn is_sound(&self) {
        for silent in ["/console", "/errors", "/dialogs"] {
            assert!(self.texts(silent).is_empty(), "{silent}: {}", self.at(silent));
        }
        let requests = self.texts("/requests");
        assert!(!requests.is_empty());
        assert!(requests.iter().all(|address| *address == requests[0]), "{requests:?}");
        assert!(requests[0].starts_with("file:///"), "{requests:?}");
        for scheme in ["light", "dark"] {
            let violations = self.at(&format!("/violations/{scheme}")).as_array().unwrap();
            let grave: Vec<_> = violations
                .iter()
                .filter(|rule| rule["impact"] != "minor" && rule["impact"] != "moderate")
                .collect();
            assert!(grave.is_empty(), "{scheme}: {grave:#?}");
        }
        assert_eq!(self.at("/elements/scripts"), 1);
        assert_eq!(self.at("/elements/loaded"), 0);
        assert_eq!(self.at("/elements/handlers"), 0);
        assert_eq!(self.at("/overflows"), false, "the page is wider than a phone");
        assert!(self.at("/sizes/paper").as_u64().unwrap() > 10_000, "nothing was printed");
        assert!(self.at("/sizes/light").as_u64().unwrap() > 10_000, "there is nothing to see");
        assert_ne!(self.at("/sizes/light"), self.at("/sizes/dark"), "dark is as light");
    }
}
