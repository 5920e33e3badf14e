//! A design as a link: `#d<codec>.<dictionary>.<checksum and length>.<data>`, all in the fragment, so that no server sees it.
//!
//! Codec 1 is raw Deflate of the document without spaces, with a numbered preset dictionary, in base64url without
//! padding. The third part is the CRC-32 of the document (six characters) and the number of characters of the data,
//! so that a link that was cut short is told from one that was damaged, and a wrong dictionary from a right one. Every
//! dictionary that a link was ever made with stays; see `tests/link_dictionary.rs` for how they come about.
//!
//! Not here: the address bar and the clipboard (`platform`).

mod qr;
mod squeeze;
mod view;

use super::{DecodeError, Opened, encode_compact, open};
use crate::model::{Design, Id, Place};
use crate::sorted::SortedMap;
use data_encoding::BASE64URL_NOPAD;

pub use qr::{QR_MOST, Qr, qr};
pub use view::{Flavour, names, without_names};

/// The codec that links are made with.
const CODEC: u32 = 1;
/// Characters of the checksum in the third part; the rest of it is the length of the data.
const CHECKSUM_LENGTH: usize = 6;
/// Longest data that is looked at: base64url of what no document within bounds deflates to.
const MAX_DATA: usize = 4 << 20;

/// Where tidy would put the elements of a design that have no box.
pub type Tidy<'a> = &'a dyn Fn(&Design) -> SortedMap<Id, Place>;

/// How far a link of some length travels. Bounds: a chat message of 2 000 characters, the 8 000 octets that RFC 9110
/// (section 4.1) asks every recipient to support, the 32 KiB that Chromium shows in its address bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Band {
    /// Up to 2 000 characters: fits anywhere.
    Anywhere,
    /// Up to 8 000: fits chat and mail.
    ChatAndMail,
    /// Up to 32 000: opens in a browser, but many programs cut it.
    BrowserOnly,
    /// Longer: send the file instead.
    File,
}

impl Band {
    /// The band of a whole link, address included, by its characters.
    #[must_use]
    pub const fn of(characters: usize) -> Self {
        match characters {
            0..=2000 => Self::Anywhere,
            2001..=8000 => Self::ChatAndMail,
            8001..=32_000 => Self::BrowserOnly,
            _ => Self::File,
        }
    }

    /// In words, for the person who shares.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Anywhere => "fits anywhere",
            Self::ChatAndMail => "fits chat and mail",
            Self::BrowserOnly => "opens in a browser, but chat and mail programs may cut it",
            Self::File => "too long for a link; send the file",
        }
    }
}

/// Why a link did not open.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// Not one of our links.
    #[error(
        "this is no link to a design, or only the beginning of one: a whole one has #d, two numbers, a checksum and data, \
         parted by points. Copy it again whole, or ask for the file"
    )]
    NotOurs,
    /// Made by a later program.
    #[error("this link was made by a newer program (codec {0}); reload the page to get the newest one")]
    NewerCodec(u32),
    /// Made by a later program.
    #[error("this link was made by a newer program (dictionary {0}); reload the page to get the newest one")]
    NewerDictionary(u32),
    /// Characters are missing at its end.
    #[error("this link was cut short: {have} of {of} characters arrived. Copy it again whole, or ask for the file")]
    CutShort {
        /// Characters of data that arrived.
        have: usize,
        /// Characters of data that it was made with.
        of: usize,
    },
    /// Characters were changed.
    #[error("this link was damaged on its way: its checksum does not fit. Copy it again, or ask for the file")]
    Damaged,
    /// Unpacks to more than a document may have.
    #[error("this link unpacks to more than a design may hold ({} bytes)", super::MAX_BYTES)]
    TooLarge,
    /// Unpacked, but not a legal design.
    #[error("the design in this link was refused: {0}")]
    Document(#[from] DecodeError),
}

/// The fragment of a link to this design, with its `#`. Boxes that tidy would place the same are left out.
#[must_use]
pub fn encode(design: &Design, flavour: Flavour, tidy: Tidy<'_>) -> String {
    fragment(&encode_compact(&view::to_send(design, flavour, tidy)))
}

/// The fragment of a link that carries a document of a later version byte for byte.
#[must_use]
pub fn encode_text(document: &str) -> String {
    fragment(document)
}

