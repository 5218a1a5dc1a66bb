//! What is asked at a prompt: `judge`, `probe`, `conformance`. None of them needs a workspace.

use crate::support::{Workspace, repository, shared};

/// A workspace without a pipeline: any folder will do.
fn anywhere() -> Workspace {
    let workspace = Workspace::sample();
    workspace.remove("pipeline.yaml");
    workspace
}

const LIMIT: [&str; 7] = ["judge", "--matcher", "lte", "--expected", "800", "--unit", "ms"];

#[test]
fn judge_answers_as_the_law_says() {
    let workspace = anywhere();
    for (actual, code, verdict) in [
        (Some("1.2s"), 1, "fail"),
        (Some("P95 of 3 runs: 720ms"), 1, "invalid"),
        (Some("７２０毫秒"), 0, "pass"),
        (Some("N/A"), 1, "missing"),
        (Some("-1"), 1, "missing"),
        (None, 1, "missing"),
    ] {
        let mut arguments = LIMIT.to_vec();
        arguments.extend(actual.map(|text| ["--actual", text]).into_iter().flatten());
        workspace.xtask(&arguments).run().exits(code).prints(&format!("verdict: {verdict}"));
        arguments.push("--json");
        let json = workspace.xtask(&arguments).run().exits(code).json();
        assert_eq!(json["assertionVerdict"], verdict);
        assert!(!json["steps"].as_array().unwrap().is_empty());
    }
}

