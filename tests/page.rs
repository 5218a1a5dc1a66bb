//! `report.html`, looked at in a real browser. Pictures of it are left in `.xtask/pictures`, for people.

use crate::support::{Look, Workspace, look, png};

const PAGE: &str = "deliveries/login-page/report.html";

/// The size of the sample's screen.
const SCREEN: (u32, u32) = (1260, 2720);

fn looked_at(workspace: &Workspace, name: &str) -> Option<Look> {
    look(&workspace.root().join(PAGE), name)
}

#[test]
fn a_touch_target_that_is_too_small_is_seen_beside_the_verdict() {
    let workspace = Workspace::sample();
    workspace.remove("features/login-page/recorded/round-2.patch");
    workspace.xtask(&["deliver", "login-page"]).run().exits(1);
    let page = workspace.read(PAGE);
    for told in
        ["Not accepted", "16.29 vp", "class=\"mark fail\"", "class=\"wanted fail\"", "class=\"glance\""]
    {
        assert!(page.contains(told), "no {told}");
    }
    assert!(page.len() < 300 * 1024, "{}", page.len());
    let Some(look) = looked_at(&workspace, "round-1") else { return };
    look.is_sound();
    assert_eq!(look.at("/elements/criteria"), 12);
    assert_eq!(look.at("/filter/skip"), "skip");
    for reached in ["dimension", "words", "reset"] {
        assert_eq!(look.at(&format!("/filter/reached/{reached}")), true, "{reached}");
    }
    assert_eq!(look.texts("/filter/dimension"), ["A-01", "A-02", "A-03", "A-04"]);
    assert_eq!(look.texts("/filter/words"), ["A-01"]);
    assert_eq!(look.at("/filter/status"), "1 of 12 criteria");
    assert_eq!(look.texts("/filter/reset"), look.texts("/filter/all"));
}

#[test]
fn the_accepted_delivery_in_chinese() {
    let workspace = Workspace::sample();
    workspace.replace("pipeline.yaml", "lang: en", "lang: zh");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let page = workspace.read(PAGE);
    for told in
        ["<html lang=\"zh-CN\">", "已验收", "第 2 轮", "718.43, 725.84, 717.31 ms", "class=\"timeline\""]
    {
        assert!(page.contains(told), "no {told}");
    }
    assert!(!page.contains("class=\"glance\""), "nothing fails any more");
    let Some(look) = looked_at(&workspace, "round-2-zh") else { return };
    look.is_sound();
    assert_eq!(look.at("/filter/status"), "显示 1 条，共 12 条");
}

/// The sample with a picture of its screen in each round, as large as the pixels make it.
fn with_picture(pixel: impl Fn(u32, u32, u32) -> [u8; 3]) -> Workspace {
    let workspace = Workspace::sample();
    for round in [1, 2] {
        let picture = png(SCREEN.0, SCREEN.1, |x, y| pixel(round, x, y));
        let path = format!("features/login-page/recorded/round-{round}/screen.png");
        std::fs::write(workspace.root().join(path), picture).unwrap();
    }
    let layout = "    output: layout.json\n    source: layout bounds\n";
    let picture = "  picture:\n    copy: features/{feature}/recorded/round-{round}/screen.png\n    output: screen.png\n    source: screenshot\n    screen: login\n    keep: commit\n";
    workspace.replace("pipeline.yaml", layout, &format!("{layout}    screen: login\n{picture}"));
    workspace.replace(
        "pipeline.yaml",
        "  hitrace: independent",
        "  screenshot: independent\n  hitrace: independent",
    );
    workspace
}

#[test]
fn what_was_measured_is_drawn_on_the_picture_of_the_screen() {
    let shade = |round: u32, y: u32| (220 + round * 10 - y / 100) as u8;
    let workspace = with_picture(|round, _, y| [shade(round, y), shade(round, y), 255]);
    let pack = "features/login-page/pack.yaml";
    // A page is no place for what a pack says, whatever that is.
    workspace.replace(
        pack,
        "Both input fields are 48vp high.",
        "'</script><script>alert(1)</script><img src=x onerror=alert(1)> שלום \" & < a'",
    );
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let page = workspace.read(PAGE);
    assert_eq!(page.matches("href=\"data:image/png;base64,").count(), 2);
    let Some(look) = looked_at(&workspace, "picture") else { return };
    look.is_sound();
}

#[test]
fn a_picture_that_is_too_large_is_linked() {
    let noise = |round: u32, x: u32, y: u32| {
        let mixed = (x ^ y.rotate_left(7) ^ round).wrapping_mul(2_654_435_761).wrapping_add(x * y);
        mixed.to_be_bytes()
    };
    let workspace = with_picture(|round, x, y| {
        let [red, green, blue, _] = noise(round, x, y);
        [red, green, blue]
    });
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let page = workspace.read(PAGE);
    assert!(!page.contains("data:image/png"), "{}", page.len());
    assert!(page.contains("href=\"round-2/evidence/screen.png\""));
    assert!(page.len() < 300 * 1024, "{}", page.len());
}

/// The page is made of what was judged: a file that has changed since is not drawn, and a page that is gone comes back.
#[test]
fn the_page_is_made_of_what_was_recorded() {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let before = workspace.read(PAGE);
    workspace.remove(PAGE);
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    assert_eq!(workspace.read(PAGE), before);
    workspace.xtask(&["report", "login-page", "--round", "1"]).run().exits(1);
    assert_eq!(workspace.read(PAGE), before, "the report of an earlier round leaves the page alone");

    let layout = "deliveries/login-page/round-2/evidence/layout.json";
    workspace.replace(layout, "忘记密码", "忘了密码");
    workspace.xtask(&["report", "login-page", "--round", "2"]).run().exits(0);
    let page = workspace.read(PAGE);
    assert!(!page.contains("忘了密码"));
    assert_eq!(page.matches("class=\"device\"").count(), 1, "the first round is still drawn");
}

#[test]
fn what_was_accepted_under_another_pack_has_no_page() {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    workspace.replace("features/login-page/pack.yaml", "expected: 800", "expected: 700");
    workspace.xtask(&["freeze", "login-page", "--reason", "tighter"]).run().exits(0);
    assert!(!workspace.has(PAGE));
}

/// A team's own style or template stands in the place of the built-in one.
#[test]
fn the_page_is_the_teams_to_change() {
    let workspace = Workspace::sample();
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    workspace.write("templates/page/report.css", "body { color: teal; }\n");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    let page = workspace.read(PAGE);
    assert!(page.contains("<style>body { color: teal; }"));
    workspace.remove("templates/page");
    workspace.xtask(&["deliver", "login-page"]).run().exits(0);
    assert!(workspace.read(PAGE).contains("--paper"), "without files the built-in ones are there");
    workspace.write("templates/page/report.html.tera", "{% if %}");
    let outcome = workspace.xtask(&["deliver", "login-page"]).run().exits(3);
    outcome.says("E_TEMPLATE").says("templates/page/report.html.tera:1");
    assert!(workspace.read(PAGE).contains("--paper"), "a broken template leaves the last page in place");
}
