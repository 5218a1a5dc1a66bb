//! Markdown by its lines: what requirement documents are made of. Comments and fenced code say nothing.

/// A line that says something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// From 1.
    pub number: u32,
    /// Where it ends: beyond `number` for an item that goes on ([`joined`]).
    pub last: u32,
    /// What it is.
    pub kind: Kind,
}

/// What a line is; texts are trimmed, with their inline marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `## text`, and how many signs.
    Heading(usize, String),
    /// `- text` or `1. text`, and how far it is indented.
    Item(usize, String),
    /// `| a | b |`, without the outer bars.
    Row(Vec<String>),
    /// Anything else, and how far it is indented.
    Text(usize, String),
    /// An empty line.
    Blank,
}

/// The lines of a text, without comments, fenced code and front matter.
pub(crate) fn lines(text: &str) -> Vec<Line> {
    let mut found = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    let mut in_comment = false;
    let mut in_front_matter = text.lines().next().is_some_and(|line| line.trim_end() == "---");
    for (index, raw) in text.lines().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        if in_front_matter {
            in_front_matter = index == 0 || raw.trim_end() != "---";
            continue;
        }
        let trimmed = raw.trim_start();
        if let Some((mark, length)) = fence {
            let run = trimmed.chars().take_while(|c| *c == mark).count();
            if run >= length && trimmed.trim_end().chars().all(|c| c == mark) {
                fence = None;
            }
            continue;
        }
        let shown = without_comments(raw, &mut in_comment);
        let opened = ['`', '~'].into_iter().find_map(|mark| {
            let run = shown.trim_start().chars().take_while(|c| *c == mark).count();
            (run >= 3).then_some((mark, run))
        });
        if opened.is_some() {
            fence = opened;
            continue;
        }
        found.push(Line { number, last: number, kind: kind(&shown) });
    }
    found
}

/// The same lines, items with the lines that go on below them.
pub(crate) fn joined(lines: Vec<Line>) -> Vec<Line> {
    let mut found: Vec<Line> = Vec::new();
    for line in lines {
        let before = found.last_mut().filter(|before| before.last + 1 == line.number);
        match (before, &line.kind) {
            (Some(Line { last, kind: Kind::Item(_, item), .. }), Kind::Text(indent, text))
                if *indent > 0 || !text.starts_with(['*', '_']) =>
            {
                item.push(' ');
                item.push_str(text);
                *last = line.number;
            }
            _ => found.push(line),
        }
    }
    found
}

/// The line without what stands between `<!--` and `-->`, which may go over lines.
fn without_comments(line: &str, in_comment: &mut bool) -> String {
    let mut shown = String::new();
    let mut rest = line;
    loop {
        let (sign, kept) = if *in_comment { ("-->", false) } else { ("<!--", true) };
        let Some((before, after)) = rest.split_once(sign) else {
            if !*in_comment {
                shown.push_str(rest);
            }
            return shown;
        };
        if kept {
            shown.push_str(before);
        }
        *in_comment = !*in_comment;
        rest = after;
    }
}

fn kind(line: &str) -> Kind {
    let text = line.trim();
    // A quoted line is what it quotes.
    if let Some(quoted) = text.strip_prefix('>').map(|rest| rest.trim_start_matches(['>', ' '])) {
        return match kind(quoted) {
            Kind::Item(indent, item) => Kind::Item(indent, item),
            Kind::Row(cells) => Kind::Row(cells),
            _ => Kind::Text(0, quoted.trim().to_owned()),
        };
    }
    let indent = line.chars().take_while(|c| c.is_whitespace()).count();
    if text.is_empty() {
        return Kind::Blank;
    }
    let signs = text.chars().take_while(|c| *c == '#').count();
    if (1..=6).contains(&signs) && text.chars().nth(signs).is_none_or(char::is_whitespace) {
        let title = text.get(signs..).unwrap_or_default().trim().trim_end_matches('#').trim_end();
        return Kind::Heading(signs, title.to_owned());
    }
    if text.starts_with('|') {
        return Kind::Row(cells(text));
    }
    match item(text) {
        Some(item) => Kind::Item(indent, item.to_owned()),
        None => Kind::Text(indent, text.to_owned()),
    }
}

