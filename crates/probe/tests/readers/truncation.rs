//! A file that was cut anywhere gives an answer, never a panic, and never a number that the whole file does not hold.

use std::path::{Path, PathBuf};

use gate::lang::Lang;
use gate::observation::Answer;
use probe::Input;

use crate::support::{fixtures, params, read, show};

/// Readers and parameters that are asked of each fixture of a folder, or of one file where a pattern has to be compiled each time.
const QUESTIONS: &[(&str, &[(&str, &str)])] = &[
    ("layout", &[("layout", r#"{"measure":"gapVertical","node":"type=ListItem","pick":"all"}"#)]),
    (
        "layout/inspector.json",
        &[("layout", r#"{"measure":"accessibleName","node":"type=Text","pick":"first"}"#)],
    ),
    (
        "density",
        &[("density", "{}"), ("density", r#"{"screen":5}"#), ("density", r#"{"measure":"fontScale"}"#)],
    ),
    (
        "trace",
        &[
            ("trace", r#"{"measure":"span","name":"inflate","match":"prefix","pick":"all"}"#),
            (
                "trace",
                r#"{"measure":"counter","name":"heap:used","stat":"all","process":"com.example.notes"}"#,
            ),
            (
                "trace",
                r#"{"measure":"jank","name":"APP_LIST_FLING","fence":"Waiting","rate":90,"pick":"all"}"#,
            ),
            ("trace", r#"{"measure":"between","from":"start","to":"never ends","pick":"first"}"#),
        ],
    ),
    ("trace/old.ftrace", &[("trace", r#"{"measure":"counter","name":"heap","match":"regex","stat":"max"}"#)]),
    ("frames", &[("frames", r#"{"measure":"frameTime","screen":0}"#)]),
    ("smartperf", &[("smartperf", r#"{"key":"pss"}"#), ("smartperf", r#"{"key":"ResponseTime"}"#)]),
    ("hidumper", &[("memory", "{}"), ("cpu", r#"{"process":"com.example.notes"}"#)]),
    (
        "testreport",
        &[
            ("testreport", r#"{"measure":"ok"}"#),
            ("testreport", r#"{"measure":"case","case":"opens"}"#),
            ("xml", r#"{"path":"//testcase[2]/@name"}"#),
        ],
    ),
    ("build", &[("build", r#"{"measure":"duration"}"#), ("build", r#"{"measure":"warnings"}"#)]),
    ("lint", &[("lint", "{}")]),
    ("axe", &[("axe", "{}"), ("axe", r#"{"measure":"incomplete","impact":"serious"}"#)]),
    (
        "lighthouse",
        &[
            ("lighthouse", r#"{"category":"performance"}"#),
            ("lighthouse", r#"{"measure":"numericValue","audit":"largest-contentful-paint"}"#),
        ],
    ),
    ("k6", &[("k6", r#"{"metric":"http_req_duration","stat":"p(95)"}"#)]),
    ("hilog/app.log", &[("hilog", r#"{"pattern":"."}"#)]),
    ("generic/runs.json", &[("json", r#"{"path":"$.runs[*].startup","pick":"all"}"#)]),
    ("generic/runs.xml", &[("xml", r#"{"path":"//startup"}"#)]),
    ("generic/runs.csv", &[("csv", r#"{"column":"startup","pick":"all"}"#)]),
    ("generic/runs.txt", &[("text", r#"{"pattern":"startup (\\d+ ms)","pick":"all"}"#)]),
    ("image", &[("image", r#"{"measure":"uniformity"}"#), ("image", r#"{"measure":"contrast"}"#)]),
];

/// Every length up to here, then this many pseudo-random ones.
const EVERY: usize = 4096;
const SOME: usize = 200;

#[test]
fn no_length_of_any_fixture_panics() {
    for (folder, questions) in QUESTIONS {
        for file in files(&fixtures().join(folder)) {
            cut_everywhere(&file, questions);
        }
    }
}

/// A report of one document has no values before its last bracket.
#[test]
fn a_report_that_was_cut_has_no_value() {
    for (file, reader, with) in [
        ("axe/broken.json", "axe", "{}"),
        ("axe/pages.json", "axe", "{}"),
        ("lighthouse/report.json", "lighthouse", r#"{"category":"performance"}"#),
        ("k6/handle_summary.json", "k6", r#"{"metric":"http_req_duration","stat":"avg"}"#),
        ("k6/summary_export.json", "k6", r#"{"metric":"http_req_duration","stat":"avg"}"#),
    ] {
        let (bytes, with) = (read(&fixtures().join(file)), params(with));
        let answer = |mut bytes: &[u8]| probe::read(reader, Input::new(&mut bytes), &with, Lang::En).unwrap();
        let end = bytes.trim_ascii_end().len();
        for length in 0..end {
            let cut = answer(bytes.get(..length).unwrap());
            assert!(matches!(cut, Answer::Unreadable { .. }), "{file} at {length}: {}", show(&cut));
        }
        assert!(matches!(answer(&bytes), Answer::Values { .. }), "{file}");
    }
}

#[test]
fn no_length_of_any_recorded_file_panics() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/evidence"));
    if !root.is_dir() {
        eprintln!("NOT CHECKED: the recorded evidence is not at {}", root.display());
        return;
    }
    for (folder, reader, with) in [
        ("hidumper", "density", "{}"),
        ("hidumper", "frames", r#"{"measure":"p95"}"#),
        ("hitrace", "trace", r#"{"measure":"count","name":"H:load","match":"prefix"}"#),
        ("startup", "trace", r#"{"measure":"count","name":"virtual void OHOS","match":"prefix"}"#),
        ("test-report", "testreport", r#"{"measure":"ok"}"#),
        ("bm-dump", "json", r#"{"path":"$..name","measure":"count"}"#),
        ("layout", "layout", r#"{"measure":"nodes","bundle":"com.huawei.logindemo"}"#),
    ] {
        for file in files(&root.join(folder)) {
            cut_everywhere(&file, &[(reader, with)]);
        }
    }
}

fn cut_everywhere(file: &Path, questions: &[(&str, &str)]) {
    let bytes = read(file);
    for (reader, with) in questions {
        let with = params(with);
        // A picture takes long to decode, and what is cut of it looks alike at every length.
        let every = if *reader == "image" { 256 } else { EVERY };
        let lengths = (0..bytes.len().min(every)).chain(pseudo_random(every, bytes.len()));
        for length in lengths {
            let mut cut = bytes.get(..length).unwrap();
            let answer = probe::read(reader, Input::new(&mut cut), &with, Lang::Zh).unwrap();
            if let Answer::Values { values } = &answer {
                assert!(!values.is_empty(), "{}: {reader} at {length}", file.display());
                assert!(
                    values.iter().all(|value| !value.places.is_empty()),
                    "{}: {}",
                    file.display(),
                    show(&answer)
                );
            }
        }
    }
}

/// The same lengths in every run.
fn pseudo_random(from: usize, to: usize) -> impl Iterator<Item = usize> {
    let span = to.saturating_sub(from) as u64;
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    (0..SOME).filter(move |_| span > 0).map(move |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        from + usize::try_from((state >> 33) % span).unwrap()
    })
}

/// The files of a folder, or the file itself.
fn files(folder: &Path) -> Vec<PathBuf> {
    if folder.is_file() {
        return vec![folder.to_owned()];
    }
    #[expect(clippy::disallowed_methods, reason = "a test lists its fixtures")]
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    files
}
