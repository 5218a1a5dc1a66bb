//! Evidence: gathered by the pipeline, kept where it belongs, and looked at before any value is read out of it.

use crate::support::{Workspace, png, repository};

/// The sample with one more collector.
fn with_collector(definition: &str) -> Workspace {
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", "  startup:\n", &format!("{definition}  startup:\n"));
    workspace
}

/// The collector of the layout, as the pipeline has it.
const LAYOUT: &str = "    output: layout.json\n    source: layout bounds\n";

fn entry(workspace: &Workspace, round: u32, collector: &str) -> serde_json::Value {
    let evidence = workspace.json(&format!("deliveries/login-page/round-{round}/evidence.json"));
    let found =
        evidence["collected"].as_array().unwrap().iter().find(|entry| entry["collector"] == collector);
    found.unwrap().clone()
}

#[test]
fn a_program_runs_in_a_clean_checkout_of_the_delivered_commit() {
    let workspace = with_collector(
        "  checkout:\n    run: [git, -C, \"{checkout}\", log, -1, --format=%H]\n    stdout: true\n    output: head.txt\n    source: display service\n",
    );
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    for round in [1, 2] {
        let head =
            workspace.json(&format!("deliveries/login-page/round-{round}/dispatch.json"))["head"].clone();
        let said = workspace.read(&format!("deliveries/login-page/round-{round}/evidence/head.txt"));
        assert_eq!(head, said.trim());
        assert_eq!(entry(&workspace, round, "checkout")["exitCode"], 0);
    }
    assert!(!workspace.has(".xtask/checkouts/login-page"), "the checkout is left behind");
}

#[test]
fn steps_run_one_after_the_other_and_the_device_is_filled_in() {
    let line = "import sys; open(sys.argv[1], 'a').write(sys.argv[2] + chr(10))";
    let workspace = with_collector(&format!(
        "  steps:\n    steps:\n      - [python3, -c, \"{line}\", \"{{output}}\", first]\n      - [python3, -c, \"{line}\", \"{{output}}\", \"{{device}}\"]\n    output: steps.txt\n    source: display service\n    constant: true\n"
    ));
    workspace.xtask(&["deliver", "login-page"]).run().exits(7).says("E_COLLECTOR_MISSING").says("device");
    workspace.replace(
        "pipeline.yaml",
        "collectors:\n",
        "device:\n  target: 127.0.0.1:5555\n  env: HDC_TARGET\ncollectors:\n",
    );
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let path = "deliveries/login-page/round-1/evidence/steps.txt";
    assert_eq!(workspace.read(path), "first\n127.0.0.1:5555\n");
    workspace.xtask(&["evidence", "login-page", "--round", "1"]).env("HDC_TARGET", "USB-1").run().exits(0);
    assert_eq!(workspace.read(path), "first\nUSB-1\n");
}

#[test]
fn a_collector_is_tried_again_as_often_as_it_says() {
    let line = "import os, sys; p = sys.argv[2]; n = int(open(p).read()) if os.path.exists(p) else 0; open(p, 'w').write(str(n + 1)); sys.exit(0 if n == 2 and not open(sys.argv[1], 'w').write('ok') == 0 else 1)";
    for (retries, code) in [(1, 7), (2, 0)] {
        let workspace = with_collector(&format!(
            "  flaky:\n    run: [python3, -c, \"{line}\", \"{{output}}\", \"{{root}}/tries\"]\n    retries: {retries}\n    output: flaky.txt\n    source: display service\n    constant: true\n"
        ));
        workspace.replace("pipeline.yaml", "  max: 3", "  max: 1");
        workspace.remove("features/login-page/recorded/round-2.patch");
        let expected = if code == 0 { 1 } else { 7 };
        workspace.xtask(&["deliver", "login-page"]).run().exits(expected);
        assert_eq!(workspace.read("tries"), (retries + 1).to_string());
    }
}

/// What the agent delivers cannot become independent by being copied.
#[test]
fn a_file_that_the_delivered_commit_tracks_is_auxiliary() {
    let line = "import shutil, sys; shutil.copy('entry/oh-package.json5', sys.argv[1])";
    let workspace = with_collector(&format!(
        "  tracked:\n    run: [python3, -c, \"{line}\", \"{{output}}\"]\n    output: tracked.txt\n    source: display service\n    constant: true\n"
    ));
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    assert_eq!(entry(&workspace, 1, "tracked")["sourceKind"], "auxiliary");
    assert_eq!(entry(&workspace, 1, "display")["sourceKind"], "independent");
}

