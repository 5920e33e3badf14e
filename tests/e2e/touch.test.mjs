// Fingers and a pen: the same canvas without a mouse. Events are those of the browser's own touch input.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { added, elements, middle, place, view } from "./desk.mjs";
import { open, profile, serve } from "./support.mjs";

const server = await serve();
after(() => server.stop());

/** The example on a tablet, with fingers. */
async function tablet(run) {
  const mine = await profile({ context: { viewport: { width: 1024, height: 768 }, hasTouch: true } });
  try {
    const page = await mine.page();
    await open(page, server.url);
    await page.locator("[data-example=checkout_revenue]").tap();
    await page.locator('.cv-el[data-element-id="board"]').waitFor();
    const cdp = await mine.context.newCDPSession(page);
    await run(page, fingers(cdp), cdp);
    mine.clean();
  } finally {
    await mine.close();
  }
}

/** Fingers by number; each call says where all of them are. */
function fingers(cdp) {
  const send = (type, points) =>
    cdp.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id, radiusX: 4, radiusY: 4, force: 1 })) });
  const along = (from, to, share) => from.map((p, i) => ({ x: p.x + (to[i].x - p.x) * share, y: p.y + (to[i].y - p.y) * share }));
  return {
    down: (points) => send("touchStart", points),
    up: () => send("touchEnd", []),
    move: async (from, to, steps = 6) => {
      for (let step = 1; step <= steps; step += 1) await send("touchMove", along(from, to, step / steps));
    },
    async drag(from, to, steps = 8) {
      await send("touchStart", [from]);
      for (let step = 1; step <= steps; step += 1) await send("touchMove", along([from], [to], step / steps));
      await send("touchEnd", []);
    },
    async tap(at) {
      await send("touchStart", [at]);
      await send("touchEnd", []);
    },
  };
}

