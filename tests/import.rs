//! `import`: requirements that people have already, as a draft that can be checked, frozen and reviewed.

use std::fs;

use crate::support::{Workspace, repository};

/// The fixtures, with the format that each is in and the language that its import speaks.
const FILES: [(&str, &str, &str); 10] = [
    ("spec.md", "spec-kit", "en"),
    ("spec.zh.md", "spec-kit", "zh"),
    ("openspec.md", "openspec", "en"),
    ("openspec.zh.md", "openspec", "zh"),
    ("sign-in.feature", "gherkin", "en"),
    ("sign-in.zh.feature", "gherkin", "zh"),
    ("lighthouserc.json", "lighthouse", "en"),
    ("criteria.csv", "table", "zh"),
    ("criteria.md", "table", "en"),
    ("article.json", "article", "en"),
];

/// The sample with all fixtures under `notes/`.
fn workspace() -> Workspace {
    let workspace = Workspace::sample();
    for (file, ..) in FILES {
        let bytes = fs::read(repository().join("tests/fixtures/import").join(file)).unwrap();
        fs::create_dir_all(workspace.root().join("notes")).unwrap();
        fs::write(workspace.root().join("notes").join(file), bytes).unwrap();
    }
    workspace
}

#[test]
fn every_format_becomes_a_draft_with_its_lines() {
    let workspace = workspace();
    for (file, format, lang) in FILES {
        let path = format!("notes/{file}");
        let named = ["import", format, &path, "--feature", "shop", "--stdout", "--lang", lang];
        let outcome = workspace.xtask(&named).run().exits(0);
        let shown = format!("{}\n{}", outcome.stdout, outcome.message());
        insta::assert_snapshot!(format!("import-{}", file.replace('.', "-")), shown);
        let guessed = ["import", "auto", &path, "--feature", "shop", "--stdout", "--lang", lang];
        let guessed = workspace.xtask(&guessed).run().exits(0);
        assert_eq!(guessed.stdout, outcome.stdout, "{file} is taken for another format");
    }
    assert!(!workspace.has("features/shop"), "--stdout writes nothing");
}

/// From a Spec Kit document to a frozen pack that was reviewed: what an author has to do on the way is named.
#[test]
fn a_spec_is_imported_reviewed_and_frozen() {
    let workspace = workspace();
    let import = ["import", "spec-kit", "notes/spec.md", "--feature", "shop", "--lang", "en"];
    let outcome = workspace.xtask(&import).run().exits(0);
    let said = outcome.stdout.clone();
    assert!(said.contains("warning[W_IMPORT_BEYOND_RUN]: SC-002"), "{said}");
    assert!(said.contains("no run can show it: it counts a share of people"), "{said}");
    assert!(said.contains("SC-004: a criterion has no `dimension` [E_FIELD_MISSING]"), "{said}");
    let pack = "features/shop/pack.yaml";
    assert!(
        workspace.read(pack).contains("# notes/spec.md:58: - **SC-001**: Cold start"),
        "{}",
        workspace.read(pack)
    );

    // What the text does not say refuses the freezing until its author says it.
    let refused = workspace.xtask(&["freeze", "shop"]).run().exits(3);
    assert!(refused.stderr.contains("E_FIELD_MISSING"), "{}", refused.stderr);
    let choose =
        "# dimension: choose function, aesthetic, performance or accessibility; the text does not say";
    workspace.replace(pack, choose, "dimension: function");
    workspace.xtask(&["freeze", "shop"]).run().exits(0);
    assert!(workspace.read("deliveries/shop/spec.md").contains(", proposed"), "the proposal is shown as one");
    assert!(
        workspace.read("deliveries/shop/spec.md").contains("90 % of users"),
        "the requirement stays in sight"
    );

    // No agent is paid for what nobody has confirmed.
    workspace.xtask(&["review", "shop"]).run().exits(4);
    let codes = |workspace: &Workspace| {
        let review = workspace.json("deliveries/shop/review.json");
        let findings = review["findings"].as_array().unwrap().clone();
        let code = |finding: &serde_json::Value| finding["code"].as_str().unwrap().to_owned();
        findings.iter().map(code).collect::<Vec<_>>()
    };
    assert!(codes(&workspace).contains(&"E_ASSERTION_PROPOSED".to_owned()));

    // The author confirms, names sources, and leaves two dimensions to another feature.
    workspace.replace(pack, "      proposed: true\n", "      source: hitrace\n");
    workspace.replace(
        pack,
        "\nrequirements:\n",
        "outOfScope:\n  aesthetic: the list has the look of the app\n\nrequirements:\n",
    );
    workspace.xtask(&["freeze", "shop", "--reason", "confirmed"]).run().exits(0);
    workspace.xtask(&["review", "shop"]).run().exits(0);
    let codes = codes(&workspace);
    assert!(codes.iter().all(|code| code.starts_with("W_")), "{codes:?}");
    assert!(codes.contains(&"W_REQUIREMENT_UNCOVERED".to_owned()), "{codes:?}");
}

