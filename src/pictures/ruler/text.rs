//! The ruler in letters, for documents and for copying.

use super::{Kind, Picture, Row, Span};
use crate::model::shortened;

/// Letters across.
const WIDTH: usize = 60;
/// What stands before it.
const LABEL: usize = 19;

fn column(x: f64) -> usize {
    (x.clamp(0.0, 100.0) / 100.0 * (WIDTH - 1) as f64).round() as usize
}

const fn letter(kind: Kind) -> char {
    match kind {
        Kind::Least => '#',
        Kind::Proposed => '+',
        Kind::Typical => '/',
        Kind::NotReached => '.',
        Kind::Most => '-',
        Kind::Short => '!',
    }
}

impl Picture {
    /// The ruler in letters: the axis, one row a log with its words below it, and a legend.
    #[must_use]
    pub fn text(&self) -> String {
        let mut lines = vec![self.axis()];
        if let Some(need) = &self.need {
            lines.push(put(&[(column(need.x), format!("v {}", need.text))]));
        }
        for row in &self.rows {
            lines.extend(self.row(row));
        }
        if self.more > 0 {
            lines.push(format!("and {} more", self.more));
        }
        lines.push(String::new());
        lines.push("# at least   + at least, proposed   / typical, mean partition   - at most".to_owned());
        lines.push(". the limit that is not reached   ! missing to what is needed   v needed".to_owned());
        lines.push("Ages on a logarithmic scale, now at the right.".to_owned());
        lines.join("\n")
    }

    fn axis(&self) -> String {
        let ticks = self.ticks.iter().map(|tick| (tick.at, tick.text.as_str())).chain([(self.now, "now")]);
        let mut places: Vec<(usize, String)> = Vec::new();
        for (at, text) in ticks {
            let start = column(at).saturating_sub(text.chars().count() / 2);
            let free = places.last().is_none_or(|(before, word)| before + word.chars().count() < start);
            if free {
                places.push((start, text.to_owned()));
            }
        }
        put(&places)
    }

    fn row(&self, row: &Row) -> Vec<String> {
        let mut bar = vec![' '; WIDTH];
        // What counts is drawn last.
        let order = [Kind::NotReached, Kind::Most, Kind::Typical, Kind::Least, Kind::Proposed];
        for kind in order {
            row.spans.iter().filter(|span| span.kind == kind).for_each(|span| fill(&mut bar, span));
        }
        let name = shortened(&row.name, LABEL - 1);
        let drawn: String = bar.into_iter().collect();
        let mut lines = vec![format!("{name:<LABEL$}{drawn}").trim_end().to_owned()];
        for span in row.spans.iter().filter(|span| span.kind == Kind::Short) {
            let mut missing = vec![' '; WIDTH];
            fill(&mut missing, span);
            let drawn: String = missing.into_iter().collect();
            let words = row.short.as_ref().map_or("", |label| label.text.as_str());
            lines.push(format!("{:LABEL$}{}  {words}", "", drawn.trim_end()).trim_end().to_owned());
        }
        lines.extend(row.labels.iter().map(|label| format!("{:LABEL$}{}", "", label.text)));
        lines
    }
}

fn fill(line: &mut [char], span: &Span) {
    for at in column(span.from)..column(span.to).max(column(span.from) + 1) {
        if let Some(place) = line.get_mut(at) {
            *place = letter(span.kind);
        }
    }
}

fn put(places: &[(usize, String)]) -> String {
    let mut line = String::new();
    for (at, text) in places {
        let gap = (LABEL + at).saturating_sub(line.chars().count());
        line.push_str(&" ".repeat(gap));
        line.push_str(text);
    }
    line.trim_end().to_owned()
}
