// What goes wrong outside: each time a clear message, nothing applied, nothing lost, no error in the console.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { designFile, download, elements, openFile, saved } from "./desk.mjs";
import { open, profile, serve } from "./support.mjs";

const server = await serve();
after(() => server.stop());

/** A desk with a design on it, which must be the same afterwards, also after a reload. */
async function unharmed(run) {
  const mine = await profile();
  try {
    const page = await mine.page();
    await open(page, server.url);
    await page.locator("[data-example=checkout_revenue]").click();
    await page.locator('[data-consumer="board"]').waitFor();
    await saved(page);
    const before = await designFile(page);
    await run(page, before);
    assert.equal(await page.locator(".crash").count(), 0, "the desk runs on");
    mine.clean();
    await open(page, server.url);
    await page.locator('[data-consumer="board"]').waitFor();
    assert.equal(await designFile(page), before, "nothing was applied, nothing was lost");
    mine.clean();
  } finally {
    await mine.close();
  }
}

const chooseFile = (page, name, content) => openFile(page, name, content, "text/plain");

/** Waits for a message that says this, and takes it away. */
async function told(page, pattern) {
  const toast = page.locator(".toasts .toast", { hasText: pattern }).first();
  await toast.waitFor();
  await toast.getByRole("button", { name: "Close this message" }).click();
}

/** Pastes text on the canvas. */
async function paste(page, text) {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press("Control+v");
}

const preview = (page) => page.locator("dialog[aria-label=Import]");

test("a file that is no design says where and why", () =>
  unharmed(async (page, before) => {
    const bad = [
      ["cut.json", before.slice(0, before.length / 2), /cut\.json: line \d+, column \d+: not JSON/],
      ["word.json", before.replace('"cleanup_policy": "delete"', '"cleanup_policy": "remove"'), /elements\.\w+\.observed\.\w+\.cleanup_policy: "remove" is not one of delete, compact, compact_delete/],
      ["reference.json", before.replace('"to": "capture"', '"to": "nowhere"'), /links\.l1\.to: there is no element nowhere/],
      ["deep.json", `{"format": "streaming-pipeline", "version": 1, "elements": ${'{"a":'.repeat(20_000)}`, /deep\.json: line 1, column \d+: not JSON/],
      ["large.json", `{"format": "streaming-pipeline", "version": 1, "name": "${"x".repeat(9_000_000)}"}`, /large\.json: /],
    ];
    for (const [name, content, words] of bad) {
      await chooseFile(page, name, content);
      await told(page, words);
      assert.equal(await preview(page).count(), 0);
    }
    await chooseFile(page, "huge.txt", Buffer.alloc(33 * 1024 * 1024, "x"));
    await told(page, /huge\.txt is larger than 32 MiB and was not read/);
  }));

test("a file of a newer version opens to read, and what is here stays", () =>
  unharmed(async (page, before) => {
    const newer = before.replace(/"version": \d+/, '"version": 99').replace('"cleanup_policy": "delete"', '"cleanup_policy": "delete", "tide": "high"');
    await chooseFile(page, "newer.json", newer);
    await told(page, /Made with a newer version[\s\S]*needs a newer desk[\s\S]*nothing was changed[\s\S]*(1 setting is unknown here and kept as it came|\d+ settings are unknown here and kept as they came)/);
    await page.locator("[data-saved=Reading]").waitFor();
    const count = (await elements(page)).length;
    await page.keyboard.press("s");
    await page.locator("[data-announcement]", { hasText: "You are reading" }).waitFor({ state: "attached" });
    assert.equal((await elements(page)).length, count, "nothing is added while reading");
  }));

