//! JSON as a flat run of tokens over the text itself.
//!
//! serde_json would do for most documents. A layout tree needs what it does not give: depth without recursion (a tree
//! that is too deep is a finding, not a crash), numbers as they stand, and duplicate keys refused.

use std::borrow::Cow;

use gate::lang::Lang;
use gate::say;

/// Deeper nesting than this is refused.
const DEPTH_CAP: usize = 4096;

/// One token. A key is followed by its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    BeginObject,
    EndObject,
    BeginArray,
    EndArray,
    Key(Cow<'a, str>),
    Text(Cow<'a, str>),
    /// As it stands in the text.
    Number(&'a str),
    Bool(bool),
    Null,
}

/// Why the text is no JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JsonError {
    /// Line, from 1.
    line: usize,
    kind: Fault,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Truncated,
    Syntax,
    TooDeep,
}

impl JsonError {
    /// A fragment for an answer.
    pub(crate) fn explain(&self, lang: Lang) -> String {
        let line = self.line;
        match self.kind {
            Fault::Truncated => {
                say!(
                    lang,
                    "the JSON is truncated in line {line}: capture it again",
                    "JSON 在第 {line} 行被截断：请重新采集"
                )
            }
            Fault::Syntax => say!(lang, "no JSON in line {line}", "第 {line} 行不是 JSON"),
            Fault::TooDeep => say!(
                lang,
                "the JSON is nested deeper than {DEPTH_CAP} in line {line}",
                "JSON 在第 {line} 行的嵌套超过 {DEPTH_CAP} 层"
            ),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Frame {
    Object,
    Array,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Value,
    FirstKey,
    Colon,
    FirstItem,
    CommaOrEnd,
    Done,
}

/// Reads the tokens of one JSON value; anything but white space after it is an error.
pub(crate) struct JsonText<'a> {
    text: &'a str,
    at: usize,
    frames: Vec<Frame>,
    state: State,
}

impl<'a> JsonText<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        JsonText { text, at: 0, frames: Vec::new(), state: State::Value }
    }

    /// The next token; `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<Token<'a>>, JsonError> {
        self.skip_space();
        match self.state {
            State::Done if self.at == self.text.len() => Ok(None),
            State::Done => self.fail(Fault::Syntax),
            State::Value => self.value().map(Some),
            State::FirstKey if self.peek() == Some(b'}') => self.end().map(Some),
            State::FirstKey => self.key().map(Some),
            State::FirstItem if self.peek() == Some(b']') => self.end().map(Some),
            State::FirstItem => self.value().map(Some),
            State::Colon => {
                self.expect(b':')?;
                self.skip_space();
                self.value().map(Some)
            }
            State::CommaOrEnd => self.comma_or_end().map(Some),
        }
    }

    fn comma_or_end(&mut self) -> Result<Token<'a>, JsonError> {
        match (self.peek(), self.frames.last()) {
            (Some(b','), Some(frame)) => {
                let frame = *frame;
                self.at += 1;
                self.skip_space();
                if frame == Frame::Object { self.key() } else { self.value() }
            }
            (Some(b'}'), Some(Frame::Object)) | (Some(b']'), Some(Frame::Array)) => self.end(),
            _ => self.unexpected(),
        }
    }

    fn key(&mut self) -> Result<Token<'a>, JsonError> {
        let key = self.string()?;
        self.state = State::Colon;
        Ok(Token::Key(key))
    }

    fn end(&mut self) -> Result<Token<'a>, JsonError> {
        self.at += 1;
        let frame = self.frames.pop();
        self.after_value();
        Ok(if frame == Some(Frame::Object) { Token::EndObject } else { Token::EndArray })
    }

    fn begin(&mut self, frame: Frame, state: State, token: Token<'a>) -> Result<Token<'a>, JsonError> {
        if self.frames.len() == DEPTH_CAP {
            return self.fail(Fault::TooDeep);
        }
        self.at += 1;
        self.frames.push(frame);
        self.state = state;
        Ok(token)
    }

    fn value(&mut self) -> Result<Token<'a>, JsonError> {
        let token = match self.peek() {
            Some(b'{') => return self.begin(Frame::Object, State::FirstKey, Token::BeginObject),
            Some(b'[') => return self.begin(Frame::Array, State::FirstItem, Token::BeginArray),
            Some(b'"') => Token::Text(self.string()?),
            Some(b't') => self.word("true", Token::Bool(true))?,
            Some(b'f') => self.word("false", Token::Bool(false))?,
            Some(b'n') => self.word("null", Token::Null)?,
            Some(b'-' | b'0'..=b'9') => Token::Number(self.number()?),
            _ => return self.unexpected(),
        };
        self.after_value();
        Ok(token)
    }

    fn after_value(&mut self) {
        self.state = if self.frames.is_empty() { State::Done } else { State::CommaOrEnd };
    }

    fn word(&mut self, word: &str, token: Token<'a>) -> Result<Token<'a>, JsonError> {
        let rest = self.rest();
        if rest.starts_with(word) {
            self.at += word.len();
            return Ok(token);
        }
        if word.starts_with(rest) {
            self.at = self.text.len();
        }
        self.unexpected()
    }

    fn number(&mut self) -> Result<&'a str, JsonError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1
        } else {
            self.digits()?
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { self.unexpected() } else { Ok(()) }
    }

    fn string(&mut self) -> Result<Cow<'a, str>, JsonError> {
        self.expect(b'"')?;
        let body = self.rest();
        let mut escaped = false;
        let mut bytes = body.bytes().enumerate();
        let end = loop {
            match bytes.next() {
                Some((at, b'"')) => break at,
                Some((_, b'\\')) => {
                    escaped = true;
                    bytes.next();
                }
                Some((_, 0..=0x1F)) => return self.fail(Fault::Syntax),
                Some(_) => {}
                None => {
                    self.at = self.text.len();
                    return self.fail(Fault::Truncated);
                }
            }
        };
        let raw = body.get(..end).unwrap_or_default();
        let text = if escaped { unescape(raw).map(Cow::Owned) } else { Some(Cow::Borrowed(raw)) };
        let Some(text) = text else { return self.fail(Fault::Syntax) };
        self.at += end + 1;
        Ok(text)
    }

    fn expect(&mut self, byte: u8) -> Result<(), JsonError> {
        if self.peek() == Some(byte) {
            self.at += 1;
            return Ok(());
        }
        self.unexpected()
    }

    fn unexpected<T>(&self) -> Result<T, JsonError> {
        self.fail(if self.at >= self.text.len() { Fault::Truncated } else { Fault::Syntax })
    }

    fn fail<T>(&self, kind: Fault) -> Result<T, JsonError> {
        let before = self.text.as_bytes().get(..self.at).unwrap_or_default();
        Err(JsonError { line: memchr::memchr_iter(b'\n', before).count() + 1, kind })
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }
}

