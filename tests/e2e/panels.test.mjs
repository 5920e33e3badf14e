// The panels: explanations beside their numbers, records with their forms, and what survives when a panel is drawn anew.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { answer, designFile, elements, example, explained, openFile, saved, select, selectLink } from "./desk.mjs";
import { open, serve } from "./support.mjs";

const server = await serve();
after(() => server.stop());

const number = (page, id) => page.locator(`.cv-el[data-element-id="${id}"] .cv-number b`);
const popover = (page) => page.locator(".explanation-popover");
const findings = (page) => page.locator(".drawer .findings");

async function showFindings(page) {
  await page.keyboard.press("g");
  await page.keyboard.press("f");
  await page.locator("[data-tab=Findings][aria-selected=true]").waitFor();
}

for (const [width, height] of [[1440, 900], [1024, 600]]) {
  test(`a number explains itself beside it, whole in a window of ${width} by ${height}`, () =>
    example(server, { context: { viewport: { width, height }, reducedMotion: "reduce" } }, async (page) => {
      for (const id of ["orders", "checkout_db", "orders_full"]) {
        const shown = await explained(page, number(page, id));
        await page.waitForFunction(() => getComputedStyle(document.querySelector(".explanation-popover")).visibility === "visible");
        const box = await shown.boundingBox();
        assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, `${id}: ${JSON.stringify(box)}`);
        assert.equal(await shown.getAttribute("role"), "dialog");
        assert.match(await shown.innerText(), new RegExp((await number(page, id).innerText()).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
        await page.keyboard.press("Escape");
        await shown.waitFor({ state: "detached" });
        await page.waitForFunction((id) => document.activeElement?.dataset?.elementId === id, id);
      }
    }));
}

test("by keyboard: Enter opens, Escape closes and gives the keyboard back, E explains what is selected", () =>
  example(server, {}, async (page) => {
    await select(page, "orders");
    const figure = page.locator('[data-pane=inspector] .explained[data-explains="orders Reach"]');
    await figure.focus();
    await page.keyboard.press("Enter");
    await popover(page).locator("[data-figure=Reach]").waitFor();
    await page.waitForFunction(() => document.activeElement?.classList.contains("explanation-popover"));
    await page.keyboard.press("Escape");
    await page.locator('[data-pane=inspector] .explained[data-explains="orders Reach"]:focus').waitFor();
    await page.locator('.cv-el[data-element-id="dedup"]').focus();
    await page.keyboard.press("e");
    await popover(page).locator("[data-figure=State]").waitFor();
    // From there to the drawer, where the same figure is shown whole.
    await popover(page).locator("[data-to-drawer]").click();
    await page.locator("[data-tab=Explain][aria-selected=true]").waitFor();
    await page.locator("[role=tabpanel] [data-figure=State]").waitFor();
    assert.equal(await popover(page).count(), 0);
  }));

test("a badge, and the way from a finding, are called by the new name of what they lead to", () =>
  example(server, {}, async (page) => {
    await showFindings(page);
    const way = findings(page).locator(".places button");
    await way.filter({ hasText: /^orders$/ }).first().waitFor();
    for (const [id, badge] of [["orders", '.cv-badge[data-badge-of="l2"]'], ["board", '.cv-badge[data-badge-of="board"] .cv-sign']]) {
      await select(page, id);
      const name = page.locator("[data-pane=inspector] .name-input");
      await name.fill(`another ${id}`);
      await name.press("Enter");
      await page.locator(badge, { hasText: `another ${id}` }).waitFor();
    }
    await way.filter({ hasText: /^another orders$/ }).first().waitFor();
    assert.equal(await way.filter({ hasText: /^orders$/ }).count(), 0);
  }));

test("what the figures of a link need is still needed where it would be read", () =>
  example(server, {}, async (page) => {
    await select(page, "revenue_5m");
    const needed = page.locator("[data-pane=inspector] .asks [data-missing=end_offset]");
    assert.equal(await needed.count(), 0);
    // A position without the end of the log says nothing of the lag.
    await selectLink(page, "l8");
    await answer(page, "committed_offset", "1200");
    await select(page, "revenue_5m");
    await needed.waitFor();
  }));

test("badges explain themselves on the canvas, in the folded bar and on the projector, by pointer, keyboard and aloud", () =>
  example(server, {}, async (page) => {
    const badge = page.locator('.cv-badge[data-badge-of="l2"]');
    assert.equal(await badge.getAttribute("role"), "button");
    assert.match(await badge.textContent(), /Copies on .+: .+, .+\. Explain$/);
    const shown = await explained(page, badge);
    await shown.locator("[data-figure=badge]").waitFor();
    await page.keyboard.press("Escape");
    const partitions = page.locator('.cv-el[data-element-id="orders"] .cv-partitions');
    assert.match(await partitions.textContent(), /^\s*\d+ p.*, \d+ partitions\. Explain\s*$/);
    await (await explained(page, partitions)).locator("[data-figure=partitions]").waitFor();
    await page.keyboard.press("Escape");
    // A screen reader presses without a pointer.
    await page.locator('.cv-badge[data-badge-of="board"] .cv-sign').evaluate((sign) => sign.click());
    await popover(page).locator("[data-figure=badge]").waitFor();
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.activeElement?.dataset?.elementId === "board");
    // E comes to the number, then to the badge beside it.
    await page.keyboard.press("e");
    await popover(page).locator("[data-figure=Latency]").waitFor();
    await page.keyboard.press("e");
    await popover(page).locator("[data-figure=badge]").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+j");
    await (await explained(page, page.locator(".verdict-bar .explained"))).locator("[data-figure=badge]").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+W");
    await (await explained(page, page.locator(".workshop-verdict .explained"))).locator("[data-figure=badge]").waitFor();
    await page.keyboard.press("Escape");
    await popover(page).waitFor({ state: "detached" });
    assert.ok(await page.locator(".workshop-verdict").isVisible(), "Escape closed the explanation alone");
  }));

