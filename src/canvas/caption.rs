//! Where the words under a link stand: in the free room beside or below it, never on an element; and what of them stays
//! where the room is small.

use super::{Point, Rect, Scene};
use crate::{
    layout::Spot,
    model::{Design, ElementKind},
    sorted,
};

/// Height of one line.
pub const LINE: f64 = 13.0;
/// No room narrower than this is written in.
const NARROWEST: f64 = 40.0;
/// No caption is wider than this on a short stretch.
const WIDEST: f64 = 112.0;
/// Words keep this far from an element.
const MARGIN: f64 = 3.0;
/// How wide a letter is, on average.
const LETTER: f64 = 5.4;
/// No words reach further to the left or right of their spot.
const REACH: f64 = 360.0;

/// The room for the words of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// The middle of the upper edge of the words.
    pub at: Point,
    /// How wide they may be.
    pub width: f64,
    /// How many lines there may be.
    pub lines: usize,
}

/// What words may not stand on. Hundreds of words look at what is near them whenever something was moved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Obstacles {
    /// Elements, by their left edges.
    boxes: Vec<Rect>,
    /// Frames of jobs: few, and as wide as they like.
    frames: Vec<Rect>,
    /// The width of the widest element.
    widest: f64,
}

impl Obstacles {
    /// Of a drawing.
    #[must_use]
    pub fn of(design: &Design, scene: &Scene) -> Self {
        let mut all = Self::default();
        for (id, rect) in scene {
            match design.kind(id) {
                Some(ElementKind::Job) => all.frames.push(*rect),
                _ => all.boxes.push(*rect),
            }
        }
        sorted::sort_by(&mut all.boxes, |a, b| a.x.total_cmp(&b.x));
        all.widest = all.boxes.iter().map(|r| r.w).fold(0.0, f64::max);
        all
    }

    /// What reaches into a column around a spot. A frame around the spot is the ground that is written on; another one
    /// stands in the way.
    fn near(&self, spot: Point) -> Vec<Rect> {
        let column = (spot.x - REACH, spot.x + REACH);
        let from = self.boxes.partition_point(|r| r.x <= column.0 - self.widest);
        let boxes = self.boxes[from..].iter().take_while(|r| r.x < column.1);
        let frames = self.frames.iter().filter(|r| r.x < column.1 && !r.contains(spot));
        boxes.chain(frames).filter(|r| r.right() > column.0).copied().collect()
    }
}

/// The room for words that take this many lines on a narrow place, or nothing where they would stand on an element.
/// `flagged`: a flag takes the place above, so that the badge stands below.
#[must_use]
pub fn room(around: &Obstacles, spot: Spot, flagged: bool, lines: usize) -> Option<Room> {
    let near = around.near(spot.at);
    let obstacles = || near.iter().copied();
    if spot.length > 300.0 && !spot.vertical {
        return long(spot, &obstacles);
    }
    let below = match (spot.vertical, flagged) {
        (true, _) => 14.0,
        (false, true) => 50.0,
        (false, false) => 7.0,
    };
    let most = if spot.vertical { 62.0 } else { WIDEST };
    let fits = |y: f64, lines: usize| {
        let zone = Rect::new(spot.at.x - most / 2.0, y, most, LINE * lines as f64);
        free(zone, spot.at.x, &obstacles, lines)
    };
    let first = spot.at.y + below;
    // Under the neighbours, where the gap between them is too narrow.
    let ends = obstacles().filter(|r| r.y < first && first < r.bottom() && (r.centre().x - spot.at.x).abs() < 260.0);
    let under = ends.map(|r| r.bottom() + 12.0).fold(first, f64::max);
    let tries = [(first, lines), (first, 2), (under, lines), (under, 2), (first, 1), (under, 1)];
    tries.into_iter().filter(|(_, n)| *n <= lines).find_map(|(y, n)| fits(y, n))
}

/// Beside the badge on a long stretch, on the side where there is more of it.
fn long<I: Iterator<Item = Rect>>(spot: Spot, obstacles: &impl Fn() -> I) -> Option<Room> {
    const BADGE: f64 = 40.0;
    let side = (spot.length * spot.share.max(1.0 - spot.share) - 14.0).max(0.0);
    let shift = (BADGE + (side - BADGE) / 2.0).min(190.0);
    let x = if spot.forward == (spot.share >= 0.5) { spot.at.x - shift } else { spot.at.x + shift };
    let most = 2.0 * (shift - BADGE).min(side - shift);
    free(Rect::new(x - most / 2.0, spot.at.y + 5.0, most, 2.0 * LINE), x, obstacles, 2)
}

/// What of a zone around its middle is free of obstacles, where that is wide enough to write in.
fn free<I: Iterator<Item = Rect>>(zone: Rect, middle: f64, obstacles: &impl Fn() -> I, lines: usize) -> Option<Room> {
    let (mut left, mut right) = (zone.x, zone.right());
    for r in obstacles().filter(|r| r.overlaps(zone)) {
        if r.right() <= middle {
            left = left.max(r.right() + MARGIN);
        } else if r.x >= middle {
            right = right.min(r.x - MARGIN);
        } else {
            return None;
        }
    }
    let width = right - left;
    (width >= NARROWEST).then_some(Room { at: Point::new(left + width / 2.0, zone.y), width, lines })
}