fn unescape(raw: &str) -> Option<String> {
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(ch) = chars.next() {
        if ch != '\\' {
            text.push(ch);
            continue;
        }
        text.push(match chars.next()? {
            ch @ ('"' | '\\' | '/') => ch,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => unicode(&mut chars)?,
            _ => return None,
        });
    }
    Some(text)
}

fn unicode(chars: &mut std::str::Chars<'_>) -> Option<char> {
    let high = hex4(chars)?;
    if !(0xD800..0xDC00).contains(&high) {
        return char::from_u32(high);
    }
    if chars.next()? != '\\' || chars.next()? != 'u' {
        return None;
    }
    let low = hex4(chars)?;
    if !(0xDC00..0xE000).contains(&low) {
        return None;
    }
    char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
}

fn hex4(chars: &mut std::str::Chars<'_>) -> Option<u32> {
    let mut value = 0;
    for _ in 0..4 {
        value = value * 16 + chars.next()?.to_digit(16)?;
    }
    Some(value)
}

/// The JSON in what a tool printed: `DumpLayout saved to:…` and `com.example.app:` stand in a line before it.
pub(crate) fn skip_banner(text: &str) -> &str {
    let mut body = text.trim_start();
    while !body.starts_with(['{', '[']) {
        let Some((line, rest)) = body.split_once('\n') else { return body };
        if !line.contains(':') {
            return body;
        }
        body = rest.trim_start();
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Result<usize, JsonError> {
        let mut json = JsonText::new(text);
        let mut count = 0;
        while json.next()?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    #[test]
    fn accepts_what_serde_json_accepts_and_nothing_else() {
        let seed = r#"{"a":[1,-0.5e+3,true,false,null,"x\n\u00e9\ud83d\ude00\"",{}],"b":{"c":"中文"}}"#;
        assert_eq!(tokens(seed), Ok(18));
        let mut cases: Vec<String> = [
            "",
            " ",
            "1",
            "-",
            "01",
            "1.",
            "1e",
            "[1,]",
            "{,}",
            "[] []",
            "nul",
            "\"\\ud800\"",
            "\"\t\"",
            "{\"a\"}",
        ]
        .map(str::to_owned)
        .into();
        cases.extend(seed.char_indices().map(|(at, _)| seed[..at].to_owned()));
        for (at, ch) in seed.char_indices() {
            for other in ["", "}", "]", ",", ":", "\"", "\\", "0", "-", "e"] {
                cases.push(format!("{}{other}{}", &seed[..at], &seed[at + ch.len_utf8()..]));
            }
        }
        for case in cases {
            let theirs = serde_json::from_str::<serde_json::Value>(&case).is_ok();
            assert_eq!(tokens(&case).is_ok(), theirs, "{case}");
        }
    }

    #[test]
    fn truncated_is_told_from_wrong() {
        for (text, kind) in [
            ("{\"a\":\n[1", Fault::Truncated),
            ("[tr", Fault::Truncated),
            ("[1 2]", Fault::Syntax),
            ("hello", Fault::Syntax),
        ] {
            assert_eq!(tokens(text).unwrap_err().kind, kind, "{text}");
        }
        assert_eq!(tokens(&"[".repeat(5000)).unwrap_err().kind, Fault::TooDeep);
    }
}
