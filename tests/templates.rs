//! Templates are the user's to change, and a broken one breaks nothing else.

use crate::support::Workspace;

fn delivered() -> Workspace {
    let workspace = Workspace::sample();
    workspace.remove("templates");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    workspace
}

#[test]
fn built_in_templates_are_ejected_and_never_overwritten() {
    let workspace = delivered();
    workspace.write("templates/en/audit.md.tera", "mine: {{ feature }}\n");
    workspace
        .xtask(&["templates", "eject"])
        .run()
        .exits(1)
        .prints("templates/en/spec.md.tera")
        .prints("kept");
    assert_eq!(workspace.read("templates/en/audit.md.tera"), "mine: {{ feature }}\n");
    assert!(!workspace.has("templates/zh"));
    workspace.xtask(&["templates", "eject", "--lang", "zh"]).run().exits(0);
    assert!(workspace.has("templates/zh/audit.md.tera"));
    // Only what was changed is made again.
    let again = workspace.xtask(&["deliver", "login-page", "--json"]).run().exits(0).json();
    assert_eq!(again["stagesRun"], 2, "{again}");
    assert_eq!(workspace.read("deliveries/login-page/audit-1.md"), "mine: login-page\n");
}

#[test]
fn a_broken_template_names_its_place_and_leaves_every_report_as_it_was() {
    for template in ["spec", "review", "brief", "audit", "acceptance", "rework"] {
        let workspace = delivered();
        workspace.xtask(&["templates", "eject"]).run().exits(0);
        let before = workspace.tree("deliveries");
        let path = format!("templates/en/{template}.md.tera");
        for (broken, named) in [
            ("one\n{{ no_such_variable }}\n", "no_such_variable"),
            ("one\n{% if %}\n", ""),
            ("one\n{{ feature | no_such_filter }}\n", "no_such_filter"),
        ] {
            workspace.write(&path, broken);
            let stage = if ["acceptance", "rework"].contains(&template) { "report" } else { template };
            let stage = if stage == "spec" { "freeze" } else { stage };
            let round = if template == "rework" { "1" } else { "2" };
            let mut call = vec!["run", stage, "login-page"];
            if !["freeze", "review"].contains(&stage) {
                call.extend(["--round", round]);
            }
            let said = workspace.xtask(&call).run().exits(3).says("E_TEMPLATE").says(named).stderr;
            assert!(said.contains(&format!("{path}:2:")), "no place in\n{said}");
            assert!(before == workspace.tree("deliveries"), "{template} {broken}");
        }
    }
}

#[test]
fn what_templates_see_can_be_looked_at() {
    let workspace = delivered();
    let before = workspace.tree("deliveries");
    for (template, field) in [
        ("spec", "criteria"),
        ("review", "findings"),
        ("brief", "goal"),
        ("audit", "results"),
        ("acceptance", "rounds"),
        ("rework", "failures"),
    ] {
        let call = ["context", template, "login-page", "--round", "1"];
        let printed = workspace.xtask(&call).run().exits(0).json();
        assert!(!printed[field].is_null(), "{template}: {printed}");
    }
    assert_eq!(workspace.xtask(&["context", "audit", "login-page"]).run().exits(0).json()["verdict"], "pass");
    workspace
        .xtask(&["context", "rework", "login-page", "--round", "2"])
        .run()
        .exits(3)
        .says("E_ARTIFACT_MISSING");
    assert!(before == workspace.tree("deliveries"));
}
