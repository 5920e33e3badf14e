// Everything that hands do on the canvas: with mouse and keyboard, each gesture with what it leads to.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { added, designFile, drag, dragTile, elements, links, middle, place, select, selectFrame, selectLink, view } from "./desk.mjs";
import { open, profile, serve } from "./support.mjs";

const server = await serve();
after(() => server.stop());

/** The example in a profile of its own, in which nothing may go wrong. */
async function desk(options, run) {
  const mine = await profile(options);
  try {
    const page = await mine.page();
    await open(page, server.url);
    await page.locator("[data-example=checkout_revenue]").click();
    await page.locator('.cv-el[data-element-id="board"]').waitFor();
    await page.locator(".cv-badge").first().waitFor();
    await run(page, mine);
    mine.clean();
  } finally {
    await mine.close();
  }
}

const near = (a, b, by = 1.5) => Math.abs(a - b) <= by;
const stage = (page) => page.locator("#canvas").boundingBox();
const selected = (page) => page.locator(".cv-el.selected").evaluateAll((all) => all.map((el) => el.dataset.elementId).sort());
const menu = (page) => page.locator(".context-menu");
const design = async (page) => JSON.parse(await designFile(page));
const undo = (page) => page.keyboard.press("Control+z");
/** A place of the bare canvas: right under the banner, left of everything. */
const bare = async (page) => {
  const pane = await stage(page);
  return { x: pane.x + pane.width - 20, y: pane.y + pane.height * 0.42 };
};
/** Waits until something read from the page is as it shall be; answers it. */
async function until(read, holds, what) {
  let last;
  for (let tries = 0; tries < 300; tries += 1) {
    last = await read();
    if (holds(last)) return last;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return assert.fail(`${what}: ${JSON.stringify(last)}`);
}
const entries = (page) => menu(page).locator("[role=menuitem]").evaluateAll((all) => all.map((el) => ({ id: el.dataset.command, off: el.getAttribute("aria-disabled") === "true", text: el.innerText, key: el.querySelector("kbd")?.innerText })));

test("the context menu says what can be done with what is under it, with keys and reasons", () =>
  desk({}, async (page) => {
    const orders = await middle(page, "orders");
    await page.mouse.click(orders.x, orders.y - 12, { button: "right" });
    await menu(page).waitFor();
    assert.equal(await menu(page).getAttribute("data-menu"), "Element");
    assert.deepEqual(await selected(page), ["orders"]);
    const of = await entries(page);
    assert.equal(of.find(({ id }) => id === "duplicate").key, "Ctrl D");
    const group = of.find(({ id }) => id === "group");
    assert.ok(group.off && group.text.includes("Select the operators"), "what cannot be used says why");

    // A disabled entry does nothing and the menu stays.
    await menu(page).locator("[data-command=group]").click({ force: true });
    assert.equal(await menu(page).count(), 1);
    // By keyboard: down, end, home, a letter; Escape gives the keyboard back.
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.command), "rename");
    await page.keyboard.press("l");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.command), "lock");
    await page.keyboard.press("Escape");
    await menu(page).waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement.dataset.elementId), "orders");

    // By the key: the same menu at the element; Enter runs the entry.
    await page.keyboard.press("Shift+F10");
    await menu(page).waitFor();
    await menu(page).locator("[data-command=duplicate]").focus();
    const [copy] = await added(page, elements, () => page.keyboard.press("Enter"));
    assert.deepEqual(await selected(page), [copy]);
    await page.keyboard.press("ContextMenu");
    await menu(page).waitFor();
    await menu(page).locator("[data-command=delete]").click();
    await page.locator(`.cv-el[data-element-id="${copy}"]`).waitFor({ state: "detached" });

    // A frame, a link, several things.
    const frame = await page.locator('.cv-el[data-element-id="revenue"]').boundingBox();
    await page.mouse.click(frame.x + 30, frame.y + 10, { button: "right" });
    assert.equal(await menu(page).getAttribute("data-menu"), "Job frame");
    await page.keyboard.press("Escape");
    await selectLink(page, "l4");
    await page.keyboard.press("Shift+F10");
    assert.equal(await menu(page).getAttribute("data-menu"), "Link");
    await page.keyboard.press("Escape");
    await page.locator('.cv-el[data-element-id="orders"]').focus();
    await page.keyboard.press("Control+a");
    await page.mouse.click(orders.x, orders.y - 12, { button: "right" });
    assert.equal(await menu(page).getAttribute("data-menu"), "Selection");
    assert.ok((await selected(page)).length > 10, "a part of the selection keeps it");
    await page.mouse.click(...Object.values(await bare(page)));
    await menu(page).waitFor({ state: "detached" });
  }));

