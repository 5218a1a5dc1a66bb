//! What is asked of a list of matches: their values, how many, or whether there is any.

use gate::lang::Lang;
use gate::observation::{Place, Reading};
use gate::say;

use crate::answer::{Outcome, nothing, reading_at, truth, unreadable};
use crate::param::{ParamInfo, ParamKind, Params, words};
use crate::pick::Pick;

/// The question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    Values(Pick),
    Count,
    Presence,
}

/// The parameter `measure` of readers that answer it.
pub(crate) const MEASURE: ParamInfo = ParamInfo {
    name: "measure",
    kind: ParamKind::Choice(&["value", "count", "presence"]),
    required: false,
    meaning: words(
        "value (the default), count of the matches, or presence of any",
        "value（默认，取值）、count（匹配个数）或 presence（有无）",
    ),
    example: "count",
};

/// The parameter `pick` beside it.
pub(crate) const PICK: ParamInfo = ParamInfo {
    name: "pick",
    kind: ParamKind::Text,
    required: false,
    meaning: words(
        "which match, for measure: value: only (the default: several are refused), first, last, nth:2, all",
        "measure: value 时取哪个匹配：only（默认，多于一个即拒绝）、first、last、nth:2、all",
    ),
    example: "last",
};

impl Ask {
    /// From the parameters [`MEASURE`] and [`PICK`].
    pub(crate) fn param(params: &mut Params<'_>) -> Ask {
        match params.text("measure") {
            Some("count") => Ask::Count,
            Some("presence") => Ask::Presence,
            _ => Ask::Values(Pick::param(params, "pick")),
        }
    }

    /// The answer over all matches; `what` names them, as in `line matching x`.
    pub(crate) fn answer(self, matches: Vec<Reading>, what: &str, lang: Lang) -> Outcome<Vec<Reading>> {
        match self {
            Ask::Values(pick) => {
                let indices: Vec<usize> = (0..matches.len()).collect();
                let picked = pick.apply(&indices, what, "pick", lang)?;
                Ok(picked.into_iter().filter_map(|index| matches.get(index).cloned()).collect())
            }
            Ask::Count | Ask::Presence => {
                let places = matches.iter().flat_map(|reading| reading.places.iter().cloned()).take(PLACES);
                self.tally(matches.len() as u64, places.collect(), what, lang)
            }
        }
    }

    /// The answer to a count, or to whether there is any, where values were never collected.
    pub(crate) fn tally(
        self,
        count: u64,
        mut places: Vec<Place>,
        what: &str,
        lang: Lang,
    ) -> Outcome<Vec<Reading>> {
        if places.is_empty() {
            places.push(Place::File);
        }
        match self {
            Ask::Presence if count == 0 => nothing(say!(lang, "no {what}", "没有{what}")),
            Ask::Presence => Ok(vec![Reading { places, ..truth(true, Place::File) }]),
            Ask::Count | Ask::Values(_) => Ok(vec![reading_at(count.to_string(), places)]),
        }
    }
}

/// The most places that a count lists: ten thousand lines need no ten thousand places.
pub(crate) const PLACES: usize = 100;

/// More matches than this are no answer that anyone can check.
pub(crate) const MATCH_CAP: usize = 1_000_000;

/// Refuses one match more than anyone can check.
pub(crate) fn refuse_flood(found: usize, lang: Lang) -> Outcome<()> {
    if found < MATCH_CAP {
        return Ok(());
    }
    unreadable(say!(
        lang,
        "more than {MATCH_CAP} matches: narrow the question",
        "匹配超过 {MATCH_CAP} 个：请缩小范围"
    ))
}
