// Hands on the desk: what a person does with pointer and keyboard, each waiting for what it leads to.
import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import assert from "node:assert/strict";
import { open, profile } from "./support.mjs";

const canvas = ".cv-el[data-element-id]";

/** The ids of what stands on the canvas. */
export const elements = (page) => page.locator(canvas).evaluateAll((all) => all.map((el) => el.dataset.elementId));

/** The ids of the links on the canvas. */
export const links = (page) => page.locator("g[data-link-id]").evaluateAll((all) => all.map((el) => el.dataset.linkId));

/** Does something that adds to the canvas and answers the ids of what came, once they are there. */
export async function added(page, read, act) {
  const before = await read(page);
  await act();
  await page.waitForFunction(([selector, count]) => document.querySelectorAll(selector).length > count, [read === links ? "g[data-link-id]" : canvas, before.length]);
  return (await read(page)).filter((id) => !before.includes(id));
}

/** The middle of an element on the screen. */
export async function middle(page, id) {
  const box = await page.locator(`${canvas}[data-element-id="${id}"]`).boundingBox();
  assert.ok(box, `${id} is on the canvas`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The view of the canvas: where its origin is on the screen of the pane, and the zoom. */
export const view = (page) =>
  page.locator(".cv-world").evaluate((world) => {
    const { a, e, f } = new DOMMatrix(getComputedStyle(world).transform);
    return { zoom: a, x: e, y: f };
  });

/** The box of an element in canvas units. */
export const place = (page, id) =>
  page.locator(`${canvas}[data-element-id="${id}"]`).evaluate((el) => {
    const { e, f } = new DOMMatrix(el.style.transform);
    return { x: e, y: f, w: el.offsetWidth, h: el.offsetHeight };
  });

/** Presses, goes there in steps, and lets go. */
export async function drag(page, from, to, { button = "left", steps = 6 } = {}) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down({ button });
  await page.mouse.move(from.x + (to.x > from.x ? 6 : -6), from.y, { steps: 2 });
  await page.mouse.move(to.x, to.y, { steps });
  await page.mouse.up({ button });
}

/** Drags a tile of the palette to a place of the canvas, given as a share of its width and height. */
export async function dragTile(page, kind, across, down) {
  const stage = await page.locator("#canvas").boundingBox();
  await page.locator(`[data-add=${kind}]`).dragTo(page.locator("#canvas"), { targetPosition: { x: stage.width * across, y: stage.height * down } });
}

/** Drags from an output to an element. */
export async function dragLink(page, from, to, port = "main") {
  const out = page.locator(`${canvas}[data-element-id="${from}"] [data-port=${port}]`);
  await page.mouse.move(...Object.values(await middle(page, from)));
  const box = await out.boundingBox();
  const start = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const end = await middle(page, to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 });
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
}

/** Selects an element by a click on it, above its number, which would explain itself. */
export async function select(page, id) {
  const box = await page.locator(`${canvas}[data-element-id="${id}"]`).boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 5);
  await inspected(page, id);
}

/** Selects a job frame by a click on its head. */
export async function selectFrame(page, id) {
  const box = await page.locator(`${canvas}[data-element-id="${id}"]`).boundingBox();
  await page.mouse.click(box.x + 24, box.y + 10);
  await inspected(page, id);
}

/** Selects a link by a click on its line. */
export async function selectLink(page, id) {
  const at = await page.locator(`g[data-link-id="${id}"] .cv-hit`).evaluate((path) => {
    const matrix = path.getScreenCTM();
    const of = (share) => path.getPointAtLength(path.getTotalLength() * share).matrixTransform(matrix);
    const free = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8].map(of).find(({ x, y }) => !document.elementFromPoint(x, y)?.closest("[data-element-id], .cv-caption, .cv-badge"));
    const { x, y } = free ?? of(0.5);
    return { x, y };
  });
  await page.mouse.click(at.x, at.y);
  await inspected(page, id);
}