test("the menu of the bare canvas adds where it was opened and never leaves the window", () =>
  desk({ context: { viewport: { width: 1024, height: 600 } } }, async (page) => {
    const pane = await stage(page);
    const spots = [
      [pane.x + pane.width - 3, pane.y + pane.height - 3],
      [pane.x + pane.width - 3, pane.y + 80],
      [pane.x + 120, pane.y + pane.height - 3],
    ];
    for (const [x, y] of spots) {
      await page.mouse.click(x, y, { button: "right" });
      await menu(page).waitFor();
      assert.equal(await menu(page).getAttribute("data-menu"), "Canvas");
      await until(() => menu(page).boundingBox(), (box) => box && box.x >= 0 && box.y >= 0 && box.x + box.width <= 1024 && box.y + box.height <= 600, "inside the window");
      await page.keyboard.press("Escape");
      await menu(page).waitFor({ state: "detached" });
    }
    const at = { x: pane.x + pane.width - 70, y: pane.y + pane.height * 0.46 };
    await page.mouse.click(at.x, at.y, { button: "right" });
    const [sink] = await added(page, elements, () => menu(page).locator("[data-command=add-sink]").click());
    const there = await middle(page, sink);
    assert.ok(near(there.x, at.x, 30) && near(there.y, at.y, 60), "the new element stands where the menu was opened");
    await undo(page);
    // In a name that is being written the browser's own menu stays.
    await page.mouse.dblclick(...Object.values(await middle(page, "capture")).map((at, i) => at - 14 * i));
    const field = page.locator(".cv-rename");
    await field.click({ button: "right" });
    assert.equal(await menu(page).count(), 0);
    await page.keyboard.press("Escape");
  }));

test("a name that cannot be taken stays in its field, with the reason beside it", () =>
  desk({}, async (page) => {
    const name = page.locator('.cv-el[data-element-id="orders"] .cv-name');
    const box = await name.boundingBox();
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
    const field = page.locator(".cv-rename");
    await field.waitFor();
    // All of the old name is selected: typing replaces it.
    await page.waitForFunction(() => {
      const field = document.activeElement;
      return field.className === "cv-rename" && field.selectionStart === 0 && field.selectionEnd === field.value.length;
    });
    const bad = "orders \u202e of today";
    await field.fill(bad);
    await page.keyboard.press("Enter");
    const why = page.locator(".name-refused:popover-open");
    await why.filter({ hasText: "The name holds the control character U+202E; take it out." }).waitFor();
    assert.equal(await field.inputValue(), bad, "what was typed stays");
    assert.equal(await page.locator(".toasts .toast").count(), 0);
    await field.fill("orders of today");
    assert.equal(await why.count(), 0, "the reason goes with what it was about");
    await page.keyboard.press("Enter");
    await name.filter({ hasText: "orders of today" }).waitFor();
    // Pressing elsewhere keeps a name; Escape does not.
    await page.keyboard.press("F2");
    await field.fill("orders of tomorrow");
    const pane = await stage(page);
    await page.mouse.click(pane.x + pane.width - 20, pane.y + pane.height - 20);
    await name.filter({ hasText: "orders of tomorrow" }).waitFor();
    await select(page, "orders");
    await page.keyboard.press("F2");
    await field.fill("orders of never");
    await page.keyboard.press("Escape");
    await name.filter({ hasText: "orders of tomorrow" }).waitFor();
    // The same in the inspector.
    const own = page.locator("[data-pane=inspector] .name-input");
    await own.fill(bad);
    await own.press("Enter");
    await why.waitFor();
    assert.equal(await own.inputValue(), bad);
    await own.fill("orders");
    await own.press("Enter");
    await name.filter({ hasText: /^orders$/ }).waitFor();
  }));

/** The links that are there as it shall be. */
const drawn = (design) => Object.values(design.links).filter((link) => link.lifecycle !== "retiring");

/** What is drawn into a link that is there today makes it retire, and stands between its ends. */
function woveInto(design, id, operator) {
  const { from, to, lifecycle } = design.links[id];
  assert.equal(lifecycle, "retiring");
  const around = drawn(design).filter((link) => link.from === operator || link.to === operator);
  assert.deepEqual(around.map((link) => [link.from, link.to]).sort(), [[from, operator], [operator, to]].sort());
}

