//! No answer is larger than what hosts leave whole.

use serde_json::Value;

/// Hosts prune what is larger than 8 KB. This is for the whole result, with what the protocol adds left over.
pub const LIMIT: usize = 7_800;

/// How much of that is for the structured part, where not all has room.
pub const STRUCTURED: usize = 3_800;

/// A text that is worth cutting.
const LONG: usize = 200;

/// Takes out of a value what is most of it, until it has at most this many bytes as JSON. What remains is of the same
/// shape: lists are shorter, and long texts end in `…`.
pub fn fit(value: &mut Value, bytes: usize) {
    while size(value) > bytes && cut(value) {}
}

/// The length as JSON.
pub fn size(value: &Value) -> usize {
    value.to_string().len()
}

/// The lines that have room in a JSON text of this many bytes, and whether those are all.
pub fn lines(all: &[String], bytes: usize) -> (String, bool) {
    let mut text = String::new();
    let mut left = bytes;
    for line in all {
        let needed = size(&Value::from(line.as_str()));
        if needed > left {
            let room = left.saturating_sub(8);
            text.push_str(&beginning(line, room));
            return (text, false);
        }
        left -= needed;
        text.push_str(line);
        text.push('\n');
    }
    (text.trim_end().to_owned(), true)
}

/// As much of a line as has room, or nothing where that would be a few words only.
fn beginning(line: &str, room: usize) -> String {
    if room < LONG {
        return "…".to_owned();
    }
    let mut end = room.min(line.len());
    while !line.is_char_boundary(end) || size(&Value::from(line.get(..end).unwrap_or_default())) > room {
        end = end.saturating_sub(1);
    }
    format!("{}…", line.get(..end).unwrap_or_default())
}

/// Makes the largest part smaller. False if there is nothing left to take away.
fn cut(value: &mut Value) -> bool {
    match value {
        Value::Array(items) => {
            let whole: usize = items.iter().map(size).sum();
            // One item that is most of the list is cut itself.
            if let Some(item) = items.iter_mut().max_by_key(|item| size(item))
                && size(item) * 2 > whole
                && cut(item)
            {
                return true;
            }
            let kept = items.len() - items.len().min(1.max(items.len() / 8));
            let is_cut = kept < items.len();
            items.truncate(kept);
            is_cut
        }
        Value::Object(fields) => {
            let mut by_size: Vec<&mut Value> = fields.values_mut().collect();
            by_size.sort_by_key(|field| std::cmp::Reverse(size(field)));
            by_size.into_iter().any(cut)
        }
        Value::String(text) if text.len() > LONG => {
            let mut end = text.len() * 3 / 4;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
            text.push('…');
            true
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_fits_stays_as_it_is() {
        let mut value = json!({ "problems": [{ "message": "short" }] });
        let before = value.clone();
        fit(&mut value, 1_000);
        assert_eq!(value, before);
    }

    #[test]
    fn the_largest_part_is_cut_and_the_shape_stays() {
        let many: Vec<Value> = (0..500).map(|n| json!({ "message": format!("finding {n}") })).collect();
        let mut value =
            json!({ "ending": "no", "problems": many, "result": { "text": "汉字".repeat(2_000) } });
        fit(&mut value, STRUCTURED);
        assert!(size(&value) <= STRUCTURED);
        assert_eq!(value["ending"], "no");
        assert_eq!(value["problems"][0]["message"], "finding 0");
        assert!(value["result"]["text"].as_str().unwrap().ends_with('…'));
    }

    #[test]
    fn what_cannot_be_cut_ends_the_cutting() {
        let mut value = json!({ "a": 1, "b": "short" });
        fit(&mut value, 3);
        assert_eq!(value, json!({ "a": 1, "b": "short" }));
    }

    #[test]
    fn lines_end_at_the_limit() {
        let all: Vec<String> = vec!["first".to_owned(), "\"汉\"".repeat(400)];
        let (text, whole) = lines(&all, 1_000);
        assert!(!whole);
        assert!(text.starts_with("first\n") && text.ends_with('…'), "{text}");
        assert!(size(&Value::from(text)) <= 1_000);
        assert_eq!(lines(&all, 100_000), (all.join("\n"), true));
    }
}
