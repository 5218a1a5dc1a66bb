//! What a reader is given: the bytes as a stream, and the facts that bytes alone do not carry.

use std::collections::BTreeMap;
use std::io::{BufRead, Read as _};

use gate::lang::Lang;
use gate::say;

use crate::answer::{Outcome, missing, unreadable};
use crate::document::Document;

/// The most bytes of a document that is read whole (JSON, XML, image): 64 MiB.
pub const DOCUMENT_CAP: u64 = 64 * 1024 * 1024;

/// The most bytes of one line in a file that is streamed: 4 MiB.
pub const LINE_CAP: usize = 4 * 1024 * 1024;

/// One evidence file, and what is known of it besides its bytes.
pub struct Input<'a, 'd> {
    /// The bytes, read once from the start; `None` if the collector wrote no such file.
    pub body: Option<&'a mut dyn BufRead>,
    /// The size of the file in bytes, for the reader `file`.
    pub size: Option<u64>,
    /// SHA-256 of the file in lower-case hexadecimal, for the reader `file`.
    pub sha256: Option<String>,
    /// The exit status of the collector, for the reader `exit`; `None` if it was killed or never ran.
    pub exit: Option<i32>,
    /// The bytes of further evidence, by the name of the parameter that asks for it (see [`crate::companions`]).
    pub companions: BTreeMap<String, &'a [u8]>,
    /// The same bytes, where several questions are put to them.
    pub document: Option<&'a Document<'d>>,
}

impl<'a, 'd> Input<'a, 'd> {
    /// An input of bytes alone.
    pub fn new(body: &'a mut dyn BufRead) -> Self {
        Input { body: Some(body), ..Input::absent() }
    }

    /// A file that is not there.
    pub fn absent() -> Self {
        Input {
            body: None,
            size: None,
            sha256: None,
            exit: None,
            companions: BTreeMap::new(),
            document: None,
        }
    }

    /// The same input with a companion, under the name of the parameter that asks for it.
    #[must_use]
    pub fn with_companion(mut self, param: &str, bytes: &'a [u8]) -> Self {
        self.companions.insert(param.to_owned(), bytes);
        self
    }

    /// The bytes of a companion, or the answer that they are not there.
    pub(crate) fn companion(&self, param: &str, lang: Lang) -> Outcome<&'a [u8]> {
        match self.companions.get(param) {
            Some(bytes) => Ok(bytes),
            None => missing(say!(
                lang,
                "the evidence that `{param}` names is not there",
                "`{param}` 所指的证据不存在"
            )),
        }
    }

    /// The stream, or the answer that there is no file.
    pub(crate) fn stream(&mut self, lang: Lang) -> Outcome<&mut dyn BufRead> {
        match &mut self.body {
            Some(body) => Ok(&mut **body),
            None => missing(say!(lang, "there is no file to read", "没有可读的文件")),
        }
    }

    /// The whole document, up to [`DOCUMENT_CAP`].
    pub(crate) fn whole(&mut self, lang: Lang) -> Outcome<Vec<u8>> {
        let stream = self.stream(lang)?;
        let mut bytes = Vec::new();
        if let Err(error) = stream.take(DOCUMENT_CAP + 1).read_to_end(&mut bytes) {
            return unreadable(io_reason(&error, lang));
        }
        if bytes.len() as u64 > DOCUMENT_CAP {
            let cap = DOCUMENT_CAP / 1024 / 1024;
            return unreadable(say!(
                lang,
                "the document is larger than the cap of {cap} MiB: capture less of it",
                "文档超过 {cap} MiB 的上限：请缩小采集范围"
            ));
        }
        Ok(bytes)
    }

    /// The whole document as text without a byte order mark, up to [`DOCUMENT_CAP`].
    pub(crate) fn document_text(&mut self, lang: Lang) -> Outcome<String> {
        text_of(self.whole(lang)?, lang)
    }
}

/// Bytes as UTF-8 without a byte order mark.
pub(crate) fn text_in(bytes: &[u8], lang: Lang) -> Outcome<&str> {
    refuse_utf16(bytes, lang)?;
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    std::str::from_utf8(bytes).or_else(|error| not_text(error, lang))
}

fn not_text<T>(error: std::str::Utf8Error, lang: Lang) -> Outcome<T> {
    let at = error.valid_up_to();
    unreadable(say!(lang, "not UTF-8 text: byte {at}", "不是 UTF-8 文本：第 {at} 字节处"))
}

/// As [`text_in`], of bytes that are given away.
pub(crate) fn text_of(mut bytes: Vec<u8>, lang: Lang) -> Outcome<String> {
    refuse_utf16(&bytes, lang)?;
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).or_else(|error| not_text(error.utf8_error(), lang))
}

/// PowerShell's `>` writes UTF-16; say so instead of "not this format".
pub(crate) fn refuse_utf16(bytes: &[u8], lang: Lang) -> Outcome<()> {
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        return unreadable(say!(
            lang,
            "the text is UTF-16, as PowerShell's `>` writes it: capture it as UTF-8",
            "文本是 UTF-16（PowerShell 的 `>` 会写成这样）：请以 UTF-8 重新采集"
        ));
    }
    Ok(())
}

/// An IO error, without the path and the platform's wording: those differ from machine to machine.
pub(crate) fn io_reason(error: &std::io::Error, lang: Lang) -> String {
    let kind = error.kind();
    say!(lang, "reading stopped: {kind}", "读取中断：{kind}")
}
