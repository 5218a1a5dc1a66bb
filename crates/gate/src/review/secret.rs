//! What looks like a key, token or password in a text.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

use crate::code::Code;
use crate::lang::Lang;
use crate::problem::Problem;
use crate::say;

/// Shapes that only a secret has.
static SHAPES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?x)
        -----BEGIN\ [A-Z\ ]*PRIVATE\ KEY-----
        | \b(?:AKIA|ASIA)[0-9A-Z]{16}\b
        | \bgh[opusr]_[A-Za-z0-9]{30,} | \bgithub_pat_[A-Za-z0-9_]{30,} | \bglpat-[A-Za-z0-9_-]{18,}
        | \bxox[abprs]-[A-Za-z0-9-]{10,} | \bsk-[A-Za-z0-9_-]{20,} | \bAIza[0-9A-Za-z_-]{35}
        | \beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}
        | \b[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@]+:[^\s/:@<\{$*]{3,}@",
    )
    .ok()
});

/// A name that a secret goes by, and what stands behind it.
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    RegexBuilder::new(
        r"(?:password|passwd|secret|token|api[_-]?key|access[_-]?key|\b[as]k\b|密码|口令|密钥|令牌)\s*(?:[:=：]|是|为|\bis\b)?\s*([A-Za-z0-9_+/.=!@#$%^&*?~-]{8,})",
    )
    .case_insensitive(true)
    .build()
    .ok()
});

/// Words in lower case without one of which a text names no secret.
const HINTS: [&str; 24] = [
    "private key",
    "akia",
    "asia",
    "gho_",
    "ghp_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xox",
    "sk",
    "aiza",
    "eyj",
    "password",
    "passwd",
    "secret",
    "token",
    "key",
    "://",
    "ak",
    "密码",
    "口令",
    "密钥",
];

/// E_TEXT_SECRET or W_TEXT_PASSWORD, if either applies.
pub(super) fn secret(name: &str, text: &str, lang: Lang) -> Option<Problem> {
    let lower = text.to_lowercase();
    if !lower.contains("令牌") && !HINTS.iter().any(|hint| lower.contains(hint)) {
        return None;
    }
    let (code, found) = match (shaped(text), named(text)) {
        (Some(shaped), _) => (Code::TextSecret, shaped),
        (None, Some((before, named))) if is_of_test_account(&before, named) => (Code::TextPassword, named),
        (None, Some((_, named))) => (Code::TextSecret, named),
        (None, None) => return None,
    };
    // The finding goes where the pack goes: it shows no more than what the secret begins with.
    let start: String = found.chars().take(4).collect();
    let message = match code {
        Code::TextPassword => say!(
            lang,
            "`{name}` holds what looks like the password of a test account, beginning with `{start}`",
            "`{name}` 中有疑似测试账号密码的内容，开头为 `{start}`"
        ),
        _ => say!(
            lang,
            "`{name}` holds what looks like a secret, beginning with `{start}`",
            "`{name}` 中有疑似密钥的内容，开头为 `{start}`"
        ),
    };
    Some(Problem::new(code, message, code.help(lang)))
}

/// Accounts that are there to be used in tests.
const TEST_ACCOUNTS: [&str; 14] = [
    "test account",
    "test user",
    "test login",
    "demo account",
    "demo user",
    "sandbox account",
    "测试账号",
    "测试账户",
    "测试帐号",
    "测试用户",
    "演示账号",
    "演示账户",
    "体验账号",
    "沙箱账号",
];

/// The longest value that a person makes up to be typed: what is longer was drawn by a machine, for a machine.
const LONGEST_PASSWORD: usize = 15;

/// Whether a password is said to be that of a test account, shortly before it. A key or a token opens more than an account.
fn is_of_test_account(before: &str, value: &str) -> bool {
    const REACH: usize = 60;
    let near: String = before.chars().rev().take(REACH).collect::<Vec<_>>().into_iter().rev().collect();
    let is_named = TEST_ACCOUNTS.iter().any(|account| near.contains(account));
    let is_password = ["password", "passwd", "密码", "口令"].iter().any(|word| {
        near.trim_end_matches([' ', ':', '：', '=', '是', '为']).trim_end_matches(" is").ends_with(word)
    });
    is_named && is_password && value.chars().count() <= LONGEST_PASSWORD
}

