//! What people waive, as they write it.

use std::collections::BTreeMap;

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::check::Waiver;
use crate::code::Code;
use crate::lang::Lang;
use crate::node::{Node, Value};
use crate::problem::Span;
use crate::say;

use super::check::list_of;
use super::fields::text;
use super::{Decoded, Fields, Findings, has_visible};

const WAIVER: [&str; 4] = ["criterionId", "owner", "reason", "expires"];

/// Decodes waivers: a mapping with the list `waivers`, or the list alone. Each names one criterion, an owner, a
/// reason and an instant; anything less, or two for one criterion, is an error of the input.
pub fn waivers(node: &Node, file: &str, lang: Lang) -> Decoded<Vec<Waiver>> {
    let mut findings = Findings::new(file, lang);
    let items = list_of(node, "waivers", ("a waivers file", "豁免文件"), &mut findings);
    let waivers: Option<Vec<Waiver>> =
        items.map(|items| items.iter().filter_map(|item| waiver(item, &mut findings)).collect());
    refuse_duplicates(waivers.as_deref().unwrap_or_default(), &mut findings);
    findings.finish(waivers)
}

/// An instant as RFC 3339 writes it, with its zone.
pub fn instant(text: &str) -> Option<OffsetDateTime> {
    OffsetDateTime::parse(text, &Rfc3339).ok()
}

fn waiver(node: &Node, findings: &mut Findings<'_>) -> Option<Waiver> {
    let mark = findings.mark();
    let fields = Fields::open(node, ("a waiver", "豁免"), &WAIVER, findings)?;
    let criterion_id = said(&fields, "criterionId", findings);
    let owner = said(&fields, "owner", findings);
    let reason = said(&fields, "reason", findings);
    let expires = said(&fields, "expires", findings);
    if let Some(expires) = &expires
        && instant(expires).is_none()
    {
        no_instant(expires, fields.place("expires"), findings);
    }
    let criterion_id = criterion_id?;
    findings.tie(mark, &criterion_id);
    Some(Waiver { criterion_id, owner: owner?, reason: reason?, expires: expires?, at: Some(node.at) })
}

/// A field that must be there and say something.
fn said(fields: &Fields<'_>, name: &str, findings: &mut Findings<'_>) -> Option<String> {
    let blank = match fields.get(name) {
        Some(Node { value: Value::Text(text), .. }) => !has_visible(text),
        Some(Node { value: Value::Null, .. }) | None => true,
        Some(_) => false,
    };
    if blank {
        let message =
            say!(findings.lang, "a waiver without `{name}` waives nothing", "没有 `{name}` 的豁免无效");
        findings.report(Code::WaiverInvalid, fields.place(name), message);
        return None;
    }
    text(fields.get(name)?, name, findings)
}

fn no_instant(expires: &str, at: Span, findings: &mut Findings<'_>) {
    let lang = findings.lang;
    let message = say!(
        lang,
        "`{expires}` is no instant with a zone (RFC 3339)",
        "`{expires}` 不是带时区的时刻（RFC 3339）"
    );
    let help = lang.pick(
        "write date, time and zone: 2026-12-31T00:00:00+08:00",
        "请写明日期、时间和时区：2026-12-31T00:00:00+08:00",
    );
    findings.report_with(Code::WaiverInvalid, at, message, help);
}

fn refuse_duplicates(waivers: &[Waiver], findings: &mut Findings<'_>) {
    let mut first: BTreeMap<&str, Span> = BTreeMap::new();
    for waiver in waivers {
        let (id, at) = (waiver.criterion_id.as_str(), waiver.at.unwrap_or_default());
        let Some(Span { line, column }) = first.get(id).copied() else {
            first.insert(id, at);
            continue;
        };
        let mark = findings.mark();
        let message = say!(
            findings.lang,
            "`{id}` is waived twice; first at line {line}, column {column}",
            "`{id}` 有两条豁免；首次在第 {line} 行第 {column} 列"
        );
        findings.report(Code::WaiverDuplicate, at, message);
        findings.tie(mark, id);
    }
}
