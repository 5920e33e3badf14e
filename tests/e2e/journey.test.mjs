// The main job in one go: from a cluster's own output to a verdict, a bundle and a link, and nothing of it is lost.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  added, answer, choose, designFile, download, dragLink, dragTile, elements, explained, links, redoAll, saved, select, selectFrame, selectLink, tabTo, undoAll, unzip,
} from "./desk.mjs";
import { installed, open, profile, serve } from "./support.mjs";

const fixture = (name) => join(import.meta.dirname, "fixtures", name);

/** What the person who designs knows, by role and setting; the inspector asks, these are the answers. */
const KNOWN = {
  source: { rate: "40/s", log_reach: "none" },
  handOver: { latency: "50ms", capture: "in_process", acks: "all", linger: "5ms", on_send_failure: "retry", acknowledge: "after_store", after_restart: "resend_unmarked", delivery_timeout: "2min", idempotence: "yes", resend_within: "1d", max_in_flight: "5", retries: "2147483647" },
  channel: { timestamp_after_max: "1h", disk_rate: "0.2MB/s", longest_silence: "30s" },
  job: {
    processing_guarantee: "exactly_once", checkpoint_interval: "1min", checkpoint_min_pause: "0s", checkpoint_duration: "3s", checkpoint_timeout: "10min", checkpoint_storage: "durable",
    checkpoint_incremental: "yes", space_amplification: "1.3", restore_rate: "200MB/s", detection_time: "50s", reschedule_time: "20s", restart_time: "3min", longest_outage: "1h", capacity: "400/s", parallelism: "4",
    state_backend: "rocksdb", on_error: "fail",
  },
  dedup: { key: "entry_id", entry_size: "60B", state_ttl: "1d", ttl_clock: "processing_time", ttl_from: "first", determinism: "same", selectivity: "1" },
  window: {
    key: "lot", function: "count", window: "tumbling", window_size: "5min", clock: "event_time", watermark_delay: "30s", watermark_assigned: "at_source", allowed_lateness: "0s", emit: "on_close", entry_size: "90B",
    keys_per_window: "200", determinism: "same", idle_timeout: "1min", future_limit: "1h", selectivity: "0.01",
  },
  read: { lag_time: "2s", isolation: "read_committed", offset_reset: "earliest", offset_commit: "with_output", group: "lots" },
  within: { distribution: "hash", key: "lot" },
  write: { key: "lot, window_start", write_mode: "upsert", flush_interval: "1s", version_guard: "none", output_commit: "flush", position_guard: "none" },
  sink: { unique_keys: "lot, window_start", collapse: "at_write", transactions: "local", rebuild: "overwrite", other_writers: "no" },
  serve: { refresh_interval: "30s", read_mode: "raw" },
  consumer: { loss_tolerated: "no", duplicates_tolerated: "no" },
};

/** Answers what the inspector still needs of the selected subject, one question after the other. */
async function fill(page, known, done) {
  for (;;) {
    const asked = await page.locator("[data-missing]").evaluateAll((all) => all.map((el) => el.dataset.missing));
    const next = asked.find((setting) => !done.has(setting));
    if (next === undefined) return;
    assert.ok(known[next], `the inspector asks for ${next}, which nobody here knows`);
    await answer(page, next, known[next]);
    done.add(next);
  }
}

/** Ends a tab or the browser without asking it. */
async function kill(page, how) {
  const session = await page.context().newCDPSession(page);
  const gone = new Promise((resolve) => (how === "Page.crash" ? page.once("crash", resolve) : page.context().once("close", resolve)));
  session.send(how).catch(() => {});
  await gone;
}

const verdict = (page) => page.locator("[data-consumer]").first();

