//! Words at places along an axis, in lines, so that none stands on another.
//!
//! Widths are judged by letters for the narrowest plot that is shown ([`LETTER`]); in a wider one there is more room.

/// Width of a letter in hundredths of the narrowest plot: 6.3 px of 34 rem.
pub const LETTER: f64 = 1.15;
/// The same in a narrow pane, of which a plot takes the whole width: 6.3 px of 20 rem.
pub const LETTER_NARROW: f64 = 1.97;
/// Room between two labels of a line, in hundredths.
const APART: f64 = 1.5;

/// How a label is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// What counts.
    Strong,
    /// Beside it.
    Plain,
    /// What does not bind.
    Quiet,
    /// What is missing or lost.
    Bad,
    /// What is proposed.
    Proposed,
}

/// A label where it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Where it begins, or ends, in hundredths.
    pub x: f64,
    /// It ends at `x`, else it begins there.
    pub left: bool,
    /// Which line, from above.
    pub line: usize,
    /// How it is set.
    pub tone: Tone,
    /// Its words.
    pub text: String,
    /// Width of one of its letters, in hundredths.
    letter: f64,
}

impl Label {
    /// From where to where it reaches.
    #[must_use]
    pub fn extent(&self) -> (f64, f64) {
        let width = width(&self.text, self.letter);
        if self.left { (self.x - width, self.x) } else { (self.x, self.x + width) }
    }
}

fn width(text: &str, letter: f64) -> f64 {
    text.chars().count() as f64 * letter
}

/// Sets labels: each begins at its place, or ends there where it would not fit, or is moved to where it does; in the first
/// line with room for it. A letter is so wide, in hundredths.
#[must_use]
pub fn set(letter: f64, labels: impl IntoIterator<Item = (f64, Tone, String)>) -> Vec<Label> {
    let mut all: Vec<Label> = Vec::new();
    for (x, tone, text) in labels {
        let width = width(&text, letter);
        let x = x.clamp(0.0, 100.0);
        let (x, left) = match (x + width <= 100.0, x >= width) {
            (true, _) => (x, false),
            (false, true) => (x, true),
            (false, false) => ((100.0 - width).max(0.0), false),
        };
        let mut label = Label { x, left, line: 0, tone, text, letter };
        let (from, to) = label.extent();
        let free = |line: usize| {
            let others = all.iter().filter(|other| other.line == line).map(Label::extent);
            others.into_iter().all(|(start, end)| to + APART <= start || end + APART <= from)
        };
        label.line = (0..=all.len()).find(|line| free(*line)).unwrap_or(all.len());
        all.push(label);
    }
    all
}

/// One label of a span: behind its end, or where that has no room before its beginning.
#[must_use]
pub fn around(letter: f64, (from, to): (f64, f64), tone: Tone, text: String) -> Label {
    let width = width(&text, letter);
    let after = to + width <= 100.0 || from < width;
    Label { x: if after { to.min(100.0 - width).max(0.0) } else { from }, left: !after, line: 0, tone, text, letter }
}

/// Lines that labels take.
#[must_use]
pub fn lines(labels: &[Label]) -> usize {
    labels.iter().map(|label| label.line + 1).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_apart() {
        // 20 letters are 23 hundredths: at 10 to 33, at 34.5 to 57.5 in the same line, at 30 only below.
        let words = "01234567890123456789".to_owned();
        let set = set(
            LETTER,
            [(10.0, Tone::Strong, words.clone()), (34.5, Tone::Plain, words.clone()), (30.0, Tone::Bad, words)],
        );
        assert_eq!(set.iter().map(|label| label.line).collect::<Vec<_>>(), [0, 0, 1]);
        assert_eq!(lines(&set), 2);
    }

    /// 20 letters are 23 hundredths.
    #[test]
    fn the_label_of_a_span_stands_behind_it_or_before_it() {
        let of = |from, to| {
            let label = around(LETTER, (from, to), Tone::Bad, "01234567890123456789".to_owned());
            (label.x, label.left)
        };
        assert_eq!(of(40.0, 60.0), (60.0, false));
        assert_eq!(of(40.0, 90.0), (40.0, true));
        assert_eq!(of(10.0, 90.0), (77.0, false), "it has room on neither side");
    }

    #[test]
    fn what_would_not_fit_ends_at_its_place_and_what_never_fits_begins_at_the_left() {
        let set = set(LETTER, [(90.0, Tone::Plain, "0123456789".to_owned()), (50.0, Tone::Plain, "x".repeat(90))]);
        assert!(set[0].left && set[0].extent() == (78.5, 90.0));
        assert!(!set[1].left && set[1].x == 0.0);
    }
}
