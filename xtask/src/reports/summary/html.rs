//! `summary.html`: the same on one page for a browser, with nothing that it would have to load.

use std::fmt::Write as _;

use gate::lang::Lang;

use super::{Line, Month, Share, Summary};
use crate::render::html::escaped;
use crate::render::label;

const STYLE: &str = "\
:root{color-scheme:light dark;--line:#d0d7de;--bar:#bf3989}\
@media(prefers-color-scheme:dark){:root{--line:#3d444d;--bar:#e275ad}}\
body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}\
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));gap:1rem}\
dt{font-size:.875rem}dd{margin:0;font-size:1.5rem}\
table{border-collapse:collapse;width:100%}\
.wide{overflow-x:auto}\
th,td{border-bottom:1px solid var(--line);padding:.375rem .75rem .375rem 0;text-align:left;vertical-align:top}\
.n{text-align:right;font-variant-numeric:tabular-nums}\
svg{width:8rem;height:.75rem;vertical-align:middle}";

/// Renders the page.
pub fn html(summary: &Summary, lang: Lang) -> Vec<u8> {
    let say = |en: &'static str, zh: &'static str| lang.pick(en, zh);
    let title = say("Deliveries", "交付汇总");
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n<main>\n<h1>{title}</h1>\n",
        say("en", "zh-CN")
    );
    figures(summary, lang, &mut page);
    if summary.replayed > 0 {
        let text = say(
            "rounds were replayed from recordings: no device was measured, and no agent worked.",
            "个轮次为重放：使用先前的录制，没有测量设备，也没有智能体工作。",
        );
        put(&mut page, &format!("<p><strong>{} {text}</strong></p>\n", summary.replayed));
    }
    rounds(&summary.rounds, lang, &mut page);
    months(&summary.months, lang, &mut page);
    features(&summary.lines, lang, &mut page);
    let note = say(
        "A round that ended well by its own account was handed over as done; it was wrong if the gate did not accept it. Rounds under earlier packs count as well.",
        "一个轮次按其自身说法正常结束，即视为声称完成；门禁没有验收它，即为不成立。先前验收包下的轮次也计算在内。",
    );
    put(&mut page, &format!("<p>{note}</p>\n</main>\n</body>\n</html>\n"));
    page.into_bytes()
}

fn put(page: &mut String, text: &str) {
    page.push_str(text);
}

fn figures(summary: &Summary, lang: Lang, page: &mut String) {
    let mut all = vec![
        (lang.pick("Features", "功能"), summary.features.to_string()),
        (lang.pick("Accepted of those judged", "已有结论的功能中已验收"), summary.acceptance.clone()),
        (lang.pick("Handed over as done and wrong", "声称完成但不成立"), summary.wrong_share.clone()),
    ];
    if let Some(cost) = &summary.cost {
        all.push((lang.pick("Cost, as agents reckon", "费用（由智能体自行计算）"), cost.clone()));
    }
    if let Some(tokens) = summary.tokens {
        all.push((lang.pick("Tokens", "Token 数"), tokens.to_string()));
    }
    put(page, "<dl>\n");
    for (name, figure) in all {
        put(page, &format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escaped(&figure)));
    }
    put(page, "</dl>\n");
}

fn rounds(shares: &[Share], lang: Lang, page: &mut String) {
    if shares.is_empty() {
        return;
    }
    let most = shares.iter().map(|share| share.deliveries).max().unwrap_or(1).max(1);
    put(page, &format!("<h2>{}</h2>\n", lang.pick("Rounds to acceptance", "验收所用轮次")));
    head(
        page,
        &[(lang.pick("rounds", "轮次"), true), (lang.pick("deliveries", "交付数"), true), ("", false)],
    );
    for Share { rounds, deliveries } in shares {
        let bar = bar(deliveries * 100 / most);
        let row = format!(
            "<tr><td class=\"n\">{rounds}</td><td class=\"n\">{deliveries}</td><td>{bar}</td></tr>\n"
        );
        put(page, &row);
    }
    put(page, "</tbody></table></div>\n");
}

fn months(months: &[Month], lang: Lang, page: &mut String) {
    if months.is_empty() {
        return;
    }
    put(page, &format!("<h2>{}</h2>\n", lang.pick("Month by month", "按月趋势")));
    let columns = [
        (lang.pick("month", "月份"), false),
        (lang.pick("rounds judged", "审计轮次"), true),
        (lang.pick("accepted", "已验收"), true),
        (lang.pick("handed over as done and wrong", "声称完成但不成立"), true),
        ("", false),
        (lang.pick("cost", "费用"), true),
    ];
    head(page, &columns);
    for month in months {
        let Month { rounds, accepted, .. } = month;
        let cells = [&month.wrong_share, month.cost.as_deref().unwrap_or("–")].map(escaped);
        let [wrong, cost] = cells;
        let _ = writeln!(
            page,
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{rounds}</td><td class=\"n\">{accepted}</td>\
             <td class=\"n\">{wrong}</td><td>{}</td><td class=\"n\">{cost}</td></tr>",
            escaped(&month.month),
            bar(month.wrong_percent)
        );
    }
    put(page, "</tbody></table></div>\n");
}

fn features(lines: &[Line], lang: Lang, page: &mut String) {
    put(page, &format!("<h2>{}</h2>\n", lang.pick("Features", "各功能")));
    let columns = [
        (lang.pick("feature", "功能"), false),
        (lang.pick("name", "名称"), false),
        (lang.pick("state", "状态"), false),
        (lang.pick("rounds", "轮次"), true),
        (lang.pick("path", "经过"), false),
        (lang.pick("wrong", "不成立"), true),
        (lang.pick("cost", "费用"), true),
        (lang.pick("tokens", "Token 数"), true),
        (lang.pick("last judged", "最近审计"), false),
    ];
    head(page, &columns);
    for line in lines {
        let path: Vec<String> = line.path.iter().map(|word| label(word, lang)).collect();
        let tokens = line.tokens.map_or_else(|| "–".to_owned(), |tokens| tokens.to_string());
        let reason = line.unreadable.as_ref().map(|reason| format!("<br>{}", escaped(reason)));
        let _ = writeln!(
            page,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}{}</td><td class=\"n\">{}</td><td>{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{tokens}</td><td>{}</td></tr>",
            escaped(&line.feature),
            escaped(&line.title),
            escaped(&label(line.state, lang)),
            reason.unwrap_or_default(),
            line.rounds,
            path.join(" → "),
            line.wrong,
            escaped(line.cost.as_deref().unwrap_or("–")),
            escaped(line.last.as_deref().unwrap_or("–"))
        );
    }
    put(page, "</tbody></table></div>\n");
}

/// A table's beginning: its columns, and which of them hold numbers.
fn head(page: &mut String, columns: &[(&str, bool)]) {
    put(page, "<div class=\"wide\" tabindex=\"0\"><table><thead><tr>");
    for (name, is_number) in columns {
        let class = if *is_number { " class=\"n\"" } else { "" };
        match name.is_empty() {
            true => put(page, "<td></td>"),
            false => put(page, &format!("<th scope=\"col\"{class}>{name}</th>")),
        }
    }
    put(page, "</tr></thead><tbody>\n");
}

/// What is said in numbers beside it, as a bar.
fn bar(percent: usize) -> String {
    let width = percent.min(100);
    format!(
        "<svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
         <rect width=\"100\" height=\"10\" fill=\"var(--line)\"/><rect width=\"{width}\" height=\"10\" fill=\"var(--bar)\"/></svg>"
    )
}
