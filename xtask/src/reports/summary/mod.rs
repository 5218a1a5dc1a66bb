//! The summary of all features: what their records tell together. Figures are counted here; the two pages lay them out.

mod html;

use std::collections::BTreeMap;

use gate::audit::Verdict;
use gate::lang::Lang;
use gate::say;
use serde::Serialize;

use crate::cost::Cost;
use crate::documents::RunEnd;
use crate::failure::Result;
use crate::render::Renderer;

pub use html::html;

/// The template's name.
const TEMPLATE: &str = "summary.md.tera";

/// What the records tell of one feature.
pub struct Story {
    /// Its id.
    pub feature: String,
    /// Its name for people.
    pub title: String,
    /// Every round that was dispatched, under whatever pack, in order.
    pub rounds: Vec<Round>,
    /// Why no more can be told.
    pub unreadable: Option<String>,
}

/// One round.
pub struct Round {
    /// Whether it was replayed, or its evidence was.
    pub replayed: bool,
    /// How the run ended, by its own account.
    pub end: RunEnd,
    /// The verdict, once there is one.
    pub verdict: Option<Verdict>,
    /// When it was judged.
    pub instant: Option<String>,
    /// What the agent reckons that it cost.
    pub cost: Option<Cost>,
    /// The tokens that it used.
    pub tokens: Option<u64>,
}

impl Round {
    /// Whether it was handed over as done.
    fn is_claimed(&self) -> bool {
        self.end == RunEnd::Completed && self.verdict.is_some()
    }

    fn is_wrong(&self) -> bool {
        self.is_claimed() && self.verdict == Some(Verdict::Fail)
    }
}

impl Story {
    fn state(&self) -> &'static str {
        match self.rounds.last() {
            _ if self.unreadable.is_some() => "broken",
            None => "authored",
            Some(Round { verdict: Some(Verdict::Pass), .. }) => "accepted",
            Some(Round { verdict: Some(Verdict::Fail), .. }) => "rework",
            Some(_) => "dispatched",
        }
    }

    fn is_judged(&self) -> bool {
        self.rounds.iter().any(|round| round.verdict.is_some())
    }
}

/// The figures of all features together, and each for itself.
#[derive(Debug, Default, Serialize)]
pub struct Summary {
    /// How many there are.
    features: usize,
    /// Those of which a round was judged.
    judged: usize,
    /// Those that were accepted.
    accepted: usize,
    /// Accepted of those that were judged, as `3 of 4 (75 %)`.
    acceptance: String,
    /// How many were accepted in their first round, in their second, and so on.
    rounds: Vec<Share>,
    /// How many rounds were handed over as done.
    claims: usize,
    /// How many of them failed.
    wrong: usize,
    /// Wrong of those that were handed over.
    wrong_share: String,
    /// How many rounds were recordings.
    replayed: usize,
    /// What agents reckon that all of it cost.
    cost: Option<String>,
    /// Their tokens.
    tokens: Option<u64>,
    /// Month by month.
    months: Vec<Month>,
    /// Feature by feature.
    lines: Vec<Line>,
}

/// How many deliveries took so many rounds.
#[derive(Debug, Serialize)]
struct Share {
    rounds: usize,
    deliveries: usize,
}

/// What was judged in a month.
#[derive(Debug, Default, Serialize)]
struct Month {
    month: String,
    rounds: usize,
    accepted: usize,
    claims: usize,
    wrong: usize,
    wrong_share: String,
    /// How full a bar is, in percent.
    wrong_percent: usize,
    cost: Option<String>,
}

/// One feature.
#[derive(Debug, Serialize)]
struct Line {
    feature: String,
    title: String,
    state: &'static str,
    rounds: usize,
    /// The verdict of each round: `fail, pass`.
    path: Vec<&'static str>,
    claims: usize,
    wrong: usize,
    cost: Option<String>,
    tokens: Option<u64>,
    first: Option<String>,
    last: Option<String>,
    unreadable: Option<String>,
}

impl Summary {
    /// Counts.
    pub fn of(stories: &[Story], lang: Lang) -> Self {
        let rounds = || stories.iter().flat_map(|story| &story.rounds);
        let judged = stories.iter().filter(|story| story.is_judged()).count();
        let accepted: Vec<&Story> = stories.iter().filter(|story| story.state() == "accepted").collect();
        let claims = rounds().filter(|round| round.is_claimed()).count();
        let wrong = rounds().filter(|round| round.is_wrong()).count();
        Summary {
            features: stories.len(),
            judged,
            accepted: accepted.len(),
            acceptance: share(accepted.len(), judged, lang),
            rounds: shares(&accepted),
            claims,
            wrong,
            wrong_share: share(wrong, claims, lang),
            replayed: rounds().filter(|round| round.replayed).count(),
            cost: cost(rounds()),
            tokens: tokens(rounds()),
            months: months(stories, lang),
            lines: stories.iter().map(line).collect(),
        }
    }

    /// Renders `summary.md`.
    pub fn markdown(&self, renderer: &Renderer) -> Result<Vec<u8>> {
        renderer.render(TEMPLATE, self)
    }
}

fn shares(accepted: &[&Story]) -> Vec<Share> {
    let mut by_count: BTreeMap<usize, usize> = BTreeMap::new();
    for story in accepted {
        *by_count.entry(story.rounds.len()).or_default() += 1;
    }
    by_count.into_iter().map(|(rounds, deliveries)| Share { rounds, deliveries }).collect()
}