test("a tile is carried to the canvas, a frame or a link; Escape and other places take it back", () =>
  desk({}, async (page) => {
    const tile = async (kind) => {
      const box = await page.locator(`[data-add=${kind}]`).boundingBox();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    // On the bare canvas, where it is let go.
    await page.keyboard.press("Control+-");
    await page.keyboard.press("Control+-");
    const pane = await stage(page);
    const spot = { x: pane.x + pane.width - 80, y: pane.y + pane.height * 0.8 };
    const [sink] = await added(page, elements, async () => drag(page, await tile("sink"), spot));
    const there = await middle(page, sink);
    assert.ok(near(there.x, spot.x, 4) && near(there.y, spot.y, 4));
    await undo(page);

    // Carried and given up: by Escape, and over a pane.
    const before = await elements(page);
    const from = await tile("channel");
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 40, from.y, { steps: 3 });
    await page.mouse.move(spot.x, spot.y, { steps: 4 });
    await page.locator(".cv-carried").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".cv-carried").waitFor({ state: "detached" });
    await page.mouse.up();
    await drag(page, from, { x: 720, y: 800 });
    assert.deepEqual(await elements(page), before);

    await page.keyboard.press("Shift+1");
    // Into a frame, on a place that is taken: in order, and into the link there.
    const sum = await place(page, "sum");
    const target = await middle(page, "sum");
    const { zoom } = await view(page);
    const [operator] = await added(page, elements, async () => drag(page, await tile("operator"), { x: target.x - 24 * zoom, y: target.y + 6 }));
    let now = await design(page);
    assert.equal(now.elements[operator].job, "revenue");
    const flows = drawn(now).map(({ from, to }) => `${from} ${to}`);
    assert.ok(flows.includes(`dedup ${operator}`) && flows.includes(`${operator} sum`) && !flows.includes("dedup sum"), flows.join());
    const [left, mid, right] = [await place(page, "dedup"), await place(page, operator), await place(page, "sum")];
    assert.ok(left.x + left.w + 60 <= mid.x && mid.x + mid.w + 60 <= right.x && right.x > sum.x, "the others made room");
    await undo(page);
    await page.locator(`.cv-el[data-element-id="${operator}"]`).waitFor({ state: "detached" });
    assert.equal((await place(page, "sum")).x, sum.x, "one step back");

    // Into a link; the link shows it before.
    const link = await page.locator('g[data-link-id="l2"] .cv-hit').evaluate((path) => {
      const p = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM());
      return { x: p.x, y: p.y };
    });
    const start = await tile("operator");
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(start.x + 40, start.y, { steps: 3 });
    await page.mouse.move(link.x, link.y, { steps: 4 });
    await page.locator('g.target[data-link-id="l2"]').waitFor();
    const [woven] = await added(page, elements, () => page.mouse.up());
    now = await design(page);
    woveInto(now, "l2", woven);
    assert.equal((await elements(page)).length, before.length + 1, "one drag adds one element");
    await undo(page);
    // The helper of the journeys, and a click, lead to the same.
    await added(page, elements, () => dragTile(page, "source", 0.5, 0.9));
    await added(page, elements, () => page.locator("[data-add=consumer]").click());
  }));

test("the view pans, zooms to the pointer, fits, and goes to the selection", () =>
  desk({}, async (page) => {
    const free = await bare(page);
    const at0 = await view(page);
    await page.keyboard.down("Space");
    await drag(page, await middle(page, "orders"), { x: free.x - 500, y: free.y + 60 });
    await page.keyboard.up("Space");
    const at1 = await view(page);
    assert.ok(at1.x !== at0.x && at1.zoom === at0.zoom, "space and drag pans");
    assert.deepEqual(await selected(page), []);
    await drag(page, free, { x: free.x - 60, y: free.y + 30 }, { button: "middle" });
    const at2 = await view(page);
    assert.ok(near(at2.x - at1.x, -60) && near(at2.y - at1.y, 30), "the middle button pans");

    const orders = await middle(page, "orders");
    await page.mouse.move(orders.x, orders.y);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -120);
    await page.keyboard.up("Control");
    await until(() => view(page), ({ zoom }) => zoom > at2.zoom * 1.2, "the wheel zooms");
    const still = await middle(page, "orders");
    assert.ok(near(still.x, orders.x) && near(still.y, orders.y), "to the pointer");
    const wheeled = await view(page);
    await page.mouse.wheel(30, 40);
    await until(() => view(page), (v) => near(v.x, wheeled.x - 30) && near(v.y, wheeled.y - 40), "two fingers on a trackpad pan");

    await page.keyboard.press("Control+0");
    assert.equal((await view(page)).zoom, 1);
    await page.keyboard.press("Shift+1");
    const pane = await stage(page);
    const boxes = await page.locator(".cv-el").evaluateAll((all) => all.map((el) => el.getBoundingClientRect().toJSON()));
    assert.ok(boxes.every((b) => b.left >= pane.x && b.right <= pane.x + pane.width && b.top >= pane.y && b.bottom <= pane.y + pane.height), "fit shows all");
    await select(page, "board");
    await page.keyboard.press("Shift+2");
    const board = await until(() => middle(page, "board"), ({ x }) => near(x, pane.x + pane.width / 2, 40), "the selection is in the middle");
    assert.ok(board);

    // Plain arrows pan while nothing is selected.
    await page.keyboard.press("Escape");
    await page.locator("[role=application]").focus();
    const before = await view(page);
    await page.keyboard.press("ArrowRight");
    await until(() => view(page), ({ x }) => x < before.x, "an arrow moves the view");
    // The hand.
    await page.keyboard.press("h");
    const hand = await view(page);
    await drag(page, free, { x: free.x - 90, y: free.y });
    assert.ok((await view(page)).x < hand.x - 60);
    await page.keyboard.press("v");
  }));

