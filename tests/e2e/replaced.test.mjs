// Another design takes the place of the open one, whatever is under way: a selection, an open editor, a name being
// written, an explanation, a drag. Nothing that comes a frame later may reach for what is gone.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { designFile, example, middle, saved, select } from "./desk.mjs";
import { serve } from "./support.mjs";

const server = await serve();
after(() => server.stop());

const element = (page, id) => page.locator(`.cv-el[data-element-id="${id}"]`);

/** What somebody may be in the middle of. */
const UNDER_WAY = {
  selection: (page) => select(page, "orders"),
  editor: async (page) => {
    await select(page, "orders");
    const row = page.locator('[data-pane=inspector] .setting[data-setting="retention_time"]');
    await row.locator(".setting-name").click();
    await row.locator("[data-entry]").fill("3 d");
  },
  "name being written": async (page) => {
    await select(page, "orders");
    await page.keyboard.press("F2");
    await page.locator(".cv-rename").fill("orders to be");
  },
  "name in the inspector": async (page) => {
    await select(page, "orders");
    await page.locator("[data-pane=inspector] .name-input").fill("orders to be");
  },
  explanation: async (page) => {
    await select(page, "orders");
    await element(page, "orders").locator(".cv-number").click();
    await page.locator(".explanation-popover").waitFor();
  },
  drag: async (page) => {
    const at = await middle(page, "orders");
    await page.mouse.move(at.x, at.y - 20);
    await page.mouse.down();
    await page.mouse.move(at.x + 40, at.y, { steps: 4 });
  },
  "several selected, replay open": async (page) => {
    await page.keyboard.press("Control+a");
    await page.getByRole("tab", { name: "Replay" }).click();
  },
};

/** Ways in which another design comes, and what shows that it is there. */
const WAYS = {
  "a link": {
    prepare: (page) => linkOf(page),
    go: (page, link) => page.evaluate((hash) => (location.hash = hash), link),
    there: (page) => page.locator("[data-saved=Reading]").waitFor({ state: "attached" }),
  },
  "a file of a newer version": {
    prepare: async (page) => (await designFile(page)).replace(/"version": \d+/, '"version": 99'),
    go: (page, text) => drop(page, "newer.json", text),
    there: (page) => page.locator("[data-newer]").waitFor(),
  },
  "a file": {
    prepare: async (page) => (await designFile(page)).replace('"name": "Checkout revenue"', '"name": "Another one"'),
    go: (page, text) => drop(page, "other.json", text),
    there: (page) => page.waitForFunction(() => document.title.startsWith("Another one")),
  },
  "the start page": {
    prepare: () => {},
    go: async (page) => {
      // Not by the pointer, which may be in the middle of a drag.
      await page.locator("button[aria-label=Menu]").dispatchEvent("click");
      await page.locator(".menu [data-command=new]").dispatchEvent("click");
    },
    there: (page) => page.locator("[data-example=checkout_revenue]").waitFor(),
  },
};

async function linkOf(page) {
  await page.locator(".top [data-command=share]").click();
  const link = await page.locator("[data-share-link]").inputValue();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  return link.slice(link.indexOf("#"));
}

/** Drops a file on the page. */
const drop = (page, name, text) =>
  page.evaluate(
    ([name, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name, { type: "application/json" }));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [name, text],
  );

/** Two frames and the tasks behind them are over. */
const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 400)))));

for (const [way, { prepare, go, there }] of Object.entries(WAYS)) {
  test(`${way} takes the place of what is open, whatever is under way`, { timeout: 120_000 }, () =>
    example(server, {}, async (page) => {
      const given = await prepare(page);
      for (const [what, begin] of Object.entries(UNDER_WAY)) {
        await begin(page);
        await go(page, given);
        await there(page);
        await settled(page);
        assert.equal(await page.locator(".crash").count(), 0, `${way}, ${what}: the desk runs on`);
        await page.mouse.up();
        // What was half written belongs to what is gone.
        assert.equal(await page.locator(".cv-rename, .editor").count(), 0, `${way}, ${what}: no field is left over`);
        await again(page);
      }
    }));
}

/** The example is open again, to be edited, and nothing is under way. */
async function again(page) {
  await page.evaluate(() => history.replaceState(null, "", location.pathname));
  await page.reload();
  await page.locator("[data-app-ready]").waitFor({ state: "attached" });
  await page.locator('[data-example=checkout_revenue], .cv-el[data-element-id="orders"]').first().waitFor();
  if (await page.locator("[data-example=checkout_revenue]").count()) await page.locator("[data-example=checkout_revenue]").click();
  await element(page, "orders").waitFor();
  await saved(page);
}

test("a copy of a link is kept while something is selected", () =>
  example(server, {}, async (page) => {
    const link = await linkOf(page);
    await page.evaluate((hash) => (location.hash = hash), link);
    await page.locator("[data-keep]").waitFor();
    await select(page, "orders");
    await page.locator("[data-keep]").click();
    await saved(page);
    await settled(page);
    assert.equal(await page.locator(".crash").count(), 0);
    assert.equal(await page.locator("[data-inspected=orders]").count(), 1, "what was selected stays so");
  }));
