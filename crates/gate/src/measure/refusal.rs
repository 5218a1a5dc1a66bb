//! Why a text has no reading, or more than one.

/// Why a value cannot be read. [`Refusal::explain`] says what was read, why it is refused and what to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A control, format or other invisible character.
    Invisible {
        /// The character.
        found: char,
    },
    /// A numeral that is no ASCII digit after folding.
    ForeignNumeral {
        /// The character.
        found: char,
    },
    /// A combining mark on a digit.
    MarkedDigit,
    /// A Chinese numeral touches a number or its unit.
    HanNumeral {
        /// The character.
        found: char,
    },
    /// A number in words carries the expected unit.
    NumberWord {
        /// The words.
        text: String,
    },
    /// Too long to be a value.
    TooLong {
        /// The limit in characters.
        limit: usize,
    },
    /// No number at all.
    NoNumber,
    /// NaN, infinity, or a word for nothing beside other text.
    NotANumber {
        /// The word.
        text: String,
    },
    /// Commas that group no thousands.
    Comma {
        /// The number as written.
        text: String,
    },
    /// A grouped number that begins with zero.
    LeadingZeroGroup {
        /// The number as written.
        text: String,
    },
    /// Two decimal points.
    TwoPoints {
        /// The number as written.
        text: String,
    },
    /// More significant digits than are read.
    TooManyDigits,
    /// An exponent beyond what is read.
    ExponentTooLarge,
    /// A sign where none is read.
    Sign {
        /// The surroundings.
        text: String,
    },
    /// Glued to a letter before it.
    Glued {
        /// The identifier.
        text: String,
    },
    /// Letters or other characters that join two numbers into neither.
    Joined {
        /// The characters between the numbers.
        text: String,
    },
    /// Two numbers with nothing but white space between.
    Adjacent,
    /// Several units in a row, such as `1s 200ms`.
    Compound,
    /// A word or sign that can be read as several comparisons.
    UnclearBound,
    /// Bounds that do not fit together, or a bound within a series.
    MixedBounds,
    /// A bound that leaves room for both answers.
    BoundUndecided,
    /// 700 多 ms.
    VagueNumber,
    /// A difference to something else, or a multiple of something.
    Difference,
    /// The first number is called a limit.
    Limit {
        /// The word.
        text: String,
    },
    /// Characters after the number that no rule knows.
    Trailing {
        /// The characters.
        text: String,
    },
    /// A unit of another quantity.
    OtherQuantity {
        /// The unit that was read.
        found: String,
        /// The unit that the assertion declares.
        expected: String,
    },
    /// `KB`.
    AmbiguousUnit {
        /// The unit.
        unit: String,
    },
    /// A unit elsewhere in the text while the number is bare.
    UnitElsewhere {
        /// The unit.
        unit: String,
    },
    /// `per x` or `每x` before the number.
    PerBefore,
    /// A unit that is empty.
    EmptyUnit,
    /// px, vp and fp need a density.
    NoDensity,
    /// fp needs a font scale.
    NoFontScale,
    /// A density or font scale that is no positive number.
    BadScale {
        /// Its text.
        text: String,
    },
    /// `%`, `‰` or a multiplier without a declared unit.
    Multiplier {
        /// The unit.
        unit: String,
    },
    /// Differing units in a series without a declared unit.
    MixedUnits {
        /// One of them.
        first: String,
        /// Another.
        second: String,
    },
    /// The first number is bare or of another quantity, and a later one carries the expected unit.
    LaterCarriesUnit {
        /// The first.
        first: String,
        /// The later.
        later: String,
    },
    /// A later number that could be the value is multiplied, or a share.
    LaterMultiplied {
        /// The number with what multiplies it.
        later: String,
    },
    /// Readings that are judged differently.
    JudgedDifferently {
        /// The first number.
        first: String,
        /// What else the text can mean.
        other: String,
    },
    /// A comma group that decides, and could be a decimal comma.
    DecimalComma {
        /// The number as written.
        text: String,
    },
    /// High before low.
    ReversedRange,
    /// Three parts, such as a date, or mixed separators.
    ThreeParts,
    /// `a/b` against a ratio.
    Fraction,
    /// A clock time, `a:b:c`, a division by zero, or a colon where none is read.
    Colon {
        /// As written.
        text: String,
    },
    /// A negative value of something that is never negative.
    Negative {
        /// The value as written.
        text: String,
    },
    /// A joined series inside a list.
    SeriesInList,
    /// A bound or range within an aggregate that needs values.
    BoundInAggregate,
    /// A missing member in a list.
    MissingMember {
        /// Its place, from 1.
        place: usize,
    },
    /// A member of a list that has no reading.
    Member {
        /// Its place, from 1.
        place: usize,
        /// Why.
        reason: Box<Refusal>,
    },
    /// A boolean where a number is expected.
    BooleanForNumber,
    /// Anything but a boolean where one is expected.
    NotBoolean {
        /// What was found.
        text: String,
    },
    /// A spelling close to that of a sentinel.
    NearSentinel {
        /// The text.
        text: String,
    },
    /// The assertion itself cannot be judged by.
    Assertion {
        /// Why, in English.
        en: String,
        /// Why, in Chinese.
        zh: String,
    },
}
