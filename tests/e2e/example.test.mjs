// The built-in example with the figures of the pictures, the three views, both themes, and how few actions lead to a verdict.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { added, dragLink, elements, explained, links, select, selectFrame } from "./desk.mjs";
import { open, profile, serve } from "./support.mjs";

const server = await serve();
after(() => server.stop());

/** Runs a part with a profile of its own, in which nothing may go wrong. */
async function fresh(options, run) {
  const mine = await profile(options);
  try {
    const page = await mine.page();
    await open(page, server.url);
    await run(page);
    mine.clean();
  } finally {
    await mine.close();
  }
}

const example = async (page) => {
  await page.locator("[data-example=checkout_revenue]").click();
  await page.locator('[data-consumer="board"]').waitFor();
};
const panel = (page) => page.locator("[role=tabpanel]");
const tab = (page, name) => page.locator(`[data-tab=${name}]`).click();
const contrast = (page, selector) =>
  page.locator(selector).first().evaluate((el) => {
    const light = (color) => color.match(/[\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;
    return light(getComputedStyle(el).color) - light(getComputedStyle(document.body).backgroundColor);
  });

test("one click opens Checkout revenue with the figures of the pictures, each explained", () =>
  fresh({}, async (page) => {
    await example(page);
    const inInspector = (pick, id, name) => async () => {
      await pick(page, id);
      return page.locator("[data-pane=inspector]").getByRole("button", { name });
    };
    const inVerdict = (name) => async () => panel(page).getByRole("button", { name });
    const figures = [
      ["7 h 27 min", inInspector(select, "orders", "replay reach, worst case: 7 h 27 min. Explain"), /(50 GiB|53\.7 GB)[\s\S]*2 MB\/s/],
      ["2.02 GB", inInspector(select, "dedup", "state at its bound: 2.02 GB. Explain"), /25.920.000[\s\S]*60 B/],
      ["2 min 7 s", inInspector(selectFrame, "revenue", "recovery time: 2 min 7 s. Explain"), /detection\s+50 s[\s\S]*20 s/],
      ["537 s", inVerdict("537 s. Explain"), /10 min[\s\S]*(60 s|1 min)/],
      ["5 min 30 s", inVerdict("latency: 5 min 30 s. Explain"), /5 min[\s\S]*30 s/],
    ];
    for (const [text, find, inputs] of figures) {
      await tab(page, "Verdict");
      const figure = (await find()).first();
      const popover = await explained(page, figure);
      const shown = popover.locator("[data-figure]");
      // Sentences write a bound as time-outs are written, in seconds.
      const opens = text === "537 s" ? /^(537 s|8 min 57 s)/ : new RegExp(`^${text.replace(".", "\\.")}`);
      assert.match(await shown.innerText(), opens, `${text} is explained, not ${await shown.innerText()}`);
      assert.match(await popover.innerText(), inputs, `the inputs of ${text}`);
      assert.ok((await popover.locator("[role=treeitem]").count()) > 2, `${text} has its formula and its inputs`);
      await page.keyboard.press("Escape");
      await popover.waitFor({ state: "detached" });
    }
  }));

test("as it is, as it shall be, both", () =>
  fresh({}, async (page) => {
    await example(page);
    const card = page.locator('[data-consumer="board"]');
    assert.equal(await card.getAttribute("data-verdict"), "1*..1*");
    // The outline shows what the canvas shows: 17 elements, as-is without the topic that is only planned.
    const tree = page.locator("[role=treeitem]");
    const late = tree.filter({ hasText: "orders_late" });
    await late.waitFor();
    assert.equal(await tree.count(), 17);
    await page.getByRole("radio", { name: "As-is" }).click();
    await page.locator('[data-consumer="board"][data-verdict="0..1*"]').waitFor();
    assert.match(await card.innerText(), /May be lost[\s\S]*events later than 30\ss/);
    assert.equal(await page.locator('.cv-el[data-element-id="orders_late"]').count(), 0, "what is only planned is not there yet");
    await late.waitFor({ state: "detached" });
    assert.equal(await tree.count(), 16);
    await page.getByRole("radio", { name: "Both" }).click();
    await page.locator(".cv-was-badge, .cv-as-is").first().waitFor();
    await late.waitFor();
    assert.equal(await tree.count(), 17);
    const both = await panel(page).innerText();
    assert.match(both, /As-is[\s\S]*May be lost[\s\S]*To-be[\s\S]*At least once/);
    await page.keyboard.press("]");
    await page.locator('[data-consumer="board"][data-verdict="1*..1*"]').waitFor();
  }));

for (const colorScheme of ["light", "dark"]) {
  test(`starts ${colorScheme} where the system is, and changes`, () =>
    fresh({ context: { colorScheme } }, async (page) => {
      const theme = () => page.locator("html").getAttribute("data-theme");
      assert.equal(await theme(), colorScheme);
      await example(page);
      const first = await contrast(page, ".verdict-sentence");
      await page.locator(".top [aria-label='Light or dark']").click();
      const other = colorScheme === "light" ? "dark" : "light";
      await page.locator(`html[data-theme=${other}]`).waitFor({ state: "attached" });
      const second = await contrast(page, ".verdict-sentence");
      assert.ok(Math.abs(first) > 120 && Math.abs(second) > 120, `text stands out: ${first}, ${second}`);
      assert.ok(first * second < 0, "dark on light and light on dark");
      await page.reload();
      await page.locator("[data-app-ready]").waitFor({ state: "attached" });
      assert.equal(await theme(), other, "the choice is kept");
    }));
}

/** Counts what a person does. */
const counter = () => {
  let count = 0;
  return { act: async (run) => ((count += 1), await run()), count: () => count };
};

test("a first verdict by template in at most 10 actions", () =>
  fresh({}, async (page) => {
    const { act, count } = counter();
    await act(() => page.locator("[data-example=change_capture]").click());
    const verdict = page.locator("[data-consumer]").first();
    await verdict.waitFor();
    assert.ok((await verdict.getAttribute("data-verdict")).length > 0);
    assert.ok(count() <= 10, `${count()} actions`);
  }));

test("a first verdict by import in at most 10 actions", () =>
  fresh({}, async (page) => {
    const { act, count } = counter();
    const text = readFileSync(join(import.meta.dirname, "fixtures", "topics.txt"), "utf8");
    await page.evaluate((text) => navigator.clipboard.writeText(text), text);
    await act(() => page.keyboard.press("Control+v"));
    await page.locator("[data-import-subject=parking_entries]").waitFor();
    await act(() => page.locator("[data-import-apply]").click());
    await page.locator('.cv-el[data-element-id="parking_entries"]').waitFor();
    const [consumer] = await act(() => added(page, elements, () => page.keyboard.press("u")));
    await act(() => added(page, links, () => dragLink(page, "parking_entries", consumer)));
    const verdict = page.locator(`[data-consumer="${consumer}"]`);
    await verdict.waitFor();
    assert.match(await verdict.innerText(), /parking\.entries/, "the verdict speaks of what was read");
    assert.ok(count() <= 10, `${count()} actions`);
  }));
