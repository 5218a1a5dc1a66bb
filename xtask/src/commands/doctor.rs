//! `doctor`: what the pipeline needs on this machine, what of it is missing, and how to get it. Changes nothing.

use std::ops::ControlFlow;
use std::time::Duration;

use camino::Utf8PathBuf;
use gate::lang::Lang;
use gate::say;
use serde_json::json;

use super::Session;
use super::answer::Answer;
use crate::ending::Ending;
use crate::executors::agent::{TOOLS, binary, home};
use crate::failure::Result;
use crate::pipeline::model::{Acp, Agent, Executor, Flavour, Gather, Reviewer};
use crate::placeholders::expand;
use crate::process::{self, Program, Stream};

/// One thing that was looked for.
struct Check {
    name: String,
    /// What was found.
    found: Option<String>,
    /// Whether a delivery cannot do without it.
    needed: bool,
    /// How to get it.
    help: String,
}

pub fn run(session: &Session) -> Result<Answer> {
    let lang = session.pipeline.lang;
    let mut checks = vec![git(lang)];
    for (name, executor) in &session.pipeline.executors {
        if let Executor::Agent(agent) = executor {
            let needed = is_asked(session, name);
            checks.push(program(session, name, agent, needed, lang));
            checks.extend(agent.seed.iter().map(|seed| login(name, seed, lang)));
        }
        if let Executor::Acp(acp) = executor {
            checks.push(speaker(session, name, acp, lang));
            checks.extend(acp.seed.iter().map(|seed| login(name, seed, lang)));
        }
    }
    let reviewers = &session.pipeline.review.reviewers;
    checks.extend(reviewers.iter().map(|(name, reviewer)| self::reviewer(session, name, reviewer, lang)));
    checks.push(tools(session, lang));
    checks.extend(device(session, lang)?);
    let is_complete = checks.iter().all(|check| check.found.is_some() || !check.needed);
    let data: Vec<_> = checks
        .iter()
        .map(|check| {
            let help = check.found.is_none().then_some(&check.help);
            json!({ "name": check.name, "found": check.found, "needed": check.needed, "help": help })
        })
        .collect();
    Ok(Answer {
        ending: if is_complete { Ending::Yes } else { Ending::CannotRun },
        text: checks.iter().map(|check| line(check, lang)).collect::<Vec<_>>().join("\n"),
        data: json!({ "checks": data }),
    })
}

fn line(check: &Check, lang: Lang) -> String {
    let Check { name, found, needed, help } = check;
    match found {
        Some(found) => format!("✓ {name}: {found}"),
        None if *needed => say!(lang, "✗ {name}: missing\n    {help}", "✗ {name}：缺失\n    {help}"),
        None => {
            say!(
                lang,
                "– {name}: missing, and not needed here\n    {help}",
                "– {name}：缺失，此处不需要\n    {help}"
            )
        }
    }
}

/// Whether a delivery asks an executor.
fn is_asked(session: &Session, name: &str) -> bool {
    let pipeline = &session.pipeline;
    pipeline.executor == name
        || pipeline.features.values().any(|settings| settings.executor.as_deref() == Some(name))
}

fn git(lang: Lang) -> Check {
    Check {
        name: "git".to_owned(),
        found: binary::on_path("git").map(Utf8PathBuf::into_string),
        needed: true,
        help: say!(lang, "install git, and put it on PATH", "请安装 git 并将其加入 PATH"),
    }
}

fn program(session: &Session, name: &str, agent: &Agent, needed: bool, lang: Lang) -> Check {
    let variable = binary::variable(agent);
    let package = match agent.flavour {
        Flavour::Deveco => "@deveco/deveco-code",
        Flavour::Opencode => "opencode-ai",
    };
    let place = say!(
        lang,
        "npm install -g {package}, or name the program in executors.{name}.binary or {variable}",
        "运行 npm install -g {package}，或用 executors.{name}.binary 或 {variable} 指定程序"
    );
    let only = match agent.flavour {
        Flavour::Deveco => say!(lang, "; it is made for macOS and Windows", "；仅提供 macOS 和 Windows 版本"),
        Flavour::Opencode => String::new(),
    };
    Check {
        name: say!(lang, "agent {name} ({})", "智能体 {name}（{}）", agent.flavour.word()),
        found: binary::find(&session.root, agent).map(Utf8PathBuf::into_string),
        needed,
        help: format!("{place}{only}"),
    }
}