test("a file of a newer version is kept, saved and linked byte for byte, and judged only as far as it allows", async () => {
  const mine = await profile();
  try {
    const page = await mine.page();
    await open(page, server.url);
    await page.locator("[data-example=checkout_revenue]").click();
    await saved(page);
    const file = await designFile(page);
    // Not as this version would print it: another order of lines, a setting and a section of its own.
    const strict = `${file.replace(/"version": \d+/, '"version":  99').replace('"cleanup_policy": "delete"', '"cleanup_policy": "delete", "tide": "high"').trimEnd().slice(0, -1)}, "tides": {"t1": {"height": 4.50}}}\n\n`;
    const lenient = strict.replace('"version":  99', '"version":  99, "min_reader": 1');
    const bytes = async () => (await download(page, () => page.locator("[data-original]").click())).bytes.toString("utf8");

    await openFile(page, "newer.json", lenient);
    await page.locator('[data-newer="99"]').waitFor();
    await page.locator("[data-newer-note]", { hasText: /Without \d+ settings? that this version does not know: version 99 may judge otherwise/ }).first().waitFor();
    assert.ok((await page.locator('[data-consumer="board"]').count()) > 0, "it may be judged");
    assert.equal(await bytes(), lenient);

    await openFile(page, "newer.json", strict);
    await page.locator("[data-newer-note]", { hasText: /No verdict and no finding stands here/ }).first().waitFor();
    assert.equal(await page.locator("[data-consumer]").count(), 0, "only a later version may judge it");
    assert.ok((await elements(page)).includes("orders"), "what is known is drawn");
    assert.equal(await bytes(), strict);
    await page.locator("[data-keep]").click();
    await told(page, /Kept as it came/);
    await open(page, server.url);
    await page.locator('[data-newer="99"]').waitFor();
    assert.equal(await designFile(page), strict, "kept over a reload, unknown settings included");
    await page.keyboard.press("Control+Shift+s");
    const link = await page.locator("[data-share-link]").inputValue();
    await page.goto("about:blank");
    await open(page, link);
    await page.locator('[data-newer="99"]').waitFor();
    assert.equal(await bytes(), strict, "passed on by a link");
    mine.clean();
  } finally {
    await mine.close();
  }
});

test("what was unticked in the import preview stays so when more is added", async () => {
  const mine = await profile();
  try {
    const page = await mine.page();
    await open(page, server.url);
    const topic = (name) => `Topic: ${name}\tTopicId: AAAAAAAAQACAAAAAAAAAAA\tPartitionCount: 3\tReplicationFactor: 3\tConfigs: retention.ms=604800000\n\tTopic: ${name}\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3\n`;
    await chooseFile(page, "orders.txt", topic("orders"));
    await preview(page).waitFor();
    const retention = (name) => preview(page).locator(`[data-import-subject="${name}"] [data-fact=retention_time] input`);
    await retention("orders").uncheck();
    const chooser = page.waitForEvent("filechooser");
    await preview(page).getByRole("button", { name: "Add more" }).click();
    await (await chooser).setFiles({ name: "accounts.txt", mimeType: "text/plain", buffer: Buffer.from(topic("accounts")) });
    await retention("accounts").waitFor();
    assert.equal(await retention("orders").isChecked(), false, "it is still left out");
    assert.equal(await retention("accounts").isChecked(), true);
    await page.locator("[data-import-apply]").click();
    await page.locator('.cv-el[data-element-id="orders"]').waitFor();
    const design = JSON.parse(await designFile(page));
    const read = (id) => Object.values(design.elements[id].observed)[0].retention_time;
    assert.deepEqual([read("orders"), read("accounts")], [undefined, "7d"]);
    mine.clean();
  } finally {
    await mine.close();
  }
});

test("text that nobody can read is said to be so, line by line, and nothing is applied", () =>
  unharmed(async (page, before) => {
    const bad = [
      ["We run orders with twelve partitions and keep them for about a week.\nAsk Jo about the rest.", /not recognised|not a format known here/],
      ['{"hello": "world"}', /This looks like JSON/],
      ["Topic: orders\tPartitionCount: many\tReplicationFactor: 3\n\tTopic: orders\tPartition: x\n", /not understood/],
      ["\u0000\u0001\uFFFD\u0007 PK\u0003\u0004", /not recognised|not a format known here/],
    ];
    for (const [text, words] of bad) {
      await paste(page, text);
      await preview(page).waitFor();
      assert.match(await preview(page).innerText(), words);
      assert.match(await preview(page).innerText(), /Nothing has changed yet/);
      await page.keyboard.press("Escape");
      await preview(page).waitFor({ state: "detached" });
      assert.equal(await designFile(page), before);
    }
    // What was given up is not in the next preview.
    await paste(page, "nothing of the kind");
    await preview(page).waitFor();
    assert.match(await preview(page).innerText(), /1 lines?/);
    await preview(page).getByRole("button", { name: "Cancel" }).click();
  }));