test("a finding that is put aside is named under the verdict that rests on it", () =>
  example(server, {}, async (page) => {
    await showFindings(page);
    const card = findings(page).locator('.finding[data-rule="DEL-15"]').first();
    await card.getByRole("button", { name: "Put aside" }).click();
    await card.locator("form input").nth(0).fill("the board may flicker");
    await card.locator("form input").nth(1).fill("shop");
    await card.locator("form button[type=submit]").click();
    await card.locator("form").waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.keyboard.press("v");
    await page.locator(".put-aside-here", { hasText: /DEL-15\s+at\s+.+: the board may flicker/ }).waitFor();
    await page.keyboard.press("Control+j");
    await page.locator(".verdict-bar", { hasText: /DEL-15 put aside/ }).waitFor();
  }));

test("two explanations stand side by side once the first is pinned", () =>
  example(server, {}, async (page) => {
    const first = await explained(page, number(page, "orders"));
    await first.getByRole("button", { name: "Pin" }).click();
    await explained(page, number(page, "checkout_db"));
    assert.equal(await popover(page).count(), 2);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    assert.equal(await popover(page).count(), 0);
    await explained(page, number(page, "orders"));
    await explained(page, page.locator('[data-pane=inspector] .explained[data-explains="orders TypicalReach"]'));
    assert.equal(await popover(page).count(), 1, "one that is not pinned makes room");
  }));

test("a number in the hop table and one in a document explain themselves", () =>
  example(server, {}, async (page) => {
    await explained(page, page.locator(".hops .explained").first());
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    await page.locator('[data-report="topic-retention-and-replay.md"]').click();
    const printed = page.locator("[data-document] .explained").first();
    const text = await printed.innerText();
    const shown = await explained(page, printed);
    assert.ok((await shown.innerText()).includes(text));
    await page.keyboard.press("Escape");
    await shown.waitFor({ state: "detached" });
  }));

