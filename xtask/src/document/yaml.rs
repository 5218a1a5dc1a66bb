//! YAML to a located document, by two parsers that must agree.
//!
//! `serde_yaml` decodes: it resolves what is text, a number, a boolean or nothing, and unescapes. It gives no
//! places, drops nothing if asked entry by entry, and ignores tags. `saphyr-parser` gives the events with their
//! places, styles, tags and the raw text of scalars. The second runs first and bounds depth and aliases, so that
//! the first never sees a bomb; then both trees are walked together. Where they differ the document has two
//! readings and is refused: a second opinion costs little on files of this size.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gate::code::Code;
use gate::lang::Lang;
use gate::node::{Key, Node, Value};
use gate::problem::{Problem, Span};
use gate::say;
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, StrInput};

use super::yaml_plain::{is_number, trap};
use super::yaml_value::Decoded;
use super::{MAX_ALIASED_NODES, MAX_ALIASES, MAX_DEPTH, span, too_deep};

/// The document, or what is wrong with it.
pub(super) fn parse(text: &str, lang: Lang) -> Result<Node, Vec<Problem>> {
    // The parsers differ on a block scalar that ends with the text and without a line break; with one they agree.
    let text = &if text.ends_with('\n') { Cow::Borrowed(text) } else { Cow::Owned(format!("{text}\n")) };
    let located = Outline::new(text, lang).document().map_err(|problem| vec![problem])?;
    let Some(located) = located else { return Ok(Node { at: span(1, 1), value: Value::Null }) };
    let decoded: Decoded = serde_yaml::from_str(text).map_err(|error| vec![decoding(&error, text, lang)])?;
    let mut join = Join { lang, problems: Vec::new() };
    let node = join.node(located, decoded);
    if join.problems.is_empty() { Ok(node) } else { Err(join.problems) }
}

fn decoding(error: &serde_yaml::Error, text: &str, lang: Lang) -> Problem {
    let words = error.to_string();
    let words = words.split(" at line ").next().unwrap_or_default();
    let at = error.location().map_or(span(1, 1), |place| behind(text, place.index()));
    let message = say!(lang, "this is not YAML: {words}", "这不是合法的 YAML：{words}");
    Problem::new(Code::Syntax, message, Code::Syntax.help(lang)).at(at)
}

/// The place behind so many bytes. This parser's own lines also end at U+0085, U+2028 and U+2029, where those of
/// an editor do not.
fn behind(text: &str, bytes: usize) -> Span {
    super::end_of(text.get(..bytes).unwrap_or(text))
}

/// A value as its events give it: place, raw text, style.
#[derive(Clone)]
struct Located<'t> {
    at: Span,
    shape: Shape<'t>,
}

#[derive(Clone)]
enum Shape<'t> {
    Scalar { raw: Cow<'t, str>, plain: bool },
    List(Vec<Located<'t>>),
    Map(Vec<(Located<'t>, Located<'t>)>),
}

impl Located<'_> {
    fn size(&self) -> usize {
        1 + match &self.shape {
            Shape::Scalar { .. } => 0,
            Shape::List(items) => items.iter().map(Located::size).sum(),
            Shape::Map(entries) => entries.iter().map(|(key, value)| key.size() + value.size()).sum(),
        }
    }
}

/// Builds the located tree from events.
struct Outline<'t> {
    text: &'t str,
    lang: Lang,
    events: Parser<'t, StrInput<'t>>,
    /// What aliases may repeat; nothing where it is too large to be repeated at all.
    anchored: BTreeMap<usize, Option<Located<'t>>>,
    aliases: usize,
    aliased_nodes: usize,
}

impl<'t> Outline<'t> {
    fn new(text: &'t str, lang: Lang) -> Self {
        let events = Parser::new_from_str(text);
        Outline { text, lang, events, anchored: BTreeMap::new(), aliases: 0, aliased_nodes: 0 }
    }