#[test]
fn judge_explains_in_both_languages() {
    let workspace = anywhere();
    let mut arguments = LIMIT.to_vec();
    arguments.extend(["--actual", "1.2s"]);
    insta::assert_snapshot!(workspace.xtask(&arguments).run().exits(1).stdout, @r"
    assertion: ≤ 800 ms
    actual: 1.2s
      read `1.2s` as 1200 ms
      compared with ≤ 800 ms
      the assertion does not hold
    verdict: fail
    ");
    arguments.extend(["--lang", "zh"]);
    insta::assert_snapshot!(workspace.xtask(&arguments).run().exits(1).stdout, @r"
    断言: ≤ 800 ms
    实测: 1.2s
      将 `1.2s` 读作 1200 ms
      与 ≤ 800 ms 比较
      断言不成立
    判定: 不通过
    ");
}

#[test]
fn pixels_need_a_density() {
    let workspace = anywhere();
    let spacing = ["judge", "--matcher", "eq", "--expected", "12", "--unit", "vp", "--actual", "42px"];
    workspace.xtask(&spacing).run().exits(1).prints("verdict: invalid");
    let with_density: Vec<&str> = spacing.iter().copied().chain(["--density", "3.5"]).collect();
    workspace.xtask(&with_density).run().exits(0).prints("verdict: pass");
}

#[test]
fn an_assertion_that_cannot_judge_is_refused() {
    let workspace = anywhere();
    for (arguments, code) in [
        (&["judge", "--matcher", "lessish", "--expected", "1"][..], "E_MATCHER_UNKNOWN"),
        (&["judge", "--matcher", "lte", "--expected", "1", "--unit", "KB"], "E_ASSERTION_INVALID"),
        (&["judge", "--matcher", "between", "--expected", "[16, 12]"], "E_ASSERTION_INVALID"),
        (&["judge", "--matcher", "matches", "--expected", "'(?=x)'"], "E_ASSERTION_INVALID"),
        (&["judge", "--matcher", "lte", "--expected", "0x10"], "E_"),
    ] {
        workspace.xtask(arguments).run().exits(3).says(code);
    }
}

#[test]
fn probe_lists_what_it_can_read() {
    let workspace = anywhere();
    workspace.xtask(&["probe", "--list"]).run().exits(0).prints("layout").prints("trace").prints("density");
    workspace.xtask(&["probe", "--list", "--lang", "zh"]).run().exits(0).prints("必填");
    let json = workspace.xtask(&["probe", "trace", "--list", "--json"]).run().exits(0).json();
    assert_eq!(json["readers"].as_array().unwrap().len(), 1);
}

#[test]
fn probe_tells_what_it_found_and_where() {
    let workspace = anywhere();
    let recorded = "features/login-page/recorded/round-1";
    let layout = format!("{recorded}/layout.json");
    let display = format!("density={recorded}/display.txt");
    let target =
        ["probe", "layout", &layout, "--with", "measure=touchTarget", "--with", "node=id=forgot_password"];
    let target: Vec<&str> =
        target.into_iter().chain(["--with", "bundle=com.example.login", "--with", &display]).collect();
    let found = workspace.xtask(&target).run().exits(0);
    assert!(found.stdout.starts_with("57px (16.29vp ± 0.29 at density 3.5)"), "{}", found.stdout);

    let nowhere: Vec<&str> = target
        .iter()
        .map(|word| if *word == "node=id=forgot_password" { "node=id=x" } else { word })
        .collect();
    workspace.xtask(&nowhere).run().exits(1);
    workspace.xtask(&["probe", "layuot", &layout]).run().exits(3).says("layout");
    workspace.xtask(&["probe", "layout", &layout, "--with", "measur=width"]).run().exits(3).says("measure");
    workspace.xtask(&["probe", "layout", "no-such-file", "--with", "measure=nodes"]).run().exits(3);
}

#[test]
fn the_vectors_agree() {
    let own = repository().join("tests/vectors");
    let shared = shared("vectors");
    let folders = [Some(own), shared];
    for file in folders
        .into_iter()
        .flatten()
        .flat_map(|folder| ["assertions.json", "gate.json"].map(|name| folder.join(name)))
    {
        let file = file.to_str().unwrap();
        anywhere().xtask(&["conformance", file]).run().exits(0).prints("0 mismatches");
    }
}

#[test]
fn a_mismatch_is_told_and_is_a_no() {
    let workspace = anywhere();
    let vectors = std::fs::read_to_string(repository().join("tests/vectors/assertions.json")).unwrap();
    let wrong = vectors.replacen("\"assertionVerdict\": \"pass\"", "\"assertionVerdict\": \"fail\"", 1);
    workspace.write("wrong.json", &wrong);
    workspace
        .xtask(&["conformance", "wrong.json"])
        .run()
        .exits(1)
        .prints("1 mismatches")
        .prints("expected fail, found pass");
    workspace.xtask(&["conformance", "no-such.json"]).run().exits(3);
    workspace.write("other.json", "{\"cases\": 3}");
    workspace.xtask(&["conformance", "other.json"]).run().exits(3).says("E_FIELD_TYPE");
}

/// Values that a person can look up in files recorded on real devices.
#[test]
fn real_files_read_as_a_person_would() {
    let Some(evidence) = shared("evidence") else { return };
    let at = |path: &str| -> String { evidence.join(path).to_str().map(str::to_owned).unwrap_or_default() };
    let login = at("layout/haptest-layout_login.json");
    let app = "bundle=com.huawei.logindemo";
    let workspace = anywhere();
    for (node, measure, expected) in [
        ("type=TextInput", "width", &["1260px", "1260px"][..]),
        ("type=TextInput", "height", &["168px", "168px"]),
        ("type=Button", "width", &["1260px"]),
        ("type=Button", "height", &["140px"]),
        ("text=忘记密码", "width", &["197px"]),
        ("text=忘记密码", "height", &["57px"]),
    ] {
        let (node, measure) = (format!("node={node}"), format!("measure={measure}"));
        let call = [
            "probe", "layout", &login, "--json", "--with", &node, "--with", &measure, "--with", app,
            "--with", "pick=all",
        ];
        let json = workspace.xtask(&call).run().exits(0).json();
        let values = json["answer"]["values"].as_array().unwrap();
        let found: Vec<&str> = values.iter().map(|value| value["actual"].as_str().unwrap()).collect();
        assert_eq!(found, expected, "{node} {measure}");
    }
    let display = at("hidumper/awesome-hdc-displaymanager.txt");
    workspace.xtask(&["probe", "density", &display]).run().exits(0).prints("3.25");
    let trace = at("hitrace/hitrace-bench-v5_1_1.ftrace");
    let between =
        ["probe", "trace", &trace, "--with", "measure=between", "--with", "from=on_surface_created_cb"];
    let between: Vec<&str> =
        between.into_iter().chain(["--with", "to=load status changed HeadParsed"]).collect();
    workspace.xtask(&between).run().exits(0).prints("753.34ms");
}