/// Nor by being written otherwise than it was committed, as attributes of the agent would have it.
#[test]
fn a_checkout_holds_the_bytes_that_were_committed() {
    let script = "\
open('report.txt', 'w').write('$Id$\\n48 vp\\n')
open('.gitattributes', 'w').write('report.txt text eol=crlf ident\\n')
";
    let workspace = Workspace::with_script(script, "");
    workspace.replace(
        "pipeline.yaml",
        "  startup:\n",
        "  said:\n    run: [cp, \"{checkout}/report.txt\", \"{output}\"]\n    output: said.txt\n    source: display service\n    constant: true\n  startup:\n",
    );
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    let said = entry(&workspace, 1, "said");
    assert_eq!((&said["sourceKind"], &said["file"]["bytes"]), (&"auxiliary".into(), &11.into()));
}

#[test]
fn large_files_go_to_the_external_store_and_are_kept_once() {
    let workspace = Workspace::sample();
    workspace.replace(
        "pipeline.yaml",
        "collectors:\n",
        "store:\n  external: .evidence\n  above: 4KiB\ncollectors:\n",
    );
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let layout = entry(&workspace, 1, "layout")["file"].clone();
    assert_eq!(layout["external"], true);
    assert!(!workspace.has("deliveries/login-page/round-1/evidence/layout.json"));
    assert!(workspace.has("deliveries/login-page/round-1/evidence/display.txt"));
    let digest = layout["sha256"].as_str().unwrap();
    let kept = format!(".evidence/sha256/{}/{}", &digest[..2], &digest[2..]);
    assert!(workspace.has(&kept));

    // Elsewhere is not changed, and not missing: it cannot be told.
    let text = workspace.read(&kept);
    workspace.remove(&kept);
    workspace.xtask(&["audit", "login-page", "--round", "1"]).run().exits(8).says("E_EVIDENCE_UNAVAILABLE");
    workspace.write(&kept, &text.replace("1260", "1261"));
    workspace.xtask(&["audit", "login-page", "--round", "1"]).run().exits(1);
    assert!(workspace.read("deliveries/login-page/audit-1.md").contains("E_EVIDENCE_CHANGED"));
}

/// One recorded file is replaced by bytes that are no evidence.
#[test]
fn what_shows_nothing_is_not_read() {
    for (output, bytes, code) in [
        ("extra.json", &b""[..], "E_EVIDENCE_BLANK"),
        ("extra.txt", b"", "E_EVIDENCE_BLANK"),
        ("extra.json", b"{\"attributes\": ", "E_EVIDENCE_UNDECODABLE"),
        ("extra.xml", b"<a>", "E_EVIDENCE_UNDECODABLE"),
        ("extra.png", b"GIF89a", "E_EVIDENCE_UNDECODABLE"),
        ("extra.png", &png(4, 4, |_, _| [9, 9, 9]), "E_EVIDENCE_FLAT"),
        ("extra.png", &png(4, 4, |x, y| [x as u8, y as u8, 0]), "E_EVIDENCE_SIZE"),
    ] {
        let workspace = with_collector(&format!(
            "  extra:\n    copy: features/login-page/recorded/{output}\n    output: {output}\n    source: display service\n    screen: login\n    constant: true\n"
        ));
        workspace.replace("pipeline.yaml", LAYOUT, &format!("{LAYOUT}    screen: login\n"));
        std::fs::write(workspace.root().join("features/login-page/recorded").join(output), bytes).unwrap();
        workspace.xtask(&["deliver", "login-page", "--quiet"]).run().exits(7).says(code).says(output);
        assert!(workspace.read("deliveries/login-page/audit-1.md").contains(code));
        workspace.xtask(&["verify", "login-page"]).run().exits(0);
    }
}