test("a drag near the edge takes the view along", () =>
  desk({}, async (page) => {
    const pane = await stage(page);
    const orders = await middle(page, "orders");
    const [start, was] = [await view(page), await place(page, "orders")];
    await page.mouse.move(orders.x, orders.y);
    await page.mouse.down();
    await page.mouse.move(orders.x + 20, orders.y + 4, { steps: 3 });
    await page.mouse.move(pane.x + pane.width - 4, orders.y + 4, { steps: 6 });
    const panned = await until(() => view(page), ({ x }) => x < start.x - 120, "an element at the edge moves the view");
    await page.mouse.move(pane.x + pane.width / 2, orders.y + 4);
    await page.mouse.up();
    const now = await place(page, "orders");
    assert.ok(now.x > was.x + 100, `it stands where the pointer let it go: ${now.x} after ${was.x}`);
    await undo(page);
    await page.keyboard.press("Shift+1");
    // A marquee, and a link.
    const free = await bare(page);
    const before = await view(page);
    await page.mouse.move(free.x, free.y);
    await page.mouse.down();
    await page.mouse.move(free.x - 60, free.y + 20, { steps: 3 });
    await page.mouse.move(free.x - 60, pane.y + pane.height - 3, { steps: 3 });
    await until(() => view(page), ({ y }) => y < before.y - 60, "a marquee at the edge moves the view");
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await page.keyboard.press("Shift+1");
    const board = await view(page);
    const port = page.locator('.cv-el[data-element-id="orders"] [data-port=main]');
    const center = await middle(page, "orders");
    await page.mouse.move(center.x, center.y);
    const out = await port.boundingBox();
    await page.mouse.move(out.x + out.width / 2, out.y + out.height / 2);
    await page.mouse.down();
    await page.mouse.move(out.x + 40, out.y + 40, { steps: 3 });
    await page.mouse.move(out.x + 40, pane.y + pane.height - 2, { steps: 3 });
    await until(() => view(page), ({ y }) => y < board.y - 40, "a link at the edge moves the view");
    await page.keyboard.press("Escape");
    await page.mouse.up();
    assert.ok(panned);
  }));

test("elements are picked, moved together, snapped, aligned, spread, copied and framed", () =>
  desk({}, async (page) => {
    const start = Object.fromEntries(await Promise.all((await elements(page)).map(async (id) => [id, await place(page, id)])));
    // Marquee and shift.
    const top = await page.locator('.cv-el[data-element-id="revenue_5m"]').boundingBox();
    const low = await page.locator('.cv-el[data-element-id="board"]').boundingBox();
    await drag(page, { x: top.x - 8, y: top.y - 6 }, { x: low.x + low.width + 12, y: low.y + low.height - 4 });
    const taken = await selected(page);
    assert.ok(["board", "revenue_5m", "upsert_rows"].every((id) => taken.includes(id)), taken.join());
    await page.keyboard.press("Escape");
    await select(page, "orders_dlq");
    await page.keyboard.down("Shift");
    await page.mouse.click(...Object.values(await middle(page, "orders_late")));
    await page.keyboard.up("Shift");
    assert.deepEqual(await selected(page), ["orders_dlq", "orders_late"]);

    // Moved together.
    const { zoom } = await view(page);
    const grip = await middle(page, "orders_dlq");
    await page.keyboard.down("Control");
    await drag(page, grip, { x: grip.x + 40 * zoom, y: grip.y + 20 * zoom });
    await page.keyboard.up("Control");
    const [a, b] = [await place(page, "orders_dlq"), await place(page, "orders_late")];
    assert.ok(near(a.x - start.orders_dlq.x, b.x - start.orders_late.x) && a.x > start.orders_dlq.x + 20);
    await undo(page);

    // Snapped to a neighbour, with a guide.
    await page.keyboard.press("Escape");
    const late = await middle(page, "orders_late");
    await page.mouse.move(late.x, late.y);
    await page.mouse.down();
    await page.mouse.move(late.x, late.y + 12, { steps: 3 });
    await page.mouse.move(late.x + 30 * zoom, late.y + 5 * zoom, { steps: 4 });
    await page.locator(".cv-guide").first().waitFor({ state: "attached" });
    await page.mouse.up();
    assert.equal((await place(page, "orders_late")).y, (await place(page, "orders_dlq")).y, "the edges meet");
    await undo(page);

    // Align and distribute.
    await page.keyboard.press("Escape");
    for (const id of ["orders", "orders_dlq", "board"]) {
      await page.keyboard.down("Shift");
      await page.mouse.click(...Object.values(await middle(page, id)));
      await page.keyboard.up("Shift");
    }
    const three = await selected(page);
    assert.equal(three.length, 3, three.join());
    await page.keyboard.press("Alt+a");
    await page.keyboard.press("t");
    const tops = await Promise.all(three.map(async (id) => (await place(page, id)).y));
    assert.ok(tops.every((y) => y === tops[0]), tops.join());
    await undo(page);
    await page.keyboard.press("Alt+a");
    await page.keyboard.press("h");
    const spread = (await Promise.all(three.map((id) => place(page, id)))).sort((p, q) => p.x - q.x);
    assert.ok(near(spread[1].x - spread[0].x - spread[0].w, spread[2].x - spread[1].x - spread[1].w), "equal gaps");
    await undo(page);

    // Alt and drag leaves the original and takes a copy.
    await page.keyboard.press("Escape");
    const board = await middle(page, "board");
    const [twin] = await added(page, elements, async () => {
      await page.keyboard.down("Alt");
      await drag(page, board, { x: board.x + 10, y: board.y - 130 });
      await page.keyboard.up("Alt");
    });
    assert.deepEqual(await place(page, "board"), start.board);
    assert.ok((await place(page, twin)).y < start.board.y - 60);
    await undo(page);

    // Two jobs become one, and one becomes two again.
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("Control+-");
    const pane = await stage(page);
    const carry = async (down) => {
      const tile = await page.locator("[data-add=operator]").boundingBox();
      return added(page, elements, () => drag(page, { x: tile.x + 30, y: tile.y + 20 }, { x: pane.x + pane.width - 70, y: pane.y + pane.height * down }));
    };
    const [first, second] = [await carry(0.3), await carry(0.7)];
    const operator = (ids, d) => ids.find((id) => d.elements[id].kind === "operator");
    let now = await design(page);
    const [one, two] = [operator(first, now), operator(second, now)];
    assert.notEqual(now.elements[one].job, now.elements[two].job);
    await page.keyboard.press("Escape");
    await select(page, one);
    await page.keyboard.down("Shift");
    await page.mouse.click(...Object.values(await middle(page, two)));
    await page.keyboard.up("Shift");
    await page.keyboard.press("Control+g");
    now = await until(() => design(page), (d) => d.elements[one].job === d.elements[two].job, "one frame");
    await until(() => selected(page), (ids) => ids.join() === now.elements[one].job, "the frame is selected");
    await page.keyboard.press("Control+Shift+g");
    await until(() => design(page), (d) => d.elements[one].job !== d.elements[two].job, "parted");
  }));

