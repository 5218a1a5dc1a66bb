//! Time: it enters in one place, and a variable can stand in for it.

use crate::support::Workspace;

#[test]
fn a_fixed_time_is_the_instant_of_every_audit_and_commit() {
    let workspace = Workspace::with_script("open('WORK.txt', 'w').write('done')", "    timeout: 60s\n");
    let deliver = workspace.xtask(&["deliver", "login-page"]).env("SOURCE_DATE_EPOCH", "1767225600");
    deliver.run().exits(1);
    let instant = workspace.json("deliveries/login-page/round-1/instant.json");
    assert_eq!(instant["instant"], "2026-01-01T00:00:00Z");
    let app = ".xtask/apps/examples-login-app";
    let dates = workspace.git(app, &["log", "-1", "--format=%at %ct", "delivery/login-page"]);
    assert_eq!(dates, "1767225600 1767225600");
    // It is recorded once: later the round is judged at the same instant.
    let later = workspace.xtask(&["audit", "login-page"]).env("SOURCE_DATE_EPOCH", "1798761600");
    later.run().exits(1);
    assert_eq!(workspace.json("deliveries/login-page/audit-1.json")["instant"], "2026-01-01T00:00:00Z");
}

#[test]
fn what_is_no_time_stops_whatever_would_write() {
    let workspace = Workspace::sample();
    for wrong in ["", "tomorrow", "1.5", "-1", " 1", "999999999999999"] {
        let call = workspace.xtask(&["deliver", "login-page"]).env("SOURCE_DATE_EPOCH", wrong);
        call.run().exits(2).says("E_CLOCK");
    }
    workspace.replace("pipeline.yaml", "lang: en", "lang: zh");
    let call = workspace.xtask(&["deliver", "login-page"]).env("SOURCE_DATE_EPOCH", "tomorrow");
    call.run().exits(2).says("不是有效的时间");
    assert!(!workspace.has("deliveries"));
}
