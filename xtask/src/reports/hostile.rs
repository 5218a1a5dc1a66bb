//! Hostile text in every field of an artifact: whatever it is, a report keeps its shape, and nothing in it is markup.

use std::collections::BTreeSet;
use std::fs;

use camino::Utf8PathBuf;
use gate::lang::Lang;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::{Value, json};

use super::{Material, acceptance, audit, html, rework, scenes};
use crate::documents::{AuditFile, FileRecord, Report};
use crate::files::Files;
use crate::render::Renderer;

/// Texts that break what is not careful.
const NAUGHTY: &[&str] = &[
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</style><style>*{display:none}</style>",
    "</title></head><body onload=alert(1)>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "javascript:alert(1)",
    "<!-- comment",
    "]]><![CDATA[x",
    "<?php echo 1 ?>",
    "&lt;b&gt; &amp;amp; &#60;b&#62; &#x3c;",
    "a | b || c \\| d \\\\| e",
    "| --- | --- |",
    "`code` ``more`` ```",
    "```text\nfence\n```",
    "~~~\nfence\n~~~",
    "# heading\n## another\n===\n---",
    "- item\n  - nested\n1. one\n* star\n+ plus",
    "> quote\n> # heading",
    "[link](javascript:alert(1)) ![image](https://example.invalid/x.png)",
    "[reference]: https://example.invalid/ \"title\"",
    "<https://example.invalid/> https://example.invalid www.example.invalid a@example.invalid",
    "*em* **strong** _em_ __strong__ ~~gone~~ $x^2$ $$y$$",
    "\\",
    "\\\n\\\\",
    "    indented code",
    "\tindented by a tab",
    "line one\r\nline two\rline three\n\n\nline six",
    "\u{2028}\u{2029}\u{85}\u{0B}\u{0C}",
    "\0 null \u{1} \u{7f} \u{1b}[31mred\u{1b}[0m",
    "\u{202E}right to left\u{202C} \u{2066}isolated\u{2069} \u{200F}",
    "مرحبا بالعالم שלום עולם",
    "\u{FEFF}\u{200B}\u{200D}\u{2060}\u{FFFE}\u{FFFF}\u{FFFD}",
    "Z\u{0351}\u{036B}\u{0343}a\u{0334}\u{0315}lgo",
    "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽",
    "𝒳𝒴 ﷽ ꧅",
    "{{ 7 * 7 }} {% raw %} {# x #} ${7*7} #{7*7} <%= 7 %>",
    "{name} {round} {}",
    "%s %n %x %99999d",
    "../../../etc/passwd C:\\windows\\system32 file:///etc/passwd",
    "'; DROP TABLE criteria; --",
    "$(touch x) `touch x` ; touch x && touch y",
    "-1e999 NaN Infinity 0x1F 1,2,3 １２３",
    "",
    "   ",
    "\n",
    "null",
    "\u{3000}\u{00A0}\u{00AD}",
];

/// Fields whose text is a word of a closed table, or the name by which rows find each other.
const WORDS: &[&str] = &[
    "lang",
    "dimension",
    "weight",
    "matcher",
    "assertionVerdict",
    "outcome",
    "outcomes",
    "verdict",
    "result",
    "sourceKind",
    "end",
    "severity",
    "code",
    "change",
    "aggregate",
    "answer",
];
/// Mappings from what anyone may have called something to such a word.
const TABLES: &[&str] = &["sources", "states"];
const NAMES: &[&str] = &["id", "criterionId", "criterion", "auditor"];

/// The last report of the sample's first round, with everything in it that an artifact can hold.
fn report() -> Value {
    let mut report = golden("rework-1.json");
    let line = json!({ "path": "a.test.ets", "line": 3, "text": "it('x')" });
    report["rounds"][0]["agent"] = json!({
        "steps": 1, "tokens": 2, "cost": "0.1", "claimed": "done", "errors": [{ "name": "Error", "message": "no" }],
    });
    report["rounds"][0]["protectedChanged"] = json!([{ "path": "p", "place": "app", "change": "changed" }]);
    report["rounds"][0]["tests"] = json!({ "deleted": ["d"], "removed": [line], "skipped": [line] });
    report["history"] = json!([{
        "from": "f", "to": "t", "reason": "r",
        "loosened": [{ "criterion": "F-01", "what": "w", "before": "b", "after": "a" }],
    }]);
    report["disputed"] = json!([{
        "id": "r1", "code": "W_CRITERION_NO_ASSERTION", "severity": "warning", "blocks": false, "message": "m",
        "help": "h", "criterion": "U-04",
        "response": { "finding": "r1", "answer": "dispute", "by": "b", "reason": "r" },
    }]);
    report["audit"]["criteria"][0]["waiver"] =
        json!({ "criterionId": "F-01", "owner": "o", "reason": "r", "expires": "2030-01-01T00:00:00Z" });
    report["audit"]["criteria"][3]["settlement"] =
        json!({ "criterionId": "U-02", "result": "pass", "by": "b", "reason": "r" });
    report["audit"]["evidence"][1]["failure"] = json!("device offline");
    report["audit"]["evidence"][1]["file"] = Value::Null;
    report
}