test("tidy lays out all, or only what is selected", () =>
  desk({}, async (page) => {
    const { zoom } = await view(page);
    const free = await bare(page);
    const dlq = await middle(page, "orders_dlq");
    const home = await place(page, "orders_dlq");
    await drag(page, dlq, { x: free.x - 60, y: free.y });
    assert.ok((await place(page, "orders_dlq")).x > home.x + 60 * zoom);
    const board = await place(page, "board");
    await page.keyboard.press("Escape");
    for (const id of ["dedup", "sum", "orders_dlq"]) {
      await page.keyboard.down("Shift");
      await page.mouse.click(...Object.values(await middle(page, id)));
      await page.keyboard.up("Shift");
    }
    await page.keyboard.press("Alt+Shift+T");
    const [channel, operator] = [await until(() => place(page, "orders_dlq"), ({ x }) => x < home.x + 60, "back under its port"), await place(page, "dedup")];
    assert.ok(channel.y > operator.y + operator.h);
    assert.deepEqual(await place(page, "board"), board, "all else stays");
    await page.keyboard.press("Shift+T");
    assert.equal(await page.locator(".cv-el").count(), 17);
  }));

test("links are drawn, offered, moved at an end by pointer and by keyboard, and walked", () =>
  desk({}, async (page) => {
    // Let go on the bare canvas, what may follow is offered.
    const port = async (id, name = "main") => {
      await page.mouse.move(...Object.values(await middle(page, id)));
      const box = await page.locator(`.cv-el[data-element-id="${id}"] [data-port=${name}]`).boundingBox();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const free = await bare(page);
    await drag(page, await port("orders"), { x: free.x - 40, y: free.y });
    const offer = page.locator(".cv-offer");
    await offer.waitFor();
    const [consumer] = await added(page, elements, () => offer.getByRole("menuitem", { name: "Consumer" }).click());
    assert.ok(Object.values((await design(page)).links).some((l) => l.from === "orders" && l.to === consumer));
    await undo(page);

    // An end by drag.
    await selectLink(page, "l13");
    const handle = await page.locator('[data-handle=from][data-of="l13"]').boundingBox();
    await drag(page, { x: handle.x + 12, y: handle.y + 12 }, await middle(page, "revenue_table"));
    // It is there today, so it stays until it is removed, and a planned one runs from there.
    const moved = ({ links: { l13, l15 } }) => l13.from === "fct_revenue" && l13.lifecycle === "retiring" && l15?.from === "revenue_table" && l15.to === "close" && l15.lifecycle === "planned";
    await until(() => design(page), moved, "the start moved");
    await undo(page);
    await until(() => design(page), (d) => !d.links.l15 && !d.links.l13.lifecycle, "in one step back");
    // The same by keyboard: the link, its key, the target, Enter.
    await selectLink(page, "l13");
    await page.keyboard.press("Alt+c");
    await page.locator('.cv-el[data-element-id="revenue_table"]').focus();
    await page.keyboard.press("Enter");
    await until(() => design(page), moved, "the start moved by key");
    await undo(page);
    // Links are walked; an operator goes into the one that is selected.
    await select(page, "orders");
    await page.keyboard.press("l");
    await page.locator('[data-inspected="l3"]').waitFor();
    await page.keyboard.press("Shift+L");
    await page.locator('[data-inspected="l2"]').waitFor();
    const [operator] = await added(page, elements, () => page.keyboard.press("i"));
    woveInto(await design(page), "l2", operator);
    await undo(page);
    // A click on a badge is a click on its link; it explains itself too.
    await page.keyboard.press("Escape");
    await page.locator('.cv-badge[data-badge-of="l2"]').click();
    await page.locator('[data-inspected="l2"]').waitFor();
    await page.locator(".explanation-popover [data-figure=badge]").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".explanation-popover").waitFor({ state: "detached" });
    // Alt and the arrows go on from a link.
    await page.keyboard.press("Alt+ArrowRight");
    await page.locator('[data-inspected="orders"]').waitFor();
  }));

