//! `report`: the stage, or what was audited in another notation, which writes nothing but the file that is named.

use gate::audit::Verdict;
use serde_json::json;

use super::answer::Answer;
use super::{Session, stage};
use crate::cli::Report;
use crate::context::Context;
use crate::ending::Ending;
use crate::failure::Result;
use crate::pipeline::convergence;
use crate::pipeline::model::BuiltIn;
use crate::reports::machine::Format;
use crate::{stages, store};

pub fn run(session: &Session, args: &Report) -> Result<Answer> {
    let context = session.context(&args.round.feature.feature)?;
    match args.format.as_deref().and_then(Format::from_word) {
        None => stage::run(&context, BuiltIn::Report, args.round.round, Some(&args.signing)),
        Some(format) => converted(&context, format, args),
    }
}

/// The answer is the verdict's: no notation turns a delivery that failed into a yes.
fn converted(context: &Context<'_>, format: Format, args: &Report) -> Result<Answer> {
    let round = match args.round.round {
        Some(round) => round,
        None => convergence::last_verdict(context)?.map_or(1, |(round, _)| round),
    };
    let audit = context.audit(round)?;
    if audit.verdict == Verdict::Pass {
        stages::require_unblocked(context)?;
    }
    let bytes = format.render(&audit, &context.lock()?)?;
    let ending = if audit.verdict == Verdict::Pass { Ending::Yes } else { Ending::No };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut data =
        json!({ "feature": context.feature, "round": round, "format": format, "verdict": audit.verdict });
    let text = match &args.output {
        Some(file) => {
            store::write(&super::here()?.join(file), &bytes)?;
            data["written"] = json!([file]);
            file.to_string()
        }
        None => {
            data["report"] = json!(text);
            text
        }
    };
    Ok(Answer { ending, text, data })
}