test("megabytes of output are read in bounds", { timeout: 120_000 }, () =>
  unharmed(async (page) => {
    const topic = (n) => `Topic: load.${n}\tTopicId: AAAAAAAAQACAAAAAAA${String(n).padStart(4, "0")}\tPartitionCount: 3\tReplicationFactor: 3\tConfigs: retention.ms=604800000\n` + [0, 1, 2].map((p) => `\tTopic: load.${n}\tPartition: ${p}\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3\n`).join("");
    const text = Array.from({ length: 3000 }, (_, n) => topic(n)).join("");
    await chooseFile(page, "topics.txt", text);
    await preview(page).waitFor({ timeout: 60_000 });
    assert.match(await preview(page).innerText(), /[\d\u2009]+ facts found/);
    await preview(page).getByRole("button", { name: "Cancel" }).click();
  }));

test("a link that was cut, damaged or made elsewhere says so, and what was open stays open", () =>
  unharmed(async (page) => {
    await page.locator("[data-command=share]").click();
    const link = await page.locator("[data-share-link]").inputValue();
    await page.keyboard.press("Escape");
    const middle = link.length - 200;
    const other = link[middle] === "A" ? "B" : "A";
    const bad = [
      [link.slice(0, -40), /The link is cut short[\s\S]*\d+ of \d+ characters arrived/],
      [link.slice(0, middle) + other + link.slice(middle + 1), /The link is damaged[\s\S]*checksum does not fit/],
      [link.replace(/#d\d+\./, "#d77."), /Made with a newer version[\s\S]*codec 77/],
      [link.replace(/#.*/, "#garbage"), /This is no link to a design[\s\S]*What is open stays as it is/],
      [link.replace(/#d(\d+)\.\d+\./, "#d$1.99."), /Made with a newer version[\s\S]*dictionary 99/],
    ];
    for (const [address, words] of bad) {
      // From outside, as a click in a mail does it.
      await page.goto("about:blank");
      await open(page, address);
      await told(page, words);
      await page.locator('[data-consumer="board"]').waitFor();
      // Into the address bar of the open page.
      await page.evaluate((hash) => (location.hash = hash), new URL(address).hash);
      await told(page, words);
      assert.equal(await page.locator("[data-saved]").getAttribute("data-saved"), "OnDevice");
    }
    await page.goto("about:blank");
    await open(page, `${server.url}#section-2`);
    await page.locator('[data-consumer="board"]').waitFor();
  }));

test("a pasted link that is none is refused in its dialog", async () => {
  const mine = await profile();
  try {
    const page = await mine.page();
    await open(page, server.url);
    await page.getByRole("button", { name: "Open a link" }).click();
    for (const text of ["https://example.org/#d1.1.abc", "no link at all", "#d1.1.AAAAAA10.AAAAAAAAAA"]) {
      await page.locator("dialog textarea").fill(text);
      await page.locator("dialog").getByRole("button", { name: "Open", exact: true }).click();
      await page.locator("dialog [role=alert]", { hasText: /no link to a design|damaged|cut short/ }).waitFor();
    }
    await page.keyboard.press("Escape");
    await page.locator("[data-start=blank]").waitFor();
    mine.clean();
  } finally {
    await mine.close();
  }
});

test("a value that does not fit is refused beside its field, in words", () =>
  unharmed(async (page) => {
    await page.locator('.cv-el[data-element-id="orders"]').click();
    const row = page.locator('[data-inspected="orders"] .setting[data-setting="retention_time"]');
    await row.locator(".setting-name").click();
    for (const text of ["soon", "-3d", "7", "1e99d", "9".repeat(400)]) {
      await row.locator("[data-entry]").fill(text);
      await row.locator("button[type=submit]").click();
      await row.locator("[role=alert]", { hasText: /\w+/ }).waitFor();
    }
    await row.locator("[data-entry]").press("Escape");
  }));
