//! The cheapest of a few ways: short, with few corners, through nothing, not along another link.

use super::ports::{Anchors, Side};
use crate::layout::{CLEARANCE, Point, Rect};
use crate::sorted;

/// A way leaves an element or frame at least this far before it turns.
const STUB: f64 = 14.0;
/// What a corner costs.
const CORNER: f64 = 12.0;
/// What a unit of length costs.
const LENGTH: f64 = 0.12;
/// What stands further from a straight link than this has no say in its way.
pub(super) const STRAIGHT: f64 = 9.0;

pub(super) struct Search {
    pub ends: Anchors,
    pub from: Rect,
    pub to: Rect,
    /// The frame around the first element, else the element.
    pub from_outer: Rect,
    /// The frame around the last element, else the element.
    pub to_outer: Rect,
    pub elements: Vec<Rect>,
    /// Frames of jobs that neither end belongs to.
    pub frames: Vec<Rect>,
    /// Stretches of other links.
    pub used: Vec<Stretch>,
    /// How many comparisons the search may take, about; what is best until then is taken.
    pub allowance: usize,
}

impl Search {
    /// The points of the best way, and whether that is straight from end to end with nothing near.
    pub(super) fn best(&self) -> (Vec<Point>, bool) {
        let (s, e) = (self.ends.start, self.ends.end);
        let level = self.ends.out == Side::Right && self.ends.into == Side::Left && (s.y - e.y).abs() < 0.5;
        if level && e.x > s.x && self.cost(&[s, e], 0.0, f64::INFINITY) < 10.0 + (e.x - s.x) {
            return (vec![s, e], true);
        }
        let candidates = match (self.ends.out, self.ends.into) {
            (Side::Right, _) => self.ahead().into_iter().chain(self.folds()).chain(self.turns()).collect::<Vec<_>>(),
            (Side::Bottom | Side::Top, Side::Top | Side::Bottom) => self.upright(),
            _ => self.out_below(),
        };
        (self.cheapest(candidates).unwrap_or_else(|| vec![s, e]), false)
    }

