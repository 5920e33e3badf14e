// Where a browser keeps nothing, has no room, or shows the same design twice: the work stays, and one message says so.
// And where a person changed colours or text size: everything can still be seen and used.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { join } from "node:path";
import assert from "node:assert/strict";
import { designFile, saved, select } from "./desk.mjs";
import { open, profile, serve } from "./support.mjs";

const server = await serve();
after(() => server.stop());

const shot = (page, name) => process.env.SHOTS && page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
const toasts = (page, text) => page.locator(".toasts .toast", { hasText: text });

async function example(page) {
  await open(page, server.url);
  await page.locator("[data-example=checkout_revenue]").click();
  await page.locator('.cv-el[data-element-id="orders"]').waitFor();
}

/** A profile whose person chose text of twice the usual size. */
function largeText() {
  const folder = mkdtempSync(join(tmpdir(), "desk-large-"));
  mkdirSync(join(folder, "Default"));
  writeFileSync(join(folder, "Default", "Preferences"), JSON.stringify({ webkit: { webprefs: { default_font_size: 32 } } }));
  return folder;
}

/** Renames an element: an edit that can be told apart in the file. */
async function rename(page, id, name) {
  await select(page, id);
  const input = page.locator("[data-pane=inspector] .name-input");
  await input.fill(name);
  await input.press("Enter");
  await page.locator(`.cv-el[data-element-id="${id}"] .cv-name`, { hasText: name }).waitFor();
}

async function desk(options, run) {
  const mine = await profile(options);
  try {
    await run(await mine.page(), mine);
    mine.clean();
  } finally {
    await mine.close();
  }
}

// As browsers do it: the request is refused, or what was accepted is taken back when it is committed.
const NO_ROOM = {
  "refused at once": () => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...given) {
      if (window.noRoom) throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
      return put.apply(this, given);
    };
  },
  "taken back at the commit": () => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...given) {
      const request = put.apply(this, given);
      if (window.noRoom) request.addEventListener("success", () => queueMicrotask(() => this.transaction.abort()));
      return request;
    };
  },
};
for (const [how, script] of Object.entries(NO_ROOM)) {
  test(`no room left, ${how}: the work stays in the tab, one message says so, and it is stored once there is room`, () =>
    desk({}, async (page) => {
      await page.addInitScript(script);
      await example(page);
      await saved(page);
      await page.evaluate(() => (window.noRoom = true));
      await rename(page, "orders", "orders without room");
      await page.locator("[data-saved=Full]").waitFor();
      const told = toasts(page, "This device has no room left");
      await told.waitFor();
      await rename(page, "orders", "orders still without room");
      await toasts(page, /Your last 2 edits are in this tab only/).waitFor();
      assert.equal(await told.count(), 1, "said once");
      assert.ok(await told.getByRole("button", { name: "Save a file" }).isVisible());
      assert.ok(await told.getByRole("button", { name: "Make a link" }).isVisible());
      assert.match(await designFile(page), /orders still without room/);
      await page.evaluate(() => (window.noRoom = false));
      await rename(page, "orders", "orders with room");
      await saved(page);
      await told.waitFor({ state: "detached" });
      await open(page, server.url);
      await page.locator('.cv-el[data-element-id="orders"] .cv-name', { hasText: "orders with room" }).waitFor();
    }));
}

for (const [name, script] of [
  ["refuses", () => Object.defineProperty(IDBFactory.prototype, "open", { value() { throw new DOMException("denied", "SecurityError"); } })],
  ["has none", () => Object.defineProperty(window, "indexedDB", { get: () => undefined })],
]) {
  test(`a window that keeps nothing, because storage ${name}: one message, and all of the desk works`, () =>
    desk({}, async (page) => {
      await page.addInitScript(script);
      await example(page);
      await page.locator("[data-saved=Unavailable]").waitFor();
      const told = toasts(page, "This browser keeps nothing here");
      await told.waitFor();
      assert.equal(await told.count(), 1, "said once");
      await rename(page, "orders", "orders of this tab");
      assert.match(await designFile(page), /orders of this tab/);
      await page.keyboard.press("Control+z");
      await page.locator('.cv-el[data-element-id="orders"] .cv-name', { hasText: /^orders$/ }).waitFor();
      assert.equal(await page.locator(".crash").count(), 0);
      await shot(page, `private-${name.replace(" ", "-")}`);
    }));
}

test("a second tab of the same design only reads until it takes over, and then has every edit of the first", () =>
  desk({}, async (first, mine) => {
    await example(first);
    await saved(first);
    await rename(first, "orders", "orders of the first");
    await saved(first);
    const second = await mine.context.newPage();
    await open(second, server.url);
    await second.locator("[data-saved=OtherTab]").waitFor();
    const banner = second.getByRole("status", { name: "Open in another tab" });
    await banner.waitFor();
    const count = await second.locator(".cv-el").count();
    await second.locator("#canvas [role=application]").focus();
    await second.keyboard.press("s");
    assert.equal(await second.locator(".cv-el").count(), count, "nothing is added there");
    await toasts(second, /edited in another tab.*Edit here/).waitFor();
    assert.equal(await toasts(second, "link").count(), 0, "it is no link");
    await first.bringToFront();
    await rename(first, "orders", "orders of the first, later");
    await saved(first);
    await second.bringToFront();
    await banner.getByRole("button", { name: "Edit here" }).click();
    await second.locator('.cv-el[data-element-id="orders"] .cv-name', { hasText: "orders of the first, later" }).waitFor();
    await first.locator("[data-saved=OtherTab]").waitFor();
    await rename(second, "orders", "orders of the second");
    await saved(second);
    await first.bringToFront();
    await first.getByRole("button", { name: "Edit here" }).click();
    await first.locator('.cv-el[data-element-id="orders"] .cv-name', { hasText: "orders of the second" }).waitFor();
    await second.locator("[data-saved=OtherTab]").waitFor();
  }));