/// The text of `- text`, `* text`, `12. text`, `3) text`.
fn item(text: &str) -> Option<&str> {
    let rest = match text.strip_prefix(['-', '*', '+']) {
        Some(rest) => rest,
        None => {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let rest = text.get(digits..).filter(|_| (1..=9).contains(&digits))?;
            if let Some(rest) = rest.strip_prefix('、') {
                return Some(rest.trim());
            }
            rest.strip_prefix(['.', ')'])?
        }
    };
    rest.starts_with(char::is_whitespace).then(|| unticked(rest.trim()))
}

/// A task's text without its box.
fn unticked(text: &str) -> &str {
    ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text).trim_start()
}

/// The cells of a row; `\|` is no border.
fn cells(row: &str) -> Vec<String> {
    let inner = row.strip_prefix('|').unwrap_or(row);
    let mut cells = vec![String::new()];
    let mut letters = inner.trim_end().chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.peek() == Some(&'|') => {
                letters.next();
                push(&mut cells, '|');
            }
            '|' if letters.peek().is_none() => {}
            '|' => cells.push(String::new()),
            other => push(&mut cells, other),
        }
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

fn push(cells: &mut [String], letter: char) {
    if let Some(cell) = cells.last_mut() {
        cell.push(letter);
    }
}

/// Whether a row is the line below a table's head.
pub(crate) fn is_rule(cells: &[String]) -> bool {
    !cells.is_empty()
        && cells.iter().all(|cell| cell.contains('-') && cell.chars().all(|c| matches!(c, '-' | ':' | ' ')))
}

/// Whether a text asks for something by a word of requirements: `MUST`, `shall`, 必须, 不得.
pub(crate) fn demands(text: &str) -> bool {
    let is_asking =
        |word: &str| ["must", "shall", "should"].iter().any(|known| word.eq_ignore_ascii_case(known));
    text.split(|c: char| !c.is_ascii_alphabetic()).any(is_asking)
        || ["必须", "不得", "应当", "应该", "不应", "禁止"].iter().any(|word| text.contains(word))
}

/// The text without the marks of emphasis; everything else stays as it is written.
pub(crate) fn plain(text: &str) -> String {
    let text = text.replace("**", "").replace("__", "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text as it was before it was escaped for Markdown: `a\_b`, `&lt;`, `<br>`.
pub(crate) fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(next)) if next.is_ascii_punctuation() => plain.extend(letters.next()),
            _ => plain.push(letter),
        }
    }
    plain.replace("<br>", "\n").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// The text of `` `code` ``, if the whole is code.
pub(crate) fn code(text: &str) -> Option<&str> {
    let text = text.trim();
    let ticks = text.chars().take_while(|c| *c == '`').count();
    let inner = text.get(ticks..)?;
    (ticks > 0).then(|| inner.strip_suffix(&"`".repeat(ticks)).map(str::trim)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_what_they_are() {
        let text = "---\ntitle: x\n---\n# One #\n- a <!-- no -->b\n<!-- \n# hidden\n-->\n```\n# code\n```\n\n  1. c\n2、d\n\
                    | x | y\\|z |\n|---|:-:|\ntext\n#hash";
        let found: Vec<(u32, Kind)> = lines(text).into_iter().map(|line| (line.number, line.kind)).collect();
        let cells = |cells: &[&str]| Kind::Row(cells.iter().map(|c| (*c).to_owned()).collect());
        assert_eq!(
            found,
            vec![
                (4, Kind::Heading(1, "One".into())),
                (5, Kind::Item(0, "a b".into())),
                (6, Kind::Blank),
                (7, Kind::Blank),
                (8, Kind::Blank),
                (12, Kind::Blank),
                (13, Kind::Item(2, "c".into())),
                (14, Kind::Item(0, "d".into())),
                (15, cells(&["x", "y|z"])),
                (16, cells(&["---", ":-:"])),
                (17, Kind::Text(0, "text".into())),
                (18, Kind::Text(0, "#hash".into())),
            ]
        );
    }

    #[test]
    fn what_was_escaped_is_read_back() {
        assert_eq!(unescaped(r"a\_b \[x\] &lt;b&gt; &amp;amp;<br>c\d"), "a_b [x] <b> &amp;\nc\\d");
        assert_eq!(code("`≤ 800 ms`"), Some("≤ 800 ms"));
        assert_eq!(code("`` a`b ``"), Some("a`b"));
        assert_eq!(code("plain"), None);
    }
}
