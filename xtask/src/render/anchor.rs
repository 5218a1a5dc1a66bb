//! Names of places within a report that stay the same whatever becomes of what stands there.

use std::fmt::Write as _;

/// A criterion's id as the end of an anchor. Two ids never share one.
pub fn anchor(id: &str) -> String {
    id.chars().fold(String::with_capacity(id.len()), |mut name, character| {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '.' => name.push(character),
            other => {
                // Writing to a String does not fail.
                let _ = write!(name, "_{:x}_", u32::from(other));
            }
        }
        name
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_told_apart() {
        assert_eq!(anchor("A-01"), "A-01");
        assert_eq!(anchor("a b_登"), "a_20_b_5f__767b_");
    }
}
