//! All features on one page.

use crate::support::Workspace;

fn two_features() -> Workspace {
    let workspace = Workspace::sample();
    workspace.copy_feature("second-page");
    workspace.remove("features/second-page/recorded/round-2.patch");
    workspace.copy_feature("third-page");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    workspace.xtask(&["deliver", "second-page"]).run().exits(1);
    workspace
}

#[test]
fn what_became_of_all_features_is_counted() {
    let workspace = two_features();
    let before = workspace.tree(".");
    let printed = workspace.xtask(&["summary"]).run().exits(0).stdout;
    insta::assert_snapshot!("summary", printed);
    assert!(before == workspace.tree("."), "a command that looks has written");
    let summary = workspace.xtask(&["summary", "--json"]).run().exits(0).json()["summary"].clone();
    assert_eq!(summary["acceptance"], "1 of 2 (50 %)");
    assert_eq!(summary["wrong"], 2);
    assert_eq!(summary["claims"], 3);
}

#[test]
fn both_pages_are_written_in_both_languages() {
    let workspace = two_features();
    for lang in ["en", "zh"] {
        if lang == "zh" {
            workspace.replace("pipeline.yaml", "lang: en", "lang: zh");
        }
        workspace.xtask(&["summary", "--output", lang]).run().exits(0).prints("summary.html");
        let page = workspace.read(&format!("{lang}/summary.html"));
        is_whole(&page);
        assert_eq!(page.matches("<tr>").count(), page.matches("</tr>").count());
        for feature in ["login-page", "second-page", "third-page"] {
            assert!(page.contains(feature), "no {feature} in\n{page}");
        }
        assert!(!page.contains("://"), "{page}");
        assert_eq!(page.contains("已验收"), lang == "zh");
        assert_eq!(page.contains("accepted"), lang == "en");
    }
}

/// Every element is closed: all but the empty ones of the head.
fn is_whole(page: &str) {
    for element in ["main", "table", "thead", "tbody", "td", "th", "dl", "div", "svg", "h2", "p"] {
        let opened =
            page.matches(&format!("<{element}>")).count() + page.matches(&format!("<{element} ")).count();
        assert_eq!(opened, page.matches(&format!("</{element}>")).count(), "{element}");
    }
}

#[test]
fn a_feature_that_cannot_be_read_hides_no_other_and_its_text_is_never_markup() {
    let workspace = two_features();
    workspace.write("deliveries/second-page/audit-1.json", "{");
    let path = "deliveries/login-page/audit-2.json";
    let mut audit = workspace.json(path);
    audit["title"] = "<script>alert(1)</script>|x\u{202E}\0".into();
    workspace.write(path, &audit.to_string());
    let printed = workspace.xtask(&["summary", "--output", "out"]).run();
    assert_eq!(printed.code(), Some(6));
    let (markdown, page) = (workspace.read("out/summary.md"), workspace.read("out/summary.html"));
    for text in [&markdown, &page] {
        assert!(
            text.contains("second-page") && !text.contains("<script") && !text.contains('\u{202E}'),
            "{text}"
        );
    }
    assert!(markdown.contains("second-page cannot be read"), "{markdown}");
}
