//! Where a measured length lies between the boxes that a reading rests on.

use super::measure::{Edge, Measure, Side};
use crate::mark::Frame;

type Points = ((i64, i64), (i64, i64));

/// The two ends of what `measure` measured, for a measure that is drawn as a line.
pub(crate) fn length(measure: &str, frames: &[Frame]) -> Option<Points> {
    let first = *frames.first()?;
    match Measure::from_word(measure)? {
        Measure::Size(side) | Measure::TouchTarget(side) => Some(along(first, side)),
        Measure::Position(edge) => Some(position(first, edge)),
        Measure::GapVertical => Some(turned(gap(turned_frame(first), turned_frame(*frames.get(1)?)))),
        Measure::GapHorizontal => Some(gap(first, *frames.get(1)?)),
        Measure::Align(edge) => Some(between_edges(first, *frames.get(1)?, edge)),
        _ => None,
    }
}

/// Beside the middle, where a text would stand.
fn along(frame: Frame, side: Side) -> Points {
    let (x, y) = (frame.right - frame.width() / 6, frame.bottom - frame.height() / 6);
    let is_across = match side {
        Side::Width => true,
        Side::Height => false,
        Side::Smaller => frame.width() < frame.height(),
    };
    if is_across { ((frame.left, y), (frame.right, y)) } else { ((x, frame.top), (x, frame.bottom)) }
}

/// From the edge of the screen.
fn position(frame: Frame, edge: Edge) -> Points {
    let (x, y) = frame.middle();
    match edge {
        Edge::Left => ((0, y), (frame.left, y)),
        Edge::Right => ((0, y), (frame.right, y)),
        Edge::CenterX => ((0, y), (x, y)),
        Edge::Top => ((x, 0), (x, frame.top)),
        Edge::Bottom => ((x, 0), (x, frame.bottom)),
        Edge::CenterY => ((x, 0), (x, y)),
    }
}

/// The horizontal gap, at the height where the two stand side by side.
fn gap(first: Frame, second: Frame) -> Points {
    let (top, bottom) = (first.top.max(second.top), first.bottom.min(second.bottom));
    let y = top + (bottom - top) / 2;
    ((first.right.min(second.right), y), (first.left.max(second.left), y))
}

fn between_edges(first: Frame, second: Frame, edge: Edge) -> Points {
    let of = |frame: Frame| match edge {
        Edge::Left => frame.left,
        Edge::Right => frame.right,
        Edge::CenterX => frame.middle().0,
        Edge::Top => frame.top,
        Edge::Bottom => frame.bottom,
        Edge::CenterY => frame.middle().1,
    };
    // Half way from the one to the other, across the direction in which they are aligned.
    let half_way = |near: i64, other_near: i64, far: i64, other_far: i64| {
        let (start, end) = (near.min(other_near), far.max(other_far));
        start + (end - start) / 2
    };
    if matches!(edge, Edge::Left | Edge::Right | Edge::CenterX) {
        let y = half_way(first.bottom, second.bottom, first.top, second.top);
        ((of(first), y), (of(second), y))
    } else {
        let x = half_way(first.right, second.right, first.left, second.left);
        ((x, of(first)), (x, of(second)))
    }
}

/// Mirrored at the diagonal, so that what holds across holds down as well.
fn turned_frame(frame: Frame) -> Frame {
    Frame { left: frame.top, top: frame.left, right: frame.bottom, bottom: frame.right }
}

fn turned(((x, y), (to_x, to_y)): Points) -> Points {
    ((y, x), (to_y, to_x))
}
