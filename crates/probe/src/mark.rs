//! What a reading measured, as marks for whoever draws it: frames, and the lengths between or along them. Everything comes
//! from the reading itself, so that a report can be drawn from its artifact alone.

use std::collections::BTreeMap;

use gate::observation::{Place, Reading};
use gate::pack::Scalar;

use crate::layout;

/// Beyond a billion pixels nothing is a screen, and sums stay far from overflow.
const FARTHEST: u64 = 1_000_000_000;

/// A box in whole pixels; `right` and `bottom` are exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frame {
    /// Left edge.
    pub left: i64,
    /// Top edge.
    pub top: i64,
    /// Right edge.
    pub right: i64,
    /// Bottom edge.
    pub bottom: i64,
}

impl Frame {
    /// The box of a place, if it is one and lies on what could be a screen.
    pub fn of(place: &Place) -> Option<Self> {
        let Place::Box { left, top, right, bottom } = *place else { return None };
        let is_near = [left, top, right, bottom].iter().all(|edge| edge.unsigned_abs() <= FARTHEST);
        is_near.then_some(Frame { left, top, right, bottom })
    }

    /// Its width; a box the wrong way round has none.
    pub fn width(self) -> i64 {
        self.right.saturating_sub(self.left).max(0)
    }

    /// Its height, likewise.
    pub fn height(self) -> i64 {
        self.bottom.saturating_sub(self.top).max(0)
    }

    /// Its middle.
    pub fn middle(self) -> (i64, i64) {
        (self.left + self.width() / 2, self.top + self.height() / 2)
    }
}

/// Something that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A node, or a part of a picture.
    Frame(Frame),
    /// A length, from one point to another.
    Length {
        /// Where it begins: x, then y.
        from: (i64, i64),
        /// Where it ends.
        to: (i64, i64),
    },
}

/// The marks of one reading, frames before lengths.
pub fn marks(reader: &str, with: &BTreeMap<String, Scalar>, reading: &Reading) -> Vec<Mark> {
    let frames: Vec<Frame> = reading.places.iter().filter_map(Frame::of).collect();
    let measure = match with.get("measure") {
        Some(Scalar::Text(word)) if reader == layout::INFO.name => Some(word.as_str()),
        _ => None,
    };
    let length = measure.and_then(|word| layout::length(word, &frames));
    let lengths = length.map(|(from, to)| Mark::Length { from, to });
    frames.iter().copied().map(Mark::Frame).chain(lengths).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(measure: &str, boxes: &[[i64; 4]]) -> Vec<Mark> {
        let places = boxes.iter().map(|[left, top, right, bottom]| Place::Box {
            left: *left,
            top: *top,
            right: *right,
            bottom: *bottom,
        });
        let places = [Place::Pointer { pointer: "/0".into() }].into_iter().chain(places).collect();
        let reading = Reading { actual: Scalar::Text("1px".into()), places, note: None };
        marks("layout", &[("measure".to_owned(), Scalar::Text(measure.into()))].into(), &reading)
    }

    fn length(measure: &str, boxes: &[[i64; 4]]) -> Option<((i64, i64), (i64, i64))> {
        drawn(measure, boxes).into_iter().find_map(|mark| match mark {
            Mark::Length { from, to } => Some((from, to)),
            Mark::Frame(_) => None,
        })
    }

    #[test]
    fn a_length_lies_where_it_was_measured() {
        let wide = [10, 20, 110, 40];
        let below = [10, 52, 60, 80];
        for (measure, boxes, expected) in [
            ("width", &[wide][..], Some(((10, 37), (110, 37)))),
            ("height", &[wide], Some(((94, 20), (94, 40)))),
            ("touchTarget", &[wide], Some(((94, 20), (94, 40)))),
            ("minSide", &[below], Some(((52, 52), (52, 80)))),
            ("left", &[wide], Some(((0, 30), (10, 30)))),
            ("bottom", &[wide], Some(((60, 0), (60, 40)))),
            ("gapVertical", &[wide, below], Some(((35, 40), (35, 52)))),
            ("gapVertical", &[below, wide], Some(((35, 40), (35, 52)))),
            ("gapHorizontal", &[wide, [120, 20, 130, 60]], Some(((110, 30), (120, 30)))),
            ("alignLeft", &[wide, [14, 52, 60, 80]], Some(((10, 46), (14, 46)))),
            ("gapVertical", &[wide], None),
            ("text", &[wide], None),
            ("bogus", &[wide], None),
            ("width", &[], None),
        ] {
            assert_eq!(length(measure, boxes), expected, "{measure} {boxes:?}");
        }
    }

    #[test]
    fn frames_come_before_lengths() {
        let marks = drawn("width", &[[0, 0, 4, 2]]);
        assert_eq!(marks.first(), Some(&Mark::Frame(Frame { left: 0, top: 0, right: 4, bottom: 2 })));
        assert_eq!(marks.len(), 2);
    }
}
