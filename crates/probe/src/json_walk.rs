//! A walk over a JSON document that knows where it is: numbers as they stand, with their pointers.

use std::collections::BTreeSet;

use crate::json_text::{JsonError, JsonText, Token};

/// Where in a document the tokens stand: keeps the JSON pointer of the value that comes next or came last.
struct Trail {
    steps: Vec<Step>,
}

enum Step {
    Key(String, BTreeSet<String>),
    Item(usize),
}

/// What a walk over a document finds besides its values.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum WalkError {
    Json(JsonError),
    /// The pointer of a key that stands twice in one object.
    DuplicateKey(String),
}

/// Walks a whole document and shows each number as it stands, with its pointer. Refuses duplicate keys.
pub(crate) fn walk_numbers<'a>(
    text: &'a str,
    mut number: impl FnMut(String, &'a str),
) -> Result<(), WalkError> {
    let mut json = JsonText::new(text);
    let mut trail = Trail { steps: Vec::new() };
    while let Some(token) = json.next().map_err(WalkError::Json)? {
        match token {
            Token::Key(key) => trail.enter_key(key.into_owned()).map_err(WalkError::DuplicateKey)?,
            Token::BeginObject => trail.steps.push(Step::Key(String::new(), BTreeSet::new())),
            Token::BeginArray => trail.steps.push(Step::Item(0)),
            Token::EndObject | Token::EndArray => {
                trail.steps.pop();
                trail.next_item();
            }
            Token::Number(raw) => {
                number(trail.pointer(), raw);
                trail.next_item();
            }
            Token::Text(_) | Token::Bool(_) | Token::Null => trail.next_item(),
        }
    }
    Ok(())
}

impl Trail {
    fn enter_key(&mut self, key: String) -> Result<(), String> {
        let Some(Step::Key(current, seen)) = self.steps.last_mut() else { return Ok(()) };
        current.clone_from(&key);
        if seen.insert(key) { Ok(()) } else { Err(self.pointer()) }
    }

    fn next_item(&mut self) {
        if let Some(Step::Item(index)) = self.steps.last_mut() {
            *index += 1;
        }
    }

    fn pointer(&self) -> String {
        self.steps.iter().fold(String::new(), |mut pointer, step| {
            match step {
                Step::Key(key, _) => push_pointer(&mut pointer, key),
                Step::Item(index) => push_pointer(&mut pointer, &index.to_string()),
            }
            pointer
        })
    }
}

/// Appends one token to a JSON pointer (RFC 6901).
pub(crate) fn push_pointer(pointer: &mut String, token: &str) {
    pointer.push('/');
    pointer.push_str(&token.replace('~', "~0").replace('/', "~1"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_with_pointers_and_duplicates_are_refused() {
        let mut seen = Vec::new();
        walk_numbers(r#"{"a":[1.10,{"b/c":2}],"d":3e2}"#, |pointer, raw| seen.push((pointer, raw))).unwrap();
        let expected = [("/a/0", "1.10"), ("/a/1/b~1c", "2"), ("/d", "3e2")];
        assert_eq!(seen, expected.map(|(pointer, raw)| (pointer.to_owned(), raw)));
        let error = walk_numbers(r#"{"x":{"a":1,"a":2}}"#, |_, _| ()).unwrap_err();
        assert_eq!(error, WalkError::DuplicateKey("/x/a".into()));
    }
}