test("from command output to a verdict, a bundle and a link", { timeout: 300_000 }, async (t) => {
  const server = await serve();
  const mine = await profile();
  let page = await mine.page();
  const ids = {};
  let history = 0;
  let bytes = "";
  let link = "";
  let stopped = false;
  t.after(async () => {
    await mine.close();
    if (!stopped) await server.stop();
  });

  await t.test("three outputs: preview with sources, accept", async () => {
    await open(page, server.url);
    await page.locator("[data-start=paste]").click();
    await page.locator("[data-import-text]").fill(readFileSync(fixture("topics.txt"), "utf8"));
    await page.getByRole("button", { name: "Read it" }).click();
    await page.locator("[data-import-subject=parking_entries]").waitFor();
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Add more" }).click();
    await (await chooser).setFiles([fixture("configs.txt"), fixture("groups.txt")]);
    await page.locator("[data-import-subject=gate_audit]").waitFor();

    const retention = page.locator("[data-import-subject=parking_entries] [data-fact=retention_time]");
    assert.match(await retention.innerText(), /retention\.ms[\s\S]*7 d[\s\S]*line \d+/);
    const facts = await page.locator("[data-fact]").allInnerTexts();
    assert.ok(facts.length > 25, `${facts.length} facts`);
    for (const fact of facts) assert.match(fact, /line \d+/, `a fact without its line: ${fact}`);
    assert.match(await page.locator("dialog").innerText(), /2 lines not understood/);
    assert.equal(await page.locator("[data-line-state=odd]").count(), 2);

    await page.locator("[data-import-apply]").click();
    await page.locator(".cv-el").first().waitFor();
    const there = await elements(page);
    for (const id of ["parking_entries", "parking_occupancy", "gate_audit", "signs"]) assert.ok(there.includes(id), `${id} is drawn`);
    assert.equal((await links(page)).length, 2);
    await saved(page);
  });

  await t.test("source, job, sink, consumer by pointer and by letter", async () => {
    const stage = await page.locator("#canvas").boundingBox();
    const point = (across, down) => page.mouse.move(stage.x + stage.width * across, stage.y + stage.height * down);
    [ids.source] = await added(page, elements, () => dragTile(page, "source", 0.08, 0.15));
    await choose(page, ids.source, "system", "application");
    await point(0.45, 0.12);
    [ids.job] = await added(page, elements, () => page.keyboard.press("j"));
    await choose(page, ids.job, "system", "flink");
    await selectFrame(page, ids.job);
    [ids.dedup] = await added(page, elements, () => page.keyboard.press("o"));
    await choose(page, ids.dedup, "step", "deduplicate");
    await select(page, ids.dedup);
    [ids.window] = await added(page, elements, () => page.keyboard.press("o"));
    await choose(page, ids.window, "step", "aggregate");
    [ids.sink] = await added(page, elements, () => dragTile(page, "sink", 0.8, 0.8));
    await choose(page, ids.sink, "system", "postgres");
    await point(0.93, 0.55);
    [ids.consumer] = await added(page, elements, () => page.keyboard.press("u"));
    await page.locator(`[data-inspected="${ids.consumer}"] [data-field=name]`).fill("Lot board");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Tidy" }).click();
  });

  await t.test("links by dragging ports and by keyboard", async () => {
    [ids.handOver] = await added(page, links, () => dragLink(page, ids.source, "parking_entries"));
    [ids.read] = await added(page, links, () => dragLink(page, "parking_entries", ids.dedup));
    [ids.within] = await added(page, links, () => dragLink(page, ids.dedup, ids.window));
    [ids.write] = await added(page, links, () => dragLink(page, ids.window, ids.sink));
    await select(page, ids.sink);
    await select(page, ids.sink);
    await page.keyboard.press("c");
    await tabTo(page, ids.consumer);
    [ids.serve] = await added(page, links, () => page.keyboard.press("Enter"));
    assert.match(await verdict(page).getAttribute("data-verdict"), /\?/, "nothing is claimed before it is known");
  });

  await t.test("the inspector asks until the verdict stands", async () => {
    const parts = [
      ["source", select, ids.source], ["handOver", selectLink, ids.handOver], ["channel", select, "parking_entries"], ["job", selectFrame, ids.job], ["dedup", select, ids.dedup], ["window", select, ids.window],
      ["read", selectLink, ids.read], ["within", selectLink, ids.within], ["write", selectLink, ids.write], ["sink", select, ids.sink], ["serve", selectLink, ids.serve], ["consumer", select, ids.consumer],
    ];
    const done = new Map(parts.map(([role]) => [role, new Set()]));
    // One answer may open the next question elsewhere; two rounds more than the first settle it.
    for (let round = 0; round < 4; round += 1) {
      const before = [...done.values()].reduce((sum, set) => sum + set.size, 0);
      for (const [role, pick, id] of parts) {
        await pick(page, id);
        await fill(page, KNOWN[role], done.get(role));
      }
      if ([...done.values()].reduce((sum, set) => sum + set.size, 0) === before) break;
    }
    const badge = await verdict(page).getAttribute("data-verdict");
    assert.doesNotMatch(badge, /\?/, `${badge}: ${await verdict(page).innerText()}`);
    assert.doesNotMatch(await verdict(page).innerText(), /What would have to be known/);
    // Nobody waits longer than the window is open: the words say which condition stands, by which mechanism, at which hop.
    await verdict(page).getByText("Why", { exact: true }).click();
    const said = await verdict(page).innerText();
    assert.match(said, /At least once/);
    assert.match(said, /upsert, key \(lot, window_start\)/, "the mechanism against repeats");
    assert.match(said, /one per entry_id within 24\sh/, "the mechanism of the de-duplication");
    assert.match(said, /every event is at most 30\ss late/, "what loses");
    assert.match(said, /Weakest for duplicates\s+source → parking\.entries/);
    assert.match(said, /Weakest for loss/);
    assert.doesNotMatch(said, /exactly[ -]once|guaranteed|lossless/i);
    assert.ok((await page.locator("[data-hop]").count()) >= 7, "a row for every hop");
  });

  await t.test("reach, state and recovery are numbers, and each opens its explanation", async () => {
    const figures = [
      [select, "parking_entries", /^replay reach, worst case: 7 d\. Explain$/, /retention/],
      // 40 /s for 24 h at 60 B, times 1.3
      [select, ids.dedup, /^state at its bound: 270 MB\. Explain$/, /bytes per entry\s+60 B/],
      // 200 lots, two windows open at once (330 s and a step of 30 s over 300 s), 90 B, times 1.3
      [select, ids.window, /^state at its bound: 46\.8 kB\. Explain$/, /bytes per entry\s+90 B/],
      // down 50 s + 20 s + 270 MB at 200 MB/s = 71.3 s; that and a checkpoint's 63 s are worked off at 400 - 40 of 40 /s: 14.9 s
      [selectFrame, ids.job, /^recovery.*: 86 s\. Explain$/, /down[\s\S]*71 s[\s\S]*detection\s+50 s/],
    ];
    // The canvas says the same as the inspector, as soon as it is known.
    for (const [id, number] of [["parking_entries", /7 d/], [ids.dedup, /270 MB/], [ids.window, /46\.8 kB/], [ids.source, /40 \/s/], [ids.sink, /key enforced/]]) {
      assert.match(await page.locator(`.cv-el[data-element-id="${id}"] .cv-figure`).innerText(), number, `the number on ${id}`);
    }
    for (const [pick, id, name, input] of figures) {
      await page.locator("[data-tab=Verdict]").click();
      await pick(page, id);
      const explanation = await explained(page, page.locator("[data-pane=inspector]").getByRole("button", { name }).first());
      assert.match(await explanation.innerText(), input);
      assert.match(await explanation.innerText(), /kafka-configs\.sh|proposed in this design/, "an input names its source");
      await page.keyboard.press("Escape");
      await explanation.waitFor({ state: "detached" });
    }
    await page.locator("[data-tab=Verdict]").click();
  });

  await t.test("the bundle: eight documents, packet, design", async () => {
    bytes = await designFile(page);
    await page.getByRole("button", { name: "Documents", exact: true }).first().click();
    await page.locator("[data-document]").waitFor();
    const bundle = await download(page, () => page.locator("[data-bundle]").click());
    const files = unzip(bundle.bytes);
    const documents = [...files.keys()].filter((name) => name.endsWith(".md"));
    assert.equal(documents.length, 8, documents.join(", "));
    for (const name of documents) assert.match(files.get(name), /^\*\*Status: .+\n\n# /, `${name} has its status and title`);
    const packet = JSON.parse(files.get("data_packet.json"));
    for (const part of ["format", "version", "streams", "pipelines", "reconciliations", "data_risks", "source_facts", "decisions", "assumptions", "open_questions", "artifacts", "next_stage", "ready_to_continue"]) {
      assert.ok(part in packet, `the packet says its ${part}`);
    }
    assert.ok(packet.source_facts.length > 25, "what was read goes into the packet");
    assert.deepEqual(packet.artifacts.map(({ file, path, name }) => file ?? path ?? name).filter((name) => name.endsWith(".md")).sort(), documents.sort());
    assert.equal(files.get("design.json"), bytes, "the design in the bundle is the file that is saved");
    assert.equal(JSON.parse(bytes).format, "streaming-pipeline");
    await page.getByRole("button", { name: "Back to the canvas" }).click();
  });

  await t.test("the link opens the same design in another profile", async () => {
    await page.locator("[data-command=share]").click();
    await page.locator("[data-share-link]").waitFor();
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Link copied", { exact: true }).waitFor();
    link = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(link, await page.locator("[data-share-link]").inputValue());
    await page.keyboard.press("Escape");
    const other = await profile();
    try {
      const reader = await other.page();
      await open(reader, link);
      await reader.locator("[data-saved=Reading]").waitFor();
      assert.equal(await designFile(reader), bytes);
      assert.equal(await verdict(reader).getAttribute("data-verdict"), await verdict(page).getAttribute("data-verdict"));
      other.clean();
    } finally {
      await other.close();
    }
  });

  await t.test("without the server it loads and works", async () => {
    await saved(page);
    await installed(page);
    await server.stop();
    stopped = true;
    await page.reload();
    await page.locator("[data-app-ready]").waitFor({ state: "attached" });
    await page.locator(`.cv-el[data-element-id="${ids.consumer}"]`).waitFor();
    assert.equal(await designFile(page), bytes, "the same design after the reload");
    await select(page, ids.window);
    await answer(page, "window_size", "10min");
    await saved(page);
    const edited = await designFile(page);
    assert.notEqual(edited, bytes);
    bytes = edited;
  });

  await t.test("everything undone, everything done again", async () => {
    await page.keyboard.press("Escape");
    history = await undoAll(page);
    assert.ok(history > 40, `${history} steps`);
    assert.deepEqual(await elements(page), []);
    assert.equal(await redoAll(page), history);
    assert.equal(await designFile(page), bytes);
    await saved(page);
  });

  await t.test("tab and browser are killed and nothing is lost", async () => {
    await select(page, ids.sink);
    await answer(page, "visibility_delay", "1s");
    await saved(page);
    bytes = await designFile(page);
    await kill(page, "Page.crash");
    page = await mine.context.newPage();
    await again(page);
    assert.equal(await designFile(page), bytes, "after the tab was killed");

    await kill(page, "Browser.crash");
    const later = await profile({ folder: mine.folder });
    try {
      page = await later.page();
      await again(page);
      assert.equal(await designFile(page), bytes, "after the browser was killed");
      assert.equal(await undoAll(page), history + 1);
      assert.deepEqual(await elements(page), []);
      assert.equal(await redoAll(page), history + 1);
      assert.equal(await designFile(page), bytes);
      later.clean();
    } finally {
      await later.leave();
    }
  });

  /** Opens the desk, which is still without its server, and waits for the design. */
  async function again(page) {
    await open(page, server.url);
    await page.locator(`.cv-el[data-element-id="${ids.consumer}"]`).waitFor();
  }

  await t.test("no error in the console, no request elsewhere", () => mine.clean());
});
