//! A link as a QR code, for a room that reads it off the projector.

use qrcodegen::{QrCode, QrCodeEcc, QrSegment, Version};
use std::fmt::Write as _;

/// Longest text that is drawn. The largest code (version 40, least correction) holds 2 953 bytes (ISO/IEC 18004); a few
/// are left free.
pub const QR_MOST: usize = 2_900;

/// Empty modules around a code, as ISO/IEC 18004 asks.
const QUIET: i32 = 4;

/// A QR code as a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Qr {
    /// Width and height in modules, the empty border included.
    pub side: i32,
    /// The dark modules as one SVG path of that size: level runs, each one module high.
    pub path: String,
}

/// The QR code of a text in bytes, with the least correction so that modules are as large as they can be. Nothing where it
/// is too long.
#[must_use]
pub fn qr(text: &str) -> Option<Qr> {
    if text.len() > QR_MOST {
        return None;
    }
    let bytes = [QrSegment::make_bytes(text.as_bytes())];
    let code = QrCode::encode_segments_advanced(&bytes, QrCodeEcc::Low, Version::MIN, Version::MAX, None, true).ok()?;
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let start = x;
            while x < code.size() && code.get_module(x, y) {
                x += 1;
            }
            if x > start {
                _ = write!(path, "M{} {}h{}v1h-{}z", start + QUIET, y + QUIET, x - start, x - start);
            }
            x += 1;
        }
    }
    Some(Qr { side: code.size() + 2 * QUIET, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The dark modules of a path, as rows of `#` and spaces without the border.
    fn rows(qr: &Qr) -> Vec<String> {
        let side = (qr.side - 2 * QUIET) as usize;
        let mut rows = vec![vec![' '; side]; side];
        for run in qr.path.split('M').filter(|run| !run.is_empty()) {
            let (x, rest) = run.split_once(' ').unwrap();
            let (y, rest) = rest.split_once('h').unwrap();
            let (long, _) = rest.split_once('v').unwrap();
            let at = |text: &str| (text.parse::<i32>().unwrap() - QUIET) as usize;
            let long: usize = long.parse().unwrap();
            rows[at(y)][at(x)..at(x) + long].fill('#');
        }
        rows.into_iter().map(|row| row.into_iter().collect()).collect()
    }

    #[test]
    fn a_short_text_makes_the_smallest_code_with_its_three_finders() {
        let code = qr("#d1.1.x").unwrap();
        assert_eq!(code.side, 21 + 2 * QUIET);
        let rows = rows(&code);
        for (y, pattern) in
            ["#######", "#     #", "# ### #", "# ### #", "# ### #", "#     #", "#######"].iter().enumerate()
        {
            assert!(rows[y].starts_with(pattern) && rows[y].ends_with(pattern), "{y}: {}", rows[y]);
            assert!(rows[14 + y].starts_with(pattern), "{y}: {}", rows[14 + y]);
        }
        // The timing pattern between the finders.
        assert_eq!(&rows[6][8..13], "# # #");
    }

    #[test]
    fn the_longest_text_makes_the_largest_code_and_one_more_none() {
        assert_eq!(qr(&"x".repeat(QR_MOST)).unwrap().side, 177 + 2 * QUIET);
        assert_eq!(qr(&"x".repeat(QR_MOST + 1)), None);
        // Bytes count, not characters.
        assert_eq!(qr(&"ü".repeat(QR_MOST / 2 + 1)), None);
    }
}
