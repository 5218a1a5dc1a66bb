//! Texts for notations that have no markup: shown as they are, in one line or several, cut where nobody reads on.

use gate::lang::Lang;
use gate::say;

use crate::render::visible;
use crate::reports::view::ProblemView;

/// The most characters of one text. The artifact has all of them.
const SHOWN: usize = 1000;

/// A text as one line.
pub fn line(text: &str) -> String {
    clip(&visible(text, false), SHOWN)
}

/// A text of several lines, each of which is cut.
pub fn block(text: &str) -> String {
    let lines = text.lines().map(|line| clip(&visible(line, false), SHOWN));
    clip(&lines.collect::<Vec<_>>().join("\n"), 4 * SHOWN)
}

/// `E_CODE: what is wrong (what to do)`.
pub fn problem(problem: &ProblemView<'_>, lang: Lang) -> String {
    let ProblemView { code, message, help, .. } = problem;
    line(&say!(lang, "{code}: {message} ({help})", "{code}：{message}（{help}）"))
}

/// The first characters of a text, and how many there would be.
pub fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => {
            let rest = text.chars().count().saturating_sub(most);
            format!("{}… (+{rest})", text.get(..end).unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_reads_to_its_end_is_cut() {
        assert_eq!(clip("登录", 2), "登录");
        assert_eq!(clip("登录页", 2), "登录… (+1)");
        assert_eq!(line("a\r\nb\0"), "a b⟨U+0000⟩");
        assert_eq!(block("a\nb\u{202E}\n"), "a\nb⟨U+202E⟩");
        assert!(block(&"x\n".repeat(100_000)).len() < 5 * SHOWN);
    }
}
