//! One field of an artifact, for whoever asks for no more.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

/// The field of this name of a JSON object, which has to be whole, and to have it once.
pub fn field<T: DeserializeOwned>(bytes: &[u8], name: &'static str) -> serde_json::Result<T> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = Sought { name, of: PhantomData }.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

struct Sought<T> {
    name: &'static str,
    of: PhantomData<T>,
}

impl<'de, T: DeserializeOwned> DeserializeSeed<'de> for Sought<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, T: DeserializeOwned> Visitor<'de> for Sought<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "an object with `{}`", self.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<T, A::Error> {
        let mut found = None;
        while let Some(name) = fields.next_key::<String>()? {
            if name != self.name {
                fields.next_value::<IgnoredAny>()?;
            } else if found.replace(fields.next_value()?).is_some() {
                return Err(Error::duplicate_field(self.name));
            }
        }
        found.ok_or_else(|| Error::missing_field(self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_read_out_of_what_is_whole() {
        for (text, expected) in [
            (r#"{"a": 1}"#, Ok(1)),
            (r#"{"b": {"a": 2}, "a": 1, "c": [3]}"#, Ok(1)),
            (r#"{"a": 1, "a": 3}"#, Err("duplicate field `a`")),
            (r#"{"a": 1, "b": [1, "#, Err("EOF while parsing a value")),
            (r#"{"a": 1} more"#, Err("trailing characters")),
            (r#"{"b": 1}"#, Err("missing field `a`")),
            (r#"{"a": "1"}"#, Err("invalid type: string \"1\", expected i32")),
            (r#"{"b": [1, "a": 1}"#, Err("expected `,` or `]`")),
            ("[]", Err("invalid type: sequence, expected an object with `a`")),
            ("", Err("EOF while parsing a value")),
        ] {
            match (field::<i32>(text.as_bytes(), "a"), expected) {
                (Ok(read), Ok(expected)) => assert_eq!(read, expected, "{text}"),
                (Err(error), Err(why)) => assert!(error.to_string().starts_with(why), "{text}: {error}"),
                (read, _) => panic!("{text}: {read:?}"),
            }
        }
    }
}