fn shaped(text: &str) -> Option<&str> {
    SHAPES.as_ref()?.find(text).map(|found| found.as_str())
}

/// What stands before a secret that goes by a name, in lower case, and the secret.
fn named(text: &str) -> Option<(String, &str)> {
    let found = NAMED.as_ref()?.captures_iter(text).filter_map(|found| found.get(1));
    found
        .map(|found| (text.get(..found.start()).unwrap_or_default().to_lowercase(), found.as_str()))
        .find(|(before, value)| is_random(value) && !is_meant_to_fail(before))
}

/// A wrong password in a test is nobody's.
fn is_meant_to_fail(before: &str) -> bool {
    let near: String = before.chars().rev().take(16).collect::<Vec<_>>().into_iter().rev().collect();
    ["错误", "无效", "wrong", "invalid"].iter().any(|word| near.contains(word))
}

/// Whether a value is drawn rather than written: letters and digits, with a sign among them or in a long run. Words with
/// hyphens between are neither.
fn is_random(value: &str) -> bool {
    let has = |is: fn(&char) -> bool| value.chars().any(|c| is(&c));
    let digits = value.chars().filter(char::is_ascii_digit).count();
    if !has(char::is_ascii_alphabetic) || digits == 0 {
        return false;
    }
    let is_sign = |c: &char| "!@#$%^&*+?~".contains(*c);
    let is_inside = |value: &str| value.trim_end_matches(['.', '?', '!']).chars().any(|c| is_sign(&c));
    let is_long_run = |run: &str| {
        run.len() >= 12
            && run.contains(|c: char| c.is_ascii_digit())
            && run.contains(|c: char| c.is_ascii_alphabetic())
    };
    is_inside(value)
        || value.len() >= 16 && (digits >= 8 || value.split(['-', '_', '.', '/']).any(is_long_run))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets() {
        let table = [
            ("use AKIAABCDEFGHIJKLMNOP", true),
            ("密钥：abcd1234efgh5678", true),
            ("登录密码是 Harmony@2024", true),
            ("密码 Hw!73kd9q", true),
            ("token=a8$kd92Lq", true),
            ("AK 7QF3ZK9W2MX8RT5LBV1C", true),
            ("git clone https://lin:s3cr3t-9@example.com/app.git", true),
            ("token: 550e8400-e29b-41d4-a716-446655440000", true),
            ("口令：welcome-to-harmonyos", false),
            ("token: Authorization-Header-Bearer", false),
            ("token: sha256-of-the-file-name", false),
            ("密码：请输入 8 到 16 位", false),
            ("password: at least eight characters", false),
            ("密码 notification", false),
            ("输入错误密码 Wrong@123 后提示", false),
            ("The token is shown as user.name@example", false),
            ("see https://example.com/a:b and mailto:lin@example.com", false),
            ("https://<user>:<password>@host", false),
        ];
        for (text, expected) in table {
            assert_eq!(secret("goal", text, Lang::En).is_some(), expected, "{text}");
        }
    }

    #[test]
    fn the_password_of_a_test_account_only_warns() {
        for (text, code) in [
            ("Sign in with the test account lin / password: Harmony@24", "W_TEXT_PASSWORD"),
            ("用测试账号 lin 登录，密码是 Harmony@2024", "W_TEXT_PASSWORD"),
            ("测试账号：lin，密码：Hw!73kd9q", "W_TEXT_PASSWORD"),
            ("测试人员登录，密码是 Harmony@2024", "E_TEXT_SECRET"),
            ("登录密码是 Harmony@2024", "E_TEXT_SECRET"),
            ("the test account's token=a8$kd92Lq", "E_TEXT_SECRET"),
            ("测试账号的密钥：abcd1234efgh5678", "E_TEXT_SECRET"),
            ("测试账号密码 AKIAABCDEFGHIJKLMNOP", "E_TEXT_SECRET"),
            ("test account password: 9f8a7b6c5d4e3f2a1b0c", "E_TEXT_SECRET"),
        ] {
            let found = secret("goal", text, Lang::En).map(|problem| problem.code.name());
            assert_eq!(found, Some(code), "{text}");
        }
    }

    #[test]
    fn a_secret_is_not_told_again() {
        let problem = secret("goal", "use AKIAABCDEFGHIJKLMNOP", Lang::En);
        assert!(problem.is_some_and(|problem| !problem.message.contains("AKIAA")));
    }
}
