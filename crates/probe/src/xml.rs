//! `xml`: a path in any XML document, in a small part of XPath.
//!
//! A path is a run of steps: `/name` goes to children, `//name` to any depth, `*` stands for any name. A step can narrow itself with `[@key='value']` or
//! `[2]` (from 1, among its siblings). The last step may be `/@key` or `/text()`; without one the value is the element's text.

use gate::lang::Lang;
use gate::observation::Reading;
use gate::say;
use roxmltree::{Document, Node};

use crate::answer::{Outcome, at_line, reading, unreadable, values};
use crate::ask::{Ask, MEASURE, PICK, refuse_flood};
use crate::param::{ParamInfo, ParamKind, Params, Plan, ReaderInfo, words};

pub(crate) const INFO: ReaderInfo = ReaderInfo {
    name: "xml",
    purpose: words(
        "any XML document by a path (a small part of XPath)",
        "任意 XML 文档，用路径（XPath 的一小部分）取值",
    ),
    params: &[
        ParamInfo {
            name: "path",
            kind: ParamKind::Text,
            required: true,
            meaning: words(
                "steps `/name`, `//name`, `*`, with `[@key='value']` or `[2]`; the last may be `/@key` or `/text()`",
                "各步为 `/name`、`//name`、`*`，可带 `[@key='value']` 或 `[2]`；末步可为 `/@key` 或 `/text()`",
            ),
            example: "//testcase[@name='login']/@time",
        },
        MEASURE,
        PICK,
    ],
    example: "{path: \"//testcase[@name='login']/@time\"}",
};

/// The most elements that a document may have.
const NODE_LIMIT: u32 = 2_000_000;

#[derive(Debug, PartialEq, Eq)]
struct Path {
    steps: Vec<Step>,
    value: Wanted,
}

#[derive(Debug, PartialEq, Eq)]
struct Step {
    any_depth: bool,
    /// `None` for `*`.
    name: Option<String>,
    filter: Option<Filter>,
}

#[derive(Debug, PartialEq, Eq)]
enum Filter {
    Attribute(String, String),
    Position(usize),
}

#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    Text,
    Attribute(String),
}

pub(crate) fn plan(params: &mut Params<'_>) -> Option<Plan> {
    let text = params.text("path")?;
    let ask = Ask::param(params);
    let Some(path) = Path::parse(text) else {
        params.invalid(
            "path",
            format!("`{text}` is no path: write such as //testcase[@name='login']/@time"),
            format!("`{text}` 不是路径：请写成如 //testcase[@name='login']/@time"),
        );
        return None;
    };
    let text = text.to_owned();
    Some(Box::new(move |input, lang| {
        let source = input.document_text(lang)?;
        let document = parse(&source, lang)?;
        let what = say!(lang, "value at {text}", "{text} 处的值");
        Ok(values(ask.answer(path.find(&document, lang)?, &what, lang)?))
    }))
}

/// Parses a document; entities of a DTD are not expanded.
pub(crate) fn parse(source: &str, lang: Lang) -> Outcome<Document<'_>> {
    let options =
        roxmltree::ParsingOptions { nodes_limit: NODE_LIMIT, ..roxmltree::ParsingOptions::default() };
    Document::parse_with_options(source, options).or_else(|error| {
        let line = error.pos().row;
        unreadable(say!(
            lang,
            "no XML, or truncated: line {line} does not parse",
            "不是 XML 或被截断：第 {line} 行无法解析"
        ))
    })
}

/// The line of an element, from 1.
pub(crate) fn line_of(node: Node<'_, '_>) -> u64 {
    u64::from(node.document().text_pos_at(node.range().start).row)
}

impl Path {
    fn parse(text: &str) -> Option<Path> {
        let mut steps = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            rest = rest.strip_prefix('/')?;
            let any_depth = rest.starts_with('/');
            rest = rest.strip_prefix('/').unwrap_or(rest);
            if let Some(key) = rest.strip_prefix('@') {
                return (is_name(key) && !any_depth)
                    .then(|| Path { steps, value: Wanted::Attribute(key.to_owned()) });
            }
            if rest == "text()" {
                return (!any_depth).then_some(Path { steps, value: Wanted::Text });
            }
            let (step, after) = Step::parse(rest, any_depth)?;
            steps.push(step);
            rest = after;
        }
        (!steps.is_empty()).then_some(Path { steps, value: Wanted::Text })
    }

    fn find(&self, document: &Document<'_>, lang: Lang) -> Outcome<Vec<Reading>> {
        let mut nodes = vec![document.root()];
        for step in &self.steps {
            let mut next: Vec<Node<'_, '_>> = Vec::new();
            for node in nodes {
                next.extend(step.from(node));
                refuse_flood(next.len(), lang)?;
            }
            next.sort_unstable();
            next.dedup();
            nodes = next;
        }
        Ok(nodes.into_iter().filter_map(|node| self.reading(node)).collect())
    }

    fn reading(&self, node: Node<'_, '_>) -> Option<Reading> {
        let value = match &self.value {
            Wanted::Attribute(key) => node.attribute(key.as_str())?.to_owned(),
            Wanted::Text => {
                node.descendants().filter(Node::is_text).filter_map(|text| text.text()).collect::<String>()
            }
        };
        Some(reading(value.trim(), at_line(line_of(node))))
    }
}

