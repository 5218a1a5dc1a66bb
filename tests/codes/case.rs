//! Runs one case of a fixture with the real binary, and answers every code that was reported anywhere.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::sync::OnceLock;

use serde_json::Value;

use super::fixture::{Case, Edit};
use crate::support::{Workspace, copy_folder, png, repository};

/// Where a delivery leaves its findings, with the field that holds them. Standard output has those of a refusal.
const ARTIFACTS: [(&str, &str); 2] =
    [("deliveries/login-page/review.json", "findings"), ("deliveries/login-page/audit-1.json", "problems")];

/// What a command came to.
pub struct Seen {
    pub exit: Option<i32>,
    /// Sorted, each once.
    pub codes: Vec<String>,
    /// For a failing test.
    pub said: String,
}

/// Edits the sample, and runs the command.
pub fn run(case: &Case) -> Result<Seen, String> {
    let workspace = sample();
    // Locks that are held end with the case.
    let held: Vec<File> = case.edits.iter().filter_map(|edit| apply(edit, &workspace)).collect();
    let output = execute(&workspace, &case.run, &case.env);
    drop(held);
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let printed: Value =
        serde_json::from_str(&stdout).map_err(|error| format!("no JSON, {error}: {stdout:?}"))?;
    let mut codes = codes_in(&printed["problems"]);
    for (file, field) in ARTIFACTS {
        if workspace.has(file) {
            codes.extend(codes_in(&workspace.json(file)[field]));
        }
    }
    codes.sort();
    codes.dedup();
    let said: String = stdout.chars().take(700).collect();
    Ok(Seen { exit: output.status.code(), codes, said })
}

/// The sample with its second recording in its only round, which is accepted without any finding. One criterion more
/// is measured by hand.
fn sample() -> Workspace {
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", "/round-{round}/", "/round-2/");
    workspace.replace("pipeline.yaml", "  max: 3", "  max: 1");
    let (pack, checks) =
        ("features/login-page/pack.yaml", "features/login-page/recorded/round-2/checks.lin.yaml");
    workspace.write(pack, &(workspace.read(pack) + BY_HAND));
    workspace.write(checks, &(workspace.read(checks) + BY_HAND_CHECKED));
    workspace
}

/// No probe reads it, so that the value in the auditor's check decides.
pub const BY_HAND: &str = "
  - id: P-03
    dimension: function
    statement: 点“登录”后 800ms 内出现提示。
    verify: 用高速摄影数出从手指抬起到提示出现的时间。
    weight: must
    covers: [R-2]
    assertion: { matcher: lte, expected: 800, unit: ms, source: hitrace }
";

/// What the auditor found.
const BY_HAND_CHECKED: &str = "
  - criterionId: P-03
    result: pass
    evidence: 三次分别为 700/720/760ms，取中间一次。
    actual: 720ms
";

/// The stages before the audit run once for all cases that only differ in what the audit reads.
fn gathered(workspace: &Workspace) {
    static FILES: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    let files = FILES.get_or_init(|| {
        let workspace = sample();
        for stage in ["freeze", "review", "brief", "dispatch", "evidence"] {
            let output = execute(&workspace, &format!("{stage} login-page"), &BTreeMap::new());
            assert!(output.status.success(), "{stage}: {}", String::from_utf8_lossy(&output.stdout));
        }
        workspace.tree("deliveries")
    });
    for (file, bytes) in files {
        let path = workspace.root().join("deliveries").join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

fn execute(workspace: &Workspace, command: &str, env: &BTreeMap<String, String>) -> std::process::Output {
    let arguments: Vec<&str> = command.split_whitespace().chain(["--json", "--quiet"]).collect();
    workspace.xtask(&arguments).command().envs(env).output().unwrap()
}

fn codes_in(problems: &Value) -> Vec<String> {
    let all = problems.as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().filter_map(|problem| Some(problem["code"].as_str()?.to_owned())).collect()
}

/// Makes one edit; a lock that it takes is answered.
pub fn apply(edit: &Edit, workspace: &Workspace) -> Option<File> {
    match edit {
        Edit::Write { file, text } => workspace.write(file, text),
        Edit::WritePrivate { file, text } => {
            workspace.write(file, text);
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let owner = fs::Permissions::from_mode(0o600);
                fs::set_permissions(workspace.root().join(file), owner).unwrap();
            }
        }
        Edit::Replace { file, from, to } => workspace.replace(file, from, to),
        Edit::Append { file, text, times } => {
            let added = (1..=*times).map(|n| text.replace("{n}", &n.to_string()));
            workspace.write(file, &added.fold(workspace.read(file), |all, one| all + &one));
        }
        Edit::Copy { from, to } => copy(workspace, from, to),
        Edit::Remove(path) => workspace.remove(path),
        Edit::Picture { file, width, height, flat } => {
            let picture = png(*width, *height, |x, y| if *flat { [9, 9, 9] } else { [x as u8, y as u8, 9] });
            fs::write(workspace.root().join(file), picture).unwrap();
        }
        Edit::Utf16(file) => {
            let units = workspace.read(file);
            let bytes: Vec<u8> =
                "\u{feff}".encode_utf16().chain(units.encode_utf16()).flat_map(u16::to_le_bytes).collect();
            fs::write(workspace.root().join(file), bytes).unwrap();
        }
        Edit::Git { folder, arguments } => {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            workspace.git(folder, &arguments);
        }
        Edit::Run(command) => drop(execute(workspace, command, &BTreeMap::new())),
        Edit::Swap { one, other } => {
            let root = workspace.root();
            fs::rename(root.join(one), root.join("swapped")).unwrap();
            fs::rename(root.join(other), root.join(one)).unwrap();
            fs::rename(root.join("swapped"), root.join(other)).unwrap();
        }
        Edit::Rehash { file, within } => rehash(workspace, file, within),
        Edit::Repack(folder) => repack(workspace, folder),
        Edit::Gathered => gathered(workspace),
        Edit::Hold(feature) => return Some(hold(workspace, feature)),
    }
    None
}

fn copy(workspace: &Workspace, from: &str, to: &str) {
    let source = workspace.root().join(from);
    if source.is_dir() {
        copy_folder(&source, &workspace.root().join(to));
    } else {
        workspace.write(to, &workspace.read(from));
    }
}

/// Digests stand whole in artifacts, and by their first digits in Markdown.
fn redigest(workspace: &Workspace, file: &str, from: &str, to: &str) {
    let text = workspace.read(file).replace(from, to);
    workspace.write(file, &text.replace(&from[..12], &to[..12]));
}

fn rehash(workspace: &Workspace, file: &str, within: &[String]) {
    let golden = repository().join("tests/snapshots").join(file.strip_prefix("deliveries/").unwrap());
    let digest = |path: &Path| gate::canonical::sha256_hex(&fs::read(path).unwrap());
    let (from, to) = (digest(&golden), digest(&workspace.root().join(file)));
    for other in within {
        redigest(workspace, other, &from, &to);
    }
}

fn repack(workspace: &Workspace, folder: &str) {
    let lock = workspace.json(&format!("{folder}/pack.lock.json"));
    let from = lock["packSha256"].as_str().unwrap();
    let to = gate::canonical::digest(&lock["pack"]).unwrap();
    for (file, _) in workspace.tree(folder) {
        redigest(workspace, &format!("{folder}/{file}"), from, &to);
    }
}

fn hold(workspace: &Workspace, feature: &str) -> File {
    let path = format!(".xtask/locks/{feature}.lock");
    workspace.write(&path, "1 deliver");
    let file = File::open(workspace.root().join(path)).unwrap();
    file.lock().unwrap();
    file
}
