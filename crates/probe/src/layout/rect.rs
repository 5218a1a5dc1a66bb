//! Boxes of layout trees, in millionths of a pixel: the inspector prints fractions.

use gate::observation::Place;

use crate::decimal::{parse_scaled, scaled};

/// Fraction digits of a coordinate.
const DECIMALS: u32 = 6;
const PIXEL: i64 = 1_000_000;

/// A box. Edges are millionths of a pixel; `right` and `bottom` are exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rect {
    pub(crate) left: i64,
    pub(crate) top: i64,
    pub(crate) right: i64,
    pub(crate) bottom: i64,
}

impl Rect {
    /// `[l,t][r,b]`, or `[l, t],[r, b]` with fractions. `None` for anything else and for edges beyond any screen.
    pub(crate) fn parse(text: &str) -> Option<Rect> {
        let (first, second) = text.trim().strip_prefix('[')?.strip_suffix(']')?.split_once(']')?;
        let second = second.trim_start_matches([',', ' ']).strip_prefix('[')?;
        let (left, top) = pair(first)?;
        let (right, bottom) = pair(second)?;
        Some(Rect { left, top, right, bottom })
    }

    pub(crate) fn width(self) -> i64 {
        self.right - self.left
    }

    pub(crate) fn height(self) -> i64 {
        self.bottom - self.top
    }

    /// Width and height in whole pixels, of a box that has both.
    pub(crate) fn size_in_pixels(self) -> Option<(u64, u64)> {
        let pixels = |length: i64| u64::try_from(length / PIXEL).ok().filter(|pixels| *pixels > 0);
        Some((pixels(self.width())?, pixels(self.height())?))
    }

    /// No area, or edges the wrong way round.
    pub(crate) fn is_empty(self) -> bool {
        self.width() <= 0 || self.height() <= 0
    }

    /// Square pixels of the box, scaled by `PIXEL` twice.
    pub(crate) fn area(self) -> i128 {
        i128::from(self.width().max(0)) * i128::from(self.height().max(0))
    }

    pub(crate) fn intersection(self, other: Rect) -> Rect {
        Rect {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// The pixels that it touches.
    pub(crate) fn place(self) -> Place {
        let up = |edge: i64| -(-edge).div_euclid(PIXEL);
        Place::Box {
            left: self.left.div_euclid(PIXEL),
            top: self.top.div_euclid(PIXEL),
            right: up(self.right),
            bottom: up(self.bottom),
        }
    }
}

/// Two coordinates. Beyond a billion pixels nothing is a screen, and sums stay far from overflow.
fn pair(text: &str) -> Option<(i64, i64)> {
    let (first, second) = text.split_once(',')?;
    let coordinate =
        |text: &str| parse_scaled(text.trim(), DECIMALS).filter(|value| value.abs() <= 1_000_000_000 * PIXEL);
    Some((coordinate(first)?, coordinate(second)?))
}

/// A length as the gate reads it: `197px`.
pub(crate) fn px(length: i64) -> String {
    format!("{}px", scaled(i128::from(length), DECIMALS as usize))
}

/// An area in square pixels, a bare number.
pub(crate) fn square_px(area: i128) -> String {
    scaled(area, 2 * DECIMALS as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_dialects_parse_and_nothing_else() {
        let whole = Rect { left: 0, top: -136_000_000, right: 1_344_000_000, bottom: 2_772_000_000 };
        for (text, rect) in [
            ("[0,-136][1344,2772]", Some(whole)),
            ("[0.00, -136.00],[1344.00,2772.00]", Some(whole)),
            ("[0,0][1344]", None),
            ("[0,0][1344,2772", None),
            ("", None),
            ("[a,b][c,d]", None),
            ("[0,0][99999999999,1]", None),
        ] {
            assert_eq!(Rect::parse(text), rect, "{text}");
        }
    }

    #[test]
    fn lengths_print_exactly() {
        let rect = Rect::parse("[0.25,0][10.5,3]").unwrap();
        assert_eq!((px(rect.width()), px(-rect.height())), ("10.25px".into(), "-3px".into()));
        assert_eq!(square_px(rect.area()), "30.75");
        assert_eq!(rect.place(), Place::Box { left: 0, top: 0, right: 11, bottom: 3 });
    }
}
