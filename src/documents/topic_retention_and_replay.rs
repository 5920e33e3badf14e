//! `topic-retention-and-replay.md`: what each channel keeps, how far back a replay can start, how it is done.

use super::{
    blocks::{Inline, line},
    desk::Desk,
    document::Document,
    findings,
    gap::Gap,
    pictures, procedure,
    writer::Writer,
};
use crate::{
    analysis::{
        Usable,
        explain::{Derived, Origin},
        made_by,
    },
    model::{ElementKind, Id, key, words::CleanupPolicy},
};

const FILE: &str = "topic-retention-and-replay.md";

/// Writes it.
#[must_use]
pub fn write(desk: &Desk<'_>) -> Document {
    let mut w = Writer::new(desk, FILE, "Topic retention and replay");
    let channels = desk.elements(ElementKind::Channel);
    w.heading(2, "Retention as read");
    if channels.is_empty() {
        w.say("No channel is drawn, so nothing is kept that could be read again.");
    }
    for id in &channels {
        retention(&mut w, id);
    }
    reach(&mut w, &channels);
    compaction(&mut w, &channels);
    sources(&mut w);
    consumers(&mut w);
    procedure::write(&mut w);
    w.finish(&findings::halts_for(desk, &desk.to_be.halts, FILE))
}

fn retention(w: &mut Writer<'_>, id: &Id) {
    use key::channel as c;
    let name = w.name(id);
    w.heading(3, name);
    let policy = w.desk.fact(id, c::CLEANUP_POLICY).map(|fact| fact.value);
    let mut needed = vec![c::CLEANUP_POLICY.field()];
    if policy != Some(CleanupPolicy::Compact) {
        needed.extend([c::RETENTION_TIME.field(), c::RETENTION_SIZE.field()]);
    }
    let mut optional = vec![
        c::SEGMENT_TIME.field(),
        c::SEGMENT_SIZE.field(),
        c::TIMESTAMP_TYPE.field(),
        c::TIERED.field(),
        c::LOCAL_RETENTION_TIME.field(),
        c::LOCAL_RETENTION_SIZE.field(),
        c::DISK_RATE.field(),
        c::SIZE_ON_DISK.field(),
        c::OLDEST_RECORD_AGE.field(),
    ];
    if policy.is_some_and(|policy| policy != CleanupPolicy::Delete) {
        optional.extend([c::MIN_COMPACTION_LAG.field(), c::MAX_COMPACTION_LAG.field(), c::TOMBSTONE_RETENTION.field()]);
    }
    let rows = w.setting_rows(id, &needed, &optional);
    w.table(&["Setting", "Value", "Source"], rows);
    if let Some(Ok(on_disk)) = w.desk.to_be.channels.get(id).and_then(|report| report.on_disk.clone()) {
        let on_disk = w.explained(&on_disk);
        w.say(line!["The size limit is per partition. On disk, one copy of all of them, at most: ", on_disk, "."]);
    }
}

fn reach(w: &mut Writer<'_>, channels: &[&Id]) {
    let mut rows = Vec::new();
    for id in channels {
        let Some(report) = w.desk.to_be.channels.get(id) else { continue };
        let today = w.desk.as_is.channels.get(id).map(|today| today.reach.clone());
        let mut least = w.figure(&report.reach);
        if let (Some(Ok(before)), Ok(after)) = (&today, &report.reach)
            && before.value.to_bits() != after.value.to_bits()
        {
            least.push("; today ");
            least.push(w.explained(before));
        }
        if let (Ok(reach), Ok(since)) = (&report.reach, &report.since_append)
            && since.value < reach.value
        {
            least.push("; from the append on ");
            least.push(w.explained(since));
        }
        let every = report.reach.as_ref().is_ok_and(|reach| reach.made_by(&made_by::EVERY_VERSION));
        let (least, typical) = match every {
            true => (line!["every version: ", least], "the newest record of each key".into()),
            false => (least, w.figure(&report.typical)),
        };
        rows.push(vec![w.name(id), least, typical, w.figure(&report.longest), binds(&report.reach).into()]);
    }
    if !rows.is_empty() {
        w.heading(2, "Replay reach of each channel");
        w.say("How far back a reader can start. At least: what can be counted on in the fullest partition. Typical: the mean partition. At most: the longest that a record can still be there.");
        w.table(&["Channel", "At least", "Typical", "At most", "What binds"], rows);
    }
}

