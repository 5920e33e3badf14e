//! A ZIP archive whose bytes depend on nothing but its files: sorted names, one fixed time, raw deflate where it saves.
//!
//! Not here: reading archives, encryption, archives beyond 4 GiB (a bundle is some hundred kilobytes).
//! The layout follows PKWARE's APPNOTE 6.3.9, sections 4.3.7 (local header), 4.3.12 (directory), 4.3.16 (end).

/// One file of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Path in the archive, with `/` between folders.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Entry {
    /// A file from its name and text or bytes.
    #[must_use]
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), bytes: bytes.into() }
    }
}

/// 1980-01-01 00:00 as MS-DOS date: the earliest that the format knows, so that no clock has a part in the bytes.
const DATE: u16 = 0x0021;
const TIME: u16 = 0;
/// Version 2.0: deflate.
const VERSION: u16 = 20;
/// Bit 11: names are UTF-8.
const FLAGS: u16 = 0x0800;

struct Packed<'e> {
    entry: &'e Entry,
    method: u16,
    data: Vec<u8>,
    crc: u32,
    offset: u32,
}

/// The archive of these files, in the order of their names; of two with one name the last one counts.
#[must_use]
pub fn write(entries: &[Entry]) -> Vec<u8> {
    let sorted: crate::sorted::SortedMap<&str, &Entry> =
        entries.iter().map(|entry| (entry.name.as_str(), entry)).collect();
    let mut out = Vec::new();
    let mut packed = Vec::new();
    for entry in sorted.into_values() {
        let file = pack(entry, out.len());
        local(&mut out, &file);
        packed.push(file);
    }
    let start = out.len();
    for file in &packed {
        central(&mut out, file);
    }
    end(&mut out, packed.len(), start);
    out
}

fn pack(entry: &Entry, offset: usize) -> Packed<'_> {
    let deflated = miniz_oxide::deflate::compress_to_vec(&entry.bytes, 9);
    let (method, data) = if deflated.len() < entry.bytes.len() { (8, deflated) } else { (0, entry.bytes.clone()) };
    Packed { entry, method, data, crc: crc32fast::hash(&entry.bytes), offset: small(offset) }
}

/// Lengths fit into 32 bits for everything that fits into a browser's memory here.
fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn short(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}

/// What the local header and the directory have in common.
fn common(out: &mut Vec<u8>, file: &Packed<'_>) {
    for word in [VERSION, FLAGS, file.method, TIME, DATE] {
        out.extend(word.to_le_bytes());
    }
    for long in [file.crc, small(file.data.len()), small(file.entry.bytes.len())] {
        out.extend(long.to_le_bytes());
    }
    out.extend(short(file.entry.name.len()).to_le_bytes());
    out.extend([0, 0]);
}

fn local(out: &mut Vec<u8>, file: &Packed<'_>) {
    out.extend(b"PK\x03\x04");
    common(out, file);
    out.extend(file.entry.name.as_bytes());
    out.extend(&file.data);
}

fn central(out: &mut Vec<u8>, file: &Packed<'_>) {
    out.extend(b"PK\x01\x02");
    out.extend(VERSION.to_le_bytes());
    common(out, file);
    // No comment, first disk, no attributes.
    out.extend([0; 10]);
    out.extend(file.offset.to_le_bytes());
    out.extend(file.entry.name.as_bytes());
}

fn end(out: &mut Vec<u8>, files: usize, start: usize) {
    let length = out.len() - start;
    out.extend(b"PK\x05\x06");
    out.extend([0; 4]);
    for _ in 0..2 {
        out.extend(short(files).to_le_bytes());
    }
    out.extend(small(length).to_le_bytes());
    out.extend(small(start).to_le_bytes());
    out.extend([0, 0]);
}
