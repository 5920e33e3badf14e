//! An incoming packet with this desk's parts put in: what other desks wrote stays as it is, to the byte.
//!
//! The text is untrusted: it is bounded in size and depth, and refused with the place and the reason. Numbers and strings
//! of other desks are carried as written and never turned into values.

use super::{SHARED, lines, own::is_ours};
use crate::sorted::SortedSet;
use crate::{
    codec,
    model::{Json, units::SizeUnit},
};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;
use std::fmt;

/// Most bytes of an incoming packet: 8 MiB.
const MAX_BYTES: usize = 8 * SizeUnit::Mebibyte.bytes() as usize;
/// Deepest nesting of an incoming packet.
const MAX_DEPTH: usize = 64;

/// Why an incoming packet was refused; nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {reason}")]
pub struct PacketError {
    /// Where: `line 3, column 7`, or `streams[2]`.
    pub at: String,
    /// What is wrong and what to do.
    pub reason: String,
}

fn refused(at: impl Into<String>, reason: impl Into<String>) -> PacketError {
    PacketError { at: at.into(), reason: reason.into() }
}

/// The members of an object in their order, each value as it was written.
struct Members<'p>(Vec<(String, &'p RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object in braces")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

/// The items of a list, each as it was written.
struct Items<'p>(Vec<&'p RawValue>);

impl<'de> Deserialize<'de> for Items<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Items<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list in brackets")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Items(items))
            }
        }
        deserializer.deserialize_seq(Reader)
    }
}

/// The incoming packet with the parts of `own` put in.
///
/// # Errors
/// The text is too large, too deep, not JSON, not an object, holds a member twice, or one of the lists that desks share
/// is no list.
pub fn merge(incoming: &str, own: &Json) -> Result<String, PacketError> {
    let Json::Object(own) = own else { return Err(refused("own packet", "is not an object")) };
    let members = open(incoming)?;
    let mut out: Vec<(String, String)> = Vec::new();
    let mut foreign_halts = false;
    for (key, raw) in &members {
        let mine = own.iter().find(|(name, _)| name == key).map(|(_, value)| value);
        let merged = match mine {
            _ if key == "halts" => {
                let (text, others) = list(key, raw, mine)?;
                foreign_halts |= others > 0;
                text
            }
            Some(mine) if SHARED.contains(&key.as_str()) => list(key, raw, Some(mine))?.0,
            // Another desk's format and version word stands; the rest of ours replaces what was there.
            Some(_) if matches!(key.as_str(), "format" | "version") => raw.get().to_owned(),
            Some(mine) => mine.to_string(),
            None => raw.get().to_owned(),
        };
        out.push((key.clone(), merged));
    }
    for (key, value) in own {
        if !members.iter().any(|(name, _)| name == key) {
            out.push((key.clone(), lines(value)));
        }
    }
    if foreign_halts {
        // A halt of another desk is not ours to lift.
        for (key, text) in &mut out {
            match key.as_str() {
                "ready_to_continue" => "false".clone_into(text),
                "next_stage" => "null".clone_into(text),
                _ => {}
            }
        }
    }
    out.retain(|(key, text)| key != "halts" || text != "[]");
    let out: Vec<String> = out.into_iter().map(|(key, text)| format!(" {}: {text}", Json::text(key))).collect();
    Ok(format!("{{\n{}\n}}\n", out.join(",\n")))
}

fn open(incoming: &str) -> Result<Vec<(String, &RawValue)>, PacketError> {
    if incoming.len() > MAX_BYTES {
        return Err(refused("packet", format!("has {} bytes; at most {MAX_BYTES} are read", incoming.len())));
    }
    let text = incoming.strip_prefix('\u{feff}').unwrap_or(incoming);
    depth(text)?;
    let Members(members) = serde_json::from_str(text).map_err(|error| json_error("", &error))?;
    let mut seen = SortedSet::new();
    match members.iter().find(|(key, _)| !seen.insert(key.as_str())) {
        Some((key, _)) => Err(refused(key.clone(), "stands in the packet twice; keep one of them")),
        None => Ok(members),
    }
}

fn json_error(at: &str, error: &serde_json::Error) -> PacketError {
    let message = codec::not_json(error);
    let place = format!("line {}, column {}", error.line(), error.column());
    refused(if at.is_empty() { place } else { at.to_owned() }, format!("not the JSON of a packet: {message}"))
}

/// Refuses what is nested deeper than any packet is, before anything is parsed.
fn depth(text: &str) -> Result<(), PacketError> {
    let (mut depth, mut in_text, mut escaped) = (0usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(refused("packet", format!("is nested more than {MAX_DEPTH} levels deep")));
                }
            }
            b'}' | b']' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

