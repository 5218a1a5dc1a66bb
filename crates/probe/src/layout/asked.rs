//! A layout tree that is being asked: boxes, gaps, touch targets, names.

use std::collections::BTreeSet;

use gate::lang::Lang;
use gate::observation::{Place, Reading};
use gate::say;

use super::measure::{Edge, Measure, Side};
use super::rect::{Rect, px, square_px};
use super::selector::Selector;
use super::tree::{Node, Tree};
use crate::answer::{Outcome, missing, noted, nothing, reading, reading_at, unreadable};
use crate::decimal::{parse_scaled, rounded};
use crate::pick::Pick;

/// A tree that is being asked.
pub(super) struct Asked<'a> {
    pub(super) tree: &'a Tree<'a>,
    pub(super) density: Option<&'a str>,
    pub(super) lang: Lang,
}

/// What of a node its text stands in, and whether it can be seen: for a screenshot beside the layout.
pub(crate) fn visible_box(
    tree: &Tree<'_>,
    selector: &Selector,
    lang: Lang,
) -> Outcome<(Place, Option<Place>)> {
    let asked = Asked { tree, density: None, lang };
    let matches = asked.select(selector)?;
    let what = selector.describe(lang);
    let index = Pick::Only.apply(&matches, &what, "node", lang)?.first().copied().unwrap_or_default();
    match tree.node(index).and_then(Node::bounds) {
        Some(bounds) if tree.is_visible(index) => Ok((bounds.place(), tree.screen().map(Rect::place))),
        _ => missing(say!(lang, "nothing of {what} is visible", "{what}没有可见的部分")),
    }
}

