//! Terminal colour codes, which build tools write into logs.

use std::borrow::Cow;

const ESCAPE: u8 = 0x1B;

/// The line without `ESC [ … letter` sequences.
pub(crate) fn strip(line: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(ESCAPE, line).is_none() {
        return Cow::Borrowed(line);
    }
    let mut plain = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match (first, after) {
            (&ESCAPE, [b'[', codes @ ..]) => {
                let end = codes
                    .iter()
                    .position(|byte| (0x40..=0x7E).contains(byte))
                    .map_or(codes.len(), |at| at + 1);
                rest = codes.get(end..).unwrap_or_default();
            }
            (&ESCAPE, _) => {}
            _ => plain.push(*first),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::strip;

    #[test]
    fn colours_go_and_text_stays() {
        for (line, plain) in [
            (&b"\x1b[32mBUILD\x1b[0m ok"[..], &b"BUILD ok"[..]),
            (b"plain", b"plain"),
            (b"cut \x1b[3", b"cut "),
            (b"lone \x1b", b"lone "),
        ] {
            assert_eq!(strip(line).as_ref(), plain);
        }
    }
}
