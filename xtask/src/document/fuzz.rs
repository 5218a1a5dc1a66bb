//! Packs, checks and waivers that random edits have broken: nothing panics, every finding has its place, and what is
//! read is the same however it is spelled.
//!
//! `FUZZ_SECONDS=600 FUZZ_SEED=1 cargo test --release -p xtask fuzz -- --nocapture`; a few hundred texts otherwise.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use gate::code::Code;
use gate::decode::{self, Decoded};
use gate::lang::Lang;
use gate::node::Node;
use gate::problem::{Problem, Span, any_error};

use super::{parse, render_all};

/// Texts that are tried when no time is given.
const TRIED: u64 = 400;

const SEEDS: &[&str] = &[
    include_str!("../../../features/login-page/pack.yaml"),
    include_str!("../../../features/login-page/recorded/round-1/checks.lin.yaml"),
    include_str!("../commands/starter.en.yaml"),
    include_str!("../commands/starter.zh.yaml"),
    "waivers:\n  - {criterionId: P-01, owner: lin, reason: 周末修复, expires: 2026-12-31T00:00:00+08:00}\n",
    r#"{"checks": [{"criterionId": "P-01", "result": "pass", "evidence": "x", "actual": [720, "0.7s", null]}]}"#,
    r#"{"feature": "login-page", "criteria": [{"id": "P-01", "dimension": "performance", "weight": "must",
  "statement": "冷启动不超过 800 毫秒", "verify": "看 trace", "assertion": {"matcher": "lte", "expected": 8e2,
  "unit": "ms", "source": "trace", "aggregate": "p95", "minSamples": 3}}]}"#,
];

const PIECES: &[&str] = &[
    "\n",
    "\n  ",
    "\n    ",
    "\t",
    " ",
    ": ",
    "- ",
    "? ",
    "{",
    "}",
    "[",
    "]",
    ",",
    "\"",
    "'",
    "|\n",
    ">-\n",
    "&a ",
    "*a",
    "<<: *a",
    "!!int ",
    "!x ",
    "%YAML 1.1\n",
    "---\n",
    "...\n",
    "# ",
    "null",
    "~",
    "true",
    "yes",
    "on",
    "012",
    "0x1F",
    ".inf",
    ".nan",
    "1e400",
    "1_000",
    "0.1e-9",
    "123456789012345678901234567890",
    "-0",
    "\\u0000",
    "\\ud800",
    "\u{feff}",
    "\u{0}",
    "\u{85}",
    "\u{2028}",
    "\u{200b}",
    "\u{7f}",
    "😀",
    "登录",
    "\r\n",
    "\r",
    "id: P-01\n",
    "criteria:",
    "matcher: lte\n",
    "expected: [1, 2]\n",
    "unit: KB\n",
    "tolerance: 5%\n",
    "not: true\n",
    "aggregate: p100\n",
    "heldOut: true\n",
    "assertion: {}\n",
    "probe: {evidence: x, reader: layout, with: {a: 1}}\n",
    "weight: should\n",
    "[[[[[[[[",
    "{a: {a: {a: ",
];

struct Random(u64);

impl Random {
    /// SplitMix64: from 0 up to, and without, `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % end.max(1) as u64).unwrap()
    }

    fn place(&mut self, bytes: &[u8]) -> usize {
        self.below(bytes.len() + 1)
    }

    /// A piece of some seed, most often whole lines.
    fn excerpt(&mut self) -> Vec<u8> {
        let seed = SEEDS[self.below(SEEDS.len())];
        let lines: Vec<&str> = seed.split_inclusive('\n').collect();
        let from = self.below(lines.len());
        let to = (from + 1 + self.below(6)).min(lines.len());
        lines[from..to].concat().into_bytes()
    }
}

/// A seed after a few edits.
fn broken(random: &mut Random) -> Vec<u8> {
    let mut bytes = SEEDS[random.below(SEEDS.len())].as_bytes().to_vec();
    for _ in 0..=random.below(5) {
        let at = random.place(&bytes);
        let end = (at + random.below(12)).min(bytes.len());
        match random.below(8) {
            0 => drop(bytes.drain(at..end)),
            1 => bytes.truncate(at.max(1)),
            2 => drop(bytes.splice(at..at, [u8::try_from(random.below(256)).unwrap()])),
            3 => drop(bytes.splice(at..at, random.excerpt())),
            4 => {
                let copy = bytes[at..end].to_vec();
                let other = random.place(&bytes);
                drop(bytes.splice(other..other, copy));
            }
            5 => {
                let piece = PIECES[random.below(PIECES.len())];
                drop(bytes.splice(at..end, piece.bytes().cycle().take(piece.len() * (1 + random.below(40)))));
            }
            _ => drop(bytes.splice(at..at, PIECES[random.below(PIECES.len())].bytes())),
        }
    }
    bytes
}

