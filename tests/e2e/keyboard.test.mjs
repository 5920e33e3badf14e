// The keyboard stays where it is while the design changes under it: an edit is taken back and done again from inside a
// list, a table or a form, and the same control still has it.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { answer, example, select, selectFrame } from "./desk.mjs";
import { serve } from "./support.mjs";

const server = await serve();
after(() => server.stop());

const wide = { context: { viewport: { width: 1600, height: 1000 }, reducedMotion: "reduce" } };
const inspector = "[data-pane=inspector]";
const drawn = (page) => page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done, 150)), 0)));

/** Tabs out of a control and back, so that the keyboard came to it as a person brings it there. */
async function tabInto(page, selector) {
  const control = page.locator(selector).first();
  await control.waitFor();
  await control.focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  const node = await page.evaluateHandle(() => document.activeElement);
  assert.ok(await page.evaluate(([node, selector]) => node.matches(selector), [node, selector]), `Tab comes to ${selector}`);
  return node;
}

/** Takes the last edit back and does it again; the keyboard stays in this control all the time, at the same place. */
async function stays(page, selector, what) {
  const node = await tabInto(page, selector);
  // Where it stands on the screen; what is above it may get longer, and then the pane is scrolled by as much.
  const place = () => page.evaluate((node) => [node.getBoundingClientRect().top, node.closest(".drawer-body, [data-pane]").scrollTop], node);
  const [top, scrolled] = await place();
  // Where letters are typed or chosen the keys are the control's own: there the edit is taken back from the bar.
  const own = await page.evaluate((node) => node.matches("input, select, textarea"), node);
  for (const [keys, command] of [["Control+z", "undo"], ["Control+Shift+z", "redo"]]) {
    if (own) await page.evaluate((command) => document.querySelector(`[data-command=${command}]`).click(), command);
    else await page.keyboard.press(keys);
    await drawn(page);
    const has = await page.evaluate((node) => [document.activeElement === node, document.activeElement?.outerHTML.slice(0, 120)], node);
    assert.ok(has[0], `${what}, ${keys}: ${has[1]} has the keyboard instead`);
    const [now, then] = await place();
    assert.ok(then === scrolled || Math.abs(now - top) < 2, `${what}, ${keys}: it is scrolled elsewhere`);
  }
}

const tab = (name) => (page) => page.locator("[role=tab]", { hasText: name }).click();
const opened = (name, details) => async (page) => {
  await tab(name)(page);
  const summary = page.locator(`.drawer-body ${details} > summary`).first();
  await summary.waitFor();
  await summary.evaluate((summary) => summary.parentElement.open || summary.click());
};
const nothing = async (page) => {
  await page.locator("[role=application]").focus();
  await page.keyboard.press("Escape");
  await page.locator(`${inspector} [data-records=evidence]`).first().waitFor();
};

const places = [
  ["the hop table", tab("Verdict"), '.hops [data-hop="sum"] .hop-name'],
  ["the frame of the hop table", tab("Verdict"), ".drawer-body .table-scroll"],
  ["the weakest hops", tab("Verdict"), ".weak-card button"],
  ["why", opened("Verdict", "details.verdict-more"), "details.verdict-more summary"],
  ["other consumers", tab("Verdict"), ".other-consumer"],
  ["findings", tab("Findings"), ".finding .rule-id"],
  ["the figures of an explanation", tab("Explain"), ".explanation-side .plain-link"],
  ["the records of a timeline", tab("Timeline"), '[data-record][aria-checked="true"]'],
  ["the logs of a ruler", tab("Replay"), '.rl-log[aria-checked="true"]'],
  ["a table behind a ruler", opened("Replay", "details.tl-table"), "details.tl-table .table-scroll"],
  ["the lines of a state", tab("State"), '.sl .fact [data-explains$=" state_ttl"], .sl .fact .explained'],
  ["a table of state", opened("State", "details.tl-table"), "details.tl-table .table-scroll"],
  ["the outline", (page) => page.locator('[data-outline-id="orders"]').click(), '[role=treeitem][tabindex="0"]'],
  ["what is still needed", (page) => selectFrame(page, "revenue"), `${inspector} .asks .ask`],
  ["figures", (page) => select(page, "sum"), `${inspector} [aria-label=Figures] .explained`],
  ["settings", (page) => select(page, "sum"), `${inspector} .setting-name`],
  ["the structure of a step", (page) => select(page, "sum"), `${inspector} select[data-field=step]`],
  ["the structure of a job", (page) => selectFrame(page, "revenue"), `${inspector} select[data-field=system]`],
  ["event types", nothing, `${inspector} .list-row`],
  ["evidence", nothing, `${inspector} [data-record-edit]`],
];

test("the keyboard stays in each list while an edit from elsewhere is taken back and done again", () =>
  example(server, wide, async (page) => {
    await select(page, "orders");
    const name = page.locator(`${inspector} [data-field=name]`);
    await name.fill("orders of all shops");
    await name.press("Enter");
    await drawn(page);
    for (const [what, go, selector] of places) {
      await go(page);
      await drawn(page);
      await stays(page, selector, what);
    }
  }));

test("a list that gets a row keeps the keyboard, and a form in it what is half typed", () =>
  example(server, wide, async (page) => {
    await nothing(page);
    const rows = page.locator(`${inspector} [data-records=evidence] [data-record]`);
    const ids = () => rows.evaluateAll((all) => all.map((row) => row.dataset.record));
    const old = await ids();
    await select(page, "orders");
    await answer(page, "rate", "300/s");
    await drawn(page);
    await nothing(page);
    const now = await ids();
    assert.equal(now.length, old.length + 1, "what was stated has evidence of its own");
    for (const id of [old.at(0), old.at(-1)]) {
      await stays(page, `${inspector} [data-record-edit="${id}"]`, `the row of ${id}`);
      assert.deepEqual(await ids(), now);
    }
    await page.locator(`${inspector} [data-record-edit="${old.at(-1)}"]`).click();
    await drawn(page);
    const field = page.locator(`${inspector} [data-record="${old.at(-1)}"] form input`).first();
    await field.fill("half typed");
    await stays(page, `${inspector} [data-record="${old.at(-1)}"] form input`, "a form");
    assert.equal(await field.inputValue(), "half typed");
  }));