    /// The single document; none in an empty text.
    fn document(&mut self) -> Result<Option<Located<'t>>, Problem> {
        self.refuse_directives()?;
        let mut root = None;
        loop {
            match self.next()? {
                (Event::DocumentStart(_), at) if root.is_some() => return Err(self.several_documents(at)),
                (Event::DocumentStart(_), _) => {
                    let (event, at) = self.next()?;
                    root = Some(self.value(event, at, 0)?);
                }
                (Event::StreamEnd, _) => return Ok(root),
                _ => {}
            }
        }
    }

    fn next(&mut self) -> Result<(Event<'t>, Span), Problem> {
        match self.events.next_event() {
            Some(Ok((event, place))) => Ok((event, place_of(&place.start))),
            Some(Err(error)) => Err(self.syntax(&error)),
            None => Ok((Event::StreamEnd, span(1, 1))),
        }
    }

    fn value(&mut self, event: Event<'t>, at: Span, depth: usize) -> Result<Located<'t>, Problem> {
        let (anchor, shape) = match event {
            Event::Alias(anchor) => return self.aliased(anchor, at),
            Event::Scalar(raw, style, anchor, tag) => {
                self.refuse_tag(tag.as_deref(), at)?;
                (anchor, Shape::Scalar { raw, plain: style == ScalarStyle::Plain })
            }
            Event::SequenceStart(anchor, tag) => {
                self.refuse_tag(tag.as_deref(), at)?;
                (anchor, Shape::List(self.items(at, depth)?))
            }
            Event::MappingStart(anchor, tag) => {
                self.refuse_tag(tag.as_deref(), at)?;
                (anchor, Shape::Map(self.entries(at, depth)?))
            }
            _ => (0, Shape::Scalar { raw: Cow::Borrowed(""), plain: true }),
        };
        let located = Located { at, shape };
        if anchor != 0 {
            let is_small = located.size() <= MAX_ALIASED_NODES;
            self.anchored.insert(anchor, is_small.then(|| located.clone()));
        }
        Ok(located)
    }

    fn items(&mut self, at: Span, depth: usize) -> Result<Vec<Located<'t>>, Problem> {
        if depth == MAX_DEPTH {
            return Err(too_deep(at, self.lang));
        }
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd | Event::StreamEnd, _) => return Ok(items),
                (event, at) => items.push(self.value(event, at, depth + 1)?),
            }
        }
    }

    fn entries(&mut self, at: Span, depth: usize) -> Result<Vec<(Located<'t>, Located<'t>)>, Problem> {
        if depth == MAX_DEPTH {
            return Err(too_deep(at, self.lang));
        }
        let mut entries = Vec::new();
        loop {
            match self.next()? {
                (Event::MappingEnd | Event::StreamEnd, _) => return Ok(entries),
                (event, at) => {
                    let key = self.value(event, at, depth + 1)?;
                    let (event, at) = self.next()?;
                    entries.push((key, self.value(event, at, depth + 1)?));
                }
            }
        }
    }

    /// A copy of what was anchored. An anchor that is still open is not there yet: a value cannot hold itself.
    fn aliased(&mut self, anchor: usize, at: Span) -> Result<Located<'t>, Problem> {
        let Some(located) = self.anchored.get(&anchor) else {
            let message =
                say!(self.lang, "the alias refers to a value that it is part of", "别名指向了包含它自身的值");
            return Err(Problem::new(Code::LimitAliases, message, Code::LimitAliases.help(self.lang)).at(at));
        };
        self.aliases += 1;
        self.aliased_nodes += located.as_ref().map_or(0, Located::size);
        let is_beyond = self.aliases > MAX_ALIASES || self.aliased_nodes > MAX_ALIASED_NODES;
        let Some(located) = located.as_ref().filter(|_| !is_beyond) else {
            let message = say!(
                self.lang,
                "more than {MAX_ALIASES} aliases, or more than {MAX_ALIASED_NODES} values repeated by them",
                "别名超过 {MAX_ALIASES} 个，或由别名重复的值超过 {MAX_ALIASED_NODES} 个"
            );
            return Err(Problem::new(Code::LimitAliases, message, Code::LimitAliases.help(self.lang)).at(at));
        };
        let mut copy = located.clone();
        copy.at = at;
        Ok(copy)
    }

    fn refuse_tag(&self, tag: Option<&saphyr_parser::Tag>, at: Span) -> Result<(), Problem> {
        let Some(tag) = tag else { return Ok(()) };
        let tag = tag.to_string().replace("tag:yaml.org,2002:!", "!!");
        let message = say!(self.lang, "the tag `{tag}` is not read here", "此处不读取标签 `{tag}`");
        Err(Problem::new(Code::TagUnknown, message, Code::TagUnknown.help(self.lang)).at(at))
    }

    /// A `%YAML` or `%TAG` line changes how all that follows is read.
    fn refuse_directives(&self) -> Result<(), Problem> {
        let mut lines = self.text.lines().enumerate();
        let first = lines.find(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
        match first {
            Some((index, line)) if line.starts_with('%') => {
                let message = say!(self.lang, "a YAML directive is not read here", "此处不读取 YAML 指令");
                let help = self.lang.pick("remove the line that begins with %", "请删除以 % 开头的行");
                Err(Problem::new(Code::Syntax, message, help).at(span(index + 1, 1)))
            }
            _ => Ok(()),
        }
    }

    fn several_documents(&self, at: Span) -> Problem {
        let message = say!(self.lang, "a second document begins here", "此处开始了第二个文档");
        Problem::new(Code::DocumentsMultiple, message, Code::DocumentsMultiple.help(self.lang)).at(at)
    }

    fn syntax(&self, error: &ScanError) -> Problem {
        // An error at the end of the text is told where the text ends, not on a line that is not there.
        let at = place_of(error.marker()).min(super::end_of(self.text.trim_end()));
        if let Some(tabbed) = self.tab_near(at) {
            let message = say!(
                self.lang,
                "a tab stands where YAML indents by spaces",
                "YAML 缩进须用空格，此处是制表符"
            );
            let help = self.lang.pick("replace the tab by spaces", "请将制表符替换为空格");
            return Problem::new(Code::Syntax, message, help).at(tabbed);
        }
        let words = error.info();
        let message = say!(self.lang, "this is not YAML: {words}", "这不是合法的 YAML：{words}");
        let help = self.lang.pick(
            "check indentation, colons and quotes here and in the line above; quote text that holds `: ` or ` #`",
            "检查此处及上一行的缩进、冒号和引号；含有 `: ` 或 ` #` 的文字请加引号",
        );
        Problem::new(Code::Syntax, message, help).at(at)
    }

    /// A tab in the indentation of the line in question or the one above it.
    fn tab_near(&self, at: Span) -> Option<Span> {
        let line = at.line as usize;
        [line, line.saturating_sub(1)].into_iter().filter(|&line| line > 0).find_map(|line| {
            let text = self.text.lines().nth(line - 1)?;
            let indentation = &text[..text.len() - text.trim_start().len()];
            let column = indentation.chars().position(|c| c == '\t')?;
            Some(span(line, column + 1))
        })
    }
}