impl Asked<'_> {
    /// The matches. Those of several applications at once are refused: the status bar is not what anyone means.
    pub(super) fn select(&self, selector: &Selector) -> Outcome<Vec<usize>> {
        let matches = selector.select(self.tree);
        if selector.names_window() {
            return Ok(matches);
        }
        let bundles: BTreeSet<_> =
            matches.iter().filter_map(|index| self.tree.inherited(*index, "bundleName")).collect();
        if bundles.len() > 1 {
            let (list, text) = (bundles.into_iter().collect::<Vec<_>>().join(", "), &selector.text);
            return unreadable(say!(
                self.lang,
                "{text} matches nodes of several applications ({list}): say which with bundle",
                "{text} 匹配到多个应用的节点（{list}）：请用 bundle 指明是哪一个"
            ));
        }
        Ok(matches)
    }

    /// The nodes of one application.
    pub(super) fn application(&self, bundle: Option<&str>) -> Outcome<Vec<usize>> {
        let real = (0..self.tree.nodes.len())
            .filter(|index| self.tree.node(*index).is_some_and(|node| !node.is_synthetic()));
        let all: Vec<(usize, Option<&str>)> =
            real.map(|index| (index, self.tree.inherited(index, "bundleName"))).collect();
        let bundles: BTreeSet<&str> = all.iter().filter_map(|(_, name)| *name).collect();
        let list = bundles.iter().copied().collect::<Vec<_>>().join(", ");
        match bundle {
            None if bundles.len() > 1 => unreadable(say!(
                self.lang,
                "the dump holds several applications ({list}): say which with bundle",
                "导出中有多个应用（{list}）：请用 bundle 指明是哪一个"
            )),
            Some(bundle) if !bundles.contains(bundle) => missing(say!(
                self.lang,
                "no node of {bundle}: the dump holds {list}",
                "没有 {bundle} 的节点：导出中有 {list}"
            )),
            _ => Ok(all
                .into_iter()
                .filter(|(_, name)| bundle.is_none() || *name == bundle)
                .map(|(index, _)| index)
                .collect()),
        }
    }

    /// All of a node: `origBounds`, or `bounds` where nothing can have cut it.
    fn full(&self, index: usize) -> Outcome<Rect> {
        let lang = self.lang;
        let node = self.tree.node(index);
        let rect = match node.map(|node| (node.full(), node.bounds())) {
            Some((Some(full), _)) => full,
            Some((None, Some(bounds))) if !self.may_be_cut(index, bounds) => bounds,
            Some((None, Some(_))) => {
                return missing(say!(
                    lang,
                    "the dump has no origBounds and the node touches an edge that may cut it: its size is not known",
                    "导出中没有 origBounds，而节点贴着可能裁切它的边缘：真实尺寸不可知"
                ));
            }
            _ => return missing(say!(lang, "the node has no bounds", "节点没有 bounds")),
        };
        if rect.width() < 0 || rect.height() < 0 {
            return unreadable(say!(
                lang,
                "the node's bounds are the wrong way round",
                "节点的 bounds 左右或上下颠倒"
            ));
        }
        Ok(rect)
    }

    fn may_be_cut(&self, index: usize, bounds: Rect) -> bool {
        let ancestors = self.tree.self_and_ancestors(index).skip(1);
        ancestors.filter_map(|index| self.tree.node(index)?.bounds()).any(|outer| {
            bounds.left <= outer.left
                || bounds.top <= outer.top
                || bounds.right >= outer.right
                || bounds.bottom >= outer.bottom
        })
    }

    /// A length between or of nodes, with all boxes it rests on.
    fn length(&self, length: i64, nodes: &[usize]) -> Outcome<Reading> {
        let mut places = Vec::new();
        for node in nodes {
            places.push(self.tree.place(*node));
            places.push(self.full(*node)?.place());
        }
        let reading = reading_at(px(length), places);
        Ok(match self.density.and_then(|density| vp_note(length, density, self.lang)) {
            Some(note) => noted(reading, note),
            None => reading,
        })
    }

    pub(super) fn size(&self, node: usize, side: Side) -> Outcome<Reading> {
        self.length(side_of(self.full(node)?, side), &[node])
    }

    pub(super) fn position(&self, node: usize, edge: Edge) -> Outcome<Reading> {
        self.length(doubled(self.full(node)?, edge) / 2, &[node])
    }

    pub(super) fn touch_target(&self, node: usize, side: Side) -> Outcome<Reading> {
        let clickable = |index: &usize| {
            self.tree.node(*index).and_then(|node| node.attribute("clickable")) == Some("true")
        };
        let mut smallest: Option<(i128, usize)> = None;
        for index in self.tree.self_and_ancestors(node).filter(clickable) {
            let area = self.full(index)?.area();
            if smallest.is_none_or(|(least, _)| area < least) {
                smallest = Some((area, index));
            }
        }
        match smallest {
            Some((_, target)) => self.length(side_of(self.full(target)?, side), &[target]),
            None => missing(say!(
                self.lang,
                "neither the node nor anything above it is clickable: there is no touch target",
                "节点及其上层都不可点击：没有触控热区"
            )),
        }
    }

    /// By how much the node exceeds the other (its parent, if none is named) on the side where it exceeds it most.
    pub(super) fn overflow(&self, node: usize, other: Option<usize>) -> Outcome<Reading> {
        let Some(outer) = other.or_else(|| self.tree.node(node).and_then(|node| node.parent)) else {
            return missing(say!(self.lang, "the node has no parent", "节点没有父节点"));
        };
        let inner = self.full(node)?;
        let rect = match self.tree.node(outer) {
            // The invented root has no origBounds and is the screen, which nothing cuts.
            Some(root) if root.is_synthetic() => root.bounds().or_else(|| root.full()),
            _ => Some(self.full(outer)?),
        };
        let Some(rect) = rect else {
            return missing(say!(self.lang, "the parent has no bounds", "父节点没有 bounds"));
        };
        let sides = [
            rect.left - inner.left,
            rect.top - inner.top,
            inner.right - rect.right,
            inner.bottom - rect.bottom,
        ];
        let most = sides.into_iter().max().unwrap_or_default().max(0);
        let mut reading = self.length(most, &[node])?;
        reading.places.extend([self.tree.place(outer), rect.place()]);
        Ok(reading)
    }

    pub(super) fn between(&self, measure: Measure, node: usize, other: usize) -> Outcome<Reading> {
        let (first, second) = (self.full(node)?, self.full(other)?);
        match measure {
            Measure::GapVertical | Measure::GapHorizontal => {
                self.length(gap(measure, first, second), &[node, other])
            }
            Measure::Align(edge) => {
                let difference = (doubled(first, edge) - doubled(second, edge)).abs();
                self.length(difference / 2, &[node, other])
            }
            _ => {
                let area = first.intersection(second).area();
                let places = [self.tree.place(node), first.place(), self.tree.place(other), second.place()];
                let note = say!(self.lang, "square pixels", "平方像素");
                Ok(noted(reading_at(square_px(area), places.into()), note))
            }
        }
    }

    /// The gaps between neighbours, in the order in which they stand on the screen.
    pub(super) fn gaps_between(&self, nodes: &[usize], measure: Measure) -> Outcome<Vec<Reading>> {
        let mut boxes = Vec::new();
        for node in nodes {
            let rect = self.full(*node)?;
            let start = if measure == Measure::GapVertical { rect.top } else { rect.left };
            boxes.push((start, *node, rect));
        }
        boxes.sort_by_key(|(start, node, _)| (*start, *node));
        if boxes.len() < 2 {
            return missing(say!(self.lang, "one node alone has no gap", "只有一个节点，没有间距"));
        }
        let neighbours = boxes.iter().zip(boxes.iter().skip(1));
        neighbours
            .map(|((_, node, first), (_, other, second))| {
                self.length(gap(measure, *first, *second), &[*node, *other])
            })
            .collect()
    }

    pub(super) fn attribute(&self, index: usize, name: &str) -> Outcome<Reading> {
        match self.tree.node(index).and_then(|node| node.attribute(name)) {
            None => missing(say!(self.lang, "the node has no attribute {name}", "节点没有属性 {name}")),
            Some("") => nothing(say!(self.lang, "the node's {name} is empty", "节点的 {name} 为空")),
            Some(value) => Ok(reading(value, self.tree.place(index))),
        }
    }

    /// What a screen reader says: text, description, hint, else the texts beneath.
    pub(super) fn accessible_name(&self, index: usize) -> Outcome<Reading> {
        let own = ["text", "description", "hint"];
        let named = |index: usize, names: &[&str]| {
            let node = self.tree.node(index)?;
            names.iter().filter_map(|name| node.attribute(name)).find(|value| !value.trim().is_empty())
        };
        if let Some(name) = named(index, &own) {
            return Ok(reading(name, self.tree.place(index)));
        }
        let end = self.tree.node(index).map_or(index, |node| node.end);
        let beneath: Vec<(usize, &str)> = (index + 1..end)
            .filter_map(|index| Some((index, named(index, &["text", "description"])?)))
            .collect();
        if beneath.is_empty() {
            return nothing(say!(
                self.lang,
                "no accessible name: text, description and hint are empty, and nothing beneath has text",
                "没有无障碍名称：text、description、hint 均为空，其下也没有文本"
            ));
        }
        let text = beneath.iter().map(|(_, text)| *text).collect::<Vec<_>>().join(" ");
        Ok(reading_at(text, beneath.iter().map(|(index, _)| self.tree.place(*index)).collect()))
    }
}

