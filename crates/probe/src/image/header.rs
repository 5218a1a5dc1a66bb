//! What a picture says of itself before its pixels: its format and its size.

use std::io::Cursor;

/// A picture, by its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    /// `image/png` or `image/jpeg`.
    pub media_type: &'static str,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
}

/// The header of a PNG or JPEG picture; none of anything else.
pub fn picture(bytes: &[u8]) -> Option<Picture> {
    if bytes.starts_with(b"\x89PNG") {
        let reader = png::Decoder::new(Cursor::new(bytes)).read_info().ok()?;
        let (width, height) = reader.info().size();
        return Some(Picture { media_type: "image/png", width, height });
    }
    let mut decoder = zune_jpeg::JpegDecoder::new(Cursor::new(bytes));
    decoder.decode_headers().ok()?;
    let info = decoder.info()?;
    Some(Picture { media_type: "image/jpeg", width: u32::from(info.width), height: u32::from(info.height) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_known_by_its_header() {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 3, 2);
        encoder.set_color(png::ColorType::Rgb);
        encoder.write_header().unwrap().write_image_data(&[0; 18]).unwrap();
        assert_eq!(picture(&file), Some(Picture { media_type: "image/png", width: 3, height: 2 }));
        for other in [&b""[..], b"\x89PNG", b"GIF89a", b"{}", &file[..12]] {
            assert_eq!(picture(other), None, "{other:?}");
        }
    }
}
