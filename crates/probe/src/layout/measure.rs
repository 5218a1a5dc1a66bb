//! The measures of a layout tree.

use gate::lang::Lang;
use gate::observation::{Place, Reading};
use gate::say;

use super::asked::Asked;
use super::selector::Selector;
use super::tree::Tree;
use crate::answer::{Outcome, missing, nothing, reading, reading_at, truth};
use crate::pick::Pick;

/// An edge or a centre, where two nodes can be aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    Left,
    Top,
    Right,
    Bottom,
    CenterX,
    CenterY,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Width,
    Height,
    Smaller,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Size(Side),
    Position(Edge),
    GapVertical,
    GapHorizontal,
    TouchTarget(Side),
    Align(Edge),
    OverlapArea,
    Overflow,
    Text,
    AccessibleName,
    Attribute,
    BackgroundColor,
    Presence,
    Count,
    Nodes,
    Depth,
}

/// Words of measures, one line each.
const WORDS: &[(&str, Measure)] = &[
    ("width", Measure::Size(Side::Width)),
    ("height", Measure::Size(Side::Height)),
    ("minSide", Measure::Size(Side::Smaller)),
    ("left", Measure::Position(Edge::Left)),
    ("top", Measure::Position(Edge::Top)),
    ("right", Measure::Position(Edge::Right)),
    ("bottom", Measure::Position(Edge::Bottom)),
    ("gapVertical", Measure::GapVertical),
    ("gapHorizontal", Measure::GapHorizontal),
    ("touchTarget", Measure::TouchTarget(Side::Smaller)),
    ("touchTargetWidth", Measure::TouchTarget(Side::Width)),
    ("touchTargetHeight", Measure::TouchTarget(Side::Height)),
    ("alignLeft", Measure::Align(Edge::Left)),
    ("alignRight", Measure::Align(Edge::Right)),
    ("alignTop", Measure::Align(Edge::Top)),
    ("alignBottom", Measure::Align(Edge::Bottom)),
    ("alignCenterX", Measure::Align(Edge::CenterX)),
    ("alignCenterY", Measure::Align(Edge::CenterY)),
    ("overlapArea", Measure::OverlapArea),
    ("overflow", Measure::Overflow),
    ("text", Measure::Text),
    ("accessibleName", Measure::AccessibleName),
    ("attribute", Measure::Attribute),
    ("backgroundColor", Measure::BackgroundColor),
    ("presence", Measure::Presence),
    ("count", Measure::Count),
    ("nodes", Measure::Nodes),
    ("depth", Measure::Depth),
];

impl Measure {
    pub(crate) fn from_word(word: &str) -> Option<Measure> {
        WORDS.iter().find(|(known, _)| *known == word).map(|(_, measure)| *measure)
    }

    pub(crate) fn word(self) -> &'static str {
        WORDS.iter().find(|(_, measure)| *measure == self).map_or("", |(word, _)| word)
    }

    pub(crate) fn needs_node(self) -> bool {
        !matches!(self, Measure::Nodes | Measure::Depth)
    }

    /// Whether several matches of `node` have to be told apart.
    pub(crate) fn picks(self) -> bool {
        !matches!(self, Measure::Presence | Measure::Count | Measure::Nodes | Measure::Depth)
    }

    pub(crate) fn takes_other(self) -> bool {
        self.needs_other(Pick::Only) || self == Measure::Overflow
    }

    pub(crate) fn needs_other(self, pick: Pick) -> bool {
        match self {
            Measure::GapVertical | Measure::GapHorizontal => pick != Pick::All,
            Measure::Align(_) | Measure::OverlapArea => true,
            _ => false,
        }
    }

    pub(crate) fn is_length(self) -> bool {
        matches!(
            self,
            Measure::Size(_)
                | Measure::Position(_)
                | Measure::GapVertical
                | Measure::GapHorizontal
                | Measure::TouchTarget(_)
                | Measure::Align(_)
                | Measure::Overflow
        )
    }
}

/// What is asked of a layout tree.
pub(crate) struct Question {
    pub(crate) measure: Measure,
    pub(crate) node: Option<Selector>,
    pub(crate) pick: Pick,
    pub(crate) to: Option<Selector>,
    pub(crate) to_pick: Pick,
    pub(crate) bundle: Option<String>,
    pub(crate) attribute: Option<String>,
}

