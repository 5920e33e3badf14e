//! Everything that a run delivers, as files: the documents, the packet, the design itself, the diagrams.

use super::{Document, desk::Desk, diagram, document_set, packet, zip::Entry};
use crate::sorted;
use crate::{codec, model::Design, rules::Review};

/// The files of the bundle; `incoming` is the packet of the desk before, where there is one.
///
/// # Errors
/// The incoming packet cannot be read; nothing is written then.
pub fn write(
    design: &Design,
    as_is: &Review,
    to_be: &Review,
    incoming: Option<&str>,
) -> Result<Vec<Entry>, packet::PacketError> {
    let documents = document_set(design, as_is, to_be);
    let mut entries: Vec<Entry> =
        documents.iter().map(|document| Entry::new(document.file_name.clone(), document.markdown())).collect();
    let desk = Desk::new(design, as_is, to_be);
    entries.push(Entry::new("design.json", codec::encode(design)));
    entries.push(Entry::new("diagram.svg", diagram::svg(&desk)));
    entries.push(Entry::new("diagram.mmd", diagram::mermaid(&desk)));
    entries.push(Entry::new("diagram.txt", diagram::text(&desk)));
    let packet = packet(&desk, &documents, &entries, incoming)?;
    entries.push(Entry::new("data_packet.json", packet));
    sorted::sort_by(&mut entries, |a, b| a.name.cmp(&b.name));
    Ok(entries)
}

fn packet(
    desk: &Desk<'_>,
    documents: &[Document],
    entries: &[Entry],
    incoming: Option<&str>,
) -> Result<String, packet::PacketError> {
    let own = packet::own(desk, documents, entries);
    match incoming {
        Some(incoming) => packet::merge(incoming, &own),
        None => Ok(packet::print(&own)),
    }
}