fn side_of(rect: Rect, side: Side) -> i64 {
    match side {
        Side::Width => rect.width(),
        Side::Height => rect.height(),
        Side::Smaller => rect.width().min(rect.height()),
    }
}

/// Twice a coordinate, so that a centre between two pixels stays whole.
fn doubled(rect: Rect, edge: Edge) -> i64 {
    match edge {
        Edge::Left => rect.left * 2,
        Edge::Top => rect.top * 2,
        Edge::Right => rect.right * 2,
        Edge::Bottom => rect.bottom * 2,
        Edge::CenterX => rect.left + rect.right,
        Edge::CenterY => rect.top + rect.bottom,
    }
}

fn gap(measure: Measure, first: Rect, second: Rect) -> i64 {
    if measure == Measure::GapVertical {
        first.top.max(second.top) - first.bottom.min(second.bottom)
    } else {
        first.left.max(second.left) - first.right.min(second.right)
    }
}

/// `56.29vp ± 0.29 at density 3.5`: each edge rounds to a pixel, so a length in vp is known to a pixel only.
fn vp_note(length: i64, density: &str, lang: Lang) -> Option<String> {
    let per_vp = i128::from(parse_scaled(density, 6)?);
    let vp = rounded(i128::from(length), per_vp, 2)?;
    let tolerance = rounded(1_000_000, per_vp, 2)?;
    Some(say!(lang, "{vp}vp ± {tolerance} at density {density}", "密度 {density} 时为 {vp}vp ± {tolerance}"))
}
