//! The delivery badge as two cells: the fewest and the most copies of one event.

use crate::analysis::delivery::verdict::{Badge, Fewest, Most};

/// How a cell is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellStyle {
    /// It holds, by a named mechanism.
    Solid,
    /// It holds under a condition.
    Dashed,
    /// It can go wrong.
    Thick,
    /// A fact is not read.
    Hatched,
}

/// One cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// `0`, `1`, `n` or `?`.
    pub glyph: &'static str,
    /// How it is drawn.
    pub style: CellStyle,
    /// Filled: only at a weakest hop and on a consumer.
    pub loud: bool,
}

/// The two cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadgeView {
    /// Left.
    pub fewest: Cell,
    /// Right.
    pub most: Cell,
    /// Text form: `1*..n`.
    pub text: String,
}

impl BadgeView {
    /// A badge with quiet cells.
    pub(super) fn quiet(badge: &Badge) -> Self {
        let (glyph, style) = match badge.fewest {
            Fewest::One(_) => ("1", CellStyle::Solid),
            Fewest::OneWhile(..) => ("1", CellStyle::Dashed),
            Fewest::Zero => ("0", CellStyle::Thick),
            Fewest::Unknown(_) => ("?", CellStyle::Hatched),
        };
        let fewest = Cell { glyph, style, loud: false };
        let (glyph, style) = match badge.most {
            Most::One(_) => ("1", CellStyle::Solid),
            Most::OneWhile(..) => ("1", CellStyle::Dashed),
            Most::Many => ("n", CellStyle::Thick),
            Most::Unknown(_) => ("?", CellStyle::Hatched),
        };
        Self { fewest, most: Cell { glyph, style, loud: false }, text: badge.text() }
    }

    /// The same with these cells loud, where they can be: what holds by a mechanism and what is not read never is.
    pub(super) const fn loud(mut self, fewest: bool, most: bool) -> Self {
        self.fewest.loud = fewest && matches!(self.fewest.style, CellStyle::Dashed | CellStyle::Thick);
        self.most.loud = most && matches!(self.most.style, CellStyle::Dashed | CellStyle::Thick);
        self
    }

    /// As a screen reader says it.
    #[must_use]
    pub fn spoken(&self) -> String {
        let fewest = match (self.fewest.glyph, self.fewest.style) {
            ("0", _) => "may be lost",
            ("1", CellStyle::Dashed) => "at least one copy under a condition",
            ("1", _) => "at least one copy",
            _ => "fewest copies not read",
        };
        let most = match (self.most.glyph, self.most.style) {
            ("n", _) => "repeats possible",
            ("1", CellStyle::Dashed) => "repeats removed under a condition",
            ("1", _) => "no repeats",
            _ => "most copies not read",
        };
        format!("{fewest}, {most}")
    }
}
