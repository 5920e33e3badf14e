// What comes in: where an import stands, how another design opens, and what is said of what cannot come in.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { designFile, elements, example, place, saved, select, view } from "./desk.mjs";
import { open, profile, serve } from "./support.mjs";

const server = await serve();
after(() => server.stop());

const fixture = (name) => readFileSync(join(import.meta.dirname, "fixtures", name), "utf8");
const still = (width, height) => ({ context: { viewport: { width, height }, reducedMotion: "reduce" } });

async function take(page, text) {
  await page.keyboard.press("Control+Shift+v");
  await page.locator("[data-import-text]").fill(text);
  await page.getByRole("button", { name: "Read it" }).click();
  const before = await elements(page);
  await page.locator("[data-import-apply]").click();
  await page.waitForFunction((count) => document.querySelectorAll(".cv-el[data-element-id]").length > count, before.length);
  return before;
}

/** The boxes of these elements, in canvas units. */
const places = async (page, ids) => Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await place(page, id)])));

/** All that stands on the canvas is in the part of it that is seen. */
async function seen(page) {
  await page.waitForFunction(() => {
    const pane = document.querySelector("[data-pane=canvas]").getBoundingClientRect();
    const all = [...document.querySelectorAll(".cv-el[data-element-id]")].map((el) => el.getBoundingClientRect());
    return all.length > 0 && all.every((box) => box.left >= pane.left && box.right <= pane.right && box.top >= pane.top && box.bottom <= pane.bottom);
  });
}

for (const [width, height] of [[1440, 900], [390, 844]]) {
  test(`an import stands below what is drawn and moves nothing of it, in a window of ${width} by ${height}`, () =>
    example(server, still(width, height), async (page) => {
      const old = await places(page, await elements(page));
      const before = await take(page, fixture("topics.txt"));
      const now = await places(page, await elements(page));
      for (const id of before) assert.deepEqual(now[id], old[id], id);
      const lowest = Math.max(...Object.values(old).map((box) => box.y + box.h));
      const came = Object.keys(now).filter((id) => !before.includes(id));
      assert.ok(came.length >= 2);
      for (const id of came) assert.ok(now[id].y > lowest, `${id} stands in the drawing`);
      await seen(page);
      // A second import leaves the first where it is.
      const again = await take(page, fixture("groups.txt").replaceAll("gate-audit", "gate-watch").replaceAll("parking.entries", "parking.exits"));
      const then = await places(page, again);
      for (const id of again) assert.deepEqual(then[id], now[id], id);
      // Both can be taken back, the places with them.
      await page.keyboard.press("Control+z");
      await page.keyboard.press("Control+z");
      await page.waitForFunction((count) => document.querySelectorAll(".cv-el[data-element-id]").length === count, before.length);
      assert.deepEqual(await places(page, before), old);
    }));
}

test("an import on an empty desk is seen whole, and the next one moves nothing of it", async () => {
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    const mine = await profile(still(width, height));
    try {
      const page = await mine.page();
      await open(page, server.url);
      await take(page, fixture("topics.txt"));
      await seen(page);
      const first = await places(page, await elements(page));
      await take(page, fixture("topics.txt").replaceAll("parking", "arking").replaceAll("PARKING", "ARKING"));
      await seen(page);
      assert.deepEqual(await places(page, Object.keys(first)), first);
      mine.clean();
    } finally {
      await mine.close();
    }
  }
});

test("a long text says at once that it is read, and puts on the page what can be looked at", async () => {
  const mine = await profile(still(1440, 900));
  try {
    const page = await mine.page();
    await open(page, server.url);
    const one = fixture("configs.txt").split("\n").slice(1).join("\n");
    let text = "";
    for (let n = 0; text.length < 256 * 1024; n += 1) text += one.replaceAll("parking", `lot${n}`);
    await page.keyboard.press("Control+Shift+v");
    await page.locator("[data-import-text]").evaluate((area, text) => {
      area.value = text;
      area.dispatchEvent(new Event("input"));
    }, text);
    await page.evaluate(() => {
      new MutationObserver(() => (window.saidReading ||= !!document.querySelector("[data-import-reading]"))).observe(document.body, { childList: true, subtree: true });
    });
    await page.getByRole("button", { name: "Read it" }).click();
    await page.waitForFunction(() => window.saidReading);
    await page.locator("[data-import-apply]").waitFor();
    const nodes = () => page.locator("dialog *").count();
    assert.ok((await nodes()) < 12_000, `${await nodes()} nodes`);
    // What is folded opens, and what is not listed is.
    const rows = () => page.locator("dialog [data-fact]").count();
    const before = await rows();
    await page.locator("[data-import-open]").first().click();
    await page.waitForFunction((count) => document.querySelectorAll("dialog [data-fact]").length > count, before);
    const blocks = await page.locator("[data-import-subject]").count();
    const more = page.locator("[data-import-all]");
    const left = Number((await more.textContent()).match(/\d+/)[0]);
    await more.click();
    await page.waitForFunction((count) => document.querySelectorAll("[data-import-subject]").length === count, blocks + left);
    // All of it is taken, also what was never opened.
    await page.locator("[data-import-apply]").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.locator(".toasts .toast", { hasText: "Imported" }).waitFor();
    mine.clean();
  } finally {
    await mine.close();
  }
});

