//! One component in rows: the main track wrapped like a paragraph, branches under the line they leave, batch paths last.

use super::{
    CLEARANCE, GAP, Rect,
    block::Block,
    tidy::on_grid,
    tracks::{Graph, Track},
};
use crate::sorted::SortedMap;

/// Space between two rows of one line.
const ROW_GAP: f64 = 44.0;
/// Space between neighbours of different tracks in one row.
const TRACK_GAP: f64 = 40.0;

/// A row: blocks by the left edge of their core.
#[derive(Debug, Default)]
struct Row {
    line: usize,
    blocks: Vec<(usize, f64)>,
    main: bool,
}

struct Rows<'a> {
    graph: &'a Graph,
    blocks: &'a [Block],
    width: f64,
    rows: Vec<Row>,
    /// Where a block stands: its row and the left edge of its core.
    at: SortedMap<usize, (usize, f64)>,
    /// Where lines after the first begin.
    indent: f64,
}

/// The left upper corner of each block's core; the first row begins at 0, 0.
pub(super) fn rows(graph: &Graph, blocks: &[Block], tracks: &[Track], width: f64) -> SortedMap<usize, (f64, f64)> {
    let mut rows = Rows { graph, blocks, width, rows: Vec::new(), at: SortedMap::new(), indent: 0.0 };
    let (batch, streams): (Vec<&Track>, Vec<&Track>) = tracks.iter().skip(1).partition(|track| track.batch);
    if let Some(main) = tracks.first() {
        rows.indent = match main.path.as_slice() {
            [first, _, ..] => on_grid(blocks[*first].core.w + GAP - 8.0),
            _ => 0.0,
        };
        rows.paragraph(&main.path, 0, true);
    }
    for track in streams {
        rows.branch(track);
    }
    for track in batch {
        let line = rows.last_line() + 1;
        rows.paragraph(&track.path, line, false);
    }
    rows.stacked()
}

impl Rows<'_> {
    fn last_line(&self) -> usize {
        self.rows.iter().map(|row| row.line).max().unwrap_or(0)
    }

    fn put(&mut self, row: usize, block: usize, x: f64) {
        self.rows[row].blocks.push((block, x));
        self.at.insert(block, (row, x));
    }

    /// A track in lines of its own: it breaks when the line is full, before a channel that a job writes where there is
    /// one.
    fn paragraph(&mut self, path: &[usize], first_line: usize, main: bool) {
        let mut rest = path;
        let mut line = first_line;
        while !rest.is_empty() {
            let mut x = if line == 0 { 0.0 } else { self.indent };
            let mut spots: Vec<f64> = Vec::new();
            for block in rest {
                x = x.max(self.aligned(*block));
                if !spots.is_empty() && x + self.blocks[*block].core.w > self.width {
                    break;
                }
                spots.push(x);
                x = on_grid(x + self.blocks[*block].core.w + GAP);
            }
            let mut count = spots.len().max(1).min(rest.len());
            if count < rest.len() {
                let good = |n: &usize| self.blocks[rest[*n - 1]].job && self.blocks[rest[*n]].channel;
                count = (1..=count).rev().find(good).unwrap_or(count);
            }
            let (now, later) = rest.split_at(count);
            self.rows.push(Row { line, blocks: Vec::new(), main });
            let row = self.rows.len() - 1;
            for (block, x) in now.iter().zip(spots) {
                self.put(row, *block, x);
            }
            rest = later;
            line += 1;
        }
    }

    /// A sink that is compared stands under the other one.
    fn aligned(&self, block: usize) -> f64 {
        let compared = self.graph.compared[block].iter().filter_map(|other| self.at.get(other));
        compared.map(|(_, x)| *x).fold(f64::NEG_INFINITY, f64::max)
    }

    /// A track that leaves or feeds an earlier one: in a row under that line, where it fits.
    fn branch(&mut self, track: &Track) {
        let widths = track.path.iter().map(|block| self.blocks[*block].core.w);
        let length = widths.sum::<f64>() + GAP * track.path.len().saturating_sub(1) as f64;
        let anchor = |block: Option<usize>| Some((block?, *self.at.get(&block?)?));
        let (line, start) = match (anchor(track.parent), anchor(track.joins)) {
            (Some((parent, (row, x))), _) => (self.rows[row].line, x + self.blocks[parent].core.w + GAP),
            (None, Some((_, (row, x)))) => (self.rows[row].line, (x - GAP - length).max(0.0)),
            (None, None) => (self.last_line(), 0.0),
        };
        if start + length > self.width && length > self.width - self.indent {
            let line = self.last_line() + 1;
            return self.paragraph(&track.path, line, false);
        }
        let start = on_grid(start.min((self.width - length).max(0.0)));
        let taken = |row: &Row| {
            row.blocks.iter().any(|(block, x)| {
                let outer = self.blocks[*block].outer;
                let (left, right) = (x + outer.x, x + outer.right());
                left < start + length + TRACK_GAP && start - TRACK_GAP < right
            })
        };
        let row = self.rows.iter().position(|row| row.line == line && !row.main && !taken(row)).unwrap_or_else(|| {
            let after = self.rows.iter().rposition(|row| row.line == line).map_or(self.rows.len(), |at| at + 1);
            self.rows.insert(after, Row { line, ..Row::default() });
            self.at.values_mut().filter(|(row, _)| *row >= after).for_each(|(row, _)| *row += 1);
            after
        });
        let mut x = start;
        for block in &track.path {
            self.put(row, *block, x);
            x = on_grid(x + self.blocks[*block].core.w + GAP);
        }
    }

    /// Rows one under the other, each on its centre line, with a gutter between lines where a return link runs.
    fn stacked(&self) -> SortedMap<usize, (f64, f64)> {
        let mut corners = SortedMap::new();
        let mut bottom: Option<f64> = None;
        let mut line = 0;
        for row in &self.rows {
            // Above and below the centre line, frames and side channels included.
            let above = |block: &Block| block.core.h / 2.0 - block.outer.y;
            let below = |block: &Block| block.outer.bottom() - block.core.h / 2.0;
            let most = |of: &dyn Fn(&Block) -> f64| {
                row.blocks.iter().map(|(block, _)| of(&self.blocks[*block])).fold(0.0, f64::max)
            };
            let gap = if row.main && row.line > line { 2.0 * CLEARANCE + 8.0 } else { ROW_GAP };
            let axis = on_grid(bottom.map_or(0.0, |bottom| bottom + gap) + most(&above));
            for (block, x) in &row.blocks {
                corners.insert(*block, (*x, axis - self.blocks[*block].core.h / 2.0));
            }
            bottom = Some(axis + most(&below));
            line = row.line;
        }
        corners
    }
}

/// The box around a component.
pub(super) fn bounds(blocks: &[Block], corners: &SortedMap<usize, (f64, f64)>) -> Rect {
    let outer = corners.iter().map(|(block, (x, y))| blocks[*block].outer.plus(*x, *y));
    Rect::around(outer).unwrap_or_default()
}
