// Everybody can use it: no finding of axe on any surface, in both themes and on a small window; all of it by keyboard.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { select, selectFrame, selectLink } from "./desk.mjs";
import { open, profile, serve } from "./support.mjs";

const server = await serve();
after(() => server.stop());
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds on the page as it stands: rule and place. */
async function findings(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(async () => {
    // Who speaks to the page finds what is seen by its name. Of signs without letters nothing is said.
    const called = "label-content-name-mismatch";
    const { violations, incomplete } = await window.axe.run(document, { resultTypes: ["violations", "incomplete"], rules: { [called]: { enabled: true } } });
    const seen = ({ target }) => /[\p{L}\d]/u.test(document.querySelector(target.at(-1))?.innerText ?? "");
    violations.push(...incomplete.filter(({ id }) => id === called).map(({ id, nodes }) => ({ id, nodes: nodes.filter(seen) })));
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary.split("\n").slice(1, 3).join(" ").trim()}`));
  });
}

/** The surfaces, each from where the one before it left off. */
const SURFACES = [
  ["start page", async (page) => page.locator("[data-start=paste]").waitFor()],
  [
    "desk",
    async (page) => {
      await page.locator("[data-example=checkout_revenue]").click();
      await page.locator('.cv-el[data-element-id="board"]').waitFor();
    },
  ],
  ["element", (page) => select(page, "orders")],
  [
    "editor",
    async (page) => {
      await page.locator(".setting[data-setting=retention_time] .setting-name").click();
      await page.locator(".setting[data-setting=retention_time] [data-entry]").waitFor();
      await page.getByRole("radio", { name: "Stated" }).click();
      await page.locator("[data-evidence=from]").waitFor();
    },
  ],
  ["job", (page) => selectFrame(page, "revenue")],
  ["link", (page) => selectLink(page, "l3")],
  ["verdict", (page) => drawer(page, "g", "v", "[data-consumer]")],
  ["findings", (page) => drawer(page, "g", "f", "[data-rule]")],
  [
    "explanation",
    async (page) => {
      await select(page, "orders");
      await page.keyboard.press("e");
      await page.locator("[data-figure]").waitFor();
    },
  ],
  [
    "timeline",
    async (page) => {
      await page.keyboard.press("Escape");
      await page.locator(".explanation-popover").waitFor({ state: "detached" });
      await drawer(page, "g", "t", "[data-timeline=sum] [data-record]");
      await page.locator(".tl-table summary").click();
      await page.locator(".tl-table[open]").waitFor();
    },
  ],
  [
    "ruler",
    async (page) => {
      await drawer(page, "g", "r", "[data-ruler] [data-log]");
      await page.locator(".rl .tl-table summary").click();
      await page.locator(".rl .tl-table[open]").waitFor();
    },
  ],
  [
    "state and lag",
    async (page) => {
      await drawer(page, "g", "s", "[data-state] .ch");
      await page.locator(".sl .tl-table summary").first().click();
      await page.locator(".sl .tl-table[open]").first().waitFor();
    },
  ],
  [
    "both views",
    async (page) => {
      await drawer(page, "g", "t", "[data-timeline] [data-record]");
      await page.keyboard.press("Escape");
      await page.locator(".explanation-popover").waitFor({ state: "detached" });
      await page.getByRole("radio", { name: "Both" }).click();
    },
  ],
  [
    "differences",
    async (page) => {
      await drawer(page, "g", "v", ".differences");
      await page.locator(".verdict-head .sign").first().click();
      await page.locator(".explanation-popover [data-figure=badge]").waitFor();
    },
  ],
  [
    "reference",
    async (page) => {
      await page.keyboard.press("Escape");
      await page.locator(".explanation-popover").waitFor({ state: "detached" });
      await page.keyboard.press("g");
      await page.keyboard.press("k");
      await page.locator('[data-page="kafka"]').click();
      await page.locator('[data-reference="kafka"]').waitFor();
    },
  ],
  [
    "rule",
    async (page) => {
      await page.getByRole("radio", { name: "Rules" }).click();
      await page.locator('[data-page="DEL-15"]').click();
      await page.locator('[data-reference="DEL-15"]').waitFor();
    },
  ],
  [
    "menu",
    async (page) => {
      await leave(page);
      await page.getByRole("button", { name: "Menu", exact: true }).click();
      await page.locator("[role=menu]").waitFor();
    },
  ],
  [
    "context menu",
    async (page) => {
      await leave(page);
      await page.locator("[role=application]").focus();
      await page.keyboard.press("Shift+F10");
      await page.locator(".context-menu").waitFor();
    },
  ],
  [
    "map",
    async (page) => {
      await leave(page);
      await page.keyboard.press("m");
      await page.locator("[data-map]").waitFor();
    },
  ],
  [
    "workshop view",
    async (page) => {
      await page.keyboard.press("m");
      await page.keyboard.press("Shift+W");
      await page.locator(".workshop-sentence").waitFor();
    },
  ],
  [
    "commands",
    async (page) => {
      await page.keyboard.press("Escape");
      await page.locator(".workshop-sentence").waitFor({ state: "detached" });
      await dialog(page, "Control+k", "[role=combobox]");
    },
  ],
  ["find", (page) => dialog(page, "Control+f", "[role=combobox]")],
  ["keys", (page) => dialog(page, "?", "dialog")],
  ["import", (page) => dialog(page, "Control+Shift+v", "[data-import-text]")],
  [
    "import preview",
    async (page) => {
      await page.locator("[data-import-text]").fill(readFileSync(join(import.meta.dirname, "fixtures", "groups.txt"), "utf8"));
      await page.getByRole("button", { name: "Read it" }).click();
      await page.locator("[data-fact]").first().waitFor();
    },
  ],
  ["share", (page) => dialog(page, "Control+Shift+s", "[data-share-link]")],
  [
    "documents",
    async (page) => {
      await leave(page);
      await page.keyboard.press("g");
      await page.keyboard.press("d");
      await page.locator("[data-document]").waitFor();
    },
  ],
];

async function leave(page) {
  while (await page.locator("dialog, [role=menu]").count()) {
    const shown = page.locator("dialog, [role=menu]").first();
    await page.keyboard.press("Escape");
    await shown.waitFor({ state: "detached" });
  }
}

async function dialog(page, key, what) {
  await leave(page);
  await page.locator("body").press("Escape");
  await page.keyboard.press(key);
  await page.locator(what).first().waitFor();
}

async function drawer(page, first, second, what) {
  await page.keyboard.press(first);
  await page.keyboard.press(second);
  await page.locator(what).first().waitFor();
}

for (const [colorScheme, width, height] of [["light", 1440, 900], ["dark", 1440, 900], ["light", 1024, 600], ["dark", 1024, 600]]) {
  test(`axe finds nothing, ${colorScheme}, ${width} by ${height}`, { timeout: 180_000 }, async (t) => {
    const mine = await profile({ context: { colorScheme, viewport: { width, height }, reducedMotion: "reduce" } });
    try {
      const page = await mine.page();
      await open(page, server.url);
      for (const [name, reach] of SURFACES) {
        await t.test(name, async () => {
          try {
            await reach(page);
          } catch (error) {
            if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `reach-${name}-${colorScheme}-${width}.png`) });
            throw error;
          }
          const found = await findings(page);
          if (found.length && process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `axe-${name}-${colorScheme}-${width}.png`) });
          assert.deepEqual(found, []);
        });
      }
      mine.clean();
    } finally {
      await mine.close();
    }
  });
}

test("from the blank page to a first verdict by keyboard alone", async () => {
  const mine = await profile();
  try {
    const page = await mine.page();
    await open(page, server.url);
    // Backwards from who acts on the result: sink, operator, channel, source.
    await page.keyboard.press("u");
    await page.locator(".cv-el.cv-consumer:focus").waitFor();
    for (const kind of ["sink", "operator", "channel", "source"]) {
      await page.keyboard.press("Control+ArrowLeft");
      await page.locator(`.cv-el.cv-${kind}:focus`).waitFor();
    }
    const verdict = page.locator("[data-consumer]");
    await verdict.waitFor();
    assert.match(await verdict.innerText(), /No claim|At least once|May be lost/);

    // From the canvas to what is still needed, and an answer given.
    await page.locator("[data-saved=OnDevice]").waitFor();
    const before = await page.locator("[data-missing]").count();
    assert.ok(before > 0, "the source is asked about");
    const here = (selector) => page.evaluate((selector) => document.activeElement?.closest(selector) !== null, selector);
    for (let steps = 0; !(await here("[data-pane=inspector]")); steps += 1) {
      assert.ok(steps < 6, "F6 comes to the inspector");
      // The keyboard moves once the press is dealt with.
      const left = await page.evaluateHandle(() => document.activeElement);
      await page.keyboard.press("F6");
      await page.waitForFunction((left) => document.activeElement !== left, left);
    }
    for (let steps = 0; !(await here("[data-missing=rate]")); steps += 1) {
      assert.ok(steps < 40, "Tab comes to the question");
      await page.keyboard.press("Tab");
    }
    // The row of the setting is put on the page once the rest is drawn.
    await page.locator(".setting[data-setting=rate]").waitFor({ state: "attached" });
    await page.keyboard.press("Enter");
    await page.locator(".setting[data-setting=rate] [data-entry]:focus").waitFor();
    await page.keyboard.type("40/s");
    await page.keyboard.press("Enter");
    await page.locator(".setting[data-setting=rate] form").waitFor({ state: "detached" });
    assert.equal(await page.locator("[data-missing=rate]").count(), 0);

    // And to the verdict.
    await page.keyboard.press("g");
    await page.keyboard.press("v");
    await page.locator("[data-tab=Verdict]:focus").waitFor();
    await page.keyboard.press("Control+z");
    await page.locator("[data-missing=rate]").waitFor();
    mine.clean();
  } finally {
    await mine.close();
  }
});