impl Question {
    pub(crate) fn answer(&self, tree: &Tree<'_>, density: Option<&str>, lang: Lang) -> Outcome<Vec<Reading>> {
        let asked = Asked { tree, density, lang };
        match (self.measure, &self.node) {
            (Measure::Nodes | Measure::Depth, node) => self.structure(&asked, node.as_ref()),
            (_, None) => missing(say!(lang, "no node is named", "没有指明节点")),
            (Measure::Presence | Measure::Count, Some(node)) => self.matches(&asked, node),
            (_, Some(node)) => {
                let matches = asked.select(node)?;
                let what = node.describe(lang);
                let nodes = self.pick.apply(&matches, &what, "pick", lang)?;
                self.measured(&asked, &nodes)
            }
        }
    }

    fn measured(&self, asked: &Asked<'_>, nodes: &[usize]) -> Outcome<Vec<Reading>> {
        if let Measure::GapVertical | Measure::GapHorizontal = self.measure
            && self.to.is_none()
        {
            return asked.gaps_between(nodes, self.measure);
        }
        let other = match &self.to {
            None => None,
            Some(to) => {
                let matches = asked.select(to)?;
                let what = to.describe(asked.lang);
                self.to_pick.apply(&matches, &what, "toPick", asked.lang)?.first().copied()
            }
        };
        nodes.iter().map(|node| self.one(asked, *node, other)).collect()
    }

    fn one(&self, asked: &Asked<'_>, node: usize, other: Option<usize>) -> Outcome<Reading> {
        match (self.measure, other) {
            (Measure::Size(side), _) => asked.size(node, side),
            (Measure::Position(edge), _) => asked.position(node, edge),
            (Measure::TouchTarget(side), _) => asked.touch_target(node, side),
            (Measure::Overflow, other) => asked.overflow(node, other),
            (Measure::Text, _) => asked.attribute(node, "text"),
            (Measure::AccessibleName, _) => asked.accessible_name(node),
            (Measure::BackgroundColor, _) => asked.attribute(node, "backgroundColor"),
            (Measure::Attribute, _) => asked.attribute(node, self.attribute.as_deref().unwrap_or_default()),
            (measure, Some(other)) => asked.between(measure, node, other),
            (_, None) => missing(say!(asked.lang, "no other node is named", "没有指明另一节点")),
        }
    }

    fn matches(&self, asked: &Asked<'_>, node: &Selector) -> Outcome<Vec<Reading>> {
        let matches = asked.select(node)?;
        let places: Vec<Place> = matches.iter().map(|index| asked.tree.place(*index)).collect();
        match (self.measure, matches.is_empty()) {
            (Measure::Presence, true) => {
                let selector = &node.text;
                nothing(say!(asked.lang, "no node matches {selector}", "没有节点匹配 {selector}"))
            }
            (Measure::Presence, false) => {
                let mut found = truth(true, Place::File);
                found.places = places;
                Ok(vec![found])
            }
            (_, true) => Ok(vec![reading("0", Place::File)]),
            (_, false) => Ok(vec![reading_at(matches.len().to_string(), places)]),
        }
    }

    /// `nodes` and `depth`: of one node's subtree, of an application, or of a dump that holds one application.
    fn structure(&self, asked: &Asked<'_>, node: Option<&Selector>) -> Outcome<Vec<Reading>> {
        let tree = asked.tree;
        let (members, root): (Vec<usize>, Option<usize>) = match node {
            Some(selector) => {
                let what = selector.describe(asked.lang);
                let matches = asked.select(selector)?;
                let root = Pick::Only
                    .apply(&matches, &what, "pick", asked.lang)?
                    .first()
                    .copied()
                    .unwrap_or_default();
                ((root..tree.node(root).map_or(root, |node| node.end)).collect(), Some(root))
            }
            None => (asked.application(self.bundle.as_deref())?, None),
        };
        let base = root.map_or(0, |root| tree.depth(root) - 1);
        let Some(deepest) =
            members.iter().copied().max_by_key(|index| (tree.depth(*index), usize::MAX - *index))
        else {
            return missing(say!(asked.lang, "the tree has no node", "布局树没有节点"));
        };
        let first = members.first().copied().unwrap_or_default();
        Ok(vec![match self.measure {
            Measure::Depth => reading((tree.depth(deepest) - base).to_string(), tree.place(deepest)),
            _ => reading(members.len().to_string(), tree.place(first)),
        }])
    }
}