fn place_of(marker: &Marker) -> Span {
    span(marker.line().max(1), marker.col() + 1)
}

/// Joins what both parsers say.
struct Join {
    lang: Lang,
    problems: Vec<Problem>,
}

impl Join {
    fn node(&mut self, located: Located<'_>, decoded: Decoded) -> Node {
        let at = located.at;
        let value = match (located.shape, decoded) {
            (Shape::Scalar { raw, plain }, decoded) => self.scalar(raw, plain, decoded, at),
            (Shape::List(places), Decoded::List(items)) if places.len() == items.len() => Value::List(
                places.into_iter().zip(items).map(|(place, item)| self.node(place, item)).collect(),
            ),
            (Shape::Map(places), Decoded::Map(entries)) if places.len() == entries.len() => Value::Map(
                places.into_iter().zip(entries).map(|(place, entry)| self.entry(place, entry)).collect(),
            ),
            _ => self.differs(at),
        };
        Node { at, value }
    }

    fn entry(&mut self, place: (Located<'_>, Located<'_>), entry: (Decoded, Decoded)) -> (Key, Node) {
        let key = self.key(place.0, entry.0);
        (key, self.node(place.1, entry.1))
    }

    /// A key is its text, whatever type a value of that text would have.
    fn key(&mut self, located: Located<'_>, decoded: Decoded) -> Key {
        let at = located.at;
        let Shape::Scalar { raw, plain } = located.shape else {
            let message = say!(
                self.lang,
                "a key must be text, not a list or a mapping",
                "键必须是文字，不能是列表或映射"
            );
            self.problems
                .push(Problem::new(Code::FieldType, message, Code::FieldType.help(self.lang)).at(at));
            return Key { at, name: String::new() };
        };
        if plain && raw == "<<" {
            let message = say!(self.lang, "the merge key `<<` is not read here", "此处不读取合并键 `<<`");
            self.problems.push(Problem::new(Code::MergeKey, message, Code::MergeKey.help(self.lang)).at(at));
        }
        if matches!(&decoded, Decoded::Text(text) if *text != raw)
            || matches!(decoded, Decoded::List(_) | Decoded::Map(_))
        {
            self.differs(at);
        }
        Key { at, name: raw.into_owned() }
    }

    fn scalar(&mut self, raw: Cow<'_, str>, plain: bool, decoded: Decoded, at: Span) -> Value {
        if plain && let Some(code) = trap(&raw) {
            self.ambiguous(code, &raw, at);
            return Value::Null;
        }
        match decoded {
            Decoded::Null if plain => Value::Null,
            Decoded::Bool(value) if plain => Value::Bool(value),
            Decoded::Number if plain && is_number(&raw) => Value::Number(raw.into_owned()),
            // Both say text, yet it is a number too large for one of them.
            Decoded::Text(_) if plain && is_number(&raw) => {
                self.ambiguous(Code::NumberInexact, &raw, at);
                Value::Null
            }
            Decoded::Text(text) if text == raw => Value::Text(text),
            _ => self.differs(at),
        }
    }

    fn ambiguous(&mut self, code: Code, raw: &str, at: Span) {
        let message = match code {
            Code::NumberInexact => say!(
                self.lang,
                "`{raw}` is not a decimal number that can be held exactly",
                "`{raw}` 不是能精确保存的十进制数"
            ),
            _ => say!(
                self.lang,
                "`{raw}` without quotes is read differently by YAML 1.1 and YAML 1.2",
                "不带引号的 `{raw}` 在 YAML 1.1 与 YAML 1.2 中读法不同"
            ),
        };
        let help = say!(
            self.lang,
            "write it in quotes, \"{raw}\", if it is text; else true, false or a plain decimal number",
            "若是文字请加引号：\"{raw}\"；否则请写 true、false 或普通十进制数"
        );
        self.problems.push(Problem::new(code, message, help).at(at));
    }

    fn differs(&mut self, at: Span) -> Value {
        let message = say!(
            self.lang,
            "two YAML parsers read this place differently",
            "两个 YAML 解析器对此处的读法不同"
        );
        self.problems
            .push(Problem::new(Code::ReadingsDiffer, message, Code::ReadingsDiffer.help(self.lang)).at(at));
        Value::Null
    }
}