fn golden(name: &str) -> Value {
    let path = repository().join("tests/snapshots/login-page").join(name);
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn repository() -> Utf8PathBuf {
    Utf8PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Every text of an artifact replaced, the words and the names that hold it together left.
fn replaced(value: &mut Value, text: &str, key: &str) {
    match value {
        Value::String(old) if NAMES.contains(&key) => old.push_str(text),
        // The kind of a place or an answer is such a word, that of an executor is not.
        Value::String(_) if WORDS.contains(&key) || key == "kind" || key == "place" => {}
        Value::String(old) => text.clone_into(old),
        Value::Array(items) => items.iter_mut().for_each(|item| replaced(item, text, key)),
        Value::Object(_) if TABLES.contains(&key) => {}
        Value::Object(fields) => fields.iter_mut().for_each(|(key, item)| replaced(item, text, key)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// What a report of either kind is made of.
struct Rendered {
    markdown: Vec<String>,
    page: String,
}

fn rendered(text: &str, lang: Lang) -> Rendered {
    let mut value = report();
    replaced(&mut value, text, "");
    value["audit"]["lang"] = json!(lang.code());
    let report: Report = serde_json::from_value(value).unwrap();
    let renderer = Renderer::load(&Files::Folder(repository()), lang).unwrap();
    let utf8 = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let markdown = [
        acceptance(&renderer, &report).unwrap(),
        rework(&renderer, &report).unwrap(),
        audit(&renderer, &report.audit).unwrap(),
    ];
    let markdown = markdown.into_iter().map(utf8).collect();
    let read = |_: u32, _: &FileRecord| Ok(None);
    let drawn = scenes(&report.audit, &read).unwrap();
    let material = Material { report, earlier: Vec::new(), scenes: vec![drawn] };
    Rendered { markdown, page: utf8(html(&renderer, &material).unwrap()) }
}

/// What the blocks of a Markdown text are, in order, with the number of cells in each row.
fn shape(markdown: &str) -> Vec<String> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_GFM;
    let mut shape = Vec::new();
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => shape.push(format!("{level}")),
            Event::Start(Tag::Table(columns)) => shape.push(format!("table of {}", columns.len())),
            Event::End(TagEnd::TableRow) => shape.push("row".to_owned()),
            Event::Start(Tag::Link { dest_url, .. }) => {
                assert!(!dest_url.contains(':'), "a link leaves: {dest_url}");
            }
            Event::Start(Tag::Image { .. } | Tag::HtmlBlock | Tag::FootnoteDefinition(_))
            | Event::Html(_) => {
                panic!("{event:?} in\n{markdown}")
            }
            Event::InlineHtml(html) => {
                let is_anchor = html.starts_with("<a id=\"criterion-") && html.ends_with("\">");
                assert!(is_anchor || matches!(&*html, "</a>" | "<br>"), "{html}");
                if let Some(name) = html.strip_prefix("<a id=\"") {
                    assert!(!name.trim_end_matches("\">").contains(['"', ' ', '<', '&']), "{html}");
                }
            }
            Event::Rule => panic!("a rule in\n{markdown}"),
            _ => {}
        }
    }
    shape
}

/// The elements of a page, and the attributes that each kind has. A page is well-formed XML as well.
fn parts(page: &str) -> BTreeSet<(String, String)> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(page, options)
        .unwrap_or_else(|error| panic!("{error}\n{page}"));
    let mut found = BTreeSet::new();
    for element in document.descendants().filter(roxmltree::Node::is_element) {
        let name = element.tag_name().name();
        found.insert((name.to_owned(), String::new()));
        for attribute in element.attributes() {
            found.insert((name.to_owned(), attribute.name().to_owned()));
            if matches!(attribute.name(), "href" | "src") {
                let is_picture = name == "image" && attribute.value().starts_with("data:image/");
                assert!(is_picture || !attribute.value().contains(':'), "{}", attribute.value());
            }
        }
    }
    found
}

#[test]
fn no_text_changes_the_shape_of_a_report() {
    for lang in [Lang::En, Lang::Zh] {
        let plain = rendered("plain", lang);
        let shapes: Vec<_> = plain.markdown.iter().map(|markdown| shape(markdown)).collect();
        // A number is drawn, and a message of ours may quote.
        let mut known = parts(&plain.page);
        known.extend(parts(&rendered("1", lang).page));
        known.insert(("code".to_owned(), String::new()));
        let long = "x".repeat(if lang == Lang::En { 100_000 } else { 10_000 });
        for text in NAUGHTY.iter().copied().chain([long.as_str()]) {
            let naughty = rendered(text, lang);
            for (markdown, expected) in naughty.markdown.iter().zip(&shapes) {
                let found = shape(markdown);
                // What says nothing at all may have nothing said of it.
                if text.trim().is_empty() || text.chars().all(|letter| letter.is_control()) {
                    assert!(found.len() <= expected.len(), "{text:?}\n{markdown}");
                } else {
                    assert_eq!(&found, expected, "{text:?}\n{markdown}");
                }
            }
            let odd: Vec<_> = parts(&naughty.page).difference(&known).cloned().collect();
            assert!(odd.is_empty(), "{text:?} brings {odd:?}");
            assert!(naughty.page.len() < 10_000_000, "{text:?}");
        }
    }
}

#[test]
fn what_cannot_be_seen_is_named() {
    let Rendered { markdown, page } = rendered("a\u{202E}b\0c", Lang::En);
    for text in markdown.iter().chain([&page]) {
        assert!(text.contains("⟨U+202E⟩") && text.contains("⟨U+0000⟩"));
        assert!(!text.contains(['\u{202E}', '\0']));
    }
}

#[test]
fn a_page_of_a_thousand_criteria_is_no_larger_than_they_are() {
    let mut audit = golden("audit-1.json");
    let (criteria, checks) = (audit["criteria"].clone(), audit["checks"].clone());
    let many = |rows: &Value, key: &str| {
        let rows = rows.as_array().unwrap();
        let copy = |index: usize| {
            let mut row = rows[index % rows.len()].clone();
            row[key] = json!(format!("{}-{index}", row[key].as_str().unwrap()));
            row
        };
        Value::Array((0..1000).map(copy).collect())
    };
    audit["criteria"] = many(&criteria, "id");
    audit["checks"] = many(&checks, "criterionId");
    let audit: AuditFile = serde_json::from_value(audit).unwrap();
    let report: Report = serde_json::from_value(golden("rework-1.json")).unwrap();
    let report = Report { audit, ..report };
    let renderer = Renderer::load(&Files::Folder(repository()), Lang::En).unwrap();
    let material = Material { report, earlier: Vec::new(), scenes: vec![Vec::new()] };
    let page = html(&renderer, &material).unwrap();
    let page = String::from_utf8(page).unwrap();
    assert_eq!(page.matches("<article ").count(), 1000);
    assert!(page.len() < 5_000_000, "{}", page.len());
}

/// What a reader of a Markdown text reads, without code.
fn prose_of(markdown: &str) -> String {
    let mut read = String::new();
    let mut is_code = false;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => is_code = true,
            Event::End(TagEnd::CodeBlock) => is_code = false,
            Event::Text(text) if !is_code => read.push_str(&text),
            _ => read.push('\n'),
        }
    }
    read
}

