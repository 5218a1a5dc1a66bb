//! Reports for machines, held against the schemas and readers of those who read them.

use std::path::PathBuf;

use serde_json::Value;

use crate::support::{Formats, Workspace};

/// Every format, with how the names of its files end.
const FORMATS: [(&str, &str); 7] = [
    ("junit", "junit.xml"),
    ("sarif", "sarif"),
    ("ctrf", "ctrf.json"),
    ("github", "github.txt"),
    ("github-summary", "github.md"),
    ("gitlab", "gitlab.json"),
    ("tap", "tap"),
];

fn delivered(lang: &str) -> Workspace {
    let workspace = Workspace::sample();
    let words = FORMATS.map(|(word, _)| word).join(", ");
    workspace.replace("pipeline.yaml", "stages:\n", &format!("reports: [{words}]\n\nstages:\n"));
    workspace.replace("pipeline.yaml", "lang: en", &format!("lang: {lang}"));
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    workspace
}

/// What every reader makes of the reports of a round: they are valid, and fail exactly if the delivery does.
#[track_caller]
fn hold(workspace: &Workspace, formats: &Formats, round: u32, code: i32) {
    let fails = code == 1;
    let file = |extension: &str| -> PathBuf { workspace.root().join(format!("out/{round}.{extension}")) };
    let rounds = round.to_string();
    for (word, extension) in FORMATS {
        let output = file(extension);
        let output = output.to_str().unwrap();
        let call = ["report", "login-page", "--round", &rounds, "--format", word, "--output", output];
        workspace.xtask(&call).run().exits(code);
    }
    let text = |extension: &str| workspace.read(&format!("out/{round}.{extension}"));
    let json = |extension: &str| workspace.json(&format!("out/{round}.{extension}"));

    formats.accepts_junit(&file("junit.xml"));
    let junit = text("junit.xml");
    let suites = junit.lines().nth(1).unwrap();
    assert_eq!(!suites.contains("failures=\"0\" errors=\"0\""), fails, "{suites}");

    formats.accepts_json(Formats::SARIF, &file("sarif"));
    let sarif = json("sarif");
    assert_eq!(sarif["runs"][0]["properties"]["verdict"], if fails { "fail" } else { "pass" });

    formats.accepts_json(Formats::CTRF, &file("ctrf.json"));
    let summary = json("ctrf.json")["results"]["summary"].clone();
    assert_eq!(summary["failed"] != 0, fails, "{summary}");

    let tap = formats.reads_tap(&text("tap"));
    assert_eq!(tap["ok"], !fails, "{tap}");
    assert_eq!(tap["count"], 13);

    let github = text("github.txt");
    assert_eq!(github.lines().any(|line| line.starts_with("::error ")), fails, "{github}");
    for line in github.lines() {
        assert!(
            line.starts_with("::error ") || line.starts_with("::warning ") || line.starts_with("::notice ")
        );
        assert!(line.chars().count() < 4096, "{line}");
    }
    for kind in ["::error ", "::warning "] {
        assert!(github.lines().filter(|line| line.starts_with(kind)).count() <= 10);
    }
    assert!(text("github.md").len() < 1 << 20);

    let issues = json("gitlab.json");
    let issues = issues.as_array().unwrap();
    assert_eq!(issues.iter().any(|issue| issue["severity"] == "blocker"), fails);
    let mut prints: Vec<&str> = issues.iter().map(|issue| issue["fingerprint"].as_str().unwrap()).collect();
    prints.sort_unstable();
    prints.dedup();
    assert_eq!(prints.len(), issues.len());
}

#[test]
fn every_format_is_what_its_readers_expect() {
    let Some(formats) = Formats::installed() else { return };
    for lang in ["en", "zh"] {
        let workspace = delivered(lang);
        hold(&workspace, &formats, 1, 1);
        hold(&workspace, &formats, 2, 0);
    }
}

#[test]
fn the_pipeline_writes_those_that_it_names_and_no_other() {
    let workspace = delivered("en");
    for (word, extension) in FORMATS {
        for (round, code) in [("1", 1), ("2", 0)] {
            let call = ["report", "login-page", "--round", round, "--format", word];
            let printed = workspace.xtask(&call).run().exits(code).stdout;
            assert_eq!(printed, workspace.read(&format!("deliveries/login-page/audit-{round}.{extension}")));
        }
    }
    let before = workspace.tree("deliveries");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    assert!(before == workspace.tree("deliveries"));
    let words = FORMATS.map(|(word, _)| word).join(", ");
    workspace.replace("pipeline.yaml", &format!("reports: [{words}]"), "reports: [tap]");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    assert!(workspace.has("deliveries/login-page/audit-2.tap"));
    assert!(!workspace.has("deliveries/login-page/audit-2.sarif"));
    workspace.xtask(&["verify", "login-page"]).run().exits(0);
}

