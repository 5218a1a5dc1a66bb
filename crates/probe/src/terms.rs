//! `key=value` terms joined by commas, with double quotes around a value that holds a comma.

/// Why a text does not parse, in English and Chinese.
pub(crate) type Refusal = (String, String);

/// The value at the beginning of a text, up to the next comma or in quotes; and what follows it.
pub(crate) fn parse_value(text: &str) -> Result<(String, &str), Refusal> {
    let Some(quoted) = text.trim_start().strip_prefix('"') else {
        let end = text.find(',').unwrap_or(text.len());
        let (value, rest) = text.split_at(end);
        return Ok((value.trim().to_owned(), rest));
    };
    let mut value = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, ch)) = chars.next() {
        match ch {
            '"' => return Ok((value, quoted.get(at + 1..).unwrap_or_default())),
            '\\' => value.extend(chars.next().map(|(_, ch)| ch)),
            _ => value.push(ch),
        }
    }
    Err((format!("the quote before `{quoted}` is not closed"), format!("`{quoted}` 之前的引号没有闭合")))
}

/// All terms as head (what stands before `=`) and value.
pub(crate) fn parse_terms(text: &str) -> Result<Vec<(String, String)>, Refusal> {
    let mut terms = Vec::new();
    let mut rest = text.trim();
    loop {
        let (head, value) = parse_head(rest)?;
        let (value, after) = parse_value(value)?;
        terms.push((head, value));
        rest = after.trim_start();
        match rest.strip_prefix(',') {
            Some(more) => rest = more.trim_start(),
            None if rest.is_empty() => return Ok(terms),
            None => {
                return Err((
                    format!("`{rest}` after a quoted value: put a comma between terms"),
                    format!("引号之后出现 `{rest}`：各项之间请用逗号分隔"),
                ));
            }
        }
    }
}

/// What stands before `=`, perhaps in quotes, and what stands after it.
fn parse_head(text: &str) -> Result<(String, &str), Refusal> {
    if text.starts_with('"') {
        let (head, after) = parse_value(text)?;
        return after.trim_start().strip_prefix('=').map(|value| (head, value)).ok_or_else(|| no_term(text));
    }
    text.split_once('=').map(|(head, value)| (head.trim().to_owned(), value)).ok_or_else(|| no_term(text))
}

fn no_term(text: &str) -> Refusal {
    (
        format!("`{text}` is no term: write `key=value`, such as `id=login`"),
        format!("`{text}` 不是选择项：请写 `键=值`，如 `id=login`"),
    )
}
