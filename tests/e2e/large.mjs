// Large designs for what has to stay quick, however much is drawn.

/** Elements of one chain. */
export const OF_CHAIN = 10;

/** A design of so many chains: source, channel, job with de-duplication and window, channel, job, sink, consumer. */
export function large(chains) {
  const read = (facts) => ({ observed: { e_read: facts } });
  const [elements, links, boxes] = [{}, {}, {}];
  for (let n = 0; n < chains; n += 1) {
    const id = (name) => `${name}_${n}`;
    const channel = { kind: "channel", system: "kafka", ...read({ partitions: 6, replication_factor: 3, min_insync_replicas: 2, unclean_leader_election: false, cleanup_policy: "delete", retention_time: "7d", retention_size: "50GiB", disk_rate: "1MB/s", timestamp_type: "create_time", longest_silence: "5s" }) };
    Object.assign(elements, {
      [id("source")]: { kind: "source", system: "postgres", lifecycle: "existing", ...read({ rate: "300/s", position_survives_failover: true, resnapshot: true }) },
      [id("orders")]: { ...channel, lifecycle: "existing" },
      [id("count")]: { kind: "job", system: "flink", lifecycle: "existing", ...read({ processing_guarantee: "exactly_once", checkpoint_interval: "1min", checkpoint_duration: "3s", checkpoint_min_pause: "0s", parallelism: 6, restore_rate: "500MB/s", detection_time: "50s", reschedule_time: "20s", capacity: "1500/s", space_amplification: 1.3 }) },
      [id("unique")]: { kind: "operator", job: id("count"), step: "deduplicate", ...read({ key: ["order_id"], state_ttl: "1d", ttl_clock: "processing_time", entry_size: "60B" }) },
      [id("sum")]: { kind: "operator", job: id("count"), step: "aggregate", ...read({ key: ["store"], function: "sum", clock: "event_time", window: "tumbling", window_size: "5min", watermark_delay: "30s", allowed_lateness: "0s", emit: "on_close", keys_per_window: 800, entry_size: "90B" }) },
      [id("sums")]: { ...channel, lifecycle: "existing" },
      [id("load")]: { kind: "job", system: "kafka_connect", lifecycle: "existing", ...read({ client: "java", parallelism: 2, on_error: "fail" }) },
      [id("copy")]: { kind: "operator", job: id("load"), step: "copy" },
      [id("table")]: { kind: "sink", system: "postgres", lifecycle: "existing", ...read({ unique_keys: [["store", "window_start"]], collapse: "at_write", transactions: "local", other_writers: false }) },
      [id("board")]: { kind: "consumer", lifecycle: "existing", name: `Board ${n}` },
    });
    const wires = [
      ["source", "orders", { capture: "change_log", acknowledge: "after_store", after_restart: "resume_position", offset_mismatch: "trust_offset", acks: "all", idempotence: true, on_send_failure: "retry" }],
      ["orders", "unique", { group: id("count"), isolation: "read_committed", offset_reset: "earliest" }],
      ["unique", "sum", { distribution: "hash", key: ["store"] }],
      ["sum", "sums", { key: ["store", "window_start"], output_commit: "flush", acks: "all", idempotence: true, on_send_failure: "retry" }],
      ["sums", "copy", { group: id("load"), isolation: "read_committed", offset_commit: "after_work", offset_reset: "earliest" }],
      ["copy", "table", { key: ["store", "window_start"], write_mode: "upsert" }],
      ["table", "board", {}],
    ];
    wires.forEach(([from, to, facts], at) => (links[`l${n}_${at}`] = { from: id(from), to: id(to), ...(Object.keys(facts).length ? read(facts) : {}) }));
    const row = Math.floor(n / 2) * 160;
    const left = (n % 2) * 1500;
    ["source", "orders", "unique", "sum", "sums", "copy", "table", "board"].forEach((name, at) => (boxes[id(name)] = [left + at * 176, row]));
  }
  return JSON.stringify({ format: "streaming-pipeline", version: 2, name: `${chains * OF_CHAIN} elements`, elements, links, evidence: { e_read: { basis: "read", from: "configuration", at: "2026-11-30" } }, layout: { boxes } });
}