#[test]
fn nothing_is_written_over_and_the_author_chooses_the_place() {
    let workspace = workspace();
    let taken = ["import", "spec-kit", "notes/spec.md", "--feature", "login-page"];
    workspace.xtask(&taken).run().exits(3).says("E_FEATURE_EXISTS");
    // An empty folder is somebody's as well.
    fs::create_dir_all(workspace.root().join("features/shop")).unwrap();
    let empty = ["import", "spec-kit", "notes/spec.md", "--feature", "shop"];
    workspace.xtask(&empty).run().exits(3).says("E_FEATURE_EXISTS");
    let out = ["import", "spec-kit", "notes/spec.md", "--feature", "shop", "--out", "notes/pack.yaml"];
    workspace.xtask(&out).run().exits(0);
    let pack = workspace.read("notes/pack.yaml");
    workspace.xtask(&out).run().exits(3).says("E_FEATURE_EXISTS");
    assert_eq!(workspace.read("notes/pack.yaml"), pack);
    // The id is that of the file, or of its folder where the file is named for its kind.
    workspace.xtask(&["import", "gherkin", "notes/sign-in.feature"]).run().exits(0);
    assert!(workspace.has("features/sign-in/pack.yaml"));
    workspace.write("specs/007-wish-list/spec.md", &workspace.read("notes/spec.md"));
    let json =
        workspace.xtask(&["import", "auto", "specs/007-wish-list/spec.md", "--json"]).run().exits(0).json();
    assert_eq!((json["feature"].as_str(), json["format"].as_str()), (Some("wish-list"), Some("spec-kit")));
    assert_eq!(json["written"], "features/wish-list/pack.yaml");
    workspace
        .xtask(&["import", "auto", "notes/criteria.md", "--feature", "登录"])
        .run()
        .exits(3)
        .says("E_FEATURE_NAME");
}

#[test]
fn a_dimension_for_all_that_name_none_is_the_authors_word() {
    let workspace = workspace();
    let import = [
        "import",
        "table",
        "notes/criteria.csv",
        "--feature",
        "shop",
        "--dimension",
        "aesthetic",
        "--lang",
        "zh",
    ];
    let said = workspace.xtask(&import).run().exits(0).stdout;
    assert!(!said.contains("冻结之前需要补充"), "{said}");
    assert!(workspace.read("features/shop/pack.yaml").contains("dimension: aesthetic # 由 --dimension 指定"));
    // What is asked of authors alone stands in no one's way any more.
    workspace.xtask(&["freeze", "shop"]).run().exits(0);
}

/// What freezing writes is read back: every criterion, its dimension and weight, and its assertion as a proposal.
#[test]
fn a_frozen_specification_comes_back_in_both_languages() {
    for lang in ["zh", "en"] {
        let workspace = workspace();
        workspace.replace("pipeline.yaml", "lang: en", &format!("lang: {lang}"));
        workspace.xtask(&["freeze", "login-page"]).run().exits(0);
        let spec = "deliveries/login-page/spec.md";
        let added = "\n## Functional Requirements\n\n- **FR-77**: The app MUST say who is signed in.\n";
        workspace.write(spec, &(workspace.read(spec) + added));
        let arguments = ["import", "auto", spec, "--feature", "again", "--json"];
        let json = workspace.xtask(&arguments).run().exits(0).json();
        assert_eq!(json["format"], "goal", "{json:#}");
        workspace.xtask(&["freeze", "again"]).run().exits(0);
        let (before, after) = (
            workspace.json("deliveries/login-page/pack.lock.json"),
            workspace.json("deliveries/again/pack.lock.json"),
        );
        let (before, after) = (&before["pack"], &after["pack"]);
        for field in ["title", "outOfScope"] {
            assert_eq!(before[field], after[field], "{lang}: {field}");
        }
        let before = before["criteria"].as_array().unwrap();
        let after = after["criteria"].as_array().unwrap();
        assert_eq!(after.len(), before.len() + 1);
        assert_eq!(after.last().unwrap()["id"], "FR-77");
        for (old, new) in before.iter().zip(after) {
            for field in ["id", "dimension", "statement", "verify", "weight", "covers"] {
                assert_eq!(old[field], new[field], "{lang}: {field}");
            }
            if new["assertion"].is_null() {
                continue;
            }
            assert_eq!(new["assertion"]["proposed"], true, "{lang}: {new}");
            for field in ["matcher", "expected", "unit", "tolerance", "minSamples", "aggregate", "not"] {
                assert_eq!(
                    old["assertion"][field], new["assertion"][field],
                    "{lang}: {field} of {}",
                    new["id"]
                );
            }
        }
    }
}

