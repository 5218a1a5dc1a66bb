//! A YAML value as serde resolves it, with duplicate keys in place.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A resolved value. Of a number only that it is one: its digits are taken from the text, unrounded.
pub(super) enum Decoded {
    Null,
    Bool(bool),
    Number,
    Text(String),
    List(Vec<Decoded>),
    Map(Vec<(Decoded, Decoded)>),
}

impl<'de> Deserialize<'de> for Decoded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DecodedVisitor)
    }
}

struct DecodedVisitor;

impl<'de> Visitor<'de> for DecodedVisitor {
    type Value = Decoded;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text, a number, a boolean, a list or a mapping")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Decoded, E> {
        Ok(Decoded::Null)
    }

    fn visit_none<E: de::Error>(self) -> Result<Decoded, E> {
        Ok(Decoded::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Decoded, E> {
        Ok(Decoded::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<Decoded, E> {
        Ok(Decoded::Number)
    }

    fn visit_i128<E: de::Error>(self, _: i128) -> Result<Decoded, E> {
        Ok(Decoded::Number)
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<Decoded, E> {
        Ok(Decoded::Number)
    }

    fn visit_u128<E: de::Error>(self, _: u128) -> Result<Decoded, E> {
        Ok(Decoded::Number)
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<Decoded, E> {
        Ok(Decoded::Number)
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Decoded, E> {
        Ok(Decoded::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Decoded, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Decoded::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Decoded, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Decoded::Map(entries))
    }
}