test("a copied part is text and comes out in another tab", () =>
  desk({}, async (page, mine) => {
    await selectFrame(page, "revenue");
    await page.keyboard.press("Control+c");
    const text = await until(() => page.evaluate(() => navigator.clipboard.readText()), (t) => t.includes("dedup"), "text on the clipboard");
    assert.deepEqual(Object.keys(JSON.parse(text).elements).sort(), ["dedup", "revenue", "sum"]);
    const other = await mine.context.newPage();
    await open(other, server.url);
    await other.getByRole("button", { name: "Menu", exact: true }).click();
    await other.locator(".menu [data-command=new]").click();
    await other.locator("[role=application]").focus();
    await other.keyboard.press("Control+v");
    await other.locator('.cv-el[data-element-id="dedup"]').waitFor();
    assert.equal(await other.locator(".cv-el").count(), 3);
    const [pane, box] = [await stage(other), await other.locator('.cv-el[data-element-id="revenue"]').boundingBox()];
    assert.ok(box.x >= pane.x && box.y >= pane.y && box.x < pane.x + pane.width, "it is in view");
    await other.close();
  }));

test("the map shows the whole, and a press or a drag on it moves the view", () =>
  desk({}, async (page) => {
    const map = page.locator("[data-map]");
    assert.equal(await map.count(), 0, "a small drawing needs none");
    await page.keyboard.press("m");
    await map.waitFor();
    await page.keyboard.press("Control+0");
    for (let step = 0; step < 4; step += 1) await page.keyboard.press("Control+=");
    const box = await map.boundingBox();
    const start = await view(page);
    await page.mouse.click(box.x + 12, box.y + 12);
    const there = await until(() => view(page), ({ x }) => x > start.x + 50, "a press leads there");
    await drag(page, { x: box.x + box.width / 2 - 10, y: box.y + box.height / 2 }, { x: box.x + box.width - 8, y: box.y + box.height / 2 + 10 });
    await until(() => view(page), ({ x }) => x < there.x - 100, "a drag moves the view");
    assert.deepEqual(await selected(page), [], "the drawing is not touched");
    // It is one drawing: three paths however many elements there are.
    assert.equal(await page.locator("[data-map] path").count(), 3);
    await page.reload();
    await map.waitFor();
    await page.locator(".cv-map-fold").click();
    await map.waitFor({ state: "detached" });
  }));

test("the workshop view shows the drawing and one verdict", () =>
  desk({}, async (page) => {
    const before = await view(page);
    await page.keyboard.press("Shift+W");
    const sentence = page.locator(".workshop-sentence");
    await sentence.waitFor();
    for (const gone of [".top", ".left", ".drawer", ".inspector", ".cv-toolbar", ".halt-banner"]) {
      assert.equal(await page.locator(gone).filter({ visible: true }).count(), 0, `${gone} is gone`);
    }
    assert.equal(await sentence.evaluate((el) => getComputedStyle(el).fontSize), "32px");
    await until(() => view(page), ({ zoom }) => zoom > before.zoom * 1.15, "the drawing is larger");
    const shown = () => page.locator("[data-workshop-consumer]").getAttribute("data-workshop-consumer");
    const first = await shown();
    await page.keyboard.press("ArrowRight");
    await until(shown, (id) => id !== first, "an arrow changes the consumer");
    await page.keyboard.press("ArrowLeft");
    await until(shown, (id) => id === first, "and back");
    await page.keyboard.press("Escape");
    await page.locator(".top").waitFor();
    const back = await until(() => view(page), ({ zoom }) => near(zoom, before.zoom, 0.001), "the view is as it was");
    assert.ok(near(back.x, before.x) && near(back.y, before.y));
  }));

