// Panning and zooming: the drawing glides as a picture, on few layers, and its details follow when the hand rests.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { openFile, view } from "./desk.mjs";
import { large } from "./large.mjs";
import { open, profile, serve } from "./support.mjs";

const server = await serve();
after(() => server.stop());

/** Panes and tools are on layers of their own; each part of the drawing that were on one would be one more. */
const FEW = 22;

async function fresh(run) {
  const mine = await profile();
  try {
    const page = await mine.page();
    await open(page, server.url);
    await openFile(page, "large.json", large(20));
    await page.locator("[data-consumer]").waitFor();
    await run(page);
    mine.clean();
  } finally {
    await mine.close();
  }
}

/** How many layers the browser makes of the page, by its own account. */
async function layers(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  const told = new Promise((resolve) => session.on("LayerTree.layerTreeDidChange", ({ layers }) => layers && resolve(layers.length)));
  await session.send("LayerTree.enable");
  // It tells them with the next frame that draws something.
  await page.evaluate(() => {
    const one = Object.assign(document.createElement("p"), { textContent: "." });
    document.querySelector("[data-pane=inspector]").append(one);
    requestAnimationFrame(() => requestAnimationFrame(() => one.remove()));
  });
  const count = await told;
  await session.detach();
  return count;
}

const few = (count, when) => assert.ok(count <= FEW, `${count} layers, ${when}`);

const rested = (page) => page.locator(".cv-canvas:not(.gliding)").waitFor();
const centre = async (page) => {
  const pane = await page.locator(".cv-canvas").boundingBox();
  return { x: pane.x + pane.width / 2, y: pane.y + pane.height / 2 };
};

/** Turns the wheel over the middle of the canvas, with Control held. */
async function zoom(page, turns, by) {
  const { x, y } = await centre(page);
  await page.mouse.move(x, y);
  await page.keyboard.down("Control");
  for (let turn = 0; turn < turns; turn += 1) await page.mouse.wheel(0, by);
  await page.keyboard.up("Control");
  await rested(page);
}

test("the drawing is on few layers, seen whole, in part, and while it glides", () =>
  fresh(async (page) => {
    few(await layers(page), "seen whole");
    const whole = await view(page);
    await zoom(page, 4, -120);
    const near = await view(page);
    assert.ok(near.zoom > whole.zoom * 2, `${near.zoom} after ${whole.zoom}`);
    few(await layers(page), "seen in part");
    const { x, y } = await centre(page);
    await page.mouse.move(x, y);
    await page.mouse.down({ button: "middle" });
    await page.mouse.move(x - 40, y - 30, { steps: 3 });
    await page.locator(".cv-canvas.gliding").waitFor();
    few(await layers(page), "gliding");
    await page.mouse.up({ button: "middle" });
    await rested(page);
    const ground = await page.locator(".cv-plane").boundingBox();
    const pane = await page.locator(".cv-canvas").boundingBox();
    const reaches = ground.x <= pane.x && ground.y <= pane.y && ground.x + ground.width >= pane.x + pane.width && ground.y + ground.height >= pane.y + pane.height;
    assert.ok(reaches, `${JSON.stringify(ground)} under ${JSON.stringify(pane)}`);
    const moved = await view(page);
    assert.deepEqual([Math.round(moved.x - near.x), Math.round(moved.y - near.y)], [-40, -30]);
  }));

test("details follow the zoom when the hand rests: sizes of words, how much is drawn, and specks far out", () =>
  fresh(async (page) => {
    const inverse = () => page.locator(".cv-canvas").evaluate((el) => Number(getComputedStyle(el).getPropertyValue("--inv")));
    for (const [turns, by, detail] of [[3, -120, "cv-at-middle"], [3, -120, "cv-at-near"], [12, 120, "cv-at-speck"]]) {
      await zoom(page, turns, by);
      const { zoom: now } = await view(page);
      await page.locator(`.cv-canvas.${detail}`).waitFor();
      assert.ok(Math.abs((await inverse()) * now - 1) < 0.01, `${await inverse()} at ${now}`);
    }
    // A speck says by its colour what was found, and has no words.
    assert.equal(await page.locator(".cv-under:visible, .cv-severity:visible, .cv-name:visible").count(), 0);
    assert.ok((await page.locator(".cv-el.cv-found-error").count()) > 0);
  }));

test("no flag hides another, however near their places are", () =>
  fresh(async (page) => {
    for (const turns of [0, 3, 3]) {
      if (turns) await zoom(page, turns, -120);
      const cloths = await page.locator(".cv-cloth-box").evaluateAll((all) => all.map((el) => el.getBoundingClientRect().toJSON()));
      assert.equal(cloths.length, 2);
      const [a, b] = cloths;
      assert.ok(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top, JSON.stringify(cloths));
    }
  }));
