//! When the lines of a trace happened that readings name: for whoever draws them on a time line.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Read as _};

use super::event::marker;
use crate::input::LINE_CAP;

/// Nanoseconds since boot of each of these lines, numbered from 1, that holds a marker. A stream that cannot be read
/// further ends there.
pub fn instants(stream: &mut dyn BufRead, lines: &BTreeSet<u64>) -> BTreeMap<u64, i64> {
    let mut found = BTreeMap::new();
    let Some(last) = lines.last() else { return found };
    let mut line = Vec::new();
    for number in 1..=*last {
        line.clear();
        let read = (&mut *stream).take(LINE_CAP as u64).read_until(b'\n', &mut line);
        if !read.is_ok_and(|read| read > 0) {
            break;
        }
        if lines.contains(&number)
            && let Some((head, _)) = marker(&line)
        {
            found.insert(number, head.ns);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_that_are_asked_for_have_their_time() {
        let trace = "# tracer: nop\n\
            app-7 ( 7) [000] .... 12.000500: tracing_mark_write: B|7|H:start\n\
            app-7 ( 7) [000] .... 12.000900: tracing_mark_write: E|7\n\
            nothing\n";
        let lines = [1, 2, 3, 4, 9].into();
        assert_eq!(
            instants(&mut trace.as_bytes(), &lines),
            [(2, 12_000_500_000), (3, 12_000_900_000)].into()
        );
        assert_eq!(instants(&mut trace.as_bytes(), &BTreeSet::new()), BTreeMap::new());
    }
}