test("captions stand on no element, end in an ellipsis where they are cut, and show whole on demand", async () => {
  for (const viewport of [{ width: 1440, height: 900 }, { width: 1920, height: 1080 }]) {
    await desk({ context: { viewport } }, async (page) => {
      await page.keyboard.press("Control+0");
      const found = await page.evaluate(() => {
        const boxes = [...document.querySelectorAll(".cv-el:not(.cv-job)")].map((el) => ({ id: el.dataset.elementId, ...el.getBoundingClientRect().toJSON() }));
        return [...document.querySelectorAll(".cv-caption")].filter((el) => el.offsetParent && getComputedStyle(el).display !== "none").map((caption) => {
          const lines = [...caption.children].map((span) => span.getBoundingClientRect());
          const on = boxes.find((b) => lines.some((l) => l.left < b.right - 0.5 && b.left < l.right - 0.5 && l.top < b.bottom - 0.5 && b.top < l.bottom - 0.5));
          // Cut in width would be without a sign; in height the browser writes the ellipsis.
          const wide = [...caption.children].find((span) => span.scrollWidth > span.clientWidth + 4);
          const cut = [...caption.children].some((span) => span.scrollHeight > span.clientHeight + 1);
          return { link: caption.dataset.badgeOf, on: on?.id, wide: wide?.textContent, cut };
        });
      });
      assert.ok(found.length > 4, "captions are there");
      assert.deepEqual(found.filter(({ on, wide }) => on || wide), []);
      const cut = found.find((caption) => caption.cut);
      if (cut) {
        const caption = page.locator(`.cv-caption[data-badge-of="${cut.link}"]`);
        await caption.locator("span").first().hover();
        await until(() => caption.locator("span").evaluateAll((all) => all.some((s) => s.scrollHeight > s.clientHeight + 1)), (still) => !still, "whole under the pointer");
      }
    });
  }
});

test("Enter and Space select the element that has the keyboard, after Escape took it out of the selection", async () => {
  const mine = await profile();
  try {
    const page = await mine.page();
    await open(page, server.url);
    await page.keyboard.press("s");
    await page.locator(".cv-el.cv-source.selected:focus").waitFor();
    for (const key of ["Enter", "Space"]) {
      await page.keyboard.press("Escape");
      await page.locator(".cv-el.cv-source:not(.selected):focus").waitFor();
      assert.equal(await page.locator("[data-inspected]").count(), 0);
      await page.keyboard.press(key);
      await page.locator('[data-inspected="source"]').waitFor();
      await page.locator(".cv-el.cv-source.selected:focus").waitFor();
      assert.equal(await page.locator(".cv-canvas.hand").count(), 0, "Space is the hand only where nothing is selected by it");
    }
    // The other keys go on from there.
    await added(page, elements, () => page.keyboard.press("Control+ArrowRight"));
    assert.equal((await links(page)).length, 1);
    mine.clean();
  } finally {
    await mine.close();
  }
});

test("every command is in the palette with its key, and elements are found by name", () =>
  desk({}, async (page) => {
    await page.keyboard.press("Shift+?");
    const keys = await page.locator(".keys-area tr").count();
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    const options = page.locator("[role=option]");
    await options.first().waitFor();
    const listed = await options.evaluateAll((all) => all.map((el) => [el.querySelector("span").innerText, el.querySelector("kbd")?.innerText]));
    assert.ok(listed.length >= keys, `${listed.length} entries for ${keys} keys`);
    for (const [title, key] of [["Tidy", "Shift T"], ["Workshop view", "Shift W"], ["Align left edges", "Alt A then L"], ["Add source", "S"], ["Zoom to the selection", "Shift 2"]]) {
      assert.ok(listed.some(([text, shown]) => text.startsWith(title) && shown === key), `${title} with ${key}`);
    }
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Control+f");
    await page.locator("[role=combobox]:focus").waitFor();
    await page.keyboard.type("upsert");
    await page.keyboard.press("Enter");
    await page.locator('[data-inspected="upsert_rows"]').waitFor();
  }));

test("a number on the canvas opens its explanation, and letters add", () =>
  desk({}, async (page) => {
    await page.locator('.cv-el[data-element-id="orders"] .cv-number b').click();
    await page.locator("[data-figure]").first().waitFor();
    await page.keyboard.press("Escape");
    await page.mouse.move(...Object.values(await bare(page)));
    for (const letter of ["s", "t", "j", "k", "u", "b"]) {
      await page.locator("[role=application]").focus();
      await added(page, elements, () => page.keyboard.press(letter));
    }
    assert.equal((await links(page)).length, 14);
  }));

