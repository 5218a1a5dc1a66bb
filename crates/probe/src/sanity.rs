//! What an evidence file looks like before any value is read out of it: whether it decodes as what its name says, and
//! how large a screen it shows. Nothing is judged here.

use gate::lang::Lang;
use gate::say;

use crate::answer::{Outcome, Stop, unreadable};
use crate::image::Pixels;
use crate::input::Input;
use crate::json_text::{JsonText, skip_banner};
use crate::layout::Tree;

/// What a file looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// There is not a byte in it.
    Empty,
    /// It does not decode as what its name says, and why.
    Undecodable(String),
    /// A picture of one colour all over.
    Flat,
    /// A picture, in pixels.
    Picture {
        /// Its width.
        width: u64,
        /// Its height.
        height: u64,
    },
    /// A layout tree, with the size of its screen in pixels.
    Layout {
        /// The width of the root.
        width: u64,
        /// The height of the root.
        height: u64,
    },
    /// Anything else that decodes.
    Other,
}

/// Looks at a file. Its name says what it should be: `.png`, `.jpeg`, `.json` and `.xml` are decoded, of anything else
/// only the first byte is looked at.
pub fn look(name: &str, mut input: Input<'_, '_>, lang: Lang) -> Look {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let looked = match extension.as_deref() {
        Some("png" | "jpg" | "jpeg") => picture(&mut input, lang),
        Some("json") => json(&mut input, lang),
        Some("xml") => xml(&mut input, lang),
        _ => other(&mut input, lang),
    };
    looked.unwrap_or_else(|stop| match stop {
        Stop::Nothing(why) | Stop::Missing(why) | Stop::Unreadable(why) => Look::Undecodable(why),
    })
}

fn picture(input: &mut Input<'_, '_>, lang: Lang) -> Outcome<Look> {
    let bytes = input.whole(lang)?;
    if bytes.is_empty() {
        return Ok(Look::Empty);
    }
    let pixels = Pixels::decode(&bytes, lang)?;
    let mut all = pixels.all();
    let first = all.next();
    if all.all(|pixel| Some(pixel) == first) {
        return Ok(Look::Flat);
    }
    Ok(Look::Picture { width: pixels.width as u64, height: pixels.height as u64 })
}

fn json(input: &mut Input<'_, '_>, lang: Lang) -> Outcome<Look> {
    let text = input.document_text(lang)?;
    if text.is_empty() {
        return Ok(Look::Empty);
    }
    let mut tokens = JsonText::new(skip_banner(&text));
    loop {
        match tokens.next() {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(error) => return unreadable(error.explain(lang)),
        }
    }
    let Ok(tree) = Tree::parse(&text, lang) else { return Ok(Look::Other) };
    let size = tree.screen().and_then(|screen| screen.size_in_pixels());
    Ok(size.map_or(Look::Other, |(width, height)| Look::Layout { width, height }))
}

fn xml(input: &mut Input<'_, '_>, lang: Lang) -> Outcome<Look> {
    let text = input.document_text(lang)?;
    if text.is_empty() {
        return Ok(Look::Empty);
    }
    match roxmltree::Document::parse(&text) {
        Ok(_) => Ok(Look::Other),
        Err(error) => unreadable(say!(lang, "it is no XML: {error}", "不是 XML：{error}")),
    }
}

fn other(input: &mut Input<'_, '_>, lang: Lang) -> Outcome<Look> {
    let stream = input.stream(lang)?;
    match stream.fill_buf() {
        Ok([]) => Ok(Look::Empty),
        Ok(_) => Ok(Look::Other),
        Err(error) => unreadable(say!(lang, "it cannot be read: {error}", "无法读取：{error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(name: &str, mut bytes: &[u8]) -> Look {
        look(name, Input::new(&mut bytes), Lang::En)
    }

    fn png(pixels: &[u8], width: u32, height: u32) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.write_header().unwrap().write_image_data(pixels).unwrap();
        file
    }

    #[test]
    fn a_file_looks_like_what_its_name_says_or_does_not() {
        let layout = br#"{"attributes":{"bounds":"[0,0][1260,2720]"},"children":[]}"#;
        let picture = png(&[1, 2, 3, 4, 5, 6], 2, 1);
        for (name, bytes, expected) in [
            ("a.json", &b""[..], Look::Empty),
            ("a.png", b"", Look::Empty),
            ("a.xml", b"", Look::Empty),
            ("a.txt", b"", Look::Empty),
            ("a.txt", b"x", Look::Other),
            ("a.json", b"{\"a\": [1]}", Look::Other),
            ("a.json", b"DumpLayout saved to:/data/x\n{\"a\": 1}", Look::Other),
            ("a.json", layout, Look::Layout { width: 1260, height: 2720 }),
            ("a.xml", b"<a/>", Look::Other),
            ("a.PNG", &picture, Look::Picture { width: 2, height: 1 }),
            ("a.png", &png(&[7; 12], 2, 2), Look::Flat),
        ] {
            assert_eq!(seen(name, bytes), expected, "{name}");
        }
        for (name, bytes) in
            [("a.json", &b"{"[..]), ("a.png", b"GIF89a"), ("a.jpeg", &picture[..20]), ("a.xml", b"<a>")]
        {
            assert!(matches!(seen(name, bytes), Look::Undecodable(_)), "{name}");
        }
    }
}
