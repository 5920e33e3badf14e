//! The parts of the packet that this desk writes.

use super::{DESK, NEXT, facts, member, pipelines, risks, signed, streams, text_or_null};
use crate::sorted::{self, SortedMap, SortedSet};
use crate::{
    documents::{
        Document, Status,
        desk::Desk,
        gap::{ASKED, Closes, Gap},
        zip::Entry,
    },
    model::{Json, Text},
};
use sha2::{Digest, Sha256};

/// The packet as this desk alone would write it. `entries` are the files of the bundle, the packet left out.
#[must_use]
pub fn own(desk: &Desk<'_>, documents: &[Document], entries: &[Entry]) -> Json {
    let halts: Vec<Json> = desk.to_be.halts.iter().map(|halt| self::halt(desk, halt)).collect();
    let halted = !halts.is_empty();
    let mut members = vec![
        member("format", "data_packet"),
        member("version", Json::Number(1.0)),
        member("streams", streams::streams(desk)),
        member("pipelines", pipelines::pipelines(desk)),
        member("reconciliations", streams::reconciliations(desk)),
        member("data_risks", risks::risks(desk)),
        member("source_facts", facts::source_facts(desk.design)),
        member("decisions", decisions(desk)),
        member("assumptions", assumptions(documents)),
        member("open_questions", open_questions(desk, documents)),
        member("artifacts", artifacts(documents, entries)),
        member("next_stage", if halted { Json::Null } else { Json::text(NEXT) }),
        member("ready_to_continue", Json::Bool(!halted)),
    ];
    if halted {
        members.push(member("halts", halts));
    }
    Json::Object(members)
}

fn path(id: &crate::model::Id, field: crate::model::Field) -> Json {
    Json::text(format!("{id}.{}", field.name()))
}

fn texts(texts: &[Text]) -> Vec<Json> {
    texts.iter().map(|text| Json::text(&**text)).collect()
}

fn halt(desk: &Desk<'_>, halt: &crate::rules::Halt) -> Json {
    signed(vec![
        member("class", halt.class.words()),
        member("about", halt.about.iter().map(|id| Json::text(id.as_str())).collect::<Vec<_>>()),
        member("names", halt.about.iter().map(|id| Json::text(desk.name(id))).collect::<Vec<_>>()),
        member("action", halt.action.as_str()),
        member("consequence", halt.consequence.as_str()),
        member("lifted_by", halt.lifted_by.as_str()),
    ])
}

fn decisions(desk: &Desk<'_>) -> Vec<Json> {
    let one = |(id, decision): (&crate::model::Id, &crate::model::Decision)| {
        signed(vec![
            member("id", id.as_str()),
            member("decision", &*decision.text),
            member("kind", text_or_null(decision.kind.map(crate::model::DecisionKind::name))),
            member("by", text_or_null(decision.by.as_deref())),
            member("date", text_or_null(decision.at.as_ref().map(|at| at.as_str()))),
            member("about", texts(&decision.about)),
            member("rule", text_or_null(decision.rule.as_deref())),
        ])
    };
    desk.design.records.decisions.iter().map(one).collect()
}

/// Every assumption once, with the documents that use it.
fn assumptions(documents: &[Document]) -> Vec<Json> {
    let mut used: SortedMap<&str, (Json, SortedSet<&str>)> = SortedMap::new();
    for document in documents {
        for a in &document.assumptions {
            let entry = used.entry(&a.what).or_insert_with(|| {
                let members = vec![
                    member("path", a.setting.as_ref().map_or(Json::Null, |(id, field)| path(id, *field))),
                    member("what", a.what.as_str()),
                    member("value", a.value.as_str()),
                    member("basis", a.basis.word()),
                    member("source", a.source.as_str()),
                ];
                (signed(members), SortedSet::new())
            });
            entry.1.insert(document.file_name.as_str());
        }
    }
    used.into_values()
        .map(|(json, documents)| match json {
            Json::Object(mut members) => {
                members.push(member("used_in", documents.into_iter().map(Json::text).collect::<Vec<_>>()));
                Json::Object(members)
            }
            other => other,
        })
        .collect()
}

/// Every gap once, with the documents that it leaves unfinished, and the questions of people.
fn open_questions(desk: &Desk<'_>, documents: &[Document]) -> Vec<Json> {
    let mut seen: Vec<(&Gap, Vec<&str>)> = Vec::new();
    let mut index = SortedMap::new();
    for document in documents {
        for gap in &document.gaps {
            let at = *index.entry(gap.identity()).or_insert_with(|| {
                seen.push((gap, Vec::new()));
                seen.len() - 1
            });
            if let Some((_, files)) = seen.get_mut(at) {
                files.push(&document.file_name);
            }
        }
    }
    let about = |gap: &Gap| match (&gap.subject, gap.field) {
        (Some(id), Some(field)) => path(id, field),
        (Some(id), None) => Json::text(id.as_str()),
        (None, _) => Json::Null,
    };
    let gaps = seen.iter().filter(|(gap, _)| gap.state != ASKED).map(|(gap, files)| {
        let close = gap.close.as_ref().map(|(Closes::Command(what) | Closes::Answer(what))| what.as_str());
        signed(vec![
            member("question", gap.question.as_str()),
            member("about", about(gap)),
            member("state", gap.state),
            member("closed_by", text_or_null(close)),
            member("documents", files.iter().map(|file| Json::text(*file)).collect::<Vec<_>>()),
        ])
    });
    let asked = desk.design.records.questions.values().map(|question| {
        let (identity, about) = (Gap::asked(desk, question).identity(), question.about.first());
        let files = index.get(&identity).and_then(|at| seen.get(*at)).map_or(&[][..], |(_, files)| files);
        signed(vec![
            member("question", &*question.text),
            member("about", about.map_or(Json::Null, |about| Json::text(&**about))),
            member("state", ASKED),
            member("closed_by", text_or_null(question.owner.as_deref())),
            member("documents", files.iter().map(|file| Json::text(*file)).collect::<Vec<_>>()),
        ])
    });
    gaps.chain(asked).collect()
}

/// Every file of the bundle with its checksum; the packet cannot hold its own.
fn artifacts(documents: &[Document], entries: &[Entry]) -> Vec<Json> {
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted::sort_by(&mut sorted, |a, b| a.name.cmp(&b.name));
    sorted
        .into_iter()
        .map(|entry| {
            let document = documents.iter().find(|document| document.file_name == entry.name);
            let status = document.map_or(Status::Complete, |document| document.status);
            let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(&entry.bytes));
            signed(vec![member("name", entry.name.as_str()), member("status", status.text()), member("sha256", digest)])
        })
        .collect()
}

/// The desk that a packet entry is signed by.
pub(super) fn is_ours(desk: Option<&str>) -> bool {
    desk == Some(DESK)
}
