//! Layout trees of both dialects as one arena: `uitest dumpLayout` and the ArkUI inspector.

use std::borrow::Cow;

use gate::lang::Lang;
use gate::observation::Place;
use gate::say;

use super::rect::Rect;
use crate::answer::{Outcome, unreadable};
use crate::json_text::{JsonError, JsonText, Token, skip_banner};

/// One node. Nodes stand in document order, so a subtree is a range of indices.
pub(crate) struct Node<'a> {
    pub(crate) parent: Option<usize>,
    /// The first index after the subtree.
    pub(crate) end: usize,
    /// Index among its siblings.
    rank: usize,
    attributes: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    inspector: bool,
    /// Whether it, or anything above it, says that it is hidden.
    hidden: bool,
}

/// A whole dump.
pub(crate) struct Tree<'a> {
    pub(crate) nodes: Vec<Node<'a>>,
    /// Whether the document is an array of roots.
    many_roots: bool,
}

impl<'a> Node<'a> {
    /// The attribute as written, in the inspector dialect under the name that it has there.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let names: &[&str] = match (self.inspector, name) {
            (_, "id") => &["id", "key"],
            (true, "text") => &["content", "label", "text"],
            (true, "hint") => &["hint", "placeholder"],
            (true, "description") => &["accessibilityText", "accessibilityDescription"],
            _ => return self.raw(name),
        };
        let mut found = names.iter().filter_map(|name| self.raw(name));
        found.clone().find(|value| !value.is_empty()).or_else(|| found.next())
    }

    fn raw(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_ref())
    }

    /// What is visible of it, in pixels.
    pub(crate) fn bounds(&self) -> Option<Rect> {
        self.raw(if self.inspector { "$rect" } else { "bounds" }).and_then(Rect::parse)
    }

    /// All of it, in pixels; absent where the dump does not say.
    pub(crate) fn full(&self) -> Option<Rect> {
        self.raw(if self.inspector { "$rect" } else { "origBounds" }).and_then(Rect::parse)
    }

    /// The root that a dump invents to hold the windows.
    pub(crate) fn is_synthetic(&self) -> bool {
        self.parent.is_none() && self.raw("type").is_none_or(str::is_empty)
    }

    /// Whether it says of itself that it is hidden.
    fn hides(&self) -> bool {
        let visibility = self.raw("visibility").unwrap_or_default();
        self.raw("visible") == Some("false") || visibility.ends_with("Hidden") || visibility.ends_with("None")
    }
}

impl<'a> Tree<'a> {
    /// Parses a dump; a first line that is no JSON (`DumpLayout saved to:…`) is skipped.
    pub(crate) fn parse(text: &'a str, lang: Lang) -> Outcome<Tree<'a>> {
        let mut builder =
            Builder { tree: Tree { nodes: Vec::new(), many_roots: false }, roots: 0, open: Vec::new() };
        let body = skip_banner(text);
        match builder.run(&mut JsonText::new(body)) {
            Ok(()) => {}
            Err(Fault::Json(error)) => return unreadable(error.explain(lang)),
            Err(Fault::Duplicate(name)) => {
                return unreadable(say!(lang, "a node has `{name}` twice", "同一节点中 `{name}` 出现了两次"));
            }
            Err(Fault::NoNode) => {
                return unreadable(say!(
                    lang,
                    "no layout tree: expected `attributes` and `children` (uitest dumpLayout) or `$type` and `$children` (ArkUI inspector)",
                    "不是布局树：应含 `attributes` 与 `children`（uitest dumpLayout），或 `$type` 与 `$children`（ArkUI inspector）"
                ));
            }
        }
        let mut tree = builder.tree;
        tree.inherit_hiding();
        Ok(tree)
    }

    /// Parents stand before their children, so one pass is enough.
    fn inherit_hiding(&mut self) {
        for index in 0..self.nodes.len() {
            let above =
                self.node(index).and_then(|node| self.node(node.parent?)).is_some_and(|parent| parent.hidden);
            if let Some(node) = self.nodes.get_mut(index) {
                node.hidden = above || node.hides();
            }
        }
    }

    pub(crate) fn node(&self, index: usize) -> Option<&Node<'a>> {
        self.nodes.get(index)
    }

    /// The node itself, then its ancestors up to the root.
    pub(crate) fn self_and_ancestors(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(index), |index| self.node(*index).and_then(|node| node.parent))
    }

    /// An attribute that a window's root carries for all beneath it, such as `bundleName`.
    pub(crate) fn inherited(&self, index: usize, name: &str) -> Option<&str> {
        self.self_and_ancestors(index)
            .filter_map(|index| self.node(index)?.attribute(name))
            .find(|value| !value.is_empty())
    }

    /// Whether anything of it can be seen: nothing hides it, and its visible box has an area.
    pub(crate) fn is_visible(&self, index: usize) -> bool {
        self.node(index)
            .is_some_and(|node| !node.hidden && node.bounds().is_some_and(|bounds| !bounds.is_empty()))
    }

    /// Levels from the topmost real node, which is 1.
    pub(crate) fn depth(&self, index: usize) -> usize {
        self.self_and_ancestors(index)
            .filter(|index| self.node(*index).is_some_and(|node| !node.is_synthetic()))
            .count()
    }

    /// The screen: the box of the invented root, if the dump has one.
    pub(crate) fn screen(&self) -> Option<Rect> {
        self.nodes
            .iter()
            .find(|node| node.parent.is_none())
            .and_then(|node| node.bounds().or_else(|| node.full()))
    }

    /// The JSON pointer of a node.
    pub(crate) fn place(&self, index: usize) -> Place {
        let mut path: Vec<usize> = self.self_and_ancestors(index).collect();
        path.reverse();
        let mut pointer = String::new();
        for node in path.into_iter().filter_map(|index| self.node(index)) {
            pointer.push_str(match (node.parent, node.inspector) {
                (Some(_), false) => "/children/",
                (Some(_), true) => "/$children/",
                (None, _) if self.many_roots => "/",
                (None, _) => continue,
            });
            pointer.push_str(&node.rank.to_string());
        }
        Place::Pointer { pointer }
    }
}

