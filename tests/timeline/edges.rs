//! Edges to the millisecond, worked by hand from what the engines' code compares, in the notation of the recorded runs.

use super::{differences, notation::runs};

fn holds(engine: &str, text: &str) {
    let runs = runs(engine, text);
    assert!(!runs.is_empty());
    let wrong: Vec<String> = runs.iter().flat_map(differences).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn kafka_streams() {
    holds("kafka_streams", KAFKA_STREAMS);
}

#[test]
fn spark() {
    holds("spark", SPARK);
}

#[test]
fn flink_sql() {
    holds("flink_sql", FLINK_SQL);
}

const KAFKA_STREAMS: &str = "
run no-window-starts-before-zero
set op=window window=hopping:10000:5000:0 emit=update grace=0
in e1,a,2000
1 U key=a win=0..10000 n=1
counter dropped-records-total 0

run a-session-closes-one-millisecond-after-gap-and-grace
set op=window window=session:5000 emit=close grace=0
in e1,a,0 e2,a,5000 e3,b,10000 e4,b,10001
4 U key=a win=0..5000 n=2 of=e1,e2
unseen e3 e4

run suppress-lets-a-session-go-with-gap-and-grace
set op=window window=session:5000 emit=suppress grace=0
in e1,a,0 e2,a,5000 e3,b,9999 e4,b,10000
4 U key=a win=0..5000 n=2 of=e1,e2
unseen e3 e4

run a-session-at-the-edge-of-the-store-is-not-seen
set op=window window=session:5000 emit=update grace=0
in e1,a,5000 e2,b,10000 e3,a,3000
1 U key=a win=5000..5000 n=1
2 U key=b win=10000..10000 n=1
late dropped e3
counter dropped-records-total 1

run a-session-one-millisecond-younger-is-seen
set op=window window=session:5000 emit=update grace=0
in e1,a,5001 e2,b,10000 e3,a,3000
1 U key=a win=5001..5001 n=1
2 U key=b win=10000..10000 n=1
3 T key=a win=5001..5001
3 U key=a win=3000..5001 n=2 of=e1,e3
counter dropped-records-total 0

run a-jump-shorter-than-a-window-hides-nothing
set op=window window=tumbling:10000:0 emit=close grace=0
in e1,a,1000 e2,a,19000
2 U key=a win=0..10000 n=1
unseen e2

run a-late-record-joins-what-the-other-store-keeps
set op=join bounds=-2000:2000 grace=10000
in e1,a,10000 e2,a,20000,r e3,a,9000,r
3 U key=a pair=e1,e3 t=10000
counter dropped-records-total 0

run a-left-record-past-its-window-is-sent-alone-at-once
set op=join bounds=-2000:2000 left grace=0
in e1,b,30000 e2,a,10000 e3,b,32001
2 U key=a pair=e2,- t=10000
3 U key=b pair=e1,- t=30000
";

const SPARK: &str = "
run a-duplicate-is-known-for-twice-the-delay
set op=deduplicate mode=append delay=10000
in e1,x,1000 | e2,y,20999 | e3,x,20000 | e4,y,21000 | e5,x,21001 | e6,z,11000
batches 0:1:0:0 1:1:0:0 2n:0:10999:0 3:1:10999:0 4:1:10999:0 5n:0:11000:0 6:1:11000:0 7n:0:11001:0 8:1:11001:1
0 +I key=x of=e1
1 +I key=y of=e2
6 +I key=x of=e5
late dropped e6
counter numRowsDroppedByWatermark 1
unseen e3 e4

run update-without-watermark-drops-nothing
set op=window window=tumbling:10000:0 mode=update delay=none
in e1,a,1000 | e2,a,50000 | e3,a,2000
0 U key=a win=0..10000 n=1
1 U key=a win=50000..60000 n=1
2 U key=a win=0..10000 n=2 of=e1,e3
counter numRowsDroppedByWatermark 0

run a-late-left-row-is-not-sent-alone
set op=join bounds=-2000:2000 left mode=append delay=0
in e1,a,20000 e2,a,20000,r | e3,a,5000 | e4,a,40000 e5,a,40000,r
0 +I pair=e1,e2
3 +I pair=e4,e5
late dropped e3
counter numRowsDroppedByWatermark 1

run slides-longer-than-the-window
set op=window window=hopping:5000:10000:0 mode=append delay=0
in e1,a,1000
refused slide duration
";

const FLINK_SQL: &str = "
run cumulate-drops-what-is-late-for-the-last-step
set op=window window=cumulating:20000:5000:0 one-phase delay=0
in e1,a,1000 e2,a,26000 e3,a,2000
2 +I key=a win=0..5000 n=1
2 +I key=a win=0..10000 n=1
2 +I key=a win=0..15000 n=1
2 +I key=a win=0..20000 n=1
late dropped e3
counter numLateRecordsDropped 1
unseen e2

run an-interval-join-forgets-without-a-trace
set op=interval-join bounds=-2000:2000 delay=0
in e1,a,10000 e2,a,20000 e3,a,20000,r e4,a,10500,r
3 +I pair=e2,e3
counter none
unseen e1 e4
";