/// With fewer letters in a row, one caption has the place to itself.
const TELLING: usize = 16;

impl Room {
    /// How many letters a row has.
    #[must_use]
    pub const fn letters(self) -> usize {
        (self.width / LETTER) as usize
    }

    /// How many of so many captions are written here, and in how many rows each.
    #[must_use]
    pub fn shares(self, captions: usize) -> (usize, usize) {
        let shown = if self.letters() < TELLING { 1 } else { captions.max(1) };
        (shown, (self.lines / shown).max(1))
    }
}

/// Words in rows of so many letters. A no-break space keeps what it joins in one row; where that is too long for one,
/// `7 h 26 min` parts in front of its second number, never before a unit.
#[must_use]
pub fn rows(text: &str, letters: usize) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut add = |word: &str| match all.last_mut() {
        Some(row) if row.chars().count() + 1 + word.chars().count() <= letters => {
            row.push(' ');
            row.push_str(word);
        }
        _ => all.push(word.to_owned()),
    };
    for mut word in text.split(' ').filter(|word| !word.is_empty()) {
        while word.chars().count() > letters
            && let Some(at) = second_number(word)
        {
            add(word[..at].trim_end());
            word = &word[at..];
        }
        add(word);
    }
    all
}

/// Where a number begins behind a unit, in words joined by no-break spaces.
fn second_number(joined: &str) -> Option<usize> {
    let spaces = joined.match_indices('\u{a0}');
    let mut starts = spaces.map(|(at, space)| (at, at + space.len()));
    let begins = |(at, next): &(usize, usize)| {
        joined[..*at].ends_with(|c: char| c.is_ascii_alphabetic())
            && joined[*next..].starts_with(|c: char| c.is_ascii_digit())
    };
    starts.find(begins).map(|(_, next)| next)
}

