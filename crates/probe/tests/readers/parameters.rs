//! What readers say of themselves, and what they refuse before they read.

use std::collections::{BTreeMap, BTreeSet};

use gate::lang::Lang;
use gate::observation::Answer;
use gate::pack::Scalar;
use probe::{Input, check_params, readers};

use crate::support::params;

#[test]
fn every_example_is_accepted_and_every_text_exists_twice() {
    let names: BTreeSet<&str> = readers().iter().map(|reader| reader.name).collect();
    assert_eq!(names.len(), readers().len(), "names are unique");
    for reader in readers() {
        let with: BTreeMap<String, Scalar> = serde_yaml::from_str(reader.example).unwrap();
        let errors = check_params(reader.name, &with);
        assert!(
            errors.is_empty(),
            "{}: {}",
            reader.name,
            errors.iter().map(|error| error.explain(Lang::En)).collect::<String>()
        );
        for words in reader.params.iter().map(|param| param.meaning).chain([reader.purpose]) {
            assert!(
                !words.en.is_empty() && words.zh.chars().any(|ch| ch > '\u{7f}'),
                "{}: {words:?}",
                reader.name
            );
        }
    }
}

#[test]
fn refusals_name_the_parameter_and_what_to_write() {
    for (reader, with, en) in [
        ("layuot", "{}", "there is no reader `layuot` (did you mean `layout`?)"),
        (
            "layout",
            r#"{"measure":"width","nod":"id=a"}"#,
            "reader `layout` has no parameter `nod` (did you mean `node`?)",
        ),
        ("layout", r#"{"node":"id=a"}"#, "reader `layout` needs `measure`"),
        ("layout", r#"{"measure":"width"}"#, "reader `layout` needs `node` for `measure: width`"),
        (
            "layout",
            r#"{"measure":"gapVertical","node":"id=a"}"#,
            "reader `layout` needs `to` for `measure: gapVertical`",
        ),
        (
            "layout",
            r#"{"measure":"widht","node":"id=a"}"#,
            "`measure` of reader `layout` cannot be `widht` (did you mean `width`?)",
        ),
        (
            "layout",
            r#"{"measure":"width","node":"id=a","to":"id=b"}"#,
            "`to` means nothing to reader `layout` beside the other parameters",
        ),
        (
            "layout",
            r#"{"measure":"width","node":"hashcode=1"}"#,
            "`node`: `hashcode` differs between two dumps",
        ),
        ("layout", r#"{"measure":"width","node":"id=a","pick":"nth:0"}"#, "`pick`: `nth:0` picks nothing"),
        (
            "layout",
            r#"{"measure":"text","node":5}"#,
            "`node` of reader `layout` is `5`: write text (put quotes around a number)",
        ),
        ("density", r#"{"screen":"0"}"#, "`screen` of reader `density` is \"0\": write a whole number"),
        ("trace", r#"{"measure":"between","from":"a"}"#, "reader `trace` needs `to` for `measure: between`"),
        ("trace", r#"{"measure":"count","name":"(","match":"regex"}"#, "`name`: `(` is no pattern"),
        ("trace", r#"{"measure":"count","name":" "}"#, "`name`: a name cannot be empty"),
        (
            "trace",
            r#"{"measure":"jank","name":"a","fence":"b"}"#,
            "reader `trace` needs `rate` for `measure: jank`",
        ),
        ("smartperf", r#"{"key":"pss","unit":"MB"}"#, "`unit` means nothing to reader `smartperf`"),
        ("image", r#"{"measure":"contrast","node":"id=a"}"#, "reader `image` needs `layout` for `node`"),
        ("frames", r#"{"measure":"missed"}"#, "reader `frames` needs `rate` for `measure: missed`"),
        ("json", r#"{"path":"$["}"#, "`path`: `$[` is no JSONPath"),
        ("xml", r#"{"path":"a"}"#, "`path`: `a` is no path"),
        (
            "axe",
            r#"{"impact":"seroius"}"#,
            "`impact` of reader `axe` cannot be `seroius` (did you mean `serious`?)",
        ),
        ("lighthouse", "{}", "reader `lighthouse` needs `category` for `measure: score`"),
        ("lighthouse", r#"{"measure":"items","category":"seo"}"#, "reader `lighthouse` needs `audit`"),
        (
            "lighthouse",
            r#"{"category":"seo","audit":"a"}"#,
            "`category` means nothing to reader `lighthouse` beside the other parameters",
        ),
        ("k6", r#"{"metric":"http_reqs"}"#, "reader `k6` needs `stat`"),
        ("k6", r#"{"metric":"http_reqs","stat":"thresholds"}"#, "`stat`: `thresholds` is no statistic"),
        ("exit", r#"{"code":1}"#, "reader `exit` has no parameter `code`"),
    ] {
        let errors = check_params(reader, &params(with));
        let english: Vec<String> = errors.iter().map(|error| error.explain(Lang::En)).collect();
        assert!(
            english.iter().any(|text| text.starts_with(en)),
            "{reader} {with}\n  expected {en}\n  actual   {english:?}"
        );
        assert!(errors.iter().all(|error| error.explain(Lang::Zh).chars().any(|ch| ch > '\u{7f}')));
    }
}

#[test]
fn facts_that_bytes_do_not_carry() {
    let mut body = &b"x"[..];
    let mut input = Input::new(&mut body);
    input.size = Some(1);
    input.exit = Some(3);
    let ask = |reader, input, with| {
        crate::support::show(&probe::read(reader, input, &params(with), Lang::En).unwrap())
    };
    assert_eq!(ask("file", input, r#"{"measure":"size"}"#), "1B");
    assert_eq!(
        ask("file", Input::absent(), r#"{"measure":"size"}"#),
        "missing: the collector wrote no such file"
    );
    assert_eq!(
        ask("file", Input::absent(), r#"{"measure":"exists"}"#),
        "nothing: the collector wrote no such file"
    );
    assert_eq!(ask("exit", Input { exit: Some(3), ..Input::absent() }, "{}"), "3");
    assert!(ask("exit", Input::absent(), "{}").starts_with("missing: "));
    assert!(ask("trace", Input::absent(), r#"{"measure":"count","name":"a"}"#).starts_with("missing: "));
}

/// A stream that fails halfway is a file that cannot be read, never a shorter file.
#[test]
fn an_io_error_is_unreadable() {
    struct Broken(bool);
    impl std::io::Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            if std::mem::replace(&mut self.0, false) {
                let line = b"# tracer: nop\n";
                buffer[..line.len()].copy_from_slice(line);
                return Ok(line.len());
            }
            Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof))
        }
    }
    for (reader, with) in [
        ("trace", r#"{"measure":"count","name":"a"}"#),
        ("json", r#"{"path":"$"}"#),
        ("csv", r#"{"column":"a"}"#),
    ] {
        let mut body = std::io::BufReader::new(Broken(true));
        let answer = probe::read(reader, Input::new(&mut body), &params(with), Lang::En).unwrap();
        assert!(matches!(answer, Answer::Unreadable { .. }), "{reader}: {answer:?}");
    }
}
