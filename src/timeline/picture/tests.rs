use super::*;
use crate::model::{Design, View};

fn example() -> (Design, Id) {
    let design = crate::codec::decode(crate::catalog::examples()[0].text).unwrap();
    let sum = design.elements.keys().find(|id| id.as_str() == "sum").unwrap().clone();
    (design, sum)
}

fn marks(picture: &Picture) -> Vec<Mark> {
    picture.records.iter().map(|record| record.mark).collect()
}

#[test]
fn the_window_of_the_example_as_it_shall_be() {
    let (design, sum) = example();
    let picture = draw(&design, View::ToBe, &sum, false).unwrap();
    // [12:00, 12:05), 30 s behind, 10 min of lateness: 12:05:30 and 12:15:30.
    let verticals: Vec<(&str, &str)> = picture.verticals.iter().map(|v| (v.text.as_str(), v.how.as_str())).collect();
    let expected = [
        ("12:05:30 first result", "end + watermark delay 30 s"),
        ("12:15:30 closes for good", "end + watermark delay 30 s + allowed lateness 10 min"),
    ];
    assert_eq!(verticals, expected);
    // Three eighths of the window: 12:01:52.5.
    assert_eq!(picture.headline, "A record of 12:01:52.5 counts until the clock reaches 12:15:30.");
    let all =
        [Mark::InTime, Mark::InTime, Mark::OutOfOrder, Mark::InTime, Mark::LateCounted, Mark::InTime, Mark::SideOutput];
    assert_eq!(marks(&picture), all);
    let sent: Vec<(usize, &str)> = picture
        .records
        .iter()
        .enumerate()
        .flat_map(|(at, record)| record.then.iter().map(move |(_, words)| (at + 1, words.as_str())))
        .collect();
    // Three in time; with the late one four; a record of 12:05:30 closes and waits itself until 12:10:30 is seen.
    let expected = [
        (4, "[12:00, 12:05): result sent, 3 records"),
        (5, "[12:00, 12:05): sent again, 4 records"),
        (6, "[12:05, 12:10): result sent, 1 record"),
        (6, "[12:00, 12:05): state dropped"),
    ];
    assert_eq!(sent, expected);
    assert_eq!(picture.bars.len(), 1);
    assert_eq!(picture.bars[0].lateness, "still updated, allowed lateness 10 min");
    // 3 + 4 + 1 by adding, 4 + 1 by the last row.
    assert_eq!(picture.appending, "3 rows that add up to 8");
    assert_eq!(picture.upserting, "2 rows, 5 in total over all windows");
    let measured = picture.measured.unwrap();
    let words: Vec<&str> = measured.marks.iter().map(|mark| mark.text.as_str()).collect();
    assert_eq!(words, ["99 % within 45 s", "99.9 % within 7 min"]);
}

#[test]
fn as_it_is_nothing_is_late_and_counted() {
    let (design, sum) = example();
    let picture = draw(&design, View::AsIs, &sum, false).unwrap();
    assert_eq!(picture.verticals.len(), 1);
    assert_eq!(picture.verticals[0].text, "12:05:30 result, closes for good");
    assert!(picture.bars[0].lateness.is_empty());
    assert_eq!(marks(&picture).last(), Some(&Mark::Dropped));
    assert_eq!(picture.counters, ["numLateRecordsDropped: 1"]);
}

#[test]
fn a_silent_partition_holds_everything_up() {
    let (design, sum) = example();
    let picture = draw(&design, View::ToBe, &sum, true).unwrap();
    assert!(picture.may_fall_silent);
    assert!(picture.records.iter().all(|record| record.then.is_empty()), "nothing is ever sent");
    assert_eq!(picture.headline, "Nothing is sent: the watermark waits for the partition that fell silent.");
    let last = picture.records.last().unwrap();
    assert_eq!(last.partitions.len(), 2);
    assert!(!last.partitions[1].idle);
    // 12:01:15 on the silent one, 30 s and 1 ms behind.
    assert_eq!(last.watermark.as_ref().unwrap().1, "12:00:44.999");
}

#[test]
fn places_are_within_the_width_and_in_the_order_of_time() {
    let (design, sum) = example();
    for silent in [false, true] {
        let picture = draw(&design, View::ToBe, &sum, silent).unwrap();
        let xs: Vec<f64> = picture.ticks.iter().map(|tick| tick.x).collect();
        assert!(xs.windows(2).all(|pair| pair[0] < pair[1]), "{xs:?}");
        let records = picture.records.iter().map(|record| record.x);
        let all = records.chain(picture.verticals.iter().map(|v| v.x)).chain(xs.iter().copied());
        assert!(all.into_iter().all(|x| (0.0..=100.0).contains(&x)));
        let bar = &picture.bars[0];
        assert!(bar.from < bar.to && bar.to < bar.first.unwrap() && bar.first < bar.until);
    }
}

#[test]
fn what_is_missing_is_said_instead() {
    let (mut design, sum) = example();
    let subject = design.elements.get_mut(&sum).unwrap();
    subject.observed.clear();
    subject.proposed = crate::model::Facts::default();
    let lacks = draw(&design, View::ToBe, &sum, false).unwrap_err();
    assert!(lacks.missing.iter().any(|missing| missing.field == Some(crate::model::key::operator::WINDOW.field())));
}

#[test]
fn in_letters() {
    let (design, sum) = example();
    let text = draw(&design, View::ToBe, &sum, false).unwrap().text();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.iter().all(|line| line.chars().count() <= 150), "{text}");
    assert!(text.contains("[12:00, 12:05)") && text.contains("> [12:00, 12:05): sent again, 4 records"), "{text}");
}