fn months(stories: &[Story], lang: Lang) -> Vec<Month> {
    let mut by_month: BTreeMap<&str, Vec<&Round>> = BTreeMap::new();
    for round in stories.iter().flat_map(|story| &story.rounds) {
        // `2026-05` of an instant in RFC 3339.
        if let Some(month) = round.instant.as_deref().and_then(|instant| instant.get(..7)) {
            by_month.entry(month).or_default().push(round);
        }
    }
    let month = |(month, rounds): (&str, Vec<&Round>)| {
        let claims = rounds.iter().filter(|round| round.is_claimed()).count();
        let wrong = rounds.iter().filter(|round| round.is_wrong()).count();
        Month {
            month: month.to_owned(),
            rounds: rounds.len(),
            accepted: rounds.iter().filter(|round| round.verdict == Some(Verdict::Pass)).count(),
            claims,
            wrong,
            wrong_share: share(wrong, claims, lang),
            wrong_percent: percent(wrong, claims),
            cost: cost(rounds.iter().copied()),
        }
    };
    by_month.into_iter().map(month).collect()
}

fn line(story: &Story) -> Line {
    let word = |round: &Round| match round.verdict {
        Some(Verdict::Pass) => "pass",
        Some(Verdict::Fail) => "fail",
        None => "dispatched",
    };
    let instants = || story.rounds.iter().filter_map(|round| round.instant.clone());
    Line {
        feature: story.feature.clone(),
        title: story.title.clone(),
        state: story.state(),
        rounds: story.rounds.len(),
        path: story.rounds.iter().map(word).collect(),
        claims: story.rounds.iter().filter(|round| round.is_claimed()).count(),
        wrong: story.rounds.iter().filter(|round| round.is_wrong()).count(),
        cost: cost(story.rounds.iter()),
        tokens: tokens(story.rounds.iter()),
        first: instants().min(),
        last: instants().max(),
        unreadable: story.unreadable.clone(),
    }
}

fn cost<'a>(rounds: impl Iterator<Item = &'a Round>) -> Option<String> {
    rounds.filter_map(|round| round.cost).reduce(Cost::plus).map(|cost| cost.to_string())
}

fn tokens<'a>(rounds: impl Iterator<Item = &'a Round>) -> Option<u64> {
    rounds.filter_map(|round| round.tokens).reduce(u64::saturating_add)
}

/// `3 of 4 (75 %)`; of none there is no share.
fn share(part: usize, whole: usize, lang: Lang) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    let percent = percent(part, whole);
    say!(lang, "{part} of {whole} ({percent} %)", "{whole} 之中 {part}（{percent}%）")
}

/// Rounded to the nearest, in whole numbers.
fn percent(part: usize, whole: usize) -> usize {
    part.saturating_mul(200).saturating_add(whole).checked_div(whole.saturating_mul(2)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(verdict: Option<Verdict>, end: RunEnd, instant: &str, cost: &str) -> Round {
        Round {
            replayed: false,
            end,
            verdict,
            instant: verdict.map(|_| instant.to_owned()),
            cost: Cost::parse(cost),
            tokens: Some(10),
        }
    }

    fn story(feature: &str, rounds: Vec<Round>) -> Story {
        Story { feature: feature.to_owned(), title: feature.to_owned(), rounds, unreadable: None }
    }

    #[test]
    fn figures_are_counted_over_all_rounds() {
        let (pass, fail) = (Some(Verdict::Pass), Some(Verdict::Fail));
        let stories = [
            story(
                "a",
                vec![
                    round(fail, RunEnd::Completed, "2026-04-30T23:59:59Z", "0.5"),
                    round(pass, RunEnd::Completed, "2026-05-01T00:00:00Z", "0.25"),
                ],
            ),
            story("b", vec![round(pass, RunEnd::TimedOut, "2026-05-02T00:00:00Z", "")]),
            story(
                "c",
                vec![
                    round(fail, RunEnd::Completed, "2026-05-03T00:00:00Z", "1"),
                    round(None, RunEnd::Completed, "", ""),
                ],
            ),
            story("d", Vec::new()),
        ];
        let summary = Summary::of(&stories, Lang::En);
        assert_eq!((summary.features, summary.judged, summary.accepted), (4, 3, 2));
        assert_eq!(summary.acceptance, "2 of 3 (67 %)");
        let rounds: Vec<_> = summary.rounds.iter().map(|share| (share.rounds, share.deliveries)).collect();
        assert_eq!(rounds, [(1, 1), (2, 1)]);
        // A run that timed out claims nothing, and one that nobody judged is neither right nor wrong.
        assert_eq!((summary.claims, summary.wrong), (3, 2));
        assert_eq!(summary.cost.as_deref(), Some("1.75"));
        let months: Vec<_> = summary
            .months
            .iter()
            .map(|month| (month.month.as_str(), month.rounds, month.wrong_percent))
            .collect();
        assert_eq!(months, [("2026-04", 1, 100), ("2026-05", 3, 50)]);
        let states: Vec<_> = summary.lines.iter().map(|line| line.state).collect();
        assert_eq!(states, ["accepted", "accepted", "dispatched", "authored"]);
    }

    #[test]
    fn of_nothing_there_is_no_share() {
        let summary = Summary::of(&[], Lang::Zh);
        assert_eq!((summary.acceptance.as_str(), summary.cost), ("–", None));
        assert_eq!(share(1, 8, Lang::Zh), "8 之中 1（13%）");
    }
}