test("the link to share is drawn as a QR code, or it says why not", () =>
  desk({}, async (page) => {
    await page.keyboard.press("Control+Shift+s");
    await page.locator("[data-share-link]").waitFor();
    const length = (await page.locator("[data-share-link]").inputValue()).length;
    const code = page.locator("[data-qr]");
    const drawn = await code.getAttribute("data-qr");
    if (length <= 2900) {
      assert.match(drawn, /^\d+$/);
      const box = await code.locator("svg").boundingBox();
      assert.ok(near(box.width, 240, 3), "240 px, to be read off a projector");
    } else {
      assert.equal(drawn, "none");
      assert.match(await code.innerText(), /Too long for a QR code/);
    }
    // Names are named, and stay here on request.
    const link = page.locator("[data-share-link]");
    const all = await link.inputValue();
    assert.match(await page.locator(".share-names").innerText(), /Finance Ops/);
    await page.locator("[data-share-names]").uncheck();
    const fewer = await until(() => link.inputValue(), (now) => now !== all, "another link");
    const reader = await page.context().newPage();
    await open(reader, fewer);
    await reader.locator('.cv-el[data-element-id="board"]').waitFor();
    assert.ok(!(await reader.locator("body").innerText()).includes("Finance Ops"));
    await reader.close();
  }));

test("a frame goes on by key from its last operator, and an operator that is added to it makes room", async () => {
  const mine = await profile();
  try {
    const page = await mine.page();
    await open(page, server.url);
    await page.locator("[data-example=device_alerts]").click();
    await page.locator('.cv-el[data-element-id="watch"]').waitFor();
    const from = async (id) => Object.values((await design(page)).links).filter((link) => link.to === id).map((link) => link.from);
    const inFrame = async (key) => {
      await selectFrame(page, "watch");
      const [id] = await added(page, elements, () => page.keyboard.press(key));
      return id;
    };
    // Kafka Streams writes to a topic.
    const next = await inFrame("Control+ArrowRight");
    assert.deepEqual(await from(next), ["count"]);
    assert.equal((await design(page)).elements[next].kind, "channel");
    for (let more = 0; more < 2; more += 1) await inFrame("o");
    const boxes = await page.locator(".cv-el:not(.cv-job)").evaluateAll((all) => all.map((el) => ({ id: el.dataset.elementId, ...el.getBoundingClientRect().toJSON() })));
    const on = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const pairs = boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => on(a, b)).map((b) => `${a.id} on ${b.id}`));
    assert.deepEqual(pairs, []);
    mine.clean();
  } finally {
    await mine.close();
  }
});

test("what is drawn into a job that exists is a proposal, and as-is stays what it is", () =>
  desk({}, async (page) => {
    await page.getByRole("radio", { name: "As-is" }).click();
    const before = Object.keys((await design(page)).elements);
    await selectFrame(page, "revenue");
    // What else is planned comes to be seen too.
    await added(page, elements, () => page.keyboard.press("o"));
    const [id] = Object.keys((await design(page)).elements).filter((one) => !before.includes(one));
    assert.equal(await page.getByRole("radio", { name: "To-be" }).getAttribute("aria-checked"), "true", "it is seen where it stands");
    assert.equal((await design(page)).elements[id].lifecycle, "planned");
    await page.getByRole("radio", { name: "As-is" }).click();
    await until(() => elements(page), (all) => !all.includes(id), "as-is does not hold it");
    await undo(page);

    // Neither does a group change it, nor an operator that is dragged into another frame.
    const said = (d) => [...Object.entries(d.elements), ...Object.entries(d.links)].map(([id, { lifecycle: _, ...rest }]) => [id, rest]);
    const was = await until(() => design(page), (d) => !d.elements[id], "undone");
    await page.keyboard.press("Escape");
    await select(page, "capture");
    await page.keyboard.down("Shift");
    await page.mouse.click(...Object.values(await middle(page, "upsert_rows")));
    await page.keyboard.up("Shift");
    await page.keyboard.press("Control+g");
    const copied = (d) => d.elements["upsert_rows-2"]?.job === "outbox" && d.elements.rev_jdbc.lifecycle === "retiring" && d.elements.upsert_rows.job === "rev_jdbc";
    const grouped = await until(() => design(page), (d) => copied(d), "a copy of it stands in the frame");
    const then = Object.fromEntries(said(grouped));
    for (const [id, rest] of said(was)) assert.deepEqual(then[id], rest, id);
    assert.equal(await page.getByRole("radio", { name: "To-be" }).getAttribute("aria-checked"), "true");
    await undo(page);
    await until(() => design(page), (d) => JSON.stringify(d) === JSON.stringify(was), "undone in one step");

    await page.keyboard.press("Escape");
    const at = await place(page, "upsert_rows");
    await drag(page, await middle(page, "upsert_rows"), await middle(page, "outbox"));
    await until(() => design(page), (d) => copied(d), "a copy of it was let go");
    assert.deepEqual(await selected(page), ["upsert_rows-2"]);
    assert.ok(!(await elements(page)).includes("upsert_rows"), "as it shall be, it has gone");
    await page.getByRole("radio", { name: "Both" }).click();
    await page.locator('.cv-el.to-go[data-element-id="upsert_rows"]').waitFor();
    assert.deepEqual(await place(page, "upsert_rows"), at, "and as it is, it stands where it stood");
  }));
