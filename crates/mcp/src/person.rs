//! What only a person does: it is answered with the command, and never done.

use gate::lang::Lang;
use gate::say;
use schemars::JsonSchema;
use serde::Serialize;

use crate::input::Deed;

/// What a person does, and how.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Errand {
    /// What a person types, at a command line of their own
    pub command: String,
    /// What has to be done first, and why it is a person's
    pub why: String,
}

/// How a person does it.
pub fn errand(deed: Deed, feature: &str, about: Option<&str>, lang: Lang) -> Errand {
    let about = about.filter(|about| is_plain(about));
    let criterion = about.unwrap_or("<criterion>");
    let finding = about.unwrap_or("<finding>");
    let command = match deed {
        Deed::Freeze => format!("cargo xtask freeze {feature}"),
        Deed::Waive => format!("cargo xtask deliver {feature}"),
        Deed::Answer => {
            format!("cargo xtask respond {feature} {finding} <--accept|--dispute> --reason \"…\"")
        }
        Deed::Threshold => format!("cargo xtask freeze {feature} --reason \"…\""),
        Deed::Settle => {
            format!("cargo xtask settle {feature} {criterion} --result <pass|fail> --by \"…\" --reason \"…\"")
        }
        Deed::Sign => format!("cargo xtask attest {feature} --key <file>"),
    };
    Errand { command, why: why(deed, feature, lang) }
}

/// Whether a text can stand in a command that a person pastes into a shell.
fn is_plain(text: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_' | '.');
    text.len() <= 64 && text.starts_with(char::is_alphanumeric) && text.chars().all(is_word)
}

fn why(deed: Deed, feature: &str, lang: Lang) -> String {
    match deed {
        Deed::Freeze => lang
            .pick(
                "a person reads the pack and freezes it: it is what the work is judged by. One that was frozen before \
                 needs a reason as well: --reason \"…\"",
                "由人阅读并冻结验收包：工作将以它为准来判定。此前冻结过的，还须写明理由：--reason \"…\"",
            )
            .to_owned(),
        Deed::Waive => say!(
            lang,
            "a person writes the waiver, with an owner, a reason and an expiry, into features/{feature}/waivers.yaml, \
             and delivers again",
            "由人在 features/{feature}/waivers.yaml 中写明负责人、理由与到期时间，然后重新交付"
        ),
        Deed::Answer => lang
            .pick(
                "a person answers a finding by name and with a reason: accepted it blocks until the pack is changed, disputed \
                 it stands in every report",
                "由人署名并写明理由回应发现的问题：接受则在修改验收包之前一直阻断，驳回则会出现在每份报告中",
            )
            .to_owned(),
        Deed::Threshold => say!(
            lang,
            "a person changes features/{feature}/pack.yaml and freezes it again; what became easier stays on record",
            "由人修改 features/{feature}/pack.yaml 并重新冻结；放宽之处会留在记录中"
        ),
        Deed::Settle => lang
            .pick(
                "where auditors differ, a person settles by name and with a reason",
                "审计者意见不一时，由人署名并写明理由作出裁定",
            )
            .to_owned(),
        Deed::Sign => lang
            .pick(
                "a signature is a person's word: the key is theirs, and the server passes none on",
                "签名代表人的承诺：密钥由人持有，本服务从不转交",
            )
            .to_owned(),
    }
}

/// The deed that a name of a tool asks for which is not offered, such as `gate_freeze`.
pub fn asked_for(tool: &str) -> Option<Deed> {
    let word = tool.strip_prefix("gate_").unwrap_or(tool);
    match word {
        "freeze" | "refreeze" | "unfreeze" => Some(Deed::Freeze),
        "waive" | "waiver" => Some(Deed::Waive),
        "answer" | "respond" | "resolve" | "dismiss" => Some(Deed::Answer),
        "threshold" | "loosen" | "set_threshold" => Some(Deed::Threshold),
        "settle" => Some(Deed::Settle),
        "sign" | "attest" => Some(Deed::Sign),
        _ => None,
    }
}
