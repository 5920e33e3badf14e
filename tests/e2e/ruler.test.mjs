// The ruler of a replay: how far back each log reaches, what binds it, what is needed, what would change it.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { answer, designFile, example, explained, openFile, selectFrame } from "./desk.mjs";
import { alone, go, SIZES, whole } from "./pictures.mjs";
import { serve } from "./support.mjs";

const server = await serve();
after(() => server.stop());

test("log by log by keyboard, numbers that explain themselves, Escape back to the tab", () =>
  example(server, {}, async (page) => {
    await go(page, "r");
    const ruler = page.locator("[data-ruler=board]");
    // 50 GiB at 2 MB/s, less the window of 5 min.
    await ruler.getByRole("heading", { name: /recomputed for 7 h 22 min, not for the 24 h needed/ }).waitFor();
    await page.locator("[data-tab=Replay]:focus").waitFor();
    await ruler.locator("[data-log=orders][aria-checked=true]").focus();
    await page.keyboard.press("ArrowDown");
    await ruler.locator("[data-log=revenue_5m][aria-checked=true]:focus").waitFor();
    await ruler.locator("[data-of-log=revenue_5m]").waitFor();
    await page.keyboard.press("End");
    await ruler.locator("[data-log=checkout_db][aria-checked=true]:focus").waitFor();
    await page.keyboard.press("Home");
    await ruler.locator("[data-log=orders][aria-checked=true]:focus").waitFor();
    // What is seen first, then what the drawing says.
    const aloud = /^orders\s+\d+ partitions\s*, recomputes: at least 7 h 27 min, bytes bind; typical 30 h 10 min.*short by 16 h 38 min/;
    await ruler.getByRole("radio", { name: aloud }).and(ruler.locator("[data-log=orders]")).waitFor();
    const shown = await explained(page, ruler.locator('[data-explains="orders Reach"]').first());
    assert.match(await shown.innerText(), /7\sh\s27\smin/);
    await page.keyboard.press("Escape");
    await shown.waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.locator("[data-tab=Replay]:focus").waitFor();
    // What is not known is named, with the command that reads it.
    assert.match(await ruler.locator("[data-unknown]").innerText(), /timestamp after max[\s\S]*kafka-configs\.sh/);
  }));

test("what is needed opens from its flag, a number that is worked out stays with its explanation, another view closes it", () =>
  example(server, {}, async (page) => {
    await go(page, "r");
    const ruler = page.locator("[data-ruler=board]");
    const flag = ruler.getByRole("button", { name: /^24\sh needed\s*\. Explain$/ });
    assert.match(await (await explained(page, flag)).innerText(), /Replay needed of Revenue board[\s\S]*24\sh/);
    await page.keyboard.press("Escape");
    await ruler.locator('.rl-flag[data-explains="board replay_needed"]:focus').waitFor();
    // The panel is drawn anew and back: the line leads to the same number, not to the first that was worked out.
    const short = ruler.locator(".fact", { hasText: "Short by" }).locator("[data-explains]");
    const shown = await explained(page, short);
    assert.match(await shown.innerText(), /16\sh\s38\smin/);
    await ruler.locator("[data-log=revenue_5m]").click();
    await ruler.locator("[data-of-log=revenue_5m]").waitFor();
    await ruler.locator("[data-log=orders]").click();
    await ruler.locator("[data-of-log=orders]").waitFor();
    assert.match(await page.locator("[data-anchor]").innerText(), /16\sh\s38\smin/);
    await page.getByRole("radio", { name: "As-is" }).click();
    await shown.waitFor({ state: "detached" });
  }));

test("a setting that is answered changes where it stands, and so does its mark", () =>
  example(server, {}, async (page) => {
    await selectFrame(page, "revenue");
    await go(page, "r");
    const setting = page.locator('[data-ruler=board] .fact [data-explains="revenue savepoint_retention"]');
    await setting.waitFor();
    const line = setting.locator("xpath=ancestor::dd");
    await line.evaluate((dd) => (dd.dataset.same = ""));
    for (const [value, basis] of [["9 d", "stated"], ["4 d", "proposed"]]) {
      await answer(page, "savepoint_retention", value);
      await line.filter({ hasText: new RegExp(value.replace(" ", "\\s")) }).waitFor();
      assert.equal(await line.getByRole("img").getAttribute("aria-label"), basis);
      // It is not drawn anew for it.
      assert.equal(await line.getAttribute("data-same"), "");
    }
  }));

test("what would do is proposed in one step, and the ruler follows", () =>
  example(server, {}, async (page) => {
    await go(page, "r");
    const ruler = page.locator("[data-ruler=board]");
    // 24 h and the window of 5 min at 2 MB/s: 161.5 GiB.
    await ruler.locator('tr[data-choice="162 GiB per partition"] button', { hasText: "Propose" }).click();
    await ruler.getByRole("heading", { name: /recomputed for 24 h 4 min; 24 h is needed/ }).waitFor();
    assert.equal(await ruler.locator('tr[data-choice="162 GiB per partition"]').count(), 0);
    await page.getByRole("radio", { name: "As-is" }).click();
    await ruler.getByRole("heading", { name: /not for the 24 h needed/ }).waitFor();
    assert.match(await ruler.locator("[data-ruler-other]").innerText(), /To-be: .*24 h 4 min/);
    await page.getByRole("radio", { name: "To-be" }).click();
    await ruler.getByRole("heading", { name: /24 h is needed/ }).waitFor();
    await page.keyboard.press("Control+z");
    await ruler.getByRole("heading", { name: /not for the 24 h needed/ }).waitFor();
  }));