impl Step {
    fn parse(text: &str, any_depth: bool) -> Option<(Step, &str)> {
        let end = text.find(['/', '[']).unwrap_or(text.len());
        let (name, mut rest) = text.split_at(end);
        let mut filter = None;
        if let Some(inner) = rest.strip_prefix('[') {
            let (parsed, after) = Filter::parse(inner)?;
            filter = Some(parsed);
            rest = after;
        }
        let name = match name {
            "*" => None,
            _ if is_name(name) => Some(name.to_owned()),
            _ => return None,
        };
        Some((Step { any_depth, name, filter }, rest))
    }

    fn from<'a, 'i>(&self, node: Node<'a, 'i>) -> Vec<Node<'a, 'i>> {
        let named = |node: &Node<'a, 'i>| {
            node.is_element() && self.name.as_ref().is_none_or(|name| node.tag_name().name() == name)
        };
        if !self.any_depth {
            return self.narrow(node.children().filter(named).collect());
        }
        match self.filter {
            // A position counts among siblings, so it is taken under each parent.
            Some(Filter::Position(_)) => node
                .descendants()
                .flat_map(|parent| self.narrow(parent.children().filter(named).collect()))
                .collect(),
            _ => self.narrow(node.descendants().skip(1).filter(named).collect()),
        }
    }

    fn narrow<'a, 'i>(&self, nodes: Vec<Node<'a, 'i>>) -> Vec<Node<'a, 'i>> {
        match &self.filter {
            None => nodes,
            Some(Filter::Position(position)) => nodes.get(position - 1).copied().into_iter().collect(),
            Some(Filter::Attribute(key, value)) => {
                nodes.into_iter().filter(|node| node.attribute(key.as_str()) == Some(value)).collect()
            }
        }
    }
}

impl Filter {
    /// What stands after `[`, and what follows `]`.
    fn parse(text: &str) -> Option<(Filter, &str)> {
        if let Some(condition) = text.strip_prefix('@') {
            let (key, value) = condition.split_once('=')?;
            let quote = value.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
            let (value, after) = value.get(1..)?.split_once(quote)?;
            let after = after.strip_prefix(']')?;
            return is_name(key).then(|| (Filter::Attribute(key.to_owned(), value.to_owned()), after));
        }
        let (position, after) = text.split_once(']')?;
        let position = position.parse().ok().filter(|position| *position > 0)?;
        Some((Filter::Position(position), after))
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '_' | '-' | '.' | ':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_find_values() {
        let source = "<r><s n='a'><c t='1'>x<b>y</b></c><c t='2'/></s><s n='b'><c t='3'>z</c></s></r>";
        let document = Document::parse(source).unwrap();
        for (path, expected) in [
            ("/r/s[@n='a']/c/@t", "1,2"),
            ("//c/@t", "1,2,3"),
            ("//c[1]/@t", "1,3"),
            ("//s[2]/c", "z"),
            ("/r/*/c/text()", "xy,,z"),
            ("/r/c", ""),
            ("//*[@n=\"b\"]/@n", "b"),
        ] {
            let found = Path::parse(path).unwrap().find(&document, Lang::En).unwrap();
            let values: Vec<String> = found
                .iter()
                .map(|reading| match &reading.actual {
                    gate::pack::Scalar::Text(text) => text.clone(),
                    other => panic!("{other:?}"),
                })
                .collect();
            assert_eq!(values.join(","), expected, "{path}");
        }
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for path in ["", "r", "/", "/r[", "/r[0]", "/r[@a]", "/r//@a", "/r/@", "/r[@a='b'", "//text()x"] {
            assert_eq!(Path::parse(path), None, "{path}");
        }
    }
}