test("when the tab that edits is closed, the other one says that nobody edits the design now", () =>
  desk({}, async (first, mine) => {
    await example(first);
    await saved(first);
    const second = await mine.context.newPage();
    await open(second, server.url);
    await second.locator("[data-saved=OtherTab]").waitFor();
    const third = await mine.context.newPage();
    await open(third, server.url);
    await third.locator("[data-saved=OtherTab]").waitFor();
    // A tab that only reads is nobody to wait for.
    await third.close();
    await second.waitForTimeout(300);
    assert.equal(await second.locator("[data-saved=OtherTab]").count(), 1);
    await first.close();
    await second.locator("[data-saved=Released]").waitFor();
    await second.locator("#canvas [role=application]").focus();
    await second.keyboard.press("s");
    await toasts(second, /nobody edits it now/).waitFor();
    await second.getByRole("status", { name: "Nobody edits it now" }).getByRole("button", { name: "Edit here" }).click();
    await saved(second);
    await rename(second, "orders", "orders of the second");
    await saved(second);
  }));

test("when the tab that edits crashes, the other ones say that nobody edits the design now", () =>
  desk({}, async (second, mine) => {
    // A page of its own, so that the renderer of the first one can go alone.
    const first = await mine.context.newPage();
    await open(first, server.url);
    await example(first);
    await saved(first);
    await open(second, server.url);
    await second.locator("[data-saved=OtherTab]").waitFor();
    const third = await mine.context.newPage();
    await open(third, server.url);
    await third.locator("[data-saved=OtherTab]").waitFor();
    const gone = first.waitForEvent("crash");
    const devtools = await mine.context.newCDPSession(first);
    devtools.send("Page.crash").catch(() => {});
    await gone;
    for (const page of [second, third]) await page.locator("[data-saved=Released]").waitFor();
    await second.getByRole("button", { name: "Edit here" }).first().click();
    await saved(second);
    await third.locator("[data-saved=OtherTab]").waitFor();
    await rename(second, "orders", "orders of the second");
    await saved(second);
  }));

test("forced colours: marks, badges, selection and focus are drawn in the colours of the system", () =>
  desk({ context: { forcedColors: "active" } }, async (page) => {
    await example(page);
    await select(page, "orders");
    await shot(page, "forced");
    const paint = (selector, property) => page.locator(selector).first().evaluate((el, property) => getComputedStyle(el)[property], property);
    const system = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement("i"));
      const colour = (name) => ((probe.style.color = name), getComputedStyle(probe).color);
      const all = { text: colour("CanvasText"), ground: colour("Canvas"), highlight: colour("Highlight") };
      probe.remove();
      return all;
    });
    assert.equal(await paint('.cv-el[data-element-id="capture"] .cv-body', "stroke"), system.text);
    assert.equal(await paint('.cv-el[data-element-id="orders"] .cv-body', "stroke"), system.highlight);
    assert.notEqual(await paint(".verdict-card .badge text", "fill"), await paint(".verdict-card .badge rect", "fill"), "a badge can be read");
  }));

for (const [width, height] of [[1440, 900], [1024, 768]]) {
  test(`text at 200 %, ${width} by ${height}: nothing outside canvas, tables and code is cut`, () =>
    desk({ folder: largeText(), context: { viewport: { width, height } } }, async (page) => {
      await example(page);
      assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize), "32px");
      const cut = () =>
        page.evaluate(() => {
          const scrolls = (el) => { for (let at = el.parentElement; at; at = at.parentElement) { const { overflowX, overflowY } = getComputedStyle(at); if (/auto|scroll/.test(overflowX + overflowY)) return true; } return false; };
          const full = (el) => el.matches("button") && el.scrollWidth > el.clientWidth + 2 && getComputedStyle(el).overflowX === "visible";
          const off = (el) => { const r = el.getBoundingClientRect(); return r.width > 0 && r.height > 0 && (r.right > innerWidth + 1 || r.left < -1 || r.bottom > innerHeight + 1 || r.top < -1); };
          const all = [...document.querySelectorAll("button, input, select, textarea, a, summary, h1, h2, h3, p")];
          return all.filter((el) => !el.closest(".cv-canvas, .table-scroll, pre, code, .hidden-text, .skip") && el.checkVisibility() && ((off(el) && !scrolls(el)) || full(el))).map((el) => `${el.tagName} ${el.className} ${el.textContent.trim().slice(0, 40)}`);
        });
      await shot(page, `text-${width}`);
      assert.deepEqual(await cut(), []);
      await page.keyboard.press("Control+k");
      await page.locator("dialog").waitFor();
      await shot(page, `text-palette-${width}`);
      assert.deepEqual(await cut(), []);
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached" });
      await page.keyboard.press("g");
      await page.keyboard.press("d");
      await page.locator("[data-document]").waitFor();
      await shot(page, `text-documents-${width}`);
      assert.deepEqual(await cut(), []);
    }));
}
