// State and lag: what a step keeps and how its job comes back, how a group catches up; the timeline from the canvas.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { example, explained, select, selectFrame } from "./desk.mjs";
import { alone, go, SIZES, whole } from "./pictures.mjs";
import { serve } from "./support.mjs";

const server = await serve();
after(() => server.stop());

test("state to its bound, recovery term by term, lag and its target, each number with its explanation", () =>
  example(server, {}, async (page) => {
    await select(page, "dedup");
    await page.locator("[data-pane=inspector] [data-to=go-state]").click();
    const view = page.locator("[data-state=dedup][data-lag=revenue]");
    // 300 /s for a day, 60 B each, 1.3 times on disk.
    await view.getByRole("heading", { name: /grows to at most 2\.02 GB, within 24 h/ }).waitFor();
    await view.getByRole("heading", { name: /After 30 min down, as an example, the group needs 7 min 30 s/ }).waitFor();
    await view.getByRole("img", { name: /detection 50 s, rescheduling 20 s, restore 4 s, catch-up 53 s/ }).waitFor();
    // What is drawn on a chart is said, and what the grounds of the bar mean.
    await view.getByRole("img", { name: /^Lag over time: .* On it: orders deletes after 7 h 27 min, above this chart \(configured\); .*uncommitted results can be lost \(configured\); no target line/ }).waitFor();
    assert.match(await view.locator("[data-terms]").innerText(), /nothing is read:\s+detection[\s\S]*restore[\s\S]*it reads, and is behind:\s+catch-up/);
    const shown = await explained(page, view.locator('[data-explains="dedup State"]').first());
    assert.match(await shown.innerText(), /live bytes × space amplification/);
    await page.keyboard.press("Escape");
    await shown.waitFor({ state: "detached" });
    const unknown = await explained(page, view.locator('[data-explains="revenue lag_target"]').first());
    assert.match(await unknown.innerText(), /not stated/);
    await page.keyboard.press("Escape");
    assert.match(await view.locator("[data-unknown]").first().innerText(), /checkpoint size[\s\S]*checkpoints/);
    // A number that is not derivable opens what it would need.
    const absent = view.locator(".absent-figure").first();
    const lacks = await explained(page, absent.locator("[data-explains]"));
    assert.match(await lacks.innerText(), /It would need:/);
    const needed = (await absent.locator(".block").innerText()).replace(/^needs /, "").split(", ");
    for (const one of needed) assert.ok((await lacks.innerText()).includes(one), one);
    await page.keyboard.press("Escape");
    await lacks.waitFor({ state: "detached" });
  }));

test("steps and groups by arrow key, Escape back to the tab, a table of the same", () =>
  example(server, {}, async (page) => {
    await go(page, "s");
    await page.locator('[data-tab="State & lag"]:focus').waitFor();
    const steps = page.getByRole("radiogroup", { name: "Step" });
    await steps.locator("[data-choice=dedup]").click();
    await page.locator("[data-state=dedup]").waitFor();
    await steps.locator("[data-choice=dedup]").focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("[data-state=sum] [data-choice=sum][aria-checked=true]:focus").waitFor();
    const groups = page.getByRole("radiogroup", { name: "Group" });
    await groups.locator("[data-choice=rev_jdbc]").click();
    // What it lacks is named.
    await page.locator("[data-lag=rev_jdbc]").getByRole("heading", { name: /cannot be said yet/ }).waitFor();
    await groups.locator("[data-choice=rev_jdbc]").focus();
    await page.keyboard.press("Escape");
    await page.locator('[data-tab="State & lag"]:focus').waitFor();
    await page.locator(".sl .tl-table summary").first().click();
    const table = page.getByRole("region", { name: "State and recovery" });
    assert.match(await table.innerText(), /Recovery: detection\s+50\ss/);
    // Its numbers explain themselves too.
    const shown = await explained(page, table.locator("tr", { hasText: "Recovery: detection" }).locator("[data-explains]"));
    assert.match(await shown.innerText(), /50\ss/);
  }));

test("where nothing keeps state and nobody reads a log, it says what to do", () =>
  alone(server, async (page) => {
    await go(page, "s");
    await page.locator('[data-state=""]', { hasText: "Add a channel (T) and an operator (O)" }).waitFor();
  }));

test("the timeline opens from the late output and from a number; what is taken for granted leads to its field", () =>
  example(server, {}, async (page) => {
    await page.locator(".cv-word-opens", { hasText: "late" }).click();
    await page.locator("[data-timeline=sum]").waitFor();
    await go(page, "v");
    const shown = await explained(page, page.locator('.cv-el[data-element-id="sum"] .cv-number b'));
    await shown.locator("[data-to=go-timeline]").click();
    await page.locator("[data-timeline=sum]").waitFor();
    const taken = page.locator("[data-states]").first();
    const field = await taken.getAttribute("data-states");
    await taken.click();
    await page.locator(`[data-pane=inspector] .setting[data-setting="${field}"] [data-entry]`).waitFor();
  }));

test("a figure of the selection is found in the palette", () =>
  example(server, {}, async (page) => {
    await selectFrame(page, "revenue");
    await page.keyboard.press("Control+k");
    await page.locator("[role=combobox]").fill("explain pause of a deploy");
    await page.locator("[role=option]", { hasText: /27\ss/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator("[role=tabpanel] [data-figure=DeployPause]").waitFor();
  }));

for (const [colorScheme, width, height] of SIZES) {
  test(`nothing is cut, ${colorScheme}, ${width} by ${height}`, () =>
    example(server, { context: { colorScheme, viewport: { width, height }, reducedMotion: "reduce" } }, async (page) => {
      await go(page, "s");
      for (const step of ["dedup", "sum"]) {
        await page.locator(`[data-choice=${step}]`).click();
        await page.locator(`[data-state=${step}]`).waitFor();
        await whole(page);
      }
    }));
}

test("numbers on the charts wear the mark of what they rest on", () =>
  example(server, {}, async (page) => {
    await go(page, "s");
    const marks = (half) => page.locator(`[data-state] section[aria-label=${half}] .ch-word`).evaluateAll((all) => Object.fromEntries(all.map((word) => [word.querySelector(".cut").textContent.trim(), word.querySelector("svg")?.getAttribute("aria-label")])));
    await page.locator("[data-state=dedup] .ch-word").first().waitFor();
    const [state, lag] = [await marks("State"), await marks("Lag")];
    assert.equal(state["kept for 24 h"], "configured");
    assert.equal(state["at most 2.02 GB"], "assumed");
    // Nobody states an outage: half an hour is an example. What is not stated has no number and no mark.
    assert.equal(lag["down 30 min"], "assumed");
    assert.equal(lag["no target line: not stated"], undefined);
  }));

test("each replay of a consumer is named by its start", () =>
  example(server, {}, async (page) => {
    await page.locator('[data-consumer=board] [data-explains="board Latency"], [data-explains="board Latency"]').first().click();
    const popover = page.locator(".explanation-popover").last();
    await popover.locator("[data-figure]").waitFor();
    await page.keyboard.press("Escape");
    await select(page, "board");
    const figures = page.locator("[data-pane=inspector] section[aria-label=Figures] dt");
    await figures.first().waitFor();
    const names = await figures.allInnerTexts();
    assert.equal(new Set(names).size, names.length, names.join("; "));
    assert.ok(names.some((name) => /^replay reach, recomputed from orders$/.test(name)), names.join("; "));
    assert.ok(names.some((name) => /cannot be done any more, recomputed from orders$/.test(name)), names.join("; "));
  }));