enum Fault {
    Json(JsonError),
    NoNode,
    /// An attribute that stands twice in one node has two values.
    Duplicate(String),
}

/// What the parser is inside of.
enum Open {
    Roots,
    Node {
        index: usize,
        children: usize,
        is_node: bool,
    },
    Attributes,
    Children,
    /// Something that no reading needs.
    Other,
}

struct Builder<'a> {
    tree: Tree<'a>,
    roots: usize,
    open: Vec<Open>,
}

impl<'a> Builder<'a> {
    fn run(&mut self, json: &mut JsonText<'a>) -> Result<(), Fault> {
        let mut key: Option<Cow<'a, str>> = None;
        while let Some(token) = json.next().map_err(Fault::Json)? {
            match token {
                Token::Key(name) => key = Some(name),
                Token::BeginObject => self.begin_object(key.take())?,
                Token::BeginArray => self.begin_array(key.take())?,
                Token::EndObject | Token::EndArray => self.end()?,
                Token::Text(text) => self.scalar(key.take(), text)?,
                Token::Number(raw) => self.scalar(key.take(), Cow::Borrowed(raw))?,
                Token::Bool(truth) => {
                    self.scalar(key.take(), Cow::Borrowed(if truth { "true" } else { "false" }))?
                }
                Token::Null => self.scalar(key.take(), Cow::Borrowed(""))?,
            }
        }
        if self.tree.nodes.is_empty() { Err(Fault::NoNode) } else { Ok(()) }
    }

    fn begin_object(&mut self, key: Option<Cow<'a, str>>) -> Result<(), Fault> {
        let open = match (self.open.last(), key.as_deref()) {
            (None | Some(Open::Roots | Open::Children), _) => self.begin_node(),
            (Some(Open::Node { .. }), Some("attributes")) => self.mark_node(false, Open::Attributes),
            (Some(Open::Node { .. }), Some("$attrs")) => self.mark_node(true, Open::Attributes),
            // One root is sometimes wrapped: `{"content": {"$type": …}}`.
            (Some(Open::Node { is_node: false, .. }), Some("content")) => self.begin_node(),
            _ => Open::Other,
        };
        self.open.push(open);
        Ok(())
    }

    fn begin_array(&mut self, key: Option<Cow<'a, str>>) -> Result<(), Fault> {
        let open = match (self.open.last(), key.as_deref()) {
            (None, _) => {
                self.tree.many_roots = true;
                Open::Roots
            }
            (Some(Open::Roots | Open::Children), _) => return Err(Fault::NoNode),
            (Some(Open::Node { .. }), Some("children" | "$children")) => Open::Children,
            _ => Open::Other,
        };
        self.open.push(open);
        Ok(())
    }

    fn begin_node(&mut self) -> Open {
        let index = self.tree.nodes.len();
        let parent = self.open.iter_mut().rev().find_map(|open| match open {
            Open::Node { index, children, .. } => {
                *children += 1;
                Some((*index, *children - 1))
            }
            _ => None,
        });
        let rank = match parent {
            Some((_, rank)) => rank,
            None => {
                self.roots += 1;
                self.roots - 1
            }
        };
        self.tree.nodes.push(Node {
            parent: parent.map(|(parent, _)| parent),
            end: index + 1,
            rank,
            attributes: Vec::with_capacity(24),
            inspector: false,
            hidden: false,
        });
        Open::Node { index, children: 0, is_node: false }
    }

    /// The innermost node turns out to be one, of a dialect.
    fn mark_node(&mut self, inspector: bool, open: Open) -> Open {
        let innermost = self.open.iter_mut().rev().find_map(|open| match open {
            Open::Node { index, is_node, .. } => {
                *is_node = true;
                Some(*index)
            }
            _ => None,
        });
        if let Some(node) = innermost.and_then(|index| self.tree.nodes.get_mut(index)) {
            node.inspector |= inspector;
        }
        open
    }

    fn end(&mut self) -> Result<(), Fault> {
        match self.open.pop() {
            Some(Open::Node { is_node: false, .. }) => Err(Fault::NoNode),
            Some(Open::Node { index, .. }) => {
                let end = self.tree.nodes.len();
                if let Some(node) = self.tree.nodes.get_mut(index) {
                    node.end = end;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn scalar(&mut self, key: Option<Cow<'a, str>>, value: Cow<'a, str>) -> Result<(), Fault> {
        let in_node = match self.open.last() {
            Some(Open::Attributes) => false,
            Some(Open::Node { .. }) => true,
            Some(Open::Other) => return Ok(()),
            None | Some(Open::Roots | Open::Children) => return Err(Fault::NoNode),
        };
        let Some(mut key) = key else { return Ok(()) };
        if in_node {
            match key.as_ref() {
                "$type" => {
                    self.mark_node(true, Open::Other);
                    key = Cow::Borrowed("type");
                }
                "$rect" => {}
                _ => return Ok(()),
            }
        }
        let innermost = self.open.iter().rev().find_map(|open| match open {
            Open::Node { index, .. } => Some(*index),
            _ => None,
        });
        if let Some(node) = innermost.and_then(|index| self.tree.nodes.get_mut(index)) {
            if node.attributes.iter().any(|(name, _)| *name == key) {
                return Err(Fault::Duplicate(key.into_owned()));
            }
            node.attributes.push((key, value));
        }
        Ok(())
    }
}
