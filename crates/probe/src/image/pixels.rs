//! Decoding a screenshot, within limits.

use std::io::Cursor;

use gate::lang::Lang;
use gate::say;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::answer::{Outcome, unreadable};

/// The longest side that is decoded.
const SIDE_CAP: usize = 16_384;

/// The most pixels that are decoded.
const PIXEL_CAP: usize = 64 * 1024 * 1024;

/// An opaque image, three bytes a pixel.
pub(crate) struct Pixels {
    pub(crate) width: usize,
    pub(crate) height: usize,
    bytes: Vec<u8>,
    /// Whether the format keeps colours exactly.
    pub(super) exact: bool,
    /// Whether some pixel lets a background through.
    pub(super) transparent: bool,
}

impl Pixels {
    pub(crate) fn decode(bytes: &[u8], lang: Lang) -> Outcome<Pixels> {
        let pixels = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            png(bytes, lang)?
        } else if bytes.starts_with(b"\xFF\xD8\xFF") {
            jpeg(bytes, lang)?
        } else {
            return unreadable(say!(lang, "neither PNG nor JPEG", "既不是 PNG 也不是 JPEG"));
        };
        if pixels.bytes.len() != pixels.width * pixels.height * 3 || pixels.bytes.is_empty() {
            return refuse(lang);
        }
        Ok(pixels)
    }

    /// All pixels, row by row.
    pub(crate) fn all(&self) -> impl Iterator<Item = [u8; 3]> + '_ {
        self.bytes.chunks_exact(3).filter_map(|pixel| pixel.try_into().ok())
    }

    /// The pixels of a box that lies within the image.
    pub(super) fn within(&self, area: Area) -> impl Iterator<Item = [u8; 3]> + '_ {
        (area.top..area.bottom).flat_map(move |row| {
            let start = (row * self.width + area.left) * 3;
            let end = (row * self.width + area.right) * 3;
            self.bytes
                .get(start..end)
                .unwrap_or_default()
                .chunks_exact(3)
                .filter_map(|pixel| pixel.try_into().ok())
        })
    }
}

/// A box of whole pixels; right and bottom are exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) right: usize,
    pub(super) bottom: usize,
}

fn refuse<T>(lang: Lang) -> Outcome<T> {
    unreadable(say!(lang, "the image does not decode: truncated or damaged", "图片无法解码：被截断或已损坏"))
}

fn refuse_size<T>(lang: Lang) -> Outcome<T> {
    unreadable(say!(
        lang,
        "the image is larger than the cap of {SIDE_CAP} pixels a side or {PIXEL_CAP} in all",
        "图片超过上限：每边 {SIDE_CAP} 像素，或共 {PIXEL_CAP} 像素"
    ))
}

fn within_caps(width: usize, height: usize) -> bool {
    width <= SIDE_CAP && height <= SIDE_CAP && width.saturating_mul(height) <= PIXEL_CAP
}

fn png(bytes: &[u8], lang: Lang) -> Outcome<Pixels> {
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: PIXEL_CAP * 8 });
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let Ok(mut reader) = decoder.read_info() else { return refuse(lang) };
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    if !within_caps(width, height) {
        return refuse_size(lang);
    }
    let Some(size) = reader.output_buffer_size() else { return refuse_size(lang) };
    let mut raw = vec![0; size];
    let Ok(frame) = reader.next_frame(&mut raw) else { return refuse(lang) };
    // Whatever follows the pixels has to be whole as well, else the file was cut.
    if reader.finish().is_err() {
        return refuse(lang);
    }
    raw.truncate(frame.buffer_size());
    let (channels, gray) = match frame.color_type {
        png::ColorType::Grayscale => (1, true),
        png::ColorType::GrayscaleAlpha => (2, true),
        png::ColorType::Rgb => (3, false),
        png::ColorType::Rgba => (4, false),
        png::ColorType::Indexed => return refuse(lang),
    };
    let mut opaque = Vec::with_capacity(width * height * 3);
    let mut transparent = false;
    for pixel in raw.chunks_exact(channels) {
        match (pixel, gray) {
            ([value, alpha @ ..], true) => {
                opaque.extend([*value; 3]);
                transparent |= alpha.iter().any(|alpha| *alpha != u8::MAX);
            }
            ([red, green, blue, alpha @ ..], false) => {
                opaque.extend([*red, *green, *blue]);
                transparent |= alpha.iter().any(|alpha| *alpha != u8::MAX);
            }
            _ => return refuse(lang),
        }
    }
    Ok(Pixels { width, height, bytes: opaque, exact: true, transparent })
}

fn jpeg(bytes: &[u8], lang: Lang) -> Outcome<Pixels> {
    // A decoder fills what is cut off with grey; the end marker shows that nothing was.
    if !bytes.windows(2).rev().take(4096).any(|pair| pair == b"\xFF\xD9") {
        return refuse(lang);
    }
    let options = DecoderOptions::default()
        .set_max_width(SIDE_CAP)
        .set_max_height(SIDE_CAP)
        .set_strict_mode(true)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(bytes), options);
    if decoder.decode_headers().is_err() {
        return refuse(lang);
    }
    let Some((width, height)) = decoder.dimensions() else { return refuse(lang) };
    if !within_caps(width, height) {
        return refuse_size(lang);
    }
    match decoder.decode() {
        Ok(decoded) => Ok(Pixels { width, height, bytes: decoded, exact: false, transparent: false }),
        Err(_) => refuse(lang),
    }
}
