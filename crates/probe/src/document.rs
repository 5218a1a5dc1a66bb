//! A document in memory, parsed once for all questions that are put to it.

use std::cell::OnceCell;

use gate::lang::Lang;

use crate::answer::Outcome;
use crate::input::text_in;
use crate::layout::Tree;

/// See the module. Only a reader that [`Document::serves`] looks here; every other one reads the stream.
pub struct Document<'a> {
    bytes: &'a [u8],
    layout: OnceCell<Tree<'a>>,
}

impl<'a> Document<'a> {
    /// A document that nobody asked about yet.
    pub fn new(bytes: &'a [u8]) -> Self {
        Document { bytes, layout: OnceCell::new() }
    }

    /// Whether a reader makes something of a document that serves its next question as well.
    pub fn serves(reader: &str) -> bool {
        reader == crate::layout::INFO.name
    }

    pub(crate) fn layout(&self, lang: Lang) -> Outcome<&Tree<'a>> {
        match self.layout.get() {
            Some(tree) => Ok(tree),
            None => {
                let tree = Tree::parse(text_in(self.bytes, lang)?, lang)?;
                Ok(self.layout.get_or_init(|| tree))
            }
        }
    }
}