/// A shared list: entries of other desks as written, then those of this desk. Also how many entries of others there are.
fn list(key: &str, raw: &RawValue, mine: Option<&Json>) -> Result<(String, usize), PacketError> {
    let Items(items) = serde_json::from_str(raw.get()).map_err(|error| json_error(key, &error))?;
    let mine: Vec<Json> = match mine {
        Some(Json::List(items)) => items.clone(),
        _ => Vec::new(),
    };
    let (mut kept, mut topped): (Vec<String>, Vec<Option<String>>) = (Vec::new(), vec![None; mine.len()]);
    for item in items {
        let members = serde_json::from_str::<Members<'_>>(item.get()).map(|members| members.0).unwrap_or_default();
        let text = |name: &str| {
            let raw = members.iter().find(|(key, _)| key == name)?.1;
            serde_json::from_str::<String>(raw.get()).ok()
        };
        let desk = text("desk");
        if key == "streams" && (desk.is_none() || is_ours(desk.as_deref())) {
            let topic = text("topic");
            let same = mine.iter().position(|own| own.get("topic").and_then(Json::as_text) == topic.as_deref());
            if let Some(at) = same.filter(|_| topic.is_some()) {
                if let Some(slot) = topped.get_mut(at) {
                    *slot = Some(beside(&members, mine.get(at)));
                }
                continue;
            }
        }
        let ours = is_ours(desk.as_deref())
            || (key == "pipelines" && desk.is_none() && text("kind").as_deref() == Some("streaming"));
        if !ours {
            kept.push(item.get().to_owned());
        }
    }
    let others = kept.len();
    for (own, topped) in mine.iter().zip(topped) {
        kept.push(topped.unwrap_or_else(|| own.to_string()));
    }
    let text = if kept.is_empty() { "[]".to_owned() } else { format!("[\n  {}\n ]", kept.join(",\n  ")) };
    Ok((text, others))
}

/// A stream that others wrote to as well: our members, then theirs as written.
fn beside(theirs: &[(String, &RawValue)], own: Option<&Json>) -> String {
    let Some(Json::Object(own)) = own else { return String::from("{}") };
    let ours = own.iter().map(|(key, value)| format!("{}:{value}", Json::text(key)));
    let rest = theirs
        .iter()
        .filter(|(key, _)| !own.iter().any(|(name, _)| name == key))
        .map(|(key, raw)| format!("{}:{}", Json::text(key), raw.get()));
    format!("{{{}}}", ours.chain(rest).collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> Json {
        let stream =
            super::super::signed(vec![super::super::member("topic", "orders"), super::super::member("delivery", "x")]);
        Json::Object(vec![
            super::super::member("format", "data_packet"),
            super::super::member("streams", vec![stream]),
            super::super::member("ready_to_continue", Json::Bool(true)),
            super::super::member("next_stage", "transformation-layer-desk"),
        ])
    }

    #[test]
    fn other_desks_keep_every_byte() {
        let incoming = "{\"contracts\": [ {\"id\" :1.50, \"n\": 12345678901234567890123} ],\n \"streams\": [{\"topic\":\"orders\",\"contract\": {\"v\":1e0}}, {\"desk\":\"other\", \"topic\":\"orders\"}], \"ready_to_continue\": false}";
        let merged = merge(incoming, &own()).unwrap();
        assert!(merged.contains("[ {\"id\" :1.50, \"n\": 12345678901234567890123} ]"), "{merged}");
        assert!(merged.contains("\"contract\":{\"v\":1e0}"), "{merged}");
        assert!(merged.contains("{\"desk\":\"other\", \"topic\":\"orders\"}"), "{merged}");
        assert!(merged.contains("\"ready_to_continue\": true"), "{merged}");
        let json: serde_json::Value = serde_json::from_str(&merged).unwrap();
        assert_eq!(json["streams"].as_array().unwrap().len(), 2);
        assert_eq!(json["streams"][1]["delivery"], "x");
    }

    #[test]
    fn merging_twice_changes_nothing() {
        let once = merge("{\"a\": 1}", &own()).unwrap();
        assert_eq!(merge(&once, &own()).unwrap(), once);
    }

    #[test]
    fn a_halt_of_another_desk_stays_in_force() {
        let merged = merge("{\"halts\":[{\"desk\":\"other\",\"class\":\"x\"}]}", &own()).unwrap();
        let json: serde_json::Value = serde_json::from_str(&merged).unwrap();
        assert_eq!(json["ready_to_continue"], false);
        assert_eq!(json["next_stage"], serde_json::Value::Null);
        assert_eq!(json["halts"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn what_is_no_packet_is_refused_with_its_place() {
        for (text, at) in [
            ("", "line 1"),
            ("[]", "line 1"),
            ("{\"a\":1,\"a\":2}", "a"),
            ("{\"streams\": 5}", "streams"),
            ("{\"a\": nul}", "line 1"),
            (&"[".repeat(100_000), "packet"),
        ] {
            let error = merge(text, &own()).unwrap_err();
            assert!(error.at.starts_with(at), "{text:.20}: {error}");
        }
        let large = format!("{{\"a\":\"{}\"}}", "x".repeat(MAX_BYTES));
        assert!(merge(&large, &own()).is_err());
    }
}
