//! Blocks: what tidy moves as one. A block is a job with its operators and the side channels under it, or one element.

use super::{FRAME_HEADER, FRAME_PADDING, GAP, Rect, size::Sizes};
use crate::model::{Design, ElementKind, Id, Subject};
use crate::sorted::{self, SortedMap, SortedSet};

/// Space between operators that stand one under the other, and under a frame to its side channels.
const STACK_GAP: f64 = 36.0;

/// One block; all boxes are relative to the upper left corner of its core.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// Members with their boxes, the job's frame included.
    pub members: Vec<(Id, Rect)>,
    /// The box around its elements without frame and side channels: what gaps and the centre line are measured from.
    pub core: Rect,
    /// The box around everything.
    pub outer: Rect,
    /// Is it a job, after which a row may break?
    pub job: bool,
    /// Is it a channel?
    pub channel: bool,
    /// Is it a batch path?
    pub batch: bool,
}

/// The blocks of everything that is not fixed, in id order, and which block each member is in.
pub(super) fn blocks(design: &Design, fixed: &SortedMap<Id, Rect>) -> (Vec<Block>, SortedMap<Id, usize>) {
    let sizes = Sizes::new(design);
    let held: SortedSet<&Id> = fixed.keys().flat_map(|id| [Some(id), design.job_of(id)]).flatten().collect();
    let mut operators: SortedMap<&Id, Vec<Id>> = SortedMap::new();
    for id in design.elements.keys() {
        if let Some(job) = design.job_of(id) {
            operators.entry(job).or_default().push(id.clone());
        }
    }
    let mut writers: SortedMap<&Id, Vec<&Id>> = SortedMap::new();
    for link in design.links.values().filter_map(Subject::as_link) {
        writers.entry(&link.to).or_default().push(&link.from);
    }
    let mut hung: SortedMap<&Id, Vec<(&Id, &Id)>> = SortedMap::new();
    let mut is_hung: SortedSet<&Id> = SortedSet::new();
    for id in sizes.side_channels().filter(|id| !fixed.contains_key(*id)) {
        let mut jobs = writers.get(id).into_iter().flatten().map(|from| (design.job_of(from), *from));
        if let Some((Some(job), port)) = jobs.next()
            && jobs.all(|(other, _)| other == Some(job))
            && !held.contains(job)
            && design.elements.contains_key(job)
        {
            hung.entry(job).or_default().push((port, id));
            is_hung.insert(id);
        }
    }
    let (mut blocks, mut of) = (Vec::new(), SortedMap::new());
    for (id, subject) in &design.elements {
        let kind = subject.kind();
        let in_job = design.job_of(id).is_some_and(|job| design.elements.contains_key(job));
        if fixed.contains_key(id) || in_job || is_hung.contains(id) {
            continue;
        }
        let block = match kind {
            Some(ElementKind::Job) if held.contains(id) => continue,
            Some(ElementKind::Job) => {
                let of = operators.get(id).map_or(&[][..], Vec::as_slice);
                job_block(design, &sizes, id, of, hung.get(id).map_or(&[], Vec::as_slice))
            }
            _ => {
                let (w, h) = sizes.of(id);
                let core = Rect::new(0.0, 0.0, w, h);
                Block {
                    members: vec![(id.clone(), core)],
                    core,
                    outer: core,
                    channel: kind == Some(ElementKind::Channel),
                    batch: kind == Some(ElementKind::Batch),
                    ..Block::default()
                }
            }
        };
        for (member, _) in &block.members {
            of.insert(member.clone(), blocks.len());
        }
        blocks.push(block);
    }
    (blocks, of)
}

/// A job: operators in columns by their depth within the job, the frame around them, side channels under it.
fn job_block(design: &Design, sizes: &Sizes<'_>, job: &Id, operators: &[Id], hung: &[(&Id, &Id)]) -> Block {
    let mut members = operator_columns(design, sizes, operators);
    let core = Rect::around(members.iter().map(|(_, rect)| *rect)).unwrap_or_else(|| {
        let (w, h) = sizes.of(job);
        Rect::new(0.0, 0.0, w - 2.0 * FRAME_PADDING, h - 2.0 * FRAME_PADDING - FRAME_HEADER)
    });
    let frame = super::frame_around(core);
    let mut ports: Vec<(f64, &Id)> = hung
        .iter()
        .map(|(port, channel)| {
            let at = members.iter().find(|(id, _)| id == *port).map_or(0.0, |(_, rect)| rect.x);
            (at, *channel)
        })
        .collect();
    sorted::sort_by(&mut ports, |a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(b.1)));
    let mut free = f64::NEG_INFINITY;
    for (at, channel) in ports {
        let (w, h) = sizes.of(channel);
        let x = at.max(free);
        members.push((channel.clone(), Rect::new(x, frame.bottom() + STACK_GAP, w, h)));
        free = super::tidy::on_grid(x + w + 2.0 * FRAME_PADDING);
    }
    members.push((job.clone(), frame));
    let outer = Rect::around(members.iter().map(|(_, rect)| *rect)).unwrap_or(frame);
    Block { members, core, outer, job: true, ..Block::default() }
}

/// Operators left to right by depth, those of one depth one under the other, each column centred.
pub(super) fn operator_columns(design: &Design, sizes: &Sizes<'_>, operators: &[Id]) -> Vec<(Id, Rect)> {
    let index: SortedMap<&Id, usize> = operators.iter().enumerate().map(|(i, id)| (id, i)).collect();
    let flows: Vec<(usize, usize)> = design
        .links
        .values()
        .filter_map(Subject::as_link)
        .filter_map(|link| Some((*index.get(&link.from)?, *index.get(&link.to)?)))
        .filter(|(a, b)| a != b)
        .collect();
    let mut depth = vec![0_usize; operators.len()];
    // Longest path by rounds; a cycle stops growing after as many rounds as there are operators.
    for _ in 0..operators.len() {
        let mut still = true;
        for (a, b) in &flows {
            if depth[*b] <= depth[*a] && depth[*a] + 1 < operators.len() {
                depth[*b] = depth[*a] + 1;
                still = false;
            }
        }
        if still {
            break;
        }
    }
    let mut columns: SortedMap<usize, Vec<&Id>> = SortedMap::new();
    for (id, depth) in operators.iter().zip(&depth) {
        columns.entry(*depth).or_default().push(id);
    }
    let height = |n: usize, h: f64| n as f64 * h + n.saturating_sub(1) as f64 * STACK_GAP;
    let (_, h) = operators.first().map_or((0.0, 0.0), |id| sizes.of(id));
    let tallest = columns.values().map(|column| height(column.len(), h)).fold(0.0, f64::max);
    let (mut x, mut placed) = (0.0, Vec::new());
    for column in columns.values() {
        let mut y = ((tallest - height(column.len(), h)) / 2.0).floor();
        let mut widest: f64 = 0.0;
        for id in column {
            let (w, h) = sizes.of(id);
            placed.push(((*id).clone(), Rect::new(x, y, w, h)));
            y += h + STACK_GAP;
            widest = widest.max(w);
        }
        x = super::tidy::on_grid(x + widest + GAP);
    }
    placed
}
