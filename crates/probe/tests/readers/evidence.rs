//! Recorded files of other projects. They are not part of this repository; where they are absent these tests say so, loudly,
//! and check nothing.

use std::path::Path;

use gate::lang::Lang;

use crate::support::{Case, ask, check};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/evidence");

fn check_recorded(cases: &[Case]) {
    let root = Path::new(ROOT);
    if root.is_dir() {
        check(root, cases);
    } else {
        eprintln!(
            "NOT CHECKED: the recorded evidence is not at {ROOT}, so {} cases did not run",
            cases.len()
        );
    }
}

#[test]
fn layout_of_a_login_page() {
    const FILE: &str = "layout/haptest-layout_login.json";
    let case = |with, expected| Case { reader: "layout", file: FILE, with, expected };
    check_recorded(&[
        case(r#"{"measure":"width","node":"type=TextInput","pick":"all"}"#, "1260px, 1260px"),
        case(r#"{"measure":"height","node":"type=TextInput","pick":"all"}"#, "168px, 168px"),
        case(r#"{"measure":"width","node":"id=loginButtonId"}"#, "1260px"),
        case(r#"{"measure":"height","node":"id=loginButtonId"}"#, "140px"),
        case(r#"{"measure":"width","node":"text=忘记密码"}"#, "197px"),
        case(r#"{"measure":"height","node":"text=忘记密码"}"#, "57px"),
        case(r#"{"measure":"touchTarget","node":"text=忘记密码"}"#, "57px"),
        case(r#"{"measure":"gapVertical","node":"type=TextInput","pick":"all"}"#, "16px"),
        case(r#"{"measure":"gapVertical","node":"text=忘记密码","to":"id=loginButtonId"}"#, "238px"),
        case(
            r#"{"measure":"count","node":"type=Text"}"#,
            "unreadable: type=Text matches nodes of several applications…",
        ),
        case(r#"{"measure":"count","node":"type=Text","bundle":"com.huawei.logindemo"}"#, "5"),
        case(r#"{"measure":"width","node":"type=TextInput"}"#, "unreadable: 2 matches where one is meant…"),
        case(r#"{"measure":"width","node":"id=nope"}"#, "missing: no node matching id=nope"),
        case(r#"{"measure":"presence","node":"id=nope"}"#, "nothing: no node matches id=nope"),
        case(r#"{"measure":"presence","node":"id=loginButtonId,visible=true"}"#, "true"),
        case(r#"{"measure":"text","node":"id=loginButtonId"}"#, "登录"),
        case(r#"{"measure":"nodes"}"#, "unreadable: the dump holds several applications…"),
        case(r#"{"measure":"nodes","bundle":"com.huawei.logindemo"}"#, "20"),
        case(r#"{"measure":"depth","bundle":"com.huawei.logindemo"}"#, "9"),
        case(r#"{"measure":"accessibleName","node":"type=TextInput","pick":"all"}"#, "账号, 密码"),
        case(
            r#"{"measure":"alignLeft","node":"type=TextInput","pick":"first","to":"id=loginButtonId"}"#,
            "0px",
        ),
        case(r#"{"measure":"width","node":"type=root,bundle=com.huawei.logindemo"}"#, "1344px"),
    ]);
}

#[test]
fn density_of_a_phone() {
    let file = "hidumper/awesome-hdc-displaymanager.txt";
    let case = |with, expected| Case { reader: "density", file, with, expected };
    check_recorded(&[
        case("{}", "3.25"),
        case(r#"{"screen":0}"#, "3.25"),
        case(r#"{"screen":1}"#, "missing: the dump has no screen 1"),
        case(r#"{"measure":"fontScale"}"#, "missing: the file states no font scale"),
    ]);
}

#[test]
fn traces_of_two_systems() {
    let new = |with, expected| Case {
        reader: "trace",
        file: "hitrace/hitrace-bench-v5_1_1.ftrace",
        with,
        expected,
    };
    let old =
        |with, expected| Case { reader: "trace", file: "hitrace/hitrace-bench-v1.ftrace", with, expected };
    let load =
        r#"{"measure":"between","from":"on_surface_created_cb","to":"load status changed HeadParsed"}"#;
    let complete =
        r#"{"measure":"between","from":"load status changed HeadParsed","to":"H:PageLoadEndedPrompt"}"#;
    let resident = r#"{"measure":"counter","name":"servo_memory_profiling:resident","stat":"last"}"#;
    let other = r#"{"measure":"counter","name":"servo_memory_profiling:resident-according-to-smaps/other","stat":"max"}"#;
    check_recorded(&[
        new(load, "753.34ms"),
        old(load, "866.755ms"),
        new(complete, "2074.614ms"),
        old(complete, "1104.215ms"),
        new(resident, "403623936"),
        old(resident, "392593408"),
        new(other, "65134592"),
        old(other, "41635840"),
        new(r#"{"measure":"presence","name":"HandleLaunchAbility"}"#, "nothing: no such marker in the trace"),
        new(
            r#"{"measure":"span","name":"PageLoadEndedPrompt"}"#,
            "missing: the span that begins in line 11 does not end…",
        ),
    ]);
}

/// What hitrace-bench itself computed out of these traces stands beside them.
#[test]
fn counters_agree_with_the_recorded_results() {
    let root = Path::new(ROOT);
    if !root.is_dir() {
        eprintln!("NOT CHECKED: the recorded evidence is not at {ROOT}");
        return;
    }
    const PAGE: &str = "servo_memory_profiling:url(https://servo.org/)/";
    for version in ["v1", "v5_1_1"] {
        let results =
            crate::support::read(&root.join(format!("hitrace/hitrace-bench-{version}_output.json")));
        let results: serde_json::Value = serde_json::from_slice(&results).unwrap();
        let recorded =
            |name: &str| results[format!("E2E/https://servo.org/{name}")]["Memory"]["value"].as_f64();
        let file: &'static str = format!("hitrace/hitrace-bench-{version}.ftrace").leak();
        let counter = |name: &str, matching: &str, stat: &str| {
            let with =
                format!(r#"{{"measure":"counter","name":"{name}","match":"{matching}","stat":"{stat}"}}"#)
                    .leak();
            let values = ask(root, &Case { reader: "trace", file, with, expected: "" }, Lang::En);
            values
                .split(", ")
                .map(|value| value.parse::<u64>().unwrap_or_else(|_| panic!("{name}: {values}")))
                .sum::<u64>() as f64
        };
        for (name, marker) in [
            ("JS/gc-heap/used", "js/gc-heap/used"),
            ("JS/gc-heap/unused", "js/gc-heap/unused"),
            ("JS/gc-heap/decommitted", "js/gc-heap/decommitted"),
            ("JS/malloc-heap", "js/malloc-heap"),
            ("LayoutThread/box-tree", "layout-thread/box-tree"),
            ("LayoutThread/stylist", "layout-thread/stylist"),
            ("image-cache", "image-cache"),
            ("image-cache/fontdb", "image-cache/fontdb"),
        ] {
            assert_eq!(
                Some(counter(&format!("{PAGE}{marker}"), "exact", "last")),
                recorded(name),
                "{version} {name}"
            );
        }
        let smaps = counter("servo_memory_profiling:resident-according-to-smaps", "prefix", "all");
        assert_eq!(Some(smaps), recorded("resident-smaps"), "{version}");
    }
}

#[test]
fn other_files() {
    let markers = "startup/smartperf-app_start-markers.txt";
    let launch = r#"{"measure":"between","from":"^client dispatch touchId","match":"regex","pick":"first","to":"HandleLaunchAbility.*##com\\.taobao"}"#;
    check_recorded(&[
        Case { reader: "trace", file: markers, with: launch, expected: "101.709ms" },
        Case {
            reader: "trace",
            file: markers,
            with: r#"{"measure":"count","name":"client dispatch","match":"prefix"}"#,
            expected: "4",
        },
        Case {
            reader: "trace",
            file: "hitrace/smartperf-ut_bytrace_input_full.txt",
            with: r#"{"measure":"count","name":"VisitNonThreadRoots"}"#,
            expected: "1",
        },
        Case {
            reader: "frames",
            file: "hidumper/awesome-hdc-composer-fps.txt",
            with: r#"{"measure":"frames"}"#,
            expected: "13",
        },
        Case {
            reader: "frames",
            file: "hidumper/awesome-hdc-composer-fps.txt",
            with: r#"{"measure":"p50"}"#,
            expected: "16.546875ms",
        },
        Case {
            reader: "frames",
            file: "hidumper/awesome-hdc-composer-fps.txt",
            with: r#"{"measure":"missed","rate":60}"#,
            expected: "missing: …",
        },
        Case {
            reader: "testreport",
            file: "test-report/hapray-jingdong_0010.xml",
            with: r#"{"measure":"ok"}"#,
            expected: "true",
        },
        Case {
            reader: "testreport",
            file: "test-report/developer_test-xDevice_test_report_demo.xml",
            with: r#"{"measure":"ok"}"#,
            expected: "unreadable: the case in line 18…",
        },
        Case {
            reader: "json",
            file: "bm-dump/midscene-bm-dump-camera.txt",
            with: r#"{"path":"$.hapModuleInfos[*].moduleName","pick":"all"}"#,
            expected: "phone, picker",
        },
        Case {
            reader: "layout",
            file: "layout/hmdriver2-hierarchy.json",
            with: r#"{"measure":"height","node":"text=7,type=Text"}"#,
            expected: "325px",
        },
        Case {
            reader: "layout",
            file: "layout/hmdriver2-hierarchy.json",
            with: r#"{"measure":"width","node":"id=btnTest"}"#,
            expected: "unreadable: 2 matches…",
        },
        Case {
            reader: "layout",
            file: "layout/hmdriver2-hierarchy.json",
            with: r#"{"measure":"backgroundColor","node":"text=showToast"}"#,
            expected: "#FF317AFF",
        },
        Case {
            reader: "image",
            file: "screenshot/midscene-harmonyos-settings-00-e8c35d1c.jpeg",
            with: r#"{"measure":"width"}"#,
            expected: "1216px",
        },
    ]);
}
