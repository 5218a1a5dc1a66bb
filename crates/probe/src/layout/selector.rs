//! Which nodes are meant: `type=Text,text=忘记密码,bundle=com.x`.
//!
//! Terms are joined by commas and all must hold. `=` compares the whole value, `^=` its beginning, `*=` any part. A value with a comma or a
//! quote stands in double quotes, with `\"` and `\\` inside. `ancestor` takes a selector of its own in quotes.

use gate::lang::Lang;
use gate::say;

use super::tree::Tree;
use crate::did_you_mean::closest;
use crate::terms::{Refusal, parse_terms};

/// Terms that are looked up in a window's root when a node lacks them.
const INHERITED: &[(&str, &str)] =
    &[("bundle", "bundleName"), ("window", "hostWindowId"), ("ability", "abilityName"), ("page", "pagePath")];

/// Terms that are attributes of the node itself.
const OWN: &[&str] = &[
    "id",
    "key",
    "text",
    "type",
    "description",
    "hint",
    "clickable",
    "longClickable",
    "checkable",
    "checked",
    "enabled",
    "focused",
    "scrollable",
    "selected",
    "backgroundColor",
    "backgroundImage",
    "opacity",
    "zIndex",
    "hitTestBehavior",
    "blur",
];

/// What differs between two dumps of one screen, and so names nothing.
const NO_IDENTITY: &[&str] = &["accessibilityId", "hashcode", "hierarchy"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selector {
    /// As written.
    pub(crate) text: String,
    terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Term {
    Own(String, Comparison, String),
    Inherited(&'static str, Comparison, String),
    Visible(bool),
    Ancestor(Selector),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Whole,
    Beginning,
    Part,
}

impl Comparison {
    fn holds(self, actual: &str, wanted: &str) -> bool {
        match self {
            Comparison::Whole => actual == wanted,
            Comparison::Beginning => actual.starts_with(wanted),
            Comparison::Part => actual.contains(wanted),
        }
    }
}

impl Selector {
    pub(crate) fn parse(text: &str) -> Result<Selector, Refusal> {
        let terms = parse_terms(text)?.into_iter().map(|(head, value)| term(&head, value));
        Ok(Selector { text: text.to_owned(), terms: terms.collect::<Result<_, _>>()? })
    }

    /// The selector, narrowed to an application unless it names one itself.
    #[must_use]
    pub(crate) fn within(mut self, bundle: Option<&str>) -> Selector {
        if let Some(bundle) = bundle.filter(|_| !self.names_window()) {
            self.terms.push(Term::Inherited("bundleName", Comparison::Whole, bundle.to_owned()));
        }
        self
    }

    /// What it selects, for messages.
    pub(crate) fn describe(&self, lang: Lang) -> String {
        let text = &self.text;
        say!(lang, "node matching {text}", "匹配 {text} 的节点")
    }

    /// Whether it says whose nodes are meant.
    pub(crate) fn names_window(&self) -> bool {
        self.terms.iter().any(|term| matches!(term, Term::Inherited("bundleName" | "hostWindowId", ..)))
    }

    /// The matching nodes in document order; the root that a dump invents is none.
    pub(crate) fn select(&self, tree: &Tree<'_>) -> Vec<usize> {
        (0..tree.nodes.len()).filter(|index| self.matches(tree, *index)).collect()
    }

    fn matches(&self, tree: &Tree<'_>, index: usize) -> bool {
        tree.node(index).is_some_and(|node| !node.is_synthetic())
            && self.terms.iter().all(|term| match term {
                Term::Own(name, comparison, wanted) => {
                    let actual = tree.node(index).and_then(|node| node.attribute(name));
                    actual.is_some_and(|actual| comparison.holds(actual, wanted))
                }
                Term::Inherited(name, comparison, wanted) => {
                    tree.inherited(index, name).is_some_and(|actual| comparison.holds(actual, wanted))
                }
                Term::Visible(wanted) => tree.is_visible(index) == *wanted,
                Term::Ancestor(selector) => {
                    tree.self_and_ancestors(index).skip(1).any(|ancestor| selector.matches(tree, ancestor))
                }
            })
    }
}

fn term(head: &str, value: String) -> Result<Term, Refusal> {
    let (name, comparison) = match (head.strip_suffix('^'), head.strip_suffix('*')) {
        (Some(name), _) => (name.trim(), Comparison::Beginning),
        (_, Some(name)) => (name.trim(), Comparison::Part),
        _ => (head, Comparison::Whole),
    };
    if let Some((_, attribute)) =
        INHERITED.iter().find(|(word, attribute)| *word == name || *attribute == name)
    {
        return Ok(Term::Inherited(attribute, comparison, value));
    }
    match (name, value.as_str()) {
        ("visible", "true") => Ok(Term::Visible(true)),
        ("visible", "false") => Ok(Term::Visible(false)),
        ("visible", _) => {
            Err(("visible is `true` or `false`".into(), "visible 只能是 `true` 或 `false`".into()))
        }
        ("ancestor", selector) => Selector::parse(selector).map(Term::Ancestor),
        _ if OWN.contains(&name) => Ok(Term::Own(name.to_owned(), comparison, value)),
        _ if NO_IDENTITY.contains(&name) => Err((
            format!("`{name}` differs between two dumps of one screen: select by id, text or type"),
            format!("同一界面两次导出的 `{name}` 并不相同：请用 id、text 或 type 选择"),
        )),
        _ => Err(unknown(name)),
    }
}

fn unknown(name: &str) -> Refusal {
    let words =
        INHERITED.iter().map(|(word, _)| *word).chain(["visible", "ancestor"]).chain(OWN.iter().copied());
    let list = words.clone().collect::<Vec<_>>().join(", ");
    let (en, zh) = closest(name, words).map_or_else(Default::default, |word| {
        (format!(" (did you mean `{word}`?)"), format!("（是否想写 `{word}`？）"))
    });
    (format!("nodes have no `{name}`{en}; one of {list}"), format!("节点没有 `{name}`{zh}；可选：{list}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_parse() {
        for (text, terms) in [
            ("id=login", 1),
            ("type=Text,text=忘记密码,bundle=com.x", 3),
            (r#"text="a,b \"c\" \\", visible=true"#, 2),
            (r#"type^=Te,ancestor="type=Row,id=bar""#, 2),
            ("text*=a=b", 1),
            ("text=", 1),
        ] {
            assert_eq!(Selector::parse(text).map(|selector| selector.terms.len()), Ok(terms), "{text}");
        }
        let quoted = Selector::parse(r#"text="a,b \"c\" \\""#).unwrap();
        assert_eq!(quoted.terms, [Term::Own("text".into(), Comparison::Whole, r#"a,b "c" \"#.into())]);
    }

    #[test]
    fn refusals_say_what_to_write() {
        for (text, part) in [
            ("", "key=value"),
            ("login", "key=value"),
            ("hashcode=1", "differs between two dumps"),
            ("txet=a", "did you mean `text`"),
            ("text=\"a", "not closed"),
            ("text=\"a\"b", "comma"),
            ("visible=yes", "true"),
            ("ancestor=\"nope\"", "key=value"),
            ("id=a,", "key=value"),
        ] {
            let (en, zh) = Selector::parse(text).unwrap_err();
            assert!(en.contains(part), "{text}: {en}");
            assert!(!zh.is_empty());
        }
    }
}