/// What a reader of a page reads or hears, without code.
fn heard(page: &str) -> String {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(page, options).unwrap();
    let silent = |node: &roxmltree::Node<'_, '_>| {
        node.ancestors().any(|above| ["style", "script", "code", "pre"].contains(&above.tag_name().name()))
    };
    let mut heard = String::new();
    for node in document.descendants().filter(|node| !silent(node)) {
        let spoken = ["aria-label", "title", "data-shown", "placeholder"];
        let spoken = spoken.into_iter().filter_map(|name| node.attribute(name));
        for text in node.text().filter(|_| node.is_text()).into_iter().chain(spoken) {
            heard.push_str(text);
            heard.push('\n');
        }
    }
    heard
}

fn is_han(letter: char) -> bool {
    ('\u{3400}'..='\u{9FFF}').contains(&letter) || "，。；：“”（）、".contains(letter)
}

#[test]
fn a_report_speaks_one_language() {
    let english = rendered("x", Lang::En);
    let read = english.markdown.iter().map(|markdown| prose_of(markdown)).chain([heard(&english.page)]);
    for text in read {
        let line = text
            .lines()
            .find(|line| line.chars().any(|letter| is_han(letter) && letter != '“' && letter != '”'));
        assert_eq!(line, None, "Chinese in an English report");
    }
    // Units, names of files and products, and what every developer calls so.
    let known = [
        "SHA", "px", "vp", "ms", "id", "md", "json", "audit", "probe", "token", "F", "U", "P", "A", "x",
        "lin",
    ];
    let chinese = rendered("甲", Lang::Zh);
    let read = chinese.markdown.iter().map(|markdown| prose_of(markdown)).chain([heard(&chinese.page)]);
    for text in read {
        let words = text.split(|letter: char| !letter.is_ascii_alphabetic()).filter(|word| !word.is_empty());
        let odd: BTreeSet<&str> = words.filter(|word| !known.contains(word)).collect();
        assert!(odd.is_empty(), "English in a Chinese report: {odd:?}\n{text}");
    }
}