/// What a finding is, whatever the language.
fn kinds(problems: &[Problem]) -> Vec<(Code, Option<Span>)> {
    problems.iter().map(|problem| (problem.code, problem.at)).collect()
}

/// Every finding names the file, lies within the text and says what to do; and all of them can be shown.
fn placed(problems: &[Problem], file: &str, bytes: &[u8], lang: Lang) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let lines = u32::try_from(text.split(['\n', '\r']).count()).unwrap();
    for problem in problems {
        assert_eq!(problem.file.as_deref(), Some(file), "{problem:?}");
        assert!(!problem.message.is_empty() && !problem.help.is_empty(), "{problem:?}");
        let at = problem.at.unwrap_or(Span { line: 1, column: 1 });
        assert!(at.line >= 1 && at.column >= 1 && at.line <= lines + 1, "{problem:?}");
    }
    let sources = BTreeMap::from([(file.to_owned(), text)]);
    assert_eq!(render_all(problems, &sources, lang, true).is_empty(), problems.is_empty());
}

/// Decodes in both languages, and holds the two against each other.
fn decoded<T: PartialEq + std::fmt::Debug>(
    decode: impl Fn(Lang) -> Decoded<T>,
    file: &str,
    bytes: &[u8],
) -> Option<T> {
    let (en, zh) = (decode(Lang::En), decode(Lang::Zh));
    for (decoded, lang) in [(&en, Lang::En), (&zh, Lang::Zh)] {
        placed(&decoded.problems, file, bytes, lang);
        assert_eq!(decoded.value.is_none(), any_error(&decoded.problems));
    }
    assert_eq!(kinds(&en.problems), kinds(&zh.problems));
    assert_eq!(en.value, zh.value);
    en.value
}

/// Reads a text as a pack, as checks and as waivers. Returns how many of the three it is.
fn read(file: &str, bytes: &[u8]) -> usize {
    let node = match (parse(file, bytes, Lang::En), parse(file, bytes, Lang::Zh)) {
        (Ok(en), Ok(zh)) => {
            assert_eq!(en, zh);
            en
        }
        (Err(en), Err(zh)) => {
            assert!(!en.is_empty());
            assert_eq!(kinds(&en), kinds(&zh));
            placed(&en, file, bytes, Lang::En);
            placed(&zh, file, bytes, Lang::Zh);
            return 0;
        }
        (en, zh) => panic!("read in one language only: {en:?} {zh:?}"),
    };
    let pack = decoded(|lang| decode::pack(&node, file, "login-page", lang), file, bytes);
    if let Some(authored) = &pack {
        frozen(&authored.pack);
    }
    let checks = decoded(|lang| decode::checks(&node, file, lang), file, bytes);
    let waivers = decoded(|lang| decode::waivers(&node, file, lang), file, bytes);
    usize::from(pack.is_some()) + usize::from(checks.is_some()) + usize::from(waivers.is_some())
}

/// The canonical JSON of a pack is a pack, the same one.
fn frozen(pack: &gate::pack::Pack) {
    let json = gate::canonical::canonical_json(pack).unwrap();
    assert_eq!(&serde_json::from_slice::<gate::pack::Pack>(&json).unwrap(), pack);
    let node: Node = parse("pack.json", &json, Lang::En).unwrap();
    let again = decode::pack(&node, "pack.json", "login-page", Lang::En);
    assert_eq!(again.value.map(|authored| authored.pack).as_ref(), Some(pack), "{:?}", again.problems);
}

#[test]
fn broken_texts_are_refused_in_order() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let seed = number("FUZZ_SEED").unwrap_or(1);
    let end = number("FUZZ_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let (mut tried, mut accepted) = (0u64, 0usize);
    while end.map_or(tried < TRIED, |end| Instant::now() < end) {
        // Each text has a seed of its own, so that one that is found can be tried alone.
        let bytes = broken(&mut Random(seed.wrapping_mul(1 << 32).wrapping_add(tried)));
        let file = if tried.is_multiple_of(4) { "x.json" } else { "x.yaml" };
        let found = std::panic::catch_unwind(|| read(file, &bytes));
        match found {
            Ok(count) => accepted += count,
            Err(_) => panic!("seed {seed}, text {tried}, {file}:\n{}", String::from_utf8_lossy(&bytes)),
        }
        tried += 1;
    }
    println!("seed {seed}: {tried} texts, {accepted} accepted");
    assert!(accepted > 0, "every text is refused, so nothing is tried beyond the parser");
}