test("another design opens whole, whatever was seen of the last one", () =>
  example(server, still(1440, 900), async (page) => {
    const fitted = await view(page);
    for (let n = 0; n < 4; n += 1) await page.keyboard.press("Control+=");
    await page.mouse.move(600, 300);
    await page.mouse.wheel(400, 300);
    assert.notDeepEqual(await view(page), fitted);
    await page.locator(".commands").click();
    await page.keyboard.type("New design");
    await page.keyboard.press("Enter");
    await page.locator("[data-start=blank]").click();
    await page.waitForFunction(() => new DOMMatrix(getComputedStyle(document.querySelector(".cv-world")).transform).isIdentity);
    // The same example once more: the same ids, and still whole.
    await page.locator(".commands").click();
    await page.keyboard.type("New design");
    await page.keyboard.press("Enter");
    await page.locator("[data-example=checkout_revenue]").click();
    await seen(page);
  }));

test("what was changed in an import preview is said, and can be taken back", () =>
  example(server, still(1440, 900), async (page) => {
    await page.keyboard.press("Control+Shift+v");
    await page.locator("[data-import-text]").fill(fixture("topics.txt"));
    await page.getByRole("button", { name: "Read it" }).click();
    const subject = page.locator("[data-import-subject=parking_entries]");
    const changed = page.locator("[data-import-changed]");
    await subject.waitFor();
    assert.equal(await changed.count(), 0);
    await subject.locator("[data-fact=retention_time] input").uncheck();
    assert.match(await changed.innerText(), /You changed: 1 fact left out\./);
    await subject.getByRole("checkbox").first().uncheck();
    assert.match(await changed.innerText(), /1 part of the design left out, 1 fact left out/);
    await changed.getByRole("button", { name: "As proposed" }).click();
    await changed.waitFor({ state: "detached" });
    assert.ok(await subject.locator("[data-fact=retention_time] input").isChecked());
  }));

test("a connector that is pasted stands with its topic and its store, and its secrets nowhere", () =>
  example(server, still(1440, 900), async (page) => {
    await page.keyboard.press("Control+Shift+v");
    await page.locator("[data-import-text]").fill(fixture("connector.txt"));
    await page.getByRole("button", { name: "Read it" }).click();
    const mode = page.locator("[data-fact=write_mode]");
    await mode.waitFor();
    assert.match(await mode.innerText(), /insert\.mode[\s\S]*upsert[\s\S]*line 2/);
    assert.ok(!(await page.locator("dialog").innerText()).includes("hunter2"), "a secret is shown");
    await page.locator("[data-import-apply]").click();
    await page.locator(".cv-el[data-element-id=bills_jdbc]").waitFor();
    const there = await elements(page);
    for (const id of ["bills", "bills_jdbc", "billing"]) assert.ok(there.includes(id), `${id} is drawn: ${there}`);
  }));

test("a part of a newer version is not pasted, and says what it needs", () =>
  example(server, still(1440, 900), async (page) => {
    const before = await designFile(page);
    const newer = before.replace(/"version": \d+/, '"version": 99');
    await page.locator(".cv-canvas").focus();
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, newer);
    const toast = page.locator(".toast", { hasText: "it needs a newer desk" });
    await toast.waitFor();
    assert.match(await toast.innerText(), /version 99[\s\S]*Nothing was changed/);
    assert.equal(await designFile(page), before);
    await toast.getByRole("button", { name: "Open to read" }).click();
    await page.locator("[data-saved=Reading]").waitFor();
  }));

test("a refusal at a field says what is wrong with what was typed, as it was typed", () =>
  example(server, still(1440, 900), async (page) => {
    await select(page, "orders");
    for (const [setting, typed, says] of [
      ["partitions", "-3", /^“-3” is less than 1\. Allowed: a whole number from 1 to/],
      ["retention_time", "99999999999999999999 d", /^“99999999999999999999 d” is too large\. Allowed: a time such as 10min/],
      ["retention_size", "50 gib", /^“50 gib” has the unit gib.*did you mean GiB\?/],
    ]) {
      const row = page.locator(`[data-pane=inspector] .setting[data-setting="${setting}"]`);
      await row.locator(".setting-name").click();
      await row.locator("[data-entry]").fill(typed);
      await row.locator("button[type=submit]").click();
      const message = row.locator("[role=alert]");
      assert.match(await message.innerText(), says);
      assert.equal(await row.locator("[data-entry]").inputValue(), typed, "what was typed stays to be mended");
      await page.keyboard.press("Escape");
      await row.locator("form").waitFor({ state: "detached" });
    }
    await saved(page);
  }));
