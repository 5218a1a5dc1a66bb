//! `list`: the features, for people, scripts and the job matrices of servers.

use gate::code::Code;
use gate::say;
use serde_json::json;

use super::Session;
use super::answer::Answer;
use crate::cli::List;
use crate::ending::Ending;
use crate::failure::{Failure, Result};

/// The most jobs that GitHub makes of one matrix.
const MATRIX: usize = 256;

pub fn run(session: &Session, args: &List) -> Result<Answer> {
    let features = session.features()?;
    let text = match args.format.as_str() {
        "json" => json!({ "features": features }).to_string(),
        "github-matrix" => {
            require_matrix(session, features.len())?;
            json!({ "feature": features }).to_string()
        }
        "gitlab-pipeline" => super::ci::child_pipeline(session, &features)?,
        // A script makes a loop of these lines: there is no word for none.
        _ => features.join("\n"),
    };
    Ok(Answer::yes(text, json!({ "features": features })))
}

fn require_matrix(session: &Session, count: usize) -> Result<()> {
    if count <= MATRIX {
        return Ok(());
    }
    let lang = session.pipeline.lang;
    let message = say!(
        lang,
        "there are {count} features, and GitHub makes at most {MATRIX} jobs of one matrix",
        "共有 {count} 个功能，而 GitHub 的一个矩阵最多产生 {MATRIX} 个作业"
    );
    let help = say!(
        lang,
        "deliver them in fewer jobs: cargo xtask deliver --all --jobs 4 --keep-going",
        "请用更少的作业交付：cargo xtask deliver --all --jobs 4 --keep-going"
    );
    Err(Failure::coded(Ending::InvalidInput, Code::LimitCount, message, help))
}
