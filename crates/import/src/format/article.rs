//! A pack in the article's JSON: decoded as any pack is, and kept to the letter.

use gate::code::Code;
use gate::node::{Key, Node, Value};
use gate::pack::{Criterion, Pack};
use gate::problem::Problem;

use crate::draft::{Draft, DraftCriterion, DraftRequirement, Verify};
use crate::{Imported, Settings, Source};

/// The pack as a draft; what would refuse it as a pack refuses it here.
pub(crate) fn read(source: &Source<'_>, settings: &Settings<'_>) -> Result<Imported, Vec<Problem>> {
    let Some(document) = source.document else {
        let code = Code::ImportNothing;
        return Err(vec![Problem::new(code, code.meaning(settings.lang), code.help(settings.lang))]);
    };
    let node = as_pack(document, settings.feature);
    let decoded = gate::decode::pack(&node, source.file, settings.feature, settings.lang);
    let findings = decoded.problems.clone();
    let authored = decoded.into_result()?;
    let line = |id: &str| authored.locations.get(id).map_or(1, |place| place.span.line);
    let Pack { title, goal, requirements, out_of_scope, criteria, .. } = authored.pack;
    let requirements = requirements.into_iter().map(|requirement| DraftRequirement {
        id: requirement.id,
        text: requirement.text,
        line: 1,
        unmet: None,
    });
    let draft = Draft {
        title,
        goal,
        requirements: requirements.collect(),
        out_of_scope: out_of_scope.into_iter().map(|(aspect, why)| (aspect.word().to_owned(), why)).collect(),
        criteria: criteria.into_iter().map(|criterion| kept(line(&criterion.id), criterion)).collect(),
    };
    Ok(Imported { draft, findings })
}

/// A criterion alone, as the article shows one, is a list of one; the feature is what the import calls it.
fn as_pack(document: &Node, feature: &str) -> Node {
    let Value::Map(entries) = &document.value else { return document.clone() };
    let has = |name: &str| entries.iter().any(|(key, _)| key.name == name);
    if has("statement") && !has("criteria") {
        return Node { at: document.at, value: Value::List(vec![document.clone()]) };
    }
    let renamed = |(key, node): &(Key, Node)| match key.name.as_str() {
        "feature" => (key.clone(), Node { at: node.at, value: Value::Text(feature.to_owned()) }),
        _ => (key.clone(), node.clone()),
    };
    Node { at: document.at, value: Value::Map(entries.iter().map(renamed).collect()) }
}

fn kept(line: u32, criterion: Criterion) -> DraftCriterion {
    DraftCriterion {
        id: criterion.id,
        line,
        last: line,
        dimension: Some((criterion.dimension, String::new())),
        statement: criterion.statement,
        verify: criterion.verify.map_or(Verify::Absent, Verify::Said),
        weight: (criterion.weight, String::new()),
        rule_id: criterion.rule_id,
        covers: criterion.covers,
        assertion: criterion.assertion,
        read_from: None,
        probe: criterion.probe,
        held_out: criterion.held_out,
        remark: None,
    }
}
