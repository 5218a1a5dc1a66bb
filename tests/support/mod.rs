//! What the tests stand on: a workspace in a folder of its own, and the command line as a builder.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot set up has failed"
)]

mod agent;
mod browser;
mod formats;
#[cfg(unix)]
mod hosts;
mod mcp;
mod model;
mod workspace;
mod xtask;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

pub use agent::{LATER, NEAREST, opencode};
pub use browser::{Look, look};
pub use formats::Formats;
#[cfg(unix)]
pub use hosts::{Dsh, Inspector};
pub use mcp::{Client, gate_mcp};
pub use model::{Model, Turn};
pub use workspace::Workspace;
pub use xtask::{Outcome, Xtask};

/// The root of this repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The variable that makes a test that cannot run fail.
const REQUIRED: &str = "REQUIRE_TOOLS";

/// Says loudly that something cannot be tested here, and fails where it has to be.
pub fn not_tested(missing: &str) {
    assert!(std::env::var_os(REQUIRED).is_none(), "{missing}");
    // Past the test's own captured output.
    std::io::stderr().write_all(format!("NOT TESTED: {missing}\n").as_bytes()).unwrap();
}

/// A folder of material that stands beside this repository, where it is at hand. Its absence is said loudly.
pub fn shared(name: &str) -> Option<PathBuf> {
    let folder = repository().parent().unwrap().join("shared").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("NOT TESTED: there is no {} beside this repository", folder.display());
    None
}

/// Whether a process works.
#[cfg(unix)]
pub fn is_running(pid: i32) -> bool {
    // A zombie that nobody has reaped yet does nothing any more.
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status.lines().any(|line| line.starts_with("State:") && !line.contains('Z'))
}

/// Every file below a folder with its bytes, by path with forward slashes, sorted.
pub fn tree(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(&inner).expect("the folder can be listed") {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
                found.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// Copies a folder with all that is in it.
pub fn copy_folder(from: &Path, to: &Path) {
    for (name, bytes) in tree(from) {
        let target = to.join(name);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(target, bytes).unwrap();
    }
}

/// A Markdown text without its fenced blocks.
pub fn unfenced(markdown: &str) -> String {
    let mut fence = None;
    let mut kept = String::new();
    for line in markdown.lines() {
        let ticks = line.chars().take_while(|character| *character == '`').count();
        match fence {
            None if ticks >= 3 => fence = Some(ticks),
            Some(opened) if ticks >= opened && line.trim_end().len() == ticks => fence = None,
            None => {
                kept.push_str(line);
                kept.push('\n');
            }
            Some(_) => {}
        }
    }
    kept
}

/// A PNG picture of these pixels.
pub fn png(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
    let pixels: Vec<u8> =
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| pixel(x, y)).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    file
}