#[test]
fn a_format_that_nobody_knows_is_named_with_those_that_are_there() {
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", "stages:\n", "reports: [junit, xunit, 3]\n\nstages:\n");
    let outcome = workspace.xtask(&["status"]).run().exits(3);
    insta::assert_snapshot!(outcome.message());
    workspace.replace("pipeline.yaml", "reports: [junit, xunit, 3]", "reports: []");
    workspace.xtask(&["report", "login-page", "--format", "xunit"]).run().exits(2);
    workspace.xtask(&["report", "login-page", "--output", "x"]).run().exits(2);
    workspace.xtask(&["report", "login-page", "--format", "tap"]).run().exits(3).says("E_NOT_FROZEN");
}

#[test]
fn a_failed_round_in_every_format() {
    let workspace = delivered("en");
    for (word, extension) in FORMATS {
        insta::assert_snapshot!(word, workspace.read(&format!("deliveries/login-page/audit-1.{extension}")));
    }
}

#[test]
fn a_failed_round_in_chinese() {
    let workspace = delivered("zh");
    insta::assert_snapshot!("github_zh", workspace.read("deliveries/login-page/audit-1.github.txt"));
    insta::assert_snapshot!("github_summary_zh", workspace.read("deliveries/login-page/audit-1.github.md"));
}

/// Text that breaks what reads it carelessly.
fn naughty() -> Vec<String> {
    let mut texts: Vec<String> = [
        "]]>",
        "<![CDATA[x]]>",
        "<!-- -->",
        "</testcase>",
        "\" onload=\"x",
        "&amp;&#0;&lol;",
        "a|b|c\n|d|",
        "`` ` ```",
        "::error::x",
        "%0A::warning::y",
        "ok 99 - z # TODO",
        "1..0 # SKIP",
        "# TODO \\# \\",
        "  ---\n  ...\n",
        "Bail out!",
        "{{ x }}{% y %}${{ z }}",
        "\0\u{1}\u{7f}\u{85}\u{9f}",
        "\u{202E}txt.exe\u{2066}",
        "\u{FEFF}\u{FFFE}\u{FFFF}\u{200B}",
        "\u{2028}\u{2029}\r\n\r",
        "👩‍👩‍👧‍👦🏳️‍🌈 Ω≈ç 社會科學院 ثم نفس",
        "\u{0300}\u{0301}Z\u{0335}",
        "'; DROP TABLE x; --",
        "$(rm -rf /) `id`",
        "../../etc/passwd",
        "null",
        "NaN",
        "-1e999",
        "",
        " ",
        "\t",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.push("语".repeat(40_000));
    texts.push("w".repeat(100_000));
    texts
}

/// Puts the next of the texts wherever free text stands, within what is there.
fn spoil(value: &mut Value, texts: &[String], next: &mut usize) {
    const FREE: [&str; 14] = [
        "title",
        "statement",
        "verify",
        "message",
        "help",
        "evidence",
        "reason",
        "owner",
        "auditor",
        "ruleId",
        "file",
        "actual",
        "note",
        "pointer",
    ];
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| spoil(item, texts, next)),
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::String(text) if FREE.contains(&name.as_str()) => {
                        *text = format!("{text}{}", texts[*next % texts.len()]);
                        *next += 1;
                    }
                    other => spoil(other, texts, next),
                }
            }
        }
        _ => {}
    }
}

#[test]
fn hostile_text_breaks_no_format() {
    let Some(formats) = Formats::installed() else { return };
    let workspace = delivered("en");
    let path = "deliveries/login-page/audit-1.json";
    let sound = workspace.json(path);
    let texts = naughty();
    for first in 0..4 {
        let mut audit = sound.clone();
        spoil(&mut audit, &texts, &mut (first * 9));
        workspace.write(path, &audit.to_string());
        hold(&workspace, &formats, 1, 1);
    }
}

/// Whoever verifies renders them again; one that was edited is seen, and one that is there or not is no matter.
#[test]
fn edited_reports_for_machines_are_seen_by_verifying() {
    let workspace = delivered("en");
    workspace.xtask(&["verify", "login-page"]).run().exits(0);
    for (_, extension) in FORMATS {
        let path = format!("deliveries/login-page/audit-1.{extension}");
        let text = workspace.read(&path);
        workspace.write(&path, &text.replacen("P-01", "P-09", 1));
        workspace.xtask(&["verify", "login-page"]).run().exits(6).prints(&path);
        workspace.write(&path, &text);
    }
    workspace.xtask(&["verify", "login-page"]).run().exits(0);
}