/// The program of an agent that speaks the Agent Client Protocol.
fn speaker(session: &Session, name: &str, acp: &Acp, lang: Lang) -> Check {
    let written = acp.run.first().map(String::as_str).unwrap_or_default();
    let written = expand(written, &[("root", session.root.folder().as_str())]);
    Check {
        name: say!(lang, "agent {name} (acp)", "智能体 {name}（acp）"),
        found: binary::named(&session.root, &written).map(Utf8PathBuf::into_string),
        needed: is_asked(session, name),
        help: say!(
            lang,
            "install {written} and put it on PATH, or correct executors.{name}.run",
            "请安装 {written} 并将其加入 PATH，或更正 executors.{name}.run"
        ),
    }
}

/// The program of a reviewer: without it every review fails.
fn reviewer(session: &Session, name: &str, reviewer: &Reviewer, lang: Lang) -> Check {
    let written = reviewer.argv.first().map(String::as_str).unwrap_or_default();
    let written = expand(written, &[("root", session.root.folder().as_str())]);
    Check {
        name: say!(lang, "reviewer {name}", "评审者 {name}"),
        found: binary::named(&session.root, &written).map(Utf8PathBuf::into_string),
        needed: true,
        help: say!(
            lang,
            "install {written} and put it on PATH, or correct review.reviewers.{name}.run",
            "请安装 {written} 并将其加入 PATH，或更正 review.reviewers.{name}.run"
        ),
    }
}

fn login(name: &str, seed: &str, lang: Lang) -> Check {
    let found = home::users_home().map(|home| home.join(seed)).filter(|path| path.exists());
    Check {
        name: say!(lang, "agent {name}: {seed}", "智能体 {name}：{seed}"),
        found: found.map(Utf8PathBuf::into_string),
        needed: false,
        help: say!(
            lang,
            "log in with the agent once, or take it out of executors.{name}.seed",
            "请先用该智能体登录一次，或从 executors.{name}.seed 中去掉"
        ),
    }
}

fn tools(session: &Session, lang: Lang) -> Check {
    let asked = session.pipeline.executors.iter().any(|(name, executor)| {
        matches!(executor, Executor::Agent(agent) if agent.flavour == Flavour::Deveco)
            && is_asked(session, name)
    });
    let folder = std::env::var(TOOLS).ok().filter(|folder| Utf8PathBuf::from(folder).is_dir());
    Check {
        name: TOOLS.to_owned(),
        found: folder,
        needed: asked,
        help: say!(
            lang,
            "install DevEco Studio or its command line tools, and set {TOOLS} to their folder; without it the agent builds nothing and says that it is done",
            "请安装 DevEco Studio 或其命令行工具，并把 {TOOLS} 设为其目录；否则智能体不会构建，却仍会声称完成"
        ),
    }
}

/// hdc, and a device that it sees.
fn device(session: &Session, lang: Lang) -> Result<Vec<Check>> {
    let needed = session.pipeline.device.is_some()
        || session.pipeline.collectors.iter().any(|(_, collector)| match &collector.how {
            Gather::Run(programs) => {
                programs.steps.iter().any(|step| step.first().is_some_and(|program| program == "hdc"))
            }
            Gather::Copy(_) => false,
        });
    let hdc = binary::on_path("hdc");
    let targets = if hdc.is_some() { targets(session)? } else { Vec::new() };
    Ok(vec![
        Check {
            name: "hdc".to_owned(),
            found: hdc.map(Utf8PathBuf::into_string),
            needed,
            help: say!(
                lang,
                "it is in the SDK of DevEco Studio, under openharmony/toolchains; put that folder on PATH",
                "它位于 DevEco Studio 的 SDK 的 openharmony/toolchains 目录；请将该目录加入 PATH"
            ),
        },
        Check {
            name: say!(lang, "device", "设备"),
            found: (!targets.is_empty()).then(|| targets.join(", ")),
            needed,
            help: say!(
                lang,
                "connect a device with USB debugging, or start an emulator; hdc list targets has to name it",
                "请连接已开启 USB 调试的设备，或启动模拟器；hdc list targets 应能列出它"
            ),
        },
    ])
}

/// The devices that hdc sees.
fn targets(session: &Session) -> Result<Vec<String>> {
    let scratch = session.root.scratch().join("doctor");
    let program = Program {
        argv: ["hdc", "list", "targets"].map(str::to_owned).to_vec(),
        folder: session.root.folder().to_owned(),
        env_names: Vec::new(),
        env: Vec::new(),
        secret_names: Vec::new(),
        stdin: None,
        stdout: Some(scratch.with_extension("stdout")),
        log: scratch.with_extension("log"),
        running: process::running(&session.root, ".doctor"),
        scratch,
        timeout: Duration::from_secs(20),
        silence: None,
    };
    let mut targets = Vec::new();
    process::run(&program, &mut |line| {
        let target = line.text.trim();
        if line.stream == Stream::Stdout && !target.is_empty() && target != "[Empty]" {
            targets.push(target.to_owned());
        }
        ControlFlow::Continue(())
    })?;
    Ok(targets)
}