    /// The cheapest of these ways, the first of equal ones. Tried from the shortest on, so that in a tangle of a
    /// thousand elements most of them are lost before they are held against everything that stands around.
    fn cheapest(&self, mut ways: Vec<(Vec<Point>, f64)>) -> Option<Vec<Point>> {
        let mut order: Vec<(f64, usize)> =
            ways.iter().enumerate().map(|(at, (points, extra))| (least(points, *extra), at)).collect();
        sorted::sort_by(&mut order, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut best: Option<(f64, usize)> = None;
        let around = self.elements.len() + self.frames.len() + self.used.len();
        let mut left = self.allowance;
        for (least, at) in order {
            let most = best.map_or(f64::INFINITY, |(cost, _)| cost);
            // Summed in another order the same cost differs in its last digits.
            if least > most + 1e-6 || (left == 0 && best.is_some()) {
                break;
            }
            let Some((points, extra)) = ways.get(at) else { continue };
            left = left.saturating_sub(around * points.len());
            let cost = self.cost(points, *extra, most);
            if best.is_none_or(|(most, first)| cost < most || (cost == most && at < first)) {
                best = Some((cost, at));
            }
        }
        best.map(|(_, at)| ways.swap_remove(at).0)
    }

    /// Right, up or down, right again.
    fn ahead(&self) -> Vec<(Vec<Point>, f64)> {
        let (s, e) = (self.ends.start, self.ends.end);
        if e.x - s.x < 16.0 {
            return Vec::new();
        }
        let (first, last) = (self.from_outer.right() + STUB, self.to_outer.x - STUB);
        let middle = (s.x + e.x) / 2.0;
        let turns = [middle, first, last, first + 10.0, last - 10.0];
        let early = self.blocked(s, Point::new(first, s.y)).then_some(s.x + STUB);
        let late = self.blocked(Point::new(last, e.y), e).then_some(e.x - STUB);
        let inside = turns.into_iter().chain(early).chain(late).filter(|x| *x > s.x + 4.0 && *x < e.x - 4.0);
        inside.map(|x| (vec![s, Point::new(x, s.y), Point::new(x, e.y), e], 0.0)).collect()
    }

    /// Right, into a gutter, along it, and back to the left side of the target. Out of a frame, and into one, it runs past
    /// what else stands in it where that is in the way.
    fn folds(&self) -> Vec<(Vec<Point>, f64)> {
        let (s, e) = (self.ends.start, self.ends.end);
        let out = self.from_outer.right().max(s.x) + STUB;
        let back = self.to_outer.x.min(e.x) - CLEARANCE - 2.0;
        let mut found = self.folds_between(out, back);
        let early = self.blocked(s, Point::new(out, s.y)).then_some(s.x + STUB);
        let late = self.blocked(Point::new(back, e.y), e).then_some(e.x - STUB);
        if early.or(late).is_some() {
            found.extend(self.folds_between(early.unwrap_or(out), late.unwrap_or(back)));
        }
        found
    }

    fn folds_between(&self, out: f64, back: f64) -> Vec<(Vec<Point>, f64)> {
        let (s, e) = (self.ends.start, self.ends.end);
        let mut found = Vec::new();
        for (gutter, extra) in self.gutters(out.min(back), out.max(back)) {
            for shift in [0.0, -10.0, 10.0, 20.0] {
                let (x, y) = (out + f64::abs(shift), gutter + shift);
                let way = vec![
                    s,
                    Point::new(x, s.y),
                    Point::new(x, y),
                    Point::new(back - f64::abs(shift), y),
                    Point::new(back - f64::abs(shift), e.y),
                    e,
                ];
                found.push((way, extra + f64::abs(shift) * 0.2));
            }
        }
        found
    }

    /// Does anything but the ends stand in the way from `a` to `b`?
    fn blocked(&self, a: Point, b: Point) -> bool {
        self.elements.iter().any(|r| *r != self.from && *r != self.to && r.grown(-1.0).crossed_by(a, b))
    }

    /// Out below or above the first element, then level to the target.
    fn turns(&self) -> Vec<(Vec<Point>, f64)> {
        let e = self.ends.end;
        let x = self.from.centre().x;
        let mut found = Vec::new();
        if e.x > x + 24.0 {
            if e.y > self.from.bottom() + 16.0 {
                // Far below, this is the way that a path into another row takes.
                let extra = if e.y > self.from.bottom() + 90.0 { -16.0 } else { 30.0 };
                found.push((vec![Point::new(x, self.from.bottom()), Point::new(x, e.y), e], extra));
            }
            if e.y < self.from.y - 16.0 {
                found.push((vec![Point::new(x, self.from.y), Point::new(x, e.y), e], 40.0));
            }
        }
        found
    }

    /// From below to above, or the other way round.
    fn upright(&self) -> Vec<(Vec<Point>, f64)> {
        let (s, e) = (self.ends.start, self.ends.end);
        if (s.x - e.x).abs() < 0.5 {
            return vec![(vec![s, e], 0.0)];
        }
        let (low, high) = if e.y > s.y {
            (self.from_outer.bottom().min(e.y - 8.0).max(s.y), e.y)
        } else {
            (e.y, self.from_outer.y.max(e.y + 8.0).min(s.y))
        };
        let middle = [(low + high) / 2.0, low + 12.0, high - 12.0];
        let mut found: Vec<(Vec<Point>, f64)> =
            middle.into_iter().map(|y| (vec![s, Point::new(s.x, y), Point::new(e.x, y), e], 0.0)).collect();
        // Down and in from the left, where the target begins further right.
        if self.ends.out == Side::Bottom && self.to.x > s.x + 20.0 {
            let side = Point::new(self.to.x, self.to.centre().y);
            found.push((vec![s, Point::new(s.x, side.y), side], 4.0));
        }
        found
    }

    /// Out below, then to the left side of a target that is not below.
    fn out_below(&self) -> Vec<(Vec<Point>, f64)> {
        let (s, e) = (self.ends.start, self.ends.end);
        let down = self.from_outer.bottom().max(s.y) + STUB;
        let back = self.to_outer.x.min(e.x) - STUB;
        let mut found = vec![(vec![s, Point::new(s.x, down), Point::new(back, down), Point::new(back, e.y), e], 0.0)];
        for (gutter, extra) in self.gutters(s.x.min(back), s.x.max(back)) {
            if gutter > s.y + 8.0 {
                let way = vec![s, Point::new(s.x, gutter), Point::new(back, gutter), Point::new(back, e.y), e];
                found.push((way, extra));
            }
        }
        found
    }

    /// Level lines between `left` and `right` that nothing stands on, with what they cost for being narrow.
    fn gutters(&self, left: f64, right: f64) -> Vec<(f64, f64)> {
        let own = [self.from_outer, self.to_outer];
        let mut bands: Vec<(f64, f64)> = self
            .elements
            .iter()
            .chain(&self.frames)
            .chain(&own)
            .filter(|r| r.x < right && r.right() > left)
            .map(|r| (r.y, r.bottom()))
            .collect();
        sorted::sort_by(&mut bands, |a, b| a.0.total_cmp(&b.0));
        let Some((top, mut reached)) = bands.first().copied() else {
            return vec![((self.ends.start.y + self.ends.end.y) / 2.0, 0.0)];
        };
        let mut gutters = vec![(top - CLEARANCE - 4.0, 0.0)];
        for (top, bottom) in bands {
            let free = top - reached;
            if free >= 12.0 {
                gutters.push((reached + free / 2.0, (2.0 * CLEARANCE - free).max(0.0)));
            }
            reached = reached.max(bottom);
        }
        gutters.push((reached + CLEARANCE + 4.0, 0.0));
        gutters
    }

    /// What a way costs; counting stops above `most`.
    fn cost(&self, points: &[Point], extra: f64, most: f64) -> f64 {
        let mut cost = extra + CORNER * points.len().saturating_sub(2) as f64;
        let last = points.len().saturating_sub(2);
        for (at, pair) in points.windows(2).enumerate() {
            let (a, b) = (pair[0], pair[1]);
            cost += LENGTH * a.distance(b);
            for rect in &self.elements {
                // The ends touch their own elements, a sink also in its notch.
                let ends = (at == 0 && *rect == self.from) || (at == last && *rect == self.to);
                if rect.grown(-1.0).crossed_by(a, b) && !ends {
                    cost += 600.0;
                } else if rect.grown(8.0).crossed_by(a, b) && *rect != self.from && *rect != self.to {
                    cost += 25.0;
                }
                if cost > most {
                    return cost;
                }
            }
            cost += 150.0 * self.frames.iter().filter(|frame| frame.crossed_by(a, b)).count() as f64;
            if cost > most {
                return cost;
            }
            let own = Stretch::new(a, b);
            cost += self.used.iter().map(|other| other.shared(own)).sum::<f64>();
        }
        cost
    }
}

/// What a way costs where nothing stands around.
fn least(points: &[Point], extra: f64) -> f64 {
    let length: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    extra + CORNER * points.len().saturating_sub(2) as f64 + LENGTH * length
}

/// A level or upright stretch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    level: bool,
    /// Where it lies across its direction.
    across: f64,
    /// Its ends along its direction, the lesser first.
    along: (f64, f64),
}

impl Stretch {
    pub(super) fn new(a: Point, b: Point) -> Self {
        let level = (a.y - b.y).abs() < 0.5;
        let (across, from, to) = if level { (a.y, a.x, b.x) } else { (a.x, a.y, b.y) };
        Self { level, across, along: (from.min(to), from.max(to)) }
    }

    /// How much two of them lie on each other or nearly so.
    fn shared(&self, other: Self) -> f64 {
        if self.level != other.level || (self.across - other.across).abs() >= 7.0 {
            return 0.0;
        }
        (self.along.1.min(other.along.1) - self.along.0.max(other.along.0)).max(0.0) * 0.5
    }
}