/// The term that decides, in words.
fn binds(figure: &Derived) -> String {
    let Ok(explained) = figure else { return String::new() };
    match &explained.origin {
        Origin::Formula { inputs, binding: Some(at), .. } => {
            inputs.get(*at).map_or_else(String::new, |input| input.what.to_owned())
        }
        _ => String::new(),
    }
}

fn compaction(w: &mut Writer<'_>, channels: &[&Id]) {
    let compacted: Vec<&Id> = channels
        .iter()
        .copied()
        .filter(|id| {
            w.desk.fact(id, key::channel::CLEANUP_POLICY).is_some_and(|fact| fact.value != CleanupPolicy::Delete)
        })
        .collect();
    if compacted.is_empty() {
        return;
    }
    w.heading(2, "Compaction");
    let names = w.names(compacted.iter().copied());
    w.say(line![
        "Compaction keeps the newest record of each key in ",
        names,
        ". The versions between are gone once the cleaner has passed, so a replay that needs them cannot be done from there: it gives the current state, not the history."
    ]);
    let kept = |id: &Id| {
        line![
            w.name(id),
            " keeps a deletion for ",
            w.setting(id, key::channel::TOMBSTONE_RETENTION),
            " after the cleaner has come to it: a reader that takes longer from the start of the log can miss it, and keep what was deleted."
        ]
    };
    let kept = compacted.into_iter().map(kept).collect();
    w.list(kept);
}

fn sources(w: &mut Writer<'_>) {
    use key::source as s;
    let mut rows = Vec::new();
    for id in w.desk.elements(ElementKind::Source) {
        rows.push(vec![
            w.name(id),
            w.setting(id, s::LOG_REACH),
            w.setting(id, s::LOG_REACH_SIZE),
            goes_back(w, id),
            w.setting(id, s::RESNAPSHOT),
            w.setting(id, s::POSITION_SURVIVES_FAILOVER),
        ]);
    }
    if !rows.is_empty() {
        w.heading(2, "Reading the sources again");
        w.table(
            &[
                "Source",
                "Log kept for",
                "Log kept up to",
                "Goes back",
                "Current state again",
                "Position survives a failover",
            ],
            rows,
        );
    }
}

/// How far back the log of a source goes.
fn goes_back(w: &mut Writer<'_>, id: &Id) -> Inline {
    let Some(report) = w.desk.to_be.sources.get(id) else { return "".into() };
    let (reach, longest) = (report.reach.clone(), report.longest.clone());
    match (&reach, &longest) {
        (Ok(reach), Err(_)) => line!["at least ", w.explained(reach)],
        (Err(_), Ok(longest)) => line!["at most ", w.explained(longest)],
        _ => w.figure(&reach),
    }
}

fn consumers(w: &mut Writer<'_>) {
    w.heading(2, "From where each result can be made again");
    let consumers = w.desk.elements(ElementKind::Consumer);
    if consumers.is_empty() {
        w.say("No consumer is drawn.");
        w.gap(Gap::whole("a consumer", "not drawn"));
    }
    for id in consumers {
        let name = w.name(id);
        w.heading(3, name);
        let need = w.setting(id, key::consumer::REPLAY_NEEDED);
        w.say(line!["Needed: ", need, "."]);
        let starts = w.desk.to_be.consumers.get(id).map(|report| report.replay.as_slice()).unwrap_or_default();
        if starts.is_empty() {
            w.say("There is no place from which this result can be made again.");
            continue;
        }
        let needed = w.desk.fact(id, key::consumer::REPLAY_NEEDED).map(|fact| fact.value.secs());
        let mut rows = Vec::new();
        for start in starts {
            let way =
                if start.recompute { "recomputed, through the job" } else { "refilled, with the results as they were" };
            let enough = match (&start.reach, needed) {
                (Ok(reach), Some(needed)) if reach.value < needed => "no",
                (_, Some(_)) if start.usable.barred() => "no",
                (Ok(_), Some(_)) if start.usable == Usable::Yes => "yes",
                _ => "not known",
            };
            rows.push(vec![
                w.name(&start.from),
                way.into(),
                w.figure(&start.reach),
                enough.into(),
                start.duration.as_ref().map_or_else(|| "".into(), |duration| w.figure(duration)),
                start.start_within.as_ref().map_or_else(|| "".into(), |within| w.figure(within)),
                start.remarks.iter().map(|text| w.desk.names.sentence(text)).collect::<Vec<_>>().join(" ").into(),
            ]);
        }
        w.table(
            &[
                "From",
                "How",
                "How far back",
                "Enough",
                "Time to come to the present",
                "Has to start within",
                "What it costs or leaves out",
            ],
            rows,
        );
        pictures::replay(w, id);
    }
}
