//! Killed at any instant, the next run continues and ends with the bytes of an undisturbed one.

use std::collections::BTreeMap;

use crate::support::Workspace;

/// How a process ends that died at a fault point.
const FAULT: i32 = 86;

fn delivery(workspace: &Workspace) -> BTreeMap<String, Vec<u8>> {
    workspace.tree("deliveries").into_iter().collect()
}

#[track_caller]
fn require_same(found: &BTreeMap<String, Vec<u8>>, wanted: &BTreeMap<String, Vec<u8>>, when: &str) {
    let differ: Vec<&String> =
        found.keys().chain(wanted.keys()).filter(|path| found.get(*path) != wanted.get(*path)).collect();
    assert!(differ.is_empty(), "{when}: {differ:?}");
}

/// Dies before and after every change on disk, one after the other, until a run passes them all.
#[test]
fn a_run_that_dies_at_any_write_is_continued() {
    let undisturbed = Workspace::sample();
    undisturbed.xtask(&["deliver", "login-page"]).run().exits(0);
    let wanted = delivery(&undisturbed);
    let mut died = 0;
    for fault in 1.. {
        let workspace = Workspace::sample();
        let number = fault.to_string();
        let outcome = workspace.xtask(&["deliver", "login-page"]).env("XTASK_FAULT", &number).run();
        if outcome.code() == Some(0) {
            break;
        }
        outcome.exits(FAULT);
        died += 1;
        workspace.xtask(&["deliver", "login-page"]).run().exits(0);
        require_same(&delivery(&workspace), &wanted, &format!("fault {fault}"));
    }
    // As many as there are changes on disk: far fewer would show that the places are gone.
    assert!(died > 100, "{died}");
}

/// Killed after a time that differs from run to run, again and again, until it gets through.
#[cfg(unix)]
#[test]
fn a_run_that_is_killed_at_any_time_is_continued() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let undisturbed = Workspace::sample();
    let begin = Instant::now();
    undisturbed.xtask(&["deliver", "login-page"]).run().exits(0);
    let whole = begin.elapsed();
    let wanted = delivery(&undisturbed);
    let folder = tempfile::tempdir().unwrap();
    let said = folder.path().join("stderr");
    let (mut kills, mut seed, mut workspace) = (0, 1_u64, Workspace::sample());
    while kills < 200 {
        let mut child = workspace
            .xtask(&["--quiet", "deliver", "login-page"])
            .command()
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(&said).unwrap())
            .spawn()
            .unwrap();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // A short life more often than a long one, so that many fall into one delivery.
        let deadline = Instant::now() + whole.mul_f64((seed >> 40) as f64 / (1_u64 << 24) as f64);
        let ended = loop {
            match child.try_wait().unwrap() {
                Some(status) => break Some(status),
                None if Instant::now() >= deadline => break None,
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        };
        match ended {
            Some(status) => {
                let said = std::fs::read_to_string(&said).unwrap();
                assert!(status.success(), "{status} after {kills} kills: {said}");
                require_same(&delivery(&workspace), &wanted, &format!("after {kills} kills"));
                workspace = Workspace::sample();
            }
            None => {
                child.kill().unwrap();
                child.wait().unwrap();
                kills += 1;
            }
        }
    }
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    require_same(&delivery(&workspace), &wanted, "after the last kill");
}
