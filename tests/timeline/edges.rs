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

#[test]
fn flink_datastream() {
    holds("flink_datastream", FLINK_DATASTREAM);
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

run a-held-left-record-goes-once-its-time-after-and-grace-have-passed
set op=join bounds=-2000:2000 left grace=1000
in e1,a,10000 e2,b,13000 e3,b,13001
3 U key=a pair=e1,- t=10000
unseen e2 e3

run a-store-of-a-join-drops-what-is-older-than-its-segments
set op=join bounds=-100000:100000 grace=0
in e1,a,580000 e2,a,320000 e3,a,290000
counter dropped-records-total 1
unseen e1 e2 e3

run a-join-does-not-see-what-is-as-old-as-the-retention
set op=join bounds=-2000:2000 grace=1000
in e1,a,5000 e2,a,5001 e3,b,10000 e4,a,5000,r
4 U key=a pair=e2,e4 t=5001
unseen e1 e3

run a-window-that-was-sent-at-its-close-is-not-sent-again
set op=window window=tumbling:10000:0 emit=close grace=5000
in e1,a,1000 e2,a,15000 e3,a,16000
2 U key=a win=0..10000 n=1
unseen e2 e3

run a-session-that-ends-gap-and-grace-before-is-taken
set op=window window=session:5000 emit=update grace=0
in e1,b,10000 e2,a,5000
1 U key=b win=10000..10000 n=1
2 U key=a win=5000..5000 n=1
counter dropped-records-total 0

run a-sliding-window-past-its-grace-is-skipped-and-counted
set op=window window=sliding:5000 emit=update grace=0
in e1,a,10000 e2,a,9000
1 U key=a win=5000..10000 n=1
2 U key=a win=5000..10000 n=2
2 U key=a win=9001..14001 n=1 of=e1
counter dropped-records-total 1

run a-sliding-window-that-the-store-hides-makes-no-window-behind-it
set op=window window=sliding:5000 emit=update grace=0
in e1,a,92001 e2,b,100000 e3,b,97000 e4,a,96000
1 U key=a win=87001..92001 n=1
2 U key=b win=95000..100000 n=1
3 U key=b win=95000..100000 n=2
3 U key=b win=97001..102001 n=1 of=e2
late dropped e4
counter dropped-records-total 2

run early-records-share-a-window-and-make-the-one-behind-the-first
set op=window window=sliding:5000 emit=update grace=0
in e1,a,1000 e2,a,3000
1 U key=a win=0..5000 n=1
2 U key=a win=0..5000 n=2
2 U key=a win=1001..6001 n=1 of=e2

run an-earlier-early-record-makes-the-window-behind-it
set op=window window=sliding:5000 emit=update grace=0
in e1,a,3000 e2,a,1000
1 U key=a win=0..5000 n=1
2 U key=a win=0..5000 n=2
2 U key=a win=1001..6001 n=1 of=e1

run early-records-of-one-time-make-no-window-behind
set op=window window=sliding:5000 emit=update grace=0
in e1,a,3000 e2,a,3000
1 U key=a win=0..5000 n=1
2 U key=a win=0..5000 n=2

run the-window-behind-a-record-that-is-also-the-own-one-is-sent-as-both
set op=window window=sliding:5000 emit=update grace=0
in e1,a,9000 e2,a,10000 e3,a,15001
1 U key=a win=4000..9000 n=1
2 U key=a win=9001..14001 n=1 of=e2
2 U key=a win=5000..10000 n=2
3 U key=a win=10001..15001 n=1 of=e3
3 U key=a win=10001..15001 n=1 of=e3

run a-record-past-all-sliding-windows-counts-once
set op=window window=sliding:5000 emit=update grace=0
in e1,a,14000 e2,b,20000 e3,a,14999 e4,a,15000
1 U key=a win=9000..14000 n=1
2 U key=b win=15000..20000 n=1
late dropped e3
late dropped e4
counter dropped-records-total 3
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

run deduplication-drops-what-is-as-old-as-the-watermark
set op=deduplicate mode=append delay=10000
in e1,x,11000 | e2,y,1000 e3,z,1001
0 +I key=x of=e1
2 +I key=z of=e3
late dropped e2
counter numRowsDroppedByWatermark 1

run a-left-row-is-sent-alone-once-the-watermark-is-past-its-bound
set op=join bounds=-2000:2000 left mode=append delay=0
in e1,a,10000 | e2,b,12000 e3,b,12000,r | e4,c,12001 e5,d,12001,r e6,e,12000
1 +I pair=e2,e3
4n +I pair=e1,-
late dropped e6
counter numRowsDroppedByWatermark 1
unseen e4 e5

run a-total-without-windows-is-never-late
set op=group-by mode=update delay=0
in e1,a,1000 | e2,a,2000
0 U key=a n=1
1 U key=a n=2
counter numRowsDroppedByWatermark 0
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

run cumulating-windows-of-a-join-grow-from-their-start
set op=window-join window=cumulating:20000:5000:0 delay=0
in e1,a,7000 e2,a,8000,r e3,b,30000 e4,b,30000,r
4 +I key=a win=0..10000 pair=e1,e2
4 +I key=a win=0..15000 pair=e1,e2
4 +I key=a win=0..20000 pair=e1,e2
unseen e3 e4

run a-window-join-counts-each-window-that-has-fired
set op=window-join window=hopping:10000:5000:0 delay=0
in e1,a,10000 e2,a,10000,r e3,b,9000 e4,b,4000 e5,a,20000 e6,a,20000,r
6 +I key=a win=5000..15000 pair=e1,e2
6 +I key=a win=10000..20000 pair=e1,e2
late dropped e4
counter leftNumLateRecordsDropped 3
counter rightNumLateRecordsDropped 0
unseen e3 e5 e6

run a-first-row-is-held-until-the-watermark-reaches-it
set op=deduplicate keep=first-by-time delay=0
in e1,a,10000 e2,b,9999 e3,a,10000 e4,c,10001
4 +I key=a of=e1
late dropped e2
counter numLateRecordsDropped 1
unseen e3 e4

run of-two-rows-of-one-time-the-last-to-arrive-is-the-last
set op=deduplicate keep=last-by-time delay=0
in e1,a,10000 e2,a,10000
1 +I key=a of=e1
2 -U key=a of=e1
2 +U key=a of=e2

run a-total-expires-when-it-is-as-old-as-its-time-to-live
set op=group-by ttl=100 delay=0 pace=100
in e1,a,1000 e2,a,1000
1 +I key=a n=1 of=e1
2 +I key=a n=1 of=e2

run a-row-at-the-current-watermark-is-late
set op=current-watermark delay=0
in e1,a,10000 e2,a,9999 e3,a,10000
1 +I of=e1 mark=ok
2 +I of=e2 mark=late
3 +I of=e3 mark=ok

run a-late-row-waits-for-the-next-flush-in-the-zone
set op=window window=tumbling:3600000:0 zone=28800000 daylight-saving delay=0
in e1,a,1000 e2,a,3601000 e3,a,2000 e4,a,3602000
2 +I key=a win=28800000..32400000 n=1 of=e1
late dropped e3
counter numLateRecordsDropped 0
unseen e2 e4

run each-channel-has-a-buffer-of-its-own
set op=window window=tumbling:10000:0 delay=0 partitions=2
in e1,a,1000 e2,a,1000,p=1 e3,a,11000 e4,a,11000,p=1 e5,a,2000,p=1
4 +I key=a win=0..10000 n=2 of=e1,e2
late dropped e5
counter numLateRecordsDropped 0
unseen e3 e4

run each-input-has-a-buffer-of-its-own
set op=window window=tumbling:10000:0 delay=0
in e1,a,1000 e2,a,1000,r e3,a,11000 e4,a,11000,r e5,a,2000,r
4 +I key=a win=0..10000 n=2 of=e1,e2
late dropped e5
counter numLateRecordsDropped 0
unseen e3 e4

run a-day-over-hours-is-a-day-of-the-zone
set op=window one-phase window=tumbling:3600000:0 zone=28800000 daylight-saving then=tumbling:86400000:0 delay=0
in e1,a,43200000 e2,a,57600000
2 +I stage=2 key=all win=0..86400000 n=1 rows=72000000..75600000=1
unseen e2

run a-row-of-an-interval-join-is-kept-up-to-its-bound
set op=interval-join bounds=0:2000 delay=0
in e1,b,10000 e2,b,10000,r e3,a,7999 e4,a,9999,r e5,a,8000 e6,a,10000,r
2 +I pair=e1,e2
6 +I pair=e5,e6
unseen e3 e4

run a-row-of-an-interval-join-goes-only-behind-its-bound
set op=interval-join bounds=0:2000 delay=0
in e1,a,8000 e2,b,10001 e3,c,10001,r e4,a,10000,r
4 +I pair=e1,e4
unseen e2 e3

run a-group-window-in-a-zone-is-over-when-the-zone-says-so
set op=group-window window=tumbling:3600000:0 zone=1800000 delay=0
in e1,a,1000 e2,a,1800000 e3,a,2000
2 +I key=a win=0..3600000 n=1 of=e1
late dropped e3
counter numLateRecordsDropped 1
unseen e2
";

const FLINK_DATASTREAM: &str = "
run an-interval-join-takes-what-is-at-the-watermark
set op=interval-join bounds=-2000:2000 delay=0
in e1,a,10000 e2,b,10000,r e3,a,9999,r e4,a,9998,r
3 +I pair=e1,e3 t=10000
unseen e2 e4

run an-interval-join-forgets-at-the-bound
set op=interval-join bounds=0:2000 delay=0
in e1,a,8000 e2,b,10001 e3,b,10001,r e4,a,10000,r
3 +I pair=e2,e3
unseen e1 e4

run a-window-join-fires-at-its-last-millisecond
set op=window-join window=tumbling:10000:0 delay=0
in e1,a,1000 e2,a,2000,r e3,a,10000 e4,a,10000,r e5,a,9999
4 +I key=a win=0..10000 pair=e1,e2
late dropped e5
counter numLateRecordsDropped 1
unseen e3 e4

run a-window-join-that-takes-a-record-in-does-not-drop-it
set op=window-join window=hopping:10000:5000:0 delay=0
in e1,a,10000 e2,a,10000,r e3,b,9000
counter numLateRecordsDropped 0
unseen e1 e2 e3

run a-merged-session-past-its-end-fires-once
set op=window window=session:5000 lateness=10000 delay=0
in e1,a,1000 e2,b,10000 e3,a,5000 e4,b,11000
2 +I key=a win=1000..6000 n=1
3 +I key=a win=1000..10000 n=2
unseen e2 e4

run a-periodic-watermark-comes-behind-the-record-of-its-millisecond
set op=window window=tumbling:5000:0 delay=0 interval=200 pace=200
in e1,a,10000 e2,a,5000 e3,b,20000
2 +I key=a win=5000..10000 n=1 of=e2
unseen e1 e3
";