test("another consumer by arrow key; a log that is selected is looked at; all of it as a table and as text", () =>
  example(server, {}, async (page) => {
    await go(page, "r");
    await page.locator("[data-ruler=board]").waitFor();
    const consumers = page.getByRole("radiogroup", { name: "Consumer" });
    await consumers.locator("[data-choice=board][aria-checked=true]").focus();
    for (const [key, to] of [["ArrowRight", "close"], ["ArrowRight", "board"], ["End", "close"], ["Home", "board"], ["ArrowLeft", "close"]]) {
      await page.keyboard.press(key);
      await page.locator(`[data-ruler=${to}]`).waitFor();
      await consumers.locator(`[data-choice=${to}][aria-checked=true]:focus`).waitFor();
    }
    await page.locator('.cv-el[data-element-id="revenue_5m"]').focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await page.locator("[data-of-log=revenue_5m]").waitFor();
    await page.locator(".rl .tl-table summary").click();
    const table = page.getByRole("region", { name: "How far back each log reaches" });
    assert.match(await table.locator("tr", { hasText: "orders_dlq" }).innerText(), /14\sd/);
    await page.locator(".rl [data-copy]").click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes("now at the right"));
  }));

test("where nothing can be read again, it says what to do", () =>
  alone(server, async (page) => {
    await go(page, "r");
    await page.locator('[data-ruler=""]', { hasText: "Add a channel (T) or a source (S)" }).waitFor();
  }));

for (const [colorScheme, width, height] of SIZES) {
  test(`nothing is cut, ${colorScheme}, ${width} by ${height}`, () =>
    example(server, { context: { colorScheme, viewport: { width, height }, reducedMotion: "reduce" } }, async (page) => {
      await go(page, "r");
      for (const log of ["orders", "revenue_5m", "checkout_db"]) {
        await page.locator(`[data-log=${log}]`).click();
        await page.locator(`[data-of-log=${log}]`).waitFor();
        await whole(page);
      }
    }));
}

/** A replay of what the example has, planned from its steps. */
const steps = (page) => page.locator("[data-steps]");

for (const [width, height] of [[1440, 900], [390, 844]]) {
  test(`the six steps of a replay stand by the ruler in a window of ${width} by ${height}, with what each needs`, () =>
    example(server, { context: { viewport: { width, height }, reducedMotion: "reduce" } }, async (page) => {
      await go(page, "r");
      await steps(page).waitFor();
      assert.match(await steps(page).innerText(), /Replay, in this order\s+not planned/);
      const said = await steps(page).locator("[data-step]").allInnerTexts();
      assert.equal(said.length, 6);
      assert.match(said[0], /Confirm the reach\s+needs the log start of orders, as read/);
      assert.match(said[1], /Get the approvals\s+needs the approval of Finance Ops, by name, for Revenue board/);
      const [ruler, beside] = [await page.locator(".rl-figure").boundingBox(), await steps(page).boundingBox()];
      if (width > 1200) assert.ok(beside.x >= ruler.x + ruler.width, "beside it");
      else assert.ok(beside.y >= ruler.y + ruler.height && beside.x >= 0 && beside.x + beside.width <= width, "below it");
      await whole(page);
    }));
}

test("a replay that is planned from its steps stands where the machine has it, and can be taken back", () =>
  example(server, {}, async (page) => {
    await go(page, "r");
    await steps(page).locator("[data-plan-replay]").click();
    await steps(page).getByText("0 of 6 done").waitFor();
    assert.match(await steps(page).locator("[data-step='1']").innerText(), /lacks the log start of orders, as read/);
    assert.match(await steps(page).locator("[data-step='2']").innerText(), /waits for step 1/);
    assert.equal(await steps(page).locator("form").count(), 0, "nothing is recorded before its turn");
    await page.keyboard.press("Control+z");
    await steps(page).getByText("not planned").waitFor();
  }));

test("a step whose turn it is is recorded by the ruler, and then it is the turn of the next", () =>
  example(server, {}, async (page) => {
    const design = JSON.parse(await designFile(page));
    design.elements.orders.observed.e_logdirs.oldest_record_age = "6d";
    design.actions = { s1: { kind: "replay", about: ["orders"], from: "1h" } };
    await openFile(page, "planned.json", JSON.stringify(design));
    await go(page, "r");
    const first = steps(page).locator("[data-step='1']");
    await first.getByText("its turn: nothing is missing").waitFor();
    await first.getByRole("textbox").fill("log start read by M. Ito");
    await first.getByRole("button", { name: "Record" }).click();
    await steps(page).getByText("1 of 6 done").waitFor();
    assert.match(await first.innerText(), /log start read by M\. Ito/);
    assert.match(await steps(page).locator("[data-step='2']").innerText(), /lacks the approval of Finance Ops/);
    assert.match(await steps(page).locator("[data-step='3']").innerText(), /waits for step 2/);
    assert.deepEqual(JSON.parse(await designFile(page)).actions.s1.done, { 1: "log start read by M. Ito" });
  }));