/// What of a text stays in so many rows; `None`: all of it. It is cut between words, with an ellipsis, and behind a clause
/// where enough of one fits. Where it says a bound, what stands before that goes first: `behind < 7 h`.
#[must_use]
pub fn cut(text: &str, bound: Option<&str>, letters: usize, most: usize) -> Option<String> {
    let fits = |text: &String| rows(text, letters).len() <= most;
    if rows(text, letters).len() <= most {
        return None;
    }
    let words: Vec<&str> = text.split(' ').collect();
    if let Some(at) = bound.and_then(|bound| words.iter().position(|word| word.contains(bound))) {
        let from = |n: usize| words[n..].join(" ");
        return (1..=at).map(from).find(fits).or_else(|| Some(words[at].to_owned()));
    }
    let said = |n: usize| {
        let head = words[..n].join(" ");
        // No bracket is opened that is not closed.
        let opened = head.rfind('(').filter(|at| !head[*at..].contains(')'));
        format!("{}…", head[..opened.unwrap_or(head.len())].trim_end_matches([',', ':', ';', ' ']))
    };
    // A word of two or three letters joins what follows, which is gone.
    let joins = |word: &str| word.len() <= 3 && word.bytes().all(|b| b.is_ascii_lowercase());
    let longest = |ends: &dyn Fn(&str) -> bool, from: usize| {
        let ends = |n: &usize| words.get(n - 1).is_some_and(|word| ends(word));
        (from..words.len()).rev().filter(ends).map(said).find(fits)
    };
    longest(&|word| word.ends_with([',', ':', ';']), words.len().div_ceil(2))
        .or_else(|| longest(&|word| !joins(word), 1))
        .or_else(|| Some(said(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Router, places, sample::*};

    #[test]
    fn no_caption_of_the_example_stands_on_an_element() {
        let d = checkout();
        let scene = places(&d);
        let around = Obstacles::of(&d, &scene);
        for (link, route) in Router::new(&d, &scene).all() {
            let spot = route.spot();
            for (flagged, lines) in [(false, 3), (false, 2), (true, 3)] {
                let Some(room) = room(&around, spot, flagged, lines) else { continue };
                let words = Rect::new(room.at.x - room.width / 2.0, room.at.y, room.width, LINE * room.lines as f64);
                let on = scene.iter().find(|(id, r)| d.kind(id) != Some(ElementKind::Job) && r.overlaps(words));
                assert_eq!(on, None, "{link}: {room:?}");
            }
        }
    }

    #[test]
    fn what_is_near_is_found_whatever_its_width() {
        let d = design("source a, source b, source c, job j, operator x j", "a b");
        let at = |x: f64, w: f64| Rect::new(x, 0.0, w, 78.0);
        let scene: Scene =
            [("a", at(-900.0, 700.0)), ("b", at(350.0, 40.0)), ("c", at(-901.0, 100.0)), ("j", at(-2000.0, 1700.0))]
                .map(|(name, rect)| (id(name), rect))
                .into();
        let near = |x: f64| Obstacles::of(&d, &scene).near(Point::new(x, 500.0));
        // The column of 0 reaches from −360 to 360: the wide one ends at −200, the frame at −300.
        assert_eq!(near(0.0), [scene[&id("a")], scene[&id("b")], scene[&id("j")]]);
        assert_eq!(near(800.0), []);
        assert_eq!(near(-600.0), [scene[&id("c")], scene[&id("a")], scene[&id("j")]]);
    }

    #[test]
    fn a_gap_that_is_too_narrow_is_left_for_the_place_below() {
        let d = design("source a, job j, operator b j", "a b");
        let scene: Scene =
            [("a", 0.0), ("b", 160.0)].map(|(name, x)| (id(name), Rect::new(x, 0.0, 118.0, 78.0))).into();
        // The gap is 42 wide: with 3 of margin on each side 36, less than the narrowest.
        let spot = Spot { at: Point::new(139.0, 39.0), length: 42.0, forward: true, share: 0.5, ..Spot::default() };
        let found = room(&Obstacles::of(&d, &scene), spot, false, 2).unwrap();
        assert!(found.at.y >= 78.0, "{found:?}");
    }

    #[test]
    fn a_text_that_fits_stays_as_it_is() {
        assert_eq!(cut("one per id within 24\u{a0}h", None, 14, 2), None);
        assert_eq!(rows("one per id within 24\u{a0}h", 14), ["one per id", "within 24\u{a0}h"]);
    }

    #[test]
    fn words_are_cut_between_words_and_at_a_clause_first() {
        let kept = "acks=all, RF 3, min ISR 2: survives 1 lost broker";
        assert_eq!(cut(kept, None, 20, 2).as_deref(), Some("acks=all, RF 3, min ISR 2…"));
        let session = "while the broker keeps the session and its queue has room";
        // Two rows of 20: "while the broker" and "keeps the session"; "and its" would join what is gone.
        assert_eq!(cut(session, None, 20, 2).as_deref(), Some("while the broker keeps the session…"));
        assert_eq!(cut("upsert, key (store, window_start) enforced", None, 12, 1).as_deref(), Some("upsert, key…"));
        assert_eq!(cut("upsert, key (store, window_start) enforced", None, 11, 2).as_deref(), Some("upsert, key…"));
        assert_eq!(cut("unabbreviated", None, 4, 0).as_deref(), Some("unabbreviated…"), "one word stays in any room");
    }

    #[test]
    fn a_bound_stays_whole_and_is_what_stays_longest() {
        let (number, text) = ("7\u{a0}h\u{a0}26\u{a0}min", "while revenue behind <\u{a0}7\u{a0}h\u{a0}26\u{a0}min");
        let cut = |letters, most| cut(text, Some(number), letters, most);
        assert_eq!(cut(22, 2), None);
        assert_eq!(cut(14, 2).as_deref(), Some("revenue behind <\u{a0}7\u{a0}h\u{a0}26\u{a0}min"));
        assert_eq!(cut(14, 1).as_deref(), Some("<\u{a0}7\u{a0}h\u{a0}26\u{a0}min"));
        assert_eq!(rows(&cut(9, 3).unwrap(), 9), ["behind", "<\u{a0}7\u{a0}h", "26\u{a0}min"]);
        assert_eq!(rows("1.5\u{a0}GiB", 4), ["1.5\u{a0}GiB"], "a unit stays with its number in any room");
    }

    #[test]
    fn a_narrow_place_has_room_for_one_caption() {
        let room = |width| Room { at: Point::new(0.0, 0.0), width, lines: 4 };
        // 50 px are 9 letters, 112 px are 20.
        assert_eq!([room(50.0).shares(2), room(112.0).shares(2), room(112.0).shares(1)], [(1, 4), (2, 2), (1, 4)]);
    }

    /// Whatever the room: no number is parted from its unit, and no word is.
    #[test]
    fn nothing_is_cut_inside_a_word() {
        let text = "while every event is at most 10\u{a0}min\u{a0}30\u{a0}s late, and orders keeps 14\u{a0}d";
        let whole: Vec<&str> = text.split(' ').collect();
        for (letters, most) in (0..70).flat_map(|letters| (0..5).map(move |most| (letters, most))) {
            for bound in [None, Some("14\u{a0}d")] {
                let Some(cut) = cut(text, bound, letters, most) else { continue };
                let bare = cut.split(' ').map(|word| word.trim_end_matches('…').trim_end_matches(','));
                assert!(bare.clone().all(|word| whole.iter().any(|w| w.trim_end_matches(',') == word)), "{cut}");
                assert!(bound.is_none_or(|bound| cut.ends_with(bound)), "{cut}");
                let rows = rows(&cut, letters);
                assert!(!rows.iter().any(|row| ["s", "min", "d"].iter().any(|unit| row.starts_with(unit))), "{rows:?}");
            }
        }
    }
}