/// Emphasis beside Chinese punctuation is easily none.
#[test]
fn no_mark_of_markdown_is_read_as_text() {
    for (lang, text) in [(Lang::En, "x"), (Lang::Zh, "甲"), (Lang::Zh, "（甲）"), (Lang::En, "(x).")] {
        for markdown in rendered(text, lang).markdown {
            let read = prose_of(&markdown);
            for mark in ["*", "`", "[", "](", "|", "#"] {
                let line = read.lines().find(|line| line.contains(mark));
                assert_eq!(line, None, "{mark} in\n{markdown}");
            }
        }
    }
}

/// Everything that an audit holds of a criterion can be found in its report, whoever reads the Markdown.
#[test]
fn every_cell_is_found_again() {
    let report: Report = serde_json::from_value(golden("acceptance.json")).unwrap();
    let renderer = Renderer::load(&Files::Folder(repository()), Lang::En).unwrap();
    for (bytes, table) in
        [(audit(&renderer, &report.audit).unwrap(), 1), (acceptance(&renderer, &report).unwrap(), 2)]
    {
        let markdown = String::from_utf8(bytes).unwrap();
        let tables = tables(&markdown);
        let rows = &tables[table];
        assert_eq!(rows.len(), report.audit.criteria.len() + 1, "{rows:?}");
        for (row, criterion) in rows.iter().skip(1).zip(&report.audit.criteria) {
            assert_eq!(row[0], criterion.id);
            assert!(row.contains(&super::page::word(criterion.outcome).to_owned()), "{row:?}");
            assert_eq!(row.iter().any(|cell| cell == "–"), criterion.assertion.is_none(), "{row:?}");
            assert!(row.iter().all(|cell| cell.chars().count() < 70), "wide: {row:?}");
            let anchor = format!("<a id=\"criterion-{}\"></a>{}", criterion.id, criterion.id);
            assert_eq!(markdown.matches(&anchor).count(), 1, "{anchor}");
            for probed in criterion.observation.iter() {
                let link = format!("](round-2/{})", probed.file);
                assert!(markdown.contains(&link), "{link}");
            }
        }
        let dimensions = &tables[0];
        let passed: usize = dimensions.iter().skip(1).map(|row| row[1].parse::<usize>().unwrap()).sum();
        assert_eq!(passed, report.audit.counts.pass);
    }
}

/// The cells of every table, as text.
fn tables(markdown: &str) -> Vec<Vec<Vec<String>>> {
    let mut tables: Vec<Vec<Vec<String>>> = Vec::new();
    let mut in_cell = false;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Table(_)) => tables.push(Vec::new()),
            Event::Start(Tag::TableHead | Tag::TableRow) => tables.last_mut().unwrap().push(Vec::new()),
            Event::Start(Tag::TableCell) => {
                in_cell = true;
                tables.last_mut().unwrap().last_mut().unwrap().push(String::new());
            }
            Event::End(TagEnd::TableCell) => in_cell = false,
            Event::Text(text) | Event::Code(text) if in_cell => {
                tables.last_mut().unwrap().last_mut().unwrap().last_mut().unwrap().push_str(&text);
            }
            _ => {}
        }
    }
    tables
}
