//! The few strokes that drawings are made of. Numbers are written the same on every machine; texts are escaped.

use crate::render::html::escaped;

/// A drawing in the making.
pub struct Svg {
    body: String,
    width: f64,
    height: f64,
}

/// Where a text begins, ends, or has its middle.
#[derive(Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    /// A drawing of this size.
    pub fn new(width: f64, height: f64) -> Self {
        Svg { body: String::new(), width, height }
    }

    /// A box.
    pub fn rect(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
        self.put(&format!(
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            number(x),
            number(y),
            number(width.max(0.0)),
            number(height.max(0.0))
        ));
    }

    /// A line.
    pub fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let (x1, y1, x2, y2) = (number(x1), number(y1), number(x2), number(y2));
        self.put(&format!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"));
    }

    /// A disc.
    pub fn disc(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        let (x, y, radius) = (number(x), number(y), number(radius));
        self.put(&format!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>"));
    }

    /// A path, as SVG writes it.
    pub fn path(&mut self, class: &str, path: &str) {
        self.put(&format!("<path class=\"{class}\" d=\"{path}\"/>"));
    }

    /// A text on its baseline, of this size where it is not the style's.
    pub fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, size: Option<f64>, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let size = size.map(|size| format!(" font-size=\"{}\"", number(size))).unwrap_or_default();
        self.put(&format!(
            "<text class=\"{class}\" x=\"{}\" y=\"{}\"{anchor}{size}>{}</text>",
            number(x),
            number(y),
            escaped(text)
        ));
    }

    /// A picture that is written out in the page.
    pub fn picture(&mut self, (width, height): (f64, f64), address: &str) {
        let (width, height) = (number(width), number(height));
        self.put(&format!(
            "<image width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\" href=\"{address}\"/>"
        ));
    }

    /// A path that stands for a word.
    pub fn sign(&mut self, class: &str, path: &str, word: &str) {
        let word = escaped(word);
        self.put(&format!("<path class=\"{class}\" role=\"img\" aria-label=\"{word}\" d=\"{path}\"/>"));
    }

    /// A link around what `inside` draws.
    pub fn link(&mut self, target: &str, inside: impl FnOnce(&mut Self)) {
        self.put(&format!("<a href=\"{}\">", escaped(target)));
        inside(self);
        self.put("</a>");
    }

    /// Anything else that is markup already.
    pub fn put(&mut self, markup: &str) {
        self.body.push_str(markup);
    }

    /// Its size as the page writes it.
    pub fn size(&self) -> (String, String) {
        (number(self.width), number(self.height))
    }

    /// A drawing that adorns, as wide as its place is.
    pub fn stretched(self, class: &str) -> String {
        let (width, height) = self.size();
        format!(
            "<svg class=\"{class}\" preserveAspectRatio=\"none\" viewBox=\"0 0 {width} {height}\">{}</svg>",
            self.body
        )
    }

    /// The drawing, which says what it shows. The role `group` lets what is linked in it be reached.
    pub fn finish(self, class: &str, role: &str, label: &str) -> String {
        let (width, height) = self.size();
        format!(
            "<svg class=\"{class}\" role=\"{role}\" aria-label=\"{}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\">{}</svg>",
            escaped(label),
            self.body
        )
    }
}

/// A number with two decimals at most.
pub fn number(value: f64) -> String {
    decimals(value, 2)
}

/// A number with so many decimals at most.
pub fn decimals(value: f64, places: usize) -> String {
    let mut text = format!("{value:.places$}");
    if text.contains('.') {
        let end = text.trim_end_matches('0').trim_end_matches('.').len();
        text.truncate(end);
    }
    if text == "-0" { "0".to_owned() } else { text }
}

/// A round number for the distance of ticks on an axis, so that five of them fit. `span` is above zero.
pub fn round_step(span: f64) -> f64 {
    let wanted = span / 5.0;
    let mut power = 1.0_f64;
    while power > wanted {
        power /= 10.0;
    }
    while power * 10.0 <= wanted {
        power *= 10.0;
    }
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|by| by * power).find(|step| *step >= wanted).unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_at_round_numbers() {
        for (span, step) in [(1344.0, 500.0), (8.5, 2.0), (0.82, 0.2), (4.0, 1.0), (3e27, 1e27)] {
            let off = (round_step(span) - step).abs() / step;
            assert!(off < 1e-9, "{span}: {}", round_step(span));
        }
    }

    #[test]
    fn numbers_are_short_and_alike_everywhere() {
        for (value, text) in [(1200.0, "1200"), (16.285_714, "16.29"), (-0.001, "0"), (0.1 + 0.2, "0.3")] {
            assert_eq!(number(value), text);
        }
        assert_eq!(decimals(0.00125, 4), "0.0013");
    }
}
