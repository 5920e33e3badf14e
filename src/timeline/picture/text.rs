//! The picture in letters, for documents and for copying.

use super::{Bar, Mark, Picture, Record, Vertical};

/// Letters across.
const WIDTH: usize = 60;
/// What stands before it.
const LABEL: usize = 15;

fn column(x: f64) -> usize {
    // Within 0 and WIDTH − 1, whatever x is.
    (x.clamp(0.0, 100.0) / 100.0 * (WIDTH - 1) as f64).round() as usize
}

/// A line of the width of the picture.
struct Line(Vec<char>);

impl Line {
    fn new() -> Self {
        Self(vec![' '; WIDTH])
    }

    fn put(&mut self, at: usize, letter: char) {
        if let Some(place) = self.0.get_mut(at) {
            *place = letter;
        }
    }

    fn fill(&mut self, from: f64, to: f64, letter: char) {
        (column(from)..column(to)).for_each(|at| self.put(at, letter));
    }

    fn after(self, label: &str, behind: &str) -> String {
        let line: String = self.0.into_iter().collect();
        format!("{label:<LABEL$}{line}  {behind}").trim_end().to_owned()
    }
}

const fn letter(mark: Mark) -> char {
    match mark {
        Mark::InTime | Mark::OutOfOrder => '*',
        Mark::LateCounted => 'o',
        Mark::SideOutput | Mark::Dropped => 'x',
        Mark::Gone => '?',
    }
}

impl Picture {
    /// The picture in letters: the windows, the records one a line, what follows at the right, and a legend.
    #[must_use]
    pub fn text(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        lines.extend(self.verticals.iter().map(moment));
        lines.extend(self.bars.iter().map(bar));
        if self.more > 0 {
            lines.push(format!("{:LABEL$}and {} more windows that hold these records", "", self.more));
        }
        for (at, record) in self.records.iter().enumerate() {
            lines.push(self.row(at, record));
            lines.extend(record.then.iter().map(|(_, words)| format!("{:1$}  > {words}", "", LABEL + WIDTH)));
        }
        lines.push(String::new());
        lines.push("= open   / waits for the watermark   - still updated".to_owned());
        lines.push("* in time   o late, still counted   x too late   ? gone, counted nowhere".to_owned());
        lines.push(format!("! {} behind the record   | first result, end", self.watermark_name));
        if !self.to_scale {
            lines.push("Short stretches are drawn out: the axis is not to scale.".to_owned());
        }
        lines.join("\n")
    }

    fn row(&self, at: usize, record: &Record) -> String {
        let mut line = Line::new();
        self.verticals.iter().for_each(|vertical| line.put(column(vertical.x), '|'));
        if let Some((x, _)) = &record.watermark {
            line.put(column(*x), '!');
        }
        line.put(column(record.x), letter(record.mark));
        let partition = record.partition.map(|p| format!(" p{p}")).unwrap_or_default();
        line.after(&format!("{} {}{partition}", at + 1, record.time), &record.fate)
    }
}

/// A moment with its words, at the right of its line where they fit, else at the left.
fn moment(vertical: &Vertical) -> String {
    let at = LABEL + column(vertical.x);
    match vertical.text.chars().count() + 2 + at <= LABEL + WIDTH {
        true => format!("{:at$}| {}", "", vertical.text),
        false => format!("{:>1$} |", vertical.text, at.saturating_sub(1)),
    }
}

fn bar(bar: &Bar) -> String {
    let mut line = Line::new();
    let first = bar.first.unwrap_or(bar.to);
    line.fill(first, bar.until.unwrap_or(100.0), if bar.lateness.is_empty() { ' ' } else { '-' });
    line.fill(bar.to, first, '/');
    line.fill(bar.from, bar.to, '=');
    if let Some(until) = bar.until {
        line.put(column(until), '|');
    }
    line.after(&bar.name, "")
}
