//! One field of an artifact, for whoever asks for no more. What follows it is not read: whether a record is whole is for its
//! digest to tell, and reading all of it takes most of the time where thousands are looked at.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

/// The first field of this name of a JSON object.
pub fn field<T: DeserializeOwned>(bytes: &[u8], name: &'static str) -> serde_json::Result<T> {
    let found = Cell::new(None);
    let read = Sought { name, found: &found }.deserialize(&mut serde_json::Deserializer::from_slice(bytes));
    match (found.take(), read) {
        (Some(value), _) => Ok(value),
        (None, Err(error)) => Err(error),
        (None, Ok(())) => Err(serde_json::Error::missing_field(name)),
    }
}

/// Leaves what it sought in `found`, and then stops: to the parser that looks like an error.
struct Sought<'f, T> {
    name: &'static str,
    found: &'f Cell<Option<T>>,
}

impl<'de, T: DeserializeOwned> DeserializeSeed<'de> for Sought<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, T: DeserializeOwned> Visitor<'de> for Sought<'_, T> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "an object with `{}`", self.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(name) = fields.next_key::<String>()? {
            if name == self.name {
                self.found.set(Some(fields.next_value()?));
                return Ok(());
            }
            fields.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_read_whatever_follows_it() {
        for (text, expected) in [
            (r#"{"a": 1}"#, Ok(1)),
            (r#"{"b": {"a": 2}, "a": 1, "a": 3}"#, Ok(1)),
            (r#"{"a": 1, "b": [1, "#, Ok(1)),
            (r#"{"b": 1}"#, Err("missing field `a`")),
            (r#"{"a": "1"}"#, Err("invalid type: string \"1\", expected i32 at line 1 column 9")),
            (r#"{"b": [1, "a": 1}"#, Err("expected `,` or `]` at line 1 column 14")),
            ("{", Err("EOF while parsing an object at line 1 column 1")),
            ("[]", Err("invalid type: sequence, expected an object with `a` at line 1 column 0")),
            ("", Err("EOF while parsing a value at line 1 column 0")),
        ] {
            let read = field::<i32>(text.as_bytes(), "a").map_err(|error| error.to_string());
            assert_eq!(read, expected.map_err(str::to_owned), "{text}");
        }
    }
}
