//! Rounds: which of them belong to the frozen pack, and what came before.
//!
//! A round belongs to the pack that it was dispatched under. When a pack is frozen again, its rounds begin after those
//! of the one before, and go on from the commit that the last of them delivered.

use crate::context::Context;
use crate::documents::Dispatch;
use crate::failure::Result;

/// What a round was dispatched as, if it was.
pub fn dispatched(context: &Context<'_>, round: u32) -> Result<Option<Dispatch>> {
    context.dispatched(round)
}

/// The first round of the frozen pack.
pub fn first(context: &Context<'_>) -> Result<u32> {
    let pack = context.pack_sha256()?;
    let mut first = 1;
    for round in context.rounds()? {
        if dispatched(context, round)?.is_some_and(|dispatch| dispatch.pack_sha256 != pack) {
            first = round.saturating_add(1);
        }
    }
    Ok(first)
}

/// The rounds of the frozen pack that were dispatched, in order.
pub fn of_pack(context: &Context<'_>) -> Result<Vec<u32>> {
    let first = first(context)?;
    let mut rounds = Vec::new();
    for round in context.rounds()? {
        if round >= first && dispatched(context, round)?.is_some() {
            rounds.push(round);
        }
    }
    Ok(rounds)
}

/// The rounds up to one that were dispatched under its pack, in order, back to the first after another pack's.
pub fn up_to(context: &Context<'_>, round: u32) -> Result<Vec<u32>> {
    let Some(last) = dispatched(context, round)? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for earlier in context.rounds()?.into_iter().rev().filter(|earlier| *earlier <= round) {
        match dispatched(context, earlier)? {
            Some(dispatch) if dispatch.pack_sha256 == last.pack_sha256 => found.push(earlier),
            Some(_) => break,
            None => {}
        }
    }
    found.reverse();
    Ok(found)
}

/// The round before, if it belongs to the same pack.
pub fn before(context: &Context<'_>, round: u32) -> Result<Option<u32>> {
    Ok(if round > first(context)? { Some(round - 1) } else { None })
}

/// The latest round that was dispatched, under whatever pack.
pub fn latest(context: &Context<'_>) -> Result<Option<u32>> {
    for round in context.rounds()?.into_iter().rev() {
        if dispatched(context, round)?.is_some() {
            return Ok(Some(round));
        }
    }
    Ok(None)
}

/// What the first round of all was dispatched as.
pub fn earliest(context: &Context<'_>) -> Result<Option<Dispatch>> {
    for round in context.rounds()? {
        if let Some(dispatch) = dispatched(context, round)? {
            return Ok(Some(dispatch));
        }
    }
    Ok(None)
}

/// What the latest earlier round delivered, under whatever pack.
pub fn delivered_before(context: &Context<'_>, round: u32) -> Result<Option<Dispatch>> {
    let earlier = context.rounds()?.into_iter().filter(|earlier| *earlier < round);
    for earlier in earlier.rev() {
        if let Some(dispatch) = dispatched(context, earlier)? {
            return Ok(Some(dispatch));
        }
    }
    Ok(None)
}
