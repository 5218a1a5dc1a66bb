//! How [`Scalar`] and [`Aggregate`] stand in JSON: as plain booleans, numbers and text.

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::pack::{Aggregate, Scalar};

impl Serialize for Scalar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Scalar::Bool(value) => serializer.serialize_bool(*value),
            Scalar::Text(text) => serializer.serialize_str(text),
            Scalar::Number(text) => {
                text.parse::<serde_json::Number>().map_err(S::Error::custom)?.serialize(serializer)
            }
        }
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl Visitor<'_> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("text, a number or a boolean")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Scalar, E> {
        Ok(Scalar::Number(value.to_string()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Scalar, E> {
        Ok(Scalar::Number(value.to_string()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Scalar, E> {
        // The frozen form, so that a lock that is read equals the pack that was written.
        crate::canonical::number(value)
            .map(Scalar::Number)
            .ok_or_else(|| E::custom("a number must be finite"))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Scalar, E> {
        Ok(Scalar::Text(value.to_owned()))
    }
}

impl Aggregate {
    /// The word in a pack: `all`, `p95`.
    pub fn word(self) -> String {
        match self {
            Aggregate::All => "all".into(),
            Aggregate::Any => "any".into(),
            Aggregate::Min => "min".into(),
            Aggregate::Max => "max".into(),
            Aggregate::Mean => "mean".into(),
            Aggregate::Median => "median".into(),
            Aggregate::Sum => "sum".into(),
            Aggregate::Count => "count".into(),
            Aggregate::Percentile(rank) => format!("p{rank}"),
        }
    }

    /// The aggregate of a word, if it is one.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "all" => Aggregate::All,
            "any" => Aggregate::Any,
            "min" => Aggregate::Min,
            "max" => Aggregate::Max,
            "mean" => Aggregate::Mean,
            "median" => Aggregate::Median,
            "sum" => Aggregate::Sum,
            "count" => Aggregate::Count,
            _ => {
                let digits = word.strip_prefix('p')?;
                let rank: u8 = digits.parse().ok()?;
                // `p05` and `p+5` are other spellings of nothing we print.
                if !(1..=99).contains(&rank) || rank.to_string() != digits {
                    return None;
                }
                Aggregate::Percentile(rank)
            }
        })
    }
}

impl Serialize for Aggregate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.word())
    }
}

impl<'de> Deserialize<'de> for Aggregate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        Aggregate::from_word(&word).ok_or_else(|| de::Error::custom(format!("unknown aggregate {word}")))
    }
}
