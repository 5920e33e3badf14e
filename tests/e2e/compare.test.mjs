// As-is against to-be: what the proposed changes gain and cost, which change brings what, and the pages of the reference.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { example, explained, select, selectLink } from "./desk.mjs";
import { serve } from "./support.mjs";

const server = await serve();
after(() => server.stop());

const STILL = { context: { reducedMotion: "reduce" } };
const row = (page, topic, direction) => page.locator(`.differences [data-difference=${topic}][data-direction="${direction}"]`);

test("both views say what the changes gain and cost, and where each difference comes from", () =>
  example(server, STILL, async (page) => {
    await page.locator(".beside", { hasText: /5 gains .*2 costs .*1 halt raised/ }).waitFor();
    await page.keyboard.press("\\");
    await page.locator(".cv-both[data-changes='6']").waitFor();
    await row(page, "loss", "better").first().waitFor();
    assert.match(await row(page, "halts", "worse").innerText(), /change allowed lateness 0 s → 10 min of sum by store/);
    // A number of either side explains itself.
    const state = row(page, "state", "worse").first();
    const shown = await explained(page, state.locator(".as-is-cell .explained"));
    assert.match(await shown.innerText(), /187 kB/);
    await page.keyboard.press("Escape");
    await explained(page, state.locator(".to-be-cell .explained"));
    await page.keyboard.press("Escape");
    // Which change brings it is found on demand.
    await page.locator("[data-trace]").click();
    await row(page, "findings", "better").filter({ hasText: "TIM-04" }).filter({ hasText: "orders_late is added" }).waitFor();
    await row(page, "halts", "worse").filter({ hasText: "allowed lateness 0 s → 10 min of sum by store" }).waitFor();
    await row(page, "values", "better").filter({ hasText: "allowed lateness 0 s → 10 min of sum by store" }).waitFor();
  }));

for (const [width, height] of [[1440, 900], [1024, 600]]) {
  test(`in both views nothing covers what has to be read, ${width} by ${height}`, () =>
    example(server, { context: { ...STILL.context, viewport: { width, height } } }, async (page) => {
      await page.getByRole("radio", { name: "Both" }).click();
      await page.locator(".cv-both[data-changes='6']").waitFor();
      await page.locator(".cv-was-badge").first().waitFor();
      await page.evaluate(() => document.fonts.ready.then(() => true));
      const wrong = await page.evaluate(() => {
        const wrong = [];
        const all = (selector) => [...document.querySelectorAll(selector)].map((el) => [el.textContent, el.getBoundingClientRect()]).filter(([, r]) => r.width > 0);
        const on = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        const apart = (some, others) => {
          for (const [what, at] of all(some)) for (const [other, under] of all(others)) if (on(at, under)) wrong.push(`${what} (${some}) stands on ${other}`);
        };
        // The word of today on no header, the legend on nothing that is drawn, no number cut.
        apart(".cv-was-badge .cv-as-is", ".cv-head");
        apart(".cv-both", ".cv-el, .cv-pill, .cv-badge, .cv-flag-words, .halt-banner, .cv-toolbar");
        for (const b of document.querySelectorAll(".cv-number b")) if (b.scrollWidth > b.clientWidth + 1) wrong.push(`${b.textContent} is cut`);
        for (const b of document.querySelectorAll(".differences .explained")) if (b.getBoundingClientRect().right > b.closest("td").getBoundingClientRect().right + 1) wrong.push(`${b.textContent} leaves its cell`);
        return wrong;
      });
      assert.deepEqual(wrong, []);
      // The new number stands there, the one of today where there is room for both.
      const state = (await page.locator('.cv-el[data-element-id="sum"] .cv-figure').innerText()).replaceAll("\u00a0", " ");
      assert.match(state, width > 1280 ? /187 kB →\s*374 kB/ : /^374 kB/);
    }));
}

test("the comparison is said to screen readers", () =>
  example(server, STILL, async (page) => {
    await page.getByRole("radio", { name: "Both" }).click();
    await page.locator("[aria-live=polite]").filter({ hasText: /Revenue board: 5 gains/ }).first().waitFor({ state: "attached" });
  }));

test("a badge opens what it rests on by click and by key", () =>
  example(server, STILL, async (page) => {
    await page.locator(".verdict-head .sign").click();
    const shown = page.locator(".explanation-popover");
    await shown.locator("[data-figure=badge]").waitFor();
    assert.match(await shown.innerText(), /What can be lost[\s\S]*What can be repeated/);
    await page.keyboard.press("Escape");
    await page.locator(".verdict-head .sign:focus").waitFor();
    await selectLink(page, "l4");
    await page.keyboard.press("e");
    await shown.locator("[data-figure=badge]").waitFor();
    assert.match(await shown.innerText(), /outbox_id/);
  }));

test("every system and every rule has a page: from the keys, the palette, the inspector and a finding", () =>
  example(server, STILL, async (page) => {
    await page.keyboard.press("g");
    await page.keyboard.press("k");
    await page.locator(".reference").waitFor();
    await page.locator(".reference [type=search]:focus").waitFor();
    await page.keyboard.type("postgres sink");
    await page.locator('[data-page="postgres"]').waitFor();
    await page.keyboard.press("ArrowDown");
    await page.locator(".reference-pages button:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.locator('[data-reference="postgres"]', { hasText: "a unique key is enforced at the write" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".reference").waitFor({ state: "detached" });
    // From the palette.
    await page.keyboard.press("Control+k");
    await page.locator(".palette-input").fill("Apache Flink");
    await page.locator(".palette-entry", { hasText: "what it can do" }).first().click();
    await page.locator('[data-reference="flink"]').waitFor();
    await page.keyboard.press("Escape");
    // From the inspector.
    await select(page, "orders");
    await page.locator('[data-system-page="kafka"]').click();
    await page.locator('[data-reference="kafka"]', { hasText: "min.insync.replicas" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator('[data-system-page="kafka"]:focus').waitFor();
    // From a finding.
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("f");
    await page.locator('.drawer .findings [data-rule-page="DEL-15"]').first().click();
    await page.locator('[data-reference="DEL-15"]', { hasText: "What to do" }).waitFor();
    await page.locator('.reference [role=radio][aria-checked="true"]', { hasText: "Rules" }).waitFor();
  }));
