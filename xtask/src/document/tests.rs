//! Both formats, their limits, and the traps.

use gate::code::Code;
use gate::lang::Lang;
use gate::node::{Node, Value};
use gate::problem::{Problem, Span};

use super::diagnostic::render;
use super::*;

fn read(file: &str, text: &str) -> Result<Node, Vec<Problem>> {
    let zh = parse(file, text.as_bytes(), Lang::Zh);
    let en = parse(file, text.as_bytes(), Lang::En);
    let codes = |result: &Result<Node, Vec<Problem>>| match result {
        Ok(node) => Ok(node.clone()),
        Err(problems) => Err(problems.iter().map(|p| (p.code, p.at)).collect::<Vec<_>>()),
    };
    assert_eq!(codes(&en), codes(&zh), "{text}");
    en
}

/// A node as compact text: `{a@1:1: 1.50#, b: "x"}`; numbers end in `#`.
fn show(node: &Node) -> String {
    match &node.value {
        Value::Null => "null".into(),
        Value::Bool(value) => value.to_string(),
        Value::Number(digits) => format!("{digits}#"),
        Value::Text(text) => format!("{text:?}"),
        Value::List(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(", ")),
        Value::Map(entries) => {
            let entry = |(key, node): &(gate::node::Key, Node)| format!("{}: {}", key.name, show(node));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

#[test]
fn yaml_values() {
    let table = [
        ("", "null"),
        ("# only a comment\n", "null"),
        (
            "a: 1.50\nb: true\nc:\nd: ~\ne: text\nf: \"1.50\"",
            r#"{a: 1.50#, b: true, c: null, d: null, e: "text", f: "1.50"}"#,
        ),
        ("a: 1\na: 2", "{a: 1#, a: 2#}"),
        ("- 'yes'\n- \"012\"\n- '<<'", r#"["yes", "012", "<<"]"#),
        ("a: |\n  one\n  two\nb: >\n  one\n  two\n", r#"{a: "one\ntwo\n", b: "one two\n"}"#),
        ("a: \"\\u4e2d\\t\"", r#"{a: "中\t"}"#),
        ("a: &x {k: [1, 2]}\nb: *x", "{a: {k: [1#, 2#]}, b: {k: [1#, 2#]}}"),
        ("{\"feature\": \"x\", \"n\": [1, 2.0]}", r#"{feature: "x", n: [1#, 2.0#]}"#),
        ("yes: 1\n1: 2\ntrue: 3", "{yes: 1#, 1: 2#, true: 3#}"),
        ("a: 4.9:1\r\nb: 2026-11-30\r\nc: 720ms\r\n", r#"{a: "4.9:1", b: "2026-11-30", c: "720ms"}"#),
        ("---\na: 1\n...\n", "{a: 1#}"),
        ("\u{feff}a: 1", "{a: 1#}"),
        ("a: |\n  one", r#"{a: "one\n"}"#),
        ("a: x\n  y", r#"{a: "x y"}"#),
        ("? a\n: 1", "{a: 1#}"),
    ];
    for (text, expected) in table {
        match read("a.yaml", text) {
            Ok(node) => assert_eq!(show(&node), expected, "{text}"),
            Err(problems) => panic!("{text}: {problems:?}"),
        }
    }
}

#[test]
fn json_values() {
    let table = [
        ("null", "null"),
        (" {\"a\": 1.50, \"a\": [true, \"\\u4e2d\\n\"]} ", r#"{a: 1.50#, a: [true, "中\n"]}"#),
        ("[12345678901234567890, 1e400, -0]", "[12345678901234567890#, 1e400#, -0#]"),
        ("\u{feff}{}", "{}"),
        ("{\"\\u0061\": {}}", "{a: {}}"),
    ];
    for (text, expected) in table {
        assert_eq!(read("a.json", text).as_ref().map(show), Ok(expected.to_owned()), "{text}");
    }
}

#[test]
fn refusals() {
    let deep = format!("{}1{}", "[".repeat(MAX_DEPTH + 1), "]".repeat(MAX_DEPTH + 1));
    let bomb = bomb();
    let uses = format!("a: &a 1\nb: [{}]", "*a, ".repeat(MAX_ALIASES + 1));
    let table = [
        ("a.yaml", "a: [1, 2", Code::Syntax, (1, 9)),
        ("a.yaml", "a:\n\t- b", Code::Syntax, (2, 1)),
        ("a.yaml", "a: 1\n---\nb: 2", Code::DocumentsMultiple, (2, 1)),
        ("a.yaml", "a: !!str 1", Code::TagUnknown, (1, 4)),
        ("a.yaml", "a: !mine {b: 1}", Code::TagUnknown, (1, 4)),
        ("a.yaml", "a: &x {b: 1}\nc:\n  <<: *x", Code::MergeKey, (3, 3)),
        ("a.yaml", "%YAML 1.1\n---\na: yes", Code::Syntax, (1, 1)),
        ("a.yaml", "中文: yes", Code::ValueAmbiguous, (1, 5)),
        ("a.yaml", "a: 012", Code::ValueAmbiguous, (1, 4)),
        ("a.yaml", "a: 1:30", Code::ValueAmbiguous, (1, 4)),
        ("a.yaml", "a: 0x1F", Code::NumberInexact, (1, 4)),
        ("a.yaml", "a: .inf", Code::NumberInexact, (1, 4)),
        ("a.yaml", "a: 1e400", Code::NumberInexact, (1, 4)),
        ("a.yaml", "[a]: 1", Code::FieldType, (1, 1)),
        ("a.yaml", "a: &x [*x]", Code::LimitAliases, (1, 8)),
        ("a.yaml", &uses, Code::LimitAliases, (2, 5 + 4 * 64)),
        ("a.yaml", &bomb, Code::LimitAliases, (5, 35)),
        ("a.yaml", &deep, Code::LimitDepth, (1, 33)),
        ("a.json", &deep, Code::LimitDepth, (1, 33)),
        ("a.json", "{\"a\": 1,}", Code::Syntax, (1, 9)),
        ("a.json", "{\"中\": 01}", Code::Syntax, (1, 8)),
        ("a.json", "{\n  // no\n}", Code::Syntax, (2, 3)),
        ("a.json", "{'a': 1}", Code::Syntax, (1, 2)),
        ("a.json", "[1] 2", Code::Syntax, (1, 5)),
        ("a.json", "[NaN]", Code::Syntax, (1, 2)),
        ("a.json", "[\"\\ud800\"]", Code::Syntax, (1, 9)),
        ("a.json", "", Code::Syntax, (1, 1)),
    ];
    let mut wrong = Vec::new();
    for (file, text, code, (line, column)) in table {
        let problems = read(file, text).map(|node| show(&node)).unwrap_err();
        let first = problems.first().unwrap();
        if (first.code, first.at) != (code, Some(Span { line, column })) {
            wrong.push(format!("{text}: {problems:?}"));
        }
        assert_eq!(first.file.as_deref(), Some(file));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Six levels of ten: a million values in a few lines.
fn bomb() -> String {
    let level = |n: u32| format!("a{n}: &a{n} [{}]\n", format!("*a{}, ", n - 1).repeat(9));
    format!("a0: &a0 [0]\n{}", (1..=6).map(level).collect::<String>())
}

#[test]
fn bytes_that_are_no_text() {
    let problems = parse("a.yaml", b"a: 1\nb: \xff", Lang::En).unwrap_err();
    assert_eq!(
        problems.first().map(|p| (p.code, p.at)),
        Some((Code::Encoding, Some(Span { line: 2, column: 4 })))
    );
    let large = vec![b' '; MAX_BYTES + 1];
    let problems = parse("a.json", &large, Lang::En).unwrap_err();
    assert_eq!(problems.first().map(|p| p.code), Some(Code::LimitSize));
}

#[test]
fn places() {
    let yaml = "中:\n  - id: P-01\n    n: { k: 'v' }\n";
    let json = "{\"中\": [\n  {\"id\": \"P-01\",\n   \"n\": {\"k\": 1}}]}";
    let expected = [
        ("a.yaml", yaml, vec![(1, 1), (2, 3), (2, 5), (2, 5), (2, 9), (3, 5), (3, 8), (3, 10), (3, 13)]),
        ("a.json", json, vec![(1, 2), (1, 7), (2, 3), (2, 4), (2, 10), (3, 4), (3, 9), (3, 10), (3, 15)]),
    ];
    for (file, text, places) in expected {
        let mut found = Vec::new();
        walk(&read(file, text).unwrap(), &mut found);
        // The root's own place is the first and begins the text.
        assert_eq!(found.split_off(1), places, "{file}");
    }
}

fn walk(node: &Node, found: &mut Vec<(u32, u32)>) {
    found.push((node.at.line, node.at.column));
    match &node.value {
        Value::List(items) => items.iter().for_each(|item| walk(item, found)),
        Value::Map(entries) => {
            for (key, node) in entries {
                found.push((key.at.line, key.at.column));
                walk(node, found);
            }
        }
        _ => {}
    }
}

#[test]
fn large_texts_are_read_in_one_pass() {
    let items = "{\"id\":\"P-01\",\"n\":[1,2,3]},".repeat(30_000);
    let text = format!("[{}1]", items);
    assert!(parse("a.json", text.as_bytes(), Lang::En).is_ok());
}

#[test]
fn diagnostics() {
    let problem = Problem::new(Code::FieldUnknown, "a criterion has no field `x`", "did you mean `y`?")
        .about("P-01")
        .in_file("f/pack.yaml")
        .at(Span { line: 2, column: 6 });
    let source = "a: 1\n\t中\u{1b}文 x: 1\r\nlast";
    let shown = render(&problem, Some(source), Lang::En, false);
    let expected = "\
error[E_FIELD_UNKNOWN]: P-01: a criterion has no field `x`
 --> f/pack.yaml:2:6
  |
2 |     中\u{fffd}文 x: 1
  |           ^
  = help: did you mean `y`?
";
    assert_eq!(shown, expected);
    let bare = render(&Problem::new(Code::Busy, "held\u{1b}[31m", ""), None, Lang::Zh, false);
    assert_eq!(bare, "错误[E_BUSY]: held\u{fffd}[31m\n");
    assert!(render(&problem, Some(source), Lang::En, true).contains("\u{1b}[1;31m"));
    // A place beyond the text shows no line and does not fail.
    assert!(!render(&problem, Some("one line"), Lang::En, false).contains('^'));
}

#[test]
fn long_lines_are_cut_around_the_caret() {
    let source = format!("{}X{}", "中".repeat(300), "b".repeat(300));
    let problem = Problem::new(Code::Syntax, "m", "h").in_file("f").at(Span { line: 1, column: 301 });
    let shown = render(&problem, Some(&source), Lang::En, false);
    let lines: Vec<&str> = shown.lines().collect();
    let cells = |text: &str| text.chars().map(|c| if c == '中' { 2 } else { 1 }).sum::<usize>();
    let before_x = cells(lines[3].split('X').next().unwrap());
    assert_eq!(before_x, cells(lines[4].split('^').next().unwrap()), "{shown}");
    assert!(cells(lines[3]) <= 130, "{shown}");
}

#[test]
fn lines_are_those_of_an_editor() {
    // Only the second parser refuses the third line, and counts more lines than an editor does.
    for separator in ["\u{85}", "\u{2028}", "\u{2029}"] {
        let text = format!("a:\n  - b: 1\n    c: x{separator}{separator} y\n");
        let problems = read("x.yaml", &text).unwrap_err();
        let lines: Vec<_> = problems.iter().map(|problem| problem.at.map(|at| at.line)).collect();
        assert_eq!(lines, [Some(3)], "{problems:?}");
    }
}
