//! Times, lengths and names as the picture writes them.

use super::super::outcome::Span;
use crate::model::units::human;

const DAY: i64 = 86_400_000;

/// A length in ms.
pub(super) fn length(ms: i64) -> String {
    human::seconds(ms as f64 / 1000.0)
}

/// Times of a picture that begins at a moment.
#[derive(Clone, Copy)]
pub(super) struct Times {
    day: i64,
}

impl Times {
    pub(super) const fn from(start: i64) -> Self {
        Self { day: start.div_euclid(DAY) }
    }

    /// `12:05:30`, `12:00:37.5`, `00:00:00 +1 d`.
    pub(super) fn at(self, time: i64) -> String {
        let (day, rest) = (time.div_euclid(DAY) - self.day, time.rem_euclid(DAY));
        let (seconds, ms) = (rest / 1000, rest % 1000);
        let mut text = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
        if ms != 0 {
            text.push_str(format!(".{ms:03}").trim_end_matches('0'));
        }
        if day != 0 {
            text.push_str(&format!(" {}{} d", if day > 0 { "+" } else { "−" }, day.abs()));
        }
        text
    }

    /// A window by its bounds; `closed`: the end belongs to it.
    pub(super) fn span(self, span: Span, closed: bool) -> String {
        let short = |time: i64| {
            // Whole minutes without their seconds.
            let text = self.at(time);
            if time.rem_euclid(60_000) != 0 {
                return text;
            }
            let (clock, day) = text.split_at(8.min(text.len()));
            format!("{}{day}", clock.get(..5).unwrap_or(clock))
        };
        format!("[{}, {}{}", short(span.start), short(span.end), if closed { "]" } else { ")" })
    }
}