fn fragment(document: &str) -> String {
    let data = BASE64URL_NOPAD.encode(&squeeze::deflate(document.as_bytes(), squeeze::NEWEST));
    format!("#d{CODEC}.{}.{}{}.{data}", squeeze::NEWEST.number, checksum(document.as_bytes()), data.len())
}

fn checksum(document: &[u8]) -> String {
    BASE64URL_NOPAD.encode(&crc32fast::hash(document).to_be_bytes())
}

/// Does this text hold one of our links, or the beginning of one? For telling it from other fragments.
#[must_use]
pub fn is_link(text: &str) -> bool {
    let number = text.rsplit_once("#d").and_then(|(_, rest)| rest.split_once('.')).map(|(number, _)| number);
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Stands behind a link that opens ready to edit; any other opens to read first. What stands behind the data is no part
/// of it, so that programs which do not know this open the link to read.
pub const TO_EDIT: &str = "&edit";

/// Does this link ask to be opened ready to edit?
#[must_use]
pub fn asks_to_edit(text: &str) -> bool {
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ')' | '>' | ','));
    is_link(text) && text.ends_with(TO_EDIT)
}

/// The four parts of a link, from a whole address or the fragment alone.
fn parts(text: &str) -> Option<(u32, u32, &str, &str)> {
    let start = text.rfind("#d")? + 2;
    let mut parts = text.get(start..)?.splitn(4, '.');
    let mut number = || {
        let part = parts.next()?;
        let digits = !part.is_empty() && part.len() <= 6 && part.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| part.parse().ok()).flatten()
    };
    Some((number()?, number()?, parts.next()?, parts.next()?))
}

/// Opens a link: a whole address or its fragment, also with line breaks inside or a full stop behind it.
pub fn decode(text: &str) -> Result<Opened, LinkError> {
    if text.len() > MAX_DATA {
        return Err(LinkError::TooLarge);
    }
    let (codec, dictionary, third, data) = parts(text.trim()).ok_or(LinkError::NotOurs)?;
    if codec > CODEC {
        return Err(LinkError::NewerCodec(codec));
    }
    let dictionary = match squeeze::dictionary(dictionary) {
        Some(found) if codec == CODEC => found,
        None if codec == CODEC && dictionary > squeeze::NEWEST.number => {
            return Err(LinkError::NewerDictionary(dictionary));
        }
        _ => return Err(LinkError::NotOurs),
    };
    let (sum, length) = third.split_at_checked(CHECKSUM_LENGTH).ok_or(LinkError::NotOurs)?;
    let length: usize = length.parse().map_err(|_| LinkError::NotOurs)?;
    // Mail programs break lines, chats put invisible signs in; what stands behind the data (a bracket, a full stop) is not
    // part of it.
    let own = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let data: String = data.chars().filter(own).take(length).collect();
    if data.chars().count() < length {
        return Err(LinkError::CutShort { have: data.chars().count(), of: length });
    }
    let packed = BASE64URL_NOPAD.decode(data.as_bytes()).map_err(|_| LinkError::Damaged)?;
    let document = squeeze::inflate(&packed, dictionary)?;
    if checksum(&document) != sum {
        return Err(LinkError::Damaged);
    }
    let text = String::from_utf8(document).map_err(|_| LinkError::Damaged)?;
    Ok(open(&text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_have_their_bounds() {
        use Band::{Anywhere, BrowserOnly, ChatAndMail, File};
        for (length, band) in [
            (2000, Anywhere),
            (2001, ChatAndMail),
            (8000, ChatAndMail),
            (8001, BrowserOnly),
            (32_000, BrowserOnly),
            (32_001, File),
        ] {
            assert_eq!(Band::of(length), band);
        }
    }

    #[test]
    fn a_bomb_is_stopped_at_the_bound() {
        let bomb = fragment(&" ".repeat(super::super::MAX_BYTES + 1));
        assert!(bomb.len() < 10_000);
        assert_eq!(decode(&bomb), Err(LinkError::TooLarge));
        assert!(matches!(decode(&fragment(&" ".repeat(super::super::MAX_BYTES))), Err(LinkError::Document(_))));
    }
}