#[test]
fn what_cannot_be_read_is_refused_with_a_reason() {
    let workspace = workspace();
    let gbk = [
        0xb1, 0xe0, 0xba, 0xc5, b',', 0xd1, 0xe9, 0xca, 0xd5, 0xb1, 0xea, 0xd7, 0xbc, b'\n', b'1', b',',
        0xb5, 0xc7, 0xc2, 0xbc,
    ];
    fs::write(workspace.root().join("notes/gbk.csv"), gbk).unwrap();
    let run = |file: &str, format: &str, lang: &str| {
        let path = format!("notes/{file}");
        let arguments = ["import", format, &path, "--feature", "shop", "--lang", lang];
        workspace.xtask(&arguments).run().exits(3).message()
    };
    let said = run("gbk.csv", "table", "en");
    assert!(
        said.contains("E_ENCODING") && said.contains("it looks like GBK") && said.contains("notes/gbk.csv"),
        "{said}"
    );
    assert!(run("gbk.csv", "table", "zh").contains("CSV UTF-8"));
    workspace.write("notes/fr.feature", "# language: fr\nFonctionnalité: a\n");
    assert!(run("fr.feature", "gherkin", "en").contains("the keywords of language `fr` are not known here"));
    workspace.write("notes/empty.md", "");
    for format in ["spec-kit", "openspec", "gherkin", "goal", "table"] {
        assert!(run("empty.md", format, "en").contains("E_IMPORT_NOTHING"), "{format}");
        assert!(run("empty.md", format, "zh").contains("格式的需求"), "{format}");
    }
    assert!(run("empty.md", "auto", "en").contains("shows none of the formats"));
    assert!(run("absent.md", "table", "en").contains("there is no file notes/absent.md"));
    workspace.write("notes/broken.json", "{ \"ci\": ");
    assert!(run("broken.json", "lighthouse", "en").contains("E_SYNTAX"));
    workspace.write("notes/wrong.json", "[{ \"id\": \"P-01\", \"statment\": \"a\" }]");
    let said = run("wrong.json", "article", "en");
    assert!(said.contains("E_FIELD_UNKNOWN") && said.contains("statment"), "{said}");
    assert!(!workspace.has("features/shop"));
}

/// The same requirement in the shapes that tools and teams give it.
#[test]
fn other_shapes_of_the_same_formats() {
    let workspace = workspace();
    let limit = |file: &str, format: &str, text: &str| {
        let path = format!("notes/{file}");
        workspace.write(&path, text);
        let arguments = ["import", format, &path, "--feature", "shop", "--stdout", "--json", "--lang", "en"];
        let json = workspace.xtask(&arguments).run().exits(0).json();
        assert_eq!(json["criteria"], 1, "{file}: {json:#}");
        json["pack"].as_str().unwrap().to_owned()
    };
    for (file, text) in [
        ("a.csv", "编号;验收标准;阈值\n1;启动;≤ 800 ms\n"),
        ("b.csv", "编号\t验收标准\t阈值（ms）\n1\t启动\t＜＝８００\n"),
        ("c.csv", "Sign-in\n\nID,Acceptance Criterion,Target,Unit\n1,starts,<= 800,ms\n"),
        (
            "d.md",
            "| # | **Acceptance criteria** | Limit (ms) |\n|:-:|---|--:|\n| 1 | starts | at most 800 |\n",
        ),
        ("e.md", "- [ ] AC-1: The app starts within 800 ms\n"),
        ("f.md", "* **NFR-PERF-1** 启动不超过 800 毫秒\n"),
    ] {
        let format = if file.ends_with("csv") || file.starts_with('d') { "table" } else { "spec-kit" };
        let pack = limit(file, format, text);
        let words = ["matcher: lte", "expected: 800", "unit: ms", "proposed: true"];
        assert!(words.iter().all(|word| pack.contains(word)), "{file}: {pack}");
    }
    let yaml = "ci:\n  assert:\n    assertMatrix:\n      - matchingUrlPattern: .*/login\n        assertions:\n          \
                speed-index: [warn, { maxNumericValue: 3400, aggregationMethod: pessimistic }]\n";
    let pack = limit("rc.yml", "lighthouse", yaml);
    for word in
        ["speed-index on .*/login is at most 3400", "weight: should", "aggregate: max", "expected: 3400"]
    {
        assert!(pack.contains(word), "{word}: {pack}");
    }
    assert!(!pack.contains("proposed: true"), "a stated assertion is no proposal: {pack}");
}
