//! Every code: one fixture that makes it fire and a near miss that does not, and the page that documents it.

pub mod case;
pub mod fixture;
mod page;

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use gate::code::Code;
use gate::lang::Lang;

use crate::support::repository;
use case::Seen;
use fixture::{Case, Fixture};

/// Set to anything, it makes the tests write the pages instead of comparing them.
const UPDATE: &str = "UPDATE_DOCS";

#[test]
fn every_code_has_a_fixture_and_every_fixture_a_code() {
    let fixtures = fixture::all();
    let without: Vec<&str> =
        Code::ALL.iter().map(|code| code.name()).filter(|name| !fixtures.contains_key(*name)).collect();
    assert!(without.is_empty(), "codes without a file in {}: {}", fixture::FOLDER, without.join(", "));
    let idle: Vec<&String> = fixtures.keys().filter(|name| Code::from_name(name).is_none()).collect();
    assert!(idle.is_empty(), "fixtures of no code in {}: {idle:?}", fixture::FOLDER);
}

/// Without this a near miss could be silent because the sample itself is.
#[test]
fn the_sample_as_it_stands_reports_nothing_and_is_accepted() {
    let deliver =
        Case { edits: Vec::new(), env: BTreeMap::new(), run: "deliver login-page".to_owned(), exit: 0 };
    let seen = case::run(&deliver).unwrap();
    assert_eq!(seen.codes, [""; 0]);
}

#[test]
fn every_code_fires_and_its_near_miss_does_not() {
    let cases: Vec<(String, Fixture)> = fixture::all().into_iter().collect();
    let queue = Mutex::new(cases.iter());
    let failures = Mutex::new(BTreeMap::new());
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((name, fixture)) = next(&queue) {
                    let wrong = failures_of(name, fixture);
                    if !wrong.is_empty() {
                        failures.lock().unwrap().insert(name, wrong);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    let told: Vec<String> =
        failures.iter().map(|(name, wrong)| format!("{name}\n{}", wrong.join("\n"))).collect();
    assert!(told.is_empty(), "{} of {} fixtures:\n{}", told.len(), cases.len(), told.join("\n"));
}

fn next<T>(queue: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    queue.lock().unwrap().next()
}

/// What is wrong with a fixture, each as an indented line.
fn failures_of(name: &str, fixture: &Fixture) -> Vec<String> {
    let fires = wrong(&fixture.fires, "fires", |seen| {
        (!seen.codes.iter().any(|code| code == name)).then(|| format!("{name} did not fire"))
    });
    let silent = wrong(&fixture.silent, "silent", |seen| {
        seen.codes.iter().any(|code| code == name).then(|| format!("{name} fired"))
    });
    fires.into_iter().chain(silent).chain(fixture.invented_lines()).map(|line| format!("  {line}")).collect()
}

fn wrong(case: &Case, which: &str, judge: impl Fn(&Seen) -> Option<String>) -> Option<String> {
    let ran = catch_unwind(AssertUnwindSafe(|| case::run(case)));
    let seen = match ran {
        Ok(Ok(seen)) => seen,
        Ok(Err(reason)) => return Some(format!("{which}: {reason}")),
        Err(_) => return Some(format!("{which}: its edits cannot be made; see the panic above")),
    };
    let exit = (seen.exit != Some(case.exit)).then(|| format!("exit {:?}, not {}", seen.exit, case.exit));
    let reasons: Vec<String> = judge(&seen).into_iter().chain(exit).collect();
    (!reasons.is_empty())
        .then(|| format!("{which}: {}; reported {:?}\n{}", reasons.join(", "), seen.codes, seen.said))
}

#[test]
fn the_pages_say_what_the_codes_are() {
    let fixtures = fixture::all();
    for (lang, path) in [(Lang::En, "docs/codes.md"), (Lang::Zh, "docs/codes.zh.md")] {
        let expected = page::render(&fixtures, lang);
        let file = repository().join(path);
        if std::env::var_os(UPDATE).is_some() {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, &expected).unwrap();
        }
        let committed = fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
        assert!(committed == expected, "{path} is out of date: run {UPDATE}=1 cargo test --workspace codes");
    }
}
