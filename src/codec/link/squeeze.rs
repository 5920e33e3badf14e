//! Raw Deflate (RFC 1951) with a preset dictionary, within bounds.

use super::LinkError;
use crate::codec::MAX_BYTES;
use miniz_oxide::{
    deflate::core::{CompressorOxide, TDEFLFlush, compress_to_output, create_comp_flags_from_zip_params},
    inflate::{
        TINFLStatus,
        core::{DecompressorOxide, decompress, inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF},
    },
};

/// What both sides know before the first byte.
#[derive(Clone, Copy)]
pub(super) struct Dictionary {
    /// Its number in the link.
    pub(super) number: u32,
    bytes: &'static [u8],
}

/// Every dictionary that a link was ever made with. Never changed, only added to.
const DICTIONARIES: [Dictionary; 1] = [Dictionary { number: 1, bytes: include_bytes!("dictionary-1.txt") }];

/// The one that links are made with.
pub(super) const NEWEST: Dictionary = DICTIONARIES[DICTIONARIES.len() - 1];

/// The dictionary of this number.
pub(super) fn dictionary(number: u32) -> Option<Dictionary> {
    DICTIONARIES.into_iter().find(|dictionary| dictionary.number == number)
}

/// Level 9, raw: no zlib header, so that the link carries its own checksum.
const FLAGS: u32 = create_comp_flags_from_zip_params(9, -15, 0);

/// Compresses.
pub(super) fn deflate(document: &[u8], dictionary: Dictionary) -> Vec<u8> {
    let mut compressor = CompressorOxide::new(FLAGS);
    // What the dictionary compresses to is thrown away; the window and the hash chains stay filled with it.
    compress_to_output(&mut compressor, dictionary.bytes, TDEFLFlush::Sync, |_| true);
    let mut out = Vec::new();
    compress_to_output(&mut compressor, document, TDEFLFlush::Finish, |bytes| {
        out.extend_from_slice(bytes);
        true
    });
    out
}

/// Decompresses to at most the size of a document.
pub(super) fn inflate(packed: &[u8], dictionary: Dictionary) -> Result<Vec<u8>, LinkError> {
    let start = dictionary.bytes.len();
    let most = start + MAX_BYTES;
    let mut out = dictionary.bytes.to_vec();
    out.resize((start + packed.len().saturating_mul(4).max(4096)).min(most), 0);
    let mut decompressor = Box::<DecompressorOxide>::default();
    let (mut read, mut written) = (0, start);
    loop {
        let rest = packed.get(read..).unwrap_or_default();
        let (status, consumed, produced) =
            decompress(&mut decompressor, rest, &mut out, written, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF);
        read += consumed;
        written += produced;
        match status {
            TINFLStatus::Done => {
                out.truncate(written);
                return Ok(out.split_off(start));
            }
            TINFLStatus::HasMoreOutput if out.len() < most => out.resize((out.len() * 2).min(most), 0),
            TINFLStatus::HasMoreOutput => return Err(LinkError::TooLarge),
            _ => return Err(LinkError::Damaged),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A changed dictionary would make every link of its number unreadable.
    #[test]
    fn dictionaries_are_frozen() {
        let sums: Vec<_> = DICTIONARIES.iter().map(|d| (d.number, crc32fast::hash(d.bytes))).collect();
        assert_eq!(sums, [(1, 0x8bc5d8ac)]);
    }

    #[test]
    fn what_was_deflated_inflates() {
        for document in ["", "x", "{\"format\":\"streaming-pipeline\",\"version\":1}", &"0123456789abcdef".repeat(5000)]
        {
            let packed = deflate(document.as_bytes(), NEWEST);
            assert_eq!(inflate(&packed, NEWEST).unwrap(), document.as_bytes());
        }
        assert!(inflate(&[], NEWEST).is_err());
        assert!(inflate(&[0xff; 64], NEWEST).is_err());
    }
}
