//! The page of codes in one language, from the table and the fixtures.

use std::collections::BTreeMap;
use std::fmt::Write;

use gate::code::Code;
use gate::lang::Lang;
use gate::problem::Severity;

use super::fixture::{Area, Fixture};

const HEAD: (&str, &str) = (
    "\
# Codes

[中文](codes.zh.md)

Whatever is refused or shown has a code. `E_` refuses; `W_` shows, and refuses nothing. A code keeps its meaning, so that
scripts may rely on it: it is `problems[].code` in `audit-<n>.json` and in what `--json` prints.

Each example below makes its code fire: the tests run it, together with a near miss that must not fire. Both are in
[tests/fixtures/codes](../tests/fixtures/codes/README.md). The words are those of
[code.rs](../crates/gate/src/code.rs). This page is generated: `UPDATE_DOCS=1 cargo test --workspace codes` writes it.
",
    "\
# 代码

[English](codes.md)

凡被拒绝或提示的问题都有代码。`E_` 表示拒绝；`W_` 只提示，不拒绝。代码的含义保持不变，脚本可以依赖它：它就是 `audit-<n>.json`
以及 `--json` 输出中的 `problems[].code`。

下面每个示例都会触发对应的代码：测试会运行它，同时运行一个不应触发的相近写法。两者都在
[tests/fixtures/codes](../tests/fixtures/codes/README.md) 中。文字取自 [code.rs](../crates/gate/src/code.rs)。
本页由 `UPDATE_DOCS=1 cargo test --workspace codes` 生成。
",
);

/// The whole page.
pub fn render(fixtures: &BTreeMap<String, Fixture>, lang: Lang) -> String {
    let mut page = lang.pick(HEAD.0, HEAD.1).to_owned();
    page.push('\n');
    for area in Area::ALL {
        let links: Vec<String> = of(area, fixtures).map(|(code, _)| link(code)).collect();
        let separator = lang.pick(", ", "、");
        writeln!(page, "* {}{}{}", title(area, lang), lang.pick(": ", "："), links.join(separator)).unwrap();
    }
    for area in Area::ALL {
        write!(page, "\n## {}\n", title(area, lang)).unwrap();
        for (code, fixture) in of(area, fixtures) {
            page.push_str(&entry(code, fixture, lang));
        }
    }
    page
}

/// The codes of an area, in the order of the table.
fn of(area: Area, fixtures: &BTreeMap<String, Fixture>) -> impl Iterator<Item = (Code, &Fixture)> {
    let known = Code::ALL.iter().filter_map(|code| Some((*code, fixtures.get(code.name())?)));
    known.filter(move |(_, fixture)| fixture.area == area)
}

fn link(code: Code) -> String {
    let name = code.name();
    format!("[{name}](#{})", name.to_lowercase())
}

fn title(area: Area, lang: Lang) -> &'static str {
    match area {
        Area::Reading => lang.pick("Reading a file", "读取文件"),
        Area::Authoring => lang.pick("Writing a pack", "编写验收包"),
        Area::Review => lang.pick("The review of a pack", "验收包评审"),
        Area::Pipeline => lang.pick("The pipeline and the workspace", "流水线与工作区"),
        Area::Delivery => lang.pick("A delivery", "交付过程"),
        Area::Gate => lang.pick("The gate", "门禁"),
    }
}

fn entry(code: Code, fixture: &Fixture, lang: Lang) -> String {
    let mut text = format!("\n### {}\n\n{}\n", code.name(), code.meaning(lang));
    if let Some(note) = &fixture.note {
        write!(text, "\n{}\n", note.pick(lang)).unwrap();
    }
    write!(text, "\n```{}\n{}\n```\n", fixture.syntax, fixture.example.trim_end()).unwrap();
    let (severity, exit, run) = (severity(code, lang), fixture.fires.exit, &fixture.fires.run);
    let facts = match lang {
        Lang::En => format!(
            "* Cure: {}\n* Severity: {severity}\n* Exit code: usually {exit}, as of `cargo xtask {run}`\n",
            code.cure(lang)
        ),
        Lang::Zh => format!(
            "* 处理：{}\n* 级别：{severity}\n* 退出码：通常为 {exit}，例如 `cargo xtask {run}`\n",
            code.cure(lang)
        ),
    };
    text + "\n" + &facts
}

fn severity(code: Code, lang: Lang) -> &'static str {
    match code.severity() {
        Severity::Error => lang.pick("error", "错误"),
        Severity::Warning => lang.pick("warning", "警告"),
    }
}