test("records of every kind: written, changed, removed, each one step that can be undone", () =>
  example(server, {}, async (page) => {
    const before = await designFile(page);
    await page.keyboard.press("Escape");
    const section = (kind) => page.locator(`[data-pane=inspector] [data-records=${kind}]`);
    const field = (kind, name) => section(kind).locator(`[data-form="${name}"]`);
    const add = async (kind, fill) => {
      await section(kind).locator("[data-record-add]").click();
      await fill();
      await section(kind).getByRole("button", { name: "Save" }).click();
      await section(kind).locator("form").waitFor({ state: "detached" });
    };
    await add("questions", async () => {
      // Nothing is saved without its sentence.
      await section("questions").getByRole("button", { name: "Save" }).click();
      await section("questions").locator("[role=alert]", { hasText: "Say it in a sentence." }).waitFor();
      await field("questions", "text").fill("Who owns orders_dlq?");
      await field("questions", "about").fill("orders_dlq");
      await field("questions", "about").press("Enter");
    });
    await add("actions", async () => {
      await field("actions", "kind").selectOption("reset_offsets");
      await field("actions", "about").fill("orders");
      await field("actions", "about").press("Enter");
      await field("actions", "reason").fill("a wrong price was sent");
    });
    await page.locator("[data-halts] , .halt-banner").first().waitFor();
    await page.locator(".halt-banner", { hasText: /2 halts/ }).waitFor();
    await add("decisions", async () => {
      await field("decisions", "text").fill("Late orders are dropped.");
      await field("decisions", "by").fill("Finance Ops");
    });
    await add("evidence", async () => {
      await field("evidence", "basis").selectOption("stated");
      await field("evidence", "from").fill("design note 12");
    });
    await add("approvals", async () => {
      const action = await section("actions").locator("[data-record]").last().getAttribute("data-record");
      await field("approvals", "for").fill(action);
      await field("approvals", "by").fill("Ops lead");
    });
    await page.locator(".halt-banner", { hasText: /1 halt/ }).waitFor();
    const design = JSON.parse(await designFile(page));
    assert.ok(Object.values(design.questions).some((q) => q.text === "Who owns orders_dlq?" && q.about[0] === "orders_dlq"));
    assert.ok(Object.values(design.actions).some((a) => a.kind === "reset_offsets" && a.about[0] === "orders"));
    assert.ok(Object.values(design.decisions).some((d) => d.by === "Finance Ops"));
    assert.ok(Object.values(design.evidence).some((e) => e.from === "design note 12"));
    // Changed, and shown at its element, among the findings and in the documents.
    const asked = section("questions").locator("[data-record]", { hasText: "Who owns orders_dlq?" });
    await asked.getByRole("button", { name: /^Edit/ }).click();
    await field("questions", "owner").fill("Shop");
    await section("questions").getByRole("button", { name: "Save" }).click();
    await section("questions").locator("[data-record]", { hasText: "to be answered by Shop" }).waitFor();
    await showFindings(page);
    await findings(page).locator("[data-record]", { hasText: "Who owns orders_dlq?" }).waitFor();
    await select(page, "orders_dlq");
    await section("questions").locator("[data-record]", { hasText: "Who owns orders_dlq?" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    await page.locator(".reports-side [data-record]", { hasText: "Who owns orders_dlq?" }).waitFor();
    await page.locator("[data-document]", { hasText: "Who owns orders_dlq?" }).waitFor();
    await page.getByRole("button", { name: "Back to the canvas" }).click();
    // Six steps: five records and one change.
    for (let steps = 0; steps < 6; steps += 1) await page.keyboard.press("Control+z");
    assert.equal(await designFile(page), before);
  }));

test("an evidence entry says what rests on it, and takes it along only when told twice", () =>
  example(server, {}, async (page) => {
    const before = await designFile(page);
    await page.keyboard.press("Escape");
    const entry = page.locator("[data-pane=inspector] [data-records=evidence] [data-record]", { hasText: /facts rest on it/ }).first();
    await entry.locator("summary").click();
    assert.ok((await entry.locator(".rests li").count()) > 1);
    const remove = entry.locator("[data-record-remove]");
    await remove.click();
    assert.match(await remove.innerText(), /Remove with its \d+ facts/);
    assert.equal(await designFile(page), before, "nothing is removed yet");
    const id = await entry.getAttribute("data-record");
    await remove.click();
    await page.locator(`[data-pane=inspector] [data-record="${id}"]`).waitFor({ state: "detached" });
    await page.keyboard.press("Control+z");
    await page.locator(`[data-pane=inspector] [data-record="${id}"]`).waitFor();
    assert.equal(await designFile(page), before);
  }));

test("what is open, scrolled and half typed survives an edit, its undo and another analysis", () =>
  example(server, {}, async (page) => {
    const propose = async () => {
      await page.keyboard.press("Control+z");
    };
    // A disclosure of the verdict.
    await page.locator(".verdict-more summary").first().click();
    await select(page, "orders");
    const row = page.locator('[data-inspected="orders"] .setting[data-setting="retention_time"]');
    await row.locator(".setting-name").click();
    await row.locator("[data-entry]").fill("3d");
    await row.locator("button[type=submit]").click();
    await row.locator("form").waitFor({ state: "detached" });
    assert.ok(await page.locator(".verdict-more").first().evaluate((details) => details.open), "the disclosure is still open");
    // A form among the findings, half typed, with the keyboard in it; how far the list is scrolled.
    await showFindings(page);
    const card = findings(page).locator("[data-rule]").last();
    const rule = await card.getAttribute("data-rule");
    await card.getByRole("button", { name: "Put aside" }).click();
    const reason = findings(page).locator(`[data-rule="${rule}"] form input`).first();
    await reason.fill("the owner knows");
    const body = page.locator(".drawer-body");
    const top = await body.evaluate((el) => (el.scrollTop = Math.min(120, el.scrollHeight - el.clientHeight)));
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator('[data-inspected="orders"] .setting[data-setting="retention_time"]:not(.proposed)').waitFor();
    assert.equal(await reason.inputValue(), "the owner knows");
    assert.equal(await body.evaluate((el) => el.scrollTop), top);
    // The editor of a setting, half typed, while something else is undone.
    await row.locator(".setting-name").click();
    await row.locator("[data-entry]").fill("12 d");
    await page.getByRole("button", { name: "Redo" }).click();
    await page.locator('[data-inspected="orders"] .setting[data-setting="retention_time"].proposed').waitFor();
    assert.equal(await row.locator("[data-entry]").inputValue(), "12 d");
    await propose();
  }));

test("the documents say what changed since they were last open, also after a reload", () =>
  example(server, {}, async (page) => {
    const look = async () => {
      await page.keyboard.press("g");
      await page.keyboard.press("d");
      await page.locator('[data-report="topic-retention-and-replay.md"]').click();
      await page.getByRole("radio", { name: "Changes" }).click();
      await page.locator("[data-changes]").waitFor();
      return page.locator("[data-changes]").innerText();
    };
    assert.match(await look(), /not open here before/);
    await page.getByRole("button", { name: "Back to the canvas" }).click();
    assert.match(await look(), /Nothing has changed since/);
    await page.getByRole("button", { name: "Back to the canvas" }).click();
    await select(page, "orders");
    const row = page.locator('[data-inspected="orders"] .setting[data-setting="retention_time"]');
    await row.locator(".setting-name").click();
    await row.locator("[data-entry]").fill("3d");
    await row.locator("button[type=submit]").click();
    await row.locator("form").waitFor({ state: "detached" });
    await saved(page);
    await open(page, server.url);
    await page.locator('.cv-el[data-element-id="orders"]').waitFor();
    assert.match(await look(), /\d+ lines have changed[\s\S]*gone [\s\S]*new [\s\S]*7\sd → 3\sd/);
    assert.ok((await page.locator("[data-changes] ins").count()) > 0 && (await page.locator("[data-changes] del").count()) > 0);
  }));

test("the palette: what is typed first, what cannot be done last; Enter does the first, and a disabled one keeps it open", () =>
  example(server, {}, async (page) => {
    const ask = async () => {
      await page.keyboard.press("Control+k");
      await page.locator("[role=combobox]:focus").waitFor();
      await page.keyboard.type("new");
      await page.locator("[role=option][aria-selected=true]", { hasText: "New design" }).waitFor();
    };
    const before = await elements(page);
    await ask();
    const rows = await page.locator(".palette-section, [role=option]").evaluateAll((all) => all.map((el) => (el.matches("[role=option]") ? el.getAttribute("aria-disabled") === "true" : el.innerText)));
    const groups = [];
    for (const row of rows) {
      if (typeof row === "string") groups.push([]);
      else groups.at(-1).push(row);
    }
    const last = (all) => all.every((off, at) => off || !all.slice(0, at).includes(true));
    assert.ok(groups.flat().includes(true), "something cannot be done now");
    for (const group of groups) assert.ok(last(group), `what can be done comes first: ${JSON.stringify(rows)}`);
    assert.ok(last(groups.map((group) => group[0])), `so do the headings: ${JSON.stringify(rows)}`);
    // The last one: marked, in view, greyed, and nothing happens.
    await page.keyboard.press("ArrowUp");
    const off = page.locator("[role=option][aria-selected=true][aria-disabled=true]");
    await off.waitFor();
    await page.waitForFunction(() => {
      const [one, list] = [".palette-entry[aria-selected=true]", ".palette-list"].map((what) => document.querySelector(what).getBoundingClientRect());
      return one.top >= list.top - 1 && one.bottom <= list.bottom + 1;
    });
    const color = (of) => of.evaluate((el) => getComputedStyle(el).color);
    assert.notEqual(await color(off), await color(page.locator("[role=option]").first()));
    await page.keyboard.press("Enter");
    await off.click({ force: true });
    await off.waitFor();
    assert.deepEqual(await elements(page), before);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.waitForFunction(() => document.querySelectorAll(".cv-el[data-element-id]").length === 0);
  }));

test("where nothing is claimed, nothing is called the weakest: no card, row, line, flag or key", () =>
  example(server, {}, async (page) => {
    const named = ["[data-weakest]", ".weak-card", ".hops .weak-seen, .hops .weak-condition", ".cv-badge:not(.cv-consumer-badge) .cv-loud"];
    const seen = (selector) => page.locator(selector).count();
    assert.ok((await seen(named[0])) > 0 && (await seen(named[1])) > 0, "the example names its weakest hops");
    // acks=1 can lose; what the job behind it is, is not known.
    await openFile(page, "half.design.json", JSON.stringify({
      format: "streaming-pipeline",
      version: 2,
      elements: {
        app: { kind: "source", system: "application" }, events: { kind: "channel", system: "kafka" }, work: { kind: "job" },
        step: { kind: "operator", job: "work", step: "copy" }, table: { kind: "sink", system: "postgres" }, reader: { kind: "consumer" },
      },
      links: {
        l1: { from: "app", to: "events", proposed: { acks: "1" } }, l2: { from: "events", to: "step" },
        l3: { from: "step", to: "table" }, l4: { from: "table", to: "reader" },
      },
    }));
    await page.locator('[data-consumer="reader"]', { hasText: "No claim." }).waitFor();
    await page.locator("[data-hop]").first().waitFor({ state: "attached" });
    for (const selector of named) assert.equal(await seen(selector), 0, selector);
    // What is certain whatever else is missing shows all the same.
    await page.locator(".cv-consumer-badge", { hasText: "may be lost, most copies not read" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.locator("[role=combobox]:focus").waitFor();
    await page.keyboard.type("next weakest");
    await page.locator("[role=option][aria-disabled=true]", { hasText: "Nothing is claimed, or no hop loses or repeats." }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Shift+W");
    await page.locator(".workshop-sentence", { hasText: "No claim." }).waitFor();
    assert.equal((await page.locator(".workshop-where").innerText()).trim(), "");
    assert.equal(await seen(named[0]), 0);
    await page.keyboard.press("Escape");
    await page.locator(".workshop-sentence").waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    await page.locator('[data-report="delivery-semantics.md"]').click();
    await page.locator("[data-document]", { hasText: "No hop is named: nothing is claimed while a fact is missing." }).waitFor();
  }));

test("the documents list as many gaps as their status counts, questions of people among them", () =>
  example(server, {}, async (page) => {
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    const names = await page.locator("[data-report]").evaluateAll((all) => all.map((el) => el.dataset.report));
    let counted = 0;
    for (const name of names) {
      const entry = page.locator(`[data-report="${name}"]`);
      await entry.click();
      await page.locator(`[data-report="${name}"][aria-current=true]`).waitFor();
      const status = (await entry.innerText()).match(/(\d+) gaps?/);
      const gaps = Number(status?.[1] ?? 0);
      await page.waitForFunction((gaps) => document.querySelectorAll("[data-gap]").length === gaps, gaps);
      counted += gaps;
    }
    assert.ok(counted > 10, `${counted} gaps`);
    await page.locator('[data-report="streaming-design.md"]').click();
    await page.locator(".gap-card", { hasText: "Peak rate of checkout db" }).waitFor();
    // What is missing at several places is one card with a way to each.
    const refresh = page.locator(".gap-card", { hasText: "refresh interval" });
    await refresh.getByRole("button", { name: "revenue_5m → Revenue board" }).click();
    await page.locator('[data-inspected="l10"]').waitFor();
  }));

test("the timeline of a window: records by keyboard, a silent partition, settings that explain themselves, the other view", () =>
  example(server, {}, async (page) => {
    await select(page, "sum");
    await page.locator("[data-pane=inspector] [data-to=go-timeline]").click();
    const timeline = page.locator("[data-timeline=sum]");
    // 12:05 and 30 s and 10 min.
    await timeline.getByRole("heading", { name: /until the clock reaches 12:15:30/ }).waitFor();
    assert.match(await timeline.locator("[data-timeline-other]").innerText(), /As-is: 12:05:30/);
    await timeline.locator("[data-record='7']").focus();
    await page.keyboard.press("Home");
    await timeline.locator("[data-record='1'][aria-checked=true]:focus").waitFor();
    for (let n = 2; n <= 5; n += 1) {
      await page.keyboard.press("ArrowRight");
      await timeline.locator(`[data-record='${n}'][aria-checked=true]:focus`).waitFor();
    }
    await timeline.getByRole("radio", { name: /^Record\s+5\s+12:\S+\s.*: late, still counted.*sent again, 4 records/ }).and(timeline.locator("[data-record='5']")).waitFor();
    const shown = await explained(page, timeline.locator('[data-explains="sum allowed_lateness"]'));
    assert.match(await shown.innerText(), /10 min/);
    await page.keyboard.press("Escape");
    await timeline.getByRole("checkbox", { name: "One partition falls silent" }).click();
    await timeline.getByRole("heading", { name: /Nothing is sent/ }).waitFor();
    await timeline.getByRole("checkbox", { name: "One partition falls silent" }).click();
    // A check box takes no letters: the keys of the application work from it.
    await page.keyboard.press("[");
    await page.locator('[role=radio][aria-checked=true]', { hasText: "As-is" }).waitFor();
    await timeline.getByRole("heading", { name: /until the clock reaches 12:05:30/ }).waitFor();
  }));
