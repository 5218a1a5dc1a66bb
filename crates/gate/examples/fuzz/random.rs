//! Random choices that a seed repeats (SplitMix64).

/// A source of choices.
pub struct Random(u64);

impl Random {
    /// The same seed makes the same choices.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to, and without, `end`, which is above 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).unwrap_or(0)
    }

    /// One of `of` times.
    pub fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    /// One of several, of which there is at least one.
    pub fn pick<'t, T>(&mut self, several: &'t [T]) -> &'t T {
        &several[self.below(several.len())]
    }

    /// Any character.
    pub fn char(&mut self) -> char {
        let ranges = [0x80, 0x300, 0x3100, 0xA000, 0x1_0000, 0x11_0000];
        let end = *self.pick(&ranges);
        u32::try_from(self.below(end)).ok().and_then(char::from_u32).unwrap_or('\u{FFFD}')
    }
}