/** Walks with Tab until an element of the canvas has the keyboard. */
export async function tabTo(page, id) {
  for (let steps = 0; steps < 100; steps += 1) {
    if ((await page.evaluate(() => document.activeElement?.dataset?.elementId)) === id) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not come to ${id}`);
}

const inspected = (page, id) => page.locator(`[data-inspected="${id}"]`).waitFor();

/** Answers one setting in the inspector of what is selected: opens its editor, writes, submits, and waits for the row. */
export async function answer(page, setting, value) {
  const row = page.locator(`[data-pane=inspector] .setting[data-setting="${setting}"]`);
  const name = row.locator(".setting-name");
  if (!(await name.isVisible())) await page.locator("details.more-settings:not([open])", { has: page.locator(`.setting[data-setting="${setting}"]`) }).locator("summary").click();
  await name.click();
  const entry = row.locator("[data-entry]");
  await entry.waitFor();
  const choice = await entry.evaluate((el) => el.tagName === "SELECT");
  if (choice) await entry.selectOption(value);
  else await entry.fill(value);
  await row.locator("button[type=submit]").click();
  await row.locator("form").waitFor({ state: "detached" });
}

/** Opens the explanation of a number and waits until it stands in the window, the keyboard in it. */
export async function explained(page, number) {
  await number.click();
  const popover = page.locator(".explanation-popover").last();
  await popover.locator("[data-figure]").waitFor();
  await page.waitForFunction(() => document.activeElement?.closest(".explanation-popover"));
  return popover;
}

/** Chooses an entry of a list of the structure section: system, step, port. The inspector follows an edit a frame later. */
export async function choose(page, id, field, value) {
  await page.locator(`[data-inspected="${id}"] select[data-field="${field}"]`).selectOption(value);
}

/** Waits until everything is written to this device; a narrow window does not show it. */
export const saved = (page) => page.locator("[data-saved=OnDevice]").waitFor({ state: "attached" });

/** Runs with the built-in example open. */
export async function example(server, options, run) {
  const mine = await profile(options);
  try {
    const page = await mine.page();
    await open(page, server.url);
    await page.locator("[data-example=checkout_revenue]").click();
    await page.locator('.cv-el[data-element-id="orders"]').waitFor();
    await saved(page);
    await run(page, mine);
    mine.clean();
  } finally {
    await mine.close();
  }
}

/** A download as bytes. */
export async function download(page, act) {
  const coming = page.waitForEvent("download");
  await act();
  const got = await coming;
  return { name: got.suggestedFilename(), bytes: readFileSync(await got.path()) };
}

/** The design as the file says it, by Ctrl+S. */
export async function designFile(page) {
  const { name, bytes } = await download(page, () => page.keyboard.press("Control+s"));
  assert.match(name, /\.design\.json$/);
  return bytes.toString("utf8");
}

/** The files of a ZIP by name, read from its central directory, each checked against its CRC-32. */
export function unzip(bytes) {
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== 0x06054b50) end -= 1;
  assert.ok(end >= 0, "the ZIP has an end record");
  const files = new Map();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    assert.equal(bytes.readUInt32LE(at), 0x02014b50, "a directory entry");
    const [method, sum, packed, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const [nameLength, extra, comment, local] = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30), bytes.readUInt16LE(at + 32), bytes.readUInt32LE(at + 42)];
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const data = bytes.subarray(start, start + packed);
    const content = method === 8 ? inflateRawSync(data) : data;
    assert.equal(content.length, size, `${name} has its stated size`);
    assert.equal(crc32(content), sum, `${name} has its checksum`);
    files.set(name, content.toString("utf8"));
    at += 46 + nameLength + extra + comment;
  }
  return files;
}

function crc32(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return ~sum >>> 0;
}

const usable = (page, command) => page.locator(`.top [data-command=${command}][aria-disabled=false]`).count();

/** Presses a key until its command has nothing left to do; answers how often. */
async function exhaust(page, key, command) {
  let steps = 0;
  for (; await usable(page, command); steps += 1) {
    assert.ok(steps < 1000, `${command} comes to an end`);
    await page.keyboard.press(key);
  }
  return steps;
}

/** Takes everything back, step by step. */
export const undoAll = (page) => exhaust(page, "Control+z", "undo");

/** Does everything again. */
export const redoAll = (page) => exhaust(page, "Control+Shift+z", "redo");

/** Opens a file by the key. A press before the page has the browser's attention opens no chooser: it is pressed again. */
export async function openFile(page, name, content, mimeType = "application/json") {
  await page.bringToFront();
  let chosen;
  for (let attempt = 0; !chosen && attempt < 5; attempt += 1) {
    const chooser = page.waitForEvent("filechooser", { timeout: 3_000 }).catch(() => undefined);
    await page.keyboard.press("Control+o");
    chosen = await chooser;
  }
  assert.ok(chosen, "a file can be chosen");
  await chosen.setFiles({ name, mimeType, buffer: Buffer.from(content) });
}