async function until(read, holds, what) {
  let last;
  for (let tries = 0; tries < 300; tries += 1) {
    last = await read();
    if (holds(last)) return last;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return assert.fail(`${what}: ${JSON.stringify(last)}`);
}
const near = (a, b, by = 3) => Math.abs(a - b) <= by;
/** A place on an element beside its number, a tap on which opens the explanation. */
const grip = async (page, id) => {
  const { x, y } = await middle(page, id);
  return { x, y: y - 14 };
};
const selected = (page) => page.locator(".cv-el.selected").evaluateAll((all) => all.map((el) => el.dataset.elementId));
/** A place of the bare canvas: the lower left corner, which no pane covers. */
async function bare(page) {
  const pane = await page.locator("#canvas").boundingBox();
  return { x: pane.x + 90, y: pane.y + pane.height - 50 };
}
const off = async (page, touch) => {
  await touch.tap(await bare(page));
  await until(() => selected(page), (ids) => ids.length === 0, "nothing is selected");
};

test("a tap selects, a finger moves elements and the canvas, two fingers pan and zoom", () =>
  tablet(async (page, touch) => {
    const orders = await grip(page, "orders");
    await touch.tap(orders);
    await until(() => selected(page), (ids) => ids.join() === "orders", "a tap selects");
    await off(page, touch);

    const was = await place(page, "orders");
    const { zoom } = await view(page);
    await touch.drag(orders, { x: orders.x + 4, y: orders.y + 90 });
    await until(() => place(page, "orders"), (now) => near(now.y - was.y, 90 / zoom, 16), "a drag moves the element");
    await off(page, touch);

    const empty = await bare(page);
    const at = await view(page);
    await touch.drag(empty, { x: empty.x + 80, y: empty.y - 40 });
    await until(() => view(page), (now) => near(now.x - at.x, 80, 0.5) && near(now.y - at.y, -40, 0.5) && now.zoom === at.zoom, "one finger on the canvas pans");

    const [one, two] = [{ x: 420, y: 500 }, { x: 560, y: 500 }];
    const before = await view(page);
    // Both at once: one that rests alone would open the menu.
    await touch.down([one, two]);
    const [left, right] = [{ x: 450, y: 530 }, { x: 590, y: 530 }];
    await touch.move([one, two], [left, right]);
    const panned = await until(() => view(page), (now) => near(now.x - before.x, 30, 0.1) && near(now.y - before.y, 30, 0.1), "two fingers pan");
    assert.ok(near(panned.zoom, before.zoom, 0.02));
    await touch.move([left, right], [{ x: 380, y: 530 }, { x: 660, y: 530 }]);
    const wide = await until(() => view(page), (now) => near(now.zoom, before.zoom * 2, 0.001), "fingers twice as far apart make it twice as large");
    // What was between the fingers stays there.
    const pane = await page.locator("#canvas").boundingBox();
    const under = (v) => [(520 - pane.x - v.x) / v.zoom, (530 - pane.y - v.y) / v.zoom];
    const [[x0, y0], [x1, y1]] = [under(panned), under(wide)];
    assert.ok(near(x0, x1, 4) && near(y0, y1, 4), "to the middle between the fingers");
    await touch.up();
    assert.deepEqual(await selected(page), []);
  }));

test("a long press opens the menu, a moved finger does not", () =>
  tablet(async (page, touch) => {
    const orders = await grip(page, "orders");
    await touch.down([orders]);
    const menu = page.locator(".context-menu");
    await menu.waitFor();
    await touch.up();
    assert.equal(await menu.getAttribute("data-menu"), "Element");
    assert.deepEqual(await selected(page), ["orders"]);
    const entry = await menu.locator("[role=menuitem]").first().boundingBox();
    assert.ok(entry.height >= 40, `a finger hits an entry: ${entry.height}`);
    const [copy] = await added(page, elements, () => menu.locator("[data-command=duplicate]").tap());
    await menu.waitFor({ state: "detached" });
    assert.deepEqual(await selected(page), [copy]);
    await page.keyboard.press("Control+z");
    // On the bare canvas, and closed by a tap beside it.
    await touch.down([await bare(page)]);
    await menu.waitFor();
    await touch.up();
    assert.equal(await menu.getAttribute("data-menu"), "Canvas");
    await touch.tap({ x: 200, y: 120 });
    await menu.waitFor({ state: "detached" });
    // A finger that moves on is no long press: it drags, and after the time of a long press there is no menu.
    const from = await grip(page, "orders");
    const was = await place(page, "orders");
    const pressed = Date.now();
    await touch.down([from]);
    await touch.move([from], [{ x: from.x, y: from.y + 60 }]);
    await until(() => Date.now() - pressed, (passed) => passed > 700, "the time of a long press is over");
    assert.equal(await menu.count(), 0);
    await touch.up();
    await until(() => place(page, "orders"), (now) => now.y > was.y + 30, "it was dragged");
  }));

test("a finger carries a tile from the palette to the canvas", () =>
  tablet(async (page, touch) => {
    await page.getByRole("button", { name: "Add an element" }).tap();
    const tile = await page.locator("[data-add=sink]").boundingBox();
    const from = { x: tile.x + tile.width / 2, y: tile.y + tile.height / 2 };
    const to = await bare(page);
    const before = (await elements(page)).length;
    const [sink] = await added(page, elements, async () => {
      await touch.down([from]);
      await touch.move([from], [{ x: from.x + 60, y: from.y }]);
      await page.locator(".cv-carried").waitFor();
      await touch.move([{ x: from.x + 60, y: from.y }], [to]);
      await touch.up();
    });
    assert.equal((await elements(page)).length, before + 1, "one and no more");
    const there = await middle(page, sink);
    assert.ok(near(there.x, to.x, 8) && near(there.y, to.y, 40), `${there.x} ${there.y}`);
    await page.locator(".rail-add").waitFor({ state: "detached" });
  }));

test("a pen selects, moves and marks like a mouse, and its long press opens the menu", () =>
  tablet(async (page, _, cdp) => {
    const pen = (type, { x, y }, button = "left") =>
      cdp.send("Input.dispatchMouseEvent", { type, x, y, button: type === "mouseMoved" && button === "none" ? "none" : button, buttons: type === "mouseReleased" || button === "none" ? 0 : button === "right" ? 2 : 1, clickCount: 1, pointerType: "pen", force: 0.5 });
    const orders = await grip(page, "orders");
    const was = await place(page, "orders");
    await pen("mouseMoved", orders, "none");
    await pen("mousePressed", orders);
    for (let step = 1; step <= 5; step += 1) await pen("mouseMoved", { x: orders.x, y: orders.y + step * 14 });
    await pen("mouseReleased", { x: orders.x, y: orders.y + 70 });
    await until(() => place(page, "orders"), (now) => now.y > was.y + 40, "a pen moves");
    assert.deepEqual(await selected(page), ["orders"]);
    // A marquee from the bare canvas, as with a mouse.
    const [path, free] = [await page.locator('.cv-el[data-element-id="orders_full"]').boundingBox(), await bare(page)];
    await pen("mouseMoved", free, "none");
    await pen("mousePressed", free);
    await pen("mouseMoved", { x: free.x + 30, y: free.y - 10 });
    await pen("mouseMoved", { x: path.x + 20, y: path.y + 10 });
    await pen("mouseReleased", { x: path.x + 20, y: path.y + 10 });
    await until(() => selected(page), (ids) => ids.includes("orders_full"), "a pen marks");
    const full = await grip(page, "orders_full");
    await pen("mouseMoved", full, "none");
    await pen("mousePressed", full);
    await page.locator(".context-menu").waitFor();
    await pen("mouseReleased", full);
    await page.keyboard.press("Escape");
  }));
