//! The closest known word to a mistyped one.

/// The nearest of `known`, if it is near enough to be meant: at most a third of the letters differ.
pub(crate) fn closest(given: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let given = given.to_lowercase();
    known
        .map(|word| (strsim::damerau_levenshtein(&given, &word.to_lowercase()), word))
        .filter(|(distance, word)| *distance <= word.len().div_ceil(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn a_typo_finds_its_word_and_noise_finds_none() {
        let known = || ["layout", "density", "trace"].into_iter();
        assert_eq!(closest("layuot", known()), Some("layout"));
        assert_eq!(closest("Trace", known()), Some("trace"));
        assert_eq!(closest("screenshots", known()), None);
    }
}