#[test]
fn a_picture_of_the_size_of_its_layout_is_fine() {
    let workspace = with_collector(
        "  shot:\n    copy: features/login-page/recorded/shot.png\n    output: shot.png\n    source: display service\n    screen: login\n    constant: true\n",
    );
    workspace.replace("pipeline.yaml", LAYOUT, &format!("{LAYOUT}    screen: login\n"));
    let shot = png(1260, 2720, |x, y| [(x % 251) as u8, (y % 241) as u8, 7]);
    std::fs::write(workspace.root().join("features/login-page/recorded/shot.png"), shot).unwrap();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
}

#[test]
fn two_screens_are_not_one_picture() {
    let collector = |name: &str| {
        format!(
            "  {name}:\n    copy: features/login-page/recorded/shot.png\n    output: {name}.png\n    source: display service\n    screen: {name}\n    constant: true\n"
        )
    };
    let workspace = with_collector(&(collector("home") + &collector("settings")));
    let shot = png(8, 8, |x, y| [x as u8, y as u8, 7]);
    std::fs::write(workspace.root().join("features/login-page/recorded/shot.png"), shot).unwrap();
    workspace.xtask(&["deliver", "login-page"]).run().exits(7).says("E_EVIDENCE_TWIN");
    // Of one screen they may be.
    workspace.replace("pipeline.yaml", "    screen: settings\n", "    screen: home\n");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
}

/// The ready block of device commands is a pipeline, and asks for nothing that is not there.
#[test]
fn the_device_pipeline_is_one() {
    let workspace = Workspace::sample();
    let device = std::fs::read_to_string(repository().join("examples/device.pipeline.yaml")).unwrap();
    workspace.write("pipeline.yaml", &device);
    workspace.xtask(&["status"]).run().exits(0).prints("login-page");
}

#[test]
fn a_default_rule_fills_what_is_not_written_and_is_not_undercut() {
    let workspace = Workspace::sample();
    let pack = "features/login-page/pack.yaml";
    workspace.replace(
        pack,
        "assertion: { matcher: gte, expected: 40, unit: vp, source: layout bounds }",
        "assertion: { source: layout bounds }",
    );
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let lock = workspace.json("deliveries/login-page/pack.lock.json");
    let criteria = lock["pack"]["criteria"].as_array().unwrap();
    let touch = criteria.iter().find(|criterion| criterion["id"] == "A-01").unwrap();
    assert_eq!(touch["assertion"]["matcher"], "gte");
    assert_eq!(touch["assertion"]["expected"], 40);
    assert_eq!(touch["assertion"]["unit"], "vp");

    let workspace = Workspace::sample();
    workspace.replace(pack, "expected: 40, unit: vp", "expected: 30, unit: vp");
    workspace.replace(pack, "at least 40vp", "at least 30vp");
    workspace.xtask(&["check", "login-page"]).run().exits(0).prints("W_RULE_WEAKER").prints("A-01");
}

/// A collector runs what was delivered, which may not say how it is judged.
#[test]
fn what_a_collector_changes_is_put_back_and_nothing_is_gathered() {
    for (planted, text) in [
        ("features/login-page/waivers.yaml", "- criterionId: A-04\n"),
        ("deliveries/login-page/round-1/checks.yaml", "checks: []\n"),
        ("features/login-page/pack.yaml", "feature: login-page\n"),
    ] {
        let line = "import sys; open(sys.argv[2], 'w').write(sys.argv[3]); open(sys.argv[1], 'w').write('1')";
        let workspace = with_collector(&format!(
            "  build:\n    run: [python3, -c, \"{line}\", \"{{output}}\", \"{{root}}/{planted}\", {}]\n    output: built.txt\n    source: display service\n",
            serde_json::Value::from(text)
        ));
        let before = workspace.has(planted).then(|| workspace.read(planted));
        let outcome = workspace.xtask(&["deliver", "login-page"]).run().exits(6);
        outcome.says("E_PROTECTED_CHANGED").says(planted).says("collector build");
        assert_eq!(workspace.has(planted).then(|| workspace.read(planted)), before);
        assert_eq!(workspace.read(&format!(".xtask/put-back/login-page/{planted}")), text);
        assert!(!workspace.has("deliveries/login-page/round-1/evidence.json"));
        assert!(!workspace.has("deliveries/login-page/audit-1.json"));
    }
}
