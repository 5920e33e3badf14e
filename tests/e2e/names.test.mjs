// Names of eighty letters without a space: they end in an ellipsis or go on in the next line, and leave nothing.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { openFile, select } from "./desk.mjs";
import { go } from "./pictures.mjs";
import { open, profile, serve } from "./support.mjs";

const server = await serve();
after(() => server.stop());

const long = (word) => `${word}_${"abcdefghijklmnopqrstuvwxyz".repeat(4)}`.slice(0, 80);

/** The example with a long name on everything. */
function named() {
  const design = JSON.parse(readFileSync(new URL("../gold/checkout_revenue.json", import.meta.url), "utf8"));
  for (const section of ["elements", "clusters", "events"]) {
    for (const [id, subject] of Object.entries(design[section] ?? {})) subject.name = long(id.replaceAll("_", ""));
  }
  return JSON.stringify({ ...design, name: long("design") });
}

/** What reaches beyond its pane, and panes that scroll sideways. */
const beyond = (page, pane) =>
  page.locator(pane).first().evaluate((pane) => {
    const edge = pane.getBoundingClientRect();
    const scrolls = (el) => el.closest(".table-scroll, .tl-scroll, .page-table, .tab-list, .page-figure, pre") ?? el.closest(".hidden-text");
    const wrong = pane.scrollWidth > pane.clientWidth + 1 ? [`it is ${pane.scrollWidth} wide in ${pane.clientWidth}`] : [];
    for (const el of pane.querySelectorAll("p, h2, h3, h4, b, strong, li, dt, dd, button, td, th")) {
      const box = el.getBoundingClientRect();
      if (box.width > 0 && !scrolls(el) && box.right > edge.right + 1) wrong.push(`${el.tagName} ${el.textContent.slice(0, 40)}`);
    }
    return wrong.slice(0, 5);
  });

for (const [width, height] of [[1440, 900], [390, 844]]) {
  test(`long names leave no pane in a window of ${width} by ${height}`, async () => {
    const mine = await profile({ context: { viewport: { width, height }, reducedMotion: "reduce" } });
    try {
      const page = await mine.page();
      await open(page, server.url);
      await openFile(page, "long.json", named());
      await page.locator('.cv-el[data-element-id="orders"]').waitFor();
      for (const key of ["v", "f", "e", "t", "r", "s"]) {
        await go(page, key);
        await page.waitForTimeout(150);
        assert.deepEqual(await beyond(page, ".drawer-body"), [], `drawer ${key}`);
      }
      await go(page, "d");
      await page.locator(".page").waitFor();
      assert.deepEqual(await beyond(page, ".page"), [], "document");
      if (width > 1000) {
        assert.deepEqual(await beyond(page, ".reports-side"), [], "gaps");
        await page.getByRole("button", { name: "Back to the canvas" }).click();
        assert.deepEqual(await beyond(page, ".inspector"), [], "the design");
        await select(page, "orders");
        assert.deepEqual(await beyond(page, ".inspector"), [], "an element");
        // What is cut is said whole where the pointer comes upon it.
        const name = page.locator('[role=treeitem]', { hasText: "orders_" }).locator(".cut").first();
        await name.hover();
        assert.equal(await name.getAttribute("title"), long("orders"));
      }
      const top = await page.locator(".top").evaluate((bar) => bar.scrollWidth <= bar.clientWidth);
      assert.ok(top, "the top bar");
      mine.clean();
    } finally {
      await mine.close();
    }
  });
}
