//! `data_risks[]`: the findings of the rules, by the kind of risk they are.

use super::{member, signed, text_or_null};
use crate::{
    documents::desk::Desk,
    model::Json,
    rules::{Finding, Severity},
};

/// Every finding as a risk, worst first.
pub fn risks(desk: &Desk<'_>) -> Vec<Json> {
    desk.to_be
        .findings
        .iter()
        .filter(|finding| desk.withheld_finding(finding).is_none())
        .map(|finding| risk(desk, finding))
        .collect()
}

fn risk(desk: &Desk<'_>, finding: &Finding) -> Json {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let about = finding.about.iter().map(|id| Json::text(id.as_str())).collect::<Vec<_>>();
    let names = finding.about.iter().map(|id| Json::text(desk.name(id))).collect::<Vec<_>>();
    signed(vec![
        member("kind", kind(finding.rule)),
        member("severity", severity),
        member("about", about),
        member("names", names),
        member("message", finding.message.as_str()),
        member("why", finding.why),
        member("remedy", &*finding.remedy),
        member("rule", finding.rule),
        member("accepted", text_or_null(finding.accepted.as_deref())),
    ])
}

/// The kind of risk that a rule finds.
fn kind(rule: &str) -> &'static str {
    match rule {
        "STA-01" | "STA-03" | "STA-09" => "unbounded state",
        "RET-05" | "RET-06" | "CMP-4" => "compaction destroys replay history",
        "DUP-09" => "consumer must de-duplicate and does not",
        "TIM-02" => "clock trust",
        "RET-11" => "retention race",
        _ => match rule.split('-').next().unwrap_or_default() {
            "SKW" => "skewed partition key",
            "TIM" | "LATE" | "WM" => "lateness",
            "PRV" => "privacy",
            "DEL" | "SRC" | "CON" | "FLK" | "SPK" | "ISO" => "loss or duplicates",
            "DUP" | "SFX" => "duplicates",
            "ORD" => "order",
            "STA" | "CHK" | "MEM" => "state and recovery",
            "RET" | "REP" | "CMP" | "OFF" => "replay",
            "LAG" | "CAP" | "REB" | "POLL" | "BP" => "lag and capacity",
            "REC" => "reconciliation",
            "LAT" => "latency",
            _ => "other",
        },
    }
}
