//! Where a popover goes: beside the number that it explains, whole in the window, off what must stay in sight.

use super::{Point, Rect};

/// Between a popover and what it explains, and the edge of the window, in pixels.
const GAP: f64 = 12.0;

/// The corner of a popover of `width` and `height` beside `anchor` in a window of `within`: right, left, below or above
/// of it, the first that fits and covers none of `taken`; else where it covers least of them. Never off the window while
/// the window is large enough.
#[must_use]
pub fn beside(anchor: Rect, (width, height): (f64, f64), within: (f64, f64), taken: &[Rect]) -> Point {
    let keep = |x: f64, y: f64| {
        let limit = |at: f64, size: f64, room: f64| at.min(room - size - GAP).max(GAP);
        Rect { x: limit(x, width, within.0), y: limit(y, height, within.1), w: width, h: height }
    };
    let tries = [
        keep(anchor.x + anchor.w + 3.0 * GAP, anchor.y - 2.0 * GAP),
        keep(anchor.x - width - 3.0 * GAP, anchor.y - 2.0 * GAP),
        keep(anchor.x, anchor.y + anchor.h + GAP),
        keep(anchor.x, anchor.y - height - GAP),
        keep(within.0, anchor.y),
        keep(0.0, anchor.y),
    ];
    let covered = |one: &Rect| {
        // Hiding the number itself is worse than lying over another popover.
        let others: f64 = taken.iter().map(|other| shared(one, other)).sum();
        100.0 * shared(one, &anchor) + others
    };
    let best = tries.iter().min_by(|a, b| covered(a).total_cmp(&covered(b)));
    best.map_or_else(|| Point::new(GAP, GAP), |rect| Point::new(rect.x, rect.y))
}

/// The area that two boxes share.
fn shared(a: &Rect, b: &Rect) -> f64 {
    let along = |a: f64, a_size: f64, b: f64, b_size: f64| ((a + a_size).min(b + b_size) - a.max(b)).max(0.0);
    along(a.x, a.w, b.x, b.w) * along(a.y, a.h, b.y, b.h)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, y: f64) -> Rect {
        Rect { x, y, w: 80.0, h: 20.0 }
    }

    #[test]
    fn it_stands_to_the_right_of_the_number_where_there_is_room() {
        assert_eq!(beside(at(100.0, 200.0), (600.0, 300.0), (1440.0, 900.0), &[]), Point::new(216.0, 176.0));
    }

    #[test]
    fn near_the_right_edge_it_goes_to_the_left() {
        assert_eq!(beside(at(1300.0, 200.0), (600.0, 300.0), (1440.0, 900.0), &[]), Point::new(664.0, 176.0));
    }

    #[test]
    fn where_neither_side_has_room_it_goes_below_or_above() {
        assert_eq!(beside(at(500.0, 100.0), (700.0, 300.0), (1024.0, 600.0), &[]), Point::new(312.0, 132.0));
        assert_eq!(beside(at(500.0, 500.0), (700.0, 300.0), (1024.0, 600.0), &[]), Point::new(312.0, 188.0));
    }

    #[test]
    fn a_second_one_leaves_the_first_in_sight() {
        let first = Rect { x: 216.0, y: 176.0, w: 480.0, h: 300.0 };
        let second = beside(at(100.0, 200.0), (480.0, 300.0), (1440.0, 900.0), &[first]);
        assert_eq!(shared(&Rect { x: second.x, y: second.y, w: 480.0, h: 300.0 }, &first), 0.0);
    }

    #[test]
    fn it_is_never_off_a_small_window() {
        for x in [0.0, 300.0, 900.0, 1020.0] {
            for y in [0.0, 250.0, 590.0] {
                let Point { x, y } = beside(at(x, y), (480.0, 560.0), (1024.0, 600.0), &[]);
                assert!(x >= 12.0 && y >= 12.0 && x + 480.0 <= 1012.0 && y + 560.0 <= 588.0, "{x} {y}");
            }
        }
    }
}
