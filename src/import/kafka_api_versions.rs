//! What `kafka-broker-api-versions` prints: one block a broker, with its number and rack, then what it can be asked.
//!
//! Printed by `org.apache.kafka.tools.BrokerApiVersionsCommand` (before 3.7 `kafka.admin`). The command asks every broker
//! that is up, so the blocks are the brokers of the cluster. Not here: the versions of requests.

use super::{Verdict, lines::LineRef};

/// One broker that is up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokerReading {
    /// Where it stands.
    pub at: LineRef,
    /// Its number.
    pub id: u32,
    /// Its rack; nothing where none is set.
    pub rack: Option<String>,
}

/// Reads one line into `brokers`.
pub(super) fn line(text: &str, at: LineRef, brokers: &mut Vec<BrokerReading>) -> Verdict {
    let text = text.trim();
    if let Some(verdict) = heading(text, at, brokers) {
        return verdict;
    }
    if !brokers.is_empty() && (text == ")" || is_request(text)) {
        return Verdict::Idle("which requests a broker can be asked");
    }
    Verdict::NotMine
}

/// `host:9092 (id: 1 rack: a) -> (`; from 3.9 on with `isFenced: false` behind the rack.
fn heading(text: &str, at: LineRef, brokers: &mut Vec<BrokerReading>) -> Option<Verdict> {
    let (host, rest) = text.split_once(" (id: ")?;
    let (inside, _) = rest.split_once(") -> ")?;
    let (id, rack) = inside.split_once(" rack: ")?;
    if host.contains(char::is_whitespace) || !host.contains(':') {
        return None;
    }
    let Ok(id) = id.parse::<u32>() else {
        return Some(Verdict::Odd(format!("{id:?} is no number of a broker")));
    };
    let rack = rack.split_once(" isFenced:").map_or(rack, |(rack, _)| rack).trim();
    let rack = (!matches!(rack, "null" | "")).then(|| rack.to_owned());
    brokers.push(BrokerReading { at, id, rack });
    Some(Verdict::Read)
}

/// `Produce(0): 0 to 12 [usable: 12],` or `Fetch(1): UNSUPPORTED`
fn is_request(text: &str) -> bool {
    let Some((name, rest)) = text.split_once('(') else { return false };
    let number = rest.split_once("): ").is_some_and(|(number, _)| number.parse::<u16>().is_ok());
    number && !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brokers_with_and_without_racks() {
        let mut brokers = Vec::new();
        let mut read = |text: &str| line(text, LineRef::default(), &mut brokers);
        assert_eq!(read("\tProduce(0): 0 to 12 [usable: 12],"), Verdict::NotMine, "no broker stands above it");
        assert_eq!(read("b1:9092 (id: 1 rack: eu-1a isFenced: false) -> ("), Verdict::Read);
        assert!(matches!(read("\tProduce(0): 0 to 12 [usable: 12],"), Verdict::Idle(_)));
        assert!(matches!(read("\tFetch(1): UNSUPPORTED,"), Verdict::Idle(_)));
        assert!(matches!(read(")"), Verdict::Idle(_)));
        assert_eq!(read("b2:9092 (id: 2 rack: null) -> ("), Verdict::Read);
        assert_eq!(read("b3:9092 (id: 3 rack: eu-1b) -> ERROR: it does not answer"), Verdict::Read);
        assert!(matches!(read("b4:9092 (id: four rack: null) -> ("), Verdict::Odd(_)));
        assert_eq!(read("see the note (id: 7 rack: none)"), Verdict::NotMine);
        let read: Vec<_> = brokers.iter().map(|b| (b.id, b.rack.as_deref())).collect();
        assert_eq!(read, [(1, Some("eu-1a")), (2, None), (3, Some("eu-1b"))]);
    }
}
