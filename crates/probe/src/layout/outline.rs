//! A layout tree as boxes, for whoever draws the screen.

use super::tree::{Node, Tree};
use crate::input::text_of;
use crate::mark::Frame;
use gate::lang::Lang;
use gate::observation::Place;

/// What a screen shows, as boxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The whole screen.
    pub screen: Frame,
    /// The visible nodes, in document order: what is drawn later lies above.
    pub nodes: Vec<Outlined>,
}

/// One visible node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlined {
    /// Its JSON pointer, as the places of readings name it.
    pub pointer: String,
    /// What is visible of it.
    pub frame: Frame,
    /// Its component, such as `Text`.
    pub component: String,
    /// Its text, else its hint.
    pub text: Option<String>,
    /// Whether it can be clicked.
    pub clickable: bool,
}

/// The outline of a layout tree. None of anything else, and of a tree that names no screen.
pub fn outline(bytes: Vec<u8>) -> Option<Outline> {
    let text = text_of(bytes, Lang::En).ok()?;
    let tree = Tree::parse(&text, Lang::En).ok()?;
    let screen =
        Frame::of(&tree.screen()?.place()).filter(|screen| screen.width() > 0 && screen.height() > 0)?;
    let visible = (0..tree.nodes.len()).filter(|index| tree.is_visible(*index));
    let nodes = visible.filter_map(|index| outlined(&tree, index)).collect();
    Some(Outline { screen, nodes })
}

fn outlined(tree: &Tree<'_>, index: usize) -> Option<Outlined> {
    let node = tree.node(index).filter(|node| !node.is_synthetic())?;
    let Place::Pointer { pointer } = tree.place(index) else { return None };
    Some(Outlined {
        pointer,
        frame: Frame::of(&node.bounds()?.place())?,
        component: node.attribute("type").unwrap_or_default().to_owned(),
        text: shown_text(node),
        clickable: node.attribute("clickable") == Some("true"),
    })
}

fn shown_text(node: &Node<'_>) -> Option<String> {
    let texts = ["text", "hint"].into_iter().filter_map(|name| node.attribute(name));
    texts.map(str::trim).find(|text| !text.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_visible_is_outlined() {
        let tree = r#"{"attributes":{"bounds":"[0,0][100,200]"},"children":[
            {"attributes":{"type":"Text","text":"登录","bounds":"[10,20][90,40]","clickable":"true"},"children":[]},
            {"attributes":{"type":"TextInput","hint":"account","bounds":"[10,50][90,70]"},"children":[]},
            {"attributes":{"type":"Text","text":"gone","bounds":"[0,0][0,0]"},"children":[]},
            {"attributes":{"type":"Text","bounds":"[0,0][9,9]","visible":"false"},"children":[]}]}"#;
        let outline = outline(tree.into()).unwrap();
        assert_eq!((outline.screen.width(), outline.screen.height()), (100, 200));
        let seen: Vec<_> = outline
            .nodes
            .iter()
            .map(|node| (node.pointer.as_str(), node.text.as_deref(), node.clickable))
            .collect();
        assert_eq!(seen, [("/children/0", Some("登录"), true), ("/children/1", Some("account"), false)]);
    }

    #[test]
    fn anything_else_has_no_outline() {
        for bytes in ["", "{}", "[1]", "no json", r#"{"attributes":{},"children":[]}"#] {
            assert_eq!(outline(bytes.into()), None, "{bytes}");
        }
        assert_eq!(outline(vec![0xFF, 0xFE, 0]), None);
    }
}
